// SPDX-License-Identifier: MIT
// The five kernels of BabelStream: copy, mul, add, triad and dot, over three arrays.
#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdlib>
#include <vector>
#include <yoke/yoke.hpp>

namespace {

constexpr const char* source = R"(
YOKE_KERNEL copy(YOKE_GLOBAL const float* a, YOKE_GLOBAL float* c, int n) {
  int i = (int)get_global_id(0);
  if (i < n) c[i] = a[i];
}
YOKE_KERNEL mul(YOKE_GLOBAL float* b, YOKE_GLOBAL const float* c, float scalar, int n) {
  int i = (int)get_global_id(0);
  if (i < n) b[i] = scalar * c[i];
}
YOKE_KERNEL add(YOKE_GLOBAL const float* a, YOKE_GLOBAL const float* b, YOKE_GLOBAL float* c, int n) {
  int i = (int)get_global_id(0);
  if (i < n) c[i] = a[i] + b[i];
}
YOKE_KERNEL triad(YOKE_GLOBAL float* a, YOKE_GLOBAL const float* b, YOKE_GLOBAL const float* c, float scalar, int n) {
  int i = (int)get_global_id(0);
  if (i < n) a[i] = b[i] + scalar * c[i];
}
// Each group adds up its share; the host adds the few sums.
YOKE_KERNEL dot_product(YOKE_GLOBAL const float* a, YOKE_GLOBAL const float* b, YOKE_GLOBAL float* sums, int n,
                YOKE_LOCAL_ARG(float, scratch)) {
  YOKE_LOCAL_BIND(float, scratch)
  float sum = 0.0f;
  for (int i = (int)get_global_id(0); i < n; i += (int)get_global_size(0)) sum += a[i] * b[i];
  sum = yoke_work_group_reduce_add(scratch, sum);
  if (get_local_id(0) == 0) sums[get_group_id(0)] = sum;
}
)";

int babelstream() {
  const yoke::context context;
  const yoke::stream stream{context};
  const auto module = yoke::compile(context, source);
  fmt::print("device: {}\n", stream.device_of().name());

  const auto copy = module.get_kernel<void(const float*, float*, int)>("copy");
  const auto mul = module.get_kernel<void(float*, const float*, float, int)>("mul");
  const auto add = module.get_kernel<void(const float*, const float*, float*, int)>("add");
  const auto triad = module.get_kernel<void(float*, const float*, const float*, float, int)>("triad");
  const auto dot = module.get_kernel<void(const float*, const float*, float*, int, yoke::local<float>)>("dot_product");

  // Multiples of a power of two: every value is exact, whatever is fused.
  constexpr std::size_t n = 100'003;
  constexpr float scalar = 0.5F;
  auto a = yoke::to_device(std::vector<float>(n, 1.0F), stream);
  auto b = yoke::to_device(std::vector<float>(n, 2.0F), stream);
  auto c = yoke::to_device(std::vector<float>(n, 0.0F), stream);
  const auto shape = yoke::launch_over(n, 256);
  float on_a = 1.0F;
  float on_b = 2.0F;
  float on_c = 0.0F;
  for (int round = 0; round < 3; ++round) {
    copy(stream, shape, a, c, n);
    mul(stream, shape, b, c, scalar, n);
    add(stream, shape, a, b, c, n);
    triad(stream, shape, a, b, c, scalar, n);
    on_c = on_a;
    on_b = scalar * on_c;
    on_c = on_a + on_b;
    on_a = on_b + scalar * on_c;
  }
  constexpr unsigned groups = 16;
  std::vector<float> sums(groups);
  dot(stream, {.grid = groups, .block = 128}, a, b, yoke::out(sums), n, yoke::local<float>(128));

  const auto all_are = [&](auto& array, float value) {
    std::vector<float> host(n);
    yoke::copy(array, host, stream);
    return std::count(host.begin(), host.end(), value) == static_cast<std::ptrdiff_t>(n);
  };
  if (!all_are(a, on_a) || !all_are(b, on_b) || !all_are(c, on_c)) {
    fmt::print(stderr, "an array does not hold {}, {} or {}\n", on_a, on_b, on_c);
    return EXIT_FAILURE;
  }
  double sum = 0;
  for (const float each : sums) sum += static_cast<double>(each);
  const double expected = static_cast<double>(on_a) * static_cast<double>(on_b) * n;
  if (std::abs(sum - expected) > 1e-4 * expected) {
    fmt::print(stderr, "the dot product is {}, not {}\n", sum, expected);
    return EXIT_FAILURE;
  }
  fmt::print("three arrays and their product are right\n");
  return EXIT_SUCCESS;
}

}  // namespace

int main() {
  try {
    return babelstream();
  } catch (const yoke::error& e) {
    fmt::print(stderr, "{}\n", e.what());
    return EXIT_FAILURE;
  }
}
