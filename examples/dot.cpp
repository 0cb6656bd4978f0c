// SPDX-License-Identifier: MIT
// A dot product in one launch: each group reduces its share, and adds it to the result by an atomic.
#include <fmt/core.h>

#include <cstddef>
#include <cstdlib>
#include <vector>
#include <yoke/yoke.hpp>

namespace {

constexpr const char* source = R"(
YOKE_KERNEL dot_product(YOKE_GLOBAL const float* a, YOKE_GLOBAL const float* b, YOKE_GLOBAL float* result, int n,
                YOKE_LOCAL_ARG(float, scratch)) {
  YOKE_LOCAL_BIND(float, scratch)
  float4 sums = make_float4(0.0f, 0.0f, 0.0f, 0.0f);
  for (int i = (int)get_global_id(0); i < n / 4; i += (int)get_global_size(0)) sums += vload4(i, a) * vload4(i, b);
  float sum = sums.x + sums.y + sums.z + sums.w;
  int rest = n / 4 * 4 + (int)get_global_id(0);
  if (rest < n) sum += a[rest] * b[rest];
  sum = yoke_work_group_reduce_add(scratch, sum);
  if (get_local_id(0) == 0) yoke_atomic_add(result, sum);
}
)";

int dot() {
  const yoke::context context;
  const yoke::stream stream{context};
  const auto module = yoke::compile(context, source);
  fmt::print("device: {}\n", stream.device_of().name());

  const auto dot = module.get_kernel<void(const float*, const float*, float*, int, yoke::local<float>)>("dot_product");

  // Small whole numbers: their sum is exact in any order.
  constexpr std::size_t n = 200'003;
  std::vector<float> a(n);
  std::vector<float> b(n);
  float expected = 0;
  for (std::size_t i = 0; i < n; ++i) {
    a[i] = static_cast<float>(i % 5);
    b[i] = static_cast<float>(i % 3);
    expected += a[i] * b[i];
  }
  std::vector<float> result(1, 0.0F);
  dot(stream, {.grid = 32, .block = 128}, yoke::in(a), yoke::in(b), yoke::in_out(result), n, yoke::local<float>(128));
  if (result[0] != expected) {
    fmt::print(stderr, "the dot product is {}, not {}\n", result[0], expected);
    return EXIT_FAILURE;
  }
  fmt::print("the dot product is {}\n", result[0]);
  return EXIT_SUCCESS;
}

}  // namespace

int main() {
  try {
    return dot();
  } catch (const yoke::error& e) {
    fmt::print(stderr, "{}\n", e.what());
    return EXIT_FAILURE;
  }
}
