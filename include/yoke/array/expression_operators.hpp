// SPDX-License-Identifier: MIT
// The operators and functions that make expressions of arrays and numbers.
#ifndef YOKE_ARRAY_EXPRESSION_OPERATORS_HPP
#define YOKE_ARRAY_EXPRESSION_OPERATORS_HPP

#include <yoke/array/expression.hpp>

namespace yoke::inline YOKE_ABI {

namespace detail {

/// An array, a view or an expression.
template <class A>
struct is_array_operand : std::bool_constant<array_expression<A>> {};
template <class T, std::size_t Rank, class Port>
struct is_array_operand<device_array<T, Rank, Port>> : std::true_type {};
template <class T, std::size_t Rank, class Port>
struct is_array_operand<device_view<T, Rank, Port>> : std::true_type {};
template <class T, std::size_t Rank, class Port>
struct is_array_operand<array_input<T, Rank, Port>> : std::true_type {};
template <class A>
concept array_operand = is_array_operand<std::remove_cvref_t<A>>::value;
template <class A>
concept operand = array_operand<A> || expression_element<std::remove_cvref_t<A>>;
/// Operands, at least one of them an array.
template <class... A>
concept operands = (operand<A> && ...) && (array_operand<A> || ...);

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
template <class T, std::size_t Rank, class Port>
[[nodiscard]] array_input<T, Rank, Port> as_operand(device_array<T, Rank, Port>&& of) {
  return {of.kept_operand()};  // a temporary
}
template <array_expression E>
[[nodiscard]] E as_operand(const E& of) {
  return of;
}
template <class T, std::size_t Rank, class Port>
[[nodiscard]] array_input<T, Rank, Port> as_operand(const array_input<T, Rank, Port>& of) {
  return of;
}
template <expression_element T>
[[nodiscard]] scalar_input<T> as_operand(const T& of) noexcept {
  return scalar_input<T>(of);
}
template <class A>
using operand_of = decltype(as_operand(std::declval<A>()));

template <class Op, class... A>
[[nodiscard]] expression<Op, operand_of<A>...> make_expression(A&&... of) {
  return expression<Op, operand_of<A>...>(as_operand(std::forward<A>(of))...);
}

// Types that several operations have in common. A complex number's is the complex number of its part's.
template <class T>
struct part_type {
  using type = T;
};
template <complex_element T>
struct part_type<T> {
  using type = typename T::value_type;
};
template <class T>
using part_of = typename part_type<T>::type;
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

/// Returns: the type that C++ calculates in with numbers of these types.
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
/// The same for mathematical functions, which make `double` of integers.
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

// The kinds of operations: the type of the result and the type that `@0` converts to.
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
struct where_operation {
  static constexpr const char* text = "`0 ? @1 : @2";
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
  static constexpr const char* text = std::same_as<U, bool> ? "`0 != 0" : "@0";
  template <class>
  using result = U;
  template <class>
  using argument = U;
};
template <fixed_text Body, class Result>
struct given_function {
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
};
/// A real number made of a complex one, or of a real one.
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

/// What can be assigned to in place.
template <class A>
concept assignable_operand = array_operand<A> && !array_expression<std::remove_cvref_t<A>>;

}  // namespace detail

// Each operator takes arrays, views, expressions and numbers, at least one of the first three.
#define YOKE_X_BINARY(op, name, kind)                                                                                  \
  namespace detail {                                                                                                   \
  struct name##_operation : kind {                                                                                     \
    static constexpr const char* text = "$0 " #op " $1";                                                               \
  };                                                                                                                   \
  }                                                                                                                    \
  template <class L, class R>                                                                                          \
    requires detail::operands<L, R>                                                                                    \
  [[nodiscard]] auto operator op(L&& left, R&& right) {                                                                \
    return detail::make_expression<detail::name##_operation>(std::forward<L>(left), std::forward<R>(right));           \
  }
