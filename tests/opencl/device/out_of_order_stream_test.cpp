// SPDX-License-Identifier: MIT
// Out-of-order streams: a type of their own whose commands pass each other, with markers and barriers.
#include <support/devices/background.hpp>
#include <support/devices/devices.hpp>
#include <support/drivers/raw_opencl.hpp>

#include <yoke/opencl/device/device.hpp>
#include <yoke/opencl/device/user_event.hpp>

#include <chrono>
#include <thread>

using namespace yoke_test;
namespace ocl = yoke::opencl;

static_assert(!std::is_convertible_v<ocl::out_of_order_stream, ocl::stream>);
static_assert(!std::is_constructible_v<ocl::stream, ocl::out_of_order_stream>);
static_assert(!std::is_copy_constructible_v<ocl::out_of_order_stream>);
static_assert(std::is_nothrow_move_constructible_v<ocl::out_of_order_stream>);

namespace {
bool offers_it(const opencl_device& device) {
  return (ocl::get(device, ocl::info::queue_on_host_properties) & abi::queue_out_of_order) != 0;
}
/// Whether the command completes in a time in which any device has done so small a piece of work.
bool completes_soon(const ocl::event& command) {
  const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(10);
  while (!command.is_done()) {
    if (std::chrono::steady_clock::now() > end) return false;
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  return true;
}
constexpr const char* add_source = "__kernel void add(__global int* a, int n) { a[get_global_id(0)] += n; }";
}  // namespace

YOKE_OPENCL_TEST_CASE("commands of an out-of-order stream pass a blocked one", "[execution]") {
  YOKE_TEST_NEEDS_BACKGROUND();
  if (!offers_it(device)) YOKE_SKIP("the device has no out-of-order streams");
  const ocl::context context{device};
  const ocl::out_of_order_stream stream{context};
  const auto add = yoke::compile(context, add_source).get_kernel<void(int*, int)>("add");
  ocl::device_allocation<int> first{context, 4}, second{context, 4};
  {
    const ocl::stream in_order{context};
    yoke::fill(first, 1, in_order);
    yoke::fill(second, 1, in_order);
    in_order.synchronize();
  }
  ocl::user_event gate{context};
  const ocl::event blocked = add.enqueue(stream, {.grid = 1, .block = 4}, first, 10, {.after = gate.as_event()});
  const ocl::event free_to_go = add.enqueue(stream, {.grid = 1, .block = 4}, second, 20);
  stream.flush();
  if (!completes_soon(free_to_go)) {
    gate.complete();
    stream.synchronize();
    // Allowed: the driver may pass, it need not. NVIDIA's 580 does not.
    YOKE_SKIP("the driver keeps the order of out-of-order streams");
  }
  CHECK_FALSE(blocked.is_done());
  const ocl::event after = add.enqueue(stream, {.grid = 1, .block = 4}, second, 300, {.after = free_to_go});
  after.wait();
  CHECK_FALSE(blocked.is_done());
  gate.complete();
  stream.synchronize();
  CHECK(blocked.is_done());
  const ocl::stream reader{context};
  std::vector<int> host(4);
  yoke::copy(first, host, reader);
  CHECK(host == std::vector(4, 11));
  yoke::copy(second, host, reader);
  CHECK(host == std::vector(4, 321));
}

YOKE_OPENCL_TEST_CASE("a barrier and a marker of an out-of-order stream stand behind everything", "[execution]") {
  YOKE_TEST_NEEDS_BACKGROUND();
  if (!offers_it(device)) YOKE_SKIP("the device has no out-of-order streams");
  opencl_interposer driver(raw_opencl());
  {
    const ocl::context context{through(driver, device)};
    const ocl::out_of_order_stream stream{context};
    ocl::user_event gate{context};
    const ocl::event blocked = stream.record(gate.as_event());
    const std::size_t mark = driver.mark();
    const ocl::event all = stream.record();
    const ocl::event wall = stream.barrier();
    // Copies in the stream wait for the barrier's event, which is kept for them.
    CHECK(driver.calls(mark) == std::vector<std::string>{"enqueue_marker", "enqueue_barrier", "retain_event"});
    const ocl::event behind = stream.record();
    stream.flush();
    CHECK_FALSE(all.is_done());
    CHECK_FALSE(wall.is_done());
    CHECK_FALSE(behind.is_done());
    gate.complete();
    behind.wait();
    wall.wait();
    all.wait();
    CHECK(blocked.is_done());
    const ocl::event chosen = stream.barrier({blocked, all});
    chosen.wait();
    CHECK(chosen.status() == yoke::event_status::complete);
  }
  CHECK(driver.live().empty());
}

YOKE_OPENCL_TEST_CASE("an out-of-order stream can carry times", "[execution]") {
  if (!offers_it(device)) YOKE_SKIP("the device has no out-of-order streams");
  const ocl::context context{device};
  const ocl::out_of_order_stream timed{context, {.timing = true}}, untimed{context};
  CHECK(timed.has_timing());
  CHECK(timed.record_timed().times().ended.count() > 0);
  CHECK_THROWS_WITH(untimed.record_timed(), ContainsSubstring("made without .timing"));
}

YOKE_OPENCL_TEST_CASE("where a device offers no out-of-order stream none is asked for", "[execution]") {
  opencl_interposer driver(raw_opencl());
  const ocl::context context{through(driver, device)};
  driver.replace<&abi::functions::get_device_info>(
      [&](abi::device of, abi::uint what, std::size_t bytes, void* out, std::size_t* size) {
        const abi::status status = driver.real().get_device_info(of, what, bytes, out, size);
        if (what == ocl::info::queue_on_host_properties.code && out != nullptr) {
          *static_cast<abi::ulong*>(out) &= ~abi::queue_out_of_order;
        }
        return status;
      });
  CHECK_THROWS_AS(ocl::out_of_order_stream{context}, yoke::unsupported_error);
  CHECK_THROWS_WITH(ocl::out_of_order_stream{context}, ContainsSubstring("no out-of-order streams"));
  CHECK(driver.count("create_queue") == 0);
}
