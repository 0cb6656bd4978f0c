// SPDX-License-Identifier: MIT
// Every allocation of arrays made to fail in turn.
#include <memory/memory_faults.hpp>
#include <support/allocation_scenarios.hpp>
#include <yoke/array.hpp>

using namespace yoke_test;
using memory_faults::kept;

namespace {

template <class Port, class Act>
void loop(const std::string& name, const yoke::device<Port>& device, Act act) {
  run_allocation_scenario(
      name, device, [](const yoke::device<Port>& on) { return kept<Port>(on); }, act,
      [](kept<Port>& state) { CHECK(download(state.memory, state.stream).size() == 60); });
}

}  // namespace

YOKE_DEVICE_TEST_CASE("allocations of arrays fail cleanly", "[allocation]") {
  loop("making and reading", device, [](auto& state) {
    auto a = yoke::to_device_array(counting(60), {3, 20}, state.stream);
    const auto pieces = a.ravel().chunks(7);
    auto shared = a.share();
    a.reset();
    CHECK(shared(1, 1).value() == 22);
    auto later = shared.to_host_async();
    const auto values = std::move(later).get();
    CHECK(values[3] + static_cast<int>(pieces.size()) == 13);
  });
  loop("kernels", device, [](auto& state) {
    auto a = yoke::arange(0, 60, 1, state.stream);
    CHECK(a(yoke::reversed).to_host().front() == 59);
    CHECK(a.template astype<float>()(3).value() == 3.0F);
  });
  loop("one value", device, [](auto& state) {
    const yoke::device_value one{state.stream, 3};
    CHECK(one.get() == 3);
  });
}
