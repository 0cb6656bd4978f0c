// SPDX-License-Identifier: MIT
// Device arrays: a picture is cropped, mirrored and split into colours by views; nothing is copied until it is asked for.
#include <fmt/core.h>

#include <cstdint>
#include <cstdlib>
#include <vector>
#include <yoke/array.hpp>
#include <yoke/yoke.hpp>

namespace {

struct pixel {
  std::uint8_t red, green, blue, alpha;
};
constexpr std::size_t height = 120;
constexpr std::size_t width = 200;

pixel at(std::size_t row, std::size_t column) {
  return {static_cast<std::uint8_t>(row), static_cast<std::uint8_t>(column), static_cast<std::uint8_t>(row + column),
          255};
}

int arrays() {
  // $YOKE_DEVICE, else the best device of any backend.
  const yoke::context context;
  const yoke::stream stream{context};
  fmt::print("device: {}\n", stream.device_of().name());

  std::vector<pixel> picture;
  for (std::size_t row = 0; row < height; ++row) {
    for (std::size_t column = 0; column < width; ++column) picture.push_back(at(row, column));
  }
  auto image = yoke::to_device_array(picture, {height, width}, stream);  // device_array<pixel, 2>

  // The middle, mirrored, each second row: a view, which knows where the elements lie.
  using yoke::slice;
  const auto part = image(slice(30, 90, 2), slice(149, 49, -1));
  fmt::print("{} x {} pixels, {} and {} bytes apart\n", part.extent(0), part.extent(1), part.strides()[0],
             part.strides()[1]);

  // One colour of it, as numbers.
  const std::vector<float> green = part.member<&pixel::green>().astype<float>().to_host();
  for (std::size_t i = 0; i < green.size(); ++i) {
    if (green[i] != static_cast<float>(149 - i % 100)) {
      fmt::print(stderr, "green {} is {}\n", i, green[i]);
      return EXIT_FAILURE;
    }
  }

  // A frame: views are written, and the array holds the result. Overlapping parts are copied as if at once.
  for (const auto& edge : {image(0), image(-1), image(yoke::whole, 0), image(yoke::whole, -1)}) {
    edge.fill(pixel{0, 0, 0, 255});
  }
  image(slice(1, -1), slice(2, -1)) = image(slice(1, -1), slice(1, -2));  // one pixel to the right

  const std::vector<pixel> result = image.to_host();
  for (std::size_t row = 0; row < height; ++row) {
    for (std::size_t column = 0; column < width; ++column) {
      const bool frame = row == 0 || column == 0 || row + 1 == height || column + 1 == width;
      const pixel expected = frame ? pixel{0, 0, 0, 255} : at(row, column == 1 ? 1 : column - 1);
      const pixel found = result[row * width + column];
      if (found.red != expected.red || found.green != expected.green || found.blue != expected.blue) {
        fmt::print(stderr, "pixel ({}, {}) is wrong\n", row, column);
        return EXIT_FAILURE;
      }
    }
  }
  fmt::print("{} pixels are right\n", result.size());
  return EXIT_SUCCESS;
}

}  // namespace

int main() {
  try {
    return arrays();
  } catch (const yoke::error& e) {
    fmt::print(stderr, "{}\n", e.what());
    return EXIT_FAILURE;
  }
}