#define YOKE_X_UNARY(op, name, kind)                                                                                   \
  namespace detail {                                                                                                   \
  struct name##_operation : kind {                                                                                     \
    static constexpr const char* text = #op "$0";                                                                      \
  };                                                                                                                   \
  }                                                                                                                    \
  template <detail::array_operand A>                                                                                   \
  [[nodiscard]] auto operator op(A&& of) {                                                                             \
    return detail::make_expression<detail::name##_operation>(std::forward<A>(of));                                     \
  }
#define YOKE_X_ASSIGN(op)                                                                                              \
  template <detail::assignable_operand A, detail::operand B>                                                           \
  A&& operator op##=(A&& to, const B& by) {                                                                            \
    to.assign(to op by, source_location{}); /* operators have no place */                                              \
    return std::forward<A>(to);                                                                                        \
  }
#define YOKE_X_FUNCTION_1(name, words, kind)                                                                           \
  namespace detail {                                                                                                   \
  struct name##_function : kind {                                                                                      \
    static constexpr const char* text = words;                                                                         \
  };                                                                                                                   \
  }                                                                                                                    \
  template <detail::array_operand A>                                                                                   \
  [[nodiscard]] auto name(A&& of) {                                                                                    \
    return detail::make_expression<detail::name##_function>(std::forward<A>(of));                                      \
  }
#define YOKE_X_FUNCTION_2(name, words, kind)                                                                           \
  namespace detail {                                                                                                   \
  struct name##_function : kind {                                                                                      \
    static constexpr const char* text = words;                                                                         \
  };                                                                                                                   \
  }                                                                                                                    \
  template <class A, class B>                                                                                          \
    requires detail::operands<A, B>                                                                                    \
  [[nodiscard]] auto(name)(A && a, B && b) {                                                                           \
    return detail::make_expression<detail::name##_function>(std::forward<A>(a), std::forward<B>(b));                   \
  }
#define YOKE_X_FUNCTION_3(name, words, kind)                                                                           \
  namespace detail {                                                                                                   \
  struct name##_function : kind {                                                                                      \
    static constexpr const char* text = words;                                                                         \
  };                                                                                                                   \
  }                                                                                                                    \
  template <class A, class B, class C>                                                                                 \
    requires detail::operands<A, B, C>                                                                                 \
  [[nodiscard]] auto name(A&& a, B&& b, C&& c) {                                                                       \
    return detail::make_expression<detail::name##_function>(std::forward<A>(a), std::forward<B>(b),                    \
                                                            std::forward<C>(c));                                       \
  }

YOKE_X_BINARY(+, plus, arithmetic_operation)
YOKE_X_BINARY(-, minus, arithmetic_operation)
YOKE_X_BINARY(*, times, arithmetic_operation)
YOKE_X_BINARY(/, divided, arithmetic_operation)
YOKE_X_BINARY(%, modulo, integer_operation)
YOKE_X_BINARY(&, bit_and, integer_operation)
YOKE_X_BINARY(|, bit_or, integer_operation)
YOKE_X_BINARY(^, bit_xor, integer_operation)
YOKE_X_BINARY(<<, shift_left, shift_operation)
YOKE_X_BINARY(>>, shift_right, shift_operation)
YOKE_X_BINARY(<, less, order_comparison)
YOKE_X_BINARY(<=, less_equal, order_comparison)
YOKE_X_BINARY(>, greater, order_comparison)
YOKE_X_BINARY(>=, greater_equal, order_comparison)
YOKE_X_BINARY(==, equal, comparison)
YOKE_X_BINARY(!=, not_equal, comparison)
YOKE_X_BINARY(&&, both, comparison)
YOKE_X_BINARY(||, either, comparison)
YOKE_X_UNARY(-, negative, arithmetic_operation)
YOKE_X_UNARY(+, positive, arithmetic_operation)
YOKE_X_UNARY(!, is_not, comparison)
YOKE_X_UNARY(~, complement, integer_operation)
YOKE_X_ASSIGN(+)
YOKE_X_ASSIGN(-)
YOKE_X_ASSIGN(*)
YOKE_X_ASSIGN(/)
YOKE_X_ASSIGN(%)
YOKE_X_ASSIGN(&)
YOKE_X_ASSIGN(|)
YOKE_X_ASSIGN(^)
YOKE_X_ASSIGN(<<)
YOKE_X_ASSIGN(>>)

