// SPDX-License-Identifier: MIT
// What hurts in other wrappers of CUDA's contexts, threads and destruction, one case a pain.
#include <support/devices/devices.hpp>
#include <support/drivers/cuda_interposer.hpp>
#include <support/drivers/cuda_stack.hpp>
#include <support/faults/fault_run.hpp>
#include <support/process/child.hpp>

#include <yoke/yoke.hpp>

#include <atomic>
#include <cstdio>
#include <cstring>
#include <future>
#include <memory>
#include <thread>
#include <unordered_map>

using namespace yoke_test;
namespace cu = yoke::cuda;

namespace {

// What the children run with: nothing may be left behind, and nothing said.
const std::vector<std::pair<std::string, std::string>> strict{{"YOKE_SIMULATOR_LEAKS", "fail"}};
// On the simulator the first launch breaks its context, as a kernel that writes to address 0 does on a device.
const std::vector<std::pair<std::string, std::string>> failing{{"YOKE_SIMULATOR_LAUNCH_FAILURE", "1:700"},
                                                               {"YOKE_SIMULATOR_LEAKS", "fail"}};

std::size_t count_of(const std::string& text, const std::string& part) {
  std::size_t count = 0;
  for (std::size_t at = text.find(part); at != text.npos; at = text.find(part, at + 1)) ++count;
  return count;
}

/// Effects: runs this test in a child. Returns: whether this process is the child, which goes on with the body.
bool in_child(const std::string& test, const std::vector<std::pair<std::string, std::string>>& variables,
              std::size_t messages) {
  if (is_child(test)) return true;
  const child_result child = run_child(test, variables);
  INFO(child.output);
  CHECK(child.status == 0);
  CHECK(child.output.find("YOKE-SKIP") == std::string::npos);  // a child that did nothing has shown nothing
  CHECK(count_of(child.output, "yoke: ") == messages);
  return false;
}

/// Everything at once, to be destroyed in whatever state things are.
struct everything {
  cu::context context;
  cu::stream stream;
  cu::device_allocation<int> plain;
  cu::device_allocation<int> ordered;
  cu::pagelocked_array<int> host;
  cu::pitched_allocation<int> rows;
  cu::event point;
  cu::timed_event time;
  explicit everything(const cu::context& in)
      : context(in),
        stream(in),
        plain(in, 100),
        ordered(in, 100, stream),
        host(in, 100),
        rows(in, 10, 10),
        point(stream.record()),
        time(stream.record_timed()) {}
};

/// Returns: the same device for `any_port`.
yoke::device<yoke::any_port> as_any(const cu::device& device) {
  yoke::any_port::device_handle native{};
  const auto handle = device.native_handle();
  std::memcpy(&native.value, &handle, sizeof handle);
  return yoke::device<yoke::any_port>::borrow(device.port(), native);
}

constexpr const char* bad_source = "extern \"C\" __global__ void bad(int* p) { *p = 1; }";

/// A kernel that leaves its context with a sticky error; loading one may wait for the device.
cu::kernel<void(int*)> bad_kernel(const cu::context& context) {
  return yoke::compile(context, bad_source).get_kernel<void(int*)>("bad");
}
void break_context(const cu::stream& stream) {
  bad_kernel(stream.context_of())(stream, {.grid = 1, .block = 1}, nullptr);
}

}  // namespace

#define YOKE_NEEDS_CUDA()                                                                                              \
  const auto& found = test_devices<cuda_backend>();                                                                    \
  if (found.devices.empty()) YOKE_SKIP("no device: " + found.reason.substr(0, found.reason.find('\n')));               \
  [[maybe_unused]] const cu::device& device = found.devices.front()

TEST_CASE("P1: a process ends with contexts still active on its threads", "[cuda][pains]") {
  YOKE_NEEDS_CUDA();
  if (!in_child("P1: a process ends with contexts still active on its threads", strict, 0)) return;
  // Static objects end after main, in the reverse order; one thread is detached with a guard alive.
  static cu::context context{device};
  static everything things{context};
  static cu::active_context active = context.activate();
  static cu::active_context twice = context.activate();
  static std::promise<void> never;
  std::promise<void> begun;
  std::thread([&begun] {
    // On the heap: nobody ends it, and no destructor may notice.
    using forgotten = std::pair<cu::active_context, std::future<void>>;
    static const forgotten* lost = nullptr;  // where a search for leaks finds it
    lost = new forgotten(cu::context::borrow(context.port(), context.native_handle()).activate(), never.get_future());
    begun.set_value();
    lost->second.wait();
  }).detach();
  begun.get_future().wait();
  CHECK(static_cast<bool>(twice));
}

