// SPDX-License-Identifier: MIT
// Expressions of arrays: `b = 2 * a + sin(a)` is one kernel, which runs when it is assigned.
#ifndef YOKE_ARRAY_EXPRESSION_EXPRESSION_HPP
#define YOKE_ARRAY_EXPRESSION_EXPRESSION_HPP

#include <yoke/array/evaluation/fixed_text.hpp>
#include <yoke/array/storage/device_array.hpp>
#include <yoke/array/storage/sequence.hpp>

#include <tuple>

namespace yoke::inline v0_1 {

template <class Op, class... Operands>
class expression;

namespace detail {
template <class Order, class T, std::size_t Rank, class Port, class E>
void evaluate_reductions(const Order& order, const device_view<T, Rank, Port>& to, const E& of,
                         const source_location& where);

/// The type in which expressions calculate with elements: `float` for half precision, else the element type.
template <class T>
using computed = std::conditional_t<std::same_as<T, half> || std::same_as<T, bfloat16>, float, T>;

/// The text of an operation with complex operands. <yoke/array/expression/complex_operations.hpp> specialises it.
template <class Op, class... T>
struct complex_text {
  static_assert(!(complex_element<T> || ...), "this operation takes no complex numbers");
  static constexpr const char* text = "";
};
/// Returns: the text of an operation for operands of these types.
template <class Op, class... T>
consteval const char* text_of_operation() {
  if constexpr ((complex_element<T> || ...)) {
    return complex_text<Op, T...>::text;
  } else if constexpr (requires { Op::integer_text; } && (std::is_integral_v<T> && ...)) {
    return Op::integer_text;
  } else if constexpr (requires { Op::text_of_int32; } && (std::is_integral_v<T> && ...)) {
    using result = typename Op::template result<T...>;
    if constexpr (std::is_signed_v<result>) {
      return sizeof(result) == 8 ? Op::text_of_int64 : Op::text_of_int32;
    } else {
      return Op::text;
    }
  } else {
    return Op::text;
  }
}
template <fixed_text Text>
struct text_is {
  static constexpr const char* text = Text.text;
};

/// Effects: adds the description of a struct unless the list has it.
template <class T>
void add_struct([[maybe_unused]] std::vector<struct_description>& to) {
  if constexpr (registered_struct<T>) add_description(to, describe_struct<T>());
}

/// Returns: the descriptions of the structs in an expression.
template <class E>
[[gnu::cold]] std::vector<struct_description> structs_of() {
  std::vector<struct_description> result;
  E::add_structs(result);
  return result;
}

/// An array as an operand.
template <class T, std::size_t Rank, class Port>
struct array_input {
  using value_type = T;
  using port_type = Port;
  using operand_tag = void;
  static constexpr std::size_t rank = Rank;
  static constexpr std::size_t inputs = 1;
  static constexpr std::size_t scalars = 0;
  static constexpr std::size_t steps = 1;
  static constexpr void add_steps(expression_step*& to) noexcept {
    to->what = expression_step::form::input;
    to++->type = name_of<T>();
  }
  static void add_structs(std::vector<struct_description>& to) { add_struct<T>(to); }
  /// Throws: `logic_error` for an empty array.
  [[nodiscard]] const yoke::shape<Rank>& shape(const source_location& where) const {
    (void)stream(where);
    return view.shape();
  }
  [[nodiscard]] const yoke::stream<Port>& stream(const source_location& where) const {
    if (view.stream_pointer() == nullptr) [[unlikely]]
      throw_empty_operand(where);
    return *view.stream_pointer();
  }
  void add_inputs(evaluation_operand<Port>*& to) const noexcept {
    to->memory = view.memory();  // member by member: nvcc misreads braces here
    to->side = byte_layout(view.layout());
    to++->type = name_of<T>();
  }
  void add_scalars(kernel_argument*&) const noexcept {}

