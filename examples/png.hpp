// SPDX-License-Identifier: MIT
// Pictures for the examples: four bytes a pixel, from and to PNG files.
#ifndef YOKE_EXAMPLES_PNG_HPP
#define YOKE_EXAMPLES_PNG_HPP

#include <cstdint>
#include <cstdlib>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>
#include <yoke/image.hpp>
#include <yoke/yoke.hpp>

#define STB_IMAGE_IMPLEMENTATION
#define STBI_ONLY_PNG
#include <stb/stb_image.h>
#define STB_IMAGE_WRITE_IMPLEMENTATION
#include <stb/stb_image_write.h>

using pixel = yoke::unorm<std::uint8_t, 4>;

struct picture {
  int width = 0;
  int height = 0;
  std::vector<pixel> pixels;

  picture(int columns, int rows)
      : width(columns), height(rows), pixels(static_cast<std::size_t>(columns) * static_cast<std::size_t>(rows)) {}
  explicit picture(const std::string& path) {
    int channels = 0;
    const std::unique_ptr<stbi_uc, decltype(&stbi_image_free)> bytes(
        stbi_load(path.c_str(), &width, &height, &channels, 4), &stbi_image_free);
    if (!bytes) throw std::runtime_error(path + " could not be read as a PNG image");
    const auto* const first = reinterpret_cast<const pixel*>(bytes.get());
    pixels.assign(first, first + static_cast<std::size_t>(width) * static_cast<std::size_t>(height));
  }
  void save(const std::string& path) const {
    if (stbi_write_png(path.c_str(), width, height, 4, pixels.data(), width * 4) == 0) {
      throw std::runtime_error(path + " could not be written");
    }
  }
  [[nodiscard]] pixel& at(int x, int y) {
    return pixels[static_cast<std::size_t>(y) * static_cast<std::size_t>(width) + static_cast<std::size_t>(x)];
  }
  [[nodiscard]] const pixel& at(int x, int y) const { return const_cast<picture*>(this)->at(x, y); }
};

/// Edges, gradients and fine patterns, of a size that no block divides.
inline picture test_picture() {
  picture made(237, 151);
  for (int y = 0; y < made.height; ++y) {
    for (int x = 0; x < made.width; ++x) {
      const bool in_disc = (x - 120) * (x - 120) + (y - 75) * (y - 75) < 50 * 50;
      made.at(x, y) = {{static_cast<std::uint8_t>(x * 255 / made.width),
                        static_cast<std::uint8_t>((x / 8 + y / 8) % 2 * 255),
                        static_cast<std::uint8_t>(in_disc ? 230 : 20), 255}};
    }
  }
  return made;
}

/// Returns: the picture of a file, or the test picture, written to `made` first.
inline picture given_picture(int count, char** arguments, const std::string& made) {
  if (count > 1) return picture(arguments[1]);
  test_picture().save(made);
  return picture(made);
}

/// Returns: the channel as it is in a byte for a number from 0 to 1.
inline double byte_of(double number) { return 255 * (number < 0 ? 0 : number > 1 ? 1 : number); }

#endif
