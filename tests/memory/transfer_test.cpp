// SPDX-License-Identifier: MIT
// Copies in flight: what they keep alive, when they wait, how they fail.
#include <support/devices/background.hpp>
#include <support/devices/gate.hpp>
#include <support/rig.hpp>

using namespace yoke_test;

static_assert(!std::is_copy_constructible_v<ocl::transfer>);
static_assert(std::is_nothrow_move_constructible_v<ocl::transfer>);

YOKE_DEVICE_TEST_CASE("a transfer runs by itself and can be waited for", "[memory][held]") {
  rig on(device);
  backend::pagelocked_array<int> host{on.context, 1000};
  std::iota(host.begin(), host.end(), 0);
  backend::device_allocation<int> memory{on.context, 1000};
  gate held{on.stream};
  backend::transfer up = yoke::copy_async(host, memory, on.stream);
  CHECK_FALSE(up.is_done());
  CHECK(static_cast<bool>(up.done()));
  held.open();
  up.wait();
  CHECK(up.is_done());
  CHECK_FALSE(static_cast<bool>(up.done()));
  up.wait();  // again does nothing
  std::ranges::fill(host, -1);
  auto down = yoke::copy_async(memory, host, on.stream);
  down.wait();
  CHECK(std::ranges::equal(host, counting(1000, 0)));
}

YOKE_DEVICE_TEST_CASE("a transfer's destructor and assignment wait for it", "[memory][held]") {
  rig on(device);
  backend::pagelocked_array<int> host{on.context, 1000};
  auto memory = yoke::to_device(counting(1000), on.stream);
  SECTION("destruction") {
    gate held{on.stream};
    std::jthread later;
    {
      const backend::transfer down = yoke::copy_async(memory, host, on.stream);
      later = open_soon(held);
    }
    CHECK(std::ranges::equal(host, counting(1000)));
  }
  SECTION("assignment") {
    gate held{on.stream};
    backend::transfer down = yoke::copy_async(memory, host, on.stream);
    const auto later = open_soon(held);
    down = backend::transfer{};
    CHECK(std::ranges::equal(host, counting(1000)));
  }
  SECTION("a moved-from transfer waits for nothing, and says so when it is asked") {
    backend::transfer kept;
    gate held{on.stream};
    {
      backend::transfer down = yoke::copy_async(memory, host, on.stream);
      kept = std::move(down);
      const auto refused = [](auto use) {
        CHECK_THAT(refusal<yoke::logic_error>(yoke::errc::empty_handle, use),
                   ContainsSubstring("this transfer is empty (moved from") && ContainsSubstring("transfer_test.cpp:"));
      };
      refused([&] { down.wait(); });  // NOLINT: what a moved-from transfer does is the point
      refused([&] { (void)down.is_done(); });
      refused([&] { down.detach(); });
      CHECK_FALSE(static_cast<bool>(down.done()));
      down = backend::transfer{};  // of nothing, but a transfer again
      down.wait();
      CHECK(down.is_done());
      const backend::transfer constructed = std::move(down);
      CHECK(constructed.is_done());
      refused([&] { down.wait(); });
    }
    CHECK_FALSE(kept.is_done());
    held.open();
  }
}

YOKE_DEVICE_TEST_CASE("a transfer keeps page-locked memory alive until it is done", "[memory][held]") {
  YOKE_TEST_NEEDS_BACKGROUND();
  rig on(device);
  auto memory = yoke::to_device(counting(256), on.stream);
  backend::pagelocked_array<int> host{on.context, 256};
  std::ranges::fill(host, 5);
  const auto freed = [&] { return on.driver.count(calls::free_pagelocked); };
  gate held{on.stream};
  SECTION("that was let go of") {
    backend::transfer up = yoke::copy_async(host, memory, on.stream);
    host.reset();
    CHECK(freed() == 0);
    held.open();
    up.wait();
    CHECK(freed() == 1);
    CHECK(download(memory, on.stream) == std::vector<int>(256, 5));
  }
  SECTION("that was moved in") {
    backend::transfer up = yoke::copy_async(backend::pagelocked_array<int>(std::move(host)), memory, on.stream);
    CHECK(freed() == 0);
    held.open();
    up.wait();
    CHECK(freed() == 1);
    CHECK(download(memory, on.stream) == std::vector<int>(256, 5));
  }
  SECTION("that is the destination") {
    backend::transfer down = yoke::copy_async(memory, backend::pagelocked_array<int>(std::move(host)), on.stream);
    CHECK(freed() == 0);
    held.open();
    down.wait();
    CHECK(freed() == 1);
  }
  SECTION("when it goes on detached") {
    {
      backend::transfer up = yoke::copy_async(host, memory, on.stream);
      up.detach();
      CHECK(up.is_done());  // nothing of it is left here
      up.detach();
      host.reset();
    }
    CHECK(freed() == 0);
    held.open();
    CHECK(download(memory, on.stream) == std::vector<int>(256, 5));
    for (int i = 0; i < 2000 && freed() == 0; ++i) std::this_thread::sleep_for(std::chrono::milliseconds(1));
    CHECK(freed() == 1);
  }
}