  device_view<const T, Rank, Port> view;
};

/// A value that a function has just made and that no variable owns, as an operand.
template <class T, class Port>
struct new_value_input : array_input<T, 0, Port> {
  static constexpr bool is_new_value = true;
};
/// Whether an operand, an expression or a reduction reads such a new value.
template <class E>
inline constexpr bool reads_new_value = requires { requires E::is_new_value; };
template <class E>
  requires requires {
    typename E::pass_tag;
    typename E::operand_type;
  }
inline constexpr bool reads_new_value<E> = reads_new_value<typename E::operand_type>;

/// A number as an operand; it becomes an argument of the kernel.
template <class T>
struct scalar_input {
  using value_type = T;
  using port_type = void;
  using operand_tag = void;
  using word = std::conditional_t<std::same_as<T, bool>, std::int32_t,
                                  std::conditional_t<std::same_as<computed<T>, T>, kernel_word_of<T>, computed<T>>>;
  static constexpr std::size_t rank = 0;
  static constexpr std::size_t inputs = 0;
  static constexpr std::size_t scalars = 1;
  static constexpr std::size_t steps = 1;
  static constexpr void add_steps(expression_step*& to) noexcept {
    to->what = expression_step::form::scalar;
    to++->type = name_of<T>();
  }
  static void add_structs(std::vector<struct_description>& to) { add_struct<T>(to); }
  [[nodiscard]] yoke::shape<0> shape(const source_location&) const noexcept { return {}; }
  template <class Port>
  void add_inputs(evaluation_operand<Port>*&) const noexcept {}
  void add_scalars(kernel_argument*& to) const noexcept {
    to->kind = argument_kind::value;
    to->data = &value;
    to++->bytes = sizeof value;
  }

  explicit scalar_input(const T& given) noexcept : value(static_cast<word>(given)) {}
  word value;
};

/// Whether an operation is a function whose text the program has written.
template <class Op>
concept has_body = requires { typename Op::body_tag; };

template <class... Ports>
struct port_of_operands {
  using type = void;
};
template <class Port, class... Ports>
struct port_of_operands<Port, Ports...> {
  using rest = typename port_of_operands<Ports...>::type;
  static_assert(std::is_void_v<Port> || std::is_void_v<rest> || std::same_as<Port, rest>,
                "the arrays of an expression are of one backend");
  using type = std::conditional_t<std::is_void_v<Port>, rest, Port>;
};

[[nodiscard]] constexpr std::size_t most_of(std::initializer_list<std::size_t> numbers) noexcept {
  std::size_t most = 0;
  for (const std::size_t each : numbers) most = each > most ? each : most;
  return most;
}

template <class Shape>
[[nodiscard]] Shape joined_shapes(const source_location&, const Shape& only) {
  return only;
}
template <class First, class Second, class... Rest>
[[nodiscard]] auto joined_shapes(const source_location& where, const First& first, const Second& second,
                                 const Rest&... rest) {
  return joined_shapes(where, broadcast_shapes(first, second, where), rest...);
}

/// How many reductions stand in an operand, outside of other reductions.
template <class E>
inline constexpr std::size_t reductions_in = 0;
template <class E>
  requires requires { typename E::reduced_tag; }
inline constexpr std::size_t reductions_in<E> = 1;
template <class Op, class... Operands>
inline constexpr std::size_t reductions_in<expression<Op, Operands...>> = (reductions_in<Operands> + ...);

/// Returns: an operand of an expression of `Rank` axes with these in another order. Axes in front that the operand does
/// not have get an extent of 1.
template <std::size_t Rank, class E>
[[nodiscard]] auto transposed_operand(const E& of, const int (&order)[Rank], const source_location& where) {
  static_assert(
      !requires { typename E::reduced_tag; },
      "an expression with a reduction inside is not transposed: transpose its arrays, or its result");
  if constexpr (E::rank == 0 || requires { typename E::reduced_tag; }) {
    return of;
  } else if constexpr (requires { typename E::expression_tag; }) {
    return of.transposed(order, where);
  } else {
    const yoke::shape<E::rank> own = of.shape(where);
    yoke::shape<Rank> extents;
    for (std::size_t axis = 0; axis < Rank; ++axis) {
      extents[axis] = axis + E::rank < Rank ? 1 : own[axis + E::rank - Rank];
    }
    return array_input<typename E::value_type, Rank, typename E::port_type>{
        of.view.broadcast_to(extents, where).transpose(order, where)};
  }
}

}  // namespace detail

/// The result of operators and functions of arrays. It holds views of its arrays and calculates nothing until it is
/// assigned: `array = expression`, `view.assign(expression)`, `device_array x(expression)`, `evaluate(expression)`,
/// `expression.to_host()`.
///
/// It shares the memory of its arrays, and reads the elements that they have when it is assigned.
/// Thread safety: a value. Example: `b = 2 * a + sin(a);`
template <class Op, class... Operands>
class [[nodiscard]] expression {
 public:
  using value_type = typename Op::template result<detail::computed<typename Operands::value_type>...>;
  using port_type = typename detail::port_of_operands<typename Operands::port_type...>::type;
  using operand_tag = void;
  using expression_tag = void;
  static constexpr std::size_t rank = detail::most_of({Operands::rank...});

