// SPDX-License-Identifier: MIT
// Launches with OpenCL's own memory, and refused ones, while every driver call fails in turn.
#include <program/program_faults.hpp>

using namespace yoke_test;
using namespace yoke_test::program_faults;

YOKE_OPENCL_TEST_CASE("faults in launches with SVM", "[program][faults]") {
  if (!device.port().svm(device.native_handle(), {}).coarse) YOKE_SKIP("this device has no coarse-grained SVM");
  loop(
      "SVM argument", device,
      [](kept<ocl::port>& state) {
        ocl::svm_allocation<int, ocl::svm::coarse> shared{state.context, 8, state.stream};
        yoke::fill(shared, 1, state.stream);
        state.add(state.stream, {.grid = 1, .block = 8}, shared, 1, yoke::local<int>(1));
      },
      absorbing(
          {{"finish", "an SVM block that cannot be freed in order is freed behind a wait"},
           {"get_device_info", "a device older than OpenCL 2.0 does not know the question for SVM: it has none"}}));
}

YOKE_OPENCL_TEST_CASE("faults in counting the references of programs", "[program][faults]") {
  loop("retained and adopted", device, [](kept<ocl::port>& state) {
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
