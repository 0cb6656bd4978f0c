// SPDX-License-Identifier: MIT
// Launches kernels of rows: an expression with reductions inside in one kernel.
#ifndef YOKE_ARRAY_REDUCTION_ROW_RUN_HPP
#define YOKE_ARRAY_REDUCTION_ROW_RUN_HPP

#include <yoke/array/reduction/reduction_run.hpp>
#include <yoke/array/reduction/row_source.hpp>

namespace yoke::inline v0_1::detail {

/// The rows of an expression, as its operands tell them.
struct row_request {
  walked_shape shape{};                  ///< of the elements; the axes along which all reductions go
  std::int64_t elements = 0;             ///< divisor of mean squares
  bool one = false;                      ///< one element of the destination for each row
  std::uint8_t same[most_row_stages]{};  ///< for each stage the first equal stage
};
/// The properties of a device that decide how rows are shared.
struct row_device {
  bool processor = false;
  std::uint32_t most_threads = 0;  ///< of a block
  std::size_t local_bytes = 0;
};
/// The operands of a kernel of rows with merged axes: the inputs, then the destination.
struct row_plan {
  reduction_plan walk{};
  row_form form{};
  std::uint64_t key = 0;  // identifies the kernel's text beside its task
};
/// Effects: completes a plan whose axes are set. Returns: false if several kernels are better: where rows are short,
/// long or few, where neighbouring elements of a row lie apart, and where a row does not fit into local memory.
[[nodiscard]] YOKE_API bool finish_rows(row_plan& plan, const row_task& what, const row_request& request,
                                        const row_device& device, std::span<const evaluation_input> operands) noexcept;

template <class Order>
[[nodiscard]] row_device row_device_of(const Order& order, const source_location& where) {
  const auto ask = [&] {
    const auto& limits = order.device_of(where).limits(where);
    return row_device{order.device_of(where).summary(where).kind == device_kind::cpu,
                      static_cast<std::uint32_t>(limits.max_block), limits.local_memory_bytes};
  };
  return order.context_of().state(where).attached.template get<row_device>(ask);
}

/// Effects: evaluates an expression with reductions inside by one kernel, if that is better. `operands` are the inputs
/// and the destination, whose axes are those of the elements. `arguments` has room for the destination, the inputs, the
/// numbers and the steps, in this order; the caller has filled in the numbers.
/// Returns: whether it did. Throws: `logic_error` for memory that the order cannot use, a destination that repeats
/// elements, and an operand whose strides are not multiples of its elements; `error`.
template <class Order>
bool run_rows(const Order& order, const row_task& what, const row_request& request,
              std::span<const evaluation_operand<port_of_order<Order>>> operands, std::span<kernel_argument> arguments,
              const source_location& where) {
  using Port = port_of_order<Order>;
  const context<Port>& in = order.context_of();
  const std::size_t inputs = operands.size() - 1;
  const evaluation_operand<Port>& to = operands.back();
  row_plan plan;
  byte_layout sides[most_row_inputs + 1];
  evaluation_input parts[most_row_inputs + 1];
  for (std::size_t k = 0; k <= inputs; ++k) {
    sides[k] = operands[k].side;
    std::size_t same = 0;
    while (!(operands[same].memory.memory == operands[k].memory.memory)) ++same;
    parts[k].memory = &operands[same];
    parts[k].type = operands[k].type;
  }
  const reduction_axes& axes = plan.walk.axes;
  split_axes(plan.walk.axes, request.shape.extents, request.shape.rank, request.shape.axes,
             std::span(sides, operands.size()), where);
  if (!finish_rows(plan, what, request, row_device_of(order, where), std::span(parts, operands.size()))) return false;
  for (std::size_t k = 0; k < inputs; ++k) {
    const evaluation_operand<Port>& from = operands[k];
    if (!may_share(in.port(where), to.memory, to.side.first, to.side.end, from.memory, from.side.first,
                   from.side.end)) {
      continue;
    }
    // The same elements in the same order are safe: a row is read by those that write it, each element before it is
    // written.
    const bool is_same = from.memory.memory == to.memory.memory && from.side.element == to.side.element &&
                         axes.results.is_same(k + 1, inputs + 1) && axes.reduced.is_same(k + 1, inputs + 1);
    if (!is_same) return false;
  }
  operation_memory operation(order);
  check_memory(operation, to.memory, memory_use::writes, "destination", where);
  check_writable(to.side, where);
  take_operands<Order>(operation, operands.first(inputs), parts, where);
  auto& kept = in.state(where).attached.template get_at<once_map<text_kernel<Port>>>(&what);
  const text_kernel<Port>& run = kept.find_or_make(plan.key, [&] {
    return text_kernel<Port>(
        compile_task(in, row_source(what, plan.form), {.name = "yoke rows", .math = exact_sums}, nullptr, where),
        "yoke_x_rows", where);
  });
  reduction_words steps;
  fill_words(steps, plan.walk, inputs + 1, request.elements, tiles_of(axes.reduced.count, reduction_tile));
  arguments.front() = handle_argument(to.memory.memory);
  for (std::size_t k = 0; k < inputs; ++k) arguments[k + 1] = handle_argument(operands[k].memory.memory);
  arguments.back() = {argument_kind::value, steps.words, steps.bytes};
  const std::size_t block = plan.form.block();
  run.launch(order, launch_over(tiles_of(axes.results.count, plan.form.rows) * static_cast<std::int64_t>(block), block),
             arguments, where);
  return true;
}

}  // namespace yoke::inline v0_1::detail

#if defined(YOKE_IMPLEMENTATION)
#include <yoke/array/reduction/row_run.ipp>
#endif

#endif
