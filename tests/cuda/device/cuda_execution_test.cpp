// SPDX-License-Identifier: MIT
// CUDA's contexts, streams and devices: nothing is left current, what contexts and streams are made of.
#include <support/devices/devices.hpp>

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

YOKE_CUDA_TEST_CASE("the device says what it is", "[cuda]") {
  const auto facts = device.summary();
  CHECK_FALSE(facts.name.empty());
  CHECK(facts.kind == yoke::device_kind::gpu);
  CHECK(facts.global_memory_bytes > 0);
  CHECK(cu::get(device, cu::info::multiprocessor_count) == static_cast<int>(facts.compute_units));
  CHECK(cu::try_get(device, cu::info::multiprocessor_count) == static_cast<int>(facts.compute_units));
  CHECK(device.limits().max_block == 1024);
  CHECK(std::string(device.backend_name()) == "cuda");
}

YOKE_CUDA_TEST_CASE("a stream's options reach the driver", "[cuda]") {
  const cu::context context{device};
  const cu::stream stream{context, {.non_blocking = true, .priority = -1}};
  unsigned flags = 0;
  int priority = 0;
  REQUIRE(device.port().table()->stream_get_flags(stream.native_handle(), &flags) == 0);
  REQUIRE(device.port().table()->stream_get_priority(stream.native_handle(), &priority) == 0);
  CHECK(flags == cu::abi::stream_non_blocking);
  CHECK(priority == -1);
  static_assert(!yoke::profiling_port<cu::port>);
  CHECK(stream.has_timing());
}
