// SPDX-License-Identifier: MIT
// The Mandelbrot set for the example and the demo: the kernel, the same on the host, and the picture.
#ifndef YOKE_EXAMPLES_MANDELBROT_HPP
#define YOKE_EXAMPLES_MANDELBROT_HPP

#include <fmt/core.h>

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#define STB_IMAGE_WRITE_IMPLEMENTATION
#include <stb/stb_image_write.h>

// fma() rounds a product and a sum once on every device and on the host, so host and device agree to the last bit.
constexpr const char* mandelbrot_source = R"(
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
}
)";

/// A part of the plane as a picture: one number of steps a pixel, row by row.
struct mandelbrot_view {
  int width = 960;
  int height = 540;
  int limit = 200;  // steps after which a point counts as inside
  float left = -2.5f;
  float top = -1.0125f;
  float pixel = 3.6f / 960;

  [[nodiscard]] std::size_t size() const { return static_cast<std::size_t>(width) * static_cast<std::size_t>(height); }

  /// Returns: the steps of a pixel, calculated by the host.
  [[nodiscard]] int steps(int column, int row) const {
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

  /// Returns: the first pixel of a row in `every` that is not the host's, in words; nothing if all are right.
  [[nodiscard]] std::string difference(const std::vector<int>& found, int every) const {
    std::size_t first = 0;
    for (int row = 0; row < height; row += every, first += static_cast<std::size_t>(every * width)) {
      for (int column = 0; column < width; ++column) {
        const int step = found[first + static_cast<std::size_t>(column)];
        const int expected = steps(column, row);
        if (step != expected) return fmt::format("pixel ({}, {}): {} steps, not {}", column, row, step, expected);
      }
    }
    return {};
  }

  /// Dark blue far away, through white and gold, to black inside.
  [[nodiscard]] std::array<std::uint8_t, 3> colour(int step) const {
    const float t = std::sqrt(static_cast<float>(step) / static_cast<float>(limit));
    const auto channel = [](float value) { return static_cast<std::uint8_t>(255 * value); };
    return {channel(9 * (1 - t) * t * t * t), channel(15 * (1 - t) * (1 - t) * t * t),
            channel(8.5f * (1 - t) * (1 - t) * (1 - t) * t)};
  }

  /// Effects: writes the picture as a PNG file, or says on stderr that it cannot. Returns: whether it has.
  [[nodiscard]] bool write(const std::vector<int>& found, const std::string& path) const {
    std::vector<std::array<std::uint8_t, 3>> image;
    image.reserve(found.size());
    for (const int step : found) image.push_back(colour(step));
    if (stbi_write_png(path.c_str(), width, height, 3, image.data(), 3 * width) != 0) return true;
    fmt::print(stderr, "{} could not be written\n", path);
    return false;
  }
};

#endif
