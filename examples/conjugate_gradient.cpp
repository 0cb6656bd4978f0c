// SPDX-License-Identifier: MIT
// Conjugate gradients in one graph: the device itself decides when the solution is good enough.
#include <fmt/core.h>

#include <cstdlib>
#include <yoke/array.hpp>
#include <yoke/graph.hpp>
#include <yoke/yoke.hpp>

namespace {

constexpr int size = 64;

/// The middle of a plate with an edge of zeros, moved by some rows and columns.
auto moved(yoke::device_array<float, 2>& plate, int down, int right) {
  return plate(yoke::slice(1 + down, size + 1 + down), yoke::slice(1 + right, size + 1 + right));
}
/// Four times each element, without its neighbours: what is to be solved.
auto laplacian(yoke::device_array<float, 2>& of) {
  return 4 * moved(of, 0, 0) - moved(of, -1, 0) - moved(of, 1, 0) - moved(of, 0, -1) - moved(of, 0, 1);
}

int solve() {
  const yoke::context context;
  const yoke::stream stream{context};
  fmt::print("device: {}\n", stream.device_of().name());

  // A right side whose solution is known.
  auto wanted = yoke::zeros<float>({size + 2, size + 2}, stream);
  const auto place = yoke::linspace(0.0F, 3.0F, size, stream);
  moved(wanted, 0, 0) = sin(place * place(yoke::whole, yoke::newaxis));
  auto right = yoke::evaluate(laplacian(wanted));

  auto x = yoke::zeros<float>({size, size}, stream);
  auto rest = right.copy();
  auto step = yoke::zeros<float>({size + 2, size + 2}, stream);
  moved(step, 0, 0) = rest;
  auto image = yoke::zeros<float>({size, size}, stream);
  yoke::device_value<float> squares = yoke::sum(rest * rest);
  yoke::device_value<float> length(stream, 0.0F), later(stream, 0.0F);
  yoke::device_value<int> rounds(stream, 0), go_on(stream, 1);

  yoke::graph graph{context};
  auto record = graph.record();
  record.repeat_while(go_on, [&](auto& line) {
    image.bind(line) = laplacian(step);
    length.bind(line) = yoke::pass::sum(moved(step, 0, 0) * image);
    length.bind(line) = squares.array() / length.array();
    x.bind(line) += length.array() * moved(step, 0, 0);
    rest.bind(line) -= length.array() * image;
    later.bind(line) = yoke::pass::sum(rest * rest);
    moved(step, 0, 0).bind(line) = rest + later.array() / squares.array() * moved(step, 0, 0);
    squares.bind(line) = later.array() + 0;
    rounds.bind(line) += 1;
    go_on.bind(line) = yoke::cast<int>(squares.array() > 1e-8F && rounds.array() < 1000);
  });
  graph.instantiate().launch(stream);  // one launch; the host waits for nothing in between on CUDA

  const float error = yoke::max(abs(x - moved(wanted, 0, 0))).get();
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
