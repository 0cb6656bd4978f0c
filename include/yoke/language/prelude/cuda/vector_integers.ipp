// SPDX-License-Identifier: MIT
// The functions of whole numbers on CUDA's vectors, for sources that use both.
R"yoke(//part vector_integers
//when vectors integers
#define YOKE_D_WHOLE_VECTORS(V, n) \
  YOKE_D_UNARY##n(popcount, V) \
  YOKE_D_UNARY##n(clz, V) \
  YOKE_D_BOTH##n(mul_hi, V) \
  YOKE_D_BOTH##n(rotate, V) \
  YOKE_D_BOTH##n(add_sat, V) \
  YOKE_D_BOTH##n(sub_sat, V) \
  YOKE_D_BOTH##n(hadd, V) \
  YOKE_D_BOTH##n(rhadd, V) \
  YOKE_D_BOTH##n(mul24, V) \
  YOKE_D_THREE##n(mad24, V) \
  YOKE_D_THREE##n(mad_hi, V) \
  YOKE_D_THREE##n(mad_sat, V)
#define YOKE_D_DISTANCES2(V, U) \
  YOKE_D_FUNCTION U abs(V __a) { return make_##U(yoke_d_abs(__a.x), yoke_d_abs(__a.y)); } \
  YOKE_D_FUNCTION U abs_diff(V __a, V __b) { return make_##U(abs_diff(__a.x, __b.x), abs_diff(__a.y, __b.y)); }
#define YOKE_D_DISTANCES4(V, U) \
  YOKE_D_FUNCTION U abs(V __a) { \
    return make_##U(yoke_d_abs(__a.x), yoke_d_abs(__a.y), yoke_d_abs(__a.z), yoke_d_abs(__a.w)); \
  } \
  YOKE_D_FUNCTION U abs_diff(V __a, V __b) { \
    return make_##U(abs_diff(__a.x, __b.x), abs_diff(__a.y, __b.y), abs_diff(__a.z, __b.z), abs_diff(__a.w, __b.w)); \
  }
YOKE_D_WHOLE_VECTORS(int2, 2)
YOKE_D_WHOLE_VECTORS(int4, 4)
YOKE_D_WHOLE_VECTORS(uint2, 2)
YOKE_D_WHOLE_VECTORS(uint4, 4)
YOKE_D_DISTANCES2(int2, uint2)
YOKE_D_DISTANCES4(int4, uint4)
YOKE_D_DISTANCES2(uint2, uint2)
YOKE_D_DISTANCES4(uint4, uint4)
)yoke"
