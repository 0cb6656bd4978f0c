// SPDX-License-Identifier: MIT
// Every allocation of compiling, loading, obtaining kernels and launching made to fail in turn; launches make none.
#include <support/allocation_faults.hpp>
#include <support/rig.hpp>
#include <support/spared_contexts.hpp>

using namespace yoke_test;

namespace {

const char* const source =
    "YOKE_KERNEL add(YOKE_GLOBAL int* a, int by, YOKE_LOCAL_ARG(int, s)) { a[get_global_id(0)] += by; }";
using signature = void(int*, int, yoke::local<int>);
const yoke::launch_shape shape{.grid = 1, .block = 8};

/// What is kept from before.
struct kept {
  kept(opencl_interposer& driver, const opencl_device& on, const std::vector<std::byte>& binary)
      : context(through(driver, on)),
        stream(context),
        memory(yoke::to_device(counting(8), stream)),
        module(yoke::load(context, binary)),
        add(module.get_kernel<signature>("add")) {}
  ocl::context context;
  ocl::stream stream;
  ocl::device_allocation<int> memory;
  ocl::module module;
  ocl::kernel<signature> add;
};

template <class Act>
void loop(const std::string& name, const opencl_device& device, Act act) {
  const auto binary = yoke::compile(ocl::context(device), source).export_binary();
  run_allocation_loop(
      name, thrifty_opencl(), [&](opencl_interposer& driver) { return kept(driver, device, binary); },
      [&](opencl_interposer&, kept& state) { act(state); },
      [](opencl_interposer&, kept& state) {
        std::vector<int> values = counting(8);
        state.add(state.stream, shape, yoke::in_out(values), 10, yoke::local<int>(1));
        CHECK(values == counting(8, 11));
      });
}

}  // namespace

YOKE_OPENCL_TEST_CASE("allocations of compiling and loading fail cleanly", "[allocation]") {
  loop("compile", device, [](kept& state) {
    const auto module = yoke::compile(state.context, source, {.defines = {{"N", 4}}, .name = "named.cl"});
    const auto names = module.kernel_names();
  });
  loop("a build that fails", device, [](kept& state) {
    try {
      (void)yoke::compile(state.context, "kernel void f() { undeclared(); }");
    } catch (const yoke::compile_error&) {  // as it should; `bad_alloc` goes on
    }
  });
  loop("export and load", device, [](kept& state) {
    const auto loaded = yoke::load(state.context, state.module.export_binary());
    const auto same = ocl::module::borrow(state.context, loaded.native_handle());
  });
}

YOKE_OPENCL_TEST_CASE("allocations of obtaining kernels fail cleanly", "[allocation]") {
  loop("get_kernel", device, [](kept& state) {
    const auto kernel = state.module.get_kernel<signature>("add");
    kernel(state.stream, shape, state.memory, 1, yoke::local<int>(1));
  });
  loop("an unknown kernel", device, [](kept& state) {
    try {
      (void)state.module.get_kernel<signature>("none");
    } catch (const yoke::logic_error&) {
    }
  });
}

YOKE_OPENCL_TEST_CASE("allocations of launches that are refused fail cleanly", "[allocation]") {
  loop("a launch that is refused", device, [](kept& state) {
    try {
      state.add(state.stream, shape, state.memory, 1, yoke::local<int>(std::int64_t{1} << 40));
    } catch (const yoke::launch_error&) {
    }
  });
}

YOKE_OPENCL_TEST_CASE("a warm launch takes nothing from the heap", "[allocation]") {
  rig on(device);
  const auto add = yoke::compile(on.context, source).get_kernel<signature>("add");
  ocl::device_allocation<int> memory{on.context, 8};
  std::vector<int> values = counting(8);
  const ocl::event before = on.stream.record();
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
