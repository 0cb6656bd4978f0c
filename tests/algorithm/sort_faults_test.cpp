// SPDX-License-Identifier: MIT
// Every driver call of sorts, selections and lists made to fail in turn: nothing leaks, and the error names the call.
#include <algorithm/algorithm_scenarios.hpp>
#include <memory/memory_faults.hpp>
#include <support/sample.hpp>

using namespace yoke_test;
using namespace yoke_test::memory_faults;
namespace scenarios = yoke_test::algorithm_scenarios;

YOKE_DEVICE_TEST_CASE("faults in the compilation of sorts and lists", "[algorithm][faults]") {
  turns turn(device);
  if (turn())
    loop(
        "sorts", device,
        [](auto& state) {
          auto keys = yoke::zeros<std::uint8_t>({7000}, state.stream);
          keys(0) = std::uint8_t{7};
          keys(6999) = std::uint8_t{5};
          yoke::sort(keys);
          const int most = keys(-1).value();
          CHECK(most == 7);
        },
        of_arrays());
  if (turn())
    loop(
        "lists", device,
        [](auto& state) {
          scenarios::builder<port> builder(state.context, {"x"}, {.body = "append_below(x[i])"});
          const auto made = builder(60, yoke::to_device_array(counting(60), state.stream));
          const auto lists = made.template get<"below">().to_host();
          CHECK(lists[7] == std::vector<std::int32_t>{8});
        },
        of_arrays());
}

YOKE_DEVICE_TEST_CASE("faults in commands of sorts, selections and lists", "[algorithm][faults]") {
  turns turn(device);
  scenarios::each_scenario<port>([&](const char* name, const auto& setup, const auto& act) {
    if (!turn()) return;
    run_fault_scenario(
        name, device, setup, act, [](auto& state) { CHECK(download(state.memory, state.stream) == counting(60)); },
        of_arrays());
  });
}
