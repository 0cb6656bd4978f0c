// SPDX-License-Identifier: MIT
// Images and samplers as parameters: signatures that are checked, arguments, and reads and writes of every format.
#include <image/image_rig.hpp>
#include <support/devices/any_context.hpp>
#include <support/devices/background.hpp>

#include <cmath>
#include <thread>

using namespace yoke_test;

namespace {

constexpr const char* copy_source = R"(
YOKE_KERNEL copied(YOKE_READ_IMAGE_2D(VALUE, from), YOKE_WRITE_IMAGE_2D(VALUE, to)) {
  int x = (int)get_global_id(0);
  int y = (int)get_global_id(1);
  yoke_write_2d(VALUE, to, x, y, yoke_read_2d(VALUE, from, x, y));
}
)";

template <class V>
const char* value_name() {
  if constexpr (std::is_same_v<V, float>) return "float";
  if constexpr (std::is_same_v<V, yoke::float2>) return "float2";
  if constexpr (std::is_same_v<V, yoke::float4>) return "float4";
  if constexpr (std::is_same_v<V, std::int32_t>) return "int";
  if constexpr (std::is_same_v<V, yoke::int2>) return "int2";
  if constexpr (std::is_same_v<V, yoke::int4>) return "int4";
  if constexpr (std::is_same_v<V, std::uint32_t>) return "uint";
  if constexpr (std::is_same_v<V, yoke::uint2>) return "uint2";
  return "uint4";
}

/// A kernel that reads a plane and a sampler, and writes numbers.
constexpr const char* sample_source = R"(
YOKE_KERNEL sampled(YOKE_READ_IMAGE_2D(float, from), YOKE_SAMPLER(by), YOKE_GLOBAL float* to, float y) {
  int i = (int)get_global_id(0);
  to[i] = yoke_sample_2d(float, from, by, (float)i + 0.5f, y);
}
)";
using sampled = void(yoke::read_image<float, 2>, yoke::sampler, float*, float);

}  // namespace

YOKE_DEVICE_TEST_CASE("a kernel reads and writes texels of every format", "[image]") {
  rig on(device);
  for_each_texel([&]<class T>() {
    if constexpr (yoke::texel_traits<T>::format.type != yoke::channel_type::srgb8) {  // which kernels only read
      INFO(yoke::to_string(yoke::texel_traits<T>::format));
      using image = yoke::image<T, 2, port>;
      using value = typename image::kernel_type;
      auto texels = random_texels<T>(35);
      if constexpr (requires(T texel) { texel.channels[0] < 0; }) {
        // The least integer stands for -1, as the one above does, which is written for it.
        for (T& each : texels) {
          for (auto& channel : each.channels) {
            using integer = std::remove_reference_t<decltype(channel)>;
            if (std::is_signed_v<integer> && channel == std::numeric_limits<integer>::min()) ++channel;
          }
        }
      }
      const image from = made_or_refused<image>(on.context, texels, yoke::extent3{7, 5}, on.stream);
      if (!from) return;
      image to{on.context, {7, 5}};
      const auto module = yoke::compile(on.context, copy_source, {.defines = {{"VALUE", value_name<value>()}}});
      const auto copied =
          yoke::get_kernel<void(yoke::read_image<value, 2>, yoke::write_image<value, 2>)>(module, "copied");
      copied(on.stream, {.grid = {7, 5}}, from, to);
      std::vector<T> back(35);
      yoke::copy(to, back, on.stream);
      // PoCL 3.1 reads other memory in place of a single half; it writes one rightly.
      if (std::is_same_v<T, yoke::half> && is_pocl(on.device)) return;
      CHECK(bytes_of(back) == bytes_of(texels));
    }
  });
}

YOKE_DEVICE_TEST_CASE("kernels read linear colours from sRGB texels", "[image]") {
  rig on(device);
  using image = yoke::image<yoke::srgba8, 2, port>;
  std::vector<yoke::srgba8> texels;
  for (int i = 0; i < 256; ++i) {
    const auto byte = static_cast<std::uint8_t>(i);
    texels.push_back({{byte, static_cast<std::uint8_t>(255 - i), 0, byte}});
  }
  const image of = made_or_refused<image>(on.context, texels, yoke::extent3{16, 16}, on.stream);
  if (!of) return;
  const auto kernel =
      yoke::get_kernel<void(yoke::read_image<yoke::float4, 2>, yoke::float4*)>(yoke::compile(on.context, R"(
YOKE_KERNEL linear_of(YOKE_READ_IMAGE_2D(float4, from), YOKE_GLOBAL float4* to) {
  int i = (int)get_global_id(0);
  to[i] = yoke_read_2d(float4, from, i % 16, i / 16);
}
)"),
                                                                               "linear_of");
  std::vector<yoke::float4> found(256);
  kernel(on.stream, {.grid = 256}, of, yoke::out(found));
  const auto linear = [](int byte) {
    const double v = byte / 255.0;
    return v <= 0.04045 ? v / 12.92 : std::pow((v + 0.055) / 1.055, 2.4);
  };
  for (int i = 0; i < 256; ++i) {
    INFO(i);
    const yoke::float4 colour = found[static_cast<std::size_t>(i)];
    CHECK(colour.x == Approx(linear(i)).margin(1.0 / 256));  // a GPU's conversion has so many steps
    CHECK(colour.y == Approx(linear(255 - i)).margin(1.0 / 256));
    CHECK(colour.z == 0.0F);
    CHECK(colour.w == Approx(i / 255.0).margin(1e-5));  // alpha is linear already
  }
}

