// SPDX-License-Identifier: MIT
// Every allocation made to fail in turn while CLHPP's objects become the library's, and the library's CLHPP's.
#include <program/program_faults.hpp>
#include <support/faults/allocation_scenarios.hpp>

#include <yoke/opencl/interop.hpp>
#include <yoke/opencl/opencl.hpp>

using namespace yoke_test;
using program_faults::signature;
using program_faults::source;

namespace {

using kept = program_faults::kept<ocl::port>;

template <class Act>
void loop(const char* name, const ocl::device& device, Act act) {
  const auto binary = yoke::compile(yoke::context(device), source).export_binary();
  run_allocation_loop(
      name, thrifty_opencl(), [&](opencl_interposer& driver) { return kept(through(driver, device), binary); }, act,
      [](opencl_interposer&, kept& state) { CHECK(download(state.memory, state.stream).size() == 8); });
}

}  // namespace

YOKE_OPENCL_TEST_CASE("allocations of conversions from and to CLHPP fail cleanly", "[allocation]") {
  loop("contexts, streams, events", device, [](opencl_interposer&, kept& state) {
    const ocl::context context = ocl::from_cl(ocl::to_cl(state.context), state.context.port());
    const ocl::stream stream = ocl::from_cl(state.context, ocl::to_cl(state.stream));
    const ocl::event own = stream.record();
    const ocl::event event = ocl::from_cl(state.context, ocl::to_cl(own));
    event.wait();
  });
  loop("buffers", device, [](opencl_interposer&, kept& state) {
    auto memory = ocl::from_cl<int>(state.context, ocl::to_cl(state.memory));
    yoke::copy(counting(8), memory, state.stream);
  });
  loop("programs and kernels", device, [](opencl_interposer& driver, kept& state) {
    const ocl::module module = ocl::from_cl(state.context, ocl::to_cl(state.module));
    const cl::Kernel native = ocl::to_cl(state.add);
    const auto add = ocl::from_cl<signature>(module, native);
    {
      const allocation_pause pause;
      driver.own(add.native_handle());
    }
    add(state.stream, {.grid = 1, .block = 8}, state.memory, 0, yoke::local<int>(1));
    state.stream.synchronize();
  });
}

YOKE_OPENCL_TEST_CASE("allocations of conversions of out-of-order streams fail cleanly", "[allocation]") {
  if ((ocl::get(device, ocl::info::queue_on_host_properties) & abi::queue_out_of_order) == 0) {
    YOKE_SKIP("the device has no out-of-order streams");
  }
  loop("out-of-order streams of CLHPP", device, [](opencl_interposer&, kept& state) {
    const ocl::context context = ocl::from_cl(ocl::to_cl(state.context), state.context.port());
    const ocl::out_of_order_stream own{context};
    const auto stream = ocl::out_of_order_from_cl(context, ocl::to_cl(own));
    stream.barrier().wait();
  });
}
