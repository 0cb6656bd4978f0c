// SPDX-License-Identifier: MIT
// Mathematics in CUDA C++: the functions that OpenCL C has beyond C's.
R"yoke(//part mathematics
//words sqrt rsqrt cbrt exp exp2 exp10 expm1 log log2 log10 log1p sin cos tan asin acos atan sinh cosh tanh asinh
//words acosh atanh sinpi cospi floor ceil trunc round rint fabs erf erfc tgamma lgamma pow atan2 fmin fmax fmod hypot
//words copysign ldexp fdim nextafter fma clamp mad mix step smoothstep sign select degrees radians pown powr min max
//words native_*
template <class T>
YOKE_D_FUNCTION T clamp(T value, T low, T high) {
  return value < low ? low : value > high ? high : value;
}
template <class T, class C>
YOKE_D_FUNCTION T select(T otherwise, T chosen, C condition) {
  return condition ? chosen : otherwise;
}
#define YOKE_D_REAL(T) \
  YOKE_D_FUNCTION T mad(T a, T b, T c) { return fma(a, b, c); } \
  YOKE_D_FUNCTION T mix(T a, T b, T share) { return a + (b - a) * share; } \
  YOKE_D_FUNCTION T step(T edge, T x) { return x < edge ? T(0) : T(1); } \
  YOKE_D_FUNCTION T smoothstep(T from, T to, T x) { \
    T t = clamp((x - from) / (to - from), T(0), T(1)); \
    return t * t * (T(3) - T(2) * t); \
  } \
  YOKE_D_FUNCTION T sign(T x) { return x > T(0) ? T(1) : x < T(0) ? T(-1) : x == T(0) ? x : T(0); } \
  YOKE_D_FUNCTION T degrees(T x) { return T(57.295779513082320877) * x; } \
  YOKE_D_FUNCTION T radians(T x) { return T(0.017453292519943295769) * x; } \
  YOKE_D_FUNCTION T powr(T x, T y) { return pow(x, y); } \
  YOKE_D_FUNCTION T pown(T x, int y) { return pow(x, T(y)); }
YOKE_D_REAL(float)
YOKE_D_REAL(double)
YOKE_D_FUNCTION float native_sin(float x) { return __sinf(x); }
YOKE_D_FUNCTION float native_cos(float x) { return __cosf(x); }
YOKE_D_FUNCTION float native_tan(float x) { return __tanf(x); }
YOKE_D_FUNCTION float native_exp(float x) { return __expf(x); }
YOKE_D_FUNCTION float native_exp2(float x) { return exp2f(x); }
YOKE_D_FUNCTION float native_exp10(float x) { return __exp10f(x); }
YOKE_D_FUNCTION float native_log(float x) { return __logf(x); }
YOKE_D_FUNCTION float native_log2(float x) { return __log2f(x); }
YOKE_D_FUNCTION float native_log10(float x) { return __log10f(x); }
YOKE_D_FUNCTION float native_sqrt(float x) { return sqrtf(x); }
YOKE_D_FUNCTION float native_rsqrt(float x) { return rsqrtf(x); }
YOKE_D_FUNCTION float native_recip(float x) { return __fdividef(1.0f, x); }
YOKE_D_FUNCTION float native_divide(float x, float y) { return __fdividef(x, y); }
YOKE_D_FUNCTION float native_powr(float x, float y) { return __powf(x, y); }
)yoke"
