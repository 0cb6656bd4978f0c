// SPDX-License-Identifier: MIT
// Lists that are reduced each, runs of equal elements, values of equal keys, and orders by several keys.
#include <algorithm/sort_model.hpp>
#include <support/sample.hpp>

#include <complex>
#include <limits>
#include <tuple>
#include <vector>

#include <yoke/struct.hpp>

using namespace yoke_test;
using namespace yoke_test::arrays;
using namespace yoke_test::sorting;
using Catch::Matchers::ContainsSubstring;

namespace reduce_lists_test {
struct extremes {
  int low;
  int high;
};
}  // namespace reduce_lists_test
YOKE_STRUCT(reduce_lists_test::extremes, low, high);

namespace {

/// Lists of so many elements each, which are 0, 1, 2, ...
template <class T = int>
yoke::lists<T> lists_of(const yoke::stream<>& stream, const std::vector<std::int64_t>& lengths) {
  std::vector<std::int64_t> starts{0};
  for (const std::int64_t each : lengths) starts.push_back(starts.back() + each);
  const auto size = static_cast<std::size_t>(starts.back());
  return {yoke::to_device_array(starts, stream), yoke::to_device_array(counting<T>(size, T{0}), stream)};
}

}  // namespace

YOKE_ANY_DEVICE_TEST_CASE("reduces lists of every mean length, and empty ones", "[algorithm]") {
  sort_rig state(device);
  for (const std::int64_t mean : {0, 1, 3, 40, 700, 5000}) {
    INFO(mean);
    std::vector<std::int64_t> lengths;
    for (std::int64_t k = 0; k < (mean > 100 ? 9 : 700); ++k) lengths.push_back(k % 3 * mean);
    const auto made = lists_of(state.stream, lengths);
    std::vector<std::int64_t> sums;
    std::vector<int> highest;
    std::int64_t at = 0;
    for (const std::int64_t each : lengths) {
      sums.push_back(each * at + each * (each - 1) / 2);
      at += each;
      highest.push_back(each == 0 ? -1 : static_cast<int>(at - 1));
    }
    CHECK(yoke::sum_each(made).to_host() == sums);
    CHECK(yoke::reduce_each<"max(a, b)", "-1">(made).to_host() == highest);
  }
  CHECK(yoke::sum_each(lists_of(state.stream, {})).size() == 0);
  // Starts beyond the elements read none of them.
  const yoke::lists<int> wrong{yoke::to_device_array(std::vector<std::int64_t>{-2, 1, 4}, state.stream),
                               yoke::to_device_array(std::vector<int>{5, 7}, state.stream)};
  CHECK(yoke::sum_each(wrong).to_host() == std::vector<std::int64_t>{5, 7});
  auto moved = lists_of(state.stream, {1, 2});
  const auto elements = std::move(moved.elements());
  CHECK_THROWS_AS(yoke::sum_each(moved), yoke::logic_error);
  CHECK(elements.size() == 3);
}

YOKE_ANY_DEVICE_TEST_CASE("reduces lists of other types, and of structs", "[algorithm]") {
  if (!takes(device, "cuda")) return;
  sort_rig state(device);
  CHECK(yoke::sum_each(lists_of<float>(state.stream, {2, 3})).to_host() == std::vector<float>{1, 9});
  CHECK(yoke::sum_each(lists_of<std::int16_t>(state.stream, {2, 3})).to_host() == std::vector<std::int64_t>{1, 9});
  const auto halves = yoke::arange<float>(5, state.stream).astype<yoke::half>();
  const yoke::lists<yoke::half> of_halves{yoke::to_device_array(std::vector<std::int64_t>{0, 2, 5}, state.stream),
                                          halves.copy()};
  CHECK(yoke::sum_each(of_halves).to_host() == std::vector<float>{1, 9});
  CHECK(yoke::sum_each(lists_of<std::uint8_t>(state.stream, {0, 4})).to_host() == std::vector<std::uint64_t>{0, 6});
  const auto starts = yoke::to_device_array(std::vector<std::int64_t>{0, 2, 3}, state.stream);
  const yoke::lists<std::complex<float>> complex{
      starts(yoke::whole).copy(),
      yoke::to_device_array(std::vector<std::complex<float>>{{1, 2}, {3, 4}, {5, 6}}, state.stream)};
  CHECK(yoke::sum_each(complex).to_host() == std::vector<std::complex<float>>{{4, 6}, {5, 6}});
  CHECK(yoke::reduce_each<"a + b", "0", float>(lists_of<int>(state.stream, {3})).to_host() == std::vector<float>{3});
  using reduce_lists_test::extremes;
  const yoke::lists<extremes> pairs{
      starts(yoke::whole).copy(), yoke::to_device_array(std::vector<extremes>{{1, 2}, {-3, 1}, {5, 6}}, state.stream)};
  const auto made = yoke::reduce_each<"extremes r; r.low = min(a.low, b.low); r.high = max(a.high, b.high); return r;",
                                      "extremes r; r.low = 100; r.high = -100; return r;">(pairs)
                        .to_host();
  CHECK((made[0].low == -3 && made[0].high == 2));
  CHECK((made[1].low == 5 && made[1].high == 6));
}

