// SPDX-License-Identifier: MIT
// Callbacks of OpenCL's events: after failures, and when the driver answers late.
#include <support/devices/background.hpp>
#include <support/devices/gate.hpp>
#include <support/faults/fault_run.hpp>
#include <support/soon.hpp>

#include <array>
#include <atomic>

using namespace yoke_test;
namespace ocl = yoke::opencl;
using yoke::event_status;

YOKE_OPENCL_TEST_CASE("no driver callback is ever registered", "[execution]") {
  opencl_interposer driver(raw_opencl());
  {
    const ocl::context context{through(driver, device)};
    const ocl::stream stream{context};
    std::promise<event_status> done;
    auto status = done.get_future();
    const std::size_t mark = driver.mark();
    stream.record().on_complete([&](event_status now) { done.set_value(now); });
    CHECK(soon(status) == event_status::complete);
    CHECK(driver.count("flush", mark) == 1);  // or the command might never start
  }
  CHECK(live_when_quiet(driver).empty());
  CHECK(driver.bad_releases().empty());
}

YOKE_OPENCL_TEST_CASE("a callback hears of a failed command", "[execution]") {
  YOKE_TEST_NEEDS_BACKGROUND();
  const ocl::context context{device};
  const ocl::stream stream{context};
  ocl::user_event gate{context};
  const ocl::event doomed = stream.record(gate.as_event());
  std::promise<event_status> of_command, of_gate;
  auto command_status = of_command.get_future(), gate_status = of_gate.get_future();
  doomed.on_complete([&](event_status now) { of_command.set_value(now); });
  gate.as_event().on_complete([&](event_status now) { of_gate.set_value(now); });
  gate.fail();
  // Intel's CPU runtime calls a command complete although what it waited for failed.
  abi::status raw = 0;
  raw_opencl().wait_for_events(1, std::array{doomed.native_handle()}.data());
  raw_opencl().get_event_info(doomed.native_handle(), abi::event_execution_status, sizeof raw, &raw, nullptr);
  CHECK(soon(command_status) == (raw < 0 ? event_status::failed : event_status::complete));
  CHECK(soon(gate_status) == event_status::failed);
}

YOKE_OPENCL_TEST_CASE("callbacks keep their order when the command ends while they are asked about", "[execution]") {
  opencl_interposer driver(raw_opencl());
  std::vector<int> order;
  {
    const ocl::context context{through(driver, device)};
    const ocl::stream stream{context};
    const ocl::event point = stream.record();
    point.wait();
    std::atomic<int> left{-1};  // how many questions still get "queued"; -1: all
    driver.replace<&abi::functions::get_event_info>(
        [&](abi::event event, abi::uint what, std::size_t bytes, void* out, std::size_t* size) {
          const abi::status status = driver.real().get_event_info(event, what, bytes, out, size);
          if (what == abi::event_execution_status && left != 0) {
            if (left > 0) --left;
            *static_cast<abi::status*>(out) = abi::event_queued;
          }
          return status;
        });
    for (int i = 0; i < 10; ++i) {
      point.on_complete([&, i](event_status) { order.push_back(i); });
    }
    left = 15;  // in the middle of a round
  }
  REQUIRE(order.size() == 10);
  CHECK(std::is_sorted(order.begin(), order.end()));
}
