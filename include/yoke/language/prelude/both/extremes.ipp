// SPDX-License-Identifier: MIT
// The lesser and the greater of two numbers, of which NaN is both, in the dialect itself.
R"yoke(//part extremes
//words yoke_min yoke_max
#define YOKE_D_EXTREMES(T, or_none) \
  YOKE_D_FUNCTION T yoke_min(T __a, T __b) { return __b < __a or_none ? __b : __a; } \
  YOKE_D_FUNCTION T yoke_max(T __a, T __b) { return __a < __b or_none ? __b : __a; }
YOKE_D_EXTREMES(int, )
YOKE_D_EXTREMES(uint, )
YOKE_D_EXTREMES(yoke_int64, )
YOKE_D_EXTREMES(yoke_uint64, )
YOKE_D_EXTREMES(float, || __b != __b)
#if YOKE_HAS_FP64
YOKE_D_EXTREMES(double, || __b != __b)
#endif
)yoke"
