// SPDX-License-Identifier: MIT
// Events: status, waits, time between them.
#include <support/devices/background.hpp>
#include <support/devices/gate.hpp>

#include <future>

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
  const backend::context context{device};
  const backend::stream stream{context};
  gate held{stream};
  const backend::event point = stream.record();
  stream.flush();
  CHECK((point.status() == event_status::queued || point.status() == event_status::submitted));
  CHECK_FALSE(point.is_done());
  held.open();
  point.wait();
  CHECK(point.status() == event_status::complete);
  CHECK(point.is_done());
  point.wait();  // again
}

YOKE_DEVICE_TEST_CASE("an event is recorded again", "[execution]") {
  YOKE_TEST_NEEDS_BACKGROUND();
  const backend::context context{device};
  const backend::stream stream{context, {.timing = true}};
  backend::event point;
  stream.record_into(point);  // made
  REQUIRE(point);
  CHECK(point.context_of() == context);
  point.wait();
  {
    gate held{stream};
    stream.record_into(point);
    stream.flush();
    CHECK_FALSE(point.is_done());
    held.open();
    point.wait();
    CHECK(point.is_done());
  }
  backend::timed_event first = stream.record_timed();
  backend::timed_event second;
  stream.record_into(second);
  stream.record_into(first);
  CHECK(first.time_since(second).count() >= 0);
}

YOKE_DEVICE_TEST_CASE("a callback keeps its point when the event is recorded again", "[execution]") {
  YOKE_TEST_NEEDS_BACKGROUND();
  const backend::context context{device};
  const backend::stream stream{context};
  std::promise<event_status> called;
  backend::event point = stream.record();
  point.on_complete([&](event_status now) { called.set_value(now); });
  gate held{stream};
  stream.record_into(point);
  stream.flush();
  CHECK(called.get_future().get() == event_status::complete);  // while the new point is not done
  CHECK_FALSE(point.is_done());
  held.open();
  point.wait();
}

YOKE_DEVICE_TEST_CASE("an event that cannot be recorded again stays what it is", "[execution]") {
  const backend::context context{device}, elsewhere = Backend::another_context(device);
  const backend::stream stream{context}, other{elsewhere};
  backend::event point = other.record();
  const auto native = point.native_handle();
  CHECK_THROWS_WITH(stream.record_into(point), ContainsSubstring("the event is of another context than the stream"));
  CHECK(point.native_handle() == native);
  point.wait();
  backend::stream gone{context};
  const backend::stream taken = std::move(gone);
  CHECK_THROWS_WITH(gone.record_into(point), ContainsSubstring("this stream is empty"));
  if (!stream.has_timing()) {
    backend::timed_event timed;
    CHECK_THROWS_WITH(stream.record_into(timed), ContainsSubstring("made without .timing"));
    CHECK_FALSE(timed);
  }
}

YOKE_DEVICE_TEST_CASE("a stream waits for one event", "[execution]") {
  const backend::context context{device}, elsewhere = Backend::another_context(device);
  const backend::stream stream{context}, other{context};
  const backend::event none, point = other.record();
  stream.wait(point);
  stream.synchronize();
  CHECK(point.is_done());
  CHECK_THROWS_WITH(stream.wait(none), ContainsSubstring("an event to wait for is empty"));
}

YOKE_DEVICE_TEST_CASE("an empty event is named when used", "[execution]") {
  const backend::event none;
  const backend::timed_event untimed;
  CHECK_THROWS_WITH(none.wait(), ContainsSubstring("this event is empty"));
  CHECK_THROWS_AS(none.status(), yoke::logic_error);
  CHECK_THROWS_AS(none.is_done(), yoke::logic_error);
  CHECK_THROWS_AS(none.on_complete([](event_status) {}), yoke::logic_error);
  const backend::context context{device};
  const backend::stream stream{context, {.timing = true}};
  CHECK_THROWS_AS(stream.record_timed().time_since(untimed), yoke::logic_error);
  CHECK_THROWS_WITH(untimed.time_since(stream.record_timed()), ContainsSubstring("this timed event is empty"));
}

YOKE_DEVICE_TEST_CASE("time passes between timed events", "[execution]") {
  const backend::context context{device};
  const backend::stream stream{context, {.timing = true}};
  CHECK(stream.has_timing());
  const backend::timed_event first = stream.record_timed();
  backend::device_allocation<int> memory{context, 1 << 20};
  yoke::fill(memory, 7, stream);
  const backend::timed_event second = stream.record_timed();
  CHECK(second.time_since(first).count() > 0);
  CHECK(first.time_since(second) == -second.time_since(first));
  CHECK(first.time_since(first).count() == 0);
}

YOKE_DEVICE_TEST_CASE("no time is told between events of different contexts", "[execution]") {
  const backend::context context{device}, elsewhere = Backend::another_context(device);
  const backend::stream stream{context, {.timing = true}}, other{elsewhere, {.timing = true}};
  const backend::timed_event first = stream.record_timed();
  const backend::timed_event second = other.record_timed();
  try {
    (void)second.time_since(first);
    FAIL_CHECK("told a time");
  } catch (const yoke::logic_error& e) {
    CHECK(e.code() == yoke::errc::wrong_context);
    CHECK_THAT(e.what(), ContainsSubstring("events of different contexts"));
  }
  second.wait();
}

YOKE_DEVICE_TEST_CASE("times wait for their commands", "[execution]") {
  YOKE_TEST_NEEDS_BACKGROUND();
  const backend::context context{device};
  const backend::stream stream{context, {.timing = true}};
  gate held{stream};
  const backend::timed_event start = stream.record_timed();
  const backend::timed_event stop = stream.record_timed();
  stream.flush();
  const auto later = open_soon(held);
  CHECK(stop.time_since(start).count() >= 0);
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

YOKE_DEVICE_TEST_CASE("no event is no event, adopted or borrowed", "[execution]") {
  const backend::context context{device};
  CHECK_THROWS_WITH(backend::event::adopt(context, {}), ContainsSubstring("the native event is null"));
  CHECK_THROWS_WITH(backend::event::borrow(context, {}), ContainsSubstring("the native event is null"));
  CHECK_THROWS_WITH(backend::timed_event::borrow(context, {}), ContainsSubstring("the native event is null"));
}