YOKE_ANY_DEVICE_TEST_CASE("runs of equal elements have their lengths", "[algorithm]") {
  sort_rig state(device);
  const auto check = [&](const std::vector<int>& host) {
    std::vector<int> values;
    std::vector<std::int64_t> lengths;
    for (const int each : host) {
      if (values.empty() || values.back() != each) {
        values.push_back(each);
        lengths.push_back(0);
      }
      ++lengths.back();
    }
    const auto a = yoke::to_device_array(host, state.stream);
    const auto [own, counts] = yoke::run_lengths(a);
    CHECK(own.to_host() == values);
    CHECK(counts.to_host() == lengths);
  };
  check({});
  check({5});
  check({5, 5, 5});
  check({1, 2, 2, 1, 1, 1, 3});
  std::vector<int> many(10'000);
  for (std::size_t i = 0; i < many.size(); ++i) many[i] = static_cast<int>(i / 7 * i / 1000);
  check(many);
  const float nan = std::numeric_limits<float>::quiet_NaN();
  const auto odd = yoke::to_device_array(std::vector<float>{nan, nan, -0.0F, 0.0F}, state.stream);
  CHECK(yoke::run_lengths(odd).values.to_host() == std::vector<std::int64_t>{1, 1, 2});
  const auto every_other = yoke::run_lengths(
      yoke::to_device_array(std::vector<int>{4, 0, 4, 1, 5, 2}, state.stream)(yoke::slice(yoke::none, yoke::none, 2)));
  CHECK(every_other.keys.to_host() == std::vector<int>{4, 5});
}

YOKE_ANY_DEVICE_TEST_CASE("values of equal keys are joined", "[algorithm]") {
  sort_rig state(device);
  auto keys = yoke::to_device_array(std::vector<std::int32_t>{3, 1, 3, 2, 1, 3}, state.stream);
  auto values = yoke::to_device_array(std::vector<float>{1, 2, 4, 8, 16, 32}, state.stream);
  {  // as they lie
    const auto made = yoke::reduce_by_key<"a + b", "0">(keys, values);
    CHECK(made.keys.to_host() == std::vector<std::int32_t>{3, 1, 3, 2, 1, 3});
    CHECK(made.values.to_host() == std::vector<float>{1, 2, 4, 8, 16, 32});
  }
  yoke::sort_by_key(keys, values);
  const auto [own, sums] = yoke::reduce_by_key<"a + b", "0">(keys, values);
  CHECK(own.to_host() == std::vector<std::int32_t>{1, 2, 3});
  CHECK(sums.to_host() == std::vector<float>{18, 8, 37});
  const auto none = yoke::reduce_by_key<"a + b", "0">(keys(yoke::slice(0, 0)), values(yoke::slice(0, 0)));
  CHECK((none.keys.size() == 0 && none.values.size() == 0));
  CHECK(keys.size() == 6);
  CHECK_THAT(
      refusal<yoke::logic_error>(yoke::errc::size_mismatch,
                                 [&] { (void)yoke::reduce_by_key<"a + b", "0">(keys, values(yoke::slice(0, 4))); }),
      ContainsSubstring("the values have shape (4,), the keys (6,)"));
}

YOKE_ANY_DEVICE_TEST_CASE("orders by several keys are the host's, and stable", "[algorithm]") {
  sort_rig state(device);
  constexpr std::size_t size = 3000;
  std::vector<std::int32_t> year(size);
  std::vector<float> weight(size);
  std::vector<std::uint8_t> day(size);
  std::vector<std::int64_t> expected(size);
  for (std::size_t i = 0; i < size; ++i) {
    year[i] = static_cast<std::int32_t>(i * 7 % 5);
    weight[i] = static_cast<float>(i * 13 % 11) - 5;
    day[i] = static_cast<std::uint8_t>(i % 3);
    expected[i] = static_cast<std::int64_t>(i);
  }
  std::stable_sort(expected.begin(), expected.end(), [&](std::int64_t a, std::int64_t b) {
    const auto key = [&](std::int64_t at) {
      const auto i = static_cast<std::size_t>(at);
      return std::tuple(year[i], -weight[i], day[i]);
    };
    return key(a) < key(b);
  });
  const auto y = yoke::to_device_array(year, state.stream);
  const yoke::device_array down(-yoke::to_device_array(weight, state.stream));
  const auto d = yoke::to_device_array(day, state.stream);
  CHECK(yoke::argsort_by(y, down, d).to_host() == expected);
  const auto narrow = yoke::argsort_by<std::int32_t>(y, down, d).to_host();
  CHECK(std::equal(narrow.begin(), narrow.end(), expected.begin()));
  CHECK(y.to_host() == year);
  // A key that is calculated, and keys of another stream, which has been waited for.
  const yoke::stream<> other(state.context);
  const auto elsewhere = yoke::to_device_array(year, other);
  const auto weights = yoke::to_device_array(weight, other);
  other.synchronize();
  CHECK(yoke::argsort_by(elsewhere, -weights, d).to_host() == expected);
  CHECK_THROWS_AS(yoke::argsort_by(y, d(yoke::slice(0, 5))), yoke::logic_error);
}
