// SPDX-License-Identifier: MIT
// Every driver call of allocations, copies and fills made to fail in turn.
#include <memory/rig.hpp>
#include <support/fault_loop.hpp>
#include <support/spared_contexts.hpp>

using namespace yoke_test;

namespace {

/// What is kept from before a fault.
struct kept {
  explicit kept(opencl_interposer& driver, const opencl_device& on)
      : context(through(driver, on)), stream(context), memory(yoke::to_device(counting(60), stream)) {}
  ocl::context context;
  ocl::stream stream;
  ocl::device_allocation<int> memory;
};

/// Effects: runs the loop over `act(kept)`; afterwards new work on the kept stream gives right results.
template <class Act>
void loop(const std::string& name, const opencl_device& device, Act act, fault_loop_options options = {}) {
  run_fault_loop(
      name, thrifty_opencl(), [&](opencl_interposer& driver) { return kept(driver, device); },
      [&](opencl_interposer&, kept& state) { act(state); },
      [](opencl_interposer&, kept& state) {
        const std::vector<int> fresh = counting(60);
        yoke::copy(fresh, state.memory, state.stream);
        const auto now = yoke::to_device(counting(7), state.stream);
        CHECK(download(state.memory, state.stream) == fresh);
        CHECK(download(now, state.stream) == counting(7));
      },
      options);
}

const yoke::box_layout whole_rows{.width = 3, .height = 2, .depth = 2, .row_pitch = 4, .slice_pitch = 12};
const yoke::box_layout odd{.width = 3, .height = 2, .depth = 3, .row_pitch = 4, .slice_pitch = 13};

/// What a destructor waits for is reported by its release or transfer, not thrown.
fault_loop_options absorbing(std::vector<absorbed_fault> absorbed) {
  fault_loop_options options;
  options.absorbed = std::move(absorbed);
  return options;
}
const fault_loop_options waits_in_cleanup = absorbing({{"finish", "page-locked memory waits for its unmapping"}});
const fault_loop_options svm_in_cleanup =
    absorbing({{"finish", "an SVM block that cannot be freed in order is freed behind a wait"},
               {"enqueue_marker", "part of freeing an SVM block in order"},
               {"enqueue_barrier", "part of freeing an SVM block in order"},
               {"flush", "part of freeing an SVM block in order"},
               {"get_device_info", "a device older than OpenCL 2.0 does not know the question for SVM: it has none"}});

template <class Grain>
bool has_svm(const opencl_device& device) {
  const auto support = device.port().svm(device.native_handle(), {});
  return std::same_as<Grain, ocl::svm::coarse> ? support.coarse : support.fine;
}

}  // namespace

YOKE_DEVICE_TEST_CASE("faults in allocations", "[memory][faults]") {
  loop("plain and ordered allocations", device, [](kept& state) {
    ocl::device_allocation<int> plain{state.context, 8};
    ocl::device_allocation<int> ordered{state.context, 8, state.stream};
    const ocl::stream second(state.context);
    ordered.record_use(second);
    plain = std::move(ordered);
  });
  loop("adopted memory", device, [](kept& state) {
    const auto borrowed = ocl::device_allocation<int>::borrow(state.context, state.memory.native_handle(), 60);
    CHECK(borrowed.size() == 60);
  });
  loop(
      "page-locked memory", device,
      [](kept& state) {
        ocl::pagelocked_array<int> array{state.context, 60};
        std::ranges::fill(array, 3);
        yoke::copy(array, state.memory, state.stream);
      },
      waits_in_cleanup);
  loop("sub-buffers and maps", device, [](kept& state) {
    ocl::sub_buffer<int> part(state.memory, 0, 10);
    yoke::fill(part, 4, state.stream);
    auto view = ocl::map(state.memory, state.stream, ocl::map_read_write);
    view[3] = 5;
  });
}

