// SPDX-License-Identifier: MIT
// Every driver call of what only OpenCL has made to fail in turn: user events, waits on them, out-of-order streams.
#include <execution/execution_faults.hpp>
#include <support/devices/background.hpp>

using namespace yoke_test;
using namespace yoke_test::execution_faults;

namespace {
using opencl_kept = kept<ocl::port>;
}  // namespace

YOKE_OPENCL_TEST_CASE("faults with waits for commands that are not done", "[execution][faults]") {
  YOKE_TEST_NEEDS_BACKGROUND();
  // The gate is set by the raw driver, so that a fault cannot leave commands waiting for ever.
  loop("unfinished waits", device, [](opencl_kept& state) {
    const ocl::stream other{state.context};
    abi::status status = 0;
    const auto& real = raw_opencl();
    const abi::event gate = real.create_user_event(state.context.native_handle(), &status);
    REQUIRE(status == 0);
    struct opener {
      const abi::functions& cl;
      abi::event event;
      ~opener() {
        cl.set_user_event_status(event, 0);
        cl.release_event(event);
      }
    } open{real, gate};
    const ocl::event waiting = ocl::event::borrow(state.context, gate);
    const ocl::event blocked = state.stream.record(waiting);
    other.wait(blocked);
    const ocl::event behind = other.record(blocked);
    (void)behind.is_done();
  });
}

YOKE_OPENCL_TEST_CASE("faults with user events", "[execution][faults]") {
  const absorbed_fault in_destructor{"set_user_event_status", "a destructor that sets it reports to the handler"};
  loop("user events", device,
       [](opencl_kept& state) {
         ocl::user_event first{state.context};
         first.complete();
         const ocl::user_event destroyed_unset{state.context};
         (void)first.as_event().status();
       },
       {.absorbed = {in_destructor}, .excluded = {}});
  // With commands that wait; set unharmed, or they would wait for ever.
  loop("user events with waiters", device,
       [](opencl_kept& state) {
         const ocl::stream other{state.context};
         ocl::user_event gate{state.context};
         const ocl::event behind = other.record(gate.as_event());
         gate.complete();
         behind.wait();
       },
       {.absorbed = {}, .excluded = {"set_user_event_status"}});
}

YOKE_OPENCL_TEST_CASE("faults with out-of-order streams", "[execution][faults]") {
  if ((ocl::get(device, ocl::info::queue_on_host_properties) & abi::queue_out_of_order) == 0) {
    YOKE_SKIP("the device has no out-of-order streams");
  }
  loop("out of order", device, [](opencl_kept& state) {
    const ocl::out_of_order_stream stream{state.context};
    const ocl::event first = stream.record();
    const ocl::event wall = stream.barrier({first});
    wall.wait();
    const auto borrowed = ocl::out_of_order_stream::borrow(state.context, stream.native_handle());
    borrowed.synchronize();
  });
}
