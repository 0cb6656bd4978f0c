// SPDX-License-Identifier: MIT
// The kernel parameters of random numbers, and the errors for their ranges.
#ifndef YOKE_ALGORITHM_RANDOM_STEPS_HPP
#define YOKE_ALGORITHM_RANDOM_STEPS_HPP

#include <yoke/algorithm/random_source.hpp>
#include <yoke/array/evaluation/given_element.hpp>
#include <yoke/array/geometry/byte_layout.hpp>

#include <string>

namespace yoke::inline v0_1::detail {

/// The random numbers that a kernel writes: their kind, and the seed and position of the first one.
struct random_numbers {
  random_kind kind;
  value_type_name element;
  std::uint64_t seed;
  std::uint64_t first;
};

/// The parameters as the kernel gets them. Units: elements.
struct random_steps {
  std::uint64_t first = 0;
  std::int64_t count = 0;
  std::int64_t offset = 0;
  std::int64_t rank = 1;
  std::int64_t extents[max_array_rank]{};
  std::int64_t strides[max_array_rank]{};
  std::uint32_t keys[20]{};  ///< of the ten turns of Philox
};
/// Returns: the parameters for a layout that is walked in C order, with merged axes.
/// Throws: `logic_error` for a layout whose strides are not multiples of its elements.
YOKE_API random_steps steps_over(const byte_layout& to, const random_numbers& of, const source_location& where);

[[noreturn, gnu::cold]] YOKE_API void throw_random_range(const char* what, const std::string& low,
                                                         const std::string& high, const char* why,
                                                         const source_location& where);
[[noreturn, gnu::cold]] YOKE_API void throw_random_normal(double mean, double sigma, bool is_complex,
                                                          const source_location& where);

}  // namespace yoke::inline v0_1::detail

#if defined(YOKE_IMPLEMENTATION)
#include <yoke/algorithm/random_steps.ipp>
#endif

#endif
