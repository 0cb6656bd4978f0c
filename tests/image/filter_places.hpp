// SPDX-License-Identifier: MIT
// Random sizes of images, and random places at which samplers and textures read them.
#ifndef YOKE_TESTS_IMAGE_FILTER_PLACES_HPP
#define YOKE_TESTS_IMAGE_FILTER_PLACES_HPP

#include <yoke/driver/image_types.hpp>

#include <algorithm>
#include <cmath>
#include <random>

namespace yoke_test {

inline std::mt19937& dice() {
  static std::mt19937 made{std::random_device{}()};
  return made;
}
inline long random_of(long least, long most) { return std::uniform_int_distribution<long>(least, most)(dice()); }
inline double random_from(double least, double most) {
  return std::uniform_real_distribution<double>(least, most)(dice());
}
/// Returns: an odd number from 1 to 19.
inline long odd() { return 2 * random_of(0, 9) + 1; }

/// Where samplers read.
enum class places {
  anywhere,   // weights are no multiples of 1/256
  in_256ths,  // weights that no device rounds, if their coordinates are in texels
  at_edges,   // on, half a texel before and half a texel behind the image's edges and those between turns
};

/// Returns: a coordinate in texels of an axis with `n` of them; up to a texel, or one turn, outside.
inline double random_place(places where, double n, yoke::filter_mode filter, bool normalised) {
  const double least = normalised ? -n : -1.5;
  const double most = normalised ? 2 * n : n + 1.5;
  if (where == places::at_edges) {
    const double edges[] = {0, n, normalised ? -n : 0, normalised ? 2 * n : n};
    return edges[random_of(0, 3)] + 0.5 * static_cast<double>(random_of(-1, 1));
  }
  const double at = random_from(least, most);
  // Nearest texels: away from their edges, over which the rounding of a division could move a coordinate.
  if (filter == yoke::filter_mode::nearest) return (std::floor(at * 64) + 0.5) / 64;
  return where == places::in_256ths ? std::floor(at * 256) / 256 : at;
}

/// Returns: how far what a device reads may be from the reference, if it weighs `weights` of a place against each other. It may
/// round a coordinate to 1/256 of a texel, by half of that, and then the weight of each texel to 1/256. What two texels share
/// moves by half of that from one to the other. Coordinates have the digits of a float.
inline double filter_bound(yoke::filter_mode filter, std::size_t weights, double range) {
  if (filter == yoke::filter_mode::nearest) return 0;
  const auto splits = static_cast<double>((std::size_t{1} << weights >> 1) - 1);
  return (static_cast<double>(weights) / 512 + splits / 256) * range + 1e-4;
}

}  // namespace yoke_test

#endif
