// SPDX-License-Identifier: MIT
// The order of elements by several keys.
#ifndef YOKE_ALGORITHM_ARGSORT_BY_HPP
#define YOKE_ALGORITHM_ARGSORT_BY_HPP

#include <yoke/algorithm/take.hpp>

namespace yoke::inline YOKE_ABI {

namespace detail {

/// Returns: the order by one key, and by the others among its equals.
template <class Index, class First, class... Rest>
[[nodiscard]] auto order_by(const source_location& where, const First& first, const Rest&... rest) {
  if constexpr (sizeof...(Rest) == 0) {
    return argsort<Index>(first, {}, where);
  } else {
    auto order = order_by<Index>(where, rest...);
    auto keys = take(first, order, where);
    sort_by_key(keys, order, {}, where);
    return order;
  }
}

}  // namespace detail

/// Where the elements are in order by the first key, by the second among equals of the first, and so on: `take(a, order)` has
/// any array of their shape in that order. The sort is stable. For a descending key, give `-key` or `~key`.
/// Effects: a sort for each key, in the stream of the last one. Requires: that stream is ordered behind work with the others.
/// Throws: `logic_error` for keys of several shapes; as `argsort`. Source: NumPy's `lexsort`, which takes the keys backwards.
/// Example: `auto order = yoke::argsort_by(year, month, day);`
template <class Index = std::int64_t, class First, class... Rest>
  requires(sizeof...(Rest) > 0) && detail::sorted_memory<First> && (detail::sorted_memory<Rest> && ...)
[[nodiscard]] auto argsort_by(const First& first, const Rest&... rest) {
  const source_location where = source_location::current();
  static_assert(detail::operand_of<const First&>::rank == 1 && ((detail::operand_of<const Rest&>::rank == 1) && ...),
                "keys have one axis");
  (void)detail::shape_of_all(where, detail::as_operand(first), detail::as_operand(rest)...);
  return detail::order_by<Index>(where, first, rest...);
}

}  // namespace yoke::inline YOKE_ABI

#endif
