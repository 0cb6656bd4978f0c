// SPDX-License-Identifier: MIT
// User events: completed, failed, set twice, destroyed unset.
#include <support/devices/background.hpp>
#include <support/devices/devices.hpp>
#include <support/drivers/raw_opencl.hpp>
#include <support/process/child.hpp>

#include <yoke/opencl/opencl.hpp>

#include <atomic>
#include <csignal>
#include <thread>

using namespace yoke_test;
namespace ocl = yoke::opencl;
using yoke::event_status;

static_assert(!std::is_copy_constructible_v<ocl::user_event> && std::is_nothrow_move_constructible_v<ocl::user_event>);
static_assert(std::is_nothrow_move_assignable_v<ocl::user_event>);

YOKE_OPENCL_TEST_CASE("a user event lets commands go", "[opencl]") {
  YOKE_TEST_NEEDS_BACKGROUND();
  const ocl::context context{device};
  const ocl::stream stream{context};
  ocl::user_event ready{context};
  CHECK(static_cast<bool>(ready));
  CHECK(ready.native_handle() == ready.as_event().native_handle());
  CHECK_FALSE(ready.as_event().is_done());
  const ocl::event point = stream.record(ready.as_event());
  stream.flush();
  CHECK_FALSE(point.is_done());
  ready.complete();
  point.wait();
  CHECK(ready.as_event().status() == event_status::complete);
}

YOKE_OPENCL_TEST_CASE("a failed user event fails what waits for it, and no more", "[opencl]") {
  YOKE_TEST_NEEDS_BACKGROUND();
  const ocl::context context{device};
  ocl::user_event ready{context};
  const ocl::stream stream{context};
  const ocl::event doomed = stream.record(ready.as_event());
  stream.flush();
  ready.fail(-42);
  CHECK_THROWS_AS(doomed.wait(), yoke::runtime_error);
  CHECK(ready.as_event().status() == event_status::failed);
  CHECK_THROWS_AS(ready.as_event().wait(), yoke::runtime_error);
  const ocl::stream other{context};  // the context goes on
  other.record().wait();
}

YOKE_OPENCL_TEST_CASE("a user event is set once", "[opencl]") {
  opencl_interposer driver(raw_opencl());
  const ocl::context context{through(driver, device)};
  ocl::user_event ready{context};
  CHECK_THROWS_WITH(ready.fail(0), ContainsSubstring("failure code 0 is not negative"));
  CHECK_THROWS_WITH(ready.fail(7), ContainsSubstring("failure code 7 is not negative"));
  CHECK(driver.count("set_user_event_status") == 0);
  ready.complete();
  CHECK_THROWS_WITH(ready.complete(), ContainsSubstring("this user event was set before"));
  CHECK_THROWS_AS(ready.fail(), yoke::logic_error);
  CHECK(driver.count("set_user_event_status") == 1);
}

YOKE_OPENCL_TEST_CASE("of many threads that set a user event one succeeds", "[opencl]") {
  const ocl::context context{device};
  for (int round = 0; round < 20; ++round) {
    ocl::user_event ready{context};
    std::atomic<int> succeeded{0}, refused{0};
    std::vector<std::thread> threads;
    for (int i = 0; i < 4; ++i) {
      threads.emplace_back([&, i] {
        try {
          if (i % 2 == 0) {
            ready.complete();
          } else {
            ready.fail();
          }
          ++succeeded;
        } catch (const yoke::logic_error&) {
          ++refused;
        }
      });
    }
    for (std::thread& each : threads) each.join();
    CHECK(succeeded == 1);
    CHECK(refused == 3);
  }
}

YOKE_OPENCL_TEST_CASE("a user event destroyed unset fails its waiters instead of hanging them", "[opencl]") {
  opencl_interposer driver(raw_opencl());
  {
    const ocl::context context{through(driver, device)};
    const ocl::stream first{context}, second{context}, third{context};
    ocl::event of_destroyed, of_reset, of_replaced;
    {
      const ocl::user_event never{context};
      of_destroyed = first.record(never.as_event());
    }
    CHECK_THROWS_AS(of_destroyed.wait(), yoke::runtime_error);
    ocl::user_event reset{context};
    of_reset = second.record(reset.as_event());
    reset.reset();
    CHECK_FALSE(static_cast<bool>(reset));
    CHECK_THROWS_AS(of_reset.wait(), yoke::runtime_error);
    ocl::user_event replaced{context};
    of_replaced = third.record(replaced.as_event());
    replaced = ocl::user_event{context};
    CHECK_THROWS_AS(of_replaced.wait(), yoke::runtime_error);
    replaced.complete();
  }
  CHECK(driver.live().empty());
}

