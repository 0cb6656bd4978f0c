// SPDX-License-Identifier: MIT
// What a sampler reads, worked out in double precision with weights that are not rounded.
#ifndef YOKE_TESTS_IMAGE_FILTER_REFERENCE_HPP
#define YOKE_TESTS_IMAGE_FILTER_REFERENCE_HPP

#include <yoke/driver/image_types.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <optional>
#include <vector>

namespace yoke_test {

/// Returns: the texel that index `i` of `n` stands for; -1 for the border.
inline long brought_in(long i, long n, yoke::address_mode how) {
  switch (how) {
    case yoke::address_mode::clamp_to_edge: return std::min(std::max(i, 0L), n - 1);
    case yoke::address_mode::border: return i < 0 || i >= n ? -1 : i;
    case yoke::address_mode::repeat: return (i % n + n) % n;
    case yoke::address_mode::mirrored_repeat: break;
  }
  const long turn = (i % (2 * n) + 2 * n) % (2 * n);
  return turn < n ? turn : 2 * n - 1 - turn;
}

/// The address of each axis: x, y, z.
using addresses = std::array<yoke::address_mode, 3>;

/// Texels of up to three axes, x fastest; axes that there are not have the extent 1.
struct volume {
  std::array<long, 3> extents;
  std::vector<float> texels;
  std::size_t channels = 1;        ///< floats of a texel, side by side
  std::array<double, 4> border{};  ///< what stands outside, for each channel
  [[nodiscard]] double at(const std::array<long, 3>& place, const addresses& how, std::size_t channel = 0) const {
    std::array<long, 3> in{};
    for (std::size_t axis = 0; axis < 3; ++axis) {
      in[axis] = brought_in(place[axis], extents[axis], how[axis]);
      if (in[axis] < 0) return border[channel];
    }
    const long texel = in[0] + extents[0] * (in[1] + extents[1] * in[2]);
    return static_cast<double>(texels[static_cast<std::size_t>(texel) * channels + channel]);
  }
};

/// Returns: what a filter reads there, in double precision. Coordinates count texels.
inline double filtered(const volume& from, const std::array<double, 3>& place, std::size_t axes, const addresses& how,
                       yoke::filter_mode filter, std::size_t channel = 0) {
  const bool linear = filter == yoke::filter_mode::linear;
  std::array<long, 3> first{};
  std::array<double, 3> weight{};
  for (std::size_t axis = 0; axis < axes; ++axis) {
    const double at = linear ? place[axis] - 0.5 : place[axis];
    first[axis] = static_cast<long>(std::floor(at));
    weight[axis] = linear ? at - std::floor(at) : 0;
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
    if (share != 0) sum += share * from.at(each, how, channel);
  }
  return sum;
}
/// Returns: what a sampler reads there.
inline double filtered(const volume& from, const std::array<double, 3>& place, std::size_t axes,
                       const yoke::sampler& by, std::size_t channel = 0) {
  return filtered(from, place, axes, {by.address, by.address, by.address}, by.filter, channel);
}

/// Returns: what a linear filter on a line or a plane reads by weights of texels that are rounded to 1/256: that of the last
/// texel, and the others so that each row and each column has the weight of its coordinate. Nothing where a coordinate or a
/// weight lies so near the middle between two 256ths that a device may round it either way.
inline std::optional<double> filtered_in_256ths(const volume& from, const std::array<double, 3>& place,
                                                std::size_t axes, const addresses& how, std::size_t channel = 0) {
  std::array<long, 3> first{};
  std::array<long, 2> weight{};
  for (std::size_t axis = 0; axis < axes; ++axis) {
    const double in_256ths = (place[axis] - 0.5) * 256 + 0.5;
    const double floor = std::floor(in_256ths);
    if (std::abs(std::remainder(in_256ths, 1)) < 0.01) return std::nullopt;
    first[axis] = static_cast<long>(std::floor(floor / 256));
    weight[axis] = static_cast<long>(floor) - 256 * first[axis];
  }
  if (weight[0] * weight[1] % 256 == 128) return std::nullopt;  // a mirrored axis has it the other way around
  const long last = (weight[0] * weight[1] + 128) / 256;
  const auto at = [&](long x, long y) { return from.at({first[0] + x, first[1] + y, first[2]}, how, channel); };
  const auto of = [](long share) { return static_cast<double>(share) / 256; };
  return of(256 - weight[0] - weight[1] + last) * at(0, 0) + of(weight[0] - last) * at(1, 0) +
         of(weight[1] - last) * at(0, 1) + of(last) * at(1, 1);
}

/// How levels of a mipmap are chosen.
struct level_rule {
  yoke::filter_mode filter = yoke::filter_mode::nearest;
  double bias = 0;
  double least = 0;
  double last = 0;
};

/// Returns: the level that is read where a kernel asks for `wanted`: biased, and within the rule's and the mipmap's levels.
inline double level_of(double wanted, const level_rule& rule, std::size_t levels) {
  return std::min(std::clamp(wanted + rule.bias, rule.least, rule.last), static_cast<double>(levels - 1));
}

/// Returns: what a filter reads of a mipmap there. Coordinates are normalised.
inline double filtered(const std::vector<volume>& levels, const std::array<double, 3>& place, std::size_t axes,
                       const addresses& how, yoke::filter_mode filter, double wanted, const level_rule& rule,
                       std::size_t channel = 0) {
  const auto of_level = [&](double level) {
    const volume& from = levels[static_cast<std::size_t>(level)];
    std::array<double, 3> in_texels = place;
    for (std::size_t axis = 0; axis < axes; ++axis) in_texels[axis] *= static_cast<double>(from.extents[axis]);
    return filtered(from, in_texels, axes, how, filter, channel);
  };
  const double level = level_of(wanted, rule, levels.size());
  if (rule.filter == yoke::filter_mode::nearest) return of_level(std::floor(level + 0.5));
  const double share = level - std::floor(level);
  const double lower = of_level(std::floor(level));
  return share == 0 ? lower : lower + share * (of_level(std::floor(level) + 1) - lower);
}

}  // namespace yoke_test

#endif
