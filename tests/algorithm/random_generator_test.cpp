// SPDX-License-Identifier: MIT
// Arrays of random numbers: the same bits as the host's on every device, for every layout, and how they are distributed.
#include <algorithm/random_model.hpp>
#include <array/array_rig.hpp>
#include <yoke/cache.hpp>
#include <yoke/random.hpp>

#include <algorithm>
#include <limits>

using namespace yoke_test;
using namespace yoke_test::arrays;

namespace {

constexpr std::uint64_t seed = 0x1234567890abcdef;

/// A context whose arrays take the programs of those before: each kernel is compiled once, not once for each test.
struct random_rig : any_rig {
  explicit random_rig(const yoke::device<>& on) : any_rig(on) {
    static const yoke::program_cache in_memory{{}, {}};
    yoke::use_array_programs(context, in_memory);
  }
};

/// Whether elements are those that `model(place)` gives, to the last bit.
template <class T, class Model>
bool are(const std::vector<T>& found, std::uint64_t first, const Model& model) {
  for (std::size_t i = 0; i < found.size(); ++i) {
    const T expected = model(first + i);
    if (std::memcmp(&found[i], &expected, sizeof(T)) == 0) continue;
    UNSCOPED_INFO("element " << i << " from place " << first);
    return false;
  }
  return true;
}

/// Effects: compares each kind of numbers with the model, from several places on and of several sizes.
template <class T>
void compare_reals(const yoke::stream<>& stream) {
  for (const std::uint64_t first : {std::uint64_t{0}, std::uint64_t{3}, std::uint64_t{1} << 40 | 1}) {
    for (const std::size_t size : {std::size_t{0}, std::size_t{1}, std::size_t{2}, std::size_t{5}, std::size_t{1023}}) {
      INFO(size << " elements of " << sizeof(T) << " bytes from " << first);
      yoke::random_generator rng(seed, first);
      CHECK(are(rng.uniform<T>({size}, stream).to_host(), first,
                [](std::uint64_t n) { return random_model::uniform<T>(seed, n, T(0), T(1)); }));
      CHECK(rng.position() == first + size);
      CHECK(are(rng.uniform<T>({size}, stream, T(-3), T(0.5F)).to_host(), first + size,
                [](std::uint64_t n) { return random_model::uniform<T>(seed, n, T(-3), T(0.5F)); }));
      CHECK(are(rng.normal<T>({size}, stream).to_host(), first + 2 * size,
                [](std::uint64_t n) { return random_model::normal<T>(seed, n, T(0), T(1)); }));
      CHECK(are(rng.normal<T>({size}, stream, T(10), T(0.1F)).to_host(), first + 3 * size,
                [](std::uint64_t n) { return random_model::normal<T>(seed, n, T(10), T(0.1F)); }));
      CHECK(rng.position() == first + 4 * size);
    }
  }
}

template <class T>
void compare_integers(const yoke::stream<>& stream) {
  using limits = std::numeric_limits<T>;
  constexpr T low = std::is_signed_v<T> ? static_cast<T>(-7) : T{3};
  const std::pair<T, T> ranges[]{{T{0}, T{1}}, {low, T{12}}, {limits::min(), limits::max()}};
  yoke::random_generator rng(seed, 5);
  for (const auto& range : ranges) {
    const std::uint64_t first = rng.position();
    const auto found = rng.integers<T>({301}, stream, range.first, range.second).to_host();
    INFO("from " << +range.first << " to " << +range.second << " of " << sizeof(T) << " bytes");
    CHECK(are(found, first,
              [&](std::uint64_t n) { return random_model::integer<T>(seed, n, range.first, range.second); }));
    CHECK(std::all_of(found.begin(), found.end(), [&](T each) { return range.first <= each && each < range.second; }));
  }
  const std::uint64_t first = rng.position();
  CHECK(are(rng.bits<T>({301}, stream).to_host(), first,
            [&](std::uint64_t n) { return random_model::bits<T>(seed, n); }));
}

struct moments {
  double mean = 0, variance = 0, skewness = 0, kurtosis = 0;
};
template <class T>
moments moments_of(const std::vector<T>& of) {
  moments result;
  const auto count = static_cast<double>(of.size());
  for (const T each : of) result.mean += static_cast<double>(each) / count;
  double cubes = 0;
  double fourths = 0;
  for (const T each : of) {
    const double off = static_cast<double>(each) - result.mean;
    result.variance += off * off / count;
    cubes += off * off * off / count;
    fourths += off * off * off * off / count;
  }
  result.skewness = cubes / std::pow(result.variance, 1.5);
  result.kurtosis = fourths / (result.variance * result.variance);
  return result;
}

}  // namespace

