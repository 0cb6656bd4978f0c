// SPDX-License-Identifier: MIT
// No operation leaves the calling thread's stack of contexts changed, whatever is current and whatever fails.
#include <support/devices/devices.hpp>
#include <support/drivers/cuda_interposer.hpp>
#include <support/drivers/cuda_stack.hpp>
#include <support/faults/fault_run.hpp>

#include <functional>
#include <thread>

using namespace yoke_test;
namespace cu = yoke::cuda;

namespace {

constexpr const char* source = R"(
  YOKE_KERNEL add(YOKE_GLOBAL int* a, int n) { int i = (int)get_global_id(0); if (i < 8) a[i] += n; })";

/// What the operations work on.
struct kept {
  cu::context context;
  cu::stream stream;
  cu::stream second;
  cu::device_allocation<int> memory;
  cu::pagelocked_array<int> host;
  cu::kernel<void(int*, int)> add;
  cu::timed_event start;
  std::vector<std::byte> binary;
  std::vector<int> own = std::vector<int>(8, 1);

  kept(const cu::device& device, std::vector<std::byte> compiled)
      : context(device),
        stream(context),
        second(context, {.non_blocking = true}),
        memory(context, 8),
        host(context, 8),
        add(yoke::load(context, compiled).get_kernel<void(int*, int)>("add")),
        start(stream.record_timed()),
        binary(std::move(compiled)) {
    yoke::fill(memory, 0, stream);
    stream.synchronize();
  }
};

struct operation {
  const char* name;
  std::function<void(kept&)> act;
};

