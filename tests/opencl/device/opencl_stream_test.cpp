// SPDX-License-Identifier: MIT
// Contexts and streams as OpenCL has them: which calls they make, what is flushed when, queues of either order.
#include <support/devices/background.hpp>
#include <support/devices/gate.hpp>
#include <support/rig.hpp>
#include <support/soon.hpp>

#include <array>
#include <atomic>
#include <memory>
#include <thread>

using namespace yoke_test;
namespace ocl = yoke::opencl;
using names = std::vector<std::string>;

YOKE_OPENCL_TEST_CASE("an adopted context that cannot be asked stays the caller's", "[execution]") {
  opencl_interposer driver(raw_opencl());
  {
    const ocl::context own{through(driver, device)};
    const abi::context reference = own.retain_native();
    driver.fail_function("get_context_info", 1, fault_mode::once, -6);
    CHECK_THROWS_AS(ocl::context::adopt(own.port(), reference), yoke::memory_error);
    CHECK(driver.count("release_context") == 0);
    driver.table()->release_context(reference);
  }
  CHECK(driver.live().empty());
  CHECK(driver.bad_releases().empty());
}

YOKE_OPENCL_TEST_CASE("one driver call makes, synchronises or flushes a stream", "[execution]") {
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

YOKE_OPENCL_TEST_CASE("waiting across streams flushes the source first", "[execution]") {
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

// Where user events have taken part, waits ask whether events have failed.
struct without_user_events {
  without_user_events() : before(flag().exchange(false)) {}
  without_user_events(const without_user_events&) = delete;
  without_user_events& operator=(const without_user_events&) = delete;
  ~without_user_events() { flag().store(flag().load() || before); }
  static yoke::detail::atomic<bool>& flag() { return yoke::opencl::detail::notes_of_new_tables.user_events_take_part; }
  bool before;
};

YOKE_OPENCL_TEST_CASE("waiting for the library's own events asks nothing where no user event takes part",
                      "[execution]") {
  const without_user_events none;
  opencl_interposer driver(raw_opencl());
  const ocl::context context{through(driver, device)};
  const ocl::stream stream{context}, other{context};
  const ocl::event made = stream.record(), elsewhere = other.record();
  ocl::event point = other.record();
  stream.record_into(point);
  const auto calls_of = [&](const ocl::event& event) {
    const std::size_t mark = driver.mark();
    stream.wait(event);
    return driver.calls(mark);
  };
  CHECK(calls_of(made) == names{"enqueue_barrier"});
  CHECK(calls_of(point) == names{"enqueue_barrier"});
  CHECK(calls_of(elsewhere) == names{"flush", "enqueue_barrier"});
  CHECK(calls_of(elsewhere) == names{"enqueue_barrier"});  // flushed by now
  const ocl::event borrowed = ocl::event::borrow(context, made.native_handle());
  CHECK(calls_of(borrowed).front() == "get_event_info");  // of which nothing is known
  {
    const ocl::user_event gate{context};
    CHECK(calls_of(made).front() == "get_event_info");
    other.record_into(point);
    CHECK(calls_of(point).front() == "get_event_info");
  }
  stream.synchronize();
}

YOKE_OPENCL_TEST_CASE("a wait flushes another stream once behind the point", "[execution]") {
  const without_user_events none;
  opencl_interposer driver(raw_opencl());
  const ocl::context context{through(driver, device)};
  const ocl::stream stream{context};
  ocl::stream other{context};
  ocl::event point = other.record();
  const auto calls_of = [&](const auto& event) {
    const std::size_t mark = driver.mark();
    stream.wait(event);
    return driver.calls(mark);
  };
  const names both{"flush", "enqueue_barrier"}, wait{"enqueue_barrier"};
  other.flush();
  CHECK(calls_of(point) == wait);  // flushed by whomever
  other.record_into(point);
  CHECK(calls_of(point) == both);  // the point is another one
  CHECK(calls_of(point) == wait);
  const ocl::event later = other.record();
  other.record_into(point);
  CHECK(calls_of(later) == both);
  CHECK(calls_of(later) == wait);
  CHECK(calls_of(point) == both);
  other.record_into(point);
  other.synchronize();
  CHECK(calls_of(point) == wait);

  // A stream that has recorded into another one's event: it then is of that one.
  stream.record_into(point);
  CHECK(calls_of(point) == wait);
  ocl::event moved = std::move(point);
  other.record_into(moved);
  CHECK(calls_of(moved) == both);
  ocl::event swapped = stream.record();
  other.record_into(moved);
  swapped.swap(moved);
  CHECK(calls_of(swapped) == both);
  CHECK(calls_of(moved) == wait);

  // What is enqueued with an event has a point, too.
  const ocl::out_of_order_stream* loose = nullptr;
  std::unique_ptr<ocl::out_of_order_stream> made;
  try {
    made = std::make_unique<ocl::out_of_order_stream>(context);
    loose = made.get();
  } catch (const yoke::unsupported_error&) {
  }
  if (loose != nullptr) {
    CHECK(calls_of(loose->barrier()) == both);
    CHECK(calls_of(loose->record()) == both);
  }
  const ocl::module module = yoke::compile(context, "YOKE_KERNEL fill(YOKE_GLOBAL int* a) { a[0] = 7; }");
  const auto fill = yoke::get_kernel<void(int*)>(module, "fill");
  ocl::device_allocation<int> memory{context, 1};
  const ocl::event launched = fill.enqueue(other, {.grid = 1, .block = 1}, memory);
  CHECK(calls_of(launched) == both);
  yoke::pagelocked_array<int, ocl::port> host{context, 1};
  const auto copied = yoke::copy_async(memory, host, other);
  CHECK(calls_of(copied.done()) == both);

  // A failed flush is told, and the next wait flushes.
  other.record_into(moved);
  driver.replace<&abi::functions::get_event_info>(
      [&](abi::event event, abi::uint what, std::size_t bytes, void* out, std::size_t* size) {
        const abi::status code = driver.real().get_event_info(event, what, bytes, out, size);
        if (what == abi::event_execution_status) *static_cast<abi::status*>(out) = abi::event_queued;  // not yet done
        return code;
      });
  driver.fail_function("flush", 1, fault_mode::for_ever, -5);
  CHECK_THROWS_AS(stream.wait(moved), yoke::error);
  driver.disarm();
  CHECK_NOTHROW(stream.wait(moved));
}

YOKE_OPENCL_TEST_CASE("through any_port a wait makes the same calls", "[execution]") {
  const without_user_events none;
  opencl_interposer driver(raw_opencl());
  yoke::any_port::device_handle native{};
  const auto handle = device.native_handle();
  std::memcpy(&native.value, &handle, sizeof handle);
  const yoke::context<> context{yoke::device<>::borrow(through(driver, device).port(), native)};
  const yoke::stream<> stream{context}, other{context};
  yoke::event<> point = other.record();
  std::size_t mark = driver.mark();
  stream.wait(point);
  stream.wait(point);
  CHECK(driver.calls(mark) == names{"flush", "enqueue_barrier", "enqueue_barrier"});
  other.record_into(point);
  mark = driver.mark();
  stream.wait(point);
  CHECK(driver.calls(mark) == names{"flush", "enqueue_barrier"});
}

YOKE_OPENCL_TEST_CASE("an event keeps the queue that it was recorded in", "[execution]") {
  const without_user_events none;
  opencl_interposer driver(raw_opencl());
  const auto calls_since = [&](std::size_t mark) { return driver.calls(mark); };
  {
    const ocl::context context{through(driver, device)};
    const ocl::stream stream{context};
    std::size_t mark = 0;
    {
      const ocl::stream alone{context};
      (void)alone.record();  // gone before its stream
      mark = driver.mark();
    }
    CHECK(calls_since(mark) == names{"release_queue"});

    ocl::event point;
    {
      ocl::stream ended{context};
      point = ended.record();
      mark = driver.mark();
    }
    CHECK(calls_since(mark) == names{"flush"});  // what its end would have done
    mark = driver.mark();
    stream.wait(point);
    CHECK(calls_since(mark) == names{"enqueue_barrier"});
    mark = driver.mark();
    point.reset();
    CHECK(driver.count("release_event", mark) == 1);
    CHECK(driver.count("release_queue", mark) == 1);

    // It goes, too, when the event is recorded elsewhere.
    {
      ocl::stream ended{context};
      point = ended.record();
    }
    mark = driver.mark();
    stream.record_into(point);
    CHECK(driver.count("release_queue", mark) == 1);

    // A stream that is given up: each has a reference.
    ocl::stream given{context};
    given.record_into(point);
    mark = driver.mark();
    const abi::queue native = given.release();
    CHECK(calls_since(mark) == names{"retain_queue"});
    driver.table()->release_queue(native);
    mark = driver.mark();
    stream.wait(point);
    CHECK(calls_since(mark) == names{"flush", "enqueue_barrier"});
    stream.synchronize();
    point.reset();

    ocl::stream unshared{context};
    mark = driver.mark();
    const abi::queue only = unshared.release();
    CHECK(driver.count_all(mark) == 0);
    driver.table()->release_queue(only);
  }
  CHECK(driver.live().empty());
  CHECK(driver.bad_releases().empty());
}

YOKE_OPENCL_TEST_CASE("of a borrowed queue's events it is asked what to flush", "[execution]") {
  const without_user_events none;
  opencl_interposer driver(raw_opencl());
  {
    const ocl::context context{through(driver, device)};
    const ocl::stream stream{context}, owner{context};
    ocl::event point;
    std::size_t mark = 0;
    {
      const ocl::stream borrowed = ocl::stream::borrow(context, owner.native_handle());
      point = borrowed.record();
      mark = driver.mark();
      borrowed.wait(point);
      owner.wait(point);
      CHECK(driver.calls(mark) == names{"enqueue_barrier", "enqueue_barrier"});
      mark = driver.mark();
    }
    CHECK(driver.count_all(mark) == 0);
    stream.wait(point);
    CHECK(driver.calls(mark).front() == "get_event_info");
    stream.synchronize();
  }
  CHECK(driver.live().empty());
  CHECK(driver.bad_releases().empty());
}

YOKE_OPENCL_TEST_CASE("an event is waited for although its queue has ended before it", "[execution]") {
  YOKE_TEST_NEEDS_BACKGROUND();
  opencl_interposer driver(raw_opencl());
  {
    const ocl::context context{through(driver, device)};
    const ocl::stream stream{context};
    ocl::event point;
    {
      ocl::stream brief{context};
      const gate held{brief};
      // Nothing of the library keeps the queue for an event that comes from outside.
      point = ocl::event::adopt(context, brief.record().release());
      brief.reset();
      CHECK(driver.count("release_queue") == 1);
      const std::size_t mark = driver.mark();
      stream.wait(point);
      CHECK(driver.count("flush", mark) == 1);
      CHECK_FALSE(point.is_done());
      point.on_complete([](yoke::event_status) {});  // submits, too
    }
    stream.synchronize();
    CHECK(point.is_done());
    point.wait();
  }
  CHECK(driver.live().empty());
  CHECK(driver.bad_releases().empty());
}

YOKE_OPENCL_TEST_CASE("only a queue that is none any more need not be flushed", "[execution]") {
  YOKE_TEST_NEEDS_BACKGROUND();
  constexpr yoke::opencl::abi::status invalid_command_queue = -36;
  opencl_interposer driver(raw_opencl());
  const ocl::context context{through(driver, device)};
  const ocl::stream stream{context}, source{context};
  const gate held{source};
  const ocl::event point = ocl::event::adopt(context, source.record().release());
  const auto wait_refused = [&] {
    return refusal<yoke::logic_error>(yoke::errc::invalid_handle, [&] { stream.wait(point); });
  };
  driver.fail_function("flush", 1, fault_mode::for_ever, invalid_command_queue);
  std::size_t mark = driver.mark();
  CHECK_THAT(wait_refused(), ContainsSubstring("clFlush"));  // the driver knows the queue
  CHECK(driver.count("enqueue_barrier", mark) == 0);
  driver.fail_function("get_queue_info", 1, fault_mode::once, -6);
  CHECK_THAT(wait_refused(), ContainsSubstring("clFlush"));
  driver.fail_function("get_queue_info", 1, fault_mode::once, invalid_command_queue);
  mark = driver.mark();
  stream.wait(point);
  CHECK(driver.count("enqueue_barrier", mark) == 1);
  driver.disarm();
  driver.fail_function("flush", 1, fault_mode::once, -6);
  mark = driver.mark();
  refusal<yoke::memory_error>(yoke::errc::out_of_memory, [&] { stream.wait(point); });
  CHECK(driver.count("get_queue_info", mark) == 0);
}

YOKE_OPENCL_TEST_CASE("threads wait for events while the stream that they are of ends", "[execution]") {
  const without_user_events none;
  opencl_interposer driver(raw_opencl());
  {
    const ocl::context context{through(driver, device)};
    for (int round = 0; round < 20; ++round) {
      ocl::stream source{context};
      std::array<ocl::event, 3> own;
      for (ocl::event& each : own) each = source.record();
      const ocl::event shared = source.record();
      std::atomic<bool> start{false};
      std::atomic<int> failures{0};
      std::vector<std::thread> threads;
      for (ocl::event& each : own) {
        threads.emplace_back([&] {
          try {
            const ocl::stream mine{context};
            while (!start) std::this_thread::yield();
            mine.wait(each);
            mine.wait(shared);
            mine.synchronize();
            each.reset();
          } catch (const yoke::error&) {
            ++failures;
          }
        });
      }
      start = true;
      source.reset();
      for (std::thread& each : threads) each.join();
      CHECK(failures == 0);
    }
  }
  CHECK(driver.live().empty());
  CHECK(driver.bad_releases().empty());
}

YOKE_OPENCL_TEST_CASE("a marker takes an event's place and nothing else is called", "[execution]") {
  opencl_interposer driver(raw_opencl());
  const ocl::context context{through(driver, device)};
  const ocl::stream stream{context};
  ocl::event point = stream.record();
  const std::size_t mark = driver.mark();
  stream.record_into(point);
  CHECK(driver.calls(mark) == names{"enqueue_marker", "release_event"});
  point.wait();
}

YOKE_OPENCL_TEST_CASE("waiting within a stream, or for what is done, flushes nothing", "[execution]") {
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

// Only CUDA's streams have a priority: elsewhere it does not compile, because what a backend is chosen for at run time has to
// work on each.
template <class Stream, class Context>
concept has_priority = requires(const Context& context) {
  Stream{context, {.priority = -1}};
};
static_assert(!has_priority<ocl::stream, ocl::context> && !has_priority<yoke::stream<>, yoke::context<>>);
static_assert(has_priority<yoke::cuda::stream, yoke::cuda::context>);

YOKE_OPENCL_TEST_CASE("every queue is non-blocking in CUDA's sense", "[execution]") {
  const ocl::context context{device};
  const ocl::stream plain{context, {.non_blocking = true}};
  plain.synchronize();
  CHECK(soon([&] { return plain.is_done(); }));
}

YOKE_OPENCL_TEST_CASE("a native queue is adopted and borrowed with what it is", "[execution]") {
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

YOKE_OPENCL_TEST_CASE("a native queue of the other order is refused and stays the caller's", "[execution]") {
  opencl_interposer driver(raw_opencl());
  {
    const ocl::context context{through(driver, device)};
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

// Without it a library that took no device to have out-of-order streams would pass: their cases are skipped then.
YOKE_OPENCL_TEST_CASE("a stream's queue has the order of its type", "[execution]") {
  const abi::functions& cl = raw_opencl();
  const auto out_of_order = [&](abi::queue queue) {
    abi::ulong properties = ~abi::ulong{0};
    REQUIRE(cl.get_queue_info(queue, abi::queue_properties, sizeof properties, &properties, nullptr) == 0);
    return (properties & abi::queue_out_of_order) != 0;
  };
  const ocl::context context{device};
  CHECK_FALSE(out_of_order(ocl::stream{context}.native_handle()));
  CHECK_FALSE(out_of_order(ocl::stream{context, {.timing = true}}.native_handle()));

  abi::ulong offered = 0;
  constexpr abi::uint queue_on_host_properties = 0x102A;
  REQUIRE(cl.get_device_info(device.native_handle(), queue_on_host_properties, sizeof offered, &offered, nullptr) == 0);
  if ((offered & abi::queue_out_of_order) == 0) {
    CHECK_THROWS_AS(ocl::out_of_order_stream{context}, yoke::unsupported_error);
    return;
  }
  const ocl::out_of_order_stream loose{context}, timed{context, {.timing = true}};
  CHECK(out_of_order(loose.native_handle()));
  CHECK(out_of_order(timed.native_handle()));
  CHECK_THROWS_WITH(ocl::stream::borrow(context, loose.native_handle()),
                    ContainsSubstring("the native queue is out of order: take it as out_of_order_stream"));
  CHECK(ocl::out_of_order_stream::borrow(context, loose.native_handle()).native_handle() == loose.native_handle());
}
