// SPDX-License-Identifier: MIT
// Bodies of execution/with_device.hpp.
#ifndef YOKE_EXECUTION_WITH_DEVICE_IPP
#define YOKE_EXECUTION_WITH_DEVICE_IPP

#include <yoke/execution/select.hpp>
#include <yoke/execution/with_device.hpp>

#include <cstring>

namespace yoke::inline v0_1 {

device<cuda::port> as_cuda(const device<any_port>& device, const source_location& where) {
  if (std::string_view(device.backend_name()) != "cuda") {
    detail::throw_error(errc::unsupported, where, "the device is of backend ", device.backend_name(), ", not cuda");
  }
  const cuda::port port(static_cast<const cuda::abi::functions*>(device.port().driver()));
  cuda::device_id native;
  const void* const held = device.native_handle().value;
  std::memcpy(static_cast<void*>(&native), &held, sizeof native);
  return yoke::device<cuda::port>::borrow(port, native);
}
device<opencl::port> as_opencl(const device<any_port>& device, const source_location& where) {
  if (std::string_view(device.backend_name()) != "opencl") {
    detail::throw_error(errc::unsupported, where, "the device is of backend ", device.backend_name(), ", not opencl");
  }
  const opencl::port port(static_cast<const opencl::abi::functions*>(device.port().driver()));
  return yoke::device<opencl::port>::borrow(port, static_cast<opencl::abi::device>(device.native_handle().value));
}

}  // namespace yoke::inline v0_1

#endif
