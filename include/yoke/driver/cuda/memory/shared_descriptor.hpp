// SPDX-License-Identifier: MIT
// File descriptors by which the driver shares memory with other processes.
#ifndef YOKE_DRIVER_CUDA_MEMORY_SHARED_DESCRIPTOR_HPP
#define YOKE_DRIVER_CUDA_MEMORY_SHARED_DESCRIPTOR_HPP

#include <yoke/core/error.hpp>
#include <yoke/driver/cuda/abi/abi.hpp>

#include <string>

namespace yoke::inline v0_1::cuda::detail {

/// Returns: a descriptor in the driver's form. Throws: `logic_error` for one that is not open.
void* as_shared_handle(int descriptor, const source_location& where);
/// Returns: the message for a refused descriptor.
std::string refused_descriptor(int descriptor, const char* what, abi::status status);
/// Effects: marks a descriptor from the driver to be closed by `exec`. Returns: the descriptor.
int closed_on_exec(int descriptor) noexcept;

}  // namespace yoke::inline v0_1::cuda::detail

#if defined(YOKE_IMPLEMENTATION)
#include <yoke/driver/cuda/memory/shared_descriptor.ipp>
#endif

#endif
