// SPDX-License-Identifier: MIT
// Doubles and integers as floats that round to 16 bits as the numbers themselves would, in the dialect itself.
R"yoke(//part odd
//needs conversions
//words yoke_d_to_odd
YOKE_D_FUNCTION float yoke_d_to_odd(float __a) { return __a; }
#if YOKE_HAS_FP64
// Sets the last bit where digits are lost: otherwise the float could lie halfway between two 16-bit values although the
// number does not.
YOKE_D_FUNCTION float yoke_d_to_odd(double __a) {
  float __near = (float)__a;
  double __back = (double)__near;
  uint __bits = as_uint(__near);
  if (__back == __a || __a != __a || (__bits & 1u) != 0) return __near;
  return as_float((__back > __a) == (__a > 0.0) ? __bits - 1u : __bits + 1u);
}
#endif
YOKE_D_FUNCTION float yoke_d_to_odd(yoke_uint64 __a) {
  float __times = 1.0f;
  for (; __a >> 24 != 0; __times *= 256.0f) __a = __a >> 8 | (yoke_uint64)((__a & 255u) != 0);
  return (float)__a * __times;
}
YOKE_D_FUNCTION float yoke_d_to_odd(yoke_int64 __a) {
  return __a < 0 ? -yoke_d_to_odd(0u - (yoke_uint64)__a) : yoke_d_to_odd((yoke_uint64)__a);
}
YOKE_D_FUNCTION float yoke_d_to_odd(int __a) { return yoke_d_to_odd((yoke_int64)__a); }
YOKE_D_FUNCTION float yoke_d_to_odd(uint __a) { return yoke_d_to_odd((yoke_uint64)__a); }
#if YOKE_BACKEND_CUDA
YOKE_D_FUNCTION float yoke_d_to_odd(long long __a) { return yoke_d_to_odd((yoke_int64)__a); }
YOKE_D_FUNCTION float yoke_d_to_odd(unsigned long long __a) { return yoke_d_to_odd((yoke_uint64)__a); }
#elif YOKE_HAS_FP16
YOKE_D_FUNCTION float yoke_d_to_odd(half __a) { return (float)__a; }
#endif
)yoke"
