// SPDX-License-Identifier: MIT
// Streams and events: in order, side by side, and the default streams' rules.
#include <atomic>
#include <chrono>
#include <cstring>
#include <cuda_simulator/driver.hpp>
#include <mutex>
#include <thread>

using namespace yoke_test;

namespace {

/// Holds a stream until it is opened.
class gate {
 public:
  gate() = default;
  ~gate() { open(); }
  gate(const gate&) = delete;
  gate& operator=(const gate&) = delete;
  void close(cuda_abi::stream on) {
    closed_on_ = true;
    ok(driver().launch_host_function(on, &gate::wait, this));
  }
  void open() {
    open_ = true;
    while (closed_on_ && !passed_) std::this_thread::yield();
  }

 private:
  static void wait(void* self) {
    gate& mine = *static_cast<gate*>(self);
    while (!mine.open_) std::this_thread::sleep_for(std::chrono::milliseconds(1));
    mine.passed_ = true;
  }
  std::atomic<bool> open_{false}, passed_{false};
  bool closed_on_ = false;
};

void set_flag(void* flag) { *static_cast<std::atomic<bool>*>(flag) = true; }

const auto legacy = reinterpret_cast<cuda_abi::stream>(cuda_abi::legacy_stream);
const auto per_thread = reinterpret_cast<cuda_abi::stream>(cuda_abi::per_thread_stream);

void give_time() { std::this_thread::sleep_for(std::chrono::milliseconds(30)); }

}  // namespace

TEST_CASE("a stream runs in order and on its own") {
  const primary_context context;
  const test_stream stream{cuda_abi::stream_non_blocking};
  const test_memory memory{4};
  test_pagelocked<int> host{2};
  gate hold;
  hold.close(stream);
  CHECK(driver().stream_query(stream) == cuda_abi::error_not_ready);
  host[0] = 1;
  CHECK(driver().memcpy_htod_async(memory, host.data(), 4, stream) == cuda_abi::success);
  host[0] = 2;  // page-locked memory is read when the copy runs
  CHECK(driver().memcpy_dtoh_async(host.data() + 1, memory, 4, stream) == cuda_abi::success);
  hold.open();
  CHECK(driver().stream_synchronize(stream) == cuda_abi::success);
  CHECK(driver().stream_query(stream) == cuda_abi::success);
  CHECK(host[1] == 2);
}

TEST_CASE("pageable memory may be used again when the call returns") {
  const primary_context context;
  const test_stream stream{cuda_abi::stream_non_blocking};
  const test_memory memory{4};
  gate hold;
  hold.close(stream);
  int value = 5;
  CHECK(driver().memcpy_htod_async(memory, &value, 4, stream) == cuda_abi::success);
  value = 6;
  CHECK(driver().stream_query(stream) == cuda_abi::error_not_ready);  // it was staged, the stream stands still
  hold.open();
  CHECK(driver().memcpy_dtoh_async(&value, memory, 4, stream) == cuda_abi::success);
  CHECK(value == 5);  // without waiting for the stream
}

TEST_CASE("blocking streams and the legacy stream wait for each other") {
  const primary_context context;
  const test_stream blocking;
  const test_stream free_running{cuda_abi::stream_non_blocking};
  std::atomic<bool> on_legacy{false}, on_blocking{false}, on_free{false}, on_thread{false};
  {
    gate hold;
    hold.close(blocking);
    ok(driver().launch_host_function(legacy, set_flag, &on_legacy));
    ok(driver().launch_host_function(free_running, set_flag, &on_free));
    CHECK(driver().stream_synchronize(free_running) == cuda_abi::success);
    give_time();
    CHECK(on_free);
    CHECK_FALSE(on_legacy);
    CHECK(driver().stream_query(nullptr) == cuda_abi::error_not_ready);
    hold.open();
    CHECK(driver().stream_synchronize(nullptr) == cuda_abi::success);
    CHECK(on_legacy);
  }
  gate hold;
  hold.close(legacy);
  on_free = false;
  ok(driver().launch_host_function(blocking, set_flag, &on_blocking));
  ok(driver().launch_host_function(per_thread, set_flag, &on_thread));
  ok(driver().launch_host_function(free_running, set_flag, &on_free));
  CHECK(driver().stream_synchronize(free_running) == cuda_abi::success);
  give_time();
  CHECK(on_free);
  CHECK_FALSE(on_blocking);
  CHECK_FALSE(on_thread);
  hold.open();
  CHECK(driver().context_synchronize() == cuda_abi::success);
  CHECK(on_blocking);
  CHECK(on_thread);
}

