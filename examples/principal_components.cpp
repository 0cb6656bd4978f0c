// SPDX-License-Identifier: MIT
// Finds the directions in which points of three dimensions spread most, by singular values, and fits a plane to the points by
// least squares.
#include <fmt/core.h>

#include <cmath>
#include <cstdlib>
#include <yoke/array.hpp>
#include <yoke/linalg.hpp>
#include <yoke/random.hpp>
#include <yoke/yoke.hpp>

namespace {

int fit() {
  const yoke::context ctx;
  const yoke::stream stream{ctx};
  constexpr std::size_t count = 1000;

  // Points near the plane z = 2 x - y + 3, which spread ten times as far along x as along y.
  yoke::random_generator random{7};
  const auto noise = random.normal<float>({count, 3}, stream);
  const auto x = noise(yoke::whole, 0);
  const auto y = noise(yoke::whole, 1);
  auto points = yoke::zeros<float>({count, 3}, stream);
  points(yoke::whole, 0) = 10 * x;
  points(yoke::whole, 1) = 1 * y;
  points(yoke::whole, 2) = 20 * x - y + 3 + 0.01F * noise(yoke::whole, 2);

  const auto middle = yoke::mean(points, yoke::along(0).keep_dims());
  const auto [u, s, vh] = yoke::svd(points - middle);
  const auto spread = s.to_host();
  for (int k = 0; k < 3; ++k) {
    fmt::print("along ({:6.3f}, {:6.3f}, {:6.3f}): {:.4f}\n", vh(k, 0).value(), vh(k, 1).value(), vh(k, 2).value(),
               spread[static_cast<std::size_t>(k)] / std::sqrt(static_cast<float>(count)));
  }

  auto terms = yoke::ones<float>({count, 3}, stream);
  terms(yoke::whole, yoke::slice(0, 2)) = points(yoke::whole, yoke::slice(0, 2));
  const auto plane = yoke::lstsq(terms, points(yoke::whole, 2)).x.to_host();
  fmt::print("z = {:.3f} x + {:.3f} y + {:.3f}\n", plane[0], plane[1], plane[2]);
  const bool right = std::abs(plane[0] - 2) < 0.01F && std::abs(plane[1] + 1) < 0.01F && std::abs(plane[2] - 3) < 0.01F;
  return right ? EXIT_SUCCESS : EXIT_FAILURE;
}

}  // namespace

int main() {
  try {
    return fit();
  } catch (const yoke::error& e) {
    fmt::print(stderr, "{}\n", e.what());
    return EXIT_FAILURE;
  }
}
