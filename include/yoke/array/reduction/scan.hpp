// SPDX-License-Identifier: MIT
// Scans of arrays and expressions, which join the elements up to each one, in the same order on every device.
#ifndef YOKE_ARRAY_REDUCTION_SCAN_HPP
#define YOKE_ARRAY_REDUCTION_SCAN_HPP

#include <yoke/array/reduction/reduction.hpp>
#include <yoke/array/reduction/scan_source.hpp>
#include <yoke/array/storage/array_recording.hpp>
#include <yoke/memory/fill.hpp>

#include <optional>

namespace yoke::inline v0_1 {

/// The starts of segments: an array or expression of the scanned shape, not 0 where a segment begins.
template <class E>
struct segment_starts {
  E at;
};
/// Scans each segment by itself: `cumsum(x, segments(key(slice(1, none)) != key(slice(0, -1))))`.
template <detail::array_operand A>
[[nodiscard]] auto segments(A&& at) {
  return segment_starts<detail::operand_of<A>>{detail::as_operand(std::forward<A>(at))};
}

namespace detail {

/// Whether scans of a context make one pass with look-back. `needs_all`: the output uses the total of all elements.
template <class Port>
[[nodiscard]] bool looks_back(const context<Port>& in, bool needs_all, const source_location& where) {
  return !needs_all && look_back_allowed() && in.port(where).language().blocks_progress;
}

/// The kernels in a scan's module. With look-back there is only `all`.
enum class scan_pass : std::uint8_t { parts, tiles, all };

/// Effects: calls `launch(pass, threads, left)` for each pass of a scan. Tiles leave their parts in `left`: `part`
/// bytes each.
template <class Order, class Launch>
void launch_scan(const Order& order, std::int64_t rows, std::int64_t tiles, std::size_t part, bool looks_back,
                 const source_location& where, const Launch& launch) {
  const auto each = static_cast<std::size_t>(tiles);
  const auto all_rows = static_cast<std::size_t>(rows);
  const std::size_t block = scan_block(part);
  const launch_shape threads = launch_over(all_rows * each * block, block);
  const look_back_memory memory = look_back_memory_for(all_rows, each, part);
  auto&& left = allocate_for_array<std::uint8_t>(order,
                                                 each == 1    ? part
                                                 : looks_back ? memory.all
                                                              : all_rows * (each + 1) * part,
                                                 where);
  if (each > 1 && looks_back) {
    fill(left.subspan(0, memory.cleared), std::uint8_t{0}, order, where);
  } else if (each > 1) {
    launch(scan_pass::parts, threads, left);
    launch(scan_pass::tiles, launch_over(all_rows * block, block), left);
  }
  launch(scan_pass::all, threads, left);
}

[[nodiscard]] constexpr std::int64_t scan_tiles(std::int64_t count, std::size_t part) noexcept {
  return count == 0 ? 1 : (count - 1) / static_cast<std::int64_t>(scan_block(part) * scan_items(part)) + 1;
}

template <class Op>
[[nodiscard]] constexpr const char* scan_join([[maybe_unused]] value_kind kind) noexcept {
  if constexpr (requires { Op::join_of(kind); }) {
    return Op::join_of(kind);
  } else {
    return Op::join;
  }
}

template <class Op>
[[nodiscard]] constexpr const char* scan_neutral([[maybe_unused]] value_kind kind) noexcept {
  if constexpr (requires { Op::neutral_of(kind); }) {
    return Op::neutral_of(kind);
  } else {
    return Op::neutral;
  }
}

/// The calculation of a scan. A context stores the kernels under its address.
struct scan_task {
  std::span<const expression_step> steps;
  value_type_name accumulator;
  const char* join;
  const char* neutral;
  bool inclusive;
  bool segments;
  described structs;
};
template <bool Inclusive, class Op, class T, class... E>
inline constexpr scan_task scan_task_of{steps_of<joined_operands<E...>>,
                                        name_of<T>(),
                                        scan_join<Op>(kind_of<T>()),
                                        scan_neutral<Op>(kind_of<T>()),
                                        Inclusive,
                                        sizeof...(E) == 2,
                                        described_structs<joined_operands<E...>>()};

/// The kernels of a scan of arrays; `rows` scans many short rows.
template <class Port>
struct scan_kernels {
  scan_kernels(const module<Port>& of, bool has_rows, scan_way way, const source_location& where)
      : all(of, way == scan_way::columns ? "yoke_x_scan_columns" : "yoke_x_scan", where) {
    if (way == scan_way::columns) {
      parts.emplace(of, "yoke_x_scan_column_parts", where);
      tiles.emplace(of, "yoke_x_scan_column_tiles", where);
      carries.emplace(of, "yoke_x_scan_column_rows", where);
      return;
    }
    if (has_rows) rows.emplace(of, "yoke_x_scan_rows", where);
    if (way == scan_way::look_back) return;
    parts.emplace(of, "yoke_x_scan_parts", where);
    tiles.emplace(of, "yoke_x_scan_tiles", where);
  }
  text_kernel<Port> all;
  std::optional<text_kernel<Port>> rows{};
  std::optional<text_kernel<Port>> parts{};
  std::optional<text_kernel<Port>> tiles{};
  std::optional<text_kernel<Port>> carries{};
};

/// Whether rows of a scan lie side by side, so that neighbouring threads should have neighbouring rows.
template <class Port>
[[nodiscard]] bool scans_columns(const context<Port>& in, const reduction_axes& axes, std::size_t operands,
                                 std::int64_t tiles, std::size_t part, const source_location& where) {
  const expression_axes& results = axes.results;
  if (results.rank == 0 || results.extents[results.rank - 1] < 32 || axes.reduced.count <= 32 || part > 16 ||
      tiles > static_cast<std::int64_t>(scan_block(part)) ||
      !takes_several(results.count * axes.reduced.count, in.port(where).language().coalesces)) {
    return false;
  }
  const auto lies_across = [&](const operand_place& place) { return place.strides[results.rank - 1] == 1; };
  return lies_across(results.places[0]) && lies_across(results.places[operands - 1]);
}
/// Effects: launches the kernels of a scan of columns.
template <class Order, class Port>
void launch_column_scan(const Order& order, const scan_kernels<Port>& run, std::int64_t rows, std::int64_t count,
                        std::int64_t tiles, std::size_t part, std::span<kernel_argument> arguments,
                        const source_location& where) {
  const auto items = static_cast<std::int64_t>(scan_items(part));
  const std::int64_t parts = (count + items - 1) / items;
  auto&& left = allocate_for_array<std::uint8_t>(order, static_cast<std::size_t>((parts + tiles) * rows) * part, where);
  const typename Port::memory_handle memory = left.native_handle();
  const std::size_t left_at = arguments.size() - 2;
  arguments[left_at] = handle_argument(memory);
  const auto threads = [&](std::int64_t all) { return launch_over(all, scan_block(part)); };
  run.parts->launch(order, threads(parts * rows), arguments, where);
  run.tiles->launch(order, threads(tiles * rows), arguments.subspan(left_at), where);
  if (tiles > 1) run.carries->launch(order, threads(rows), arguments.subspan(left_at), where);
  run.all.launch(order, threads(parts * rows), arguments, where);
}

/// Effects: enqueues a scan. `operands` are the inputs and the result, which is in C order. `arguments` has the layout
/// of a launch: the result, further results, the inputs, the numbers, the memory that tiles leave parts in, the steps.
/// The caller has filled in the further results and the numbers. A part has `part` bytes. `unrolls`: loops may be
/// unrolled. `make(plan, inputs, way)` makes the kernels, which the context stores under `name`.
/// Throws: as `run_reductions`.
template <class Order, class Make>
void run_scan_kernels(const Order& order, const void* name, std::size_t part, bool needs_all, bool unrolls,
                      std::size_t results, const walked_shape& shape,
                      std::span<evaluation_operand<port_of_order<Order>>> operands,
                      std::span<kernel_argument> arguments, const source_location& where, const Make& make) {
  using Port = port_of_order<Order>;
  const context<Port>& in = order.context_of();
  const std::size_t inputs = operands.size() - 1;
  evaluation_operand<Port>& result = operands.back();
  const dense_axes dense({shape.extents, nullptr, shape.rank}, result.side.element);
  result.side = byte_layout(dense.axes(), result.side.element);  // the result may have one axis for all elements
  reduction_plan plan;
  operation_memory operation(order);
  make_plan(plan, operation, shape, operands, true, part, where);
  auto& kept = in.state(where).attached.template get_at<once_map<scan_kernels<Port>>>(name);
  const std::int64_t rows = plan.axes.results.count;
  const std::int64_t count = plan.axes.reduced.count;
  const std::int64_t tiles = scan_tiles(count, part);
  const bool columns = unrolls && scans_columns(in, plan.axes, operands.size(), tiles, part, where);
  const bool back = looks_back(in, needs_all, where);
  const scan_way way = columns ? scan_way::columns : back ? scan_way::look_back : scan_way::three_passes;
  const scan_kernels<Port>& run =
      kept.find_or_make(plan.key << 2U | static_cast<std::uint64_t>(way), [&] { return make(plan, inputs, way); });
  reduction_words steps;
  fill_words(steps, plan, operands.size(), count, tiles);
  arguments.front() = handle_argument(result.memory.memory);
  for (std::size_t k = 0; k < inputs; ++k) arguments[results + k] = handle_argument(operands[k].memory.memory);
  arguments.back() = {argument_kind::value, steps.words, steps.bytes};
  const std::size_t left_at = arguments.size() - 2;
  if (count <= 32 && rows > 1) {
    arguments[left_at] = arguments.back();
    return run.rows->launch(order, launch_over(rows, reduction_block), arguments.first(left_at + 1), where);
  }
  if (columns) return launch_column_scan(order, run, rows, count, tiles, part, arguments, where);
  launch_scan(order, rows, tiles, part, back, where,
              [&](scan_pass pass, const launch_shape& threads, device_allocation<std::uint8_t, Port>& left) {
                const typename Port::memory_handle memory = left.native_handle();
                arguments[left_at] = handle_argument(memory);
                const bool of_tiles = pass == scan_pass::tiles;
                const text_kernel<Port>& kernel = pass == scan_pass::all ? run.all : of_tiles ? *run.tiles : *run.parts;
                kernel.launch(order, threads, arguments.subspan(of_tiles ? left_at : 0), where);
              });
}
/// The same for a `scan_task`.
template <class Order>
void run_scan(const Order& order, const scan_task& what, const walked_shape& shape,
              std::span<evaluation_operand<port_of_order<Order>>> operands, std::span<kernel_argument> arguments,
              const source_location& where) {
  using Port = port_of_order<Order>;
  const auto make = [&](const reduction_plan& plan, std::size_t inputs, scan_way way) {
    const scan_form form{.values = {.steps = what.steps, .slots = plan.slots, .inputs = inputs, .wide = plan.wide},
                         .accumulator = what.accumulator,
                         .join = what.join,
                         .neutral = what.neutral,
                         .result_rank = plan.axes.results.rank,
                         .rank = plan.axes.reduced.rank,
                         .linear = plan.linear,
                         .inclusive = what.inclusive,
                         .segments = what.segments,
                         .way = way};
    return scan_kernels<Port>(compile_task(order.context_of(), scan_source(form),
                                           {.name = "yoke scan", .math = exact_sums}, what.structs, where),
                              form.result_rank != 0, way, where);
  };
  run_scan_kernels<Order>(order, &what, scan_part_bytes(what.accumulator.bytes, what.segments), false,
                          may_unroll(what.accumulator, what.join, true), 1, shape, operands, arguments, where, make);
}

/// A scan of an operand along the axes of a mask. The results are in C order, in an array of rank `Rank`.
template <bool Inclusive, class Op, std::size_t Rank, class... E>
class scan_item {
  using joined = joined_operands<E...>;
  using accumulator = typename reduction_item<Op, std::tuple_element_t<0, std::tuple<E...>>>::accumulator;
  static_assert(joined::inputs < most_inputs, "a scan reads at most 15 arrays");
  static_assert(scan_part_bytes(sizeof(accumulator), sizeof...(E) == 2) <= most_scan_bytes,
                "a scan's values have at most 256 bytes, with segments 8 less");

