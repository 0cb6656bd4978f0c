// SPDX-License-Identifier: MIT
// What only CUDA has, with each driver call made to fail in turn.
#include <cuda/cuda_rig.hpp>
#include <support/faults/fault_loop.hpp>
#include <support/process/child.hpp>
#include <support/process/in_child.hpp>
#include <support/process/sent_bytes.hpp>

#include <atomic>

using namespace yoke_test;

namespace {

struct kept {
  cu::context context;
  cu::stream stream;
  kept(cuda_interposer& driver, const cu::device& device)
      : context(cu::device::borrow(cu::port{driver.table()}, device.native_handle())), stream(context) {}
};

template <class Act>
void loop(const char* name, const cu::device& device, Act act, std::vector<absorbed_fault> absorbed = {}) {
  fault_loop_options options;
  options.absorbed = std::move(absorbed);
  options.excluded = {"device_get_attribute", "context_get_id"};
  const cu::context stays(device);
  run_fault_loop<cuda_interposer>(
      name, *device.port().table(), [&](cuda_interposer& driver) { return kept(driver, device); },
      [&](cuda_interposer&, kept& state) { act(state); },
      [](cuda_interposer&, kept& state) {
        bool ran = false;
        state.stream.call([&] { ran = true; });
        state.stream.synchronize();
        CHECK(ran);
      },
      options);
}

/// Counts what is alive.
struct alive {
  explicit alive(std::atomic<int>& of) : count(&of) { ++*count; }
  alive(alive&& other) noexcept : count(std::exchange(other.count, nullptr)) {}
  ~alive() {
    if (count != nullptr) --*count;
  }
  void operator()() const {}
  std::atomic<int>* count;
};

}  // namespace

YOKE_CUDA_TEST_CASE("faults with CUDA contexts of one's own", "[cuda][faults]") {
  loop("CUDA created contexts", device, [](kept& state) {
    const cu::context made = cu::create_context(state.context.only_device(), {.waiting = cu::schedule::yield});
    (void)cu::options_of(made);
    cu::set_limit(made, cu::limit::stack_bytes, 2048);
    (void)cu::stream_priorities(made);
    (void)cu::memory_of(made);
    cu::synchronize(made);
  });
}

YOKE_CUDA_TEST_CASE("faults with a guard", "[cuda][faults]") {
  loop("CUDA guard", device, [](kept& state) { const auto active = state.context.activate(); },
       {{"context_get_current", "at the guard's end: reported"}});
}

YOKE_CUDA_TEST_CASE("faults with registered, pitched and mapped memory", "[cuda][faults]") {
  loop("CUDA special memory", device,
       [](kept& state) {
         std::vector<int> own(100, 3);
         cu::pitched_allocation<int> rows{state.context, 10, 10};
         cu::pagelocked_array<int> host{state.context, 100, {.write_combined = true}};
         (void)cu::mapped(host);
         (void)cu::options_of(host);
         cu::registered_memory<int> pinned{state.context, std::span{own}};
         yoke::copy_async(pinned, rows, state.stream).wait();
         yoke::copy(rows, host, state.stream);
         (void)cu::describe_pointer(state.context.port(), rows.span());
         CHECK(host[99] == 3);
       },
       {{"context_get_current", "when unregistering: reported, and unregistered all the same"},
        {"context_push", "when unregistering: reported, and unregistered all the same"}});
}

YOKE_CUDA_TEST_CASE("faults with ranges that are moved in, and with several", "[cuda][faults]") {
  const char* const why = "when unregistering: reported, and unregistered all the same";
  loop("CUDA ranges moved in", device,
       [](kept& state) {
         cu::device_allocation<int> x{state.context, 100};
         cu::registered_memory<int> pinned{state.context, std::vector<int>(100, 3)};
         yoke::copy_async(pinned, x, state.stream).wait();
         std::vector<int> first(100), second(100), third(100);
         const cu::pinned_scope several{state.context, first, second, third};
         CHECK(std::get<2>(several.views()).size() == 100);
       },
       {{"context_get_current", why}, {"context_push", why}});
}

YOKE_CUDA_TEST_CASE("faults between two contexts, and with events", "[cuda][faults]") {
  loop("CUDA copies between contexts", device, [](kept& state) {
    const cu::context there = cu::create_context(state.context.only_device());
    cu::device_allocation<int> x{state.context, 60}, y{there, 60};
    yoke::copy(x, y, state.stream);
    const yoke::box_layout box{.width = 3, .height = 2, .depth = 2, .row_pitch = 5, .slice_pitch = 20};
    yoke::copy_async(yoke::strided(x, box), yoke::strided(y, box), state.stream).wait();
    cu::event done = cu::create_event(state.context, {.blocking = true});
    state.stream.record_into(done);
    done.wait();
  });
}

