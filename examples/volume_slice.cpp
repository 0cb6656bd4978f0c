// SPDX-License-Identifier: MIT
// Cuts an oblique slice through a volume of 64 x 64 x 64 numbers, filtered between the voxels, and writes it as a PNG image.
#include "png.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>

namespace {

// Outside the volume the sampler reads 0. The slice is tilted by a quarter of its height.
constexpr const char* source = R"(
YOKE_CONSTANT_SAMPLER(between, NORMALISED, BORDER, LINEAR);

YOKE_KERNEL slice(YOKE_READ_IMAGE_3D(float, volume), YOKE_WRITE_IMAGE_2D(float4, to)) {
  int x = (int)get_global_id(0);
  int y = (int)get_global_id(1);
  float u = ((float)x + 0.5f) / (float)get_image_width(to);
  float v = ((float)y + 0.5f) / (float)get_image_height(to);
  float value = yoke_sample_3d(float, volume, between, u, v, 0.375f + 0.25f * v);
  yoke_write_2d(float4, to, x, y, make_float4(value, value * value, 1.0f - value, 1.0f));
})";

// Shells around the middle, smooth enough that a filter between voxels comes near.
double shells(double x, double y, double z) {
  const double radius = std::sqrt((x - 0.5) * (x - 0.5) + (y - 0.5) * (y - 0.5) + (z - 0.5) * (z - 0.5));
  return 0.5 + 0.5 * std::cos(20 * radius);
}

}  // namespace

int main() {
  try {
    constexpr int voxels = 64;
    constexpr int size = 256;
    std::vector<float> volume;
    for (int z = 0; z < voxels; ++z) {
      for (int y = 0; y < voxels; ++y) {
        for (int x = 0; x < voxels; ++x) {
          volume.push_back(static_cast<float>(shells((x + 0.5) / voxels, (y + 0.5) / voxels, (z + 0.5) / voxels)));
        }
      }
    }
    const yoke::context context;
    const yoke::stream stream{context};
    fmt::print("device: {}\n", stream.device_of().name());
    const auto module = yoke::compile(context, source);
    const auto slice = module.get_kernel<void(yoke::read_image<float, 3>, yoke::write_image<yoke::float4, 2>)>("slice");

    const yoke::image<float, 3> from{context, volume, {voxels, voxels, voxels}, stream};
    yoke::image<pixel, 2> to{context, {size, size}};
    slice(stream, {.grid = {size / 16, size / 8}, .block = {16, 8}}, from, to);
    picture result(size, size);
    yoke::copy(to, result.pixels, stream);
    result.save("volume_slice.png");

    double worst = 0;
    for (int y = 4; y < size - 4; ++y) {  // at the border half of the outermost voxels is outside
      for (int x = 4; x < size - 4; ++x) {
        const double v = (y + 0.5) / size;
        worst = std::max(
            worst, std::abs(result.at(x, y).channels[0] - byte_of(shells((x + 0.5) / size, v, 0.375 + 0.25 * v))));
      }
    }
    fmt::print("{} voxels cubed -> volume_slice.png, at most {:.1f} of 255 from the formula\n", voxels, worst);
    return worst < 8 ? EXIT_SUCCESS : EXIT_FAILURE;
  } catch (const std::exception& e) {
    fmt::print(stderr, "{}\n", e.what());
    return EXIT_FAILURE;
  }
}