YOKE_CUDA_TEST_CASE("P2: what one thread makes another destroys, and the memory returns", "[cuda][pains]") {
  const cu::context stays{device};
  // Not even seven of these fit at once.
  const std::size_t bytes = cu::memory_of(stays).total_bytes / 20 * 3;
  for (int i = 0; i < 9; ++i) {
    std::unique_ptr<everything> things;
    cu::device_allocation<char> large;
    std::thread([&] {
      const cu::context context{device};
      things = std::make_unique<everything>(context);
      large = cu::device_allocation<char>{context, bytes};
    }).join();
    std::thread([things = std::move(things), large = std::move(large)] {}).join();
  }
  CHECK_NOTHROW(cu::device_allocation<char>{stays, bytes});
}

YOKE_CUDA_TEST_CASE("P3: a context that cannot be made leaves the thread's contexts as they were", "[cuda][pains]") {
  cuda_interposer driver(*device.port().table());
  driver.exclude("device_get_attribute");
  cleanup_recorder recorder;
  const cu::device watched = cu::device::borrow(cu::port{driver.table()}, device.native_handle());
  const cu::context stays{device};
  const auto active = stays.activate();
  const cuda_stack stack(driver.real());
  const auto before = stack.contexts();
  std::size_t failures = 0;
  for (std::size_t n = 1;; ++n) {
    const std::size_t injected = driver.injections().size();
    driver.fail_call(n, fault_mode::once, 2);
    const outcome result = attempt([&] { (void)cu::create_context(watched); }, [&] { driver.disarm(); });
    CHECK(stack.contexts() == before);
    if (driver.injections().size() == injected) break;
    failures += result.how == outcome::kind::library_error ? 1 : 0;
  }
  CHECK(failures > 0);
  CHECK(driver.live().empty());
}

YOKE_CUDA_TEST_CASE("P4: a context that was released is current nowhere", "[cuda][pains]") {
  const cuda_stack stack(*device.port().table());
  const auto before = stack.contexts();
  {
    const cu::context context{device};
    const everything things{context};
    things.stream.synchronize();
    CHECK(stack.contexts() == before);
  }
  CHECK(stack.contexts() == before);
  {
    cu::context context = cu::create_context(device);
    const auto active = context.activate();
    context.reset();  // the guard keeps it
    CHECK_FALSE(static_cast<bool>(context));
    CHECK(stack.current() == active.context_of().native_handle());
  }
  CHECK(stack.contexts() == before);
  cuda_interposer driver(*device.port().table());
  cu::context first = cu::create_context(cu::device::borrow(cu::port{driver.table()}, device.native_handle()));
  cu::context second = first;
  first.reset();
  CHECK_FALSE(static_cast<bool>(first));
  CHECK(driver.count("context_destroy") == 0);
  second.reset();
  CHECK(driver.count("context_destroy") == 1);  // with the last handle
  CHECK(driver.live().empty());
}

TEST_CASE("P5: a context that others destroy is lost, and its handles end quietly", "[cuda][pains]") {
  YOKE_NEEDS_CUDA();
  if (!in_child("P5: a context that others destroy is lost, and its handles end quietly", strict, 0)) return;
  const auto& raw = *device.port().table();
  cu::abi::context made = nullptr;
  cu::abi::context popped = nullptr;
  REQUIRE(raw.context_create(&made, 0, device.native_handle()) == 0);
  REQUIRE(raw.context_pop(&popped) == 0);
  const cu::context borrowed = cu::context::borrow(device.port(), made);
  auto lost = std::make_unique<everything>(borrowed);
  lost->ordered.record_use(cu::stream{borrowed});
  std::vector<int> mine(5000);
  auto registered = std::make_unique<cu::registered_memory<int>>(borrowed, mine);
  auto copied = yoke::copy_async(lost->plain, lost->host, lost->stream);
  REQUIRE(raw.context_destroy(made) == 0);
  CHECK_THROWS_AS((cu::device_allocation<int>{borrowed, 100}), yoke::context_lost_error);
  CHECK_THROWS_AS(cu::synchronize(borrowed), yoke::context_lost_error);
  // The primary context is another matter, and goes on.
  const cu::context primary{device};
  const everything things{primary};
  things.stream.synchronize();
  lost.reset();
  registered.reset();
  copied = {};
  things.stream.synchronize();
}

YOKE_CUDA_TEST_CASE("P6: threads share a context without pushing it", "[cuda][pains]") {
  const cu::context context{device};
  const cuda_stack stack(*device.port().table());
  std::atomic<int> right{0};
  std::vector<std::thread> threads;
  for (int i = 0; i < 8; ++i) {
    threads.emplace_back([&, i] {
      const cu::stream stream{context};
      cu::device_allocation<int> memory{context, 1000};
      yoke::fill(memory, i, stream);
      std::vector<int> host(1000);
      yoke::copy(memory, host, stream);
      if (host == std::vector<int>(1000, i) && context.only_device() == device && stack.contexts().empty()) ++right;
    });
  }
  for (std::thread& each : threads) each.join();
  CHECK(right == 8);
}

