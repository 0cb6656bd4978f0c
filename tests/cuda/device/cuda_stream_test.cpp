// SPDX-License-Identifier: MIT
// Streams with flags and priorities, the default streams, functions of the host in stream order, and elapsed times.
#include <cuda/cuda_rig.hpp>
#include <support/devices/devices.hpp>
#include <support/drivers/cuda_interposer.hpp>
#include <support/drivers/cuda_stack.hpp>
#include <support/faults/fault_run.hpp>
#include <support/soon.hpp>

#include <atomic>
#include <chrono>
#include <future>
#include <memory>
#include <stdexcept>
#include <thread>

using namespace yoke_test;
namespace cu = yoke::cuda;
using namespace std::chrono_literals;

namespace {

/// Holds a stream back until it is opened, or for a minute.
class gate {
 public:
  explicit gate(const cu::stream& stream) {
    stream.call([opened = opened_.get_future()]() mutable { opened.wait_for(60s); });
  }
  ~gate() { open(); }
  void open() {
    if (!std::exchange(open_, true)) opened_.set_value();
  }

 private:
  std::promise<void> opened_;
  bool open_ = false;
};

/// Counts its copies that are alive, and its runs.
struct counted {
  struct counts {
    std::atomic<int> alive{0};
    std::atomic<int> runs{0};
    std::thread::id destroyed_on;
  };
  explicit counted(counts& of) : at(&of) { ++at->alive; }
  counted(counted&& other) noexcept : at(std::exchange(other.at, nullptr)) {}
  ~counted() {
    if (at == nullptr) return;
    at->destroyed_on = std::this_thread::get_id();
    --at->alive;
  }
  void operator()() { ++at->runs; }
  counts* at;
};

}  // namespace

YOKE_CUDA_TEST_CASE("a stream has its flags, a priority within the device's range, and a number", "[cuda]") {
  const cu::context context{device};
  const cu::priority_range range = cu::stream_priorities(context);
  const cu::stream plain{context};
  CHECK_FALSE(cu::is_non_blocking(plain));
  CHECK(cu::priority_of(plain) == 0);
  const cu::stream urgent{context, {.non_blocking = true, .priority = range.greatest}};
  CHECK(cu::is_non_blocking(urgent));
  CHECK(cu::priority_of(urgent) == range.greatest);
  // Beyond the range the driver takes the nearest, as documented.
  CHECK(cu::priority_of(cu::stream{context, {.priority = range.greatest - 100}}) == range.greatest);
  CHECK(cu::priority_of(cu::stream{context, {.priority = range.least + 100}}) == range.least);
  CHECK(cu::id_of(plain) != cu::id_of(urgent));
  CHECK_THROWS_AS(cu::priority_of(cu::stream{}), yoke::logic_error);
  CHECK_THROWS_AS(cu::is_non_blocking(cu::stream{}), yoke::logic_error);
  CHECK_THROWS_AS(cu::id_of(cu::stream{}), yoke::logic_error);
}

YOKE_CUDA_TEST_CASE("a stream is asked whether it is done by one call, and says when it is not", "[cuda]") {
  cuda_interposer driver(*device.port().table());
  const cu::context context{cu::device::borrow(cu::port{driver.table()}, device.native_handle())};
  const cu::stream stream{context};
  {
    gate closed(stream);
    const std::size_t mark = driver.mark();
    CHECK_FALSE(stream.is_done());
    CHECK(driver.calls(mark) == std::vector<std::string>{"stream_query"});
  }
  stream.synchronize();
  CHECK(stream.is_done());
}

YOKE_CUDA_TEST_CASE("the default streams are borrowed by their special handles, with their context current", "[cuda]") {
  const cu::context context = cu::create_context(device);
  const cuda_stack stack(*device.port().table());
  const auto before = stack.contexts();
  {
    const cu::default_stream legacy = cu::legacy_stream(context);
    CHECK(reinterpret_cast<std::uintptr_t>(legacy.native_handle()) == 1);
    CHECK(stack.current() == context.native_handle());
    CHECK(legacy.context_of() == context);
    cu::device_allocation<int> memory{context, 100};
    yoke::fill(memory, 7, legacy);
    std::vector<int> host(100);
    yoke::copy(memory, host, legacy);
    CHECK(host == std::vector<int>(100, 7));
    legacy.record().wait();
    CHECK(legacy.is_done());
    const cu::stream blocking{context};
    const cu::stream apart{context, {.non_blocking = true}};
    gate closed(blocking);
    yoke::fill(memory, 8, legacy);  // keeps step with blocking streams
    CHECK_FALSE(legacy.is_done());
    CHECK(apart.is_done());
    closed.open();
    legacy.synchronize();
    CHECK(blocking.is_done());
  }
  CHECK(stack.contexts() == before);
  {
    cu::default_stream mine = cu::per_thread_stream(context);
    CHECK(reinterpret_cast<std::uintptr_t>(mine.native_handle()) == 2);
    bool ran = false;
    mine.call([&] { ran = true; });
    mine.synchronize();
    CHECK(ran);
    const cu::default_stream moved = std::move(mine);
    moved.synchronize();
    CHECK(stack.current() == context.native_handle());
  }
  CHECK(stack.contexts() == before);
}

