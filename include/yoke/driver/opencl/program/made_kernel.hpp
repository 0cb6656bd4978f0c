// SPDX-License-Identifier: MIT
// A native kernel owned by a scope, and the status codes of kernels that a driver does not describe.
#ifndef YOKE_DRIVER_OPENCL_PROGRAM_MADE_KERNEL_HPP
#define YOKE_DRIVER_OPENCL_PROGRAM_MADE_KERNEL_HPP

#include <yoke/driver/opencl/invoke.hpp>

namespace yoke::inline v0_1::opencl::detail {

/// Releases a native kernel when its scope ends.
struct made_kernel {
  const abi::functions* table;
  abi::kernel kernel = nullptr;
  ~made_kernel() {
    if (kernel != nullptr) report(release<&abi::functions::release_kernel>(table, kernel));
  }
};

/// Whether a code means that a kernel's arguments are unknown: the standard code without the flag, or NVIDIA's code.
[[gnu::cold]] inline bool is_undescribed(abi::status status) noexcept {
  return status == -19 || status == abi::invalid_value;
}

}  // namespace yoke::inline v0_1::opencl::detail

#endif