YOKE_ANY_DEVICE_TEST_CASE("random floats and doubles are the host's, bit for bit", "[algorithm]") {
  random_rig state(device);
  compare_reals<float>(state.stream);
  compare_reals<double>(state.stream);
}

YOKE_ANY_DEVICE_TEST_CASE("random halves and bfloat16 are the host's, bit for bit", "[algorithm]") {
  random_rig state(device);
  compare_reals<yoke::half>(state.stream);
  compare_reals<yoke::bfloat16>(state.stream);
}

YOKE_ANY_DEVICE_TEST_CASE("random whole numbers of each width are the host's, over odd ranges and the widest",
                          "[algorithm]") {
  random_rig state(device);
  compare_integers<std::int8_t>(state.stream);
  compare_integers<std::uint8_t>(state.stream);
  compare_integers<std::int16_t>(state.stream);
  compare_integers<std::uint16_t>(state.stream);
  compare_integers<std::int32_t>(state.stream);
  compare_integers<std::uint32_t>(state.stream);
  compare_integers<std::int64_t>(state.stream);
  compare_integers<std::uint64_t>(state.stream);
  compare_integers<long long>(state.stream);
}

YOKE_ANY_DEVICE_TEST_CASE("a part of an array of any layout gets the numbers of its elements in C order",
                          "[algorithm]") {
  random_rig state(device);
  const auto expect = [&](auto view, const auto& whole, std::size_t written) {
    using T = typename decltype(view)::value_type;
    yoke::random_generator rng(seed, 6);
    rng.fill_uniform(view, T(1), T(2));
    CHECK(rng.position() == 6 + view.size());
    CHECK(are(view.to_host(), 6, [](std::uint64_t n) { return random_model::uniform<T>(seed, n, T(1), T(2)); }));
    const auto all = whole.to_host();  // the others keep -1
    CHECK(std::count(all.begin(), all.end(), T(-1)) == static_cast<std::ptrdiff_t>(all.size() - written));
  };
  const auto check = [&]<class T>(T) {
    const auto fresh = [&] { return yoke::full(T(-1), {6, 7, 8}, state.stream); };
    auto a = fresh();
    expect(a.view(), a, 336);
    a = fresh();
    expect(a(3, 2, yoke::slice(3, yoke::none)), a, 5);
    a = fresh();
    expect(a(yoke::reversed), a, 336);
    a = fresh();
    expect(a(yoke::slice(1, 5), yoke::slice(yoke::none, yoke::none, -2), yoke::slice(1, 8, 3)), a, 4 * 4 * 3);
    a = fresh();
    expect(a.transpose(), a, 336);
    a = fresh();
    expect(a.transpose()(yoke::whole, yoke::reversed, 4), a, 56);
    a = fresh();
    expect(a(1, 2, 3), a, 1);
    a = fresh();
    expect(a(yoke::slice(2, 2)), a, 0);
    auto f = yoke::full(T(-1), {5, 6}, state.stream, yoke::array_order::f);
    expect(f.view(), f, 30);
  };
  check(float{});
  check(double{});
  check(yoke::half{});
}

YOKE_ANY_DEVICE_TEST_CASE("the numbers do not depend on how calls and shapes share them", "[algorithm]") {
  random_rig state(device);
  yoke::random_generator one(seed);
  const auto whole = one.normal<float>({1000}, state.stream).to_host();
  yoke::random_generator other(seed);
  std::vector<float> parts;
  for (const std::size_t size : {std::size_t{1}, std::size_t{2}, std::size_t{500}, std::size_t{497}}) {
    const auto part = other.normal<float>({size}, state.stream).to_host();
    parts.insert(parts.end(), part.begin(), part.end());
  }
  CHECK(parts == whole);
  CHECK(other == one);
  yoke::random_generator skipped(seed);
  skipped.skip(900);
  CHECK(skipped.normal<float>({4, 25}, state.stream).to_host() == std::vector<float>(whole.begin() + 900, whole.end()));
  CHECK(skipped.position() == 1000);
  CHECK(skipped.seed() == seed);
  // The sequence begins again after its last place.
  yoke::random_generator last(seed, ~std::uint64_t{0} - 2);
  const auto around = last.bits<std::uint32_t>({8}, state.stream).to_host();
  CHECK(are(around, ~std::uint64_t{0} - 2, [](std::uint64_t n) { return random_model::bits<std::uint32_t>(seed, n); }));
  CHECK(last.position() == 5);
  yoke::random_generator first(seed);
  CHECK(first.bits<std::uint32_t>({5}, state.stream).to_host() ==
        std::vector<std::uint32_t>(around.begin() + 3, around.end()));
}

