// SPDX-License-Identifier: MIT
// Blurs a PNG image by a separable filter of nine weights: one kernel, once along the rows and once along the columns.
#include "png.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace {

constexpr std::array weights{1, 8, 28, 56, 70, 56, 28, 8, 1};  // of 256

// The sampler clamps what lies outside to the edge, so that the kernel tests no bounds. Between the passes the image holds floats.
constexpr const char* source = R"(
YOKE_CONSTANT_SAMPLER(edge, TEXELS, CLAMP_TO_EDGE, NEAREST);
YOKE_CONSTANT float weights[9] = {1.0f, 8.0f, 28.0f, 56.0f, 70.0f, 56.0f, 28.0f, 8.0f, 1.0f};

YOKE_KERNEL blur(YOKE_READ_IMAGE_2D(float4, from), YOKE_WRITE_IMAGE_2D(float4, to), int dx, int dy) {
  int x = (int)get_global_id(0);
  int y = (int)get_global_id(1);
  if (x >= get_image_width(to) || y >= get_image_height(to)) return;
  float4 sum = make_float4(0.0f, 0.0f, 0.0f, 0.0f);
  for (int k = -4; k <= 4; ++k) {
    sum += weights[k + 4] * yoke_sample_2d(float4, from, edge, (float)(x + k * dx) + 0.5f, (float)(y + k * dy) + 0.5f);
  }
  yoke_write_2d(float4, to, x, y, sum / 256.0f);
})";

double expected(const picture& from, int x, int y, int channel) {
  double sum = 0;
  for (int row = -4; row <= 4; ++row) {
    for (int column = -4; column <= 4; ++column) {
      const int weight = weights[static_cast<std::size_t>(row + 4)] * weights[static_cast<std::size_t>(column + 4)];
      sum +=
          weight *
          from.at(std::clamp(x + column, 0, from.width - 1), std::clamp(y + row, 0, from.height - 1)).channels[channel];
    }
  }
  return sum / 65536;
}

}  // namespace

// usage: image_gaussian [input.png]
int main(int count, char** arguments) {
  try {
    const picture original = given_picture(count, arguments, "image_gaussian_input.png");
    picture result = original;
    const yoke::extent3 size(original.width, original.height);
    const yoke::context context;
    const yoke::stream stream{context};
    fmt::print("device: {}\n", stream.device_of().name());
    const auto module = yoke::compile(context, source);
    const auto blur =
        module.get_kernel<void(yoke::read_image<yoke::float4, 2>, yoke::write_image<yoke::float4, 2>, int, int)>(
            "blur");

    const yoke::image<pixel, 2> from{context, original.pixels, size, stream};
    yoke::image<yoke::float4, 2> rows{context, size};
    yoke::image<pixel, 2> to{context, size};
    const yoke::launch_shape shape{.grid = {(original.width + 15) / 16, (original.height + 7) / 8}, .block = {16, 8}};
    blur(stream, shape, from, rows, 1, 0);
    blur(stream, shape, rows, to, 0, 1);
    yoke::copy(to, result.pixels, stream);
    result.save("image_gaussian_output.png");

    double worst = 0;
    for (int y = 0; y < result.height; ++y) {
      for (int x = 0; x < result.width; ++x) {
        for (int channel = 0; channel < 4; ++channel) {
          worst = std::max(worst, std::abs(result.at(x, y).channels[channel] - expected(original, x, y, channel)));
        }
      }
    }
    fmt::print("{} x {}, at most {:.2f} of 255 from the double result\n", original.width, original.height, worst);
    return worst < 1.01 ? EXIT_SUCCESS : EXIT_FAILURE;  // drivers may truncate what a kernel writes
  } catch (const std::exception& e) {
    fmt::print(stderr, "{}\n", e.what());
    return EXIT_FAILURE;
  }
}
