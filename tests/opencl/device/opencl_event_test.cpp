// SPDX-License-Identifier: MIT
// Events as OpenCL has them: failures, what the driver hides, the four times, wait lists as they reach the driver.
#include <support/devices/background.hpp>
#include <support/devices/devices.hpp>

using namespace yoke_test;
namespace ocl = yoke::opencl;
using yoke::event_status;

YOKE_OPENCL_TEST_CASE("waiting for a command that failed throws a runtime error", "[execution]") {
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

YOKE_OPENCL_TEST_CASE("times are nanoseconds, as the driver tells them", "[execution]") {
  opencl_interposer driver(raw_opencl());
  const ocl::context context{through(driver, device)};
  const ocl::stream stream{context, {.timing = true}};
  const ocl::timed_event start = stream.record_timed();
  const ocl::timed_event stop = stream.record_timed();
  driver.replace<&abi::functions::get_event_profiling_info>(
      [&](abi::event event, abi::uint what, std::size_t, void* out, std::size_t*) {
        // CL_PROFILING_COMMAND_QUEUED is 0x1280; submit, start and end follow.
        const abi::ulong begin = event == start.native_handle() ? 5'000'000'000 : 5'001'500'000;
        *static_cast<abi::ulong*>(out) = begin + (what - 0x1280) * 10;
        return abi::status{0};
      });
  CHECK(stop.time_since(start) == std::chrono::microseconds(1500));
  CHECK(start.time_since(stop) == -std::chrono::microseconds(1500));
  const auto told = start.times();
  CHECK(told.queued == std::chrono::seconds(5));
  CHECK(told.submitted == std::chrono::nanoseconds(5'000'000'010));
  CHECK(told.started == std::chrono::nanoseconds(5'000'000'020));
  CHECK(told.ended == std::chrono::nanoseconds(5'000'000'030));
}

YOKE_OPENCL_TEST_CASE("a driver that hides a failed command is asked for its status", "[execution]") {
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

YOKE_OPENCL_TEST_CASE("the four times of a command follow each other", "[execution]") {
  CHECK_THROWS_WITH(ocl::timed_event{}.times(), ContainsSubstring("this timed event is empty"));
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

YOKE_OPENCL_TEST_CASE("timing on a stream without it is refused before the driver", "[execution]") {
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

YOKE_OPENCL_TEST_CASE("wait lists of any length reach the driver whole", "[execution]") {
  opencl_interposer driver(raw_opencl());
  const ocl::context context{through(driver, device)};
  const ocl::stream source{context}, stream{context};
  std::vector<abi::event> seen;
  abi::uint seen_count = 0;
  driver.replace<&abi::functions::enqueue_marker>(
      [&](abi::queue queue, abi::uint count, const abi::event* events, abi::event* out) {
        seen.assign(events, events + count);
        seen_count = count;
        if (count == 0) CHECK(events == nullptr);
        return driver.real().enqueue_marker(queue, count, events, out);
      });
  for (const std::size_t length : {0u, 1u, 2u, 5u, 6u, 7u, 8u, 9u, 33u}) {
    INFO(length << " events");
    std::vector<ocl::event> events;
    std::vector<abi::event> natives;
    for (std::size_t i = 0; i < length; ++i) natives.push_back(events.emplace_back(source.record()).native_handle());
    const ocl::event behind = stream.record(events);
    CHECK(seen_count == length);
    CHECK(seen == natives);
    behind.wait();
    stream.wait(std::span<const ocl::event>{events});
    stream.synchronize();
  }
}

YOKE_OPENCL_TEST_CASE("a stream's own event that failed is refused before it is enqueued", "[execution]") {
  opencl_interposer driver(raw_opencl());
  const ocl::context context{through(driver, device)};
  const ocl::stream stream{context};
  yoke::opencl::detail::notes_of_new_tables.user_events_take_part.store(false);  // as long as there is none
  ocl::user_event gate{context};
  const ocl::event point = stream.record({gate.as_event()});
  gate.fail(-7);
  CHECK_THROWS_AS(point.wait(), yoke::runtime_error);
  const std::size_t mark = driver.mark();
  if (point.status() != yoke::event_status::failed) {  // Intel's CPU runtime calls a marker complete although it failed
    stream.wait(point);
    stream.synchronize();
    CHECK(driver.count("enqueue_barrier", mark) == 1);
    return;
  }
  CHECK_THROWS_WITH(stream.wait(point), ContainsSubstring("belongs to a command that failed"));
  CHECK(driver.count("enqueue_barrier", mark) == 0);
}

YOKE_OPENCL_TEST_CASE("an event that failed already is refused before it is enqueued", "[execution]") {
  // PoCL 3.1 never ends a command that is given one.
  opencl_interposer driver(raw_opencl());
  const ocl::context context{through(driver, device)};
  const ocl::stream stream{context};
  ocl::user_event failed{context};
  failed.fail(-7);
  const ocl::event fine = stream.record();
  const std::size_t mark = driver.mark();
  const auto refused = [&](auto action) {
    try {
      action();
      FAIL_CHECK("an event that had failed was enqueued");
    } catch (const yoke::runtime_error& e) {
      CHECK(e.code().value() == -7);
      CHECK_THAT(e.what(), ContainsSubstring("belongs to a command that failed"));
    }
  };
  refused([&] { stream.wait(failed.as_event()); });
  refused([&] { (void)stream.record({fine, failed.as_event()}); });
  CHECK(driver.count("enqueue_marker", mark) == 0);
  CHECK(driver.count("enqueue_barrier", mark) == 0);
  stream.synchronize();
}
