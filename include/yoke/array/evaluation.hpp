// SPDX-License-Identifier: MIT
// Runs the kernel of an evaluation; copies of elements between any layouts are evaluations, too.
#ifndef YOKE_ARRAY_EVALUATION_HPP
#define YOKE_ARRAY_EVALUATION_HPP

#include <yoke/array/array_kernels.hpp>
#include <yoke/array/expression_kernel.hpp>
#include <yoke/array/expression_tiles.hpp>
#include <yoke/memory/device_span.hpp>

#include <tuple>

namespace yoke::inline YOKE_ABI::detail {

/// The operands of an evaluation with merged axes, and which inputs are the same memory.
template <std::size_t Operands>
struct evaluation_plan {
  expression_axes axes;
  std::uint8_t slots[Operands]{};  // of inputs
  std::uint64_t key = 0;           // what the kernel's text depends on besides types
  bool linear = false;
  bool wide = false;
  expression_tiles tiles{};
};

/// Effects: completes a plan. The first operand only gives the order of the axes. `bytes` has those of each one's elements.
template <std::size_t Operands, class Memory>
void finish_plan(evaluation_plan<Operands>& plan, const Memory* memories, const value_type_name* kinds,
                 const std::size_t* bytes, std::span<const expression_step> steps, bool coalesces) {
  plan.linear = is_linear(plan.axes, Operands);
  plan.wide = !is_narrow(plan.axes, Operands);
  for (std::size_t k = 0; k + 1 < Operands; ++k) {
    std::size_t same = 0;
    while (same < k &&
           !(kinds[same] == kinds[k] && memories[same] == memories[k] && plan.axes.is_same(same + 1, k + 1))) {
      ++same;
    }
    plan.slots[k] = static_cast<std::uint8_t>(same);
    plan.key = plan.key * (k + 1) + same;
  }
  const auto add = [&](std::uint64_t value, unsigned bits) { plan.key = plan.key << bits | value; };
  const bool several = takes_several(plan.axes.count, coalesces);
  if (several) plan.tiles = tiles_for(plan.axes, plan.linear, std::span(bytes, Operands), plan.slots, steps);
  add(plan.tiles.inputs, 8);
  add(plan.tiles.across, 4);
  add(several ? 1 : 0, 1);
  add(plan.linear ? 0 : plan.axes.rank, 4);
  add(plan.wide ? 1 : 0, 1);
}

/// Effects: launches the kernel of a planned evaluation. The context keeps the kernels of a `Tag`; `build(context, form)`
/// compiles one.
template <class Tag, class To, class... From, class Port, class... Scalars, class Build>
void launch_evaluation(const stream<Port>& stream, typename Port::memory_handle to,
                       const std::array<typename Port::memory_handle, sizeof...(From)>& from,
                       const evaluation_plan<sizeof...(From) + 1>& plan, std::span<const expression_step> given,
                       const std::tuple<Scalars...>& scalars, Build&& build, const source_location& where) {
  constexpr std::size_t operands = sizeof...(From) + 1;
  const auto native = stream.context_of().native_handle();
  const auto run_with = [&]<bool Strided, std::size_t... K>(std::bool_constant<Strided>, std::index_sequence<K...>) {
    using steps_type = expression_steps<operands, Strided>;
    using signature = void(kernel_word_of<To>*, const kernel_word_of<From>*..., Scalars..., steps_type);
    const auto& run =
        kernel_of<Tag, signature>(stream.context_of().state(where), plan.key, [&](const context<Port>& context) {
          const expression_form form{.steps = given,
                                     .slots = plan.slots,
                                     .inputs = sizeof...(From),
                                     .rank = Strided ? plan.axes.rank : 0,
                                     .wide = plan.wide,
                                     .tiles = plan.tiles};
          return get_kernel<signature>(build(context, form), "yoke_x_evaluate", where);
        });
    steps_type steps;
    steps.count = plan.axes.count;
    for (std::size_t k = 0; k < operands; ++k) steps.offsets[k] = plan.axes.places[k].offset;
    if constexpr (Strided) {
      for (std::size_t axis = 0; axis < plan.axes.rank; ++axis) {
        steps.extents[axis] = plan.axes.extents[axis];
        for (std::size_t k = 0; k < operands; ++k) {
          steps.strides[k * most_axes + axis] = plan.axes.places[k].strides[axis];
        }
      }
    }
    const launch_shape threads =
        launch_over(blocks_for(plan.axes, plan.tiles) * static_cast<std::int64_t>(expression_block), expression_block);
    std::apply(
        [&](const auto&... scalar) {
          run({stream, where}, threads, device_span<kernel_word_of<To>, Port>(native, to, 0, 1),
              device_span<const kernel_word_of<From>, Port>(native, from[K], 0, 1)..., scalar..., steps);
        },
        scalars);
  };
  constexpr std::index_sequence_for<From...> numbers;
  if (plan.linear) {
    run_with(std::false_type{}, numbers);
  } else {
    run_with(std::true_type{}, numbers);
  }
}

template <class To, class From>
struct copies;

/// Effects: enqueues the copy of elements, converted if types differ. Requires: strides and offsets in elements.
template <class To, class From, class Port>
void launch_copy(const stream<Port>& stream, typename Port::memory_handle to, typename Port::memory_handle from,
                 const merged_copy& copy, const source_location& where) {
  static constexpr expression_step read[]{{.what = expression_step::form::input, .type = name_of<From>()}};
  constexpr value_type_name kinds[]{name_of<From>()};
  constexpr std::size_t bytes[]{sizeof(To), sizeof(From)};
  evaluation_plan<2> plan;
  take_axes(plan.axes, copy);
  finish_plan(plan, &from, kinds, bytes, read, stream.context_of().port(where).language().coalesces);
  const auto build = [&](const context<Port>& in, const expression_form& form) {
    return compile_for_arrays(in, evaluation_source(form, name_of<To>()), {.name = "yoke copy"}, where);
  };
  launch_evaluation<copies<To, From>, To, From>(stream, to, {from}, plan, read, std::tuple<>(), build, where);
}

/// Effects: enqueues a copy of elements of any type between any two layouts of device memory.
template <class Port>
void launch_word_copy(const stream<Port>& stream, typename Port::memory_handle to, typename Port::memory_handle from,
                      merged_copy copy, const source_location& where) {
  use_words(copy);
  const auto run = [&]<class Word>(Word) { launch_copy<Word, Word>(stream, to, from, copy, where); };
  switch (copy.unit) {
    case 1: return run(std::uint8_t{});
    case 2: return run(std::uint16_t{});
    case 4: return run(std::uint32_t{});
    default: return run(std::uint64_t{});
  }
}

}  // namespace yoke::inline YOKE_ABI::detail

#endif
