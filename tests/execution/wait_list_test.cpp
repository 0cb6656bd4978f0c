// SPDX-License-Identifier: MIT
// Wait lists: none, one, many events, mixed kinds, mixed contexts.
#include <support/devices/background.hpp>
#include <support/devices/gate.hpp>

using namespace yoke_test;
namespace ocl = yoke::opencl;

static_assert(std::is_convertible_v<const ocl::event&, ocl::wait_list>);
static_assert(std::is_convertible_v<const ocl::timed_event&, ocl::wait_list>);
static_assert(std::is_convertible_v<const std::vector<ocl::event>&, ocl::wait_list>);
static_assert(!std::is_convertible_v<const yoke::event<>&, ocl::wait_list>);  // another backend's
static_assert(!std::is_convertible_v<abi::event, ocl::wait_list>);

YOKE_DEVICE_TEST_CASE("every event of a long list is waited for", "[execution]") {
  YOKE_TEST_NEEDS_BACKGROUND();
  const backend::context context{device};
  const backend::stream stream{context}, source{context};
  std::vector<backend::event> events;
  for (int i = 0; i < 11; ++i) events.push_back(source.record());
  gate held{source};
  events.push_back(source.record());  // the last one only is not done
  stream.wait(events);
  const backend::event behind = stream.record();
  stream.flush();
  for (std::size_t i = 0; i < 11; ++i) events[i].wait();
  CHECK_FALSE(behind.is_done());
  held.open();
  behind.wait();
}

YOKE_DEVICE_TEST_CASE("events of both kinds stand in one list, empty ones are refused", "[execution]") {
  const backend::context context{device};
  const backend::stream stream{context, {.timing = true}};
  const backend::event plain = stream.record();
  const backend::timed_event timed = stream.record_timed();
  const backend::event empty;
  stream.record({plain, timed}).wait();
  CHECK_THROWS_WITH(stream.record({plain, empty}), ContainsSubstring("an event to wait for is empty"));
  CHECK(backend::wait_list{}.empty());
  CHECK_FALSE(backend::wait_list{plain, timed}.empty());
  try {
    stream.wait(empty);
    FAIL_CHECK("an empty event was waited for");
  } catch (const yoke::logic_error& e) {
    CHECK(e.code() == yoke::errc::empty_handle);
    CHECK_THAT(e.what(), ContainsSubstring("wait_list_test.cpp:"));  // the caller's place
  }
  CHECK_FALSE(backend::wait_list{empty}.empty());
  stream.synchronize();
}

YOKE_DEVICE_TEST_CASE("events of other contexts are refused before the driver, or waited for where it can",
                      "[execution]") {
  interposer driver(Backend::driver());
  const backend::context context{through(driver, device)}, other = Backend::another_context(through(driver, device));
  const backend::stream stream{context}, foreign{other};
  const backend::event own = stream.record(), theirs = foreign.record();
  const std::size_t mark = driver.mark();
  if constexpr (std::same_as<port, yoke::cuda::port>) {
    stream.wait(theirs);
    stream.record({own, theirs}).wait();
    CHECK(driver.count("stream_wait_event", mark) == 3);
    return;
  }
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

YOKE_DEVICE_TEST_CASE("wait lists of any length are waited for", "[execution]") {
  interposer driver(Backend::driver());
  {
    const backend::context context{through(driver, device)};
    const backend::stream source{context}, stream{context};
    for (const std::size_t length : {0u, 1u, 2u, 5u, 6u, 7u, 8u, 9u, 33u}) {
      INFO(length << " events");
      std::vector<backend::event> events;
      for (std::size_t i = 0; i < length; ++i) events.push_back(source.record());
      const backend::event behind = stream.record(events);
      behind.wait();
      for (const auto& each : events) CHECK(each.is_done());
      stream.wait(std::span<const backend::event>{events});
      stream.synchronize();
    }
  }
  CHECK(driver.live().empty());
}
