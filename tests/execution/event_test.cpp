// SPDX-License-Identifier: MIT
// Events: status, waits, failures, the four times.
#include <support/background.hpp>
#include <support/devices.hpp>
#include <support/raw_opencl.hpp>

#include <yoke/opencl/user_event.hpp>

using namespace yoke_test;
namespace ocl = yoke::opencl;
using yoke::event_status;

static_assert(!std::is_copy_constructible_v<ocl::event> && std::is_nothrow_move_constructible_v<ocl::event>);
static_assert(!std::is_copy_constructible_v<ocl::timed_event> && std::is_nothrow_move_assignable_v<ocl::timed_event>);
static_assert(!std::is_convertible_v<ocl::event, ocl::timed_event>);  // timing a plain event does not compile
template <class E>
concept has_times = requires(const E e) { e.times(); };
static_assert(has_times<ocl::timed_event> && !has_times<ocl::event>);

YOKE_DEVICE_TEST_CASE("an event goes from waiting to complete", "[execution]") {
  YOKE_TEST_NEEDS_BACKGROUND();
  const ocl::context context{device};
  const ocl::stream stream{context};
  ocl::user_event gate{context};
  const ocl::event point = stream.record(gate.as_event());
  stream.flush();
  CHECK((point.status() == event_status::queued || point.status() == event_status::submitted));
  CHECK_FALSE(point.is_done());
  gate.complete();
  point.wait();
  CHECK(point.status() == event_status::complete);
  CHECK(point.is_done());
  point.wait();  // again
}

YOKE_DEVICE_TEST_CASE("waiting for a command that failed throws a runtime error", "[execution]") {
  YOKE_TEST_NEEDS_BACKGROUND();
  const ocl::context context{device};
  const ocl::stream stream{context};
  ocl::user_event gate{context};
  const ocl::event doomed = stream.record(gate.as_event());
  stream.flush();
  gate.fail(-5);
  unsigned line = 0;
  try {
    line = yoke::source_location::current().line() + 1;
    doomed.wait();
    FAIL("a failed command was waited for in peace");
  } catch (const yoke::runtime_error& e) {
    CHECK(e.code().value() < 0);
    CHECK(e.call() == std::string("clWaitForEvents"));
    CHECK(e.where().line() == line);
    CHECK_THAT(e.what(), ContainsSubstring("a command ended with an error"));
  }
  CHECK(doomed.is_done());
  CHECK(gate.as_event().status() == event_status::failed);
}

YOKE_DEVICE_TEST_CASE("a driver that hides a failed command is asked for its status", "[execution]") {
  opencl_interposer driver(raw_opencl());
  const ocl::context context{through(driver, device)};
  const ocl::stream stream{context};
  const ocl::event point = stream.record();
  point.wait();
  abi::status told = 0, pretended = 0;
  driver.replace<&abi::functions::wait_for_events>([&](abi::uint, const abi::event*) { return told; });
  driver.replace<&abi::functions::get_event_info>(
      [&](abi::event event, abi::uint what, std::size_t bytes, void* out, std::size_t* size) {
        if (what != abi::event_execution_status) return driver.real().get_event_info(event, what, bytes, out, size);
        *static_cast<abi::status*>(out) = pretended;
        return abi::status{0};
      });
  const auto code_of_wait = [&](abi::status returned, abi::status status) {
    told = returned;
    pretended = status;
    try {
      point.wait();
    } catch (const yoke::runtime_error& e) {
      return e.code().value();
    }
    return 0;
  };
  CHECK(code_of_wait(0, 0) == 0);
  CHECK(code_of_wait(0, -9999) == -9999);  // success, but the command failed
  CHECK(code_of_wait(-14, -5) == -5);      // the command's own code
  CHECK(code_of_wait(-14, 0) == -14);      // a failure whose command shows none
  for (const auto& [raw, expected] : {std::pair{3, event_status::queued},
                                      {2, event_status::submitted},
                                      {1, event_status::running},
                                      {0, event_status::complete},
                                      {-1, event_status::failed}}) {
    pretended = raw;
    CHECK(point.status() == expected);
  }
}

YOKE_DEVICE_TEST_CASE("an empty event is named when used", "[execution]") {
  const ocl::event none;
  const ocl::timed_event untimed;
  CHECK_THROWS_WITH(none.wait(), ContainsSubstring("this event is empty"));
  CHECK_THROWS_AS(none.status(), yoke::logic_error);
  CHECK_THROWS_AS(none.is_done(), yoke::logic_error);
  CHECK_THROWS_AS(none.on_complete([](event_status) {}), yoke::logic_error);
  CHECK_THROWS_WITH(untimed.times(), ContainsSubstring("this timed event is empty"));
  const ocl::context context{device};
  const ocl::stream stream{context, {.timing = true}};
  CHECK_THROWS_AS(stream.record_timed().time_since(untimed), yoke::logic_error);
  CHECK_THROWS_AS(untimed.time_since(stream.record_timed()), yoke::logic_error);
}

YOKE_DEVICE_TEST_CASE("the four times of a command follow each other", "[execution]") {
  const ocl::context context{device};
  const ocl::stream stream{context, {.timing = true}};
  CHECK(stream.has_timing());
  const ocl::timed_event first = stream.record_timed();
  ocl::device_allocation<int> memory{context, 1 << 16};
  yoke::fill(memory, 7, stream);
  const ocl::timed_event second = stream.record_timed();
  for (const auto* each : {&first, &second}) {
    const yoke::event_times times = each->times();
    CHECK(times.queued <= times.submitted);
    CHECK(times.submitted <= times.started);
    CHECK(times.started <= times.ended);
    CHECK(times.ended.count() > 0);
  }
  CHECK(second.time_since(first).count() >= 0);
  CHECK(first.time_since(second) == -second.time_since(first));
  CHECK(first.time_since(first).count() == 0);
  CHECK(second.time_since(first) == second.times().ended - first.times().ended);
}

YOKE_DEVICE_TEST_CASE("times wait for their commands", "[execution]") {
  YOKE_TEST_NEEDS_BACKGROUND();
  const ocl::context context{device};
  const ocl::stream stream{context, {.timing = true}};
  ocl::user_event gate{context};
  stream.wait(gate.as_event());
  const ocl::timed_event start = stream.record_timed();
  const ocl::timed_event stop = stream.record_timed();
  stream.flush();
  std::thread opener([&] { gate.complete(); });
  CHECK(stop.time_since(start).count() >= 0);
  opener.join();
}

YOKE_DEVICE_TEST_CASE("timing on a stream without it is refused before the driver", "[execution]") {
  opencl_interposer driver(raw_opencl());
  const ocl::context context{through(driver, device)};
  const ocl::stream stream{context};
  CHECK_FALSE(stream.has_timing());
  const std::size_t mark = driver.mark();
  try {
    (void)stream.record_timed();
    FAIL("an untimed stream gave times");
  } catch (const yoke::logic_error& e) {
    CHECK(e.code() == yoke::errc::invalid_argument);
    CHECK_THAT(e.what(), ContainsSubstring("this stream was made without .timing"));
  }
  CHECK(driver.count_all(mark) == 0);
}

YOKE_ANY_DEVICE_TEST_CASE("events of any backend", "[execution]") {
  const yoke::context context{device};
  const yoke::stream stream{context, {.timing = true}}, other{context};
  const yoke::timed_event start = stream.record_timed();
  const yoke::event point = stream.record();
  other.wait({start, point});
  const yoke::timed_event stop = stream.record_timed();
  other.synchronize();
  CHECK(stop.time_since(start).count() >= 0);
  CHECK(point.is_done());
}
