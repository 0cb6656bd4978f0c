// SPDX-License-Identifier: MIT
// Memory and events of two processes in the simulated driver: what is shared, what is refused, and what is left behind.
#include <unistd.h>

#include <chrono>
#include <cstring>
#include <cuda_simulator/driver.hpp>
#include <engine/system/sanitizers.hpp>
#include <support/process/child.hpp>
#include <support/process/sent_bytes.hpp>
#include <thread>

using namespace yoke_test;
using Catch::Matchers::ContainsSubstring;

namespace {

constexpr cuda_abi::status invalid = cuda_abi::error_invalid_value;
constexpr cuda_abi::status well = cuda_abi::success;
constexpr unsigned lazily = cuda_abi::ipc_memory_lazy_enable_peer_access;
constexpr unsigned for_others = cuda_abi::event_interprocess | cuda_abi::event_disable_timing;

cuda_abi::ipc_memory_handle exported(cuda_abi::device_pointer pointer) {
  cuda_abi::ipc_memory_handle handle{};
  ok(driver().ipc_get_memory_handle(&handle, pointer));
  return handle;
}

struct test_event {
  explicit test_event(unsigned flags = for_others) { ok(driver().event_create(&handle, flags)); }
  ~test_event() { driver().event_destroy(handle); }
  test_event(const test_event&) = delete;
  test_event& operator=(const test_event&) = delete;
  operator cuda_abi::event() const { return handle; }
  cuda_abi::event handle = nullptr;
};
cuda_abi::ipc_event_handle exported(const test_event& event) {
  cuda_abi::ipc_event_handle handle{};
  ok(driver().ipc_get_event_handle(&handle, event));
  return handle;
}

std::vector<int> ints_at(cuda_abi::device_pointer pointer, std::size_t count) {
  std::vector<int> values(count);
  ok(driver().memcpy_dtoh(values.data(), pointer, count * sizeof(int)));
  return values;
}

void read_byte(void* pipe) {
  char byte = 0;
  while (::read(*static_cast<int*>(pipe), &byte, 1) < 0) continue;
}

// Builds with AddressSanitizer place blocks beside each other, and share none.
bool nothing_is_shared() {
  if (!yoke::simulator::with_address_sanitizer) return false;
  const primary_context context;
  const test_memory memory(4000);
  cuda_abi::ipc_memory_handle handle{};
  CHECK(driver().ipc_get_memory_handle(&handle, memory) == invalid);
  return true;
}

}  // namespace

TEST_CASE("simulator: two processes work on one block, in the order of an event", "[simulator][driver][ipc]") {
  if (nothing_is_shared()) return;
  const char* const name = "simulator: two processes work on one block, in the order of an event";
  const primary_context context;
  const test_stream stream(cuda_abi::stream_non_blocking);
  if (is_child(name)) {
    cuda_abi::event written = nullptr, answered = nullptr;
    ok(driver().ipc_open_event_handle(&written, sent_by<cuda_abi::ipc_event_handle>("YOKE_TEST_IPC_WRITTEN")));
    ok(driver().ipc_open_event_handle(&answered, sent_by<cuda_abi::ipc_event_handle>("YOKE_TEST_IPC_ANSWERED")));
    CHECK(driver().event_query(answered) == well);  // recorded by nobody
    cuda_abi::device_pointer memory = 0;
    ok(driver().ipc_open_memory_handle(&memory, sent_by<cuda_abi::ipc_memory_handle>("YOKE_TEST_IPC_MEMORY"), lazily));
    CHECK(ints_at(memory, 1000) == std::vector<int>(1000, 7));
    CHECK(driver().event_query(written) == cuda_abi::error_not_ready);
    // A stream that waits, too, holds back what comes behind.
    ok(driver().stream_wait_event(stream, written, 0));
    ok(driver().memset_d32_async(memory + 4 * 500, 9, 500, stream));
    ok(driver().event_record(answered, stream));
    std::this_thread::sleep_for(std::chrono::milliseconds(30));  // time enough for what does not wait
    CHECK(driver().event_query(answered) == cuda_abi::error_not_ready);
    CHECK(::write(std::atoi(std::getenv("YOKE_TEST_IPC_PIPE")), "x", 1) == 1);  // the parent's stream goes on
    CHECK(driver().event_synchronize(written) == well);
    CHECK(driver().event_query(written) == well);
    CHECK(driver().event_synchronize(answered) == well);
    std::vector<int> expected(1000, 8);
    std::fill(expected.begin() + 500, expected.end(), 9);
    CHECK(ints_at(memory, 1000) == expected);
    CHECK(driver().ipc_close_memory_handle(memory) == well);
    CHECK(driver().event_destroy(written) == well);
    CHECK(driver().event_destroy(answered) == well);
    return;
  }
  const test_memory memory(4000);
  ok(driver().memset_d32(memory, 7, 1000));
  const std::string block = hex(exported(memory));
  const test_event written, answered;
  int pipe[2] = {-1, -1};
  REQUIRE(::pipe(pipe) == 0);
  ok(driver().launch_host_function(stream, read_byte, pipe));
  ok(driver().memset_d32_async(memory, 8, 1000, stream));
  ok(driver().event_record(written, stream));
  const test_stream waiter(cuda_abi::stream_non_blocking);
  const auto events = std::pair(hex(exported(written)), hex(exported(answered)));
  CHECK(driver().event_query(written) == cuda_abi::error_not_ready);
  const child_result child = run_child(name, {{"YOKE_TEST_IPC_MEMORY", block},
                                              {"YOKE_TEST_IPC_WRITTEN", events.first},
                                              {"YOKE_TEST_IPC_ANSWERED", events.second},
                                              {"YOKE_TEST_IPC_PIPE", std::to_string(pipe[1])}});
  INFO(child.output);
  CHECK(child.status == 0);
  CHECK(driver().event_query(answered) == well);  // of the child
  ok(driver().stream_wait_event(waiter, answered, 0));
  ok(driver().stream_synchronize(waiter));
  ok(driver().event_synchronize(answered));
  ok(driver().stream_synchronize(stream));
  CHECK(ints_at(memory, 1000)[0] == 8);
  CHECK(ints_at(memory, 1000)[999] == 9);
  ::close(pipe[0]);
  ::close(pipe[1]);
}

