// SPDX-License-Identifier: MIT
// Every driver call of compiling, loading, obtaining kernels and launching made to fail in turn.
#include <program/program_faults.hpp>

using namespace yoke_test;
using namespace yoke_test::program_faults;

YOKE_DEVICE_TEST_CASE("faults in compiling and loading", "[program][faults]") {
  fault_loop_options once;
  once.repeat = std::same_as<Backend, opencl_backend>;  // CUDA's compiler is no part of the driver, and takes long
  loop(
      "compile", device,
      [](auto& state) {
        const auto module = yoke::compile(state.context, source);
        const auto log = module.build_log();
        const auto names = module.kernel_names();
        CHECK(names.size() == 1);
      },
      once);
  loop("export and load", device, [](auto& state) {
    const auto binary = state.module.export_binary();
    const auto loaded = yoke::load(state.context, binary);
    CHECK(static_cast<bool>(loaded));
  });
}

YOKE_DEVICE_TEST_CASE("faults in obtaining kernels", "[program][faults]") {
  loop(
      "get_kernel", device,
      [](auto& state) {
        auto kernel = yoke::get_kernel<signature>(state.module, "add");
        const auto limits = kernel.limits();
        CHECK(limits.max_block > 0);
      },
      weaker_checks());
}

YOKE_DEVICE_TEST_CASE("faults in launches", "[program][faults]") {
  const yoke::launch_shape shape{.grid = 1, .block = 8};
  loop("operator()", device, [&](auto& state) {
    state.add(state.stream, shape, state.memory, 1, yoke::local<int>(1));
    state.stream.synchronize();
  });
  loop("enqueue behind events", device, [&](auto& state) {
    const backend::stream second(state.context);
    state.memory.record_use(second);  // a launch whose event cannot be had runs all the same
    const auto first = state.add.enqueue(state.stream, shape, state.memory, 1, yoke::local<int>(1));
    const auto marker = state.stream.record();
    const auto last =
        state.add.enqueue(second, shape, state.memory, 1, yoke::local<int>(1), {.after = {first, marker}});
    last.wait();
  });
  loop("timed launches", device, [&](auto& state) {
    const backend::stream timed{state.context, {.timing = true}};
    backend::device_allocation<int> memory{state.context, 8, timed};
    const auto first = state.add.enqueue_timed(timed, shape, memory, 1, yoke::local<int>(1));
    const auto nothing =
        state.add.enqueue_timed(timed, yoke::launch_over(0), memory, 1, yoke::local<int>(1), {.after = first});
    const auto last = state.add.enqueue_timed(timed, shape, memory, 1, yoke::local<int>(1), {.after = nothing});
    last.wait();
    (void)last.time_since(first);
  });
  loop("host ranges", device, [&](auto& state) {
    std::vector<int> values(8);
    state.add(state.stream, shape, yoke::in_out(values), 1, yoke::local<int>(1));
    state.add(state.stream, shape, yoke::out(values), 1, yoke::local<int>(1));
    state.add(state.stream, shape, yoke::in(values), 1, yoke::local<int>(1));
    state.stream.synchronize();
  });
  // A new kernel each time, so that its first clone is made under the fault.
  loop(
      "the first launch", device,
      [&](auto& state) {
        const auto kernel = yoke::get_kernel<signature>(state.module, "add");
        kernel(state.stream, shape, state.memory, 1, yoke::local<int>(1));
        state.stream.synchronize();
      },
      weaker_checks());
}
