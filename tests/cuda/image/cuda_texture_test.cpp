// SPDX-License-Identifier: MIT
// CUDA's arrays, mipmaps, texture and surface objects: shapes, reads of every kind, what keeps what alive, and refusals.
#include <cuda/cuda_rig.hpp>
#include <image/image_rig.hpp>
#include <yoke/array.hpp>

#include <cmath>
#include <complex>
#include <cstring>
#include <iterator>
#include <limits>
#include <memory>
#include <utility>

using namespace yoke_test;
namespace cu = yoke::cuda;

namespace {

using object = unsigned long long;

/// Returns: what a body, which sets `to[i]`, gives in a kernel that has an object `o`.
template <class R = float>
std::vector<R> run(rig<cuda_backend>& on, object o, const std::string& body, std::size_t count,
                   const std::string& type = "float") {
  const auto module =
      yoke::compile(on.context, std::string(cu::wide_texels) + "extern \"C\" __global__ void k(unsigned long long o, " +
                                    type + "* to) { int i = threadIdx.x; " + body + " }");
  std::vector<R> found(count);
  yoke::get_kernel<void(object, R*)>(module, "k")(on.stream, {.grid = 1, .block = count}, o, yoke::in_out(found));
  return found;
}

template <class Act>
std::string refused(Act&& act, yoke::errc condition = yoke::errc::invalid_argument) {
  return refusal<yoke::logic_error>(condition, std::forward<Act>(act));
}

}  // namespace

YOKE_CUDA_TEST_CASE("arrays of every shape are made, described and copied", "[image][cuda]") {
  rig on(device);
  const auto before = on.live();
  const auto check = [&](const cu::array_shape& shape, std::size_t count, std::size_t depth, unsigned flags) {
    cu::array<float> made{on.context, shape};
    CHECK(made.shape() == shape);
    CHECK(made.size() == count);
    const auto described = made.descriptor();
    CHECK(described.width == shape.width);
    CHECK(described.height == shape.height);
    CHECK(described.depth == depth);
    CHECK(described.format == cu::abi::array_format::float_);
    CHECK(described.channels == 1);
    CHECK(described.flags == flags);
    const auto texels = random_texels<float>(count);
    std::vector<float> back(count);
    yoke::copy(texels, made, on.stream);
    yoke::copy(made, back, on.stream);
    CHECK(back == texels);
    yoke::fill(made, 2.5F, on.stream);
    yoke::copy(made, back, on.stream);
    CHECK(back == std::vector<float>(count, 2.5F));
  };
  using namespace cu::abi;
  check({.width = 9}, 9, 0, 0);
  check({.width = 9, .height = 4, .surface = true}, 36, 0, array_surface_ldst);
  check({.width = 5, .height = 4, .depth = 3}, 60, 3, 0);
  check({.width = 9, .layers = 4}, 36, 4, array_layered);
  check({.width = 5, .height = 4, .layers = 3}, 60, 3, array_layered);
  check({.width = 4, .height = 4, .cubemap = true}, 96, 6, array_cubemap);
  check({.width = 4, .height = 4, .layers = 2, .cubemap = true}, 192, 12, array_cubemap | array_layered);
  check({.width = 8, .height = 4, .gather = true}, 32, 0, array_texture_gather);
  CHECK(on.live() == before);
}

YOKE_CUDA_TEST_CASE("a region of an array is copied, and arrays are adopted, borrowed and released", "[image][cuda]") {
  rig on(device);
  const auto before = on.live();
  cu::array<float> made{on.context, {.width = 6, .height = 5}};
  yoke::copy(counting<float>(30), made, on.stream);
  std::vector<float> part(6);
  yoke::copy(cu::region(std::as_const(made), {2, 1}, {3, 2}), part, on.stream);
  CHECK(part == std::vector<float>{9, 10, 11, 15, 16, 17});
  CHECK_THAT(refused(
                 [&] {
                   (void)cu::region(made, {4, 0}, {3, 1});
                 },
                 yoke::errc::out_of_range),
             ContainsSubstring("x = 4"));
  const auto native = made.release();
  CHECK(!made);
  {
    const auto lent = cu::array<float>::borrow(on.context, native);
    CHECK(lent.shape() == cu::array_shape{.width = 6, .height = 5});
  }
  CHECK_THAT(refused([&] { (void)cu::array<std::uint8_t>::adopt(on.context, native); }),
             ContainsSubstring("another format than unsigned8"));
  CHECK_THAT(refused([&] { (void)cu::array<float>::adopt(on.context, nullptr); }), ContainsSubstring("array"));
  { const auto owned = cu::array<float>::adopt(on.context, native); }
  CHECK(on.live() == before);
  CHECK_THAT(refused([&] { (void)made.descriptor(); }, yoke::errc::empty_handle), ContainsSubstring("array"));
}

YOKE_CUDA_TEST_CASE("arrays are copied to and from device memory, other arrays, levels, cubes and images",
                    "[image][cuda]") {
  rig on(device);
  const auto check = [&](auto& to, std::size_t count) {
    const auto texels = random_texels<float>(count);
    std::vector<float> back(count);
    // Device memory to an array, and back into a part of other memory.
    const cu::device_allocation<float> source{on.context, texels, on.stream};
    yoke::copy(source, to, on.stream);
    cu::device_allocation<float> memory{on.context, count + 2};
    yoke::fill(memory, 0.5F, on.stream);
    yoke::copy(std::as_const(to), memory.subspan(1, count), on.stream);
    auto expected = texels;
    expected.insert(expected.begin(), 0.5F);
    expected.push_back(0.5F);
    CHECK(download(memory, on.stream) == expected);
    // To another array of its shape, and from there to the host.
    cu::array<float> other{on.context, to.shape()};
    yoke::copy(std::as_const(to), other, on.stream);
    yoke::copy(other, back, on.stream);
    CHECK(back == texels);
  };
  cu::array<float> line{on.context, {.width = 9}};
  cu::array<float> plane{on.context, {.width = 7, .height = 5}};
  cu::array<float> volume{on.context, {.width = 5, .height = 4, .depth = 3}};
  cu::array<float> lines{on.context, {.width = 9, .layers = 4}};
  cu::array<float> planes{on.context, {.width = 5, .height = 4, .layers = 3}};
  cu::array<float> cube{on.context, {.width = 3, .height = 3, .cubemap = true}};
  const cu::mipmapped_array<float> pyramid{on.context, {.width = 14, .height = 10}, 2};
  auto level = pyramid.level(1);
  check(line, 9);
  check(plane, 35);
  check(volume, 60);
  check(lines, 36);
  check(planes, 60);
  check(cube, 54);
  check(level, 35);

  // Parts: of a level to an array, of an array to an image and back to device memory.
  std::vector<float> all(35);
  yoke::copy(counting<float>(35), level, on.stream);
  yoke::fill(plane, 0.0F, on.stream);
  yoke::copy(cu::region(std::as_const(level), {0, 1}, {3, 2}), cu::region(plane, {4, 3}, {3, 2}), on.stream);
  yoke::copy(plane, all, on.stream);
  std::vector<float> expected(35);
  for (std::size_t y = 0; y < 2; ++y) {
    for (std::size_t x = 0; x < 3; ++x) expected[4 + x + 7 * (3 + y)] = static_cast<float>(1 + x + 7 * (1 + y));
  }
  CHECK(all == expected);
  cu::image<float, 2> image{on.context, {2, 2}};
  yoke::copy(cu::region(std::as_const(plane), {5, 3}, {2, 2}), image, on.stream);
  cu::device_allocation<float> memory{on.context, 4};
  yoke::copy(image, memory, on.stream);
  CHECK(download(memory, on.stream) == std::vector<float>{9, 10, 16, 17});
  yoke::copy(cu::region(std::as_const(plane), {4, 3}, {2, 2}), memory, on.stream);
  CHECK(download(memory, on.stream) == std::vector<float>{8, 9, 15, 16});
  yoke::copy(memory, cu::region(cube, {0, 1, 5}, {2, 2, 1}), on.stream);
  std::vector<float> faces(54);
  yoke::copy(cube, faces, on.stream);
  CHECK(faces[45 + 3] == 8);
  CHECK(faces[45 + 7] == 16);
  CHECK_THAT(refused([&] { yoke::copy(std::as_const(level), line, on.stream); }, yoke::errc::size_mismatch),
             ContainsSubstring("7 x 5") && ContainsSubstring("9"));
}

