// SPDX-License-Identifier: MIT
// OpenCL C as it is: on OpenCL untouched, on CUDA translated, with the same results.
#include <program/compiling.hpp>
#include <yoke/program/opencl_c.hpp>

#include <cmath>

using namespace yoke_test;

namespace {

constexpr yoke::source_language opencl_c = yoke::source_language::opencl_c;

}  // namespace

YOKE_DEVICE_TEST_CASE("OpenCL C: a kernel with an array in local memory", "[program][opencl_c]") {
  rig on(device);
  const auto kernel = yoke::get_kernel<void(float*, const float*, int, int)>(yoke::compile(on.context, R"(
#define TILE 8
__kernel __attribute__((reqd_work_group_size(TILE, TILE, 1)))
void transpose(__global float* restrict out, __global const float* restrict in, int width, int height) {
  __local float tile[TILE][TILE + 1];
  const int x = get_global_id(0), y = get_global_id(1);
  const int lx = get_local_id(0), ly = get_local_id(1);
  if (x < width && y < height) tile[ly][lx] = in[y * width + x];
  barrier(CLK_LOCAL_MEM_FENCE);
  const int ox = get_group_id(1) * TILE + lx, oy = get_group_id(0) * TILE + ly;
  if (ox < height && oy < width) out[oy * height + ox] = tile[lx][ly];
}
)",
                                                                                           {.language = opencl_c}),
                                                                             "transpose");
  constexpr int width = 21;
  constexpr int height = 13;
  const std::vector<float> in = counting<float>(width * height);
  std::vector<float> out(in.size());
  kernel(on.stream, {.grid = {3, 2}, .block = {8, 8}}, yoke::out(out), yoke::in(in), width, height);
  for (int y = 0; y < height; ++y) {
    for (int x = 0; x < width; ++x) {
      REQUIRE(out[static_cast<std::size_t>(x * height + y)] == in[static_cast<std::size_t>(y * width + x)]);
    }
  }
}
