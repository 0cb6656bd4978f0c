// SPDX-License-Identifier: MIT
// Heat that spreads over a plate: the mean of four neighbours, again and again.
#include <fmt/core.h>

#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <utility>
#include <vector>
#include <yoke/yoke.hpp>

namespace {

constexpr const char* source = R"(
YOKE_KERNEL jacobi(YOKE_GLOBAL float* to, YOKE_GLOBAL const float* from, int width, int height) {
  int x = (int)get_global_id(0);
  int y = (int)get_global_id(1);
  if (x <= 0 || y <= 0 || x >= width - 1 || y >= height - 1) return;
  int at = y * width + x;
  to[at] = 0.25f * (from[at - 1] + from[at + 1] + from[at - width] + from[at + width]);
}
)";

int jacobi() {
  const yoke::context context;
  const yoke::stream stream{context};
  const auto module = yoke::compile(context, source);
  fmt::print("device: {}\n", stream.device_of().name());

  const auto jacobi = module.get_kernel<void(float*, const float*, int, int)>("jacobi");

  constexpr std::size_t width = 83;
  constexpr std::size_t height = 61;
  constexpr int rounds = 60;
  std::vector<float> plate(width * height, 0.0F);
  std::fill(plate.begin(), plate.begin() + width, 100.0F);  // the hot edge stays hot
  auto from = yoke::to_device(plate, stream);
  auto to = yoke::to_device(plate, stream);
  for (int round = 0; round < rounds; ++round) {
    jacobi(stream, yoke::launch_over({width, height}, {16, 8}), to, from, width, height);
    std::swap(from, to);
  }
  std::vector<float> result(plate.size());
  yoke::copy(from, result, stream);

  // The same sums in the same order: equal to the last bit.
  std::vector<float> next = plate;
  for (int round = 0; round < rounds; ++round) {
    for (std::size_t y = 1; y + 1 < height; ++y) {
      for (std::size_t x = 1; x + 1 < width; ++x) {
        const std::size_t at = y * width + x;
        next[at] = 0.25F * (plate[at - 1] + plate[at + 1] + plate[at - width] + plate[at + width]);
      }
    }
    std::swap(plate, next);
  }
  if (result != plate) {
    fmt::print(stderr, "the plate differs from the host's\n");
    return EXIT_FAILURE;
  }
  fmt::print("after {} rounds a place near the hot edge has {} degrees\n", rounds, result[3 * width + width / 2]);
  return EXIT_SUCCESS;
}

}  // namespace

int main() {
  try {
    return jacobi();
  } catch (const yoke::error& e) {
    fmt::print(stderr, "{}\n", e.what());
    return EXIT_FAILURE;
  }
}
