// SPDX-License-Identifier: MIT
// Random numbers as the host calculates them, for the tests.
#ifndef YOKE_TESTS_ALGORITHM_RANDOM_MODEL_HPP
#define YOKE_TESTS_ALGORITHM_RANDOM_MODEL_HPP

#include <yoke/random.hpp>

#include <bit>
#include <cmath>
#include <complex>
#include <cstdint>
#include <limits>
#include <utility>

namespace yoke_test::random_model {

using block = std::array<std::uint32_t, 4>;

/// Returns: the block of place `n` for elements of so many words.
inline block block_of(std::uint64_t seed, std::uint64_t n, std::uint32_t words) {
  const std::uint64_t number = n / (4 / words);
  return yoke::philox4x32({static_cast<std::uint32_t>(number), static_cast<std::uint32_t>(number >> 32), 0, words},
                          {static_cast<std::uint32_t>(seed), static_cast<std::uint32_t>(seed >> 32)});
}
inline std::uint32_t word_of(std::uint64_t seed, std::uint64_t n) { return block_of(seed, n, 1)[n % 4]; }
inline std::uint64_t pair_of(const block& of, std::size_t pair) {
  return std::uint64_t{of[2 * pair + 1]} << 32 | of[2 * pair];
}
inline std::uint64_t wide_of(std::uint64_t seed, std::uint64_t n) { return pair_of(block_of(seed, n, 2), n % 2); }

template <class T>
T bits(std::uint64_t seed, std::uint64_t n) {
  if constexpr (sizeof(T) == 8) {
    return static_cast<T>(wide_of(seed, n));
  } else {
    return static_cast<T>(word_of(seed, n));
  }
}

/// Returns: the upper half of a product.
inline std::uint64_t upper_product(std::uint64_t a, std::uint64_t b) {
  const std::uint64_t low = 0xffffffffU;
  const std::uint64_t middle = (a & low) * (b >> 32) + ((a & low) * (b & low) >> 32);
  const std::uint64_t other = (a >> 32) * (b & low) + (middle & low);
  return (a >> 32) * (b >> 32) + (middle >> 32) + (other >> 32);
}

template <class T>
T integer(std::uint64_t seed, std::uint64_t n, T low, T high) {
  const std::uint64_t count = static_cast<std::uint64_t>(high) - static_cast<std::uint64_t>(low);
  if constexpr (sizeof(T) < 8) {
    return static_cast<T>(static_cast<std::uint64_t>(low) + upper_product(wide_of(seed, n), count));
  } else {
    const block all = block_of(seed, n, 4);
    const std::uint64_t part = pair_of(all, 1) * count;
    const std::uint64_t carried = upper_product(pair_of(all, 0), count);
    return static_cast<T>(static_cast<std::uint64_t>(low) + upper_product(pair_of(all, 1), count) +
                          (part + carried < part ? 1 : 0));
  }
}

template <class T>
using word_type = std::conditional_t<std::is_same_v<T, double>, double, float>;

template <class T>
T uniform(std::uint64_t seed, std::uint64_t n, T low, T high) {
  using word = word_type<T>;
  const word from = static_cast<word>(low);
  const word end = static_cast<word>(high);
  const word unit = sizeof(word) == 8 ? std::ldexp(static_cast<word>(wide_of(seed, n) >> 11), -53)
                                      : std::ldexp(static_cast<word>(word_of(seed, n) >> 8), -24);
  const word made = std::fma(unit, end - from, from);
  T rounded = static_cast<T>(made);
  if (!(rounded < high)) {  // the last number before the end
    if constexpr (sizeof(T) == 2) {
      rounded = end == 0 ? T::from_bits(0x8001)
                         : T::from_bits(static_cast<std::uint16_t>(end > 0 ? high.bits() - 1 : high.bits() + 1));
    } else {
      rounded = std::nextafter(high, -std::numeric_limits<T>::max());
    }
  }
  return rounded;
}

/// Returns: two normal numbers of two words, as Box and Muller say, in long doubles. The first word is a `Real` of (0, 1].
template <class Real, class Word>
std::pair<long double, long double> exact_normals(Word first, Word second) {
  const int digits = std::numeric_limits<Word>::digits;
  const long double pi = 3.141592653589793238462643383279502884L;
  const Real u = std::fma(static_cast<Real>(first), std::ldexp(Real(1), -digits), std::ldexp(Real(1), -digits - 1));
  const long double r = std::sqrt(-2 * std::log(static_cast<long double>(u)));
  const auto angle = static_cast<std::make_signed_t<Word>>(second);  // from -pi on, so that small ones are exact
  const long double turn = std::ldexp(static_cast<long double>(angle), 1 - digits) * pi;
  return {r * std::cos(turn), r * std::sin(turn)};
}

/// Returns: the same by the steps of the kernels, to the last bit.
inline std::pair<float, float> normals(std::uint32_t first, std::uint32_t second) {
  const float u = std::fma(static_cast<float>(first), 0x1p-32F, 0x1p-33F);
  const auto bits_of_u = std::bit_cast<std::uint32_t>(u);
  const auto exponent = static_cast<std::int32_t>(bits_of_u - 0x3f3504f3U) >> 23;
  const float f = std::bit_cast<float>(bits_of_u - (static_cast<std::uint32_t>(exponent) << 23)) - 1.0F;
  float p = -0.062015F;
  for (const float each : {0.105308644F, -0.10646192F, 0.11037783F, -0.124507435F, 0.14286524F, -0.16668001F,
                           0.2000001F, -0.2499999F, 0.33333334F}) {
    p = std::fma(p, f, each);
  }
  const float square = f * f;
  const float scaled = p * f;
  const float logarithm = f + std::fma(scaled, square, -0.5F * square);
  const float x = -2.0F * std::fma(static_cast<float>(exponent), 0.6931472F, logarithm);
  float y = std::bit_cast<float>(0x5f3759dfU - (std::bit_cast<std::uint32_t>(x) >> 1));
  for (int turn = 0; turn < 3; ++turn) {
    const float product = 0.5F * x * y;
    y *= std::fma(-product, y, 1.5F);
  }
  const float root = x * y;
  const float r = std::fma(std::fma(-root, root, x), 0.5F * y, root);
  const std::uint32_t quarter = (second + 0x20000000U) >> 30;
  const float angle = static_cast<float>(static_cast<std::int32_t>(second - (quarter << 30))) * 1.4629181e-9F;
  const float z = angle * angle;
  float sine = 2.7249926e-6F;
  for (const float each : {-0.00019840087F, 0.008333332F, -0.16666667F}) sine = std::fma(sine, z, each);
  const float cube = angle * z;
  sine = std::fma(sine, cube, angle);
  float cosine = -2.730096e-7F;
  for (const float each : {2.48006e-5F, -0.0013888888F, 0.041666668F, -0.5F, 1.0F}) cosine = std::fma(cosine, z, each);
  const float across[]{cosine, -sine, -cosine, sine};
  const float up[]{sine, cosine, -sine, -cosine};
  return {r * across[quarter], r * up[quarter]};
}
inline std::pair<double, double> normals(std::uint64_t first, std::uint64_t second) {
  const double u = std::fma(static_cast<double>(first), 0x1p-64, 0x1p-65);
  const auto bits_of_u = std::bit_cast<std::uint64_t>(u);
  const auto exponent = static_cast<std::int64_t>(bits_of_u - 0x3fe6a09e667f3bcdU) >> 52;
  const double f = std::bit_cast<double>(bits_of_u - (static_cast<std::uint64_t>(exponent) << 52)) - 1.0;
  const double s = f / (2.0 + f);
  double z = s * s;
  double p = 0.13086626147840102;
  for (const double each : {0.13268773138656886, 0.15386239702814658, 0.18181795640132906, 0.22222222391713917,
                            0.28571428570803614, 0.4000000000000088, 0.6666666666666666}) {
    p = std::fma(p, z, each);
  }
  const double scaled = s * z;
  const double logarithm = std::fma(scaled, p, 2.0 * s);
  const double r = std::sqrt(-2.0 * std::fma(static_cast<double>(exponent), 0.6931471805599453, logarithm));
  const auto quarter = static_cast<std::uint32_t>((second + 0x2000000000000000U) >> 62);
  const double angle =
      static_cast<double>(static_cast<std::int64_t>(second - (std::uint64_t{quarter} << 62))) * 3.4061215800865545e-19;
  z = angle * angle;
  double sine = -7.586697117706918e-13;
  for (const double each : {1.6058531618986147e-10, -2.5052106232447578e-8, 2.7557319219339167e-6,
                            -0.00019841269841265065, 0.008333333333333331, -0.16666666666666666}) {
    sine = std::fma(sine, z, each);
  }
  const double cube = angle * z;
  sine = std::fma(sine, cube, angle);
  double cosine = 4.7458719020432915e-14;
  for (const double each : {-1.1470460887609959e-11, 2.087675579108042e-9, -2.7557319221402824e-7,
                            2.4801587301584645e-5, -0.0013888888888888887, 0.041666666666666664, -0.5, 1.0}) {
    cosine = std::fma(cosine, z, each);
  }
  const double across[]{cosine, -sine, -cosine, sine};
  const double up[]{sine, cosine, -sine, -cosine};
  return {r * across[quarter], r * up[quarter]};
}

template <class T>
T normal(std::uint64_t seed, std::uint64_t n, T mean, T sigma) {
  using word = word_type<T>;
  const auto of = [&] {
    if constexpr (sizeof(word) == 8) {
      const block all = block_of(seed, n, 2);
      return normals(pair_of(all, 0), pair_of(all, 1));
    } else {
      const block all = block_of(seed, n, 1);
      return normals(all[n % 4 / 2 * 2], all[n % 4 / 2 * 2 + 1]);
    }
  }();
  return static_cast<T>(std::fma(static_cast<word>(sigma), n % 2 == 0 ? of.first : of.second, static_cast<word>(mean)));
}

}  // namespace yoke_test::random_model

#endif
