// SPDX-License-Identifier: MIT
// NaN in minima and maxima: elementwise, in reductions and in scans they keep it; fmin and fmax leave it out.
#include <array/array_rig.hpp>
#include <support/sample.hpp>

#include <cmath>
#include <limits>

using namespace yoke_test;
using namespace yoke_test::arrays;

namespace {

template <class T>
constexpr T none = std::numeric_limits<T>::quiet_NaN();

/// Whether both are the same numbers, or NaN.
template <class T>
bool are_same(const std::vector<T>& found, const std::vector<T>& right) {
  return std::equal(found.begin(), found.end(), right.begin(), right.end(), [](T a, T b) {
    if constexpr (std::is_floating_point_v<T>) {
      if (std::isnan(b)) return std::isnan(a);
    }
    return a == b;
  });
}

template <class T>
void compare_elements(const yoke::stream<>& stream) {
  std::vector<T> x;
  std::vector<T> y;
  const T values[]{T(0), T(1), T(-2), none<T>, std::numeric_limits<T>::infinity(), -std::numeric_limits<T>::infinity()};
  for (const T left : values) {
    for (const T right : values) {
      x.push_back(left);
      y.push_back(right);
    }
  }
  const auto each = [&](auto function) {
    std::vector<T> made;
    for (std::size_t i = 0; i < x.size(); ++i) made.push_back(function(x[i], y[i]));
    return made;
  };
  const auto kept = [](auto function) {
    return [=](T a, T b) { return std::isnan(a) || std::isnan(b) ? none<T> : function(a, b); };
  };
  const auto less = [](T a, T b) { return std::min(a, b); };
  const auto more = [](T a, T b) { return std::max(a, b); };
  const auto a = yoke::to_device_array(x, stream);
  const auto b = yoke::to_device_array(y, stream);
  CHECK(are_same(min(a, b).to_host(), each(kept(less))));
  CHECK(are_same(max(a, b).to_host(), each(kept(more))));
  CHECK(are_same(min(a, T(1)).to_host(), each([&](T p, T) { return kept(less)(p, T(1)); })));
  CHECK(are_same(max(T(1), a).to_host(), each([&](T p, T) { return kept(more)(T(1), p); })));
  CHECK(are_same(max(a, none<T>).to_host(), each([&](T, T) { return none<T>; })));
  CHECK(are_same(min(none<T>, a).to_host(), each([&](T, T) { return none<T>; })));
  CHECK(are_same(fmin(a, b).to_host(), each([](T p, T q) { return std::fmin(p, q); })));
  CHECK(are_same(fmax(a, b).to_host(), each([](T p, T q) { return std::fmax(p, q); })));
  const auto clamped = [](T p, T low, T high) {
    return std::isnan(p) || std::isnan(low) || std::isnan(high) ? none<T> : p < low ? low : high < p ? high : p;
  };
  CHECK(are_same(clamp(a, T(-1), T(1)).to_host(), each([&](T p, T) { return clamped(p, T(-1), T(1)); })));
  CHECK(are_same(clamp(a, b, T(2)).to_host(), each([&](T p, T q) { return clamped(p, q, T(2)); })));
  CHECK(are_same(clamp(a, T(-2), b).to_host(), each([&](T p, T q) { return clamped(p, T(-2), q); })));
  CHECK(are_same(yoke::apply<"yoke_max(a, b)">(a, b).to_host(), each(kept(more))));
  CHECK(are_same(yoke::apply<"yoke_min(a, b)">(a, b).to_host(), each(kept(less))));
}

/// Returns: the least or greatest so far, by the host.
template <class T>
std::vector<T> so_far(const std::vector<T>& of, bool least, std::size_t row) {
  std::vector<T> made(of.size());
  for (std::size_t i = 0; i < of.size(); ++i) {
    const bool starts = i % row == 0;
    const T before = starts ? of[i] : made[i - 1];
    made[i] = before;
    if constexpr (std::is_floating_point_v<T>) {
      if (std::isnan(before) || std::isnan(of[i])) {
        made[i] = none<T>;
        continue;
      }
    }
    if (least ? of[i] < before : before < of[i]) made[i] = of[i];
  }
  return made;
}
template <class T>
void compare_scans(const yoke::stream<>& stream, std::size_t size, std::size_t nan_at) {
  INFO(size << " numbers of " << sizeof(T) << " bytes, NaN at " << nan_at);
  auto host = random_values<T>(size);
  if constexpr (std::is_floating_point_v<T>) {
    if (nan_at < size) host[nan_at] = none<T>;
  }
  const auto a = yoke::to_device_array(host, stream);
  CHECK(are_same(yoke::cummax(a).to_host(), so_far(host, false, size)));
  CHECK(are_same(yoke::cummin(a).to_host(), so_far(host, true, size)));
  CHECK(are_same(yoke::inclusive_scan<"yoke_max(a, b)", "-as_float(0x7f800000)">(yoke::cast<float>(a)).to_host(),
                 so_far(std::vector<float>(host.begin(), host.end()), false, size)));
  if (size % 10 != 0) return;
  CHECK(are_same(yoke::cummax(a.reshape({10, -1}), yoke::along(1)).to_host(), so_far(host, false, size / 10)));
}

}  // namespace

