// SPDX-License-Identifier: MIT
// Fills device memory of any layout with random numbers, by kernels that the context stores.
#ifndef YOKE_ALGORITHM_RANDOM_KERNEL_HPP
#define YOKE_ALGORITHM_RANDOM_KERNEL_HPP

#include <yoke/algorithm/random_steps.hpp>
#include <yoke/array/storage/array_copy.hpp>

#include <optional>
#include <span>
#include <string>

namespace yoke::inline v0_1::detail {

/// A context stores the kernels under its address.
inline constexpr char random_kernels = 0;

/// The kernels of one kind of random numbers; `go_on` advances a position in device memory.
template <class Port>
struct random_kernel {
  random_kernel(const module<Port>& of, bool counts, const source_location& where) : fill(of, "yoke_r_fill", where) {
    if (counts) go_on.emplace(of, "yoke_r_go_on", where);
  }
  text_kernel<Port> fill;
  std::optional<text_kernel<Port>> go_on{};
};

/// Effects: enqueues the kernel that writes random numbers. `numbers` are its three parameters. `drawn`: a count in
/// device memory, or null. The kernel adds it to the first position, then advances it by the numbers written, rounded
/// up to a multiple of 4.
/// Throws: `logic_error` for memory that the order cannot use, and for a destination that repeats elements; `error`.
template <class Order>
void fill_random(const Order& order, const random_numbers& of, const array_memory<port_of_order<Order>>& to,
                 const byte_layout& side, std::span<const kernel_argument, 3> numbers, const kernel_argument* drawn,
                 const source_location& where) {
  using Port = port_of_order<Order>;
  operation_memory operation(order);
  check_memory(operation, to, memory_use::writes, "destination", where);
  check_writable(side, where);
  const random_steps steps = steps_over(side, of, where);
  if (steps.count == 0) return;
  const context<Port>& in = order.context_of();
  auto& kept = in.state(where).attached.template get_at<once_map<random_kernel<Port>>>(&random_kernels);
  const bool is_linear = steps.rank == 1 && (steps.count == 1 || steps.strides[0] == 1);
  const bool counts = drawn != nullptr;
  const std::int64_t blocks = takes_several(steps.count, in.port(where).language().coalesces) ? 4 : 1;  // of a thread
  const std::uint64_t key = (blocks > 1 ? 1U << 17 : 0U) | (counts ? 1U << 16 : 0U) |
                            static_cast<std::uint64_t>(of.kind) << 8 |
                            static_cast<std::uint64_t>(of.element.kind) << 1 | (is_linear ? 1U : 0U);
  const random_kernel<Port>& run = kept.find_or_make(key, [&] {
    return random_kernel<Port>(compile_task(in, random_source(of.kind, of.element, is_linear, counts, blocks),
                                            {.name = "yoke random"}, nullptr, where),
                               counts, where);
  });
  kernel_argument arguments[]{
      handle_argument(to.memory), {argument_kind::value, &steps, sizeof steps}, numbers[0], numbers[1], numbers[2], {}};
  if (counts) arguments[5] = *drawn;
  const std::int64_t lanes = 4 / random_words(of.kind, of.element);
  const auto lead = static_cast<std::int64_t>(of.first % static_cast<std::uint64_t>(lanes));
  const std::int64_t per_thread = lanes * blocks;
  run.fill.launch(order, launch_over((lead + steps.count + per_thread - 1) / per_thread, 256),
                  std::span<const kernel_argument>(arguments, counts ? 6 : 5), where);
  if (!counts) return;
  const std::uint64_t count = (static_cast<std::uint64_t>(steps.count) + 3) / 4 * 4;
  const kernel_argument more[]{*drawn, {argument_kind::value, &count, sizeof count}};
  run.go_on->launch(order, launch_over(1, 1), more, where);
}

extern template YOKE_API void fill_random(const stream<any_port>&, const random_numbers&, const array_memory<any_port>&,
                                          const byte_layout&, std::span<const kernel_argument, 3>,
                                          const kernel_argument*, const source_location&);

}  // namespace yoke::inline v0_1::detail

#if defined(YOKE_IMPLEMENTATION)
#include <yoke/algorithm/random_kernel.ipp>
#endif

#endif
