// SPDX-License-Identifier: MIT
// Reductions that stand inside of expressions: `y = x / pass::sum(x, along(1).keep_dims())`.
#ifndef YOKE_ARRAY_REDUCTION_REDUCED_OPERAND_HPP
#define YOKE_ARRAY_REDUCTION_REDUCED_OPERAND_HPP

#include <yoke/array/reduction/reduction_run.hpp>

#include <cstring>
#include <vector>

namespace yoke::inline v0_1::detail {

/// A reduction along axes as an operand of an expression.
template <class Op, class E, std::size_t Count, bool Keep>
struct reduced_operand {
  using operation = Op;
  using operand_type = E;
  using value_type = typename reduction_item<Op, E>::result;
  using port_type = typename E::port_type;
  using operand_tag = void;
  using reduced_tag = void;
  static_assert(Count <= E::rank, "a reduction goes along more axes than the array has");
  static constexpr bool keeps = Keep;
  static constexpr std::size_t rank = Keep ? E::rank : E::rank - Count;
  static constexpr bool is_new_value = reads_new_value<E>;
  static constexpr std::size_t inputs = 0;
  static constexpr std::size_t scalars = 0;
  static constexpr std::size_t steps = 1;
  static constexpr void add_steps(expression_step*& to) noexcept {
    to->what = expression_step::form::reduced;
    to++->type = name_of<value_type>();
  }
  static void add_structs(std::vector<struct_description>&) {}
  void add_inputs(evaluation_operand<port_type>*&) const noexcept {}
  void add_scalars(kernel_argument*&) const noexcept {}

  [[nodiscard]] std::uint32_t mask(const source_location& place) const { return axis_mask(axes.axes, E::rank, place); }
  [[nodiscard]] yoke::shape<rank> shape(const source_location& place) const {
    const yoke::shape<E::rank> given = of.shape(place);
    const std::uint32_t gone = mask(place);
    yoke::shape<rank> made;
    std::size_t to = 0;
    for (std::size_t axis = 0; axis < E::rank; ++axis) {
      const bool is_gone = (gone >> axis & 1U) != 0;
      if (!is_gone || Keep) made[to++] = is_gone ? 1 : given[axis];
    }
    return made;
  }
  [[nodiscard]] const auto& stream(const source_location& place) const { return of.stream(place); }

  E of;
  reduced_axes<Count, Keep> axes;
  std::size_t fewer;
  source_location where;
};

template <class Op, class E>
[[nodiscard]] auto as_operand(const reduction_item<Op, E>& of) {
  return reduced_operand<Op, E, E::rank, false>{of.of, every_axis<E::rank>(), 0, of.where};
}
template <class Op, class E, std::size_t Count, bool Keep>
[[nodiscard]] auto as_operand(const reduction_along<reduction_item<Op, E>, Count, Keep>& of) {
  return reduced_operand<Op, E, Count, Keep>{of.item.of, of.axes, 0, of.item.where};
}
template <class Op, class E, std::size_t Count, bool Keep>
[[nodiscard]] reduced_operand<Op, E, Count, Keep> as_operand(const reduced_operand<Op, E, Count, Keep>& of) {
  return of;
}

/// Whether two operands of one type have the same elements: they read the same memory, and no numbers.
template <class T, std::size_t Rank, class Port>
[[nodiscard]] bool is_same_operand(const array_input<T, Rank, Port>& left, const array_input<T, Rank, Port>& right) {
  return left.view.memory().memory == right.view.memory().memory && left.view.layout() == right.view.layout();
}
template <class T>
[[nodiscard]] bool is_same_operand(const scalar_input<T>& left, const scalar_input<T>& right) {
  return std::memcmp(&left.value, &right.value, sizeof left.value) == 0;
}
template <class Op, class... X>
[[nodiscard]] bool is_same_operand(const expression<Op, X...>& left, const expression<Op, X...>& right);
template <class Op, class E, std::size_t Count, bool Keep>
[[nodiscard]] bool is_same_operand(const reduced_operand<Op, E, Count, Keep>& left,
                                   const reduced_operand<Op, E, Count, Keep>& right) {
  return left.axes.axes == right.axes.axes && left.fewer == right.fewer && is_same_operand(left.of, right.of);
}
template <class Op, class... X>
[[nodiscard]] bool is_same_operand(const expression<Op, X...>& left, const expression<Op, X...>& right) {
  return [&]<std::size_t... K>(std::index_sequence<K...>) {
    return (is_same_operand(std::get<K>(left.operands()), std::get<K>(right.operands())) && ...);
  }(std::index_sequence_for<X...>());
}

/// The results of the reductions in an expression, each in a temporary. Equal reductions have one.
template <class Order>
class reduced_results {
 public:
  explicit reduced_results(const Order& order) noexcept : order_(order) {}

