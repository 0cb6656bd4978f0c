// SPDX-License-Identifier: MIT
// Launches the passes of reductions, of all elements or along axes, for operands whose types are known at run time.
#ifndef YOKE_ARRAY_REDUCTION_REDUCTION_RUN_HPP
#define YOKE_ARRAY_REDUCTION_REDUCTION_RUN_HPP

#include <yoke/array/expression/array_pass.hpp>
#include <yoke/array/geometry/along.hpp>
#include <yoke/array/reduction/reduction_source.hpp>
#include <yoke/array/storage/device_value.hpp>

#include <bit>

namespace yoke::inline v0_1::detail {

template <bool Keep, class Order, class T, std::size_t Rank, class Port, class Item>
void reduce_to(const Order& order, const device_view<T, Rank, Port>& to, const Item& item, std::uint32_t mask,
               const source_location& where, std::size_t fewer = 0);
template <class Order>
class reduced_results;
template <class Op, class E, std::size_t Count, bool Keep>
struct reduced_operand;
template <class Order, class T, std::size_t Rank, class Port, class Op, class E, std::size_t Count, bool Keep>
void evaluate_reduction(const Order& order, const device_view<T, Rank, Port>& to,
                        const reduced_operand<Op, E, Count, Keep>& of, const source_location& where);

/// A reduction of all elements of an operand, which is calculated when it is assigned.
template <class Op, class E>
struct reduction_item {
  using pass_tag = void;
  using reduction_tag = void;
  using operation = Op;
  using operand_type = E;
  using value_type = typename E::value_type;
  static_assert(
      number_element<value_type> || Op::takes_structs,
      "structs are reduced and scanned by operators of your own, as reduce<join, neutral>(a): or name members");
  using accumulator = typename Op::template accumulator<value_type>;
  using result = typename Op::template result<value_type>;
  static_assert((number_element<value_type> && number_element<accumulator>) || std::same_as<value_type, accumulator>,
                "structs are reduced and scanned as they are: make them of other elements by apply<text, S>(a)");
  static constexpr reduction_field field{.by = Op::by,
                                         .accumulator = name_of<accumulator>(),
                                         .to = name_of<result>(),
                                         .join = Op::join,
                                         .neutral = Op::neutral,
                                         .needs_elements = Op::needs_elements};
  template <class Order, class T, std::size_t Rank, class Port>
  void evaluate_in(const Order& order, const device_view<T, Rank, Port>& to, const source_location& place) const {
    static_assert(
        Rank == 0,
        "a reduction without axes has one element: assign it to that of a device_value, or give axes by along");
    evaluate_reduction(order, to, as_operand(*this), place);
  }
  E of;
  source_location where{};  // the place of the call, used where several are in one pass
};
/// A reduction along axes.
template <class Item, std::size_t Count, bool Keep>
struct reduction_along {
  using pass_tag = void;
  using reduction_tag = void;
  using result = device_array<typename Item::result, Keep ? Item::operand_type::rank : Item::operand_type::rank - Count,
                              typename Item::operand_type::port_type>;
  [[nodiscard]] const auto& stream(const source_location& place) const { return item.of.stream(place); }
  [[nodiscard]] auto shape(const source_location& place) const { return as_operand(*this).shape(place); }
  template <class Order, class T, std::size_t Rank, class Port>
  void evaluate_in(const Order& order, const device_view<T, Rank, Port>& to, const source_location& place) const {
    constexpr std::size_t rank = Item::operand_type::rank;
    static_assert(Rank == (Keep ? rank : rank - Count), "the result of the reduction has another rank");
    evaluate_reduction(order, to, as_operand(*this), place);
  }
  Item item;
  reduced_axes<Count, Keep> axes;
};

/// The operands of several reductions of one shape; the steps of each leave one value.
template <class... E>
struct joined_operands {
  using port_type = typename port_of_operands<typename E::port_type...>::type;
  static constexpr std::size_t rank = most_of({E::rank...});
  static constexpr std::size_t inputs = (E::inputs + ...);
  static constexpr std::size_t scalars = (E::scalars + ...);
  static constexpr std::size_t steps = (E::steps + ...);
  static constexpr void add_steps(expression_step*& to) noexcept { (E::add_steps(to), ...); }
  static void add_structs(std::vector<struct_description>& to) { (E::add_structs(to), ...); }
};

template <class... E>
inline constexpr std::size_t reductions_in<joined_operands<E...>> = (reductions_in<E> + ...);

/// The calculation of a pass. A context stores the kernels under its address.
struct reduction_task {
  std::span<const expression_step> steps;
  std::span<const reduction_field> fields;
  described structs;
};
template <class... Items>
inline constexpr reduction_field fields_of[]{Items::field...};
template <class... Items>
inline constexpr reduction_task task_of{steps_of<joined_operands<typename Items::operand_type...>>, fields_of<Items...>,
                                        described_structs<joined_operands<typename Items::operand_type...>>()};

/// The shape of all operands, and a mask of the axes that are reduced or scanned.
struct walked_shape {
  const std::size_t* extents;
  std::size_t rank;
  std::uint32_t axes;
};
/// Effects: writes the extents of the results. Returns: the number of elements that each result reduces.
/// Throws: `logic_error` where that number is 0 and a reduction needs elements.
YOKE_API std::int64_t left_extents(std::size_t* to, bool keep, const walked_shape& of, const reduction_task& what,
                                   const source_location& where);

/// The operands of a reduction or a scan with merged axes. `slots` tells which inputs are in the same memory.
struct reduction_plan {
  reduction_axes axes;
  reduction_lanes lanes;
  std::uint8_t slots[most_inputs]{};
  std::uint64_t key = 0;  // identifies the kernel's text beside its task
  bool linear = false;
  bool wide = false;
};
/// Effects: completes a plan whose axes are set. `part`: the bytes that a block leaves for the next pass.
YOKE_API void finish_plan(reduction_plan& plan, std::span<const evaluation_input> operands, bool whole,
                          std::size_t part) noexcept;
/// Effects: makes the plan from all operands of a reduction; for a scan the last operand is the result.
/// Throws: `logic_error` for memory that the order cannot use, and an operand whose strides are not multiples of its
/// elements.
template <class Order>
void make_plan(reduction_plan& plan, operation_memory<Order>& operation, const walked_shape& shape,
               std::span<const evaluation_operand<port_of_order<Order>>> operands, bool whole, std::size_t part,
               const source_location& where) {
  byte_layout sides[most_inputs];
  evaluation_input parts[most_inputs];
  take_operands(operation, operands, parts, where);
  for (std::size_t k = 0; k < operands.size(); ++k) sides[k] = operands[k].side;
  split_axes(plan.axes, shape.extents, shape.rank, shape.axes, std::span(sides, operands.size()), where);
  finish_plan(plan, std::span(parts, operands.size()), whole, part);
}
[[nodiscard]] constexpr std::int64_t tiles_of(std::int64_t elements, std::size_t tile) noexcept {
  return elements == 0 ? 1 : (elements - 1) / static_cast<std::int64_t>(tile) + 1;
}

/// The values of `reduction_steps` as the kernel gets them, for any number of inputs.
struct reduction_words {
  std::int64_t words[4 + most_inputs + 2 * most_axes * (most_inputs + 1)];
  std::size_t bytes;
};
YOKE_API void fill_words(reduction_words& to, const reduction_plan& plan, std::size_t inputs, std::int64_t elements,
                         std::int64_t tiles) noexcept;

/// Whether the device is a CPU. There one thread reduces a tile, because barriers between threads cost more than all
/// else.
template <class Order>
[[nodiscard]] bool is_processor(const Order& order, const source_location& where) {
  struct kept {
    bool processor;
  };
  const auto ask = [&] { return kept{order.device_of(where).summary(where).kind == device_kind::cpu}; };
  return order.context_of().state(where).attached.template get<kept>(ask).processor;
}
/// Effects: gives one thread all lanes of a tile, if that is wanted and the lanes read neighbouring elements.
inline void make_serial(reduction_lanes& lanes, bool wanted, std::size_t part) noexcept {
  if (!wanted || lanes.lanes == 1 || lanes.columns || part > 24) return;
  lanes.serial = true;
  lanes.threads = 1;
  lanes.results = 1;
}

/// The properties that all passes of a reduction share.
struct reduction_walk {
  std::size_t part;  ///< bytes that a block leaves for the next pass
  std::uint32_t most_threads;
  bool whole;            ///< one result of all elements
  bool serial = false;   ///< one thread reduces a tile
  bool several = false;  ///< a lane reads several elements before it joins the first
};
/// Effects: turns the plan and the form of a pass into those of the next pass, which reads the parts of `tiles` tiles.
YOKE_API void go_on(reduction_plan& plan, reduction_form& form, std::int64_t tiles,
                    const reduction_walk& walk) noexcept;
/// Returns: the key of a pass's kernel among the kernels of its task.
[[nodiscard]] constexpr std::uint64_t pass_key(const reduction_plan& plan, const reduction_form& form) noexcept {
  const auto batch = static_cast<std::uint64_t>(std::bit_width(form.batch) - 1);
  return plan.key << 5U | batch << 2U | (form.from_parts ? 2U : 0U) | (form.to_parts ? 1U : 0U);
}
/// The keys and forms of a pass whose kernel the context lacks, and of later passes.
struct reduction_passes {
  reduction_form forms[4];
  std::uint64_t keys[4]{};
  std::size_t count = 0;
};
/// Returns: a pass, and those of the later passes for whose key `is_there(key)` is false.
template <class IsThere>
[[nodiscard]] reduction_passes missing_passes(reduction_plan plan, reduction_form form, std::int64_t tiles,
                                              const reduction_walk& walk, const IsThere& is_there) {
  reduction_passes made;
  for (;;) {
    const std::uint64_t key = pass_key(plan, form);
    // Two passes may have the same kernel.
    const bool is_new = std::find(made.keys, made.keys + made.count, key) == made.keys + made.count;
    if (is_new && (made.count == 0 || !is_there(key))) {
      made.forms[made.count] = form;
      made.keys[made.count++] = key;
    }
    if (!form.to_parts || made.count == std::size(made.forms)) return made;
    go_on(plan, form, tiles, walk);
    tiles = tiles_of(tiles, later_tile);
    form.to_parts = tiles != 1;
  }
}

/// Effects: enqueues all passes of reductions. `arguments` are those of a launch; the caller has filled in the results
/// and numbers and leaves room for the inputs before the numbers and for the steps behind them. A mean divides by
/// `elements`.
/// Throws: `logic_error` for memory that the order cannot use, and an operand whose strides are not multiples of its
/// elements; `error`.
template <class Order>
void run_reductions(const Order& order, const reduction_task& what, const walked_shape& shape, std::int64_t elements,
                    std::span<const evaluation_operand<port_of_order<Order>>> inputs,
                    std::span<kernel_argument> arguments, const source_location& where) {
  using Port = port_of_order<Order>;
  const context<Port>& in = order.context_of();
  auto& kept = in.state(where).attached.template get_at<once_map<text_kernel<Port>>>(&what);
  const bool whole = shape.axes + 1 == 1U << shape.rank;
  const kernel_language& language = in.port(where).language();
  reduction_walk walk{.part = part_bytes(what.fields), .most_threads = language.sure_block, .whole = whole};
  reduction_plan plan;
  operation_memory operation(order);
  make_plan(plan, operation, shape, inputs, whole, walk.part, where);
  const std::int64_t rows = plan.axes.results.count;
  if (rows == 0) return;
  walk.serial = is_processor(order, where);
  walk.several = takes_several(rows * plan.axes.reduced.count, language.coalesces);
  make_serial(plan.lanes, walk.serial, walk.part);
  std::size_t read = 0;
  for (const evaluation_operand<Port>& each : inputs) read += each.side.element;
  reduction_form form{.values = {.steps = what.steps, .slots = plan.slots, .inputs = inputs.size(), .wide = plan.wide},
                      .fields = what.fields,
                      .lanes = plan.lanes,
                      .result_rank = plan.axes.results.rank,
                      .rank = plan.axes.reduced.rank,
                      .linear = plan.linear,
                      .batch = reduction_batch(walk.several, plan.axes.reduced.rank > 1 ? 16 : read,
                                               plan.axes.reduced.count, plan.lanes)};
  const std::size_t fields = what.fields.size();
  for (std::size_t k = 0; k < inputs.size(); ++k) arguments[fields + k] = handle_argument(inputs[k].memory.memory);
  std::size_t steps_at = arguments.size() - 1;
  const kernel_argument last = arguments[fields - 1];
  temporary_memory<Order> read_parts;
  typename Port::memory_handle from{};
  for (std::int64_t tiles = tiles_of(plan.axes.reduced.count, reduction_tile);;
       tiles = tiles_of(plan.axes.reduced.count, later_tile)) {
    temporary_memory<Order> parts;
    typename Port::memory_handle to{};
    arguments[fields - 1] = last;
    form.to_parts = tiles != 1;
    if (form.to_parts) {  // parts are one argument, in place of the last result
      parts = {order, static_cast<std::size_t>(tiles * rows) * walk.part, where};
      to = parts.get().native_handle();
      arguments[fields - 1] = handle_argument(to);
    }
    const text_kernel<Port>& run = kept.find_or_make(pass_key(plan, form), [&] {
      // Compiles the kernels of all passes in one program, because most of the time is the same for one kernel as for
      // all.
      const reduction_passes passes =
          missing_passes(plan, form, tiles, walk, [&](std::uint64_t key) { return kept.has(key); });
      const module<Port> all =
          compile_task(in, reduction_source(form, std::span(passes.forms).subspan(1, passes.count - 1)),
                       {.name = "yoke reduction", .math = exact_sums}, what.structs, where);
      for (std::size_t k = 1; k < passes.count; ++k) {
        (void)kept.find_or_make(passes.keys[k],
                                [&] { return text_kernel<Port>(all, text("yoke_x_reduce", k).c_str(), where); });
      }
      return text_kernel<Port>(all, "yoke_x_reduce", where);
    });
    reduction_words steps;
    fill_words(steps, plan, form.from_parts ? 1 : inputs.size(), elements, tiles);
    arguments[steps_at] = {argument_kind::value, steps.words, steps.bytes};
    const std::size_t block = form.lanes.block();
    const std::int64_t blocks = tiles_of(rows, form.lanes.results) * tiles;
    const std::size_t first = form.to_parts ? fields - 1 : 0;
    run.launch(order, launch_over(blocks * static_cast<std::int64_t>(block), block),
               arguments.subspan(first, steps_at + 1 - first), where);
    if (!form.to_parts) return;
    // The next pass reads these parts in place of the inputs and numbers.
    read_parts = std::move(parts);
    from = to;
    arguments[fields] = handle_argument(from);
    steps_at = fields + 1;
    go_on(plan, form, tiles, walk);
  }
}

/// Returns: the shape of all operands. Throws: `logic_error` where shapes differ.
template <class First, class... Rest>
[[nodiscard]] auto shape_of_all(const source_location& where, const First& first, const Rest&... rest) {
  static_assert(
      ((First::rank == Rest::rank) && ...),
      "reductions in one pass, a scan and its segments, and a selection and its mask are of arrays of one shape");
  const auto result = first.shape(where);
  if constexpr (((First::rank == Rest::rank) && ...)) {
    (check_same_shape(result.begin(), rest.shape(where).begin(), First::rank, where), ...);
  }
  return result;
}

template <class First, class... Rest>
[[nodiscard]] const First& first_of(const First& first, const Rest&...) noexcept {
  return first;
}

/// Effects: enqueues reductions. `results` holds the memory of each result.
template <class Order, class... Items>
void reduce_into(const std::array<typename port_of_order<Order>::memory_handle, sizeof...(Items)>& results,
                 const Order& order, const walked_shape& shape, std::int64_t elements, const source_location& where,
                 const Items&... items) {
  using joined = joined_operands<typename Items::operand_type...>;
  static_assert(joined::inputs <= most_inputs, "a reduction reads at most 16 arrays");
  static_assert(part_bytes(fields_of<Items...>) <= most_part_bytes,
                "the values of reductions in one pass have at most 128 bytes together");
  launched_operands<sizeof...(Items), 1, typename Items::operand_type...> of(items.of...);
  for (std::size_t k = 0; k < sizeof...(Items); ++k) of.arguments[k] = handle_argument(results[k]);
  run_reductions<Order>(order, task_of<Items...>, shape, elements, std::span(of.operands, joined::inputs), of.arguments,
                        where);
}

/// Returns: the divisor of a mean of `count` elements: `fewer` less than `count`, but at least 0, as in NumPy.
[[nodiscard]] constexpr std::int64_t divisor_of(std::int64_t count, std::size_t fewer) noexcept {
  return std::cmp_less(fewer, count) ? count - static_cast<std::int64_t>(fewer) : 0;
}

/// Effects: reduces all elements. Returns: a `device_value` for each item.
template <class... Items>
[[nodiscard]] auto reduce_all(std::size_t fewer, const source_location& where, const Items&... items) {
  using joined = joined_operands<typename Items::operand_type...>;
  using port = typename joined::port_type;
  if constexpr ((reductions_in<typename Items::operand_type> || ...)) {
    reduced_results<stream<port>> inner(first_of(items...).of.stream(where));
    return reduce_all(fewer, where, inner.template item_of<typename Items::operation>(items.of, where)...);
  } else {
    const auto extents = shape_of_all(where, items.of...);
    const walked_shape shape{extents.begin(), joined::rank, (1U << joined::rank) - 1};
    const std::int64_t elements = divisor_of(left_extents(nullptr, false, shape, task_of<Items...>, where), fewer);
    const auto& order = first_of(items...).of.stream(where);
    std::tuple<device_value<typename Items::result, port>...> made{
        device_value<typename Items::result, port>(order, where)...};
    std::apply(
        [&](const auto&... each) {
          reduce_into<stream<port>>({each.array().native_handle()...}, order, shape, elements, where, items...);
        },
        made);
    return made;
  }
}

template <std::size_t Count, bool Keep, class Order, class Op, class E>
[[nodiscard]] auto reduce_rows(const reduced_axes<Count, Keep>& axes, std::size_t fewer, const source_location& where,
                               const Order& order, const reduction_item<Op, E>& item);

/// Effects: reduces along axes. Returns: a `device_array` for each item.
template <std::size_t Count, bool Keep, class... Items>
[[nodiscard]] auto reduce_along(const reduced_axes<Count, Keep>& axes, std::size_t fewer, const source_location& where,
                                const Items&... items) {
  using joined = joined_operands<typename Items::operand_type...>;
  using port = typename joined::port_type;
  static_assert(Count <= joined::rank, "a reduction goes along more axes than the array has");
  if constexpr ((reductions_in<typename Items::operand_type> || ...)) {
    const auto& order = first_of(items...).of.stream(where);
    if constexpr (sizeof...(Items) == 1) {
      return reduce_rows(axes, fewer, where, order, items...);
    } else {
      reduced_results<stream<port>> inner(order);
      return reduce_along(axes, fewer, where, inner.template item_of<typename Items::operation>(items.of, where)...);
    }
  } else {
    constexpr std::size_t rank = Keep ? joined::rank : joined::rank - Count;
    const auto extents = shape_of_all(where, items.of...);
    const walked_shape shape{extents.begin(), joined::rank, axis_mask(axes.axes, joined::rank, where)};
    std::size_t kept[max_array_rank];
    const std::int64_t elements = divisor_of(left_extents(kept, Keep, shape, task_of<Items...>, where), fewer);
    yoke::shape<rank> left;
    for (std::size_t axis = 0; axis < rank; ++axis) left[axis] = kept[axis];
    const auto& order = first_of(items...).of.stream(where);
    std::tuple<device_array<typename Items::result, rank, port>...> made{
        device_array<typename Items::result, rank, port>(order, left, array_order::c, where)...};
    std::apply(
        [&](const auto&... each) {
          reduce_into<stream<port>>({each.native_handle()...}, order, shape, elements, where, items...);
        },
        made);
    return made;
  }
}

/// Effects: enqueues a reduction of all elements, or along the axes of `mask`, into the elements of a view. The
/// divisor of a mean is reduced by `fewer`. Throws: `logic_error` where the view's shape differs from that of the
/// result.
template <bool Keep, class Order, class T, std::size_t Rank, class Port, class Item>
void reduce_to(const Order& order, const device_view<T, Rank, Port>& to, const Item& item, std::uint32_t mask,
               const source_location& where, std::size_t fewer) {
  using E = typename Item::operand_type;
  static_assert(std::same_as<typename Item::result, T>,
                "a reduction is assigned to elements of its own type: sums of integers have 64 bits, truths are bool; "
                "cast what is reduced");
  const auto extents = item.of.shape(where);
  const walked_shape shape{extents.begin(), E::rank, mask};
  std::size_t left[max_array_rank + 1];
  const std::int64_t elements = divisor_of(left_extents(left, Keep, shape, task_of<Item>, where), fewer);
  check_result_shape(left, to.shape().begin(), Rank, where);
  launched_operands<1, 1, E> of(item.of);
  const bool in_place =
      !shares_any(order, to, std::span<const evaluation_operand<Port>>(of.operands, E::inputs), where);
  write_dense(
      order, to, in_place,
      [&](const auto& dense) { reduce_into<Order>({dense.memory().memory}, order, shape, elements, where, item); },
      where);
}

}  // namespace yoke::inline v0_1::detail

#if defined(YOKE_IMPLEMENTATION)
#include <yoke/array/reduction/reduction_run.ipp>
#endif

#endif
