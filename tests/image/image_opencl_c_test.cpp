// SPDX-License-Identifier: MIT
// Images of OpenCL C give the same numbers on OpenCL and, translated, on CUDA.
#include <image/image_rig.hpp>
#include <language/opencl_c_sources.hpp>
#include <support/devices/background.hpp>

using namespace yoke_test;
using Catch::Matchers::ContainsSubstring;

namespace {

constexpr const char* source = R"(
__constant sampler_t smooth = CLK_NORMALIZED_COORDS_TRUE | CLK_ADDRESS_MIRRORED_REPEAT | CLK_FILTER_LINEAR;

__kernel void mix_all(__read_only image2d_t from, __read_only image3d_t volume, __read_only image2d_array_t layers,
                      sampler_t by, __write_only image2d_t to, __global float4* out) {
  const sampler_t near = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP | CLK_FILTER_NEAREST;
  int2 at = (int2)(get_global_id(0), get_global_id(1));
  int2 size = get_image_dim(from);
  int i = at.y * get_image_width(from) + at.x;
  float2 middle = (convert_float2(at) + 0.5f) / convert_float2(size);
  float4 sum = read_imagef(from, smooth, middle + 0.25f) + read_imagef(from, at);
  sum += read_imagef(from, near, at + (int2)(1, 0));
  sum += read_imagef(volume, by, (float4)(at.x + 0.5f, at.y + 0.5f, 1.25f, 0));
  sum += read_imagef(layers, by, (float4)(at.x + 0.5f, at.y + 0.5f, 1.4f, 0));
  out[i] = sum;
  write_imagef(to, at, (float4)(sum.xy, 0.0f, 1.0f));
}

__kernel void halves(read_only image2d_t from, write_only image2d_t to) {
  int2 at = (int2)(get_global_id(0), get_global_id(1));
  write_imageui(to, at, read_imageui(from, at) / 2);
}
)";

}  // namespace

YOKE_DEVICE_TEST_CASE("images and samplers of OpenCL C mean the same on every backend", "[image][opencl_c]") {
  rig on(device);
  const auto module = yoke::compile(on.context, source, {.language = yoke::source_language::opencl_c});
  const auto mix_all = yoke::get_kernel<void(yoke::read_image<yoke::float4, 2>, yoke::read_image<float, 3>,
                                             yoke::read_layered_image<float, 2>, yoke::sampler,
                                             yoke::write_image<yoke::float4, 2>, yoke::float4*)>(module, "mix_all");
  std::vector<yoke::float4> texels;
  for (int i = 0; i < 12; ++i) texels.push_back({static_cast<float>(i), 2.0F * static_cast<float>(i), -1, 1});
  const yoke::image<yoke::float4, 2, port> from{on.context, texels, {4, 3}, on.stream};
  const yoke::image<float, 3, port> volume{on.context, counting<float>(24), {4, 3, 2}, on.stream};
  const yoke::layered_image<float, 2, port> layers{on.context, counting<float>(36), {4, 3}, 3, on.stream};
  yoke::image<yoke::float4, 2, port> to{on.context, {4, 3}};
  std::vector<yoke::float4> out(12);
  mix_all(on.stream, {.grid = {4, 3}}, from, volume, layers, yoke::sampler{.filter = yoke::filter_mode::linear}, to,
          yoke::in_out(out));
  std::vector<yoke::float4> written(12);
  yoke::copy(to, written, on.stream);
  for (int i = 0; i < 12; ++i) {
    INFO(i);
    const int x = i % 4;
    const int y = i / 4;
    // A quarter of the image on is a column and 3/4 of a row; beside, below in the volume and in the second layer are 1, 1 + 9
    // and 1 + 12 more.
    const auto found = static_cast<double>(out[static_cast<std::size_t>(i)].x);
    if (x < 3 && y < 2) CHECK(found == Approx(5.0 * i + 28).margin(0.2));
    CHECK(written[static_cast<std::size_t>(i)].x == out[static_cast<std::size_t>(i)].x);
    CHECK(written[static_cast<std::size_t>(i)].w == 1.0F);
    CHECK(out[static_cast<std::size_t>(i)].w == Approx(x == 3 ? 4.0 : 5.0));  // the border has no opacity
  }
  const auto halves =
      yoke::get_kernel<void(yoke::read_image<yoke::uint4, 2>, yoke::write_image<yoke::uint4, 2>)>(module, "halves");
  // Access is a part of the type.
  using reads_both = void(yoke::read_image<yoke::uint4, 2>, yoke::read_image<yoke::uint4, 2>);
  using writes_both = void(yoke::read_write_image<yoke::uint4, 2>, yoke::write_image<yoke::uint4, 2>);
  if (halves.checked() == yoke::signature_check::names || halves.checked() == yoke::signature_check::types) {
    CHECK_THROWS_WITH(yoke::get_kernel<reads_both>(module, "halves"), ContainsSubstring("write_only image2d_t"));
    CHECK_THROWS_AS(yoke::get_kernel<writes_both>(module, "halves"), yoke::logic_error);
  }
  const yoke::image<yoke::uchar4, 2, port> bytes{
      on.context, std::vector<yoke::uchar4>(4, yoke::uchar4{200, 100, 7, 255}), {2, 2}, on.stream};
  yoke::image<yoke::uchar4, 2, port> half{on.context, {2, 2}};
  halves(on.stream, {.grid = {2, 2}}, bytes, half);
  std::vector<yoke::uchar4> back(4);
  yoke::copy(half, back, on.stream);
  CHECK(back == std::vector<yoke::uchar4>(4, yoke::uchar4{100, 50, 3, 127}));
}

