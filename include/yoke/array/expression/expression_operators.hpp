// SPDX-License-Identifier: MIT
// The operators and functions that make expressions of arrays and numbers.
#ifndef YOKE_ARRAY_EXPRESSION_EXPRESSION_OPERATORS_HPP
#define YOKE_ARRAY_EXPRESSION_EXPRESSION_OPERATORS_HPP

#include <yoke/array/expression/complex_operations.hpp>
#include <yoke/array/expression/operation_kinds.hpp>

namespace yoke::inline v0_1 {

namespace detail {

/// Operands that can be assigned in place.
template <class A>
concept assignable_operand = array_operand<A> && !array_expression<std::remove_cvref_t<A>>;
/// Throws: `logic_error` where the number on the right of `+=` or a similar operator does not fit the elements on the
/// left.
template <class A, class B>
void check_given_operand(const B& by) {
  using element = typename std::remove_cvref_t<A>::value_type;
  if constexpr (is_number<B> && is_number<element>) {
    (void)given_element<element>(by, "right operand", source_location{});  // operators cannot know their place
  }
}

}  // namespace detail

// Each operator takes arrays, views, expressions and numbers; at least one operand is not a number.
#define YOKE_X_OPERATOR(op, name)                                                                                      \
  template <class L, class R>                                                                                          \
    requires detail::operands<L, R>                                                                                    \
  [[nodiscard]] auto operator op(L&& left, R&& right) {                                                                \
    return detail::make_expression<detail::name##_operation>(std::forward<L>(left), std::forward<R>(right));           \
  }
#define YOKE_X_BINARY(op, name, kind)                                                                                  \
  namespace detail {                                                                                                   \
  struct name##_operation : kind {                                                                                     \
    static constexpr const char* text = "$0 " #op " $1";                                                               \
  };                                                                                                                   \
  }                                                                                                                    \
  YOKE_X_OPERATOR(op, name)
// Signed integers wrap, as in NumPy: the overflow that C++ leaves undefined differs between devices.
#define YOKE_X_WRAPPING(op, name)                                                                                      \
  namespace detail {                                                                                                   \
  struct name##_operation : arithmetic_operation {                                                                     \
    static constexpr const char* text = "$0 " #op " $1";                                                               \
    static constexpr const char* text_of_int32 = "(yoke_int32)((yoke_uint32)(@0) " #op " (yoke_uint32)(@1))";          \
    static constexpr const char* text_of_int64 = "(yoke_int64)((yoke_uint64)(@0) " #op " (yoke_uint64)(@1))";          \
  };                                                                                                                   \
  }                                                                                                                    \
  YOKE_X_OPERATOR(op, name)
#define YOKE_X_UNARY(op, name, kind)                                                                                   \
  namespace detail {                                                                                                   \
  struct name##_operation : kind {                                                                                     \
    static constexpr const char* text = #op "$0";                                                                      \
  };                                                                                                                   \
  }                                                                                                                    \
  template <detail::expression_operand A>                                                                              \
  [[nodiscard]] auto operator op(A&& of) {                                                                             \
    return detail::make_expression<detail::name##_operation>(std::forward<A>(of));                                     \
  }
#define YOKE_X_ASSIGN(op)                                                                                              \
  template <detail::assignable_operand A, detail::operand B>                                                           \
  A&& operator op##=(A&& to, const B& by) {                                                                            \
    detail::check_given_operand<A>(by);                                                                                \
    detail::written_of(to).assign(detail::read_of(to) op by, source_location{}); /* they have no place */              \
    return std::forward<A>(to);                                                                                        \
  }
#define YOKE_X_FUNCTION_1(name, words, kind)                                                                           \
  namespace detail {                                                                                                   \
  struct name##_function : kind {                                                                                      \
    static constexpr const char* text = words;                                                                         \
  };                                                                                                                   \
  }                                                                                                                    \
  template <detail::expression_operand A>                                                                              \
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

/// Does not compile: standard streams do not print arrays.
template <class Out, detail::array_operand A>
  requires(!detail::operand<Out>) && requires(Out& out) {
    out.rdbuf();
    out.precision();
  }
Out& operator<<(Out& out, const A&) {
  static_assert(!detail::array_operand<A>,
                "arrays are printed by {fmt}: include <yoke/fmt.hpp> and write fmt::print(\"{}\", a)");
  return out;
}

