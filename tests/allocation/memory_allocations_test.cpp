// SPDX-License-Identifier: MIT
// Every allocation of memory, copies and transfers made to fail in turn; copies and fills make none.
#include <memory/memory_faults.hpp>
#include <support/faults/allocation_scenarios.hpp>

using namespace yoke_test;
using memory_faults::kept;

namespace {

template <class Port, class Act>
void loop(const std::string& name, const yoke::device<Port>& device, Act act) {
  run_allocation_scenario(
      name, device, [](const yoke::device<Port>& on) { return kept<Port>(on); }, act,
      [](kept<Port>& state) { CHECK(download(state.memory, state.stream).size() == 60); });
}

/// Whether `act` runs without a single allocation of this thread outside of the driver.
template <class Act>
bool allocates_nothing(Act act) {
  allocation_faults::arm(1, fault_mode::for_ever);
  try {
    act();
  } catch (const std::bad_alloc&) {  // then a fault struck
  }
  allocation_faults::disarm();
  return allocation_faults::injected() == 0;
}

}  // namespace

YOKE_DEVICE_TEST_CASE("allocations of device memory fail cleanly", "[allocation]") {
  loop("ordered allocations", device, [](auto& state) {
    backend::device_allocation<int> plain{state.context, 8};
    backend::device_allocation<int> ordered{state.context, 8, state.stream};
    const backend::stream second(state.context);
    const backend::stream third(state.context);
    ordered.record_use(second);
    ordered.record_use(third);
    plain = std::move(ordered);
  });
  loop("page-locked memory", device, [](auto& state) {
    backend::pagelocked_array<int> array{state.context, 60};
    yoke::copy(array, state.memory, state.stream);
  });
}

YOKE_DEVICE_TEST_CASE("allocations of copies and transfers fail cleanly", "[allocation]") {
  loop("asynchronous copies", device, [](auto& state) {
    backend::pagelocked_array<int> array{state.context, 60};
    auto down = yoke::copy_async(state.memory, array, state.stream);
    down.wait();
  });
  loop("enqueued copies", device, [](auto& state) {
    backend::pagelocked_array<int> array{state.context, 60};
    yoke::enqueue_copy(state.memory, array, state.stream);
    yoke::enqueue_copy(array, state.memory, state.stream);
    state.stream.synchronize();
  });
  loop("detached copies", device, [](auto& state) {
    backend::pagelocked_array<int> array{state.context, 60};
    auto down = yoke::copy_async(state.memory, array, state.stream);
    down.detach();
    state.stream.synchronize();
  });
  loop("round trips", device, [](auto& state) {
    std::vector<int> host = counting(60);
    auto up = yoke::to_device(host, state.stream);
    yoke::copy(up, host, state.stream);
    yoke::fill(up, 1, state.stream);
  });
}

YOKE_DEVICE_TEST_CASE("copies and fills take nothing from the heap", "[allocation]") {
  rig on(device);
  auto memory = yoke::to_device(counting(60), on.stream);
  std::vector<int> host = counting(60);
  const yoke::box_layout box{.width = 3, .height = 4, .depth = 3, .row_pitch = 4, .slice_pitch = 17};
  CHECK(allocates_nothing([&] { yoke::copy(host, memory, on.stream); }));
  CHECK(allocates_nothing([&] { yoke::copy(memory, host, on.stream); }));
  CHECK(allocates_nothing([&] { yoke::copy(memory.subspan(0, 30), memory.subspan(30, 30), on.stream); }));
  CHECK(allocates_nothing([&] { yoke::copy(yoke::strided(host, box), yoke::strided(memory, box), on.stream); }));
  CHECK(allocates_nothing([&] { yoke::fill(yoke::strided(memory, box), 3, on.stream); }));
  backend::pagelocked_array<int> locked{on.context, 60};
  CHECK(allocates_nothing([&] { yoke::copy_async(memory, locked, on.stream).wait(); }));
  CHECK(allocates_nothing([&] { yoke::enqueue_copy(memory, locked, on.stream); }));
  on.stream.synchronize();
  CHECK_FALSE(allocates_nothing([&] { backend::pagelocked_array<int>{on.context, 1}; }));  // the check itself works
}

YOKE_DEVICE_TEST_CASE("allocations of lists of copies and of staged copies fail cleanly", "[allocation]") {
  loop("lists of copies", device, [](auto& state) {
    backend::device_allocation<int> there{state.context, 60};
    backend::pagelocked_array<int> host{state.context, 60};
    yoke::copy_list list{state.context};
    list.add(state.memory.subspan(0, 30), there.subspan(0, 30));
    list.add(state.memory.subspan(30, 30), there.subspan(30, 30));
    list.add(yoke::strided(host, memory_faults::odd), yoke::strided(there, memory_faults::odd));
    yoke::enqueue_copy(list, state.stream);
    yoke::copy_async(list, state.stream).wait();
  });
  loop("staged copies", device, [](auto& state) {
    std::vector<int> host(60, 3);
    yoke::set_staging(state.context, {.from_bytes = 64, .block_bytes = 32, .threads = 2});
    yoke::copy(host, state.memory, state.stream);
    yoke::copy(state.memory, host, state.stream);
  });
}
