// SPDX-License-Identifier: MIT
// Sorts arrays: in place, into a new array, with other elements beside the keys, or the order alone.
#ifndef YOKE_ALGORITHM_SORT_HPP
#define YOKE_ALGORITHM_SORT_HPP

#include <yoke/algorithm/sort_run.hpp>
#include <yoke/array/make_array.hpp>

namespace yoke::inline YOKE_ABI {

namespace detail {

template <class A>
using sorted_value = typename std::remove_cvref_t<A>::value_type;
template <class A>
inline constexpr std::size_t sorted_rank = operand_of<const std::remove_cvref_t<A>&>::rank;

/// Does not compile for elements without an order, and for arrays without axes.
template <class T, std::size_t Rank>
consteval void check_sorted() {
  static_assert(real_element<T>,
                "real numbers and bools have an order: sort complex numbers and structs by keys, as sort_by_key(keys, "
                "values)");
  static_assert(Rank > 0, "an array of rank 0 has one element: there is nothing to sort");
}

/// An array or a view of it.
template <class A>
concept sorted_memory = requires(const std::remove_cvref_t<A>& of) { of.layout(); };
template <class A>
[[nodiscard]] auto view_to_sort(A& of, const source_location& where) {
  if constexpr (requires { of.view(where); }) {
    return of.view(where);
  } else {
    return of;
  }
}
template <class T, std::size_t Rank, class Port>
[[nodiscard]] sort_memory<Port> memory_to_sort(const device_view<T, Rank, Port>& of) {
  return {of.memory().memory, static_cast<std::int64_t>(of.layout().offset_bytes() / sizeof(T))};
}
/// Whether kernels that sort take a view as it is.
template <class T, std::size_t Rank, class Port>
[[nodiscard]] bool is_sortable(const device_view<T, Rank, Port>& of) noexcept {
  return of.is_c_contiguous() && of.layout().offset_bytes() % sizeof(T) == 0;
}
template <class T, std::size_t Rank, class Port>
[[nodiscard]] device_array<std::remove_const_t<T>, Rank, Port> dense_to_sort(const device_view<T, Rank, Port>& of,
                                                                             const source_location& where) {
  device_array<std::remove_const_t<T>, Rank, Port> made(of.stream(where), of.shape(), array_order::c, where);
  made.view(where).assign(of, where);
  return made;
}
template <class T, std::size_t Rank, class Port>
[[nodiscard]] sort_request<Port> request_to_sort(const device_view<T, Rank, Port>& of, const sort_options& by,
                                                 const source_location& where) {
  sort_request<Port> made{.order = sort_order_of(kind_of<std::remove_const_t<T>>(), by, where)};
  made.count = static_cast<std::int64_t>(of.extent(Rank - 1));
  made.rows = made.count == 0 ? 0 : static_cast<std::int64_t>(of.size()) / made.count;
  made.from = memory_to_sort(of);
  return made;
}

/// Effects: sorts the rows of a view in its own memory.
template <class T, std::size_t Rank, class Port>
void sort_view(const device_view<T, Rank, Port>& of, const sort_options& by, const source_location& where) {
  const auto& order = of.stream(where);
  auto request = request_to_sort(of, by, where);
  check_memory(order, of.memory(), "array", where);
  check_writable(of.layout(), where);
  if (request.rows == 0 || request.count < 2) return;
  if (!is_sortable(of)) {
    auto dense = dense_to_sort(of, where);
    sort_view(dense.view(where), by, where);
    return of.assign(dense, where);
  }
  request.to = request.from;
  run_sort(order, request, where);
}

/// Returns: the places of the elements of each row in their order.
template <class Word, class T, std::size_t Rank, class Port>
[[nodiscard]] device_array<Word, Rank, Port> places_in_order(const device_view<T, Rank, Port>& of,
                                                             const sort_options& by, bool in_place,
                                                             const source_location& where) {
  const auto& order = of.stream(where);
  auto request = request_to_sort(of, by, where);
  check_memory(order, of.memory(), "array", where);
  device_array<Word, Rank, Port> places(order, of.shape(), array_order::c, where);
  if (request.rows == 0) return places;
  if (!is_sortable(of)) {
    auto dense = dense_to_sort(of, where);
    return places_in_order<Word>(dense.view(where), by, true, where);
  }
  // The keys go somewhere, too.
  device_array<std::remove_const_t<T>, Rank, Port> keys;
  if (!in_place) keys = device_array<std::remove_const_t<T>, Rank, Port>(order, of.shape(), array_order::c, where);
  request.in_place = in_place;
  request.to = in_place ? request.from : memory_to_sort(keys.view(where));
  request.value_bytes = sizeof(Word);
  request.numbers = true;
  request.values_to = memory_to_sort(places.view(where));
  request.values_from = request.values_to;
  run_sort(order, request, where);
  return places;
}

/// Effects: sorts keys and values without gaps, the keys' rows by themselves.
template <class K, class V, std::size_t Rank, class Port>
void sort_pairs(const device_view<K, Rank, Port>& keys, const device_view<V, Rank, Port>& values,
                const sort_options& by, const source_location& where) {
  const auto& order = keys.stream(where);
  auto request = request_to_sort(keys, by, where);
  if (request.count < 2) return;
  if constexpr (sizeof(V) == 1 || sizeof(V) == 2 || sizeof(V) == 4 || sizeof(V) == 8) {
    request.to = request.from;
    request.value_bytes = sizeof(V);
    request.values_from = request.values_to = memory_to_sort(values);
    run_sort(order, request, where);
  } else {
    // Large values move once.
    const auto move = [&]<class Word>(std::type_identity<Word>) {
      const auto places = places_in_order<Word>(keys, by, true, where);
      const auto before = dense_to_sort(values, where);
      const auto offset = static_cast<std::int64_t>(values.layout().offset_bytes());
      run_gather<Port>(order, {values.memory().memory, offset}, {before.native_handle(), 0}, sizeof(V),
                       {places.native_handle(), 0}, sizeof(Word), request.rows, request.count, where);
    };
    if (request.count <= greatest_of<std::int32_t>) {
      move(std::type_identity<std::int32_t>{});
    } else {
      move(std::type_identity<std::int64_t>{});
    }
  }
}

}  // namespace detail

/// Sorts the elements of an array or a view along its last axis, each row by itself, in its own memory and stream. The sort is
/// stable. Zeros are equal whatever their sign; NaN is behind all numbers in both directions.
///
/// Views of any layout are sorted; those with gaps go through a copy.
/// Throws: `logic_error` for an empty array, a view that repeats elements, and bits that the type does not have; `error`.
/// Thread safety: as other work with the array. Example: `yoke::sort(a); yoke::sort(b, {.descending = true});`
template <class A>
  requires detail::sorted_memory<A>
void sort(A&& of, const sort_options& by = {}, const source_location& where = source_location::current()) {
  const auto view = detail::view_to_sort(of, where);
  using view_type = std::remove_const_t<decltype(view)>;
  using value = typename view_type::value_type;
  static_assert(!std::is_const_v<typename view_type::element_type>,
                "this array cannot be written: sorted(a) makes a new one");
  detail::check_sorted<value, view_type::rank()>();
  if constexpr (detail::real_element<value> && view_type::rank() > 0 &&
                !std::is_const_v<typename view_type::element_type>) {
    detail::sort_view(view, by, where);
  }
}

/// Returns: a new array with the elements of an array, a view or an expression in order, as `sort` has it, in its stream.
/// Throws: as `sort` and `evaluate`. Example: `auto b = yoke::sorted(a * a);`
template <class A>
  requires detail::array_operand<A>
[[nodiscard]] auto sorted(A&& of, const sort_options& by = {},
                          const source_location& where = source_location::current()) {
  constexpr std::size_t rank = detail::sorted_rank<A>;
  using value = detail::sorted_value<A>;
  using port = typename std::remove_cvref_t<A>::port_type;
  detail::check_sorted<value, rank>();
  if constexpr (detail::real_element<value> && rank > 0) {
    if constexpr (detail::sorted_memory<A>) {
      const auto from = detail::view_to_sort(std::as_const(of), where);
      if (!detail::is_sortable(from)) {
        auto dense = detail::dense_to_sort(from, where);
        detail::sort_view(dense.view(where), by, where);
        return dense;
      }
      const auto& order = from.stream(where);
      auto request = detail::request_to_sort(from, by, where);
      detail::check_memory(order, from.memory(), "array", where);
      device_array<value, rank, port> made(order, from.shape(), array_order::c, where);
      if (request.rows == 0) return made;
      request.in_place = false;
      request.to = detail::memory_to_sort(made.view(where));
      detail::run_sort(order, request, where);
      return made;
    } else {
      device_array<value, rank, port> made(of, where);
      detail::sort_view(made.view(where), by, where);
      return made;
    }
  }
}

/// Returns: for each place of the sorted rows, where in its row the element is now, as `sort` orders them: `a(argsort(a)[i])`
/// is element `i` of `sorted(a)`. Indices of 32 bits are quicker.
/// Throws: as `sorted`; `logic_error` for rows whose places the index type does not count.
/// Example: `auto order = yoke::argsort<std::int32_t>(a);`
template <class Index = std::int64_t, class A>
  requires detail::array_operand<A>
[[nodiscard]] auto argsort(A&& of, const sort_options& by = {},
                           const source_location& where = source_location::current()) {
  constexpr std::size_t rank = detail::sorted_rank<A>;
  using value = detail::sorted_value<A>;
  using port = typename std::remove_cvref_t<A>::port_type;
  static_assert(integer<Index> && (sizeof(Index) == 4 || sizeof(Index) == 8),
                "an index is an integer of 32 or 64 bits");
  detail::check_sorted<value, rank>();
  if constexpr (detail::real_element<value> && rank > 0) {
    const auto places = [&](const auto& from, bool in_place) -> device_array<Index, rank, port> {
      const auto count = static_cast<std::int64_t>(from.extent(rank - 1));
      if (count > 0 && std::cmp_greater(count - 1, detail::greatest_of<Index>))
        detail::throw_sort_index(count, sizeof(Index), where);
      if constexpr (sizeof(Index) == 4) {
        return detail::places_in_order<Index>(from, by, in_place, where);
      } else {
        if (count > detail::greatest_of<std::int32_t>) return detail::places_in_order<Index>(from, by, in_place, where);
        return detail::places_in_order<std::int32_t>(from, by, in_place, where).template astype<Index>(where);
      }
    };
    if constexpr (detail::sorted_memory<A>) {
      return places(detail::view_to_sort(std::as_const(of), where), false);
    } else {
      device_array<value, rank, port> made(of, where);
      return places(made.view(where), true);
    }
  }
}

/// Sorts keys as `sort` does, and moves the values, of any element type, with them, all in the keys' stream.
/// Requires: that stream is ordered behind other work with the values. Throws: as `sort`; `logic_error` for values of another shape or context, and for values in the keys' memory.
/// Example: `yoke::sort_by_key(distances, particles);`
template <class Keys, class Values>
  requires detail::sorted_memory<Keys> && detail::sorted_memory<Values>
void sort_by_key(Keys&& keys, Values&& values, const sort_options& by = {},
                 const source_location& where = source_location::current()) {
  const auto key = detail::view_to_sort(keys, where);
  const auto value = detail::view_to_sort(values, where);
  using key_view = std::remove_const_t<decltype(key)>;
  using value_view = std::remove_const_t<decltype(value)>;
  using key_type = typename key_view::value_type;
  constexpr std::size_t rank = key_view::rank();
  static_assert(
      !std::is_const_v<typename key_view::element_type> && !std::is_const_v<typename value_view::element_type>,
      "keys and values are sorted in their own memory: one of these arrays cannot be written");
  static_assert(rank == value_view::rank(), "each key has one value: keys and values have the same rank");
  static_assert(std::same_as<typename key_view::port_type, typename value_view::port_type>,
                "keys and values are arrays of one backend");
  detail::check_sorted<key_type, rank>();
  if constexpr (detail::real_element<key_type> && rank > 0 && rank == value_view::rank() &&
                std::same_as<typename key_view::port_type, typename value_view::port_type> &&
                !std::is_const_v<typename key_view::element_type> &&
                !std::is_const_v<typename value_view::element_type>) {
    const auto& order = key.stream(where);
    (void)value.stream(where);
    if (key.shape() != value.shape()) detail::throw_sort_shapes(key.layout().axes(), value.layout().axes(), where);
    detail::check_memory(order, key.memory(), "keys", where);
    detail::check_memory(order, value.memory(), "values", where);
    const detail::array_side key_side(key.layout());
    const detail::array_side value_side(value.layout());
    detail::check_writable(key_side, where);
    detail::check_writable(value_side, where);
    if (key.empty()) return;
    if (detail::may_share(order.context_of().port(where), key.memory(), key_side.first, key_side.end, value.memory(),
                          value_side.first, value_side.end))
      detail::throw_sort_shares(where);
    if (detail::is_sortable(key) && detail::is_sortable(value)) return detail::sort_pairs(key, value, by, where);
    auto dense_keys = detail::dense_to_sort(key, where);
    auto dense_values = detail::dense_to_sort(value.bind(order), where);
    detail::sort_pairs(dense_keys.view(where), dense_values.view(where), by, where);
    key.assign(dense_keys, where);
    value.bind(order).assign(dense_values, where);
  }
}

}  // namespace yoke::inline YOKE_ABI

#endif
