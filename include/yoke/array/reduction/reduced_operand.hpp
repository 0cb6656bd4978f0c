// SPDX-License-Identifier: MIT
// Reductions that stand inside of expressions: `y = x / pass::sum(x, along(1).keep_dims())`.
#ifndef YOKE_ARRAY_REDUCTION_REDUCED_OPERAND_HPP
#define YOKE_ARRAY_REDUCTION_REDUCED_OPERAND_HPP

#include <yoke/array/reduction/row_run.hpp>

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

template <class R>
inline constexpr char kind_of_reduction = 0;  // its address identifies the type

/// The sizes of all reductions in an operand, and of those in their operands.
struct row_totals {
  std::size_t steps = 0;
  std::size_t stages = 0;
  std::size_t inputs = 0;
  std::size_t scalars = 0;
  std::size_t rank = 0;     ///< of their operands
  bool is_one_kind = true;  ///< their operands have the same rank, and the results may stay in the kernel
  bool keeps = true;        ///< those that stand in no other keep their axes
  constexpr void add(const row_totals& more) noexcept {
    if (more.stages == 0) return;
    is_one_kind = is_one_kind && more.is_one_kind && (stages == 0 || rank == more.rank);
    keeps = keeps && more.keeps;
    rank = more.rank;
    steps += more.steps;
    stages += more.stages;
    inputs += more.inputs;
    scalars += more.scalars;
  }
};
template <class E>
struct rows_in {
  static constexpr row_totals totals{};
};
template <class Op, class... X>
struct rows_in<expression<Op, X...>> {
  static constexpr row_totals totals = [] {
    row_totals made;
    (made.add(rows_in<X>::totals), ...);
    return made;
  }();
};
template <class Op, class E, std::size_t Count, bool Keep>
struct rows_in<reduced_operand<Op, E, Count, Keep>> {
  static constexpr row_totals totals = [] {
    row_totals made{.steps = E::steps,
                    .stages = 1,
                    .inputs = E::inputs,
                    .scalars = E::scalars,
                    .rank = E::rank,
                    .is_one_kind = !has_index(Op::by) && rows_in<E>::totals.keeps};
    made.add(rows_in<E>::totals);
    made.keeps = Keep;
    return made;
  }();
};

/// Writes the steps of an expression's reductions, and then its own.
struct row_writer {
  expression_step* step;
  row_stage* stage;
  const expression_step* first_step;
  std::uint8_t stages = 0;

  /// Effects: writes the reductions in `E`; `numbers` gets the number of each that stands in no other.
  template <class E>
  constexpr void add_reductions(std::uint8_t*& numbers) {
    if constexpr (requires { typename E::reduced_tag; }) {
      using of = typename E::operand_type;
      std::uint8_t inner[most_row_stages]{};
      std::uint8_t* at = inner;
      add_reductions<of>(at);
      const auto begin = static_cast<std::size_t>(step - first_step);
      add_steps<of>(inner);
      stage->field = reduction_item<typename E::operation, of>::field;  // member by member: nvcc misreads braces here
      stage->first = begin;
      stage++->end = static_cast<std::size_t>(step - first_step);
      *numbers++ = stages++;
    } else {
      add_parts<E>(numbers, std::type_identity<E>());
    }
  }
  template <class E>
  constexpr void add_steps(const std::uint8_t* numbers) {
    expression_step* each = step;
    E::add_steps(step);
    for (; each != step; ++each) {
      if (each->what == expression_step::form::reduced) each->arity = *numbers++;
    }
  }

 private:
  template <class E, class Op, class... X>
  constexpr void add_parts(std::uint8_t*& numbers, std::type_identity<expression<Op, X...>>) {
    (add_reductions<X>(numbers), ...);
  }
  template <class E, class Other>
  constexpr void add_parts(std::uint8_t*&, Other) {}
};
template <class E>
struct row_program {
  static constexpr row_totals totals = rows_in<E>::totals;
  std::array<expression_step, totals.steps + E::steps> steps{};
  std::array<row_stage, totals.stages> stages{};
  constexpr row_program() {
    std::uint8_t numbers[most_row_stages]{};
    std::uint8_t* at = numbers;
    row_writer to{steps.data(), stages.data(), steps.data()};
    to.template add_reductions<E>(at);
    to.template add_steps<E>(numbers);
  }
};
template <class E>
inline constexpr row_program<E> row_program_of{};
template <class E, class To>
inline constexpr row_task row_task_of{row_program_of<E>.steps, row_program_of<E>.stages, name_of<To>()};

/// Collects what a kernel of rows reads.
template <class Port>
struct row_reader {
  evaluation_operand<Port>* operand;
  kernel_argument* number;
  row_request& request;
  const source_location& where;
  bool fits = true;
  std::size_t stages = 0;
  const void* kinds[most_row_stages]{};
  const void* from[most_row_stages]{};
  std::size_t fewer[most_row_stages]{};

