// SPDX-License-Identifier: MIT
// Runs reductions: several in one pass, of all elements or along axes.
#ifndef YOKE_ARRAY_REDUCTION_RUN_HPP
#define YOKE_ARRAY_REDUCTION_RUN_HPP

#include <yoke/array/along.hpp>
#include <yoke/array/device_value.hpp>
#include <yoke/array/expression_operators.hpp>
#include <yoke/array/reduction_source.hpp>

namespace yoke::inline YOKE_ABI::detail {

/// A reduction and what it reduces.
template <class Op, class E>
struct reduction_item {
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
                                         .neutral = Op::neutral};
  E of;
  source_location where{};  // of one among several
};

/// The operands of several reductions, which have one shape: their steps leave a value each.
template <class... E>
struct joined_operands {
  using port_type = typename port_of_operands<typename E::port_type...>::type;
  static constexpr std::size_t rank = most_of({E::rank...});
  static constexpr std::size_t inputs = (E::inputs + ...);
  static constexpr std::size_t steps = (E::steps + ...);
  static constexpr void add_steps(expression_step*& to) noexcept { (E::add_steps(to), ...); }
  static void add_structs(std::vector<struct_description>& to) { (E::add_structs(to), ...); }
};

// The tags of kernels.
template <bool ToParts, class... Items>
struct first_pass;
template <bool ToParts, class... Items>
struct later_pass;

/// What a pass of kernels knows besides its types.
template <std::size_t Inputs>
struct reduction_plan {
  reduction_axes axes;
  reduction_lanes lanes;
  std::uint8_t slots[Inputs]{};
  std::uint64_t key = 0;
  bool linear = false;
  bool wide = false;
  bool several = false;  // elements are read before the first is joined
};

/// Effects: completes a plan. The key is what a kernel's text depends on besides types.
template <std::size_t Inputs, class Memory>
void finish_plan(reduction_plan<Inputs>& plan, const Memory* memories, const value_type_name* kinds, bool whole,
                 std::size_t bytes) {
  plan.wide = !is_narrow(plan.axes, Inputs + 1);
  plan.linear = plan.axes.results.rank == 0 && is_linear(plan.axes.reduced, Inputs + 1);
  plan.lanes = lanes_for(plan.axes, whole, bytes);
  for (std::size_t k = 0; k < Inputs; ++k) {
    std::size_t same = 0;
    while (same < k && !(kinds[same] == kinds[k] && memories[same] == memories[k] &&
                         plan.axes.results.is_same(same + 1, k + 1) && plan.axes.reduced.is_same(same + 1, k + 1))) {
      ++same;
    }
    plan.slots[k] = static_cast<std::uint8_t>(same);
    plan.key = plan.key * (k + 1) + same;
  }
  const auto add = [&](std::uint64_t value, unsigned bits) { plan.key = plan.key << bits | value; };
  add(plan.axes.results.rank, 4);
  add(plan.axes.reduced.rank, 4);
  add(plan.linear ? 1 : 0, 1);
  add(plan.wide ? 1 : 0, 1);
  add(plan.several ? 1 : 0, 1);
  add(plan.lanes.columns ? 1 : 0, 1);
  add(plan.lanes.threads == 1 ? 0 : plan.lanes.threads == 8 ? 1 : plan.lanes.threads == 32 ? 2 : 3, 2);
}

[[nodiscard]] constexpr std::int64_t tiles_of(std::int64_t elements, std::size_t tile) noexcept {
  return elements == 0 ? 1 : (elements - 1) / static_cast<std::int64_t>(tile) + 1;
}