  explicit expression(Operands... operands) : operands_(std::move(operands)...) {}

  /// Returns: the shape of the result. Throws: `logic_error` where operands do not broadcast, with both shapes and the
  /// axis.
  [[nodiscard]] yoke::shape<rank> shape(const source_location& where = source_location::current()) const {
    return [&]<std::size_t... K>(std::index_sequence<K...>) {
      return detail::joined_shapes(where, std::get<K>(operands_).shape(where)...);
    }(std::index_sequence_for<Operands...>());
  }
  /// Returns: the elements in C order, once they have arrived. Effects: evaluates into a temporary. Throws: as
  /// `evaluate`.
  [[nodiscard]] std::vector<value_type> to_host(const source_location& where = source_location::current()) const;
  /// Returns: the only element of an expression of rank 0: `(sum(a) / sum(b)).value()`. Effects, throws: as `to_host`.
  [[nodiscard]] value_type value(const source_location& where = source_location::current()) const;

  /// Returns: the same expression of transposed arrays: its axes in reverse order, or in the order given. Nothing is
  /// copied or calculated. Throws: `logic_error` for an empty array, and for an axis that does not exist or is given
  /// twice. Example: `yoke::matmul(conj(a).transpose(), a)`
  [[nodiscard]] auto transpose(const source_location& where = source_location::current()) const {
    if constexpr (rank == 0) {
      return *this;
    } else {
      int order[rank];
      for (std::size_t axis = 0; axis < rank; ++axis) order[axis] = static_cast<int>(rank - 1 - axis);
      return transposed(order, where);
    }
  }
  [[nodiscard]] auto transpose(const int (&order)[rank == 0 ? 1 : rank],
                               const source_location& where = source_location::current()) const
    requires(rank > 0)
  {
    return transposed(order, where);
  }

  /// Does not compile: an expression, and `!array`, cannot be a condition.
  template <std::same_as<bool> Condition>
  explicit operator Condition() const {
    static_assert(!std::same_as<Condition, bool>,
                  "an expression of arrays is no condition: write any(e).get() or all(e).get(); whether `a` holds an "
                  "array is bool(a), and `!a` is an expression");
    return false;
  }

  // As an operand of an expression of `Rank` axes.
  template <std::size_t Rank>
  [[nodiscard]] auto transposed(const int (&order)[Rank], const source_location& where) const {
    return [&]<std::size_t... K>(std::index_sequence<K...>) {
      return expression<Op, decltype(detail::transposed_operand(std::get<K>(operands_), order, where))...>(
          detail::transposed_operand(std::get<K>(operands_), order, where)...);
    }(std::index_sequence_for<Operands...>());
  }

