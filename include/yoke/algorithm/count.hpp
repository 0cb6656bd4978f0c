// SPDX-License-Identifier: MIT
// Counts how often numbers occur: by their value, or in intervals.
#ifndef YOKE_ALGORITHM_COUNT_HPP
#define YOKE_ALGORITHM_COUNT_HPP

#include <yoke/algorithm/reduce_lists.hpp>
#include <yoke/algorithm/search.hpp>

namespace yoke::inline v0_1 {

namespace detail {

/// The numbers that are counted. A context stores the kernels under its address.
struct count_task {
  std::span<const expression_step> steps;
  described structs;
};
template <class E>
inline constexpr count_task count_task_of{steps_of<E>, described_structs<E>()};

/// Effects: adds to `counts` how often each number occurs among the elements from `from` to `end`. `arguments` has
/// room for the counts, the inputs, the numbers of the expression and three more, in this order; the caller has filled
/// in the numbers. Throws: as `run_reductions`.
template <class Order>
void run_counts(const Order& order, const count_task& what, const walked_shape& shape,
                std::span<const evaluation_operand<port_of_order<Order>>> inputs,
                const device_view<std::uint32_t, 1, port_of_order<Order>>& counts, std::int64_t from, std::int64_t end,
                std::span<kernel_argument> arguments, const source_location& where) {
  reduction_plan plan;
  operation_memory operation(order);
  make_plan(plan, operation, shape, inputs, true, sizeof(std::uint32_t), where);
  const auto bins = static_cast<std::int64_t>(counts.size());
  const bool coalesces = order.context_of().port(where).language().coalesces;
  const count_form form{
      .values = {.steps = what.steps, .slots = plan.slots, .inputs = inputs.size(), .wide = plan.wide},
      .rank = plan.axes.reduced.rank,
      .linear = plan.linear,
      .local = bins <= most_local_bins,
      .batch = coalesces ? 8U : 1U};
  reduction_words steps;
  fill_words(steps, plan, inputs.size(), 0, 0);
  steps.words[1] = end;
  const typename port_of_order<Order>::memory_handle counted_to = counts.memory().memory;
  arguments.front() = handle_argument(counted_to);
  for (std::size_t k = 0; k < inputs.size(); ++k) arguments[k + 1] = handle_argument(inputs[k].memory.memory);
  const auto last = arguments.last(3);
  last[0] = number_argument(from);
  last[1] = number_argument(bins);
  last[2] = {argument_kind::value, steps.words, steps.bytes};
  // With local memory each block clears and adds all bins, so few blocks each count many elements.
  const std::int64_t part = end - from;
  const std::int64_t threads =
      form.local ? (std::min)((part / 16 + 255) / 256 + 1, std::int64_t{1024}) * 256 : part / (coalesces ? 8 : 1) + 1;
  run_index_kernel(
      order, &what, plan.key << 1U | (form.local ? 1U : 0U), "yoke_i_count", [&] { return count_source(form); },
      what.structs, threads_for((threads + 255) / 256 * 256), arguments, where);
}

/// Counts how often each number from 0 on occurs among the elements of an operand.
template <class E>
class count_item {
  using port = typename E::port_type;

 public:
  using pass_tag = void;
  using result = device_array<std::int64_t, 1, port>;

  count_item(E of, std::int64_t bins) : of_(std::move(of)), bins_(bins) {}
  [[nodiscard]] const auto& stream(const source_location& where) const { return of_.stream(where); }
  [[nodiscard]] yoke::shape<1> shape(const source_location&) const { return yoke::shape<1>(bins_); }

  template <class Order, class To, std::size_t Rank, class Port>
  void evaluate_in(const Order& order, const device_view<To, Rank, Port>& to, const source_location& where) const {
    static_assert(!std::is_const_v<To>, "this view cannot be written");
    static_assert(std::same_as<To, std::int64_t> && Rank == 1, "counts are assigned to std::int64_t along one axis");
    if constexpr (std::same_as<To, std::int64_t> && Rank == 1) {
      check_result_shape(shape(where).begin(), to.shape().begin(), 1, where);
      if constexpr (reductions_in<E> != 0) {
        reduced_results<Order> inner(order);
        const auto made = [&]<class X>(const X& of) { return count_item<X>(of, bins_); };
        made(inner.without_reductions(of_, where)).evaluate_in(order, to, where);
      } else {
        count_in(order, to, where);
      }
    }
  }

