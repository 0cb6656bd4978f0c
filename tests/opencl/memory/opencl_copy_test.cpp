// SPDX-License-Identifier: MIT
// Copies as OpenCL makes them: which commands, what happens midway, beside maps.
#include <support/devices/background.hpp>
#include <support/drivers/blocking_commands.hpp>
#include <support/drivers/platform_name.hpp>
#include <support/rig.hpp>

#include <span>

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

// A blocking write may only promise that the host may use its memory again, and a blocking read may be called a success
// although a command before it failed: where that can be, the command itself is waited for and asked.
YOKE_OPENCL_TEST_CASE("a copy is one driver call, and is waited for besides where that does not wait", "[memory]") {
  rig on(device);
  std::vector<int> host = counting(60);
  ocl::pagelocked_array<int> locked{on.context, 60};
  std::ranges::copy(host, locked.begin());
  ocl::device_allocation<int> memory{on.context, 60}, other{on.context, 60};
  const yoke::box_layout box{.width = 4, .height = 3, .row_pitch = 6};
  using names = std::vector<std::string>;
  const auto followed_by = [](const char* call, names more) {
    more.insert(more.begin(), call);
    return more;
  };
  const auto check = [&](const names& read, const names& write, const names& within) {
    const auto calls = [&](auto act) {
      const std::size_t mark = on.driver.mark();
      act();
      return on.driver.calls(mark);
    };
    CHECK(calls([&] { yoke::copy(host, memory, on.stream); }) == followed_by("enqueue_write_buffer", write));
    CHECK(calls([&] { yoke::copy(locked, memory, on.stream); }) == followed_by("enqueue_write_buffer", write));
    CHECK(calls([&] { yoke::copy(memory, host, on.stream); }) == followed_by("enqueue_read_buffer", read));
    CHECK(calls([&] { yoke::copy(memory.subspan(8, 52), std::span(host).subspan(8), on.stream); }) ==
          followed_by("enqueue_read_buffer", read));
    CHECK(calls([&] { yoke::copy(memory, locked, on.stream); }) == followed_by("enqueue_read_buffer", read));
    CHECK(calls([&] { yoke::copy(memory, other, on.stream); }) == followed_by("enqueue_copy_buffer", within));
    CHECK(host == counting(60));
    CHECK(calls([&] { yoke::copy(memory.subspan(0, 20), memory.subspan(30, 20), on.stream); }) ==
          followed_by("enqueue_copy_buffer", within));
    CHECK(calls([&] { yoke::copy(yoke::strided(host, {.width = 12, .height = 5}), memory, on.stream); }) ==
          followed_by("enqueue_write_buffer", write));  // tight boxes are ranges
    CHECK(calls([&] { yoke::copy(yoke::strided(host, box), yoke::strided(memory, box), on.stream); }) ==
          followed_by("enqueue_write_buffer_rect", write));
    CHECK(calls([&] { yoke::copy(yoke::strided(memory, box), yoke::strided(host, box), on.stream); }) ==
          followed_by("enqueue_read_buffer_rect", read));
    CHECK(host.back() == 60);
  };
  const names nothing, waited{"wait_for_events", "release_event"},
      asked{"wait_for_events", "get_event_info", "release_event"};
  {
    INFO("a driver taken at its word");
    const blocking_commands known(false, false, false);
    check(nothing, nothing, waited);
  }
  {
    INFO("one whose writes may return before they have ended");
    const blocking_commands known(false, false, true);
    check(nothing, waited, waited);
  }
  {
    INFO("one of which nothing is known");
    const blocking_commands known(false, true, true);
    check(asked, asked, asked);
  }
  {
    INFO("user events take part, with which commands fail");
    const blocking_commands known(true, false, false);
    check(asked, asked, asked);
  }
}

