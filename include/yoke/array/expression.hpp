// SPDX-License-Identifier: MIT
// Expressions of arrays: `b = 2 * a + sin(a)` is one kernel, which runs when it is assigned.
#ifndef YOKE_ARRAY_EXPRESSION_HPP
#define YOKE_ARRAY_EXPRESSION_HPP

#include <yoke/array/device_array.hpp>
#include <yoke/array/fixed_text.hpp>

#include <tuple>

namespace yoke::inline YOKE_ABI {

namespace detail {

/// The type in which expressions calculate with elements.
template <class T>
using computed = std::conditional_t<std::same_as<T, half> || std::same_as<T, bfloat16>, float, T>;

/// The text of an operation of complex numbers and others; <yoke/array/expression_operators.hpp> has them.
template <class Op, class... T>
struct complex_text {
  static_assert(!(complex_element<T> || ...), "this operation takes no complex numbers");
  static constexpr const char* text = "";
};
/// Returns: the text of an operation whose operands have these types.
template <class Op, class... T>
consteval const char* text_of_operation() {
  if constexpr ((complex_element<T> || ...)) {
    return complex_text<Op, T...>::text;
  } else {
    return Op::text;
  }
}
template <fixed_text Text>
struct text_is {
  static constexpr const char* text = Text.text;
};

/// Effects: adds the description of a struct, once.
template <class T>
void add_struct([[maybe_unused]] std::vector<struct_description>& to) {
  if constexpr (registered_struct<T>) {
    struct_description made = describe_struct<T>();
    if (std::find(to.begin(), to.end(), made) == to.end()) to.push_back(std::move(made));
  }
}

/// Returns: the structs of an expression.
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
  static constexpr std::size_t steps = 1;
  static constexpr void add_steps(expression_step*& to) noexcept {
    to->what = expression_step::form::input;
    to++->type = name_of<T>();
  }
  static void add_structs(std::vector<struct_description>& to) { add_struct<T>(to); }
  [[nodiscard]] std::tuple<const array_input*> all_inputs() const noexcept { return {this}; }
  [[nodiscard]] std::tuple<> all_scalars() const noexcept { return {}; }
  [[nodiscard]] const yoke::shape<Rank>& shape(const source_location&) const noexcept { return view.shape(); }

  device_view<const T, Rank, Port> view;
};

/// A number as an operand: an argument of the kernel.
template <class T>
struct scalar_input {
  using value_type = T;
  using port_type = void;
  using operand_tag = void;
  using word = std::conditional_t<std::same_as<T, bool>, std::int32_t,
                                  std::conditional_t<std::same_as<computed<T>, T>, kernel_word_of<T>, computed<T>>>;
  static constexpr std::size_t rank = 0;
  static constexpr std::size_t inputs = 0;
  static constexpr std::size_t steps = 1;
  static constexpr void add_steps(expression_step*& to) noexcept {
    to->what = expression_step::form::scalar;
    to++->type = name_of<T>();
  }
  static void add_structs(std::vector<struct_description>& to) { add_struct<T>(to); }
  [[nodiscard]] std::tuple<> all_inputs() const noexcept { return {}; }
  [[nodiscard]] std::tuple<word> all_scalars() const noexcept { return {value}; }
  [[nodiscard]] yoke::shape<0> shape(const source_location&) const noexcept { return {}; }

  explicit scalar_input(const T& given) noexcept : value(static_cast<word>(given)) {}
  word value;
};

/// Whether an operation is a function of the program's own.
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

}  // namespace detail

/// What operators and functions of arrays make. It holds views of its arrays and does nothing until it is assigned:
/// `array = expression`, `view.assign(expression)`, `device_array x(expression)`, `evaluate(expression)`,
/// `expression.to_host()`.
///
/// Requires: its arrays are alive and where they were when it is assigned; it keeps temporaries and shared views alive.
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

  /// The shape of the result. Throws: `logic_error` where operands do not broadcast, with both shapes and the axis.
  [[nodiscard]] yoke::shape<rank> shape(const source_location& where = source_location::current()) const {
    return std::apply([&](const auto&... each) { return detail::joined_shapes(where, each.shape(where)...); },
                      operands_);
  }
  /// The elements in C order. Effects: evaluates into a temporary. Returns when they are there. Throws: as `evaluate`.
  [[nodiscard]] std::vector<value_type> to_host(const source_location& where = source_location::current()) const;

  /// Does not compile: neither an expression nor `!array` is a condition.
  template <std::same_as<bool> Condition>
  explicit operator Condition() const {
    static_assert(!std::same_as<Condition, bool>,
                  "an expression of arrays is no condition: write any(e).get() or all(e).get(); whether `a` holds an "
                  "array is bool(a), and `!a` is an expression");
    return false;
  }

  // For evaluation.
  static constexpr std::size_t inputs = (Operands::inputs + ...);
  static constexpr std::size_t steps = (Operands::steps + ...) + 1;
  static constexpr void add_steps(detail::expression_step*& to) noexcept {
    (Operands::add_steps(to), ...);
    using argument = typename Op::template argument<detail::computed<typename Operands::value_type>...>;
    // Member by member: nvcc mistakes a list of them.
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
  [[nodiscard]] auto all_inputs() const noexcept {
    return std::apply([](const auto&... each) { return std::tuple_cat(each.all_inputs()...); }, operands_);
  }
  [[nodiscard]] auto all_scalars() const noexcept {
    return std::apply([](const auto&... each) { return std::tuple_cat(each.all_scalars()...); }, operands_);
  }
  template <class T, std::size_t Rank, class Port>
  void evaluate_to(const device_view<T, Rank, Port>& to, const source_location& where) const;

 private:
  std::tuple<Operands...> operands_;
};