TEST_CASE("the legacy stream is idle only when those it waits for are") {
  const primary_context context;
  const test_stream blocking;
  std::atomic<bool> done{false};
  gate hold;
  hold.close(blocking);
  ok(driver().launch_host_function(blocking, set_flag, &done));
  CHECK(driver().stream_query(legacy) == cuda_abi::error_not_ready);
  hold.open();
  CHECK(driver().stream_synchronize(legacy) == cuda_abi::success);
  CHECK(done);
}

TEST_CASE("each thread has a default stream of its own") {
  const primary_context context;
  cuda_abi::ulong mine = 0, again = 0, theirs = 0;
  ok(driver().stream_get_id(per_thread, &mine));
  ok(driver().stream_get_id(per_thread, &again));
  std::thread([&] {
    ok(driver().context_set_current(context.handle));
    ok(driver().stream_get_id(per_thread, &theirs));
  }).join();
  CHECK(mine == again);
  CHECK(mine != theirs);
}

TEST_CASE("a wait for an event goes across streams") {
  const primary_context context;
  const test_stream first{cuda_abi::stream_non_blocking}, second{cuda_abi::stream_non_blocking};
  cuda_abi::event event = nullptr;
  ok(driver().event_create(&event, cuda_abi::event_disable_timing));
  std::atomic<bool> done{false};
  CHECK(driver().stream_wait_event(second, event, 0) == cuda_abi::success);  // never recorded: no wait
  CHECK(driver().stream_synchronize(second) == cuda_abi::success);
  gate hold;
  hold.close(first);
  CHECK(driver().event_record(event, first) == cuda_abi::success);
  CHECK(driver().stream_wait_event(second, event, 0) == cuda_abi::success);
  ok(driver().launch_host_function(second, set_flag, &done));
  give_time();
  CHECK_FALSE(done);
  CHECK(driver().event_query(event) == cuda_abi::error_not_ready);
  CHECK(driver().event_destroy(event) == cuda_abi::success);  // who waits for it goes on waiting
  give_time();
  CHECK_FALSE(done);
  hold.open();
  CHECK(driver().stream_synchronize(second) == cuda_abi::success);
  CHECK(done);
  CHECK(driver().stream_wait_event(second, event, 0) == cuda_abi::error_invalid_handle);
}

TEST_CASE("events keep time unless they are told not to") {
  const primary_context context;
  const test_stream stream;
  cuda_abi::event start = nullptr, stop = nullptr, untimed = nullptr;
  ok(driver().event_create(&start, 0));
  ok(driver().event_create(&stop, cuda_abi::event_blocking_sync));
  ok(driver().event_create(&untimed, cuda_abi::event_disable_timing));
  CHECK(driver().event_create(&untimed, 64) == cuda_abi::error_invalid_value);
  float time = -1;
  CHECK(driver().event_elapsed_time(&time, start, stop) == cuda_abi::error_invalid_handle);  // never recorded
  CHECK(driver().event_query(start) == cuda_abi::success);
  CHECK(driver().event_synchronize(start) == cuda_abi::success);
  ok(driver().event_record(start, stream));
  ok(driver().launch_host_function(
      stream, [](void*) { std::this_thread::sleep_for(std::chrono::milliseconds(20)); }, nullptr));
  ok(driver().event_record_with_flags(stop, stream, 0));
  CHECK(driver().event_elapsed_time(&time, start, stop) == cuda_abi::error_not_ready);
  CHECK(driver().event_synchronize(stop) == cuda_abi::success);
  CHECK(driver().event_elapsed_time(&time, start, stop) == cuda_abi::success);
  CHECK(time >= 19);
  CHECK(time < 2000);
  ok(driver().event_record(start, stream));  // again: the old time is gone
  ok(driver().event_synchronize(start));
  CHECK(driver().event_elapsed_time(&time, start, stop) == cuda_abi::success);
  CHECK(time <= 0);
  ok(driver().event_record(untimed, stream));
  ok(driver().event_synchronize(untimed));
  CHECK(driver().event_elapsed_time(&time, start, untimed) == cuda_abi::error_invalid_handle);
  for (const cuda_abi::event each : {start, stop, untimed}) CHECK(driver().event_destroy(each) == cuda_abi::success);
  CHECK(driver().event_destroy(start) == cuda_abi::error_invalid_handle);
  CHECK(driver().event_query(start) == cuda_abi::error_invalid_handle);
}

