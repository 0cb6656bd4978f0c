// SPDX-License-Identifier: MIT
// Every allocation of sorts, selections and lists made to fail in turn.
#include <algorithm/algorithm_scenarios.hpp>
#include <support/faults/allocation_scenarios.hpp>

using namespace yoke_test;
namespace scenarios = yoke_test::algorithm_scenarios;

YOKE_DEVICE_TEST_CASE("allocations of sorts, selections and lists fail cleanly", "[allocation][algorithm]") {
  scenarios::each_scenario<port>([&](const char* name, const auto& setup, const auto& act) {
    run_allocation_scenario(
        name, device, setup, act, [](auto& state) { CHECK(download(state.memory, state.stream) == counting(60)); },
        rare_fault_step());
  });
}
