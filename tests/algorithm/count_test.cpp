// SPDX-License-Identifier: MIT
// Counts: of numbers, of weights, of elements in intervals.
#include <algorithm/sort_model.hpp>
#include <support/sample.hpp>

#include <cmath>
#include <limits>
#include <vector>

using namespace yoke_test;
using namespace yoke_test::arrays;
using namespace yoke_test::sorting;
using Catch::Matchers::ContainsSubstring;

namespace {

template <class T>
std::vector<std::int64_t> counts_of(const std::vector<T>& values, std::size_t bins) {
  std::vector<std::int64_t> counts(bins);
  for (const T each : values)
    if (std::cmp_greater_equal(each, 0) && std::cmp_less(each, bins)) ++counts[static_cast<std::size_t>(each)];
  return counts;
}

template <class T>
void check_counts(sort_rig& state, std::size_t size, std::size_t bins) {
  INFO(typeid(T).name() << ", " << size << " in " << bins << " bins");
  std::vector<T> host(size);
  for (std::size_t i = 0; i < size; ++i) host[i] = static_cast<T>(i * i % (bins + 20)) - static_cast<T>(2);
  const auto a = yoke::to_device_array(host, state.stream);
  CHECK(yoke::bincount(a, bins).to_host() == counts_of(host, bins));
}

/// Lowers the number of elements that are counted at once.
struct small_parts {
  small_parts() { yoke::detail::narrow_limit() = 1000; }
  ~small_parts() { yoke::detail::narrow_limit() = before; }
  small_parts(const small_parts&) = delete;
  small_parts& operator=(const small_parts&) = delete;
  std::int64_t before = yoke::detail::narrow_limit();
};

}  // namespace

