// SPDX-License-Identifier: MIT
// Reduces each of many lists, and the values of equal keys.
#ifndef YOKE_ALGORITHM_REDUCE_LISTS_HPP
#define YOKE_ALGORITHM_REDUCE_LISTS_HPP

#include <yoke/algorithm/group_by_key.hpp>
#include <yoke/algorithm/take.hpp>
#include <yoke/array/storage/make_array.hpp>

namespace yoke::inline v0_1 {

namespace detail {

/// The reduction of lists. A context stores the kernel under its address.
struct lists_task {
  value_type_name from;
  value_type_name accumulator;
  const char* join;
  const char* neutral;
  described structs;
};
template <class Op, class T, class Port>
inline constexpr lists_task lists_task_of{name_of<T>(), name_of<typename Op::template accumulator<T>>(),
                                          scan_join<Op>(kind_of<typename Op::template accumulator<T>>()), Op::neutral,
                                          described_structs<joined_operands<array_input<T, 1, Port>>>()};

/// Returns: the threads that reduce one list. The number depends only on the lengths, so that sums have the same bits
/// everywhere.
[[nodiscard]] constexpr std::int64_t lanes_for(std::int64_t elements, std::int64_t lists) noexcept {
  std::int64_t lanes = 1;
  while (lanes < 256 && lanes * 4 * lists < elements) lanes *= 2;
  return lanes;
}

template <class Op, class T, class Port>
[[nodiscard]] auto reduced_lists(const lists<T, Port>& of, const source_location& where) {
  static_assert(expression_element<T>, "what is reduced is a number or a struct of YOKE_STRUCT");
  using item = reduction_item<Op, array_input<T, 1, Port>>;
  using accumulator = typename item::accumulator;
  static_assert(sizeof(accumulator) <= 128, "values of lists have at most 128 bytes");
  const auto& order = of.starts().stream(where);
  const auto number = static_cast<std::int64_t>(of.size());
  operation_memory operation(order);
  const auto elements = of.elements().view(where);
  const auto starts = of.starts().view(where);
  check_memory(operation, elements.memory(), memory_use::reads, "elements", where);
  check_memory(operation, starts.memory(), memory_use::reads, "starts", where);
  device_array<accumulator, 1, Port> made(order, shape<1>(number), array_order::c, where);
  if (number == 0) return made;
  const auto size = static_cast<std::int64_t>(of.elements().size());
  const std::int64_t lanes = lanes_for(size, number);
  const typename Port::memory_handle handles[]{made.native_handle(), elements.memory().memory, starts.memory().memory};
  const kernel_argument arguments[]{handle_argument(handles[0]), handle_argument(handles[1]),
                                    handle_argument(handles[2]), number_argument(number),
                                    number_argument(lanes),      number_argument(size)};
  constexpr const lists_task& what = lists_task_of<Op, T, Port>;
  run_index_kernel(
      order, &what, 0, "yoke_i_reduce",
      [&] { return reduce_lists_source(what.from, what.accumulator, what.join, what.neutral); }, what.structs,
      threads_for((number * lanes + 255) / 256 * 256), arguments, where);
  return made;
}

/// Returns: the starts of the runs of equal elements, and behind them the number of elements. Effects: waits for the
/// number of runs.
template <class T, class Port>
[[nodiscard]] device_array<std::int64_t, 1, Port> starts_of_runs(const device_view<const T, 1, Port>& keys,
                                                                 const source_location& where) {
  static_assert(real_element<T>, "runs are of real numbers and bools");
  const auto& order = keys.stream(where);
  const auto size = static_cast<std::int64_t>(keys.size());
  if (size == 0) return device_array<std::int64_t, 1, Port>(zeros<std::int64_t>({1}, order));
  const auto changes = indices_where(keys.part_at(where, slice(1, none)) != keys.part_at(where, slice(0, -1)), where);
  const auto runs = static_cast<std::ptrdiff_t>(changes.size(where)) + 1;
  device_array<std::int64_t, 1, Port> starts(order, shape<1>(runs + 1), array_order::c, where);
  const auto to = starts.view(where);
  to.part_at(where, slice(0, 1)).fill(0, where);
  if (runs > 1) {
    const auto found = changes.elements().view(where).part_at(where, slice(0, runs - 1));
    to.part_at(where, slice(1, runs)).assign(found + std::int64_t{1}, where);
  }
  to.part_at(where, slice(-1, none)).fill(size, where);
  return starts;
}
/// Returns: the view of keys or values with one axis. Throws: `logic_error` for an empty array.
template <class A>
[[nodiscard]] auto view_of_keys(const A& of, const source_location& where) {
  const auto view = view_to_sort(of, where);
  using view_type = std::remove_const_t<decltype(view)>;
  static_assert(view_type::rank() == 1, "keys and values have one axis");
  return device_view<const typename view_type::value_type, 1, typename view_type::port_type>(view);
}

}  // namespace detail

/// Keys in their order, each with a value. Move-only.
template <class K, class T, class Port = any_port>
struct keyed_values {
  device_array<K, 1, Port> keys;
  device_array<T, 1, Port> values;
};

/// Joins the elements of each list as `reduce` does. `Join` is an expression in the dialect that joins two values, `a`
/// and `b`; the values come in any order and grouping. `Neutral` is its neutral element. Values have the elements'
/// type, or `Accumulator`.
/// Effects: one launch in the stream of the lists' starts.
/// The number of threads for each list follows from the mean length: one long list among short ones is slow.
/// Returns: a value for each list, the neutral element for an empty one. Throws: as `reduce`.
/// Example: `auto highest = yoke::reduce_each<"yoke_max(a, b)", "0">(yoke::group_by_key(cells, heights, count));`
template <fixed_text Join, fixed_text Neutral, class Accumulator = void, class T, class Port>
[[nodiscard]] auto reduce_each(const lists<T, Port>& of, const source_location& where = source_location::current()) {
  return detail::reduced_lists<detail::text_operation<Join, Neutral, Accumulator>>(of, where);
}
/// The sum of each list: for integers in 64 bits, else in the elements' own type.
/// Example: `auto mass = yoke::sum_each(made);`
template <class T, class Port>
[[nodiscard]] auto sum_each(const lists<T, Port>& of, const source_location& where = source_location::current()) {
  return detail::reduced_lists<detail::total_scan<"a + b", "0">>(of, where);
}

/// Encodes each run of equal elements as one element and its length; for sorted elements these are the values and how
/// often each occurs. NaN differs from itself. Effects: waits once, for the number of runs. Throws: as `unique`.
/// Example: `auto [values, counts] = yoke::run_lengths(yoke::sorted(a));`
template <class A>
  requires detail::sorted_memory<A>
[[nodiscard]] auto run_lengths(const A& of, const source_location& where = source_location::current()) {
  const auto view = detail::view_of_keys(of, where);
  using T = typename std::remove_cvref_t<decltype(view)>::value_type;
  using port = typename std::remove_cvref_t<decltype(view)>::port_type;
  const auto starts = detail::starts_of_runs<T, port>(view, where);
  const auto begins = starts.view(where).part_at(where, slice(0, -1));
  device_array<std::int64_t, 1, port> lengths(starts.view(where).part_at(where, slice(1, none)) - begins, where);
  return keyed_values<T, std::int64_t, port>{take(view, begins, where), std::move(lengths)};
}

/// Joins the values of each run of equal keys, as `reduce_each` does. Sort by `sort_by_key` first for one value of
/// each key.
/// Effects: works in the keys' stream; waits once, for the number of runs.
/// Returns: the key and the joined value of each run. Throws: `logic_error` for values of another shape or context; as
/// `unique` and `reduce`. Example: `auto [cells, mass] = yoke::reduce_by_key<"a + b", "0">(cell, masses);`
template <fixed_text Join, fixed_text Neutral, class Accumulator = void, class Keys, class Values>
  requires detail::sorted_memory<Keys> && detail::sorted_memory<Values>
[[nodiscard]] auto reduce_by_key(const Keys& keys, const Values& values,
                                 const source_location& where = source_location::current()) {
  const auto key = detail::view_of_keys(keys, where);
  const auto value = detail::view_of_keys(values, where);
  static_assert(detail::of_one_backend<Keys, Values>, "keys and values are arrays of one backend");
  using K = typename std::remove_cvref_t<decltype(key)>::value_type;
  using V = typename std::remove_cvref_t<decltype(value)>::value_type;
  using port = typename std::remove_cvref_t<decltype(key)>::port_type;
  if (key.shape() != value.shape()) detail::throw_sort_shapes(key.layout().axes(), value.layout().axes(), where);
  detail::check_side(key.stream(where), detail::describe(value), "values", where);
  const lists<V, port> runs(detail::starts_of_runs<K, port>(key, where),
                            detail::dense_to_sort(key.stream(where), value, where));
  auto made = reduce_each<Join, Neutral, Accumulator>(runs, where);
  using result = typename decltype(made)::value_type;
  return keyed_values<K, result, port>{take(key, runs.starts().view(where).part_at(where, slice(0, -1)), where),
                                       std::move(made)};
}

}  // namespace yoke::inline v0_1

#endif
