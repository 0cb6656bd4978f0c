// SPDX-License-Identifier: MIT
// Events that a context of CUDA records again: what is called, which events are kept, and that nobody notices.
#include <cuda/cuda_rig.hpp>
#include <support/devices/gate.hpp>
#include <support/faults/fault_run.hpp>

#include <yoke/yoke.hpp>

#include <array>
#include <atomic>
#include <cstring>
#include <mutex>
#include <set>
#include <thread>

#include <sys/wait.h>
#include <unistd.h>

using namespace yoke_test;
namespace cu = yoke::cuda;
using names = std::vector<std::string>;

namespace {

using gate_of = gate<cuda_backend>;
constexpr std::size_t most = yoke::detail::idle_event_list<cu::abi::event>::most;
constexpr const char* source =
    R"(YOKE_KERNEL add(YOKE_GLOBAL int* a, int n) { int i = (int)get_global_id(0); if (i < 8) a[i] += n; })";

/// Returns: the driver's calls of `act`.
template <class Act>
names calls_of(const cuda_interposer& driver, Act&& act) {
  const std::size_t mark = driver.mark();
  act();
  return driver.calls(mark);
}

}  // namespace

YOKE_CUDA_TEST_CASE("after the first, a record makes no event and an event's end is no call", "[cuda][events]") {
  cuda_rig on(device);
  cu::device_allocation<int> memory{on.context, 8};
  cu::pagelocked_array<int> host{on.context, 8};
  const auto add = yoke::compile(on.context, source).get_kernel<void(int*, int)>("add");
  const yoke::launch_shape shape = yoke::launch_over(8);
  yoke::fill(memory, 0, on.stream);
  add(on.stream, shape, memory, 1);
  on.stream.record().wait();
  on.stream.record_timed().wait();
  const auto since = [&](auto act) { return calls_of(on.driver, act); };
  CHECK(since([&] {
          for (int i = 0; i < 100; ++i) (void)on.stream.record();
        }) == names(100, "event_record"));
  CHECK(since([&] {
          for (int i = 0; i < 100; ++i) (void)on.stream.record_timed();
        }) == names(100, "event_record"));
  CHECK(since([&] { yoke::copy_async(memory, host, on.stream).wait(); }) ==
        names{"memcpy_dtoh_async", "event_record", "event_synchronize"});
  CHECK(since([&] { (void)add.enqueue(on.stream, shape, memory, 1); }) == names{"launch_kernel", "event_record"});
  CHECK(since([&] { (void)add.enqueue_timed(on.stream, shape, memory, 1); }) == names{"launch_kernel", "event_record"});
  CHECK(since([&] { (void)add.enqueue(on.stream, {.nothing = true}, memory, 1); }).back() == "event_record");
  const cu::event first = on.stream.record();
  on.stream.record().wait();
  CHECK(since([&] { (void)on.stream.record(first); }) == names{"stream_wait_event", "event_record"});
  CHECK(since([&] { (void)add.enqueue(on.stream, shape, memory, 1, {.after = first}); }) ==
        names{"stream_wait_event", "launch_kernel", "event_record"});
  yoke::copy(memory, host, on.stream);
  CHECK(host[0] == 4);
}

YOKE_CUDA_TEST_CASE("without an idle event, a copy and a launch ask for no context of their stream", "[cuda][events]") {
  cuda_rig on(device);
  cu::device_allocation<int> memory{on.context, 8};
  cu::pagelocked_array<int> host{on.context, 8};
  const auto add = yoke::compile(on.context, source).get_kernel<void(int*, int)>("add");
  add(on.stream, yoke::launch_over(8), memory, 1);
  const std::size_t mark = on.driver.mark();
  const cu::event launched = add.enqueue(on.stream, yoke::launch_over(8), memory, 1);
  const auto copied = yoke::copy_async(memory, host, on.stream);
  CHECK(on.driver.count("event_create", mark) == 2);
  CHECK(on.driver.count("stream_get_context", mark) == 0);
}

YOKE_CUDA_TEST_CASE("a program that chooses CUDA at run time reuses events, too", "[cuda][events]") {
  cuda_interposer driver(*device.port().table());
  {
    yoke::any_port::device_handle native{};
    const auto handle = device.native_handle();
    std::memcpy(&native.value, &handle, sizeof handle);
    const yoke::any_port port{cu::port{driver.table()}};
    const yoke::context<> context{yoke::device<>::borrow(port, native)};
    const yoke::stream<> stream{context, {.timing = true}};
    (void)stream.record();
    (void)stream.record_timed();
    CHECK(calls_of(driver, [&] {
            for (int i = 0; i < 10; ++i) (void)stream.record();
            for (int i = 0; i < 10; ++i) (void)stream.record_timed();
          }) == names(20, "event_record"));
  }
  CHECK(driver.live().empty());
  CHECK(driver.bad_releases().empty());
}

