// SPDX-License-Identifier: MIT
// Every driver call of compiling, loading, obtaining kernels and launching made to fail in turn.
#include <support/fault_loop.hpp>
#include <support/rig.hpp>
#include <support/spared_contexts.hpp>

using namespace yoke_test;

namespace {

const char* const source = "kernel void add(global int* a, int by, local int* s) { a[get_global_id(0)] += by; }";
using signature = void(int*, int, yoke::local<int>);

/// What is kept from before a fault.
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

/// Effects: runs the loop over `act(kept)`; afterwards the kept kernel and module still work.
template <class Act>
void loop(const std::string& name, const opencl_device& device, Act act, std::vector<absorbed_fault> absorbed = {}) {
  fault_loop_options options;
  options.absorbed = std::move(absorbed);
  // Loading takes a fraction of the time that compiling takes, and each run starts with it.
  const auto binary = yoke::compile(ocl::context(device), source).export_binary();
  run_fault_loop(
      name, thrifty_opencl(), [&](opencl_interposer& driver) { return kept(driver, device, binary); },
      [&](opencl_interposer&, kept& state) { act(state); },
      [](opencl_interposer&, kept& state) {
        std::vector<int> values = counting(8);
        state.add(state.stream, {.grid = 1, .block = 8}, yoke::in_out(values), 10, yoke::local<int>(1));
        CHECK(values == counting(8, 11));
        const auto again = state.module.get_kernel<signature>("add");
        CHECK(static_cast<bool>(again));
      },
      options);
}

const absorbed_fault no_argument_info{"get_kernel_arg_info",
                                      "a device without argument info: sizes are checked instead"};

}  // namespace

YOKE_OPENCL_TEST_CASE("faults in compiling and loading", "[program][faults]") {
  loop("compile", device, [](kept& state) {
    const auto module = yoke::compile(state.context, source);
    const auto log = module.build_log();
    const auto names = module.kernel_names();
    CHECK(names.size() == 1);
  });
  loop("export and load", device, [](kept& state) {
    const auto binary = state.module.export_binary();
    const auto loaded = yoke::load(state.context, binary);
    CHECK(static_cast<bool>(loaded));
  });
  loop("retained and adopted", device, [](kept& state) {
    const auto native = state.module.release();
    try {
      const auto same = ocl::module::adopt(state.context, native);
      CHECK(same.native_handle() == state.module.native_handle());
    } catch (...) {  // refused: the reference is still ours
      yoke::detail::report_release(state.context.port(), state.context.port().release_module(native));
      throw;
    }
  });
}

YOKE_OPENCL_TEST_CASE("faults in obtaining kernels", "[program][faults]") {
  loop("get_kernel", device,
       [](kept& state) {
         auto kernel = state.module.get_kernel<signature>("add");
         const auto limits = kernel.limits();
         CHECK(limits.max_block > 0);
       },
       {no_argument_info});
}

YOKE_OPENCL_TEST_CASE("faults in launches", "[program][faults]") {
  const yoke::launch_shape shape{.grid = 1, .block = 8};
  loop("operator()", device, [&](kept& state) {
    state.add(state.stream, shape, state.memory, 1, yoke::local<int>(1));
    state.stream.synchronize();
  });
  loop("enqueue behind events", device, [&](kept& state) {
    const ocl::stream second(state.context);
    const auto first = state.add.enqueue(state.stream, shape, state.memory, 1, yoke::local<int>(1));
    const auto marker = state.stream.record();
    const auto last =
        state.add.enqueue(second, shape, state.memory, 1, yoke::local<int>(1), {.after = {first, marker}});
    last.wait();
  });
  loop("host ranges", device, [&](kept& state) {
    std::vector<int> values(8);
    state.add(state.stream, shape, yoke::in_out(values), 1, yoke::local<int>(1));
    state.add(state.stream, shape, yoke::out(values), 1, yoke::local<int>(1));
    state.add(state.stream, shape, yoke::in(values), 1, yoke::local<int>(1));
    state.stream.synchronize();
  });
  // A new kernel each time, so that its first clone is made under the fault.
  loop("the first launch", device,
       [&](kept& state) {
         const auto kernel = state.module.get_kernel<signature>("add");
         kernel(state.stream, shape, state.memory, 1, yoke::local<int>(1));
         state.stream.synchronize();
       },
       {no_argument_info});
}

YOKE_OPENCL_TEST_CASE("faults in launches with SVM", "[program][faults]") {
  if (!device.port().svm(device.native_handle(), {}).coarse) YOKE_SKIP("this device has no coarse-grained SVM");
  loop("SVM argument", device,
       [](kept& state) {
         ocl::svm_allocation<int, ocl::svm::coarse> shared{state.context, 8, state.stream};
         yoke::fill(shared, 1, state.stream);
         state.add(state.stream, {.grid = 1, .block = 8}, shared, 1, yoke::local<int>(1));
       },
       {{"finish", "an SVM block that cannot be freed in order is freed behind a wait"},
        {"get_device_info", "a device older than OpenCL 2.0 does not know the question for SVM: it has none"}});
}

YOKE_OPENCL_TEST_CASE("a refused launch is explained even while the driver answers nothing more", "[program][faults]") {
  rig on(device);
  const auto add = yoke::compile(on.context, source).get_kernel<signature>("add");
  ocl::device_allocation<int> memory{on.context, 8};
  on.driver.fail_function("enqueue_kernel", 1, fault_mode::once, -5);
  on.driver.fail_function("get_kernel_work_group_info", 1, fault_mode::for_ever, -5);
  CHECK_THAT(
      refusal<yoke::launch_error>(yoke::errc::out_of_memory,
                                  [&] { add(on.stream, {.grid = 1, .block = 8}, memory, 1, yoke::local<int>(1)); }),
      ContainsSubstring("grid {1, 1, 1} of blocks {8, 1, 1} [clEnqueueNDRangeKernel: CL_OUT_OF_RESOURCES (-5)]"));
}
