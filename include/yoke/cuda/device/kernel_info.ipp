// SPDX-License-Identifier: MIT
// Body of cuda/device/kernel_info.hpp.
#ifndef YOKE_CUDA_DEVICE_KERNEL_INFO_IPP
#define YOKE_CUDA_DEVICE_KERNEL_INFO_IPP

#include <yoke/cuda/device/kernel_info.hpp>

namespace yoke::inline v0_1::cuda::detail {

void set_kernel_attribute(const context& in, abi::kernel kernel, abi::function_attribute which, const char* name,
                          long long value, const source_location& where) {
  const port& with = in.port(where);
  const device_id device = in.only_device(where).native_handle();
  try {
    with.set_attribute(kernel, device, which, static_cast<int>(value), where);
  } catch (const error& failure) {
    if (failure.code().value() != abi::error_invalid_value) throw;
    std::string why = yoke::detail::text("kernel attribute ", name, " cannot be ", value);
    if (which == abi::function_attribute::max_dynamic_shared_size_bytes) {
      const int fixed = with.attribute(kernel, device, abi::function_attribute::shared_size_bytes, where);
      why += yoke::detail::text(": with the ", fixed, " bytes in the kernel this device has ",
                                with.limits(device, where).local_memory_bytes);
    }
    throw logic_error(failure.code(), "cuKernelSetAttribute", why, where);
  }
}

}  // namespace yoke::inline v0_1::cuda::detail

#endif
