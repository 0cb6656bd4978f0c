// SPDX-License-Identifier: MIT
// Joins arrays along an axis that they have, or along a new one.
#ifndef YOKE_ALGORITHM_CONCATENATE_HPP
#define YOKE_ALGORITHM_CONCATENATE_HPP

#include <yoke/algorithm/index_kernel.hpp>

#include <array>
#include <bit>
#include <ranges>
#include <tuple>
#include <vector>

namespace yoke::inline v0_1 {

namespace detail {

/// An array to join: its elements without gaps, and how many of them each row of the result gets.
template <class Port>
struct joined_source {
  sort_memory<Port> memory{};
  std::int64_t count = 0;
};
/// A context stores the kernels under its address.
inline constexpr char concatenate_kernels_kept = 0;

/// Effects: enqueues the kernels that put the rows of all sources behind each other, up to `most_sources` by one
/// launch. Units of `element` and `alignment`: bytes.
template <class Order>
void run_concatenate(const Order& order, const sort_memory<port_of_order<Order>>& to,
                     std::span<const joined_source<port_of_order<Order>>> sources, std::int64_t rows,
                     std::size_t element, std::size_t alignment, const source_location& where) {
  concatenate_form form{.word = moved_word(element, alignment), .one_row = rows == 1};
  const auto words = static_cast<std::int64_t>(element / form.word);
  std::int64_t row = 0;
  for (const auto& each : sources) row += each.count * words;
  std::int64_t begin = 0;
  for (auto next = sources.begin(); begin < row;) {
    argument_list<1 + 3 * most_sources + 4> arguments;
    arguments.add_memory(to.memory);
    std::int64_t part = 0;
    for (form.sources = 0; next != sources.end() && form.sources < most_sources; ++next) {
      if (next->count == 0) continue;
      ++form.sources;
      part += next->count * words;
      arguments.add_memory(next->memory.memory);
      arguments.add_number(next->memory.first * words);
      arguments.add_number(part);
    }
    arguments.add_number(to.first * words + begin);
    arguments.add_number(row);
    arguments.add_number(part);
    arguments.add_number(rows * part);
    form.wide = rows * part > narrow_limit();
    const std::size_t variant = form.sources << 6U | form.word << 2U | (form.wide ? 2U : 0U) | (form.one_row ? 1U : 0U);
    run_index_kernel(
        order, &concatenate_kernels_kept, variant, "yoke_i_concatenate", [&] { return concatenate_source(form); },
        nullptr, threads_for(rows * part), arguments.get(), where);
    begin += part;
  }
}

/// The type of elements that are joined: their own, or the common one of numbers.
template <class... T>
struct joined_type : arithmetic_type<T...> {};
template <class T, class... More>
  requires(std::same_as<T, More> && ...)
struct joined_type<T, More...> {
  using type = T;
};

/// Returns: an array or a view as a view that is stored; an expression as an operand.
template <class A>
[[nodiscard]] auto kept_to_join(A&& of, const source_location& where = {}) {
  if constexpr (sorted_memory<A>) {
    return view_to_keep(std::forward<A>(of), where);
  } else {
    return as_operand(std::forward<A>(of));
  }
}
template <class A>
using kept_of = decltype(kept_to_join(std::declval<A>()));
template <class E>
[[nodiscard]] auto shape_to_join(const E& of, const source_location& where) {
  if constexpr (sorted_memory<E>) {
    (void)of.stream(where);
    return of.shape();
  } else {
    return of.shape(where);
  }
}
template <class E>
inline constexpr std::size_t rank_to_join = operand_of<const E&>::rank;

/// Arrays that are joined along an axis: the first part of both items below. `Stacks`: the axis is new.
template <bool Stacks, std::size_t Rank>
class join_of {
 public:
  explicit join_of(std::size_t axis) noexcept : axis_(axis) {}

 protected:
  static constexpr std::size_t rank = Rank + (Stacks ? 1 : 0);

  /// Effects: takes account of the shape of the next array. Throws: `logic_error` where it differs from the first one
  /// along another axis.
  template <class Shape>
  void add(shape<rank>& all, const Shape& next, bool is_first, const source_location& where) const {
    if (is_first) {
      for (std::size_t k = 0; k < Rank; ++k) all[Stacks && k >= axis_ ? k + 1 : k] = next.begin()[k];
      if constexpr (Stacks) all[axis_] = 1;
      return;
    }
    std::array<std::size_t, Rank + 1> before{};
    for (std::size_t k = 0; k < Rank; ++k) before[k] = all[Stacks && k >= axis_ ? k + 1 : k];
    check_joined(before.data(), next.begin(), Rank, Stacks ? Rank : axis_, where);
    all[axis_] += Stacks ? 1 : next.begin()[axis_];
  }
  [[nodiscard]] std::int64_t rows_of(const shape<rank>& all) const noexcept {
    return static_cast<std::int64_t>(volume(all.begin(), axis_));
  }
  /// Returns: the elements that an array gives to each row. Requires: there are rows.
  [[nodiscard]] std::int64_t count_of(std::size_t elements, std::int64_t rows) const noexcept {
    return static_cast<std::int64_t>(elements) / rows;
  }

