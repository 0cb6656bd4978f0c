// SPDX-License-Identifier: MIT
// 16-bit floating-point types of the host: storage of the device's types, with exact conversions.
#ifndef YOKE_CORE_HALF_HPP
#define YOKE_CORE_HALF_HPP

#include <yoke/core/type_name.hpp>

#include <bit>
#include <compare>
#include <concepts>
#include <cstdint>
#include <limits>
#include <type_traits>

namespace yoke::inline v0_1 {

namespace detail {

/// Returns: the value as a float, rounded to odd: an inexact result has its last bit set, so that rounding it again
/// equals rounding the value once.
constexpr float rounded_to_odd(double value) noexcept {
  const auto rounded = static_cast<float>(value);
  if (!(static_cast<double>(rounded) != value) || value != value) return rounded;
  const auto bits = std::bit_cast<std::uint32_t>(rounded);
  if ((bits & 1U) != 0) return rounded;
  const double size = value < 0 ? -value : value;
  const double rounded_size = rounded < 0 ? -static_cast<double>(rounded) : static_cast<double>(rounded);
  return std::bit_cast<float>(rounded_size > size ? bits - 1 : bits + 1);
}

/// Returns: the bits of the nearest half, ties to even; a NaN stays a NaN and keeps its upper bits.
constexpr std::uint16_t half_bits(float value) noexcept {
  const auto bits = std::bit_cast<std::uint32_t>(value);
  const std::uint32_t sign = bits >> 16 & 0x8000U;
  const std::uint32_t size = bits & 0x7fffffffU;
  std::uint32_t result = 0;
  if (size > 0x7f800000U) {
    result = 0x7e00U | (size >> 13 & 0x3ffU);
  } else if (size >= 0x477ff000U) {  // 65520, the first value that rounds to 2^16
    result = 0x7c00U;
  } else if (size >= 0x38800000U) {  // 2^-14, the smallest normal one
    result = (size - 0x38000000U + 0xfffU + (size >> 13 & 1U)) >> 13;
  } else if (size > 0x33000000U) {  // 2^-25, half of the smallest
    const std::uint32_t digits = (size & 0x7fffffU) | 0x800000U;
    const std::uint32_t shift = 126U - (size >> 23);
    const std::uint32_t rest = digits & ((1U << shift) - 1U);
    const std::uint32_t middle = 1U << (shift - 1U);
    result = digits >> shift;
    if (rest > middle || (rest == middle && (result & 1U) != 0)) ++result;
  }
  return static_cast<std::uint16_t>(sign | result);
}
constexpr float float_of_half(std::uint16_t half) noexcept {
  const std::uint32_t sign = static_cast<std::uint32_t>(half & 0x8000U) << 16;
  const std::uint32_t exponent = half >> 10 & 0x1fU;
  std::uint32_t digits = half & 0x3ffU;
  if (exponent == 0x1fU) return std::bit_cast<float>(sign | 0x7f800000U | digits << 13);
  if (exponent != 0) return std::bit_cast<float>(sign | (exponent + 112U) << 23 | digits << 13);
  if (digits == 0) return std::bit_cast<float>(sign);
  std::uint32_t place = 113;
  while ((digits & 0x400U) == 0) {
    digits <<= 1;
    --place;
  }
  return std::bit_cast<float>(sign | place << 23 | (digits & 0x3ffU) << 13);
}

constexpr std::uint16_t bfloat16_bits(float value) noexcept {
  const auto bits = std::bit_cast<std::uint32_t>(value);
  if ((bits & 0x7fffffffU) > 0x7f800000U) return static_cast<std::uint16_t>(bits >> 16 | 0x40U);
  return static_cast<std::uint16_t>((bits + 0x7fffU + (bits >> 16 & 1U)) >> 16);
}
constexpr float float_of_bfloat16(std::uint16_t bits) noexcept {
  return std::bit_cast<float>(static_cast<std::uint32_t>(bits) << 16);
}

/// A number that a double holds exactly.
template <class T>
concept exact_in_double = std::is_arithmetic_v<T> && !std::same_as<T, bool> &&
                          std::numeric_limits<T>::digits <= std::numeric_limits<double>::digits;

/// A 16-bit floating-point type; `Format` converts it to and from float.
template <class Self, class Format>
class small_float {
 public:
  small_float() = default;
  template <exact_in_double T>
  explicit constexpr small_float(T value) noexcept : bits_(Format::narrow(as_float(value))) {}
  [[nodiscard]] static constexpr Self from_bits(std::uint16_t bits) noexcept {
    Self made{0.0F};
    made.bits_ = bits;
    return made;
  }
  [[nodiscard]] constexpr std::uint16_t bits() const noexcept { return bits_; }
  [[nodiscard]] explicit constexpr operator float() const noexcept { return Format::widen(bits_); }
  [[nodiscard]] explicit constexpr operator double() const noexcept { return Format::widen(bits_); }

