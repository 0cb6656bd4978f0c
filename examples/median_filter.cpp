// SPDX-License-Identifier: MIT
// Takes single wrong pixels out of a PNG image: each becomes the median of the nine around it, colour by colour.
#include "png.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <array>

namespace {

// The median of nine by a network of comparisons. The sampler clamps what lies outside to the edge.
constexpr const char* source = R"(
YOKE_CONSTANT_SAMPLER(edge, TEXELS, CLAMP_TO_EDGE, NEAREST);

#define ORDER(a, b) { float4 low = fmin(v[a], v[b]); v[b] = fmax(v[a], v[b]); v[a] = low; }

YOKE_KERNEL median(YOKE_READ_IMAGE_2D(float4, from), YOKE_WRITE_IMAGE_2D(float4, to)) {
  int x = (int)get_global_id(0);
  int y = (int)get_global_id(1);
  if (x >= get_image_width(to) || y >= get_image_height(to)) return;
  float4 v[9];
  for (int k = 0; k < 9; ++k) {
    v[k] = yoke_sample_2d(float4, from, edge, (float)(x + k % 3 - 1) + 0.5f, (float)(y + k / 3 - 1) + 0.5f);
  }
  ORDER(1, 2) ORDER(4, 5) ORDER(7, 8) ORDER(0, 1) ORDER(3, 4) ORDER(6, 7) ORDER(1, 2) ORDER(4, 5) ORDER(7, 8)
  ORDER(0, 3) ORDER(5, 8) ORDER(4, 7) ORDER(3, 6) ORDER(1, 4) ORDER(2, 5) ORDER(4, 7) ORDER(4, 2) ORDER(6, 4) ORDER(4, 2)
  yoke_write_2d(float4, to, x, y, v[4]);
})";

int expected(const picture& from, int x, int y, int channel) {
  std::array<int, 9> values{};
  for (int k = 0; k < 9; ++k) {
    values[static_cast<std::size_t>(k)] =
        from.at(std::clamp(x + k % 3 - 1, 0, from.width - 1), std::clamp(y + k / 3 - 1, 0, from.height - 1))
            .channels[channel];
  }
  std::nth_element(values.begin(), values.begin() + 4, values.end());
  return values[4];
}

/// The picture with one pixel in seven white or black.
picture with_noise(const picture& of) {
  picture made = of;
  for (std::size_t i = 0; i < made.pixels.size(); i += 7) {
    const auto value = static_cast<std::uint8_t>(i % 2 == 0 ? 255 : 0);
    made.pixels[i] = {{value, value, value, 255}};
  }
  return made;
}

}  // namespace

// usage: median_filter [input.png]
int main(int count, char** arguments) {
  try {
    const picture noisy = with_noise(given_picture(count, arguments, "median_filter_input.png"));
    noisy.save("median_filter_noisy.png");
    picture result(noisy.width, noisy.height);

    const yoke::context context;
    const yoke::stream stream{context};
    fmt::print("device: {}\n", stream.device_of().name());
    const auto module = yoke::compile(context, source);
    const auto median =
        module.get_kernel<void(yoke::read_image<yoke::float4, 2>, yoke::write_image<yoke::float4, 2>)>("median");
    const yoke::image<pixel, 2> from{context, noisy.pixels, {noisy.width, noisy.height}, stream};
    yoke::image<pixel, 2> to{context, {result.width, result.height}};
    median(stream, {.grid = {(result.width + 15) / 16, (result.height + 7) / 8}, .block = {16, 8}}, from, to);
    yoke::copy(to, result.pixels, stream);
    result.save("median_filter_output.png");

    int wrong = 0;
    for (int y = 0; y < result.height; ++y) {
      for (int x = 0; x < result.width; ++x) {
        for (int channel = 0; channel < 4; ++channel) {
          wrong += result.at(x, y).channels[channel] == expected(noisy, x, y, channel) ? 0 : 1;
        }
      }
    }
    fmt::print("{} x {} pixels, {} wrong values\n", result.width, result.height, wrong);
    return wrong == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
  } catch (const std::exception& e) {
    fmt::print(stderr, "{}\n", e.what());
    return EXIT_FAILURE;
  }
}