const std::vector<operation>& operations() {
  static const std::vector<operation> all{
      {"primary context", [](kept& k) { const cu::context same{k.context.only_device()}; }},
      {"adopt a context",
       [](kept& k) {
         const auto extra = k.context.retain_native();
         try {
           const cu::context same = cu::context::adopt(k.context.port(), extra);
         } catch (...) {
           (void)k.context.port().release_context(extra);  // still the caller's
           throw;
         }
       }},
      {"create a context", [](kept& k) { (void)cu::create_context(k.context.only_device(), {.map_host = true}); }},
      {"ask a context",
       [](kept& k) {
         (void)cu::options_of(k.context);
         (void)cu::get_limit(k.context, cu::limit::stack_bytes);
         (void)cu::get_cache_config(k.context);
         (void)cu::stream_priorities(k.context);
         (void)cu::id_of(k.context);
         (void)cu::api_version_of(k.context);
         (void)cu::memory_of(k.context);
       }},
      {"set limits",
       [](kept& k) {
         cu::set_limit(k.context, cu::limit::stack_bytes, cu::get_limit(k.context, cu::limit::stack_bytes));
         cu::set_cache_config(k.context, cu::cache_config::prefer_none);
       }},
      {"wait for a context", [](kept& k) { cu::synchronize(k.context); }},
      {"activate a context", [](kept& k) { const auto active = k.context.activate(); }},
      {"make and end a stream",
       [](kept& k) {
         const cu::stream made{k.context, {.priority = -1}};
       }},
      {"borrow a stream", [](kept& k) { (void)cu::stream::borrow(k.context, k.stream.native_handle()); }},
      {"default streams",
       [](kept& k) {
         { cu::legacy_stream(k.context).synchronize(); }
         const cu::default_stream mine = cu::per_thread_stream(k.context);
         yoke::fill(k.memory, 1, mine);
         mine.synchronize();
       }},
      {"ask and wait for a stream",
       [](kept& k) {
         (void)k.stream.is_done();
         (void)cu::priority_of(k.stream);
         (void)cu::is_non_blocking(k.stream);
         (void)cu::id_of(k.stream);
         k.stream.synchronize();
         k.stream.flush();
       }},
      {"call the host",
       [](kept& k) {
         k.stream.call([] {});
         k.stream.synchronize();
       }},
      {"end a stream with a call in it",
       [](kept& k) {
         const cu::stream made{k.context};
         made.call([] {});
       }},
      {"events",
       [](kept& k) {
         const cu::event point = k.stream.record();
         k.second.wait(point);
         point.wait();
         (void)point.is_done();
         (void)k.stream.record_timed().time_since(k.start);
       }},
      {"plain memory",
       [](kept& k) {
         const cu::device_allocation<int> made{k.context, 100};
       }},
      {"too much memory",
       [](kept& k) {
         const cu::device_allocation<char> made{k.context, std::size_t{1} << 46};
       }},
      {"ordered memory",
       [](kept& k) {
         cu::device_allocation<int> made{k.context, 100, k.stream};
         made.record_use(k.second);
       }},
      {"adopt memory",
       [](kept& k) { (void)cu::device_allocation<int>::borrow(k.context, k.memory.native_handle(), 8); }},
      {"adopt ordered memory",
       [](kept& k) {
         cu::device_allocation<int> made{k.context, 100, k.stream};
         const auto same = cu::device_allocation<int>::adopt(k.context, made.native_handle(), 100, k.stream);
         (void)made.release();  // only now: what was not adopted has an owner still
       }},
      {"page-locked memory",
       [](kept& k) {
         cu::pagelocked_array<int> made{k.context, 100};
         const cu::pagelocked_array<int> special{k.context, 100, {.write_combined = true}};
         (void)cu::mapped(made);
       }},
      {"registered memory",
       [](kept& k) {
         const cu::registered_memory<int> made{k.context, std::span{k.own}, {.mapped = true}};
       }},
      {"pitched memory",
       [](kept& k) {
         cu::pitched_allocation<int> made{k.context, 10, 3};
         yoke::fill(made, 1, k.stream);
       }},
      {"ask a pointer", [](kept& k) { (void)cu::describe_pointer(k.context.port(), k.memory.span()); }},
      {"copies",
       [](kept& k) {
         yoke::copy(k.own, k.memory, k.stream);
         yoke::copy(k.memory, k.own, k.stream);
         yoke::copy_async(k.host, k.memory, k.stream).wait();
         const auto made = yoke::to_device(k.own, k.stream);
         yoke::copy(yoke::strided(k.own, {.width = 2, .height = 2, .row_pitch = 4}),
                    yoke::strided(k.memory, {.width = 2, .height = 2, .row_pitch = 3}), k.stream);
       }},
      {"fills", [](kept& k) { yoke::fill(k.memory, 0x01020304, k.stream); }},
      {"load a module", [](kept& k) { (void)yoke::load(k.context, k.binary).get_kernel<void(int*, int)>("add"); }},
      {"launch",
       [](kept& k) {
         k.add(k.stream, yoke::launch_over(8), k.memory, 1);
         k.add(k.stream, yoke::launch_over(8), yoke::in_out(k.own), 1);
         (void)k.add.limits();
         k.add.enqueue(k.stream, yoke::launch_over(8), k.memory, 1).wait();
       }},
      {"refused launch", [](kept& k) { k.add(k.stream, {.grid = 1, .block = 4096}, k.memory, 1); }},
      {"ask a device",
       [](kept& k) {
         const cu::device device = k.context.only_device();
         (void)device.summary();
         (void)device.limits();
         (void)cu::primary_state_of(device);
         (void)cu::device_of_uuid(device.port(), cu::uuid_of(device));
         (void)cu::device_of_pci_bus_id(device.port(), cu::pci_bus_id_of(device));
       }},
  };
  return all;
}

/// What is current on the thread that runs the operations.
enum class current_is { nothing, same, foreign };

