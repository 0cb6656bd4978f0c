// SPDX-License-Identifier: MIT
// Every allocation of compiling, loading, obtaining kernels and launching made to fail in turn; launches make none.
#include <program/program_faults.hpp>
#include <support/faults/allocation_scenarios.hpp>
#include <yoke/program/cache/cache_entry.hpp>
#include <yoke/program/cache/kernel_signatures.hpp>

using namespace yoke_test;
using program_faults::kept;
using program_faults::signature;
using program_faults::source;

namespace {

const yoke::launch_shape shape{.grid = 1, .block = 8};

template <class Port, class Act>
void loop(const std::string& name, const yoke::device<Port>& device, Act act) {
  const auto binary = yoke::compile(yoke::context(device), source).export_binary();
  run_allocation_scenario(
      name, device, [&](const yoke::device<Port>& on) { return kept<Port>(on, binary); }, act,
      [](kept<Port>& state) {
        std::vector<int> values = counting(8);
        state.add(state.stream, shape, yoke::in_out(values), 10, yoke::local<int>(1));
        CHECK(values == counting(8, 11));
      });
}

}  // namespace

YOKE_DEVICE_TEST_CASE("allocations of loading fail cleanly", "[allocation]") {
  loop("export and load", device, [](auto& state) {
    const auto loaded = yoke::load(state.context, state.module.export_binary());
    const auto same = backend::module::borrow(state.context, loaded.native_handle());
  });
}

// The simulator's compiler is the host's: a second for each of the hundreds of allocations.
YOKE_OPENCL_TEST_CASE("allocations of compiling fail cleanly", "[allocation]") {
  loop("compile", device, [](auto& state) {
    const auto module = yoke::compile(state.context, source, {.defines = {{"N", 4}}, .name = "named.cl"});
    const auto names = module.kernel_names();
  });
  loop("a build that fails", device, [](auto& state) {
    try {
      (void)yoke::compile(state.context, "YOKE_KERNEL f() { undeclared(); }");
    } catch (const yoke::compile_error&) {  // as it should; `bad_alloc` goes on
    }
  });
}

// By itself: a whole compile through a cache has too many allocations to be made twice for each.
YOKE_OPENCL_TEST_CASE("allocations of storing signatures fail cleanly", "[allocation]") {
  loop("ask, write and read", device, [](auto& state) {
    const auto where = yoke::source_location::current();
    const auto told = state.context.port(where).described_kernels(state.module.native_handle(), where);
    const auto read = yoke::detail::decode_signatures(yoke::detail::encode_signatures(told));
    yoke::kernel_signature silent;
    silent.count = 3;
    yoke::detail::complete_signature(silent, read, "add");
  });
}

YOKE_DEVICE_TEST_CASE("allocations of obtaining kernels fail cleanly", "[allocation]") {
  loop("get_kernel", device, [](auto& state) {
    const auto kernel = yoke::get_kernel<signature>(state.module, "add");
    kernel(state.stream, shape, state.memory, 1, yoke::local<int>(1));
  });
  loop("an unknown kernel", device, [](auto& state) {
    try {
      (void)yoke::get_kernel<signature>(state.module, "none");
    } catch (const yoke::logic_error&) {
    }
  });
}

YOKE_DEVICE_TEST_CASE("allocations of timed launches fail cleanly", "[allocation]") {
  loop("enqueue_timed", device, [](auto& state) {
    const backend::stream timed{state.context, {.timing = true}};
    backend::device_allocation<int> memory{state.context, 8, timed};
    const auto add = yoke::get_kernel<signature>(state.module, "add");
    const auto first = add.enqueue_timed(timed, shape, memory, 1, yoke::local<int>(1));
    const auto last = add.enqueue_timed(timed, shape, memory, 1, yoke::local<int>(1), {.after = first});
    last.wait();
    (void)last.time_since(first);
  });
}

YOKE_DEVICE_TEST_CASE("allocations of launches that are refused fail cleanly", "[allocation]") {
  loop("a launch that is refused", device, [](auto& state) {
    try {
      state.add(state.stream, shape, state.memory, 1, yoke::local<int>(std::int64_t{1} << 40));
    } catch (const yoke::launch_error&) {
    }
  });
}

YOKE_DEVICE_TEST_CASE("a warm launch takes nothing from the heap", "[allocation]") {
  rig on(device);
  const auto add = yoke::get_kernel<signature>(yoke::compile(on.context, source), "add");
  backend::device_allocation<int> memory{on.context, 8};
  std::vector<int> values = counting(8);
  const backend::event before = on.stream.record();
  add(on.stream, shape, memory, 1, yoke::local<int>(1));
  add(on.stream, shape, yoke::in_out(values), 1, yoke::local<int>(1));

  std::size_t completed = 0;
  allocation_faults::arm(1, fault_mode::for_ever);
  try {
    for (int i = 0; i < 100; ++i) add(on.stream, shape, memory, i, yoke::local<int>(1));
    add(on.stream, yoke::launch_over(8, 8), memory.span(), 1L, yoke::local<int>(1));
    ++completed;
    (void)add.enqueue(on.stream, shape, memory, 1, yoke::local<int>(1), {.after = before});
    ++completed;
    add(on.stream, shape, yoke::in_out(values), 1, yoke::local<int>(1));
    ++completed;
    (void)add.enqueue(on.stream, yoke::launch_over(0), memory, 1, yoke::local<int>(1));
    ++completed;
  } catch (const std::bad_alloc&) {
  }
  allocation_faults::disarm();
  CHECK(completed == 4);
  CHECK(allocation_faults::injected() == 0);
  CHECK(values == counting(8, 3));
}