namespace detail {

template <class E>
inline constexpr auto steps_of = [] {
  std::array<expression_step, E::steps> result{};
  expression_step* at = result.data();
  E::add_steps(at);
  return result;
}();

/// Returns: the plan of an expression's inputs behind `first`, which orders the axes.
/// Throws: `logic_error` for an input that the stream cannot use, or between the places of its elements.
template <class E, class Port, class... Inputs>
[[nodiscard]] evaluation_plan<E::inputs + 1> plan_of(const stream<Port>& stream, const std::size_t* extents,
                                                     std::size_t rank, const expression_operand& first,
                                                     const std::tuple<const Inputs*...>& inputs,
                                                     const source_location& where) {
  return std::apply(
      [&](const auto*... input) {
        (check_memory(stream, input->view.memory(), "operand", where), ...);
        const expression_operand operands[]{first, {input->view.layout(), kind_of<typename Inputs::value_type>()}...};
        evaluation_plan<E::inputs + 1> plan;
        merge_axes(plan.axes, extents, rank, operands, where);
        const typename Port::memory_handle memories[]{input->view.memory().memory...};
        const value_type_name kinds[]{name_of<typename Inputs::value_type>()...};
        const std::size_t bytes[]{first.side.element, sizeof(typename Inputs::value_type)...};
        finish_plan(plan, memories, kinds, bytes, steps_of<E>, stream.context_of().port(where).language().coalesces);
        return plan;
      },
      inputs);
}

template <class E, class To>
struct evaluations;

}  // namespace detail

template <class Op, class... Operands>
template <class T, std::size_t Rank, class Port>
void expression<Op, Operands...>::evaluate_to(const device_view<T, Rank, Port>& to,
                                              const source_location& where) const {
  static_assert(!std::is_const_v<T>, "this view cannot be written");
  static_assert(std::same_as<Port, port_type>, "an expression is assigned to an array of its own backend");
  static_assert(rank <= Rank, "the expression has more axes than the destination");
  static_assert(inputs <= detail::most_inputs, "an expression reads at most 16 arrays");
  static_assert(detail::expression_element<T>,
                "expressions are assigned to numbers, half, bfloat16, complex numbers and structs of YOKE_STRUCT");
  static_assert(!detail::complex_element<value_type> || detail::complex_element<T>,
                "a complex number is no real one: assign real(z), imag(z) or abs(z)");
  static_assert(
      (!detail::registered_struct<value_type> && !detail::registered_struct<T>) || std::same_as<value_type, T>,
      "a struct is assigned to structs of its own type: name members, as a.member<&S::x>()");
  const auto& order = to.stream(where);
  const yoke::shape<rank> own = shape(where);
  detail::check_broadcast(own.begin(), rank, to.shape().begin(), Rank, where);
  detail::check_memory(order, to.memory(), "destination", where);
  const detail::array_side to_side(to.layout());
  detail::check_writable(to_side, where);
  const auto all = all_inputs();
  const auto plan =
      detail::plan_of<expression>(order, to.shape().begin(), Rank, {to_side, detail::kind_of<T>()}, all, where);
  const Port& port = order.context_of().port(where);
  std::size_t operand = 0;
  const auto is_apart = [&](const auto& view) {
    const detail::array_side side(view.layout());
    ++operand;
    if (!detail::may_share(port, to.memory(), to_side.first, to_side.end, view.memory(), side.first, side.end)) {
      return true;
    }
    // The same elements in the same order: each is read before it is written.
    return view.memory().memory == to.memory().memory && side.element == to_side.element &&
           plan.axes.is_same(operand, 0);
  };
  bool apart = true;
  std::apply([&](const auto*... input) { ((apart = is_apart(input->view) && apart), ...); }, all);
  if (plan.axes.count == 0) return;
  if (!apart) {
    const device_array<T, Rank, Port> between(order, to.shape(), array_order::c, where);
    evaluate_to(device_view<T, Rank, Port>(between.view(where).memory(), order, between.layout()), where);
    to.assign(between.view(where), where);
    return;
  }
  const auto build = [&](const context<Port>& in, const detail::expression_form& form) {
    return detail::compile_for_arrays(in, detail::evaluation_source(form, detail::name_of<T>()),
                                      {.name = "yoke expression", .types = detail::structs_of<expression>()}, where);
  };
  std::apply(
      [&]<class... Inputs>(const Inputs*... input) {
        detail::launch_evaluation<detail::evaluations<expression, T>, T, typename Inputs::value_type...>(
            order, to.memory().memory, {input->view.memory().memory...}, plan, detail::steps_of<expression>,
            all_scalars(), build, where);
      },
      all);
}

/// A new array with an expression's elements, in C order, in the stream of its first array.
/// Throws: `logic_error` for shapes that do not broadcast, arrays that are empty, mapped or of several contexts; `error`.
template <detail::array_expression E>
[[nodiscard]] auto evaluate(const E& of, const source_location& where = source_location::current()) {
  return device_array<typename E::value_type, E::rank, typename E::port_type>(of, where);
}

template <class Op, class... Operands>
std::vector<typename expression<Op, Operands...>::value_type> expression<Op, Operands...>::to_host(
    const source_location& where) const {
  return evaluate(*this, where).to_host(where);
}

template <detail::array_expression E>
device_array(const E&) -> device_array<typename E::value_type, E::rank, typename E::port_type>;

}  // namespace yoke::inline YOKE_ABI

#endif
