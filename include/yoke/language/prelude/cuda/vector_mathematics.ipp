// SPDX-License-Identifier: MIT
// The mathematical functions on CUDA's vectors, for sources that use both.
R"yoke(//part vector_mathematics
//when vectors mathematics
#define YOKE_D_SCALAR2(f, V, T) \
  YOKE_D_FUNCTION V f(V __a, T __b) { return make_##V(f(__a.x, __b), f(__a.y, __b)); }
#define YOKE_D_SCALAR4(f, V, T) \
  YOKE_D_FUNCTION V f(V __a, T __b) { return make_##V(f(__a.x, __b), f(__a.y, __b), f(__a.z, __b), f(__a.w, __b)); }
#define YOKE_D_SELECT2(V) \
  YOKE_D_FUNCTION V select(V __a, V __b, int2 __c) { \
    return make_##V(__c.x < 0 ? __b.x : __a.x, __c.y < 0 ? __b.y : __a.y); \
  }
#define YOKE_D_SELECT4(V) \
  YOKE_D_FUNCTION V select(V __a, V __b, int4 __c) { \
    return make_##V(__c.x < 0 ? __b.x : __a.x, __c.y < 0 ? __b.y : __a.y, __c.z < 0 ? __b.z : __a.z, \
                    __c.w < 0 ? __b.w : __a.w); \
  }
#define YOKE_D_BOUNDS2(V, T) \
  YOKE_D_FUNCTION V clamp(V __a, T __b, T __c) { return make_##V(clamp(__a.x, __b, __c), clamp(__a.y, __b, __c)); }
#define YOKE_D_BOUNDS4(V, T) \
  YOKE_D_FUNCTION V clamp(V __a, T __b, T __c) { \
    return make_##V(clamp(__a.x, __b, __c), clamp(__a.y, __b, __c), clamp(__a.z, __b, __c), clamp(__a.w, __b, __c)); \
  }
#define YOKE_D_ORDERED(V, T, n) \
  YOKE_D_BOTH##n(min, V) YOKE_D_BOTH##n(max, V) YOKE_D_SCALAR##n(min, V, T) YOKE_D_SCALAR##n(max, V, T) \
      YOKE_D_THREE##n(clamp, V) YOKE_D_BOUNDS##n(V, T)
#define YOKE_D_REALS(V, T, n) \
  YOKE_D_ORDERED(V, T, n) \
  YOKE_D_UNARY##n(sqrt, V) YOKE_D_UNARY##n(rsqrt, V) YOKE_D_UNARY##n(exp, V) YOKE_D_UNARY##n(exp2, V) \
      YOKE_D_UNARY##n(log, V) YOKE_D_UNARY##n(log2, V) YOKE_D_UNARY##n(sin, V) YOKE_D_UNARY##n(cos, V) \
          YOKE_D_UNARY##n(tan, V) YOKE_D_UNARY##n(tanh, V) YOKE_D_UNARY##n(fabs, V) YOKE_D_UNARY##n(floor, V) \
              YOKE_D_UNARY##n(ceil, V) YOKE_D_UNARY##n(trunc, V) YOKE_D_UNARY##n(round, V) YOKE_D_UNARY##n(rint, V) \
                  YOKE_D_BOTH##n(fmin, V) YOKE_D_BOTH##n(fmax, V) YOKE_D_BOTH##n(fmod, V) YOKE_D_BOTH##n(pow, V) \
                      YOKE_D_THREE##n(fma, V) YOKE_D_THREE##n(mad, V) YOKE_D_THREE##n(mix, V) YOKE_D_FUNCTION V \
                      mix(V __a, V __b, T __share) { \
    return __a + (__b - __a) * __share; \
  }
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