// The dialect's functions: `float` stays `float`, integers become `double`.
#define YOKE_X_MATHEMATICS_1(name) YOKE_X_FUNCTION_1(name, #name "(@0)", mathematics)
#define YOKE_X_MATHEMATICS_2(name) YOKE_X_FUNCTION_2(name, #name "(@0, @1)", mathematics)
YOKE_X_MATHEMATICS_1(sin)
YOKE_X_MATHEMATICS_1(cos)
YOKE_X_MATHEMATICS_1(tan)
YOKE_X_MATHEMATICS_1(asin)
YOKE_X_MATHEMATICS_1(acos)
YOKE_X_MATHEMATICS_1(atan)
YOKE_X_MATHEMATICS_1(sinh)
YOKE_X_MATHEMATICS_1(cosh)
YOKE_X_MATHEMATICS_1(tanh)
YOKE_X_MATHEMATICS_1(asinh)
YOKE_X_MATHEMATICS_1(acosh)
YOKE_X_MATHEMATICS_1(atanh)
YOKE_X_MATHEMATICS_1(exp)
YOKE_X_MATHEMATICS_1(exp2)
YOKE_X_MATHEMATICS_1(exp10)
YOKE_X_MATHEMATICS_1(expm1)
YOKE_X_MATHEMATICS_1(log)
YOKE_X_MATHEMATICS_1(log2)
YOKE_X_MATHEMATICS_1(log10)
YOKE_X_MATHEMATICS_1(log1p)
YOKE_X_MATHEMATICS_1(sqrt)
YOKE_X_MATHEMATICS_1(rsqrt)
YOKE_X_MATHEMATICS_1(cbrt)
YOKE_X_MATHEMATICS_1(floor)
YOKE_X_MATHEMATICS_1(ceil)
YOKE_X_MATHEMATICS_1(trunc)
YOKE_X_MATHEMATICS_1(round)
YOKE_X_MATHEMATICS_1(rint)
YOKE_X_MATHEMATICS_1(fabs)
YOKE_X_MATHEMATICS_1(erf)
YOKE_X_MATHEMATICS_1(erfc)
YOKE_X_MATHEMATICS_1(tgamma)
YOKE_X_MATHEMATICS_1(lgamma)
YOKE_X_MATHEMATICS_1(degrees)
YOKE_X_MATHEMATICS_1(radians)
YOKE_X_MATHEMATICS_2(pow)
YOKE_X_MATHEMATICS_2(atan2)
YOKE_X_MATHEMATICS_2(hypot)
YOKE_X_MATHEMATICS_2(fmod)
YOKE_X_MATHEMATICS_2(fmin)
YOKE_X_MATHEMATICS_2(fmax)
YOKE_X_MATHEMATICS_2(fdim)
YOKE_X_MATHEMATICS_2(copysign)
YOKE_X_MATHEMATICS_2(nextafter)
YOKE_X_FUNCTION_3(fma, "fma(@0, @1, @2)", mathematics)
YOKE_X_FUNCTION_1(isnan, "isnan(@0) != 0", classification)
YOKE_X_FUNCTION_1(isinf, "isinf(@0) != 0", classification)
YOKE_X_FUNCTION_1(isfinite, "isfinite(@0) != 0", classification)
// As `std::min`, `std::max` and `std::clamp`, of the numbers' common type.
YOKE_X_FUNCTION_2(min, "@1 < @0 ? @1 : @0", order_operation)
YOKE_X_FUNCTION_2(max, "@0 < @1 ? @1 : @0", order_operation)
YOKE_X_FUNCTION_3(clamp, "@0 < @1 ? @1 : @2 < @0 ? @2 : @0", order_operation)