YOKE_DEVICE_TEST_CASE("every kind of image is read, written and asked by OpenCL C's words", "[image][opencl_c]") {
  rig on(device);
  const auto module = yoke::compile(on.context, R"(
__constant sampler_t edge = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP_TO_EDGE | CLK_FILTER_NEAREST;
__constant sampler_t around = CLK_NORMALIZED_COORDS_TRUE | CLK_ADDRESS_REPEAT | CLK_FILTER_NEAREST;
__constant sampler_t inside = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_NONE | CLK_FILTER_NEAREST;
constant sampler_t zeros = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP | CLK_FILTER_LINEAR;

__kernel void reads(read_only image1d_t line, read_only image1d_array_t lines, read_only image2d_t plane,
                    read_only image2d_array_t planes, read_only image3d_t volume, __global int* out) {
  out[0] = get_image_width(line);
  out[1] = get_image_width(lines) + 10 * (int)get_image_array_size(lines);
  out[2] = get_image_width(plane) + 10 * get_image_height(plane);
  out[3] = get_image_dim(planes).x + 10 * get_image_dim(planes).y + 100 * (int)get_image_array_size(planes);
  out[4] = get_image_dim(volume).x + 10 * get_image_dim(volume).y + 100 * get_image_dim(volume).z;
  out[5] = get_image_width(volume) + 10 * get_image_height(volume) + 100 * get_image_depth(volume);
  out[6] = read_imagei(line, edge, 7).x;
  out[7] = read_imagei(line, edge, -3.0f).x;
  out[8] = read_imagei(line, around, 1.3f).x;
  out[9] = read_imagei(line, 2).x;
  out[10] = read_imagei(lines, edge, (int2)(2, 1)).x;
  out[11] = read_imagei(lines, inside, (float2)(2.5f, 2.0f)).x;
  out[12] = read_imagei(lines, (int2)(4, 2)).x;
  out[13] = (int)read_imageui(plane, edge, (int2)(9, 1)).x;
  out[14] = (int)read_imageui(plane, edge, (float2)(1.5f, 9.0f)).x;
  out[15] = (int)read_imageui(plane, (int2)(1, 2)).x;
  out[16] = (int)read_imagef(planes, edge, (int4)(1, 2, 1, 0)).x;
  out[17] = (int)read_imagef(planes, inside, (float4)(3.5f, 0.5f, 0.0f, 0.0f)).x;
  out[18] = (int)read_imagef(planes, (int4)(0, 1, 1, 0)).x;
  out[19] = (int)read_imagef(volume, edge, (int4)(-1, 1, 5, 0)).x;
  out[20] = (int)(4.0f * read_imagef(volume, zeros, (float4)(1.5f, 1.5f, 1.25f, 0.0f)).x);
  out[21] = (int)read_imagef(volume, (int4)(3, 2, 0, 0)).x;
  // Channels that an image does not have.
  int4 one = read_imagei(line, 0);
  float4 number = read_imagef(volume, (int4)(0, 0, 0, 0));
  out[22] = one.y == 0 && one.z == 0 && number.y == 0 && number.z == 0;
  out[23] = (int)read_imagef(volume, zeros, (float4)(-4.0f, 0.5f, 0.5f, 0.0f)).x;
  out[24] = one.w + 10 * (int)number.w;
}

__kernel void writes(write_only image1d_t line, write_only image1d_array_t lines, write_only image2d_t plane,
                     write_only image2d_array_t planes, write_only image3d_t volume) {
  int x = get_global_id(0), y = get_global_id(1), z = get_global_id(2);
  if (y == 0 && z == 0) write_imagei(line, x, (int4)(-x, 7, 7, 7));
  if (z == 0) {
    write_imagei(lines, (int2)(x, y), (int4)(x - 10 * y, 7, 7, 7));
    write_imageui(plane, (int2)(x, y), (uint4)(x + 10 * y, 7, 7, 7));
  }
  write_imagef(planes, (int4)(x, y, z, 0), (float4)(x + 10 * y + 100 * z, 7.0f, 7.0f, 7.0f));
  write_imagef(volume, (int4)(x, y, z, 0), (float4)(0.5f * (x + 10 * y + 100 * z), 7.0f, 7.0f, 7.0f));
}
)",
                                    {.language = yoke::source_language::opencl_c});
  using integer = std::int32_t;
  yoke::image<integer, 1, port> line{on.context, counting<integer>(5), 5, on.stream};
  yoke::layered_image<integer, 1, port> lines{on.context, counting<integer>(15), 5, 3, on.stream};
  yoke::image<std::uint32_t, 2, port> plane{on.context, counting<std::uint32_t>(12), {4, 3}, on.stream};
  yoke::layered_image<float, 2, port> planes{on.context, counting<float>(24), {4, 3}, 2, on.stream};
  yoke::image<float, 3, port> volume{on.context, counting<float>(24), {4, 3, 2}, on.stream};
  const auto reads = yoke::get_kernel<void(yoke::read_image<integer, 1>, yoke::read_layered_image<integer, 1>,
                                           yoke::read_image<std::uint32_t, 2>, yoke::read_layered_image<float, 2>,
                                           yoke::read_image<float, 3>, int*)>(module, "reads");
  std::vector<int> found(25);
  reads(on.stream, {.grid = 1}, line, lines, plane, planes, volume, yoke::out(found));
  // The first texel is 1, and each is one more than the one before it. PoCL 3.1 gives no 1 for a fourth channel.
  std::vector<int> expected{5, 35, 34, 234, 234, 234, 5, 1, 2, 3, 8, 13, 15, 8, 10, 10, 22, 4, 17, 17, 60, 12, 1, 0};
  expected.push_back(is_pocl(on.device) ? found[24] : 11);
  for (std::size_t i = 0; i < found.size(); ++i) {
    INFO("out[" << i << "]");
    CHECK(found[i] == expected[i]);
  }

  const auto writes = yoke::get_kernel<void(yoke::write_image<integer, 1>, yoke::write_layered_image<integer, 1>,
                                            yoke::write_image<std::uint32_t, 2>, yoke::write_layered_image<float, 2>,
                                            yoke::write_image<float, 3>)>(module, "writes");
  writes(on.stream, {.grid = {4, 3, 2}}, line, lines, plane, planes, volume);
  const auto texel = [&](const auto& image, std::size_t at) { return yoke::to_host(image, on.stream)[at]; };
  CHECK(texel(line, 3) == -3);
  CHECK(texel(line, 4) == 5);  // which no work-item writes
  CHECK(texel(lines, 2 + 5 * 2) == 2 - 20);
  CHECK(texel(plane, 3 + 4 * 2) == 23);
  CHECK(texel(planes, 1 + 4 * (2 + 3 * 1)) == 121.0F);
  CHECK(texel(volume, 3 + 4 * (1 + 3 * 1)) == 56.5F);
}

