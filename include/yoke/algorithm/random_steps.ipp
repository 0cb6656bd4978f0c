// SPDX-License-Identifier: MIT
// Bodies of algorithm/random_steps.hpp.
#ifndef YOKE_ALGORITHM_RANDOM_STEPS_IPP
#define YOKE_ALGORITHM_RANDOM_STEPS_IPP

#include <yoke/algorithm/random_steps.hpp>

#include <cstdio>

namespace yoke::inline v0_1::detail {

random_steps steps_over(const byte_layout& to, const random_numbers& of, const source_location& where) {
  random_steps steps{.first = of.first};
  const auto low = static_cast<std::uint32_t>(of.seed);
  const auto high = static_cast<std::uint32_t>(of.seed >> 32U);
  for (std::uint32_t turn = 0; turn < 10; ++turn) {
    steps.keys[2 * turn] = low + turn * 0x9e3779b9U;
    steps.keys[2 * turn + 1] = high + turn * 0xbb67ae85U;
  }
  const auto element = static_cast<std::int64_t>(to.element);
  steps.count = static_cast<std::int64_t>(volume(to.axes.extents, to.axes.rank));
  steps.offset = static_cast<std::int64_t>(to.offset) / element;
  bool is_between = to.offset % to.element != 0;
  std::size_t rank = 0;
  for (std::size_t axis = 0; axis < to.axes.rank; ++axis) {
    const auto extent = static_cast<std::int64_t>(to.axes.extents[axis]);
    if (extent == 1) continue;
    is_between = is_between || to.axes.strides[axis] % element != 0;
    const std::int64_t stride = to.axes.strides[axis] / element;
    if (rank != 0 && steps.strides[rank - 1] == stride * extent) {
      steps.extents[rank - 1] *= extent;
      steps.strides[rank - 1] = stride;
      continue;
    }
    steps.extents[rank] = extent;
    steps.strides[rank++] = stride;
  }
  if (is_between && steps.count != 0) throw_within_element(to.offset, to.element, where);
  steps.rank = rank == 0 ? 1 : static_cast<std::int64_t>(rank);
  return steps;
}

void throw_random_range(const char* what, const std::string& low, const std::string& high, const char* why,
                        const source_location& where) {
  throw_error(errc::invalid_argument, where, what, " from low = ", low, " to high = ", high, ": ", why);
}

void throw_random_normal(double mean, double sigma, bool is_complex, const source_location& where) {
  throw_error(errc::invalid_argument, where, "normal numbers with ",
              is_complex ? "a part of mean = " : "mean = ", number_digits(mean), " and sigma = ", number_digits(sigma),
              ": both must be finite, and sigma at least 0");
}

}  // namespace yoke::inline v0_1::detail

#endif