YOKE_DEVICE_TEST_CASE("other streams wait for a transfer on the device", "[memory][held]") {
  YOKE_TEST_NEEDS_BACKGROUND();
  rig on(device);
  const backend::stream second(on.context);
  backend::pagelocked_array<int> host{on.context, 64};
  std::ranges::fill(host, 9);
  backend::device_allocation<int> memory{on.context, 64};
  yoke::fill(memory, 0, on.stream);
  gate held{on.stream};
  backend::transfer up = yoke::copy_async(host, memory, on.stream);
  second.wait(up.done());
  const auto later = open_soon(held);
  CHECK(download(memory, second) == std::vector<int>(64, 9));
}

YOKE_DEVICE_TEST_CASE("a transfer that fails says so, or tells the cleanup handler once", "[memory][held]") {
  rig on(device);
  cleanup_recorder recorder;
  backend::pagelocked_array<int> host{on.context, 16};
  auto memory = yoke::to_device(counting(16), on.stream);
  {
    backend::transfer down = yoke::copy_async(memory, host, on.stream);
    on.driver.fail_function(calls::wait, 1, fault_mode::once, codes::no_resources);
    CHECK_THROWS_AS(down.wait(), yoke::error);
    CHECK(cleanup_recorder::take().empty());
  }
  CHECK(cleanup_recorder::take().empty());
  on.driver.disarm();
  {
    const backend::transfer down = yoke::copy_async(memory, host, on.stream);
    on.driver.fail_function(calls::wait, 1, fault_mode::once, codes::no_resources);
  }
  on.driver.disarm();
  const auto failures = cleanup_recorder::take();
  REQUIRE(failures.size() == 1);
  CHECK(failures[0].call == Backend::symbol(calls::wait));
  CHECK(failures[0].code == codes::no_resources);
  // A copy that cannot be started keeps nothing.
  on.driver.fail_function(calls::read, 1, fault_mode::once, codes::out_of_memory);
  CHECK_THROWS_AS(yoke::copy_async(memory, host, on.stream), yoke::memory_error);
  host.reset();
  CHECK(on.live().size() == 1);
}

YOKE_DEVICE_TEST_CASE("an enqueued copy is one driver call, and only the stream knows of it", "[memory][held]") {
  rig on(device);
  backend::pagelocked_array<int> host{on.context, 1000};
  std::iota(host.begin(), host.end(), 0);
  backend::device_allocation<int> memory{on.context, 1000};
  backend::device_allocation<int> other{on.context, 1000};
  backend::pagelocked_array<int> back{on.context, 1000};
  std::ranges::fill(back, -1);
  on.stream.synchronize();
  const std::size_t alive = on.live().size();
  {
    gate held{on.stream};
    const std::size_t mark = on.driver.mark();
    yoke::enqueue_copy(host, memory, on.stream);
    yoke::enqueue_copy(memory.span(), other, on.stream);
    yoke::enqueue_copy(other, back, on.stream);
    CHECK(on.driver.calls(mark).size() == 3);
    CHECK(std::ranges::count(back, -1) == 1000);  // all three wait behind the gate
    held.open();
  }
  on.stream.synchronize();
  CHECK(std::ranges::equal(back, counting(1000, 0)));
  CHECK(on.live().size() == alive);
  const std::size_t mark = on.driver.mark();
  backend::device_allocation<int> apart{on.context, 1000};  // no stream is ordered behind the brief one
  yoke::enqueue_copy(host, apart, backend::stream{on.stream.context_of()});
  refusal<yoke::logic_error>(yoke::errc::size_mismatch,
                             [&] { yoke::enqueue_copy(host, memory.subspan(1, 999), on.stream); });
  refusal<yoke::logic_error>(yoke::errc::invalid_argument,
                             [&] { yoke::enqueue_copy(memory.subspan(0, 2), memory.subspan(1, 2), on.stream); });
  on.driver.fail_function(calls::write, 1, fault_mode::once, codes::out_of_memory);
  CHECK_THROWS_AS(yoke::enqueue_copy(host, memory, on.stream), yoke::memory_error);
  on.driver.disarm();
  CHECK(on.driver.count(calls::write, mark) == 2);
  yoke::enqueue_copy(host, memory, on.stream);
  CHECK(download(memory, on.stream) == counting(1000, 0));
}