YOKE_DEVICE_TEST_CASE("a kernel of OpenCL C asks an image for its format", "[image][opencl_c]") {
  rig on(device);
  const auto module = yoke::compile(on.context, R"(
__kernel void format_of(__read_only image2d_t of, __global int* to) {
  to[0] = get_image_channel_order(of);
  to[1] = get_image_channel_data_type(of);
  to[2] = get_image_channel_data_type(of) == CLK_FLOAT && get_image_channel_order(of) == CLK_RGBA;
}
)",
                                    {.language = yoke::source_language::opencl_c});
  for_each_texel([&]<class T>() {
    using image = yoke::image<T, 2, port>;
    INFO(yoke::to_string(image::format));
    const image of = made_or_refused<image>(on.context, yoke::extent3{3, 2});
    if (!of) return;
    std::vector<int> found(3);
    yoke::get_kernel<void(yoke::read_image<typename image::kernel_type, 2>, int*)>(module, "format_of")(
        on.stream, {.grid = 1}, of, yoke::out(found));
    const auto told = yoke::opencl::detail::native_format(image::format);  // the numbers are the same
    CHECK(found[0] == static_cast<int>(told.channel_order));
    CHECK(found[1] == static_cast<int>(told.channel_data_type));
    CHECK((found[2] == 1) == std::is_same_v<T, yoke::float4>);
  });
}

