// SPDX-License-Identifier: MIT
// The types of array elements and of calculations in expressions, and their names in kernels.
#ifndef YOKE_ARRAY_EVALUATION_VALUE_KIND_HPP
#define YOKE_ARRAY_EVALUATION_VALUE_KIND_HPP

#include <yoke/core/half.hpp>
#include <yoke/program/structs/device_struct.hpp>

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace yoke::inline v0_1::detail {

/// The types of array elements and of calculations in expressions.
enum class value_kind : std::uint8_t {
  boolean,
  int8,
  uint8,
  int16,
  uint16,
  int32,
  uint32,
  int64,
  uint64,
  float32,
  float64,
  half,
  bfloat16,
  complex64,   ///< of two floats
  complex128,  ///< of two doubles
  structure,   ///< a registered struct
};
/// Whether values of a kind are complex numbers.
[[nodiscard]] constexpr bool is_complex(value_kind kind) noexcept {
  return kind == value_kind::complex64 || kind == value_kind::complex128;
}

/// `std::complex` of `float` or `double`, and class templates with the same interface.
template <class T>
concept complex_element =
    complex_number<T> && (std::same_as<typename T::value_type, float> || std::same_as<typename T::value_type, double>);
/// A real number, or a bool.
template <class T>
concept real_element =
    (std::is_arithmetic_v<T> && sizeof(T) <= 8) || std::same_as<T, half> || std::same_as<T, bfloat16>;
/// A type in which expressions calculate.
template <class T>
concept number_element = real_element<T> || complex_element<T>;
/// Types whose arrays have expressions.
template <class T>
concept expression_element = number_element<T> || registered_struct<T>;

template <expression_element T>
consteval value_kind kind_of() {
  if constexpr (std::same_as<T, bool>) {
    return value_kind::boolean;
  } else if constexpr (registered_struct<T>) {
    return value_kind::structure;
  } else if constexpr (complex_element<T>) {
    return std::same_as<typename T::value_type, float> ? value_kind::complex64 : value_kind::complex128;
  } else if constexpr (std::is_integral_v<T>) {
    constexpr int log = sizeof(T) == 1 ? 0 : sizeof(T) == 2 ? 1 : sizeof(T) == 4 ? 2 : 3;
    return static_cast<value_kind>(1 + 2 * log + (std::is_signed_v<T> ? 0 : 1));
  } else {
    return std::same_as<T, float>    ? value_kind::float32
           : std::same_as<T, double> ? value_kind::float64
           : std::same_as<T, half>   ? value_kind::half
                                     : value_kind::bfloat16;
  }
}

/// Returns: the size of a number in calculations, in bytes; bools and half precision take 4.
[[nodiscard]] constexpr std::size_t value_bytes(value_kind kind) noexcept {
  switch (kind) {
    case value_kind::int8:
    case value_kind::uint8: return 1;
    case value_kind::int16:
    case value_kind::uint16: return 2;
    case value_kind::int64:
    case value_kind::uint64:
    case value_kind::float64:
    case value_kind::complex64: return 8;
    case value_kind::complex128: return 16;
    default: return 4;
  }
}
/// A type and its name in kernels.
struct value_type_name {
  constexpr value_type_name() noexcept = default;
  constexpr value_type_name(value_kind of) noexcept
      : kind(of), bytes(value_bytes(of)) {}  // the kind of a number suffices
  constexpr value_type_name(const char* its_struct, std::size_t its_bytes) noexcept
      : kind(value_kind::structure), struct_name(its_struct), bytes(its_bytes) {}
  value_kind kind{};
  const char* struct_name = "";  ///< name of a structure
  std::size_t bytes = 0;         ///< size of a value

  friend constexpr bool operator==(const value_type_name&, const value_type_name&) = default;
};
template <expression_element T>
consteval value_type_name name_of() {
  if constexpr (registered_struct<T>) {
    return {device_struct<T>::name, sizeof(T)};
  } else {
    return kind_of<T>();
  }
}

}  // namespace yoke::inline v0_1::detail

#endif