  /// Effects: enqueues the reductions in an operand that are not there yet. Returns: the operand with their results in
  /// their places.
  template <class E>
  [[nodiscard]] auto without_reductions(const E& of, const source_location& where) {
    if constexpr (reductions_in<E> == 0) {
      return of;
    } else if constexpr (requires { typename E::reduced_tag; }) {
      return result_of(of, where);
    } else {
      return parts_of(of, where);
    }
  }

  /// Returns: a reduction without reductions in its operand.
  template <class Op, class E>
  [[nodiscard]] auto item_of(const reduction_item<Op, E>& of, const source_location& where) {
    auto inner = without_reductions(of.of, where);
    return reduction_item<Op, decltype(inner)>{std::move(inner), of.where};
  }

 private:
  using port = port_of_order<Order>;
  template <class R>
  static constexpr char kind_of_reduction = 0;  // its address identifies the type
  struct made {
    const void* kind;
    const void* from;
    temporary_memory<Order> memory;
  };

  template <class Op, class... X>
  [[nodiscard]] auto parts_of(const expression<Op, X...>& of, const source_location& where) {
    return std::apply(
        [&](const X&... each) {
          return expression<Op, decltype(this->without_reductions(each, where))...>(
              this->without_reductions(each, where)...);
        },
        of.operands());
  }
  template <class R>
  [[nodiscard]] array_input<typename R::value_type, R::rank, port> result_of(const R& of,
                                                                             const source_location& place) {
    using value = typename R::value_type;
    const source_location& where = of.where.line() != 0 ? of.where : place;
    const array_layout<R::rank> layout(of.shape(where), sizeof(value), array_order::c, where);
    const auto view_of = [&](const temporary_memory<Order>& memory) {
      return array_input<value, R::rank, port>{
          device_view<const value, R::rank, port>(memory_of(memory.get()), of.stream(where), layout)};
    };
    for (const made& each : all_) {
      if (each.kind != &kind_of_reduction<R>) continue;
      if (is_same_operand(*static_cast<const R*>(each.from), of)) return view_of(each.memory);
    }
    const auto inner = item_of(reduction_item<typename R::operation, typename R::operand_type>{of.of, where}, where);
    temporary_memory<Order> memory(order_, (std::max)(layout.size_bytes(), sizeof(value)), where);
    const device_view<value, R::rank, port> to(memory_of(memory.get()), of.stream(where), layout);
    reduce_to<R::keeps>(order_, to, inner, of.mask(where), where, of.fewer);
    all_.push_back(made{&kind_of_reduction<R>, &of, std::move(memory)});
    return view_of(all_.back().memory);
  }

  const Order& order_;
  std::vector<made> all_{};
};

/// Effects: assigns an expression with reductions inside.
template <class Order, class T, std::size_t Rank, class Port, class E>
void evaluate_reductions(const Order& order, const device_view<T, Rank, Port>& to, const E& of,
                         const source_location& where) {
  reduced_results<Order> results(order);
  assign_in(order, to, results.without_reductions(of, where), where);
}
/// Effects: assigns a reduction whose operand may have reductions inside.
template <class Order, class T, std::size_t Rank, class Port, class Op, class E, std::size_t Count, bool Keep>
void evaluate_reduction(const Order& order, const device_view<T, Rank, Port>& to,
                        const reduced_operand<Op, E, Count, Keep>& of, const source_location& where) {
  reduced_results<Order> results(order);
  reduce_to<Keep>(order, to, results.item_of(reduction_item<Op, E>{of.of, where}, where), of.mask(where), where,
                  of.fewer);
}

}  // namespace yoke::inline v0_1::detail

#endif
