// SPDX-License-Identifier: MIT
// Contexts: stacks by thread, primary contexts' counts, destruction under other threads' feet.
#include <cuda_simulator/driver.hpp>
#include <thread>

using namespace yoke_test;

namespace {

cuda_abi::context current() {
  cuda_abi::context found = nullptr;
  ok(driver().context_get_current(&found));
  return found;
}

template <class Body>
void on_a_thread(Body&& body) {
  std::thread(std::forward<Body>(body)).join();
}

}  // namespace

TEST_CASE("each thread has a stack of its own") {
  const primary_context context;
  CHECK(current() == context.handle);
  on_a_thread([&] {
    CHECK(current() == nullptr);
    cuda_abi::context popped = nullptr;
    CHECK(driver().context_pop(&popped) == cuda_abi::error_invalid_context);
    CHECK(driver().context_set_current(context.handle) == cuda_abi::success);
    CHECK(driver().context_push(context.handle) == cuda_abi::success);
    CHECK(driver().context_pop(&popped) == cuda_abi::success);
    CHECK(popped == context.handle);
    CHECK(current() == context.handle);
    CHECK(driver().context_set_current(nullptr) == cuda_abi::success);
    CHECK(current() == nullptr);
  });
  CHECK(current() == context.handle);
}

TEST_CASE("calls that need a current context say so") {
  on_a_thread([] {
    cuda_abi::device_pointer pointer = 0;
    cuda_abi::stream stream = nullptr;
    cuda_abi::event event = nullptr;
    cuda_abi::device device = 0;
    std::size_t bytes = 0;
    char byte = 0;
    void* host = nullptr;
    unsigned flags = 0;
    CHECK(driver().mem_alloc(&pointer, 16) == cuda_abi::error_invalid_context);
    CHECK(driver().mem_alloc_async(&pointer, 16, nullptr) == cuda_abi::error_invalid_context);
    CHECK(driver().mem_host_alloc(&host, 16, 0) == cuda_abi::error_invalid_context);
    CHECK(driver().stream_create(&stream, 0, 0) == cuda_abi::error_invalid_context);
    CHECK(driver().event_create(&event, 0) == cuda_abi::error_invalid_context);
    CHECK(driver().context_get_device(&device) == cuda_abi::error_invalid_context);
    CHECK(driver().context_get_flags(&flags) == cuda_abi::error_invalid_context);
    CHECK(driver().context_synchronize() == cuda_abi::error_invalid_context);
    CHECK(driver().mem_get_info(&bytes, &bytes) == cuda_abi::error_invalid_context);
    CHECK(driver().memcpy_dtoh(&byte, 4096, 1) == cuda_abi::error_invalid_context);
    CHECK(driver().stream_synchronize(nullptr) == cuda_abi::error_invalid_context);
  });
}

TEST_CASE("what works on an explicit stream needs no current context") {
  // As measured on driver 580.159.
  const primary_context context;
  const test_stream stream;
  on_a_thread([&] {
    cuda_abi::device_pointer pointer = 0;
    char host[16] = {};
    CHECK(driver().mem_alloc_async(&pointer, 16, stream) == cuda_abi::success);
    CHECK(driver().memset_d8_async(pointer, 3, 16, stream) == cuda_abi::success);
    CHECK(driver().memcpy_dtoh_async(host, pointer, 16, stream) == cuda_abi::success);
    CHECK(driver().mem_free_async(pointer, stream) == cuda_abi::success);
    CHECK(driver().stream_synchronize(stream) == cuda_abi::success);
    CHECK(driver().stream_query(stream) == cuda_abi::success);
    CHECK(host[15] == 3);
    CHECK(current() == nullptr);
  });
}

