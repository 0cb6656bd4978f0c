// SPDX-License-Identifier: MIT
// Wait lists: none, one, many events, mixed kinds, mixed contexts, events that failed already.
#include <support/background.hpp>
#include <support/devices.hpp>
#include <support/raw_opencl.hpp>

#include <yoke/opencl/user_event.hpp>

using namespace yoke_test;
namespace ocl = yoke::opencl;

static_assert(std::is_convertible_v<const ocl::event&, ocl::wait_list>);
static_assert(std::is_convertible_v<const ocl::timed_event&, ocl::wait_list>);
static_assert(std::is_convertible_v<const std::vector<ocl::event>&, ocl::wait_list>);
static_assert(!std::is_convertible_v<const yoke::event<>&, ocl::wait_list>);  // another backend's
static_assert(!std::is_convertible_v<abi::event, ocl::wait_list>);

YOKE_DEVICE_TEST_CASE("wait lists of any length reach the driver whole", "[execution]") {
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

YOKE_DEVICE_TEST_CASE("every event of a long list is waited for", "[execution]") {
  YOKE_TEST_NEEDS_BACKGROUND();
  const ocl::context context{device};
  const ocl::stream stream{context}, source{context};
  std::vector<ocl::event> events;
  for (int i = 0; i < 11; ++i) events.push_back(source.record());
  ocl::user_event gate{context};
  source.wait(gate.as_event());
  events.push_back(source.record());  // the last one only is not done
  stream.wait(events);
  const ocl::event behind = stream.record();
  stream.flush();
  for (std::size_t i = 0; i < 11; ++i) events[i].wait();
  CHECK_FALSE(behind.is_done());
  gate.complete();
  behind.wait();
}

YOKE_DEVICE_TEST_CASE("events of both kinds stand in one list, empty ones are refused", "[execution]") {
  const ocl::context context{device};
  const ocl::stream stream{context, {.timing = true}};
  const ocl::event plain = stream.record();
  const ocl::timed_event timed = stream.record_timed();
  const ocl::event empty;
  stream.record({plain, timed}).wait();
  CHECK_THROWS_WITH(stream.record({plain, empty}), ContainsSubstring("an event to wait for is empty"));
  CHECK(ocl::wait_list{}.empty());
  CHECK_FALSE(ocl::wait_list{plain, timed}.empty());
  try {
    stream.wait(empty);
    FAIL_CHECK("an empty event was waited for");
  } catch (const yoke::logic_error& e) {
    CHECK(e.code() == yoke::errc::empty_handle);
    CHECK_THAT(e.what(), ContainsSubstring("wait_list_test.cpp:"));  // the caller's place
  }
  CHECK_FALSE(ocl::wait_list{empty}.empty());
  stream.synchronize();
}

YOKE_DEVICE_TEST_CASE("events of other contexts are refused before the driver", "[execution]") {
  opencl_interposer driver(raw_opencl());
  const ocl::context context{through(driver, device)}, other{through(driver, device)};
  const ocl::stream stream{context}, foreign{other};
  const ocl::event own = stream.record(), theirs = foreign.record();
  const std::size_t mark = driver.mark();
  const auto refused = [&](auto action) {
    try {
      action();
      FAIL_CHECK("an event of another context was accepted");
    } catch (const yoke::logic_error& e) {
      CHECK(e.code() == yoke::errc::wrong_context);
      CHECK_THAT(e.what(), ContainsSubstring("an event to wait for is of another context"));
    }
  };
  refused([&] { stream.wait(theirs); });
  refused([&] { (void)stream.record({own, theirs}); });
  refused([&] { (void)stream.record({theirs, own}); });
  CHECK(driver.count_all(mark) == 0);
}

YOKE_DEVICE_TEST_CASE("an event that failed already is refused before it is enqueued", "[execution]") {
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