YOKE_CUDA_TEST_CASE("textures read arrays with every address and filter", "[image][cuda]") {
  rig on(device);
  cu::array<float> plane{on.context, {.width = 4}};
  yoke::copy(counting<float>(4), plane, on.stream);
  using enum yoke::address_mode;
  const auto read = [&](yoke::address_mode address, bool linear, const std::vector<float>& expected) {
    const cu::texture of{plane,
                         {.address = {address},
                          .filter = linear ? yoke::filter_mode::linear : yoke::filter_mode::nearest,
                          .normalised = true,
                          .border = {9, 0, 0, 0}}};
    // At -1/2, 1/4 and 5/4 of the image, a sixteenth on.
    const auto found =
        run(on, of.native_handle(), "to[i] = tex1D<float>(o, 0.0625f + (i == 0 ? -0.5f : i == 1 ? 0.25f : 1.25f));", 3);
    for (std::size_t i = 0; i < 3; ++i) {
      INFO("address " << static_cast<int>(address) << ", place " << i);
      CHECK(found[i] == Approx(expected[i]).margin(linear ? 3.0 / 256 : 0));
    }
  };
  read(clamp_to_edge, false, {1, 2, 4});
  read(border, false, {9, 2, 9});
  read(repeat, false, {3, 2, 2});
  read(mirrored_repeat, false, {2, 2, 3});
  read(clamp_to_edge, true, {1, 1.75F, 4});
  read(border, true, {9, 1.75F, 9});
  read(repeat, true, {2.75F, 1.75F, 1.75F});
  read(mirrored_repeat, true, {2.25F, 1.75F, 3.25F});
}

YOKE_CUDA_TEST_CASE("textures read layers, cubes, gathers and mipmaps", "[image][cuda]") {
  rig on(device);
  cu::array<float> layers{on.context, {.width = 2, .height = 2, .layers = 3}};
  yoke::copy(counting<float>(12), layers, on.stream);
  const cu::texture of_layers{layers};
  CHECK(run(on, of_layers.native_handle(), "to[i] = tex2DLayered<float>(o, 1.5f, 0.5f, i);", 3) ==
        std::vector<float>{2, 6, 10});

  cu::array<float> cube{on.context, {.width = 1, .height = 1, .cubemap = true}};
  yoke::copy(counting<float>(6), cube, on.stream);
  const cu::texture of_cube{cube, {.normalised = true}};
  CHECK(run(on, of_cube.native_handle(),
            "float s = i % 2 ? -1.0f : 1.0f; int a = i / 2; "
            "to[i] = texCubemap<float>(o, a == 0 ? s : 0, a == 1 ? s : 0, a == 2 ? s : 0);",
            6) == std::vector<float>{1, 2, 3, 4, 5, 6});

  cu::array<float> four{on.context, {.width = 2, .height = 2, .gather = true}};
  yoke::copy(counting<float>(4), four, on.stream);
  const cu::texture of_four{four};
  CHECK(run(on, of_four.native_handle(),
            "float4 t = tex2Dgather<float4>(o, 1.0f, 1.0f, 0); to[0] = t.x; to[1] = t.y; to[2] = t.z; to[3] = t.w;",
            4) == std::vector<float>{3, 4, 2, 1});

  cu::mipmapped_array<float> mipmap{on.context, {.width = 4, .height = 4}, 3};
  CHECK(mipmap.levels() == 3);
  for (unsigned i = 0; i < 3; ++i) {
    auto level = mipmap.level(i);
    CHECK(level.shape().width == 4U >> i);
    yoke::fill(level, static_cast<float>(10 * i), on.stream);
  }
  const cu::texture of_mipmap{mipmap, {.normalised = true, .level_filter = yoke::filter_mode::linear, .last_level = 2}};
  const auto found = run(on, of_mipmap.native_handle(), "to[i] = tex2DLod<float>(o, 0.5f, 0.5f, 0.5f * i);", 5);
  for (std::size_t i = 0; i < 5; ++i) CHECK(found[i] == Approx(5.0F * static_cast<float>(i)).margin(0.1));
  CHECK_THAT(refused([&] { cu::mipmapped_array<float>(on.context, {.width = 4, .height = 4}, 4); }),
             ContainsSubstring("has 1 to 3 levels, not 4"));
  CHECK_THAT(refused([&] { (void)mipmap.level(3); }, yoke::errc::out_of_range),
             ContainsSubstring("level 3 of a mipmapped array of 3"));
}

YOKE_CUDA_TEST_CASE("textures read bytes as integers, as numbers and as sRGB", "[image][cuda]") {
  rig on(device);
  cu::array<yoke::uchar4> bytes{on.context, {.width = 2}};
  yoke::copy(std::vector<yoke::uchar4>{{0, 51, 128, 255}, {255, 128, 51, 128}}, bytes, on.stream);
  const std::string four = "to[0] = t.x; to[1] = t.y; to[2] = t.z; to[3] = t.w;";
  const cu::texture whole(bytes, {.as_integers = true});
  CHECK(whole.descriptor().flags == cu::abi::texture_read_as_integer);
  CHECK(run(on, whole.native_handle(), "uchar4 t = tex1D<uchar4>(o, 0.5f); " + four, 4) ==
        std::vector<float>{0, 51, 128, 255});
  const auto check = [&](const cu::texture& of, const char* at, const std::vector<float>& expected) {
    const auto found = run(on, of.native_handle(), std::string("float4 t = tex1D<float4>(o, ") + at + "); " + four, 4);
    for (std::size_t i = 0; i < 4; ++i) {
      INFO("at " << at << ", channel " << i);
      CHECK(found[i] == Approx(expected[i]).margin(1.0 / 512));
    }
  };
  check(cu::texture(bytes), "0.5f", {0, 0.2F, 128 / 255.0F, 1});
  check(cu::texture(bytes, {.filter = yoke::filter_mode::linear}), "1.0f",
        {0.5F, 179 / 510.0F, 179 / 510.0F, 383 / 510.0F});
  const cu::texture colours(bytes, {.srgb = true});
  CHECK(colours.descriptor().flags == cu::abi::texture_srgb);
  check(colours, "0.5f", {0, 0.03310F, 0.21586F, 1});
  check(colours, "1.5f", {1, 0.21586F, 0.03310F, 128 / 255.0F});  // alpha is linear
  cu::array<std::int16_t> shorts{on.context, {.width = 2}};
  yoke::copy(std::vector<std::int16_t>{-32767, 16384}, shorts, on.stream);
  const cu::texture numbers(shorts);
  const auto found = run(on, numbers.native_handle(), "to[i] = tex1D<float>(o, i + 0.5f);", 2);
  CHECK(found[0] == Approx(-1));
  CHECK(found[1] == Approx(16384 / 32767.0));
}

