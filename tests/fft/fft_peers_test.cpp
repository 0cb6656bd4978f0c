// SPDX-License-Identifier: MIT
// Fourier transforms of all lengths and several axes beside FFTW's of doubles.
#include <array/array_rig.hpp>
#include <linalg/peers.hpp>
#include <support/sample.hpp>
#include <yoke/fft.hpp>

#include <cmath>
#include <complex>
#include <limits>
#include <string>
#include <type_traits>
#include <vector>

using namespace yoke_test;
using namespace yoke_test::arrays;
using yoke_test::peers::exact;
using yoke_test::peers::fftw;

namespace {

struct own_rig : any_rig {
  explicit own_rig(const yoke::device<>& on) : any_rig(on) { yoke::use_linalg(context, {.libraries = "own"}); }
};

/// Returns: numbers between -1 and 1, the same in every run.
template <class T>
std::vector<T> noise(std::size_t count, std::size_t seed) {
  std::mt19937 engine(static_cast<std::uint32_t>(seed));
  const auto next = [&] { return static_cast<double>(engine()) / 2147483648.0 - 1; };
  std::vector<T> made(count);
  for (T& each : made) {
    if constexpr (std::is_floating_point_v<T>) {
      each = static_cast<T>(next());
    } else {
      const double x = next();
      each = T(static_cast<typename T::value_type>(x), static_cast<typename T::value_type>(next()));
    }
  }
  return made;
}
template <class T>
std::vector<exact> exactly(const std::vector<T>& of) {
  return {of.begin(), of.end()};
}

/// Returns: the relative error in the Euclidean norm.
template <class T>
double distance(const std::vector<T>& made, const std::vector<exact>& expected) {
  REQUIRE(made.size() == expected.size());
  double error = 0;
  double all = 0;
  for (std::size_t k = 0; k < made.size(); ++k) {
    error += std::norm(exact(made[k]) - expected[k]);
    all += std::norm(expected[k]);
  }
  return std::sqrt(error / all);
}

/// The error that docs/fft.md promises, which is twice as much where a prime factor is above 127.
template <class Part>
double bound(std::size_t n) {
  std::size_t rest = n;
  for (std::size_t p = 2; p < 128; ++p) {
    while (rest % p == 0) rest /= p;
  }
  return (rest > 1 ? 2 : 1) * (0.3 * std::log2(static_cast<double>(n)) + 1) *
         static_cast<double>(std::numeric_limits<Part>::epsilon());
}

/// Returns: the first `count` elements of each row of `n`, times `scale`.
std::vector<exact> heads(const std::vector<exact>& of, std::size_t n, std::size_t count, double scale = 1) {
  std::vector<exact> made;
  for (std::size_t row = 0; row < of.size() / n; ++row) {
    for (std::size_t k = 0; k < count; ++k) made.push_back(scale * of[row * n + k]);
  }
  return made;
}

/// Compares the four transforms of some rows.
template <class Part>
void check_length(own_rig& state, std::size_t n, std::size_t rows) {
  INFO((std::is_same_v<Part, float> ? "float, " : "double, ") << rows << " rows of " << n);
  using number = std::complex<Part>;
  const std::size_t half = n / 2 + 1;
  const double limit = bound<Part>(n);
  const double scale = 1 / static_cast<double>(n);
  const fftw& peer = fftw::here();
  const auto pairs = noise<number>(rows * n, n);
  const auto a = yoke::to_device_array(pairs, {rows, n}, state.stream);
  CHECK(distance(yoke::fft(a).to_host(), peer.rows(exactly(pairs), n, false)) <= limit);
  CHECK(distance(yoke::ifft(a).to_host(), heads(peer.rows(exactly(pairs), n, true), n, n, scale)) <= limit);
  const auto reals = noise<Part>(rows * n, n + 1);
  const auto forth = yoke::rfft(yoke::to_device_array(reals, {rows, n}, state.stream));
  CHECK(distance(forth.to_host(), heads(peer.rows(exactly(reals), n, false), n, half)) <= limit);
  // Real results are those of a conjugate-symmetric sequence.
  auto halves = noise<number>(rows * half, n + 2);
  std::vector<exact> whole(rows * n);
  for (std::size_t row = 0; row < rows; ++row) {
    number* const first = halves.data() + row * half;
    first[0] = first[0].real();
    if (n % 2 == 0) first[n / 2] = first[n / 2].real();
    for (std::size_t k = 0; k < n; ++k) {
      whole[row * n + k] = k < half ? exact(first[k]) : std::conj(exact(first[n - k]));
    }
  }
  const auto back = yoke::irfft(yoke::to_device_array(halves, {rows, half}, state.stream), n);
  CHECK(distance(back.to_host(), heads(peer.rows(whole, n, true), n, n, scale)) <= limit);
}

/// Returns: the transform along one axis of three.
std::vector<exact> transform_along(std::vector<exact> of, const std::size_t (&extents)[3], std::size_t axis,
                                   bool inverse) {
  const std::size_t n = extents[axis];
  std::size_t stride = 1;
  for (std::size_t k = axis + 1; k < 3; ++k) stride *= extents[k];
  const auto place = [&](std::size_t row, std::size_t k) {
    return row / stride * stride * n + row % stride + k * stride;
  };
  std::vector<exact> rows(of.size());
  for (std::size_t at = 0; at < of.size(); ++at) rows[at] = of[place(at / n, at % n)];
  rows = fftw::here().rows(rows, n, inverse);
  for (std::size_t at = 0; at < of.size(); ++at) of[place(at / n, at % n)] = rows[at];
  return of;
}

template <class Part, class... Axes>
void check_axes(own_rig& state, const std::size_t (&extents)[3], Axes... axes) {
  using number = std::complex<Part>;
  const std::size_t named[]{static_cast<std::size_t>(axes)...};
  const std::size_t last = named[sizeof...(axes) - 1];
  const std::size_t count = extents[0] * extents[1] * extents[2];
  INFO(extents[0] << " x " << extents[1] << " x " << extents[2] << ", the last of " << sizeof...(axes) << " axes is "
                  << last);
  double limit = 0;
  double scale = 1;
  for (const std::size_t each : named) limit += bound<Part>(extents[each]);
  for (const std::size_t each : named) scale /= static_cast<double>(extents[each]);
  const auto transform = [&](std::vector<exact> of, bool inverse) {
    for (const std::size_t each : named) of = transform_along(std::move(of), extents, each, inverse);
    return of;
  };
  const yoke::shape<3> shape{extents[0], extents[1], extents[2]};
  const auto pairs = noise<number>(count, 1);
  const auto a = yoke::to_device_array(pairs, shape, state.stream);
  CHECK(distance(yoke::fft(a, yoke::along(axes...)).to_host(), transform(exactly(pairs), false)) <= limit);
  CHECK(distance(yoke::ifft(a, yoke::along(axes...)).to_host(),
                 heads(transform(exactly(pairs), true), count, count, scale)) <= limit);
  // Real numbers: the last axis that is named keeps its first half.
  const auto reals = noise<Part>(count, 2);
  const auto forth = yoke::rfft(yoke::to_device_array(reals, shape, state.stream), yoke::along(axes...));
  const auto all = transform(exactly(reals), false);
  std::size_t inner = 1;
  for (std::size_t k = last + 1; k < 3; ++k) inner *= extents[k];
  const std::size_t half = extents[last] / 2 + 1;
  CHECK(distance(forth.to_host(), heads(all, extents[last] * inner, half * inner)) <= limit);
  const auto back = yoke::irfft(forth, extents[last], yoke::along(axes...));
  CHECK(distance(back.to_host(), exactly(reals)) <= 2 * limit);
}

}  // namespace

