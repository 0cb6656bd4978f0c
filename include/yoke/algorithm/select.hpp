// SPDX-License-Identifier: MIT
// Selects elements of arrays by a mask or by a change of value, and the indices where a mask holds.
#ifndef YOKE_ALGORITHM_SELECT_HPP
#define YOKE_ALGORITHM_SELECT_HPP

#include <yoke/algorithm/selection.hpp>
#include <yoke/algorithm/selection_source.hpp>
#include <yoke/array/reduction/scan.hpp>

namespace yoke::inline v0_1 {

namespace detail {

/// The kind and operands of a selection. A context stores the kernels under its address.
struct selection_task {
  std::span<const expression_step> steps;
  selection_kind kind;
  value_type_name to;
  described structs;
};
template <selection_kind Kind, class T, class... E>
inline constexpr selection_task selection_task_of{steps_of<joined_operands<E...>>, Kind, name_of<T>(),
                                                  described_structs<joined_operands<E...>>()};

/// Effects: enqueues a selection. `operands` and `arguments` are as for `run_scan`, with a second result: the count.
template <class Order>
void run_selection(const Order& order, const selection_task& what, const walked_shape& shape,
                   std::span<evaluation_operand<port_of_order<Order>>> operands, std::span<kernel_argument> arguments,
                   const source_location& where) {
  using Port = port_of_order<Order>;
  const bool wide = static_cast<std::int64_t>(volume(shape.extents, shape.rank)) >= narrow_limit();
  const value_type_name counter = wide ? value_kind::uint64 : value_kind::uint32;
  const auto make = [&](const reduction_plan& plan, std::size_t inputs, scan_way way) {
    const scan_form form{.values = {.steps = what.steps, .slots = plan.slots, .inputs = inputs, .wide = plan.wide},
                         .accumulator = counter,
                         .join = "a + b",
                         .neutral = "0",
                         .rank = plan.axes.reduced.rank,
                         .linear = plan.linear,
                         .way = way};
    return scan_kernels<Port>(compile_task(order.context_of(), selection_source(form, what.kind, what.to),
                                           {.name = "yoke selection"}, what.structs, where),
                              false, way, where);
  };
  // Kernels that count in 64 bits have a second name, the address of `kind`.
  const void* const name = wide ? static_cast<const void*>(&what.kind) : &what;
  run_scan_kernels<Order>(order, name, counter.bytes, what.kind == selection_kind::parted, false, 2, shape, operands,
                          arguments, where, make);
}

extern template YOKE_API void run_selection(const stream<any_port>&, const selection_task&, const walked_shape&,
                                            std::span<evaluation_operand<any_port>>, std::span<kernel_argument>,
                                            const source_location&);

/// A selection and its operands.
template <selection_kind Kind, template <class, class> class Made, class T, class... E>
class selection_item {
  using joined = joined_operands<E...>;
  using port = typename joined::port_type;
  static_assert(joined::inputs < most_inputs, "a selection reads at most 15 arrays");

 public:
  using selection_tag = void;
  using value_type = T;
  using result = Made<T, port>;
  static constexpr bool keeps_all = Kind == selection_kind::parted;

  explicit selection_item(E... of) : of_(std::move(of)...) {}

  /// Effects: enqueues the selection, which writes `elements` and `count`. Throws: `logic_error` where `elements` has
  /// less room than may be selected.
  template <class Order>
  void select_in(const Order& order, const device_view<T, 1, port>& elements,
                 const device_view<std::int64_t, 0, port>& count, const source_location& where) const {
    const auto extents = extents_of(where);
    const std::size_t room = volume(extents.begin(), joined::rank);
    operation_memory operation(order);
    check_memory(operation, elements.memory(), memory_use::writes, "elements", where);
    check_memory(operation, count.memory(), memory_use::writes, "count", where);
    if (elements.size() < room || (keeps_all && elements.size() != room))
      throw_selection_room(elements.size(), room, keeps_all, where);
    if (room == 0) return fill_view(order, count, std::int64_t{0}, where);
    if constexpr ((reductions_in<E> || ...)) {
      reduced_results<Order> inner(order);
      const auto made = []<class... X>(X... of) { return selection_item<Kind, Made, T, X...>(of...); };
      std::apply(
          [&](const E&... of) {
            made(inner.without_reductions(of, where)...).select_in(order, elements, count, where);
          },
          of_);
    } else {
      std::apply(
          [&](const E&... of) {
            launched_operands<2, 2, E...> given(of...);
            const auto inputs = std::span<const evaluation_operand<port>>(given.operands, joined::inputs);
            const bool in_place = !shares_any(order, elements, inputs, where);
            // A mask may read the count, too.
            const bool is_read = shares_any(order, count, inputs, where);
            std::optional<dense_elements<std::int64_t, 0, Order>> counted;
            if (is_read) counted.emplace(order, count.shape(), count.stream(where), where);
            const auto total = is_read ? counted->view() : count;
            write_dense(
                order, elements.part_at(where, slice(0, static_cast<std::ptrdiff_t>(room))), in_place,
                [&](const auto& dense) {
                  // The copy from the temporary includes elements that are not selected; they must be initialised.
                  if (!in_place) fill(dense.memory().span(), std::byte{0}, order, where);
                  given.operands[joined::inputs] = {dense.memory(), dense.layout(), name_of<T>()};
                  given.arguments[1] = handle_argument(total.memory().memory);
                  run_selection<Order>(order, selection_task_of<Kind, T, E...>,
                                       {extents.begin(), joined::rank, (1U << joined::rank) - 1}, given.operands,
                                       given.arguments, where);
                },
                where);
            if (is_read) assign_in(order, count, total, where);
          },
          of_);
    }
  }
  /// Returns: the selected elements, in the stream of the first array.
  [[nodiscard]] result made(const source_location& where) const {
    const auto& order = std::get<0>(of_).stream(where);
    const auto extents = extents_of(where);
    yoke::shape<1> room;
    room[0] = volume(extents.begin(), joined::rank);
    device_array<T, 1, port> elements(order, room, array_order::c, where);
    device_value<std::int64_t, port> count(order, where);
    select_in(order, elements.view(where), count.array().view(where), where);
    return result(std::move(elements), std::move(count));
  }

