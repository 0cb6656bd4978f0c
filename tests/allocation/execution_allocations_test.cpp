// SPDX-License-Identifier: MIT
// Every allocation of contexts, streams, events and callbacks made to fail in turn.
#include <support/allocation_faults.hpp>
#include <support/rig.hpp>
#include <support/spared_contexts.hpp>

using namespace yoke_test;

namespace {

/// A context and a stream that are kept from before.
struct kept {
  kept(opencl_interposer& driver, const opencl_device& on) : context(through(driver, on)), stream(context) {}
  ocl::context context;
  ocl::stream stream;
};

template <class Act>
void loop(const std::string& name, const opencl_device& device, Act act) {
  run_allocation_loop(
      name, thrifty_opencl(), [&](opencl_interposer& driver) { return kept(driver, device); },
      [&](opencl_interposer&, kept& state) { act(state); },
      [](opencl_interposer&, kept& state) { state.stream.record().wait(); });
}

}  // namespace

YOKE_OPENCL_TEST_CASE("allocations of contexts and streams fail cleanly", "[allocation]") {
  run_allocation_loop("context and stream", thrifty_opencl(), [&](opencl_interposer& driver) {
    const ocl::context context(through(driver, device));
    const ocl::stream stream(context);
    const ocl::stream timed(context, {.timing = true});
    const auto event = stream.record();
    stream.wait(event);
    event.wait();
  });
  run_allocation_loop("devices", thrifty_opencl(), [&](opencl_interposer& driver) {
    const auto all = ocl::devices(yoke::opencl::port{driver.table()});
    const auto summary = all.front().summary();
    const ocl::context adopted = ocl::context::borrow(all.front().port(), ocl::context(all.front()).native_handle());
  });
}

YOKE_OPENCL_TEST_CASE("allocations of events and callbacks fail cleanly", "[allocation]") {
  loop("wait lists", device, [](kept& state) {
    std::vector<ocl::event> events;
    for (int i = 0; i < 8; ++i) events.push_back(state.stream.record());
    state.stream.wait(events);
  });
  loop("callbacks", device, [](kept& state) {
    const auto event = state.stream.record();
    event.on_complete([data = std::vector<int>(100)](yoke::event_status) {});
    event.wait();
  });
  loop("callbacks of user events", device, [](kept& state) {
    ocl::user_event gate(state.context);
    gate.as_event().on_complete([data = std::vector<int>(100)](yoke::event_status) {});
    state.stream.wait(gate.as_event());
    gate.complete();
  });
}