YOKE_OPENCL_TEST_CASE("moving a user event sets nothing", "[opencl]") {
  const ocl::context context{device};
  ocl::user_event first{context};
  ocl::user_event second = std::move(first);
  CHECK_FALSE(static_cast<bool>(first));  // NOLINT: what a moved-from event does is the point
  CHECK_THROWS_WITH(first.complete(), ContainsSubstring("this user event is empty"));
  CHECK_FALSE(second.as_event().is_done());
  ocl::user_event& same = second;
  second = std::move(same);
  CHECK_FALSE(second.as_event().is_done());
  second.complete();
  CHECK(second.as_event().is_done());
  ocl::user_event none;
  CHECK_THROWS_AS(none.fail(), yoke::logic_error);
}

YOKE_OPENCL_TEST_CASE("a refused setting leaves the user event unset", "[opencl]") {
  opencl_interposer driver(raw_opencl());
  const ocl::context context{through(driver, device)};
  ocl::user_event ready{context};
  driver.fail_function("set_user_event_status", 1, fault_mode::once, -6);
  CHECK_THROWS_AS(ready.complete(), yoke::memory_error);
  ready.complete();
  CHECK(ready.as_event().is_done());
}

YOKE_OPENCL_TEST_CASE("a native user event is adopted, borrowed and released", "[opencl]") {
  YOKE_TEST_NEEDS_BACKGROUND();
  opencl_interposer driver(raw_opencl());
  {
    const ocl::context context{through(driver, device)};
    const ocl::stream stream{context};
    ocl::user_event giver{context};
    const abi::event native = giver.release();
    CHECK_FALSE(static_cast<bool>(giver));
    CHECK_THROWS_AS(giver.complete(), yoke::logic_error);
    giver.reset();
    { const ocl::user_event borrowed = ocl::user_event::borrow(context, native); }
    CHECK(driver.count("set_user_event_status") == 0);  // neither released nor borrowed events are failed
    CHECK(driver.count("release_event") == 0);
    {
      ocl::user_event adopted = ocl::user_event::adopt(context, native);
      const ocl::event point = stream.record(adopted.as_event());
      CHECK_FALSE(adopted.as_event().is_done());
      ocl::user_event other;
      swap(adopted, other);
      CHECK_FALSE(static_cast<bool>(adopted));
      other.complete();
      point.wait();
      ocl::user_event again = ocl::user_event::borrow(context, native);
      CHECK_THROWS_WITH(again.complete(), ContainsSubstring("was set before"));
    }
    const std::size_t mark = driver.mark();
    ocl::user_event unset{context};
    {
      ocl::user_event owner = ocl::user_event::adopt(context, unset.release());
      const ocl::event doomed = stream.record(owner.as_event());
      owner.reset();  // unset: what waits fails instead of hanging
      CHECK_THROWS_AS(doomed.wait(), yoke::runtime_error);
    }
    CHECK(driver.count("set_user_event_status", mark) == 1);
    const ocl::stream fresh{context};
    const ocl::event marker = fresh.record();
    CHECK_THROWS_WITH(ocl::user_event::borrow(context, marker.native_handle()),
                      ContainsSubstring("the native event is not a user event"));
    CHECK_THROWS_AS(ocl::user_event::adopt(context, nullptr), yoke::logic_error);
  }
  CHECK(driver.live().empty());
  CHECK(driver.bad_releases().empty());
}

// Leaves the test on drivers that need none of this; some hang on commands behind a failed user event.
#define YOKE_TEST_NEEDS_POCL()                                                                                         \
  if (!is_pocl(device)) YOKE_SKIP("the protection is PoCL's")

namespace {
constexpr const char* kernels = "kernel void add(global int* a) { a[get_global_id(0)] += 1; }";

/// A context and stream, and a kernel for commands of which nobody wants an event.
struct bench {
  explicit bench(const opencl_device& on) : context(on), stream(context), memory(context, 4) {}
  void launch(int times) const {
    for (int i = 0; i < times; ++i) add(stream, {.grid = 1, .block = 4}, memory);
  }
  ocl::context context;
  ocl::stream stream;
  mutable ocl::device_allocation<int> memory;
  ocl::kernel<void(int*)> add = yoke::compile(context, kernels).get_kernel<void(int*)>("add");
};

std::string this_test() { return Catch::getResultCapture().getCurrentTestName(); }

/// Effects: runs the test's body in a process of its own, which PoCL 3.1 ends, or hangs, when protection is missing.
template <class Body>
void survives(const std::string& test, Body body) {
  if (is_child(test)) {
#if !defined(_WIN32)
    ::alarm(60);
#endif
    body();
    SUCCEED("the process goes on");
    return;
  }
  const child_result result = run_child(test, {});
  INFO(result.output);
  CHECK(result.status == 0);
}

void dawdle(int steps) {
  for (int i = 0; i < steps; ++i) std::atomic_signal_fence(std::memory_order_seq_cst);
}

/// Effects: ends the stream, whose commands may have failed.
void finish(const ocl::stream& stream) {
  try {
    stream.synchronize();
  } catch (const yoke::runtime_error&) {
  }
}
}  // namespace

