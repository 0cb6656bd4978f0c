// SPDX-License-Identifier: MIT
// Copies of ordinary host memory through page-locked blocks: right in every size, in order, bounded, given back, switchable.
#include <support/rig.hpp>

#include <yoke/cuda.hpp>

#include <chrono>
#include <cstdio>
#include <numeric>
#include <thread>

using namespace yoke_test;
namespace cu = yoke::cuda;

namespace {

/// Small enough for a test: blocks of 64 bytes from 128 bytes on.
constexpr yoke::staging_options tiny(unsigned threads) {
  return {.from_bytes = 128, .block_bytes = 64, .threads = threads};
}

}  // namespace

YOKE_DEVICE_TEST_CASE("staged copies give the bytes that plain ones do", "[memory][staging]") {
  rig on(device);
  for (const unsigned threads : {1U, 2U, 3U, 7U}) {
    yoke::set_staging(on.context, tiny(threads));
    // around the threshold, whole blocks, a block more and less, and more blocks than there are
    for (const std::size_t size : {31U, 32U, 33U, 48U, 64U, 65U, 127U, 160U, 1000U, 4099U}) {
      const std::vector<int> host = counting(size);
      std::vector<int> back(size + 2, -1);
      backend::device_allocation<int> memory{on.context, size + 8};
      yoke::fill(memory, -7, on.stream);  // the copy comes after it
      yoke::copy(host, memory.subspan(3, size), on.stream);
      yoke::copy(memory.subspan(3, size), std::span(back).subspan(1, size), on.stream);
      CHECK(back.front() == -1);
      CHECK(back.back() == -1);
      CHECK(std::equal(host.begin(), host.end(), back.begin() + 1));
      std::vector<int> around(size + 8);
      yoke::set_staging(on.context, {.enabled = false});
      yoke::copy(memory, around, on.stream);
      CHECK(std::count(around.begin(), around.begin() + 3, -7) == 3);
      CHECK(std::count(around.end() - 5, around.end(), -7) == 5);
      CHECK(std::equal(host.begin(), host.end(), around.begin() + 3));
      yoke::set_staging(on.context, tiny(threads));
    }
  }
  CHECK(on.live().empty());
}

TEST_CASE("the blocks of a staged copy have 16 MiB at most, however large it is", "[memory][staging]") {
  for (const std::size_t mebi : std::initializer_list<std::size_t>{32, 100, 1024, std::size_t{1} << 24}) {
    const auto plan = yoke::detail::plan_staging(mebi << 20, {});
    CHECK(plan.threads <= 8);
    CHECK(plan.blocks == 2 * plan.threads);
    CHECK(plan.blocks * plan.block_bytes <= std::size_t{16} << 20);
  }
}

YOKE_DEVICE_TEST_CASE("staging is for contexts, and has limits", "[memory][staging]") {
  rig on(device);
  CHECK(yoke::staging_of(on.context) == yoke::staging_options{});
  CHECK(yoke::staging_of(on.context).enabled);
  CHECK(yoke::staging_of(on.context).from_bytes == 64U << 20);
  const yoke::staging_options mine{.enabled = false, .from_bytes = 5, .block_bytes = 6, .threads = 7};
  yoke::set_staging(on.context, mine);
  CHECK(yoke::staging_of(on.context) == mine);
  using yoke::errc;
  CHECK_THAT(
      refusal<yoke::logic_error>(errc::invalid_argument, [&] { yoke::set_staging(on.context, {.threads = 65}); }),
      ContainsSubstring("staging by 65 threads: at most 64"));
  CHECK_THAT(
      refusal<yoke::logic_error>(errc::invalid_argument,
                                 [&] { yoke::set_staging(on.context, {.block_bytes = (std::size_t{1} << 30) + 1}); }),
      ContainsSubstring("blocks of 1073741825 bytes: at most 1073741824"));
  CHECK(yoke::staging_of(on.context) == mine);
  const auto none = backend::context::none();
  refusal<yoke::logic_error>(errc::empty_handle, [&] { yoke::set_staging(none, mine); });
}

