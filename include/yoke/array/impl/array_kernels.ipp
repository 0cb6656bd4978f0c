// SPDX-License-Identifier: MIT
// The sources of the arrays' kernels.
#ifndef YOKE_ARRAY_IMPL_ARRAY_KERNELS_IPP
#define YOKE_ARRAY_IMPL_ARRAY_KERNELS_IPP

#include <yoke/array/array_kernels.hpp>

namespace yoke::inline YOKE_ABI::detail {

YOKE_COLD std::string_view sequence_source() noexcept {
  return R"(YOKE_KERNEL yoke_a_sequence(YOKE_GLOBAL T* to, T first, T step, yoke_int64 count) {
  for (yoke_int64 i = (yoke_int64)get_global_id(0); i < count; i += (yoke_int64)get_global_size(0)) {
    to[i] = (T)(first + (T)i * step);
  }
}
)";
}

}  // namespace yoke::inline YOKE_ABI::detail

#endif