/// The absolute value, of the promoted type: `abs` of `short` is `int`, that of a complex number its part.
template <detail::array_operand A>
[[nodiscard]] auto abs(A&& of) {
  using type = detail::promoted<detail::computed<typename std::remove_cvref_t<A>::value_type>>;
  if constexpr (std::is_integral_v<type>) {
    return detail::make_expression<detail::abs_operation>(std::forward<A>(of));
  } else {
    return detail::make_expression<detail::size_function>(std::forward<A>(of));
  }
}

/// The parts of complex numbers; real ones are their own real part. `a.as<float>()` is a view of both, which can be written.
template <detail::array_operand A>
[[nodiscard]] auto real(A&& of) {
  return detail::make_expression<detail::real_operation>(std::forward<A>(of));
}
template <detail::array_operand A>
[[nodiscard]] auto imag(A&& of) {
  return detail::make_expression<detail::imag_operation>(std::forward<A>(of));
}
/// The complex conjugate; a real number is its own.
template <detail::array_operand A>
[[nodiscard]] auto conj(A&& of) {
  return detail::make_expression<detail::conj_operation>(std::forward<A>(of));
}
/// The angle in the complex plane, from -pi to pi; of integers as `double`.
template <detail::array_operand A>
[[nodiscard]] auto arg(A&& of) {
  return detail::make_expression<detail::arg_function>(std::forward<A>(of));
}
/// A member of each struct of an expression: `member<&particle::x>(where(c, a, b))`. That of an array is `a.member<&particle::x>()`,
/// which can be written.
template <auto Member, detail::array_operand A>
[[nodiscard]] auto member(A&& of) {
  return detail::make_expression<detail::member_operation<Member>>(std::forward<A>(of));
}

/// Where `condition` is not 0 the first, else the second. Both are calculated.
template <class C, class A, class B>
  requires detail::operands<C, A, B>
[[nodiscard]] auto where(C&& condition, A&& then, B&& otherwise) {
  return detail::make_expression<detail::where_operation>(std::forward<C>(condition), std::forward<A>(then),
                                                          std::forward<B>(otherwise));
}

/// The same elements converted as C++ converts them: `cast<int>(a)`.
template <class U, detail::array_operand A>
[[nodiscard]] auto cast(A&& of) {
  static_assert(std::is_arithmetic_v<U> || detail::complex_element<U>,
                "expressions calculate with numbers: half is a type of arrays alone");
  return detail::make_expression<detail::cast_operation<U>>(std::forward<A>(of));
}

/// A function of the program's own, of arrays, views, expressions and numbers: an expression in the dialect of `a`, `b`, ...,
/// which are the operands' elements, or statements that return one. Of the numbers' common type, or of `Result`.
/// Example: `y = yoke::apply<"a > 0 ? a : 0.1f * a">(x);`
template <fixed_text Body, class Result = void, class... A>
  requires detail::operands<A...>
[[nodiscard]] auto apply(A&&... of) {
  static_assert(sizeof...(A) <= 8, "a function has at most 8 operands: a to h");
  static_assert(std::is_void_v<Result> || std::is_arithmetic_v<Result> ||
                    (detail::expression_element<Result> && !detail::real_element<Result>),
                "a function of elements returns a number or a struct of YOKE_STRUCT");
  return detail::make_expression<detail::given_function<Body, Result>>(std::forward<A>(of)...);
}

