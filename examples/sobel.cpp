// SPDX-License-Identifier: MIT
// Finds the edges of a PNG image by Sobel's filter: reads texels at whole coordinates, and writes an image of one channel.
#include "png.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>

namespace {

constexpr const char* source = R"(
float grey(YOKE_READ_IMAGE_2D(float4, from), int x, int y) {
  int column = clamp(x, 0, get_image_width(from) - 1);
  int row = clamp(y, 0, get_image_height(from) - 1);
  float4 colour = yoke_read_2d(float4, from, column, row);
  return (colour.x + colour.y + colour.z) / 3.0f;
}

YOKE_KERNEL sobel(YOKE_READ_IMAGE_2D(float4, from), YOKE_WRITE_IMAGE_2D(float, to)) {
  int x = (int)get_global_id(0);
  int y = (int)get_global_id(1);
  if (x >= get_image_width(to) || y >= get_image_height(to)) return;
  float across = 0.0f;
  float down = 0.0f;
  for (int k = -1; k <= 1; ++k) {
    float weight = k == 0 ? 2.0f : 1.0f;
    across += weight * (grey(from, x + 1, y + k) - grey(from, x - 1, y + k));
    down += weight * (grey(from, x + k, y + 1) - grey(from, x + k, y - 1));
  }
  yoke_write_2d(float, to, x, y, sqrt(across * across + down * down));
})";

double grey(const picture& from, int x, int y) {
  const pixel& at = from.at(std::clamp(x, 0, from.width - 1), std::clamp(y, 0, from.height - 1));
  return (at.channels[0] + at.channels[1] + at.channels[2]) / 3.0 / 255;
}
double expected(const picture& from, int x, int y) {
  double across = 0;
  double down = 0;
  for (int k = -1; k <= 1; ++k) {
    const double weight = k == 0 ? 2 : 1;
    across += weight * (grey(from, x + 1, y + k) - grey(from, x - 1, y + k));
    down += weight * (grey(from, x + k, y + 1) - grey(from, x + k, y - 1));
  }
  return std::sqrt(across * across + down * down);
}

}  // namespace

// usage: sobel [input.png]
int main(int count, char** arguments) {
  try {
    const picture original = given_picture(count, arguments, "sobel_input.png");
    const yoke::context context;
    const yoke::stream stream{context};
    fmt::print("device: {}\n", stream.device_of().name());
    const auto module = yoke::compile(context, source);
    const auto sobel = module.get_kernel<void(yoke::read_image<yoke::float4, 2>, yoke::write_image<float, 2>)>("sobel");

    const yoke::image<pixel, 2> from{context, original.pixels, {original.width, original.height}, stream};
    yoke::image<float, 2> to{context, {original.width, original.height}};
    sobel(stream, {.grid = {(original.width + 15) / 16, (original.height + 7) / 8}, .block = {16, 8}}, from, to);
    std::vector<float> edges(original.pixels.size());
    yoke::copy(to, edges, stream);

    picture result = original;
    double worst = 0;
    for (int y = 0; y < result.height; ++y) {
      for (int x = 0; x < result.width; ++x) {
        const double edge = edges[static_cast<std::size_t>(y * result.width + x)];
        worst = std::max(worst, std::abs(edge - expected(original, x, y)));
        const auto shade = static_cast<std::uint8_t>(byte_of(edge / 4));
        result.at(x, y) = {{shade, shade, shade, 255}};
      }
    }
    result.save("sobel_output.png");
    fmt::print("{} x {}, at most {:.1e} from the double result\n", result.width, result.height, worst);
    return worst < 1e-5 ? EXIT_SUCCESS : EXIT_FAILURE;
  } catch (const std::exception& e) {
    fmt::print(stderr, "{}\n", e.what());
    return EXIT_FAILURE;
  }
}