YOKE_CUDA_TEST_CASE("an event that is not done is recorded again; its waiters wait for the earlier point",
                    "[cuda][events]") {
  cuda_rig on(device);
  const cu::stream waiting{on.context};
  const cu::stream third{on.context};
  cu::event early = on.stream.record();
  const auto native = early.native_handle();
  early.reset();
  gate_of closed(on.stream);
  early = on.stream.record();
  REQUIRE(early.native_handle() == native);
  waiting.wait(early);
  early.reset();
  const cu::event again = third.record();
  CHECK(again.native_handle() == native);
  again.wait();
  CHECK(again.is_done());
  CHECK_FALSE(waiting.is_done());
  CHECK_FALSE(on.stream.is_done());
  closed.open();
  waiting.synchronize();
}

YOKE_CUDA_TEST_CASE("only events that records made are kept, each for records of its kind", "[cuda][events]") {
  cuda_rig on(device);
  cleanup_recorder recorder;
  const auto ends_with = [&](auto event) { return calls_of(on.driver, [&] { event.reset(); }); };
  const names destroyed{"event_destroy"};
  const names nothing;
  CHECK(ends_with(cu::create_event(on.context)) == destroyed);
  CHECK(ends_with(cu::create_event(on.context, {.blocking = true})) == destroyed);
  CHECK(ends_with(cu::create_event(on.context, {.interprocess = true})) == destroyed);
  CHECK(ends_with(cu::create_timed_event(on.context)) == destroyed);
  cu::event blocking = cu::create_event(on.context, {.blocking = true});
  on.stream.record_into(blocking);
  CHECK(ends_with(std::move(blocking)) == destroyed);
  CHECK(ends_with(cu::event::adopt(on.context, on.stream.record().release())) == destroyed);
  const cu::event owner = on.stream.record();
  CHECK(ends_with(cu::event::borrow(on.context, owner.native_handle())) == nothing);
  {
    const cu::default_stream legacy = cu::legacy_stream(on.context);
    CHECK(ends_with(legacy.record()) == destroyed);
    CHECK(ends_with(legacy.record_timed()) == destroyed);
  }
  cu::event plain = on.stream.record();
  cu::timed_event timed = on.stream.record_timed();
  const auto natives = std::pair(plain.native_handle(), timed.native_handle());
  CHECK(ends_with(std::move(plain)) == nothing);
  CHECK(ends_with(std::move(timed)) == nothing);
  const cu::timed_event next = on.stream.record_timed();
  CHECK(next.native_handle() == natives.second);
  CHECK(on.stream.record().native_handle() == natives.first);
  CHECK(on.stream.record_timed().time_since(next).count() >= 0);
  CHECK(cleanup_recorder::take().empty());
}

YOKE_CUDA_TEST_CASE("an event that a callback waits for is not recorded again", "[cuda][events]") {
  cuda_rig on(device);
  std::atomic<int> called{0};
  gate_of closed(on.stream);
  cu::event watched = on.stream.record();
  const auto native = watched.native_handle();
  watched.on_complete([&](yoke::event_status) { ++called; });
  watched.reset();
  const cu::stream other{on.context};
  const cu::event next = other.record();
  CHECK(next.native_handle() != native);
  next.wait();
  CHECK(called == 0);
  closed.open();
  const auto until = std::chrono::steady_clock::now() + std::chrono::seconds(10);
  while (called == 0 && std::chrono::steady_clock::now() < until) std::this_thread::yield();
  CHECK(called == 1);
}

YOKE_CUDA_TEST_CASE("a context keeps a bounded number of events, and destroys them when it ends", "[cuda][events]") {
  cuda_interposer driver(*device.port().table());
  {
    const cu::context context{through_table(driver.table(), device)};
    const cu::stream stream{context};
    std::vector<cu::event> events;
    std::vector<cu::timed_event> timed;
    for (std::size_t i = 0; i < most + 10; ++i) events.push_back(stream.record());
    for (std::size_t i = 0; i < most + 20; ++i) timed.push_back(stream.record_timed());
    CHECK(driver.count("event_create") == 2 * most + 30);
    std::size_t mark = driver.mark();
    events.clear();
    timed.clear();
    CHECK(driver.count("event_destroy", mark) == 30);
    mark = driver.mark();
    for (std::size_t i = 0; i < most + 1; ++i) events.push_back(stream.record());
    CHECK(driver.count("event_create", mark) == 1);
    CHECK(std::set<cu::abi::event>([&] {
            std::set<cu::abi::event> natives;
            for (const cu::event& each : events) natives.insert(each.native_handle());
            return natives;
          }())
              .size() == events.size());
  }
  CHECK(driver.live().empty());
  CHECK(driver.bad_releases().empty());
}

YOKE_CUDA_TEST_CASE("threads that record and end events in one context never share one", "[cuda][events]") {
  cuda_rig on(device);
  std::mutex mutex;
  std::set<cu::abi::event> used;
  std::atomic<int> shared{0};
  std::vector<std::thread> threads;
  for (int each = 0; each < 4; ++each) {
    threads.emplace_back([&, each] {
      const cu::stream stream{on.context};
      for (int i = 0; i < 300; ++i) {
        std::vector<cu::event> mine;
        for (int n = 0; n < 1 + (i + each) % 5; ++n) mine.push_back(stream.record());
        const std::lock_guard lock(mutex);
        for (const cu::event& made : mine) shared += used.insert(made.native_handle()).second ? 0 : 1;
        for (const cu::event& made : mine) used.erase(made.native_handle());
      }
    });
  }
  for (std::thread& each : threads) each.join();
  CHECK(shared == 0);
  // A thread that finds none in a moment between two changes makes one, and then there is one more.
  CHECK(on.driver.count("event_create") <= 4 * 5 + yoke::detail::idle_event_list<cu::abi::event>::most);
  CHECK(on.driver.bad_releases().empty());
}