  // For evaluations.
  static constexpr bool is_new_value = (detail::reads_new_value<Operands> || ...);
  static constexpr std::size_t inputs = (Operands::inputs + ...);
  static constexpr std::size_t scalars = (Operands::scalars + ...);
  static constexpr std::size_t steps = (Operands::steps + ...) + 1;
  static constexpr void add_steps(detail::expression_step*& to) noexcept {
    (Operands::add_steps(to), ...);
    using argument = typename Op::template argument<detail::computed<typename Operands::value_type>...>;
    // Member by member: nvcc misreads braces here.
    to->type = detail::name_of<value_type>();
    to->argument = detail::name_of<argument>();
    to->arity = sizeof...(Operands);
    to->text = detail::text_of_operation<Op, detail::computed<typename Operands::value_type>...>();
    to++->is_body = detail::has_body<Op>;
  }
  static void add_structs(std::vector<struct_description>& to) {
    (Operands::add_structs(to), ...);
    detail::add_struct<value_type>(to);
  }
  /// Returns: the stream of its first array. Throws: `logic_error` for an empty array.
  [[nodiscard]] const auto& stream(const source_location& where) const {
    constexpr bool is_number[]{std::is_void_v<typename Operands::port_type>...};
    constexpr std::size_t first = [&] {
      std::size_t at = 0;
      while (is_number[at]) ++at;
      return at;
    }();
    return std::get<first>(operands_).stream(where);
  }
  void add_inputs(detail::evaluation_operand<port_type>*& to) const noexcept {
    [&]<std::size_t... K>(std::index_sequence<K...>) {
      (std::get<K>(operands_).add_inputs(to), ...);
    }(std::index_sequence_for<Operands...>());
  }
  void add_scalars(kernel_argument*& to) const noexcept {
    [&]<std::size_t... K>(std::index_sequence<K...>) {
      (std::get<K>(operands_).add_scalars(to), ...);
    }(std::index_sequence_for<Operands...>());
  }
  [[nodiscard]] const std::tuple<Operands...>& operands() const noexcept { return operands_; }
  template <class Order, class T, std::size_t Rank, class Port>
  void evaluate_in(const Order& order, const device_view<T, Rank, Port>& to, const source_location& where) const;