YOKE_CUDA_TEST_CASE("faults with a scope that a profiler records", "[cuda][faults]") {
  const char* const why = "at the scope's end: reported";
  loop("CUDA profile scope", device, [](kept& state) { const cu::profile_scope recorded{state.context}; },
       {{"context_get_current", why}, {"context_push", why}, {"context_synchronize", why}, {"profiler_stop", why}});
}

YOKE_CUDA_TEST_CASE("faults with peer access", "[cuda][peer][faults]") {
  if (device.name().find("simulator") != std::string::npos && !in_child({{"YOKE_SIMULATOR_DEVICES", "2"}})) return;
  for (const cu::device& other : cu::devices(device.port())) {
    if (other == device || !cu::can_access_peer(device, other)) continue;
    const cu::context stays(other);
    const char* const why = "at the access's end: reported";
    loop("CUDA peer access", device,
         [&](kept& state) {
           const cu::context there{cu::device::borrow(state.context.port(), other.native_handle())};
           const cu::peer_access access{state.context, there};
           const cu::peer_access again{state.context, there};
           cu::device_allocation<int> theirs{there, 10};
           const auto seen = access.view(theirs);
           CHECK(seen.size() == 10);
         },
         {{"context_get_current", why},
          {"context_push", why},
          {"context_disable_peer_access", why},
          {"pointer_get_attribute", "memory that the driver does not know is of no pool"}});
    return;
  }
  YOKE_SKIP("there is no peer");
}

YOKE_CUDA_TEST_CASE("faults with functions of the host", "[cuda][faults]") {
  std::atomic<int> living{0};
  loop("CUDA host functions", device, [&](kept& state) {
    state.stream.call(alive(living));
    state.stream.call(alive(living));
    state.stream.synchronize();
  });
  CHECK(living == 0);
}

YOKE_CUDA_TEST_CASE("faults when a stream ends with functions in it", "[cuda][faults]") {
  std::atomic<int> living{0};
  const char* const why = "in a destructor: the host waits instead of the device";
  loop("CUDA abandoned host functions", device,
       [&](kept& state) {
         const cu::stream made{state.context};
         made.call(alive(living));
       },
       {{"stream_get_context", why},
        {"context_get_current", why},
        {"context_push", why},
        {"event_create", why},
        {"event_record", why},
        {"stream_synchronize", why}});
  const auto until = std::chrono::steady_clock::now() + std::chrono::seconds(10);
  while (living != 0 && std::chrono::steady_clock::now() < until)
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  CHECK(living == 0);
}

YOKE_CUDA_TEST_CASE("faults with memory and events for other processes", "[cuda][ipc][faults]") {
  loop("CUDA handles for other processes", device, [](kept& state) {
    cu::event event = cu::create_event(state.context, {.interprocess = true});
    state.stream.record_into(event);
    const cu::ipc_event of_event = cu::share(event);
    CHECK(of_event.process != 0);
    event.wait();
    if (!shares_plain_memory(state.context.only_device())) return;
    const cu::device_allocation<int> x{state.context, 100};
    const cu::ipc_memory of_x = cu::share(x);
    CHECK(of_x.size == 100);
  });
}

YOKE_CUDA_TEST_CASE("faults with memory and events of another process", "[cuda][ipc][faults][processes]") {
  const std::string name = current_test_name();
  if (is_child(name)) {
    const auto memory = sent_by<cu::ipc_memory>("YOKE_TEST_IPC_MEMORY");
    const auto event = sent_by<cu::ipc_event>("YOKE_TEST_IPC_EVENT");
    // Drivers close memory only where a context is current; here one is, even when the library's calls for that fail.
    const cu::context stays{device};
    const auto active = stays.activate();
    const char* const why = "when the memory is closed: reported, and closed all the same";
    loop("CUDA memory of another process", device,
         [&](kept& state) {
           const cu::event written = cu::open_event(state.context, event);
           state.stream.wait(written);
           const cu::imported_memory<int> x{state.context, memory};
           yoke::fill(x.span(), 8, state.stream);
           state.stream.synchronize();
         },
         {{"context_get_current", why},
          {"context_push", why},
          {"mem_get_address_range", "the bytes are compared with the block's where the driver tells these"}});
    return;
  }
  const cu::context context{device};
  const cu::stream stream{context};
  const cu::device_allocation<int> shared{context, 1000};
  if (!shares_plain_memory(device)) SUCCEED("AddressSanitizer keeps the simulator's blocks beside each other");
  if (!shares_plain_memory(device)) return;
  cu::event written = cu::create_event(context, {.interprocess = true});
  stream.record_into(written);
  const child_result child = run_child(
      name, {{"YOKE_TEST_IPC_MEMORY", hex(cu::share(shared))}, {"YOKE_TEST_IPC_EVENT", hex(cu::share(written))}});
  INFO(child.output);
  CHECK(child.status == 0);
  CHECK(yoke::to_host(shared, stream) == std::vector<int>(1000, 8));
}
