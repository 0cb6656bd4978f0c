// SPDX-License-Identifier: MIT
// Cuts an oblique slice through a volume, filtered between its voxels. The volume is a PNG image with its slices one below
// another, and the slice is one as well.
#include "png.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>

namespace {

// The slice is tilted: it goes from 3/8 of the depth to 5/8. Outside the volume the sampler reads 0.
constexpr const char* source = R"(
YOKE_CONSTANT_SAMPLER(between, NORMALISED, BORDER, LINEAR);

YOKE_KERNEL slice(YOKE_READ_IMAGE_3D(float4, volume), YOKE_WRITE_IMAGE_2D(float4, to)) {
  int x = (int)get_global_id(0);
  int y = (int)get_global_id(1);
  int width = get_image_width(to);
  int height = get_image_height(to);
  if (x >= width || y >= height) return;
  float u = ((float)x + 0.5f) / (float)width;
  float v = ((float)y + 0.5f) / (float)height;
  yoke_write_2d(float4, to, x, y, yoke_sample_3d(float4, volume, between, u, v, 0.375f + 0.25f * v));
})";

// The same in double precision: the weighted mean of the eight nearest voxels.
double expected(const picture& stack, int depth, double u, double v, double w, int channel) {
  const int height = stack.height / depth;
  const double at[] = {u * stack.width - 0.5, v * height - 0.5, w * depth - 0.5};
  double sum = 0;
  for (int corner = 0; corner < 8; ++corner) {
    int place[3];
    double share = 1;
    for (int axis = 0; axis < 3; ++axis) {
      place[axis] = static_cast<int>(std::floor(at[axis])) + (corner >> axis & 1);
      share *= 1 - std::abs(at[axis] - place[axis]);
    }
    const auto [x, y, z] = place;
    const bool inside = x >= 0 && x < stack.width && y >= 0 && y < height && z >= 0 && z < depth;
    if (inside) sum += share * stack.at(x, y + z * height).channels[channel];
  }
  return sum;
}

// Shells around the middle of 40 slices of 64 x 48 voxels.
picture test_stack() {
  picture made(64, 48 * 40);
  for (int y = 0; y < made.height; ++y) {
    for (int x = 0; x < made.width; ++x) {
      const double radius = std::hypot((x + 0.5) / 64 - 0.5, (y % 48 + 0.5) / 48 - 0.5, (y / 48 + 0.5) / 40 - 0.5);
      const double shell = 0.5 + 0.5 * std::cos(20 * radius);
      const auto shade = static_cast<std::uint8_t>(byte_of(shell));
      made.at(x, y) = {{shade, static_cast<std::uint8_t>(shade / 2), static_cast<std::uint8_t>(255 - shade), 255}};
    }
  }
  return made;
}

}  // namespace

// usage: volume_slice [stack.png slices]
int main(int count, char** arguments) {
  try {
    if (count < 3) test_stack().save("volume_slice_input.png");
    const picture stack(count < 3 ? "volume_slice_input.png" : arguments[1]);
    const int depth = count < 3 ? 40 : std::atoi(arguments[2]);
    if (depth <= 0 || stack.height % depth != 0) throw std::runtime_error("the stack has no whole number of slices");
    const yoke::context context;
    const yoke::stream stream{context};
    fmt::print("device: {}\n", stream.device_of().name());
    const auto module = yoke::compile(context, source);
    const auto slice =
        module.get_kernel<void(yoke::read_image<yoke::float4, 3>, yoke::write_image<yoke::float4, 2>)>("slice");

    const yoke::image<pixel, 3> from{context, stack.pixels, {stack.width, stack.height / depth, depth}, stream};
    picture result(4 * stack.width, 4 * stack.height / depth);
    yoke::image<pixel, 2> to{context, {result.width, result.height}};
    slice(stream, {.grid = {(result.width + 15) / 16, (result.height + 7) / 8}, .block = {16, 8}}, from, to);
    yoke::copy(to, result.pixels, stream);
    result.save("volume_slice_output.png");

    double worst = 0;
    for (int i = 0; i < 4 * result.width * result.height; ++i) {
      const int x = i / 4 % result.width;
      const int y = i / 4 / result.width;
      const double v = (y + 0.5) / result.height;
      const double wanted = expected(stack, depth, (x + 0.5) / result.width, v, 0.375 + 0.25 * v, i % 4);
      worst = std::max(worst, std::abs(result.at(x, y).channels[i % 4] - wanted));
    }
    fmt::print("{} x {} x {} -> {} x {}, at most {:.1f} of 255 from the double result\n", stack.width,
               stack.height / depth, depth, result.width, result.height, worst);
    return worst < 3 && picture("volume_slice_output.png").pixels == result.pixels ? EXIT_SUCCESS : EXIT_FAILURE;
  } catch (const std::exception& e) {
    fmt::print(stderr, "{}\n", e.what());
    return EXIT_FAILURE;
  }
}
