// SPDX-License-Identifier: MIT
// CUDA's contexts, streams and events: nothing is left current, any thread will do, time passes between events.
#include <support/devices.hpp>

#include <chrono>
#include <thread>

using namespace yoke_test;
namespace cu = yoke::cuda;

namespace {

cu::abi::context current(const cu::port& port) {
  cu::abi::context now = nullptr;
  REQUIRE(port.table()->context_get_current(&now) == 0);
  return now;
}

}  // namespace

YOKE_CUDA_TEST_CASE("a context is the primary one, retained and never left current", "[cuda]") {
  const cu::abi::context before = current(device.port());
  unsigned flags = 0;
  int active = 0;
  {
    const cu::context context{device};
    const cu::context same{device};
    CHECK(context == same);
    CHECK(context.native_handle() != nullptr);
    CHECK(context.devices().size() == 1);
    CHECK(context.only_device() == device);
    const cu::stream stream{context};
    cu::device_allocation<int> memory{context, 100};
    stream.record().wait();
    CHECK(current(device.port()) == before);
    REQUIRE(device.port().table()->primary_context_get_state(device.native_handle(), &flags, &active) == 0);
    CHECK(active == 1);
  }
  CHECK(current(device.port()) == before);
}

YOKE_CUDA_TEST_CASE("a created context is adopted, borrowed and destroyed", "[cuda]") {
  const auto& driver = *device.port().table();
  cu::abi::context native = nullptr;
  REQUIRE(driver.context_create(&native, cu::abi::context_sched_auto, device.native_handle()) == 0);
  cu::abi::context popped = nullptr;
  REQUIRE(driver.context_pop(&popped) == 0);
  {
    const cu::context borrowed = cu::context::borrow(device.port(), native);
    CHECK(borrowed.only_device() == device);
    CHECK_FALSE(borrowed == cu::context{device});
    const cu::stream stream{borrowed};
    stream.synchronize();
  }
  {
    const cu::context adopted = cu::context::adopt(device.port(), native);
    const cu::stream stream{adopted};
    cu::device_allocation<float> memory{adopted, 10};
    yoke::fill(memory, 1.0F, stream);
    stream.synchronize();
    CHECK(current(device.port()) != native);
  }
}

YOKE_CUDA_TEST_CASE("handles are made, used and ended on any thread in any order", "[cuda]") {
  cu::stream stream;
  cu::device_allocation<int> memory;
  cu::pagelocked_array<int> host;
  cu::event point;
  std::thread([&] {
    const cu::context context{device};
    stream = cu::stream{context, {.non_blocking = true, .priority = -1}};
    memory = cu::device_allocation<int>{context, 1000};
    host = cu::pagelocked_array<int>{context, 1000};
    yoke::fill(memory, 7, stream);
    point = stream.record();
  }).join();
  point.wait();
  yoke::copy(memory, host, stream);
  CHECK(host[999] == 7);
  std::thread([&] {
    stream.reset();
    memory.reset();
    host.reset();
    point.reset();
  }).join();
  CHECK_FALSE(static_cast<bool>(stream));
}

YOKE_CUDA_TEST_CASE("streams wait for events of others, and time passes between timed events", "[cuda]") {
  const cu::context context{device};
  const cu::stream first{context}, second{context};
  CHECK(first.has_timing());
  cu::device_allocation<int> memory{context, 1 << 20};
  const cu::timed_event start = first.record_timed();
  yoke::fill(memory, 1, first);
  const cu::timed_event stop = first.record_timed();
  second.wait({start, stop});
  const cu::event behind = second.record();
  behind.wait();
  CHECK(stop.is_done());
  CHECK(stop.time_since(start).count() > 0);
  const auto until = std::chrono::steady_clock::now() + std::chrono::seconds(10);
  bool idle = second.is_done();  // looks for a millisecond at most
  while (!idle && std::chrono::steady_clock::now() < until) idle = second.is_done();
  CHECK(idle);
  static_assert(!yoke::profiling_port<cu::port>);
  bool told = false;
  behind.on_complete([&](yoke::event_status status) { told = status == yoke::event_status::complete; });
  const cu::event adopted = cu::event::adopt(context, first.record().release());
  adopted.wait();
  CHECK(adopted.status() == yoke::event_status::complete);
}

YOKE_CUDA_TEST_CASE("a borrowed stream is left alone, an adopted one ends", "[cuda]") {
  const cu::context context{device};
  cu::stream owner{context};
  const auto native = owner.native_handle();
  { const cu::stream borrowed = cu::stream::borrow(context, native); }
  owner.synchronize();
  CHECK(owner.release() == native);
  {
    const cu::stream adopted = cu::stream::adopt(context, native);
    CHECK(adopted.device_of() == device);
    const cu::device_allocation<int> ordered{context, 100, adopted};  // keeps the stream until it is freed
  }
  CHECK_THROWS_AS(cu::stream::adopt(context, nullptr), yoke::logic_error);
}

YOKE_CUDA_TEST_CASE("the device says what it is", "[cuda]") {
  const auto facts = device.summary();
  CHECK_FALSE(facts.name.empty());
  CHECK(facts.kind == yoke::device_kind::gpu);
  CHECK(facts.global_memory_bytes > 0);
  CHECK(cu::get(device, cu::info::multiprocessor_count) == static_cast<int>(facts.compute_units));
  CHECK(device.limits().max_block == 1024);
  CHECK(std::string(device.backend_name()) == "cuda");
}