TEST_CASE("split generators have seeds of their own", "[algorithm]") {
  constexpr auto pair = [] {
    yoke::random_generator rng(seed, 17);
    const auto made = rng.split();
    return std::pair{made, rng.position()};
  }();
  STATIC_REQUIRE(pair.second == 18);
  STATIC_REQUIRE(pair.first.position() == 0);
  yoke::random_generator rng(seed);
  std::vector<std::uint64_t> seeds{seed};
  for (int i = 0; i < 1000; ++i) {
    auto made = rng.split();
    seeds.push_back(made.seed());
    seeds.push_back(made.split().seed());
  }
  std::sort(seeds.begin(), seeds.end());
  CHECK(std::adjacent_find(seeds.begin(), seeds.end()) == seeds.end());
  yoke::random_generator again(seed);
  rng = yoke::random_generator(seed);
  CHECK(rng.split() == again.split());
  CHECK_FALSE(rng.split() == yoke::random_generator(seed + 1, 1).split());
}

YOKE_ANY_DEVICE_TEST_CASE("uniform numbers fill their interval evenly", "[algorithm]") {
  random_rig state(device);
  constexpr std::size_t count = 1 << 18;
  constexpr std::size_t bins = 256;
  const auto check = [&]<class T>(T) {
    yoke::random_generator rng(2024);
    const auto found = rng.uniform<T>({count}, state.stream).to_host();
    std::vector<double> in_bin(bins);
    for (const T each : found) ++in_bin[static_cast<std::size_t>(static_cast<double>(each) * bins)];
    double chi_square = 0;
    for (const double each : in_bin) chi_square += (each - count / bins) * (each - count / bins) / (count / bins);
    CHECK(chi_square > 190);  // 255 on average, with a standard deviation of 22.6
    CHECK(chi_square < 320);
    const moments of = moments_of(found);
    CHECK(std::abs(of.mean - 0.5) < 4 * 0.2887 / 512);
    CHECK(std::abs(of.variance - 1.0 / 12) < 0.001);
    // Neighbours have nothing in common.
    double together = 0;
    for (std::size_t i = 0; i + 1 < count; ++i) {
      together += (static_cast<double>(found[i]) - of.mean) * (static_cast<double>(found[i + 1]) - of.mean);
    }
    CHECK(std::abs(together / (count * of.variance)) < 4.0 / 512);
  };
  check(float{});
  check(double{});
}

YOKE_ANY_DEVICE_TEST_CASE("normal numbers have the moments and the tails of the normal distribution", "[algorithm]") {
  random_rig state(device);
  constexpr std::size_t count = 1 << 18;
  const auto check = [&]<class T>(T) {
    yoke::random_generator rng(2024);
    const auto found = rng.normal<T>({count}, state.stream, T(3), T(2)).to_host();
    const moments of = moments_of(found);
    CHECK(std::abs(of.mean - 3) < 4 * 2.0 / 512);
    CHECK(std::abs(of.variance - 4) < 4 * 4 * 1.4143 / 512);
    CHECK(std::abs(of.skewness) < 4 * 2.45 / 512);
    CHECK(std::abs(of.kurtosis - 3) < 4 * 4.9 / 512);
    const auto beyond = [&](double sigmas) {
      return std::count_if(found.begin(), found.end(), [&](T each) { return std::abs(each - T(3)) > sigmas * 2; });
    };
    CHECK(std::abs(static_cast<double>(beyond(1)) / count - 0.3173) < 0.004);
    CHECK(std::abs(static_cast<double>(beyond(3)) / count - 0.0027) < 0.0005);
    CHECK(beyond(4) > 0);
    CHECK(beyond(7) == 0);
    const double log_normal = yoke::mean(exp(rng.normal<T>({count}, state.stream, T(0), T(0.25)))).get();
    CHECK(std::abs(log_normal - std::exp(0.03125)) < 4 * 0.26 / 512);
  };
  check(float{});
  check(double{});
}

