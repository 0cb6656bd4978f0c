// SPDX-License-Identifier: MIT
// Launches the kernels of expressions and of copies between any layouts; operands have types at run time.
#ifndef YOKE_ARRAY_EVALUATION_EVALUATION_HPP
#define YOKE_ARRAY_EVALUATION_EVALUATION_HPP

#include <yoke/array/evaluation/array_kernels.hpp>
#include <yoke/array/evaluation/array_memory.hpp>
#include <yoke/array/evaluation/expression_kernel.hpp>
#include <yoke/array/evaluation/expression_tiles.hpp>

namespace yoke::inline v0_1::detail {

/// Effects: adds the description of a struct unless the list has it.
YOKE_API void add_description(std::vector<struct_description>& to, struct_description made);

/// A function that returns the structs of an evaluation; null: it uses none.
using described = std::vector<struct_description> (*)();

/// The steps of an evaluation. A context stores the kernels under its address.
struct evaluation_text {
  std::span<const expression_step> steps;
  value_type_name to;
  described structs;
  const char* name;  ///< name of the program
};

/// The operands of an evaluation with merged axes, the destination first. `slots` tells which inputs are the same
/// memory.
struct evaluation_plan {
  expression_axes axes;
  std::uint8_t slots[most_inputs]{};
  std::uint64_t key = 0;  // identifies the kernel's text beside the steps
  bool linear = false;
  bool wide = false;
  expression_tiles tiles{};
};
/// The properties of an input, other than its axes, that the kernel's text depends on.
struct evaluation_input {
  const void* memory;  ///< equal for inputs in the same memory only
  value_type_name type;
};
/// Effects: completes a plan whose axes are set. `coalesces`: the device's language coalesces accesses of neighbouring
/// threads.
YOKE_API void finish_plan(evaluation_plan& plan, const evaluation_text& what, std::span<const evaluation_input> inputs,
                          bool coalesces) noexcept;

/// The axes as the kernel gets them: the count and the offsets and, unless the plan is linear, the extents and
/// strides.
struct evaluation_steps {
  std::int64_t words[1 + (most_inputs + 1) + most_axes + (most_inputs + 1) * most_axes];
  std::size_t bytes;
};
YOKE_API void fill_steps(evaluation_steps& steps, const evaluation_plan& plan, std::size_t operands) noexcept;

/// An array as an operand.
template <class Port>
struct evaluation_operand {
  array_memory<Port> memory;
  byte_layout side;
  value_type_name type;
};

/// Returns: a memory handle as a launch argument. Requires: the handle lives until the launch.
template <class Handle>
[[nodiscard]] kernel_argument handle_argument(const Handle& of) noexcept {
  return {argument_kind::memory, &of, sizeof of};
}
template <class Handle>
kernel_argument handle_argument(const Handle&&) = delete;  // the argument would dangle

/// Effects: fills in the memory and types of a plan's operands. Throws: `logic_error` for memory that the order cannot
/// use.
template <class Order>
void take_operands(operation_memory<Order>& operation,
                   std::span<const evaluation_operand<port_of_order<Order>>> operands, evaluation_input* to,
                   const source_location& where) {
  for (std::size_t k = 0; k < operands.size(); ++k) {
    check_memory(operation, operands[k].memory, memory_use::reads, "operand", where);
    std::size_t same = 0;
    while (!(operands[same].memory.memory == operands[k].memory.memory)) ++same;
    to[k] = {&operands[same], operands[k].type};
  }
}

/// Compiles a source for kernels that the context stores. They do not keep the context alive.
template <class Port>
[[nodiscard]] module<Port> compile_task(const context<Port>& in, std::string_view source, compile_options options,
                                        described structs, const source_location& where) {
  if (structs != nullptr) options.types = structs();
  return compile_for_arrays(context<Port>::unowned(in.state(where)), source, options, where);
}

/// Products are rounded before they are added, so that all devices give the same sums.
inline constexpr math_options exact_sums{.contract = false};

/// Effects: launches the kernel of a plan; the context stores the kernel. `arguments` has room for the destination,
/// the inputs, the numbers and the steps, in this order; the caller has filled in the numbers.
template <class Order>
void launch_evaluation(const Order& order, const evaluation_text& what, const evaluation_plan& plan,
                       const array_memory<port_of_order<Order>>& to,
                       std::span<const array_memory<port_of_order<Order>>* const> inputs,
                       std::span<kernel_argument> arguments, const source_location& where) {
  using Port = port_of_order<Order>;
  const context<Port>& context = order.context_of();
  auto& kept = context.state(where).attached.template get_at<once_map<text_kernel<Port>>>(&what);
  const text_kernel<Port>& run = kept.find_or_make(plan.key, [&] {
    const expression_form form{.steps = what.steps,
                               .slots = plan.slots,
                               .inputs = inputs.size(),
                               .rank = plan.linear ? 0 : plan.axes.rank,
                               .wide = plan.wide,
                               .tiles = plan.tiles};
    return text_kernel<Port>(
        compile_task(context, evaluation_source(form, what.to), {.name = what.name}, what.structs, where),
        "yoke_x_evaluate", where);
  });
  evaluation_steps steps;
  fill_steps(steps, plan, inputs.size() + 1);
  arguments.front() = handle_argument(to.memory);
  for (std::size_t k = 0; k < inputs.size(); ++k) arguments[k + 1] = handle_argument(inputs[k]->memory);
  arguments.back() = {argument_kind::value, steps.words, steps.bytes};
  run.launch(
      order,
      launch_over(blocks_for(plan.axes, plan.tiles) * static_cast<std::int64_t>(expression_block), expression_block),
      arguments, where);
}

template <class To, class From>
inline constexpr expression_step copy_steps[]{{.what = expression_step::form::input, .type = name_of<From>()}};
template <class To, class From>
inline constexpr evaluation_text copy_text{copy_steps<To, From>, name_of<To>(), nullptr, "yoke copy"};

/// Effects: enqueues a copy that converts elements where types differ. Requires: strides and offsets in elements.
template <class Order>
void launch_copy(const Order& order, const evaluation_text& what, const array_memory<port_of_order<Order>>& to,
                 const array_memory<port_of_order<Order>>& from, const merged_copy& copy,
                 const source_location& where) {
  evaluation_plan plan;
  take_axes(plan.axes, copy);
  const evaluation_input input{&from, what.steps.front().type};
  finish_plan(plan, what, {&input, 1}, order.context_of().port(where).language().coalesces);
  const array_memory<port_of_order<Order>>* const inputs[]{&from};
  kernel_argument arguments[3];
  launch_evaluation<Order>(order, what, plan, to, inputs, arguments, where);
}

/// Effects: enqueues a copy of elements of any size between two layouts of device memory.
template <class Order>
void launch_word_copy(const Order& order, const array_memory<port_of_order<Order>>& to,
                      const array_memory<port_of_order<Order>>& from, merged_copy copy, const source_location& where) {
  use_words(copy);
  const evaluation_text& words = copy.unit == 1   ? copy_text<std::uint8_t, std::uint8_t>
                                 : copy.unit == 2 ? copy_text<std::uint16_t, std::uint16_t>
                                 : copy.unit == 4 ? copy_text<std::uint32_t, std::uint32_t>
                                                  : copy_text<std::uint64_t, std::uint64_t>;
  launch_copy(order, words, to, from, copy, where);
}

}  // namespace yoke::inline v0_1::detail

#if defined(YOKE_IMPLEMENTATION)
#include <yoke/array/evaluation/evaluation.ipp>
#endif

#endif
