// SPDX-License-Identifier: MIT
// Elements of arrays by their indices, which are on the device: taken from there, and put there.
#ifndef YOKE_ALGORITHM_TAKE_HPP
#define YOKE_ALGORITHM_TAKE_HPP

#include <yoke/algorithm/index_kernel.hpp>

#include <bit>
#include <string>

namespace yoke::inline YOKE_ABI {

namespace detail {

/// How the elements that indices name lie in an array: `rows` times `extent` items of `inner` elements.
struct indexed_shape {
  std::int64_t rows = 1;
  std::int64_t extent = 0;
  std::int64_t inner = 1;
};
/// What indices along an axis name: the shape of all items, how they lie, and how many each row has.
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

/// Every index type has kernels of its own, and so has every direction. The address of this names them in a context.
template <class Index, bool Puts>
inline constexpr value_type_name take_kernels = name_of<kernel_word_of<Index>>();

/// Effects: enqueues the taking, or the putting, of `count` items of each row.
template <bool Puts, class Index, class Port>
void run_take(const stream<Port>& order, const sort_memory<Port>& to, const sort_memory<Port>& from,
              std::size_t element, std::size_t alignment, const sort_memory<Port>& index, const indexed_shape& in,
              std::int64_t count, const source_location& where) {
  take_form form{.index = take_kernels<Index, Puts>, .puts = Puts};
  while (element % form.word != 0 || form.word > alignment) form.word /= 2;
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
  run_index_kernel<Port>(
      order, &take_kernels<Index, Puts>, variant, "yoke_i_take", [&] { return take_source(form); }, nullptr,
      threads_for(all), arguments, where);
}

template <class I>
inline constexpr bool are_indices = integer<typename operand_of<const I&>::value_type>;
/// Does not compile for indices that are no integers, or of another backend than the array.
template <class View, class I>
consteval void check_indexed() {
  static_assert(are_indices<I>, "indices are integers");
  static_assert(of_one_backend<View, I>, "an array and its indices are of one backend");
}

/// Returns: the items that indices name; `shape` is that of the result.
template <class T, class Port, std::size_t Rank, class From, class I>
[[nodiscard]] device_array<T, Rank, Port> taken(const From& from, const I& indices, const yoke::shape<Rank>& shape,
                                                const indexed_shape& in, std::int64_t count,
                                                const source_location& where) {
  using index = typename operand_of<const I&>::value_type;
  const auto& order = from.stream(where);
  device_array<T, Rank, Port> made(order, shape, array_order::c, where);
  if (made.empty()) return made;
  if (in.extent == 0) throw_nothing_to_take(count, where);
  const auto source = dense_input_of<T>(order, from, "array", false, where);
  const auto places = dense_input_of<index>(order, indices, "indices", false, where);
  run_take<false, index>(order, memory_to_sort(made.view(where)), source.memory, sizeof(T), alignof(T), places.memory,
                         in, count, where);
  return made;
}

/// Effects: writes items to where indices name them.
template <class To, class I, class V>
void put_items(const To& to, const I& indices, const V& values, const indexed_shape& in, std::int64_t count,
               const source_location& where) {
  using T = std::remove_const_t<typename To::element_type>;
  using index = typename operand_of<const I&>::value_type;
  const auto& order = to.stream(where);
  check_memory(order, to.memory(), "array", where);
  check_writable(array_side(to.layout()), where);
  // What is written must not be read meanwhile.
  const auto shares = [&](const auto& of) {
    if constexpr (sorted_memory<decltype(of)>) {
      const auto view = view_to_sort(of, where);
      const array_side own(to.layout());
      const array_side theirs(view.layout());
      return may_share(order.context_of().port(where), to.memory(), own.first, own.end, view.memory(), theirs.first,
                       theirs.end);
    } else {
      return false;
    }
  };
  const auto given = dense_input_of<T>(order, values, "values", shares(values), where);
  const auto places = dense_input_of<index>(order, indices, "indices", shares(indices), where);
  if (is_sortable(to)) {
    return run_take<true, index>(order, memory_to_sort(to), given.memory, sizeof(T), alignof(T), places.memory, in,
                                 count, where);
  }
  auto dense = dense_to_sort(to, where);
  run_take<true, index>(order, memory_to_sort(dense.view(where)), given.memory, sizeof(T), alignof(T), places.memory,
                        in, count, where);
  to.assign(dense, where);
}

/// Returns: what is put: values, or one number for all places of a shape.
template <class T, class Port, std::size_t Rank, class V>
[[nodiscard]] decltype(auto) values_to_put(const stream<Port>& order, const V& values, const shape<Rank>& places,
                                           const source_location& where) {
  if constexpr (array_operand<V>) {
    static_assert(operand_of<const V&>::rank == Rank, "values have the shape of the places they go to");
    static_assert(std::same_as<Port, typename operand_of<const V&>::port_type>,
                  "an array and its values are of one backend");
    if constexpr (operand_of<const V&>::rank == Rank) {
      const auto extents = as_operand(values).shape(where);
      if (!std::equal(extents.begin(), extents.end(), places.begin())) {
        throw_put_shapes({extents.begin(), nullptr, Rank}, {places.begin(), nullptr, Rank}, where);
      }
    }
    return (values);
  } else {
    static_assert(std::convertible_to<V, T>, "one value is put that converts to the array's elements");
    device_array<T, Rank, Port> made(order, places, array_order::c, where);
    made.fill(static_cast<T>(values), where);
    return made;
  }
}

}  // namespace detail

// Indices are integers of any type, as an array, a view or an expression. Those below 0 count from the end. An index outside is
// no error, because finding it would wait for the device: what is taken is then the nearest element, what is put is dropped.
// `check_indices` finds it.

/// Returns: the elements of an array, counted in C order, at indices, in their shape, in the array's stream.
/// Requires: that stream is ordered behind work with the indices. Throws: `logic_error` for an array without elements, unless
/// there are no indices; as `evaluate`. Source: NumPy's `take` with `mode="clip"`, but for indices below 0.
/// Example: `auto some = yoke::take(a, yoke::indices_where(a > 3).view());`
template <class A, class I>
  requires detail::sorted_memory<A> && detail::array_operand<I>
[[nodiscard]] auto take(const A& from, const I& indices, const source_location& where = source_location::current()) {
  const auto view = detail::view_to_sort(from, where);
  using view_type = std::remove_const_t<decltype(view)>;
  detail::check_indexed<view_type, I>();
  if constexpr (detail::are_indices<I>) {
    constexpr std::size_t rank = detail::operand_of<const I&>::rank;
    yoke::shape<rank> shape;
    shape = detail::as_operand(indices).shape(where);
    const auto count = static_cast<std::int64_t>(detail::volume(shape.begin(), rank));
    return detail::taken<typename view_type::value_type, typename view_type::port_type>(
        view, indices, shape, {.extent = static_cast<std::int64_t>(view.size())}, count, where);
  }
}
/// The same along one axis, which the result has an element for each index of: `take(m, rows, along(0))` takes rows of a matrix.
/// Throws: as above; `logic_error` for an axis that does not exist.
template <class A, class I>
  requires detail::sorted_memory<A> && detail::array_operand<I>
[[nodiscard]] auto take(const A& from, const I& indices, const reduced_axes<1>& axis,
                        const source_location& where = source_location::current()) {
  static_assert(detail::operand_of<const I&>::rank == 1, "indices along an axis have one axis themselves");
  const auto view = detail::view_to_sort(from, where);
  using view_type = std::remove_const_t<decltype(view)>;
  detail::check_indexed<view_type, I>();
  if constexpr (detail::are_indices<I>) {
    const auto [shape, in, count] = detail::items_along(view.shape(), indices, axis, where);
    return detail::taken<typename view_type::value_type, typename view_type::port_type>(view, indices, shape, in, count,
                                                                                        where);
  }
}

/// Writes values to the elements of an array, counted in C order, at indices: `a[indices] = values`. Values are of the indices'
/// shape, or one number. Where an index occurs several times, one of its values stays, and no one says which.
/// Effects: enqueues it in the array's stream. Requires: that stream is ordered behind work with indices and values.
/// Values of another type are converted as C++ does; one number is filled into an array first.
/// Throws: `logic_error` for values of another shape, and for a view that repeats elements; as `evaluate`.
/// Example: `yoke::put(a, yoke::indices_where(a < 0).view(), 0);`
template <class A, class I, class V>
  requires detail::sorted_memory<A> && detail::array_operand<I> && detail::operand<V>
void put(A&& to, const I& indices, const V& values, const source_location& where = source_location::current()) {
  const auto view = detail::view_to_sort(to, where);
  using view_type = std::remove_const_t<decltype(view)>;
  detail::check_indexed<view_type, I>();
  static_assert(!std::is_const_v<typename view_type::element_type>, "this array cannot be written");
  if constexpr (detail::are_indices<I> && !std::is_const_v<typename view_type::element_type>) {
    constexpr std::size_t rank = detail::operand_of<const I&>::rank;
    yoke::shape<rank> shape;
    shape = detail::as_operand(indices).shape(where);
    const auto count = static_cast<std::int64_t>(detail::volume(shape.begin(), rank));
    decltype(auto) given = detail::values_to_put<typename view_type::value_type, typename view_type::port_type>(
        view.stream(where), values, shape, where);
    detail::put_items(view, indices, given, {.extent = static_cast<std::int64_t>(view.size())}, count, where);
  }
}
/// The same along one axis: `put(m, rows, values, along(0))` writes rows of a matrix. Values have the shape of what
/// `take(to, indices, axis)` gives.
template <class A, class I, class V>
  requires detail::sorted_memory<A> && detail::array_operand<I> && detail::operand<V>
void put(A&& to, const I& indices, const V& values, const reduced_axes<1>& axis,
         const source_location& where = source_location::current()) {
  static_assert(detail::operand_of<const I&>::rank == 1, "indices along an axis have one axis themselves");
  const auto view = detail::view_to_sort(to, where);
  using view_type = std::remove_const_t<decltype(view)>;
  detail::check_indexed<view_type, I>();
  static_assert(!std::is_const_v<typename view_type::element_type>, "this array cannot be written");
  if constexpr (detail::are_indices<I> && !std::is_const_v<typename view_type::element_type>) {
    const auto [shape, in, count] = detail::items_along(view.shape(), indices, axis, where);
    decltype(auto) given = detail::values_to_put<typename view_type::value_type, typename view_type::port_type>(
        view.stream(where), values, shape, where);
    detail::put_items(view, indices, given, in, count, where);
  }
}

/// Effects: waits for the least and the greatest index. Throws: `logic_error` for one that is not in `[-extent, extent)`, and for an extent below 0.
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

}  // namespace yoke::inline YOKE_ABI

#endif
