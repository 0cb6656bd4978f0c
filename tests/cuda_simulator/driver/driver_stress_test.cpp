// SPDX-License-Identifier: MIT
// The driver under many threads and random delays, and writes to memory that was freed.
#include <atomic>
#include <cstring>
#include <engine/system/sanitizers.hpp>
#include <fstream>
#include <support/process/child.hpp>
#include <thread>

#include <unistd.h>
#include <cuda_simulator/driver.hpp>

using namespace yoke_test;

namespace {

const std::string add_text = R"(
  extern "C" __global__ void add(int* values, int n, int what) {
    for (int i = threadIdx.x; i < n; i += blockDim.x) values[i] += what;
  }
)";

/// Fills on one stream, adds on another, copies back on the first; events in between. Returns: whether that was in order.
bool relay(cuda_abi::function add, int seed) {
  const test_stream first{cuda_abi::stream_non_blocking}, second{cuda_abi::stream_non_blocking};
  cuda_abi::event filled = nullptr, added = nullptr;
  ok(driver().event_create(&filled, cuda_abi::event_disable_timing));
  ok(driver().event_create(&added, 0));
  const int n = 100;
  const test_pagelocked<int> host{n};
  cuda_abi::device_pointer memory = 0;
  ok(driver().mem_alloc_async(&memory, host.bytes(), first));
  ok(driver().memset_d32_async(memory, static_cast<unsigned>(seed), n, first));
  ok(driver().event_record(filled, first));
  ok(driver().stream_wait_event(second, filled, 0));
  ok(launch_status(add, 1, 32, 0, second, memory, n, 1000));
  ok(driver().event_record(added, second));
  ok(driver().stream_wait_event(first, added, 0));
  ok(driver().memcpy_dtoh_async(host.data(), memory, host.bytes(), first));
  ok(driver().mem_free_async(memory, first));
  ok(driver().event_destroy(filled));
  ok(driver().stream_synchronize(first));
  ok(driver().event_destroy(added));
  return host[0] == seed + 1000 && host[n - 1] == seed + 1000;
}

}  // namespace

TEST_CASE("events keep streams in order whatever the delays") {
  const char* const name = "events keep streams in order whatever the delays";
  if (is_child(name)) {
    const test_library library{add_text};
    const cuda_abi::function add = library.function("add");
    std::atomic<int> good{0};
    std::vector<std::thread> threads;
    for (int each = 0; each < 4; ++each) {
      threads.emplace_back([&, each] {
        for (int round = 0; round < 10; ++round) {
          const primary_context context{(each + round) % 2};  // retained and released over and over
          if (relay(add, each * 100 + round)) ++good;
        }
      });
    }
    for (std::thread& each : threads) each.join();
    CHECK(good == 40);
    return;
  }
  const child_result child = run_child(name, {{"YOKE_SIMULATOR_DELAY_US", "300"}, {"YOKE_SIMULATOR_LEAKS", "fail"}});
  INFO(child.output);
  CHECK(child.status == 0);
}

// The simulator keeps a bounded number of freed blocks to look at later, however small they are.
TEST_CASE("memory that was freed is given back") {
  const char* const name = "memory that was freed is given back";
  if (is_child(name)) {
    const primary_context context;
    const auto resident_pages = [] {
      long all = 0, resident = 0;
      std::ifstream("/proc/self/statm") >> all >> resident;
      return resident;
    };
    cuda_abi::device_pointer memory = 0;
    const long before = resident_pages();
    for (int each = 0; each < 100'000; ++each) {
      ok(driver().mem_alloc(&memory, 4));
      ok(driver().mem_free(memory));
    }
#if defined(YOKE_SIMULATOR_TSAN)
    constexpr long most = 500l << 20;  // with the sanitizer's own four words for each
#else
    constexpr long most = 100l << 20;
#endif
    CHECK((resident_pages() - before) * ::sysconf(_SC_PAGESIZE) < most);
    return;
  }
  if (yoke::simulator::with_address_sanitizer) SUCCEED("AddressSanitizer holds what is freed itself");
  if (yoke::simulator::with_address_sanitizer) return;
  const child_result child = run_child(name, {});
  INFO(child.output);
  CHECK(child.status == 0);
}

TEST_CASE("a write to freed memory by the program ends it") {
  const char* const name = "a write to freed memory by the program ends it";
  if (is_child(name)) {
    const primary_context context;
    cuda_abi::device_pointer memory = 0;
    ok(driver().mem_alloc(&memory, 64));
    CHECK(driver().mem_free(memory) == cuda_abi::success);
    std::memset(reinterpret_cast<void*>(memory + 5), 1, 1);
    return;
  }
  const child_result child = run_child(name, {});
  INFO(child.output);
  CHECK(child.status != 0);
  CHECK_THAT(child.output, ContainsSubstring("SIGSEGV") || ContainsSubstring("heap-use-after-free") ||
                               ContainsSubstring("SEGV on unknown address"));
}