/// Returns: what a kernel gets of a plan.
template <std::size_t Inputs>
[[nodiscard]] reduction_steps<Inputs> steps_for(const reduction_plan<Inputs>& plan, std::int64_t elements,
                                                std::int64_t tiles) noexcept {
  reduction_steps<Inputs> steps;
  steps.results = plan.axes.results.count;
  steps.count = plan.axes.reduced.count;
  steps.tiles = tiles;
  steps.elements = elements;
  const auto take = [](const expression_axes& of, std::int64_t* extents, std::int64_t* strides) {
    for (std::size_t axis = 0; axis < of.rank; ++axis) {
      extents[axis] = of.extents[axis];
      for (std::size_t k = 0; k < Inputs; ++k) strides[k * most_axes + axis] = of.places[k + 1].strides[axis];
    }
  };
  for (std::size_t k = 0; k < Inputs; ++k) {
    steps.offsets[k] = plan.axes.results.places[k + 1].offset + plan.axes.reduced.places[k + 1].offset;
  }
  take(plan.axes.results, steps.result_extents, steps.result_strides);
  take(plan.axes.reduced, steps.extents, steps.strides);
  return steps;
}

/// Effects: launches one pass. `to` has the memory of parts, or of each result.
template <class Tag, class... To, std::size_t Inputs, class Port, class... From, class... Scalars, class Build>
void launch_reduction(const stream<Port>& stream, const std::array<typename Port::memory_handle, sizeof...(To)>& to,
                      const std::array<typename Port::memory_handle, Inputs>& from, std::type_identity<void(From...)>,
                      const std::tuple<Scalars...>& scalars, const reduction_plan<Inputs>& plan, std::int64_t elements,
                      std::int64_t tiles, Build&& build, const source_location& where) {
  using signature = void(To * ..., const From*..., Scalars..., reduction_steps<Inputs>);
  const auto& run = kernel_of<Tag, signature>(
      stream.context_of().state(where), plan.key,
      [&](const context<Port>& context) { return get_kernel<signature>(build(context), "yoke_x_reduce", where); });
  const reduction_steps<Inputs> steps = steps_for(plan, elements, tiles);
  const std::size_t per_block = reduction_block / plan.lanes.threads;
  const std::size_t blocks =
      (static_cast<std::size_t>(steps.results) + per_block - 1) / per_block * static_cast<std::size_t>(steps.tiles);
  const auto native = stream.context_of().native_handle();
  [&]<std::size_t... T, std::size_t... F>(std::index_sequence<T...>, std::index_sequence<F...>) {
    std::apply(
        [&](const auto&... scalar) {
          run({stream, where}, launch_over(blocks * reduction_block, reduction_block),
              device_span<To, Port>(native, to[T], 0, 1)..., device_span<const From, Port>(native, from[F], 0, 1)...,
              scalar..., steps);
        },
        scalars);
  }(std::make_index_sequence<sizeof...(To)>(), std::make_index_sequence<Inputs>());
}

