// SPDX-License-Identifier: MIT
// Bodies of cuda/pointer.hpp.
#ifndef YOKE_CUDA_IMPL_POINTER_IPP
#define YOKE_CUDA_IMPL_POINTER_IPP

#include <yoke/cuda/pointer.hpp>

namespace yoke::inline YOKE_ABI::cuda {

YOKE_INLINE std::optional<pointer_info> describe_pointer(const port& with, abi::device_pointer pointer,
                                                         const source_location& where) {
  return with.describe_pointer(pointer, where);
}
YOKE_INLINE std::optional<pointer_info> describe_pointer(const port& with, const void* pointer,
                                                         const source_location& where) {
  return with.describe_pointer(reinterpret_cast<std::uintptr_t>(pointer), where);
}

}  // namespace yoke::inline YOKE_ABI::cuda

#endif
