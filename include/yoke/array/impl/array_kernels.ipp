// SPDX-License-Identifier: MIT
// The sources of the arrays' kernels.
#ifndef YOKE_ARRAY_IMPL_ARRAY_KERNELS_IPP
#define YOKE_ARRAY_IMPL_ARRAY_KERNELS_IPP

#include <yoke/array/array_kernels.hpp>

namespace yoke::inline YOKE_ABI::detail {

YOKE_COLD std::string_view copy_source() noexcept {
  return R"(YOKE_STRUCT(yoke_a_axes) {
  yoke_int64 count, to, from;
  yoke_int64 extents[9], to_strides[9], from_strides[9];
};
#ifdef WIDE
typedef yoke_uint64 index;
#else
typedef uint index;
#endif
#if defined(FROM_HALF)
#define LOAD(i) yoke_load_half(i, from)
#elif defined(FROM_BFLOAT16)
#define LOAD(i) yoke_load_bfloat16(i, from)
#else
#define LOAD(i) from[i]
#endif
#if defined(TO_HALF)
#define STORE(i, x) yoke_store_half((float)(x), i, to)
#elif defined(TO_BFLOAT16)
#define STORE(i, x) yoke_store_bfloat16((float)(x), i, to)
#elif defined(FROM_COMPLEX)
#define STORE(i, z) to[i] = TO_COMPLEX((TO_PART)(z).x, (TO_PART)(z).y)
#elif defined(TO_COMPLEX)
#define STORE(i, x) to[i] = TO_COMPLEX((TO_PART)(x), (TO_PART)0)
#elif defined(TO_BOOL)
#define STORE(i, x) to[i] = (TO)((x) != 0)
#else
#define STORE(i, x) to[i] = (TO)(x)
#endif
YOKE_KERNEL yoke_a_copy(YOKE_GLOBAL TO* to, YOKE_GLOBAL const FROM* from, yoke_a_axes axes) {
  index count = (index)axes.count;
  index step = (index)get_global_size(0);
  for (index i = (index)get_global_id(0); i < count; i += step) {
    index rest = i;
    yoke_int64 write = axes.to;
    yoke_int64 read = axes.from;
    for (int axis = RANK - 1; axis > 0; --axis) {
      index extent = (index)axes.extents[axis];
      index at = rest % extent;
      rest /= extent;
      write += (yoke_int64)at * axes.to_strides[axis];
      read += (yoke_int64)at * axes.from_strides[axis];
    }
    write += (yoke_int64)rest * axes.to_strides[0];
    read += (yoke_int64)rest * axes.from_strides[0];
    STORE(write, LOAD(read));
  }
}
)";
}

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