YOKE_OPENCL_TEST_CASE("launches of which nobody wants an event survive a failure before them", "[opencl]") {
  YOKE_TEST_NEEDS_POCL();
  survives(this_test(), [&] {
    const bench on(device);
    ocl::user_event gate{on.context};
    on.stream.wait(gate.as_event());
    on.launch(2);
    gate.fail();
    finish(on.stream);
  });
}

YOKE_OPENCL_TEST_CASE("releasing one reference to an unset user event leaves the others protected", "[opencl]") {
  YOKE_TEST_NEEDS_POCL();
  survives(this_test(), [&] {
    const bench on(device);
    ocl::user_event gate{on.context};
    raw_opencl().retain_event(gate.native_handle());
    { const ocl::event also = ocl::event::adopt(on.context, gate.native_handle()); }
    on.stream.wait(gate.as_event());
    on.launch(2);
    gate.fail();
    finish(on.stream);
  });
}

YOKE_OPENCL_TEST_CASE("a user event that others set protects as long as it is unset", "[opencl]") {
  YOKE_TEST_NEEDS_POCL();
  survives(this_test(), [&] {
    const abi::functions& cl = raw_opencl();
    for (const bool released : {true, false}) {
      const bench on(device);
      ocl::user_event gate{on.context};
      abi::event native = gate.native_handle();
      const ocl::event behind = on.stream.record(gate.as_event());
      on.launch(1);
      if (released) {
        native = gate.release();
      } else {
        cl.retain_event(native);
        { const ocl::user_event borrowed = ocl::user_event::borrow(on.context, native); }
      }
      on.launch(2);
      CHECK(cl.set_user_event_status(native, -5) == 0);
      cl.release_event(native);
      CHECK_THROWS_AS(behind.wait(), yoke::runtime_error);
      finish(on.stream);
    }
  });
}

YOKE_OPENCL_TEST_CASE("what is kept for a user event that was given up goes once that is set", "[opencl]") {
  YOKE_TEST_NEEDS_POCL();
  for (const abi::status status : {0, -5}) {
    INFO("set to " << status);
    opencl_interposer driver(raw_opencl());
    {
      const ocl::context context{through(driver, device)};
      const ocl::stream stream{context};
      ocl::user_event gate{context};
      stream.wait(gate.as_event());
      ocl::event behind = stream.record();
      const abi::event native = gate.release();
      CHECK(driver.table()->set_user_event_status(native, status) == 0);
      driver.table()->release_event(native);
      finish(stream);
      behind.reset();
    }
    CHECK(driver.live().empty());
    CHECK(driver.bad_releases().empty());
  }
}

YOKE_OPENCL_TEST_CASE("a user event that nobody can set any more does not leak", "[opencl]") {
  YOKE_TEST_NEEDS_POCL();
  opencl_interposer driver(raw_opencl());
  {
    const ocl::context context{through(driver, device)};
    {
      ocl::user_event gate{context};
      driver.table()->release_event(gate.release());
    }
    const ocl::stream stream{context};
    stream.record().wait();
  }
  CHECK(driver.live().empty());
}

YOKE_OPENCL_TEST_CASE("failing a user event while another thread enqueues behind it hangs nothing", "[opencl]") {
  YOKE_TEST_NEEDS_POCL();
  survives(this_test(), [&] {
    // Without the lock PoCL 3.1 hung within 3000 rounds.
    const bench on(device);
    int ended = 0;
    for (int round = 0; round < 3000; ++round) {
      const ocl::stream stream{on.context};
      ocl::user_event gate{on.context};
      std::atomic<bool> go{false};
      std::thread failing([&] {
        while (!go) {
        }
        dawdle(round % 400);
        gate.fail();
      });
      go = true;
      dawdle(100);
      try {
        const ocl::event behind =
            round % 2 == 0 ? stream.record(gate.as_event())
                           : on.add.enqueue(stream, {.grid = 1, .block = 4}, on.memory, {.after = gate.as_event()});
        behind.wait();
      } catch (const yoke::runtime_error&) {
        ++ended;
      }
      failing.join();
    }
    CHECK(ended == 3000);
  });
}

YOKE_OPENCL_TEST_CASE("a user event fails as a command fails", "[opencl]") {
  YOKE_TEST_NEEDS_BACKGROUND();
  const ocl::context context{device};
  const auto failure = [](const ocl::event& event) {
    try {
      event.wait();
    } catch (const yoke::runtime_error& e) {
      return e.code();
    }
    FAIL_CHECK("a failed event was waited for");
    return std::error_code{};
  };
  ocl::user_event failed{context}, ended{context};
  const ocl::stream first{context}, second{context};
  const ocl::event behind_failed = first.record(failed.as_event()), behind_ended = second.record(ended.as_event());
  failed.fail();
  CHECK(failure(failed.as_event()) == yoke::errc::command_failed);
  CHECK(failure(behind_failed) == yoke::errc::command_failed);
  CHECK(failure(failed.as_event()).value() == abi::event_wait_failed);
  ended.reset();
  CHECK(failure(behind_ended) == yoke::errc::command_failed);
}
