// SPDX-License-Identifier: MIT
// Copies in flight: what they keep alive, when they wait, how they fail.
#include <memory/rig.hpp>
#include <support/background.hpp>

#include <thread>

using namespace yoke_test;

static_assert(!std::is_copy_constructible_v<ocl::transfer>);
static_assert(std::is_nothrow_move_constructible_v<ocl::transfer>);

namespace {

/// A rig whose stream stands still until `go()`.
struct held_rig : rig {
  explicit held_rig(const opencl_device& on) : rig(on) {}
  ~held_rig() { go(); }
  held_rig(const held_rig&) = delete;
  held_rig& operator=(const held_rig&) = delete;

  void hold() {
    gate = ocl::user_event(context);
    held = true;
    stream.wait(gate.as_event());
  }
  void go() {
    if (std::exchange(held, false)) gate.complete();
  }
  void go_soon() {
    later = std::jthread([this] {
      std::this_thread::sleep_for(std::chrono::milliseconds(30));
      go();
    });
  }
  ocl::user_event gate;
  bool held = false;
  std::jthread later;
};

}  // namespace

YOKE_DEVICE_TEST_CASE("a transfer runs by itself and can be waited for", "[memory]") {
  held_rig on(device);
  ocl::pagelocked_array<int> host{on.context, 1000};
  std::iota(host.begin(), host.end(), 0);
  ocl::device_allocation<int> memory{on.context, 1000};
  on.hold();
  ocl::transfer up = yoke::copy_async(host, memory, on.stream);
  CHECK_FALSE(up.is_done());
  CHECK(static_cast<bool>(up.done()));
  on.go();
  up.wait();
  CHECK(up.is_done());
  CHECK_FALSE(static_cast<bool>(up.done()));
  up.wait();  // again does nothing
  std::ranges::fill(host, -1);
  auto down = yoke::copy_async(memory, host, on.stream);
  down.wait();
  CHECK(std::ranges::equal(host, counting(1000, 0)));
}

YOKE_DEVICE_TEST_CASE("a transfer's destructor and assignment wait for it", "[memory]") {
  held_rig on(device);
  ocl::pagelocked_array<int> host{on.context, 1000};
  auto memory = yoke::to_device(counting(1000), on.stream);
  SECTION("destruction") {
    on.hold();
    {
      const ocl::transfer down = yoke::copy_async(memory, host, on.stream);
      on.go_soon();
    }
    CHECK(std::ranges::equal(host, counting(1000)));
  }
  SECTION("assignment") {
    on.hold();
    ocl::transfer down = yoke::copy_async(memory, host, on.stream);
    on.go_soon();
    down = ocl::transfer{};
    CHECK(std::ranges::equal(host, counting(1000)));
  }
  SECTION("a moved-from transfer waits for nothing") {
    on.hold();
    ocl::transfer kept;
    {
      ocl::transfer down = yoke::copy_async(memory, host, on.stream);
      kept = std::move(down);
    }
    CHECK_FALSE(kept.is_done());
    on.go();
  }
}