YOKE_ANY_DEVICE_TEST_CASE("transforms of all lengths up to 256, and of some up to 10007, are FFTW's", "[fft]") {
  if (!fftw::here().why().empty()) YOKE_SKIP("no FFTW: " + fftw::here().why());
  own_rig state(device);
  // Compiling takes most of the time, and the bits are alike on all devices: processors take all, others each ninth, and a
  // sample is shared.
  const bool all = device.summary().kind == yoke::device_kind::cpu || !has_devices_of("opencl");
  turns turn(device);
  std::vector<std::size_t> lengths{100, 134, 251, 256};
  if (runs_whole()) {
    lengths.clear();
    for (std::size_t n = 1; n <= 256; n += all ? 1 : 9) lengths.push_back(n);
    for (std::size_t n = 257; n < 10007; n += all ? 309 : 2472) lengths.push_back(n);
    for (const std::size_t n : {512U, 2048U, 2187U, 4096U, 9973U, 10007U}) lengths.push_back(n);
  }
  for (const std::size_t n : lengths) {
    if (!turn()) continue;
    check_length<float>(state, n, 2);
    check_length<double>(state, n, 1);
  }
}

YOKE_ANY_DEVICE_TEST_CASE("transforms along several axes are FFTW's", "[fft]") {
  if (!fftw::here().why().empty()) YOKE_SKIP("no FFTW: " + fftw::here().why());
  own_rig state(device);
  constexpr std::size_t extents[]{6, 10, 15};
  check_axes<float>(state, extents, 0, 2);
  if (!runs_whole()) return;
  check_axes<float>(state, extents, 0);
  check_axes<float>(state, extents, 1);
  check_axes<float>(state, extents, 2);
  check_axes<double>(state, extents, 0, 1);
  check_axes<double>(state, extents, 1, 2);
  check_axes<double>(state, extents, 0, 1, 2);
  check_axes<float>(state, {131, 3, 34}, 2, 0);
  check_axes<float>(state, {16, 32, 64}, 0, 1, 2);
}

YOKE_ANY_DEVICE_TEST_CASE("long transforms are FFTW's", "[fft]") {
  if (!fftw::here().why().empty()) YOKE_SKIP("no FFTW: " + fftw::here().why());
  own_rig state(device);
  if (!runs_whole() || device.summary().kind != yoke::device_kind::cpu) return;
  for (const std::size_t n : {65536U, 65537U, 131071U, 531441U, 1U << 20U}) check_length<float>(state, n, 1);
  for (const std::size_t n : {65536U, 65537U, 131071U, 1U << 20U}) check_length<double>(state, n, 1);
  check_length<float>(state, 1U << 24U, 1);
}