YOKE_DEVICE_TEST_CASE("a kernel of OpenCL C reads what it has written to an image", "[image][opencl_c]") {
  rig on(device);
  yoke::compile_options options{.language = yoke::source_language::opencl_c};
  if constexpr (std::is_same_v<port, yoke::opencl::port>) options.options = {"-cl-std=CL3.0"};
  const auto module = yoke::compile(on.context, opencl_c_sources::read_back, options);
  const auto names = module.kernel_names();
  if (names.size() == 1) YOKE_SKIP("the device lacks READ_WRITE_IMAGES");
  const auto check = [&]<class T>(const std::vector<T>& texels, const std::vector<yoke::float4>& expected) {
    using image = yoke::image<T, 2, port>;
    image both{on.context, texels, {3, 2}, on.stream};
    std::vector<yoke::float4> out(6);
    yoke::get_kernel<void(yoke::read_write_image<typename image::kernel_type, 2>, yoke::float4*)>(module, "numbers")(
        on.stream, {.grid = {3, 2}}, both, yoke::in_out(out));
    CHECK(out == expected);
  };
  std::vector<yoke::float4> fours, ones;
  std::vector<float> scalars;
  for (int i = 0; i < 6; ++i) {
    const auto n = static_cast<float>(i);
    fours.push_back({n, -n, 0.5F, 1});
    scalars.push_back(n);
    ones.push_back({8 * n, 0, 0, 1});  // channels that an image does not have
  }
  check(scalars, ones);
  std::vector<yoke::float4> eightfold;
  for (const yoke::float4& each : fours) eightfold.push_back({8 * each.x, 8 * each.y, 8 * each.z, 8 * each.w});
  check(fours, eightfold);
  const auto integers =
      yoke::get_kernel<void(yoke::read_write_image<std::uint32_t, 1>, yoke::read_write_image<std::int32_t, 3>,
                            yoke::read_write_layered_image<std::int32_t, 2>, int*)>(module, "integers");
  yoke::image<std::uint8_t, 1, port> line{on.context, std::vector<std::uint8_t>{1, 2, 255}, {3}, on.stream};
  yoke::image<std::int16_t, 3, port> volume{on.context, std::vector<std::int16_t>(12, 5), {3, 2, 2}, on.stream};
  yoke::layered_image<std::int32_t, 2, port> layers{on.context, std::vector<std::int32_t>(12, 7), {3, 2}, 2, on.stream};
  std::vector<int> out(3);
  integers(on.stream, {.grid = 3}, line, volume, layers, yoke::in_out(out));
  CHECK(out == std::vector<int>{210402, 210403, 210655});  // 255 stays: a write saturates
}