YOKE_CUDA_TEST_CASE("a staged copy is as many transfers as pieces, by one allocation that is given back",
                    "[cuda][memory][staging]") {
  rig on(device);
  const std::vector<int> host = counting(100);  // 400 bytes: 7 pieces of 64
  std::vector<int> back(100);
  cu::device_allocation<int> memory{on.context, 100};
  yoke::set_staging(on.context, tiny(2));
  const std::vector<std::string> before = on.live();
  std::size_t mark = on.driver.mark();
  yoke::copy(host, memory, on.stream);
  CHECK(on.driver.count("memcpy_htod_async", mark) == 7);
  CHECK(on.driver.count("mem_host_register", mark) == 1);
  CHECK(on.driver.count("mem_host_unregister", mark) == 1);
  CHECK(on.driver.count("event_create", mark) == 4);  // two blocks a thread
  CHECK(on.live() == before);
  mark = on.driver.mark();
  yoke::copy(memory, back, on.stream);
  CHECK(on.driver.count("memcpy_dtoh_async", mark) == 7);
  CHECK(on.driver.count("mem_host_register", mark) == 1);
  CHECK(on.live() == before);
  CHECK(back == host);

  yoke::set_staging(on.context, {.enabled = false});
  mark = on.driver.mark();
  yoke::copy(host, memory, on.stream);
  CHECK(on.driver.count("memcpy_htod_async", mark) == 1);
  CHECK(on.driver.count("mem_host_register", mark) == 0);
  yoke::set_staging(on.context, {});  // and small copies are the driver's from the start
  mark = on.driver.mark();
  yoke::copy(host, memory, on.stream);
  CHECK(on.driver.count("memcpy_htod_async", mark) == 1);
  CHECK(on.driver.count("mem_host_register", mark) == 0);
}

YOKE_CUDA_TEST_CASE("what copies ordinary host memory is staged", "[cuda][memory][staging]") {
  rig on(device);
  yoke::set_staging(on.context, tiny(2));
  const std::vector<int> host = counting(100);
  std::size_t mark = on.driver.mark();
  const auto memory = yoke::to_device(host, on.stream);
  CHECK(on.driver.count("memcpy_htod_async", mark) == 7);
  mark = on.driver.mark();
  CHECK(yoke::to_host(memory, on.stream) == host);
  CHECK(on.driver.count("memcpy_dtoh_async", mark) == 7);
}

YOKE_CUDA_TEST_CASE("memory that the driver copies at full speed is not staged", "[cuda][memory][staging]") {
  rig on(device);
  yoke::set_staging(on.context, tiny(2));
  cu::device_allocation<int> memory{on.context, 100};
  cu::pagelocked_array<int> locked{on.context, 100};
  std::iota(locked.begin(), locked.end(), 1);
  std::vector<int> registered = counting(100);
  const cu::registered_memory<int> pinned{on.context, std::span(registered)};
  std::size_t mark = on.driver.mark();
  yoke::copy(locked, memory, on.stream);
  yoke::copy(std::span<const int>(locked.data(), 100), memory, on.stream);  // its type says nothing
  yoke::copy(registered, memory, on.stream);
  CHECK(on.driver.count("memcpy_htod_async", mark) == 3);
  CHECK(on.driver.count("mem_host_register", mark) == 0);
  mark = on.driver.mark();
  std::vector<int> rows(100);
  yoke::copy(yoke::strided(memory, {.width = 40, .height = 2, .row_pitch = 50}),
             yoke::strided(rows, {.width = 40, .height = 2, .row_pitch = 50}), on.stream);
  CHECK(on.driver.count("mem_host_register", mark) == 0);  // boxes are the driver's
}

YOKE_CUDA_TEST_CASE("without memory for the blocks the driver copies alone", "[cuda][memory][staging]") {
  rig on(device);
  yoke::set_staging(on.context, tiny(2));
  const std::vector<int> host = counting(100);
  cu::device_allocation<int> memory{on.context, 100};
  on.driver.fail_function("mem_host_register", 1, fault_mode::once, 2);
  const std::size_t mark = on.driver.mark();
  yoke::copy(host, memory, on.stream);
  CHECK(on.driver.injections().size() == 1);
  CHECK(on.driver.count("memcpy_htod_async", mark) == 1);
  CHECK(download(memory, on.stream) == host);
}

