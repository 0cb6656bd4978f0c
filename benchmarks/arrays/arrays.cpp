// SPDX-License-Identifier: MIT
// Expressions, reductions, sorts, indices, sparse products beside the device's copy: yoke_bench_arrays [LOG2 OF ELEMENTS] [ROUNDS]
#include <yoke/algorithm.hpp>
#include <yoke/array.hpp>
#include <yoke/random.hpp>
#include <yoke/sparse.hpp>
#include <yoke/yoke.hpp>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

namespace {

double copy_rate = 0;
/// Prints the best time of an operation, and its rate beside the copy's.
template <class Act>
void row(const char* name, double bytes, const yoke::stream<>& stream, int rounds, Act act) {
  double best = 1e9;
  for (int burst = 0; burst < 6; ++burst) {  // the first compiles and warms up
    stream.synchronize();
    const auto begin = std::chrono::steady_clock::now();
    for (int round = 0; round < rounds; ++round) act();
    stream.synchronize();
    const double time = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count() / rounds;
    if (burst > 0 && time < best) best = time;
  }
  const double rate = bytes / best / 1e9;
  if (copy_rate == 0) copy_rate = rate;
  std::printf("%-36s %10.1f us %9.1f GB/s %6.1f %% of copy\n", name, best * 1e6, rate, 100 * rate / copy_rate);
}

/// Returns: the matrix of four times each element of a square plate without its neighbours.
yoke::csr_matrix<float> laplacian(int side, const yoke::stream<>& stream) {
  std::vector<int> starts{0}, columns;
  std::vector<float> values;
  for (int at = 0; at < side * side; ++at) {
    const auto add = [&](bool inside, int column, float value) {
      if (!inside) return;
      columns.push_back(column);
      values.push_back(value);
    };
    add(at >= side, at - side, -1);
    add(at % side > 0, at - 1, -1);
    add(true, at, 4);
    add(at % side < side - 1, at + 1, -1);
    add(at < side * (side - 1), at + side, -1);
    starts.push_back(static_cast<int>(columns.size()));
  }
  const auto size = static_cast<std::size_t>(side) * static_cast<std::size_t>(side);
  return {yoke::to_device_array(starts, stream),
          yoke::to_device_array(columns, stream),
          yoke::to_device_array(values, stream),
          {size, size}};
}

void run(std::size_t count, int rounds) {
  const yoke::context context;
  const yoke::stream stream{context};
  std::printf("%s, %zu floats, best of 5 bursts of %d\n", stream.device_of().name().c_str(), count, rounds);
  const auto n = static_cast<double>(count) * sizeof(float);
  const auto ones = [&] { return yoke::ones<float>({count}, stream); };
  const auto a = ones(), b = ones(), c = ones(), d = ones(), e = ones();
  auto y = yoke::zeros<float>({count}, stream);
  const auto measure = [&](const char* name, double bytes, auto act) { row(name, bytes, stream, rounds, act); };
  measure("device copy", 2 * n, [&] { y.assign(a); });
  measure("y = 2 * a", 2 * n, [&] { y = 2.0F * a; });
  measure("y = a + b", 3 * n, [&] { y = a + b; });
  measure("y = a + b * c", 4 * n, [&] { y = a + b * c; });
  measure("y = a * b + c * d + e", 6 * n, [&] { y = a * b + c * d + e; });
  measure("y = sin(a) * 2 + 1", 2 * n, [&] { y = sin(a) * 2.0F + 1.0F; });
  const yoke::slice every_other(0, yoke::none, 2);
  measure("y[::2] = 2 * a[::2], bytes that move", 2 * n, [&] { y(every_other) = 2.0F * a(every_other); });
  measure("y = 2 * a[::-1]", 2 * n, [&] { y = 2.0F * a(yoke::reversed); });
  const std::size_t side = std::size_t{1} << (63 - __builtin_clzll(count)) / 2;
  const auto square = a(yoke::slice(0, side * (count / side))).reshape({side, count / side});
  auto to = y(yoke::slice(0, side * (count / side))).reshape({side, count / side});
  measure("y = table + row", 2 * n, [&] { to = square + square(0); });
  measure("y = table + column", 2 * n, [&] { to = square + square(yoke::whole, 0)(yoke::whole, yoke::newaxis); });
  if (side == count / side) measure("y = 2 * table.T", 2 * n, [&] { to = 2.0F * square.transpose(); });
  if (side > 2 && count / side > 2) {
    const yoke::slice inner(1, -1), before(0, -2), behind(2, yoke::none);
    measure("four-point stencil", 2 * n, [&] {
      to(inner, inner) =
          0.25F * (square(before, inner) + square(behind, inner) + square(inner, before) + square(inner, behind));
    });
  }
  measure("sum", n, [&] { (void)yoke::sum(a); });
  measure("dot", 2 * n, [&] { (void)yoke::dot(a, b); });
  measure("argmax", n, [&] { (void)yoke::argmax(a); });
  measure("sum, min, max in one pass", n,
          [&] { (void)yoke::in_one_pass(yoke::pass::sum(a), yoke::pass::min(a), yoke::pass::max(a)); });
  measure("sum of rows", n, [&] { (void)yoke::sum(square, yoke::along(1)); });
  measure("sum of columns", n, [&] { (void)yoke::sum(square, yoke::along(0)); });
  for (const std::size_t few : {4U, 64U}) {
    if (count < few) continue;
    const auto along = [&](std::size_t rows, std::size_t columns, int axis) {
      const auto table = a.view().reshape({rows, columns});
      const std::string shape = "(" + std::to_string(rows) + ", " + std::to_string(columns) + ")";
      const double results = static_cast<double>(sizeof(float)) * static_cast<double>(axis == 0 ? columns : rows);
      measure(("sum of " + shape + ", " + std::to_string(axis)).c_str(), n + results,
              [&] { (void)yoke::sum(table, yoke::along(axis)); });
    };
    along(count / few, few, 1);
    along(count / few, few, 0);
    along(few, count / few, 0);
    along(few, count / few, 1);
  }
  const std::size_t outer = count < 256 ? 0 : std::size_t{1} << (63 - __builtin_clzll(count / 256)) / 2;
  if (outer != 0) {
    const std::size_t inner = count / 256 / outer;
    const auto layers = a.view()(yoke::slice(0, outer * 256 * inner)).reshape({outer, 256, inner});
    const std::string name = "sum of (" + std::to_string(outer) + ", 256, " + std::to_string(inner) + "), 1";
    measure(name.c_str(), n, [&] { (void)yoke::sum(layers, yoke::along(1)); });
  }
  measure("cumsum", 2 * n, [&] { (void)yoke::cumsum(a); });
  measure("cumsum of rows", 2 * n, [&] { to = yoke::pass::cumsum(square, yoke::along(1)); });
  measure("cumsum down columns", 2 * n, [&] { to = yoke::pass::cumsum(square, yoke::along(0)); });
  measure("softmax of rows", 2 * n, [&] { to = yoke::pass::softmax(square, yoke::along(1)); });
  measure("softmax in NumPy's words", 2 * n, [&] {
    const auto powers = exp(square - yoke::pass::max(square, yoke::along(1).keep_dims()));
    to = powers / yoke::pass::sum(powers, yoke::along(1).keep_dims());
  });
  measure("normalise rows", 2 * n, [&] { to = yoke::pass::normalise(square, yoke::along(1)); });
  measure("variance", n, [&] { (void)yoke::variance(a); });
  yoke::random_generator random(1);
  measure("uniform random numbers", n, [&] { random.fill_uniform(y); });
  measure("normal random numbers", n, [&] { random.fill_normal(y); });
  measure("sorted", 2 * n, [&] { (void)yoke::sorted(y); });
  measure("argsort", 3 * n, [&] { (void)yoke::argsort(y); });
  measure("argsort, places of 32 bits", 3 * n, [&] { (void)yoke::argsort<std::int32_t>(y); });
  const auto at = random.integers<int>(yoke::shape<1>(count), stream, 0, static_cast<int>(count) - 1);
  const auto sorted = yoke::sorted(y);
  const auto quarter = at.view()(yoke::slice(0, count / 4));
  measure("sorted, n / 4 integers", n / 2, [&] { (void)yoke::sorted(quarter); });
  measure("take, at random", 3 * n, [&] { (void)yoke::take(a, at); });
  measure("put, at random", 3 * n, [&] { yoke::put(y, at, a); });
  measure("lower_bound of sorted values", 4 * n, [&] { (void)yoke::lower_bound(sorted, sorted); });
  measure("bincount, 256 bins", n, [&] { (void)yoke::bincount(at & 255, 256); });
  measure("bincount, 100000 bins", n, [&] { (void)yoke::bincount(at % 100000, 100000); });
  measure("histogram, 1000 bins", n, [&] { (void)yoke::histogram(sorted, 1000, -3, 3); });
  const int plate = side < 1000 ? static_cast<int>(side) : 1000;
  const auto sparse = laplacian(plate, stream);
  const std::size_t cells = sparse.shape()[0];
  const auto x = yoke::ones<float>({cells}, stream);
  auto product = yoke::zeros<float>({cells}, stream);
  const double moved = static_cast<double>(8 * sparse.nnz() + 12 * cells);
  std::printf("5-point Laplacian of %d x %d:\n", plate, plate);
  measure("sparse product", moved, [&] { product = yoke::pass::matmul(sparse, x); });
  measure("sparse product, transposed", moved + 4.0 * static_cast<double>(sparse.nnz()),
          [&] { product = yoke::pass::matmul(sparse.transpose(), x); });
#if defined(_OPENMP)
  if (stream.device_of().summary().kind == yoke::device_kind::cpu) {
    const std::vector<float> p(count, 1), q = p, r = p;
    std::vector<float> s(count);
    measure("OpenMP: y = a + b * c", 4 * n, [&] {
#pragma omp parallel for simd
      for (std::size_t i = 0; i < count; ++i) s[i] = p[i] + q[i] * r[i];
    });
    measure("OpenMP: sum", n, [&] {
      float& all = s[0] = 0;
#pragma omp parallel for simd reduction(+ : all)
      for (std::size_t i = 0; i < count; ++i) all += p[i];
    });
  }
#endif
  auto few = yoke::zeros<float>({1000}, stream);
  measure("1000 elements: few = 2 * few", 8e3, [&] { few = 2.0F * few; });
  measure("1000 elements: sum(few).get()", 4e3, [&] { (void)yoke::sum(few).get(); });
  auto some = yoke::zeros<float>({100000}, stream);
  random.fill_normal(some);
  measure("100000 elements: sorted", 8e5, [&] { (void)yoke::sorted(some); });
  measure("100000 elements: to_host", 4e5, [&] { (void)some.to_host(); });
}

}  // namespace

int main(int count, char** arguments) {
  const int power = count > 1 ? std::atoi(arguments[1]) : 24;
  const int rounds = count > 2 ? std::atoi(arguments[2]) : 20;
  run(std::size_t{1} << power, rounds);
}