YOKE_CUDA_TEST_CASE("memory, rows and levels are read as integers and as numbers", "[image][cuda]") {
  rig on(device);
  std::vector<yoke::uchar4> texels;
  for (int i = 0; i < 15; ++i) {
    const auto byte = static_cast<std::uint8_t>(17 * i);
    texels.push_back({byte, static_cast<std::uint8_t>(255 - byte), 51, static_cast<std::uint8_t>(i)});
  }
  const auto linear = std::make_shared<cu::device_allocation<yoke::uchar4>>(on.context, texels, on.stream);
  const auto pitched = std::make_shared<cu::pitched_allocation<yoke::uchar4>>(on.context, 5, 3);
  yoke::copy(texels, *pitched, on.stream);
  const auto gaps = std::make_shared<cu::device_allocation<yoke::uchar4>>(on.context, 3 * 128);
  const yoke::box_layout box{5, 3, 1, 128, 0, 0};
  auto span = gaps->span();
  yoke::copy(texels, yoke::strided(span, box), on.stream);
  const cu::texture_rows<yoke::uchar4> rows{gaps, 5, 3, 128};
  const cu::mipmapped_array<yoke::uchar4> mipmap{on.context, {.width = 10, .height = 6}, 2};
  auto level = mipmap.level(1);
  yoke::copy(texels, level, on.stream);
  const auto check = [&](const auto& of, bool normalised, const std::string& fetch) {
    const auto read = [&](bool as_integers) {
      const cu::texture texture(of, {.normalised = normalised, .as_integers = as_integers, .last_level = 1});
      const std::string type = as_integers ? "uchar4" : "float4";
      std::string text = fetch;
      text.replace(text.find("V"), 1, type);
      return run(on, texture.native_handle(),
                 "const int x = i / 4 % 5, y = i / 20; const " + type + " t = " + text +
                     "; to[i] = i % 4 == 0 ? t.x : i % 4 == 1 ? t.y : i % 4 == 2 ? t.z : t.w;",
                 60);
    };
    const auto integers = read(true);
    const auto numbers = read(false);
    for (std::size_t i = 0; i < 60; ++i) {
      const yoke::uchar4& texel = texels[i / 4];
      const std::uint8_t channels[] = {texel.x, texel.y, texel.z, texel.w};
      INFO(fetch << ", channel " << i);
      CHECK(integers[i] == static_cast<float>(channels[i % 4]));
      CHECK(numbers[i] == Approx(channels[i % 4] / 255.0).margin(1e-6));
    }
  };
  check(linear, false, "tex1Dfetch<V>(o, x + 5 * y)");
  check(pitched, false, "tex2D<V>(o, x + 0.5f, y + 0.5f)");
  check(rows, false, "tex2D<V>(o, x + 0.5f, y + 0.5f)");
  check(mipmap, true, "tex2DLod<V>(o, (x + 0.5f) / 5, (y + 0.5f) / 3, 1.0f)");
}

YOKE_CUDA_TEST_CASE("levels of mipmaps are biased and bounded", "[image][cuda]") {
  rig on(device);
  const cu::mipmapped_array<float> mipmap{on.context, {.width = 8, .height = 8}, 4};
  for (unsigned i = 0; i < 4; ++i) {
    auto level = mipmap.level(i);
    yoke::fill(level, static_cast<float>(10 * i), on.stream);
  }
  const auto check = [&](const cu::texture_options& options, const std::vector<float>& expected) {
    const cu::texture of(mipmap, options);
    const auto found = run(on, of.native_handle(), "to[i] = tex2DLod<float>(o, 0.5f, 0.5f, (float)i);", 4);
    for (std::size_t i = 0; i < 4; ++i) {
      INFO("level " << i);
      CHECK(found[i] == Approx(expected[i]).margin(0.1));
    }
  };
  using enum yoke::filter_mode;
  check({.normalised = true, .last_level = 3}, {0, 10, 20, 30});
  check({.normalised = true, .level_bias = 1, .last_level = 3}, {10, 20, 30, 30});
  check({.normalised = true, .level_filter = linear, .level_bias = 0.5F, .last_level = 3}, {5, 15, 25, 30});
  check({.normalised = true, .least_level = 1, .last_level = 2}, {10, 10, 20, 20});
  check({.normalised = true, .level_filter = linear, .least_level = 0.5F, .last_level = 2.5F}, {5, 10, 20, 25});
  const cu::texture_options all{.normalised = true, .max_anisotropy = 4, .exact_trilinear = true, .last_level = 3};
  check(all, {0, 10, 20, 30});
  const cu::texture of(mipmap, all);
  const auto told = of.descriptor();
  CHECK(told.max_anisotropy == 4);
  CHECK(told.max_mipmap_level == 3);
  CHECK((told.flags & cu::abi::texture_normalized_coordinates) != 0);
}

YOKE_CUDA_TEST_CASE("matrices of either order and device memory become arrays that kernels read by tex2D",
                    "[image][cuda]") {
  rig on(device);
  const std::size_t rows = 2;
  const std::size_t columns = 3;
  const auto by_rows = counting<float>(6);  // row y, column x is at y * columns + x
  const std::vector<float> by_columns{by_rows[0], by_rows[3], by_rows[1], by_rows[4], by_rows[2], by_rows[5]};
  const std::string at = "float2 p = make_float2(i % 3 + 0.5f, i / 3 + 0.5f); ";
  cu::array<float> c{on.context, {.width = columns, .height = rows, .surface = true}};
  yoke::copy(by_rows, c, on.stream);
  const cu::texture of_c(c);
  CHECK(run(on, of_c.native_handle(), at + "to[i] = tex2D<float>(o, p.x, p.y);", 6) == by_rows);
  cu::array<float> f{on.context, {.width = rows, .height = columns}};
  yoke::copy(by_columns, f, on.stream);
  const cu::texture of_f(f);
  CHECK(run(on, of_f.native_handle(), at + "to[i] = tex2D<float>(o, p.y, p.x);", 6) == by_rows);
  // The same of device memory; kernels write an array that has surfaces.
  const cu::device_allocation<float> x{on.context, by_rows, on.stream};
  cu::array<float> from_device{on.context, {.width = columns, .height = rows, .surface = true}};
  yoke::copy(x, from_device, on.stream);
  const cu::texture of_device(from_device);
  CHECK(run(on, of_device.native_handle(), at + "to[i] = tex2D<float>(o, p.x, p.y);", 6) == by_rows);
  const cu::surface written(from_device);
  (void)run(on, written.native_handle(), "surf2Dwrite(7.0f, o, 4 * (i % 3), i / 3); to[i] = 0;", 6);
  CHECK(run(on, of_device.native_handle(), at + "to[i] = tex2D<float>(o, p.x, p.y);", 6) == std::vector<float>(6, 7));
  // Doubles are texels of two integers.
  const std::vector<double> numbers{1.5, -2.25, 1e300, 4};
  std::vector<yoke::int2> bits(4);
  std::memcpy(bits.data(), numbers.data(), sizeof(double) * 4);
  cu::array<yoke::int2> wide{on.context, {.width = 2, .height = 2}};
  yoke::copy(bits, wide, on.stream);
  const cu::texture of_wide(wide);
  CHECK(run<double>(on, of_wide.native_handle(), "to[i] = wide_double(tex2D<int2>(o, i % 2 + 0.5f, i / 2 + 0.5f));", 4,
                    "double") == numbers);
}

