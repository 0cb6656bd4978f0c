// SPDX-License-Identifier: MIT
// Half precision in CUDA C++, without its header: every operation rounds once.
R"yoke(//part halves
//words yoke_half yoke_load_half yoke_store_half yoke_half_to_float yoke_float_to_half
#if defined __GNUC__ || defined __YOKE_SIMULATOR__
#define YOKE_D_HEADER <cuda_fp16.h>
#include YOKE_D_HEADER
YOKE_D_FUNCTION float yoke_d_widened(ushort bits) { return __half2float(__ushort_as_half(bits)); }
YOKE_D_FUNCTION ushort yoke_d_narrowed(float value) { return __half_as_ushort(__float2half_rn(value)); }
#else
YOKE_D_FUNCTION float yoke_d_widened(ushort bits) {
  float value;
  asm("cvt.f32.f16 %0, %1;" : "=f"(value) : "h"(bits));
  return value;
}
YOKE_D_FUNCTION ushort yoke_d_narrowed(float value) {
  ushort bits;
  asm("cvt.rn.f16.f32 %0, %1;" : "=h"(bits) : "f"(value));
  return bits;
}
#endif
struct yoke_half {
  ushort bits;
  yoke_half() = default;
  __device__ explicit yoke_half(float value) : bits(yoke_d_narrowed(value)) {}
  __device__ operator float() const { return yoke_d_widened(bits); }
};
// A float has more than twice the digits, so that rounding its sum, product or quotient again changes nothing.
#define YOKE_D_HALF(o) \
  YOKE_D_FUNCTION yoke_half operator o(yoke_half a, yoke_half b) { return yoke_half((float)a o (float)b); } \
  YOKE_D_FUNCTION yoke_half& operator o##=(yoke_half& a, yoke_half b) { return a = a o b; }
YOKE_D_HALF(+)
YOKE_D_HALF(-)
YOKE_D_HALF(*)
YOKE_D_HALF(/)
YOKE_D_FUNCTION yoke_half operator-(yoke_half a) { return yoke_half(-(float)a); }
YOKE_D_FUNCTION float yoke_half_to_float(yoke_half a) { return a; }
YOKE_D_FUNCTION yoke_half yoke_float_to_half(float a) { return yoke_half(a); }
YOKE_D_FUNCTION float yoke_load_half(size_t at, const yoke_half* p) { return p[at]; }
YOKE_D_FUNCTION void yoke_store_half(float value, size_t at, yoke_half* p) { p[at] = yoke_half(value); }
)yoke"