TEST_CASE("simulator: a block moves into its file with what streams write to it meanwhile",
          "[simulator][driver][ipc]") {
  if (nothing_is_shared()) return;
  const primary_context context;
  const test_stream stream(cuda_abi::stream_non_blocking);
  constexpr unsigned count = 16 << 20, writes = 16384, step = count / writes;  // 64 MiB, which take a while to move
  const test_memory memory(count * sizeof(int));
  ok(driver().memset_d32(memory, 0, count));
  ok(driver().context_synchronize());  // other streams do not wait for the fill
  const auto write_each = [&](unsigned first) {
    for (unsigned each = 0; each < writes; ++each) {
      ok(driver().memset_d32_async(memory + 4 * (each * step + first), each + 1, 1, stream));
    }
  };
  int pipe[2] = {-1, -1};
  REQUIRE(::pipe(pipe) == 0);
  ok(driver().launch_host_function(stream, read_byte, pipe));
  write_each(0);
  REQUIRE(::write(pipe[1], "x", 1) == 1);
  const std::string handle = hex(exported(memory));  // behind what the stream holds
  write_each(1);
  ok(driver().context_synchronize());
  const std::vector<int> found = ints_at(memory, count);
  int lost = 0;
  for (unsigned each = 0; each < writes; ++each) {
    const int value = static_cast<int>(each + 1);
    if (found[each * step] != value || found[each * step + 1] != value) ++lost;
  }
  CHECK(lost == 0);
  ::close(pipe[0]);
  ::close(pipe[1]);
  CHECK(hex(exported(memory + 400)) == handle);  // any address of it, any number of times
  // What stands around the block has moved along.
  const cuda_abi::device_pointer behind = memory + count * sizeof(int);
  CHECK(driver().memset_d32(behind - 4, 1, 2) == invalid);
}

