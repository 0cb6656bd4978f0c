// SPDX-License-Identifier: MIT
// The texts of operations whose operands are complex numbers.
#ifndef YOKE_ARRAY_EXPRESSION_COMPLEX_OPERATIONS_HPP
#define YOKE_ARRAY_EXPRESSION_COMPLEX_OPERATIONS_HPP

#include <yoke/array/expression/expression.hpp>

namespace yoke::inline v0_1::detail {

struct plus_operation;
struct minus_operation;
struct times_operation;
struct divided_operation;
struct equal_operation;
struct not_equal_operation;
struct both_operation;
struct either_operation;
struct is_not_operation;
struct negative_operation;
struct positive_operation;
struct where_operation;
struct real_operation;
struct imag_operation;
struct conj_operation;
struct size_function;
struct arg_function;
struct pow_function;
struct exp_function;
struct log_function;
struct log10_function;
struct sqrt_function;
struct sin_function;
struct cos_function;
struct tan_function;
struct sinh_function;
struct cosh_function;
struct tanh_function;
struct asin_function;
struct acos_function;
struct atan_function;
struct asinh_function;
struct acosh_function;
struct atanh_function;
template <class U>
struct cast_operation;
template <fixed_text Body, class Result>
struct text_function;

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
struct complex_text<where_operation, T...> : text_is<"`0 != 0 ? @1 : @2"> {};
template <class U, class T>
struct complex_text<cast_operation<U>, T>
    : std::conditional_t<std::same_as<U, bool>, text_is<"`0 != 0">, text_is<"@0">> {
  static_assert(complex_element<U> || std::same_as<U, bool>,
                "a complex number is no real one: take real(z), imag(z) or abs(z)");
};
template <fixed_text Body, class Result, class... T>
struct complex_text<text_function<Body, Result>, T...> : text_is<Body> {};
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

}  // namespace yoke::inline v0_1::detail

#endif
