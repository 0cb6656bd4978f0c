// SPDX-License-Identifier: MIT
// The functions of CUDA's mathematics that the C library lacks, in double precision.
#include "engine/words/special_functions.hpp"

#include <cmath>
#include <limits>

namespace yoke::simulator {

namespace {

using yoke_simulator::function;

// Wider than the results, which are then right to the last bit but one even where an argument is magnified.
using real = long double;

constexpr real pi = 3.14159265358979323846264338327950288L;
constexpr real infinity = std::numeric_limits<double>::infinity();
constexpr real not_a_number = std::numeric_limits<double>::quiet_NaN();

// The argument is reduced exactly, so that whole and half turns give exact results.
real sin_pi(real x) {
  if (!std::isfinite(x)) return not_a_number;
  const real r = std::fmod(std::fabs(x), 2.0L);
  real result = 0.0L;
  if (r <= 0.25L) {
    result = std::sin(pi * r);
  } else if (r < 0.75L) {
    result = std::cos(pi * (0.5L - r));
  } else if (r <= 1.25L) {
    result = std::sin(pi * (1.0L - r));
  } else if (r < 1.75L) {
    result = -std::cos(pi * (1.5L - r));
  } else {
    result = std::sin(pi * (r - 2.0L));
  }
  if (result == 0.0L) return std::copysign(0.0L, x);
  return x < 0 ? -result : result;
}
real cos_pi(real x) {
  if (!std::isfinite(x)) return not_a_number;
  const real r = std::fmod(std::fabs(x), 2.0L);
  if (r <= 0.25L) return std::cos(pi * r);
  if (r < 0.75L) return std::sin(pi * (0.5L - r));
  if (r <= 1.25L) return -std::cos(pi * (1.0L - r));
  if (r < 1.75L) return std::sin(pi * (r - 1.5L));
  return std::cos(pi * (2.0L - r));
}

/// exp(x * x) * erfc(x); for large x by the continued fraction, where the factors leave the range.
real scaled_erfc(real x) {
  if (x < 25.0L) return std::exp(x * x) * std::erfc(x);
  real tail = x;
  for (int k = 40; k > 0; --k) tail = x + 0.5L * k / tail;
  return 1.0L / (tail * std::sqrt(pi));
}

real inverse_erf(real y);

/// The inverse of erfc, by Halley's steps in the half where erfc keeps its precision; around 1 by steps for erf.
real inverse_erfc(real y) {
  if (!(y >= 0.0L && y <= 2.0L)) return not_a_number;
  if (y == 0.0L) return infinity;
  if (y == 2.0L) return -infinity;
  if (y >= 0.5L && y <= 1.5L) return inverse_erf(1.0L - y);
  const real half = y < 1.0L ? y : 2.0L - y;
  const real t = std::sqrt(-2.0L * std::log(half / 2.0L));
  real x = 0.70711L * (t - (2.30753L + t * 0.27061L) / (1.0L + t * (0.99229L + t * 0.04481L)));
  for (int step = 0; step < 5; ++step) {
    // In units of the derivative: erfc(x) - half and exp(-x * x) both vanish for large x, their quotient does not.
    const real error = (scaled_erfc(x) - half * std::exp(x * x)) * std::sqrt(pi) / 2.0L;
    if (!std::isfinite(error)) break;
    x += error / (1.0L + x * error);
  }
  return y < 1.0L ? x : -x;
}

real inverse_erf(real y) {
  if (!(std::fabs(y) <= 1.0L)) return not_a_number;
  if (std::fabs(y) == 1.0L) return std::copysign(infinity, y);
  if (std::fabs(y) > 0.5L) return y > 0 ? inverse_erfc(1.0L - y) : -inverse_erfc(1.0L + y);
  real x = y * std::sqrt(pi) / 2.0L;
  for (int step = 0; step < 5; ++step) {
    const real error = (std::erf(x) - y) * std::exp(x * x) * std::sqrt(pi) / 2.0L;
    x -= error / (1.0L + x * error);
  }
  return x;
}

/// The modified Bessel functions of order 0 and 1: their power series has only positive terms.
real bessel_i(int order, real value) {
  const real x = std::fabs(value);
  if (std::isinf(x)) return order == 1 && value < 0 ? -infinity : infinity;
  real sum = 0.0L;
  real term = order == 0 ? 1.0L : x / 2.0L;
  for (int k = 1; term > sum * 1e-22L && k < 4000; ++k) {
    sum += term;
    term *= (x / 2.0L) * (x / 2.0L) / (static_cast<real>(k) * (k + order));
  }
  return order == 1 && value < 0 ? -sum : sum;
}

}  // namespace

double special_function(function which, double given) {
  if (std::isnan(given)) return given;
  const real value = given;
  const real root_of_two = std::sqrt(2.0L);
  const auto narrowed = [](real wide) { return static_cast<double>(wide); };
  switch (which) {
    case function::sinpi: return narrowed(sin_pi(value));
    case function::cospi: return narrowed(cos_pi(value));
    case function::erfinv: return narrowed(inverse_erf(value));
    case function::erfcinv: return narrowed(inverse_erfc(value));
    case function::erfcx: return narrowed(scaled_erfc(value));
    case function::normcdf: return narrowed(0.5L * std::erfc(-value / root_of_two));
    case function::normcdfinv: return narrowed(0.0L - root_of_two * inverse_erfc(2.0L * value));
    case function::bessel_i0: return narrowed(bessel_i(0, value));
    case function::bessel_i1: return narrowed(bessel_i(1, value));
  }
  return narrowed(not_a_number);
}

}  // namespace yoke::simulator