YOKE_DEVICE_TEST_CASE("numbers saturate and round where a kernel writes fewer bits", "[image]") {
  rig on(device);
  const auto written = [&]<class T, class V>(const char* value, std::vector<V> given) {
    yoke::image<T, 2, port> to{on.context, {static_cast<int>(given.size()), 1}};
    const auto module = yoke::compile(on.context, R"(
YOKE_KERNEL put(YOKE_WRITE_IMAGE_2D(VALUE, to), YOKE_GLOBAL const VALUE* from) {
  int x = (int)get_global_id(0);
  yoke_write_2d(VALUE, to, x, 0, from[x]);
}
)",
                                      {.defines = {{"VALUE", value}}});
    yoke::get_kernel<void(yoke::write_image<V, 2>, const V*)>(module, "put")(on.stream, {.grid = given.size()}, to,
                                                                             yoke::in(given));
    std::vector<T> back(given.size());
    yoke::copy(to, back, on.stream);
    return back;
  };
  using unorm8 = yoke::unorm<std::uint8_t>;
  const auto low = written.template operator()<unorm8, float>("float", {-1.0F, 0.0F, 0.5F, 0.25F, 1.0F, 7.0F});
  const std::vector<unorm8> rounded{{{0}}, {{0}}, {{128}}, {{64}}, {{255}}, {{255}}};
  for (std::size_t i = 0; i < low.size(); ++i) {
    INFO(i);
    // PoCL truncates.
    CHECK(std::abs(int{low[i].channels[0]} - int{rounded[i].channels[0]}) <= (i == 2 || i == 3 ? 1 : 0));
  }
  CHECK(written.template operator()<std::int8_t, std::int32_t>("int", {-1000, -128, 5, 1000}) ==
        std::vector<std::int8_t>{-128, -128, 5, 127});
  CHECK(written.template operator()<std::uint8_t, std::uint32_t>("uint", {3, 255, 256, 70000}) ==
        std::vector<std::uint8_t>{3, 255, 255, 255});
  CHECK(written.template operator()<std::uint16_t, std::uint32_t>("uint", {3, 65535, 70000}) ==
        std::vector<std::uint16_t>{3, 65535, 65535});
}

YOKE_DEVICE_TEST_CASE("signatures with images are compared with the kernel", "[image]") {
  rig on(device);
  const auto module =
      yoke::compile(on.context, std::string(sample_source) + copy_source, {.defines = {{"VALUE", "float4"}}});
  const auto kernel = yoke::get_kernel<sampled>(module, "sampled");
  CHECK(kernel.checked() == backend_of<typename backend::port>::dialect_check);
  const auto refused = [&]<class Signature>(std::type_identity<Signature>, const char* name) {
    return refusal<yoke::logic_error>(yoke::errc::signature_mismatch,
                                      [&] { (void)yoke::get_kernel<Signature>(module, name); });
  };
  using yoke::read_image, yoke::write_image, yoke::sampler, yoke::float4;
  CHECK_THAT(refused(std::type_identity<void(read_image<float, 3>, sampler, float*, float)>{}, "sampled"),
             ContainsSubstring("parameter 1"));
  CHECK_THAT(refused(std::type_identity<void(write_image<float, 2>, sampler, float*, float)>{}, "sampled"),
             ContainsSubstring("parameter 1") && ContainsSubstring("write"));
  CHECK_THAT(refused(std::type_identity<void(read_image<float, 2>, float*, float*, float)>{}, "sampled"),
             ContainsSubstring("parameter 2") && ContainsSubstring("sampler"));
  CHECK_THAT(refused(std::type_identity<void(float*, sampler, float*, float)>{}, "sampled"),
             ContainsSubstring("parameter 1"));
  CHECK_THAT(refused(std::type_identity<void(read_image<float, 2>, sampler, read_image<float, 2>, float)>{}, "sampled"),
             ContainsSubstring("parameter 3"));
  CHECK_THAT(refused(std::type_identity<void(read_image<float4, 2>, yoke::read_image<float4, 2>)>{}, "copied"),
             ContainsSubstring("parameter 2"));
  CHECK_THAT(refused(std::type_identity<void(yoke::read_layered_image<float, 2>, sampler, float*, float)>{}, "sampled"),
             ContainsSubstring("parameter 1"));
  CHECK_THAT(refused(std::type_identity<void(yoke::read_write_image<float, 2>, sampler, float*, float)>{}, "sampled"),
             ContainsSubstring("parameter 1"));
  CHECK_THAT(refused(std::type_identity<void(read_image<float4, 2>, yoke::read_write_image<float4, 2>)>{}, "copied"),
             ContainsSubstring("parameter 2"));
  CHECK_THAT(refused(std::type_identity<void(read_image<float, 2>, sampler, float*, sampler)>{}, "sampled"),
             ContainsSubstring("parameter 4"));
  if (backend_of<typename backend::port>::dialect_check ==
      yoke::signature_check::types) {  // OpenCL's images do not tell what they hold
    CHECK_THAT(refused(std::type_identity<void(read_image<float4, 2>, sampler, float*, float)>{}, "sampled"),
               ContainsSubstring("read_image_2d<float>, not read_image_2d<float4>"));
  }
}

