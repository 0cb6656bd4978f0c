// SPDX-License-Identifier: MIT
// Every driver call made to fail in turn while CLHPP's objects become the library's: both sides keep their references.
#include <program/program_faults.hpp>

#include <yoke/opencl/interop.hpp>
#include <yoke/opencl/opencl.hpp>

using namespace yoke_test;
using namespace yoke_test::program_faults;

namespace {
using opencl_kept = kept<ocl::port>;
constexpr yoke::launch_shape shape{.grid = 1, .block = 8};
}  // namespace

YOKE_OPENCL_TEST_CASE("faults with devices, contexts and streams of CLHPP", "[opencl][interop][faults]") {
  loop("device and context of CLHPP", device, [](opencl_kept& state) {
    const ocl::device whole = state.context.only_device();
    const ocl::device same = ocl::from_cl(ocl::to_cl(whole), state.context.port());
    CHECK(same == whole);
    const ocl::context context = ocl::from_cl(ocl::to_cl(state.context), state.context.port());
    const ocl::stream stream{context};
    stream.synchronize();
  });
  loop("stream of CLHPP", device, [](opencl_kept& state) {
    const ocl::stream stream = ocl::from_cl(state.context, ocl::to_cl(state.stream));
    yoke::fill(state.memory, 1, stream);
    stream.synchronize();
  });
}

YOKE_OPENCL_TEST_CASE("faults with out-of-order streams of CLHPP", "[opencl][interop][faults]") {
  if ((ocl::get(device, ocl::info::queue_on_host_properties) & abi::queue_out_of_order) == 0) {
    YOKE_SKIP("the device has no out-of-order streams");
  }
  loop("out-of-order stream of CLHPP", device, [](opencl_kept& state) {
    const ocl::out_of_order_stream own{state.context};
    const ocl::out_of_order_stream stream = ocl::out_of_order_from_cl(state.context, ocl::to_cl(own));
    stream.barrier().wait();
  });
}

YOKE_OPENCL_TEST_CASE("faults with events and buffers of CLHPP", "[opencl][interop][faults]") {
  loop("event of CLHPP", device, [](opencl_kept& state) {
    const ocl::event own = state.stream.record();
    const ocl::event event = ocl::from_cl(state.context, ocl::to_cl(own));
    event.wait();
  });
  loop("buffer of CLHPP", device, [](opencl_kept& state) {
    auto memory = ocl::from_cl<int>(state.context, ocl::to_cl(state.memory));
    yoke::fill(memory, 1, state.stream);
    state.stream.synchronize();
    yoke::copy(counting(8), memory, state.stream);
  });
}

YOKE_OPENCL_TEST_CASE("faults with programs and kernels of CLHPP", "[opencl][interop][faults]") {
  loop(
      "program of CLHPP", device,
      [](opencl_kept& state) {
        const ocl::module module = ocl::from_cl(state.context, ocl::to_cl(state.module));
        const auto add = module.get_kernel<signature>("add");
        add(state.stream, shape, state.memory, 0, yoke::local<int>(1));
      },
      weaker_checks());
  // The reference to a kernel is added by the vendor's own function, behind the interposer's back.
  const auto binary = yoke::compile(yoke::context(device), source).export_binary();
  run_fault_loop(
      "kernel of CLHPP", thrifty_opencl(),
      [&](opencl_interposer& driver) { return opencl_kept(through(driver, device), binary); },
      [](opencl_interposer& driver, opencl_kept& state) {
        const auto add = ocl::from_cl<signature>(state.module, ocl::to_cl(state.add));
        driver.own(add.native_handle());
        add(state.stream, shape, state.memory, 0, yoke::local<int>(1));
        state.stream.synchronize();
      },
      [](opencl_interposer&, opencl_kept& state) {
        state.add(state.stream, shape, state.memory, 0, yoke::local<int>(1));
        state.stream.synchronize();
      },
      weaker_checks());
}
