// SPDX-License-Identifier: MIT
// What a sampler reads, worked out in double precision with weights that are not rounded.
#ifndef YOKE_TESTS_IMAGE_FILTER_REFERENCE_HPP
#define YOKE_TESTS_IMAGE_FILTER_REFERENCE_HPP

#include <yoke/driver/image_types.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
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

/// Texels of up to three axes, x fastest; axes that there are not have the extent 1.
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
inline double filtered(const volume& from, const std::array<double, 3>& place, std::size_t axes,
                       const yoke::sampler& by) {
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

}  // namespace yoke_test

#endif
