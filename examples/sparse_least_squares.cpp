// SPDX-License-Identifier: MIT
// Least squares over a sparse matrix: the heights of points from noisy differences of height, by products with it and its transpose.
#include <fmt/core.h>

#include <cmath>
#include <cstdlib>
#include <yoke/algorithm.hpp>
#include <yoke/array.hpp>
#include <yoke/random.hpp>
#include <yoke/sparse.hpp>
#include <yoke/yoke.hpp>

namespace {

constexpr int points = 400;
constexpr int measurements = 6000;

int fit() {
  const yoke::context context;
  const yoke::stream stream{context};
  fmt::print("device: {}\n", stream.device_of().name());

  // Each measurement is the difference of two points' heights; the last one says, and is sure, that point 0 is at height 0.
  yoke::random_generator random(1);
  auto from = random.integers<int>({measurements}, stream, 0, points);
  auto to = random.integers<int>({measurements}, stream, 0, points);
  const auto heights = yoke::evaluate(10.0F * sin(0.05F * yoke::arange<float>(points, stream)));
  const auto row = yoke::arange<int>(measurements, stream);
  const auto ones = yoke::ones<float>({measurements}, stream);
  const auto anchor = yoke::to_device_array({measurements}, stream);
  const auto first = yoke::zeros<int>({1}, stream);
  const auto a = yoke::csr_matrix<float>::from_coordinates(
      yoke::concatenate(row, row, anchor), yoke::concatenate(to, from, first),
      yoke::concatenate(ones, -ones, yoke::full(20.0F, {1}, stream)), {measurements + 1, points});
  auto noise = random.normal<float>({measurements + 1}, stream);
  auto rest = yoke::matmul(a, heights);
  rest += 0.01F * noise;

  // Conjugate gradients of the normal equations, without the product of the matrix with its transpose.
  auto x = yoke::zeros<float>({points}, stream);
  auto slope = yoke::matmul(a.transpose(), rest);
  auto step = slope.copy();
  auto image = yoke::zeros<float>({measurements + 1}, stream);
  float squares = yoke::sum(slope * slope).get();
  const float enough = 1e-10F * squares;
  int rounds = 0;
  for (; rounds < 200 && squares > enough; ++rounds) {
    image = yoke::pass::matmul(a, step);
    const float length = squares / yoke::sum(image * image).get();
    x += length * step;
    rest -= length * image;
    slope = yoke::pass::matmul(a.transpose(), rest);
    const float later = yoke::sum(slope * slope).get();
    step = slope + later / squares * step;
    squares = later;
  }

  const float error = yoke::max(abs(x - heights)).get();
  const float left = std::sqrt(yoke::sum(rest * rest).get() / measurements);
  const bool right = error < 0.02F && std::fabs(left - 0.01F) < 0.001F;
  fmt::print("{} rounds; {:.4f} is left of each measurement, the largest error of a height is {:.4f}: {}\n", rounds,
             left, error, right ? "right" : "WRONG");
  return right ? EXIT_SUCCESS : EXIT_FAILURE;
}

}  // namespace

int main() {
  try {
    return fit();
  } catch (const std::exception& error) {
    fmt::print(stderr, "{}\n", error.what());
    return EXIT_FAILURE;
  }
}
