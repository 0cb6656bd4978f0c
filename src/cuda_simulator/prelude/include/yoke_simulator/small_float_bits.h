// SPDX-License-Identifier: MIT
// Rounding to 16-bit floating types, and widening from them, by their bits.
#ifndef YOKE_SIMULATOR_SMALL_FLOAT_BITS_H
#define YOKE_SIMULATOR_SMALL_FLOAT_BITS_H

namespace yoke_simulator {

/// A format of one sign bit, `Exponent` bits and `Mantissa` bits.
template <int Exponent, int Mantissa>
struct small {
  static constexpr int bias = (1 << (Exponent - 1)) - 1;
  static constexpr unsigned infinity = ((1u << Exponent) - 1) << Mantissa;

  /// Whether a magnitude, cut to `odd`, goes up for the part that was cut off, compared with half a unit.
  static bool goes_up(rounding how, bool negative, bool odd, int compared_with_half, bool inexact) {
    switch (how) {
      case rounding::nearest: return compared_with_half > 0 || (compared_with_half == 0 && odd);
      case rounding::zero: return false;
      case rounding::up: return inexact && !negative;
      case rounding::down: return inexact && negative;
    }
    return false;
  }

  static unsigned short round(double value, rounding how) {
    const unsigned long long bits = bit_cast<unsigned long long>(value);
    const bool negative = (bits >> 63) != 0;
    const unsigned sign = negative ? 0x8000u : 0u;
    const int exponent = static_cast<int>(bits >> 52 & 0x7ff);
    const unsigned long long fraction = bits & ((1ull << 52) - 1);
    if (exponent == 0x7ff) return static_cast<unsigned short>(fraction != 0 ? 0x7fffu : sign | infinity);
    if (exponent == 0 && fraction == 0) return static_cast<unsigned short>(sign);
    const unsigned long long whole = exponent == 0 ? fraction : fraction | 1ull << 52;
    // The result's exponent field; below 1 the value is subnormal there, and more bits are cut.
    int field = (exponent == 0 ? 1 : exponent) - 1023 + bias;
    int cut = 52 - Mantissa;
    if (field < 1) {
      cut += 1 - field;
      field = 1;
    }
    if (cut > 62) cut = 62;
    unsigned long long kept = whole >> cut;
    const unsigned long long rest = whole & ((1ull << cut) - 1);
    const unsigned long long half = 1ull << (cut - 1);
    if (goes_up(how, negative, (kept & 1) != 0, rest > half ? 1 : rest == half ? 0 : -1, rest != 0)) ++kept;
    // The hidden bit of a normal number adds one to the field below, a carry one more.
    const unsigned long long result = (static_cast<unsigned long long>(field - 1) << Mantissa) + kept;
    if (result >= infinity) {
      const bool stays =
          how == rounding::zero || (how == rounding::up && negative) || (how == rounding::down && !negative);
      return static_cast<unsigned short>(sign | (stays ? infinity - 1 : infinity));
    }
    return static_cast<unsigned short>(sign | static_cast<unsigned>(result));
  }

  static float widen(unsigned short bits) {
    const unsigned sign = static_cast<unsigned>(bits & 0x8000u) << 16;
    const unsigned magnitude = bits & 0x7fffu;
    const unsigned shifted = magnitude << (23 - Mantissa);
    if (magnitude >= infinity)
      return bit_cast<float>(sign | 0x7f800000u | (magnitude > infinity ? 0x00400000u | shifted : 0u));
    if (magnitude >= 1u << Mantissa)
      return bit_cast<float>(sign | (shifted + (static_cast<unsigned>(127 - bias) << 23)));
    const float value = static_cast<float>(__builtin_ldexp(static_cast<double>(magnitude), 1 - bias - Mantissa));
    return sign != 0 ? -value : value;
  }

  // A 64-bit integer may not fit a double: the lowest bit then says that there was more.
  template <class I>
  static unsigned short from_integer(I value, rounding how) {
    const bool negative = value < I(0);
    unsigned long long magnitude = static_cast<unsigned long long>(value);
    if (negative) magnitude = 0 - magnitude;
    int shift = 0;
    while (magnitude >> 53 != 0) {
      magnitude = magnitude >> 1 | (magnitude & 1);
      ++shift;
    }
    const double wide = __builtin_ldexp(static_cast<double>(magnitude), shift);
    return round(negative ? -wide : wide, how);
  }
};

/// a * b + c, where the last bit is odd if the sum was not exact: rounding that again gives what one rounding would.
inline double odd_multiply_add(float a, float b, float c) {
  const double product = static_cast<double>(a) * static_cast<double>(b);
  const double sum = product + static_cast<double>(c);
  if (!(sum - sum == 0.0)) return sum;
  const double part = sum - product;
  const double error = (product - (sum - part)) + (static_cast<double>(c) - part);
  const unsigned long long bits = bit_cast<unsigned long long>(sum);
  if (error == 0.0 || (bits & 1) != 0) return sum;
  return bit_cast<double>((error > 0.0) == (sum > 0.0) ? bits + 1 : bits - 1);
}

template <class T>
inline T add_atomically(T* address, T value) {
  using word = unsigned short;
  if constexpr (sizeof(T) == sizeof(word)) {
    return bit_cast<T>(update(reinterpret_cast<word*>(address),
                              [=](word old) { return bit_cast<word>(T(bit_cast<T>(old) + value)); }));
  } else {
    return bit_cast<T>(update(reinterpret_cast<unsigned*>(address),
                              [=](unsigned old) { return bit_cast<unsigned>(T(bit_cast<T>(old) + value)); }));
  }
}

}  // namespace yoke_simulator

#endif
