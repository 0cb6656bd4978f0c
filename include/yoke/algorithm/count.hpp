// SPDX-License-Identifier: MIT
// How often numbers occur: by their value, and in intervals.
#ifndef YOKE_ALGORITHM_COUNT_HPP
#define YOKE_ALGORITHM_COUNT_HPP

#include <yoke/algorithm/reduce_lists.hpp>
#include <yoke/algorithm/search.hpp>

namespace yoke::inline YOKE_ABI {

namespace detail {

/// The type of what is counted. Its address names the kernels in a context.
template <class Word>
inline constexpr value_type_name count_kernels = name_of<Word>();

template <class A>
[[nodiscard]] auto counted(const A& of, std::int64_t bins, const source_location& where) {
  const auto operand = as_operand(of);
  using T = typename std::remove_cvref_t<decltype(operand)>::value_type;
  using word = kernel_word_of<T>;
  using port = typename std::remove_cvref_t<decltype(operand)>::port_type;
  const auto& order = first_of(operand).stream(where);
  const auto extents = operand.shape(where);
  const auto size = static_cast<std::int64_t>(volume(extents.begin(), std::remove_cvref_t<decltype(operand)>::rank));
  if (bins == 0 || size == 0) return zeros<std::int64_t>(shape<1>(bins), order, array_order::c, where);
  device_array<std::int64_t, 1, port> made(order, shape<1>(bins), array_order::c, where);
  const auto input = dense_input_of<T>(order, of, "array", false, where);
  const bool local = bins <= most_local_bins;
  // A part has fewer elements than 32 bits count.
  for (std::int64_t from = 0; from < size; from += narrow_limit()) {
    const std::int64_t part = (std::min)(size - from, narrow_limit());
    device_array<std::uint32_t, 1, port> counts = zeros<std::uint32_t>(shape<1>(bins), order, array_order::c, where);
    const std::int64_t numbers[]{input.memory.first + from, part, bins};
    const typename port::memory_handle counted_to = counts.native_handle();
    const kernel_argument arguments[]{handle_argument(counted_to), handle_argument(input.memory.memory),
                                      number_argument(numbers[0]), number_argument(numbers[1]),
                                      number_argument(numbers[2])};
    // In local memory each block clears and adds all bins: few blocks, with much to count.
    const std::int64_t threads = local ? (std::min)((part / 16 + 255) / 256 + 1, std::int64_t{1024}) * 256 : part;
    run_index_kernel<port>(
        order, &count_kernels<word>, local ? 1 : 0, "yoke_i_count",
        [&] { return count_source(count_kernels<word>, local); }, nullptr, threads_for((threads + 255) / 256 * 256),
        arguments, where);
    const auto to = made.view(where);
    if (from == 0) {
      to.assign(counts, where);
    } else {
      to.assign(made + counts, where);
    }
  }
  return made;
}

}  // namespace detail

/// Counts how often each number from 0 to `count - 1` occurs. Other numbers are not counted.
/// Effects: in the stream of the first array. Returns: the counts, as `std::int64_t`.
/// Throws: `logic_error` for a count below 0 or from 2^31 on; as `evaluate`. Source: NumPy's `bincount`.
/// Example: `auto sizes = yoke::bincount(cells, cell_count);`
template <class A, integer Count>
  requires detail::array_operand<A>
[[nodiscard]] auto bincount(const A& of, Count count, const source_location& where = source_location::current()) {
  static_assert(integer<typename detail::operand_of<const A&>::value_type>, "bins are counted by integers");
  if constexpr (integer<typename detail::operand_of<const A&>::value_type>) {
    return detail::counted(of, detail::checked_bins(detail::clamped_count(count), 0, where), where);
  }
}
/// Sums the weights of each number from 0 to `count - 1`, in an order that no device changes.
/// Returns: the sums, of the types of `sum_each`. Throws: as `group_by_key`. Example: `auto mass = yoke::bincount(cells, masses, n);`
template <class A, class Weights, integer Count>
  requires detail::sorted_memory<A> && detail::sorted_memory<Weights>
[[nodiscard]] auto bincount(const A& of, const Weights& weights, Count count,
                            const source_location& where = source_location::current()) {
  return sum_each(group_by_key(of, weights, count, where), where);
}

/// Counts the elements in each of `bins` intervals of one width from `low` to `high`; the last one has `high`, too. Elements
/// outside, and NaN, are not counted. Element `x` is in interval `(x - low) / (high - low) * bins`, calculated in `float` for
/// elements that are `float`, `half` or `bfloat16`, else in `double`, which the device must have.
/// Effects and returns: as `bincount`. Throws: `logic_error` unless there is a bin, and `low < high`, both finite; as `evaluate`.
/// Source: NumPy's `histogram`. Example: `auto counts = yoke::histogram(a, 100, 0, 1);`
template <class A, integer Bins>
  requires detail::array_operand<A>
[[nodiscard]] auto histogram(const A& of, Bins bins, double low, double high,
                             const source_location& where = source_location::current()) {
  using T = typename detail::operand_of<const A&>::value_type;
  static_assert(detail::real_element<T>, "a histogram is of real numbers");
  if constexpr (detail::real_element<T>) {
    const std::int64_t count = detail::checked_bins(detail::clamped_count(bins), 1, where);
    constexpr bool in_float = std::is_floating_point_v<T> ? sizeof(T) == 4 : !std::is_integral_v<T>;
    using wide = std::conditional_t<in_float, float, double>;
    detail::check_histogram_range(low, high, in_float, where);
    const auto bin = apply<
        "if (!(a >= b && a <= c)) return -1; return (a - b) / (c - b) * d < e ? (int)((a - b) / (c - b) * d) : e - 1;",
        std::int32_t>(cast<wide>(of), static_cast<wide>(low), static_cast<wide>(high), static_cast<wide>(count),
                      static_cast<std::int32_t>(count));
    return detail::counted(bin, count, where);
  }
}
/// Counts the elements from each edge to the next, the next not included; the last interval has its last edge, too.
/// Effects: in the edges' stream. Returns: one count less than there are edges. Requires: edges in ascending order, of the elements' type.
/// Throws: `logic_error` for fewer than two edges; as `lower_bound`. Example: `auto counts = yoke::histogram(a, edges);`
template <class A, class Edges>
  requires detail::array_operand<A> && detail::sorted_memory<Edges>
[[nodiscard]] auto histogram(const A& of, const Edges& edges,
                             const source_location& where = source_location::current()) {
  const auto view = detail::view_of_keys(edges, where);
  using view_type = std::remove_const_t<decltype(view)>;
  using T = typename detail::operand_of<const A&>::value_type;
  static_assert(std::same_as<T, typename view_type::value_type>, "edges are of the elements' type: cast<T>(a)");
  static_assert(detail::of_one_backend<A, Edges>, "elements and edges are of one backend");
  if constexpr (std::same_as<T, typename view_type::value_type> && detail::of_one_backend<A, Edges>) {
    const std::int64_t count = detail::checked_bins(static_cast<std::int64_t>(view.size()) - 1, 1, where);
    if constexpr (!detail::sorted_memory<A>) {
      return histogram(detail::evaluated_in<T>(view.stream(where), of, where), edges, where);
    } else {
      const auto before = upper_bound(view, of, where);
      // What is the last edge belongs before it.
      const auto bin = yoke::where(before > count && detail::as_operand(of) == view.part_at(where, -1), count - 1,
                                   before - std::int64_t{1});
      return detail::counted(bin, count, where);
    }
  }
}

}  // namespace yoke::inline YOKE_ABI

#endif
