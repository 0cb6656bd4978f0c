// SPDX-License-Identifier: MIT
// The operands of operations, and the kinds of operations with the types of their results.
#ifndef YOKE_ARRAY_EXPRESSION_OPERATION_KINDS_HPP
#define YOKE_ARRAY_EXPRESSION_OPERATION_KINDS_HPP

#include <yoke/array/expression/expression.hpp>

namespace yoke::inline v0_1 {
template <class T, class Port>
class device_value;
}  // namespace yoke::inline v0_1

namespace yoke::inline v0_1::detail {

/// An array, a view or an expression.
template <class A>
struct is_array_operand : std::bool_constant<array_expression<A>> {};
template <class T, std::size_t Rank, class Port>
struct is_array_operand<device_array<T, Rank, Port>> : std::true_type {};
template <class T, std::size_t Rank, class Port>
struct is_array_operand<device_view<T, Rank, Port>> : std::true_type {};
template <class T, class Port>
struct is_array_operand<device_value<T, Port>> : std::true_type {};  // of rank 0
template <class T, std::size_t Rank, class Port>
struct is_array_operand<recorded_view<T, Rank, Port>> : std::true_type {};  // refused later, with a message
template <class T, std::size_t Rank, class Port>
struct is_array_operand<array_input<T, Rank, Port>> : std::true_type {};
template <class T, class Port>
struct is_array_operand<new_value_input<T, Port>> : std::true_type {};
template <class A>
concept array_operand = is_array_operand<std::remove_cvref_t<A>>::value;
/// The same, or a reduction of `pass`, which other expressions read.
template <class A>
concept expression_operand = array_operand<A> || requires { typename std::remove_cvref_t<A>::reduction_tag; } ||
                             requires { typename std::remove_cvref_t<A>::reduced_tag; };
template <class A>
concept operand = expression_operand<A> || expression_element<std::remove_cvref_t<A>>;
/// Operands, at least one of them an array.
template <class... A>
concept operands = (operand<A> && ...) && (expression_operand<A> || ...);
/// A number, memory or a result of `pass` in the place of an array: a function of arrays says what to write.
template <class A>
concept not_yet_array =
    !array_operand<A> && (expression_element<std::remove_cvref_t<A>> || accessible_memory<std::remove_cvref_t<A>> ||
                          requires { typename std::remove_cvref_t<A>::pass_tag; });
/// Two operands of which one is an array, and one is not yet.
template <class A, class B>
concept one_array = (array_operand<A> && not_yet_array<B>) || (not_yet_array<A> && array_operand<B>);
/// Does not compile: says how each operand becomes an array.
template <class A, class B>
consteval void refuse_one_array() {
  using other = std::remove_cvref_t<std::conditional_t<array_operand<A>, B, A>>;
  constexpr bool is_number = expression_element<other>;
  constexpr bool is_pass = requires { typename other::pass_tag; };
  static_assert(!is_number, "this function is of two arrays: write k * a for the product of a number and an array");
  static_assert(!is_pass, "results of pass are assigned: call the function without pass here, or name an array first");
  static_assert(is_number || is_pass,
                "this function is of two arrays of the device: copy the elements first, as "
                "device_array<float, 1> b(memory, {n}, stream)");
}

template <class T, std::size_t Rank, class Port>
[[nodiscard]] array_input<std::remove_const_t<T>, Rank, Port> as_operand(const device_view<T, Rank, Port>& of) {
  static_assert(expression_element<std::remove_const_t<T>>,
                "expressions are of numbers, half, bfloat16, complex numbers and structs of YOKE_STRUCT");
  return {of};
}
template <class T, std::size_t Rank, class Port>
[[nodiscard]] array_input<T, Rank, Port> as_operand(const device_array<T, Rank, Port>& of) {
  return {of.operand()};
}
template <class T, class Port>
[[nodiscard]] array_input<T, 0, Port> as_operand(const device_value<T, Port>& of) {
  return as_operand(of.array());
}
template <class T, class Port>
[[nodiscard]] new_value_input<T, Port> as_operand(device_value<T, Port>&& of) {
  return {as_operand(of.array())};
}
template <class T, class Port>
[[nodiscard]] new_value_input<T, Port> as_operand(const new_value_input<T, Port>& of) {
  return of;
}
template <class E>
  requires array_expression<std::remove_cvref_t<E>>
[[nodiscard]] std::remove_cvref_t<E> as_operand(E&& of) {
  return std::forward<E>(of);
}
template <class T, std::size_t Rank, class Port>
[[nodiscard]] array_input<T, Rank, Port> as_operand(const array_input<T, Rank, Port>& of) {
  return of;
}
template <expression_element T>
[[nodiscard]] scalar_input<T> as_operand(const T& of) noexcept {
  return scalar_input<T>(of);
}
template <class T, std::size_t Rank, class Port>
[[nodiscard]] auto as_operand(const recorded_view<T, Rank, Port>& of) {
  static_assert(
      std::is_void_v<T>,
      "only what is assigned to is bound to a recorder: read the array itself, and assign to one that exists, "
      "a reduction, scan or sorted array as total.bind(record) = pass::sum(a)");
  return as_operand(of.view());
}
template <class A>
using operand_of = decltype(as_operand(std::declval<A>()));

/// Returns: the view or array that an assignment in place reads.
template <class A>
[[nodiscard]] const A& read_of(const A& to) noexcept {
  return to;
}
template <class T, std::size_t Rank, class Port>
[[nodiscard]] const device_view<T, Rank, Port>& read_of(const recorded_view<T, Rank, Port>& to) noexcept {
  return to.view();
}

template <class T, class Port>
[[nodiscard]] const device_array<T, 0, Port>& read_of(const device_value<T, Port>& to) noexcept {
  return to.array();
}
/// Returns: the view or array that an assignment in place writes.
template <class A>
[[nodiscard]] A& written_of(A& to) noexcept {
  return to;
}
template <class T, class Port>
[[nodiscard]] device_array<T, 0, Port>& written_of(device_value<T, Port>& to) noexcept {
  return to.array();
}

template <class Op, class... A>
[[nodiscard]] expression<Op, operand_of<A>...> make_expression(A&&... of) {
  return expression<Op, operand_of<A>...>(as_operand(std::forward<A>(of))...);
}

// Common types of several operands. For complex numbers it is a complex number of the common type of the parts.
template <class Complex, class Part>
struct with_part;
template <template <class> class Complex, class Old, class Part>
struct with_part<Complex<Old>, Part> {
  using type = Complex<Part>;
};
template <class First, class... Rest>
struct first_complex : first_complex<Rest...> {};
template <complex_element First, class... Rest>
struct first_complex<First, Rest...> {
  using type = First;
};

/// The type in which C++ calculates with numbers of these types.
template <class... T>
struct arithmetic_type {
  static_assert((number_element<T> && ...), "structs have no operators: name members, as a.member<&S::x>()");
  using type = decltype((std::declval<T>() + ... + false));
};
template <class... T>
  requires(complex_element<T> || ...)
struct arithmetic_type<T...> {
  using type =
      typename with_part<typename first_complex<T...>::type, typename arithmetic_type<part_of<T>...>::type>::type;
};
template <class... T>
using arithmetic_of = typename arithmetic_type<T...>::type;
template <class T>
struct promoted_type {
  static_assert(number_element<T>, "structs have no operators: name members, as a.member<&S::x>()");
  using type = decltype(+std::declval<T>());
};
template <complex_element T>
struct promoted_type<T> {
  using type = T;
};
template <class T>
using promoted = typename promoted_type<T>::type;
/// The type in which mathematical functions calculate; for integers `double`.
template <class... T>
using mathematical =
    std::conditional_t<std::is_floating_point_v<part_of<arithmetic_of<T...>>>, arithmetic_of<T...>, double>;
template <class T>
struct ordered_type {
  static_assert(real_element<T>, "only real numbers have an order: compare abs(z), real(z) or members");
  using type = T;
};
template <class T>
using ordered = typename ordered_type<T>::type;

// The kinds of operations. Each has the type of the result and the type to which `@0` converts.
template <class... T>
struct common_number {
  using type = arithmetic_of<T...>;
};
template <class T>
struct common_number<T> {
  using type = promoted<T>;
};
struct arithmetic_operation {
  template <class... T>
  using result = typename common_number<T...>::type;
  template <class... T>
  using argument = result<T...>;
};
struct order_operation : arithmetic_operation {
  template <class... T>
  using result = typename common_number<ordered<T>...>::type;
};
// The `integer_text` needs no test for NaN.
struct least_operation : order_operation {
  static constexpr const char* integer_text = "@1 < @0 ? @1 : @0";
};
struct greatest_operation : order_operation {
  static constexpr const char* integer_text = "@0 < @1 ? @1 : @0";
};
struct clamp_operation : order_operation {
  static constexpr const char* integer_text = "@0 < @1 ? @1 : @2 < @0 ? @2 : @0";
};
struct integer_operation {
  template <class... T>
  static consteval auto type_of() {
    static_assert((std::is_integral_v<T> && ...), "% & | ^ << >> and ~ take integers");
    return std::type_identity<typename common_number<T...>::type>{};
  }
  template <class... T>
  using result = typename decltype(type_of<T...>())::type;
  template <class... T>
  using argument = result<T...>;
};
/// Defines division of integers by 0, which differs between devices and ends the process on some.
struct quotient_operation : arithmetic_operation {
  static constexpr const char* integer_text = "yoke_divide(@0, @1)";
};
struct remainder_operation : integer_operation {
  static constexpr const char* integer_text = "yoke_remainder(@0, @1)";
};
struct shift_operation {
  template <class L, class R>
  static consteval auto type_of() {
    static_assert(std::is_integral_v<L> && std::is_integral_v<R>, "% & | ^ << >> and ~ take integers");
    return std::type_identity<promoted<L>>{};
  }
  template <class L, class R>
  using result = typename decltype(type_of<L, R>())::type;
  template <class L, class R>
  using argument = result<L, R>;
};
/// Defines shifts by the width or more, which differ between devices: they shift out all bits, as in NumPy.
struct left_shift_operation : shift_operation {
  static constexpr const char* integer_text = "(yoke_uint64)(`1) < 8 * sizeof(@0) ? @0 << (int)(`1) : 0";
};
struct right_shift_operation : shift_operation {
  static constexpr const char* integer_text =
      "(yoke_uint64)(`1) < 8 * sizeof(@0) ? @0 >> (int)(`1) : @0 >> 1 >> (8 * sizeof(@0) - 1)";
};
struct comparison {
  template <class... T>
  using result = bool;
  template <class... T>
  using argument = arithmetic_of<T...>;
};
struct order_comparison : comparison {
  template <class... T>
  using argument = arithmetic_of<ordered<T>...>;
};
struct mathematics {
  template <class... T>
  using result = mathematical<T...>;
  template <class... T>
  using argument = mathematical<T...>;
};
struct classification {
  template <class... T>
  using result = bool;
  template <class... T>
  using argument = mathematical<T...>;
};
/// A number times a power of 2, whose exponent is the second operand.
struct scaling_operation {
  template <class T, class N>
  static consteval auto type_of() {
    static_assert(std::is_integral_v<N> && (sizeof(N) < 4 || (sizeof(N) == 4 && std::is_signed_v<N>)),
                  "the exponent of ldexp is an integer that fits into int: cast<int>(n)");
    return std::type_identity<mathematical<T>>{};
  }
  template <class T, class N>
  using result = typename decltype(type_of<T, N>())::type;
  template <class T, class N>
  using argument = result<T, N>;
};
/// The exponent of a number.
struct exponent_operation {
  template <class>
  using result = std::int32_t;
  template <class T>
  using argument = mathematical<ordered<T>>;
};
/// The fraction of `modf`. That of an infinity is 0.
struct fraction_function : mathematics {
  static constexpr const char* text = "copysign(trunc(@0) == @0 ? 0 : @0 - trunc(@0), @0)";
};
struct where_operation {
  static constexpr const char* text = "`0 != 0 ? @1 : @2";  // OpenCL takes integers as conditions only
  template <class A, class B>
  struct common : arithmetic_type<A, B> {};
  template <class A>
  struct common<A, A> {
    using type = A;
  };
  template <class C, class A, class B>
  using result = typename common<A, B>::type;
  template <class C, class A, class B>
  using argument = result<C, A, B>;
};
template <class U>
struct cast_operation {
  static constexpr const char* text = std::same_as<U, bool>       ? "`0 != 0"
                                      : std::same_as<U, half>     ? "yoke_x_half(@0)"
                                      : std::same_as<U, bfloat16> ? "yoke_bfloat16_to_float(yoke_float_to_bfloat16(@0))"
                                                                  : "@0";
  template <class>
  using result = U;
  template <class>
  using argument = U;
};
template <fixed_text Body, class Result>
struct text_function {
  using body_tag = void;
  static constexpr const char* text = Body.text;
  template <class... T>
  using result =
      typename std::conditional_t<std::is_void_v<Result>, common_number<T...>, std::type_identity<Result>>::type;
  template <class... T>
  using argument = result<T...>;
};
struct abs_operation : arithmetic_operation {
  static constexpr const char* text = "@0 < 0 ? -@0 : @0";
  static constexpr const char* text_of_int32 = "@0 < 0 ? (yoke_int32)(0 - (yoke_uint32)(@0)) : @0";
  static constexpr const char* text_of_int64 = "@0 < 0 ? (yoke_int64)(0 - (yoke_uint64)(@0)) : @0";
};
/// The real result of a function of a complex or a real number.
struct part_operation {
  template <class T>
  using result = part_of<promoted<T>>;
  template <class T>
  using argument = promoted<T>;
};
struct real_operation : part_operation {
  static constexpr const char* text = "@0";
};
struct imag_operation : part_operation {
  static constexpr const char* text = "($0 != $0) * 0";
};
struct size_function : part_operation {
  static constexpr const char* text = "fabs(@0)";
};
struct arg_function : part_operation {
  template <class T>
  using result = part_of<mathematical<T>>;
  template <class T>
  using argument = mathematical<T>;
  static constexpr const char* text = "atan2((@0 != @0) * fabs(@0), @0)";
};
struct conj_operation : arithmetic_operation {
  static constexpr const char* text = "@0";
};
/// A member of a struct.
template <auto Member>
struct member_operation {
  static constexpr auto words = member_words<Member>();
  static constexpr const char* text = words.text;
  template <class T>
  using result = type_of_member<T, Member>;
  template <class T>
  using argument = T;
};

}  // namespace yoke::inline v0_1::detail

namespace yoke::inline v0_1 {
/// Does not compile: an array that has a name has its elements.
template <class A>
  requires(detail::array_operand<A> && !detail::array_expression<A>)
void evaluate(const A&) {
  static_assert(detail::array_expression<A>,
                "an array has its elements already: use it as it is, or write a.copy() for another one");
}
}  // namespace yoke::inline v0_1

#endif
