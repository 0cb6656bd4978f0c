// SPDX-License-Identifier: MIT
// What CUDA's operations ask of the driver: how many calls, nothing left current.
#include <support/devices/devices.hpp>
#include <support/drivers/cuda_interposer.hpp>

using namespace yoke_test;
namespace cu = yoke::cuda;
using names = std::vector<std::string>;

namespace {

constexpr const char* source = R"(
  YOKE_KERNEL add(YOKE_GLOBAL int* a, int n) { int i = (int)get_global_id(0); if (a && i < 8) a[i] += n; })";

}  // namespace

YOKE_CUDA_TEST_CASE("a CUDA launch is one call, a copy one, an ordered allocation and its free two", "[cuda]") {
  cuda_interposer driver(*device.port().table());
  {
    const cu::context context{through(driver, device)};
    const cu::stream stream{context};
    const auto add = yoke::compile(context, source).get_kernel<void(int*, int)>("add");
    cu::device_allocation<int> memory{context, 8};
    cu::pagelocked_array<int> host{context, 8};
    yoke::fill(memory, 0, stream);
    const auto since = [&](auto act) {
      const std::size_t mark = driver.mark();
      act();
      return driver.calls(mark);
    };
    CHECK(since([&] { add(stream, yoke::launch_over(8), memory, 1); }) == names{"launch_kernel"});
    CHECK(since([&] { yoke::fill(memory, 7, stream); }) == names{"memset_d32_async"});
    CHECK(since([&] { yoke::enqueue_copy(host, memory, stream); }) == names{"memcpy_htod_async"});
    CHECK(since([&] { yoke::enqueue_copy(memory, host, stream); }) == names{"memcpy_dtoh_async"});
    CHECK(since([&] { yoke::enqueue_copy(memory.subspan(0, 4), memory.subspan(4, 4), stream); }) ==
          names{"memcpy_dtod_async"});
    cu::event point = stream.record();
    const auto native = point.native_handle();
    CHECK(since([&] { stream.record_into(point); }) == names{"event_record"});
    CHECK(point.native_handle() == native);
    CHECK(since([&] { stream.wait(point); }) == names{"stream_wait_event"});
    const yoke::box_layout box{.width = 2, .height = 2, .row_pitch = 4};
    CHECK(since([&] { yoke::enqueue_copy(yoke::strided(memory, box), yoke::strided(host, box), stream); }) ==
          names{"memcpy_3d_async"});
    {
      const std::size_t mark = driver.mark();
      auto transfer = yoke::copy_async(memory, host, stream);
      CHECK(driver.count("memcpy_dtoh_async", mark) == 1);
      CHECK(driver.count("stream_synchronize", mark) == 0);
      transfer.wait();
    }
    CHECK(since([&] {
            const cu::device_allocation<int> ordered{context, 8, stream};
          }) == names{"mem_alloc_async", "mem_free_async"});
    stream.synchronize();
  }
  CHECK(driver.live().empty());
  CHECK(driver.bad_releases().empty());
}

YOKE_CUDA_TEST_CASE("a copy whose event cannot be made is waited for, one that is refused is told with both sides",
                    "[cuda]") {
  cuda_interposer driver(*device.port().table());
  const cu::context context{through(driver, device)};
  const cu::stream stream{context};
  cu::device_allocation<int> memory{context, 8};
  cu::device_allocation<int> other{context, 8};
  yoke::fill(memory, 1, stream);
  for (const char* call : {"event_create", "event_record"}) {
    CAPTURE(call);
    const std::size_t mark = driver.mark();
    driver.fail_function(call, 1, fault_mode::once, cu::abi::error_out_of_memory);
    CHECK_THROWS_AS(yoke::copy_async(memory, other, stream), yoke::memory_error);
    driver.disarm();
    CHECK(driver.count("memcpy_dtod_async", mark) == 1);
    CHECK(driver.count("stream_synchronize", mark) == 1);  // the caller may free what it copies between
  }
  const auto at = [](const char* side, const auto& of) {
    std::ostringstream text;
    text << side << " of 32 bytes at 0x" << std::hex << of.native_handle();
    return text.str();
  };
  const auto refused = [&](auto&& copy) {
    driver.fail_function("memcpy_dtod_async", 1, fault_mode::once, cu::abi::error_invalid_value);
    try {
      copy();
      FAIL_CHECK("a copy that was refused has thrown nothing");
    } catch (const yoke::error& e) {
      CHECK_THAT(e.what(), ContainsSubstring(at("source", memory)) && ContainsSubstring(at("destination", other)));
    }
    driver.disarm();
  };
  refused([&] { (void)yoke::copy_async(memory, other, stream); });
  refused([&] { yoke::enqueue_copy(memory, other, stream); });
  refused([&] { yoke::copy(memory, other, stream); });
}

YOKE_CUDA_TEST_CASE("no CUDA operation leaves the thread's contexts changed", "[cuda]") {
  cuda_interposer driver(*device.port().table());
  cu::abi::context before = nullptr;
  REQUIRE(driver.real().context_get_current(&before) == 0);
  {
    const cu::context context{through(driver, device)};
    const cu::stream stream{context};
    const cu::device_allocation<int> memory{context, 8};
    const cu::pagelocked_array<int> host{context, 8};
    const auto module = yoke::compile(context, source);
    (void)module.get_kernel<void(int*, int)>("add").limits();
    stream.record_timed().wait();
    CHECK_THROWS_AS(yoke::compile(context, "this is no program"), yoke::compile_error);
    CHECK_THROWS_AS((cu::device_allocation<char>{context, std::size_t{1} << 46}), yoke::memory_error);
  }
  cu::abi::context after = nullptr;
  REQUIRE(driver.real().context_get_current(&after) == 0);
  CHECK(after == before);
  CHECK(driver.count("context_push") == driver.count("context_pop"));
  CHECK(driver.count("context_push") > 0);
  CHECK(driver.count("context_set_current") == 0);
  CHECK(driver.live().empty());
}
