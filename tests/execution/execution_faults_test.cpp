// SPDX-License-Identifier: MIT
// Every driver call of contexts, streams, events and callbacks made to fail in turn.
#include <support/background.hpp>
#include <support/devices.hpp>
#include <support/fault_loop.hpp>
#include <support/raw_opencl.hpp>
#include <support/spared_contexts.hpp>

#include <yoke/opencl/opencl.hpp>

#include <atomic>

using namespace yoke_test;
namespace ocl = yoke::opencl;

namespace {

/// A context and a stream from before the fault.
struct kept {
  ocl::context context;
  ocl::stream stream;
  kept(opencl_interposer& driver, const opencl_device& device)
      : context(through(driver, device)), stream(context, {.timing = true}) {}
};

void still_works(kept& state) {
  state.stream.record().wait();
  CHECK(state.stream.record_timed().times().ended.count() > 0);
}

template <class Act>
void loop(const char* name, const opencl_device& device, Act act, const fault_loop_options& options = {}) {
  run_fault_loop(
      name, thrifty_opencl(),
      [&](opencl_interposer& driver) {
        return kept{driver, device};
      },
      [&](opencl_interposer&, kept& state) { act(state); }, [](opencl_interposer&, kept& state) { still_works(state); },
      options);
}

}  // namespace

YOKE_DEVICE_TEST_CASE("faults while selecting and describing devices", "[execution][fault]") {
  run_fault_loop("devices", thrifty_opencl(), [&](opencl_interposer& driver) {
    const ocl::port with{driver.table()};
    const auto all = ocl::devices(with);
    (void)yoke::detail::select_from(with, "0", {});
    (void)all.front().limits();
  });
  CHECK(device.backend_name() == std::string("opencl"));
}

YOKE_DEVICE_TEST_CASE("faults while making contexts and streams", "[execution][fault]") {
  run_fault_loop("context and streams", thrifty_opencl(), [&](opencl_interposer& driver) {
    const ocl::context context{through(driver, device)};
    const ocl::stream first{context, {.timing = true}}, second{context};
    first.flush();
    second.synchronize();
    const ocl::stream borrowed = ocl::stream::borrow(context, first.native_handle());
    CHECK(borrowed.has_timing());
    const ocl::context again = ocl::context::borrow(context.port(), context.native_handle());
    CHECK(again == context);
  });
}

YOKE_DEVICE_TEST_CASE("faults with events, waits and times", "[execution][fault]") {
  loop("events", device, [](kept& state) {
    const ocl::stream other{state.context};
    const ocl::event first = state.stream.record();
    const ocl::timed_event second = state.stream.record_timed();
    other.wait({first, second});
    const ocl::event third = other.record({first, second});
    third.wait();
    (void)third.status();
    (void)state.stream.record_timed().time_since(second);
    (void)other.is_done();
  });
}

YOKE_DEVICE_TEST_CASE("faults with waits for commands that are not done", "[execution][fault]") {
  YOKE_TEST_NEEDS_BACKGROUND();
  // The gate is set by the raw driver, so that a fault cannot leave commands waiting for ever.
  loop("unfinished waits", device, [](kept& state) {
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

YOKE_DEVICE_TEST_CASE("faults while registering callbacks", "[execution][fault]") {
  run_fault_loop("callbacks", thrifty_opencl(), [&](opencl_interposer& driver) {
    std::atomic<int> ran{0};  // outlives the context, which waits for its callbacks
    int registered = 0;
    {
      const ocl::context context{through(driver, device)};
      const ocl::stream stream{context};
      const ocl::event point = stream.record();
      for (int i = 0; i < 2; ++i) {
        point.on_complete([&](yoke::event_status) { ++ran; });
        ++registered;
      }
    }
    if (ran != registered) throw std::logic_error("a callback was lost");
  });
}

YOKE_DEVICE_TEST_CASE("faults with user events", "[execution][fault]") {
  const absorbed_fault in_destructor{"set_user_event_status", "a destructor that sets it reports to the handler"};
  loop("user events", device,
       [](kept& state) {
         ocl::user_event first{state.context};
         first.complete();
         const ocl::user_event destroyed_unset{state.context};
         (void)first.as_event().status();
       },
       {.absorbed = {in_destructor}, .excluded = {}});
  // With commands that wait; set unharmed, or they would wait for ever.
  loop("user events with waiters", device,
       [](kept& state) {
         const ocl::stream other{state.context};
         ocl::user_event gate{state.context};
         const ocl::event behind = other.record(gate.as_event());
         gate.complete();
         behind.wait();
       },
       {.absorbed = {}, .excluded = {"set_user_event_status"}});
}

YOKE_DEVICE_TEST_CASE("faults with out-of-order streams", "[execution][fault]") {
  if ((ocl::get(device, ocl::info::queue_on_host_properties) & abi::queue_out_of_order) == 0) {
    YOKE_SKIP("the device has no out-of-order streams");
  }
  loop("out of order", device, [](kept& state) {
    const ocl::out_of_order_stream stream{state.context};
    const ocl::event first = stream.record();
    const ocl::event wall = stream.barrier({first});
    wall.wait();
    const auto borrowed = ocl::out_of_order_stream::borrow(state.context, stream.native_handle());
    borrowed.synchronize();
  });
}

YOKE_DEVICE_TEST_CASE("a sticky failure is a lost context in name and class", "[execution][fault]") {
  opencl_interposer driver(thrifty_opencl());
  const ocl::context context{through(driver, device)};
  const ocl::stream stream{context};
  driver.fail_function("enqueue_marker", 1, fault_mode::once, -9999);
  try {
    (void)stream.record();
    FAIL("a lost context went unnoticed");
  } catch (const yoke::context_lost_error& e) {
    CHECK(e.code() == yoke::errc::context_lost);
    CHECK_THAT(e.what(), ContainsSubstring("CL_NVIDIA_ILLEGAL_BUFFER_ACCESS"));
  }
}
