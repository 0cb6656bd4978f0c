// SPDX-License-Identifier: MIT
// Samplers against a reference in double precision: every address mode and filter, sizes from one texel on, random numbers.
#include <image/filter_places.hpp>
#include <image/filter_reference.hpp>
#include <image/image_rig.hpp>
#include <support/devices/background.hpp>

#include <array>
#include <cmath>

using namespace yoke_test;

namespace {

/// A kernel that reads one texel for each place. `VALUE` is `float` or `float4`.
template <unsigned Dimensions, bool Layered>
std::string source() {
  const std::string kind = std::to_string(Dimensions) + (Layered ? "d_array" : "d");
  const std::string word = std::to_string(Dimensions) + (Layered ? "D_ARRAY" : "D");
  std::string text = "YOKE_KERNEL sampled(YOKE_READ_IMAGE_" + word +
                     "(VALUE, from), YOKE_SAMPLER(by), YOKE_GLOBAL const float* at, YOKE_GLOBAL VALUE* to) {\n"
                     "  int i = (int)get_global_id(0);\n"
                     "  to[i] = yoke_sample_" +
                     kind + "(VALUE, from, by";
  for (unsigned axis = 0; axis < Dimensions; ++axis) text += ", at[3 * i + " + std::to_string(axis) + "]";
  if (Layered) text += ", (int)at[3 * i + 2]";
  return text + ");\n}\n";
}

/// What the tests hold: numbers, or colours of four channels. Both have the range from -1 to 1.
template <class T>
constexpr std::size_t channels_of = yoke::texel_traits<T>::format.channels;

/// Effects: writes a part of an image that touches a random corner of it, and the same part of the reference.
template <class Image, class Stream, class T>
void write_corner(Image& image, std::vector<T>& all, const Stream& stream) {
  const auto whole = yoke::detail::whole_box(image.shape());
  const std::array<std::size_t, 3> counts{whole.width, whole.height, whole.depth};
  std::array<std::size_t, 3> from{};
  std::array<std::size_t, 3> extent{};
  for (std::size_t axis = 0; axis < 3; ++axis) {
    extent[axis] = static_cast<std::size_t>(random_of(1, static_cast<long>(counts[axis])));
    from[axis] = random_of(0, 1) == 0 ? 0 : counts[axis] - extent[axis];
  }
  const auto part = random_texels<T>(extent[0] * extent[1] * extent[2]);
  yoke::copy(part, yoke::region(image, {from[0], from[1], from[2]}, {extent[0], extent[1], extent[2]}), stream);
  auto each = part.begin();
  for (std::size_t z = 0; z < extent[2]; ++z) {
    for (std::size_t y = 0; y < extent[1]; ++y) {
      for (std::size_t x = 0; x < extent[0]; ++x) {
        all[from[0] + x + counts[0] * (from[1] + y + counts[1] * (from[2] + z))] = *each++;
      }
    }
  }
}

/// Effects: reads an image at many places by every sampler. Texels are from -1 to 1: the range is 2.
template <class T, unsigned Dimensions, bool Layered, class Backend>
void check_samplers(rig<Backend>& on, const yoke::extent3& extent, long layers = 1) {
  constexpr std::size_t channels = channels_of<T>;
  using image = yoke::basic_image<T, yoke::detail::kind_of_dimensions(Dimensions, Layered), typename Backend::port>;
  const std::size_t texels_of_layer = extent.x * extent.y * extent.z;
  auto all = random_texels<T>(texels_of_layer * static_cast<std::size_t>(layers));
  image device_image = [&] {
    if constexpr (Layered)
      return image{on.context, all, extent, layers, on.stream};
    else
      return image{on.context, all, extent, on.stream};
  }();
  write_corner(device_image, all, on.stream);
  std::vector<volume> from;
  for (std::size_t layer = 0; layer < static_cast<std::size_t>(layers); ++layer) {
    const auto* const first = reinterpret_cast<const float*>(all.data() + layer * texels_of_layer);
    from.push_back({{static_cast<long>(extent.x), static_cast<long>(extent.y), static_cast<long>(extent.z)},
                    {first, first + texels_of_layer * channels},
                    channels});
  }
  using parameter =
      yoke::detail::image_parameter<T, yoke::detail::kind_of_dimensions(Dimensions, Layered), yoke::image_access::read>;
  const auto module = yoke::compile(on.context, source<Dimensions, Layered>(),
                                    {.defines = {{"VALUE", channels == 1 ? "float" : "float4"}}});
  const auto kernel = yoke::get_kernel<void(parameter, yoke::sampler, const float*, T*)>(module, "sampled");
  constexpr std::size_t count = 256;
  for (const places where : {places::anywhere, places::in_256ths, places::at_edges}) {
    for (unsigned code = 0; code < yoke::detail::sampler_codes; ++code) {
      const yoke::sampler by = yoke::detail::sampler_of_code(code);
      const bool linear = by.filter == yoke::filter_mode::linear;
      if (!yoke::detail::is_possible(by) || (!linear && where != places::anywhere)) continue;
      std::vector<float> given(3 * count);
      std::vector<std::array<double, 3>> texels_of(count);
      for (std::size_t i = 0; i < count; ++i) {
        for (std::size_t axis = 0; axis < Dimensions; ++axis) {
          const auto n = static_cast<double>(from[0].extents[axis]);
          const double at = random_place(where, n, by.filter, by.normalised);
          // A normalised place is what the device makes of it, but near it.
          given[3 * i + axis] = static_cast<float>(by.normalised ? at / n : at);
          texels_of[i][axis] = static_cast<double>(given[3 * i + axis]) * (by.normalised ? n : 1);
        }
        if (Layered) given[3 * i + 2] = static_cast<float>(random_of(-1, layers));
      }
      std::vector<T> found(count);
      kernel(on.stream, {.grid = count}, device_image, by, yoke::in(given), yoke::out(found));
      const auto* const numbers = reinterpret_cast<const float*>(found.data());
      // How far results are from the reference, if the device takes the layer's number times `scale`.
      const auto worst_by = [&](long scale) {
        double worst = 0;
        for (std::size_t i = 0; i < count; ++i) {
          const auto asked = Layered ? static_cast<long>(given[3 * i + 2]) : 0;
          const volume& layer = from[static_cast<std::size_t>(std::clamp(asked * scale, 0L, layers - 1))];
          for (std::size_t channel = 0; channel < channels; ++channel) {
            const double wanted = filtered(layer, texels_of[i], Dimensions, by, channel);
            worst = std::max(worst, std::abs(static_cast<double>(numbers[channels * i + channel]) - wanted));
          }
        }
        return worst;
      };
      double worst = worst_by(1);
      // PoCL scales the layer's number with the coordinates: it reads the last layer for each but the first. Version 3.1 does
      // so for lines and planes.
      if (by.normalised && is_pocl(on.device)) worst = std::min(worst, worst_by(layers));
      INFO("extents " << extent.x << ", " << extent.y << ", " << extent.z << ", layers " << layers << ", channels "
                      << channels << ", sampler " << code << ", places " << static_cast<int>(where));
      CHECK(worst <= filter_bound(by.filter, Dimensions, 2));
    }
  }
}

}  // namespace