 private:
  [[nodiscard]] auto extents_of(const source_location& where) const {
    return std::apply([&](const E&... of) { return shape_of_all(where, of...); }, of_);
  }
  std::tuple<E...> of_;
};
template <selection_kind Kind, template <class, class> class Made, class T, class... A>
[[nodiscard]] auto selection_of(A&&... of) {
  return selection_item<Kind, Made, T, operand_of<A>...>(as_operand(std::forward<A>(of))...);
}

/// Elements and a mask, at least one of them an array.
template <class A, class Mask>
concept masked = array_operand<A> && array_operand<Mask>;

}  // namespace detail

namespace pass {
template <class A, class Mask>
  requires detail::masked<A, Mask>
[[nodiscard]] auto copy_if(A&& of, Mask&& mask) {
  return detail::selection_of<detail::selection_kind::kept, selection, typename std::remove_cvref_t<A>::value_type>(
      std::forward<A>(of), std::forward<Mask>(mask));
}
template <class A, class Mask>
  requires detail::masked<A, Mask>
[[nodiscard]] auto remove_if(A&& of, Mask&& mask) {
  return detail::selection_of<detail::selection_kind::dropped, selection, typename std::remove_cvref_t<A>::value_type>(
      std::forward<A>(of), std::forward<Mask>(mask));
}
template <class A, class Mask>
  requires detail::masked<A, Mask>
[[nodiscard]] auto partition(A&& of, Mask&& mask) {
  return detail::selection_of<detail::selection_kind::parted, parted, typename std::remove_cvref_t<A>::value_type>(
      std::forward<A>(of), std::forward<Mask>(mask));
}
template <class A>
  requires detail::array_operand<A>
[[nodiscard]] auto unique(A&& of) {
  using value = typename std::remove_cvref_t<A>::value_type;
  static_assert(detail::real_element<value>, "unique compares real numbers and bools");
  return detail::selection_of<detail::selection_kind::changes, selection, value>(std::forward<A>(of));
}
template <class Mask>
  requires detail::array_operand<Mask>
[[nodiscard]] auto indices_where(Mask&& mask) {
  return detail::selection_of<detail::selection_kind::places, selection, std::int64_t>(std::forward<Mask>(mask));
}
}  // namespace pass

// Each function takes arrays, views or expressions, calculates them on the way, and keeps the C order of the elements.
// A mask is an array or an expression of the elements' shape, and holds where it is not 0. The result is in the stream
// of the first array. `selection.assign(pass::copy_if(a, a > 3))` selects into an existing selection, in its stream,
// and `selection.bind(record) = pass::copy_if(a, a > 3)` does so at each launch of a graph.
// Throws: as `evaluate`; `logic_error` for a mask of another shape.

/// The elements where a mask holds. Example: `auto large = yoke::copy_if(a, a > 3);`
template <class A, class Mask>
  requires detail::masked<A, Mask>
[[nodiscard]] auto copy_if(A&& of, Mask&& mask, const source_location& where = source_location::current()) {
  return pass::copy_if(std::forward<A>(of), std::forward<Mask>(mask)).made(where);
}
/// The elements where a mask does not hold. Example: `auto rest = yoke::remove_if(a, a > 3);`
template <class A, class Mask>
  requires detail::masked<A, Mask>
[[nodiscard]] auto remove_if(A&& of, Mask&& mask, const source_location& where = source_location::current()) {
  return pass::remove_if(std::forward<A>(of), std::forward<Mask>(mask)).made(where);
}
/// All elements: those where a mask holds, then the others. Both keep their order.
/// Example: `auto both = yoke::partition(a, a > 3); auto small = both.rest();`
template <class A, class Mask>
  requires detail::masked<A, Mask>
[[nodiscard]] auto partition(A&& of, Mask&& mask, const source_location& where = source_location::current()) {
  return pass::partition(std::forward<A>(of), std::forward<Mask>(mask)).made(where);
}
/// The elements that differ from the one before; for sorted elements each value once. NaN differs from itself.
/// Example: `auto values = yoke::unique(yoke::sorted(a));`
template <class A>
  requires detail::array_operand<A>
[[nodiscard]] auto unique(A&& of, const source_location& where = source_location::current()) {
  static_assert(detail::real_element<typename std::remove_cvref_t<A>::value_type>,
                "unique compares real numbers and bools");
  if constexpr (detail::real_element<typename std::remove_cvref_t<A>::value_type>) {
    return pass::unique(std::forward<A>(of)).made(where);
  }
}
/// The indices where a mask holds, ascending; with several axes they count in C order.
/// Example: `auto where_large = yoke::indices_where(a > 3);`
template <class Mask>
  requires detail::array_operand<Mask>
[[nodiscard]] auto indices_where(Mask&& mask, const source_location& where = source_location::current()) {
  return pass::indices_where(std::forward<Mask>(mask)).made(where);
}

}  // namespace yoke::inline v0_1

#if defined(YOKE_IMPLEMENTATION)
#include <yoke/algorithm/select.ipp>
#endif

#endif
