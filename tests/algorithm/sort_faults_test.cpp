// SPDX-License-Identifier: MIT
// Every driver call of sorts made to fail in turn: nothing leaks.
#include <memory/memory_faults.hpp>
#include <yoke/algorithm.hpp>
#include <yoke/array.hpp>

using namespace yoke_test;
using namespace yoke_test::memory_faults;

YOKE_DEVICE_TEST_CASE("faults in sorts", "[algorithm][faults]") {
  const auto sort = [](auto& state) {
    auto keys = yoke::zeros<std::uint8_t>({7000}, state.stream);
    keys(0) = std::uint8_t{7};
    keys(6999) = std::uint8_t{5};
    yoke::sort(keys);
    const int most = keys(-1).value();
    CHECK(most == 7);
  };
  loop("sorts", device, sort, of_arrays());
}
