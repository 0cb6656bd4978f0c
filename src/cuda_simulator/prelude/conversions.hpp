// SPDX-License-Identifier: MIT
// Conversions between integers and floating point in the four rounding directions, and of bits.

namespace yoke_simulator {

template <rounding How, class F>
inline F to_whole(F x) {
  if (How == rounding::nearest) return __builtin_rint(x);
  if (How == rounding::zero) return __builtin_trunc(x);
  if (How == rounding::up) return __builtin_ceil(x);
  return __builtin_floor(x);
}

/// Out of range becomes the nearest end. NaN becomes zero; from double precision, or where the result has 64 bits, only
/// the result's highest bit is set then.
template <class I, rounding How, class From>
inline I to_integer(From from) {
  double x = from;
  constexpr bool is_signed = I(-1) < I(0);
  constexpr int bits = 8 * sizeof(I);
  if (x != x) return bits == 64 || sizeof(From) == 8 ? static_cast<I>(1ull << (bits - 1)) : I(0);
  x = to_whole<How>(x);
  const double end = __builtin_ldexp(1.0, is_signed ? bits - 1 : bits);
  const double begin = is_signed ? -end : 0.0;
  const I highest = is_signed ? static_cast<I>(~(1ull << (bits - 1))) : static_cast<I>(~0ull);
  if (x >= end) return highest;
  if (x <= begin) return is_signed ? static_cast<I>(1ull << (bits - 1)) : I(0);
  return static_cast<I>(x);
}

}  // namespace yoke_simulator

#define YOKE_SIMULATOR_DIRECTIONS(X, ...)                                                                              \
  X(rn, nearest, __VA_ARGS__)                                                                                          \
  X(rz, zero, __VA_ARGS__)                                                                                             \
  X(ru, up, __VA_ARGS__)                                                                                               \
  X(rd, down, __VA_ARGS__)

#define YOKE_SIMULATOR_TO_INTEGER(suffix, how, from, F, to, I)                                                         \
  inline I __##from##2##to##_##suffix(F x) {                                                                           \
    return ::yoke_simulator::to_integer<I, ::yoke_simulator::rounding::how>(x);                                        \
  }
YOKE_SIMULATOR_DIRECTIONS(YOKE_SIMULATOR_TO_INTEGER, float, float, int, int)
YOKE_SIMULATOR_DIRECTIONS(YOKE_SIMULATOR_TO_INTEGER, float, float, uint, unsigned)
YOKE_SIMULATOR_DIRECTIONS(YOKE_SIMULATOR_TO_INTEGER, float, float, ll, long long)
YOKE_SIMULATOR_DIRECTIONS(YOKE_SIMULATOR_TO_INTEGER, float, float, ull, unsigned long long)
YOKE_SIMULATOR_DIRECTIONS(YOKE_SIMULATOR_TO_INTEGER, double, double, int, int)
YOKE_SIMULATOR_DIRECTIONS(YOKE_SIMULATOR_TO_INTEGER, double, double, uint, unsigned)
YOKE_SIMULATOR_DIRECTIONS(YOKE_SIMULATOR_TO_INTEGER, double, double, ll, long long)
YOKE_SIMULATOR_DIRECTIONS(YOKE_SIMULATOR_TO_INTEGER, double, double, ull, unsigned long long)

#define YOKE_SIMULATOR_FROM_INTEGER(suffix, how, from, I, to, service)                                                 \
  inline to __##from##2##to##_##suffix(I x) {                                                                          \
    return ::yoke_simulator::engine->service(::yoke_simulator::rounding::how, x);                                      \
  }
YOKE_SIMULATOR_DIRECTIONS(YOKE_SIMULATOR_FROM_INTEGER, int, int, float, float_from_signed)
YOKE_SIMULATOR_DIRECTIONS(YOKE_SIMULATOR_FROM_INTEGER, uint, unsigned, float, float_from_unsigned)
YOKE_SIMULATOR_DIRECTIONS(YOKE_SIMULATOR_FROM_INTEGER, ll, long long, float, float_from_signed)
YOKE_SIMULATOR_DIRECTIONS(YOKE_SIMULATOR_FROM_INTEGER, ull, unsigned long long, float, float_from_unsigned)
YOKE_SIMULATOR_DIRECTIONS(YOKE_SIMULATOR_FROM_INTEGER, ll, long long, double, double_from_signed)
YOKE_SIMULATOR_DIRECTIONS(YOKE_SIMULATOR_FROM_INTEGER, ull, unsigned long long, double, double_from_unsigned)
YOKE_SIMULATOR_DIRECTIONS(YOKE_SIMULATOR_FROM_INTEGER, double, double, float, narrowed)
inline double __int2double_rn(int x) { return x; }
inline double __uint2double_rn(unsigned x) { return x; }

inline int __float_as_int(float x) { return ::yoke_simulator::bit_cast<int>(x); }
inline unsigned __float_as_uint(float x) { return ::yoke_simulator::bit_cast<unsigned>(x); }
inline float __int_as_float(int x) { return ::yoke_simulator::bit_cast<float>(x); }
inline float __uint_as_float(unsigned x) { return ::yoke_simulator::bit_cast<float>(x); }
inline long long __double_as_longlong(double x) { return ::yoke_simulator::bit_cast<long long>(x); }
inline double __longlong_as_double(long long x) { return ::yoke_simulator::bit_cast<double>(x); }
inline int __double2hiint(double x) { return static_cast<int>(__double_as_longlong(x) >> 32); }
inline int __double2loint(double x) { return static_cast<int>(__double_as_longlong(x)); }
inline double __hiloint2double(int high, int low) {
  return __longlong_as_double(static_cast<long long>(
      static_cast<unsigned long long>(static_cast<unsigned>(high)) << 32 | static_cast<unsigned>(low)));
}

// The older names, with the direction as an argument.
enum cudaRoundMode { cudaRoundNearest, cudaRoundZero, cudaRoundPosInf, cudaRoundMinInf };
#define YOKE_SIMULATOR_BY_MODE(name, own, To, From, standard)                                                          \
  inline To name(From x, cudaRoundMode mode = standard) {                                                              \
    switch (mode) {                                                                                                    \
      case cudaRoundZero: return own##_rz(x);                                                                          \
      case cudaRoundPosInf: return own##_ru(x);                                                                        \
      case cudaRoundMinInf: return own##_rd(x);                                                                        \
      default: return own##_rn(x);                                                                                     \
    }                                                                                                                  \
  }
YOKE_SIMULATOR_BY_MODE(double2int, __double2int, int, double, cudaRoundZero)
YOKE_SIMULATOR_BY_MODE(double2uint, __double2uint, unsigned, double, cudaRoundZero)
YOKE_SIMULATOR_BY_MODE(double2ll, __double2ll, long long, double, cudaRoundZero)
YOKE_SIMULATOR_BY_MODE(double2ull, __double2ull, unsigned long long, double, cudaRoundZero)
YOKE_SIMULATOR_BY_MODE(ll2double, __ll2double, double, long long, cudaRoundNearest)
YOKE_SIMULATOR_BY_MODE(ull2double, __ull2double, double, unsigned long long, cudaRoundNearest)
#undef YOKE_SIMULATOR_BY_MODE
inline double int2double(int x, cudaRoundMode = cudaRoundNearest) { return x; }
inline double uint2double(unsigned x, cudaRoundMode = cudaRoundNearest) { return x; }
inline double float2double(float x, cudaRoundMode = cudaRoundNearest) { return static_cast<double>(x); }