TEST_CASE("an event is recorded in its own context") {
  const primary_context other{1};
  const test_stream foreign;
  const primary_context context{0};
  cuda_abi::event event = nullptr;
  ok(driver().event_create(&event, 0));
  CHECK(driver().event_record(event, foreign) == cuda_abi::error_invalid_handle);
  CHECK(driver().event_record(event, nullptr) == cuda_abi::success);
  ok(driver().event_destroy(event));
}

TEST_CASE("streams have flags, priorities, contexts and unique numbers") {
  const primary_context context;
  cuda_abi::stream stream = nullptr;
  REQUIRE(driver().stream_create(&stream, cuda_abi::stream_non_blocking, -3) == cuda_abi::success);
  unsigned flags = 0;
  int priority = 0;
  cuda_abi::context owner = nullptr;
  cuda_abi::capture_status capture = cuda_abi::capture_status::active;
  CHECK(driver().stream_get_flags(stream, &flags) == cuda_abi::success);
  CHECK(flags == cuda_abi::stream_non_blocking);
  CHECK(driver().stream_get_priority(stream, &priority) == cuda_abi::success);
  CHECK(priority == -3);
  CHECK(driver().stream_get_context(stream, &owner) == cuda_abi::success);
  CHECK(owner == context.handle);
  CHECK(driver().stream_is_capturing(stream, &capture) == cuda_abi::success);
  CHECK(capture == cuda_abi::capture_status::none);
  CHECK(driver().stream_destroy(stream) == cuda_abi::success);
  CHECK(driver().stream_destroy(stream) == cuda_abi::error_invalid_handle);
  CHECK(driver().stream_destroy(nullptr) == cuda_abi::error_invalid_handle);
  CHECK(driver().stream_query(reinterpret_cast<cuda_abi::stream>(&flags)) == cuda_abi::error_invalid_handle);
  CHECK(driver().stream_create(&stream, 8, 0) == cuda_abi::error_invalid_value);
  ok(driver().stream_create(&stream, 0, -1000));
  CHECK(driver().stream_get_priority(stream, &priority) == cuda_abi::success);
  CHECK(priority == -5);
  ok(driver().stream_destroy(stream));
}

TEST_CASE("a destroyed stream finishes what it holds") {
  const primary_context context;
  cuda_abi::stream stream = nullptr;
  ok(driver().stream_create(&stream, 0, 0));
  std::atomic<bool> done{false};
  gate hold;
  hold.close(stream);
  ok(driver().launch_host_function(stream, set_flag, &done));
  CHECK(driver().stream_destroy(stream) == cuda_abi::success);
  CHECK_FALSE(done);
  hold.open();
  CHECK(driver().context_synchronize() == cuda_abi::success);
  CHECK(done);
}

TEST_CASE("a host function may not call the driver") {
  const primary_context context;
  const test_stream stream;
  static cuda_abi::status inside;
  inside = -1;
  ok(driver().launch_host_function(
      stream,
      [](void*) {
        cuda_abi::context found = nullptr;
        inside = driver().context_get_current(&found);
      },
      nullptr));
  ok(driver().stream_synchronize(stream));
  CHECK(inside == cuda_abi::error_not_permitted);
  CHECK(driver().launch_host_function(stream, nullptr, nullptr) == cuda_abi::error_invalid_value);
}

TEST_CASE("freeing plain memory waits for the device, freeing in stream order does not") {
  const primary_context context;
  const test_stream stream{cuda_abi::stream_non_blocking};
  std::atomic<bool> done{false};
  cuda_abi::device_pointer plain = 0, ordered = 0;
  ok(driver().mem_alloc(&plain, 64));
  ok(driver().mem_alloc_async(&ordered, 64, stream));
  {
    gate hold;
    hold.close(stream);
    CHECK(driver().mem_free_async(ordered, stream) == cuda_abi::success);
    ok(driver().launch_host_function(stream, set_flag, &done));
    CHECK_FALSE(done);
  }
  CHECK(driver().mem_free(plain) == cuda_abi::success);
  CHECK(done);
}

TEST_CASE("fills and copies within the device return before they are done") {
  const primary_context context;
  const test_memory memory{64};
  gate hold;
  hold.close(legacy);
  CHECK(driver().memset_d8(memory, 1, 64) == cuda_abi::success);
  CHECK(driver().memcpy_dtod(memory + 32, memory, 32) == cuda_abi::success);
  CHECK(driver().stream_query(legacy) == cuda_abi::error_not_ready);
  hold.open();
  char last = 0;
  CHECK(driver().memcpy_dtoh(&last, memory + 63, 1) == cuda_abi::success);
  CHECK(last == 1);
}
