// SPDX-License-Identifier: MIT
// Texture and surface objects: fetches, filters with every address, levels of mipmaps, gathers, reads and writes of surfaces.
#include <image/filter_reference.hpp>
#include <kernels/families.hpp>
#include <kernels/inputs.hpp>

#include <functional>

namespace yoke_test {

namespace {

using memory = kernel_object::memory;
constexpr std::size_t rows = 32;
// A filter may be off by as much of the texels' range, which is 1.5625.
constexpr double off = 1.5625 / 256;

volume volume_of(memory of, std::size_t layer = 0) {
  const auto extents = extents_of({.of = of});
  const bool layers = of == memory::lines || of == memory::planes;
  volume result{
      {static_cast<long>(extents[0]), static_cast<long>(extents[1]), layers ? 1 : static_cast<long>(extents[2])}, {}};
  const std::size_t count = extents[0] * extents[1] * (layers ? 1 : extents[2]);
  for (std::size_t i = 0; i < count; ++i) result.texels.push_back(texel_value(layer * count + i));
  return result;
}

/// Returns: a column of floats, with the host's values where there are some.
output_column column(const std::string& label, double absolute = 0,
                     const std::function<double(std::size_t)>& host = {}) {
  output_column result{label, "float", rows, 0, absolute, {}};
  for (std::size_t row = 0; host && row < rows; ++row)
    result.expected.push_back(word_of(static_cast<float>(host(row))));
  return result;
}

kernel_entry with_objects(kernel_entry entry, std::vector<kernel_object> objects) {
  entry.objects = std::move(objects);
  return entry;
}

kernel_entry fetches() {
  const auto texel = [](memory of, std::size_t x, std::size_t y, std::size_t z) {
    const auto extents = extents_of({.of = of});
    return static_cast<double>(texel_value(x + extents[0] * (y + extents[1] * z)));
  };
  return with_objects(
      whole_kernel(
          "texture_fetches", R"(extern "C" __global__ void texture_fetches(const word* in, word* out) {
  const unsigned row = threadIdx.x;
  const cudaTextureObject_t linear = in[0], line = in[1], plane = in[2], volume = in[3], lines = in[4], planes = in[5];
  const float x = (row % 8) + 0.5f, y = (row % 6) + 0.25f, z = (row % 5) + 0.75f;
  const int layer = (int)(row % 3);
  out[row] = bits(tex1Dfetch<float>(linear, (int)row + 20));
  out[32 + row] = bits(tex1D<float>(line, x));
  out[64 + row] = bits(tex2D<float>(plane, x, y));
  out[96 + row] = bits(tex3D<float>(volume, x, y, z));
  out[128 + row] = bits(tex1DLayered<float>(lines, x, layer));
  out[160 + row] = bits(tex2DLayered<float>(planes, x, y, layer));
  // Places on the faces that are no texels' edges.
  const float s = row % 2 ? -1.0f : 1.0f, a = ((int)(row % 7) - 3) * 0.28125f, b = ((int)(row % 5) - 2) * 0.34375f;
  const float3 to = row % 3 == 0 ? make_float3(s, a, b) : row % 3 == 1 ? make_float3(a, s, b) : make_float3(a, b, s);
  out[192 + row] = bits(texCubemap<float>(in[6], to.x, to.y, to.z));
  out[224 + row] = bits(texCubemapLayered<float>(in[7], to.x, to.y, to.z, (int)(row % 2)));
}
)",
          {column("linear", 0, [=](std::size_t row) { return texel(memory::linear, row + 20, 0, 0); }),
           column("line", 0, [=](std::size_t row) { return texel(memory::line, row % 8, 0, 0); }),
           column("plane", 0, [=](std::size_t row) { return texel(memory::plane, row % 8, row % 6, 0); }),
           column("volume", 0, [=](std::size_t row) { return texel(memory::volume, row % 8, row % 6, row % 5); }),
           column("lines", 0, [=](std::size_t row) { return texel(memory::lines, row % 8, 0, row % 3); }),
           column("planes", 0, [=](std::size_t row) { return texel(memory::planes, row % 8, row % 6, row % 3); }),
           column("cube"), column("cubes")}),
      {{.of = memory::linear},
       {.of = memory::line},
       {.of = memory::plane},
       {.of = memory::volume},
       {.of = memory::lines},
       {.of = memory::planes},
       {.of = memory::cube, .by = {.normalised = true}},
       {.of = memory::cubes, .by = {.normalised = true}}});
}