YOKE_CUDA_TEST_CASE("P7: memory is freed with no context current, or a foreign one", "[cuda][pains]") {
  static_assert(std::is_nothrow_destructible_v<everything>);
  cuda_interposer driver(*device.port().table());
  cleanup_recorder recorder;
  {
    const cu::context context{cu::device::borrow(cu::port{driver.table()}, device.native_handle())};
    const cu::context foreign = cu::create_context(device);
    auto first = std::make_unique<everything>(context);
    auto second = std::make_unique<everything>(context);
    std::thread([&] { first.reset(); }).join();
    std::thread([&] {
      const auto active = foreign.activate();
      second.reset();
    }).join();
  }
  CHECK(cleanup_recorder::take().empty());
  CHECK(driver.live().empty());
  CHECK(driver.bad_releases().empty());
}

TEST_CASE("P8: after a kernel has failed, destruction says so once", "[cuda][pains]") {
  YOKE_NEEDS_CUDA();
  if (!in_child("P8: after a kernel has failed, destruction says so once", failing, 1)) return;
  const cu::context context{device};
  std::vector<std::unique_ptr<everything>> many;
  for (int i = 0; i < 20; ++i) many.push_back(std::make_unique<everything>(context));
  std::vector<int> own(100);
  const cu::registered_memory<int> pinned{context, std::span{own}};
  const cu::stream stream{context};
  break_context(stream);
  CHECK_THROWS_AS(stream.synchronize(), yoke::context_lost_error);
  CHECK_THROWS_AS((cu::device_allocation<int>{context, 100}), yoke::context_lost_error);
  many.clear();
}

/// Traps in a kernel, with a transfer in flight and a callback pending, and then ends all that there is.
template <class Port>
void trap_with_handles(const yoke::context<Port>& context) {
  const auto trap = yoke::compile(context, "extern \"C\" __global__ void trap(int* a) { __trap(); }")
                        .template get_kernel<void(int*)>("trap");
  const yoke::stream<Port> stream(context, {.timing = true}), other(context);
  yoke::device_allocation<int, Port> plain(context, 16), ordered(context, 16, stream), used(context, 16, other);
  yoke::pagelocked_array<int, Port> host(context, 16);
  used.record_use(stream);
  const auto point = stream.record();
  const auto time = stream.record_timed();
  trap(stream, yoke::launch_over(1), plain);
  yoke::transfer<Port> down, up;
  yoke::event<Port> behind;
  try {  // the kernel may have trapped by now, and then nothing is taken any more
    down = yoke::copy_async(plain, host, stream);
    up = yoke::copy_async(host, ordered, stream);
    behind = stream.record();
    behind.on_complete([](yoke::event_status) {});
  } catch (const yoke::context_lost_error&) {
  }
  CHECK_THROWS_AS(stream.synchronize(), yoke::context_lost_error);
  CHECK_THROWS_AS((yoke::device_allocation<int, Port>(context, 16)), yoke::context_lost_error);
}

TEST_CASE("P8: after a trap one line is said, whatever ends", "[cuda][pains]") {
  YOKE_NEEDS_CUDA();
  if (!in_child("P8: after a trap one line is said, whatever ends", strict, 1)) return;
  trap_with_handles(cu::context{device});
}

TEST_CASE("P8: after a trap one line is said through any_port", "[cuda][pains]") {
  YOKE_NEEDS_CUDA();
  if (!in_child("P8: after a trap one line is said through any_port", strict, 1)) return;
  trap_with_handles(yoke::context<yoke::any_port>(as_any(device)));
}

TEST_CASE("P8: every failure after the first is there for the handler", "[cuda][pains]") {
  YOKE_NEEDS_CUDA();
  if (!in_child("P8: every failure after the first is there for the handler", failing, 0)) return;
  cleanup_recorder recorder;
  const cu::context context{device};
  auto things = std::make_unique<everything>(context);
  break_context(things->stream);
  CHECK_THROWS_AS(things->stream.synchronize(), yoke::context_lost_error);
  things.reset();
  const auto told = cleanup_recorder::take();
  CHECK(told.size() >= 2);
  for (const auto& each : told) CHECK(each.code == 700);
}

