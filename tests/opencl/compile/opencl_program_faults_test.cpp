// SPDX-License-Identifier: MIT
// Launches with OpenCL's own memory, and refused ones, while every driver call fails in turn.
#include <program/program_faults.hpp>
#include <support/devices/background.hpp>

#include <yoke/opencl/compile/link.hpp>
#include <yoke/opencl/device/device.hpp>

#include <array>
#include <cstring>

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

YOKE_OPENCL_TEST_CASE("faults in launches on out-of-order streams", "[program][faults]") {
  if ((ocl::get(device, ocl::info::queue_on_host_properties) & abi::queue_out_of_order) == 0) {
    YOKE_SKIP("the device has no out-of-order streams");
  }
  // Its queue's end waits within the task that ends it, when a launch is still on its way.
  if (is_intel_cpu(device)) YOKE_SKIP("the driver hangs when an out-of-order stream ends before its launches");
  loop("launches out of order", device, [](kept<ocl::port>& state) {
    const ocl::out_of_order_stream stream{state.context, {.timing = true}};
    const auto one = yoke::local<int>(1);
    const ocl::event first = state.add.enqueue(stream, {.grid = 1, .block = 8}, state.memory, 1, one);
    const ocl::timed_event second =
        state.add.enqueue_timed(stream, {.grid = 1, .block = 8}, state.memory, 1, one, {.after = first});
    const ocl::event nothing = state.add.enqueue(stream, yoke::launch_over(0), state.memory, 1, one, {.after = second});
    const ocl::event wall = stream.barrier(nothing);
    stream.wait(wall);
    const ocl::timed_event last = stream.record_timed();
    last.wait();
    (void)second.times();
    stream.synchronize();
  });
}

YOKE_OPENCL_TEST_CASE("faults in loading intermediate code", "[program][faults]") {
  // No driver here takes SPIR-V: the module stands for a source.
  std::vector<std::byte> spirv(20);
  const std::array magic{0x03, 0x02, 0x23, 0x07};
  std::ranges::transform(magic, spirv.begin(), [](int each) { return static_cast<std::byte>(each); });
  run_fault_loop(
      "intermediate code", thrifty_opencl(),
      [&](opencl_interposer& driver) {
        driver.replace<&abi::functions::get_device_info>(
            [&driver](abi::device which, abi::uint what, std::size_t size, void* value, std::size_t* needed) {
              constexpr abi::uint il_version = 0x105B;
              constexpr const char version[] = "SPIR-V_1.2";
              if (what != il_version) return driver.real().get_device_info(which, what, size, value, needed);
              if (needed != nullptr) *needed = sizeof version;
              if (value != nullptr) std::memcpy(value, version, std::min(size, sizeof version));
              return abi::status{0};
            });
        driver.replace<&abi::functions::create_program_with_il>(
            [&driver](abi::context context, const void*, std::size_t, abi::status* status) {
              const char* text = "kernel void one(global int* a) { a[get_global_id(0)] = 1; }";
              return driver.real().create_program_with_source(context, 1, &text, nullptr, status);
            });
        return ocl::context{through(driver, device)};
      },
      [&](opencl_interposer&, ocl::context& context) {
        const auto module = yoke::load_intermediate(context, spirv);
        const auto names = module.kernel_names();  // outside of an assertion, which would catch
        CHECK(names.size() == 1);
      },
      [](opencl_interposer&, ocl::context& context) { ocl::stream{context}.synchronize(); },
      absorbing({{"get_device_info", "a device older than OpenCL 2.1 does not know the question: it takes none"}}));
}

YOKE_OPENCL_TEST_CASE("faults in compiling apart and linking", "[program][faults]") {
  loop(
      "compiled apart", device,
      [](kept<ocl::port>& state) {
        const std::array<ocl::embedded_header, 1> headers{{{"h.h", "int helper(int a);\n"}}};
        const auto caller = ocl::compile_part(
            state.context, "#include \"h.h\"\nkernel void call(global int* a) { a[0] = helper(a[0]); }", headers);
        const auto helper = ocl::compile_part(state.context, "int helper(int a); int helper(int a) { return a + 1; }");
        const auto library = ocl::link_library(state.context, {helper});
        const auto module = ocl::link(state.context, {caller, library});
        const auto native = library.native_handle();
        const auto borrowed = ocl::program_library::borrow(state.context, native);
        CHECK(borrowed.native_handle() == native);
      },
      absorbing([] {
        const char* const why = "what cannot be asked of a linked program leaves it as it was linked";
        return std::vector<absorbed_fault>{
            {"link_program", "it links once more where kernels are not described; without that the first link stands"},
            {"get_program_info", why},
            {"create_kernel", why},
            {"get_kernel_info", why},
            {"get_kernel_arg_info", why}};
      }()));
}

YOKE_OPENCL_TEST_CASE("faults in counting the references of programs", "[program][faults]") {
  loop("retained and adopted", device, [](kept<ocl::port>& state) {
    const auto native = state.module.retain_native();
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
