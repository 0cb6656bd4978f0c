// SPDX-License-Identifier: MIT
// Expressions of arrays: `2 * a` first, then fused formulas, parts of arrays, broadcasting, sums and a kernel from text.
#include <fmt/core.h>

#include <cmath>
#include <cstdlib>
#include <vector>
#include <yoke/array.hpp>
#include <yoke/yoke.hpp>

namespace {

int failures = 0;
void check(bool right, const char* what) {
  fmt::print("{}: {}\n", what, right ? "right" : "WRONG");
  if (!right) ++failures;
}

void run() {
  const yoke::context context;
  const yoke::stream stream{context};
  fmt::print("device: {}\n", stream.device_of().name());

  auto a = yoke::to_device_array({1.0F, 2.0F, 3.0F}, stream);
  const yoke::device_array b(2 * a);
  check(b.to_host() == std::vector<float>{2, 4, 6}, "2 * a");

  // One kernel, which runs at the assignment and reads each array once.
  constexpr std::size_t n = 1'000'003;
  const auto x = yoke::arange<float>(n, stream);
  auto y = yoke::zeros<float>({n}, stream);
  y = 2 * x + sin(x) * sin(x) + cos(x) * cos(x);
  const auto host = y.to_host();
  bool right = true;
  for (std::size_t i = 0; i < n; ++i) {
    const double expected = 2.0 * static_cast<double>(i) + 1;
    right = right && std::fabs(host[i] - expected) <= 1e-6 * expected;
  }
  check(right, "2 * x + sin(x) * sin(x) + cos(x) * cos(x)");

  // Parts of arrays on both sides: the mean of two neighbours.
  y(yoke::slice(1, yoke::none)) = (x(yoke::slice(1, yoke::none)) + x(yoke::slice(0, -1))) / 2;
  check(y(7).value() == 6.5F, "(x[1:] + x[:-1]) / 2");

  // A row and a column make a table.
  const auto row = yoke::to_device_array({1, 2, 3}, stream);
  const auto column = yoke::to_device_array({10, 20}, stream);
  const yoke::device_array table(row + column(yoke::whole, yoke::newaxis));
  check(table.to_host() == std::vector<int>{11, 12, 13, 21, 22, 23}, "row + column");

  a = where(a > 2, -a, 0);
  check(a.to_host() == std::vector<float>{0, 0, -3}, "where(a > 2, -a, 0)");

  // Sums have the same bits in each run and on each device; the product is calculated on the way.
  check(yoke::sum(table * table).get() == 121 + 144 + 169 + 441 + 484 + 529, "sum(table * table)");
  check(yoke::count(x > 10).get() == n - 11, "count(x > 10)");

  const yoke::elementwise_kernel<void(float*, const float*, float)> axpy(context, {"y", "x", "a"},
                                                                         "y[i] = a * x[i] + y[i]");
  axpy(a, b, 0.5F);
  check(a.to_host() == std::vector<float>{1, 2, 0}, "a kernel from text");
}

}  // namespace

int main() {
  try {
    run();
  } catch (const yoke::error& e) {
    fmt::print(stderr, "{}\n", e.what());
    return EXIT_FAILURE;
  }
  return failures == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