YOKE_CUDA_TEST_CASE("a texture tells what it was made with", "[image][cuda]") {
  rig on(device);
  using enum yoke::address_mode;
  const cu::array<yoke::ushort4> plane{on.context, {.width = 4, .height = 2, .depth = 2}};
  const cu::texture of(plane, {.address = {repeat, border, mirrored_repeat},
                               .filter = yoke::filter_mode::linear,
                               .normalised = true,
                               .border = {0.5F, 1, 2, 3}});
  const auto told = of.descriptor();
  CHECK(told.address[0] == cu::abi::address_mode::wrap);
  CHECK(told.address[1] == cu::abi::address_mode::border);
  CHECK(told.address[2] == cu::abi::address_mode::mirror);
  CHECK(told.filter == cu::abi::filter_mode::linear);
  CHECK(told.flags == cu::abi::texture_normalized_coordinates);
  // NVIDIA's driver 13.0 answers zeros, whatever it was given; the border that kernels read is the given one.
  const std::vector<float> border_colour(std::begin(told.border_colour), std::end(told.border_colour));
  CHECK((border_colour == std::vector<float>{0.5F, 1, 2, 3} ||
         (!is_simulated(device) && border_colour == std::vector<float>(4))));
  const cu::texture plain(plane);
  for (const auto each : plain.descriptor().address) CHECK(each == cu::abi::address_mode::clamp);
  // An array's resource has only the array: the format is the texture's own, or that of its view.
  CHECK(of.resource().type == cu::abi::resource_type::array);
  CHECK(of.resource().of_array.handle == plane.native_handle());
  CHECK(of.format() == yoke::image_format{yoke::channel_type::unsigned16, 4});
  CHECK(plane.descriptor().format == cu::abi::array_format::unsigned_int16);
  CHECK(plane.descriptor().channels == 4);
  const cu::array<float> words{on.context, {.width = 4, .height = 2}};
  const yoke::image_format pixels{yoke::channel_type::unorm8, 4};
  CHECK(cu::texture(words, {.view = cu::texture_view{.format = pixels}}).format() == pixels);
  CHECK(cu::texture(words, {.view = cu::texture_view{}}).format() == cu::array<float>::format);
  const cu::texture none;
  CHECK_THAT(refused([&] { (void)none.format(); }, yoke::errc::empty_handle), ContainsSubstring("texture"));
}

YOKE_CUDA_TEST_CASE("textures read linear and pitched memory", "[image][cuda]") {
  rig on(device);
  const auto linear = std::make_shared<cu::device_allocation<float>>(on.context, counting<float>(8), on.stream);
  const cu::texture of_linear(linear);
  CHECK(run(on, of_linear.native_handle(), "to[i] = tex1Dfetch<float>(o, i + 6);", 2) == std::vector<float>{7, 8});
  const auto pitched = std::make_shared<cu::pitched_allocation<yoke::unorm<std::uint8_t, 4>>>(on.context, 3, 2);
  std::vector<yoke::unorm<std::uint8_t, 4>> texels(6);
  texels[4].channels[1] = 255;
  yoke::copy(texels, *pitched, on.stream);
  const cu::texture of_pitched(pitched, {.filter = yoke::filter_mode::linear});
  CHECK(run(on, of_pitched.native_handle(), "to[i] = tex2D<float4>(o, 1.5f, 1.5f).y;", 1) == std::vector<float>{1});
  const auto all = std::make_shared<cu::device_allocation<float>>(on.context, counting<float>(1024), on.stream);
  const cu::texture of_rows(cu::texture_rows<float>{all, 5, 8, 128});
  CHECK(run(on, of_rows.native_handle(), "to[i] = tex2D<float>(o, 4.5f, i + 0.5f);", 3) ==
        std::vector<float>{5, 133, 261});
  const auto told = of_pitched.resource();
  CHECK(told.type == cu::abi::resource_type::pitch2d);
  CHECK(told.pitch2d.width == 3);
  CHECK(told.pitch2d.height == 2);
  CHECK(told.pitch2d.pitch_bytes == pitched->row_pitch_bytes());
  CHECK(told.pitch2d.address == pitched->native_handle());
  CHECK(told.pitch2d.format == cu::abi::array_format::unsigned_int8);
  CHECK(told.pitch2d.channels == 4);
  const auto line = of_linear.resource();
  CHECK(line.type == cu::abi::resource_type::linear);
  CHECK(line.linear.address == linear->native_handle());
  CHECK(line.linear.format == cu::abi::array_format::float_);
  CHECK(line.linear.channels == 1);
  CHECK(line.linear.bytes == 32);
  CHECK(of_pitched.format() == yoke::image_format{yoke::channel_type::unorm8, 4});
  CHECK(of_linear.format() == yoke::image_format{yoke::channel_type::float32, 1});
  const auto offset = std::make_shared<cu::device_allocation<float>>(
      cu::device_allocation<float>::borrow(on.context, linear->native_handle() + 4, 4));
  CHECK_THAT(refused([&] { (void)cu::texture(offset); }, yoke::errc::misaligned),
             ContainsSubstring("no multiple of ") && ContainsSubstring("TEXTURE_ALIGNMENT"));
  CHECK_THAT(
      refused([&] { cu::texture(std::shared_ptr<const cu::device_allocation<float>>()); }, yoke::errc::empty_handle),
      ContainsSubstring("memory of a texture"));
}

YOKE_CUDA_TEST_CASE("a texture reads a span that begins anywhere, and says the offset", "[image][cuda]") {
  rig on(device);
  const cu::device_allocation<float> memory{on.context, counting<float>(64), on.stream};
  const cu::texture whole(on.context, memory.span());
  CHECK(whole.offset() == 0);
  CHECK(run(on, whole.native_handle(), "to[i] = tex1Dfetch<float>(o, i + 6);", 2) == std::vector<float>{7, 8});
  const auto part = memory.span().subspan(5, 10);
  CHECK_THAT(refused([&] { (void)cu::texture(on.context, part); }, yoke::errc::misaligned),
             ContainsSubstring("TEXTURE_ALIGNMENT"));
  const cu::texture offset(on.context, part, {.allow_offset = true});
  CHECK(offset.offset() == 5);
  CHECK(run(on, offset.native_handle(), "to[i] = tex1Dfetch<float>(o, i + " + std::to_string(offset.offset()) + ");",
            3) == std::vector<float>{6, 7, 8});
  // It ends with the span: what is read behind is 0.
  CHECK(run(on, offset.native_handle(), "to[i] = tex1Dfetch<float>(o, i + 14);", 3) == std::vector<float>{15, 0, 0});
  CHECK(offset.resource().linear.bytes == 15 * sizeof(float));
  CHECK(offset.resource().linear.address == memory.native_handle());
  const cu::texture aligned(on.context, memory.span(), {.allow_offset = true});
  CHECK((aligned.offset() == 0 && aligned.resource().linear.bytes == 256));
  using colour = yoke::unorm<std::uint8_t, 4>;
  const auto between = cu::device_allocation<colour>::borrow(on.context, memory.native_handle() + 6, 2);
  CHECK_THAT(
      refused([&] { (void)cu::texture(on.context, between.span(), {.allow_offset = true}); }, yoke::errc::misaligned),
      ContainsSubstring("which is 6 bytes behind a multiple of ") &&
          ContainsSubstring("not a whole number of texels of 4 bytes"));
  const cu::context other = cuda_backend::another_context(on.device);
  CHECK_THAT(refused([&] { (void)cu::texture(other, memory.span()); }, yoke::errc::wrong_context),
             ContainsSubstring("of another context"));
  CHECK_THAT(refused([&] { (void)cu::texture(on.context, cu::device_span<float>()); }, yoke::errc::empty_handle),
             ContainsSubstring("memory of a texture"));
  CHECK_THAT(refused([&] { (void)cu::texture(on.context, memory.span().subspan(64, 0)); }),
             ContainsSubstring("texels 0"));
}