kernel_entry filters() {
  // Normalised, from less than a turn before the image to one behind it. In texels these are whole 256ths, which no device rounds.
  const auto at = [](std::size_t row, int factor, double extent) {
    return (static_cast<double>(row) * factor - 300) / 512 * extent;
  };
  std::vector<output_column> columns;
  std::vector<kernel_object> objects;
  const auto add = [&](memory of, yoke::address_mode address, std::size_t axes) {
    const yoke::sampler by{.address = address, .filter = yoke::filter_mode::linear, .normalised = true};
    objects.push_back({.of = of, .by = by});
    const bool layers = of == memory::lines || of == memory::planes;
    columns.push_back(column("object " + std::to_string(objects.size()), off, [=](std::size_t row) {
      const volume from = volume_of(of, layers ? row % 3 : 0);
      return filtered(from, {at(row, 37, 8), at(row, 29, 6), at(row, 31, 5)}, axes, by);
    }));
  };
  using enum yoke::address_mode;
  for (const auto address : {clamp_to_edge, border, repeat, mirrored_repeat}) add(memory::line, address, 1);
  for (const auto address : {clamp_to_edge, border, repeat, mirrored_repeat}) add(memory::plane, address, 2);
  for (const auto address : {clamp_to_edge, border, repeat, mirrored_repeat}) add(memory::volume, address, 3);
  add(memory::lines, mirrored_repeat, 1);
  add(memory::planes, repeat, 2);
  return with_objects(
      whole_kernel("texture_filters", R"(extern "C" __global__ void texture_filters(const word* in, word* out) {
  const unsigned row = threadIdx.x;
  const float x = ((int)row * 37 - 300) / 512.0f, y = ((int)row * 29 - 300) / 512.0f, z = ((int)row * 31 - 300) / 512.0f;
  for (int i = 0; i < 4; ++i) {
    out[32 * i + row] = bits(tex1D<float>(in[i], x));
    out[32 * (4 + i) + row] = bits(tex2D<float>(in[4 + i], x, y));
    out[32 * (8 + i) + row] = bits(tex3D<float>(in[8 + i], x, y, z));
  }
  float found;
  tex1DLayered(&found, in[12], x, (int)(row % 3));
  out[32 * 12 + row] = bits(found);
  tex2DLayered(&found, in[13], x, y, (int)(row % 3));
  out[32 * 13 + row] = bits(found);
}
)",
                   std::move(columns)),
      std::move(objects));
}

kernel_entry levels() {
  const yoke::sampler by{.normalised = true};
  return with_objects(
      whole_kernel("texture_levels", R"(extern "C" __global__ void texture_levels(const word* in, word* out) {
  const unsigned row = threadIdx.x;
  const float x = (row % 8 + 0.25f) / 8, y = (row % 6 + 0.25f) / 6, z = (row % 5 + 0.25f) / 5, level = (row % 9) * 0.25f;
  const int layer = (int)(row % 3);
  out[row] = bits(tex1DLod<float>(in[0], x, level));
  out[32 + row] = bits(tex2DLod<float>(in[1], x, y, level));
  out[64 + row] = bits(tex3DLod<float>(in[2], x, y, z, level));
  out[96 + row] = bits(tex1DLayeredLod<float>(in[3], x, layer, level));
  out[128 + row] = bits(tex2DLayeredLod<float>(in[4], x, y, layer, level));
  out[160 + row] = bits(texCubemapLod<float>(in[5], 1.0f, 0.28125f, (row % 2 ? 0.34375f : -0.40625f), level));
}
)",
                   {column("line", 4 * off), column("plane", 4 * off), column("volume", 4 * off),
                    column("lines", 4 * off), column("planes", 4 * off), column("cube", 4 * off)}),
      {{.of = memory::line, .has_levels = true, .by = by},
       {.of = memory::plane, .has_levels = true, .by = by},
       {.of = memory::volume, .has_levels = true, .by = by},
       {.of = memory::lines, .has_levels = true, .by = by},
       {.of = memory::planes, .has_levels = true, .by = by},
       {.of = memory::cube, .has_levels = true, .by = by}});
}

