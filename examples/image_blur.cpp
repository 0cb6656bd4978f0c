// SPDX-License-Identifier: MIT
// Blurs a PNG image: a separable 5 x 5 filter in two passes of one kernel that works in local memory.
#include <fmt/core.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <string>
#include <vector>
#include <yoke/yoke.hpp>

#define STB_IMAGE_IMPLEMENTATION
#define STBI_ONLY_PNG
#include <stb/stb_image.h>
#define STB_IMAGE_WRITE_IMPLEMENTATION
#include <stb/stb_image_write.h>

namespace {

// Red, green, blue and opacity of a pixel as one vector of the device.
struct image {
  int width = 0;
  int height = 0;
  std::vector<yoke::int4> pixels;

  [[nodiscard]] std::size_t index(int row, int column) const {
    return static_cast<std::size_t>(row) * static_cast<std::size_t>(width) + static_cast<std::size_t>(column);
  }
};

// Weights 1 4 6 4 1. A block first brings its stretch of the row, and two pixels on either side, into local memory, so
// that each pixel is read from global memory about once instead of five times. The result is written transposed: the
// same kernel run again blurs the columns and turns the image back.
constexpr const char* source = R"(
YOKE_KERNEL blur_rows(YOKE_GLOBAL int4* transposed, YOKE_GLOBAL const int4* image, YOKE_LOCAL_ARG(int4, tile),
                      int width, int height) {
  YOKE_LOCAL_BIND(int4, tile)
  int column = (int)get_global_id(0);
  int row = (int)get_global_id(1);
  int here = (int)get_local_id(0);
  int block = (int)get_local_size(0);
  YOKE_GLOBAL const int4* line = image + row * width;
  tile[here + 2] = line[min(column, width - 1)];
  if (here < 2) {
    tile[here] = line[clamp(column - 2, 0, width - 1)];
    tile[here + block + 2] = line[min(column + block, width - 1)];
  }
  YOKE_BARRIER_LOCAL();
  if (column < width) {
    transposed[column * height + row] =
        (tile[here] + tile[here + 4] + 4 * (tile[here + 1] + tile[here + 3]) + 6 * tile[here + 2] + 8) / 16;
  }
})";

using blur_kernel = yoke::kernel<void(yoke::int4*, const yoke::int4*, yoke::local<yoke::int4>, int, int)>;

image blurred(const yoke::stream<>& stream, const blur_kernel& blur_rows, const image& original) {
  constexpr int block = 64;
  const auto pass = [&](auto& to, const auto& from, int width, int height) {
    blur_rows(stream, {.grid = {(width + block - 1) / block, height}, .block = block}, to, from,
              yoke::local<yoke::int4>(block + 4), width, height);
  };
  auto first = yoke::to_device(original.pixels, stream);
  yoke::device_allocation<yoke::int4> second{stream.context_of(), original.pixels.size(), stream};
  pass(second, first, original.width, original.height);
  pass(first, second, original.height, original.width);

  image result = original;
  yoke::copy(first, result.pixels, stream);
  return result;
}

// The same in plain C++, to compare with.
image blurred_on_host(const image& original) {
  const auto pass = [](const image& from) {
    image to{from.height, from.width, std::vector<yoke::int4>(from.pixels.size())};
    for (int row = 0; row < from.height; ++row) {
      for (int column = 0; column < from.width; ++column) {
        const auto sum = [&](int yoke::int4::*channel) {
          int total = 8;
          int tap = column - 2;
          for (const int weight : {1, 4, 6, 4, 1}) {
            total += weight * (from.pixels[from.index(row, std::clamp(tap++, 0, from.width - 1))].*channel);
          }
          return total / 16;
        };
        to.pixels[to.index(column, row)] = {sum(&yoke::int4::x), sum(&yoke::int4::y), sum(&yoke::int4::z),
                                            sum(&yoke::int4::w)};
      }
    }
    return to;
  };
  return pass(pass(original));
}

// An image with edges, gradients and fine patterns, of a size that no block divides.
image test_image() {
  image made{637, 411, {}};
  for (int row = 0; row < made.height; ++row) {
    for (int column = 0; column < made.width; ++column) {
      const bool in_disc = (column - 320) * (column - 320) + (row - 205) * (row - 205) < 150 * 150;
      made.pixels.push_back({column * 255 / made.width, (column / 8 + row / 8) % 2 * 255, in_disc ? 230 : 20, 255});
    }
  }
  return made;
}

bool write_png(const std::string& path, const image& from) {
  std::vector<std::uint8_t> bytes;
  for (const yoke::int4& pixel : from.pixels) {
    for (const int channel : {pixel.x, pixel.y, pixel.z, pixel.w}) bytes.push_back(static_cast<std::uint8_t>(channel));
  }
  return stbi_write_png(path.c_str(), from.width, from.height, 4, bytes.data(), from.width * 4) != 0;
}

image read_png(const std::string& path) {
  image result;
  int channels = 0;
  const std::unique_ptr<stbi_uc, decltype(&stbi_image_free)> bytes(
      stbi_load(path.c_str(), &result.width, &result.height, &channels, 4), &stbi_image_free);
  if (!bytes) return {};
  const std::size_t count = static_cast<std::size_t>(result.width) * static_cast<std::size_t>(result.height);
  for (const stbi_uc* pixel = bytes.get(); result.pixels.size() < count; pixel += 4) {
    result.pixels.push_back({pixel[0], pixel[1], pixel[2], pixel[3]});
  }
  return result;
}

int failure(const std::string& what) {
  fmt::print(stderr, "{}\n", what);
  return EXIT_FAILURE;
}

int image_blur(std::string input, const std::string& output) {
  const yoke::context context;
  const yoke::stream stream{context};
  fmt::print("device: {}\n", stream.device_of().name());
  const auto module = yoke::compile(context, source);
  const blur_kernel blur_rows = module.get_kernel<blur_kernel::signature>("blur_rows");

  if (input.empty()) {
    input = "image_blur_input.png";
    if (!write_png(input, test_image())) return failure(input + " could not be written");
  }
  const image original = read_png(input);
  if (original.pixels.empty()) return failure(input + " could not be read as a PNG image");
  const image result = blurred(stream, blur_rows, original);
  if (!write_png(output, result)) return failure(output + " could not be written");
  fmt::print("{} ({} x {}) -> {}\n", input, original.width, original.height, output);

  if (result.pixels != blurred_on_host(original).pixels) return failure("the device's image differs from the host's");
  if (read_png(output).pixels != result.pixels) return failure("the written image differs from the computed one");
  fmt::print("every pixel is right\n");
  return EXIT_SUCCESS;
}

}  // namespace

// usage: image_blur [input.png [output.png]]
int main(int count, char** arguments) {
  try {
    return image_blur(count > 1 ? arguments[1] : "", count > 2 ? arguments[2] : "image_blur_output.png");
  } catch (const yoke::error& e) {
    return failure(e.what());
  }
}