YOKE_CUDA_TEST_CASE("a copy in a default stream has its event where the copy is: in the context that is current",
                    "[cuda]") {
  if (!is_simulated(device)) YOKE_SKIP("not seen yet whether a GPU copies the memory of a context that is not current");
  const cu::context context = cu::create_context(device);
  const cu::context other = cu::create_context(device);
  cu::device_allocation<int> from{context, 100};
  cu::device_allocation<int> to{context, 100};
  yoke::fill(from, 7, cu::stream{context});
  const cu::default_stream legacy = cu::legacy_stream(context);
  legacy.synchronize();
  const cu::stream elsewhere{other};
  gate closed(elsewhere);  // the other context's default stream waits for it
  {
    const auto active = other.activate();
    auto copied = yoke::copy_async(from, to, legacy);
    CHECK_FALSE(copied.is_done());
    closed.open();
    copied.wait();
  }
  std::vector<int> host(100);
  yoke::copy(to, host, legacy);
  CHECK(host == std::vector<int>(100, 7));
}

YOKE_CUDA_TEST_CASE("a default stream that ends with functions in it still runs them", "[cuda]") {
  const cu::context context = cu::create_context(device);
  counted::counts counts;
  std::promise<void> opened;
  {
    const cu::default_stream stream = cu::per_thread_stream(context);
    stream.call([wait = opened.get_future()]() mutable { wait.wait_for(60s); });
    stream.call(counted(counts));
  }
  CHECK(counts.runs == 0);
  CHECK(counts.alive == 1);
  opened.set_value();
  CHECK(soon([&] { return counts.alive == 0; }));
  CHECK(counts.runs == 1);
}

YOKE_CUDA_TEST_CASE("memory ordered by a default stream outlives it, on any thread", "[cuda]") {
  cuda_interposer driver(*device.port().table());
  cleanup_recorder recorder;
  {
    const cu::context context{cu::device::borrow(cu::port{driver.table()}, device.native_handle())};
    cu::device_allocation<int> legacy, mine;
    {
      const cu::default_stream stream = cu::legacy_stream(context);
      legacy = cu::device_allocation<int>{context, 100, stream};
      yoke::fill(legacy, 1, stream);
    }
    {
      const cu::default_stream stream = cu::per_thread_stream(context);
      mine = cu::device_allocation<int>{context, 100, stream};
      yoke::fill(mine, 1, stream);
    }
    std::thread([one = std::move(legacy), two = std::move(mine)] {}).join();
  }
  CHECK(cleanup_recorder::take().empty());
  CHECK(driver.live().empty());
  CHECK(driver.bad_releases().empty());
}

YOKE_CUDA_TEST_CASE("a function of the host runs once, in the stream's order", "[cuda]") {
  const cu::context context{device};
  const cu::stream stream{context};
  cu::device_allocation<int> memory{context, 1000};
  cu::pagelocked_array<int> host{context, 1000};
  yoke::fill(memory, 5, stream);
  auto transfer = yoke::copy_async(memory, host, stream);
  int seen = 0, runs = 0;
  std::thread::id on;
  auto owned = std::make_unique<int>(3);  // callables may be move-only
  stream.call([&, owned = std::move(owned)] {
    seen = host[999] + *owned;
    on = std::this_thread::get_id();
    ++runs;
  });
  stream.synchronize();
  CHECK(seen == 8);
  CHECK(runs == 1);
  CHECK(on != std::this_thread::get_id());
  transfer.wait();
  std::vector<int> order;
  for (int i = 0; i < 100; ++i) stream.call([&order, i] { order.push_back(i); });
  stream.synchronize();
  REQUIRE(order.size() == 100);
  CHECK(std::is_sorted(order.begin(), order.end()));
  CHECK_THROWS_AS(cu::stream{}.call([] {}), yoke::logic_error);
}

