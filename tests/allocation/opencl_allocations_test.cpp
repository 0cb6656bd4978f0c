// SPDX-License-Identifier: MIT
// Every allocation of what only OpenCL has made to fail in turn: maps, SVM, user events, parts, streams of no order.
#include <opencl/memory/svm_fixture.hpp>
#include <support/devices/background.hpp>
#include <support/devices/parts.hpp>
#include <support/faults/allocation_scenarios.hpp>

using namespace yoke_test;

namespace {

/// What is kept from before.
struct kept {
  explicit kept(const ocl::device& on) : context(on), stream(context), memory(yoke::to_device(counting(60), stream)) {}
  ocl::context context;
  ocl::stream stream;
  ocl::device_allocation<int> memory;
};

template <class Act>
void loop(const std::string& name, const ocl::device& device, Act act) {
  run_allocation_scenario(
      name, device, [](const ocl::device& on) { return kept(on); }, act,
      [](kept& state) { CHECK(download(state.memory, state.stream).size() == 60); });
}

}  // namespace

YOKE_OPENCL_TEST_CASE("allocations of maps and user events fail cleanly", "[allocation]") {
  // Its own allocations fail with ours, which its clEnqueueUnmapMemObject then tells.
  if (is_intel_cpu(device)) YOKE_SKIP("the driver takes its memory from the program's operator new");
  loop("maps", device, [](kept& state) {
    {
      auto view = ocl::map(state.memory, state.stream, ocl::map_read_write);
      view[0] = 1;
    }
    const auto first = ocl::map(state.memory, state.stream, ocl::map_read);
    const auto second = ocl::map(state.memory, state.stream, ocl::map_read);
    const auto part = ocl::map(state.memory.subspan(1, 2), state.stream, ocl::map_read);
    const ocl::device_span<int> bare(state.context.native_handle(), state.memory.native_handle(), 0, 4);
    const auto uncounted = ocl::map(bare, state.stream, ocl::map_read);
  });
  loop("callbacks of user events", device, [](kept& state) {
    ocl::user_event gate(state.context);
    gate.as_event().on_complete([data = std::vector<int>(100)](yoke::event_status) {});
    state.stream.wait(gate.as_event());
    gate.complete();
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

YOKE_OPENCL_TEST_CASE("allocations of SVM behind events fail cleanly", "[allocation]") {
  if (!device.port().svm(device.native_handle(), {}).coarse) YOKE_SKIP("this device has no coarse-grained SVM");
  loop("SVM behind events", device, [](kept& state) { use_svm_behind_events(state); });
  loop("SVM of a pool", device, [](kept& state) { use_pooled_svm(state); });
}

YOKE_OPENCL_TEST_CASE("allocations of what only OpenCL has of buffers fail cleanly", "[allocation]") {
  loop("flags, host memory and migration", device, [](kept& state) {
    auto over = ocl::buffer_over(state.context, counting(60), {.host = ocl::host_access::read_only});
    ocl::at_end(over, [] {});
    const auto copied = ocl::make_buffer(state.context, counting(60));
    (void)ocl::description_of(copied);
    ocl::migrate({copied, over}, state.stream, {.to_host = true}).wait();
  });
  loop("maps behind events", device, [](kept& state) {
    const ocl::event before = state.stream.record();
    auto view = ocl::map_async(state.memory, state.stream, ocl::map_read_write, {.after = before}).get();
    view.unmap({.after = before}).wait();
  });
}

YOKE_OPENCL_TEST_CASE("allocations of sub-buffers fail cleanly", "[allocation]") {
  loop("sub-buffers", device, [](kept& state) {
    ocl::sub_buffer<int> part{state.memory, 0, 10};
    yoke::fill(part, 1, state.stream);
    const auto view = ocl::map(part, state.stream, ocl::map_read);
  });
}

YOKE_OPENCL_TEST_CASE("allocations of sub-devices fail cleanly", "[allocation]") {
  if (two_parts(device).empty()) YOKE_SKIP("the device cannot be divided");
  run_allocation_scenario("equal sub-devices", device, [](const ocl::device& whole) {
    const auto parts = ocl::partition_equally(whole, 1);
    const ocl::context context{parts};  // no commands: PoCL 3.1 touches sub-devices too late
    const ocl::stream stream{context, parts.front()};
  });
  run_allocation_scenario("counted sub-devices", device, [](const ocl::device& whole) {
    const unsigned halves[] = {1, 1};
    const auto parts = ocl::partition_by_counts(whole, halves);
    const std::string name = parts.back().name();
  });
  run_allocation_scenario("refused sub-devices", device, [](const ocl::device& whole) {
    try {
      const unsigned much[] = {1u << 30};
      (void)ocl::partition_by_counts(whole, much);
    } catch (const yoke::unsupported_error&) {  // as it should; `bad_alloc` goes on
    }
  });
}

YOKE_OPENCL_TEST_CASE("allocations of out-of-order streams fail cleanly", "[allocation]") {
  if ((ocl::get(device, ocl::info::queue_on_host_properties) & abi::queue_out_of_order) == 0) {
    YOKE_SKIP("the device has no out-of-order streams");
  }
  loop("out-of-order streams", device, [](kept& state) {
    const ocl::out_of_order_stream stream{state.context, {.timing = true}};
    std::vector<ocl::event> events;
    for (int i = 0; i < 8; ++i) events.push_back(stream.record());
    const ocl::event wall = stream.barrier(events);
    stream.wait(wall);
    const ocl::timed_event last = stream.record_timed();
    last.wait();
    const auto same = ocl::out_of_order_stream::borrow(state.context, stream.native_handle());
    same.synchronize();
  });
}
