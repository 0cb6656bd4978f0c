// SPDX-License-Identifier: MIT
// Every driver call of arrays made to fail in turn.
#include <memory/memory_faults.hpp>
#include <yoke/array.hpp>

using namespace yoke_test;
using namespace yoke_test::memory_faults;

namespace {
struct cell {
  int key, count;
};
const fault_loop_options waits_in_cleanup = absorbing({{"finish", "page-locked memory waits for its unmapping"}});
}  // namespace

YOKE_DEVICE_TEST_CASE("faults in the making of arrays", "[array][faults]") {
  loop("of the host's elements", device, [](auto& state) {
    auto a = yoke::to_device_array(counting(60), {3, 20}, state.stream);
    auto b = yoke::to_device_array(counting(60), {3, 20}, state.stream, yoke::array_order::f);
    CHECK(a.to_host() == b.to_host());
  });
  loop("of values and sequences", device, [](auto& state) {
    auto a = yoke::zeros<int>({4, 5}, state.stream);
    auto b = yoke::full_like(a, 3);
    auto c = yoke::arange(0, 20, 1, state.stream);
    CHECK(a.size() + b.size() == 2 * c.size());
  });
  loop("of another allocation", device, [](auto& state) {
    yoke::device_array a(std::move(state.memory), yoke::shape{6, 10}, state.stream);
    const auto kept = a.share();
    a.reset();
    state.memory = yoke::to_device(counting(60), state.stream);
    CHECK(kept.extent(1) == 10);
  });
}

YOKE_DEVICE_TEST_CASE("faults in copies of arrays", "[array][faults]") {
  loop("through boxes, kernels and temporaries", device, [](auto& state) {
    auto a = yoke::to_device_array(counting(60), {3, 20}, state.stream);
    a(yoke::whole, yoke::slice(1, yoke::none)).assign(a(yoke::whole, yoke::slice(0, -1)));
    a(0).fill(7);
    a(yoke::whole, 2).fill(8);
    CHECK(a(1, 3).value() == 22);
    CHECK(a(yoke::reversed, 0).to_host().front() == 41);
    a(1).assign(counting(20));
  });
  loop(
      "to page-locked memory", device,
      [](auto& state) {
        auto a = yoke::to_device_array(counting(60), {3, 20}, state.stream);
        auto later = a(yoke::whole, 1).to_host_async();
        const auto values = std::move(later).get();
        CHECK(values[1] == 22);
      },
      waits_in_cleanup);
  loop("with conversions and members", device, [](auto& state) {
    auto a = yoke::to_device_array(counting(60), state.stream);
    const auto b = a.template astype<float>().reshape_copy({6, 10}).copy();
    CHECK(b(1, 1).value() == 12.0F);
    yoke::device_value pair{state.stream, cell{3, 4}};
    CHECK(pair.get().count == 4);
  });
}
