// SPDX-License-Identifier: MIT
// Fourier transforms against sums in a wider type, with the same bits on every device.
#include <array/reduction/recorded_rig.hpp>
#include <support/devices/settle.hpp>
#include <support/sample.hpp>
#include <yoke/fft.hpp>

#include <algorithm>
#include <cmath>
#include <complex>
#include <cstring>
#include <numbers>
#include <vector>

using namespace yoke_test;
using namespace yoke_test::arrays;
using Catch::Matchers::ContainsSubstring;

namespace {

/// Own kernels, which have the same bits everywhere.
struct own_rig : any_rig {
  explicit own_rig(const yoke::device<>& on) : any_rig(on) { yoke::use_linalg(context, {.libraries = "own"}); }
};

using wide = std::complex<long double>;

/// Takes a shape of the own kernels while it lives.
struct by_fft_shape {
  explicit by_fft_shape(yoke::detail::fft_shape wanted) { yoke::detail::wanted_fft_shape() = wanted; }
  ~by_fft_shape() { yoke::detail::wanted_fft_shape() = yoke::detail::fft_shape::automatic; }
  by_fft_shape(const by_fft_shape&) = delete;
  by_fft_shape& operator=(const by_fft_shape&) = delete;
};

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
  own_rig state(device);
  turns turn(device);
  for (const std::size_t n : {1U, 2U, 4U, 8U, 16U, 32U, 128U, 512U}) {
    if (!turn()) continue;
    INFO(n);
    const auto host = noise<std::complex<float>>(n);
    const auto a = yoke::to_device_array(host, state.stream);
    const auto f = yoke::fft(a);
    CHECK(distance(f.to_host(), transform_of(host)) <= bound<float>(n));
    CHECK(a.to_host() == host);
  }
}

