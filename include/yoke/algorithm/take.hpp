// SPDX-License-Identifier: MIT
// Takes elements of arrays from indices on the device, and puts elements there.
#ifndef YOKE_ALGORITHM_TAKE_HPP
#define YOKE_ALGORITHM_TAKE_HPP

#include <yoke/algorithm/index_kernel.hpp>

#include <bit>
#include <string>

namespace yoke::inline v0_1 {

namespace detail {

/// The elements that indices select in an array: `rows` times `extent` items of `inner` elements.
struct indexed_shape {
  std::int64_t rows = 1;
  std::int64_t extent = 0;
  std::int64_t inner = 1;
};
/// The items that indices along an axis select: the shape of all items, their layout, and their number in each row.
template <std::size_t Rank>
struct indexed_items {
  shape<Rank> all;
  indexed_shape in;
  std::int64_t count;
};
/// Throws: `logic_error` for an axis that does not exist.
template <std::size_t Rank, class I>
[[nodiscard]] indexed_items<Rank> items_along(const shape<Rank>& of, const I& indices, const reduced_axes<1>& axis,
                                              const source_location& where) {
  const auto at = static_cast<std::size_t>(std::countr_zero(axis_mask(axis.axes, Rank, where)));
  indexed_items<Rank> made{of, {.extent = static_cast<std::int64_t>(of[at])}, 0};
  for (std::size_t k = 0; k < at; ++k) made.in.rows *= static_cast<std::int64_t>(of[k]);
  for (std::size_t k = at + 1; k < Rank; ++k) made.in.inner *= static_cast<std::int64_t>(of[k]);
  made.all[at] = as_operand(indices).shape(where)[0];
  made.count = static_cast<std::int64_t>(made.all[at]);
  return made;
}

/// The type of indices. A context stores the kernels under its address; each direction has its own.
template <class Index, bool Puts>
inline constexpr value_type_name take_kernels = name_of<kernel_word_of<Index>>();

/// Effects: enqueues the kernel that takes or puts `count` items of each row.
template <bool Puts, class Index, class Order>
void run_take(const Order& order, const sort_memory<port_of_order<Order>>& to,
              const sort_memory<port_of_order<Order>>& from, std::size_t element, std::size_t alignment,
              const sort_memory<port_of_order<Order>>& index, const indexed_shape& in, std::int64_t count,
              const source_location& where) {
  take_form form{.word = moved_word(element, alignment), .index = take_kernels<Index, Puts>, .puts = Puts};
  const auto words = static_cast<std::int64_t>(element / form.word);
  const std::int64_t item = words * in.inner;
  const std::int64_t all = in.rows * count * item;
  if (all == 0) return;
  form.one_row = in.rows == 1;
  form.one_word = item == 1;
  const std::int64_t numbers[]{to.first * words, from.first * words, index.first, in.extent, count, item, all};
  std::array<kernel_argument, 3 + std::size(numbers)> arguments{
      handle_argument(to.memory), handle_argument(from.memory), handle_argument(index.memory)};
  for (std::size_t k = 0; k < std::size(numbers); ++k) arguments[3 + k] = number_argument(numbers[k]);
  const std::size_t variant = form.word << 2U | (form.one_row ? 2U : 0U) | (form.one_word ? 1U : 0U);
  run_index_kernel(
      order, &take_kernels<Index, Puts>, variant, "yoke_i_take", [&] { return take_source(form); }, nullptr,
      threads_for(all), arguments, where);
}

template <class I>
inline constexpr bool are_indices = integer<typename operand_of<const I&>::value_type>;
/// Does not compile unless indices are integers, and of the same backend as the array.
template <class View, class I>
consteval void check_indexed() {
  static_assert(are_indices<I>, "indices are integers");
  static_assert(of_one_backend<View, I>, "an array and its indices are of one backend");
}

/// A take of the items that indices select.
template <class View, class I, std::size_t Rank>
class take_item {
  using value = typename View::value_type;
  using port = typename View::port_type;
  using index = typename I::value_type;

 public:
  using pass_tag = void;
  using result = device_array<value, Rank, port>;

  take_item(const View& from, I indices, const indexed_items<Rank>& items)
      : from_(from), indices_(std::move(indices)), items_(items) {}
  [[nodiscard]] const auto& stream(const source_location& where) const { return from_.stream(where); }
  [[nodiscard]] const yoke::shape<Rank>& shape(const source_location&) const { return items_.all; }