kernel_entry gathers() {
  const auto corner = [](std::size_t dx, std::size_t dy) {
    return [=](std::size_t row) { return static_cast<double>(texel_value(row % 7 + dx + 8 * (row % 5 + dy))); };
  };
  return with_objects(
      whole_kernel("texture_gathers", R"(extern "C" __global__ void texture_gathers(const word* in, word* out) {
  const unsigned row = threadIdx.x;
  const float4 found = tex2Dgather<float4>(in[0], row % 7 + 1.0f, row % 5 + 1.0f, 0);
  out[row] = bits(found.x);
  out[32 + row] = bits(found.y);
  out[64 + row] = bits(found.z);
  out[96 + row] = bits(found.w);
}
)",
                   {column("x", 0, corner(0, 1)), column("y", 0, corner(1, 1)), column("z", 0, corner(1, 0)),
                    column("w", 0, corner(0, 0))}),
      {{.of = memory::gathered}});
}

kernel_entry surfaces() {
  kernel_entry made = with_objects(
      whole_kernel(
          "surface_texels", R"(extern "C" __global__ void surface_texels(const word* in, word* out) {
  const unsigned row = threadIdx.x;
  const cudaSurfaceObject_t line = in[0], plane = in[1], volume = in[2], lines = in[3], planes = in[4], cube = in[5];
  const int x = (int)(row % 8) * 4, y = (int)(row / 8), z = (int)(row % 5), layer = (int)(row % 3);
  const cudaSurfaceBoundaryMode inside = cudaBoundaryModeTrap;
  float found[6];
  found[0] = surf1Dread<float>(line, x, inside);
  found[1] = surf2Dread<float>(plane, x, y);
  found[2] = surf3Dread<float>(volume, x, y, z);
  found[3] = surf1DLayeredread<float>(lines, x, layer);
  found[4] = surf2DLayeredread<float>(planes, x, y, layer);
  found[5] = surfCubemapread<float>(cube, (int)(row % 4) * 4, (int)(row / 4 % 4), (int)(row / 16));
  for (int i = 0; i < 6; ++i) out[32 * i + row] = bits(found[i]);
  __syncthreads();
  float outside;
  surf2Dread(&outside, plane, -4, 0, cudaBoundaryModeZero);
  out[32 * 6 + row] = bits(outside);
  surf2Dread(&outside, plane, 400, 5, cudaBoundaryModeClamp);
  out[32 * 7 + row] = bits(outside);
  __syncthreads();
  // Each texel is written by one thread.
  const float value = 3.0f + row;
  if (row < 8) surf1Dwrite(value, line, x);
  surf2Dwrite(value, plane, x, y);
  surf2Dwrite(value, plane, -4, 0, cudaBoundaryModeZero);
  surf3Dwrite(value, volume, x, y, z);
  if (row < 24) surf1DLayeredwrite(value, lines, x, (int)(row / 8));
  surf2DLayeredwrite(value, planes, x, y, layer);
  surfCubemapwrite(value, cube, (int)(row % 4) * 4, (int)(row / 4 % 4), (int)(row / 16));
}
)",
          {column("line"), column("plane"), column("volume"), column("lines"), column("planes"), column("cube"),
           column("zeros outside", 0, [](std::size_t) { return 0.0; }),
           column("the nearest outside", 0, [](std::size_t) { return static_cast<double>(texel_value(47)); })}),
      {});
  for (const auto of : {memory::line, memory::plane, memory::volume, memory::lines, memory::planes, memory::cube}) {
    made.objects.push_back({.of = of, .is_surface = true});
    const auto extents = extents_of(made.objects.back());
    output_column written{
        "written " + std::to_string(static_cast<int>(of)), "float", extents[0] * extents[1] * extents[2], 0, 0, {}};
    for (std::size_t i = 0; i < written.count; ++i) {
      const std::size_t x = i % extents[0], y = i / extents[0] % extents[1], z = i / extents[0] / extents[1];
      std::size_t row = rows;
      if (of == memory::line) row = x;
      if (of == memory::plane) row = x + 8 * y;
      if (of == memory::volume && (x + 8 * y) % 5 == z) row = x + 8 * y;
      if (of == memory::lines) row = x + 8 * z;
      if (of == memory::planes && (x + 8 * y) % 3 == z) row = x + 8 * y;
      if (of == memory::cube) row = x + 4 * y + 16 * z;
      written.expected.push_back(word_of(row < rows ? 3.0F + static_cast<float>(row) : texel_value(i)));
    }
    made.outputs.push_back(std::move(written));
  }
  return made;
}

}  // namespace

std::vector<kernel_program> texel_kernels() {
  kernel_program program{"texels", ""};
  program.kernels = {fetches(), filters(), levels(), gathers(), surfaces()};
  return {program};
}

}  // namespace yoke_test