/// Effects: enqueues all passes of reductions along some axes. `results` has the memory of each. A mean divides by
/// `elements`.
template <class... Items, class Port>
void run_reductions(const stream<Port>& order, const std::size_t* extents, std::uint32_t reduced, std::int64_t elements,
                    const std::array<typename Port::memory_handle, sizeof...(Items)>& results,
                    const source_location& where, const Items&... items) {
  using joined = joined_operands<typename Items::operand_type...>;
  static_assert(joined::inputs <= most_inputs, "a reduction reads at most 16 arrays");
  static constexpr reduction_field fields[]{Items::field...};
  static constexpr std::size_t bytes = part_bytes(fields);
  static_assert(bytes <= most_part_bytes, "the values of reductions in one pass have at most 128 bytes together");
  const auto inputs = std::tuple_cat(items.of.all_inputs()...);
  const auto scalars = std::tuple_cat(items.of.all_scalars()...);
  const bool whole = reduced + 1 == 1U << joined::rank;
  const std::size_t read = std::apply(
      [](const auto*... input) { return (sizeof(typename std::remove_cvref_t<decltype(*input)>::value_type) + ...); },
      inputs);
  reduction_plan<joined::inputs> plan;
  std::array<typename Port::memory_handle, joined::inputs> from{};
  std::apply(
      [&]<class... I>(const I*... input) {
        (check_memory(order, input->view.memory(), "operand", where), ...);
        const array_side operands[]{input->view.layout()...};
        split_axes(plan.axes, extents, joined::rank, reduced, operands, where);
        from = {input->view.memory().memory...};
        const value_type_name kinds[]{name_of<typename I::value_type>()...};
        plan.several = takes_several(plan.axes.results.count * plan.axes.reduced.count,
                                     order.context_of().port(where).language().coalesces);
        finish_plan(plan, from.data(), kinds, whole, bytes);
      },
      inputs);
  if (plan.axes.results.count == 0) return;
  const auto build = [&](const context<Port>& in, const reduction_form& form) {
    // A product that is added is rounded as it is everywhere.
    return compile_for_arrays(in, reduction_source(form),
                              {.name = "yoke reduction", .types = structs_of<joined>(), .math = {.contract = false}},
                              where);
  };
  std::int64_t tiles = tiles_of(plan.axes.reduced.count, reduction_tile);
  const auto first = [&]<bool ToParts, class... To>(std::bool_constant<ToParts>, std::type_identity<void(To...)>,
                                                    const std::array<typename Port::memory_handle, sizeof...(To)>& to) {
    const auto make = [&](const context<Port>& in) {
      return build(
          in, {.values = {.steps = steps_of<joined>, .slots = plan.slots, .inputs = joined::inputs, .wide = plan.wide},
               .fields = fields,
               .lanes = plan.lanes,
               .result_rank = plan.axes.results.rank,
               .rank = plan.axes.reduced.rank,
               .linear = plan.linear,
               .to_parts = ToParts,
               .batch = reduction_batch(plan.several, plan.axes.reduced.rank > 1 ? 16 : read)});
    };
    std::apply(
        [&]<class... I>(const I*...) {
          launch_reduction<first_pass<ToParts, Items...>, To...>(
              order, to, from, std::type_identity<void(kernel_word_of<typename I::value_type>...)>{}, scalars, plan,
              elements, tiles, make, where);
        },
        inputs);
  };
  using result_words = std::type_identity<void(kernel_word_of<typename Items::result>...)>;
  using part_words = std::type_identity<void(std::uint8_t)>;
  if (tiles == 1) return first(std::false_type{}, result_words{}, results);
  const auto parts_of = [&](std::int64_t count) {
    return device_array<std::uint8_t, 1, Port>(
        order, yoke::shape<1>(static_cast<std::size_t>(count * plan.axes.results.count) * bytes), array_order::c,
        where);
  };
  auto parts = parts_of(tiles);
  first(std::true_type{}, part_words{}, {parts.native_handle()});
  while (tiles > 1) {
    reduction_plan<1> rest;
    rest.axes.results.count = plan.axes.results.count;
    rest.axes.reduced.count = tiles;
    rest.lanes = lanes_for(rest.axes, whole, bytes);
    rest.wide = !is_narrow(rest.axes, 0);
    rest.key = rest.lanes.lanes << 2U | (plan.several ? 2U : 0U) | (rest.wide ? 1U : 0U);
    const std::int64_t left = tiles_of(tiles, later_tile);
    const auto later = [&]<bool ToParts, class... To>(
                           std::bool_constant<ToParts>, std::type_identity<void(To...)>,
                           const std::array<typename Port::memory_handle, sizeof...(To)>& to) {
      const auto make = [&](const context<Port>& in) {
        return build(in, {.values = {.wide = rest.wide},
                          .fields = fields,
                          .lanes = rest.lanes,
                          .from_parts = true,
                          .to_parts = ToParts,
                          .batch = reduction_batch(plan.several, bytes)});
      };
      launch_reduction<later_pass<ToParts, Items...>, To...>(order, to, std::array{parts.native_handle()},
                                                             std::type_identity<void(std::uint8_t)>{}, std::tuple<>(),
                                                             rest, elements, left, make, where);
    };
    tiles = left;
    if (tiles == 1) return later(std::false_type{}, result_words{}, results);
    auto next = parts_of(tiles);
    later(std::true_type{}, part_words{}, {next.native_handle()});
    parts = std::move(next);
  }
}

template <class... Items>
[[nodiscard]] const auto& stream_of(const source_location& where, const std::tuple<Items...>& inputs) {
  return std::get<0>(inputs)->stream(where);
}