YOKE_DEVICE_TEST_CASE("faults in copies of ranges", "[memory][faults]") {
  loop("host and allocation", device, [](kept& state) {
    std::vector<int> host = counting(60);
    yoke::copy(host, state.memory, state.stream);
    yoke::copy(state.memory, host, state.stream);
    yoke::copy(state.memory.subspan(0, 30), state.memory.subspan(30, 30), state.stream);
    const auto up = yoke::to_device(host, state.stream);
    CHECK(up.size() == 60);
  });
  loop(
      "asynchronous", device,
      [](kept& state) {
        ocl::pagelocked_array<int> array{state.context, 60};
        auto down = yoke::copy_async(state.memory, array, state.stream);
        auto within = yoke::copy_async(state.memory.subspan(0, 30), state.memory.subspan(30, 30), state.stream);
        down.wait();
        within.wait();
      },
      waits_in_cleanup);
  loop(
      "waited for by the destructor", device,
      [](kept& state) {
        ocl::pagelocked_array<int> array{state.context, 60};
        const auto down = yoke::copy_async(state.memory, array, state.stream);
      },
      absorbing({{"finish", "page-locked memory waits for its unmapping"},
                 {"wait_for_events", "the transfer's destructor waits"},
                 {"get_event_info", "the transfer's destructor asks how the copy ended"}}));
  loop(
      "detached", device,
      [](kept& state) {
        ocl::pagelocked_array<int> array{state.context, 60};
        auto down = yoke::copy_async(state.memory, array, state.stream);
        down.detach();
        // What is kept ends on the callback thread, unless the fault left it here.
      },
      absorbing({{"finish", "page-locked memory waits for its unmapping"},
                 {"wait_for_events", "the transfer's destructor waits when detaching failed"}}));
}

YOKE_DEVICE_TEST_CASE("faults in copies of boxes", "[memory][faults]") {
  const auto boxes = [&](const char* name, yoke::box_layout box) {
    loop(
        name, device,
        [box](kept& state) {
          std::vector<int> host = counting(60);
          ocl::device_allocation<int> other{state.context, 60};
          yoke::copy(yoke::strided(host, box), yoke::strided(state.memory, box), state.stream);
          yoke::copy(yoke::strided(state.memory, box), yoke::strided(host, box), state.stream);
          yoke::copy(yoke::strided(state.memory, box), yoke::strided(other, box), state.stream);
          ocl::pagelocked_array<int> array{state.context, 60};
          yoke::copy_async(yoke::strided(state.memory, box), yoke::strided(array, box), state.stream).wait();
        },
        waits_in_cleanup);
  };
  boxes("slices of whole rows", whole_rows);
  boxes("odd slice pitches", odd);
}

YOKE_DEVICE_TEST_CASE("faults in fills", "[memory][faults]") {
  loop("buffers", device, [](kept& state) {
    ocl::device_allocation<std::array<int, 3>> triples{state.context, 8};
    yoke::fill(state.memory, 1, state.stream);
    yoke::fill(yoke::strided(state.memory, odd), 2, state.stream);
    yoke::fill(triples, {1, 2, 3}, state.stream);
    const auto now = download(triples, state.stream);  // outside of an assertion, which would catch
    CHECK(now[7] == std::array{1, 2, 3});
  });
}

YOKE_DEVICE_TEST_CASE("faults with coarse SVM", "[memory][faults]") {
  if (!has_svm<ocl::svm::coarse>(device)) YOKE_SKIP("this device has no coarse-grained SVM");
  using coarse = ocl::svm_allocation<int, ocl::svm::coarse>;
  loop(
      "SVM allocations and maps", device,
      [](kept& state) {
        coarse plain{state.context, 60};
        coarse ordered{state.context, 60, state.stream};
        const ocl::stream second(state.context);
        ordered.record_use(second);
        auto view = ordered.map(state.stream, ocl::map_write);
        std::ranges::fill(view, 1);
      },
      svm_in_cleanup);
  loop(
      "SVM and host", device,
      [](kept& state) {
        std::vector<int> host = counting(60);
        coarse shared{state.context, 60, state.stream};
        yoke::copy(host, shared, state.stream);
        yoke::copy(yoke::strided(shared, odd), yoke::strided(host, odd), state.stream);
        ocl::pagelocked_array<int> array{state.context, 60};
        yoke::copy_async(shared, array, state.stream).wait();
      },
      svm_in_cleanup);
  loop(
      "SVM and buffers", device,
      [](kept& state) {
        coarse shared{state.context, 60, state.stream};
        yoke::copy(state.memory, shared, state.stream);
        yoke::copy(yoke::strided(shared, odd), yoke::strided(state.memory, odd), state.stream);
        yoke::copy_async(shared, state.memory, state.stream).wait();
      },
      svm_in_cleanup);
  loop(
      "SVM fills", device,
      [](kept& state) {
        coarse shared{state.context, 60, state.stream};
        yoke::fill(shared, 1, state.stream);
        yoke::fill(yoke::strided(shared, whole_rows), 2, state.stream);
        ocl::svm_allocation<std::array<int, 3>, ocl::svm::coarse> triples{state.context, 8, state.stream};
        yoke::fill(triples, {1, 2, 3}, state.stream);
      },
      svm_in_cleanup);
}
