// SPDX-License-Identifier: MIT
// Callbacks of events: on a thread of the library's own, also after failures, without deadlocks.
#include <support/background.hpp>
#include <support/devices.hpp>
#include <support/fault_loop.hpp>
#include <support/raw_opencl.hpp>

#include <yoke/opencl/user_event.hpp>

#include <array>
#include <atomic>
#include <future>
#include <thread>

using namespace yoke_test;
namespace ocl = yoke::opencl;
using yoke::event_status;
using namespace std::chrono_literals;

namespace {

/// Returns: what a promise gets, or fails the test after a while instead of hanging.
template <class T>
T soon(std::future<T>& future) {
  if (future.wait_for(20s) != std::future_status::ready) throw std::runtime_error("nothing came within 20 seconds");
  return future.get();
}

std::atomic<int> reported{0};
void count_reports(const yoke::cleanup_failure& failure) noexcept {
  if (std::string_view(failure.call) == "event callback") ++reported;
}

}  // namespace

YOKE_DEVICE_TEST_CASE("callbacks run on one thread that is neither the caller's nor the driver's", "[execution]") {
  YOKE_TEST_NEEDS_BACKGROUND();
  const ocl::context context{device};
  const ocl::stream stream{context};
  std::promise<std::thread::id> first, second, third;
  auto first_id = first.get_future(), second_id = second.get_future(), third_id = third.get_future();
  ocl::user_event gate{context};
  const ocl::event point = stream.record(gate.as_event());
  stream.flush();
  point.on_complete([&](event_status) { first.set_value(std::this_thread::get_id()); });
  point.on_complete([&](event_status) { second.set_value(std::this_thread::get_id()); });
  std::thread::id setter;
  std::thread opener([&] {  // a driver may call back on the thread that completes the event
    setter = std::this_thread::get_id();
    gate.complete();
  });
  opener.join();
  point.wait();
  point.on_complete([&](event_status) { third.set_value(std::this_thread::get_id()); });  // of what is done already
  const std::thread::id id = soon(first_id);
  CHECK(id == soon(second_id));
  CHECK(id == soon(third_id));
  CHECK(id != std::this_thread::get_id());
  CHECK(id != setter);
}

YOKE_DEVICE_TEST_CASE("no driver callback is ever registered", "[execution]") {
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

YOKE_DEVICE_TEST_CASE("a callback hears of a failed command", "[execution]") {
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

YOKE_DEVICE_TEST_CASE("a callback runs although its event is gone", "[execution]") {
  YOKE_TEST_NEEDS_BACKGROUND();
  const ocl::context context{device};
  std::promise<event_status> done;
  auto status = done.get_future();
  ocl::user_event gate{context};
  {
    const ocl::stream stream{context};
    const ocl::event point = stream.record(gate.as_event());
    point.on_complete([&](event_status now) { done.set_value(now); });
  }
  gate.complete();
  CHECK(soon(status) == event_status::complete);
}

YOKE_DEVICE_TEST_CASE("callbacks run in the order of registration", "[execution]") {
  YOKE_TEST_NEEDS_BACKGROUND();
  const ocl::context context{device};
  const ocl::stream stream{context};
  ocl::user_event gate{context};
  const ocl::event point = stream.record(gate.as_event());
  std::vector<int> order;
  std::promise<void> last;
  auto ran = last.get_future();
  for (int i = 0; i < 20; ++i) {
    point.on_complete([&, i](event_status) { order.push_back(i); });
  }
  point.on_complete([&](event_status) { last.set_value(); });
  gate.complete();
  soon(ran);
  REQUIRE(order.size() == 20);
  CHECK(std::is_sorted(order.begin(), order.end()));
}

YOKE_DEVICE_TEST_CASE("callbacks keep their order when the command ends while they are asked about", "[execution]") {
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

YOKE_DEVICE_TEST_CASE("an exception in a callback goes to the cleanup handler and stops nothing", "[execution]") {
  reported = 0;
  const yoke::cleanup_handler before = yoke::set_cleanup_handler(&count_reports);
  {
    const ocl::context context{device};
    const ocl::stream stream{context};
    const ocl::event point = stream.record();
    std::promise<void> next;
    auto ran = next.get_future();
    point.on_complete([](event_status) { throw std::runtime_error("out of a callback"); });
    point.on_complete([&](event_status) { next.set_value(); });
    soon(ran);
  }
  yoke::set_cleanup_handler(before);
  CHECK(reported == 1);
}

YOKE_DEVICE_TEST_CASE("a callback may register another one", "[execution]") {
  const ocl::context context{device};
  const ocl::stream stream{context};
  const ocl::event point = stream.record();
  std::promise<std::thread::id> inner;
  auto id = inner.get_future();
  std::thread::id outer;
  point.on_complete([&](event_status) {
    outer = std::this_thread::get_id();
    point.on_complete([&](event_status) { inner.set_value(std::this_thread::get_id()); });
  });
  CHECK(soon(id) == outer);
}

YOKE_DEVICE_TEST_CASE("ending a context waits for its callbacks", "[execution]") {
  YOKE_TEST_NEEDS_BACKGROUND();
  std::atomic<int> ran{0};
  std::thread opener;
  {
    const ocl::context context{device};
    const ocl::stream stream{context};
    auto gate = std::make_shared<ocl::user_event>(context);
    const ocl::event point = stream.record(gate->as_event());
    for (int i = 0; i < 5; ++i) point.on_complete([&](event_status) { ++ran; });
    opener = std::thread([gate]() mutable {
      std::this_thread::sleep_for(5ms);
      gate->complete();
      gate.reset();
    });
    opener.join();
  }
  CHECK(ran == 5);
}

YOKE_DEVICE_TEST_CASE("the last handle of a context may end inside a callback", "[execution]") {
  YOKE_TEST_NEEDS_BACKGROUND();
  opencl_interposer driver(raw_opencl());
  std::promise<void> ran;
  auto done = ran.get_future();
  {
    auto context = std::make_shared<ocl::context>(through(driver, device));
    auto gate = std::make_shared<ocl::user_event>(*context);
    {
      const ocl::stream stream{*context};
      const ocl::event point = stream.record(gate->as_event());
      point.on_complete([context, &ran](event_status) mutable {
        context->reset();
        ran.set_value();
      });
    }
    context.reset();
    gate->complete();
  }
  soon(done);
  CHECK(live_when_quiet(driver).empty());
  CHECK(driver.bad_releases().empty());
  std::this_thread::sleep_for(20ms);  // the thread itself ends behind the last release
}

YOKE_DEVICE_TEST_CASE("many threads register callbacks at once", "[execution]") {
  YOKE_TEST_NEEDS_BACKGROUND();  // callers' threads meet in the driver there, and it is not made for that
  const ocl::context context{device};
  const ocl::stream stream{context};
  std::atomic<int> ran{0};
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&] {
      for (int i = 0; i < 25; ++i) stream.record().on_complete([&](event_status) { ++ran; });
    });
  }
  for (std::thread& each : threads) each.join();
  const auto until = std::chrono::steady_clock::now() + 20s;
  while (ran != 100 && std::chrono::steady_clock::now() < until) std::this_thread::sleep_for(1ms);
  CHECK(ran == 100);
}
