// SPDX-License-Identifier: MIT
// The functions of CUDA's mathematics that the C library lacks, in double precision.
#include <cmath>
#include <limits>

#include "services.hpp"

namespace yoke::simulator {

namespace {

using yoke_simulator::function;

constexpr double pi = 3.14159265358979323846;
constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();

// The argument is reduced exactly, so that whole and half turns give exact results.
double sin_pi(double x) {
  if (!std::isfinite(x)) return not_a_number;
  const double r = std::fmod(std::fabs(x), 2.0);
  double result = 0.0;
  if (r <= 0.25) {
    result = std::sin(pi * r);
  } else if (r < 0.75) {
    result = std::cos(pi * (0.5 - r));
  } else if (r <= 1.25) {
    result = std::sin(pi * (1.0 - r));
  } else if (r < 1.75) {
    result = -std::cos(pi * (1.5 - r));
  } else {
    result = std::sin(pi * (r - 2.0));
  }
  if (result == 0.0) return std::copysign(0.0, x);
  return x < 0 ? -result : result;
}
double cos_pi(double x) {
  if (!std::isfinite(x)) return not_a_number;
  const double r = std::fmod(std::fabs(x), 2.0);
  if (r <= 0.25) return std::cos(pi * r);
  if (r < 0.75) return std::sin(pi * (0.5 - r));
  if (r <= 1.25) return -std::cos(pi * (1.0 - r));
  if (r < 1.75) return std::sin(pi * (r - 1.5));
  return std::cos(pi * (2.0 - r));
}

/// exp(x * x) * erfc(x); for large x by the continued fraction, where the factors leave the range.
double scaled_erfc(double x) {
  if (x < 25.0) return std::exp(x * x) * std::erfc(x);
  double tail = x;
  for (int k = 20; k > 0; --k) tail = x + 0.5 * k / tail;
  return 1.0 / (tail * std::sqrt(pi));
}

/// The inverse of erfc, by Halley's steps in the half where erfc keeps its precision.
double inverse_erfc(double y) {
  if (!(y >= 0.0 && y <= 2.0)) return not_a_number;
  if (y == 0.0) return infinity;
  if (y == 2.0) return -infinity;
  if (y == 1.0) return 0.0;
  const double half = y < 1.0 ? y : 2.0 - y;
  const double t = std::sqrt(-2.0 * std::log(half / 2.0));
  double x = 0.70711 * (t - (2.30753 + t * 0.27061) / (1.0 + t * (0.99229 + t * 0.04481)));
  for (int step = 0; step < 4; ++step) {
    // In units of the derivative: erfc(x) - half and exp(-x * x) both vanish for large x, their quotient does not.
    const double error = (scaled_erfc(x) - half * std::exp(x * x)) * std::sqrt(pi) / 2.0;
    if (!std::isfinite(error)) break;
    x += error / (1.0 + x * error);
  }
  return y < 1.0 ? x : -x;
}

double inverse_erf(double y) {
  if (!(std::fabs(y) <= 1.0)) return not_a_number;
  if (std::fabs(y) == 1.0) return std::copysign(infinity, y);
  if (std::fabs(y) > 0.5) return y > 0 ? inverse_erfc(1.0 - y) : -inverse_erfc(1.0 + y);
  double x = y * std::sqrt(pi) / 2.0;
  for (int step = 0; step < 5; ++step) {
    const double error = (std::erf(x) - y) * std::exp(x * x) * std::sqrt(pi) / 2.0;
    x -= error / (1.0 + x * error);
  }
  return x;
}

/// The modified Bessel functions of order 0 and 1: their power series has only positive terms.
double bessel_i(int order, double value) {
  const double x = std::fabs(value);
  if (std::isinf(x)) return order == 1 && value < 0 ? -infinity : infinity;
  double sum = 0.0;
  if (x < 700.0) {
    double term = order == 0 ? 1.0 : x / 2.0;
    for (int k = 1; term > sum * 1e-18 && k < 2000; ++k) {
      sum += term;
      term *= (x / 2.0) * (x / 2.0) / (static_cast<double>(k) * (k + order));
    }
  } else {
    const double e = std::exp(x / 2.0);
    const double shape = order == 0 ? 1.0 + 1.0 / (8.0 * x) : 1.0 - 3.0 / (8.0 * x);
    sum = e / std::sqrt(2.0 * pi * x) * shape * e;
  }
  return order == 1 && value < 0 ? -sum : sum;
}

}  // namespace

double special_function(function which, double value) {
  if (std::isnan(value)) return value;
  switch (which) {
    case function::sinpi: return sin_pi(value);
    case function::cospi: return cos_pi(value);
    case function::erfinv: return inverse_erf(value);
    case function::erfcinv: return inverse_erfc(value);
    case function::erfcx: return scaled_erfc(value);
    case function::normcdf: return 0.5 * std::erfc(-value / std::sqrt(2.0));
    case function::normcdfinv: return 0.0 - std::sqrt(2.0) * inverse_erfc(2.0 * value);
    case function::bessel_i0: return bessel_i(0, value);
    case function::bessel_i1: return bessel_i(1, value);
  }
  return not_a_number;
}

}  // namespace yoke::simulator