  [[nodiscard]] friend constexpr bool operator==(const Self& a, const Self& b) noexcept {
    return static_cast<float>(a) == static_cast<float>(b);
  }
  [[nodiscard]] friend constexpr std::partial_ordering operator<=>(const Self& a, const Self& b) noexcept {
    return static_cast<float>(a) <=> static_cast<float>(b);
  }

 private:
  template <class T>
  static constexpr float as_float(T value) noexcept {
    if constexpr (std::same_as<T, float>) {
      return value;
    } else {
      return rounded_to_odd(static_cast<double>(value));
    }
  }
  std::uint16_t bits_;
};

struct half_format {
  static constexpr std::uint16_t narrow(float value) noexcept { return half_bits(value); }
  static constexpr float widen(std::uint16_t bits) noexcept { return float_of_half(bits); }
};
struct bfloat16_format {
  static constexpr std::uint16_t narrow(float value) noexcept { return bfloat16_bits(value); }
  static constexpr float widen(std::uint16_t bits) noexcept { return float_of_bfloat16(bits); }
};

}  // namespace detail

/// The device's half, `half` in OpenCL C, `__half` in CUDA, `yoke_half` in the dialect: storage without arithmetic.
///
/// `half{1.5F}` rounds a float, double or integer once, to the nearest, ties to even; 65520 and above become an
/// infinity. `float(h)` and `double(h)` are exact. Comparisons compare values: a NaN equals nothing, and -0 equals 0.
/// `from_bits` and `bits` give access to the 16 bits. Trivially copyable, 2 bytes.
/// Throws: nothing. Thread safety: a value.
class half : public detail::small_float<half, detail::half_format> {
 public:
  half() = default;
  using small_float::small_float;
};

/// The upper half of a float: `__nv_bfloat16` in CUDA, `yoke_bfloat16` in the dialect, a `ushort` in OpenCL C.
/// Otherwise as `half`.
class bfloat16 : public detail::small_float<bfloat16, detail::bfloat16_format> {
 public:
  bfloat16() = default;
  using small_float::small_float;
};

using half2 = vec<half, 2>;
using half4 = vec<half, 4>;
using half8 = vec<half, 8>;
using half16 = vec<half, 16>;

template <>
inline constexpr const char* device_type_name<half> = "half";
template <>
inline constexpr const char* device_type_name<bfloat16> = "ushort";

template <>
struct device_type<half> {
  static constexpr const char* opencl_c = "half";
  static constexpr const char* cuda = "__half";
  static constexpr const char* dialect = "yoke_half";
  static constexpr std::size_t alignment = 2;
};
template <>
struct device_type<bfloat16> {
  static constexpr const char* opencl_c = "ushort";
  static constexpr const char* cuda = "__nv_bfloat16";
  static constexpr const char* dialect = "yoke_bfloat16";
  static constexpr std::size_t alignment = 2;
};
template <>
struct device_type<half2> {
  static constexpr const char* opencl_c = "half2";
  static constexpr const char* cuda = "__half2";
  static constexpr const char* dialect = "";
  static constexpr std::size_t alignment = 4;
};

}  // namespace yoke::inline v0_1

#endif