YOKE_X_WRAPPING(+, plus)
YOKE_X_WRAPPING(-, minus)
YOKE_X_WRAPPING(*, times)
YOKE_X_BINARY(/, divided, quotient_operation)
YOKE_X_BINARY(%, modulo, remainder_operation)
YOKE_X_BINARY(&, bit_and, integer_operation)
YOKE_X_BINARY(|, bit_or, integer_operation)
YOKE_X_BINARY(^, bit_xor, integer_operation)
YOKE_X_BINARY(<<, shift_left, left_shift_operation)
YOKE_X_BINARY(>>, shift_right, right_shift_operation)
YOKE_X_BINARY(<, less, order_comparison)
YOKE_X_BINARY(<=, less_equal, order_comparison)
YOKE_X_BINARY(>, greater, order_comparison)
YOKE_X_BINARY(>=, greater_equal, order_comparison)
YOKE_X_BINARY(==, equal, comparison)
YOKE_X_BINARY(!=, not_equal, comparison)
YOKE_X_BINARY(&&, both, comparison)
YOKE_X_BINARY(||, either, comparison)
namespace detail {
struct negative_operation : arithmetic_operation {
  static constexpr const char* text = "-$0";
  static constexpr const char* text_of_int32 = "(yoke_int32)(0 - (yoke_uint32)(@0))";
  static constexpr const char* text_of_int64 = "(yoke_int64)(0 - (yoke_uint64)(@0))";
};
}  // namespace detail
template <detail::expression_operand A>
[[nodiscard]] auto operator-(A&& of) {
  return detail::make_expression<detail::negative_operation>(std::forward<A>(of));
}
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
YOKE_X_MATHEMATICS_1(sinpi)
YOKE_X_MATHEMATICS_1(cospi)
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
YOKE_X_MATHEMATICS_1(logb)
YOKE_X_MATHEMATICS_2(pow)
YOKE_X_MATHEMATICS_2(atan2)
YOKE_X_MATHEMATICS_2(atan2pi)
YOKE_X_MATHEMATICS_2(hypot)
YOKE_X_MATHEMATICS_2(fmod)
YOKE_X_MATHEMATICS_2(remainder)  // C's: of the quotient's nearest whole number
YOKE_X_MATHEMATICS_2(fmin)
YOKE_X_MATHEMATICS_2(fmax)
YOKE_X_MATHEMATICS_2(fdim)
YOKE_X_MATHEMATICS_2(copysign)
YOKE_X_MATHEMATICS_2(nextafter)
YOKE_X_FUNCTION_3(fma, "fma(@0, @1, @2)", mathematics)
YOKE_X_FUNCTION_2(ldexp, "ldexp(@0, (int)($1))", scaling_operation)
// The exponent as an `std::int32_t`: of 0 and of NaN the least one, of infinities the greatest.
YOKE_X_FUNCTION_1(ilogb, "@0 == 0 || @0 != @0 ? -2147483647 - 1 : isinf(@0) != 0 ? 2147483647 : (int)ilogb(@0)",
                  exponent_operation)
YOKE_X_FUNCTION_1(isnan, "isnan(@0) != 0", classification)
YOKE_X_FUNCTION_1(isinf, "isinf(@0) != 0", classification)
YOKE_X_FUNCTION_1(isfinite, "isfinite(@0) != 0", classification)
// As `std::min`, `std::max` and `std::clamp`, in the common type of the numbers; NaN if an operand is NaN, as in
// reductions. `fmin` and `fmax` ignore NaN.
YOKE_X_FUNCTION_2(min, "@1 < @0 || @1 != @1 ? @1 : @0", least_operation)
YOKE_X_FUNCTION_2(max, "@0 < @1 || @1 != @1 ? @1 : @0", greatest_operation)
YOKE_X_FUNCTION_3(clamp, "@1 != @1 ? @1 : @2 != @2 ? @2 : @0 < @1 ? @1 : @2 < @0 ? @2 : @0", clamp_operation)

/// The absolute value, of the promoted type: for `short` an `int`, for a complex number the type of its parts.
template <detail::expression_operand A>
[[nodiscard]] auto abs(A&& of) {
  using type = detail::promoted<detail::computed<typename detail::operand_of<A>::value_type>>;
  if constexpr (std::is_integral_v<type>) {
    return detail::make_expression<detail::abs_operation>(std::forward<A>(of));
  } else {
    return detail::make_expression<detail::size_function>(std::forward<A>(of));
  }
}

/// The real and the imaginary part of complex numbers; a real number is its own real part. `a.as<float>()` is a view
/// of both parts, which can be written.
template <detail::expression_operand A>
[[nodiscard]] auto real(A&& of) {
  return detail::make_expression<detail::real_operation>(std::forward<A>(of));
}
template <detail::expression_operand A>
[[nodiscard]] auto imag(A&& of) {
  return detail::make_expression<detail::imag_operation>(std::forward<A>(of));
}
/// The complex conjugate; a real number is its own conjugate.
template <detail::expression_operand A>
[[nodiscard]] auto conj(A&& of) {
  return detail::make_expression<detail::conj_operation>(std::forward<A>(of));
}
/// The angle in the complex plane, from -pi to pi; for integers as `double`.
template <detail::expression_operand A>
[[nodiscard]] auto arg(A&& of) {
  return detail::make_expression<detail::arg_function>(std::forward<A>(of));
}
/// A member of each struct of an expression: `member<&particle::x>(where(c, a, b))`. For an array,
/// `a.member<&particle::x>()` is a view, which can be written.
template <auto Member, detail::expression_operand A>
[[nodiscard]] auto member(A&& of) {
  return detail::make_expression<detail::member_operation<Member>>(std::forward<A>(of));
}

