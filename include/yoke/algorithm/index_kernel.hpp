// SPDX-License-Identifier: MIT
// What taking, searching, counting and reducing lists share: inputs without gaps, and kernels that a context keeps.
#ifndef YOKE_ALGORITHM_INDEX_KERNEL_HPP
#define YOKE_ALGORITHM_INDEX_KERNEL_HPP

#include <yoke/algorithm/index_source.hpp>
#include <yoke/algorithm/sort.hpp>

namespace yoke::inline YOKE_ABI::detail {

/// Whether arrays, views and expressions are of one backend.
template <class First, class... Rest>
inline constexpr bool of_one_backend =
    (std::same_as<typename operand_of<const First&>::port_type, typename operand_of<const Rest&>::port_type> && ...);

/// Returns: the elements of an expression, calculated in the order of a stream, not in that of its first array.
template <class T, class Port, class E>
[[nodiscard]] auto evaluated_in(const stream<Port>& order, const E& of, const source_location& where) {
  const auto operand = as_operand(of);
  device_array<T, operand_of<const E&>::rank, Port> made(order, operand.shape(where), array_order::c, where);
  made.view(where).assign(operand, where);
  return made;
}

/// Elements without gaps in C order: those of an array as they are, or a copy.
template <class T, std::size_t Rank, class Port>
struct dense_input {
  device_array<T, Rank, Port> made{};  ///< where the elements are calculated, converted or moved together
  sort_memory<Port> memory{};
};
/// Returns: the elements of an array, a view or an expression, as `T`, in the order of a stream. `name` is that of the argument.
template <class T, class Port, class A>
[[nodiscard]] auto dense_input_of(const stream<Port>& order, const A& of, const char* name, bool copy,
                                  const source_location& where) {
  constexpr std::size_t rank = operand_of<const A&>::rank;
  dense_input<T, rank, Port> input;
  if constexpr (sorted_memory<A>) {
    const auto view = view_to_sort(of, where);
    check_memory(order, view.memory(), name, where);
    using element = std::remove_const_t<typename std::remove_cvref_t<decltype(view)>::element_type>;
    if constexpr (std::same_as<element, T>) {
      if (!copy && is_sortable(view)) {
        input.memory = memory_to_sort(view);
        return input;
      }
    }
    input.made = device_array<T, rank, Port>(order, view.shape(), array_order::c, where);
    input.made.view(where).assign(view.bind(order), where);
  } else {
    input.made = evaluated_in<T>(order, of, where);
  }
  input.memory = memory_to_sort(input.made.view(where));
  return input;
}

/// Effects: launches a kernel that the context keeps under a name and a number; `source()` writes it.
template <class Port, class Source>
void run_index_kernel(const stream<Port>& order, const void* name, std::size_t number, const char* function,
                      const Source& source, described structs, const launch_shape& threads,
                      std::span<const kernel_argument> arguments, const source_location& where) {
  const context<Port>& in = order.context_of();
  auto& kept = in.state(where).attached.template get_at<once_map<text_kernel<Port>>>(name);
  const text_kernel<Port>& run = kept.find_or_make(number, [&] {
    return text_kernel<Port>(compile_task(in, source(), {.name = "yoke indices", .math = exact_sums}, structs, where),
                             function, where);
  });
  run.launch(order, threads, arguments, where);
}
/// Returns: a count as `std::int64_t`; what that does not hold is its greatest value.
template <integer Count>
[[nodiscard]] constexpr std::int64_t clamped_count(Count count) noexcept {
  return std::cmp_greater(count, greatest_of<std::int64_t>) ? greatest_of<std::int64_t>
                                                            : static_cast<std::int64_t>(count);
}
[[nodiscard]] inline kernel_argument number_argument(const std::int64_t& value) noexcept {
  return {argument_kind::value, &value, sizeof value};
}
kernel_argument number_argument(const std::int64_t&&) = delete;

}  // namespace yoke::inline YOKE_ABI::detail

#endif
