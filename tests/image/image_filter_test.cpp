// SPDX-License-Identifier: MIT
// Samplers against a reference in double precision: every address mode and filter, sizes from one texel on, random numbers.
#include <image/filter_reference.hpp>
#include <image/image_rig.hpp>
#include <support/background.hpp>

#include <array>
#include <cmath>

using namespace yoke_test;

namespace {

template <unsigned Dimensions, bool Layered>
std::string source() {
  const std::string kind = std::to_string(Dimensions) + (Layered ? "d_array" : "d");
  const std::string word = std::to_string(Dimensions) + (Layered ? "D_ARRAY" : "D");
  std::string text = "YOKE_KERNEL sampled(YOKE_READ_IMAGE_" + word +
                     "(float, from), YOKE_SAMPLER(by), YOKE_GLOBAL const float* at, YOKE_GLOBAL float* to) {\n"
                     "  int i = (int)get_global_id(0);\n"
                     "  to[i] = yoke_sample_" +
                     kind + "(float, from, by";
  for (unsigned axis = 0; axis < Dimensions; ++axis) text += ", at[3 * i + " + std::to_string(axis) + "]";
  if (Layered) text += ", (int)at[3 * i + 2]";
  return text + ");\n}\n";
}

std::mt19937& dice() {
  static std::mt19937 made{std::random_device{}()};
  return made;
}
long random_of(long least, long most) { return std::uniform_int_distribution<long>(least, most)(dice()); }

/// Where samplers read.
enum class places {
  anywhere,   // weights are no multiples of 1/256
  in_256ths,  // weights that no device rounds
  at_edges,   // on, half a texel before and half a texel behind the image's edges and those between turns
};

/// Returns: a coordinate in texels of an axis with `n` of them; up to a texel, or one turn, outside.
double random_place(places where, double n, const yoke::sampler& by) {
  const double least = by.normalised ? -n : -1.5;
  const double most = by.normalised ? 2 * n : n + 1.5;
  if (where == places::at_edges) {
    const double edges[] = {0, n, by.normalised ? -n : 0, by.normalised ? 2 * n : n};
    return edges[random_of(0, 3)] + 0.5 * static_cast<double>(random_of(-1, 1));
  }
  const double at = std::uniform_real_distribution<double>(least, most)(dice());
  // Nearest texels: away from their edges, over which the rounding of a division could move a coordinate.
  if (by.filter == yoke::filter_mode::nearest) return (std::floor(at * 64) + 0.5) / 64;
  return where == places::in_256ths ? std::floor(at * 256) / 256 : at;
}

/// Effects: reads an image at many places by every sampler. Texels are from -1 to 1: the range is 2.
template <unsigned Dimensions, bool Layered, class Backend>
void check_samplers(rig<Backend>& on, const yoke::extent3& extent, long layers = 1) {
  using image = yoke::basic_image<float, yoke::detail::kind_of_dimensions(Dimensions, Layered), typename Backend::port>;
  const std::size_t texels_of_layer = extent.x * extent.y * extent.z;
  volume from{{static_cast<long>(extent.x), static_cast<long>(extent.y), static_cast<long>(extent.z)}, {}};
  const auto all = random_texels<float>(texels_of_layer * static_cast<std::size_t>(layers));
  const image device_image = [&] {
    if constexpr (Layered)
      return image{on.context, all, extent, layers, on.stream};
    else
      return image{on.context, all, extent, on.stream};
  }();
  using parameter = yoke::detail::image_parameter<float, yoke::detail::kind_of_dimensions(Dimensions, Layered),
                                                  yoke::image_access::read>;
  const auto kernel = yoke::get_kernel<void(parameter, yoke::sampler, const float*, float*)>(
      yoke::compile(on.context, source<Dimensions, Layered>()), "sampled");
  constexpr std::size_t count = 256;
  for (const places where : {places::anywhere, places::in_256ths, places::at_edges}) {
    for (unsigned code = 0; code < yoke::detail::sampler_codes; ++code) {
      const yoke::sampler by = yoke::detail::sampler_of_code(code);
      const bool linear = by.filter == yoke::filter_mode::linear;
      if (!yoke::detail::is_possible(by) || (!linear && where != places::anywhere)) continue;
      if (Layered && by.normalised && is_pocl(on.device)) continue;  // PoCL 3.1 also scales the layer's number
      std::vector<float> given(3 * count);
      std::vector<std::array<double, 3>> texels_of(count);
      for (std::size_t i = 0; i < count; ++i) {
        for (std::size_t axis = 0; axis < Dimensions; ++axis) {
          const auto n = static_cast<double>(from.extents[axis]);
          const double at = random_place(where, n, by);
          // A normalised place is what the device makes of it, but near it.
          given[3 * i + axis] = static_cast<float>(by.normalised ? at / n : at);
          texels_of[i][axis] = static_cast<double>(given[3 * i + axis]) * (by.normalised ? n : 1);
        }
        if (Layered) given[3 * i + 2] = static_cast<float>(random_of(-1, layers));
      }
      std::vector<float> found(count);
      kernel(on.stream, {.grid = count}, device_image, by, yoke::in(given), yoke::out(found));
      double worst = 0;
      for (std::size_t i = 0; i < count; ++i) {
        const long layer = Layered ? std::clamp(static_cast<long>(given[3 * i + 2]), 0L, layers - 1) : 0;
        const auto first = all.begin() + layer * static_cast<long>(texels_of_layer);
        from.texels.assign(first, first + static_cast<long>(texels_of_layer));
        worst = std::max(worst, std::abs(static_cast<double>(found[i]) - filtered(from, texels_of[i], Dimensions, by)));
      }
      INFO("extents " << extent.x << ", " << extent.y << ", " << extent.z << ", layers " << layers << ", sampler "
                      << code << ", places " << static_cast<int>(where));
      // A device may round each axis' weight to 1/256, by half of that: 1/512 of the range for each axis; an H100 is off
      // by 7 % more. Coordinates have the digits of a float.
      const double share = where == places::anywhere ? Dimensions / 512.0 : 1.0 / 256;
      CHECK(worst <= (linear ? 1.1 * share * 2 + 1e-4 : 0));
    }
  }
}

long odd() { return 2 * random_of(0, 9) + 1; }

}  // namespace

YOKE_DEVICE_TEST_CASE("samplers read as a reference in double precision", "[image]") {
  rig on(device);
  check_samplers<1, false>(on, {1});
  check_samplers<1, false>(on, {odd()});
  check_samplers<2, false>(on, {1, 1});
  check_samplers<2, false>(on, {1, odd()});
  check_samplers<2, false>(on, {odd(), odd()});
  check_samplers<2, false>(on, {32, 16});
  check_samplers<3, false>(on, {1, 1, 1});
  check_samplers<3, false>(on, {odd(), odd(), odd()});
}

YOKE_DEVICE_TEST_CASE("samplers read layers as a reference in double precision", "[image]") {
  rig on(device);
  check_samplers<1, true>(on, {1}, 1);
  check_samplers<1, true>(on, {odd()}, 5);
  check_samplers<2, true>(on, {1, 1}, 3);
  check_samplers<2, true>(on, {odd(), odd()}, 4);
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
