// SPDX-License-Identifier: MIT
// half and bfloat16: every one of their values, and what becomes of floats, doubles and integers between them.
#include <support/catch.hpp>

#include <yoke/core/half.hpp>

#include <cmath>
#include <cstring>
#include <limits>
#include <random>
#include <type_traits>
#include <vector>

namespace {

using yoke::bfloat16;
using yoke::half;

static_assert(sizeof(half) == 2 && alignof(half) == 2 && sizeof(bfloat16) == 2 && alignof(bfloat16) == 2);
static_assert(std::is_trivial_v<half> && std::is_standard_layout_v<half>);
static_assert(std::is_trivial_v<bfloat16> && std::is_standard_layout_v<bfloat16>);
static_assert(!std::is_convertible_v<float, half> && !std::is_convertible_v<half, float>);
static_assert(!std::is_constructible_v<half, bool> && !std::is_constructible_v<half, long double>);
static_assert(!std::is_constructible_v<half, std::int64_t> && std::is_constructible_v<half, std::int32_t>);
static_assert(half{1.5F}.bits() == 0x3e00 && bfloat16{1.5F}.bits() == 0x3fc0);  // when compiling, too

/// What a format's bits stand for, by arithmetic: digits, and the exponent of the smallest normal number.
template <class T>
struct format;
template <>
struct format<half> {
  static constexpr int digits = 10;
  static constexpr int smallest = -14;
};
template <>
struct format<bfloat16> {
  static constexpr int digits = 7;
  static constexpr int smallest = -126;
};

template <class T>
double value_of(unsigned bits) {
  constexpr int digits = format<T>::digits;
  const unsigned exponent = (bits & 0x7fffU) >> digits;
  const unsigned fraction = bits & ((1U << digits) - 1U);
  const unsigned largest = 0x7fffU >> digits;
  const double sign = (bits & 0x8000U) != 0 ? -1.0 : 1.0;
  if (exponent == largest) {
    return fraction != 0 ? std::numeric_limits<double>::quiet_NaN() : sign * std::numeric_limits<double>::infinity();
  }
  const double whole = exponent == 0 ? fraction : fraction + (1U << digits);
  const int place = exponent == 0 ? format<T>::smallest : static_cast<int>(exponent) - 1 + format<T>::smallest;
  return sign * std::ldexp(whole, place - digits);
}

/// Returns: the bits of the value nearest to a positive number, by search; of two the one whose last bit is 0.
template <class T>
unsigned nearest(double value) {
  const unsigned infinite = (0x7fffU >> format<T>::digits) << format<T>::digits;
  unsigned low = 0;
  unsigned high = infinite;
  while (high - low > 1) {
    const unsigned middle = (low + high) / 2;
    (value_of<T>(middle) <= value ? low : high) = middle;
  }
  const double below = value_of<T>(low);
  // What would come behind the largest finite number stands for the infinity.
  const double above = high == infinite ? 2 * value_of<T>(low) - value_of<T>(low - 1) : value_of<T>(high);
  if (value - below == above - value) return low % 2 == 0 ? low : high;
  return value - below < above - value ? low : high;
}

template <class T>
void check_every_value() {
  std::size_t wrong = 0;
  for (unsigned bits = 0; bits <= 0xffffU; ++bits) {
    const T made = T::from_bits(static_cast<std::uint16_t>(bits));
    const auto widened = static_cast<float>(made);
    const double expected = value_of<T>(bits);
    const bool same = std::isnan(expected)
                          ? std::isnan(widened) && made != made
                          : static_cast<double>(widened) == expected &&
                                std::signbit(widened) == std::signbit(expected) && T{widened}.bits() == bits &&
                                T{expected}.bits() == bits && made == made;
    // A NaN stays one in both directions.
    const bool back = !std::isnan(expected) || std::isnan(static_cast<float>(T{widened}));
    if (!same || !back || made.bits() != bits || static_cast<double>(made) != static_cast<double>(widened)) {
      if (!std::isnan(expected) || !same || !back) ++wrong;
    }
  }
  CHECK(wrong == 0);
}

template <class T>
void check_rounding() {
  std::size_t wrong = 0;
  const auto check = [&](double value) {
    const unsigned expected = nearest<T>(value);
    if (T{value}.bits() != expected || T{-value}.bits() != (expected | 0x8000U)) ++wrong;
    const auto narrow = static_cast<float>(value);
    if (T{narrow}.bits() != nearest<T>(static_cast<double>(narrow))) ++wrong;
  };
  const unsigned infinite = (0x7fffU >> format<T>::digits) << format<T>::digits;
  for (unsigned bits = 0; bits + 1 < infinite; ++bits) {
    // Between two neighbours: the middle, what is next to it as a float and as a double, and the neighbours' own.
    const double below = value_of<T>(bits);
    const double middle = (below + value_of<T>(bits + 1)) / 2;
    for (const double value :
         {middle, std::nextafter(middle, 0.0), std::nextafter(middle, 1e300),
          static_cast<double>(std::nextafterf(static_cast<float>(middle), 0.0F)),
          static_cast<double>(std::nextafterf(static_cast<float>(middle), 1e38F)), std::nextafter(below, 1e300)}) {
      check(value);
    }
  }
  std::mt19937 random(7);
  std::uniform_real_distribution<double> exponent(-160, 130);
  for (int i = 0; i < 20000; ++i) {
    const double value = std::exp2(exponent(random));
    if (value < 3.4e38) check(value);
  }
  CHECK(wrong == 0);
}

}  // namespace

