// SPDX-License-Identifier: MIT
// File descriptors by which the driver hands memory to other processes.
#ifndef YOKE_DRIVER_CUDA_MEMORY_SHARED_DESCRIPTOR_HPP
#define YOKE_DRIVER_CUDA_MEMORY_SHARED_DESCRIPTOR_HPP

#include <yoke/core/error.hpp>
#include <yoke/driver/cuda/abi/abi.hpp>

#include <string>

namespace yoke::inline v0_1::cuda::detail {

/// Returns: a descriptor as the driver takes it. Throws: `logic_error` for one that is not open.
void* as_shared_handle(int descriptor, const source_location& where);
/// Returns: the message for a descriptor that the driver has refused.
std::string refused_descriptor(int descriptor, const char* what, abi::status status);
/// Effects: a descriptor that the driver has made ends with `exec`. Returns: the descriptor.
int closed_on_exec(int descriptor) noexcept;

}  // namespace yoke::inline v0_1::cuda::detail

#if defined(YOKE_IMPLEMENTATION)
#include <yoke/driver/cuda/memory/shared_descriptor.ipp>
#endif

#endif
