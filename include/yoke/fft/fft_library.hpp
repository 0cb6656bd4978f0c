// SPDX-License-Identifier: MIT
// Fourier transforms by the vendors' libraries.
#ifndef YOKE_FFT_FFT_LIBRARY_HPP
#define YOKE_FFT_FFT_LIBRARY_HPP

#include <yoke/algorithm/libraries.hpp>
#include <yoke/array/geometry/byte_layout.hpp>

#include <cstdint>
#include <span>
#include <vector>

namespace yoke::inline v0_1::detail {

/// A transform for a library, which is called once for each place of the axes before its batches.
struct placed_transform {
  library_transform of{};
  std::int64_t to_first = 0, from_first = 0;  ///< in elements
  std::int64_t calls = 1, to_step = 0, from_step = 0;
};
/// The most calls of a library for one transform: with more, own kernels are faster.
inline constexpr std::int64_t most_library_calls = 16;
/// Effects: sets a transform along axes, of which real elements are along the last one. `length`: its points.
/// Returns: false for one that no library has: with elements left out or added, with axes whose strides do not nest, or
/// that go backwards.
[[nodiscard]] YOKE_API bool set_library_transform(placed_transform& to, const byte_layout& output,
                                                  const byte_layout& input, std::span<const std::size_t> axes,
                                                  std::int64_t length, bool real_in, bool real_out, bool in_double);

/// A plan that a call uses.
class taken_plan {
 public:
  taken_plan(math_libraries& from, std::uintptr_t stream, const library_transform& of, const source_location& where)
      : from_(from), plan_(from.take_plan(stream, of, where)) {}
  taken_plan(const taken_plan&) = delete;
  taken_plan& operator=(const taken_plan&) = delete;
  ~taken_plan() {
    if (plan_.plan != nullptr) from_.give_back(plan_);
  }
  [[nodiscard]] const library_plan& get() const noexcept { return plan_; }

 private:
  math_libraries& from_;
  library_plan plan_;
};

/// Effects: records a transform by a library as a node for each call. The graph keeps the plan. Returns: false, with
/// nothing recorded, if own kernels must do it. Throws: `error` of the graph.
template <class Order>
[[nodiscard]] bool record_library_transform(const Order& order, math_libraries& by, const placed_transform& what,
                                            std::uint64_t to, std::uint64_t to_step, std::uint64_t from,
                                            std::uint64_t from_step, bool inverse, const source_location& where) {
  using Handle = typename port_of_order<Order>::graph_handle;
  // Making a plan is no part of the capture.
  shared<taken_plan> plan;
  std::uint64_t area = 0;
  try {
    plan = detail::make_shared<taken_plan>(by, std::uintptr_t{0}, what.of, where);
    if (plan->get().plan == nullptr) return false;
    if (plan->get().workspace_bytes != 0) {
      const temporary_memory<Order> workspace(order, plan->get().workspace_bytes, where);
      area = number_of_handle(workspace.get().native_handle());
    }
  } catch (const error&) {
    return false;
  }
  std::vector<std::uintptr_t> graphs;
  graphs.reserve(static_cast<std::size_t>(what.calls));
  try {
    for (std::uint64_t call = 0; call < static_cast<std::uint64_t>(what.calls); ++call) {
      graphs.push_back(by.record(plan->get(), to + call * to_step, from + call * from_step, area, inverse, where));
    }
  } catch (const error&) {
    for (const std::uintptr_t each : graphs) order.end_graph(handle_of_number<Handle>(each), where);
    return false;
  }
  order.keep(kept_alive(plan));
  for (const std::uintptr_t each : graphs) order.add_graph(handle_of_number<Handle>(each), where);
  return true;
}

/// Effects: enqueues a transform by a library, which may overwrite complex input of real output.
/// Returns: false, with nothing enqueued, if the library has no such transform. Throws: `error`.
template <class Order, class Handle>
[[nodiscard]] bool run_library_transform(const Order& order, math_libraries& by, const placed_transform& what,
                                         const Handle& to, const Handle& from, bool inverse,
                                         const source_location& where) {
  const std::uint64_t part = what.of.in_double ? sizeof(double) : sizeof(float);
  const std::uint64_t to_element = what.of.real_out ? part : 2 * part;
  const std::uint64_t from_element = what.of.real_in ? part : 2 * part;
  const auto address = [](const Handle& memory, std::int64_t first, std::uint64_t element) {
    return number_of_handle(memory) + static_cast<std::uint64_t>(first) * element;
  };
  // Libraries read and write pairs of real numbers.
  const std::uint64_t output = address(to, what.to_first, to_element);
  const std::uint64_t input = address(from, what.from_first, from_element);
  const auto is_aligned = [&](std::uint64_t first, std::int64_t step, std::uint64_t element) {
    return first % (2 * part) == 0 && (what.calls == 1 || static_cast<std::uint64_t>(step) * element % (2 * part) == 0);
  };
  if (!is_aligned(output, what.to_step, to_element) || !is_aligned(input, what.from_step, from_element)) return false;
  if constexpr (takes_library_graphs<Order>) {
    return record_library_transform(order, by, what, output, static_cast<std::uint64_t>(what.to_step) * to_element,
                                    input, static_cast<std::uint64_t>(what.from_step) * from_element, inverse, where);
  } else {
    const std::uintptr_t stream = number_of_handle(order.native_handle());
    const taken_plan plan(by, stream, what.of, where);
    if (plan.get().plan == nullptr) return false;
    temporary_memory<Order> workspace;
    std::uint64_t area = 0;
    if (plan.get().workspace_bytes != 0) {
      workspace = temporary_memory<Order>(order, plan.get().workspace_bytes, where);
      area = number_of_handle(workspace.get().native_handle());
    }
    for (std::int64_t call = 0; call < what.calls; ++call) {
      by.transform(plan.get(), stream, output + static_cast<std::uint64_t>(call * what.to_step) * to_element,
                   input + static_cast<std::uint64_t>(call * what.from_step) * from_element, area, inverse, where);
    }
    return true;
  }
}

}  // namespace yoke::inline v0_1::detail

#if defined(YOKE_IMPLEMENTATION)
#include <yoke/fft/fft_library.ipp>
#endif

#endif