TEST_CASE("a primary context lives while it is retained") {
  cuda_abi::context first = nullptr, second = nullptr;
  unsigned flags = 99;
  int active = 99;
  CHECK(driver().primary_context_get_state(1, &flags, &active) == cuda_abi::success);
  CHECK(active == 0);
  CHECK(driver().primary_context_set_flags(1, cuda_abi::context_sched_yield) == cuda_abi::success);
  CHECK(driver().primary_context_set_flags(1, 1u << 20) == cuda_abi::error_invalid_value);
  CHECK(driver().primary_context_retain(&first, 1) == cuda_abi::success);
  CHECK(driver().primary_context_retain(&second, 1) == cuda_abi::success);
  CHECK(first == second);
  cuda_abi::ulong id = 0, later_id = 0;
  CHECK(driver().context_get_id(first, &id) == cuda_abi::success);
  CHECK(driver().primary_context_release(1) == cuda_abi::success);
  CHECK(driver().primary_context_get_state(1, &flags, &active) == cuda_abi::success);
  CHECK(active == 1);
  CHECK(flags == cuda_abi::context_sched_yield);
  CHECK(driver().context_push(first) == cuda_abi::success);
  CHECK(driver().primary_context_release(1) == cuda_abi::success);
  CHECK(driver().primary_context_release(1) == cuda_abi::error_invalid_context);

  // It is still on the stack, as with the driver, and of no use there.
  std::size_t bytes = 0;
  CHECK(driver().mem_get_info(&bytes, &bytes) == cuda_abi::error_context_is_destroyed);
  CHECK(driver().primary_context_retain(&first, 1) == cuda_abi::success);
  CHECK(driver().mem_get_info(&bytes, &bytes) == cuda_abi::success);
  CHECK(driver().context_get_id(first, &later_id) == cuda_abi::success);
  CHECK(later_id != id);
  cuda_abi::context popped = nullptr;
  CHECK(driver().context_pop(&popped) == cuda_abi::success);
  CHECK(driver().context_destroy(first) == cuda_abi::error_invalid_context);
  CHECK(driver().primary_context_release(1) == cuda_abi::success);
  CHECK(driver().primary_context_set_flags(1, 0) == cuda_abi::success);
}

TEST_CASE("a reset takes what is in a primary context") {
  cuda_abi::context context = nullptr;
  ok(driver().primary_context_retain(&context, 1));
  ok(driver().context_push(context));
  cuda_abi::stream stream = nullptr;
  cuda_abi::device_pointer memory = 0;
  ok(driver().stream_create(&stream, 0, 0));
  ok(driver().mem_alloc(&memory, 1000));
  CHECK(driver().primary_context_reset(1) == cuda_abi::success);
  unsigned flags = 0;
  int active = 1;
  CHECK(driver().primary_context_get_state(1, &flags, &active) == cuda_abi::success);
  CHECK(active == 0);
  CHECK(driver().stream_query(stream) == cuda_abi::error_context_is_destroyed);
  CHECK(driver().stream_destroy(stream) == cuda_abi::error_context_is_destroyed);
  CHECK(driver().mem_free(memory) == cuda_abi::error_context_is_destroyed);
  CHECK(driver().context_synchronize() == cuda_abi::error_context_is_destroyed);
  ok(driver().context_pop(&context));
  ok(driver().primary_context_release(1));  // a reset does not release it
  CHECK(driver().primary_context_release(1) == cuda_abi::error_invalid_context);
}

TEST_CASE("a created context is current, and gone everywhere once destroyed") {
  cuda_abi::context made = nullptr;
  CHECK(driver().context_create(&made, 3, 0) == cuda_abi::error_invalid_value);  // two ways to wait at once
  CHECK(driver().context_create(&made, cuda_abi::context_sched_spin, 5) == cuda_abi::error_invalid_device);
  REQUIRE(driver().context_create(&made, cuda_abi::context_sched_spin, 1) == cuda_abi::success);
  CHECK(current() == made);
  unsigned flags = 0, version = 0;
  cuda_abi::device device = -1;
  CHECK(driver().context_get_flags(&flags) == cuda_abi::success);
  CHECK(flags == cuda_abi::context_sched_spin);
  CHECK(driver().context_get_device(&device) == cuda_abi::success);
  CHECK(device == 1);
  CHECK(driver().context_get_api_version(made, &version) == cuda_abi::success);
  CHECK(version == 3020);
  ok(driver().context_push(made));
  CHECK(driver().context_destroy(made) == cuda_abi::success);
  CHECK(current() == made);  // only the top went
  std::size_t bytes = 0;
  CHECK(driver().mem_get_info(&bytes, &bytes) == cuda_abi::error_context_is_destroyed);
  CHECK(driver().context_push(made) == cuda_abi::error_invalid_context);
  CHECK(driver().context_destroy(made) == cuda_abi::error_invalid_context);
  ok(driver().context_pop(&made));
  CHECK(driver().context_push(reinterpret_cast<cuda_abi::context>(&bytes)) == cuda_abi::error_invalid_context);
}

TEST_CASE("a context waits for its work when it is destroyed") {
  cuda_abi::context made = nullptr;
  ok(driver().context_create(&made, 0, 0));
  cuda_abi::stream stream = nullptr;
  ok(driver().stream_create(&stream, cuda_abi::stream_non_blocking, 0));
  bool ran = false;
  ok(driver().launch_host_function(
      stream,
      [](void* flag) {
        std::this_thread::sleep_for(std::chrono::milliseconds(30));
        *static_cast<bool*>(flag) = true;
      },
      &ran));
  CHECK(driver().context_destroy(made) == cuda_abi::success);
  CHECK(ran);
  CHECK(driver().stream_destroy(stream) == cuda_abi::error_context_is_destroyed);
}

