// SPDX-License-Identifier: MIT
// Selects elements of arrays: by a mask, those that change, and where a mask holds.
#ifndef YOKE_ALGORITHM_SELECT_HPP
#define YOKE_ALGORITHM_SELECT_HPP

#include <yoke/algorithm/selection.hpp>
#include <yoke/algorithm/selection_source.hpp>
#include <yoke/array/scan.hpp>

namespace yoke::inline YOKE_ABI {

namespace detail {

/// What is selected. Its address names its kernels in a context.
struct selection_task {
  std::span<const expression_step> steps;
  selection_kind kind;
  value_type_name to;
  described structs;
};
template <selection_kind Kind, class T, class... E>
inline constexpr selection_task selection_task_of{steps_of<joined_operands<E...>>, Kind, name_of<T>(),
                                                  described_structs<joined_operands<E...>>()};

/// Effects: enqueues a selection. `operands` and `arguments` are as those of `run_scan`, with a second result, the count.
template <class Port>
void run_selection(const stream<Port>& order, const selection_task& what, const walked_shape& shape,
                   std::span<evaluation_operand<Port>> operands, std::span<kernel_argument> arguments,
                   const source_location& where) {
  const bool wide = static_cast<std::int64_t>(volume(shape.extents, shape.rank)) >= narrow_limit();
  const value_type_name counter = wide ? value_kind::uint64 : value_kind::uint32;
  const auto make = [&](const reduction_plan& plan, std::size_t inputs, bool back) {
    const scan_form form{.values = {.steps = what.steps, .slots = plan.slots, .inputs = inputs, .wide = plan.wide},
                         .accumulator = counter,
                         .join = "a + b",
                         .neutral = "0",
                         .rank = plan.axes.reduced.rank,
                         .linear = plan.linear,
                         .look_back = back};
    return scan_kernels<Port>(compile_task(order.context_of(), selection_source(form, what.kind, what.to),
                                           {.name = "yoke selection"}, what.structs, where),
                              false, back, where);
  };
  // Kernels that count in 64 bits have a name of their own.
  const void* const name = wide ? static_cast<const void*>(&what.kind) : &what;
  run_scan_kernels<Port>(order, name, counter.bytes, what.kind == selection_kind::parted, 2, shape, operands, arguments,
                         where, make);
}

#if !defined(YOKE_HEADER_ONLY)
extern template YOKE_API void run_selection(const stream<any_port>&, const selection_task&, const walked_shape&,
                                            std::span<evaluation_operand<any_port>>, std::span<kernel_argument>,
                                            const source_location&);
#endif

/// Effects: enqueues a selection. Returns: what is selected.
template <selection_kind Kind, template <class, class> class Made, class T, class... E>
[[nodiscard]] auto selected(const source_location& where, const E&... of) {
  using joined = joined_operands<E...>;
  using port = typename joined::port_type;
  static_assert(joined::inputs < most_inputs, "a selection reads at most 15 arrays");
  const auto extents = shape_of_all(where, of...);
  const auto& order = first_of(of...).stream(where);
  constexpr std::size_t rank = joined::rank;
  yoke::shape<1> room;
  room[0] = volume(extents.begin(), rank);
  device_array<T, 1, port> elements(order, room, array_order::c, where);
  device_value<std::int64_t, port> count(order, where);
  if (elements.empty()) {
    count.set(0, where);
    return Made<T, port>(std::move(elements), std::move(count));
  }
  launched_operands<2, 2, E...> given(of...);
  given.operands[joined::inputs] = {elements.view(where).memory(), elements.layout(), name_of<T>()};
  const typename port::memory_handle total = count.array().native_handle();
  given.arguments[1] = handle_argument(total);
  run_selection<port>(order, selection_task_of<Kind, T, E...>, {extents.begin(), rank, (1U << rank) - 1},
                      given.operands, given.arguments, where);
  return Made<T, port>(std::move(elements), std::move(count));
}

/// Elements and a mask, at least one of them an array.
template <class A, class Mask>
concept masked = array_operand<A> && array_operand<Mask>;

}  // namespace detail

// Each takes arrays, views or expressions, calculates them on the way, and keeps the order of elements, in C order. A mask is an
// array or an expression of the elements' shape: what is not 0 holds. The result is in the stream of the first array.
// Throws: as `evaluate`; `logic_error` for a mask of another shape.

/// The elements where a mask holds. Example: `auto large = yoke::copy_if(a, a > 3);`
template <class A, class Mask>
  requires detail::masked<A, Mask>
[[nodiscard]] auto copy_if(A&& of, Mask&& mask, const source_location& where = source_location::current()) {
  return detail::selected<detail::selection_kind::kept, selection, typename std::remove_cvref_t<A>::value_type>(
      where, detail::as_operand(std::forward<A>(of)), detail::as_operand(std::forward<Mask>(mask)));
}
/// The elements where it does not hold. Example: `auto rest = yoke::remove_if(a, a > 3);`
template <class A, class Mask>
  requires detail::masked<A, Mask>
[[nodiscard]] auto remove_if(A&& of, Mask&& mask, const source_location& where = source_location::current()) {
  return detail::selected<detail::selection_kind::dropped, selection, typename std::remove_cvref_t<A>::value_type>(
      where, detail::as_operand(std::forward<A>(of)), detail::as_operand(std::forward<Mask>(mask)));
}
/// All elements: those where a mask holds, then the others. Both keep their order.
/// Example: `auto both = yoke::partition(a, a > 3); auto small = both.rest();`
template <class A, class Mask>
  requires detail::masked<A, Mask>
[[nodiscard]] auto partition(A&& of, Mask&& mask, const source_location& where = source_location::current()) {
  return detail::selected<detail::selection_kind::parted, parted, typename std::remove_cvref_t<A>::value_type>(
      where, detail::as_operand(std::forward<A>(of)), detail::as_operand(std::forward<Mask>(mask)));
}
/// The elements that differ from the one before: of sorted elements each once. NaN differs from itself.
/// Example: `auto values = yoke::unique(yoke::sorted(a));`
template <class A>
  requires detail::array_operand<A>
[[nodiscard]] auto unique(A&& of, const source_location& where = source_location::current()) {
  using value = typename std::remove_cvref_t<A>::value_type;
  static_assert(detail::real_element<value>, "unique compares real numbers and bools");
  if constexpr (detail::real_element<value>) {
    return detail::selected<detail::selection_kind::changes, selection, value>(where,
                                                                               detail::as_operand(std::forward<A>(of)));
  }
}
/// The indices where a mask holds, ascending; of several axes, in C order.
/// Example: `auto where_large = yoke::indices_where(a > 3);`
template <class Mask>
  requires detail::array_operand<Mask>
[[nodiscard]] auto indices_where(Mask&& mask, const source_location& where = source_location::current()) {
  return detail::selected<detail::selection_kind::places, selection, std::int64_t>(
      where, detail::as_operand(std::forward<Mask>(mask)));
}

}  // namespace yoke::inline YOKE_ABI

#if defined(YOKE_BODIES)
#include <yoke/algorithm/impl/select.ipp>
#endif

#endif