namespace detail {

// The texts of operations with complex operands.
template <class... T>
inline constexpr bool are_complex = (complex_element<T> && ...);
template <class... T>
struct complex_text<plus_operation, T...> : text_is<"@0 + @1"> {};
template <class... T>
struct complex_text<minus_operation, T...> : text_is<"@0 - @1"> {};
template <class L, class R>
struct complex_text<times_operation, L, R>
    : std::conditional_t<are_complex<L, R>, text_is<"yoke_complex_times_#(@0, @1)">,
                         std::conditional_t<are_complex<L>, text_is<"yoke_complex_scaled_#(@0, $1)">,
                                            text_is<"yoke_complex_scaled_#(@1, $0)">>> {};
template <class L, class R>
struct complex_text<divided_operation, L, R>
    : std::conditional_t<are_complex<R>, text_is<"yoke_complex_divided_#(@0, @1)">,
                         text_is<"yoke_complex_quotient_#(@0, $1)">> {};
template <class... T>
struct complex_text<equal_operation, T...> : text_is<"yoke_complex_equal_#(@0, @1)"> {};
template <class... T>
struct complex_text<not_equal_operation, T...> : text_is<"!yoke_complex_equal_#(@0, @1)"> {};
template <class... T>
struct complex_text<both_operation, T...> : text_is<"`0 && `1"> {};
template <class... T>
struct complex_text<either_operation, T...> : text_is<"`0 || `1"> {};
template <class... T>
struct complex_text<is_not_operation, T...> : text_is<"!`0"> {};
template <class... T>
struct complex_text<negative_operation, T...> : text_is<"-@0"> {};
template <class... T>
struct complex_text<positive_operation, T...> : text_is<"@0"> {};
template <class... T>
struct complex_text<where_operation, T...> : text_is<"`0 ? @1 : @2"> {};
template <class U, class T>
struct complex_text<cast_operation<U>, T>
    : std::conditional_t<std::same_as<U, bool>, text_is<"`0 != 0">, text_is<"@0">> {
  static_assert(complex_element<U> || std::same_as<U, bool>,
                "a complex number is no real one: take real(z), imag(z) or abs(z)");
};
template <fixed_text Body, class Result, class... T>
struct complex_text<given_function<Body, Result>, T...> : text_is<Body> {};
template <class T>
struct complex_text<real_operation, T> : text_is<"$0.x"> {};
template <class T>
struct complex_text<imag_operation, T> : text_is<"$0.y"> {};
template <class T>
struct complex_text<conj_operation, T> : text_is<"yoke_complex_conj_#(@0)"> {};
template <class T>
struct complex_text<size_function, T> : text_is<"yoke_complex_abs_#(@0)"> {};
template <class T>
struct complex_text<arg_function, T> : text_is<"yoke_complex_arg_#(@0)"> {};
#define YOKE_X_COMPLEX_FUNCTION(name)                                                                                  \
  template <class T>                                                                                                   \
  struct complex_text<name##_function, T> : text_is<"yoke_complex_" #name "_#(@0)"> {};
YOKE_X_COMPLEX_FUNCTION(exp)
YOKE_X_COMPLEX_FUNCTION(log)
YOKE_X_COMPLEX_FUNCTION(log10)
YOKE_X_COMPLEX_FUNCTION(sqrt)
YOKE_X_COMPLEX_FUNCTION(sin)
YOKE_X_COMPLEX_FUNCTION(cos)
YOKE_X_COMPLEX_FUNCTION(tan)
YOKE_X_COMPLEX_FUNCTION(sinh)
YOKE_X_COMPLEX_FUNCTION(cosh)
YOKE_X_COMPLEX_FUNCTION(tanh)
YOKE_X_COMPLEX_FUNCTION(asin)
YOKE_X_COMPLEX_FUNCTION(acos)
YOKE_X_COMPLEX_FUNCTION(atan)
YOKE_X_COMPLEX_FUNCTION(asinh)
YOKE_X_COMPLEX_FUNCTION(acosh)
YOKE_X_COMPLEX_FUNCTION(atanh)
#undef YOKE_X_COMPLEX_FUNCTION
template <class... T>
struct complex_text<pow_function, T...> : text_is<"yoke_complex_pow_#(@0, @1)"> {};

}  // namespace detail

#undef YOKE_X_BINARY
#undef YOKE_X_UNARY
#undef YOKE_X_ASSIGN
#undef YOKE_X_FUNCTION_1
#undef YOKE_X_FUNCTION_2
#undef YOKE_X_FUNCTION_3
#undef YOKE_X_MATHEMATICS_1
#undef YOKE_X_MATHEMATICS_2

}  // namespace yoke::inline YOKE_ABI

#endif
