// SPDX-License-Identifier: MIT
// The mathematical functions on CUDA's vectors, for sources that use both.
R"yoke(//part vector_mathematics
//when vectors mathematics
#define YOKE_D_SCALAR2(f, V, T) \
  YOKE_D_FUNCTION V f(V a, T b) { return make_##V(f(a.x, b), f(a.y, b)); }
#define YOKE_D_SCALAR4(f, V, T) \
  YOKE_D_FUNCTION V f(V a, T b) { return make_##V(f(a.x, b), f(a.y, b), f(a.z, b), f(a.w, b)); }
#define YOKE_D_SELECT2(V) \
  YOKE_D_FUNCTION V select(V a, V b, int2 c) { return make_##V(c.x < 0 ? b.x : a.x, c.y < 0 ? b.y : a.y); }
#define YOKE_D_SELECT4(V) \
  YOKE_D_FUNCTION V select(V a, V b, int4 c) { \
    return make_##V(c.x < 0 ? b.x : a.x, c.y < 0 ? b.y : a.y, c.z < 0 ? b.z : a.z, c.w < 0 ? b.w : a.w); \
  }
#define YOKE_D_BOUNDS2(V, T) \
  YOKE_D_FUNCTION V clamp(V a, T b, T c) { return make_##V(clamp(a.x, b, c), clamp(a.y, b, c)); }
#define YOKE_D_BOUNDS4(V, T) \
  YOKE_D_FUNCTION V clamp(V a, T b, T c) { \
    return make_##V(clamp(a.x, b, c), clamp(a.y, b, c), clamp(a.z, b, c), clamp(a.w, b, c)); \
  }
#define YOKE_D_ORDERED(V, T, n) \
  YOKE_D_BOTH##n(min, V) \
  YOKE_D_BOTH##n(max, V) \
  YOKE_D_SCALAR##n(min, V, T) \
  YOKE_D_SCALAR##n(max, V, T) \
  YOKE_D_THREE##n(clamp, V) \
  YOKE_D_BOUNDS##n(V, T)
#define YOKE_D_REALS(V, T, n) \
  YOKE_D_ORDERED(V, T, n) \
  YOKE_D_UNARY##n(sqrt, V) \
  YOKE_D_UNARY##n(rsqrt, V) \
  YOKE_D_UNARY##n(exp, V) \
  YOKE_D_UNARY##n(exp2, V) \
  YOKE_D_UNARY##n(log, V) \
  YOKE_D_UNARY##n(log2, V) \
  YOKE_D_UNARY##n(sin, V) \
  YOKE_D_UNARY##n(cos, V) \
  YOKE_D_UNARY##n(tan, V) \
  YOKE_D_UNARY##n(tanh, V) \
  YOKE_D_UNARY##n(fabs, V) \
  YOKE_D_UNARY##n(floor, V) \
  YOKE_D_UNARY##n(ceil, V) \
  YOKE_D_UNARY##n(trunc, V) \
  YOKE_D_UNARY##n(round, V) \
  YOKE_D_UNARY##n(rint, V) \
  YOKE_D_BOTH##n(fmin, V) \
  YOKE_D_BOTH##n(fmax, V) \
  YOKE_D_BOTH##n(fmod, V) \
  YOKE_D_BOTH##n(pow, V) \
  YOKE_D_THREE##n(fma, V) \
  YOKE_D_THREE##n(mad, V) \
  YOKE_D_THREE##n(mix, V) \
  YOKE_D_FUNCTION V mix(V a, V b, T share) { return a + (b - a) * share; }
YOKE_D_REALS(float2, float, 2)
YOKE_D_REALS(float4, float, 4)
YOKE_D_REALS(double2, double, 2)
YOKE_D_REALS(yoke_double4, double, 4)
YOKE_D_ORDERED(int2, int, 2)
YOKE_D_ORDERED(int4, int, 4)
YOKE_D_ORDERED(uint2, uint, 2)
YOKE_D_ORDERED(uint4, uint, 4)
YOKE_D_SELECT2(float2)
YOKE_D_SELECT4(float4)
YOKE_D_SELECT2(int2)
YOKE_D_SELECT4(int4)
YOKE_D_SELECT2(uint2)
YOKE_D_SELECT4(uint4)
)yoke"
