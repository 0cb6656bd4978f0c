// SPDX-License-Identifier: MIT
// Converts numbers given by the caller to elements; checks the kind at compile time and the value at run time.
#ifndef YOKE_ARRAY_EVALUATION_GIVEN_ELEMENT_HPP
#define YOKE_ARRAY_EVALUATION_GIVEN_ELEMENT_HPP

#include <yoke/array/evaluation/value_kind.hpp>
#include <yoke/core/narrow.hpp>

#include <cmath>
#include <limits>

namespace yoke::inline v0_1::detail {

/// The kinds of numbers. A number converts implicitly to a higher kind.
enum class number_rank : std::uint8_t { whole, real, complex, none };

template <class T>
inline constexpr bool is_small_float = std::same_as<T, half> || std::same_as<T, bfloat16>;
template <class T>
consteval number_rank number_rank_of() {
  if constexpr (std::is_integral_v<T>) {
    return number_rank::whole;
  } else if constexpr (std::is_floating_point_v<T> || is_small_float<T>) {
    return number_rank::real;
  } else if constexpr (complex_number<T>) {
    return number_rank::complex;
  } else {
    return number_rank::none;
  }
}
template <class T>
inline constexpr bool is_number = number_rank_of<T>() != number_rank::none;

/// Does not compile for a number of a kind that does not convert to elements of type `T`.
template <class T, class Value>
consteval bool check_given_kind() {
  constexpr number_rank to = number_rank_of<T>();
  constexpr number_rank from = number_rank_of<Value>();
  constexpr bool real_for_bool = !(std::same_as<T, bool> && from == number_rank::real);
  constexpr bool real_for_whole = std::same_as<T, bool> || !(to == number_rank::whole && from == number_rank::real);
  constexpr bool complex_for_real = !(to < number_rank::complex && from == number_rank::complex);
  static_assert(real_for_bool, "a real number is given for bools: write x != 0");
  static_assert(real_for_whole,
                "a real number is given for whole elements: write static_cast<int>(x), or make elements of float");
  static_assert(complex_for_real, "a complex number is given for real elements: write z.real() or std::abs(z)");
  return real_for_bool && real_for_whole && complex_for_real;
}
/// The same for the elements of an expression or a view.
template <class T, class Value>
consteval bool check_element_kinds() {
  constexpr number_rank to = number_rank_of<T>();
  constexpr number_rank from = number_rank_of<Value>();
  constexpr bool real_for_bool = !(std::same_as<T, bool> && from == number_rank::real);
  constexpr bool real_for_whole = std::same_as<T, bool> || !(to == number_rank::whole && from == number_rank::real);
  constexpr bool complex_for_real = !(to < number_rank::complex && from == number_rank::complex);
  static_assert(real_for_bool, "real numbers are assigned to bools: write e != 0");
  static_assert(real_for_whole,
                "real numbers are assigned to whole ones: write cast<int>(e), or assign to elements of float");
  static_assert(complex_for_real, "a complex number is no real one: assign real(z), imag(z) or abs(z)");
  return real_for_bool && real_for_whole && complex_for_real;
}

/// Returns: the digits of a number, for messages.
[[nodiscard]] YOKE_API std::string number_digits(double number);
[[noreturn, gnu::cold]] YOKE_API void throw_outside_elements(const char* name, const text_part& value,
                                                             const text_part& least, const text_part& greatest,
                                                             const source_location& where);
[[noreturn, gnu::cold]] YOKE_API void throw_inexact_element(const char* name, const text_part& value, const char* type,
                                                            const source_location& where);
[[noreturn, gnu::cold]] YOKE_API void throw_infinite_element(const char* name, double value, const char* type,
                                                             double greatest, const source_location& where);

template <class T>
[[nodiscard]] constexpr const char* real_type_name() noexcept {
  return std::same_as<T, half>       ? "half"
         : std::same_as<T, bfloat16> ? "bfloat16"
         : std::same_as<T, float>    ? "float"
         : std::same_as<T, double>   ? "double"
                                     : "long double";
}
/// The greatest finite value of a real type.
template <class T>
[[nodiscard]] constexpr double greatest_real() noexcept {
  if constexpr (std::same_as<T, half>) {
    return 65504;
  } else if constexpr (std::same_as<T, bfloat16>) {
    return 0x1.fep127;
  } else {
    return static_cast<double>((std::numeric_limits<T>::max)());
  }
}

/// Converts a whole number to an integer element. Throws: `logic_error` for a value outside the element type's range.
template <std::integral T, std::integral Value>
[[nodiscard]] constexpr T whole_element(Value value, const char* name, const source_location& where) {
  constexpr auto least = +least_of<T>;  // promoted, because `std::cmp_less` refuses bools and characters
  constexpr auto greatest = std::same_as<T, bool> ? 1 : +greatest_of<T>;
  const auto number = +value;
  if (std::cmp_less(number, least) || std::cmp_greater(number, greatest)) [[unlikely]] {
    throw_outside_elements(name, number, least, greatest, where);
  }
  return static_cast<T>(value);
}
/// Converts a number to a real element: a whole number exactly, a real one rounded.
/// Throws: `logic_error` for a whole number that the type cannot hold exactly, and a finite number that would become
/// infinite.
template <class T, class Value>
[[nodiscard]] constexpr T real_element_of(Value value, const char* name, const source_location& where) {
  if constexpr (std::integral<Value>) {
    const auto number = +value;
    using whole = decltype(+value);
    const auto wide = static_cast<double>(number);
    // Checks the bound first: if the number was rounded up to 2^N, the conversion back would be undefined behaviour.
    constexpr double limit = static_cast<double>(greatest_of<whole> / 2 + 1) * 2;
    const bool is_wide = wide < limit && static_cast<whole>(wide) == number;
    const auto made = static_cast<T>(wide);
    if (!is_wide || static_cast<double>(made) != wide) [[unlikely]] {
      throw_inexact_element(name, number, real_type_name<T>(), where);
    }
    return made;
  } else if constexpr (std::same_as<T, Value>) {
    return value;
  } else {
    const auto wide = static_cast<double>(value);
    const auto made = static_cast<T>(wide);
    const auto again = static_cast<double>(made);
    bool was_finite = wide - wide == 0;
    if constexpr (std::floating_point<Value>) was_finite = value - value == 0;
    if (again - again != 0 && was_finite) [[unlikely]] {
      throw_infinite_element(name, wide, real_type_name<T>(), greatest_real<T>(), where);
    }
    return made;
  }
}
/// Converts a value to an element. Does not compile for a number of a higher kind.
/// Throws: `logic_error` with name, value and limit for a number that the element type cannot hold.
template <class T, class Value>
[[nodiscard]] constexpr T given_element(const Value& value, const char* name, const source_location& where) {
  if constexpr (std::same_as<T, Value>) {
    return value;
  } else if constexpr (!is_number<T> || !is_number<Value>) {
    if constexpr (is_number<T> && std::is_enum_v<Value> &&
                  std::is_convertible_v<Value, std::underlying_type_t<Value>>) {
      return given_element<T>(static_cast<std::underlying_type_t<Value>>(value), name, where);
    } else {
      static_assert(std::convertible_to<const Value&, T>, "the value is no element of the array");
      return static_cast<T>(value);
    }
  } else if constexpr (!check_given_kind<T, Value>()) {
    return T{};
  } else if constexpr (std::integral<T>) {
    return whole_element<T>(value, name, where);
  } else if constexpr (!complex_number<T>) {
    return real_element_of<T>(value, name, where);
  } else {
    using part = typename T::value_type;
    if constexpr (complex_number<Value>) {
      return T(real_element_of<part>(value.real(), name, where), real_element_of<part>(value.imag(), name, where));
    } else {
      return T(real_element_of<part>(value, name, where), part{0});
    }
  }
}

}  // namespace yoke::inline v0_1::detail

#if defined(YOKE_IMPLEMENTATION)
#include <yoke/array/evaluation/given_element.ipp>
#endif

#endif
