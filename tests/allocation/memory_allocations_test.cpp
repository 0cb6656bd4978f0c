// SPDX-License-Identifier: MIT
// Every allocation of memory, copies, transfers and maps made to fail in turn.
#include <support/allocation_faults.hpp>
#include <support/rig.hpp>
#include <support/spared_contexts.hpp>

using namespace yoke_test;

namespace {

/// What is kept from before.
struct kept {
  kept(opencl_interposer& driver, const opencl_device& on)
      : context(through(driver, on)), stream(context), memory(yoke::to_device(counting(60), stream)) {}
  ocl::context context;
  ocl::stream stream;
  ocl::device_allocation<int> memory;
};

template <class Act>
void loop(const std::string& name, const opencl_device& device, Act act) {
  run_allocation_loop(
      name, thrifty_opencl(), [&](opencl_interposer& driver) { return kept(driver, device); },
      [&](opencl_interposer&, kept& state) { act(state); },
      [](opencl_interposer&, kept& state) { CHECK(download(state.memory, state.stream).size() == 60); });
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

YOKE_OPENCL_TEST_CASE("allocations of device memory fail cleanly", "[allocation]") {
  loop("ordered allocations", device, [](kept& state) {
    ocl::device_allocation<int> plain{state.context, 8};
    ocl::device_allocation<int> ordered{state.context, 8, state.stream};
    const ocl::stream second(state.context);
    const ocl::stream third(state.context);
    ordered.record_use(second);
    ordered.record_use(third);
    plain = std::move(ordered);
  });
  loop("page-locked memory", device, [](kept& state) {
    ocl::pagelocked_array<int> array{state.context, 60};
    yoke::copy(array, state.memory, state.stream);
  });
  loop("maps", device, [](kept& state) {
    {
      auto view = ocl::map(state.memory, state.stream, ocl::map_read_write);
      view[0] = 1;
    }
    const auto first = ocl::map(state.memory, state.stream, ocl::map_read);
    const auto second = ocl::map(state.memory, state.stream, ocl::map_read);
  });
}

YOKE_OPENCL_TEST_CASE("allocations of copies and transfers fail cleanly", "[allocation]") {
  loop("asynchronous copies", device, [](kept& state) {
    ocl::pagelocked_array<int> array{state.context, 60};
    auto down = yoke::copy_async(state.memory, array, state.stream);
    down.wait();
  });
  loop("detached copies", device, [](kept& state) {
    ocl::pagelocked_array<int> array{state.context, 60};
    auto down = yoke::copy_async(state.memory, array, state.stream);
    down.detach();
    state.stream.synchronize();
  });
  loop("round trips", device, [](kept& state) {
    std::vector<int> host = counting(60);
    auto up = yoke::to_device(host, state.stream);
    yoke::copy(up, host, state.stream);
    yoke::fill(up, 1, state.stream);
  });
}

YOKE_OPENCL_TEST_CASE("allocations of SVM fail cleanly", "[allocation]") {
  if (!device.port().svm(device.native_handle(), {}).coarse) YOKE_SKIP("this device has no coarse-grained SVM");
  loop("SVM", device, [](kept& state) {
    ocl::svm_allocation<int, ocl::svm::coarse> plain{state.context, 60};
    ocl::svm_allocation<int, ocl::svm::coarse> shared{state.context, 60, state.stream};
    const ocl::stream second(state.context);
    shared.record_use(second);
    yoke::copy(state.memory, shared, state.stream);
    {
      auto view = shared.map(state.stream, ocl::map_write);
      std::ranges::fill(view, 1);
    }
    yoke::copy_async(shared, state.memory, state.stream).wait();
    state.stream.synchronize();
  });
}

YOKE_OPENCL_TEST_CASE("copies and fills take nothing from the heap", "[allocation]") {
  rig on(device);
  auto memory = yoke::to_device(counting(60), on.stream);
  std::vector<int> host = counting(60);
  const yoke::box_layout box{.width = 3, .height = 4, .depth = 3, .row_pitch = 4, .slice_pitch = 17};
  CHECK(allocates_nothing([&] { yoke::copy(host, memory, on.stream); }));
  CHECK(allocates_nothing([&] { yoke::copy(memory, host, on.stream); }));
  CHECK(allocates_nothing([&] { yoke::copy(memory.subspan(0, 30), memory.subspan(30, 30), on.stream); }));
  CHECK(allocates_nothing([&] { yoke::copy(yoke::strided(host, box), yoke::strided(memory, box), on.stream); }));
  CHECK(allocates_nothing([&] { yoke::fill(yoke::strided(memory, box), 3, on.stream); }));
  ocl::pagelocked_array<int> locked{on.context, 60};
  CHECK(allocates_nothing([&] { yoke::copy_async(memory, locked, on.stream).wait(); }));
  CHECK_FALSE(allocates_nothing([&] { ocl::pagelocked_array<int>{on.context, 1}; }));  // the check itself works
}