 public:
  using pass_tag = void;
  using result = device_array<accumulator, Rank, typename joined::port_type>;

  explicit scan_item(std::uint32_t mask, E... of) : of_(std::move(of)...), mask_(mask) {}
  [[nodiscard]] const auto& stream(const source_location& where) const { return std::get<0>(of_).stream(where); }
  [[nodiscard]] yoke::shape<Rank> shape(const source_location& where) const { return shape_of(extents(where)); }

  template <class Order, class T, std::size_t To, class Port>
  void evaluate_in(const Order& order, const device_view<T, To, Port>& to, const source_location& where) const {
    static_assert(!std::is_const_v<T>, "this view cannot be written");
    static_assert(
        std::same_as<T, accumulator>,
        "a scan is assigned to elements of its own type: sums of integers have 64 bits; cast what is scanned");
    static_assert(To == Rank, "a scan without an axis has one axis itself; along(axis) keeps all axes");
    if constexpr (To == Rank && std::same_as<T, accumulator>) {
      const auto all = extents(where);
      check_result_shape(shape_of(all).begin(), to.shape().begin(), Rank, where);
      if constexpr ((reductions_in<E> || ...)) {
        reduced_results<Order> inner(order);
        const auto made = [&]<class... X>(X... of) { return scan_item<Inclusive, Op, Rank, X...>(mask_, of...); };
        std::apply([&](const E&... of) { made(inner.without_reductions(of, where)...).evaluate_in(order, to, where); },
                   of_);
      } else {
        std::apply([&](const E&... of) { scan(order, to, all, where, of...); }, of_);
      }
    }
  }