YOKE_CUDA_TEST_CASE("a texture reads an array, or a view of one, and keeps its memory alive", "[image][cuda]") {
  rig on(device);
  auto line = yoke::arange<float>(64, on.stream);
  const cu::texture of_line(line);
  on.stream.synchronize();
  CHECK(run(on, of_line.native_handle(), "to[i] = tex1Dfetch<float>(o, i + 6);", 2) == std::vector<float>{6, 7});
  const cu::texture of_part(line(yoke::slice(3, 10)), {.allow_offset = true});
  CHECK(of_part.offset() == 3);
  line.reset();  // the textures keep the memory
  CHECK(run(on, of_part.native_handle(), "to[i] = tex1Dfetch<float>(o, i + 3);", 2) == std::vector<float>{3, 4});
  // Two axes: x runs along the last one.
  auto table = yoke::to_device_array(counting<float>(5 * 64), {5, 64}, on.stream);
  const cu::texture of_table(table, {.filter = yoke::filter_mode::linear});
  CHECK(run(on, of_table.native_handle(), "to[i] = tex2D<float>(o, 2.5f, i + 1.0f);", 3) ==
        std::vector<float>{35, 99, 163});
  const auto told = of_table.resource();
  CHECK((told.pitch2d.width == 64 && told.pitch2d.height == 5 && told.pitch2d.pitch_bytes == 256));
  const cu::texture of_columns(std::as_const(table)(yoke::slice(2, 5, 2), yoke::slice(0, 7)));
  CHECK(run(on, of_columns.native_handle(), "to[i] = tex2D<float>(o, i + 5.5f, 1.5f);", 2) ==
        std::vector<float>{262, 263});
  const yoke::device_array<float, 2, cu::port> padded{on.stream,
                                                      yoke::array_layout<2>{{3, 5}, {512, 4}, 0, sizeof(float)}};
  CHECK(cu::texture(padded).resource().pitch2d.pitch_bytes == 512);
  CHECK_THAT(refused([&] { (void)cu::texture(table.transpose()); }),
             ContainsSubstring("a view of (64, 5) with strides of (4, 256) bytes does not fit a texture"));
  CHECK_THAT(refused([&] { (void)cu::texture(table(0, yoke::slice(0, 64, 2))); }),
             ContainsSubstring("does not fit a texture"));
  CHECK_THAT(refused([&] { (void)cu::texture(table(yoke::reversed)); }), ContainsSubstring("does not fit a texture"));
  const yoke::device_array<float, 1, cu::port> none;
  CHECK_THAT(refused([&] { (void)cu::texture(none); }, yoke::errc::empty_handle), ContainsSubstring("device array"));
}

YOKE_CUDA_TEST_CASE("textures keep mipmaps, linear and pitched memory alive", "[image][cuda]") {
  rig on(device);
  const auto before = on.live();
  {
    auto linear = std::make_shared<cu::device_allocation<float>>(on.context, counting<float>(128), on.stream);
    auto pitched = std::make_shared<cu::pitched_allocation<float>>(on.context, 3, 2);
    yoke::copy(counting<float>(6), *pitched, on.stream);
    cu::mipmapped_array<float> mipmap{on.context, {.width = 4, .height = 4}, 2};
    auto level = mipmap.level(1);
    yoke::fill(level, 9.0F, on.stream);
    const cu::texture of_linear(linear);
    const cu::texture of_rows(cu::texture_rows<float>{linear, 5, 2, 64});
    const cu::texture of_pitched(pitched);
    const cu::texture of_mipmap(mipmap, {.normalised = true, .last_level = 1});
    level.reset();
    auto first = mipmap.level(0);  // a level keeps all of them, too
    mipmap.reset();
    yoke::fill(first, 4.0F, on.stream);
    std::vector<float> back(16);
    yoke::copy(first, back, on.stream);
    CHECK(back == std::vector<float>(16, 4.0F));
    first.reset();
    linear.reset();
    pitched.reset();
    CHECK(run(on, of_linear.native_handle(), "to[i] = tex1Dfetch<float>(o, i + 6);", 1) == std::vector<float>{7});
    CHECK(run(on, of_rows.native_handle(), "to[i] = tex2D<float>(o, 0.5f, 1.5f);", 1) == std::vector<float>{65});
    CHECK(run(on, of_pitched.native_handle(), "to[i] = tex2D<float>(o, 1.5f, 1.5f);", 1) == std::vector<float>{5});
    CHECK(run(on, of_mipmap.native_handle(), "to[i] = tex2DLod<float>(o, 0.5f, 0.5f, 1.0f);", 1) ==
          std::vector<float>{9});
  }
  CHECK(on.live() == before);
}

YOKE_CUDA_TEST_CASE("surfaces read and write arrays, and objects keep their memory alive", "[image][cuda]") {
  rig on(device);
  const auto before = on.live();
  cu::surface written;
  cu::texture read;
  {
    cu::array<float> plane{on.context, {.width = 4, .height = 2, .surface = true}};
    yoke::copy(counting<float>(8), plane, on.stream);
    written = cu::surface(plane);
    read = cu::texture(plane);
  }
  (void)run(on, written.native_handle(),
            "float v = surf2Dread<float>(o, i * 4, 1); surf2Dwrite(10 * v, o, i * 4, 0); to[i] = v;", 4);
  CHECK(run(on, read.native_handle(), "to[i] = tex2D<float>(o, i + 0.5f, 0.5f);", 4) ==
        std::vector<float>{50, 60, 70, 80});
  CHECK(written.resource().of_array.handle == read.resource().of_array.handle);
  CHECK(read.descriptor().filter == cu::abi::filter_mode::point);
  written.reset();
  read.reset();
  CHECK(on.live() == before);
  const cu::array<float> plain{on.context, {.width = 4, .height = 2}};
  CHECK_THAT(refused([&] { (void)cu::surface(plain); }), ContainsSubstring(".surface"));
}

YOKE_CUDA_TEST_CASE("doubles and complex numbers are texels of integers", "[image][cuda]") {
  rig on(device);
  const std::vector<double> numbers{1.5, -2.25, 1e300, 3};
  cu::array<yoke::int2> of{on.context, {.width = 4, .surface = true}};
  yoke::copy(yoke::as_texels<yoke::int2>(numbers), of, on.stream);
  const cu::texture texture{of};
  CHECK(run<double>(on, texture.native_handle(), "to[i] = wide_double(tex1D<int2>(o, i + 0.5f));", 4, "double") ==
        numbers);
  const cu::surface surface(of);
  (void)run(on, surface.native_handle(), "surf1Dwrite(wide_texel(0.1 * i), o, 8 * i); to[i] = 0;", 4);
  std::vector<double> back(4);
  yoke::copy(of, yoke::as_texels<yoke::int2>(back), on.stream);
  CHECK(back == std::vector<double>{0, 0.1, 0.2, 0.1 * 3});
  // Complex numbers of floats are texels of two floats, those of doubles of four integers.
  const std::vector<std::complex<float>> complexes{{1.5F, -2}, {0.25F, 8}, {-1, 3}};
  cu::array<yoke::float2> plain{on.context, {.width = 3, .surface = true}};
  yoke::copy(yoke::as_texels<yoke::float2>(complexes), plain, on.stream);
  const cu::texture of_plain{plain};
  CHECK(run(on, of_plain.native_handle(), "float2 t = tex1D<float2>(o, i / 2 + 0.5f); to[i] = i % 2 == 0 ? t.x : t.y;",
            6) == std::vector<float>{1.5F, -2, 0.25F, 8, -1, 3});
  const cu::surface conjugated(plain);
  (void)run(on, conjugated.native_handle(),
            "float2 t = surf1Dread<float2>(o, 8 * i); t.y = -t.y; surf1Dwrite(t, o, 8 * i); to[i] = 0;", 3);
  std::vector<std::complex<float>> read_back(3);
  yoke::copy(plain, yoke::as_texels<yoke::float2>(read_back), on.stream);
  CHECK(read_back == std::vector<std::complex<float>>{{1.5F, 2}, {0.25F, -8}, {-1, -3}});
  cu::array<yoke::int4> pairs{on.context, {.width = 2}};
  yoke::copy(yoke::as_texels<yoke::int4>(numbers), pairs, on.stream);
  const cu::texture of_pairs{pairs};
  CHECK(run<double>(on, of_pairs.native_handle(), "to[i] = wide_double2(tex1D<int4>(o, i + 0.5f)).y;", 2, "double") ==
        std::vector<double>{-2.25, 3});
}