  std::size_t axis_;
};

/// Operands, which may be of several types, that are joined when they are assigned.
template <bool Stacks, class First, class... More>
class joined_item : join_of<Stacks, rank_to_join<First>> {
  using base = join_of<Stacks, rank_to_join<First>>;
  using T = typename joined_type<typename First::value_type, typename More::value_type...>::type;
  using port = typename First::port_type;

 public:
  using pass_tag = void;
  using result = device_array<T, base::rank, port>;

  joined_item(std::size_t axis, First first, More... more) : base(axis), of_(std::move(first), std::move(more)...) {}
  [[nodiscard]] const auto& stream(const source_location& where) const { return std::get<0>(of_).stream(where); }
  [[nodiscard]] yoke::shape<base::rank> shape(const source_location& where) const {
    yoke::shape<base::rank> all;
    bool is_first = true;
    const auto add = [&](const auto& each) {
      this->add(all, shape_to_join(each, where), std::exchange(is_first, false), where);
    };
    std::apply([&](const auto&... each) { (add(each), ...); }, of_);
    return all;
  }

  template <class Order, class To, std::size_t Rank, class Port>
  void evaluate_in(const Order& order, const device_view<To, Rank, Port>& to, const source_location& where) const {
    static_assert(!std::is_const_v<To>, "this view cannot be written");
    static_assert(std::same_as<To, T> && Rank == base::rank,
                  "joined arrays are assigned to elements of their common type, with as many axes");
    if constexpr (std::same_as<To, T> && Rank == base::rank) {
      const auto all = shape(where);
      check_result_shape(all.begin(), to.shape().begin(), Rank, where);
      std::apply([&](const auto&... each) { write(order, to, this->rows_of(all), where, each...); }, of_);
    }
  }

 private:
  template <class Order, class To, class... E>
  void write(const Order& order, const To& to, std::int64_t rows, const source_location& where, const E&... of) const {
    const bool in_place = !(shares_with(order, to, of, where) || ...);
    write_dense(
        order, to, in_place,
        [&](const auto& dense) {
          operation_memory operation(order);
          const std::tuple<dense_input<T, rank_to_join<E>, Order>...> inputs{
              dense_input_of<T>(operation, of, "array", false, where)...};
          std::apply(
              [&](const auto&... input) {
                const auto count = [&](const auto& each) {
                  const auto extents = shape_to_join(each, where);
                  return this->count_of(volume(extents.begin(), rank_to_join<First>), rows);
                };
                const joined_source<port> sources[]{{input.memory, count(of)}...};
                run_concatenate<Order>(order, memory_to_sort(dense), sources, rows, sizeof(T), alignof(T), where);
              },
              inputs);
        },
        where);
  }

  std::tuple<First, More...> of_;
};

/// Arrays and views of a range, of one type, that are joined when they are assigned.
template <bool Stacks, class View>
class joined_range : join_of<Stacks, View::rank()> {
  using base = join_of<Stacks, View::rank()>;
  using T = typename View::value_type;
  using port = typename View::port_type;

 public:
  using pass_tag = void;
  using result = device_array<T, base::rank, port>;

  joined_range(std::size_t axis, std::vector<View> of) : base(axis), of_(std::move(of)) {}
  [[nodiscard]] const auto& stream(const source_location& where) const { return of_.front().stream(where); }
  [[nodiscard]] yoke::shape<base::rank> shape(const source_location& where) const {
    yoke::shape<base::rank> all;
    for (const View& each : of_) this->add(all, each.shape(), &each == of_.data(), where);
    return all;
  }

  template <class Order, class To, std::size_t Rank, class Port>
  void evaluate_in(const Order& order, const device_view<To, Rank, Port>& to, const source_location& where) const {
    static_assert(!std::is_const_v<To>, "this view cannot be written");
    static_assert(std::same_as<To, T> && Rank == base::rank,
                  "joined arrays are assigned to elements of their own type, with as many axes");
    if constexpr (std::same_as<To, T> && Rank == base::rank) {
      const auto all = shape(where);
      check_result_shape(all.begin(), to.shape().begin(), Rank, where);
      const std::int64_t rows = this->rows_of(all);
      const bool in_place =
          std::none_of(of_.begin(), of_.end(), [&](const View& each) { return shares_with(order, to, each, where); });
      write_dense(
          order, to, in_place,
          [&](const auto& dense) {
            operation_memory operation(order);
            std::vector<dense_input<T, View::rank(), Order>> inputs;
            std::vector<joined_source<port>> sources;
            inputs.reserve(of_.size());
            sources.reserve(of_.size());
            for (const View& each : of_) {
              inputs.push_back(dense_input_of<T>(operation, each, "array", false, where));
              sources.push_back({inputs.back().memory, this->count_of(each.size(), rows)});
            }
            run_concatenate<Order>(order, memory_to_sort(dense), sources, rows, sizeof(T), alignof(T), where);
          },
          where);
    }
  }

