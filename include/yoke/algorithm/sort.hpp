// SPDX-License-Identifier: MIT
// Sorts arrays: in place, into a new array, with values beside the keys, or as indices.
#ifndef YOKE_ALGORITHM_SORT_HPP
#define YOKE_ALGORITHM_SORT_HPP

#include <yoke/algorithm/sort_run.hpp>
#include <yoke/array/reduction/recorded_view.hpp>

namespace yoke::inline v0_1 {

namespace detail {

template <class A>
using sorted_value = typename std::remove_cvref_t<A>::value_type;
template <class A>
inline constexpr std::size_t sorted_rank = operand_of<const std::remove_cvref_t<A>&>::rank;

/// Does not compile for elements without an order, and for arrays of rank 0.
template <class T, std::size_t Rank>
consteval void check_sorted() {
  static_assert(real_element<T>,
                "real numbers and bools have an order: sort complex numbers and structs by keys, as sort_by_key(keys, "
                "values)");
  static_assert(Rank > 0, "an array of rank 0 has one element: there is nothing to sort");
}

/// Returns: a view of the same elements whose work goes to another stream and is ordered there. Requires: the stream
/// outlives it.
template <class T, std::size_t Rank, class Port>
[[nodiscard]] device_view<T, Rank, Port> view_in(const stream<Port>& order, const device_view<T, Rank, Port>& of) {
  return {of.memory(), order, of.layout(), of.keep_alive()};
}
/// Arrays and views of them.
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
/// The same as an item stores it. For a temporary array the view is writable.
template <class A>
[[nodiscard]] auto view_to_keep(A&& of, const source_location& where) {
  if constexpr (!std::is_lvalue_reference_v<A> && requires { of.view(where); }) {
    return of.view(where);
  } else {
    return view_to_sort(std::as_const(of), where);
  }
}
template <class A>
using view_of = decltype(view_to_keep(std::declval<A>(), source_location()));
template <class T, std::size_t Rank, class Port>
[[nodiscard]] sort_memory<Port> memory_to_sort(const device_view<T, Rank, Port>& of) {
  return {of.memory().memory, static_cast<std::int64_t>(of.layout().offset_bytes() / sizeof(T))};
}
/// Whether the sorting kernels can use a view's own memory.
template <class T, std::size_t Rank, class Port>
[[nodiscard]] bool is_sortable(const device_view<T, Rank, Port>& of) noexcept {
  return of.is_c_contiguous() && of.layout().offset_bytes() % sizeof(T) == 0;
}
template <class T, std::size_t Rank, class Port>
[[nodiscard]] device_array<std::remove_const_t<T>, Rank, Port> dense_to_sort(const stream<Port>& order,
                                                                             const device_view<T, Rank, Port>& of,
                                                                             const source_location& where) {
  device_array<std::remove_const_t<T>, Rank, Port> made(order, of.shape(), array_order::c, where);
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

/// Effects: sorts the rows of a view in place.
template <class Order, class T, std::size_t Rank, class Port>
void sort_view(const Order& order, const device_view<T, Rank, Port>& of, const sort_options& by,
               const source_location& where) {
  auto request = request_to_sort(of, by, where);
  operation_memory operation(order);
  check_memory(operation, of.memory(), memory_use::writes, "array", where);
  check_writable(of.layout(), where);
  if (request.rows == 0 || request.count < 2) return;
  if (!is_sortable(of)) {
    const dense_elements<T, Rank, Order> dense(order, of.shape(), of.stream(where), where);
    assign_in(order, dense.view(), of, where);
    sort_view(order, dense.view(), by, where);
    return assign_in(order, of, dense.view(), where);
  }
  request.to = request.from;
  run_sort(order, request, where);
}

/// Effects: writes for each row the positions of its elements in sorted order. `in_place`: also sorts the elements.
/// Requires: both views lie without gaps.
template <class Order, class Word, class T, std::size_t Rank, class Port>
void places_in_order(const Order& order, const device_view<Word, Rank, Port>& places,
                     const device_view<T, Rank, Port>& of, const sort_options& by, bool in_place,
                     const source_location& where) {
  auto request = request_to_sort(of, by, where);
  // The kernels always move the keys; a temporary receives them.
  std::optional<dense_elements<std::remove_const_t<T>, Rank, Order>> keys;
  if (!in_place) keys.emplace(order, of.shape(), of.stream(where), where);
  request.in_place = in_place;
  request.to = in_place ? request.from : memory_to_sort(keys->view());
  request.value_bytes = sizeof(Word);
  request.numbers = true;
  request.values_to = memory_to_sort(places);
  request.values_from = request.values_to;
  run_sort(order, request, where);
}

/// Effects: sorts keys and values without gaps, each row of keys by itself.
template <class Order, class K, class V, std::size_t Rank, class Port>
void sort_pairs(const Order& order, const device_view<K, Rank, Port>& keys, const device_view<V, Rank, Port>& values,
                const sort_options& by, const source_location& where) {
  auto request = request_to_sort(keys, by, where);
  if (request.count < 2) return;
  if constexpr (sizeof(V) == 1 || sizeof(V) == 2 || sizeof(V) == 4 || sizeof(V) == 8) {
    request.to = request.from;
    request.value_bytes = sizeof(V);
    request.values_from = request.values_to = memory_to_sort(values);
    run_sort(order, request, where);
  } else {
    // Moves large values once, by the sorted positions.
    const auto move = [&]<class Word>(std::type_identity<Word>) {
      const dense_elements<Word, Rank, Order> places(order, keys.shape(), keys.stream(where), where);
      places_in_order(order, places.view(), keys, by, true, where);
      const dense_elements<V, Rank, Order> before(order, keys.shape(), keys.stream(where), where);
      assign_in(order, before.view(), values, where);
      const auto offset = static_cast<std::int64_t>(values.layout().offset_bytes());
      run_gather<Order>(order, {values.memory().memory, offset}, memory_to_sort(before.view()), sizeof(V),
                        memory_to_sort(places.view()), sizeof(Word), request.rows, request.count, where);
    };
    if (request.count <= greatest_of<std::int32_t>) {
      move(std::type_identity<std::int32_t>{});
    } else {
      move(std::type_identity<std::int64_t>{});
    }
  }
}
/// Effects: sorts keys and values of any layout. Throws: as `sort_by_key`.
template <class Order, class K, class V, std::size_t Rank, class Port>
void sort_views_by_key(const Order& order, const device_view<K, Rank, Port>& key,
                       const device_view<V, Rank, Port>& value, const sort_options& by, const source_location& where) {
  if (key.shape() != value.shape()) throw_sort_shapes(key.layout().axes(), value.layout().axes(), where);
  operation_memory operation(order);
  check_memory(operation, key.memory(), memory_use::writes, "keys", where);
  check_memory(operation, value.memory(), memory_use::writes, "values", where);
  check_writable(key.layout(), where);
  check_writable(value.layout(), where);
  if (key.empty()) return;
  if (views_share(order, key, value, where)) throw_sort_shares(where);
  if (is_sortable(key) && is_sortable(value)) return sort_pairs(order, key, value, by, where);
  const dense_elements<K, Rank, Order> keys(order, key.shape(), key.stream(where), where);
  const dense_elements<V, Rank, Order> values(order, key.shape(), key.stream(where), where);
  assign_in(order, keys.view(), key, where);
  assign_in(order, values.view(), value, where);
  sort_pairs(order, keys.view(), values.view(), by, where);
  assign_in(order, key, keys.view(), where);
  assign_in(order, value, values.view(), where);
}
/// Does not compile for keys and values that cannot be sorted together.
template <class Keys, class Values>
consteval bool check_sorted_by_key() {
  constexpr bool written =
      !std::is_const_v<typename Keys::element_type> && !std::is_const_v<typename Values::element_type>;
  constexpr bool one_backend = std::same_as<typename Keys::port_type, typename Values::port_type>;
  static_assert(written, "keys and values are sorted in their own memory: one of these arrays cannot be written");
  static_assert(Keys::rank() == Values::rank(), "each key has one value: keys and values have the same rank");
  static_assert(one_backend, "keys and values are arrays of one backend");
  check_sorted<typename Keys::value_type, Keys::rank()>();
  return written && one_backend && Keys::rank() == Values::rank() && Keys::rank() > 0 &&
         real_element<typename Keys::value_type>;
}
template <class View>
consteval bool check_sorted_in_place() {
  using value = typename View::value_type;
  constexpr bool written = !std::is_const_v<typename View::element_type>;
  static_assert(written, "this array cannot be written: sorted(a) makes a new one");
  check_sorted<value, View::rank()>();
  return written && real_element<value> && View::rank() > 0;
}

/// A sort of an array, a view or an expression into a destination.
template <class E>
class sorted_item {
 public:
  using pass_tag = void;
  using value_type = typename E::value_type;
  using result = device_array<value_type, E::rank, typename E::port_type>;

  sorted_item(E of, const sort_options& by) : of_(std::move(of)), by_(by) {}
  [[nodiscard]] const auto& stream(const source_location& where) const { return of_.stream(where); }
  [[nodiscard]] auto shape(const source_location& where) const { return of_.shape(where); }

  template <class Order, class T, std::size_t Rank, class Port>
  void evaluate_in(const Order& order, const device_view<T, Rank, Port>& to, const source_location& where) const {
    static_assert(!std::is_const_v<T>, "this view cannot be written");
    static_assert(std::same_as<T, value_type> && Rank == E::rank,
                  "sorted elements are assigned to as many of their own type");
    if constexpr (std::same_as<T, value_type> && Rank == E::rank) {
      check_result_shape(of_.shape(where).begin(), to.shape().begin(), Rank, where);
      if constexpr (requires { of_.view; }) {
        const auto& from = of_.view;
        auto request = request_to_sort(from, by_, where);
        operation_memory operation(order);
        check_memory(operation, from.memory(), memory_use::reads, "array", where);
        check_destination(operation, to, where);
        if (request.rows == 0) return;
        if (is_sortable(from) && is_sortable(to) && !views_share(order, to, from, where)) {
          request.in_place = false;
          request.to = memory_to_sort(to);
          return run_sort(order, request, where);
        }
        assign_in(order, to, from, where);
      } else {
        of_.evaluate_in(order, to, where);
      }
      sort_view(order, to, by_, where);
    }
  }

 private:
  E of_;
  sort_options by_;
};

/// A sort of each row into the indices of its elements.
template <class Index, class E>
class argsort_item {
  using value_type = typename E::value_type;
  using port = typename E::port_type;

 public:
  using pass_tag = void;
  using result = device_array<Index, E::rank, port>;

  argsort_item(E of, const sort_options& by) : of_(std::move(of)), by_(by) {}
  [[nodiscard]] const auto& stream(const source_location& where) const { return of_.stream(where); }
  /// Throws: `logic_error` for rows whose positions exceed the index type.
  [[nodiscard]] auto shape(const source_location& where) const {
    const auto extents = of_.shape(where);
    const auto count = static_cast<std::int64_t>(extents[E::rank - 1]);
    if (count > 0 && std::cmp_greater(count - 1, greatest_of<Index>)) throw_sort_index(count, sizeof(Index), where);
    return extents;
  }

  template <class Order, class T, std::size_t Rank, class Port>
  void evaluate_in(const Order& order, const device_view<T, Rank, Port>& to, const source_location& where) const {
    static_assert(!std::is_const_v<T>, "this view cannot be written");
    static_assert(
        std::same_as<T, Index> && Rank == E::rank,
        "places are assigned to as many integers of their own type: argsort<std::int32_t>(a) makes those of 32 bits");
    if constexpr (std::same_as<T, Index> && Rank == E::rank) {
      const auto extents = shape(where);
      check_result_shape(extents.begin(), to.shape().begin(), Rank, where);
      (void)sort_order_of(kind_of<value_type>(), by_, where);
      operation_memory operation(order);
      if constexpr (requires { of_.view; }) {
        check_memory(operation, of_.view.memory(), memory_use::reads, "array", where);
        if (is_sortable(of_.view)) {
          return write(order, to, of_.view, false, where);
        }
      }
      if (to.empty()) return;
      const dense_elements<value_type, Rank, Order> dense(order, extents, stream(where), where);
      if constexpr (requires { of_.view; }) {
        assign_in(order, dense.view(), of_.view, where);
      } else {
        of_.evaluate_in(order, dense.view(), where);
      }
      write(order, to, dense.view(), true, where);
    }
  }

 private:
  template <class Order, std::size_t Rank, class From>
  void write(const Order& order, const device_view<Index, Rank, port>& to, const From& from, bool in_place,
             const source_location& where) const {
    const auto rows = static_cast<std::int64_t>(from.extent(Rank - 1));
    const bool apart = !views_share(order, to, from, where);
    if constexpr (sizeof(Index) == 8) {
      if (rows <= greatest_of<std::int32_t>) {
        operation_memory operation(order);
        check_memory(operation, to.memory(), memory_use::writes, "destination", where);
        if (to.empty()) return;
        const dense_elements<std::int32_t, Rank, Order> narrow(order, to.shape(), to.stream(where), where);
        places_in_order(order, narrow.view(), from, by_, in_place, where);
        return assign_in(order, to, narrow.view(), where);
      }
    }
    write_dense(
        order, to, apart, [&](const auto& dense) { places_in_order(order, dense, from, by_, in_place, where); }, where);
  }
  E of_;
  sort_options by_;
};

/// Returns: the source of a sort as an operand. Throws: `logic_error` for an empty array.
template <class A>
[[nodiscard]] operand_of<A> operand_to_sort(A&& of, [[maybe_unused]] const source_location& where) {
  if constexpr (sorted_memory<A>) (void)view_to_sort(std::as_const(of), where);
  return as_operand(std::forward<A>(of));
}
template <class A>
inline constexpr bool can_be_sorted = real_element<sorted_value<A>> && (sorted_rank<A> > 0);

}  // namespace detail

/// Sorts the elements of an array or a view along its last axis, each row by itself, in place, in its stream. The sort
/// is stable. Zeros are equal whatever their sign; NaN is behind all numbers in both directions.
///
/// It sorts views of any layout; those with gaps go through a copy.
/// Throws: `logic_error` for an empty array, a view that repeats elements, and bits that the type does not have;
/// `error`.
/// Thread safety: as other work with the array. Example: `yoke::sort(a); yoke::sort(b, {.descending = true});`
template <class A>
  requires detail::sorted_memory<A>
void sort(A&& of, const sort_options& by = {}, const source_location& where = source_location::current()) {
  const auto view = detail::view_to_sort(of, where);
  if constexpr (detail::check_sorted_in_place<std::remove_const_t<decltype(view)>>()) {
    detail::sort_view(view.stream(where), view, by, where);
  }
}
/// Does not compile: an expression has no memory to sort in place.
template <class A>
  requires(detail::array_operand<A> && !detail::sorted_memory<A>)
auto sort(const A&, const sort_options& = {}) {
  static_assert(!std::same_as<A, A>, "sort writes the array that it sorts: write auto b = sorted(2 * a) for a new one");
  return 0;
}
/// Sorts at each launch of a graph. Returns: the node; it stands for all launches.
/// Example: `yoke::sort(a.bind(record));`
template <class T, std::size_t Rank, class Port>
graph_node<Port> sort(const recorded_view<T, Rank, Port>& of, const sort_options& by = {},
                      const source_location& where = source_location::current()) {
  if constexpr (detail::check_sorted_in_place<device_view<T, Rank, Port>>()) {
    return of.record([&](const auto& order) { detail::sort_view(order, of.view(), by, where); }, where);
  }
}

// `view = pass::sorted(a)` and `view = pass::argsort<Index>(a)` write the results of these functions to existing
// elements, in the view's stream or on a recorder.

namespace pass {
template <class A>
  requires detail::array_operand<A>
[[nodiscard]] auto sorted(A&& of, const sort_options& by = {},
                          const source_location& where = source_location::current()) {
  detail::check_sorted<detail::sorted_value<A>, detail::sorted_rank<A>>();
  if constexpr (detail::can_be_sorted<A>) {
    return detail::sorted_item<detail::operand_of<A>>(detail::operand_to_sort(std::forward<A>(of), where), by);
  }
}
template <class Index = std::int64_t, class A>
  requires detail::array_operand<A>
[[nodiscard]] auto argsort(A&& of, const sort_options& by = {},
                           const source_location& where = source_location::current()) {
  static_assert(integer<Index> && (sizeof(Index) == 4 || sizeof(Index) == 8),
                "an index is an integer of 32 or 64 bits");
  detail::check_sorted<detail::sorted_value<A>, detail::sorted_rank<A>>();
  if constexpr (detail::can_be_sorted<A>) {
    return detail::argsort_item<Index, detail::operand_of<A>>(detail::operand_to_sort(std::forward<A>(of), where), by);
  }
}
}  // namespace pass

/// Returns: a new array with the elements of an array, a view or an expression in the order of `sort`, in its stream.
/// Throws: as `sort` and `evaluate`. Example: `auto b = yoke::sorted(a * a);`
template <class A>
  requires detail::array_operand<A>
[[nodiscard]] auto sorted(A&& of, const sort_options& by = {},
                          const source_location& where = source_location::current()) {
  if constexpr (detail::can_be_sorted<A>) {
    return detail::made_of(pass::sorted(std::forward<A>(of), by, where), where);
  } else {
    detail::check_sorted<detail::sorted_value<A>, detail::sorted_rank<A>>();
  }
}

/// Returns: for each position of the sorted rows the index of its element in the unsorted row: `a(argsort(a)[i])` is
/// element `i` of `sorted(a)`. Indices of 32 bits are faster.
/// Throws: as `sorted`; `logic_error` for rows whose positions exceed the index type.
/// Example: `auto order = yoke::argsort<std::int32_t>(a);`
template <class Index = std::int64_t, class A>
  requires detail::array_operand<A>
[[nodiscard]] auto argsort(A&& of, const sort_options& by = {},
                           const source_location& where = source_location::current()) {
  if constexpr (detail::can_be_sorted<A>) {
    return detail::made_of(pass::argsort<Index>(std::forward<A>(of), by, where), where);
  } else {
    detail::check_sorted<detail::sorted_value<A>, detail::sorted_rank<A>>();
  }
}

/// Sorts keys as `sort` does, and moves values of any element type with them, all in the keys' stream.
/// Throws: as `sort`; `logic_error` for values of another shape or context, and for values in the keys' memory.
/// Example: `yoke::sort_by_key(distances, particles);`
template <class Keys, class Values>
  requires detail::sorted_memory<Keys> && detail::sorted_memory<Values>
void sort_by_key(Keys&& keys, Values&& values, const sort_options& by = {},
                 const source_location& where = source_location::current()) {
  const auto key = detail::view_to_sort(keys, where);
  const auto value = detail::view_to_sort(values, where);
  if constexpr (detail::check_sorted_by_key<std::remove_const_t<decltype(key)>,
                                            std::remove_const_t<decltype(value)>>()) {
    (void)value.stream(where);
    detail::sort_views_by_key(key.stream(where), key, value, by, where);
  }
}
/// Sorts by keys at each launch of a graph; values may be bound, too. Returns: the node.
/// Example: `yoke::sort_by_key(distances.bind(record), particles);`
template <class K, std::size_t Rank, class Port, class Values>
  requires detail::sorted_memory<Values>
graph_node<Port> sort_by_key(const recorded_view<K, Rank, Port>& keys, Values&& values, const sort_options& by = {},
                             const source_location& where = source_location::current()) {
  const auto value = detail::view_to_sort(values, where);
  if constexpr (detail::check_sorted_by_key<device_view<K, Rank, Port>, std::remove_const_t<decltype(value)>>()) {
    (void)value.stream(where);
    return keys.record([&](const auto& order) { detail::sort_views_by_key(order, keys.view(), value, by, where); },
                       where);
  }
}

template <class K, class V, std::size_t Rank, class Port>
graph_node<Port> sort_by_key(const recorded_view<K, Rank, Port>& keys, const recorded_view<V, Rank, Port>& values,
                             const sort_options& by = {}, const source_location& where = source_location::current()) {
  return sort_by_key(keys, values.view(), by, where);
}

}  // namespace yoke::inline v0_1

#endif
