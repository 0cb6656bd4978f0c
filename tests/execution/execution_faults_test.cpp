// SPDX-License-Identifier: MIT
// Every driver call of contexts, streams, events and callbacks made to fail in turn.
#include <execution/execution_faults.hpp>
#include <support/drivers/default_driver.hpp>

#include <atomic>

using namespace yoke_test;
using namespace yoke_test::execution_faults;

YOKE_DEVICE_TEST_CASE("faults while selecting and describing devices", "[execution][faults]") {
  run_fault_scenario("devices", device, [](const auto& on) {
    const auto all = yoke::detail::select_from(on.port(), "0", {});
    (void)all.front().limits();
  });
}

YOKE_DEVICE_TEST_CASE("faults while choosing among the devices of all backends", "[execution][faults]") {
  using stand_in = default_driver<port>;
  const char* const why = "a driver that lists nothing is one that is not there, and the others are asked";
  fault_loop_options options =
      absorbing({{"get_platform_ids", why}, {"get_device_ids", why}, {"device_get_count", why}});
  for (const char* each : Backend::unexplored) options.excluded.emplace_back(each);
  const auto loop_over = [&](const char* name, auto act) {
    run_fault_loop<interposer>(
        name, stand_in::real(), [](interposer& driver) { return stand_in(driver.table()); },
        [&](interposer&, stand_in&) { act(); },
        [](interposer&, stand_in&) { CHECK(yoke::select_devices(Backend::name).size() >= 1); }, options);
  };
  loop_over("select_devices", [] {
    const auto all = yoke::select_devices(Backend::name);
    if (all.empty() || all.front().backend_name() != std::string_view(Backend::name))
      throw std::logic_error("another's");
  });
  loop_over("choose_device", [] {
    const auto choice = yoke::choose_device(Backend::name);
    (void)choice.chosen.name();
  });
}

YOKE_DEVICE_TEST_CASE("faults while making contexts and streams", "[execution][faults]") {
  run_fault_scenario("context and streams", device, [](const auto& on) {
    const backend::context context{on};
    const backend::stream first{context, {.timing = true}}, second{context};
    first.flush();
    second.synchronize();
    const backend::stream borrowed = backend::stream::borrow(context, first.native_handle());
    CHECK(borrowed.has_timing());
    const backend::context again = backend::context::borrow(context.port(), context.native_handle());
    CHECK(again == context);
  });
}

YOKE_DEVICE_TEST_CASE("faults with events, waits and times", "[execution][faults]") {
  loop(
      "events", device,
      [](auto& state) {
        const backend::stream other{state.context};
        const backend::event first = state.stream.record();
        const backend::timed_event second = state.stream.record_timed();
        other.wait({first, second});
        const backend::event third = other.record({first, second});
        third.wait();
        backend::event again = other.record();
        other.record_into(again);
        state.stream.wait(again);
        backend::timed_event timed;
        state.stream.record_into(timed);
        state.stream.record_into(timed);
        timed.wait();
        (void)third.status();
        (void)state.stream.record_timed().time_since(second);
        (void)other.is_done();
      },
      absorbing({{"flush", "a wait whose flush fails is done again the general way, which flushes too"}}));
}

YOKE_DEVICE_TEST_CASE("faults while registering callbacks", "[execution][faults]") {
  run_fault_scenario("callbacks", device, [](const auto& on) {
    std::atomic<int> ran{0};  // outlives the context, which waits for its callbacks
    int registered = 0;
    {
      const backend::context context{on};
      const backend::stream stream{context};
      const backend::event point = stream.record();
      for (int i = 0; i < 2; ++i) {
        point.on_complete([&](yoke::event_status) { ++ran; });
        ++registered;
      }
    }
    if (ran != registered) throw std::logic_error("a callback was lost");
  });
}

YOKE_DEVICE_TEST_CASE("a sticky failure is a lost context in name and class", "[execution][faults]") {
  interposer driver(Backend::driver());
  const backend::context context{through(driver, device)};
  const backend::stream stream{context};
  driver.fail_function(calls::record, 1, fault_mode::once, codes::context_lost);
  try {
    (void)stream.record();
    FAIL("a lost context went unnoticed");
  } catch (const yoke::context_lost_error& e) {
    CHECK(e.code() == yoke::errc::context_lost);
    CHECK_THAT(e.what(), ContainsSubstring(codes::context_lost_name));
  }
}
