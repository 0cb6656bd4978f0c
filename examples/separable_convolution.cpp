// SPDX-License-Identifier: MIT
// A separable filter in CUDA C++: its weights are a `__constant__` array that the host fills, and each block stages a tile.
#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <vector>
#include <yoke/cuda.hpp>

namespace {

namespace cu = yoke::cuda;

constexpr int skipped = 77;  // as CTest is told
constexpr int width = 301, height = 203, reach = 3;

// Filters along one axis: `step` is the distance of neighbours there, `length` the axis's size, `other` that of the other axis.
constexpr const char* source = R"(
constexpr int reach = 3, tile = 64;
__constant__ float weights[2 * reach + 1];

extern "C" __global__ void convolve(const float* from, float* to, int length, int step, int other, int other_step) {
  __shared__ float staged[tile + 2 * reach];
  const int line = blockIdx.y;
  const int begin = blockIdx.x * tile - reach;
  for (int k = threadIdx.x; k < tile + 2 * reach; k += blockDim.x) {
    const int at = min(max(begin + k, 0), length - 1);
    staged[k] = line < other ? from[at * step + line * other_step] : 0.0f;
  }
  __syncthreads();
  const int at = blockIdx.x * tile + threadIdx.x;
  if (at >= length || line >= other) return;
  float sum = 0;
  for (int k = 0; k <= 2 * reach; ++k) sum += weights[k] * staged[threadIdx.x + k];
  to[at * step + line * other_step] = sum;
})";

std::vector<float> gaussian() {
  std::vector<float> weights;
  float sum = 0;
  for (int k = -reach; k <= reach; ++k) {
    weights.push_back(std::exp(-0.3F * static_cast<float>(k * k)));
    sum += weights.back();
  }
  for (float& each : weights) each /= sum;
  return weights;
}

double expected(const std::vector<float>& picture, const std::vector<float>& weights, int x, int y) {
  double sum = 0;
  for (int j = -reach; j <= reach; ++j) {
    for (int i = -reach; i <= reach; ++i) {
      const int row = std::clamp(y + j, 0, height - 1);
      const int column = std::clamp(x + i, 0, width - 1);
      sum += static_cast<double>(weights[static_cast<std::size_t>(reach + j)]) *
             static_cast<double>(weights[static_cast<std::size_t>(reach + i)]) *
             static_cast<double>(picture[static_cast<std::size_t>(row * width + column)]);
    }
  }
  return sum;
}

int run() {
  if (const auto found = cu::available(); !found) return fmt::print("skipped: {}\n", found.reason), skipped;
  const cu::context context{cu::device{0}};
  const cu::stream stream{context};
  fmt::print("device: {}\n", stream.device_of().name());

  const auto module = cu::compile(context, source);
  const auto convolve = module.get_kernel<void(const float*, float*, int, int, int, int)>("convolve");
  const std::vector<float> weights = gaussian();
  yoke::copy(weights, cu::get_global<float>(module, "weights"), stream);

  std::vector<float> picture;
  for (int i = 0; i < width * height; ++i) picture.push_back(static_cast<float>((i * 37 + i / width * 11) % 256));
  const auto from = yoke::to_device(picture, stream);
  cu::device_allocation<float> rows{context, picture.size()};
  cu::device_allocation<float> both{context, picture.size()};
  constexpr int tile = 64;
  convolve(stream, {.grid = {(width + tile - 1) / tile, height}, .block = tile}, from, rows, width, 1, height, width);
  convolve(stream, {.grid = {(height + tile - 1) / tile, width}, .block = tile}, rows, both, height, width, width, 1);

  const std::vector<float> result = yoke::to_host(both, stream);
  double worst = 0;
  for (int y = 0; y < height; ++y) {
    for (int x = 0; x < width; ++x) {
      const double is = static_cast<double>(result[static_cast<std::size_t>(y * width + x)]);
      worst = std::max(worst, std::abs(is - expected(picture, weights, x, y)));
    }
  }
  fmt::print("{} x {} pixels, at most {:.6f} of 255 from the double result\n", width, height, worst);
  return worst < 1e-3 ? EXIT_SUCCESS : EXIT_FAILURE;
}

}  // namespace

int main() {
  try {
    return run();
  } catch (const yoke::error& e) {
    fmt::print(stderr, "{}\n", e.what());
    return EXIT_FAILURE;
  }
}