YOKE_DEVICE_TEST_CASE("samplers read as a reference in double precision", "[image]") {
  rig on(device);
  check_samplers<float, 1, false>(on, {1});
  check_samplers<float, 1, false>(on, {odd()});
  check_samplers<float, 2, false>(on, {1, 1});
  check_samplers<float, 2, false>(on, {1, odd()});
  check_samplers<float, 2, false>(on, {odd(), odd()});
  check_samplers<float, 2, false>(on, {32, 16});
  check_samplers<float, 3, false>(on, {1, 1, 1});
  check_samplers<float, 3, false>(on, {odd(), odd(), odd()});
}

YOKE_DEVICE_TEST_CASE("samplers read four channels as a reference in double precision", "[image]") {
  rig on(device);
  check_samplers<yoke::float4, 1, false>(on, {odd()});
  check_samplers<yoke::float4, 2, false>(on, {1, 1});
  check_samplers<yoke::float4, 2, false>(on, {odd(), odd()});
  check_samplers<yoke::float4, 3, false>(on, {odd(), odd(), odd()});
}

YOKE_DEVICE_TEST_CASE("samplers read layers as a reference in double precision", "[image]") {
  rig on(device);
  check_samplers<float, 1, true>(on, {1}, 1);
  check_samplers<float, 1, true>(on, {odd()}, 5);
  check_samplers<float, 2, true>(on, {1, 1}, 3);
  check_samplers<float, 2, true>(on, {odd(), odd()}, 4);
  check_samplers<yoke::float4, 2, true>(on, {odd(), odd()}, 3);
}

