// SPDX-License-Identifier: MIT
// Body of execution/with_device.hpp.
#ifndef YOKE_EXECUTION_IMPL_WITH_DEVICE_IPP
#define YOKE_EXECUTION_IMPL_WITH_DEVICE_IPP

#include <yoke/execution/with_device.hpp>

namespace yoke::inline YOKE_ABI {

YOKE_INLINE device<opencl::port> as_opencl(const device<any_port>& device, const source_location& where) {
  if (std::string_view(device.backend_name()) != "opencl") {
    detail::throw_error(errc::unsupported,
                        std::string("the device is of backend ") + device.backend_name() + ", not opencl", where);
  }
  const opencl::port port(static_cast<const opencl::abi::functions*>(device.port().driver()));
  return yoke::device<opencl::port>::borrow(port, static_cast<opencl::abi::device>(device.native_handle().value));
}

}  // namespace yoke::inline YOKE_ABI

#endif