 private:
  [[nodiscard]] auto extents(const source_location& where) const {
    return std::apply([&](const E&... of) { return shape_of_all(where, of...); }, of_);
  }
  template <class Extents>
  [[nodiscard]] static yoke::shape<Rank> shape_of(const Extents& extents) {
    if constexpr (Rank == joined::rank) {
      return extents;
    } else {
      yoke::shape<Rank> one;
      one[0] = volume(extents.begin(), joined::rank);
      return one;
    }
  }
  template <class Order, class View, class Extents>
  void scan(const Order& order, const View& to, const Extents& extents, const source_location& where,
            const E&... of) const {
    launched_operands<1, 2, E...> given(of...);
    const std::span<const evaluation_operand<typename View::port_type>> inputs(given.operands, joined::inputs);
    write_dense(
        order, to, !shares_any(order, to, inputs, where),
        [&](const auto& dense) {
          given.operands[joined::inputs] = {dense.memory(), dense.layout(), name_of<accumulator>()};
          run_scan<Order>(order, scan_task_of<Inclusive, Op, accumulator, E...>, {extents.begin(), joined::rank, mask_},
                          given.operands, given.arguments, where);
        },
        where);
  }
  std::tuple<E...> of_;
  std::uint32_t mask_;
};
/// Returns: the result of an item as a new array, in the stream of its first array.
template <class Item>
[[nodiscard]] auto made_of(const Item& item, const source_location& where) {
  return typename Item::result(item, where);
}

template <bool Inclusive, class Op, std::size_t Rank, class... E>
[[nodiscard]] auto scan_of(std::uint32_t mask, E... of) {
  return scan_item<Inclusive, Op, Rank, E...>(mask, std::move(of)...);
}
template <bool Inclusive, class Op, class... A>
[[nodiscard]] auto whole_scan(A&&... of) {
  constexpr std::size_t rank = joined_operands<operand_of<A>...>::rank;
  return scan_of<Inclusive, Op, 1>((1U << rank) - 1, as_operand(std::forward<A>(of))...);
}
template <bool Inclusive, class Op, class A>
[[nodiscard]] auto axis_scan(A&& of, const reduced_axes<1>& axis, const source_location& where) {
  constexpr std::size_t rank = operand_of<A>::rank;
  return scan_of<Inclusive, Op, rank>(axis_mask(axis.axes, rank, where), as_operand(std::forward<A>(of)));
}

/// The operator of a scan: a sum, a product, or the program's own text.
template <fixed_text Join, fixed_text Neutral, fixed_text Single = Join, fixed_text Twice = Join>
struct total_scan : text_operation<Join, Neutral, void> {
  static constexpr bool takes_structs = false;
  template <class T>
  using accumulator = sum_of<T>;
  static constexpr const char* join_of(value_kind kind) noexcept {
    return kind == value_kind::complex64 ? Single.text : kind == value_kind::complex128 ? Twice.text : Join.text;
  }
};

/// The operator of the least or greatest element so far.
template <bool Least>
struct extreme_scan : reduction_operation<reduction_kind::given> {
  template <class T>
  using accumulator = without_bool<ordered<computed<T>>>;
  template <class T>
  using result = accumulator<T>;
  static constexpr const char* join_of(value_kind kind) noexcept { return extreme_join(kind, Least); }
  static constexpr const char* neutral_of(value_kind kind) noexcept { return extreme_neutral(kind, Least); }
};

}  // namespace detail

// Each function takes an array, a view or an expression, which is calculated on the way. Without an axis it scans the
// elements in C order, and the result has one axis; `along(axis)` scans each row along that axis; `segments(starts)`
// restarts where `starts` is not 0. `a(reversed)` scans backwards. The order of the calculation depends only on the
// number of elements. `view = pass::cumsum(a)` writes the result to existing elements, in the view's stream or on a
// recorder.
// Throws: as `evaluate`; `logic_error` for an axis that does not exist, and for segments of another shape.
#define YOKE_X_SCAN(name, templates, inclusive, ...)                                                                   \
  namespace pass {                                                                                                     \
  YOKE_X_TEMPLATE(templates, class A)                                                                                  \
  requires detail::array_operand<A> [[nodiscard]] auto name(A&& of) {                                                  \
    return detail::whole_scan<inclusive, __VA_ARGS__>(std::forward<A>(of));                                            \
  }                                                                                                                    \
  YOKE_X_TEMPLATE(templates, class A)                                                                                  \
  requires detail::array_operand<A> [[nodiscard]] auto name(                                                           \
      A&& of, const reduced_axes<1>& axis, const source_location& where = source_location::current()) {                \
    return detail::axis_scan<inclusive, __VA_ARGS__>(std::forward<A>(of), axis, where);                                \
  }                                                                                                                    \
  YOKE_X_TEMPLATE(templates, class A, class E)                                                                         \
  requires detail::array_operand<A> [[nodiscard]] auto name(A&& of, const segment_starts<E>& starts) {                 \
    return detail::whole_scan<inclusive, __VA_ARGS__>(std::forward<A>(of), starts.at);                                 \
  }                                                                                                                    \
  }                                                                                                                    \
  YOKE_X_TEMPLATE(templates, class A)                                                                                  \
  requires detail::array_operand<A> [[nodiscard]] auto name(                                                           \
      A&& of, const source_location& where = source_location::current()) {                                             \
    return detail::made_of(detail::whole_scan<inclusive, __VA_ARGS__>(std::forward<A>(of)), where);                    \
  }                                                                                                                    \
  YOKE_X_TEMPLATE(templates, class A)                                                                                  \
  requires detail::array_operand<A> [[nodiscard]] auto name(                                                           \
      A&& of, const reduced_axes<1>& axis, const source_location& where = source_location::current()) {                \
    return detail::made_of(detail::axis_scan<inclusive, __VA_ARGS__>(std::forward<A>(of), axis, where), where);        \
  }                                                                                                                    \
  YOKE_X_TEMPLATE(templates, class A, class E)                                                                         \
  requires detail::array_operand<A> [[nodiscard]] auto name(                                                           \
      A&& of, const segment_starts<E>& starts, const source_location& where = source_location::current()) {            \
    return detail::made_of(detail::whole_scan<inclusive, __VA_ARGS__>(std::forward<A>(of), starts.at), where);         \
  }                                                                                                                    \
  YOKE_X_TEMPLATE(templates, class A, class I)                                                                         \
  requires detail::array_operand<A> && std::is_integral_v<I> auto name(A&&, I) { return detail::refuse_axis<I>(); }
#define YOKE_X_TEMPLATE(given, ...) template <YOKE_X_GIVEN_##given __VA_ARGS__>
#define YOKE_X_GIVEN_none
#define YOKE_X_GIVEN_operator fixed_text Join, fixed_text Neutral, class Accumulator = void,

/// The sum of the elements up to each one: for integers in 64 bits, else in the elements' own type.
/// Example: `auto up_to_here = yoke::cumsum(a);`
YOKE_X_SCAN(cumsum, none, true, detail::total_scan<"a + b", "0">)
/// The product of the elements up to each one, in the same types.
YOKE_X_SCAN(cumprod, none, true,
            detail::total_scan<"a * b", "1", "yoke_complex_times_f(a, b)", "yoke_complex_times_d(a, b)">)
/// The least and the greatest of the elements up to each one; NaN from the first NaN on. The type is that of the
/// elements, `float` for `half` and `bfloat16`, `int` for `bool`. Source: NumPy's `minimum.accumulate`.
/// Example: `auto highest = yoke::cummax(a);`
YOKE_X_SCAN(cummin, none, true, detail::extreme_scan<true>)
YOKE_X_SCAN(cummax, none, true, detail::extreme_scan<false>)
/// Joins the elements up to each one by the program's own text. `Join` is an expression in the dialect that joins two
/// values, `a` and `b`; it must be associative, and the values come in their order. `Neutral` is its neutral element.
/// Both may be statements that return a value, as structs need. Values have the elements' type, or `Accumulator`.
/// Example: `auto bits = yoke::inclusive_scan<"a | b", "0">(flags);`
YOKE_X_SCAN(inclusive_scan, operator, true, detail::text_operation<Join, Neutral, Accumulator>)
/// Joins the elements before each one; the first result is the neutral element.
YOKE_X_SCAN(exclusive_scan, operator, false, detail::text_operation<Join, Neutral, Accumulator>)
#undef YOKE_X_SCAN
#undef YOKE_X_TEMPLATE
#undef YOKE_X_GIVEN_none
#undef YOKE_X_GIVEN_operator

}  // namespace yoke::inline v0_1

namespace yoke::inline v0_1::detail {
// The library compiles it, so that a program's files need not.
extern template YOKE_API void run_scan(const stream<any_port>&, const scan_task&, const walked_shape&,
                                       std::span<evaluation_operand<any_port>>, std::span<kernel_argument>,
                                       const source_location&);
}  // namespace yoke::inline v0_1::detail

#if defined(YOKE_IMPLEMENTATION)
#include <yoke/array/reduction/scan.ipp>
#endif

#endif