YOKE_CUDA_TEST_CASE("doubles and complex numbers lie in planes, volumes and layers", "[image][cuda]") {
  rig on(device);
  const std::string place = "const int x = i % 3, y = i / 3 % 2, z = i / 6; ";
  std::vector<double> numbers(12);
  for (std::size_t i = 0; i < numbers.size(); ++i) numbers[i] = 0.1 * static_cast<double>(i) - 1e-300;
  const auto check = [&](const cu::array_shape& shape, const std::string& fetch, const std::string& read,
                         const std::string& write) {
    cu::array<yoke::int2> of{on.context, shape};
    const std::size_t count = of.size();
    const std::vector<double> here(numbers.begin(), numbers.begin() + static_cast<std::ptrdiff_t>(count));
    yoke::copy(yoke::as_texels<yoke::int2>(here), of, on.stream);
    const cu::texture texture{of};
    const cu::surface surface{of};
    CHECK(run<double>(on, texture.native_handle(), place + "to[i] = wide_double(" + fetch + ");", count, "double") ==
          here);
    CHECK(run<double>(on, surface.native_handle(), place + "to[i] = wide_double(" + read + ");", count, "double") ==
          here);
    (void)run<double>(on, surface.native_handle(), place + "to[i] = 0; " + write, count, "double");
    std::vector<double> back(count), expected;
    for (std::size_t i = 0; i < count; ++i) expected.push_back(0.3 * static_cast<double>(i));
    yoke::copy(of, yoke::as_texels<yoke::int2>(back), on.stream);
    CHECK(back == expected);
  };
  check({.width = 3, .height = 2, .surface = true}, "tex2D<int2>(o, x + 0.5f, y + 0.5f)",
        "surf2Dread<int2>(o, 8 * x, y)", "surf2Dwrite(wide_texel(0.3 * i), o, 8 * x, y);");
  check({.width = 3, .height = 2, .depth = 2, .surface = true}, "tex3D<int2>(o, x + 0.5f, y + 0.5f, z + 0.5f)",
        "surf3Dread<int2>(o, 8 * x, y, z)", "surf3Dwrite(wide_texel(0.3 * i), o, 8 * x, y, z);");
  check({.width = 3, .height = 2, .layers = 2, .surface = true}, "tex2DLayered<int2>(o, x + 0.5f, y + 0.5f, z)",
        "surf2DLayeredread<int2>(o, 8 * x, y, z)", "surf2DLayeredwrite(wide_texel(0.3 * i), o, 8 * x, y, z);");

  cu::array<yoke::int4> pairs{on.context, {.width = 3, .height = 2, .surface = true}};
  const cu::surface written{pairs};
  (void)run<double>(on, written.native_handle(),
                    place + "to[i] = 0; surf2Dwrite(wide_texel2(0.5 * i, -0.1 * i), o, 16 * x, y);", 6, "double");
  std::vector<double> back(12), expected;
  for (std::size_t i = 0; i < 6; ++i) {
    expected.push_back(0.5 * static_cast<double>(i));
    expected.push_back(-0.1 * static_cast<double>(i));
  }
  yoke::copy(pairs, yoke::as_texels<yoke::int4>(back), on.stream);
  CHECK(back == expected);
}

YOKE_CUDA_TEST_CASE("what no texture can be is refused before the driver is asked", "[image][cuda]") {
  rig on(device);
  const cu::array<yoke::uchar4> bytes{on.context, {.width = 4, .height = 4}};
  const cu::array<float> floats{on.context, {.width = 4, .height = 4}};
  const cu::mipmapped_array<float> mipmap{on.context, {.width = 4, .height = 4}, 2};
  const std::size_t mark = on.driver.mark();
  CHECK_THAT(refused([&] { cu::texture(bytes, {.filter = yoke::filter_mode::linear, .as_integers = true}); }),
             ContainsSubstring("cannot be filtered"));
  CHECK_THAT(refused([&] { cu::texture(floats, {.address = {yoke::address_mode::repeat}}); }),
             ContainsSubstring("repeat needs normalised coordinates"));
  CHECK_THAT(refused([&] { (void)cu::texture(mipmap); }), ContainsSubstring("needs normalised coordinates"));
  CHECK(on.driver.mark() == mark);
  CHECK_THAT(refused([&] { cu::array<float>(on.context, {.width = 4, .height = 3, .cubemap = true}); }),
             ContainsSubstring("no squares"));
  CHECK_THAT(refused([&] { cu::array<float>(on.context, {.width = 4, .depth = 3}); }),
             ContainsSubstring("depth without height"));
  CHECK_THAT(refused([&] { cu::array<float>(on.context, {.width = 4, .height = 4, .depth = 2, .layers = 2}); }),
             ContainsSubstring("take one of them"));
  CHECK_THAT(refused([&] { cu::array<float>(on.context, {.width = 4, .gather = true}); }),
             ContainsSubstring("cannot be gathered from"));
  CHECK_THAT(refused([&] { cu::array<float>(on.context, {.width = 1 << 24, .height = 2}); }),
             ContainsSubstring("16777216, above this device's ") && ContainsSubstring("TEXTURE2D_WIDTH"));
  CHECK(on.driver.count("array_create", mark) == 0);
}

