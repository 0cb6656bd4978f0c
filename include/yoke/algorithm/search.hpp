// SPDX-License-Identifier: MIT
// Binary searches for many values at once.
#ifndef YOKE_ALGORITHM_SEARCH_HPP
#define YOKE_ALGORITHM_SEARCH_HPP

#include <yoke/algorithm/index_kernel.hpp>

namespace yoke::inline YOKE_ABI {

namespace detail {

/// The type of what is searched. Its address names the kernel in a context.
template <class T, bool Behind>
inline constexpr value_type_name bound_kernels = name_of<T>();

template <bool Behind, class A, class V>
[[nodiscard]] auto bounds(const A& among, const V& values, const source_location& where) {
  const auto view = view_to_sort(among, where);
  using view_type = std::remove_const_t<decltype(view)>;
  using T = typename view_type::value_type;
  using port = typename view_type::port_type;
  constexpr std::size_t rank = operand_of<const V&>::rank;
  static_assert(view_type::rank() == 1, "what is searched has one axis");
  static_assert(real_element<T>, "real numbers and bools have an order");
  static_assert(of_one_backend<A, V>, "elements and values are of one backend");
  static_assert(std::same_as<T, typename operand_of<const V&>::value_type>,
                "values are of the type of the elements among which they are searched: cast<T>(values)");
  if constexpr (view_type::rank() == 1 && real_element<T> && of_one_backend<A, V> &&
                std::same_as<T, typename operand_of<const V&>::value_type>) {
    const auto& order = view.stream(where);
    shape<rank> extents;
    extents = as_operand(values).shape(where);
    device_array<std::int64_t, rank, port> made(order, extents, array_order::c, where);
    if (made.empty()) return made;
    const auto sorted = dense_input_of<T>(order, view, "array", false, where);
    const auto wanted = dense_input_of<T>(order, values, "values", false, where);
    const std::int64_t numbers[]{sorted.memory.first, wanted.memory.first, static_cast<std::int64_t>(view.size()),
                                 static_cast<std::int64_t>(made.size())};
    const typename port::memory_handle to = made.native_handle();
    const kernel_argument arguments[]{
        handle_argument(to),         handle_argument(sorted.memory.memory), handle_argument(wanted.memory.memory),
        number_argument(numbers[0]), number_argument(numbers[1]),           number_argument(numbers[2]),
        number_argument(numbers[3])};
    run_index_kernel<port>(
        order, &bound_kernels<T, Behind>, 0, "yoke_i_bound",
        [] { return bound_source(bound_kernels<T, Behind>, Behind); }, nullptr, threads_for(numbers[3]), arguments,
        where);
    return made;
  }
}

}  // namespace detail

// For each value the place in sorted elements of one axis where it would go, as `std::int64_t` in the values' shape, in the
// stream of the elements. Values are an array, a view or an expression of the elements' type. The order is that of `sort`: 0 and
// -0 are equal, NaN is behind all numbers. Requires: elements in ascending order; that stream is ordered behind work with the
// values. Throws: as `evaluate`. Source: NumPy's `searchsorted`, C++'s algorithms of these names.

/// Before its equals: how many elements are less. Example: `auto below = yoke::lower_bound(limits, a);`
template <class A, class V>
  requires detail::sorted_memory<A> && detail::array_operand<V>
[[nodiscard]] auto lower_bound(const A& sorted, const V& values,
                               const source_location& where = source_location::current()) {
  return detail::bounds<false>(sorted, values, where);
}
/// Behind its equals: how many elements are not greater.
template <class A, class V>
  requires detail::sorted_memory<A> && detail::array_operand<V>
[[nodiscard]] auto upper_bound(const A& sorted, const V& values,
                               const source_location& where = source_location::current()) {
  return detail::bounds<true>(sorted, values, where);
}

}  // namespace yoke::inline YOKE_ABI

#endif