  template <class Order, class T, std::size_t To, class Port>
  void evaluate_in(const Order& order, const device_view<T, To, Port>& to, const source_location& where) const {
    static_assert(!std::is_const_v<T>, "this view cannot be written");
    static_assert(std::same_as<T, value> && To == Rank,
                  "what is taken is assigned to as many elements of its own type");
    if constexpr (std::same_as<T, value> && To == Rank) {
      (void)from_.stream(where);
      check_result_shape(items_.all.begin(), to.shape().begin(), Rank, where);
      if (!to.empty() && items_.in.extent == 0) throw_nothing_to_take(items_.count, where);
      const bool in_place = !shares_with(order, to, from_, where) && !shares_with(order, to, indices_, where);
      write_dense(
          order, to, in_place,
          [&](const auto& dense) {
            operation_memory operation(order);
            const auto source = dense_input_of<value>(operation, from_, "array", false, where);
            const auto places = dense_input_of<index>(operation, indices_, "indices", false, where);
            run_take<false, index>(order, memory_to_sort(dense), source.memory, sizeof(value), alignof(value),
                                   places.memory, items_.in, items_.count, where);
          },
          where);
    }
  }

 private:
  View from_;
  I indices_;
  indexed_items<Rank> items_;
};
/// Returns: the items that indices select among all elements, in the shape of the indices.
template <class View, class I>
[[nodiscard]] auto items_of(const View& of, const I& indices, const source_location& where) {
  constexpr std::size_t rank = operand_of<const I&>::rank;
  yoke::shape<rank> all;
  all = as_operand(indices).shape(where);
  const auto count = static_cast<std::int64_t>(volume(all.begin(), rank));
  return indexed_items<rank>{all, {.extent = static_cast<std::int64_t>(of.size())}, count};
}

/// Returns: the values to put: elements, or one number for all indices.
template <class T, std::size_t Rank, class Order, class V>
[[nodiscard]] auto values_to_put(operation_memory<Order>& operation, const V& values, const shape<Rank>& places,
                                 const stream<port_of_order<Order>>& stream, bool copy, const source_location& where) {
  if constexpr (array_operand<V>) {
    static_assert(operand_of<const V&>::rank == Rank, "values have the shape of the places they go to");
    static_assert(std::same_as<port_of_order<Order>, typename operand_of<const V&>::port_type>,
                  "an array and its values are of one backend");
    if constexpr (operand_of<const V&>::rank == Rank) {
      const auto extents = as_operand(values).shape(where);
      if (!std::equal(extents.begin(), extents.end(), places.begin())) {
        throw_put_shapes({extents.begin(), nullptr, Rank}, {places.begin(), nullptr, Rank}, where);
      }
    }
    return dense_input_of<T>(operation, values, "values", copy, where);
  } else {
    const T element = given_element<T>(values, "value", where);
    dense_input<T, Rank, Order> input;
    if (volume(places.begin(), Rank) == 0) return input;
    input.made.emplace(operation.order(), places, stream, where);
    fill_view(operation.order(), input.made->view(), element, where);
    input.memory = memory_to_sort(input.made->view());
    return input;
  }
}
/// Effects: writes items to the places that indices select.
template <class Order, class To, class I, class V, std::size_t Rank>
void put_items(const Order& order, const To& to, const I& indices, const V& values, const indexed_items<Rank>& items,
               const source_location& where) {
  using T = std::remove_const_t<typename To::element_type>;
  using index = typename operand_of<const I&>::value_type;
  operation_memory operation(order);
  check_memory(operation, to.memory(), memory_use::writes, "array", where);
  check_writable(byte_layout(to.layout()), where);
  // Work must not write memory that it reads.
  const auto shares = [&](const auto& of) {
    if constexpr (array_operand<decltype(of)>) {
      return shares_with(order, to, of, where);
    } else {
      return false;
    }
  };
  const auto given = values_to_put<T>(operation, values, items.all, to.stream(where), shares(values), where);
  const auto places = dense_input_of<index>(operation, indices, "indices", shares(indices), where);
  if (items.count == 0) return;
  const auto put_into = [&](const auto& dense) {
    run_take<true, index>(order, memory_to_sort(dense), given.memory, sizeof(T), alignof(T), places.memory, items.in,
                          items.count, where);
  };
  if (is_sortable(to)) return put_into(to);
  const dense_elements<T, To::rank(), Order> dense(order, to.shape(), to.stream(where), where);
  assign_in(order, dense.view(), to, where);
  put_into(dense.view());
  assign_in(order, to, dense.view(), where);
}
/// Does not compile: the message asks for elements on the device.
template <class A>
auto refuse_host_elements() {
  static_assert(
      !std::same_as<A, A>,
      "indices and values are arrays on the device: write to_device_array(host, stream) for a range of the host");
  return 0;
}
/// Does not compile for values or indices that cannot be put into a view.
template <class View, class I>
consteval bool check_put() {
  constexpr bool written = !std::is_const_v<typename View::element_type>;
  check_indexed<View, I>();
  static_assert(written, "this array cannot be written");
  return written && are_indices<I>;
}

}  // namespace detail

// Indices are integers of any type, in an array, a view or an expression. Those below 0 count from the end. An index
// outside throws nothing, because a check would wait for the device: `take` then returns the nearest element, and
// `put` drops the value. `check_indices` finds such indices.

// `view = pass::take(a, indices)` writes the result of `take` to existing elements, in the view's stream or on a
// recorder; `put(a.bind(record), indices, values)` records a node.

namespace pass {
template <class A, class I>
  requires detail::sorted_memory<A> && detail::array_operand<I>
[[nodiscard]] auto take(A&& from, I&& indices, const source_location& where = source_location::current()) {
  using view_type = detail::view_of<A>;
  detail::check_indexed<view_type, std::remove_cvref_t<I>>();
  if constexpr (detail::are_indices<std::remove_cvref_t<I>>) {
    const auto view = detail::view_to_keep(std::forward<A>(from), where);
    const auto items = detail::items_of(view, indices, where);
    return detail::take_item<view_type, detail::operand_of<I>, detail::operand_of<I>::rank>(
        view, detail::as_operand(std::forward<I>(indices)), items);
  }
}
template <class A, class I>
  requires detail::sorted_memory<A> && detail::array_operand<I>
[[nodiscard]] auto take(A&& from, I&& indices, const reduced_axes<1>& axis,
                        const source_location& where = source_location::current()) {
  static_assert(detail::operand_of<I>::rank == 1, "indices along an axis have one axis themselves");
  using view_type = detail::view_of<A>;
  detail::check_indexed<view_type, std::remove_cvref_t<I>>();
  if constexpr (detail::are_indices<std::remove_cvref_t<I>>) {
    const auto view = detail::view_to_keep(std::forward<A>(from), where);
    const auto items = detail::items_along(view.shape(), indices, axis, where);
    return detail::take_item<view_type, detail::operand_of<I>, view_type::rank()>(
        view, detail::as_operand(std::forward<I>(indices)), items);
  }
}
}  // namespace pass

/// Returns: the elements of an array, counted in C order, at indices, in the indices' shape, in the array's stream.
/// Throws: `logic_error` for an array without elements, unless there are no indices; as `evaluate`. Source: NumPy's
/// `take` with `mode="clip"`, but for indices below 0.
/// Example: `auto some = yoke::take(a, yoke::indices_where(a > 3).view());`
template <class A, class I>
  requires detail::sorted_memory<A> && detail::array_operand<I>
[[nodiscard]] auto take(A&& from, I&& indices, const source_location& where = source_location::current()) {
  detail::check_indexed<detail::view_of<A>, std::remove_cvref_t<I>>();
  if constexpr (detail::are_indices<std::remove_cvref_t<I>>) {
    return detail::made_of(pass::take(std::forward<A>(from), std::forward<I>(indices), where), where);
  }
}
/// The same along one axis; the result has an element of this axis for each index: `take(m, rows, along(0))` takes
/// rows of a matrix.
/// Throws: as above; `logic_error` for an axis that does not exist.
template <class A, class I>
  requires detail::sorted_memory<A> && detail::array_operand<I>
[[nodiscard]] auto take(A&& from, I&& indices, const reduced_axes<1>& axis,
                        const source_location& where = source_location::current()) {
  detail::check_indexed<detail::view_of<A>, std::remove_cvref_t<I>>();
  if constexpr (detail::are_indices<std::remove_cvref_t<I>>) {
    return detail::made_of(pass::take(std::forward<A>(from), std::forward<I>(indices), axis, where), where);
  }
}

/// Writes values to the elements of an array, counted in C order, at indices: `a[indices] = values`. Values have the
/// indices' shape, or are one number. Where an index occurs several times, an unspecified one of its values stays.
/// Effects: enqueues it in the array's stream.
/// Converts values of another type as `assign` does; a single number is first filled into an array.
/// Throws: `logic_error` for values of another shape, a number that the elements cannot hold, and a view that repeats
/// elements; as `evaluate`.
/// Example: `yoke::put(a, yoke::indices_where(a < 0).view(), 0);`
template <class A, class I, class V>
  requires detail::sorted_memory<A> && detail::array_operand<I> && detail::operand<V>
void put(A&& to, const I& indices, const V& values, const source_location& where = source_location::current()) {
  const auto view = detail::view_to_sort(to, where);
  if constexpr (detail::check_put<std::remove_const_t<decltype(view)>, I>()) {
    detail::put_items(view.stream(where), view, indices, values, detail::items_of(view, indices, where), where);
  }
}
/// The same along one axis: `put(m, rows, values, along(0))` writes rows of a matrix. Values have the shape of
/// `take(to, indices, axis)`.
template <class A, class I, class V>
  requires detail::sorted_memory<A> && detail::array_operand<I> && detail::operand<V>
void put(A&& to, const I& indices, const V& values, const reduced_axes<1>& axis,
         const source_location& where = source_location::current()) {
  static_assert(detail::operand_of<const I&>::rank == 1, "indices along an axis have one axis themselves");
  const auto view = detail::view_to_sort(to, where);
  if constexpr (detail::check_put<std::remove_const_t<decltype(view)>, I>()) {
    detail::put_items(view.stream(where), view, indices, values,
                      detail::items_along(view.shape(), indices, axis, where), where);
  }
}
// These do not compile: the message asks for indices and values on the device.
template <class A, class I, class V>
  requires detail::sorted_memory<A> && (detail::host_range<I> || detail::host_range<V>)
auto put(A&&, const I&, const V&) {
  return detail::refuse_host_elements<A>();
}
template <class A, class I>
  requires detail::sorted_memory<A> && detail::host_range<I>
auto take(A&&, const I&) {
  return detail::refuse_host_elements<A>();
}
/// The same two functions at each launch of a graph. Returns: the node; it stands for all launches. Throws: as above.
/// Example: `yoke::put(a.bind(record), at, 0);`
template <class T, std::size_t Rank, class Port, class I, class V>
  requires detail::array_operand<I> && detail::operand<V>
graph_node<Port> put(const recorded_view<T, Rank, Port>& to, const I& indices, const V& values,
                     const source_location& where = source_location::current()) {
  if constexpr (detail::check_put<device_view<T, Rank, Port>, I>()) {
    const auto items = detail::items_of(to.view(), indices, where);
    return to.record([&](const auto& order) { detail::put_items(order, to.view(), indices, values, items, where); },
                     where);
  }
}
template <class T, std::size_t Rank, class Port, class I, class V>
  requires detail::array_operand<I> && detail::operand<V>
graph_node<Port> put(const recorded_view<T, Rank, Port>& to, const I& indices, const V& values,
                     const reduced_axes<1>& axis, const source_location& where = source_location::current()) {
  static_assert(detail::operand_of<const I&>::rank == 1, "indices along an axis have one axis themselves");
  if constexpr (detail::check_put<device_view<T, Rank, Port>, I>()) {
    const auto items = detail::items_along(to.view().shape(), indices, axis, where);
    return to.record([&](const auto& order) { detail::put_items(order, to.view(), indices, values, items, where); },
                     where);
  }
}

/// Effects: waits for the least and the greatest index.
/// Throws: `logic_error` for an index outside `[-extent, extent)`, and for an extent below 0.
/// Example: `yoke::check_indices(at, a.size()); auto some = yoke::take(a, at);`
template <class I, integer Extent>
  requires detail::array_operand<I>
void check_indices(const I& indices, Extent extent, const source_location& where = source_location::current()) {
  static_assert(detail::are_indices<I>, "indices are integers");
  if constexpr (detail::are_indices<I>) {
    const std::int64_t known = detail::clamped_count(extent);
    if (known < 0) detail::throw_index_extent(known, where);
    const auto shape = detail::as_operand(indices).shape(where);
    if (detail::volume(shape.begin(), detail::operand_of<const I&>::rank) == 0) return;
    const auto least = min(indices, where).get(where);
    const auto greatest = max(indices, where).get(where);
    if (std::cmp_less(least, -known)) detail::throw_index(std::to_string(least), known, where);
    if (std::cmp_greater_equal(greatest, known)) detail::throw_index(std::to_string(greatest), known, where);
  }
}

}  // namespace yoke::inline v0_1

#endif
