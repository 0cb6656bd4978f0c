// SPDX-License-Identifier: MIT
// The order of a sort, and the errors that sorts throw.
#ifndef YOKE_ALGORITHM_SORT_ORDER_HPP
#define YOKE_ALGORITHM_SORT_ORDER_HPP

#include <yoke/array/evaluation/value_kind.hpp>
#include <yoke/array/geometry/axes.hpp>

#include <cstddef>
#include <cstdint>

namespace yoke::inline v0_1 {

/// The order in which a sort puts elements.
struct sort_options {
  bool descending = false;  ///< the greatest first; equal elements keep their order also then
  int first_bit = 0;        ///< of integers: lower bits are ignored
  int last_bit = 0;         ///< of integers: this bit and higher ones are ignored; 0: none is
};

namespace detail {

/// The comparison of keys, by bits `first` to `last` of integers in the order of the keys.
struct sort_order {
  std::size_t bytes = 4;
  bool real = false;
  bool truth = false;
  std::uint64_t flip = 0;
  std::uint64_t infinity = 0;
  std::uint32_t first = 0;
  std::uint32_t last = 32;
};
/// Throws: `logic_error` for bits that the type does not have, and for a choice of bits with other types than
/// integers.
[[nodiscard]] YOKE_API sort_order sort_order_of(value_kind kind, const sort_options& by, const source_location& where);

/// Whether one thread may sort a tile where that is faster; tests turn it off.
[[nodiscard]] YOKE_API bool& serial_sort_allowed() noexcept;
[[noreturn, gnu::cold]] YOKE_API void throw_sort_shapes(const const_axes& keys, const const_axes& values,
                                                        const source_location& where);
[[noreturn, gnu::cold]] YOKE_API void throw_sort_shares(const source_location& where);
[[noreturn, gnu::cold]] YOKE_API void throw_sort_index(std::int64_t count, std::size_t bytes,
                                                       const source_location& where);
[[noreturn, gnu::cold]] YOKE_API void throw_top_count(std::int64_t k, std::int64_t count, const source_location& where);
[[noreturn, gnu::cold]] YOKE_API void throw_top_shares(const source_location& where);

}  // namespace detail

}  // namespace yoke::inline v0_1

#if defined(YOKE_IMPLEMENTATION)
#include <yoke/algorithm/sort_order.ipp>
#endif

#endif