YOKE_CUDA_TEST_CASE("CUDA in a function that a stream calls is refused, and the message says why", "[cuda]") {
  if (!is_simulated(device)) return;  // drivers refuse, hang or comply, as they please
  const cu::context context{device};
  const cu::stream stream{context};
  std::string said;
  stream.call([&] {
    try {
      (void)cu::device_allocation<int>{context, 4};
    } catch (const yoke::unsupported_error& e) {
      said = e.what();
    }
  });
  stream.synchronize();
  CHECK_THAT(said,
             ContainsSubstring("the operation is not permitted; a function that a stream calls may not use CUDA"));
}

YOKE_CUDA_TEST_CASE("what a host function owns is destroyed on a thread that may use the driver",
                    "[cuda][stream_end]") {
  cuda_interposer driver(*device.port().table());
  cleanup_recorder recorder;
  {
    const cu::context context{cu::device::borrow(cu::port{driver.table()}, device.native_handle())};
    counted::counts counts;
    {
      const cu::stream stream{context};
      cu::device_allocation<int> memory{context, 10};
      stream.call([held = std::move(memory), once = counted(counts)]() mutable { once(); });
      stream.synchronize();
      CHECK(counts.runs == 1);
      CHECK(counts.alive == 0);  // also where the callback thread was there first
      // A handle that goes while calls wait: they run all the same.
      cu::device_allocation<int> more{context, 10};
      gate closed(stream);
      stream.call([held = std::move(more), once = counted(counts)]() mutable { once(); });
      { const cu::stream gone = std::move(const_cast<cu::stream&>(stream)); }
      CHECK(counts.runs == 1);
      CHECK(counts.alive == 1);
    }
    CHECK(soon([&] { return counts.alive == 0; }));
    CHECK(counts.runs == 2);
  }
  CHECK(cleanup_recorder::take().empty());
  CHECK(live_when_quiet(driver).empty());
}

YOKE_CUDA_TEST_CASE("an exception of a host function is thrown by the next wait, once; further ones are told",
                    "[cuda]") {
  const cu::context context{device};
  const cu::stream stream{context};
  cleanup_recorder recorder;
  stream.call([] { throw std::domain_error("first"); });
  stream.call([] { throw std::domain_error("second"); });
  CHECK_THROWS_WITH(stream.synchronize(), "first");
  stream.synchronize();
  auto told = cleanup_recorder::take();
  REQUIRE(told.size() == 1);
  CHECK(told.front().call == "stream.call");
  CHECK(told.front().message == "second");
  stream.call([] { throw std::domain_error("third"); });
  CHECK_THROWS_AS(stream.synchronize(), std::domain_error);
  CHECK(cleanup_recorder::take().empty());
}

YOKE_CUDA_TEST_CASE("an exception that nobody waits for goes to the cleanup handler", "[cuda][stream_end]") {
  const cu::context context{device};
  cleanup_recorder recorder;
  {
    const cu::stream stream{context};
    stream.call([] { throw std::domain_error("kept"); });
    stream.record().wait();
    REQUIRE(soon([&] { return stream.is_done(); }));
  }
  const auto kept = cleanup_recorder::take();
  REQUIRE(kept.size() == 1);
  CHECK(kept.front().message == "kept");
  std::atomic<bool> thrown{false};
  {
    const cu::stream stream{context};
    gate closed(stream);
    stream.call([&] {
      thrown = true;
      throw std::domain_error("late");
    });
    { const cu::stream gone = std::move(const_cast<cu::stream&>(stream)); }
    CHECK_FALSE(thrown);
  }
  CHECK(soon([&] { return thrown.load(); }));
  std::vector<cleanup_recorder::record> late;
  CHECK(soon([&] {
    for (const auto& each : cleanup_recorder::take()) late.push_back(each);
    return !late.empty();
  }));
  REQUIRE(late.size() == 1);
  CHECK(late.front().message == "late");
}