YOKE_DEVICE_TEST_CASE("a launch refuses images and samplers that it cannot use", "[image]") {
  rig on(device);
  const auto kernel = yoke::get_kernel<sampled>(yoke::compile(on.context, sample_source), "sampled");
  yoke::image<float, 2, port> image{on.context, counting<float>(8), {4, 2}, on.stream};
  std::vector<float> to(4);
  const auto moved = std::move(image);
  CHECK_THAT(
      refusal<yoke::logic_error>(yoke::errc::empty_handle,
                                 [&] { kernel(on.stream, {.grid = 4}, image, yoke::sampler{}, yoke::out(to), 0.5F); }),
      ContainsSubstring("argument 1, an image, is empty"));
  const typename backend::context elsewhere = backend_of<port>::another_context(on.device);
  const yoke::image<float, 2, port> other{elsewhere, {4, 2}};
  CHECK_THAT(
      refusal<yoke::logic_error>(yoke::errc::wrong_context,
                                 [&] { kernel(on.stream, {.grid = 4}, other, yoke::sampler{}, yoke::out(to), 0.5F); }),
      ContainsSubstring("argument 1, an image, is of another context"));
  const std::size_t mark = on.driver.mark();
  for (const auto address : {yoke::address_mode::repeat, yoke::address_mode::mirrored_repeat}) {
    CHECK_THAT(
        refusal<yoke::logic_error>(
            yoke::errc::invalid_argument,
            [&] { kernel(on.stream, {.grid = 4}, moved, yoke::sampler{.address = address}, yoke::out(to), 0.5F); }),
        ContainsSubstring("needs normalised coordinates") && ContainsSubstring("repeat"));
  }
  CHECK(on.driver.mark() == mark);
  kernel(on.stream, {.grid = 4}, moved, yoke::sampler{}, yoke::out(to), 1.5F);
  CHECK(to == std::vector<float>{5, 6, 7, 8});
}

