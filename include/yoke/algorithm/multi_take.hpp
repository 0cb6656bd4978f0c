// SPDX-License-Identifier: MIT
// Takes elements of several arrays from one list of indices, or puts elements there, by one launch.
#ifndef YOKE_ALGORITHM_MULTI_TAKE_HPP
#define YOKE_ALGORITHM_MULTI_TAKE_HPP

#include <yoke/algorithm/take.hpp>

#include <array>
#include <tuple>

namespace yoke::inline v0_1 {

namespace detail {

/// The type of indices. A context stores the kernels under its address; each direction has its own.
template <class Index, bool Puts>
inline constexpr value_type_name multi_take_kernels = name_of<kernel_word_of<Index>>();

/// One of the arrays: where its elements go and come from, and how many the indices choose among.
template <class Port>
struct moved_elements {
  sort_memory<Port> to{}, from{};
  std::int64_t extent = 0;
  std::size_t bytes = 0;  ///< of an element
  std::size_t alignment = 1;
};

/// Effects: enqueues the kernel that moves `count` elements of each array.
template <bool Puts, class Index, std::size_t Arrays, class Order>
void run_multi_take(const Order& order, const std::array<moved_elements<port_of_order<Order>>, Arrays>& arrays,
                    const sort_memory<port_of_order<Order>>& index, std::int64_t count, const source_location& where) {
  multi_take_form form{.index = multi_take_kernels<Index, Puts>, .puts = Puts, .arrays = Arrays};
  argument_list<1 + 6 * Arrays + 2> arguments;
  arguments.add_memory(index.memory);
  std::size_t variant = 0;
  for (std::size_t k = 0; k < Arrays; ++k) {
    const auto& each = arrays[k];
    const std::size_t word = form.words[k] = moved_word(each.bytes, each.alignment);
    variant = variant << 2U | static_cast<std::size_t>(std::countr_zero(word));
    const auto words = static_cast<std::int64_t>(each.bytes / word);
    arguments.add_memory(each.to.memory);
    arguments.add_memory(each.from.memory);
    arguments.add_number(each.to.first * words);
    arguments.add_number(each.from.first * words);
    arguments.add_number(each.extent);
    arguments.add_number(words);
  }
  arguments.add_number(index.first);
  arguments.add_number(count);
  run_index_kernel(
      order, &multi_take_kernels<Index, Puts>, variant << 5U | Arrays, "yoke_i_multi_take",
      [&] { return multi_take_source(form); }, nullptr, threads_for(count), arguments.get(), where);
}

/// Does not compile for arrays that cannot share a launch.
template <class I, class... View>
consteval bool check_multi() {
  constexpr bool few = sizeof...(View) > 0 && sizeof...(View) <= most_multi_arrays;
  static_assert(few, "one launch takes from 1 to 16 arrays");
  (check_indexed<View, I>(), ...);
  return few && are_indices<I> && of_one_backend<View..., I>;
}
template <class Tuple>
struct views_of_tuple;
template <class... A>
struct views_of_tuple<std::tuple<A...>> {
  static constexpr bool are_arrays = (sorted_memory<A> && ...);
  template <class I>
  static consteval bool takes() {
    return check_multi<I, view_of<A>...>();
  }
  template <class I>
  static consteval bool puts() {
    (check_put<std::remove_cvref_t<decltype(view_to_sort(std::declval<std::remove_reference_t<A>&>(), {}))>, I>(), ...);
    return check_multi<I, view_of<A>...>();
  }
};
template <class Tuple>
concept tuple_of_arrays = requires { views_of_tuple<Tuple>::are_arrays; } && views_of_tuple<Tuple>::are_arrays;

/// Effects: takes from each view into a new array. Returns: the arrays.
template <class I, class... View>
[[nodiscard]] auto taken_from_all(const I& indices, const source_location& where, const View&... from) {
  using index = typename operand_of<const I&>::value_type;
  constexpr std::size_t rank = operand_of<const I&>::rank;
  const auto& order = std::get<0>(std::tie(from...)).stream(where);
  using port = port_of_order<std::remove_cvref_t<decltype(order)>>;
  ((void)from.stream(where), ...);
  yoke::shape<rank> extents;
  extents = as_operand(indices).shape(where);
  std::tuple<device_array<typename View::value_type, rank, port>...> made{
      device_array<typename View::value_type, rank, port>(order, extents, array_order::c, where)...};
  const auto count = static_cast<std::int64_t>(volume(extents.begin(), rank));
  if (count == 0) return made;
  if (((from.size() == 0) || ...)) throw_nothing_to_take(count, where);
  operation_memory operation(order);
  const auto places = dense_input_of<index>(operation, indices, "indices", false, where);
  const auto move = [&](const auto&... input) {
    std::apply(
        [&](auto&... to) {
          (check_memory(operation, to.view(where).memory(), memory_use::writes, "destination", where), ...);
          const std::array<moved_elements<port>, sizeof...(View)> arrays{
              moved_elements<port>{memory_to_sort(to.view(where)), input.memory, static_cast<std::int64_t>(from.size()),
                                   sizeof(typename View::value_type), alignof(typename View::value_type)}...};
          run_multi_take<false, index>(order, arrays, places.memory, count, where);
        },
        made);
  };
  const std::tuple inputs{dense_input_of<typename View::value_type>(operation, from, "array", false, where)...};
  std::apply(move, inputs);
  return made;
}

/// A destination of `multi_put`: its own memory, or a copy without gaps that is written back.
template <class View, class Order>
struct put_destination {
  using value = typename View::value_type;
  put_destination(const Order& order, const View& of, const source_location& where) : to(&of) {
    if (is_sortable(of)) return;
    between.emplace(order, of.shape(), of.stream(where), where);
    assign_in(order, between->view(), of, where);
  }
  [[nodiscard]] auto memory() const { return between ? memory_to_sort(between->view()) : memory_to_sort(*to); }
  void finish(const Order& order, const source_location& where) const {
    if (between) assign_in(order, *to, between->view(), where);
  }
  const View* to;
  std::optional<dense_elements<value, View::rank(), Order>> between{};
};

/// Effects: puts values into each view at the same indices.
template <class I, class... View, class... V>
void put_into_all(const std::tuple<View...>& to, const I& indices, const std::tuple<V...>& values,
                  const source_location& where) {
  using index = typename operand_of<const I&>::value_type;
  const auto& order = std::get<0>(to).stream(where);
  using Order = std::remove_cvref_t<decltype(order)>;
  using port = port_of_order<Order>;
  operation_memory operation(order);
  const auto given_indices = as_operand(indices).shape(where);
  yoke::shape<operand_of<const I&>::rank> places;
  places = given_indices;
  const auto shares = [&](const auto& of) {
    if constexpr (array_operand<decltype(of)>) {
      return std::apply([&](const auto&... each) { return (shares_with(order, each, of, where) || ...); }, to);
    } else {
      return false;
    }
  };
  const auto check = [&](const auto& each) {
    check_memory(operation, each.memory(), memory_use::writes, "array", where);
    check_writable(byte_layout(each.layout()), where);
  };
  [&]<std::size_t... K>(std::index_sequence<K...>) {
    (check(std::get<K>(to)), ...);
    const std::tuple given{values_to_put<typename View::value_type>(
        operation, std::get<K>(values), places, std::get<K>(to).stream(where), shares(std::get<K>(values)), where)...};
    const auto at = dense_input_of<index>(operation, indices, "indices", shares(indices), where);
    const auto count = static_cast<std::int64_t>(volume(places.begin(), operand_of<const I&>::rank));
    if (count == 0) return;
    const std::tuple<put_destination<View, Order>...> into{
        put_destination<View, Order>(order, std::get<K>(to), where)...};
    const std::array<moved_elements<port>, sizeof...(View)> arrays{moved_elements<port>{
        std::get<K>(into).memory(), std::get<K>(given).memory, static_cast<std::int64_t>(std::get<K>(to).size()),
        sizeof(typename View::value_type), alignof(typename View::value_type)}...};
    run_multi_take<true, index>(order, arrays, at.memory, count, where);
    (std::get<K>(into).finish(order, where), ...);
  }(std::index_sequence_for<View...>());
}

}  // namespace detail

/// Returns: what `take` takes from each array of a tuple at the same indices: a tuple of new arrays in the indices'
/// shape, in the first array's stream, by one launch that reads each index once. Arrays may have several types and
/// shapes; those with gaps are copied first.
/// Throws: as `take`. Source: `multi_take` of PyCUDA and PyOpenCL.
/// Example: `auto [x, y] = yoke::multi_take(std::tie(all_x, all_y), nearest);`
template <class... A, class I>
  requires detail::tuple_of_arrays<std::tuple<A...>> && detail::array_operand<I>
[[nodiscard]] auto multi_take(const std::tuple<A...>& from, const I& indices,
                              const source_location& where = source_location::current()) {
  if constexpr (detail::views_of_tuple<std::tuple<A...>>::template takes<I>()) {
    return std::apply(
        [&](const auto&... each) {
          return detail::taken_from_all(indices, where, detail::view_to_sort(each, where)...);
        },
        from);
  }
}
/// Does for each array of a tuple what `put` does, with the same indices, by one launch in the first array's stream.
/// `values` has arrays, expressions or numbers, one for each array. Arrays with gaps go through a copy.
/// Requires: the arrays share no memory. Throws: as `put`. Source: `multi_put` of PyCUDA and PyOpenCL.
/// Example: `yoke::multi_put(std::tie(all_x, all_y), nearest, std::tie(x, y));`
template <class... A, class I, class... V>
  requires detail::tuple_of_arrays<std::tuple<A...>> && detail::array_operand<I> && (detail::operand<V> && ...)
void multi_put(const std::tuple<A...>& to, const I& indices, const std::tuple<V...>& values,
               const source_location& where = source_location::current()) {
  static_assert(sizeof...(A) == sizeof...(V), "each array gets values: both tuples have as many");
  if constexpr (sizeof...(A) == sizeof...(V) && detail::views_of_tuple<std::tuple<A...>>::template puts<I>()) {
    std::apply(
        [&](auto&... each) {
          detail::put_into_all(std::make_tuple(detail::view_to_sort(each, where)...), indices, values, where);
        },
        to);
  }
}

}  // namespace yoke::inline v0_1

#endif
