// SPDX-License-Identifier: MIT
// Resizes a PNG image to 3/2 of its width and 2/3 of its height: a sampler filters between the pixels.
#include "png.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>

namespace {

// One thread a pixel of the result; coordinates go from 0 to 1, so that the kernel knows no size of the original.
constexpr const char* source = R"(
YOKE_CONSTANT_SAMPLER(smooth, NORMALISED, CLAMP_TO_EDGE, LINEAR);

YOKE_KERNEL resize(YOKE_READ_IMAGE_2D(float4, from), YOKE_WRITE_IMAGE_2D(float4, to)) {
  int x = (int)get_global_id(0);
  int y = (int)get_global_id(1);
  int width = get_image_width(to);
  int height = get_image_height(to);
  if (x >= width || y >= height) return;
  float4 colour = yoke_sample_2d(float4, from, smooth, ((float)x + 0.5f) / (float)width, ((float)y + 0.5f) / (float)height);
  yoke_write_2d(float4, to, x, y, colour);
})";

// The same in double precision: the weighted mean of the four nearest pixels.
double expected(const picture& from, double u, double v, int channel) {
  const double x = u * from.width - 0.5;
  const double y = v * from.height - 0.5;
  const auto at = [&](double column, double row) {
    return static_cast<double>(from.at(std::clamp(static_cast<int>(column), 0, from.width - 1),
                                       std::clamp(static_cast<int>(row), 0, from.height - 1))
                                   .channels[channel]);
  };
  const double left = std::floor(x);
  const double top = std::floor(y);
  const auto row = [&](double which) { return at(left, which) + (x - left) * (at(left + 1, which) - at(left, which)); };
  return row(top) + (y - top) * (row(top + 1) - row(top));
}

}  // namespace

// usage: image_resize [input.png]
int main(int count, char** arguments) {
  try {
    const picture original = given_picture(count, arguments, "image_resize_input.png");
    picture result(original.width * 3 / 2, original.height * 2 / 3);

    const yoke::context context;
    const yoke::stream stream{context};
    fmt::print("device: {}\n", stream.device_of().name());
    const auto module = yoke::compile(context, source);
    const auto resize =
        module.get_kernel<void(yoke::read_image<yoke::float4, 2>, yoke::write_image<yoke::float4, 2>)>("resize");

    const yoke::image<pixel, 2> from{context, original.pixels, {original.width, original.height}, stream};
    yoke::image<pixel, 2> to{context, {result.width, result.height}};
    resize(stream, {.grid = {(result.width + 15) / 16, (result.height + 7) / 8}, .block = {16, 8}}, from, to);
    yoke::copy(to, result.pixels, stream);
    result.save("image_resize_output.png");

    double worst = 0;
    for (int y = 0; y < result.height; ++y) {
      for (int x = 0; x < result.width; ++x) {
        for (int channel = 0; channel < 4; ++channel) {
          const double is = result.at(x, y).channels[channel];
          const double should = expected(original, (x + 0.5) / result.width, (y + 0.5) / result.height, channel);
          worst = std::max(worst, std::abs(is - should));
        }
      }
    }
    // Devices weigh in steps of 1/256, and round to a whole number at the end.
    fmt::print("{} x {} -> {} x {}, at most {:.2f} of 255 from the double result\n", original.width, original.height,
               result.width, result.height, worst);
    return worst < 2 && picture("image_resize_output.png").pixels == result.pixels ? EXIT_SUCCESS : EXIT_FAILURE;
  } catch (const std::exception& e) {
    fmt::print(stderr, "{}\n", e.what());
    return EXIT_FAILURE;
  }
}
