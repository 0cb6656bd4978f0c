// SPDX-License-Identifier: MIT
// Copies as OpenCL makes them: which commands, what happens midway, beside maps.
#include <support/rig.hpp>

using namespace yoke_test;

YOKE_OPENCL_TEST_CASE("a transfer that cannot be detached is still its owner's", "[memory]") {
  rig on(device);
  ocl::pagelocked_array<int> host{on.context, 16};
  auto memory = yoke::to_device(counting(16), on.stream);
  ocl::transfer down = yoke::copy_async(memory, host, on.stream);
  on.driver.fail_function("retain_event", 1, fault_mode::once, -6);
  CHECK_THROWS_AS(down.detach(), yoke::memory_error);
  down.wait();
  CHECK(std::ranges::equal(host, counting(16)));
}

YOKE_OPENCL_TEST_CASE("copies refuse memory that is mapped", "[memory]") {
  rig on(device);
  ocl::device_allocation<int> memory{on.context, 4};
  std::vector<int> host(4);
  using yoke::errc;
  {
    const auto view = ocl::map(memory, on.stream, ocl::map_write);
    const std::size_t mapped = on.driver.mark();
    CHECK_THAT(refusal<yoke::logic_error>(errc::mapped, [&] { yoke::copy(host, memory, on.stream); }),
               StartsWith("the destination is mapped for the host"));
    CHECK_THAT(refusal<yoke::logic_error>(errc::mapped, [&] { yoke::copy(memory, host, on.stream); }),
               StartsWith("the source is mapped for the host"));
    refusal<yoke::logic_error>(errc::mapped, [&] { yoke::copy(host, yoke::strided(memory, {.width = 4}), on.stream); });
    refusal<yoke::logic_error>(errc::mapped, [&] { yoke::fill(memory, 1, on.stream); });
    CHECK(on.driver.count_all(mapped) == 0);
  }
  yoke::copy(host, memory, on.stream);
}

// A blocking write only promises that the host may use its memory again, and a blocking read may be called a success
// although a command before it failed: so the command itself is waited for and asked.
YOKE_OPENCL_TEST_CASE("a copy is one driver call, and is waited for besides", "[memory]") {
  rig on(device);
  std::vector<int> host = counting(60);
  ocl::device_allocation<int> memory{on.context, 60};
  const auto calls = [&](auto act) {
    const std::size_t mark = on.driver.mark();
    act();
    return on.driver.calls(mark);
  };
  using names = std::vector<std::string>;
  const yoke::box_layout box{.width = 4, .height = 3, .row_pitch = 6};
  CHECK(calls([&] { yoke::copy(host, memory, on.stream); }) ==
        names{"enqueue_write_buffer", "wait_for_events", "get_event_info", "release_event"});
  CHECK(calls([&] { yoke::copy(memory, host, on.stream); }) ==
        names{"enqueue_read_buffer", "wait_for_events", "get_event_info", "release_event"});
  CHECK(calls([&] { yoke::copy(yoke::strided(host, {.width = 12, .height = 5}), memory, on.stream); }) ==
        names{"enqueue_write_buffer", "wait_for_events", "get_event_info", "release_event"});  // tight boxes are ranges
  CHECK(calls([&] { yoke::copy(yoke::strided(host, box), yoke::strided(memory, box), on.stream); }) ==
        names{"enqueue_write_buffer_rect", "wait_for_events", "get_event_info", "release_event"});
  CHECK(calls([&] { yoke::copy(yoke::strided(memory, box), yoke::strided(host, box), on.stream); }) ==
        names{"enqueue_read_buffer_rect", "wait_for_events", "get_event_info", "release_event"});
  const auto between = calls([&] { yoke::copy(memory.subspan(0, 20), memory.subspan(30, 20), on.stream); });
  REQUIRE_FALSE(between.empty());
  CHECK(between.front() == "enqueue_copy_buffer");
  CHECK(std::count(between.begin(), between.end(), "wait_for_events") == 1);
}

YOKE_OPENCL_TEST_CASE("a copy of several commands that is refused midway waits for those before", "[memory]") {
  rig on(device);
  std::vector<int> host = counting(60);
  ocl::device_allocation<int> memory{on.context, 60};
  const yoke::box_layout odd{.width = 3, .height = 4, .depth = 3, .row_pitch = 4, .slice_pitch = 17};
  on.driver.fail_function("enqueue_write_buffer_rect", 2, fault_mode::once, -5);
  std::size_t mark = on.driver.mark();
  CHECK_THROWS_AS(yoke::copy(yoke::strided(host, odd), yoke::strided(memory, odd), on.stream), yoke::memory_error);
  CHECK(on.driver.count("enqueue_write_buffer_rect", mark) == 2);
  CHECK(on.driver.count("finish", mark) == 1);

  if (!on.device.port().svm(on.device.native_handle(), {}).coarse) YOKE_SKIP("this device has no coarse-grained SVM");
  ocl::svm_allocation<int, ocl::svm::coarse> shared{on.context, 60, on.stream};
  on.driver.fail_function("enqueue_svm_copy", 5, fault_mode::once, -5);
  mark = on.driver.mark();
  CHECK_THROWS_AS(yoke::copy(yoke::strided(host, odd), yoke::strided(shared, odd), on.stream), yoke::memory_error);
  CHECK(on.driver.count("finish", mark) == 1);
}
