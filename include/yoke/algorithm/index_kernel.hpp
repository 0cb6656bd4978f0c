// SPDX-License-Identifier: MIT
// Helpers for taking, searching, counting and reducing lists: inputs without gaps, and kernels that a context stores.
#ifndef YOKE_ALGORITHM_INDEX_KERNEL_HPP
#define YOKE_ALGORITHM_INDEX_KERNEL_HPP

#include <yoke/algorithm/index_source.hpp>
#include <yoke/algorithm/sort.hpp>

#include <array>
#include <span>

namespace yoke::inline v0_1::detail {

/// Whether all arrays, views and expressions belong to one backend.
template <class First, class... Rest>
inline constexpr bool of_one_backend =
    (std::same_as<typename operand_of<const First&>::port_type, typename operand_of<const Rest&>::port_type> && ...);

/// Returns: how many bytes a kernel moves at once of elements of this size and alignment: 8, 4, 2 or 1.
[[nodiscard]] constexpr std::size_t moved_word(std::size_t element, std::size_t alignment) noexcept {
  std::size_t word = 8;
  while (element % word != 0 || word > alignment) word /= 2;
  return word;
}

/// Returns: the elements of an expression, calculated in a given stream instead of that of its first array.
template <class T, class Port, class E>
[[nodiscard]] auto evaluated_in(const stream<Port>& order, const E& of, const source_location& where) {
  const auto operand = as_operand(of);
  device_array<T, operand_of<const E&>::rank, Port> made(order, operand.shape(where), array_order::c, where);
  made.view(where).assign(operand, where);
  return made;
}

/// Elements without gaps in C order: an array's own memory, or a copy.
template <class T, std::size_t Rank, class Order>
struct dense_input {
  std::optional<dense_elements<T, Rank, Order>> made{};  ///< holds elements that were calculated, converted or packed
  sort_memory<port_of_order<Order>> memory{};
};
/// Returns: the view of an array, a view or an operand that stands for one; an expression itself.
template <class A>
[[nodiscard]] auto source_of(const A& of, const source_location& where) {
  if constexpr (requires {
                  typename A::operand_tag;
                  of.view.layout();
                }) {
    return of.view;
  } else if constexpr (sorted_memory<A>) {
    return view_to_sort(of, where);
  } else {
    return of;
  }
}
/// Returns: the elements of an array, a view or an expression, as `T`, for an operation. `name`: the argument's, for
/// messages.
template <class T, class Order, class A>
[[nodiscard]] auto dense_input_of(operation_memory<Order>& operation, const A& of, const char* name, bool copy,
                                  const source_location& where) {
  const Order& order = operation.order();
  const auto source = source_of(of, where);
  constexpr std::size_t rank = operand_of<const A&>::rank;
  dense_input<T, rank, Order> input;
  yoke::shape<rank> extents;
  if constexpr (sorted_memory<decltype(source)>) {
    check_memory(operation, source.memory(), memory_use::reads, name, where);
    if constexpr (std::same_as<typename decltype(source_of(of, where))::value_type, T>) {
      if (source.empty() || (!copy && is_sortable(source))) {
        input.memory = memory_to_sort(source);
        return input;
      }
    }
    extents = source.shape();
  } else {
    extents = source.shape(where);
  }
  if (volume(extents.begin(), rank) == 0) return input;
  input.made.emplace(order, extents, source.stream(where), where);
  assign_in(order, input.made->view(), source, where);
  input.memory = memory_to_sort(input.made->view());
  return input;
}
/// Whether a view may share bytes with the arrays that an array, a view or an expression reads.
template <class Order, class To, class E>
[[nodiscard]] bool shares_with(const Order& order, const To& to, const E& of, const source_location& where) {
  const auto source = source_of(of, where);
  if constexpr (sorted_memory<decltype(source)>) {
    return views_share(order, to, source, where);
  } else {
    using operand = std::remove_const_t<decltype(source)>;
    launched_operands<0, 0, operand> given(source);
    const std::span<const evaluation_operand<typename To::port_type>> inputs(given.operands, operand::inputs);
    return shares_any(order, to, inputs, where);
  }
}

/// Effects: launches a kernel that the context stores under a name and a number; `source()` returns its text.
template <class Order, class Source>
void run_index_kernel(const Order& order, const void* name, std::size_t number, const char* function,
                      const Source& source, described structs, const launch_shape& threads,
                      std::span<const kernel_argument> arguments, const source_location& where) {
  using Port = port_of_order<Order>;
  const context<Port>& in = order.context_of();
  auto& kept = in.state(where).attached.template get_at<once_map<text_kernel<Port>>>(name);
  const text_kernel<Port>& run = kept.find_or_make(number, [&] {
    return text_kernel<Port>(compile_task(in, source(), {.name = "yoke indices", .math = exact_sums}, structs, where),
                             function, where);
  });
  run.launch(order, threads, arguments, where);
}
/// Returns: a count as `std::int64_t`, limited to the greatest value of that type.
template <integer Count>
[[nodiscard]] constexpr std::int64_t clamped_count(Count count) noexcept {
  return std::cmp_greater(count, greatest_of<std::int64_t>) ? greatest_of<std::int64_t>
                                                            : static_cast<std::int64_t>(count);
}
[[nodiscard]] inline kernel_argument number_argument(const std::int64_t& value) noexcept {
  return {argument_kind::value, &value, sizeof value};
}
kernel_argument number_argument(const std::int64_t&&) = delete;

/// The arguments of a kernel in their order, up to `Most`, with the numbers that they point to.
template <std::size_t Most>
class argument_list {
 public:
  argument_list() = default;
  argument_list(const argument_list&) = delete;
  argument_list& operator=(const argument_list&) = delete;

  /// Requires: the handle lives until the launch.
  template <class Handle>
  void add_memory(const Handle& of) noexcept {
    arguments_[size_++] = handle_argument(of);
  }
  void add_number(std::int64_t value) noexcept {
    numbers_[size_] = value;
    arguments_[size_] = number_argument(numbers_[size_]);
    ++size_;
  }
  [[nodiscard]] std::span<const kernel_argument> get() const noexcept { return {arguments_.data(), size_}; }

 private:
  std::array<std::int64_t, Most> numbers_{};  // of the arguments at the same places
  std::array<kernel_argument, Most> arguments_{};
  std::size_t size_ = 0;
};

}  // namespace yoke::inline v0_1::detail

#endif
