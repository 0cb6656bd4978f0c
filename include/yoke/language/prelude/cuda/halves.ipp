// SPDX-License-Identifier: MIT
// Half precision in CUDA C++, without its header: every operation rounds once.
R"yoke(//part halves
//needs odd
//words yoke_half yoke_load_half yoke_store_half yoke_half_to_float yoke_float_to_half
#if defined __GNUC__ || defined __YOKE_SIMULATOR__
#define YOKE_D_HEADER <cuda_fp16.h>
#include YOKE_D_HEADER
YOKE_D_FUNCTION float yoke_d_widened(ushort __bits) { return __half2float(__ushort_as_half(__bits)); }
YOKE_D_FUNCTION ushort yoke_d_narrowed(float __value) { return __half_as_ushort(__float2half_rn(__value)); }
#else
YOKE_D_FUNCTION float yoke_d_widened(ushort __bits) {
  float __value;
  asm("cvt.f32.f16 %0, %1;" : "=f"(__value) : "h"(__bits));
  return __value;
}
YOKE_D_FUNCTION ushort yoke_d_narrowed(float __value) {
  ushort __bits;
  asm("cvt.rn.f16.f32 %0, %1;" : "=h"(__bits) : "f"(__value));
  return __bits;
}
#endif
struct yoke_half {
  ushort __bits;
  yoke_half() = default;
  __device__ explicit yoke_half(float __value) : __bits(yoke_d_narrowed(__value)) {}
  __device__ operator float() const { return yoke_d_widened(__bits); }
};
// A float has more than twice the digits, so that rounding its sum, product or quotient again changes nothing.
#define YOKE_D_HALF(o) \
  YOKE_D_FUNCTION yoke_half operator o(yoke_half __a, yoke_half __b) { return yoke_half((float)__a o (float)__b); } \
  YOKE_D_FUNCTION yoke_half& operator o##=(yoke_half& __a, yoke_half __b) { return __a = __a o __b; }
YOKE_D_HALF(+)
YOKE_D_HALF(-)
YOKE_D_HALF(*)
YOKE_D_HALF(/)
YOKE_D_FUNCTION yoke_half operator-(yoke_half __a) { return yoke_half(-(float)__a); }
YOKE_D_FUNCTION float yoke_half_to_float(yoke_half __a) { return __a; }
YOKE_D_FUNCTION yoke_half yoke_float_to_half(float __a) { return yoke_half(__a); }
YOKE_D_FUNCTION float yoke_load_half(size_t __at, const yoke_half* __p) { return __p[__at]; }
template <class __T>
YOKE_D_FUNCTION void yoke_store_half(__T __value, size_t __at, yoke_half* __p) {
  __p[__at] = yoke_half(yoke_d_to_odd(__value));
}
)yoke"
