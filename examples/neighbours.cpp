// SPDX-License-Identifier: MIT
// The neighbours of each of many points: points are grouped by cells, and a list builder looks into the nine cells around.
#include <fmt/core.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <tuple>
#include <vector>
#include <yoke/algorithm.hpp>
#include <yoke/array.hpp>
#include <yoke/random.hpp>
#include <yoke/yoke.hpp>

namespace {

constexpr int points = 1500;
constexpr int side = 16;  // cells, each as wide as the reach
constexpr float reach = 1.0F / side;

int neighbours() {
  const yoke::context context;
  const yoke::stream stream{context};
  fmt::print("device: {}\n", stream.device_of().name());

  yoke::random_generator rng{11};
  const auto x = rng.uniform<float>({points}, stream);
  const auto y = rng.uniform<float>({points}, stream);
  const auto cells = yoke::evaluate(yoke::cast<int>(x * side) + side * yoke::cast<int>(y * side));
  const auto numbers = yoke::arange<int>(points, stream);
  const auto in_cell = yoke::group_by_key(cells, numbers, side * side);

  const yoke::list_builder<void(const float*, const float*, const int*, const std::int64_t*, const int*, int, float),
                           std::tuple<yoke::named_list<"near", std::int32_t>>>
      builder(context, {"x", "y", "cells", "starts", "inside", "side", "reach"}, {.body = R"(
  int column = cells[i] % side, row = cells[i] / side;
  for (int r = max(row - 1, 0); r <= min(row + 1, side - 1); ++r) {
    for (int c = max(column - 1, 0); c <= min(column + 1, side - 1); ++c) {
      for (yoke_int64 k = starts[c + side * r]; k < starts[c + side * r + 1]; ++k) {
        int other = inside[k];
        float across = x[other] - x[i], up = y[other] - y[i];
        if (other != i && across * across + up * up < reach * reach) append_near(other);
      }
    }
  })"});
  const auto made = builder(points, x, y, cells, in_cell.starts(), in_cell.elements(), side, reach);
  auto found = made.get<"near">().to_host();

  // Each pair is found from both sides, and points without neighbours are few.
  std::size_t pairs = 0;
  std::size_t missing = 0;
  for (auto& each : found) std::sort(each.begin(), each.end());
  for (int i = 0; i < points; ++i) {
    for (const int other : found[static_cast<std::size_t>(i)]) {
      const auto& back = found[static_cast<std::size_t>(other)];
      if (std::binary_search(back.begin(), back.end(), i)) {
        ++pairs;
      } else {
        ++missing;
      }
    }
  }
  // The host's way: every pair.
  const auto host_x = x.to_host();
  const auto host_y = y.to_host();
  std::size_t expected = 0;
  for (std::size_t i = 0; i < points; ++i) {
    for (std::size_t k = 0; k < points; ++k) {
      const float across = host_x[k] - host_x[i];
      const float up = host_y[k] - host_y[i];
      if (k != i && across * across + up * up < reach * reach) ++expected;
    }
  }
  const auto off = pairs > expected ? pairs - expected : expected - pairs;
  const bool right = missing == 0 && off <= 2;  // distances may be rounded once or twice
  fmt::print("{} neighbours of {} points: {}\n", pairs, points, right ? "right" : "WRONG");
  return right ? EXIT_SUCCESS : EXIT_FAILURE;
}

}  // namespace

int main() {
  try {
    return neighbours();
  } catch (const yoke::error& e) {
    fmt::print(stderr, "{}\n", e.what());
    return EXIT_FAILURE;
  }
}
