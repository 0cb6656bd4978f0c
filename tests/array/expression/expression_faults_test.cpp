// SPDX-License-Identifier: MIT
// Every driver call of expressions, reductions and scans made to fail in turn.
#include <memory/memory_faults.hpp>
#include <support/sample.hpp>
#include <yoke/array.hpp>

using namespace yoke_test;
using namespace yoke_test::memory_faults;

YOKE_DEVICE_TEST_CASE("faults in expressions", "[array][faults]") {
  if (!takes(device, "opencl")) return;
  loop(
      "assigned, through a temporary, and made into an array", device,
      [](auto& state) {
        auto a = yoke::to_device_array(counting(60), {3, 20}, state.stream);
        a = a + a(yoke::reversed);
        const yoke::device_array b(2 * a);
        const int one = b(0, 1).value();
        CHECK(one == 88);
      },
      of_arrays());
}

YOKE_DEVICE_TEST_CASE("faults in reductions", "[array][faults]") {
  if (!takes(device, "cuda")) return;
  loop(
      "of several passes, and along an axis", device,
      [](auto& state) {
        const auto a = yoke::to_device_array(counting(5000), {2, 2500}, state.stream);
        auto [sum, most] = yoke::in_one_pass(yoke::pass::sum(a), yoke::pass::max(a));
        const auto rows = yoke::min(a, yoke::along(1)).to_host();
        const std::int64_t total = sum.get();
        const int highest = most.get();
        CHECK((total == 12'502'500 && highest == 5000 && rows == std::vector<int>{1, 2501}));
      },
      of_arrays());
}

YOKE_DEVICE_TEST_CASE("faults in scans", "[array][faults]") {
  if (!takes(device, "opencl")) return;
  loop(
      "of several tiles", device,
      [](auto& state) {
        const auto a = yoke::to_device_array(counting(5000), state.stream);
        const auto sums = yoke::cumsum(a).to_host();
        CHECK(sums.back() == 12'502'500);
      },
      of_arrays());
}
