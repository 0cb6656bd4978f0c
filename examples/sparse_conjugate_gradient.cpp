// SPDX-License-Identifier: MIT
// Conjugate gradients over a sparse matrix, recorded once: the device itself decides when the solution is good enough.
#include <fmt/core.h>

#include <cstdlib>
#include <vector>
#include <yoke/array.hpp>
#include <yoke/graph.hpp>
#include <yoke/sparse.hpp>
#include <yoke/yoke.hpp>

namespace {

constexpr int side = 48;
constexpr int size = side * side;

/// Four times each element of a plate, without its neighbours: each link between two cells adds to four elements, in any order.
yoke::csr_matrix<float> laplacian(const yoke::stream<>& stream) {
  std::vector<int> rows, columns;
  std::vector<float> values;
  const auto add = [&](int row, int column, float value) {
    rows.push_back(row);
    columns.push_back(column);
    values.push_back(value);
  };
  const auto link = [&](int one, int other) {
    add(one, other, -1);
    add(other, one, -1);
    add(one, one, 1);
    add(other, other, 1);
  };
  for (int row = 0; row < side; ++row) {
    for (int column = 0; column < side; ++column) {
      const int cell = row * side + column;
      if (column + 1 < side) link(cell, cell + 1);
      if (row + 1 < side) link(cell, cell + side);
      const int edges =
          (row == 0 ? 1 : 0) + (row + 1 == side ? 1 : 0) + (column == 0 ? 1 : 0) + (column + 1 == side ? 1 : 0);
      if (edges != 0) add(cell, cell, static_cast<float>(edges));  // the edge of the plate is cold
    }
  }
  return yoke::csr_matrix<float>::from_coordinates(yoke::to_device_array(rows, stream),
                                                   yoke::to_device_array(columns, stream),
                                                   yoke::to_device_array(values, stream), {size, size});
}

int solve() {
  const yoke::context context;
  const yoke::stream stream{context};
  fmt::print("device: {}\n", stream.device_of().name());
  const auto a = laplacian(stream);
  fmt::print("{} x {}, {} elements\n", a.shape()[0], a.shape()[1], a.nnz());

  // A right side whose solution is known.
  const auto wanted = yoke::evaluate(sin(0.01F * yoke::arange<float>(size, stream)));
  auto rest = yoke::matmul(a, wanted);
  auto x = yoke::zeros<float>({size}, stream);
  auto step = rest.copy();
  auto image = yoke::zeros<float>({size}, stream);
  yoke::device_value<float> squares = yoke::sum(rest * rest);
  yoke::device_value<float> length(stream, 0.0F), later(stream, 0.0F);
  yoke::device_value<int> rounds(stream, 0), go_on(stream, 1);

  yoke::graph graph{context};
  auto record = graph.record();
  record.repeat_while(go_on, [&](auto& line) {
    image.bind(line) = yoke::pass::matmul(a, step);
    length.bind(line) = yoke::pass::sum(step * image);
    length.bind(line) = squares.array() / length.array();
    x.bind(line) += length.array() * step;
    rest.bind(line) -= length.array() * image;
    later.bind(line) = yoke::pass::sum(rest * rest);
    step.bind(line) = rest + later.array() / squares.array() * step;
    squares.bind(line) = later.array() + 0;
    rounds.bind(line) += 1;
    go_on.bind(line) = yoke::cast<int>(squares.array() > 1e-8F && rounds.array() < 1000);
  });
  graph.instantiate().launch(stream);  // one launch; the host waits for nothing in between on CUDA

  const float error = yoke::max(abs(x - wanted)).get();
  const bool good = error < 1e-3F && rounds.get() < 1000;
  fmt::print("{} rounds, the largest error is {:.1e}: {}\n", rounds.get(), error, good ? "right" : "WRONG");
  return good ? EXIT_SUCCESS : EXIT_FAILURE;
}

}  // namespace

int main() {
  try {
    return solve();
  } catch (const yoke::unsupported_error& error) {
    fmt::print("this driver lacks something: {}\n", error.what());
    return EXIT_SUCCESS;
  } catch (const yoke::error& error) {
    fmt::print(stderr, "{}\n", error.what());
    return EXIT_FAILURE;
  }
}