  template <class E>
  void add_reductions(const E& of) {
    if constexpr (requires { typename E::reduced_tag; }) {
      add_reductions(of.of);
      add_stage(of);
      of.of.add_inputs(operand);
      of.of.add_scalars(number);
    } else if constexpr (requires { typename E::expression_tag; }) {
      std::apply([&](const auto&... each) { (add_reductions(each), ...); }, of.operands());
    }
  }

 private:
  template <class R>
  void add_stage(const R& of) {
    const auto extents = of.of.shape(where);
    fits = fits && std::equal(extents.begin(), extents.begin() + request.shape.rank, request.shape.extents) &&
           of.mask(where) == request.shape.axes;
    if constexpr (R::operation::by == reduction_kind::mean_square) {
      std::int64_t count = 1;
      for (std::size_t axis = 0; axis < request.shape.rank; ++axis) {
        if ((request.shape.axes >> axis & 1U) != 0) count *= static_cast<std::int64_t>(extents[axis]);
      }
      const std::int64_t divisor = divisor_of(count, of.fewer);
      fits = fits && (request.elements == 0 || request.elements == divisor) && divisor != 0;
      request.elements = divisor;
    }
    using inner = typename R::operand_type;
    const void* const kind = &kind_of_reduction<reduction_item<typename R::operation, inner>>;
    std::size_t same = 0;
    while (same < stages && !(kinds[same] == kind && fewer[same] == of.fewer &&
                              is_same_operand(*static_cast<const inner*>(from[same]), of.of))) {
      ++same;
    }
    request.same[stages] = static_cast<std::uint8_t>(same);
    kinds[stages] = kind;
    fewer[stages] = of.fewer;
    from[stages++] = &of.of;
  }
};
/// Returns: the first of the reductions in an operand.
template <class E>
[[nodiscard]] const auto& first_reduction(const E& of) {
  if constexpr (requires { typename E::reduced_tag; }) {
    return of;
  } else {
    constexpr std::size_t first = []<class Op, class... X>(std::type_identity<expression<Op, X...>>) {
      constexpr std::size_t counts[]{reductions_in<X>...};
      std::size_t at = 0;
      while (counts[at] == 0) ++at;
      return at;
    }(std::type_identity<E>());
    return first_reduction(std::get<first>(of.operands()));
  }
}

