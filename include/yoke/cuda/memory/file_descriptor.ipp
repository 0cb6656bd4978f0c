// SPDX-License-Identifier: MIT
// Bodies of cuda/memory/file_descriptor.hpp.
#ifndef YOKE_CUDA_MEMORY_FILE_DESCRIPTOR_IPP
#define YOKE_CUDA_MEMORY_FILE_DESCRIPTOR_IPP

#include <yoke/cuda/memory/file_descriptor.hpp>

#if !defined(_WIN32)
#include <unistd.h>
#endif

namespace yoke::inline v0_1::cuda {

void file_descriptor::reset() noexcept {
  const int number = std::exchange(number_, -1);
#if defined(_WIN32)
  static_cast<void>(number);  // no driver makes one here
#else
  if (number >= 0) ::close(number);
#endif
}

}  // namespace yoke::inline v0_1::cuda

#endif
