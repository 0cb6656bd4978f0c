// SPDX-License-Identifier: MIT
// Whether a device is PoCL's, for the traps that no other driver has.
#ifndef YOKE_DRIVER_OPENCL_IMPL_POCL_IPP
#define YOKE_DRIVER_OPENCL_IMPL_POCL_IPP

#include <yoke/driver/opencl/device_info.hpp>
#include <yoke/driver/opencl/impl/invoke.ipp>

namespace yoke::inline YOKE_ABI::opencl::detail {

YOKE_COLD bool is_pocl(const abi::functions* table, abi::device device, const source_location& where) {
  const auto platform =
      query<abi::platform, &abi::functions::get_device_info>(table, where, device, info::platform.code);
  return query_text<&abi::functions::get_platform_info>(table, where, platform, abi::platform_name) ==
         "Portable Computing Language";
}

}  // namespace yoke::inline YOKE_ABI::opencl::detail

#endif
