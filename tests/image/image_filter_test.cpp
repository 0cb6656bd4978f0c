// SPDX-License-Identifier: MIT
// Samplers against a reference in double precision: every address mode and filter, sizes from one texel on, random numbers.
#include <image/image_rig.hpp>

#include <array>
#include <cmath>

using namespace yoke_test;

namespace {

/// Returns: the texel that index `i` of `n` stands for; -1 for the border.
long brought_in(long i, long n, yoke::address_mode how) {
  switch (how) {
    case yoke::address_mode::clamp_to_edge: return std::min(std::max(i, 0L), n - 1);
    case yoke::address_mode::border: return i < 0 || i >= n ? -1 : i;
    case yoke::address_mode::repeat: return (i % n + n) % n;
    case yoke::address_mode::mirrored_repeat: break;
  }
  const long turn = (i % (2 * n) + 2 * n) % (2 * n);
  return turn < n ? turn : 2 * n - 1 - turn;
}

struct volume {
  std::array<long, 3> extents;
  std::vector<float> texels;
  [[nodiscard]] double at(const std::array<long, 3>& place, yoke::address_mode how) const {
    std::array<long, 3> in{};
    for (std::size_t axis = 0; axis < 3; ++axis) {
      in[axis] = brought_in(place[axis], extents[axis], how);
      if (in[axis] < 0) return 0;
    }
    return static_cast<double>(texels[static_cast<std::size_t>(in[0] + extents[0] * (in[1] + extents[1] * in[2]))]);
  }
};

/// Returns: what a sampler reads there, in double precision. Coordinates count texels.
double reference(const volume& from, const std::array<double, 3>& place, std::size_t axes, const yoke::sampler& by) {
  std::array<long, 3> first{};
  std::array<double, 3> weight{};
  for (std::size_t axis = 0; axis < axes; ++axis) {
    const double at = by.filter == yoke::filter_mode::linear ? place[axis] - 0.5 : place[axis];
    first[axis] = static_cast<long>(std::floor(at));
    weight[axis] = by.filter == yoke::filter_mode::linear ? at - std::floor(at) : 0;
  }
  double sum = 0;
  for (int corner = 0; corner < 8; ++corner) {
    double share = 1;
    std::array<long, 3> each = first;
    for (std::size_t axis = 0; axis < 3; ++axis) {
      const bool second = (corner >> axis & 1) != 0;
      share *= second ? weight[axis] : 1 - weight[axis];
      if (second) ++each[axis];
    }
    if (share != 0) sum += share * from.at(each, by.address);
  }
  return sum;
}

template <unsigned Dimensions>
std::string source() {
  const std::string kind = std::to_string(Dimensions);
  std::string text = "YOKE_KERNEL sampled(YOKE_READ_IMAGE_" + kind +
                     "D(float, from), YOKE_SAMPLER(by), YOKE_GLOBAL const float* at, YOKE_GLOBAL float* to) {\n"
                     "  int i = (int)get_global_id(0);\n"
                     "  to[i] = yoke_sample_" +
                     kind + "d(float, from, by";
  for (unsigned axis = 0; axis < Dimensions; ++axis) text += ", at[3 * i + " + std::to_string(axis) + "]";
  return text + ");\n}\n";
}

/// Effects: reads an image at many places by every sampler. Texels are from -1 to 1: the range is 2.
template <unsigned Dimensions, class Backend>
void check_samplers(rig<Backend>& on, const yoke::extent3& extent) {
  using image = yoke::image<float, Dimensions, typename Backend::port>;
  volume from{{static_cast<long>(extent.x), static_cast<long>(extent.y), static_cast<long>(extent.z)},
              random_texels<float>(extent.x * extent.y * extent.z)};
  const image device_image{on.context, from.texels, extent, on.stream};
  const auto kernel = yoke::get_kernel<void(yoke::read_image<float, Dimensions>, yoke::sampler, const float*, float*)>(
      yoke::compile(on.context, source<Dimensions>()), "sampled");
  constexpr std::size_t count = 256;
  std::mt19937 dice{std::random_device{}()};
  for (unsigned code = 0; code < yoke::detail::sampler_codes; ++code) {
    const yoke::sampler by = yoke::detail::sampler_of_code(code);
    if (!yoke::detail::is_possible(by)) continue;
    const bool linear = by.filter == yoke::filter_mode::linear;
    std::vector<float> places(3 * count);
    std::vector<std::array<double, 3>> texels_of(count);
    for (std::size_t i = 0; i < count; ++i) {
      for (std::size_t axis = 0; axis < 3; ++axis) {
        const auto n = static_cast<double>(from.extents[axis]);
        // Up to a texel, or one turn, outside; in steps of 1/64 that neither a filter's rounding nor the division moves over an edge.
        const double least = by.normalised ? -n : -1.5;
        const double most = by.normalised ? 2 * n : n + 1.5;
        double at = std::uniform_real_distribution<double>(least, most)(dice);
        at = (std::floor(at * 64) + 0.5) / 64;
        // A normalised place is what the device makes of it, but near it.
        places[3 * i + axis] = static_cast<float>(by.normalised ? at / n : at);
        texels_of[i][axis] = by.normalised ? static_cast<double>(places[3 * i + axis]) * n : at;
      }
    }
    std::vector<float> found(count);
    kernel(on.stream, {.grid = count}, device_image, by, yoke::in(places), yoke::out(found));
    double worst = 0;
    for (std::size_t i = 0; i < count; ++i) {
      worst = std::max(worst, std::abs(static_cast<double>(found[i]) - reference(from, texels_of[i], Dimensions, by)));
    }
    INFO("extents " << extent.x << ", " << extent.y << ", " << extent.z << ", sampler " << code);
    // Each axis rounds its weight to 1/256, by half of that at most: together less than 1/256 of the range for two axes, and
    // 3/512 for three; coordinates have the digits of a float.
    CHECK(worst <= (linear ? (Dimensions == 3 ? 3.0 / 512 : 1.0 / 256) * 2 + 1e-4 : 0));
  }
}

}  // namespace

YOKE_DEVICE_TEST_CASE("samplers read as a reference in double precision", "[image]") {
  rig on(device);
  check_samplers<1>(on, {1});
  check_samplers<1>(on, {13});
  check_samplers<2>(on, {1, 1});
  check_samplers<2>(on, {7, 5});
  check_samplers<2>(on, {1, 9});
  check_samplers<2>(on, {32, 16});
  check_samplers<3>(on, {1, 1, 1});
  check_samplers<3>(on, {5, 3, 7});
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
