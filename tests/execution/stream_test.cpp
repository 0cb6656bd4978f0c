// SPDX-License-Identifier: MIT
// Streams: order, waits across streams, what is flushed when, adopted and borrowed native queues.
#include <support/background.hpp>
#include <support/devices.hpp>
#include <support/parts.hpp>
#include <support/raw_opencl.hpp>

#include <yoke/opencl/names.hpp>
#include <yoke/opencl/user_event.hpp>

using namespace yoke_test;
namespace ocl = yoke::opencl;
using names = std::vector<std::string>;

static_assert(!std::is_copy_constructible_v<ocl::stream> && std::is_nothrow_move_constructible_v<ocl::stream>);
static_assert(std::is_nothrow_move_assignable_v<ocl::stream> && std::is_nothrow_swappable_v<ocl::stream>);
static_assert(!std::is_convertible_v<ocl::context, ocl::stream>);

YOKE_DEVICE_TEST_CASE("a stream keeps the order of its commands", "[execution]") {
  YOKE_TEST_NEEDS_BACKGROUND();
  const ocl::context context{device};
  const ocl::stream stream{context};
  ocl::user_event gate{context};
  stream.wait(gate.as_event());
  const ocl::event behind = stream.record();
  stream.flush();
  CHECK_FALSE(behind.is_done());
  CHECK_FALSE(stream.is_done());
  gate.complete();
  behind.wait();
  CHECK(behind.status() == yoke::event_status::complete);
  stream.synchronize();
  int polls = 0;
  while (!stream.is_done() && polls < 1000) ++polls;  // each poll enqueues a point of its own: it must not chase itself
  CHECK(polls < 1000);
}

YOKE_DEVICE_TEST_CASE("one driver call makes, synchronises or flushes a stream", "[execution]") {
  opencl_interposer driver(raw_opencl());
  const ocl::context context{through(driver, device)};
  std::size_t mark = driver.mark();
  const ocl::stream stream{context};
  CHECK(driver.calls(mark) == names{"create_queue"});
  mark = driver.mark();
  stream.synchronize();
  stream.flush();
  const ocl::event point = stream.record();
  CHECK(driver.calls(mark) == names{"finish", "flush", "enqueue_marker"});
  mark = driver.mark();
  (void)stream.device_of();
  (void)stream.limits();
  (void)stream.has_timing();
  (void)stream.context_of();
  stream.wait({});
  CHECK(driver.count_all(mark) == 0);
}

YOKE_DEVICE_TEST_CASE("waiting across streams flushes the source first", "[execution]") {
  YOKE_TEST_NEEDS_BACKGROUND();
  opencl_interposer driver(raw_opencl());
  const ocl::context context{through(driver, device)};
  const ocl::stream first{context}, second{context};
  ocl::user_event gate{context};  // so that the source's command is not done yet
  first.wait(gate.as_event());
  const ocl::event point = first.record();
  const std::size_t mark = driver.mark();
  second.wait(point);
  const names calls = driver.calls(mark);
  const auto flush = std::find(calls.begin(), calls.end(), "flush");
  const auto barrier = std::find(calls.begin(), calls.end(), "enqueue_barrier");
  REQUIRE(flush != calls.end());
  REQUIRE(barrier != calls.end());
  CHECK(flush < barrier);
  CHECK(driver.count("flush", mark) == 1);
  const ocl::event behind = second.record();
  second.flush();
  CHECK_FALSE(behind.is_done());
  gate.complete();
  behind.wait();
  CHECK(point.is_done());
}

YOKE_DEVICE_TEST_CASE("waiting within a stream, or for what is done, flushes nothing", "[execution]") {
  opencl_interposer driver(raw_opencl());
  const ocl::context context{through(driver, device)};
  const ocl::stream first{context}, second{context};
  const ocl::event done = first.record();
  done.wait();
  ocl::user_event gate{context};
  second.wait(gate.as_event());
  const ocl::event own = second.record();
  const std::size_t mark = driver.mark();
  second.wait(done);
  second.wait(own);
  CHECK(driver.count("flush", mark) == 0);
  CHECK(driver.count("enqueue_barrier", mark) == 2);
  gate.complete();
  second.synchronize();
}