YOKE_ANY_DEVICE_TEST_CASE("elementwise minima and maxima keep NaN on both sides", "[array]") {
  any_rig state(device);
  compare_elements<float>(state.stream);
  compare_elements<double>(state.stream);
  const auto half = yoke::to_device_array(
      std::vector<yoke::half>{yoke::half(1.0F), yoke::half(none<float>), yoke::half(3.0F)}, state.stream);
  CHECK(std::isnan(max(half, 2).to_host()[1]));
  CHECK(std::isnan(min(2, half).to_host()[1]));
  const auto whole = yoke::to_device_array({3, -1, 7}, state.stream);
  CHECK((min(whole, 2) + 10 * max(whole, 2)).to_host() == std::vector<int>{32, 19, 72});
  CHECK(clamp(whole, 0, 5).to_host() == std::vector<int>{3, 0, 5});
}

YOKE_ANY_DEVICE_TEST_CASE("cummin and cummax have NaN from the first one on", "[array]") {
  any_rig state(device);
  compare_scans<float>(state.stream, 1000, 500);
  compare_scans<float>(state.stream, 20'000, 7);
  compare_scans<float>(state.stream, 20'000, 19'000);
  compare_scans<double>(state.stream, 3000, 0);
  compare_scans<std::int32_t>(state.stream, 20'000, 0);
  if (runs_whole()) {
    compare_scans<std::uint8_t>(state.stream, 3000, 0);
    compare_scans<std::int64_t>(state.stream, 3000, 0);
    compare_scans<std::uint64_t>(state.stream, 10, 0);
    compare_scans<std::int16_t>(state.stream, 1000, 0);
  }
  // Segments, bools, halves, an array that exists, the least of what is greatest.
  const auto x = yoke::to_device_array({3.0F, 5.0F, none<float>, 4.0F, 1.0F, 2.0F}, state.stream);
  const auto starts = yoke::to_device_array({1, 0, 0, 1, 0, 0}, state.stream);
  CHECK(are_same(yoke::cummax(x, yoke::segments(starts)).to_host(), std::vector<float>{3, 5, none<float>, 4, 4, 4}));
  CHECK(are_same(yoke::cummin(x, yoke::segments(starts)).to_host(), std::vector<float>{3, 3, none<float>, 4, 1, 1}));
  CHECK(yoke::cummax(starts > 0).to_host() == std::vector<int>{1, 1, 1, 1, 1, 1});
  yoke::device_array<float, 1> y(state.stream, {6});
  y = yoke::pass::cummin(x);
  CHECK(are_same(y.to_host(), std::vector<float>{3, 3, none<float>, none<float>, none<float>, none<float>}));
  const float infinite = std::numeric_limits<float>::infinity();
  CHECK(yoke::cummax(yoke::to_device_array({-infinite, -infinite}, state.stream)).to_host()[1] == -infinite);
  CHECK(yoke::cummin(yoke::to_device_array({std::numeric_limits<std::int64_t>::max()}, state.stream)).to_host()[0] ==
        std::numeric_limits<std::int64_t>::max());
}