/// Whether an expression may be evaluated by a kernel of rows.
template <class E, class T>
inline constexpr bool may_be_rows = [] {
  constexpr row_totals totals = rows_in<E>::totals;
  if constexpr (totals.is_one_kind && totals.stages <= most_row_stages && totals.rank > 0 &&
                totals.inputs + E::inputs <= most_row_inputs && !registered_struct<T>) {
    return std::none_of(row_program_of<E>.steps.begin(), row_program_of<E>.steps.end(),
                        [](const expression_step& each) { return each.type.kind == value_kind::structure; });
  } else {
    return false;
  }
}();
/// Effects: evaluates an expression with reductions inside, or a reduction of one, by one kernel, if that is better.
/// Returns: whether it did. Throws: as `run_rows`.
template <class Order, class T, std::size_t Rank, class Port, class E>
[[nodiscard]] bool evaluate_rows(const Order& order, const device_view<T, Rank, Port>& to, const E& of,
                                 const source_location& where) {
  constexpr row_totals totals = rows_in<E>::totals;
  const auto& first = first_reduction(of);
  const auto extents = first.of.shape(where);
  row_request request;
  request.shape.extents = extents.begin();
  request.shape.rank = totals.rank;
  request.shape.axes = first.mask(where);
  const bool is_whole =
      Rank == totals.rank && std::equal(extents.begin(), extents.begin() + totals.rank, to.shape().begin());
  // The axes of the destination, of an extent of 1 where the rows are.
  std::size_t sizes[totals.rank];
  std::ptrdiff_t strides[totals.rank];
  std::size_t next = 0;
  for (std::size_t axis = 0; axis < totals.rank; ++axis) {
    const bool is_reduced = (request.shape.axes >> axis & 1U) != 0;
    const bool is_there = is_whole || !is_reduced || Rank == totals.rank;
    if (is_there && next == Rank) return false;
    sizes[axis] = is_there ? to.shape().begin()[next] : 1;
    strides[axis] = is_there ? to.layout().axes().strides[next] : 0;
    next += is_there ? 1 : 0;
    if (sizes[axis] != (is_whole || !is_reduced ? extents[axis] : 1)) return false;
  }
  if (next != Rank) return false;
  request.one = !is_whole;
  if (is_whole && !totals.keeps) return false;  // a result belongs to other elements than those of its row
  if constexpr (totals.keeps ? E::rank == totals.rank : E::inputs == 0) {
    const auto own = of.shape(where);
    const bool is_own = std::equal(own.begin(), own.begin() + E::rank, to.shape().begin(), to.shape().begin() + Rank);
    if (!is_own) return false;
    evaluation_operand<Port> operands[totals.inputs + E::inputs + 1]{};
    kernel_argument arguments[1 + totals.inputs + E::inputs + totals.scalars + E::scalars + 1]{};
    row_reader<Port> reader{operands, arguments + 1 + totals.inputs + E::inputs, request, where};
    reader.add_reductions(of);
    of.add_inputs(reader.operand);
    of.add_scalars(reader.number);
    if (!reader.fits) return false;
    evaluation_operand<Port>& last = operands[totals.inputs + E::inputs];
    last.memory = to.memory();
    last.side = byte_layout(to.layout());
    last.side.axes.extents = sizes;
    last.side.axes.strides = strides;
    last.side.axes.rank = totals.rank;
    last.type = name_of<T>();
    return run_rows<Order>(order, row_task_of<E, T>, request, operands, arguments, where);
  } else {
    return false;
  }
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
  [[nodiscard]] auto item_of(const E& of, const source_location& where) {
    auto inner = without_reductions(of, where);
    return reduction_item<Op, decltype(inner)>{std::move(inner), where};
  }

 private:
  using port = port_of_order<Order>;
  struct made {
    const void* kind;
    const void* from;
    std::uint32_t mask;
    std::size_t fewer;
    temporary_memory<Order> memory;
  };

  template <class Op, class... X>
  [[nodiscard]] auto parts_of(const expression<Op, X...>& of, const source_location& where) {
    reduced_results& self = *this;  // nvcc takes no `this` in the lambda's types
    return std::apply(
        [&](const X&... each) {
          return expression<Op, decltype(self.without_reductions(each, where))...>(
              self.without_reductions(each, where)...);
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
    using inner = typename R::operand_type;
    const void* const kind = &kind_of_reduction<reduction_item<typename R::operation, inner>>;
    const std::uint32_t mask = of.mask(where);
    for (const made& each : all_) {
      if (each.kind == kind && each.mask == mask && each.fewer == of.fewer &&
          is_same_operand(*static_cast<const inner*>(each.from), of.of)) {
        return view_of(each.memory);
      }
    }
    const auto item = item_of<typename R::operation>(of.of, where);
    temporary_memory<Order> memory(order_, (std::max)(layout.size_bytes(), sizeof(value)), where);
    const device_view<value, R::rank, port> to(memory_of(memory.get()), of.stream(where), layout);
    reduce_to<R::keeps>(order_, to, item, mask, where, of.fewer);
    all_.push_back(made{kind, &of.of, mask, of.fewer, std::move(memory)});
    return view_of(all_.back().memory);
  }

  const Order& order_;
  std::vector<made> all_{};
};

/// Effects: assigns an expression with reductions inside.
template <class Order, class T, std::size_t Rank, class Port, class E>
void evaluate_reductions(const Order& order, const device_view<T, Rank, Port>& to, const E& of,
                         const source_location& where) {
  if constexpr (may_be_rows<E, T>) {
    if (evaluate_rows(order, to, of, where)) return;
  }
  reduced_results<Order> results(order);
  assign_in(order, to, results.without_reductions(of, where), where);
}
/// Effects: assigns a reduction whose operand may have reductions inside.
template <class Order, class T, std::size_t Rank, class Port, class Op, class E, std::size_t Count, bool Keep>
void evaluate_reduction(const Order& order, const device_view<T, Rank, Port>& to,
                        const reduced_operand<Op, E, Count, Keep>& of, const source_location& where) {
  using reduced = reduced_operand<Op, E, Count, Keep>;
  if constexpr (reductions_in<E> != 0 && std::same_as<typename reduced::value_type, T>) {
    if constexpr (may_be_rows<reduced, T>) {
      if (evaluate_rows(order, to, of, where)) return;
    }
  }
  reduced_results<Order> results(order);
  reduce_to<Keep>(order, to, results.template item_of<Op>(of.of, where), of.mask(where), where, of.fewer);
}

/// Effects: reduces along axes an operand with reductions inside. Returns: a `device_array` in a tuple.
template <std::size_t Count, bool Keep, class Order, class Op, class E>
auto reduce_rows(const reduced_axes<Count, Keep>& axes, std::size_t fewer, const source_location& where,
                 const Order& order, const reduction_item<Op, E>& item) {
  const reduced_operand<Op, E, Count, Keep> of{item.of, axes, fewer, where};
  using reduced = reduced_operand<Op, E, Count, Keep>;
  std::tuple<device_array<typename reduced::value_type, reduced::rank, typename E::port_type>> made{
      device_array<typename reduced::value_type, reduced::rank, typename E::port_type>(order, of.shape(where),
                                                                                       array_order::c, where)};
  evaluate_reduction(order, std::get<0>(made).view(where), of, where);
  return made;
}

}  // namespace yoke::inline v0_1::detail

#endif