void check_all(const cu::device& device, current_is what, bool inject) {
  cuda_interposer driver(*device.port().table());
  driver.exclude("device_get_attribute");
  cleanup_recorder recorder;
  const cuda_stack stack(driver.real());
  const cu::device watched = cu::device::borrow(cu::port{driver.table()}, device.native_handle());
  const cu::context foreign = cu::create_context(device);
  {
    const cu::context stays{device};
    kept state(watched, yoke::compile(stays, source).export_binary());
    // None of the library's own guards: this is somebody else's thread.
    std::vector<cu::abi::context> pushed;
    if (what == current_is::same) pushed = {foreign.native_handle(), stays.native_handle()};
    if (what == current_is::foreign) pushed = {stays.native_handle(), foreign.native_handle()};
    for (const auto each : pushed) REQUIRE(driver.real().context_push(each) == 0);
    const auto before = stack.contexts();
    for (const operation& each : operations()) {
      CAPTURE(each.name);
      for (std::size_t n = 0;; ++n) {
        CAPTURE(n);
        if (n != 0) driver.fail_call(n, fault_mode::once, 1);
        const std::size_t injected = driver.injections().size();
        const outcome result = attempt([&] { each.act(state); }, [&] { driver.disarm(); });
        if (result.how == outcome::kind::foreign) FAIL_CHECK(result.what);
        if (stack.contexts() != before) {
          FAIL_CHECK("the thread's contexts are not what they were");
          cu::abi::context popped = nullptr;
          while (stack.current() != nullptr) driver.real().context_pop(&popped);
          for (const auto one : before) driver.real().context_push(one);
        }
        if (!inject || (n != 0 && driver.injections().size() == injected)) break;
      }
    }
    CHECK(stack.contexts() == before);
    cu::abi::context popped = nullptr;
    for (std::size_t i = 0; i < pushed.size(); ++i) REQUIRE(driver.real().context_pop(&popped) == 0);
  }
  CHECK(driver.count("context_set_current") == 0);
  if (inject) CHECK(driver.injections().size() > operations().size());
  for (const std::string& each : live_when_quiet(driver)) FAIL_CHECK("left alive: " << each);
  for (const std::string& each : driver.bad_releases()) FAIL_CHECK("bad release: " << each);
}

}  // namespace

YOKE_CUDA_TEST_CASE("no operation changes the contexts of a thread", "[cuda]") {
  for (const current_is each : {current_is::nothing, current_is::same, current_is::foreign}) {
    CAPTURE(static_cast<int>(each));
    check_all(device, each, false);
  }
}

YOKE_CUDA_TEST_CASE("no operation that fails changes the contexts of a thread", "[cuda][faults]") {
  for (const current_is each : {current_is::nothing, current_is::same, current_is::foreign}) {
    CAPTURE(static_cast<int>(each));
    check_all(device, each, true);
  }
}

YOKE_CUDA_TEST_CASE("operations on a stream need no context and touch none", "[cuda]") {
  cuda_interposer driver(*device.port().table());
  const cu::device watched = cu::device::borrow(cu::port{driver.table()}, device.native_handle());
  const cu::context stays{device};
  kept state(watched, yoke::compile(stays, source).export_binary());
  const auto calls = [&](auto act) {
    std::vector<std::string> made;
    std::thread([&] {  // on which no context has ever been
      const std::size_t mark = driver.mark();
      act();
      made = driver.calls(mark);
    })
        .join();
    return made;
  };
  using names = std::vector<std::string>;
  CHECK(calls([&] { state.add(state.stream, yoke::launch_over(8), state.memory, 1); }) == names{"launch_kernel"});
  CHECK(calls([&] { const cu::device_allocation<int> made(state.context, 8, state.stream); }) ==
        names{"mem_alloc_async", "mem_free_async"});
  CHECK(calls([&] { yoke::fill(state.memory, 3, state.stream); }) == names{"memset_d32_async"});
  CHECK(calls([&] { state.stream.synchronize(); }) == names{"stream_synchronize"});
  CHECK(calls([&] { (void)state.stream.is_done(); }) == names{"stream_query"});
  CHECK(calls([&] { state.stream.call([] {}); }) == names{"launch_host_function"});
  CHECK(calls([&] { yoke::copy(state.memory, state.own, state.stream); }) ==
        names{"memcpy_dtoh_async", "stream_synchronize"});
  // A copy is one call; behind it a transfer has an event, which is made in the context.
  CHECK(calls([&] { yoke::enqueue_copy(state.host, state.memory, state.stream); }) == names{"memcpy_htod_async"});
  CHECK(calls([&] { yoke::copy_async(state.host, state.memory, state.stream).wait(); }) ==
        names{"memcpy_htod_async", "context_get_current", "context_get_id", "context_push", "event_create",
              "context_pop", "event_record", "event_synchronize"});
  CHECK(calls([&] { yoke::copy_async(state.host, state.memory, state.stream).wait(); }) ==
        names{"memcpy_htod_async", "event_record", "event_synchronize"});  // the same event once more
  // Where the context is current already, nothing is switched.
  const auto active = state.context.activate();
  const std::size_t mark = driver.mark();
  const cu::device_allocation<int> made(state.context, 8);
  CHECK(driver.calls(mark) == names{"context_get_id", "context_get_current", "mem_alloc"});
}
