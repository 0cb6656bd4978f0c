// SPDX-License-Identifier: MIT
// Every allocation of what only OpenCL has made to fail in turn: maps, SVM, user events.
#include <support/allocation_scenarios.hpp>

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