YOKE_CUDA_TEST_CASE("a host function that has run is destroyed without another call of its stream", "[cuda]") {
  cuda_interposer driver(*device.port().table());
  const cu::context context{cu::device::borrow(cu::port{driver.table()}, device.native_handle())};
  const cu::stream stream{context};
  counted::counts counts;
  std::atomic<std::thread::id> ran_on{};
  for (int round = 1; round <= 20; ++round) {
    cu::device_allocation<int> memory{context, 10};
    stream.call([&, held = std::move(memory), once = counted(counts)]() mutable {
      once();
      ran_on = std::this_thread::get_id();
    });
    CHECK(soon([&] { return counts.alive == 0; }));
    CHECK(counts.runs == round);
  }
  CHECK(counts.destroyed_on != ran_on.load());
  CHECK(counts.destroyed_on != std::this_thread::get_id());
  // Waiting returns after the destruction, whoever does it.
  for (int round = 0; round < 200; ++round) {
    stream.call([once = counted(counts)]() mutable { once(); });
    stream.synchronize();
    CHECK(counts.alive == 0);
  }
}

YOKE_CUDA_TEST_CASE("an exception of a host function is thrown by its stream's synchronize, by no other wait",
                    "[cuda]") {
  const cu::context context{device};
  const cu::stream stream{context};
  cu::device_allocation<int> memory{context, 4};
  const std::vector<int> host(4);
  stream.call([] { throw std::domain_error("kept"); });
  yoke::copy(host, memory, stream);
  stream.record().wait();
  cu::synchronize(context);
  CHECK_THROWS_WITH(stream.synchronize(), "kept");
}

YOKE_CUDA_TEST_CASE("a host function that the driver refuses is destroyed", "[cuda]") {
  cuda_interposer driver(*device.port().table());
  const cu::context context{cu::device::borrow(cu::port{driver.table()}, device.native_handle())};
  const cu::stream stream{context};
  counted::counts counts;
  driver.fail_call(1, fault_mode::once, 2);
  CHECK_THROWS_AS(stream.call(counted(counts)), yoke::memory_error);
  driver.disarm();
  CHECK(counts.alive == 0);
  stream.synchronize();
  CHECK(counts.runs == 0);
}

YOKE_CUDA_TEST_CASE("times between events count from start to stop, over streams and backwards", "[cuda]") {
  const cu::context context{device};
  const cu::stream first{context}, second{context, {.non_blocking = true}};
  const cu::timed_event start = first.record_timed();
  start.wait();
  std::this_thread::sleep_for(2ms);
  const cu::timed_event stop = second.record_timed();
  const auto forth = stop.time_since(start);
  CHECK(forth >= 1ms);
  CHECK(start.time_since(stop) < 0ns);
  CHECK(start.time_since(start) == 0ns);
  const cu::timed_event pending = [&] {
    gate closed(first);
    cu::timed_event made = first.record_timed();
    CHECK_FALSE(made.is_done());
    // The driver itself would say "not ready"; `time_since` waits for both.
    float milliseconds = 0;
    CHECK(device.port().table()->event_elapsed_time(&milliseconds, start.native_handle(), made.native_handle()) == 600);
    return made;
  }();
  CHECK(pending.time_since(start) >= forth);
  const cu::context other = cu::create_context(device);
  const cu::stream foreign{other};
  const cu::timed_event elsewhere = foreign.record_timed();
  CHECK_THROWS_AS(elsewhere.time_since(start), yoke::error);
  CHECK_THROWS_AS(cu::timed_event{}.time_since(start), yoke::logic_error);
  // An untimed event that is taken for a timed one is the driver's to refuse.
  const cu::event untimed = first.record();
  const cu::timed_event pretended = cu::timed_event::borrow(context, untimed.native_handle());
  CHECK_THROWS_AS(pretended.time_since(start), yoke::error);
}

namespace {
/// Plays a driver whose events are 1.5 ms apart.
cuda_abi::status told_time(float* milliseconds, cuda_abi::event, cuda_abi::event) {
  *milliseconds = 1.5F;
  return cuda_abi::success;
}
}  // namespace

YOKE_CUDA_TEST_CASE("a time is nanoseconds of the driver's milliseconds", "[cuda]") {
  cuda_abi::functions table = *device.port().table();
  table.event_elapsed_time = &told_time;
  const cu::context context{cu::device::borrow(cu::port{&table}, device.native_handle())};
  const cu::stream stream{context};
  const cu::timed_event start = stream.record_timed();
  const cu::timed_event stop = stream.record_timed();
  CHECK(stop.time_since(start) == std::chrono::microseconds(1500));
}
