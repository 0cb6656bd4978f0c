// SPDX-License-Identifier: MIT
// Sorts indices by several keys.
#ifndef YOKE_ALGORITHM_ARGSORT_BY_HPP
#define YOKE_ALGORITHM_ARGSORT_BY_HPP

#include <yoke/algorithm/take.hpp>

namespace yoke::inline v0_1 {

namespace detail {

/// Returns: the indices in the order of the first key, and of the others among its equals, in the stream of the last
/// key.
template <class Index, class First, class... Rest>
[[nodiscard]] auto order_by(const source_location& where, const First& first, const Rest&... rest) {
  if constexpr (sizeof...(Rest) == 0) {
    return argsort<Index>(first, {}, where);
  } else {
    auto order = order_by<Index>(where, rest...);
    const auto& in = order.stream(where);
    using key = typename operand_of<const First&>::value_type;
    const auto sort = [&](auto keys) { sort_by_key(keys, order, {}, where); };
    if constexpr (sorted_memory<First>) {
      sort(take(view_in(in, view_to_sort(first, where)), order, where));
    } else {
      sort(take(evaluated_in<key>(in, first, where), order, where));
    }
    return order;
  }
}
template <class Index, class... Keys>
[[nodiscard]] auto checked_order_by(const source_location& where, const Keys&... keys) {
  static_assert(((operand_of<const Keys&>::rank == 1) && ...), "keys have one axis");
  static_assert((real_element<typename operand_of<const Keys&>::value_type> && ...),
                "real numbers and bools have an order");
  static_assert(of_one_backend<Keys...>, "keys are of one backend");
  if constexpr (((operand_of<const Keys&>::rank == 1) && ...) && of_one_backend<Keys...> &&
                (real_element<typename operand_of<const Keys&>::value_type> && ...)) {
    (void)shape_of_all(where, as_operand(keys)...);
    return order_by<Index>(where, keys...);
  }
}

}  // namespace detail

// Indices in the order of the first key, of the second among equals of the first, and so on: `take(a, order)` puts any
// array of the keys' shape into that order. The sort is stable. Keys are arrays, views and expressions. For descending
// order give `-key`, for integers `~key`. Effects: sorts once for each key, in the stream of the last key.
// Throws: `logic_error` for keys of different shapes; as `argsort`.
// Source: NumPy's `lexsort`, which takes the keys in reverse.

/// The order by two keys. Example: `auto order = yoke::argsort_by(year, month);`
template <class Index = std::int64_t, detail::array_operand First, detail::array_operand Second>
[[nodiscard]] auto argsort_by(const First& first, const Second& second,
                              const source_location& where = source_location::current()) {
  return detail::checked_order_by<Index>(where, first, second);
}
/// The order by three keys.
template <class Index = std::int64_t, detail::array_operand First, detail::array_operand Second,
          detail::array_operand Third>
[[nodiscard]] auto argsort_by(const First& first, const Second& second, const Third& third,
                              const source_location& where = source_location::current()) {
  return detail::checked_order_by<Index>(where, first, second, third);
}
/// The order by four keys.
template <class Index = std::int64_t, detail::array_operand First, detail::array_operand Second,
          detail::array_operand Third, detail::array_operand Fourth>
[[nodiscard]] auto argsort_by(const First& first, const Second& second, const Third& third, const Fourth& fourth,
                              const source_location& where = source_location::current()) {
  return detail::checked_order_by<Index>(where, first, second, third, fourth);
}

}  // namespace yoke::inline v0_1

#endif