YOKE_CUDA_TEST_CASE("copies in default streams and by several threads are staged", "[cuda][memory][staging]") {
  rig on(device);
  yoke::set_staging(on.context, tiny(2));
  for (const cu::stream& each : {cu::legacy_stream(on.context), cu::per_thread_stream(on.context)}) {
    const auto active = on.context.activate();
    cu::device_allocation<int> memory{on.context, 100};
    const std::size_t mark = on.driver.mark();
    yoke::copy(counting(100), memory, each);
    CHECK(on.driver.count("memcpy_htod_async", mark) == 7);
    CHECK(yoke::to_host(memory, each) == counting(100));
  }
  std::vector<std::thread> threads;
  std::atomic<int> right{0};
  for (int i = 0; i < 4; ++i) {
    threads.emplace_back([&, i] {
      const cu::stream own{on.context};
      const std::vector<int> host = counting(500, i);
      const auto memory = yoke::to_device(host, own);
      right += yoke::to_host(memory, own) == host ? 1 : 0;
    });
  }
  for (auto& each : threads) each.join();
  CHECK(right == 4);
}

// Prints what the blocks bring on a GPU: yoke_tests "[measure]"
YOKE_CUDA_TEST_CASE("speed of large copies of ordinary host memory", "[.][measure]") {
  const cu::context context(device);
  const cu::stream stream(context);
  constexpr std::size_t mib = std::size_t{1} << 20;
  const auto* const table = context.port().table();
  const auto active = context.activate();
  std::vector<char> host(1024 * mib, 'a');
  cu::device_allocation<char> memory{context, host.size()};
  const auto best = [&](std::size_t bytes, auto&& act) {
    double seconds = 1e9;
    for (int round = 0; round < 5; ++round) {
      const auto start = std::chrono::steady_clock::now();
      act();
      seconds = std::min(seconds, std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
    }
    return static_cast<double>(bytes) / seconds / 1e9;
  };
  std::printf("%u threads of the machine; GB/s, best of 5\n", std::thread::hardware_concurrency());
  for (const std::size_t bytes : {16 * mib, 32 * mib, 64 * mib, 128 * mib, 256 * mib, 1024 * mib}) {
    const std::span<char> part(host.data(), bytes);
    auto there = memory.subspan(0, bytes);
    const auto native = memory.native_handle();
    const double raw_up = best(bytes, [&] { REQUIRE(table->memcpy_htod(native, host.data(), bytes) == 0); });
    const double raw_down = best(bytes, [&] { REQUIRE(table->memcpy_dtoh(host.data(), native, bytes) == 0); });
    yoke::set_staging(context, {.enabled = false});
    const double plain_up = best(bytes, [&] { yoke::copy(part, there, stream); });
    const double plain_down = best(bytes, [&] { yoke::copy(there, part, stream); });
    std::printf("%5zu MiB  raw up %6.2f down %6.2f   unstaged up %6.2f down %6.2f\n", bytes / mib, raw_up, raw_down,
                plain_up, plain_down);
    for (const unsigned threads : {0U, 4U, 8U, 12U, 16U}) {
      for (const std::size_t block : {std::size_t{0}, mib / 4, mib / 2, mib, 2 * mib, 4 * mib}) {
        if (threads == 0 && block != 0) continue;
        yoke::set_staging(context, {.from_bytes = 1, .block_bytes = block, .threads = threads});
        const double up = best(bytes, [&] { yoke::copy(part, there, stream); });
        const double down = best(bytes, [&] { yoke::copy(there, part, stream); });
        std::printf("    staged by %2u threads, blocks of %4zu KiB: up %6.2f down %6.2f%s\n", threads, block / 1024, up,
                    down, threads == 0 ? "   (as it comes)" : "");
        CHECK(up > 0);
      }
    }
  }
}
