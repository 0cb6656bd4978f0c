// SPDX-License-Identifier: MIT
// Inverse functions of complex elements: accuracy against the host, the sides of branch cuts, infinities.
#include <array/expression/complex_values.hpp>

#include <complex>
#include <limits>

using namespace yoke_test;
using namespace yoke_test::arrays;
using namespace yoke_test::complex_values;

namespace {

constexpr std::size_t functions = 6;
const char* const names[functions] = {"asin", "acos", "atan", "asinh", "acosh", "atanh"};

/// Returns: the host's value, which has the cuts of C99.
template <class T>
std::complex<T> right_value(std::size_t function, const std::complex<T>& of) {
  switch (function) {
    case 0: return std::asin(of);
    case 1: return std::acos(of);
    case 2: return std::atan(of);
    case 3: return std::asinh(of);
    case 4: return std::acosh(of);
    default: return std::atanh(of);
  }
}

/// Returns: a row of results for each function.
template <class Complex>
std::vector<Complex> all_of(const std::vector<Complex>& of, const yoke::stream<>& stream) {
  const auto z = yoke::to_device_array(of, stream);
  const auto numbers = yoke::arange<int>(functions, stream);
  const auto k = numbers(yoke::whole, yoke::newaxis);
  return where(
             k == 0, asin(z),
             where(k == 1, acos(z), where(k == 2, atan(z), where(k == 3, asinh(z), where(k == 4, acosh(z), atanh(z))))))
      .to_host();
}

/// Returns: numbers of every size, near the points 1, -1, i and -i where the functions' parts lose digits, and on the axes.
template <class Complex>
std::vector<Complex> hard_numbers(std::size_t size) {
  static std::mt19937_64 engine{std::random_device{}()};
  using part = typename Complex::value_type;
  std::uniform_real_distribution<double> unit(-1, 1);
  std::uniform_real_distribution<double> power(-25, 25);
  std::vector<Complex> made(size);
  for (std::size_t i = 0; i < size; ++i) {
    const double x = unit(engine);
    const double y = unit(engine);
    double a = 3 * x;
    double b = 3 * y;
    switch (i % 6) {
      case 0: break;
      case 1: a = x * std::pow(10, power(engine)), b = y * std::pow(10, power(engine)); break;
      case 2: a = (x < 0 ? -1 : 1) + 1e-4 * x, b = y * std::pow(10, -std::fabs(power(engine)) / 2); break;
      case 3: a = x * std::pow(10, -std::fabs(power(engine)) / 2), b = (y < 0 ? -1 : 1) + 1e-4 * y; break;
      case 4: b = i % 12 == 4 ? 0.0 : -0.0; break;
      default: a = i % 12 == 5 ? 0.0 : -0.0;
    }
    made[i] = {static_cast<part>(a), static_cast<part>(b)};
  }
  return made;
}

/// Checks every function of some numbers: parts within so many epsilons of the host's and `least`, of the same sign.
template <class Complex>
void check_parts(const yoke::stream<>& stream, const std::vector<Complex>& z, typename Complex::value_type epsilons,
                 typename Complex::value_type least) {
  using part = typename Complex::value_type;
  const std::vector<Complex> found = all_of(z, stream);
  for (std::size_t f = 0; f < functions; ++f) {
    for (std::size_t i = 0; i < z.size(); ++i) {
      const Complex given = found[f * z.size() + i];
      const Complex right = right_value(f, z[i]);
      INFO(names[f] << " of (" << z[i].real() << ", " << z[i].imag() << "): (" << given.real() << ", " << given.imag()
                    << ") for (" << right.real() << ", " << right.imag() << ")");
      const auto near = [&](part one, part other) {
        return one == other ||
               std::fabs(one - other) <= epsilons * std::numeric_limits<part>::epsilon() * std::fabs(other) + least;
      };
      CHECK((near(given.real(), right.real()) && near(given.imag(), right.imag())));
      CHECK((std::signbit(given.real()) == std::signbit(right.real()) &&
             std::signbit(given.imag()) == std::signbit(right.imag())));
    }
  }
}

/// Calls with a number of each kind.
template <class Check>
void for_both_kinds(const Check& check) {
  check(single{});
  check(twice{});
}

}  // namespace

YOKE_ANY_DEVICE_TEST_CASE("inverse functions of complex numbers are near the host's", "[array]") {
  any_rig state(device);
  for_both_kinds([&]<class Complex>(Complex) {
    constexpr std::size_t size = 3000;
    const std::vector<Complex> z = hard_numbers<Complex>(size);
    const std::vector<Complex> found = all_of(z, state.stream);
    REQUIRE(found.size() == functions * size);
    for (std::size_t f = 0; f < functions; ++f) {
      double worst = 0;
      std::size_t at = 0;
      for (std::size_t i = 0; i < size; ++i) {
        const double units = off(found[f * size + i], right_value(f, exact(z[i])));
        if (units > worst) worst = units, at = i;
      }
      INFO(names[f] << " of (" << z[at].real() << ", " << z[at].imag() << "), parts of "
                    << sizeof(typename Complex::value_type) << " bytes: " << worst);
      CHECK(worst < 16);
    }
  });
}

YOKE_ANY_DEVICE_TEST_CASE("signs of zeros choose the side of a cut", "[array]") {
  any_rig state(device);
  for_both_kinds([&]<class Complex>(Complex) {
    using part = typename Complex::value_type;
    std::vector<Complex> z;
    for (const part size : {part(0), part(0.25), part(1), part(1.5), part(40)}) {
      for (const part zero : {part(0), -part(0)}) {
        for (const part sign : {part(1), part(-1)}) {
          z.push_back({sign * size, zero});
          z.push_back({zero, sign * size});
        }
      }
    }
    check_parts(state.stream, z, 8, 0);
  });
}

YOKE_ANY_DEVICE_TEST_CASE("inverse functions of infinite and of the greatest complex numbers", "[array]") {
  any_rig state(device);
  for_both_kinds([&]<class Complex>(Complex) {
    using part = typename Complex::value_type;
    const part inf = std::numeric_limits<part>::infinity();
    const part most = std::numeric_limits<part>::max();
    const part least = std::numeric_limits<part>::min();
    std::vector<Complex> z;
    for (const part x : {inf, -inf, most, -most, part(2), least, part(0)}) {
      for (const part y : {inf, -inf, most, -most, part(-3), -least, -part(0)}) z.push_back({x, y});
    }
    check_parts(state.stream, z, 16, least);  // a result below the least normal number may be 0
  });
}