TEST_CASE("idle events behind a gap are found, and the gap is filled", "[events]") {
  yoke::detail::idle_event_list<int*> list;
  constexpr std::size_t places = yoke::detail::idle_event_list<int*>::most;
  std::array<int, places> owned{};
  for (int& each : owned) REQUIRE(list.give(&each));
  CHECK_FALSE(list.give(&owned[0]));
  std::set<int*> taken;
  for (std::size_t i = 0; i < places; ++i) taken.insert(list.take());
  CHECK(taken.size() == places);
  CHECK(list.take() == nullptr);
  list.misplace(&owned[5], places - 1);
  CHECK(list.take() == &owned[5]);
  for (std::size_t i = places / 2; i < places; ++i) list.misplace(&owned[i], i);
  for (std::size_t i = 0; i < places / 2; ++i) CHECK(list.give(&owned[i]));  // the places behind the count are full
  CHECK_FALSE(list.give(&owned[0]));
}

TEST_CASE("an idle event is in one place, whatever threads do", "[events]") {
  struct event {
    std::atomic<bool> used{false};
  };
  yoke::detail::idle_event_list<event*> list;
  std::array<event, 6> events;
  for (event& each : events) REQUIRE(list.give(&each));
  std::atomic<int> shared{0};
  std::atomic<int> lost{0};
  std::atomic<int> ready{0};
  std::vector<std::thread> threads;
  for (int number = 0; number < 4; ++number) {
    threads.emplace_back([&] {
      for (++ready; ready < 4;) std::this_thread::yield();
      for (int i = 0; i < 500'000; ++i) {
        event* const mine = list.take();
        if (mine == nullptr) continue;
        shared += mine->used.exchange(true) ? 1 : 0;
        mine->used = false;
        lost += list.give(mine) ? 0 : 1;
      }
    });
  }
  for (std::thread& each : threads) each.join();
  CHECK(shared == 0);
  CHECK(lost == 0);
  std::size_t found = 0;
  list.clear([&](event*) { ++found; });
  CHECK(found == events.size());
  CHECK(list.empty());
}

YOKE_CUDA_TEST_CASE("a record that is refused says so, and its event is not used again", "[cuda][events]") {
  cuda_rig on(device);
  const auto native = on.stream.record().native_handle();
  on.driver.fail_function("event_record", 1, fault_mode::once, 2);
  std::size_t mark = on.driver.mark();
  std::string why;
  try {
    (void)on.stream.record();
  } catch (const yoke::memory_error& e) {
    why = e.what();
  }
  on.driver.disarm();
  CHECK_THAT(why, ContainsSubstring("cuEventRecord"));
  CHECK(on.driver.count("event_destroy", mark) == 1);
  CHECK(on.driver.count("event_create", mark) == 0);
  mark = on.driver.mark();
  CHECK(on.stream.record());
  CHECK(on.driver.count("event_create", mark) == 1);
  (void)native;
}

YOKE_CUDA_TEST_CASE("events of a context that others have ended are neither recorded nor destroyed", "[cuda][events]") {
  cuda_interposer driver(*device.port().table());
  cleanup_recorder recorder;
  cu::abi::context made = nullptr;
  cu::abi::context popped = nullptr;
  REQUIRE(driver.table()->context_create(&made, 0, device.native_handle()) == 0);
  REQUIRE(driver.table()->context_pop(&popped) == 0);
  {
    const cu::context borrowed = cu::context::borrow(cu::port{driver.table()}, made);
    {
      const cu::stream stream{borrowed};
      stream.record().wait();
      stream.record_timed().wait();
    }
    REQUIRE(driver.table()->context_destroy(made) == 0);
  }
  CHECK(driver.count("event_create") == 2);
  CHECK(driver.count("event_destroy") == 0);
  CHECK(cleanup_recorder::take().empty());
}

YOKE_CUDA_TEST_CASE("after a fork idle events are not recorded, and their end calls nothing", "[cuda][events]") {
  const cu::context context{device};
  const cu::stream stream{context};
  cu::event kept = stream.record();
  (void)stream.record();
  const pid_t forked = ::fork();
  if (forked == 0) {
    int wrong = 0;
    try {
      (void)stream.record();
      wrong |= 1;
    } catch (const yoke::unsupported_error& e) {
      if (std::string(e.what()).find("forked") == std::string::npos) wrong |= 2;
    } catch (...) {
      wrong |= 4;
    }
    kept.reset();
    ::_exit(wrong);
  }
  int status = -1;
  REQUIRE(::waitpid(forked, &status, 0) == forked);
  CHECK(status == 0);
  stream.record().wait();
}
