// SPDX-License-Identifier: MIT
// Finds the greatest or the least elements of each row, in order, with their indices.
#ifndef YOKE_ALGORITHM_TOP_K_HPP
#define YOKE_ALGORITHM_TOP_K_HPP

#include <yoke/algorithm/index_kernel.hpp>

namespace yoke::inline v0_1 {

/// The elements that `top_k` finds.
struct top_options {
  bool largest = true;  ///< the greatest, from the greatest down; else the least, from the least up
};

/// The elements that `top_k` has found in each row, and their indices in this row. Move-only.
template <class T, class Index, std::size_t Rank, class Port = any_port>
struct top_elements {
  device_array<T, Rank, Port> values;
  device_array<Index, Rank, Port> indices;
};

namespace detail {

/// Throws: `logic_error` for rows whose positions exceed the index type.
template <class Index>
void check_row_index(std::size_t count, const source_location& where) {
  if (count > 0 && std::cmp_greater(count - 1, greatest_of<Index>)) {
    throw_sort_index(static_cast<std::int64_t>(count), sizeof(Index), where);
  }
}
/// Returns: the shape of `k` elements of each row. Throws: `logic_error` for a `k` that no row has.
template <std::size_t Rank, class Shape>
[[nodiscard]] shape<Rank> shape_of_top(const Shape& of, std::int64_t k, const source_location& where) {
  shape<Rank> made;
  made = of;
  const auto count = static_cast<std::int64_t>(made[Rank - 1]);
  if (k < 0 || k > count) throw_top_count(k, count, where);
  made[Rank - 1] = static_cast<std::size_t>(k);
  return made;
}

/// Effects: sorts the rows of an operand into temporaries with the elements' positions, and writes the first of each
/// row. Requires: destinations of one shape that have at most as many elements in a row.
template <class Word, class Order, class E, class T, class Index, std::size_t Rank, class Port>
void write_top(const Order& order, const E& of, const device_view<T, Rank, Port>& values,
               const device_view<Index, Rank, Port>& indices, const top_options& by, const source_location& where) {
  shape<Rank> extents;
  extents = of.shape(where);
  const dense_elements<T, Rank, Order> keys(order, extents, values.stream(where), where);
  const dense_elements<Word, Rank, Order> places(order, extents, values.stream(where), where);
  auto request = request_to_sort(keys.view(), {.descending = by.largest}, where);
  request.to = request.from;
  request.value_bytes = sizeof(Word);
  request.numbers = true;
  request.values_to = memory_to_sort(places.view());
  request.values_from = request.values_to;
  if constexpr (requires { of.view; }) {
    if (is_sortable(of.view)) {
      request.from = memory_to_sort(of.view);
      request.in_place = false;
    } else {
      assign_in(order, keys.view(), of.view, where);
    }
  } else {
    of.evaluate_in(order, keys.view(), where);
  }
  run_sort(order, request, where);
  const slice first(0, static_cast<std::ptrdiff_t>(values.extent(Rank - 1)));
  assign_in(order, values, keys.view().part_at(where, ellipsis, first), where);
  assign_in(order, indices, places.view().part_at(where, ellipsis, first), where);
}
/// Effects: writes the greatest or the least elements of each row, and their indices. Throws: as `top_k`.
template <class Order, class E, class T, class Index, std::size_t Rank, class Port>
void find_top(const Order& order, const E& of, const device_view<T, Rank, Port>& values,
              const device_view<Index, Rank, Port>& indices, const top_options& by, const source_location& where) {
  shape<Rank> extents;
  extents = of.shape(where);
  const std::size_t count = extents[Rank - 1];
  check_row_index<Index>(count, where);
  const auto expected = shape_of_top<Rank>(extents, static_cast<std::int64_t>(values.extent(Rank - 1)), where);
  check_result_shape(expected.begin(), values.shape().begin(), Rank, where);
  check_result_shape(expected.begin(), indices.shape().begin(), Rank, where);
  operation_memory operation(order);
  if constexpr (requires { of.view; }) check_memory(operation, of.view.memory(), memory_use::reads, "array", where);
  check_memory(operation, values.memory(), memory_use::writes, "values", where);
  check_memory(operation, indices.memory(), memory_use::writes, "indices", where);
  check_writable(values.layout(), where);
  check_writable(indices.layout(), where);
  if (values.empty()) return;
  if (views_share(order, values, indices, where)) throw_top_shares(where);
  if (std::cmp_less_equal(count, greatest_of<std::int32_t>)) {
    write_top<std::int32_t>(order, of, values, indices, by, where);
  } else {
    write_top<std::int64_t>(order, of, values, indices, by, where);
  }
}

/// Does not compile for elements without an order, and for indices of another type.
template <class Index, class A>
consteval bool check_top() {
  constexpr bool counts = integer<Index> && (sizeof(Index) == 4 || sizeof(Index) == 8);
  static_assert(counts, "an index is an integer of 32 or 64 bits");
  check_sorted<sorted_value<A>, sorted_rank<A>>();
  return counts && can_be_sorted<A>;
}
/// Does not compile for destinations that cannot receive the elements and their indices.
template <class A, class Values, class Indices>
consteval bool check_top_into() {
  using index = typename Indices::value_type;
  constexpr bool written =
      !std::is_const_v<typename Values::element_type> && !std::is_const_v<typename Indices::element_type>;
  constexpr bool fits = std::same_as<typename Values::value_type, sorted_value<A>> &&
                        Values::rank() == sorted_rank<A> && Indices::rank() == sorted_rank<A>;
  constexpr bool one_backend = of_one_backend<std::remove_cvref_t<A>, Values, Indices>;
  static_assert(written, "this view cannot be written");
  static_assert(fits, "the values are of the elements' type, and values and indices have as many axes as the array");
  static_assert(one_backend, "the array, the values and the indices are of one backend");
  return written && fits && one_backend && check_top<index, A>();
}

}  // namespace detail

// The order is that of `sort`: the first of equal elements comes first, zeros are equal whatever their sign, and NaN is
// behind all numbers, for `largest`, too. Rows lie along the last axis. Throws: `logic_error` for an empty array, a `k`
// below 0 or above the elements of a row, and rows whose positions exceed the index type; as `evaluate`.
// Source: `topk` of PyTorch, `top_k` of JAX.

/// Returns: the `k` greatest elements of each row of an array, a view or an expression, from the greatest down, and
/// their indices in the row, in its stream. Indices of 32 bits are faster. Effects: sorts a copy of the rows.
/// Example: `auto [values, indices] = yoke::top_k(scores, 10); auto least = yoke::top_k(a, 3, {.largest = false});`
template <class Index = std::int64_t, class A, integer K>
  requires detail::array_operand<A>
[[nodiscard]] auto top_k(A&& of, K k, const top_options& by = {},
                         const source_location& where = source_location::current()) {
  if constexpr (detail::check_top<Index, A>()) {
    constexpr std::size_t rank = detail::sorted_rank<A>;
    using operand = detail::operand_of<A>;
    const operand from = detail::operand_to_sort(std::forward<A>(of), where);
    const auto& order = from.stream(where);
    const auto extents = detail::shape_of_top<rank>(from.shape(where), detail::clamped_count(k), where);
    using port = typename operand::port_type;
    top_elements<detail::sorted_value<A>, Index, rank, port> made{{order, extents, array_order::c, where},
                                                                  {order, extents, array_order::c, where}};
    detail::find_top(order, from, made.values.view(where), made.indices.view(where), by, where);
    return made;
  }
}
/// Writes them to existing elements, in the stream of `values`, whose last extent is `k`. Throws: `logic_error` for
/// destinations of other shapes, or that share memory; as above.
/// Example: `yoke::top_k(scores, best, places);`
template <class A, class Values, class Indices>
  requires detail::array_operand<A> && detail::sorted_memory<Values> && detail::sorted_memory<Indices>
void top_k(const A& of, Values&& values, Indices&& indices, const top_options& by = {},
           const source_location& where = source_location::current()) {
  const auto value = detail::view_to_sort(values, where);
  const auto index = detail::view_to_sort(indices, where);
  if constexpr (detail::check_top_into<A, std::remove_const_t<decltype(value)>,
                                       std::remove_const_t<decltype(index)>>()) {
    (void)index.stream(where);
    detail::find_top(value.stream(where), detail::operand_to_sort(of, where), value, index, by, where);
  }
}
/// Writes them at each launch of a graph. Returns: the node; it stands for all launches.
/// Example: `yoke::top_k(scores, best.bind(record), places.bind(record));`
template <class A, class T, std::size_t Rank, class Port, class Indices>
  requires detail::array_operand<A> && detail::sorted_memory<Indices>
graph_node<Port> top_k(const A& of, const recorded_view<T, Rank, Port>& values, Indices&& indices,
                       const top_options& by = {}, const source_location& where = source_location::current()) {
  const auto index = detail::view_to_sort(indices, where);
  if constexpr (detail::check_top_into<A, device_view<T, Rank, Port>, std::remove_const_t<decltype(index)>>()) {
    (void)index.stream(where);
    const auto from = detail::operand_to_sort(of, where);
    return values.record([&](const auto& order) { detail::find_top(order, from, values.view(), index, by, where); },
                         where);
  }
}
template <class A, class T, class Index, std::size_t Rank, class Port>
  requires detail::array_operand<A>
graph_node<Port> top_k(const A& of, const recorded_view<T, Rank, Port>& values,
                       const recorded_view<Index, Rank, Port>& indices, const top_options& by = {},
                       const source_location& where = source_location::current()) {
  return top_k(of, values, indices.view(), by, where);
}

}  // namespace yoke::inline v0_1

#endif