template <std::size_t Rank>
void check_same_shape(const shape<Rank>& left, const shape<Rank>& right, const source_location& where) {
  for (std::size_t axis = 0; axis < Rank; ++axis) {
    if (left[axis] != right[axis]) throw_broadcast(left.begin(), Rank, "with", right.begin(), Rank, axis, where);
  }
}
/// Returns: the shape of all items. Throws: `logic_error` for several.
template <class First, class... Rest>
[[nodiscard]] auto shape_of_all(const source_location& where, const First& first, const Rest&... rest) {
  static_assert(((First::operand_type::rank == Rest::operand_type::rank) && ...),
                "reductions in one pass, and a scan and its segments, are of arrays of one shape");
  const auto result = first.of.shape(where);
  if constexpr (((First::operand_type::rank == Rest::operand_type::rank) && ...)) {
    (check_same_shape(result, rest.of.shape(where), where), ...);
  }
  return result;
}

/// Throws: `logic_error` for no elements where a reduction needs one.
template <class... Items>
void check_elements(std::size_t count, const source_location& where) {
  if (count != 0) return;
  const char* const needs[]{Items::operation::needs_elements...};
  for (const char* each : needs) {
    if (each != nullptr) throw_nothing_to_reduce(each, where);
  }
}

/// Effects: reduces all elements. Returns: a `device_value` of each item.
template <class... Items>
[[nodiscard]] auto reduce_all(std::size_t fewer, const source_location& where, const Items&... items) {
  using joined = joined_operands<typename Items::operand_type...>;
  using port = typename joined::port_type;
  const auto inputs = std::tuple_cat(items.of.all_inputs()...);
  const auto extents = shape_of_all(where, items...);
  const std::size_t count = volume(extents.begin(), joined::rank);
  check_elements<Items...>(count, where);
  const auto& order = stream_of(where, inputs);
  std::tuple<device_value<typename Items::result, port>...> results{
      device_value<typename Items::result, port>(order, where)...};
  std::apply(
      [&](auto&... each) {
        run_reductions<Items...>(order, extents.begin(), (1U << joined::rank) - 1,
                                 static_cast<std::int64_t>(count) - static_cast<std::int64_t>(fewer),
                                 {each.array().native_handle()...}, where, items...);
      },
      results);
  return results;
}

/// Effects: reduces along axes. Returns: a `device_array` of each item.
template <std::size_t Count, bool Keep, class... Items>
[[nodiscard]] auto reduce_along(const reduced_axes<Count, Keep>& axes, std::size_t fewer, const source_location& where,
                                const Items&... items) {
  using joined = joined_operands<typename Items::operand_type...>;
  using port = typename joined::port_type;
  static_assert(Count <= joined::rank, "a reduction goes along more axes than the array has");
  constexpr std::size_t rank = Keep ? joined::rank : joined::rank - Count;
  const auto inputs = std::tuple_cat(items.of.all_inputs()...);
  const auto extents = shape_of_all(where, items...);
  const std::uint32_t mask = axis_mask(axes.axes, joined::rank, where);
  yoke::shape<rank> kept;
  std::size_t at = 0;
  std::size_t count = 1;
  std::size_t results = 1;
  for (std::size_t axis = 0; axis < joined::rank; ++axis) {
    const bool gone = (mask >> axis & 1U) != 0;
    (gone ? count : results) *= extents[axis];
    if constexpr (rank != 0) {
      if (Keep || !gone) kept[at++] = gone ? 1 : extents[axis];
    }
  }
  if (results != 0) check_elements<Items...>(count, where);
  const auto& order = stream_of(where, inputs);
  std::tuple<device_array<typename Items::result, rank, port>...> made{
      device_array<typename Items::result, rank, port>(order, kept, array_order::c, where)...};
  std::apply(
      [&](auto&... each) {
        run_reductions<Items...>(order, extents.begin(), mask,
                                 static_cast<std::int64_t>(count) - static_cast<std::int64_t>(fewer),
                                 {each.native_handle()...}, where, items...);
      },
      made);
  return made;
}

}  // namespace yoke::inline YOKE_ABI::detail

#endif
