// SPDX-License-Identifier: MIT
// Callbacks of events: on a thread of the library's own, in order, without deadlocks.
#include <support/devices/background.hpp>
#include <support/devices/gate.hpp>
#include <support/faults/fault_run.hpp>
#include <support/process/child.hpp>
#include <support/soon.hpp>

#include <atomic>
#include <memory>
#include <thread>

using namespace yoke_test;
using yoke::event_status;
using namespace std::chrono_literals;

namespace {

std::atomic<int> reported{0};
void count_reports(const yoke::cleanup_failure& failure) noexcept {
  if (std::string_view(failure.call) == "event callback") ++reported;
}

}  // namespace

YOKE_DEVICE_TEST_CASE("callbacks run on one thread that is neither the caller's nor the driver's", "[execution]") {
  YOKE_TEST_NEEDS_BACKGROUND();
  const backend::context context{device};
  const backend::stream stream{context};
  std::promise<std::thread::id> first, second, third;
  auto first_id = first.get_future(), second_id = second.get_future(), third_id = third.get_future();
  gate held{stream};
  const backend::event point = stream.record();
  stream.flush();
  point.on_complete([&](event_status) { first.set_value(std::this_thread::get_id()); });
  point.on_complete([&](event_status) { second.set_value(std::this_thread::get_id()); });
  std::thread::id setter;
  std::thread opener([&] {  // a driver may call back on the thread that lets the command go
    setter = std::this_thread::get_id();
    held.open();
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

YOKE_DEVICE_TEST_CASE("a callback hears that its command is complete, and leaves nothing", "[execution]") {
  interposer driver(Backend::driver());
  {
    const backend::context context{through(driver, device)};
    const backend::stream stream{context};
    std::promise<event_status> done;
    auto status = done.get_future();
    stream.record().on_complete([&](event_status now) { done.set_value(now); });
    CHECK(soon(status) == event_status::complete);
  }
  CHECK(live_when_quiet(driver).empty());
  CHECK(driver.bad_releases().empty());
}

YOKE_DEVICE_TEST_CASE("a callback runs although its event is gone", "[execution]") {
  YOKE_TEST_NEEDS_BACKGROUND();
  const backend::context context{device};
  std::promise<event_status> done;
  auto status = done.get_future();
  std::unique_ptr<gate<Backend>> held;
  {
    const backend::stream stream{context};
    held = std::make_unique<gate<Backend>>(stream);
    const backend::event point = stream.record();
    point.on_complete([&](event_status now) { done.set_value(now); });
  }
  held->open();
  CHECK(soon(status) == event_status::complete);
}

YOKE_DEVICE_TEST_CASE("callbacks run in the order of registration", "[execution]") {
  YOKE_TEST_NEEDS_BACKGROUND();
  const backend::context context{device};
  const backend::stream stream{context};
  gate held{stream};
  const backend::event point = stream.record();
  std::vector<int> order;
  std::promise<void> last;
  auto ran = last.get_future();
  for (int i = 0; i < 20; ++i) {
    point.on_complete([&, i](event_status) { order.push_back(i); });
  }
  point.on_complete([&](event_status) { last.set_value(); });
  held.open();
  soon(ran);
  REQUIRE(order.size() == 20);
  CHECK(std::is_sorted(order.begin(), order.end()));
}

YOKE_DEVICE_TEST_CASE("an exception in a callback goes to the cleanup handler and stops nothing", "[execution]") {
  reported = 0;
  const yoke::cleanup_handler before = yoke::set_cleanup_handler(&count_reports);
  {
    const backend::context context{device};
    const backend::stream stream{context};
    const backend::event point = stream.record();
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
  const backend::context context{device};
  const backend::stream stream{context};
  const backend::event point = stream.record();
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
  {
    const backend::context context{device};
    const backend::stream stream{context};
    gate held{stream};
    const backend::event point = stream.record();
    for (int i = 0; i < 5; ++i) point.on_complete([&](event_status) { ++ran; });
    const auto later = open_soon(held);
  }
  CHECK(ran == 5);
}

YOKE_DEVICE_TEST_CASE("the last handle of a context may end inside a callback", "[execution]") {
  YOKE_TEST_NEEDS_BACKGROUND();
  interposer driver(Backend::driver());
  std::promise<void> ran;
  auto done = ran.get_future();
  {
    auto context = std::make_shared<yoke::context<port>>(through(driver, device));
    std::unique_ptr<gate<Backend>> held;
    {
      const backend::stream stream{*context};
      held = std::make_unique<gate<Backend>>(stream);
      const backend::event point = stream.record();
      point.on_complete([context, &ran](event_status) mutable {
        context->reset();
        ran.set_value();
      });
    }
    context.reset();
    held->open();
  }
  soon(done);
  CHECK(live_when_quiet(driver).empty());
  CHECK(driver.bad_releases().empty());
  std::this_thread::sleep_for(20ms);  // the thread itself ends behind the last release
}

YOKE_DEVICE_TEST_CASE("many threads register callbacks at once", "[execution]") {
  YOKE_TEST_NEEDS_BACKGROUND();  // callers' threads meet in the driver there, and it is not made for that
  const backend::context context{device};
  const backend::stream stream{context};
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

namespace {

/// What the name of a shared test ends in.
template <class Port>
std::string suffix_of() {
  return std::same_as<Port, yoke::cuda::port> ? " (CUDA)" : " (OpenCL)";
}

/// Says that it goes, a while after it was asked to.
struct slow_farewell {
  slow_farewell() = default;
  slow_farewell(const slow_farewell&) = delete;
  slow_farewell& operator=(const slow_farewell&) = delete;
  ~slow_farewell() {
    std::this_thread::sleep_for(100ms);
    std::puts("the callback has gone");
    std::fflush(stdout);
  }
};

}  // namespace

YOKE_DEVICE_TEST_CASE("the program's end waits for a callback that owns its context", "[execution]") {
  const std::string test = "the program's end waits for a callback that owns its context" + suffix_of<port>();
  if (is_child(test)) {
    const backend::context context{device};
    const backend::stream stream{context};
    const backend::event point = stream.record();
    point.on_complete([last = std::make_shared<slow_farewell>(), owned = backend::stream{context},
                       memory = std::make_shared<backend::device_allocation<int>>(context, 100)](event_status) {});
    point.wait();
    CHECK(point.is_done());
    return;
  }
  const child_result child = run_child(test, {{"YOKE_SIMULATOR_LEAKS", "fail"}});
  INFO(child.output);
  CHECK(child.status == 0);
  CHECK(child.output.find("YOKE-SKIP") == std::string::npos);
  CHECK(child.output.find("the callback has gone") != std::string::npos);
  CHECK(child.output.find("yoke: ") == std::string::npos);
}

YOKE_DEVICE_TEST_CASE("a program whose callback waits for ever ends all the same, and says so", "[execution]") {
  YOKE_TEST_NEEDS_BACKGROUND();
  const std::string test = "a program whose callback waits for ever ends all the same, and says so" + suffix_of<port>();
  if (is_child(test)) {
    const backend::context context{device};
    const backend::stream stream{context};
    static std::atomic<bool>* const never = new std::atomic<bool>{false};  // outlasts the thread that looks at it
    CHECK_NOTHROW(stream.record().on_complete([context](event_status) {
      while (!never->load()) std::this_thread::sleep_for(1ms);
    }));
    return;
  }
  const child_result child = run_child(test, {});
  INFO(child.output);
  CHECK(child.status == 0);
  CHECK(child.output.find("the program ends while callbacks wait") != std::string::npos);
}
