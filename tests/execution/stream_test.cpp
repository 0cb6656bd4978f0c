// SPDX-License-Identifier: MIT
// Streams: order, waits across streams, adopted and borrowed native streams.
#include <support/devices/background.hpp>
#include <support/devices/gate.hpp>

using namespace yoke_test;
namespace ocl = yoke::opencl;

static_assert(!std::is_copy_constructible_v<ocl::stream> && std::is_nothrow_move_constructible_v<ocl::stream>);
static_assert(std::is_nothrow_move_assignable_v<ocl::stream> && std::is_nothrow_swappable_v<ocl::stream>);
static_assert(!std::is_convertible_v<ocl::context, ocl::stream>);

YOKE_DEVICE_TEST_CASE("a stream keeps the order of its commands", "[execution]") {
  YOKE_TEST_NEEDS_BACKGROUND();
  const backend::context context{device};
  const backend::stream stream{context};
  gate held{stream};
  const backend::event behind = stream.record();
  stream.flush();
  CHECK_FALSE(behind.is_done());
  CHECK_FALSE(stream.is_done());
  held.open();
  behind.wait();
  CHECK(behind.status() == yoke::event_status::complete);
  stream.synchronize();
  int polls = 0;
  while (!stream.is_done() && polls < 1000) ++polls;  // each poll enqueues a point of its own: it must not chase itself
  CHECK(polls < 1000);
}

YOKE_DEVICE_TEST_CASE("the host waits for all that stands in a stream", "[execution]") {
  YOKE_TEST_NEEDS_BACKGROUND();
  const backend::context context{device};
  const backend::stream stream{context};
  gate held{stream};
  const backend::event behind = stream.record();
  stream.flush();
  CHECK_FALSE(behind.is_done());
  const auto opener = open_soon(held);
  stream.synchronize();
  CHECK(behind.is_done());
}

YOKE_DEVICE_TEST_CASE("a stream waits for what another one has not done yet", "[execution]") {
  YOKE_TEST_NEEDS_BACKGROUND();
  const backend::context context{device};
  const backend::stream first{context}, second{context};
  gate held{first};
  const backend::event point = first.record();
  second.wait(point);
  const backend::event behind = second.record();
  second.flush();
  CHECK_FALSE(point.is_done());
  CHECK_FALSE(behind.is_done());
  held.open();
  behind.wait();
  CHECK(point.is_done());
}

YOKE_DEVICE_TEST_CASE("an event outlives its stream", "[execution]") {
  interposer driver(Backend::driver());
  {
    const backend::context context{through(driver, device)};
    backend::event point;
    {
      const backend::stream stream{context};
      point = stream.record();
    }
    point.wait();
    CHECK(point.status() == yoke::event_status::complete);
    const backend::stream other{context};
    other.wait(point);
    const backend::event behind = other.record(point);
    behind.wait();
  }
  CHECK(driver.live().empty());
}

YOKE_DEVICE_TEST_CASE("a native stream is adopted and borrowed with what it is", "[execution]") {
  interposer driver(Backend::driver());
  {
    const backend::context context{through(driver, device)};
    const native_stream native = backend::stream{context, {.timing = true}}.release();
    {
      const backend::stream borrowed = backend::stream::borrow(context, native);
      CHECK(borrowed.has_timing());
      CHECK(borrowed.device_of() == context.only_device());
      borrowed.record_timed().wait();
    }
    CHECK(driver.count(calls::release_stream) == 0);
    const backend::stream adopted = backend::stream::adopt(context, native);
    CHECK(adopted.native_handle() == native);
    CHECK(adopted.limits().max_block == device.limits().max_block);
  }
  CHECK(driver.count(calls::release_stream) == 1);
  CHECK(driver.live().empty());
  CHECK(driver.bad_releases().empty());
}

YOKE_DEVICE_TEST_CASE("a native stream of another context is refused and stays the caller's", "[execution]") {
  interposer driver(Backend::driver());
  {
    const backend::context context{through(driver, device)}, other = Backend::another_context(through(driver, device));
    const backend::stream stream{other};
    CHECK_THROWS_AS(backend::stream::adopt(context, stream.native_handle()), yoke::logic_error);
    CHECK_THROWS_WITH(
        backend::stream::borrow(context, stream.native_handle()),
        ContainsSubstring("the native stream " + native_text(stream.native_handle()) + " is of another context"));
    CHECK_THROWS_WITH(backend::stream::adopt(context, native_stream{}), ContainsSubstring("the native stream is null"));
    stream.synchronize();
  }
  CHECK(driver.live().empty());
  CHECK(driver.bad_releases().empty());
}
