// SPDX-License-Identifier: MIT
// A matrix product, c = a * b, in tiles of local memory.
#include <fmt/core.h>

#include <cstddef>
#include <cstdlib>
#include <vector>
#include <yoke/yoke.hpp>

namespace {

constexpr const char* source = R"(
#define TILE 16
YOKE_KERNEL YOKE_WORK_GROUP_SIZE(TILE, TILE, 1) sgemm(YOKE_GLOBAL float* c, YOKE_GLOBAL const float* a,
                                                      YOKE_GLOBAL const float* b, int rows, int columns, int inner) {
  YOKE_LOCAL float of_a[TILE][TILE];
  YOKE_LOCAL float of_b[TILE][TILE];
  int x = (int)get_local_id(0);
  int y = (int)get_local_id(1);
  int column = (int)get_global_id(0);
  int row = (int)get_global_id(1);
  float sum = 0.0f;
  for (int from = 0; from < inner; from += TILE) {
    of_a[y][x] = row < rows && from + x < inner ? a[row * inner + from + x] : 0.0f;
    of_b[y][x] = from + y < inner && column < columns ? b[(from + y) * columns + column] : 0.0f;
    YOKE_BARRIER_LOCAL();
    YOKE_UNROLL(TILE)
    for (int k = 0; k < TILE; ++k) sum = fma(of_a[y][k], of_b[k][x], sum);
    YOKE_BARRIER_LOCAL();
  }
  if (row < rows && column < columns) c[row * columns + column] = sum;
}
)";

int sgemm() {
  const yoke::context context;
  const yoke::stream stream{context};
  const auto module = yoke::compile(context, source);
  fmt::print("device: {}\n", stream.device_of().name());

  const auto sgemm = module.get_kernel<void(float*, const float*, const float*, int, int, int)>("sgemm");

  constexpr std::size_t rows = 83;
  constexpr std::size_t columns = 101;
  constexpr std::size_t inner = 67;
  std::vector<float> a(rows * inner);
  std::vector<float> b(inner * columns);
  for (std::size_t i = 0; i < a.size(); ++i) a[i] = static_cast<float>(i % 7);
  for (std::size_t i = 0; i < b.size(); ++i) b[i] = static_cast<float>(i % 11);
  std::vector<float> c(rows * columns);
  sgemm(stream, yoke::launch_over({columns, rows}, {16, 16}), yoke::out(c), yoke::in(a), yoke::in(b), rows, columns,
        inner);
  for (std::size_t row = 0; row < rows; ++row) {
    for (std::size_t column = 0; column < columns; ++column) {
      float sum = 0;  // small whole numbers: exact
      for (std::size_t k = 0; k < inner; ++k) sum += a[row * inner + k] * b[k * columns + column];
      if (c[row * columns + column] == sum) continue;
      fmt::print(stderr, "row {}, column {} is {}, not {}\n", row, column, c[row * columns + column], sum);
      return EXIT_FAILURE;
    }
  }
  fmt::print("{} by {} sums of {} products are right\n", rows, columns, inner);
  return EXIT_SUCCESS;
}

}  // namespace

int main() {
  try {
    return sgemm();
  } catch (const yoke::error& e) {
    fmt::print(stderr, "{}\n", e.what());
    return EXIT_FAILURE;
  }
}