 private:
  std::vector<View> of_;
};

/// Ranges of arrays or views, as `a.chunks(10)` makes them.
template <class R>
concept range_of_arrays =
    std::ranges::input_range<const R> && !array_operand<R> && sorted_memory<std::ranges::range_value_t<const R>>;

/// Does not compile for operands that cannot be joined.
template <bool Stacks, class First, class... More>
consteval bool check_joined_operands() {
  constexpr bool one_rank = ((operand_of<First>::rank == operand_of<More>::rank) && ...);
  constexpr bool one_backend =
      (std::same_as<typename operand_of<First>::port_type, typename operand_of<More>::port_type> && ...);
  constexpr bool has_axis = Stacks || operand_of<First>::rank > 0;
  static_assert(one_rank, "joined arrays have as many axes as each other: a(newaxis) has one more");
  static_assert(one_backend, "joined arrays are of one backend");
  static_assert(has_axis, "an array of rank 0 has no axis: stack(a, b) makes one");
  return one_rank && one_backend && has_axis;
}
template <bool Stacks, std::size_t Rank>
[[nodiscard]] std::size_t axis_to_join(const reduced_axes<1>& axis, const source_location& where) {
  return static_cast<std::size_t>(std::countr_zero(axis_mask(axis.axes, Rank + (Stacks ? 1 : 0), where)));
}
template <bool Stacks, class First, class... More>
[[nodiscard]] auto joined(const reduced_axes<1>& axis, First&& first, More&&... more) {
  if constexpr (check_joined_operands<Stacks, First, More...>()) {
    return joined_item<Stacks, kept_of<First>, kept_of<More>...>(
        axis_to_join<Stacks, operand_of<First>::rank>(axis, source_location{}),
        kept_to_join(std::forward<First>(first)), kept_to_join(std::forward<More>(more))...);
  }
}
/// Throws: also `logic_error` for a range without arrays, and for an empty array.
template <bool Stacks, class R>
[[nodiscard]] auto joined_all(const reduced_axes<1>& axis, const R& range, const source_location& where) {
  using view = view_of<const std::ranges::range_value_t<const R>&>;
  std::vector<view> of;
  for (const auto& each : range) of.push_back(view_to_keep(each, where));
  if (of.empty()) throw_nothing_to_join(where);
  return joined_range<Stacks, view>(axis_to_join<Stacks, view::rank()>(axis, where), std::move(of));
}

}  // namespace detail

// Arrays, views and expressions of one rank become one new array in the first one's stream, by one kernel for up to
// eight of them. Their extents are equal along all axes but the joined one. Elements have one type, or are numbers,
// which become their common type. The functions take the arrays themselves, or a range of arrays or views of one type;
// an axis is given first.
// Throws: `logic_error` for other shapes and an axis that does not exist; as `evaluate`.
// `view = pass::concatenate(a, b)` writes the result to existing elements, in the view's stream or on a recorder.
#define YOKE_X_JOINED(name, stacks, axis_of)                                                                           \
  namespace pass {                                                                                                     \
  template <class First, class... More>                                                                                \
    requires detail::array_operand<First> && (detail::array_operand<More> && ...)                                      \
  [[nodiscard]] auto name(First&& first, More&&... more) {                                                             \
    return detail::joined<stacks>(along(axis_of<First>), std::forward<First>(first), std::forward<More>(more)...);     \
  }                                                                                                                    \
  template <detail::range_of_arrays R>                                                                                 \
  [[nodiscard]] auto name(const R& range, const source_location& where = source_location::current()) {                 \
    return detail::joined_all<stacks>(along(axis_of<std::ranges::range_value_t<const R>>), range, where);              \
  }                                                                                                                    \
  }                                                                                                                    \
  template <class First, class... More>                                                                                \
    requires detail::array_operand<First> && (detail::array_operand<More> && ...)                                      \
  [[nodiscard]] auto name(First&& first, More&&... more) {                                                             \
    return detail::made_of(pass::name(std::forward<First>(first), std::forward<More>(more)...), source_location{});    \
  }                                                                                                                    \
  template <detail::range_of_arrays R>                                                                                 \
  [[nodiscard]] auto name(const R& range, const source_location& where = source_location::current()) {                 \
    return detail::made_of(pass::name(range, where), where);                                                           \
  }
#define YOKE_X_JOINED_ALONG(name, stacks)                                                                              \
  namespace pass {                                                                                                     \
  template <class First, class... More>                                                                                \
    requires detail::array_operand<First> && (detail::array_operand<More> && ...)                                      \
  [[nodiscard]] auto name(const reduced_axes<1>& axis, First&& first, More&&... more) {                                \
    return detail::joined<stacks>(axis, std::forward<First>(first), std::forward<More>(more)...);                      \
  }                                                                                                                    \
  template <detail::range_of_arrays R>                                                                                 \
  [[nodiscard]] auto name(const reduced_axes<1>& axis, const R& range,                                                 \
                          const source_location& where = source_location::current()) {                                 \
    return detail::joined_all<stacks>(axis, range, where);                                                             \
  }                                                                                                                    \
  }                                                                                                                    \
  template <class First, class... More>                                                                                \
    requires detail::array_operand<First> && (detail::array_operand<More> && ...)                                      \
  [[nodiscard]] auto name(const reduced_axes<1>& axis, First&& first, More&&... more) {                                \
    return detail::made_of(pass::name(axis, std::forward<First>(first), std::forward<More>(more)...),                  \
                           source_location{});                                                                         \
  }                                                                                                                    \
  template <detail::range_of_arrays R>                                                                                 \
  [[nodiscard]] auto name(const reduced_axes<1>& axis, const R& range,                                                 \
                          const source_location& where = source_location::current()) {                                 \
    return detail::made_of(pass::name(axis, range, where), where);                                                     \
  }

namespace detail {
template <class>
inline constexpr std::ptrdiff_t first_axis = 0;
/// The axis of columns; for arrays of one axis the only one.
template <class A>
inline constexpr std::ptrdiff_t column_axis = operand_of<A>::rank > 1 ? 1 : 0;
}  // namespace detail

/// Joins arrays along an axis that they have, the first one unless another is given. Source: NumPy's `concatenate`.
/// Example: `auto all = yoke::concatenate(a, 2 * b); auto wide = yoke::concatenate(yoke::along(1), m, n);`
YOKE_X_JOINED(concatenate, false, detail::first_axis)
YOKE_X_JOINED_ALONG(concatenate, false)
/// Joins arrays of one shape along a new axis, in front unless another place is given. Source: NumPy's `stack`.
/// Example: `auto rows = yoke::stack(a, b); auto columns = yoke::stack(yoke::along(-1), a, b);`
YOKE_X_JOINED(stack, true, detail::first_axis)
YOKE_X_JOINED_ALONG(stack, true)
/// Joins arrays side by side: along axis 1, those of one axis along it. Source: NumPy's `hstack`.
/// Example: `auto wide = yoke::hstack(m, n);`
YOKE_X_JOINED(hstack, false, detail::column_axis)
#undef YOKE_X_JOINED
#undef YOKE_X_JOINED_ALONG

/// Returns: the difference of each element to the next one along an axis, the last unless another is given: an
/// expression, as `a(slice(1, none)) - a(slice(0, -1))`, with one element fewer there. An expression's elements are
/// calculated first.
/// Throws: `logic_error` for an empty array and an axis that does not exist. Source: NumPy's `diff`.
/// Example: `auto speed = yoke::evaluate(yoke::diff(x) / yoke::diff(t));`
template <class A>
  requires detail::array_operand<A>
[[nodiscard]] auto diff(A&& of, const reduced_axes<1>& axis = {{-1}},
                        const source_location& where = source_location::current()) {
  static_assert(detail::operand_of<A>::rank > 0, "an array of rank 0 has one element, and no difference");
  if constexpr (detail::operand_of<A>::rank == 0) {
    return 0;
  } else if constexpr (detail::sorted_memory<A>) {
    const auto view = detail::view_to_keep(std::forward<A>(of), where);
    using view_type = std::remove_const_t<decltype(view)>;
    constexpr std::size_t rank = view_type::rank();
    const std::size_t at = detail::axis_to_join<false, rank>(axis, where);
    const auto without = [&](const slice& part) {
      return [&]<std::size_t... K>(std::index_sequence<K...>) {
        return view.part_at(where, (K == at ? part : slice(none, none))...);
      }(std::make_index_sequence<rank>());
    };
    return without(slice(1, none)) - without(slice(none, -1));
  } else {
    return diff(evaluate(std::forward<A>(of), where), axis, where);
  }
}

}  // namespace yoke::inline v0_1

#endif
