// SPDX-License-Identifier: MIT
// Pi by random points: an expression calls a generator that is written in the dialect, and a reduction counts.
#include <fmt/core.h>

#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <yoke/array.hpp>
#include <yoke/yoke.hpp>

namespace {

/// A number from 0 to 1 by the position in a sequence: the mixing steps of SplitMix64.
auto uniform(const auto& position) {
  return yoke::apply<
      "yoke_uint64 z = a * 0x9e3779b97f4a7c15ul;"
      "z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ul;"
      "z = (z ^ (z >> 27)) * 0x94d049bb133111ebul;"
      "return (float)((z ^ (z >> 31)) >> 40) / 16777216.0f;",
      float>(position);
}

int pi() {
  const yoke::context context;
  const yoke::stream stream{context};
  fmt::print("device: {}\n", stream.device_of().name());

  constexpr std::size_t points = 4'000'000;
  const auto number = yoke::arange<std::uint64_t>(points, stream);
  const auto x = uniform(2 * number + 1);
  const auto y = uniform(2 * number + 2);
  // One kernel draws the points and counts those within the circle; another gives x's mean.
  const std::int64_t inside = yoke::count(x * x + y * y < 1).get();
  const float mean = yoke::mean(x).get();

  const double estimate = 4 * static_cast<double>(inside) / points;
  const bool right = std::fabs(estimate - 3.14159265) < 0.004 && std::fabs(mean - 0.5F) < 0.002F;
  fmt::print("pi is about {:.5f} by {} points: {}\n", estimate, points, right ? "right" : "WRONG");
  return right ? EXIT_SUCCESS : EXIT_FAILURE;
}

}  // namespace

int main() {
  try {
    return pi();
  } catch (const std::exception& error) {
    fmt::print(stderr, "{}\n", error.what());
    return EXIT_FAILURE;
  }
}