YOKE_ANY_DEVICE_TEST_CASE("uniform numbers never reach the end of their interval", "[algorithm]") {
  random_rig state(device);
  yoke::random_generator rng(seed);
  const auto check = [&]<class T>(T low, T high, bool expects_all) {
    const auto found = rng.uniform<T>({20000}, state.stream, low, high).to_host();
    CHECK(std::all_of(found.begin(), found.end(), [&](T each) { return low <= each && each < high; }));
    const T last = *std::max_element(found.begin(), found.end());
    if (expects_all) CHECK(last == yoke::detail::value_below(high));
  };
  check(yoke::half(0), yoke::half(1), true);
  check(yoke::bfloat16(0), yoke::bfloat16(1), true);
  check(yoke::bfloat16(-2), yoke::bfloat16(-1), true);
  check(yoke::half(-1), yoke::half(0), false);
  check(1e8F, 1e8F + 8, true);  // neighbours
  check(16777216.0F, 16777224.0F, true);
  check(1e16, 1e16 + 6, true);
  check(-1.0F, 0.0F, false);
  check(-1e38F, 1e38F, false);
  check(0.0, 1e308, false);
}

YOKE_ANY_DEVICE_TEST_CASE("complex normal numbers have independent parts", "[algorithm]") {
  random_rig state(device);
  const auto check = [&]<class Part>(Part) {
    using complex = std::complex<Part>;
    constexpr std::size_t count = 1 << 16;
    yoke::random_generator rng(seed, 3);
    const auto found = rng.normal<complex>({count}, state.stream, complex(1, -2), Part(3)).to_host();
    CHECK(rng.position() == 3 + count);
    std::vector<Part> reals;
    std::vector<Part> others;
    double together = 0;
    for (const complex each : found) {
      reals.push_back(each.real());
      others.push_back(each.imag());
      together += static_cast<double>((each.real() - 1) * (each.imag() + 2)) / count;
    }
    const moments real = moments_of(reals);
    const moments other = moments_of(others);
    CHECK(std::abs(real.mean - 1) < 4 * 2.13 / 256);
    CHECK(std::abs(other.mean + 2) < 4 * 2.13 / 256);
    CHECK(std::abs(real.variance - 4.5) < 4 * 4.5 * 1.42 / 256);
    CHECK(std::abs(other.variance - 4.5) < 4 * 4.5 * 1.42 / 256);
    CHECK(std::abs(together) < 4 * 4.5 / 256);
    // The first one's bits.
    const auto words = random_model::block_of(seed, 3, sizeof(Part) / 2);
    const auto pair = [&] {
      if constexpr (sizeof(Part) == 8) {
        return random_model::normals(random_model::pair_of(words, 0), random_model::pair_of(words, 1));
      } else {
        return random_model::normals(words[2], words[3]);
      }
    }();
    const Part width = Part(3) * static_cast<Part>(0.70710678118654752);
    CHECK(found[0] == complex(std::fma(width, pair.first, Part(1)), std::fma(width, pair.second, Part(-2))));
  };
  check(float{});
  check(double{});
}

YOKE_ANY_DEVICE_TEST_CASE("a call is one launch, and none for no elements", "[algorithm]") {
  counting_rig state(device);
  yoke::random_generator rng(seed);
  auto a = yoke::zeros<float>({6, 5}, state.stream);
  auto n = yoke::zeros<int>({6, 5}, state.stream);
  const auto calls = [&](auto&& draw) {
    draw();  // compiles
    const std::size_t mark = state.mark();
    draw();
    return state.enqueued(mark);
  };
  CHECK(calls([&] { rng.fill_uniform(a); }) == 1);
  CHECK(calls([&] { rng.fill_normal(a.transpose()(yoke::reversed), 0.0F, 1.0F); }) == 1);
  CHECK(calls([&] { rng.fill_integers(n, 0, 10); }) == 1);
  CHECK(calls([&] { rng.fill_bits(n(1)); }) == 1);
  CHECK(calls([&] { rng.fill_uniform(a(yoke::slice(0, 0))); }) == 0);
  const std::uint64_t before = rng.position();
  CHECK(calls([&] { CHECK(rng.normal<double>({3, 0}, state.stream).to_host().empty()); }) == 0);
  CHECK(rng.position() == before);
}