YOKE_DEVICE_TEST_CASE("a transfer keeps page-locked memory alive until it is done", "[memory]") {
  YOKE_TEST_NEEDS_BACKGROUND();
  held_rig on(device);
  auto memory = yoke::to_device(counting(256), on.stream);
  on.hold();
  SECTION("that was let go of") {
    ocl::pagelocked_array<int> host{on.context, 256};
    std::ranges::fill(host, 5);
    ocl::transfer up = yoke::copy_async(host, memory, on.stream);
    host.reset();
    CHECK(on.driver.count("enqueue_unmap_memory") == 0);
    on.go();
    up.wait();
    CHECK(on.driver.count("enqueue_unmap_memory") == 1);
    CHECK(download(memory, on.stream) == std::vector<int>(256, 5));
  }
  SECTION("that was moved in") {
    ocl::pagelocked_array<int> host{on.context, 256};
    std::ranges::fill(host, 6);
    ocl::transfer up = yoke::copy_async(ocl::pagelocked_array<int>(std::move(host)), memory, on.stream);
    CHECK(on.driver.count("enqueue_unmap_memory") == 0);
    on.go();
    up.wait();
    CHECK(on.driver.count("enqueue_unmap_memory") == 1);
    CHECK(download(memory, on.stream) == std::vector<int>(256, 6));
  }
  SECTION("that is the destination") {
    ocl::transfer down = yoke::copy_async(memory, ocl::pagelocked_array<int>{on.context, 256}, on.stream);
    CHECK(on.driver.count("enqueue_unmap_memory") == 0);
    on.go();
    down.wait();
    CHECK(on.driver.count("enqueue_unmap_memory") == 1);
  }
  SECTION("when it goes on detached") {
    {
      ocl::pagelocked_array<int> host{on.context, 256};
      std::ranges::fill(host, 7);
      ocl::transfer up = yoke::copy_async(host, memory, on.stream);
      up.detach();
      CHECK(up.is_done());  // nothing of it is left here
      up.detach();
    }
    CHECK(on.driver.count("enqueue_unmap_memory") == 0);
    on.go();
    CHECK(download(memory, on.stream) == std::vector<int>(256, 7));
    for (int i = 0; i < 2000 && on.driver.count("enqueue_unmap_memory") == 0; ++i) {
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    CHECK(on.driver.count("enqueue_unmap_memory") == 1);
  }
}

YOKE_DEVICE_TEST_CASE("other streams wait for a transfer on the device", "[memory]") {
  YOKE_TEST_NEEDS_BACKGROUND();
  held_rig on(device);
  const ocl::stream second(on.context);
  ocl::pagelocked_array<int> host{on.context, 64};
  std::ranges::fill(host, 9);
  ocl::device_allocation<int> memory{on.context, 64};
  yoke::fill(memory, 0, on.stream);
  on.hold();
  ocl::transfer up = yoke::copy_async(host, memory, on.stream);
  second.wait(up.done());
  on.go_soon();
  CHECK(download(memory, second) == std::vector<int>(64, 9));
}

YOKE_DEVICE_TEST_CASE("a transfer that fails says so, or tells the cleanup handler once", "[memory]") {
  rig on(device);
  cleanup_recorder recorder;
  ocl::pagelocked_array<int> host{on.context, 16};
  auto memory = yoke::to_device(counting(16), on.stream);
  {
    ocl::transfer down = yoke::copy_async(memory, host, on.stream);
    on.driver.fail_function("wait_for_events", 1, fault_mode::once, -5);
    CHECK_THROWS_AS(down.wait(), yoke::runtime_error);  // while waiting, -5 is a command that failed
    CHECK(cleanup_recorder::take().empty());
  }
  CHECK(cleanup_recorder::take().empty());
  on.driver.disarm();
  {
    const ocl::transfer down = yoke::copy_async(memory, host, on.stream);
    on.driver.fail_function("wait_for_events", 1, fault_mode::once, -5);
  }
  on.driver.disarm();
  const auto failures = cleanup_recorder::take();
  REQUIRE(failures.size() == 1);
  CHECK(failures[0].call == "clWaitForEvents");
  CHECK(failures[0].code == -5);
  // A copy that cannot be started keeps nothing.
  on.driver.fail_function("enqueue_read_buffer", 1, fault_mode::once, -5);
  CHECK_THROWS_AS(yoke::copy_async(memory, host, on.stream), yoke::memory_error);
  host.reset();
  CHECK(on.live().size() == 1);
}

YOKE_DEVICE_TEST_CASE("a transfer that cannot be detached is still its owner's", "[memory]") {
  rig on(device);
  ocl::pagelocked_array<int> host{on.context, 16};
  auto memory = yoke::to_device(counting(16), on.stream);
  ocl::transfer down = yoke::copy_async(memory, host, on.stream);
  on.driver.fail_function("retain_event", 1, fault_mode::once, -6);
  CHECK_THROWS_AS(down.detach(), yoke::memory_error);
  down.wait();
  CHECK(std::ranges::equal(host, counting(16)));
}
