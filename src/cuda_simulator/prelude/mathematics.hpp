// SPDX-License-Identifier: MIT
// The mathematical functions in CUDA's spellings: the C library's where it has them, the engine's where it does not.

// name(double), namef(float) and name(float). Other arguments are ambiguous, as in CUDA without the host's <cmath>.
#define YOKE_SIMULATOR_OVERLOADS_1(R_of_float, name)                                                                   \
  inline R_of_float name(float x) noexcept { return name##f(x); }
#define YOKE_SIMULATOR_LIBRARY_1(name)                                                                                 \
  extern "C" double name(double) noexcept;                                                                             \
  extern "C" float name##f(float) noexcept;                                                                            \
  YOKE_SIMULATOR_OVERLOADS_1(float, name)
YOKE_SIMULATOR_LIBRARY_1(sin)
YOKE_SIMULATOR_LIBRARY_1(cos)
YOKE_SIMULATOR_LIBRARY_1(tan)
YOKE_SIMULATOR_LIBRARY_1(asin)
YOKE_SIMULATOR_LIBRARY_1(acos)
YOKE_SIMULATOR_LIBRARY_1(atan)
YOKE_SIMULATOR_LIBRARY_1(sinh)
YOKE_SIMULATOR_LIBRARY_1(cosh)
YOKE_SIMULATOR_LIBRARY_1(tanh)
YOKE_SIMULATOR_LIBRARY_1(asinh)
YOKE_SIMULATOR_LIBRARY_1(acosh)
YOKE_SIMULATOR_LIBRARY_1(atanh)
YOKE_SIMULATOR_LIBRARY_1(exp)
YOKE_SIMULATOR_LIBRARY_1(exp2)
YOKE_SIMULATOR_LIBRARY_1(exp10)
YOKE_SIMULATOR_LIBRARY_1(expm1)
YOKE_SIMULATOR_LIBRARY_1(log)
YOKE_SIMULATOR_LIBRARY_1(log2)
YOKE_SIMULATOR_LIBRARY_1(log10)
YOKE_SIMULATOR_LIBRARY_1(log1p)
YOKE_SIMULATOR_LIBRARY_1(logb)
YOKE_SIMULATOR_LIBRARY_1(sqrt)
YOKE_SIMULATOR_LIBRARY_1(cbrt)
YOKE_SIMULATOR_LIBRARY_1(fabs)
YOKE_SIMULATOR_LIBRARY_1(floor)
YOKE_SIMULATOR_LIBRARY_1(ceil)
YOKE_SIMULATOR_LIBRARY_1(trunc)
YOKE_SIMULATOR_LIBRARY_1(round)
YOKE_SIMULATOR_LIBRARY_1(rint)
YOKE_SIMULATOR_LIBRARY_1(nearbyint)
YOKE_SIMULATOR_LIBRARY_1(erf)
YOKE_SIMULATOR_LIBRARY_1(erfc)
YOKE_SIMULATOR_LIBRARY_1(tgamma)
YOKE_SIMULATOR_LIBRARY_1(lgamma)
YOKE_SIMULATOR_LIBRARY_1(j0)
YOKE_SIMULATOR_LIBRARY_1(j1)
YOKE_SIMULATOR_LIBRARY_1(y0)
YOKE_SIMULATOR_LIBRARY_1(y1)
#define YOKE_SIMULATOR_LIBRARY_1_TO(R, name)                                                                           \
  extern "C" R name(double) noexcept;                                                                                  \
  extern "C" R name##f(float) noexcept;                                                                                \
  YOKE_SIMULATOR_OVERLOADS_1(R, name)
YOKE_SIMULATOR_LIBRARY_1_TO(int, ilogb)
YOKE_SIMULATOR_LIBRARY_1_TO(long, lrint)
YOKE_SIMULATOR_LIBRARY_1_TO(long, lround)
YOKE_SIMULATOR_LIBRARY_1_TO(long long, llrint)
YOKE_SIMULATOR_LIBRARY_1_TO(long long, llround)

#define YOKE_SIMULATOR_LIBRARY_2(name)                                                                                 \
  extern "C" double name(double, double) noexcept;                                                                     \
  extern "C" float name##f(float, float) noexcept;                                                                     \
  inline float name(float x, float y) noexcept { return name##f(x, y); }
YOKE_SIMULATOR_LIBRARY_2(pow)
YOKE_SIMULATOR_LIBRARY_2(atan2)
YOKE_SIMULATOR_LIBRARY_2(hypot)
YOKE_SIMULATOR_LIBRARY_2(fdim)
YOKE_SIMULATOR_LIBRARY_2(fmod)
YOKE_SIMULATOR_LIBRARY_2(remainder)
YOKE_SIMULATOR_LIBRARY_2(copysign)
YOKE_SIMULATOR_LIBRARY_2(nextafter)

// A negative zero is less than a positive one, which the C library leaves open; a NaN gives way.
#define YOKE_SIMULATOR_EXTREME(name, T, comparison, zero)                                                              \
  extern "C" inline T name(T x, T y) noexcept {                                                                        \
    if (x != x) return y;                                                                                              \
    if (y != y) return x;                                                                                              \
    if (x == y) return (__builtin_signbit(x) != 0) == zero ? x : y;                                                    \
    return x comparison y ? x : y;                                                                                     \
  }
YOKE_SIMULATOR_EXTREME(fmin, double, <, true)
YOKE_SIMULATOR_EXTREME(fminf, float, <, true)
YOKE_SIMULATOR_EXTREME(fmax, double, >, false)
YOKE_SIMULATOR_EXTREME(fmaxf, float, >, false)
#undef YOKE_SIMULATOR_EXTREME
inline float fmin(float x, float y) noexcept { return fminf(x, y); }
inline float fmax(float x, float y) noexcept { return fmaxf(x, y); }

extern "C" {
double fma(double, double, double) noexcept;
float fmaf(float, float, float) noexcept;
double ldexp(double, int) noexcept;
float ldexpf(float, int) noexcept;
double scalbn(double, int) noexcept;
float scalbnf(float, int) noexcept;
double scalbln(double, long) noexcept;
float scalblnf(float, long) noexcept;
double frexp(double, int*) noexcept;
float frexpf(float, int*) noexcept;
double modf(double, double*) noexcept;
float modff(float, float*) noexcept;
double remquo(double, double, int*) noexcept;
float remquof(float, float, int*) noexcept;
void sincos(double, double*, double*) noexcept;
void sincosf(float, float*, float*) noexcept;
double jn(int, double) noexcept;
float jnf(int, float) noexcept;
double yn(int, double) noexcept;
float ynf(int, float) noexcept;
}
namespace yoke_simulator {
extern "C" double tagged_nan(const char*) noexcept __asm__("nan");
extern "C" float tagged_nanf(const char*) noexcept __asm__("nanf");
}  // namespace yoke_simulator
// A null tag is an empty one, as on a GPU; C++ takes the 0u of OpenCL's nan(0u) for one.
inline double nan(const char* tag) noexcept { return ::yoke_simulator::tagged_nan(tag == nullptr ? "" : tag); }
inline float nanf(const char* tag) noexcept { return ::yoke_simulator::tagged_nanf(tag == nullptr ? "" : tag); }
inline float fma(float x, float y, float z) noexcept { return fmaf(x, y, z); }
inline float ldexp(float x, int n) noexcept { return ldexpf(x, n); }
inline float scalbn(float x, int n) noexcept { return scalbnf(x, n); }
inline float scalbln(float x, long n) noexcept { return scalblnf(x, n); }
inline float frexp(float x, int* n) noexcept { return frexpf(x, n); }
inline float modf(float x, float* whole) noexcept { return modff(x, whole); }
inline float remquo(float x, float y, int* quotient) noexcept { return remquof(x, y, quotient); }
inline void sincos(float x, float* sine, float* cosine) noexcept { sincosf(x, sine, cosine); }
inline float jn(int n, float x) noexcept { return jnf(n, x); }
inline float yn(int n, float x) noexcept { return ynf(n, x); }
inline float pow(float x, int n) noexcept { return powf(x, static_cast<float>(n)); }
inline double pow(double x, int n) noexcept { return pow(x, static_cast<double>(n)); }
inline float abs(float x) noexcept { return __builtin_fabsf(x); }
inline double abs(double x) noexcept { return __builtin_fabs(x); }

#define YOKE_SIMULATOR_QUESTION(name)                                                                                  \
  constexpr bool name(float x) { return __builtin_##name(x); }                                                         \
  constexpr bool name(double x) { return __builtin_##name(x); }
YOKE_SIMULATOR_QUESTION(isnan)
YOKE_SIMULATOR_QUESTION(isinf)
YOKE_SIMULATOR_QUESTION(isfinite)
YOKE_SIMULATOR_QUESTION(signbit)
#undef YOKE_SIMULATOR_QUESTION
#define YOKE_SIMULATOR_OLD_QUESTION(name, own)                                                                         \
  inline int name(double x) { return own(x); }                                                                         \
  inline int name##f(float x) { return own(x); }
YOKE_SIMULATOR_OLD_QUESTION(__isnan, isnan)
YOKE_SIMULATOR_OLD_QUESTION(__isinf, isinf)
YOKE_SIMULATOR_OLD_QUESTION(__finite, isfinite)
YOKE_SIMULATOR_OLD_QUESTION(__signbit, signbit)
#undef YOKE_SIMULATOR_OLD_QUESTION

inline float min(float a, float b) { return fminf(a, b); }
inline float max(float a, float b) { return fmaxf(a, b); }
inline double min(double a, double b) { return fmin(a, b); }
inline double max(double a, double b) { return fmax(a, b); }
inline double min(float a, double b) { return fmin(static_cast<double>(a), b); }
inline double max(float a, double b) { return fmax(static_cast<double>(a), b); }
inline double min(double a, float b) { return fmin(a, static_cast<double>(b)); }
inline double max(double a, float b) { return fmax(a, static_cast<double>(b)); }

// The C library lacks these functions: they are computed in double precision, so that the float forms are right to the
// last bit but one.
#define YOKE_SIMULATOR_OWN_1(name, ...)                                                                                \
  inline double name(double x) noexcept { return __VA_ARGS__; }                                                        \
  inline float name##f(float y) noexcept { return static_cast<float>(name(static_cast<double>(y))); }                  \
  YOKE_SIMULATOR_OVERLOADS_1(float, name)
#define YOKE_SIMULATOR_SPECIAL(name, which)                                                                            \
  YOKE_SIMULATOR_OWN_1(name, ::yoke_simulator::engine->special(::yoke_simulator::function::which, x))
YOKE_SIMULATOR_SPECIAL(sinpi, sinpi)
YOKE_SIMULATOR_SPECIAL(cospi, cospi)
YOKE_SIMULATOR_SPECIAL(erfinv, erfinv)
YOKE_SIMULATOR_SPECIAL(erfcinv, erfcinv)
YOKE_SIMULATOR_SPECIAL(erfcx, erfcx)
YOKE_SIMULATOR_SPECIAL(normcdf, normcdf)
YOKE_SIMULATOR_SPECIAL(normcdfinv, normcdfinv)
YOKE_SIMULATOR_SPECIAL(cyl_bessel_i0, bessel_i0)
YOKE_SIMULATOR_SPECIAL(cyl_bessel_i1, bessel_i1)
YOKE_SIMULATOR_OWN_1(rsqrt, 1.0 / __builtin_sqrt(x))
YOKE_SIMULATOR_OWN_1(rcbrt, 1.0 / cbrt(x))
inline void sincospi(double x, double* sine, double* cosine) noexcept {
  *sine = sinpi(x);
  *cosine = cospi(x);
}
inline void sincospif(float x, float* sine, float* cosine) noexcept {
  *sine = sinpif(x);
  *cosine = cospif(x);
}
inline void sincospi(float x, float* sine, float* cosine) noexcept { sincospif(x, sine, cosine); }

inline double rhypot(double x, double y) noexcept { return 1.0 / hypot(x, y); }
inline float rhypotf(float x, float y) noexcept {
  return static_cast<float>(rhypot(static_cast<double>(x), static_cast<double>(y)));
}
inline double norm3d(double x, double y, double z) noexcept { return hypot(hypot(x, y), z); }
inline double norm4d(double x, double y, double z, double w) noexcept { return hypot(hypot(x, y), hypot(z, w)); }
inline double rnorm3d(double x, double y, double z) noexcept { return 1.0 / norm3d(x, y, z); }
inline double rnorm4d(double x, double y, double z, double w) noexcept { return 1.0 / norm4d(x, y, z, w); }
inline float norm3df(float x, float y, float z) noexcept { return static_cast<float>(norm3d(x, y, z)); }
inline float norm4df(float x, float y, float z, float w) noexcept { return static_cast<float>(norm4d(x, y, z, w)); }
inline float rnorm3df(float x, float y, float z) noexcept { return static_cast<float>(rnorm3d(x, y, z)); }
inline float rnorm4df(float x, float y, float z, float w) noexcept { return static_cast<float>(rnorm4d(x, y, z, w)); }
inline double norm(int count, const double* values) noexcept {
  double length = 0.0;
  for (int each = 0; each < count; ++each) length = hypot(length, values[each]);
  return length;
}
inline float normf(int count, const float* values) noexcept {
  double length = 0.0;
  for (int each = 0; each < count; ++each) length = hypot(length, static_cast<double>(values[each]));
  return static_cast<float>(length);
}
inline double rnorm(int count, const double* values) noexcept { return 1.0 / norm(count, values); }
inline float rnormf(int count, const float* values) noexcept { return 1.0f / normf(count, values); }
