// SPDX-License-Identifier: MIT
// The intrinsics of floating-point arithmetic: rounding directions, and the fast forms, which are exact ones here.

#define YOKE_SIMULATOR_ROUNDED(suffix, how, name, T, service, what, parameters, a, b, c)                               \
  inline T __##name##_##suffix parameters {                                                                            \
    return ::yoke_simulator::engine->service(::yoke_simulator::operation::what, ::yoke_simulator::rounding::how, a, b, \
                                             c);                                                                       \
  }
#define YOKE_SIMULATOR_FLOAT(...) YOKE_SIMULATOR_DIRECTIONS(YOKE_SIMULATOR_ROUNDED, __VA_ARGS__)
YOKE_SIMULATOR_FLOAT(fadd, float, rounded_float, add, (float x, float y), x, y, 0)
YOKE_SIMULATOR_FLOAT(fsub, float, rounded_float, subtract, (float x, float y), x, y, 0)
YOKE_SIMULATOR_FLOAT(fmul, float, rounded_float, multiply, (float x, float y), x, y, 0)
YOKE_SIMULATOR_FLOAT(fdiv, float, rounded_float, divide, (float x, float y), x, y, 0)
YOKE_SIMULATOR_FLOAT(frcp, float, rounded_float, divide, (float x), 1, x, 0)
YOKE_SIMULATOR_FLOAT(fsqrt, float, rounded_float, square_root, (float x), x, 0, 0)
YOKE_SIMULATOR_FLOAT(fmaf, float, rounded_float, multiply_add, (float x, float y, float z), x, y, z)
YOKE_SIMULATOR_FLOAT(fmaf_ieee, float, rounded_float, multiply_add, (float x, float y, float z), x, y, z)
YOKE_SIMULATOR_FLOAT(dadd, double, rounded_double, add, (double x, double y), x, y, 0)
YOKE_SIMULATOR_FLOAT(dsub, double, rounded_double, subtract, (double x, double y), x, y, 0)
YOKE_SIMULATOR_FLOAT(dmul, double, rounded_double, multiply, (double x, double y), x, y, 0)
YOKE_SIMULATOR_FLOAT(ddiv, double, rounded_double, divide, (double x, double y), x, y, 0)
YOKE_SIMULATOR_FLOAT(drcp, double, rounded_double, divide, (double x), 1, x, 0)
YOKE_SIMULATOR_FLOAT(dsqrt, double, rounded_double, square_root, (double x), x, 0, 0)
YOKE_SIMULATOR_FLOAT(fma, double, rounded_double, multiply_add, (double x, double y, double z), x, y, z)
#undef YOKE_SIMULATOR_FLOAT
#undef YOKE_SIMULATOR_ROUNDED

inline float __frsqrt_rn(float x) { return static_cast<float>(1.0 / __builtin_sqrt(static_cast<double>(x))); }
inline float __fdividef(float x, float y) { return x / y; }
inline float fdividef(float x, float y) { return x / y; }
inline double fdivide(double x, double y) { return x / y; }
inline float __sinf(float x) { return sinf(x); }
inline float __cosf(float x) { return cosf(x); }
inline float __tanf(float x) { return tanf(x); }
inline float __tanhf(float x) { return tanhf(x); }
inline void __sincosf(float x, float* sine, float* cosine) { sincosf(x, sine, cosine); }
inline float __expf(float x) { return expf(x); }
inline float __exp10f(float x) { return exp10f(x); }
inline float __logf(float x) { return logf(x); }
inline float __log2f(float x) { return log2f(x); }
inline float __log10f(float x) { return log10f(x); }
inline float __powf(float x, float y) { return powf(x, y); }
/// NaN becomes zero.
inline float __saturatef(float x) { return x > 0.0f ? (x < 1.0f ? x : 1.0f) : 0.0f; }

// The older names, with the direction as an argument.
#define YOKE_SIMULATOR_BY_MODE(name, own)                                                                              \
  inline double name(double x, double y, cudaRoundMode mode = cudaRoundNearest) {                                      \
    switch (mode) {                                                                                                    \
      case cudaRoundZero: return own##_rz(x, y);                                                                       \
      case cudaRoundPosInf: return own##_ru(x, y);                                                                     \
      case cudaRoundMinInf: return own##_rd(x, y);                                                                     \
      default: return own##_rn(x, y);                                                                                  \
    }                                                                                                                  \
  }
YOKE_SIMULATOR_BY_MODE(dadd, __dadd)
YOKE_SIMULATOR_BY_MODE(dsub, __dsub)
YOKE_SIMULATOR_BY_MODE(dmul, __dmul)
#undef YOKE_SIMULATOR_BY_MODE