YOKE_ANY_DEVICE_TEST_CASE("counts integers of every type, few bins and many", "[algorithm]") {
  sort_rig state(device);
  turns turn(device);
  if (turn()) check_counts<std::int32_t>(state, 30'000, 100);
  if (turn()) check_counts<std::uint64_t>(state, 5'000, 5'000);
  if (turn()) check_counts<std::uint8_t>(state, 3'000, 200);
  if (turn()) check_counts<std::int8_t>(state, 3'000, 90);
  if (turn()) check_counts<std::int64_t>(state, 5'000, 4'097);
  if (turn()) check_counts<std::uint32_t>(state, 1, 4'096);
  if (turn()) check_counts<std::int16_t>(state, 2'000, 1);
  if (turn()) check_counts<std::uint16_t>(state, 2'000, 7'000);
}

YOKE_ANY_DEVICE_TEST_CASE("counts more than 32 bits hold in parts", "[algorithm]") {
  if (!takes(device, "opencl")) return;
  const small_parts limit;
  sort_rig state(device);
  check_counts<std::int32_t>(state, 3'500, 40);
  check_counts<std::int32_t>(state, 2'000, 5'000);
}

YOKE_ANY_DEVICE_TEST_CASE("counts in views and expressions, sums weights, and refuses bins that cannot be",
                          "[algorithm]") {
  sort_rig state(device);
  const auto a = yoke::arange<int>(12, state.stream);
  CHECK(yoke::bincount(a.reshape({3, 4}).transpose() % 3, 4).to_host() == std::vector<std::int64_t>{4, 4, 4, 0});
  CHECK(yoke::bincount(a(yoke::slice(2, 6, 2)), 5).to_host() == std::vector<std::int64_t>{0, 0, 1, 0, 1});
  CHECK(yoke::bincount(a, 0).size() == 0);
  CHECK(yoke::bincount(a(yoke::slice(0, 0)), 2).to_host() == std::vector<std::int64_t>(2));
  const auto keys = yoke::to_device_array(std::vector<int>{1, 0, 1, 7, -1}, state.stream);
  const auto weights = yoke::to_device_array(std::vector<float>{0.5F, 2, 0.25F, 9, 9}, state.stream);
  CHECK(yoke::bincount(keys, weights, 3).to_host() == std::vector<float>{2, 0.75F, 0});
  CHECK_THAT(refusal<yoke::logic_error>(yoke::errc::out_of_range, [&] { (void)yoke::bincount(a, -1); }),
             ContainsSubstring("bins = -1 is not in [0, 2147483647]"));
  CHECK_THROWS_AS(yoke::bincount(a, ~std::uint64_t{0}), yoke::logic_error);
}

YOKE_ANY_DEVICE_TEST_CASE("histograms count intervals of one width, the last with its end", "[algorithm]") {
  sort_rig state(device);
  const float nan = std::numeric_limits<float>::quiet_NaN();
  const auto a = yoke::to_device_array(
      std::vector<float>{0, 0.24F, 0.25F, 0.5F, 0.99F, 1, 1.01F, -0.01F, nan, std::numeric_limits<float>::infinity()},
      state.stream);
  CHECK(yoke::histogram(a, 4, 0, 1).to_host() == std::vector<std::int64_t>{2, 1, 1, 2});
  CHECK(yoke::histogram(2 * a, 1, 0, 2).to_host() == std::vector<std::int64_t>{6});
  const auto halves = a.astype<yoke::half>();
  CHECK(yoke::sum(yoke::histogram(halves, 3, -1, 1)).get() == 7);
  const auto edges = yoke::to_device_array(std::vector<float>{0, 0.25F, 0.5F, 1}, state.stream);
  CHECK(yoke::histogram(a, edges).to_host() == std::vector<std::int64_t>{2, 1, 3});
  CHECK(yoke::histogram(a + 0.25F, edges).to_host() == std::vector<std::int64_t>{1, 2, 2});
  CHECK_THAT(refusal<yoke::logic_error>(yoke::errc::invalid_argument, [&] { (void)yoke::histogram(a, 4, 1, 1); }),
             ContainsSubstring("a histogram from 1 to 1 has no bins"));
  CHECK_THROWS_AS(yoke::histogram(a, 4, 0, std::numeric_limits<double>::infinity()), yoke::logic_error);
  // In float these are one number, have no distance, or are none.
  CHECK_THROWS_AS(yoke::histogram(a, 4, 1, 1 + 1e-12), yoke::logic_error);
  CHECK_THROWS_AS(yoke::histogram(a, 4, -3e38, 3e38), yoke::logic_error);
  CHECK_THROWS_AS(yoke::histogram(a, 4, 0, 1e300), yoke::logic_error);
  const yoke::stream<> other(state.context);
  const auto elsewhere = yoke::full(0.3F, {5000}, other);
  other.synchronize();
  CHECK(yoke::histogram(elsewhere + elsewhere, edges).to_host() == std::vector<std::int64_t>{0, 0, 5000});
  CHECK_THROWS_AS(yoke::histogram(a, 4, std::nan(""), 1), yoke::logic_error);
  CHECK_THAT(refusal<yoke::logic_error>(yoke::errc::out_of_range, [&] { (void)yoke::histogram(a, 0, 0, 1); }),
             ContainsSubstring("bins = 0 is not in [1, 2147483647]"));
  CHECK_THROWS_AS(yoke::histogram(a, edges(yoke::slice(0, 1))), yoke::logic_error);
}

YOKE_ANY_DEVICE_TEST_CASE("histograms of integers and doubles are calculated in double", "[algorithm]") {
  if (!takes(device, "cuda")) return;
  sort_rig state(device);
  const std::int64_t large = std::int64_t{1} << 40;
  const auto a = yoke::to_device_array(std::vector<std::int64_t>{large, large + 1, large + 2, large + 3}, state.stream);
  const auto from = static_cast<double>(large);
  CHECK(yoke::histogram(a, 4, from, from + 4).to_host() == std::vector<std::int64_t>{1, 1, 1, 1});
  CHECK(yoke::histogram(yoke::cast<double>(a), 2, from, from + 3).to_host() == std::vector<std::int64_t>{2, 2});
}

YOKE_ANY_DEVICE_TEST_CASE("edges of a histogram that do not ascend are refused", "[algorithm]") {
  sort_rig state(device);
  const auto a = yoke::to_device_array(std::vector<float>{0.1F, 0.2F, 0.6F}, state.stream);
  const auto by = [&](std::vector<float> edges) {
    return yoke::histogram(a, yoke::to_device_array(edges, state.stream)).to_host();
  };
  constexpr float none = std::numeric_limits<float>::quiet_NaN();
  CHECK_THROWS_WITH(by({0, 1, 0.5F}), Catch::Matchers::ContainsSubstring("edge 2 is below edge 1"));
  CHECK_THROWS_WITH(by({1, 0}), Catch::Matchers::ContainsSubstring("edge 1 is below edge 0"));
  CHECK_THROWS_AS(by({0, none, 1}), yoke::logic_error);
  CHECK_THROWS_AS(by({none, 1}), yoke::logic_error);
  CHECK_THROWS_AS(by({0, 1, none}), yoke::logic_error);
  CHECK_THROWS_WITH(by({1}), Catch::Matchers::ContainsSubstring("at least 2 edges: these are 1"));
  CHECK_THROWS_WITH(by({}), Catch::Matchers::ContainsSubstring("at least 2 edges: these are 0"));
  CHECK(by({0, 0.15F, 0.15F, 1}) == std::vector<std::int64_t>{1, 0, 2});
}
