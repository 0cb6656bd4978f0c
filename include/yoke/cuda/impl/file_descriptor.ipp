// SPDX-License-Identifier: MIT
// Bodies of cuda/file_descriptor.hpp.
#ifndef YOKE_CUDA_IMPL_FILE_DESCRIPTOR_IPP
#define YOKE_CUDA_IMPL_FILE_DESCRIPTOR_IPP

#include <yoke/cuda/file_descriptor.hpp>

#include <unistd.h>

namespace yoke::inline YOKE_ABI::cuda {

YOKE_INLINE void file_descriptor::reset() noexcept {
  if (number_ >= 0) ::close(std::exchange(number_, -1));
}

}  // namespace yoke::inline YOKE_ABI::cuda

#endif
