// SPDX-License-Identifier: MIT
// Complex numbers of each precision, and how far they are from the right ones.
#ifndef YOKE_TESTS_ARRAY_COMPLEX_VALUES_HPP
#define YOKE_TESTS_ARRAY_COMPLEX_VALUES_HPP

#include <array/array_rig.hpp>

#include <algorithm>
#include <complex>
#include <limits>

namespace yoke_test::complex_values {

using single = std::complex<float>;
using twice = std::complex<double>;
using exact = std::complex<long double>;

/// Returns: how far apart two numbers are, in units of the last place of the absolute value.
template <class Complex>
double off(const Complex& result, const exact& right) {
  const auto epsilon = static_cast<long double>(std::numeric_limits<typename Complex::value_type>::epsilon());
  const long double size = std::max(std::abs(right), static_cast<long double>(std::numeric_limits<float>::min()));
  const long double units = std::abs(exact(result) - right) / (size * epsilon);
  return units == units ? static_cast<double>(units) : std::numeric_limits<double>::infinity();
}

}  // namespace yoke_test::complex_values

#endif