YOKE_CUDA_TEST_CASE("counts, levels and numbers beyond the limits are refused with both", "[image][cuda]") {
  rig on(device);
  const auto limit = [&](const auto& which) { return static_cast<std::size_t>(cu::get(on.device, which)); };
  const std::size_t mark = on.driver.mark();
  const auto names = [&](const std::string& text, std::size_t most, const char* name) {
    CHECK_THAT(text, ContainsSubstring(std::to_string(most + 1)) && ContainsSubstring(std::to_string(most)) &&
                         ContainsSubstring(name));
  };
  std::size_t most = limit(cu::info::maximum_surface1d_width);
  names(refused([&] { cu::array<std::uint8_t>(on.context, {.width = most + 1, .surface = true}); }), most,
        "SURFACE1D_WIDTH");
  most = limit(cu::info::maximum_texture3d_depth);
  names(refused([&] { cu::array<std::uint8_t>(on.context, {.width = 1, .height = 1, .depth = most + 1}); }), most,
        "TEXTURE3D_DEPTH");
  most = limit(cu::info::maximum_texture1d_layered_layers);
  names(refused([&] { cu::array<std::uint8_t>(on.context, {.width = 1, .layers = most + 1}); }), most,
        "TEXTURE1D_LAYERED_LAYERS");
  most = limit(cu::info::maximum_texture2d_gather_width);
  names(refused([&] { cu::array<std::uint8_t>(on.context, {.width = most + 1, .height = 1, .gather = true}); }), most,
        "TEXTURE2D_GATHER_WIDTH");
  most = limit(cu::info::maximum_texturecubemap_width);
  names(refused([&] { cu::array<std::uint8_t>(on.context, {.width = most + 1, .height = most + 1, .cubemap = true}); }),
        most, "TEXTURECUBEMAP_WIDTH");
  const auto levels = [&](const cu::array_shape& shape, unsigned count, const char* text) {
    CHECK_THAT(refused([&] { cu::mipmapped_array<float>(on.context, shape, count); }), ContainsSubstring(text));
  };
  levels({.width = 9}, 5, "has 1 to 4 levels, not 5");
  levels({.width = 4, .height = 2, .depth = 32}, 7, "has 1 to 6 levels, not 7");
  levels({.width = 4, .height = 4, .layers = 64}, 4, "has 1 to 3 levels, not 4");
  levels({.width = 4, .height = 4}, 0, "has 1 to 3 levels, not 0");
  CHECK(on.driver.count("array_create", mark) == 0);
  CHECK(on.driver.count("mipmapped_array_create", mark) == 0);

  const cu::array<float> floats{on.context, {.width = 4, .height = 4}};
  CHECK_THAT(refused([&] { cu::texture(floats, {.max_anisotropy = 17}); }),
             ContainsSubstring("max_anisotropy 17, above 16"));
  CHECK_THAT(refused([&] { cu::texture(floats, {.least_level = -3}); }), ContainsSubstring("least_level -3.000000"));
  CHECK_THAT(refused([&] { cu::texture(floats, {.level_bias = std::numeric_limits<float>::quiet_NaN()}); }),
             ContainsSubstring("level_bias nan"));
  CHECK_THAT(refused([&] { cu::texture(floats, {.srgb = true}); }),
             ContainsSubstring("float32 cannot be read as sRGB"));
  const cu::mipmapped_array<float> mipmap{on.context, {.width = 4, .height = 4}, 2};
  CHECK_THAT(refused([&] { cu::texture(mipmap, {.normalised = true, .least_level = 1.5F, .last_level = 1}); }),
             ContainsSubstring("least_level 1.5") && ContainsSubstring("last_level 1.0"));
  most = limit(cu::info::maximum_texture2d_linear_width);
  const auto wide = std::make_shared<cu::pitched_allocation<std::uint8_t>>(on.context, most + 1, 1);
  names(refused([&] { (void)cu::texture(wide); }), most, "TEXTURE2D_LINEAR_WIDTH");
  const auto memory = std::make_shared<cu::device_allocation<std::uint8_t>>(on.context, 4096);
  using rows = cu::texture_rows<std::uint8_t>;
  CHECK_THAT(
      refused(
          [&] {
            (void)cu::texture(rows{memory, 4, 2, 24});
          },
          yoke::errc::misaligned),
      ContainsSubstring("rows 24 bytes apart, which is no multiple of ") && ContainsSubstring("PITCH_ALIGNMENT"));
  CHECK_THAT(refused(
                 [&] {
                   (void)cu::texture(rows{memory, 4, 9, 512});
                 },
                 yoke::errc::out_of_range),
             ContainsSubstring("4096"));
  CHECK_THAT(refused([&] { (void)cu::texture(rows{}); }, yoke::errc::empty_handle),
             ContainsSubstring("memory of a texture"));
  REQUIRE(on.driver.real().device_get_texture1d_linear_max_width(&most, cu::abi::array_format::unsigned_int8, 1,
                                                                 on.device.native_handle()) == 0);
  const auto endless = std::make_shared<cu::device_allocation<std::uint8_t>>(on.context, most + 1);
  names(refused([&] { (void)cu::texture(endless); }), most, "cuDeviceGetTexture1DLinearMaxWidth");
  CHECK(on.driver.count("texture_create", mark) == 0);

  const cu::texture no_texture;
  CHECK_THAT(refused([&] { (void)no_texture.resource(); }, yoke::errc::empty_handle), ContainsSubstring("texture"));
  CHECK_THAT(refused([&] { (void)no_texture.descriptor(); }, yoke::errc::empty_handle), ContainsSubstring("texture"));
  CHECK_THAT(refused([&] { (void)no_texture.view(); }, yoke::errc::empty_handle), ContainsSubstring("texture"));
  const cu::surface no_surface;
  CHECK_THAT(refused([&] { (void)no_surface.resource(); }, yoke::errc::empty_handle), ContainsSubstring("surface"));
}

YOKE_CUDA_TEST_CASE("textures over nothing, by no mode and of empty handles are refused by name", "[image][cuda]") {
  rig on(device);
  const cu::array<float> floats{on.context, {.width = 4, .height = 4}};
  const auto none = std::make_shared<cu::device_allocation<float>>(on.context, 0);
  const auto memory = std::make_shared<cu::device_allocation<float>>(on.context, 4096);
  using rows = cu::texture_rows<float>;
  const std::size_t mark = on.driver.mark();
  CHECK_THAT(refused([&] { cu::texture(floats, {.address = {static_cast<yoke::address_mode>(77)}}); }),
             ContainsSubstring("address 77") && ContainsSubstring("the last ones are 3 and 1"));
  CHECK_THAT(refused([&] { cu::texture(floats, {.filter = static_cast<yoke::filter_mode>(5)}); }),
             ContainsSubstring("filter 5"));
  CHECK_THAT(refused([&] { cu::texture(floats, {.level_filter = static_cast<yoke::filter_mode>(6)}); }),
             ContainsSubstring("filter 6"));
  CHECK(on.driver.mark() == mark);
  const cu::texture_options seamless{.normalised = true, .seamless_cubemap = true};
  CHECK_THAT(refused([&] { (void)cu::texture(floats, seamless); }), ContainsSubstring("no array made with .cubemap"));
  CHECK_THAT(refused([&] { (void)cu::texture(memory, seamless); }), ContainsSubstring("no array made with .cubemap"));
  {
    const cu::array<float> cube{on.context, {.width = 4, .height = 4, .cubemap = true}};
    const cu::texture of_cube(cube, seamless);
    CHECK((of_cube.descriptor().flags & cu::abi::texture_seamless_cubemap) != 0);
  }
  CHECK_THAT(refused([&] { (void)cu::texture(none); }), ContainsSubstring("a texture over memory has texels 0"));
  CHECK_THAT(refused([&] { (void)cu::texture(rows{memory, 0, 2, 128}); }), ContainsSubstring("has width 0"));
  CHECK_THAT(refused([&] { (void)cu::texture(rows{memory, 4, 0, 128}); }), ContainsSubstring("has height 0"));
  CHECK_THAT(refused([&] { (void)cu::texture(rows{memory, 4, 1, 0}); }), ContainsSubstring("has pitch 0"));
  // Six faces for each of so many cubes are twelve, modulo 2 to the power of 64.
  constexpr std::size_t many = (std::size_t{1} << 63) + 2;
  CHECK_THAT(refused([&] { cu::array<float>(on.context, {.width = 4, .height = 4, .layers = many, .cubemap = true}); }),
             ContainsSubstring(std::to_string(many) + " cubes has faces") &&
                 ContainsSubstring("TEXTURECUBEMAP_LAYERED_LAYERS"));
  CHECK(on.driver.count("texture_create", mark) == 1);  // of the cube
  CHECK(on.driver.count("array_create", mark) == 1);
  const cu::array<float> no_array;
  CHECK_THAT(refused([&] { (void)cu::surface(no_array); }, yoke::errc::empty_handle), ContainsSubstring("this array"));
  cu::mipmapped_array<float> mipmap{on.context, {.width = 4, .height = 4}, 2};
  const auto moved = std::move(mipmap);
  CHECK(mipmap.levels() == 0);
  CHECK(mipmap.shape() == cu::array_shape{});
  CHECK(moved.levels() == 2);
}