YOKE_DEVICE_TEST_CASE("a filter over integers is refused before the driver is asked", "[image]") {
  rig on(device);
  const auto module = yoke::compile(on.context, R"(
YOKE_KERNEL whole(YOKE_READ_IMAGE_2D(int4, from), YOKE_SAMPLER(by), YOKE_GLOBAL int* to) {
  to[0] = yoke_sample_2d(int4, from, by, 1.5f, 0.5f).x;
}
YOKE_KERNEL both(YOKE_READ_IMAGE_2D(int4, whole), YOKE_READ_IMAGE_2D(float, real), YOKE_SAMPLER(by), YOKE_GLOBAL float* to) {
  to[0] = yoke_sample_2d(float, real, by, 1.0f, 0.5f) + (float)yoke_read_2d(int4, whole, 1, 0).x;
}
)");
  const auto whole = yoke::get_kernel<void(yoke::read_image<yoke::int4, 2>, yoke::sampler, int*)>(module, "whole");
  const yoke::image<yoke::int4, 2, port> integers{
      on.context, std::vector<yoke::int4>{{1, 0, 0, 0}, {2, 0, 0, 0}}, {2, 1}, on.stream};
  typename backend::template device_allocation<int> to{on.context, 1};
  const yoke::sampler smooth{.filter = yoke::filter_mode::linear};
  const std::size_t mark = on.driver.mark();
  const char* const names_it =
      "argument 2 is a sampler with filter_mode::linear, and the kernel's images hold integers, which cannot be "
      "filtered";
  CHECK_THAT(refusal<yoke::logic_error>(yoke::errc::invalid_argument,
                                        [&] { whole(on.stream, {.grid = 1}, integers, smooth, to); }),
             ContainsSubstring(names_it));
  CHECK_THAT(refusal<yoke::logic_error>(yoke::errc::invalid_argument,
                                        [&] { (void)whole.enqueue(on.stream, {.grid = 1}, integers, smooth, to); }),
             ContainsSubstring(names_it));
  CHECK(on.driver.mark() == mark);
  whole(on.stream, {.grid = 1}, integers, yoke::sampler{}, to);
  CHECK(download(to, on.stream) == std::vector<int>{2});
  // Beside an image of floating-point numbers a filter may be meant for that one.
  const auto both =
      yoke::get_kernel<void(yoke::read_image<yoke::int4, 2>, yoke::read_image<float, 2>, yoke::sampler, float*)>(
          module, "both");
  const yoke::image<float, 2, port> reals{on.context, std::vector<float>{1, 2}, {2, 1}, on.stream};
  std::vector<float> found(1);
  both(on.stream, {.grid = 1}, integers, reals, smooth, yoke::out(found));
  CHECK(found[0] == 3.5F);
}

YOKE_DEVICE_TEST_CASE("a constant sampler that no device has is refused by name", "[image]") {
  rig on(device);
  for (const std::string address : {"REPEAT", "MIRRORED_REPEAT"}) {
    try {
      (void)yoke::compile(on.context, "YOKE_CONSTANT_SAMPLER(by, TEXELS, " + address + R"(, NEAREST);
YOKE_KERNEL k(YOKE_READ_IMAGE_1D(float, from), YOKE_GLOBAL float* to) { to[0] = yoke_sample_1d(float, from, by, 0.5f); }
)");
      FAIL("it compiles");
    } catch (const yoke::compile_error& e) {
      CHECK_THAT(e.what(), ContainsSubstring("yoke_d_" + address + "_needs_NORMALISED"));
    }
  }
}

YOKE_DEVICE_TEST_CASE("samplers are made once for each context, and end with it", "[image]") {
  rig on(device);
  const auto kernel = yoke::get_kernel<sampled>(yoke::compile(on.context, sample_source), "sampled");
  const yoke::image<float, 2, port> image{on.context, counting<float>(8), {4, 2}, on.stream};
  typename backend::template device_allocation<float> to{on.context, 4};
  const auto run = [&](const yoke::sampler& by) { kernel(on.stream, {.grid = 4}, image, by, to, 0.5F); };
  run({});
  const auto live = on.live();
  const std::size_t mark = on.driver.mark();
  for (int i = 0; i < 3; ++i) run({});
  CHECK(on.live() == live);
  if constexpr (std::is_same_v<port, yoke::opencl::port>) CHECK(on.driver.count("create_sampler", mark) == 0);
  run({.filter = yoke::filter_mode::linear});
  if constexpr (std::is_same_v<port, yoke::opencl::port>) CHECK(on.driver.count("create_sampler", mark) == 1);
  // Many threads that need new ones at once agree on one each.
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i) {
    threads.emplace_back([&] {
      const typename backend::stream own{on.context};
      std::vector<float> out(4);
      kernel(own, {.grid = 4}, image, yoke::sampler{.address = yoke::address_mode::border}, yoke::out(out), 0.5F);
    });
  }
  for (std::thread& each : threads) each.join();
}

YOKE_DEVICE_TEST_CASE("images and samplers go through any_port", "[image]") {
  rig on(device);
  const yoke::stream<yoke::any_port> stream(any_context(on));
  const auto& context = stream.context_of();
  const yoke::image<float, 2> image{context, counting<float>(8), {4, 2}, stream};
  const auto kernel = yoke::get_kernel<sampled>(yoke::compile(context, sample_source), "sampled");
  yoke::device_allocation<float> to{context, 4};
  for (int i = 0; i < 2; ++i) {
    kernel(stream, {.grid = 4}, image, yoke::sampler{.filter = yoke::filter_mode::linear}, to, 1.0F);
  }
  std::vector<float> back(4);
  yoke::copy(to, back, stream);
  CHECK(back == std::vector<float>{3, 4, 5, 6});
  (void)kernel.enqueue(stream, {.grid = 4}, image, yoke::sampler{}, to, 0.5F);
  yoke::copy(to, back, stream);
  CHECK(back == std::vector<float>{1, 2, 3, 4});
}