YOKE_ANY_DEVICE_TEST_CASE("what no random numbers can be of is refused, and the place stays", "[algorithm]") {
  random_rig state(device);
  yoke::random_generator rng(seed, 9);
  constexpr float infinity = std::numeric_limits<float>::infinity();
  constexpr float nan = std::numeric_limits<float>::quiet_NaN();
  const auto message = [&](auto&& draw) { return refusal<yoke::logic_error>(yoke::errc::invalid_argument, draw); };
  const auto has = [](const std::string& text, std::string_view part) {
    INFO(text);
    CHECK(text.find(part) != std::string::npos);
  };
  has(message([&] { (void)rng.uniform<float>({4}, state.stream, 1.0F, 1.0F); }),
      "uniform numbers from low = 1 to high = 1: both must be finite, and low below high");
  has(message([&] { (void)rng.uniform<double>({4}, state.stream, 2.5, 1.0); }), "from low = 2.5 to high = 1");
  has(message([&] { (void)rng.uniform<float>({4}, state.stream, nan, 1.0F); }), "low = nan");
  has(message([&] { (void)rng.uniform<float>({4}, state.stream, 0.0F, infinity); }), "high = inf");
  has(message([&] { (void)rng.uniform<float>({4}, state.stream, -3e38F, 3e38F); }), "high - low must be finite");
  has(message([&] { (void)rng.normal<float>({4}, state.stream, 0.0F, -1.0F); }),
      "normal numbers with mean = 0 and sigma = -1: both must be finite, and sigma at least 0");
  has(message([&] { (void)rng.normal<float>({4}, state.stream, nan, 1.0F); }), "mean = nan");
  has(message([&] { (void)rng.normal<double>({4}, state.stream, 0.0, std::numeric_limits<double>::infinity()); }),
      "sigma = inf");
  has(message([&] {
        (void)rng.normal<std::complex<float>>({4}, state.stream, {1, nan}, 1.0F);
      }),
      "a part of mean = nan");
  has(message([&] { (void)rng.integers<int>({4}, state.stream, 5, 5); }),
      "whole numbers from low = 5 to high = 5: low must be below high");
  has(message([&] { (void)rng.integers<std::int8_t>({4}, state.stream, 100, -100); }), "low = 100 to high = -100");
  has(message([&] { (void)rng.integers<std::uint64_t>({4}, state.stream, ~std::uint64_t{0}, 0); }),
      "low = 18446744073709551615");
  auto a = yoke::zeros<float>({4}, state.stream);
  has(message([&] {
        rng.fill_uniform(a.view().with(yoke::array_layout<2>({2, 2}, {4, 4}, 0, 4)));
      }),
      "elements of the destination, of the shape (2, 2), share bytes");
  for (const auto& between : {yoke::array_layout<1>({2}, {6}, 0, 4), yoke::array_layout<1>({2}, {4}, 2, 4)}) {
    CHECK(refusal<yoke::logic_error>(yoke::errc::misaligned, [&] {
            rng.fill_uniform(a.view().with(between));
          }).find("is no range of elements of 4 bytes") != std::string::npos);
  }
  yoke::device_array<float, 1> none;
  CHECK_THROWS_AS(rng.fill_uniform(none), yoke::logic_error);
  CHECK_THROWS_AS(rng.fill_bits(yoke::device_view<int, 2>()), yoke::logic_error);
  CHECK(rng.position() == 9);
  // A standard deviation of 0 is one.
  CHECK(rng.normal<float>({3}, state.stream, 1.5F, 0.0F).to_host() == std::vector<float>(3, 1.5F));
}

YOKE_DEVICE_TEST_CASE("random numbers of a backend's own streams", "[algorithm]") {
  rig state(device);
  yoke::random_generator rng(seed);
  auto a = rng.integers<std::uint16_t>({3, 3}, state.stream, 10, 20);
  static_assert(std::is_same_v<decltype(a), yoke::device_array<std::uint16_t, 2, port>>);
  CHECK(are(a.to_host(), 0, [](std::uint64_t n) { return random_model::integer<std::uint16_t>(seed, n, 10, 20); }));
}
