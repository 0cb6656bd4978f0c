// SPDX-License-Identifier: MIT
// Bodies of driver/cuda/memory/shared_descriptor.hpp.
#ifndef YOKE_DRIVER_CUDA_MEMORY_SHARED_DESCRIPTOR_IPP
#define YOKE_DRIVER_CUDA_MEMORY_SHARED_DESCRIPTOR_IPP

#include <yoke/driver/cuda/memory/shared_descriptor.hpp>

#include <yoke/driver/cuda/invoke.hpp>

#if !defined(_WIN32)
#include <fcntl.h>
#endif

namespace yoke::inline v0_1::cuda::detail {

void* as_shared_handle(int descriptor, const source_location& where) {
#if defined(_WIN32)
  throw_error(errc::unsupported, where, "file descriptor ", descriptor,
              ": on Windows CUDA shares no memory by file descriptors");
#else
  if (::fcntl(descriptor, F_GETFD) < 0) {
    throw_error(errc::invalid_argument, where, "file descriptor ", descriptor, " is not open in this process");
  }
  return reinterpret_cast<void*>(static_cast<std::intptr_t>(descriptor));
#endif
}

std::string refused_descriptor(int descriptor, const char* what, abi::status status) {
  return text("file descriptor ", descriptor, " is no ", what,
              " that a CUDA driver has exported to this machine's processes: ", error_text(status));
}

int closed_on_exec(int descriptor) noexcept {
#if !defined(_WIN32)
  ::fcntl(descriptor, F_SETFD, FD_CLOEXEC);
#endif
  return descriptor;
}

}  // namespace yoke::inline v0_1::cuda::detail

#endif