TEST_CASE("P8: functions of the host behind a failed kernel are destroyed without having run", "[cuda][pains]") {
  YOKE_NEEDS_CUDA();
  if (!in_child("P8: functions of the host behind a failed kernel are destroyed without having run", failing, 0)) {
    return;
  }
  cleanup_recorder recorder;
  const cu::context context{device};
  const auto mark = std::make_shared<int>(0);
  std::atomic<int> runs{0};
  std::promise<void> opened;
  {
    const cu::stream kept{context};
    const auto bad = bad_kernel(context);
    {
      const cu::stream gone{context};
      gone.call([wait = opened.get_future()]() mutable { wait.wait_for(std::chrono::seconds(60)); });
      bad(gone, {.grid = 1, .block = 1}, nullptr);
      gone.call([&runs, mark] { ++runs; });
      kept.wait(gone.record());
      kept.call([&runs, mark] { ++runs; });
    }
    CHECK(mark.use_count() == 3);
    opened.set_value();
    CHECK_THROWS_AS(kept.synchronize(), yoke::context_lost_error);
    const auto until = std::chrono::steady_clock::now() + std::chrono::seconds(20);
    while (mark.use_count() != 1 && std::chrono::steady_clock::now() < until) std::this_thread::yield();
  }
  CHECK(mark.use_count() == 1);
  CHECK(runs == 0);
}

TEST_CASE("P9: a forked process is told so, and ends quietly", "[cuda][pains]") {
  YOKE_NEEDS_CUDA();
  if (!in_child("P9: a forked process is told so, and ends quietly", strict, 0)) return;
  auto context = std::make_unique<cu::context>(device);
  auto things = std::make_unique<everything>(*context);
  auto copied = yoke::copy_async(things->host, things->plain, things->stream);
  bool called = false;
  things->point.on_complete([&](yoke::event_status) { called = true; });  // starts the thread that does not follow
  things->stream.synchronize();
  std::fflush(nullptr);
  const pid_t forked = ::fork();
  if (forked == 0) {
    int wrong = 0;
    const auto expect = [&](bool holds) { wrong += holds ? 0 : 1; };
    try {
      things->stream.synchronize();
      expect(false);
    } catch (const yoke::unsupported_error& e) {
      expect(std::string(e.what()).find("forked") != std::string::npos);
    }
    try {
      (void)cu::devices();
      expect(false);
    } catch (const yoke::unsupported_error& e) {
      expect(std::string(e.what()).find("forked") != std::string::npos);
    }
    expect(cu::available().reason.find("forked") != std::string::npos);
    copied = {};
    things.reset();
    context.reset();
    ::_exit(wrong);
  }
  int status = -1;
  REQUIRE(::waitpid(forked, &status, 0) == forked);
  CHECK(status == 0);
  things->stream.synchronize();  // the parent is none the worse
}

TEST_CASE("P10: nothing is initialised by including the library", "[cuda][pains]") {
  if (!in_child("P10: nothing is initialised by including the library", {}, 0)) return;
  // This is a fresh process, past the initialisation of all static objects.
  CHECK(cu::detail::driver_if_loaded() == nullptr);
  const cu::stream nothing;
  const cu::device_allocation<int> none;
  const cu::active_context inactive;
  CHECK(cu::detail::driver_if_loaded() == nullptr);
}

YOKE_CUDA_TEST_CASE("P11: caches by context find one entry for one context", "[cuda][pains]") {
  std::unordered_map<cu::context, int> cache;
  const cu::context context{device};
  cache[context] = 1;
  cache[cu::context{device}] = 2;
  cache[cu::context::borrow(device.port(), context.native_handle())] = 3;
  CHECK(cache.size() == 1);
  CHECK(cache.at(context) == 3);
  const cu::context other = cu::create_context(device);
  cache[other] = 4;
  CHECK(cache.size() == 2);
  CHECK(cu::id_of(other) != cu::id_of(context));  // for those that outlive the context
}

YOKE_CUDA_TEST_CASE("P12: a stream is ended early, and moved", "[cuda][pains]") {
  cuda_interposer driver(*device.port().table());
  {
    const cu::context context{cu::device::borrow(cu::port{driver.table()}, device.native_handle())};
    cu::stream stream{context};
    const cu::stream view = cu::stream::borrow(context, stream.native_handle());
    view.synchronize();
    cu::stream moved = std::move(stream);
    CHECK_FALSE(static_cast<bool>(stream));  // NOLINT: that is what is asked
    CHECK_THROWS_AS(stream.synchronize(), yoke::logic_error);
    CHECK(driver.count("stream_destroy") == 0);
    moved.reset();
    CHECK(driver.count("stream_destroy") == 1);
    moved.reset();
    CHECK(driver.count("stream_destroy") == 1);
    std::vector<cu::stream> many;
    for (int i = 0; i < 10; ++i) many.emplace_back(context);
    many.erase(many.begin() + 3);
    CHECK(driver.count("stream_destroy") == 2);
  }
  CHECK(driver.live().empty());
}