 private:
  template <class Order>
  void count_in(const Order& order, const device_view<std::int64_t, 1, port>& to, const source_location& where) const {
    const yoke::shape<E::rank> extents = of_.shape(where);
    const auto size = static_cast<std::int64_t>(volume(extents.begin(), E::rank));
    operation_memory operation(order);
    check_destination(operation, to, where);
    if (size == 0 || to.empty()) return fill_view(order, to, std::int64_t{0}, where);
    launched_operands<1, 3, E> given(of_);
    const walked_shape all{extents.begin(), E::rank, (1U << E::rank) - 1};
    const dense_elements<std::uint32_t, 1, Order> counts(order, to.shape(), to.stream(where), where);
    const auto count = [&](std::int64_t from) {
      fill_view(order, counts.view(), std::uint32_t{0}, where);
      run_counts<Order>(order, count_task_of<E>, all, std::span(given.operands, E::inputs), counts.view(), from,
                        (std::min)(size, from + narrow_limit()), given.arguments, where);
    };
    count(0);
    if (size <= narrow_limit()) return assign_in(order, to, counts.view(), where);
    // A part has no more elements than 32 bits hold. The destination may be among the inputs.
    const dense_elements<std::int64_t, 1, Order> sums(order, to.shape(), to.stream(where), where);
    assign_in(order, sums.view(), counts.view(), where);
    for (std::int64_t from = narrow_limit(); from < size; from += narrow_limit()) {
      count(from);
      assign_in(order, sums.view(), sums.view() + counts.view(), where);
    }
    assign_in(order, to, sums.view(), where);
  }
  E of_;
  std::int64_t bins_;
};
template <class A>
[[nodiscard]] auto count_of(A&& of, std::int64_t bins) {
  return count_item<operand_of<A>>(as_operand(std::forward<A>(of)), bins);
}
/// Returns: the number of the interval of each element; -1 for elements outside all intervals.
template <class A>
[[nodiscard]] auto bins_between(A&& of, std::int64_t count, double low, double high, const source_location& where) {
  using T = typename operand_of<A>::value_type;
  constexpr bool in_float = std::is_floating_point_v<T> ? sizeof(T) == 4 : !std::is_integral_v<T>;
  using wide = std::conditional_t<in_float, float, double>;
  check_histogram_range(low, high, in_float, where);
  return apply<
      "if (!(a >= b && a <= c)) return -1; return (a - b) / (c - b) * d < e ? (int)((a - b) / (c - b) * d) : e - 1;",
      std::int32_t>(cast<wide>(std::forward<A>(of)), static_cast<wide>(low), static_cast<wide>(high),
                    static_cast<wide>(count), static_cast<std::int32_t>(count));
}

}  // namespace detail

// `view = pass::bincount(a, n)` and `pass::histogram(a, bins, low, high)` write the counts to existing elements, in
// the view's stream or on a recorder.

namespace pass {
template <class A, integer Count>
  requires detail::array_operand<A>
[[nodiscard]] auto bincount(A&& of, Count count, const source_location& where = source_location::current()) {
  static_assert(integer<typename detail::operand_of<A>::value_type>, "bins are counted by integers");
  return detail::count_of(std::forward<A>(of), detail::checked_bins(detail::clamped_count(count), 0, where));
}
template <class A, integer Bins>
  requires detail::array_operand<A>
[[nodiscard]] auto histogram(A&& of, Bins bins, double low, double high,
                             const source_location& where = source_location::current()) {
  static_assert(detail::real_element<typename detail::operand_of<A>::value_type>, "a histogram is of real numbers");
  const std::int64_t count = detail::checked_bins(detail::clamped_count(bins), 1, where);
  return detail::count_of(detail::bins_between(std::forward<A>(of), count, low, high, where), count);
}
}  // namespace pass

/// Counts how often each number from 0 to `count - 1` occurs. It ignores other numbers.
/// Effects: works in the stream of the first array. Returns: the counts, as `std::int64_t`.
/// Throws: `logic_error` for a count below 0 or from 2^31 on; as `evaluate`. Source: NumPy's `bincount`.
/// Example: `auto sizes = yoke::bincount(cells, cell_count);`
template <class A, integer Count>
  requires detail::array_operand<A>
[[nodiscard]] auto bincount(const A& of, Count count, const source_location& where = source_location::current()) {
  static_assert(integer<typename detail::operand_of<const A&>::value_type>, "bins are counted by integers");
  if constexpr (integer<typename detail::operand_of<const A&>::value_type>) {
    return detail::made_of(pass::bincount(of, count, where), where);
  }
}
/// Sums the weights of each number from 0 to `count - 1`, in an order that is the same on every device.
/// Returns: the sums, in the types of `sum_each`. Throws: as `group_by_key`.
/// Example: `auto mass = yoke::bincount(cells, masses, n);`
template <class A, class Weights, integer Count>
  requires detail::sorted_memory<A> && detail::sorted_memory<Weights>
[[nodiscard]] auto bincount(const A& of, const Weights& weights, Count count,
                            const source_location& where = source_location::current()) {
  return sum_each(group_by_key(of, weights, count, where), where);
}

/// Counts the elements in each of `bins` intervals of equal width from `low` to `high`; the last interval includes
/// `high`. It ignores elements outside, and NaN. Element `x` is in interval `(x - low) / (high - low) * bins`,
/// calculated in `float` for elements of type `float`, `half` or `bfloat16`, else in `double`, which the device must
/// have.
/// Effects and returns: as `bincount`. Throws: `logic_error` for no bins, and unless `low < high` and both are finite;
/// as `evaluate`.
/// Source: NumPy's `histogram`. Example: `auto counts = yoke::histogram(a, 100, 0, 1);`
template <class A, integer Bins>
  requires detail::array_operand<A>
[[nodiscard]] auto histogram(const A& of, Bins bins, double low, double high,
                             const source_location& where = source_location::current()) {
  using T = typename detail::operand_of<const A&>::value_type;
  static_assert(detail::real_element<T>, "a histogram is of real numbers");
  if constexpr (detail::real_element<T>) return detail::made_of(pass::histogram(of, bins, low, high, where), where);
}
/// Does not compile: without a range it would have to wait for the least and the greatest element.
template <class A, class Bins>
  requires(detail::array_operand<A> && std::is_integral_v<Bins>)
auto histogram(const A&, Bins) {
  static_assert(!std::same_as<A, A>,
                "a histogram goes from one number to another: write histogram(a, 10, low, high), with min(a).get() and "
                "max(a).get() for all elements");
  return 0;
}
/// Counts the elements from each edge up to, but without, the next; the last interval includes its upper edge.
/// Effects: works in the edges' stream; waits until it has checked the edges. Returns: the counts, one less than the
/// edges.
/// Throws: `logic_error` for fewer than two edges, and for an edge that is NaN or less than the one before; as
/// `lower_bound`. Example: `auto counts = yoke::histogram(a, edges);`
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
    const std::int64_t count = detail::checked_edges(static_cast<std::int64_t>(view.size()), where);
    // Checks the edges, which are few: wrong ones would give counts that look right.
    const auto ascends = detail::as_operand(view.part_at(where, slice(0, -1))) <=
                         detail::as_operand(view.part_at(where, slice(1, none)));
    const auto [all_ascend, first] = in_one_pass(pass::all(ascends, where), pass::argmin(ascends, where));
    if (!all_ascend.get(where)) detail::throw_edges(first.get(where), where);
    if constexpr (!detail::sorted_memory<A>) {
      return histogram(detail::evaluated_in<T>(view.stream(where), of, where), edges, where);
    } else {
      const auto before = upper_bound(view, of, where);
      // Moves elements equal to the last edge into the interval before it.
      const auto bin = yoke::where(before > count && detail::as_operand(of) == view.part_at(where, -1), count - 1,
                                   before - std::int64_t{1});
      return detail::made_of(detail::count_of(bin, count), where);
    }
  }
}

}  // namespace yoke::inline v0_1

#endif