 private:
  std::tuple<Operands...> operands_;
};

namespace detail {

template <class E>
inline constexpr auto steps_of = [] {
  static_assert(reductions_in<E> == 0,
                "an expression with a reduction inside is assigned or reduced: name its result first, as device_array "
                "y(x / pass::sum(x, along(1).keep_dims()))");
  std::array<expression_step, E::steps> result{};
  expression_step* at = result.data();
  E::add_steps(at);
  return result;
}();

/// Effects: evaluates an expression in an order of work. Where an input shares bytes with other elements than its own,
/// the result goes through a temporary. `arguments` holds the numbers and has room for the rest, as
/// `launch_evaluation` describes.
/// Throws: `logic_error` for memory that the order cannot use, a destination that repeats elements, and an operand
/// whose strides are not multiples of its elements; `error`.
template <class Order>
void run_expression(const Order& order, const evaluation_text& what, const evaluation_operand<port_of_order<Order>>& to,
                    std::span<const evaluation_operand<port_of_order<Order>>> inputs,
                    std::span<kernel_argument> arguments, const source_location& where) {
  using Port = port_of_order<Order>;
  operation_memory operation(order);
  check_memory(operation, to.memory, memory_use::writes, "destination", where);
  check_writable(to.side, where);
  const Port& port = order.context_of().port(where);
  evaluation_plan plan;
  const byte_layout* sides[most_inputs + 1]{&to.side};
  const array_memory<Port>* memories[most_inputs];
  evaluation_input parts[most_inputs];
  take_operands(operation, inputs, parts, where);
  for (std::size_t k = 0; k < inputs.size(); ++k) {
    sides[k + 1] = &inputs[k].side;
    memories[k] = &inputs[k].memory;
  }
  merge_axes(plan.axes, to.side.axes.extents, to.side.axes.rank, std::span(sides, inputs.size() + 1), where);
  if (plan.axes.count == 0) return;
  for (std::size_t k = 0; k < inputs.size(); ++k) {
    const evaluation_operand<Port>& from = inputs[k];
    if (!may_share(port, to.memory, to.side.first, to.side.end, from.memory, from.side.first, from.side.end)) continue;
    // The same elements in the same order are safe: each is read before it is written.
    if (from.memory.memory == to.memory.memory && from.side.element == to.side.element && plan.axes.is_same(k + 1, 0)) {
      continue;
    }
    const dense_axes dense(to.side.axes, to.side.element);
    const auto& between = allocate_for_array<std::byte>(order, to.side.bytes(), where);
    const merged_copy back = merge_copy(to.side.axes, to.side.offset, dense.axes(), 0, to.side.element);
    run_expression(order, what, {memory_of(between), byte_layout(dense.axes(), to.side.element), to.type}, inputs,
                   arguments, where);
    return copy_on_device(order, to.memory, memory_of(between), back, where);
  }
  finish_plan(plan, what, std::span<const evaluation_input>(parts, inputs.size()), port.language().coalesces);
  launch_evaluation<Order>(order, what, plan, to.memory, std::span(memories, inputs.size()), arguments, where);
}

/// Whether an expression has structs.
template <class E>
inline constexpr bool has_structs =
    std::any_of(steps_of<E>.begin(), steps_of<E>.end(),
                [](const expression_step& each) { return each.type.kind == value_kind::structure; });
template <class E>
consteval described described_structs() {
  if constexpr (has_structs<E>) return &structs_of<E>;
  return nullptr;
}
/// The inputs and arguments of a launch. `operands` has room for a result behind the inputs. `arguments` holds, in
/// this order, `Before` results, the inputs, the numbers, and `Behind` others.
template <std::size_t Before, std::size_t Behind, class... E>
struct launched_operands {
  using port = typename port_of_operands<typename E::port_type...>::type;
  static constexpr std::size_t inputs = (E::inputs + ...);
  explicit launched_operands(const E&... of) {
    evaluation_operand<port>* next = operands;
    kernel_argument* number = arguments + Before + inputs;
    (of.add_inputs(next), ...);
    (of.add_scalars(number), ...);
  }
  evaluation_operand<port> operands[inputs + 1]{};
  kernel_argument arguments[Before + inputs + (E::scalars + ...) + Behind]{};
};

/// The evaluation that an assignment of an expression to elements of type `To` runs.
template <class E, class To>
inline constexpr evaluation_text assignment_text{steps_of<E>, name_of<To>(), described_structs<E>(), "yoke expression"};

}  // namespace detail

template <class Op, class... Operands>
template <class Order, class T, std::size_t Rank, class Port>
void expression<Op, Operands...>::evaluate_in(const Order& order, const device_view<T, Rank, Port>& to,
                                              const source_location& where) const {
  static_assert(!std::is_const_v<T>, "this view cannot be written");
  static_assert(std::same_as<Port, port_type>, "an expression is assigned to an array of its own backend");
  static_assert(rank <= Rank, "the expression has more axes than the destination");
  static_assert(inputs <= detail::most_inputs, "an expression reads at most 16 arrays");
  static_assert(detail::expression_element<T>,
                "expressions are assigned to numbers, half, bfloat16, complex numbers and structs of YOKE_STRUCT");
  (void)detail::check_element_kinds<T, value_type>();
  static_assert(
      (!detail::registered_struct<value_type> && !detail::registered_struct<T>) || std::same_as<value_type, T>,
      "a struct is assigned to structs of its own type: name members, as a.member<&S::x>()");
  const yoke::shape<rank> own = shape(where);
  detail::check_broadcast(own.begin(), rank, to.shape().begin(), Rank, where);
  if constexpr (detail::reductions_in<expression> != 0) {
    detail::evaluate_reductions(order, to, *this, where);
  } else {
    detail::launched_operands<1, 1, expression> of(*this);
    detail::run_expression(order, detail::assignment_text<expression, T>,
                           {to.memory(), to.layout(), detail::name_of<T>()}, std::span(of.operands, inputs),
                           of.arguments, where);
  }
}

/// Returns: a new array with an expression's elements, in C order, in the stream of its first array.
/// Throws: `logic_error` for shapes that do not broadcast, and for arrays that are empty, mapped or of several
/// contexts; `error`.
template <detail::array_expression E>
[[nodiscard]] auto evaluate(const E& of, const source_location& where = source_location::current()) {
  return device_array<typename E::value_type, E::rank, typename E::port_type>(of, where);
}

/// Returns: the result of a function of `pass` as a new array. Throws: as the function. Example:
/// `auto c = evaluate(2 * pass::matmul(a, b) + d);`
template <class Item>
  requires requires {
    typename Item::pass_tag;
    typename Item::result;
  }
[[nodiscard]] auto evaluate(const Item& of, const source_location& where = source_location::current()) {
  return typename Item::result(of, where);
}
/// Returns: an array that is already made, as `matmul(a, b)` is.
template <class T, std::size_t Rank, class Port>
[[nodiscard]] device_array<T, Rank, Port> evaluate(device_array<T, Rank, Port>&& made) {
  return std::move(made);
}

template <class Op, class... Operands>
std::vector<typename expression<Op, Operands...>::value_type> expression<Op, Operands...>::to_host(
    const source_location& where) const {
  return evaluate(*this, where).to_host(where);
}

template <class Op, class... Operands>
typename expression<Op, Operands...>::value_type expression<Op, Operands...>::value(
    const source_location& where) const {
  static_assert(rank == 0, "an expression of several elements has no one value: write to_host()");
  return evaluate(*this, where).value(where);
}

template <detail::array_expression E>
device_array(const E&) -> device_array<typename E::value_type, E::rank, typename E::port_type>;

}  // namespace yoke::inline v0_1

