// SPDX-License-Identifier: MIT
// Reductions of arrays and expressions: values, bits that no layout changes, launches, refusals.
#include <array/array_rig.hpp>
#include <yoke/array/reduction.hpp>

using namespace yoke_test;
using namespace yoke_test::arrays;

YOKE_DEVICE_TEST_CASE("sum, product, least and greatest, any, all, count, mean", "[array]") {
  rig state(device);
  for (const std::size_t size : {1, 3, 255, 4096, 4097, 100'003}) {
    const auto host = random_values<int>(size);
    auto a = yoke::to_device_array(host, state.stream);
    std::int64_t sum = 0;
    std::int64_t squares = 0;
    std::int64_t above = 0;
    for (const int each : host) {
      sum += each;
      squares += std::int64_t{each} * each;
      above += each > 3 ? 1 : 0;
    }
    auto on_device = yoke::sum(a);
    static_assert(std::is_same_v<decltype(on_device), yoke::device_value<std::int64_t, port>>);
    CHECK(on_device.get() == sum);
    CHECK(yoke::sum(a * a).get() == squares);
    CHECK(yoke::dot(a, a).get() == squares);
    CHECK(yoke::min(a).get() == *std::min_element(host.begin(), host.end()));
    CHECK(yoke::max(-a).get() == -*std::min_element(host.begin(), host.end()));
    CHECK(yoke::count(a > 3).get() == above);
    CHECK(yoke::any(a > 3).get() == (above != 0));
    CHECK(yoke::all(a > 3).get() == (above == static_cast<std::int64_t>(size)));
    CHECK(yoke::mean(a).get() == static_cast<double>(sum) / static_cast<double>(size));
    CHECK(yoke::sum(a == a).get() == static_cast<std::int64_t>(size));
  }
  const auto factors = yoke::to_device_array({1, -2, 3, 4}, state.stream);
  CHECK(yoke::prod(factors).get() == -24);
}