TEST_CASE("limits, cache preference and priorities") {
  const primary_context context;
  std::size_t value = 0;
  CHECK(driver().context_set_limit(cuda_abi::limit::stack_size, 4096) == cuda_abi::success);
  CHECK(driver().context_get_limit(&value, cuda_abi::limit::stack_size) == cuda_abi::success);
  CHECK(value == 4096);
  CHECK(driver().context_get_limit(&value, static_cast<cuda_abi::limit>(77)) == cuda_abi::error_invalid_value);
  cuda_abi::cache_config config{};
  CHECK(driver().context_set_cache_config(cuda_abi::cache_config::prefer_l1) == cuda_abi::success);
  CHECK(driver().context_get_cache_config(&config) == cuda_abi::success);
  CHECK(config == cuda_abi::cache_config::prefer_l1);
  CHECK(driver().context_set_cache_config(static_cast<cuda_abi::cache_config>(9)) == cuda_abi::error_invalid_value);
  int least = -1, greatest = 1;
  CHECK(driver().context_get_stream_priority_range(&least, &greatest) == cuda_abi::success);
  CHECK(least == 0);
  CHECK(greatest == -5);
  CHECK(driver().profiler_start() == cuda_abi::success);
  CHECK(driver().profiler_stop() == cuda_abi::success);
}

// The numbers are an H200's, but for what depends on how much memory there is: here 4 GiB.
TEST_CASE("limits are rounded, held within bounds, or refused as by a driver") {
  const primary_context context;
  using enum cuda_abi::limit;
  const std::size_t huge = std::size_t{1} << 45;
  const auto becomes = [&](cuda_abi::limit what, std::size_t asked) {
    std::size_t value = 77;
    CHECK(driver().context_set_limit(what, asked) == cuda_abi::success);
    CHECK(driver().context_get_limit(&value, what) == cuda_abi::success);
    return value;
  };
  const auto refused = [&](cuda_abi::limit what, std::size_t asked) {
    std::size_t before = 0, after = 1;
    CHECK(driver().context_get_limit(&before, what) == cuda_abi::success);
    CHECK(driver().context_set_limit(what, asked) == cuda_abi::error_invalid_value);
    CHECK(driver().context_get_limit(&after, what) == cuda_abi::success);
    CHECK(after == before);
  };
  CHECK(becomes(stack_size, 0) == 0);
  CHECK(becomes(stack_size, 100) == 112);
  refused(stack_size, 1 << 20);
  CHECK(becomes(printf_fifo_size, 0) == 524288);
  CHECK(becomes(printf_fifo_size, 1048577) == 1048832);
  CHECK(becomes(printf_fifo_size, huge) == std::size_t{2} << 30);
  CHECK(becomes(malloc_heap_size, 1) == 4 << 20);
  CHECK(becomes(malloc_heap_size, (16 << 20) + 1) == (16 << 20) + 65536);
  CHECK(becomes(malloc_heap_size, huge) == std::size_t{512} << 20);
  CHECK(becomes(malloc_heap_size, SIZE_MAX) == std::size_t{512} << 20);
  CHECK(becomes(dev_runtime_pending_launch_count, 1) == 32);
  CHECK(becomes(dev_runtime_pending_launch_count, huge) == 599186);
  CHECK(becomes(max_l2_fetch_granularity, 0) == 0);
  CHECK(becomes(max_l2_fetch_granularity, 128) == 128);
  refused(max_l2_fetch_granularity, 129);
  CHECK(becomes(persisting_l2_cache_size, 0) == 0);
  refused(persisting_l2_cache_size, 1);
  std::size_t depth = 0;
  CHECK(driver().context_set_limit(dev_runtime_sync_depth, 2) == cuda_abi::error_unsupported_limit);
  CHECK(driver().context_get_limit(&depth, dev_runtime_sync_depth) == cuda_abi::error_unsupported_limit);
}

TEST_CASE("peer access is switched on and off") {
  const primary_context other{1};
  const primary_context context{0};
  CHECK(driver().context_disable_peer_access(other.handle) == cuda_abi::error_peer_access_not_enabled);
  CHECK(driver().context_enable_peer_access(other.handle, 0) == cuda_abi::success);
  CHECK(driver().context_enable_peer_access(other.handle, 0) == cuda_abi::error_peer_access_already_enabled);
  CHECK(driver().context_enable_peer_access(other.handle, 1) == cuda_abi::error_invalid_value);
  CHECK(driver().context_disable_peer_access(other.handle) == cuda_abi::success);
}
