// SPDX-License-Identifier: MIT
// The verbs of handles that OpenCL alone has, or alone counts the references of.
#include <execution/handle_verbs.hpp>

using namespace yoke_test;
namespace ocl = yoke::opencl;

namespace {
constexpr const char* source = "__kernel void twice(__global int* a) { a[get_global_id(0)] *= 2; }";
using signature = void(int*);
}  // namespace

YOKE_OPENCL_TEST_CASE("the verbs of out-of-order streams", "[execution]") {
  if ((ocl::get(device, ocl::info::queue_on_host_properties) & abi::queue_out_of_order) == 0) {
    YOKE_SKIP("the device has no out-of-order streams");
  }
  opencl_interposer driver(raw_opencl());
  const ocl::context context{through(driver, device)};
  check_verbs(
      driver, "release_queue", [&] { return ocl::out_of_order_stream{context}; },
      [&](abi::queue native) { return ocl::out_of_order_stream::adopt(context, native); },
      [&](abi::queue native) { return ocl::out_of_order_stream::borrow(context, native); },
      [](const ocl::out_of_order_stream& each) { each.synchronize(); });
}

YOKE_OPENCL_TEST_CASE("the verbs of kernels", "[execution]") {
  opencl_interposer driver(raw_opencl());
  const ocl::context context{through(driver, device)};
  const ocl::module module = yoke::compile(context, source);
  check_verbs(
      driver, "release_kernel", [&] { return module.get_kernel<signature>("twice"); },
      [&](auto* native) { return ocl::kernel<signature>::adopt(module, native); },
      [&](auto* native) { return ocl::kernel<signature>::borrow(module, native); },
      [](const ocl::kernel<signature>& each) { (void)each.limits(); });
}
