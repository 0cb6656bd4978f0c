// SPDX-License-Identifier: MIT
// The sources of the arrays' kernels.
#ifndef YOKE_ARRAY_EVALUATION_ARRAY_KERNELS_IPP
#define YOKE_ARRAY_EVALUATION_ARRAY_KERNELS_IPP

#include <yoke/array/evaluation/array_kernels.hpp>

namespace yoke::inline v0_1::detail {

std::string_view sequence_source() noexcept {
  return R"(YOKE_KERNEL yoke_a_sequence(YOKE_GLOBAL T* to, T first, T step, yoke_int64 count) {
  for (yoke_int64 i = (yoke_int64)get_global_id(0); i < count; i += (yoke_int64)get_global_size(0)) {
    to[i] = (T)(first + (T)i * step);
  }
}
)";
}

std::string_view line_source() noexcept {
  // Floats, too, are calculated as doubles where the device has them, and rounded once.
  return R"(#if YOKE_HAS_FP64
#define WIDE double
#define CHOSEN(wide, narrow) as_double(wide)
#else
#define WIDE float
#define CHOSEN(wide, narrow) narrow
#endif
YOKE_KERNEL yoke_a_line(YOKE_GLOBAL T* to, T front, T back, yoke_uint64 first_bits, yoke_uint64 step_bits,
                        float narrow_first, float narrow_step, float scale, yoke_int64 last, yoke_int64 count) {
  WIDE first = CHOSEN(first_bits, narrow_first), step = CHOSEN(step_bits, narrow_step), times = (WIDE)scale;
  for (yoke_int64 i = (yoke_int64)get_global_id(0); i < count; i += (yoke_int64)get_global_size(0)) {
    WIDE product = (WIDE)i * step;
    WIDE sum = first + product;
    to[i] = i == 0 ? front : i == last ? back : (T)(sum * times);
  }
}
)";
}

}  // namespace yoke::inline v0_1::detail

#endif