YOKE_DEVICE_TEST_CASE("an event outlives its stream", "[execution]") {
  opencl_interposer driver(raw_opencl());
  {
    const ocl::context context{through(driver, device)};
    ocl::event point;
    {
      const ocl::stream stream{context};
      point = stream.record();
    }
    point.wait();
    CHECK(point.status() == yoke::event_status::complete);
    const ocl::stream other{context};
    other.wait(point);
    const ocl::event behind = other.record(point);
    behind.wait();
  }
  CHECK(driver.live().empty());
}

YOKE_DEVICE_TEST_CASE("a stream's priority is refused before the driver", "[execution]") {
  opencl_interposer driver(raw_opencl());
  const ocl::context context{through(driver, device)};
  try {
    const ocl::stream stream{context, {.priority = -1}};
    FAIL("a priority was accepted");
  } catch (const yoke::unsupported_error& e) {
    CHECK_THAT(e.what(), ContainsSubstring("stream priority -1: OpenCL queues take priority 0 only"));
  }
  CHECK(driver.count("create_queue") == 0);
  const ocl::stream plain{context, {.non_blocking = true, .priority = 0}};
  plain.synchronize();
}

YOKE_DEVICE_TEST_CASE("a native queue is adopted and borrowed with what it is", "[execution]") {
  opencl_interposer driver(raw_opencl());
  {
    const ocl::context context{through(driver, device)};
    abi::status status = 0;
    const abi::queue native =
        driver.table()->create_queue(context.native_handle(), device.native_handle(), abi::queue_profiling, &status);
    REQUIRE(status == 0);
    {
      const ocl::stream borrowed = ocl::stream::borrow(context, native);
      CHECK(borrowed.has_timing());
      CHECK(borrowed.device_of() == context.only_device());
      CHECK(borrowed.record_timed().times().ended.count() > 0);
    }
    CHECK(driver.count("release_queue") == 0);
    const ocl::stream adopted = ocl::stream::adopt(context, native);
    CHECK(adopted.native_handle() == native);
    CHECK(adopted.limits().max_block == device.limits().max_block);
  }
  CHECK(driver.count("release_queue") == 1);
  CHECK(driver.live().empty());
}

YOKE_DEVICE_TEST_CASE("a native queue of another context or order is refused and stays the caller's", "[execution]") {
  opencl_interposer driver(raw_opencl());
  {
    const ocl::context context{through(driver, device)}, other{through(driver, device)};
    ocl::stream stream{other};
    CHECK_THROWS_AS(ocl::stream::adopt(context, stream.native_handle()), yoke::logic_error);
    CHECK_THROWS_WITH(ocl::stream::borrow(context, stream.native_handle()), ContainsSubstring("of another context"));
    CHECK_THROWS_WITH(ocl::stream::adopt(context, nullptr), ContainsSubstring("the native stream is null"));
    abi::status status = 0;
    const abi::queue loose =
        driver.table()->create_queue(context.native_handle(), device.native_handle(), abi::queue_out_of_order, &status);
    if (status == 0) {
      CHECK_THROWS_WITH(ocl::stream::adopt(context, loose), ContainsSubstring("take it as out_of_order_stream"));
      const auto taken = ocl::out_of_order_stream::adopt(context, loose);
      CHECK(taken.native_handle() == loose);
    }
  }
  CHECK(driver.live().empty());
  CHECK(driver.bad_releases().empty());
}

YOKE_DEVICE_TEST_CASE("swapped streams keep their devices and their timing", "[execution]") {
  const auto parts = two_parts(device);
  if (parts.empty()) YOKE_SKIP("the device cannot be divided");
  const ocl::context context{parts};
  ocl::stream first{context, parts[0], {.timing = true}}, second{context, parts[1]};
  swap(first, second);
  CHECK(first.device_of() == parts[1]);
  CHECK_FALSE(first.has_timing());
  CHECK(second.device_of() == parts[0]);
  CHECK(second.has_timing());
  const ocl::stream moved = std::move(second);
  CHECK(moved.device_of() == parts[0]);
  CHECK_THROWS_AS(second.device_of(), yoke::logic_error);  // NOLINT: what a moved-from stream does is the point
}
