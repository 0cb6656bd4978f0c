// SPDX-License-Identifier: MIT
// Mathematics in CUDA C++: the functions that OpenCL C has beyond C's.
R"yoke(//part mathematics
//words sqrt rsqrt cbrt exp exp2 exp10 expm1 log log2 log10 log1p sin cos tan asin acos atan sinh cosh tanh asinh
//words acosh atanh sinpi cospi floor ceil trunc round rint fabs erf erfc tgamma lgamma pow atan2 fmin fmax fmod hypot
//words remainder logb ilogb atan2pi
//words copysign ldexp fdim nextafter fma clamp mad mix step smoothstep sign select degrees radians pown powr min max
//words native_*
template <class __T>
YOKE_D_FUNCTION __T clamp(__T __value, __T __low, __T __high) {
  return __value < __low ? __low : __value > __high ? __high : __value;
}
template <class __T, class __C>
YOKE_D_FUNCTION __T select(__T __otherwise, __T __chosen, __C condition) {
  return condition ? __chosen : __otherwise;
}
#define YOKE_D_REAL(T) \
  YOKE_D_FUNCTION T mad(T __a, T __b, T __c) { return fma(__a, __b, __c); } \
  YOKE_D_FUNCTION T mix(T __a, T __b, T __share) { return __a + (__b - __a) * __share; } \
  YOKE_D_FUNCTION T step(T __edge, T __x) { return __x < __edge ? T(0) : T(1); } \
  YOKE_D_FUNCTION T smoothstep(T __from, T __to, T __x) { \
    T __t = clamp((__x - __from) / (__to - __from), T(0), T(1)); \
    return __t * __t * (T(3) - T(2) * __t); \
  } \
  YOKE_D_FUNCTION T sign(T __x) { return __x > T(0) ? T(1) : __x < T(0) ? T(-1) : __x == T(0) ? __x : T(0); } \
  YOKE_D_FUNCTION T degrees(T __x) { return T(57.295779513082320877) * __x; } \
  YOKE_D_FUNCTION T radians(T __x) { return T(0.017453292519943295769) * __x; } \
  YOKE_D_FUNCTION T atan2pi(T __y, T __x) { return T(0.31830988618379067154) * atan2(__y, __x); } \
  YOKE_D_FUNCTION T powr(T __x, T __y) { return pow(__x, __y); } \
  YOKE_D_FUNCTION T pown(T __x, int __y) { return pow(__x, T(__y)); }
YOKE_D_REAL(float)
YOKE_D_REAL(double)
YOKE_D_FUNCTION float native_sin(float __x) { return __sinf(__x); }
YOKE_D_FUNCTION float native_cos(float __x) { return __cosf(__x); }
YOKE_D_FUNCTION float native_tan(float __x) { return __tanf(__x); }
YOKE_D_FUNCTION float native_exp(float __x) { return __expf(__x); }
YOKE_D_FUNCTION float native_exp2(float __x) { return exp2f(__x); }
YOKE_D_FUNCTION float native_exp10(float __x) { return __exp10f(__x); }
YOKE_D_FUNCTION float native_log(float __x) { return __logf(__x); }
YOKE_D_FUNCTION float native_log2(float __x) { return __log2f(__x); }
YOKE_D_FUNCTION float native_log10(float __x) { return __log10f(__x); }
YOKE_D_FUNCTION float native_sqrt(float __x) { return sqrtf(__x); }
YOKE_D_FUNCTION float native_rsqrt(float __x) { return rsqrtf(__x); }
YOKE_D_FUNCTION float native_recip(float __x) { return __fdividef(1.0f, __x); }
YOKE_D_FUNCTION float native_divide(float __x, float __y) { return __fdividef(__x, __y); }
YOKE_D_FUNCTION float native_powr(float __x, float __y) { return __powf(__x, __y); }
)yoke"
