// SPDX-License-Identifier: MIT
// Binary searches of many values: beside the host's, for every type, with equals, zeros of both signs and NaN.
#include <algorithm/sort_model.hpp>
#include <support/sample.hpp>

#include <limits>
#include <vector>

using namespace yoke_test;
using namespace yoke_test::arrays;
using namespace yoke_test::sorting;

namespace {

/// Whether `a` is before `b` in a sorted array.
template <class T>
bool is_before(const T& a, const T& b) {
  const auto x = comparable(a);
  const auto y = comparable(b);
  return is_nan(y) ? !is_nan(x) : x < y;
}

template <class T>
void check_searches(sort_rig& state) {
  INFO(typeid(T).name());
  std::vector<T> host = random_bits<T>(500);
  std::vector<T> wanted = random_bits<T>(200);
  for (std::size_t i = 0; i < 60; ++i) wanted[i] = host[i * 3];
  for (std::size_t i = 0; i < 40; ++i) host[i * 7] = host[i];
  if constexpr (std::numeric_limits<T>::is_iec559) {
    host[2] = host[3] = std::numeric_limits<T>::quiet_NaN();
    wanted[0] = std::numeric_limits<T>::quiet_NaN();
    wanted[1] = T{-0.0};
    host[4] = T{0};
    wanted[2] = std::numeric_limits<T>::infinity();
  }
  const auto sorted = yoke::sorted(yoke::to_device_array(host, state.stream));
  host = sorted.to_host();
  const auto values = yoke::to_device_array(wanted, state.stream);
  std::vector<std::int64_t> below;
  std::vector<std::int64_t> up_to;
  for (const T& each : wanted) {
    below.push_back(std::lower_bound(host.begin(), host.end(), each, is_before<T>) - host.begin());
    up_to.push_back(std::upper_bound(host.begin(), host.end(), each, is_before<T>) - host.begin());
  }
  CHECK(yoke::lower_bound(sorted, values).to_host() == below);
  CHECK(yoke::upper_bound(sorted, values).to_host() == up_to);
}

}  // namespace

YOKE_ANY_DEVICE_TEST_CASE("searches among numbers of every type", "[algorithm]") {
  sort_rig state(device);
  turns turn(device);
  if (turn()) check_searches<float>(state);
  if (turn()) check_searches<std::uint64_t>(state);
  if (turn()) check_searches<std::int32_t>(state);
  if (turn()) check_searches<double>(state);
  if (turn()) check_searches<yoke::half>(state);
  if (turn()) check_searches<std::int8_t>(state);
  if (turn()) check_searches<std::int64_t>(state);
  if (turn()) check_searches<yoke::bfloat16>(state);
  if (turn()) check_searches<std::uint16_t>(state);
}

YOKE_ANY_DEVICE_TEST_CASE("searches in views, for expressions of any shape, and among nothing", "[algorithm]") {
  sort_rig state(device);
  const auto a = yoke::arange<int>(100, state.stream);
  const auto even = a(yoke::slice(10, 20, 2));  // 10 12 14 16 18
  const auto values = yoke::arange<int>(6, state.stream);
  const auto made = yoke::lower_bound(even, 3 * values.reshape({2, 3}) + 9);  // 9 12 15, 18 21 24
  CHECK(made.shape() == yoke::shape<2>{2, 3});
  CHECK(made.to_host() == std::vector<std::int64_t>{0, 1, 3, 4, 5, 5});
  CHECK(yoke::upper_bound(a(yoke::slice(10, 15)), values + 9).to_host() == std::vector<std::int64_t>{0, 1, 2, 3, 4, 5});
  CHECK(yoke::lower_bound(a(yoke::slice(0, 0)), values).to_host() == std::vector<std::int64_t>(6));
  CHECK(yoke::lower_bound(a, values(yoke::slice(0, 0))).size() == 0);
  const yoke::device_array<int, 1> moved_from;
  CHECK_THROWS_AS(yoke::lower_bound(moved_from, values), yoke::logic_error);
}
