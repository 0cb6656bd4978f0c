// SPDX-License-Identifier: MIT
// Fourier transforms against sums in a wider type.
#include <array/array_rig.hpp>
#include <yoke/fft.hpp>

#include <cmath>
#include <complex>
#include <numbers>
#include <vector>

using namespace yoke_test;
using namespace yoke_test::arrays;
using Catch::Matchers::ContainsSubstring;

namespace {

using wide = std::complex<long double>;

/// Returns: numbers between -1 and 1, the same in every run.
template <class T>
std::vector<T> noise(std::size_t count, std::uint32_t seed = 1) {
  std::mt19937 engine(seed);
  const auto next = [&] { return static_cast<double>(engine()) / 2147483648.0 - 1; };
  std::vector<T> made(count);
  for (T& each : made) {
    if constexpr (std::is_floating_point_v<T>) {
      each = static_cast<T>(next());
    } else {
      using part = typename T::value_type;
      const double x = next();
      each = T(static_cast<part>(x), static_cast<part>(next()));
    }
  }
  return made;
}

/// Returns: the transform by its definition.
template <class T>
std::vector<wide> transform_of(const std::vector<T>& of, bool inverse = false) {
  const std::size_t n = of.size();
  std::vector<wide> roots(n);
  for (std::size_t k = 0; k < n; ++k) {
    const long double angle =
        2 * std::numbers::pi_v<long double> * static_cast<long double>(k) / static_cast<long double>(n);
    roots[k] = {std::cos(angle), inverse ? std::sin(angle) : -std::sin(angle)};
  }
  std::vector<wide> made(n);
  for (std::size_t j = 0; j < n; ++j) {
    for (std::size_t k = 0; k < n; ++k) made[j] += wide(of[k]) * roots[j * k % n];
  }
  return made;
}

/// Returns: the relative error in the Euclidean norm.
template <class T>
double distance(const std::vector<T>& made, const std::vector<wide>& expected) {
  REQUIRE(made.size() == expected.size());
  long double error = 0;
  long double all = 0;
  for (std::size_t k = 0; k < made.size(); ++k) {
    error += std::norm(wide(made[k]) - expected[k]);
    all += std::norm(expected[k]);
  }
  return all == 0 ? static_cast<double>(error) : static_cast<double>(std::sqrt(error / all));
}
template <class Part>
double bound(std::size_t n, bool by_chirp = false) {
  return (by_chirp ? 2 : 1) * (0.3 * std::log2(static_cast<double>(n)) + 1) *
         static_cast<double>(std::numeric_limits<Part>::epsilon());
}

}  // namespace

YOKE_ANY_DEVICE_TEST_CASE("transforms of powers of two are those of their definition", "[fft]") {
  any_rig state(device);
  for (const std::size_t n : {1U, 2U, 4U, 8U, 16U, 32U, 128U, 512U}) {
    INFO(n);
    const auto host = noise<std::complex<float>>(n);
    const auto a = yoke::to_device_array(host, state.stream);
    const auto f = yoke::fft(a);
    CHECK(distance(f.to_host(), transform_of(host)) <= bound<float>(n));
    CHECK(a.to_host() == host);
  }
}

YOKE_ANY_DEVICE_TEST_CASE("transforms of any length are those of their definition", "[fft]") {
  any_rig state(device);
  const auto check = [&]<class T>(std::type_identity<T>, std::size_t n, bool by_chirp) {
    INFO(n);
    const auto host = noise<T>(n, static_cast<std::uint32_t>(n));
    const auto a = yoke::to_device_array(host, state.stream);
    const double limit = bound<typename T::value_type>(n, by_chirp);
    CHECK(distance(yoke::fft(a).to_host(), transform_of(host)) <= limit);
    auto back = transform_of(host, true);
    for (wide& each : back) each /= static_cast<long double>(n);
    CHECK(distance(yoke::ifft(a).to_host(), back) <= limit);
    CHECK(a.to_host() == host);
  };
  for (const std::size_t n : {3U, 5U, 6U, 7U, 11U, 12U, 13U, 15U, 17U, 34U, 127U, 210U, 1001U}) {
    check(std::type_identity<std::complex<float>>{}, n, false);
  }
  for (const std::size_t n : {131U, 262U}) check(std::type_identity<std::complex<float>>{}, n, true);
  for (const std::size_t n : {1U, 8U, 30U, 13U, 19U}) check(std::type_identity<std::complex<double>>{}, n, false);
  check(std::type_identity<std::complex<double>>{}, 137, true);
}

YOKE_ANY_DEVICE_TEST_CASE("real numbers have half of a transform", "[fft]") {
  any_rig state(device);
  for (const std::size_t n : {1U, 2U, 5U, 16U, 17U, 30U, 131U}) {
    INFO(n);
    const auto host = noise<float>(n, static_cast<std::uint32_t>(n));
    const auto a = yoke::to_device_array(host, state.stream);
    const double limit = bound<float>(n, n == 131);
    auto expected = transform_of(host);
    CHECK(distance(yoke::fft(a).to_host(), expected) <= limit);
    expected.resize(n / 2 + 1);
    const auto f = yoke::rfft(a);
    CHECK(distance(f.to_host(), expected) <= 1.5 * limit);
    const auto before = f.to_host();
    const auto back = yoke::irfft(f, n);
    static_assert(std::is_same_v<decltype(back)::value_type, float>);
    CHECK(distance(back.to_host(), std::vector<wide>(host.begin(), host.end())) <= 3 * limit);
    CHECK(f.to_host() == before);
    if (n == 16) CHECK(yoke::irfft(f).to_host() == back.to_host());
  }
  // The imaginary parts that a real signal cannot have are left out.
  const auto f = yoke::to_device_array({std::complex<float>(4, 9), std::complex<float>(0, 0), std::complex<float>(0, 7)},
                                       state.stream);
  CHECK(yoke::irfft(f).to_host() == std::vector<float>{1, 1, 1, 1});
}