YOKE_CUDA_TEST_CASE("a view of a texture sees other levels, layers and formats", "[image][cuda]") {
  rig on(device);
  const cu::mipmapped_array<float> mipmap{on.context, {.width = 8, .height = 8}, 3};
  for (unsigned i = 0; i < 3; ++i) {
    auto level = mipmap.level(i);
    yoke::fill(level, static_cast<float>(10 * i), on.stream);
  }
  const cu::texture_options whole{.normalised = true, .last_level = 2};
  auto options = whole;
  options.view = cu::texture_view{.first_level = 1, .last_level = 2};
  const cu::texture levels(mipmap, options);
  CHECK(run(on, levels.native_handle(), "to[i] = tex2DLod<float>(o, 0.5f, 0.5f, (float)i);", 3) ==
        std::vector<float>{10, 20, 20});
  CHECK(levels.view().first_level == 1);
  CHECK(levels.view().width == 8);
  const cu::texture all(mipmap, whole);
  CHECK_THAT(refused([&] { (void)all.view(); }, yoke::errc::invalid_argument),
             ContainsSubstring("this texture has no view: it was made without .view"));

  cu::array<float> planes{on.context, {.width = 2, .height = 2, .layers = 4}};
  yoke::copy(counting<float>(16), planes, on.stream);
  const cu::texture layers(planes, {.view = cu::texture_view{.first_layer = 1, .last_layer = 2}});
  CHECK(run(on, layers.native_handle(), "to[i] = tex2DLayered<float>(o, 0.5f, 0.5f, i);", 3) ==
        std::vector<float>{5, 9, 9});

  cu::array<std::uint32_t> words{on.context, {.width = 2}};
  yoke::copy(std::vector<std::uint32_t>{0x3f800000, 0xff00ff00}, words, on.stream);
  using yoke::channel_type, yoke::image_format;
  const cu::texture numbers(words, {.view = cu::texture_view{.format = image_format{channel_type::float32, 1}}});
  CHECK(run(on, numbers.native_handle(), "to[i] = tex1D<float>(o, 0.5f);", 1) == std::vector<float>{1});
  const cu::texture colours(words, {.view = cu::texture_view{.format = image_format{channel_type::unorm8, 4}}});
  CHECK(run(on, colours.native_handle(), "float4 t = tex1D<float4>(o, 1.5f); to[0] = t.x; to[1] = t.y;", 2) ==
        std::vector<float>{0, 1});

  const std::size_t mark = on.driver.mark();
  const auto wrong = [&](const auto& of, const cu::texture_view& view, yoke::errc condition, const char* text) {
    auto with = whole;
    with.view = view;
    CHECK_THAT(refused([&] { (void)cu::texture(of, with); }, condition), ContainsSubstring(text));
  };
  using enum yoke::errc;
  wrong(mipmap, {.first_level = 1, .last_level = 3}, out_of_range, "a view of levels 1 to 3, of which there are 3");
  wrong(planes, {.first_layer = 2, .last_layer = 1}, out_of_range, "a view of layers 2 to 1, of which there are 4");
  wrong(planes, {.last_layer = 4}, out_of_range, "a view of layers 0 to 4, of which there are 4");
  wrong(planes, {.last_level = 1}, out_of_range, "a view of levels 0 to 1, of which there are 1");
  wrong(words, {.format = image_format{channel_type::unorm8, 2}}, size_mismatch,
        "a view with texels of 2 bytes, unorm8 x 2, of an array whose texels have 4");
  const cu::array<float> cubes{on.context, {.width = 2, .height = 2, .layers = 2, .cubemap = true}};
  wrong(cubes, {.first_layer = 1, .last_layer = 6}, invalid_argument, "of cubes, which have six each");
  const auto linear = std::make_shared<cu::device_allocation<float>>(on.context, 8);
  wrong(linear, {}, invalid_argument, "only arrays and mipmapped arrays have views");
  CHECK(on.driver.count("texture_create", mark) == 0);
}

YOKE_CUDA_TEST_CASE("a kernel writes no array that was made without the flag", "[image][cuda]") {
  rig on(device);
  const cu::array<float> plain{on.context, {.width = 4, .height = 2}};
  auto lent = cu::image<float, 2>::borrow(on.context, plain.native_handle(), {4, 2});
  const auto module = yoke::compile(on.context, R"(
YOKE_KERNEL put(YOKE_WRITE_IMAGE_2D(float, to)) { yoke_write_2d(float, to, 0, 0, 1.0f); }
YOKE_KERNEL get(YOKE_READ_IMAGE_2D(float, from), YOKE_GLOBAL float* to) { to[0] = yoke_read_2d(float, from, 1, 0); }
)");
  const auto put = yoke::get_kernel<void(yoke::write_image<float, 2>)>(module, "put");
  const std::size_t mark = on.driver.mark();
  CHECK_THAT(refused([&] { put(on.stream, {.grid = 1}, lent); }),
             ContainsSubstring("argument 1, an image, is written by the kernel") &&
                 ContainsSubstring("CUDA_ARRAY3D_SURFACE_LDST"));
  CHECK_THAT(refused([&] { (void)put.enqueue(on.stream, {.grid = 1}, lent); }),
             ContainsSubstring("argument 1, an image"));
  CHECK(on.driver.mark() == mark);
  yoke::copy(counting<float>(8), lent, on.stream);
  std::vector<float> found(1);
  yoke::get_kernel<void(yoke::read_image<float, 2>, float*)>(module, "get")(on.stream, {.grid = 1}, lent,
                                                                            yoke::out(found));
  CHECK(found[0] == 2.0F);
}

YOKE_CUDA_TEST_CASE("a filter that only the kernel knows reads the nearest integer", "[image][cuda]") {
  rig on(device);
  const cu::image<yoke::int4, 2> integers{
      on.context, std::vector<yoke::int4>{{1, 0, 0, 0}, {2, 0, 0, 0}}, {2, 1}, on.stream};
  const cu::image<float, 2> reals{on.context, std::vector<float>{1, 2}, {2, 1}, on.stream};
  const auto module = yoke::compile(on.context, R"(
YOKE_CONSTANT_SAMPLER(smooth, TEXELS, CLAMP_TO_EDGE, LINEAR);
YOKE_KERNEL mixed(YOKE_READ_IMAGE_2D(int4, whole), YOKE_READ_IMAGE_2D(float, real), YOKE_SAMPLER(by), YOKE_GLOBAL float* to) {
  to[0] = (float)yoke_sample_2d(int4, whole, by, 1.25f, 0.5f).x;
  to[1] = yoke_sample_2d(float, real, by, 1.0f, 0.5f);
  to[2] = (float)yoke_sample_2d(int4, whole, smooth, 0.75f, 0.5f).x;
}
)");
  const auto before = on.live();
  std::vector<float> found(3);
  yoke::get_kernel<void(yoke::read_image<yoke::int4, 2>, yoke::read_image<float, 2>, yoke::sampler, float*)>(
      module, "mixed")(on.stream, {.grid = 1}, integers, reals, yoke::sampler{.filter = yoke::filter_mode::linear},
                       yoke::out(found));
  CHECK(found == std::vector<float>{2, 1.5F, 1});
  CHECK(on.live() == before);
}
