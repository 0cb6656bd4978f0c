// SPDX-License-Identifier: MIT
// Functions of complex numbers near overflow: parts that have a number have it.
#include <array/expression/complex_values.hpp>

using namespace yoke_test;
using namespace yoke_test::arrays;
using namespace yoke_test::complex_values;

namespace {

/// Whether a part is the right one: as near as the functions promise, or infinite where it overflows.
template <class Part>
bool is_part(Part found, long double right) {
  const auto most = static_cast<long double>(std::numeric_limits<Part>::max());
  constexpr long double epsilon = std::numeric_limits<Part>::epsilon();
  if (std::abs(right) > most * (1 + 64 * epsilon))
    return std::isinf(found) && std::signbit(found) == std::signbit(right);
  if (std::abs(right) > most * (1 - 4096 * epsilon)) return std::isinf(found) || std::abs(found) > most / 2;
  return std::abs(static_cast<long double>(found) - right) <= 64 * epsilon * std::abs(right);
}

template <class Part>
void compare(const yoke::stream<>& stream) {
  using complex = std::complex<Part>;
  // The logarithm of the greatest number, and what is around it.
  const Part edge = std::log(std::numeric_limits<Part>::max());
  std::vector<complex> z;
  for (const double beyond : {-2.0, -0.8, -0.1, 0.0, 0.1, 0.5, 0.69, 0.72, 2.0, 5.0, 12.0}) {
    // The cosine of the last but one, and the sine of the last, are about 1e-7.
    for (const double angle : {0.0, 1e-6, 0.1, 0.785, 1.5, 1.570796, 1.5707963, 3.1415926, -0.3, -1.5707, 2.5}) {
      for (const int sign : {1, -1}) {
        z.emplace_back(static_cast<Part>(sign) * (edge + static_cast<Part>(beyond)), static_cast<Part>(angle));
      }
    }
  }
  const auto check = [&](const char* name, const std::vector<complex>& in, const std::vector<complex>& found,
                         const auto& right_of) {
    for (std::size_t i = 0; i < in.size(); ++i) {
      if (name == std::string_view("exp") && in[i].real() < 0) continue;  // that goes to 0
      const exact right = right_of(exact(in[i]));
      INFO(name << " of " << in[i].real() << ", " << in[i].imag() << " is " << found[i].real() << ", "
                << found[i].imag() << "; right: " << static_cast<double>(right.real()) << ", "
                << static_cast<double>(right.imag()));
      CHECK(is_part(found[i].real(), right.real()));
      CHECK(is_part(found[i].imag(), right.imag()));
    }
  };
  const auto turned = [&] {
    std::vector<complex> made;
    for (const complex& each : z) made.emplace_back(each.imag(), each.real());
    return made;
  }();
  const auto a = yoke::to_device_array(z, stream);
  const auto b = yoke::to_device_array(turned, stream);
  // The parts by themselves: the host's functions of long double do not overflow here.
  check("cosh", z, cosh(a).to_host(), [](exact x) {
    return exact(std::cosh(x.real()) * std::cos(x.imag()), std::sinh(x.real()) * std::sin(x.imag()));
  });
  check("sinh", z, sinh(a).to_host(), [](exact x) {
    return exact(std::sinh(x.real()) * std::cos(x.imag()), std::cosh(x.real()) * std::sin(x.imag()));
  });
  check("cos", turned, cos(b).to_host(), [](exact x) {
    return exact(std::cos(x.real()) * std::cosh(x.imag()), -std::sin(x.real()) * std::sinh(x.imag()));
  });
  check("sin", turned, sin(b).to_host(), [](exact x) {
    return exact(std::sin(x.real()) * std::cosh(x.imag()), std::cos(x.real()) * std::sinh(x.imag()));
  });
  check("exp", z, exp(a).to_host(), [](exact x) {
    return exact(std::exp(x.real()) * std::cos(x.imag()), std::exp(x.real()) * std::sin(x.imag()));
  });
}

}  // namespace

YOKE_ANY_DEVICE_TEST_CASE("functions of complex numbers lose no finite part near overflow", "[array]") {
  any_rig state(device);
  compare<float>(state.stream);
  compare<double>(state.stream);
}