TEST_CASE("simulator: another process opens and closes memory as often, and in one context",
          "[simulator][driver][ipc]") {
  if (nothing_is_shared()) return;
  const char* const name = "simulator: another process opens and closes memory as often, and in one context";
  const primary_context context;
  if (is_child(name)) {
    const auto handle = sent_by<cuda_abi::ipc_memory_handle>("YOKE_TEST_IPC_MEMORY");
    const auto freed = sent_by<cuda_abi::ipc_memory_handle>("YOKE_TEST_IPC_FREED");
    cuda_abi::device_pointer memory = 0, again = 0, other = 0;
    CHECK(driver().ipc_open_memory_handle(&memory, freed, lazily) == invalid);
    CHECK(driver().ipc_open_memory_handle(&memory, handle, 0) == invalid);
    CHECK(driver().ipc_open_memory_handle(nullptr, handle, lazily) == invalid);
    std::size_t before = 0, after = 0, all = 0;
    ok(driver().mem_get_info(&before, &all));
    ok(driver().ipc_open_memory_handle(&memory, handle, lazily));
    ok(driver().mem_get_info(&after, &all));
    CHECK(before == after);  // it counts where it was made
    ok(driver().ipc_open_memory_handle(&again, handle, lazily));
    CHECK(memory == again);
    {
      const primary_context second(1);
      CHECK(driver().ipc_open_memory_handle(&other, handle, lazily) == cuda_abi::error_already_mapped);
    }
    CHECK(driver().mem_free(memory) == invalid);
    cuda_abi::ipc_memory_handle onwards{};
    CHECK(driver().ipc_get_memory_handle(&onwards, memory) == invalid);
    cuda_abi::device_pointer base = 0;
    std::size_t bytes = 0;
    ok(driver().mem_get_address_range(&base, &bytes, memory + 40));
    CHECK(base == memory);
    CHECK(bytes == 4000);
    CHECK(driver().memset_d32(memory + 3996, 1, 2) == invalid);  // beyond its end
    CHECK(driver().ipc_close_memory_handle(memory + 4) == invalid);
    CHECK(driver().ipc_close_memory_handle(memory) == well);
    CHECK(ints_at(memory, 1000) == std::vector<int>(1000, 7));
    CHECK(driver().ipc_close_memory_handle(memory) == well);
    CHECK(driver().ipc_close_memory_handle(memory) == invalid);
    CHECK(driver().memset_d32(memory, 1, 1) == invalid);
    // A context takes along what is left open in it.
    cuda_abi::context created = nullptr;
    ok(driver().context_create(&created, 0, 0));
    ok(driver().ipc_open_memory_handle(&memory, handle, lazily));
    ok(driver().context_destroy(created));
    CHECK(driver().memset_d32(memory, 1, 1) != well);
    CHECK(driver().ipc_close_memory_handle(memory) == invalid);  // and is no leak then
    ok(driver().ipc_open_memory_handle(&memory, handle, lazily));
    CHECK(driver().ipc_close_memory_handle(memory) == well);
    return;
  }
  std::string freed;
  {
    const test_memory gone(4000);
    freed = hex(exported(gone));
  }
  const test_memory memory(4000);  // its file has the descriptor of the one that is gone
  ok(driver().memset_d32(memory, 7, 1000));
  const child_result child = run_child(name, {{"YOKE_TEST_IPC_MEMORY", hex(exported(memory))},
                                              {"YOKE_TEST_IPC_FREED", freed},
                                              {"YOKE_SIMULATOR_LEAKS", "fail"}});
  INFO(child.output);
  CHECK(child.status == 0);
  CHECK(ints_at(memory, 1000) == std::vector<int>(1000, 7));
}

TEST_CASE("simulator: memory of another process that is left open is a leak", "[simulator][driver][ipc]") {
  if (nothing_is_shared()) return;
  const char* const name = "simulator: memory of another process that is left open is a leak";
  const primary_context context;
  if (is_child(name)) {
    cuda_abi::device_pointer memory = 0;
    ok(driver().ipc_open_memory_handle(&memory, sent_by<cuda_abi::ipc_memory_handle>("YOKE_TEST_IPC_MEMORY"), lazily));
    CHECK(driver().mem_free(memory) == invalid);
    return;
  }
  const test_memory memory(4000);
  const child_result child =
      run_child(name, {{"YOKE_TEST_IPC_MEMORY", hex(exported(memory))}, {"YOKE_SIMULATOR_LEAKS", "fail"}});
  CHECK(child.status == 99);
  CHECK_THAT(child.output, ContainsSubstring("leak: memory of another process, 4000 bytes"));
}

TEST_CASE("simulator: a process refuses its own handles, and bytes that are none", "[simulator][driver][ipc]") {
  const primary_context context;
  const test_event event;
  const cuda_abi::ipc_event_handle of_event = exported(event);
  cuda_abi::event opened = nullptr;
  CHECK(driver().ipc_open_event_handle(&opened, of_event) == cuda_abi::error_invalid_context);
  for (std::size_t each = 0; each < sizeof of_event.bytes; ++each) {
    cuda_abi::ipc_event_handle changed = of_event;
    changed.bytes[each] = static_cast<char>(changed.bytes[each] ^ 0x10);
    INFO(each);
    CHECK(driver().ipc_open_event_handle(&opened, changed) == invalid);
  }
  CHECK(driver().ipc_open_event_handle(&opened, {}) == invalid);
  CHECK(driver().ipc_open_event_handle(nullptr, of_event) == invalid);
  CHECK(opened == nullptr);
  cuda_abi::device_pointer memory = 0;
  cuda_abi::ipc_memory_handle wrong_kind{};
  std::memcpy(wrong_kind.bytes, of_event.bytes, sizeof wrong_kind.bytes);
  CHECK(driver().ipc_open_memory_handle(&memory, wrong_kind, lazily) == invalid);
  if (nothing_is_shared()) return;
  const test_memory block(4000);
  const cuda_abi::ipc_memory_handle of_block = exported(block);
  CHECK(driver().ipc_open_memory_handle(&memory, of_block, lazily) == cuda_abi::error_invalid_context);
  for (std::size_t each = 0; each < sizeof of_block.bytes; ++each) {
    cuda_abi::ipc_memory_handle changed = of_block;
    changed.bytes[each] = static_cast<char>(changed.bytes[each] ^ 0x01);
    INFO(each);
    CHECK(driver().ipc_open_memory_handle(&memory, changed, lazily) == invalid);
  }
  CHECK(memory == 0);
}