TEST_CASE("every half is the float that arithmetic says", "[core][half]") { check_every_value<half>(); }
TEST_CASE("every bfloat16 is the float that arithmetic says", "[core][half]") { check_every_value<bfloat16>(); }
TEST_CASE("floats and doubles become the nearest half, once rounded", "[core][half]") { check_rounding<half>(); }
TEST_CASE("floats and doubles become the nearest bfloat16, once rounded", "[core][half]") {
  check_rounding<bfloat16>();
}

TEST_CASE("the ends of half and bfloat16", "[core][half]") {
  constexpr float infinity = std::numeric_limits<float>::infinity();
  CHECK(half{65504.0F}.bits() == 0x7bff);
  CHECK(half{65519.996F}.bits() == 0x7bff);
  CHECK(half{65520.0F}.bits() == 0x7c00);
  CHECK(half{-1e30F}.bits() == 0xfc00);
  CHECK(half{1e300}.bits() == 0x7c00);
  CHECK(half{infinity}.bits() == 0x7c00);
  CHECK(half{std::ldexp(1.0F, -25)}.bits() == 0);  // the middle between 0 and the smallest
  CHECK(half{std::nextafterf(std::ldexp(1.0F, -25), 1.0F)}.bits() == 1);
  CHECK(half{-0.0F}.bits() == 0x8000);
  CHECK(half{1e-300}.bits() == 0);
  CHECK(bfloat16{std::numeric_limits<float>::max()}.bits() == 0x7f80);
  CHECK(bfloat16{-1e300}.bits() == 0xff80);
  CHECK(bfloat16{1e-300}.bits() == 0);
  // A NaN whose upper digits are 0 must not become an infinity; its sign stays.
  float thin = 0;
  const std::uint32_t bits = 0xff800001;
  std::memcpy(&thin, &bits, sizeof thin);
  CHECK(std::isnan(static_cast<float>(half{thin})));
  CHECK(std::isnan(static_cast<float>(bfloat16{thin})));
  CHECK((half{thin}.bits() & 0x8000U) != 0);
  CHECK((bfloat16{thin}.bits() & 0x8000U) != 0);
  CHECK(std::isnan(static_cast<float>(half{std::numeric_limits<double>::quiet_NaN()})));
}

TEST_CASE("doubles that floats would round to the middle are rounded once", "[core][half]") {
  // 1 + 2^-11 is the middle between two halves; what is a little more, or less, of it is lost in a float.
  const double middle = 1.0 + std::ldexp(1.0, -11);
  CHECK(half{middle}.bits() == 0x3c00);
  CHECK(half{middle + std::ldexp(1.0, -40)}.bits() == 0x3c01);
  CHECK(half{3.0 * middle - 2.0 * middle - std::ldexp(1.0, -40)}.bits() == 0x3c00);
  CHECK(half{1 + 3 * std::ldexp(1.0, -11) - std::ldexp(1.0, -40)}.bits() == 0x3c01);
  CHECK(bfloat16{1.0 + std::ldexp(1.0, -8) + std::ldexp(1.0, -50)}.bits() == 0x3f81);
}

TEST_CASE("halves compare by value, and integers become the nearest", "[core][half]") {
  CHECK(half{1.0F} == half{1});
  CHECK(half{-0.0F} == half{0.0F});
  CHECK(half{1.0F} < half{2.0F});
  CHECK_FALSE(half{NAN} == half{NAN});
  CHECK_FALSE(half{NAN} < half{1.0F});
  CHECK(half{2049}.bits() == half{2048}.bits());
  CHECK(half{2051}.bits() == half{2052}.bits());
  CHECK(half{std::numeric_limits<int>::max()}.bits() == 0x7c00);
  CHECK(bfloat16{257}.bits() == bfloat16{256}.bits());
  CHECK(bfloat16{3} > bfloat16{-3});
  CHECK(yoke::half2{half{1}, half{2}} == yoke::half2{half{1}, half{2}});
}