namespace yoke::inline v0_1::detail {
// The library compiles these, so that a program's files need not.
extern template YOKE_API void launch_copy(const stream<any_port>&, const evaluation_text&,
                                          const array_memory<any_port>&, const array_memory<any_port>&,
                                          const merged_copy&, const source_location&);
extern template YOKE_API void launch_word_copy(const stream<any_port>&, const array_memory<any_port>&,
                                               const array_memory<any_port>&, merged_copy, const source_location&);
extern template YOKE_API void copy_views(const stream<any_port>&, const array_memory<any_port>&, const byte_layout&,
                                         const array_memory<any_port>&, const byte_layout&, const source_location&);
extern template YOKE_API void run_sequence(const stream<any_port>&, const value_type_name&,
                                           std::span<const kernel_argument>, std::int64_t, const source_location&);
extern template YOKE_API void read_to_host(const stream<any_port>&, const array_memory<any_port>&, const byte_layout&,
                                           std::span<std::byte>, const source_location&);
extern template YOKE_API void write_from_host(const stream<any_port>&, const array_memory<any_port>&,
                                              const byte_layout&, std::span<const std::byte>, const source_location&);
extern template YOKE_API device_allocation<std::byte, any_port> allocate_for_array(const stream<any_port>&, std::size_t,
                                                                                   const source_location&);
extern template YOKE_API shared<array_block<any_port>> make_block(std::size_t, const stream<any_port>&,
                                                                  const source_location&);
extern template YOKE_API void run_expression(const stream<any_port>&, const evaluation_text&,
                                             const evaluation_operand<any_port>&,
                                             std::span<const evaluation_operand<any_port>>, std::span<kernel_argument>,
                                             const source_location&);
}  // namespace yoke::inline v0_1::detail

#if defined(YOKE_IMPLEMENTATION)
#include <yoke/array/expression/expression.ipp>
#endif

#endif