/// The first where `condition` is not 0, else the second. Both are calculated.
template <class C, class A, class B>
  requires detail::operands<C, A, B>
[[nodiscard]] auto where(C&& condition, A&& then, B&& otherwise) {
  return detail::make_expression<detail::where_operation>(std::forward<C>(condition), std::forward<A>(then),
                                                          std::forward<B>(otherwise));
}

/// Converts the elements as C++ does: `cast<int>(a)`. `cast<half>(a)` rounds; further operations calculate in `float`.
template <class U, detail::expression_operand A>
[[nodiscard]] auto cast(A&& of) {
  static_assert(detail::number_element<U>,
                "elements are converted to arithmetic types, half, bfloat16 and complex numbers");
  return detail::make_expression<detail::cast_operation<U>>(std::forward<A>(of));
}

/// Applies a function that the program has written to arrays, views, expressions and numbers. The text is an
/// expression in the dialect of the elements `a`, `b`, ..., or statements that return one. The result has the common
/// type of the numbers, or `Result`.
/// Example: `y = yoke::apply<"a > 0 ? a : 0.1f * a">(x);`
template <fixed_text Body, class Result = void, class... A>
  requires detail::operands<A...>
[[nodiscard]] auto apply(A&&... of) {
  static_assert(sizeof...(A) <= 8, "a function has at most 8 operands: a to h");
  static_assert(std::is_void_v<Result> || std::is_arithmetic_v<Result> ||
                    (detail::expression_element<Result> && !detail::real_element<Result>),
                "a function of elements returns a number or a struct of YOKE_STRUCT");
  return detail::make_expression<detail::text_function<Body, Result>>(std::forward<A>(of)...);
}

namespace detail {
/// Returns: the elements in the type in which mathematical functions calculate.
template <class A>
[[nodiscard]] auto real_number_of(A&& of) {
  using type = typename std::remove_cvref_t<A>::value_type;
  static_assert(real_element<type>, "frexp and modf take real numbers: real(z), imag(z) or abs(z)");
  return cast<mathematical<type>>(std::forward<A>(of));
}
}  // namespace detail

/// The parts into which `frexp` and `modf` take numbers: two expressions, each of which is calculated where it is
/// assigned.
template <class Fraction, class Exponent>
struct fraction_and_exponent {
  Fraction fraction;
  Exponent exponent;
};
template <class Fraction, class Whole>
struct fraction_and_whole {
  Fraction fraction;
  Whole whole;
};
/// Numbers as `fraction * 2^exponent`, with a fraction of a size from 0.5 to below 1, or 0. The exponent is an
/// `std::int32_t`; of 0, infinities and NaN it is 0, and the fraction is the number itself.
/// Example: `auto [fraction, exponent] = yoke::frexp(a);`
template <detail::array_operand A>
[[nodiscard]] auto frexp(A&& of) {
  const auto number = detail::real_number_of(std::forward<A>(of));
  auto fraction = apply<"int e; return isfinite(a) != 0 ? frexp(a, &e) : a;">(number);
  auto exponent = apply<"int e; frexp(a, &e); return isfinite(a) != 0 ? e : 0;", std::int32_t>(number);
  return fraction_and_exponent<decltype(fraction), decltype(exponent)>{fraction, exponent};
}
/// Numbers as `whole + fraction`, both of the number's sign. The fraction of an infinity is 0.
/// Example: `auto [fraction, whole] = yoke::modf(a);`
template <detail::array_operand A>
[[nodiscard]] auto modf(A&& of) {
  const auto number = detail::real_number_of(std::forward<A>(of));
  auto fraction = detail::make_expression<detail::fraction_function>(number);
  auto without = trunc(number);
  return fraction_and_whole<decltype(fraction), decltype(without)>{fraction, without};
}

#undef YOKE_X_OPERATOR
#undef YOKE_X_BINARY
#undef YOKE_X_WRAPPING
#undef YOKE_X_UNARY
#undef YOKE_X_ASSIGN
#undef YOKE_X_FUNCTION_1
#undef YOKE_X_FUNCTION_2
#undef YOKE_X_FUNCTION_3
#undef YOKE_X_MATHEMATICS_1
#undef YOKE_X_MATHEMATICS_2

}  // namespace yoke::inline v0_1

#endif