YOKE_ANY_DEVICE_TEST_CASE("transforms of any length are those of their definition", "[fft]") {
  own_rig state(device);
  turns turn(device);
  const auto check = [&]<class T>(std::type_identity<T>, std::size_t n, bool by_chirp) {
    if (!turn()) return;
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
  own_rig state(device);
  turns turn(device);
  for (const std::size_t n : {1U, 2U, 5U, 16U, 17U, 30U, 131U, 262U}) {
    if (!turn()) continue;
    INFO(n);
    const auto host = noise<float>(n, static_cast<std::uint32_t>(n));
    const auto a = yoke::to_device_array(host, state.stream);
    const double limit = bound<float>(n, n > 100);
    auto expected = transform_of(host);
    CHECK(distance(yoke::fft(a).to_host(), expected) <= limit);
    expected.resize(n / 2 + 1);
    const auto f = yoke::rfft(a);
    CHECK(distance(f.to_host(), expected) <= limit);
    const auto before = f.to_host();
    const auto back = yoke::irfft(f, n);
    static_assert(std::is_same_v<decltype(back)::value_type, float>);
    CHECK(distance(back.to_host(), std::vector<wide>(host.begin(), host.end())) <= 2 * limit);
    CHECK(f.to_host() == before);
    if (n == 16) CHECK(yoke::irfft(f).to_host() == back.to_host());
  }
  // The imaginary parts that a real signal cannot have are left out.
  const auto f = yoke::to_device_array(
      {std::complex<float>(4, 9), std::complex<float>(0, 0), std::complex<float>(0, 7)}, state.stream);
  CHECK(yoke::irfft(f).to_host() == std::vector<float>{1, 1, 1, 1});
}

YOKE_ANY_DEVICE_TEST_CASE("transforms go along any axes of any layout, and never write their input", "[fft]") {
  own_rig state(device);
  using number = std::complex<float>;
  constexpr std::size_t rows = 6;
  constexpr std::size_t columns = 17;
  const auto host = noise<number>(rows * columns);
  const auto a = yoke::to_device_array(host, {rows, columns}, state.stream);
  const auto row = [&](const std::vector<number>& of, std::size_t i) {
    return std::vector<number>(of.begin() + static_cast<std::ptrdiff_t>(i * columns),
                               of.begin() + static_cast<std::ptrdiff_t>((i + 1) * columns));
  };
  const auto f = yoke::fft(a);
  for (std::size_t i = 0; i < rows; ++i) {
    CHECK(distance(row(f.to_host(), i), transform_of(row(host, i))) <= bound<float>(columns));
  }
  // The same rows in other layouts have the same bits.
  CHECK(yoke::fft(a, yoke::along(-1)).to_host() == f.to_host());
  const yoke::device_array turned(a.transpose());
  CHECK(yoke::device_array(yoke::fft(turned, yoke::along(0)).transpose()).to_host() == f.to_host());
  CHECK(yoke::fft(a.transpose(), yoke::along(0)).transpose().copy().to_host() == f.to_host());
  const auto backwards = a(yoke::reversed, yoke::whole);
  CHECK(yoke::fft(backwards)(yoke::reversed, yoke::whole).copy().to_host() == f.to_host());
  auto spread = yoke::zeros<number>({2 * rows, 2 * columns}, state.stream);
  spread(yoke::slice(0, yoke::none, 2), yoke::slice(1, yoke::none, 2)) = a.view();
  auto gaps = yoke::zeros<number>({rows, 3 * columns}, state.stream);
  gaps(yoke::whole, yoke::slice(2, yoke::none, 3)) =
      yoke::pass::fft(spread(yoke::slice(0, yoke::none, 2), yoke::slice(1, yoke::none, 2)));
  CHECK(gaps(yoke::whole, yoke::slice(2, yoke::none, 3)).copy().to_host() == f.to_host());
  CHECK(yoke::sum(yoke::abs(gaps(yoke::whole, yoke::slice(0, yoke::none, 3)))).get() == 0);
  CHECK(yoke::fft(a + 0.0F).to_host() == f.to_host());
  CHECK(a.to_host() == host);
  // Several axes: one after the other, back to the start.
  const auto both = yoke::fft(a, yoke::along(0, 1));
  CHECK(both.to_host() == yoke::fft(yoke::fft(a), yoke::along(0)).to_host());
  const auto back = yoke::ifft(both, yoke::along(0, 1));
  CHECK(distance(back.to_host(), std::vector<wide>(host.begin(), host.end())) <= 2 * bound<float>(rows * columns));
  const auto reals = noise<float>(2 * 5 * 7);
  const auto cube = yoke::to_device_array(reals, {2, 5, 7}, state.stream);
  const auto half = yoke::rfft(cube, yoke::along(0, 1, 2));
  CHECK(half.shape() == yoke::shape<3>{2, 5, 4});
  CHECK(distance(yoke::irfft(half, 7, yoke::along(0, 1, 2)).to_host(), std::vector<wide>(reals.begin(), reals.end())) <=
        2 * bound<float>(70));
  CHECK(distance(yoke::irfft(yoke::rfft(cube, yoke::along(1)), 5, yoke::along(1)).to_host(),
                 std::vector<wide>(reals.begin(), reals.end())) <= 2 * bound<float>(5));
}

YOKE_DEVICE_TEST_CASE("tables of transforms go when memory is trimmed, but for those that a graph reads",
                      "[fft][graph]") {
  rig on(device);
  const auto memories = [&] {
    on.stream.synchronize();
    std::size_t found = 0;
    for (const std::string& each : on.live()) found += each.starts_with("memory") ? 1U : 0U;
    return found;
  };
  const auto a = yoke::ones<std::complex<float>>({2, 131}, on.stream);  // of a great prime factor, with two tables
  const auto right = [&](const auto& f) { return std::abs(f.to_host()[0] - std::complex<float>(131, 0)) < 1e-3F; };
  CHECK(right(yoke::fft(a)));
  yoke::trim_array_pool(on.context);
  const std::size_t least = memories();
  auto later = yoke::fft(a);  // trimmed while it may run
  yoke::trim_array_pool(on.context);
  CHECK(right(later));
  {
    yoke::graph<typename decltype(a)::port_type> graph{on.context};
    {
      auto record = graph.record();
      later.bind(record) = yoke::pass::fft(a);
    }
    const auto executable = graph.instantiate();
    yoke::trim_array_pool(on.context);
    later.fill(std::complex<float>(0, 0));
    executable.launch(on.stream);
    CHECK(right(later));
  }
  settle(on.stream);  // the callback thread drops what the graph kept
  CHECK(right(yoke::fft(a)));
  CHECK(memories() > least + 1);
  yoke::trim_array_pool(on.context);
  CHECK(memories() == least + 1);  // `later`
}

YOKE_ANY_DEVICE_TEST_CASE("transforms are written to elements that exist, also to their own, and recorded",
                          "[fft][graph]") {
  recorded_rig on(device);
  yoke::use_linalg(on.context, {.libraries = "own"});  // as the recorded ones
  using number = std::complex<float>;
  for (const std::size_t n : {8U, 17U, 48U, 131U}) {  // by one pass of either kind, by several, by a longer transform
    INFO(n);
    const auto host = noise<number>(2 * n);
    auto a = yoke::to_device_array(host, {2, n}, on.stream);
    const auto expected = yoke::fft(a).to_host();
    a = yoke::pass::fft(a);
    CHECK(a.to_host() == expected);
  }
  auto a = yoke::to_device_array(noise<number>(12), on.stream);
  auto later = yoke::zeros<number>({12}, on.stream);
  yoke::graph_executable<> executable;
  {
    yoke::graph graph{on.context};
    auto record = graph.record();
    later.bind(record) = yoke::pass::fft(a);
    executable = graph.instantiate();
  }
  a = 2.0F * a;
  executable.launch(on.stream);
  CHECK(later.to_host() == yoke::fft(a).to_host());
}

YOKE_ANY_DEVICE_TEST_CASE(
    "transforms of any length and convolutions are recorded, with arrays that end before the graph", "[fft][graph]") {
  recorded_rig on(device);
  yoke::use_linalg(on.context, {.libraries = "own"});  // as the recorded ones
  using number = std::complex<float>;
  turns turn(device);
  for (const std::size_t n : {96U, 131U, 2048U}) {  // by several passes, by a longer transform, by many points
    if (!turn()) continue;
    INFO(n);
    auto a = yoke::to_device_array(noise<number>(3 * n), {3, n}, on.stream);
    auto reals = yoke::to_device_array(noise<float>(n), on.stream);
    auto later = yoke::zeros<number>({3, n}, on.stream);
    auto again = yoke::zeros<float>({n}, on.stream);
    auto smooth = yoke::zeros<float>({n}, on.stream);
    const auto window = noise<float>(90, 7);  // long enough for transforms where the other array is
    yoke::graph_executable<> executable;
    {
      const auto weights = yoke::to_device_array(window, on.stream);
      auto half = yoke::zeros<number>({n / 2 + 1}, on.stream);
      yoke::graph graph{on.context};
      auto record = graph.record();
      later.bind(record) = yoke::pass::fft(a, yoke::along(0, 1));
      half.bind(record) = yoke::pass::rfft(reals);
      again.bind(record) = yoke::pass::irfft(half, n);
      smooth.bind(record) = yoke::pass::convolve(reals, weights, yoke::convolve_mode::same);
      executable = graph.instantiate();
    }
    const auto weights = yoke::to_device_array(window, on.stream);
    for (int k = 0; k < 3; ++k) {
      a = 2.0F * a;
      reals = reals - 0.25F;
      executable.launch(on.stream);
      CHECK(later.to_host() == yoke::fft(a, yoke::along(0, 1)).to_host());
      CHECK(again.to_host() == yoke::irfft(yoke::rfft(reals), n).to_host());
      CHECK(smooth.to_host() == yoke::convolve(reals, weights, yoke::convolve_mode::same).to_host());
    }
  }
}

YOKE_ANY_DEVICE_TEST_CASE("lengths crop and pad, and norms divide", "[fft]") {
  own_rig state(device);
  using number = std::complex<float>;
  const auto host = noise<number>(12);
  const auto a = yoke::to_device_array(host, state.stream);
  for (const std::size_t n : {1U, 5U, 16U, 20U}) {
    auto given = host;
    given.resize(n);
    CHECK(distance(yoke::fft(a, n).to_host(), transform_of(given)) <= bound<float>(n));
  }
  const auto reals = yoke::to_device_array({1.0F, 2.0F, 3.0F}, state.stream);
  CHECK(yoke::rfft(reals, 2).to_host() == std::vector<number>{{3, 0}, {-1, 0}});
  CHECK(yoke::rfft(reals, 4).to_host() == std::vector<number>{{6, 0}, {-2, -2}, {2, 0}});
  CHECK(yoke::fft(a(yoke::slice(0, 0)), 4).to_host() == std::vector<number>(4));
  const auto plain = yoke::fft(a).to_host();
  const auto ortho = yoke::fft(a, yoke::fft_norm::ortho).to_host();
  const auto forward = yoke::fft(a, yoke::along(0), yoke::fft_norm::forward).to_host();
  const auto root = static_cast<float>(1 / std::sqrt(12.0));
  const auto part = static_cast<float>(1 / 12.0);
  for (std::size_t k = 0; k < 12; ++k) {
    CHECK(ortho[k] == number(plain[k].real() * root, plain[k].imag() * root));
    CHECK(forward[k] == number(plain[k].real() * part, plain[k].imag() * part));
  }
  for (const yoke::fft_norm norm : {yoke::fft_norm::backward, yoke::fft_norm::ortho, yoke::fft_norm::forward}) {
    CHECK(distance(yoke::ifft(yoke::fft(a, norm), norm).to_host(), std::vector<wide>(host.begin(), host.end())) <=
          2 * bound<float>(12));
  }
  const yoke::device_array<number, 2> none(state.stream, {0, 4});
  CHECK(yoke::fft(none).shape() == yoke::shape<2>{0, 4});
}

YOKE_ANY_DEVICE_TEST_CASE("each axis may have its number of points", "[fft]") {
  any_rig state(device);
  using number = std::complex<float>;
  const auto a = yoke::to_device_array(noise<number>(3 * 4 * 5), {3, 4, 5}, state.stream);
  // One after the other: the last axis, then those before it.
  const auto by_one = [&](std::size_t first, std::size_t second) {
    return yoke::fft(yoke::fft(a, second, yoke::along(2)), first, yoke::along(0)).to_host();
  };
  const auto made = yoke::fft(a, {2, 8}, yoke::along(0, 2));
  CHECK(made.shape() == yoke::shape<3>{2, 4, 8});
  CHECK(made.to_host() == by_one(2, 8));
  CHECK(yoke::fft(a, {6, 3}, yoke::along(0, -1)).to_host() == by_one(6, 3));
  CHECK(yoke::fft(a, {6, 8}, yoke::along(0, 2)).to_host() == by_one(6, 8));
  auto wide_rows = yoke::zeros<number>({12, 4, 8}, state.stream);
  wide_rows(yoke::slice(0, yoke::none, 2), yoke::whole, yoke::whole) = yoke::pass::fft(a, {6, 8}, yoke::along(0, 2));
  CHECK(wide_rows(yoke::slice(0, yoke::none, 2), yoke::whole, yoke::whole).copy().to_host() == by_one(6, 8));
  // The last axes, where none are named.
  // A library's plan of two axes has other bits than two plans.
  const auto in_turn = yoke::fft(yoke::fft(a, 6), 3, yoke::along(1)).to_host();
  CHECK(distance(yoke::fft(a, {3, 6}).to_host(), std::vector<wide>(in_turn.begin(), in_turn.end())) <=
        bound<float>(18));
  CHECK(yoke::fft(a, {7}).to_host() == yoke::fft(a, 7).to_host());
  const auto ortho =
      yoke::ifft(yoke::fft(a, {6, 4, 8}, yoke::fft_norm::ortho), yoke::along(0, 1, 2), yoke::fft_norm::ortho);
  const auto padded = ortho.to_host();
  const auto given = a.to_host();
  std::vector<number> expected(6 * 4 * 8);
  for (std::size_t i = 0; i < 12; ++i) {
    for (std::size_t k = 0; k < 5; ++k) expected[i * 8 + k] = given[i * 5 + k];
  }
  CHECK(distance(padded, std::vector<wide>(expected.begin(), expected.end())) <= 2 * bound<float>(192));
  const auto reals = yoke::to_device_array(noise<float>(3 * 5), {3, 5}, state.stream);
  const auto half = yoke::rfft(reals, {4, 6});
  CHECK(half.shape() == yoke::shape<2>{4, 4});
  CHECK(half.to_host() == yoke::fft(yoke::rfft(reals, 6), 4, yoke::along(0)).to_host());
  CHECK(yoke::irfft(half, {2, 6}).to_host() == yoke::irfft(yoke::ifft(half, 2, yoke::along(0)), 6).to_host());
  CHECK_THAT(refusal<yoke::logic_error>(yoke::errc::out_of_range,
                                        [&] {
                                          (void)yoke::fft(a, {0, 4});
                                        }),
             ContainsSubstring("fft of n = 0 points along axis 1"));
  CHECK_THAT(refusal<yoke::logic_error>(yoke::errc::size_mismatch,
                                        [&] {
                                          (void)yoke::irfft(a, {2, 4});
                                        }),
             ContainsSubstring("irfft of n = 4 points takes n / 2 + 1 = 3 elements: axis 2 has 5"));
}

YOKE_ANY_DEVICE_TEST_CASE("transforms that cannot be are refused before anything is enqueued", "[fft]") {
  counting_rig state(device);
  const auto a = yoke::zeros<std::complex<float>>({2, 3}, state.stream);
  const std::size_t mark = state.mark();
  CHECK_THAT(refusal<yoke::logic_error>(yoke::errc::out_of_range, [&] { (void)yoke::fft(a, 0); }),
             ContainsSubstring("fft of n = 0 points along axis 1: n is not in [1, 1099511627776]"));
  CHECK_THAT(
      refusal<yoke::logic_error>(yoke::errc::out_of_range,
                                 [&] { (void)yoke::ifft(a(yoke::slice(0, 0), yoke::whole), yoke::along(0, 1)); }),
      ContainsSubstring("ifft of n = 0 points along axis 0"));
  CHECK_THAT(refusal<yoke::logic_error>(yoke::errc::size_mismatch, [&] { (void)yoke::irfft(a, 6); }),
             ContainsSubstring("irfft of n = 6 points takes n / 2 + 1 = 4 elements: axis 1 has 3"));
  CHECK_THROWS_AS(yoke::fft(a, yoke::along(2)), yoke::logic_error);
  CHECK_THROWS_AS(yoke::fft(a, yoke::along(1, -1)), yoke::logic_error);
  CHECK_THAT(refusal<yoke::logic_error>(yoke::errc::out_of_range,
                                        [&] { (void)yoke::irfft(a(yoke::whole, yoke::slice(0, 1))); }),
             ContainsSubstring("irfft of n = 0 points along axis 1") && ContainsSubstring("write irfft(f, 1)"));
  CHECK_THAT(refusal<yoke::logic_error>(yoke::errc::invalid_argument, [&] { (void)yoke::fftfreq(0, state.stream); }),
             ContainsSubstring("fftfreq of n = 0 and spacing = 1"));
  CHECK_THROWS_AS(yoke::rfftfreq(4, 0.0F, state.stream), yoke::logic_error);
  CHECK(state.enqueued(mark) == 0);
  auto b = yoke::zeros<std::complex<float>>({2, 4}, state.stream);
  CHECK_THROWS_AS(b = yoke::pass::fft(a), yoke::logic_error);
}

namespace {

template <class T>
std::uint64_t hash_of(const std::vector<T>& values) {
  std::uint64_t sum = 14695981039346656037U;  // FNV-1a
  const auto* const bytes = reinterpret_cast<const unsigned char*>(values.data());
  for (std::size_t k = 0; k < values.size() * sizeof(T); ++k) sum = (sum ^ bytes[k]) * 1099511628211U;
  return sum;
}
template <class T>
bool same_bits(const std::vector<T>& left, const std::vector<T>& right) {
  return left.size() == right.size() && std::memcmp(left.data(), right.data(), left.size() * sizeof(T)) == 0;
}

/// The bits of the four transforms of one length.
struct bits {
  std::size_t length;
  std::uint64_t fft, ifft, rfft, irfft;
};
template <class Part>
void check_bits(own_rig& state, const bits& expected) {
  INFO(expected.length << (std::is_same_v<Part, float> ? " floats" : " doubles"));
  const std::size_t n = expected.length;
  const auto a = yoke::to_device_array(noise<std::complex<Part>>(n), state.stream);
  const auto reals = yoke::to_device_array(noise<Part>(n), state.stream);
  const auto halves = yoke::to_device_array(noise<std::complex<Part>>(n / 2 + 1), state.stream);
  CHECK(hash_of(yoke::fft(a).to_host()) == expected.fft);
  if (!runs_whole() && n != 360 && n != 257) return;
  CHECK(hash_of(yoke::ifft(a).to_host()) == expected.ifft);
  CHECK(hash_of(yoke::rfft(reals).to_host()) == expected.rfft);
  CHECK(hash_of(yoke::irfft(halves, n).to_host()) == expected.irfft);
}

/// Compares the transforms of rows in other layouts, beside other rows and in two streams.
template <class Array, class Transform>
void check_layouts(own_rig& state, const Array& rows, const Transform& transform) {
  using number = typename Array::value_type;
  const std::size_t count = rows.shape()[0];
  const std::size_t n = rows.shape()[1];
  const auto expected = transform(rows, 1).to_host();
  // Columns; a middle axis; gaps and reversed rows; each row alone.
  const auto columns = rows.transpose().copy();
  CHECK(same_bits(transform(columns, 0).transpose().copy().to_host(), expected));
  CHECK(same_bits(transform(columns.transpose(), 1).to_host(), expected));
  const auto middle = yoke::stack(columns, columns).transpose({2, 1, 0}).copy();  // (count, n, 2)
  CHECK(same_bits(transform(middle, 1)(yoke::whole, yoke::whole, 1).copy().to_host(), expected));
  auto room = yoke::zeros<number>({2 * count, 2 * n + 1}, state.stream);
  auto far = room(yoke::slice(1, yoke::none, 2), yoke::slice(1, yoke::none, 2))(yoke::reversed);
  far = rows.view();
  CHECK(same_bits(transform(far, 1).to_host(), expected));
  const auto last = transform(rows(yoke::slice(count - 1, count)).copy(), 1).to_host();
  CHECK(same_bits(last, {expected.end() - static_cast<std::ptrdiff_t>(last.size()), expected.end()}));
  // Two streams at once.
  const yoke::stream<> other(state.context);
  const auto there = yoke::to_device_array(rows.to_host(), {count, n}, other);
  std::vector<decltype(transform(rows, 1))> made;
  for (int round = 0; round < 3; ++round) {
    made.push_back(transform(rows, 1));
    made.push_back(transform(there, 1));
  }
  for (const auto& each : made) CHECK(same_bits(each.to_host(), expected));
}

}  // namespace

YOKE_ANY_DEVICE_TEST_CASE("transforms have the same bits on every device", "[fft]") {
  own_rig state(device);
  constexpr bits floats[]{
      {1024, 0xf2873386f6b1f490, 0xaa44602e635a5a4e, 0x189c39d77f2b4093, 0x7491a0ed5f617c81},
      {360, 0x0254164f8708d288, 0x6d25a7dda90470b6, 0xb20132e1d4fc229e, 0xb1dac68c787b47a3},
      {1001, 0xe0e744681ed9182e, 0x7eb9bfc5a043df4a, 0xd3fb267c5cf0c22c, 0x33f070461f8ebb4f},
      {127, 0x748ab944e0c31973, 0xa34d774671ebf74c, 0x9fcd3c29fb0e2457, 0x2c2793ea2db581b5},
      {257, 0x3f4b132d2c3430da, 0x13919a0f05d28ddc, 0x591f8d0a5b5238b7, 0x141f4106e0dfe06a},
  };
  constexpr bits doubles[]{
      {1024, 0xa072dcbdd956105d, 0x230996d0e08c95e9, 0x81dd4dc65c08b350, 0xde971ae9ffce937d},
      {360, 0x7a05a42f1b532f40, 0xcf70e8c7520d4425, 0x209d68a2476997c9, 0x181c9d78f44d74b5},
      {1001, 0x6a525f586b0399e9, 0xc74c60a8df204194, 0xf0a39495dff08097, 0x2e542ee01b9500f7},
      {127, 0xd9195e59f2e2c16e, 0xfabdc5ae542bbab7, 0x95c705a20970ae8e, 0x9b44a976ce51107b},
      {257, 0x2c1b99351339eb3a, 0x0d0a406938404159, 0x6737a2bb655b9dcc, 0xdd8a1c973866cc3e},
  };
  for (const bits& each : floats) check_bits<float>(state, each);
  for (const bits& each : doubles) check_bits<double>(state, each);
  const auto cube = yoke::to_device_array(noise<std::complex<float>>(6 * 10 * 15), {6, 10, 15}, state.stream);
  CHECK(hash_of(yoke::fft(cube, yoke::along(0, 1, 2)).to_host()) == 0x49a338d659f939c2);
  const auto reals = yoke::to_device_array(noise<double>(6 * 10 * 15), {6, 10, 15}, state.stream);
  CHECK(hash_of(yoke::rfft(reals, yoke::along(2, 0)).to_host()) == 0x1b22c1048b8e3670);
}

YOKE_ANY_DEVICE_TEST_CASE("transforms have the same bits in each layout and stream", "[fft]") {
  own_rig state(device);
  turns turn(device);
  const auto check = [&]<class Part>(std::type_identity<Part>, std::size_t n, std::size_t count) {
    if (!turn()) return;
    INFO(n << (std::is_same_v<Part, float> ? " floats" : " doubles"));
    const auto pairs = yoke::to_device_array(noise<std::complex<Part>>(count * n), {count, n}, state.stream);
    check_layouts(state, pairs, [](const auto& a, std::size_t axis) { return yoke::fft(a, yoke::along(axis)); });
    check_layouts(state, pairs, [](const auto& a, std::size_t axis) { return yoke::ifft(a, yoke::along(axis)); });
    const auto halves =
        yoke::to_device_array(noise<std::complex<Part>>(count * (n / 2 + 1)), {count, n / 2 + 1}, state.stream);
    check_layouts(state, halves, [n](const auto& a, std::size_t axis) { return yoke::irfft(a, n, yoke::along(axis)); });
    const auto reals = yoke::to_device_array(noise<Part>(count * n), {count, n}, state.stream);
    check_layouts(state, reals, [](const auto& a, std::size_t axis) { return yoke::rfft(a, yoke::along(axis)); });
  };
  // By one kernel, also in lanes; by a greater factor; by a longer transform; by many points.
  check(std::type_identity<float>{}, 60, 18);
  check(std::type_identity<double>{}, 48, 9);
  check(std::type_identity<double>{}, 34, 3);
  check(std::type_identity<float>{}, 131, 3);
  if (!runs_whole()) return;
  check(std::type_identity<float>{}, 1024, 3);
  check(std::type_identity<float>{}, 17 * 16, 3);
  check(std::type_identity<double>{}, 1001, 2);
  check(std::type_identity<float>{}, 8192, 2);
}

YOKE_ANY_DEVICE_TEST_CASE("all shapes of the kernels give the same bits", "[fft]") {
  any_rig state(device);
  const bool processor = device.summary().kind == yoke::device_kind::cpu;
  using yoke::detail::fft_shape;
  const auto check = [&](const auto& calculate) {
    const auto expected = [&] {
      const by_fft_shape passes(fft_shape::pass);
      return calculate().to_host();
    }();
    for (const fft_shape shape : {fft_shape::automatic, fft_shape::group}) {
      if (shape == fft_shape::group && !processor) continue;  // taken anyway
      INFO(static_cast<int>(shape));
      const by_fft_shape wanted(shape);
      const bool same = calculate().to_host() == expected;
      CHECK(same);
    }
  };
  const auto plain = [&]<class T>(std::type_identity<T>, std::size_t n, std::size_t count) {
    INFO(n << ' ' << count);
    const auto a = yoke::to_device_array(noise<std::complex<T>>(n * count), {count, n}, state.stream);
    check([&] { return yoke::fft(a); });
  };
  const auto features = [&]<class T>(std::type_identity<T>, std::size_t n, std::size_t count) {
    INFO(n << ' ' << count);
    const auto a = yoke::to_device_array(noise<std::complex<T>>(n * count), {count, n}, state.stream);
    check([&] { return yoke::ifft(a); });
    check([&] { return yoke::device_array(yoke::fft(a.transpose(), yoke::along(0)).transpose()); });
    check([&] {
      auto own = a.copy();
      own = yoke::pass::fft(own);
      return own;
    });
    check([&] {  // the results lie one row before
      auto own = yoke::zeros<std::complex<T>>({count + 1, n}, state.stream);
      own(yoke::slice(1, yoke::none), yoke::whole) = a.view();
      own(yoke::slice(0, -1), yoke::whole) = yoke::pass::fft(own(yoke::slice(1, yoke::none), yoke::whole));
      return own;
    });
    const auto reals = yoke::to_device_array(noise<T>(n * count), {count, n}, state.stream);
    check([&] { return yoke::irfft(yoke::rfft(reals), n); });
    check([&] { return yoke::fft(a, n + n / 2); });
  };
  // By one kernel, alone and beside others; by a greater factor and others; by a longer transform; by several kernels.
  features(std::type_identity<float>{}, 48, 18);
  plain(std::type_identity<double>{}, 3072, 1);
  if (runs_whole() || !processor) {
    plain(std::type_identity<float>{}, 2, 3);
    plain(std::type_identity<float>{}, 1001, 3);
    plain(std::type_identity<float>{}, 17 * 16, 3);
    plain(std::type_identity<float>{}, 131, 2);
    plain(std::type_identity<float>{}, 1024, 2);
    plain(std::type_identity<float>{}, 8192, 1);
  }
  if (!processor) return;
  // Processors take rows in two levels, and many columns in lanes.
  for (const std::size_t n : {11U, 60U}) plain(std::type_identity<float>{}, n, 35);
  for (const std::size_t n : {1200U, 17U * 625U}) plain(std::type_identity<float>{}, n, 2);
  if (!runs_whole()) return;
  features(std::type_identity<float>{}, 1000, 3);
  features(std::type_identity<double>{}, 9000, 1);
  for (const std::size_t n : {8U, 16U, 39U}) plain(std::type_identity<float>{}, n, 35);
  for (const std::size_t n : {6561U, 65536U}) plain(std::type_identity<float>{}, n, 2);
  plain(std::type_identity<double>{}, 512 * 512, 1);
}

YOKE_ANY_DEVICE_TEST_CASE("long transforms keep their accuracy", "[fft]") {
  own_rig state(device);
  const auto check = [&]<class Part>(std::type_identity<Part>, std::size_t n, bool by_chirp) {
    INFO(n);
    using number = std::complex<Part>;
    const auto host = noise<number>(n);
    const auto a = yoke::to_device_array(host, state.stream);
    const auto f = yoke::fft(a);
    const double limit = bound<Part>(n, by_chirp);
    CHECK(distance(yoke::ifft(f).to_host(), std::vector<wide>(host.begin(), host.end())) <= 2 * limit);
    const auto energy = [](const std::vector<number>& of) {
      long double sum = 0;
      for (const number& each : of) sum += std::norm(wide(each));
      return sum;
    };
    CHECK(std::abs(energy(f.to_host()) / (energy(host) * static_cast<long double>(n)) - 1) <= 2 * limit);
  };
  check(std::type_identity<float>{}, 65536, false);
  check(std::type_identity<double>{}, 4096, false);
  check(std::type_identity<float>{}, 10007, true);
  if (device.summary().kind != yoke::device_kind::cpu) return;
  check(std::type_identity<float>{}, 131071, true);
  if (!runs_whole()) return;
  check(std::type_identity<float>{}, 65537, true);
  check(std::type_identity<double>{}, 65537, true);
}

YOKE_ANY_DEVICE_TEST_CASE("frequencies, and halves that are exchanged", "[fft]") {
  own_rig state(device);
  CHECK(yoke::fftfreq(4, state.stream).to_host() == std::vector<float>{0, 0.25F, -0.5F, -0.25F});
  CHECK(yoke::fftfreq(5, 0.5, state.stream).to_host() == std::vector<double>{0, 0.4, 0.8, -0.8, -0.4});
  CHECK(yoke::rfftfreq<double>(4, state.stream).to_host() == std::vector<double>{0, 0.25, 0.5});
  CHECK(yoke::rfftfreq(5, 2, state.stream).to_host() == std::vector<float>{0, 0.1F, 0.2F});
  using list = std::vector<int>;
  const auto a = yoke::arange<int>(5, state.stream);
  CHECK(yoke::fftshift(a).to_host() == list{3, 4, 0, 1, 2});
  CHECK(yoke::ifftshift(yoke::fftshift(a)).to_host() == a.to_host());
  CHECK(yoke::fftshift(a + 1).to_host() == list{4, 5, 1, 2, 3});
  auto m = yoke::arange<int>(6, state.stream).reshape({2, 3});
  CHECK(yoke::fftshift(m).to_host() == list{5, 3, 4, 2, 0, 1});
  CHECK(yoke::fftshift(m, yoke::along(-1)).to_host() == list{2, 0, 1, 5, 3, 4});
  CHECK(yoke::ifftshift(m, yoke::along(1)).to_host() == list{1, 2, 0, 4, 5, 3});
  m = yoke::pass::fftshift(m);
  CHECK(m.to_host() == list{5, 3, 4, 2, 0, 1});
  CHECK_THROWS_AS(yoke::fftshift(m, yoke::along(0, 0)), yoke::logic_error);
}

namespace {

/// Returns: the convolution, or the correlation, by its definition.
template <class T>
std::vector<wide> convolution_of(const std::vector<T>& a, std::vector<T> v, bool back) {
  std::vector<wide> made(a.size() + v.size() - 1);
  std::vector<wide> right(v.begin(), v.end());
  if (back) {
    std::reverse(right.begin(), right.end());
    for (wide& each : right) each = std::conj(each);
  }
  for (std::size_t i = 0; i < a.size(); ++i) {
    for (std::size_t k = 0; k < right.size(); ++k) made[i + k] += wide(a[i]) * right[k];
  }
  return made;
}
std::vector<wide> part_of(const std::vector<wide>& of, std::size_t first, std::size_t count) {
  const auto begin = of.begin() + static_cast<std::ptrdiff_t>(first);
  return {begin, begin + static_cast<std::ptrdiff_t>(count)};
}

}  // namespace

YOKE_ANY_DEVICE_TEST_CASE("convolutions and correlations, by the definition and by transforms", "[fft]") {
  own_rig state(device);
  const auto check = [&]<class T>(std::type_identity<T>, std::size_t m, std::size_t n) {
    INFO(m << ' ' << n);
    const auto left = noise<T>(m, 1);
    const auto right = noise<T>(n, 2);
    const auto a = yoke::to_device_array(left, state.stream);
    const auto v = yoke::to_device_array(right, state.stream);
    const std::size_t less = (std::min)(m, n);
    const std::size_t more = (std::max)(m, n);
    const double limit = 4 * bound<float>(m + n);
    const auto both = convolution_of(left, right, false);
    CHECK(distance(yoke::convolve(a, v).to_host(), both) <= limit);
    CHECK(distance(yoke::convolve(a, v, yoke::convolve_mode::same).to_host(), part_of(both, (less - 1) / 2, more)) <=
          limit);
    CHECK(distance(yoke::convolve(a, v, yoke::convolve_mode::valid).to_host(),
                   part_of(both, less - 1, more - less + 1)) <= limit);
    const auto back = convolution_of(left, right, true);
    CHECK(distance(yoke::correlate(a, v, yoke::convolve_mode::full).to_host(), back) <= limit);
    CHECK(distance(yoke::correlate(a, v).to_host(), part_of(back, less - 1, more - less + 1)) <= limit);
    CHECK(a.to_host() == left);
  };
  check(std::type_identity<float>{}, 7, 3);
  check(std::type_identity<float>{}, 100, 70);
  check(std::type_identity<std::complex<float>>{}, 3, 8);
  check(std::type_identity<std::complex<float>>{}, 70, 90);
  // These are NumPy's results.
  const auto a = yoke::to_device_array({1.0F, 2.0F, 3.0F}, state.stream);
  const auto v = yoke::to_device_array({0.0F, 1.0F, 0.5F}, state.stream);
  const auto longer = yoke::to_device_array({0.0F, 1.0F, 0.5F, 2.0F}, state.stream);
  using list = std::vector<float>;
  CHECK(yoke::convolve(a, v).to_host() == list{0, 1, 2.5F, 4, 1.5F});
  CHECK(yoke::convolve(a, v, yoke::convolve_mode::same).to_host() == list{1, 2.5F, 4});
  CHECK(yoke::correlate(a, v).to_host() == list{3.5F});
  CHECK(yoke::correlate(a, v, yoke::convolve_mode::same).to_host() == list{2, 3.5F, 3});
  CHECK(yoke::correlate(a, longer, yoke::convolve_mode::same).to_host() == list{4.5F, 8, 3.5F, 3});
  auto to = yoke::zeros<float>({10}, state.stream);
  to(yoke::slice(0, yoke::none, 2)) = yoke::pass::convolve(2.0F * a, v(yoke::reversed));
  CHECK(to.to_host() == list{1, 0, 4, 0, 7, 0, 6, 0, 0, 0});
  CHECK_THAT(
      refusal<yoke::logic_error>(yoke::errc::invalid_argument, [&] { (void)yoke::convolve(a(yoke::slice(0, 0)), v); }),
      ContainsSubstring("convolve of (0) and (3): both need at least one element"));
}
