// SPDX-License-Identifier: MIT
// Kernels that fetch texels in the dialect, each beside the same kernel written by hand for CUDA: PTX tells their costs.
#ifndef YOKE_TESTS_DIALECT_FETCHES_HPP
#define YOKE_TESTS_DIALECT_FETCHES_HPP

#include <cctype>
#include <string>
#include <string_view>
#include <vector>

namespace yoke_test::dialect {

/// Both kernels are called "run".
struct fetch_pair {
  const char* name;
  const char* dialect;
  const char* by_hand;
};

inline const std::vector<fetch_pair>& fetch_pairs() {
  static const std::vector<fetch_pair> all{
      {"a filter on a line",
       "YOKE_CONSTANT_SAMPLER(smooth, NORMALISED, REPEAT, LINEAR);\n"
       "YOKE_KERNEL run(YOKE_READ_IMAGE_1D(float, from), YOKE_GLOBAL float* to, float x) {\n"
       "  to[0] = yoke_sample_1d(float, from, smooth, x);\n}\n",
       R"(extern "C" __global__ void run(cudaTextureObject_t from, float* to, float x) { to[0] = tex1D<float>(from, x); })"},
      {"a filter on a plane",
       "YOKE_CONSTANT_SAMPLER(smooth, NORMALISED, REPEAT, LINEAR);\n"
       "YOKE_KERNEL run(YOKE_READ_IMAGE_2D(float4, from), YOKE_GLOBAL float4* to, float x, float y) {\n"
       "  to[0] = yoke_sample_2d(float4, from, smooth, x, y);\n}\n",
       R"(extern "C" __global__ void run(cudaTextureObject_t from, float4* to, float x, float y) {
         to[0] = tex2D<float4>(from, x, y);
       })"},
      {"a filter in a volume",
       "YOKE_CONSTANT_SAMPLER(smooth, TEXELS, BORDER, LINEAR);\n"
       "YOKE_KERNEL run(YOKE_READ_IMAGE_3D(float2, from), YOKE_GLOBAL float2* to, float x, float y, float z) {\n"
       "  to[0] = yoke_sample_3d(float2, from, smooth, x, y, z);\n}\n",
       R"(extern "C" __global__ void run(cudaTextureObject_t from, float2* to, float x, float y, float z) {
         to[0] = tex3D<float2>(from, x, y, z);
       })"},
      {"a filter on a layer",
       "YOKE_CONSTANT_SAMPLER(smooth, NORMALISED, MIRRORED_REPEAT, LINEAR);\n"
       "YOKE_KERNEL run(YOKE_READ_IMAGE_2D_ARRAY(float, from), YOKE_GLOBAL float* to, float x, float y, int layer) {\n"
       "  to[0] = yoke_sample_2d_array(float, from, smooth, x, y, layer);\n}\n",
       R"(extern "C" __global__ void run(cudaTextureObject_t from, float* to, float x, float y, int layer) {
         to[0] = tex2DLayered<float>(from, x, y, layer < 0 ? 0 : layer);
       })"},
      {"a sampler that a launch passes",
       "YOKE_KERNEL run(YOKE_READ_IMAGE_2D(float, from), YOKE_SAMPLER(by), YOKE_GLOBAL float* to, float x, float y) {\n"
       "  to[0] = yoke_sample_2d(float, from, by, x, y);\n}\n",
       R"(struct objects { cudaTextureObject_t of[16]; };
       extern "C" __global__ void run(objects from, unsigned by, float* to, float x, float y) {
         to[0] = tex2D<float>(from.of[by], x, y);
       })"},
      {"a texel by whole coordinates",
       "YOKE_KERNEL run(YOKE_READ_IMAGE_2D(uint4, from), YOKE_GLOBAL uint4* to, int x, int y) {\n"
       "  to[0] = yoke_read_2d(uint4, from, x, y);\n}\n",
       R"(extern "C" __global__ void run(cudaTextureObject_t from, uint4* to, int x, int y) {
         to[0] = tex2D<uint4>(from, x + 0.5f, y + 0.5f);
       })"},
      {"a row of a filter",
       "YOKE_CONSTANT_SAMPLER(near, TEXELS, CLAMP_TO_EDGE, NEAREST);\n"
       "YOKE_KERNEL run(YOKE_READ_IMAGE_2D(float, from), YOKE_GLOBAL float* to, int x, int y) {\n"
       "  float sum = 0;\n"
       "  for (int i = -4; i <= 4; ++i) sum += yoke_sample_2d(float, from, near, x + i + 0.5f, y + 0.5f);\n"
       "  to[0] = sum;\n}\n",
       R"(extern "C" __global__ void run(cudaTextureObject_t from, float* to, int x, int y) {
         float sum = 0;
         for (int i = -4; i <= 4; ++i) sum += tex2D<float>(from, x + i + 0.5f, y + 0.5f);
         to[0] = sum;
       })"},
  };
  return all;
}

/// Returns: how many instructions PTX has for its kernel. Directives, labels and comments are none.
inline int instructions_of(std::string_view ptx) {
  int count = 0;
  const std::size_t entry = ptx.find(".entry ");
  for (std::size_t at = ptx.find('{', ptx.find(')', entry)); at < ptx.size();) {
    const std::size_t end = ptx.find('\n', at);
    std::string_view line = ptx.substr(at, end == std::string_view::npos ? end : end - at);
    while (!line.empty() && std::isspace(static_cast<unsigned char>(line.front())) != 0) line.remove_prefix(1);
    if (!line.empty() && line.front() != '.' && line.front() != '/' && line.find(';') != std::string_view::npos)
      ++count;
    if (end == std::string_view::npos) break;
    at = end + 1;
  }
  return count;
}

}  // namespace yoke_test::dialect

#endif