YOKE_OPENCL_TEST_CASE("which drivers are taken at their word is known by their platform's name", "[memory]") {
  opencl_interposer driver(raw_opencl());
  const auto seen = [&](const char* platform) {
    name_platform(driver, platform);
    const blocking_commands known(false, false, false);
    const ocl::context context{through(driver, device)};
    return std::pair(known.reads(), known.writes());
  };
  CHECK(seen("Portable Computing Language") == std::pair(false, false));
  CHECK(seen("NVIDIA CUDA") == std::pair(false, true));
  CHECK(seen("Intel(R) OpenCL") == std::pair(true, true));
  CHECK(seen("what nobody has heard of") == std::pair(true, true));
  CHECK(seen("NVIDIA CUDA, or rather a name that is so long that nobody has expected it") == std::pair(true, true));
  driver.fail_function("get_platform_info", 1, fault_mode::once, -6);
  CHECK_THROWS_AS(ocl::context{through(driver, device)}, yoke::error);
}

// What the library relies on: run on a driver that is taken at its word, this says whether it keeps it.
YOKE_OPENCL_TEST_CASE("a blocking command of a driver taken at its word has ended when it returns", "[memory]") {
  const bool is_nvidia = device.summary().platform == "NVIDIA CUDA";
  if (!is_nvidia && !is_pocl(device)) YOKE_SKIP("this driver is asked");
  rig on(device);
  const auto& cl = raw_opencl();
  for (const std::size_t bytes : {std::size_t{4}, std::size_t{4} << 10, std::size_t{1} << 20, std::size_t{16} << 20}) {
    INFO(bytes);
    std::vector<unsigned char> host(bytes, 3);
    const ocl::device_allocation<unsigned char> memory{on.context, bytes};
    const auto ended = [&](auto command) {
      abi::event done = nullptr;
      REQUIRE(command(&done) == 0);
      abi::status status = 1;
      CHECK(cl.get_event_info(done, abi::event_execution_status, sizeof status, &status, nullptr) == 0);
      CHECK(cl.release_event(done) == 0);
      return status == abi::event_complete;
    };
    for (int round = 0; round < 20; ++round) {
      if (!is_nvidia) {
        CHECK(ended([&](abi::event* done) {
          return cl.enqueue_write_buffer(on.stream.native_handle(), memory.native_handle(), 1, 0, bytes, host.data(), 0,
                                         nullptr, done);
        }));
      }
      CHECK(ended([&](abi::event* done) {
        return cl.enqueue_read_buffer(on.stream.native_handle(), memory.native_handle(), 1, 0, bytes, host.data(), 0,
                                      nullptr, done);
      }));
    }
  }
}

namespace {

/// Effects: makes the driver want all rows of a box, gaps included, within the buffer, counted from the origin's row, as NVIDIA's
/// does.
void want_gaps(opencl_interposer& driver) {
  const auto fits = [&driver](abi::memory memory, const std::size_t* origin, std::size_t pitch, std::size_t slice) {
    std::size_t bytes = 0;
    (void)driver.real().get_memory_info(memory, abi::mem_size, sizeof bytes, &bytes, nullptr);
    return origin[1] * pitch + slice <= bytes;
  };
  driver.replace<&abi::functions::enqueue_write_buffer_rect>(
      [&driver, fits](abi::queue queue, abi::memory memory, abi::boolean blocks, const std::size_t* at,
                      const std::size_t* from, const std::size_t* region, std::size_t pitch, std::size_t slice,
                      auto... more) -> abi::status {
        if (!fits(memory, at, pitch, slice)) return abi::invalid_value;
        return driver.real().enqueue_write_buffer_rect(queue, memory, blocks, at, from, region, pitch, slice, more...);
      });
  driver.replace<&abi::functions::enqueue_read_buffer_rect>(
      [&driver, fits](abi::queue queue, abi::memory memory, abi::boolean blocks, const std::size_t* at,
                      const std::size_t* to, const std::size_t* region, std::size_t pitch, std::size_t slice,
                      auto... more) -> abi::status {
        if (!fits(memory, at, pitch, slice)) return abi::invalid_value;
        return driver.real().enqueue_read_buffer_rect(queue, memory, blocks, at, to, region, pitch, slice, more...);
      });
  driver.replace<&abi::functions::enqueue_copy_buffer_rect>(
      [&driver, fits](abi::queue queue, abi::memory source, abi::memory destination, const std::size_t* from,
                      const std::size_t* to, const std::size_t* region, std::size_t pitch, std::size_t slice,
                      std::size_t to_pitch, std::size_t to_slice, auto... more) -> abi::status {
        if (!fits(source, from, pitch, slice) || !fits(destination, to, to_pitch, to_slice)) return abi::invalid_value;
        return driver.real().enqueue_copy_buffer_rect(queue, source, destination, from, to, region, pitch, slice,
                                                      to_pitch, to_slice, more...);
      });
}

}  // namespace