TEST_CASE("simulator: what cannot be opened by others gives no handle", "[simulator][driver][ipc]") {
  const primary_context context;
  const test_stream stream;
  cuda_abi::ipc_memory_handle handle{};
  const auto is_capable = [](cuda_abi::device_pointer memory) {
    int capable = -1;
    ok(driver().pointer_get_attribute(&capable, cuda_abi::pointer_attribute::is_legacy_cuda_ipc_capable, memory));
    return capable;
  };
  cuda_abi::device_pointer ordered = 0, managed = 0;
  ok(driver().mem_alloc_async(&ordered, 4000, stream));
  ok(driver().mem_alloc_managed(&managed, 4000, cuda_abi::attach_global));
  const test_pagelocked<int> host(1000);
  for (const cuda_abi::device_pointer each :
       {ordered, managed, static_cast<cuda_abi::device_pointer>(reinterpret_cast<std::uintptr_t>(host.data()))}) {
    CHECK(is_capable(each) == 0);
    CHECK(driver().ipc_get_memory_handle(&handle, each) == invalid);
  }
  CHECK(driver().ipc_get_memory_handle(&handle, 0) == invalid);
  CHECK(driver().ipc_close_memory_handle(managed) == invalid);
  ok(driver().mem_free_async(ordered, stream));
  ok(driver().mem_free(managed));
  ok(driver().stream_synchronize(stream));
  {
    const test_memory plain(4000);
    CHECK(is_capable(plain) == (yoke::simulator::with_address_sanitizer ? 0 : 1));
    CHECK(driver().ipc_get_memory_handle(nullptr, plain) == invalid);
    const primary_context other(1);
    CHECK(driver().ipc_get_memory_handle(&handle, plain) == invalid);  // another device's
  }
  cuda_abi::event event = nullptr;
  CHECK(driver().event_create(&event, cuda_abi::event_interprocess) == invalid);  // it would have times
  const test_event own(cuda_abi::event_disable_timing);
  cuda_abi::ipc_event_handle of_event{};
  CHECK(driver().ipc_get_event_handle(&of_event, own) == cuda_abi::error_invalid_handle);
  const test_event shared;
  CHECK(driver().ipc_get_event_handle(nullptr, shared) == invalid);
}

TEST_CASE("simulator: an event is recorded over and over, and waits outlive its handle", "[simulator][driver][ipc]") {
  const primary_context context;
  const test_stream stream(cuda_abi::stream_non_blocking), other(cuda_abi::stream_non_blocking);
  const test_memory memory(4);
  cuda_abi::event event = nullptr;
  ok(driver().event_create(&event, for_others));
  CHECK(driver().event_query(event) == well);
  for (unsigned each = 1; each <= 500; ++each) {
    ok(driver().memset_d32_async(memory, each, 1, stream));
    ok(driver().event_record(event, stream));
    if (each % 100 != 0) continue;
    ok(driver().stream_wait_event(other, event, 0));
    ok(driver().stream_synchronize(other));
    CHECK(driver().event_query(event) == well);
    CHECK(ints_at(memory, 1)[0] == static_cast<int>(each));
  }
  ok(driver().event_destroy(event));
  ok(driver().stream_synchronize(stream));
}

TEST_CASE("simulator: nobody waits for ever for a process that has ended", "[simulator][driver][ipc]") {
  const char* const name = "simulator: nobody waits for ever for a process that has ended";
  const primary_context context;
  const test_stream stream;
  if (is_child(name)) {
    cuda_abi::event event = nullptr;
    ok(driver().ipc_open_event_handle(&event, sent_by<cuda_abi::ipc_event_handle>("YOKE_TEST_IPC_EVENT")));
    int pipe[2] = {-1, -1};
    REQUIRE(::pipe(pipe) == 0);
    ok(driver().launch_host_function(stream, read_byte, pipe));  // for ever
    ok(driver().event_record(event, stream));
    std::puts("recorded");
    std::fflush(stdout);
    ::_exit(0);
  }
  const test_event event;
  const child_result child = run_child(name, {{"YOKE_TEST_IPC_EVENT", hex(exported(event))}});
  CHECK_THAT(child.output, ContainsSubstring("recorded"));
  CHECK(driver().event_query(event) == cuda_abi::error_not_ready);
  captured_stderr said;
  CHECK(driver().event_synchronize(event) == well);
  CHECK_THAT(said.finish(), ContainsSubstring("ended before its stream came to an event"));
}
