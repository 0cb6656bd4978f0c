// SPDX-License-Identifier: MIT
// The Mandelbrot set by a two-dimensional launch; a sample of the values is compared with the host's.
#include <fmt/core.h>

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <vector>
#include <yoke/yoke.hpp>

#define STB_IMAGE_WRITE_IMPLEMENTATION
#include <stb/stb_image_write.h>

namespace {

constexpr int width = 960;
constexpr int height = 540;
constexpr int limit = 200;  // iterations after which a point counts as inside

// fma() rounds a product and a sum once on every device and on the host, so host and device agree to the last bit.
constexpr const char* source = R"(
YOKE_KERNEL mandelbrot(YOKE_GLOBAL int* steps, int width, int height, float left, float top, float pixel, int limit) {
  int column = (int)get_global_id(0);
  int row = (int)get_global_id(1);
  if (column >= width || row >= height) return;
  float cx = fma((float)column, pixel, left);
  float cy = fma((float)row, pixel, top);
  float x = 0.0f;
  float y = 0.0f;
  int step = 0;
  while (step < limit && fma(x, x, y * y) <= 4.0f) {
    float next = fma(x, x, fma(-y, y, cx));
    y = fma(x + x, y, cy);
    x = next;
    ++step;
  }
  steps[row * width + column] = step;
})";

constexpr float left = -2.5f;
constexpr float top = -1.0125f;
constexpr float pixel = 3.6f / width;

int host_steps(int column, int row) {
  const float cx = std::fma(static_cast<float>(column), pixel, left);
  const float cy = std::fma(static_cast<float>(row), pixel, top);
  float x = 0;
  float y = 0;
  int step = 0;
  while (step < limit && std::fma(x, x, y * y) <= 4.0f) {
    const float next = std::fma(x, x, std::fma(-y, y, cx));
    y = std::fma(x + x, y, cy);
    x = next;
    ++step;
  }
  return step;
}

// Dark blue far away, through white and gold, to black inside.
std::array<std::uint8_t, 3> colour(int step) {
  const float t = std::sqrt(static_cast<float>(step) / limit);
  const auto channel = [](float value) { return static_cast<std::uint8_t>(255 * value); };
  return {channel(9 * (1 - t) * t * t * t), channel(15 * (1 - t) * (1 - t) * t * t),
          channel(8.5f * (1 - t) * (1 - t) * (1 - t) * t)};
}

int mandelbrot(const std::string& path) {
  const yoke::context context;
  const yoke::stream stream{context};
  fmt::print("device: {}\n", stream.device_of().name());

  const auto module = yoke::compile(context, source);
  const auto kernel = module.get_kernel<void(int*, int, int, float, float, float, int)>("mandelbrot");

  // A grid of blocks of 16 x 8 threads that covers the image. The kernel writes every element, so `out` needs no
  // upload; the call returns when `steps` holds the result.
  std::vector<int> steps(std::size_t{width} * height);
  const yoke::launch_shape shape{.grid = {(width + 15) / 16, (height + 7) / 8}, .block = {16, 8}};
  kernel(stream, shape, yoke::out(steps), width, height, left, top, pixel, limit);

  std::vector<std::array<std::uint8_t, 3>> image(steps.size());
  for (std::size_t i = 0; i < steps.size(); ++i) image[i] = colour(steps[i]);
  if (stbi_write_png(path.c_str(), width, height, 3, image.data(), width * 3) == 0) {
    fmt::print(stderr, "{} could not be written\n", path);
    return EXIT_FAILURE;
  }
  fmt::print("wrote {}\n", path);

  for (int row = 0; row < height; row += 9) {
    for (int column = 0; column < width; ++column) {
      const int found = steps[static_cast<std::size_t>(row) * width + static_cast<std::size_t>(column)];
      if (found != host_steps(column, row)) {
        fmt::print(stderr, "pixel ({}, {}): {} steps, not {}\n", column, row, found, host_steps(column, row));
        return EXIT_FAILURE;
      }
    }
  }
  fmt::print("{} rows are right\n", (height + 8) / 9);
  return EXIT_SUCCESS;
}

}  // namespace

int main(int count, char** arguments) {
  try {
    return mandelbrot(count > 1 ? arguments[1] : "mandelbrot.png");
  } catch (const yoke::error& e) {
    fmt::print(stderr, "{}\n", e.what());
    return EXIT_FAILURE;
  }
}
