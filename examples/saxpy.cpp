// SPDX-License-Identifier: MIT
// SAXPY, y = a * x + y: the smallest whole program, with explicit copies, a typed launch and a check.
#include <fmt/core.h>

#include <cstddef>
#include <cstdlib>
#include <vector>
#include <yoke/yoke.hpp>

namespace {

// The portable dialect: OpenCL C's work-item functions, and words that every backend knows.
constexpr const char* source = R"(
YOKE_KERNEL saxpy(YOKE_GLOBAL float* y, YOKE_GLOBAL const float* x, float a, int n) {
  int i = (int)get_global_id(0);
  if (i < n) y[i] = a * x[i] + y[i];
})";

int saxpy() {
  // $YOKE_DEVICE, else the best device of any backend.
  const yoke::context context;
  const yoke::stream stream{context};
  fmt::print("device: {}\n", stream.device_of().name());

  // get_kernel compares the signature with the compiled kernel, once. Arguments of launches are checked when compiled.
  const auto module = yoke::compile(context, source);
  const auto saxpy = module.get_kernel<void(float*, const float*, float, int)>("saxpy");

  // Small whole numbers: every result is exact, whatever the device fuses or reorders.
  constexpr std::size_t n = 1'000'003;
  std::vector<float> x(n);
  std::vector<float> y(n);
  for (std::size_t i = 0; i < n; ++i) {
    x[i] = static_cast<float>(i % 1000);
    y[i] = static_cast<float>(i % 7);
  }

  // Device memory that is freed in the stream's order, filled from host memory.
  const auto x_gpu = yoke::to_device(x, stream);
  auto y_gpu = yoke::to_device(y, stream);

  // One thread an element, in blocks of 256; the last block hangs over, hence `i < n` in the kernel. The count is a
  // size_t here and an int there: it is range-checked on the way.
  saxpy(stream, yoke::launch_over(n, 256), y_gpu, x_gpu, 2.0f, n);

  std::vector<float> result(n);
  yoke::copy(y_gpu, result, stream);  // returns when `result` holds the data

  for (std::size_t i = 0; i < n; ++i) {
    if (result[i] != 2.0f * x[i] + y[i]) {
      fmt::print(stderr, "element {} is {}, not {}\n", i, result[i], 2.0f * x[i] + y[i]);
      return EXIT_FAILURE;
    }
  }
  fmt::print("{} elements are right\n", n);
  return EXIT_SUCCESS;
}

}  // namespace

int main() {
  try {
    return saxpy();
  } catch (const yoke::error& e) {
    fmt::print(stderr, "{}\n", e.what());
    return EXIT_FAILURE;
  }
}
