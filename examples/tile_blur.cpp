// SPDX-License-Identifier: MIT
// A blur whose blocks fetch their tiles, halo and edges included, by one instruction each: tensor maps on CUDA.
#include <fmt/core.h>

#include <cmath>
#include <cstdlib>
#include <string>
#include <vector>
#include <yoke/array.hpp>
#include <yoke/cuda.hpp>
#include <yoke/cuda/tensor_map.hpp>

namespace {

namespace cu = yoke::cuda;

constexpr int skipped = 77;  // as CTest is told
constexpr int rows = 300;
constexpr int columns = 500;

// A block makes 16 x 24 means of 3 x 3 elements out of a tile of 18 x 32. The tile begins one row above them and four columns before
// them: a tile's last index is a multiple of 16 bytes. Outside of the array it holds zeros, so that nothing has to ask for edges.
constexpr const char* source = R"(
extern "C" __global__ void blur(const __grid_constant__ tensor_map in, float* out, int rows, int columns) {
  __shared__ alignas(128) float tile[18][32];
  __shared__ tile_barrier arrived;
  const int row = blockIdx.y * 16, column = blockIdx.x * 24;
  const bool is_first = threadIdx.x == 0 && threadIdx.y == 0;
  if (is_first) init_barrier(arrived, 1);
  __syncthreads();
  if (is_first) {
    arrive(arrived, sizeof tile);
    load_tile(tile, in, arrived, row - 1, column - 4);
  }
  wait(arrived, 0);
  const int i = threadIdx.y + 1, j = threadIdx.x + 4;
  float sum = 0;
  for (int di = -1; di <= 1; ++di) {
    for (int dj = -1; dj <= 1; ++dj) sum += tile[i + di][j + dj];
  }
  if (row + i <= rows && column + j - 4 < columns) out[(row + i - 1) * columns + column + j - 4] = sum / 9;
})";

int tile_blur() {
  if (const auto found = cu::available(); !found) {
    fmt::print("skipped: {}\n", found.reason);
    return skipped;
  }
  const cu::device device{0};
  if (cu::get(device, cu::info::compute_capability_major) < 9) {
    fmt::print("skipped: {} has no tensor maps\n", device.name());
    return skipped;
  }
  const cu::context ctx{device};
  const cu::stream stream{ctx};
  std::vector<float> image(std::size_t{rows} * columns);
  for (std::size_t i = 0; i < image.size(); ++i) image[i] = static_cast<float>((i * 7919) % 256);
  const auto in = yoke::to_device_array(image, {rows, columns}, stream);
  auto out = yoke::zeros<float>({rows, columns}, stream);

  const auto module = yoke::compile(ctx, std::string(cu::tensor_tiles) + source);
  const auto blur = module.get_kernel<void(cu::tensor_map<const float, 2>, float*, int, int)>("blur");
  const cu::tensor_map<const float, 2> map(in, {18, 32});
  blur(stream, {.grid = {(columns + 23) / 24, (rows + 15) / 16}, .block = {24, 16}}, map, out, rows, columns);
  const std::vector<float> blurred = out.to_host();

  const auto at = [&](int row, int column) {
    const bool inside = row >= 0 && row < rows && column >= 0 && column < columns;
    return inside ? image[static_cast<std::size_t>(row * columns + column)] : 0.0F;
  };
  int wrong = 0;
  for (int row = 0; row < rows; ++row) {
    for (int column = 0; column < columns; ++column) {
      float sum = 0;
      for (int di = -1; di <= 1; ++di) {
        for (int dj = -1; dj <= 1; ++dj) sum += at(row + di, column + dj);
      }
      if (std::abs(blurred[static_cast<std::size_t>(row * columns + column)] - sum / 9) > 1e-3F) ++wrong;
    }
  }
  fmt::print("{} of {} means are right; each block fetched {} bytes by one instruction\n", rows * columns - wrong,
             rows * columns, map.tile_bytes());
  return wrong == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}

}  // namespace

int main() {
  try {
    return tile_blur();
  } catch (const yoke::error& e) {
    fmt::print(stderr, "{}\n", e.what());
    return EXIT_FAILURE;
  }
}
