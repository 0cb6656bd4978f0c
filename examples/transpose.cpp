// SPDX-License-Identifier: MIT
// A matrix transposed through tiles in local memory, padded so that columns lie in different banks.
#include <fmt/core.h>

#include <cstddef>
#include <cstdlib>
#include <numeric>
#include <vector>
#include <yoke/yoke.hpp>

namespace {

constexpr const char* source = R"(
#define TILE 16
YOKE_KERNEL transpose(YOKE_GLOBAL float* out, YOKE_GLOBAL const float* in, int width, int height) {
  YOKE_LOCAL float tile[TILE * (TILE + 1)];
  int x = (int)get_local_id(0);
  int y = (int)get_local_id(1);
  int from_x = (int)get_group_id(0) * TILE;
  int from_y = (int)get_group_id(1) * TILE;
  if (from_x + x < width && from_y + y < height) tile[y * (TILE + 1) + x] = in[(from_y + y) * width + from_x + x];
  YOKE_BARRIER_LOCAL();
  // Both the read and the write go along rows; the turn is in the tile.
  if (from_y + x < height && from_x + y < width) out[(from_x + y) * height + from_y + x] = tile[x * (TILE + 1) + y];
}
)";

int transpose() {
  const yoke::context context;
  const yoke::stream stream{context};
  const auto module = yoke::compile(context, source);
  fmt::print("device: {}\n", stream.device_of().name());

  const auto transpose = module.get_kernel<void(float*, const float*, int, int)>("transpose");

  constexpr std::size_t width = 301;  // tiles hang over both edges
  constexpr std::size_t height = 203;
  std::vector<float> in(width * height);
  std::iota(in.begin(), in.end(), 0.0F);
  std::vector<float> out(in.size());
  transpose(stream, yoke::launch_over({width, height}, {16, 16}), yoke::out(out), yoke::in(in), width, height);
  for (std::size_t y = 0; y < height; ++y) {
    for (std::size_t x = 0; x < width; ++x) {
      if (out[x * height + y] == in[y * width + x]) continue;
      fmt::print(stderr, "row {}, column {} is {}\n", x, y, out[x * height + y]);
      return EXIT_FAILURE;
    }
  }
  fmt::print("{} by {} elements are in their places\n", width, height);
  return EXIT_SUCCESS;
}

}  // namespace

int main() {
  try {
    return transpose();
  } catch (const yoke::error& e) {
    fmt::print(stderr, "{}\n", e.what());
    return EXIT_FAILURE;
  }
}
