// SPDX-License-Identifier: MIT
// Bodies of driver/opencl/device.hpp: parts of a device.
#ifndef YOKE_DRIVER_OPENCL_PARTITION_IPP
#define YOKE_DRIVER_OPENCL_PARTITION_IPP

#include <yoke/driver/opencl/device.hpp>
#include <yoke/driver/opencl/invoke.hpp>

namespace yoke::inline v0_1::opencl {

std::vector<abi::device> device_functions::partition(abi::device device, std::span<const std::intptr_t> properties,
                                                     const source_location& where) const {
  abi::uint count = 0;
  detail::invoke<&abi::functions::create_sub_devices>(table(), where, device, properties.data(), abi::uint{0},
                                                      static_cast<abi::device*>(nullptr), &count);
  std::vector<abi::device> parts(count);
  detail::invoke<&abi::functions::create_sub_devices>(table(), where, device, properties.data(), count, parts.data(),
                                                      static_cast<abi::uint*>(nullptr));
  return parts;
}

}  // namespace yoke::inline v0_1::opencl

#endif