YOKE_DEVICE_TEST_CASE("samplers in the source read as those that a launch passes", "[image]") {
  rig on(device);
  const long width = odd() + 1, height = odd();
  const auto texels = random_texels<float>(static_cast<std::size_t>(width * height));
  const yoke::image<float, 2, port> image{on.context, texels, {width, height}, on.stream};
  std::string samplers, reads;
  std::vector<yoke::sampler> all;
  constexpr const char* names[] = {"CLAMP_TO_EDGE", "BORDER", "REPEAT", "MIRRORED_REPEAT"};
  for (unsigned code = 0; code < yoke::detail::sampler_codes; ++code) {
    const yoke::sampler by = yoke::detail::sampler_of_code(code);
    if (!yoke::detail::is_possible(by)) continue;
    const std::string number = std::to_string(all.size());
    samplers += "YOKE_CONSTANT_SAMPLER(by_" + number + ", " + (by.normalised ? "NORMALISED" : "TEXELS") + ", " +
                names[static_cast<std::size_t>(by.address)] + ", " +
                (by.filter == yoke::filter_mode::linear ? "LINEAR" : "NEAREST") + ");\n";
    const std::string scale = by.normalised ? ", x, y)" : ", x * get_image_width(from), y * get_image_height(from))";
    reads +=
        "  to[" + number + " * (int)get_global_size(0) + i] = yoke_sample_2d(float, from, by_" + number + scale + ";\n";
    all.push_back(by);
  }
  CHECK(all.size() == 12);
  const auto module = yoke::compile(on.context, samplers + R"(
YOKE_KERNEL constants(YOKE_READ_IMAGE_2D(float, from), YOKE_GLOBAL const float* at, YOKE_GLOBAL float* to) {
  int i = (int)get_global_id(0);
  float x = at[2 * i];
  float y = at[2 * i + 1];
)" + reads + R"(}
YOKE_KERNEL passed(YOKE_READ_IMAGE_2D(float, from), YOKE_SAMPLER(by), YOKE_GLOBAL const float* at, YOKE_GLOBAL float* to, int in_texels) {
  int i = (int)get_global_id(0);
  float x = at[2 * i];
  float y = at[2 * i + 1];
  if (in_texels) to[i] = yoke_sample_2d(float, from, by, x * get_image_width(from), y * get_image_height(from));
  else to[i] = yoke_sample_2d(float, from, by, x, y);
}
)");
  constexpr std::size_t count = 64;
  std::vector<float> at(2 * count);
  for (float& each : at) each = static_cast<float>(random_from(-0.9, 1.9));
  std::vector<float> by_constants(all.size() * count);
  yoke::get_kernel<void(yoke::read_image<float, 2>, const float*, float*)>(module, "constants")(
      on.stream, {.grid = count}, image, yoke::in(at), yoke::out(by_constants));
  const auto passed =
      yoke::get_kernel<void(yoke::read_image<float, 2>, yoke::sampler, const float*, float*, int)>(module, "passed");
  for (std::size_t i = 0; i < all.size(); ++i) {
    INFO("sampler " << yoke::detail::sampler_code(all[i]));
    std::vector<float> found(count);
    passed(on.stream, {.grid = count}, image, all[i], yoke::in(at), yoke::out(found), all[i].normalised ? 0 : 1);
    const auto first = by_constants.begin() + static_cast<std::ptrdiff_t>(i * count);
    CHECK(found == std::vector<float>(first, first + count));
  }
}

YOKE_DEVICE_TEST_CASE("layers are never mixed, and outside ones are the nearest", "[image]") {
  rig on(device);
  const auto texels = counting<float>(3 * 2 * 4);
  const yoke::layered_image<float, 2, typename backend::port> image{on.context, texels, {3, 2}, 4, on.stream};
  const auto kernel =
      yoke::get_kernel<void(yoke::read_layered_image<float, 2>, yoke::sampler, float*)>(yoke::compile(on.context, R"(
YOKE_KERNEL layers(YOKE_READ_IMAGE_2D_ARRAY(float, from), YOKE_SAMPLER(by), YOKE_GLOBAL float* to) {
  int i = (int)get_global_id(0);
  to[i] = yoke_sample_2d_array(float, from, by, 1.0f, 1.0f, i - 1);
}
)"),
                                                                                        "layers");
  std::vector<float> found(6);
  kernel(on.stream, {.grid = 6}, image, yoke::sampler{.filter = yoke::filter_mode::linear}, yoke::out(found));
  CHECK(found == std::vector<float>{3, 3, 9, 15, 21, 21});
}

YOKE_DEVICE_TEST_CASE("normalised texels are filtered as numbers from 0 to 1", "[image]") {
  rig on(device);
  using pixel = yoke::unorm<std::uint8_t, 4>;
  const std::vector<pixel> two{{{0, 255, 51, 255}}, {{255, 0, 102, 255}}};
  const yoke::image<pixel, 1, typename backend::port> image{on.context, two, 2, on.stream};
  const auto kernel = yoke::get_kernel<void(yoke::read_image<yoke::float4, 1>, yoke::sampler, yoke::float4*)>(
      yoke::compile(on.context, R"(
YOKE_KERNEL between(YOKE_READ_IMAGE_1D(float4, from), YOKE_SAMPLER(by), YOKE_GLOBAL float4* to) {
  to[0] = yoke_sample_1d(float4, from, by, 1.0f);
}
)"),
      "between");
  std::vector<yoke::float4> found(1);
  kernel(on.stream, {.grid = 1}, image, yoke::sampler{.filter = yoke::filter_mode::linear}, yoke::out(found));
  CHECK(found[0].x == Approx(0.5F).margin(1.0 / 256));
  CHECK(found[0].y == Approx(0.5F).margin(1.0 / 256));
  CHECK(found[0].z == Approx(0.3F).margin(1.0 / 256));
  CHECK(found[0].w == Approx(1.0F).margin(1e-6));
}