YOKE_OPENCL_TEST_CASE("boxes that end with their last row are copied by drivers that want the gap behind it",
                      "[memory]") {
  rig on(device);
  want_gaps(on.driver);
  const std::vector<int> host = counting(60);
  ocl::device_allocation<int> memory{on.context, 60}, other{on.context, 60};
  struct part {
    yoke::box_layout box;
    bool is_split;
  };
  const part parts[] = {{{.width = 3, .height = 2, .row_pitch = 20, .offset = 33}, false},  // the second row ends at 56
                        {{.width = 3, .height = 2, .row_pitch = 20, .offset = 37}, false},  // at the end
                        {{.width = 3, .height = 2, .row_pitch = 25, .offset = 30}, true},   // the gap ends at 80
                        {{.width = 3, .height = 3, .row_pitch = 28, .offset = 1}, true},    // three rows are 84
                        {{.width = 4, .height = 3, .row_pitch = 28}, true}};
  for (const part& each : parts) {
    CAPTURE(each.box.offset, each.box.row_pitch);
    yoke::fill(memory, 0, on.stream);
    yoke::fill(other, 0, on.stream);
    std::vector<int> expected(60), got(60);
    for (std::size_t row = 0; row < each.box.height; ++row) {
      for (std::size_t x = 0; x < each.box.width; ++x) {
        const std::size_t at = each.box.offset + row * each.box.row_pitch + x;
        expected[at] = host[at];
      }
    }
    const std::size_t mark = on.driver.mark();
    yoke::copy(yoke::strided(host, each.box), yoke::strided(memory, each.box), on.stream);
    yoke::copy(yoke::strided(memory, each.box), yoke::strided(other, each.box), on.stream);
    yoke::copy(yoke::strided(other, each.box), yoke::strided(got, each.box), on.stream);
    for (const char* call : {"enqueue_write_buffer", "enqueue_copy_buffer", "enqueue_read_buffer"}) {
      CHECK(on.driver.count(call, mark) == (each.is_split ? 1 : 0));  // the last row by itself
    }
    CHECK(got == expected);
    CHECK(yoke::to_host(memory, on.stream) == expected);
    CHECK(yoke::to_host(other, on.stream) == expected);
  }
}

// Copies on the device take the whole buffer in a sub-buffer's place: there its boxes begin, and end, elsewhere.
YOKE_OPENCL_TEST_CASE("boxes of sub-buffers that end with their last row are copied by such drivers, too", "[memory]") {
  rig on(device);
  want_gaps(on.driver);
  const std::size_t before = std::max<std::size_t>(on.device.limits().base_alignment_bytes / sizeof(int), 32);
  ocl::device_allocation<int> first{on.context, before + 60}, second{on.context, before + 60}, plain{on.context, 60};
  ocl::sub_buffer<int> read{first, before, 60}, written{second, before, 60};
  const std::vector<int> host = counting(60);
  yoke::copy(host, read, on.stream);
  yoke::copy(host, plain, on.stream);
  const yoke::box_layout box{.width = 3, .height = 2, .row_pitch = 25, .offset = 30};
  std::vector<int> expected(60);
  for (const std::size_t at : std::initializer_list<std::size_t>{30, 31, 32, 55, 56, 57}) expected[at] = host[at];
  const auto check = [&](auto& source, auto& destination) {
    yoke::fill(destination, 0, on.stream);
    const std::size_t mark = on.driver.mark();
    yoke::copy(yoke::strided(source, box), yoke::strided(destination, box), on.stream);
    CHECK(on.driver.count("enqueue_copy_buffer", mark) == 1);  // the last row by itself
    std::vector<int> got(60);
    yoke::copy(destination, got, on.stream);
    CHECK(got == expected);
  };
  check(plain, written);
  check(read, written);
  check(read, plain);
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
