// SPDX-License-Identifier: MIT
// The text of a 16-bit floating type and of its pairs, written once for half and bfloat16.
#ifndef YOKE_SIMULATOR_SMALL_FLOAT_H
#define YOKE_SIMULATOR_SMALL_FLOAT_H

#include <yoke_simulator/small_float_bits.h>

// The type: T, R is its raw twin. An assignment to a volatile object returns R: GCC warns of every unused volatile
// reference.
#define YOKE_SIMULATOR_SMALL_FLOAT_TYPE(T, R, E, M)                                                                    \
  struct alignas(2) T {                                                                                                \
    unsigned short __x;                                                                                                \
    T() = default;                                                                                                     \
    constexpr T(R raw) : __x(raw.x) {}                                                                                 \
    T(float value)                                                                                                     \
        : __x(::yoke_simulator::small<E, M>::round(static_cast<double>(value), ::yoke_simulator::rounding::nearest)) { \
    }                                                                                                                  \
    T(double value) : __x(::yoke_simulator::small<E, M>::round(value, ::yoke_simulator::rounding::nearest)) {}         \
    template <class I, class = typename ::yoke_simulator::enable_if<::yoke_simulator::is_integral<I>>::type>           \
    T(I value) : __x(::yoke_simulator::small<E, M>::from_integer(value, ::yoke_simulator::rounding::nearest)) {}       \
    operator float() const { return ::yoke_simulator::small<E, M>::widen(__x); }                                       \
    explicit operator double() const { return static_cast<double>(static_cast<float>(*this)); }                        \
    explicit operator bool() const { return (__x & 0x7fffu) != 0; }                                                    \
    operator R() const { return R{__x}; }                                                                              \
    operator R() const volatile { return R{__x}; }                                                                     \
    T& operator=(R raw) {                                                                                              \
      __x = raw.x;                                                                                                     \
      return *this;                                                                                                    \
    }                                                                                                                  \
    R operator=(const R& raw) volatile {                                                                               \
      __x = raw.x;                                                                                                     \
      return R{raw.x};                                                                                                 \
    }                                                                                                                  \
    R operator=(const volatile R& raw) volatile {                                                                      \
      __x = raw.x;                                                                                                     \
      return R{raw.x};                                                                                                 \
    }                                                                                                                  \
  };                                                                                                                   \
  namespace yoke_simulator {                                                                                           \
  inline T make(T*, double value) {                                                                                    \
    R raw{small<E, M>::round(value, rounding::nearest)};                                                               \
    return T(raw);                                                                                                     \
  }                                                                                                                    \
  }

#define YOKE_SIMULATOR_SMALL_FLOAT_OPERATORS(T)                                                                        \
  inline T operator+(const T& a, const T& b) { return T(static_cast<float>(a) + static_cast<float>(b)); }              \
  inline T operator-(const T& a, const T& b) { return T(static_cast<float>(a) - static_cast<float>(b)); }              \
  inline T operator*(const T& a, const T& b) { return T(static_cast<float>(a) * static_cast<float>(b)); }              \
  inline T operator/(const T& a, const T& b) { return T(static_cast<float>(a) / static_cast<float>(b)); }              \
  inline T operator+(const T& a) { return a; }                                                                         \
  inline T operator-(const T& a) {                                                                                     \
    T r = a;                                                                                                           \
    r.__x ^= 0x8000u;                                                                                                  \
    return r;                                                                                                          \
  }                                                                                                                    \
  inline T& operator+=(T& a, const T& b) { return a = a + b; }                                                         \
  inline T& operator-=(T& a, const T& b) { return a = a - b; }                                                         \
  inline T& operator*=(T& a, const T& b) { return a = a * b; }                                                         \
  inline T& operator/=(T& a, const T& b) { return a = a / b; }                                                         \
  inline T& operator++(T& a) { return a = a + T(1.0f); }                                                               \
  inline T& operator--(T& a) { return a = a - T(1.0f); }                                                               \
  inline T operator++(T& a, int) {                                                                                     \
    T before = a;                                                                                                      \
    ++a;                                                                                                               \
    return before;                                                                                                     \
  }                                                                                                                    \
  inline T operator--(T& a, int) {                                                                                     \
    T before = a;                                                                                                      \
    --a;                                                                                                               \
    return before;                                                                                                     \
  }                                                                                                                    \
  inline bool operator==(const T& a, const T& b) { return static_cast<float>(a) == static_cast<float>(b); }            \
  inline bool operator!=(const T& a, const T& b) { return static_cast<float>(a) != static_cast<float>(b); }            \
  inline bool operator<(const T& a, const T& b) { return static_cast<float>(a) < static_cast<float>(b); }              \
  inline bool operator>(const T& a, const T& b) { return static_cast<float>(a) > static_cast<float>(b); }              \
  inline bool operator<=(const T& a, const T& b) { return static_cast<float>(a) <= static_cast<float>(b); }            \
  inline bool operator>=(const T& a, const T& b) { return static_cast<float>(a) >= static_cast<float>(b); }

// The pair.
#define YOKE_SIMULATOR_SMALL_FLOAT_PAIR(T, T2, R2)                                                                     \
  struct alignas(4) T2 {                                                                                               \
    T x, y;                                                                                                            \
    T2() = default;                                                                                                    \
    T2(const T& a, const T& b) : x(a), y(b) {}                                                                         \
    T2(R2 raw) {                                                                                                       \
      x.__x = raw.x;                                                                                                   \
      y.__x = raw.y;                                                                                                   \
    }                                                                                                                  \
    operator R2() const { return R2{x.__x, y.__x}; }                                                                   \
  };                                                                                                                   \
  inline T2 operator+(const T2& a, const T2& b) { return T2(a.x + b.x, a.y + b.y); }                                   \
  inline T2 operator-(const T2& a, const T2& b) { return T2(a.x - b.x, a.y - b.y); }                                   \
  inline T2 operator*(const T2& a, const T2& b) { return T2(a.x * b.x, a.y * b.y); }                                   \
  inline T2 operator/(const T2& a, const T2& b) { return T2(a.x / b.x, a.y / b.y); }                                   \
  inline T2 operator+(const T2& a) { return a; }                                                                       \
  inline T2 operator-(const T2& a) { return T2(-a.x, -a.y); }                                                          \
  inline T2& operator+=(T2& a, const T2& b) { return a = a + b; }                                                      \
  inline T2& operator-=(T2& a, const T2& b) { return a = a - b; }                                                      \
  inline T2& operator*=(T2& a, const T2& b) { return a = a * b; }                                                      \
  inline T2& operator/=(T2& a, const T2& b) { return a = a / b; }                                                      \
  inline T2& operator++(T2& a) { return a = a + T2(T(1.0f), T(1.0f)); }                                                \
  inline T2& operator--(T2& a) { return a = a - T2(T(1.0f), T(1.0f)); }                                                \
  inline T2 operator++(T2& a, int) {                                                                                   \
    const T2 before = a;                                                                                               \
    ++a;                                                                                                               \
    return before;                                                                                                     \
  }                                                                                                                    \
  inline T2 operator--(T2& a, int) {                                                                                   \
    const T2 before = a;                                                                                               \
    --a;                                                                                                               \
    return before;                                                                                                     \
  }                                                                                                                    \
  inline bool operator==(const T2& a, const T2& b) { return a.x == b.x && a.y == b.y; }                                \
  inline bool operator!=(const T2& a, const T2& b) { return a.x != b.x && a.y != b.y; }                                \
  inline bool operator<(const T2& a, const T2& b) { return a.x < b.x && a.y < b.y; }                                   \
  inline bool operator>(const T2& a, const T2& b) { return a.x > b.x && a.y > b.y; }                                   \
  inline bool operator<=(const T2& a, const T2& b) { return a.x <= b.x && a.y <= b.y; }                                \
  inline bool operator>=(const T2& a, const T2& b) { return a.x >= b.x && a.y >= b.y; }

// Conversions: n is the type's name in functions, n2 the pair's.
#define YOKE_SIMULATOR_SMALL_FLOAT_FROM(suffix, how, T, R, n, E, M)                                                    \
  inline T __float2##n##_##suffix(float v) {                                                                           \
    return T(R{::yoke_simulator::small<E, M>::round(static_cast<double>(v), ::yoke_simulator::rounding::how)});        \
  }                                                                                                                    \
  inline T __int2##n##_##suffix(int v) {                                                                               \
    return T(R{::yoke_simulator::small<E, M>::from_integer(v, ::yoke_simulator::rounding::how)});                      \
  }                                                                                                                    \
  inline T __uint2##n##_##suffix(unsigned v) {                                                                         \
    return T(R{::yoke_simulator::small<E, M>::from_integer(v, ::yoke_simulator::rounding::how)});                      \
  }                                                                                                                    \
  inline T __short2##n##_##suffix(short v) {                                                                           \
    return T(R{::yoke_simulator::small<E, M>::from_integer(v, ::yoke_simulator::rounding::how)});                      \
  }                                                                                                                    \
  inline T __ushort2##n##_##suffix(unsigned short v) {                                                                 \
    return T(R{::yoke_simulator::small<E, M>::from_integer(v, ::yoke_simulator::rounding::how)});                      \
  }                                                                                                                    \
  inline T __ll2##n##_##suffix(long long v) {                                                                          \
    return T(R{::yoke_simulator::small<E, M>::from_integer(v, ::yoke_simulator::rounding::how)});                      \
  }                                                                                                                    \
  inline T __ull2##n##_##suffix(unsigned long long v) {                                                                \
    return T(R{::yoke_simulator::small<E, M>::from_integer(v, ::yoke_simulator::rounding::how)});                      \
  }                                                                                                                    \
  inline int __##n##2int_##suffix(T v) { return __float2int_##suffix(static_cast<float>(v)); }                         \
  inline unsigned __##n##2uint_##suffix(T v) { return __float2uint_##suffix(static_cast<float>(v)); }                  \
  inline long long __##n##2ll_##suffix(T v) { return __float2ll_##suffix(static_cast<float>(v)); }                     \
  inline unsigned long long __##n##2ull_##suffix(T v) { return __float2ull_##suffix(static_cast<float>(v)); }          \
  inline short __##n##2short_##suffix(T v) {                                                                           \
    return ::yoke_simulator::to_integer<short, ::yoke_simulator::rounding::how>(static_cast<float>(v));                \
  }                                                                                                                    \
  inline unsigned short __##n##2ushort_##suffix(T v) {                                                                 \
    return ::yoke_simulator::to_integer<unsigned short, ::yoke_simulator::rounding::how>(static_cast<float>(v));       \
  }

#define YOKE_SIMULATOR_SMALL_FLOAT_CONVERSIONS(T, R, T2, n, n2)                                                        \
  inline signed char __##n##2char_rz(T v) {                                                                            \
    return ::yoke_simulator::to_integer<signed char, ::yoke_simulator::rounding::zero>(static_cast<float>(v));         \
  }                                                                                                                    \
  inline unsigned char __##n##2uchar_rz(T v) {                                                                         \
    return ::yoke_simulator::to_integer<unsigned char, ::yoke_simulator::rounding::zero>(static_cast<float>(v));       \
  }                                                                                                                    \
  inline T __float2##n(float v) { return T(v); }                                                                       \
  inline T __double2##n(double v) { return T(v); }                                                                     \
  inline float __##n##2float(T v) { return v; }                                                                        \
  inline unsigned short __##n##_as_ushort(T v) { return v.__x; }                                                       \
  inline short __##n##_as_short(T v) { return static_cast<short>(v.__x); }                                             \
  inline T __ushort_as_##n(unsigned short v) { return T(R{v}); }                                                       \
  inline T __short_as_##n(short v) { return T(R{static_cast<unsigned short>(v)}); }                                    \
  inline T2 make_##n2(T a, T b) { return T2(a, b); }                                                                   \
  inline T2 __halves2##n2(T a, T b) { return T2(a, b); }                                                               \
  inline T2 __##n##2##n2(T a) { return T2(a, a); }                                                                     \
  inline T2 __float2##n2##_rn(float v) { return T2(T(v), T(v)); }                                                      \
  inline T2 __floats2##n2##_rn(float a, float b) { return T2(T(a), T(b)); }                                            \
  inline T2 __float22##n2##_rn(float2 v) { return T2(T(v.x), T(v.y)); }                                                \
  inline float2 __##n2##2float2(T2 v) { return float2{v.x, v.y}; }                                                     \
  inline float __low2float(T2 v) { return v.x; }                                                                       \
  inline float __high2float(T2 v) { return v.y; }                                                                      \
  inline T __low2##n(T2 v) { return v.x; }                                                                             \
  inline T __high2##n(T2 v) { return v.y; }                                                                            \
  inline T2 __low2##n2(T2 v) { return T2(v.x, v.x); }                                                                  \
  inline T2 __high2##n2(T2 v) { return T2(v.y, v.y); }                                                                 \
  inline T2 __lows2##n2(T2 a, T2 b) { return T2(a.x, b.x); }                                                           \
  inline T2 __highs2##n2(T2 a, T2 b) { return T2(a.y, b.y); }                                                          \
  inline T2 __lowhigh2highlow(T2 v) { return T2(v.y, v.x); }

// Arithmetic by name.
#define YOKE_SIMULATOR_SMALL_FLOAT_ARITHMETIC(T, E, M)                                                                 \
  inline T __hadd(T a, T b) { return a + b; }                                                                          \
  inline T __hsub(T a, T b) { return a - b; }                                                                          \
  inline T __hmul(T a, T b) { return a * b; }                                                                          \
  inline T __hdiv(T a, T b) { return a / b; }                                                                          \
  inline T __hadd_rn(T a, T b) { return a + b; }                                                                       \
  inline T __hsub_rn(T a, T b) { return a - b; }                                                                       \
  inline T __hmul_rn(T a, T b) { return a * b; }                                                                       \
  inline T __hneg(T a) { return -a; }                                                                                  \
  inline T __habs(T a) {                                                                                               \
    a.__x &= 0x7fffu;                                                                                                  \
    return a;                                                                                                          \
  }                                                                                                                    \
  inline T __hfma(T a, T b, T c) {                                                                                     \
    return ::yoke_simulator::make(                                                                                     \
        static_cast<T*>(nullptr),                                                                                      \
        ::yoke_simulator::odd_multiply_add(static_cast<float>(a), static_cast<float>(b), static_cast<float>(c)));      \
  }                                                                                                                    \
  inline T __hadd_sat(T a, T b) { return T(__saturatef(static_cast<float>(a + b))); }                                  \
  inline T __hsub_sat(T a, T b) { return T(__saturatef(static_cast<float>(a - b))); }                                  \
  inline T __hmul_sat(T a, T b) { return T(__saturatef(static_cast<float>(a * b))); }                                  \
  inline T __hfma_sat(T a, T b, T c) { return T(__saturatef(static_cast<float>(__hfma(a, b, c)))); }                   \
  inline T __hfma_relu(T a, T b, T c) {                                                                                \
    const float r = static_cast<float>(__hfma(a, b, c));                                                               \
    return T(r < 0.0f ? 0.0f : r);                                                                                     \
  }                                                                                                                    \
  inline bool __heq(T a, T b) { return a == b; }                                                                       \
  inline bool __hne(T a, T b) { return a < b || a > b; }                                                               \
  inline bool __hlt(T a, T b) { return a < b; }                                                                        \
  inline bool __hle(T a, T b) { return a <= b; }                                                                       \
  inline bool __hgt(T a, T b) { return a > b; }                                                                        \
  inline bool __hge(T a, T b) { return a >= b; }                                                                       \
  inline bool __hequ(T a, T b) { return !__hne(a, b); }                                                                \
  inline bool __hneu(T a, T b) { return !__heq(a, b); }                                                                \
  inline bool __hltu(T a, T b) { return !__hge(a, b); }                                                                \
  inline bool __hleu(T a, T b) { return !__hgt(a, b); }                                                                \
  inline bool __hgtu(T a, T b) { return !__hle(a, b); }                                                                \
  inline bool __hgeu(T a, T b) { return !__hlt(a, b); }                                                                \
  inline bool __hisnan(T a) { return isnan(static_cast<float>(a)); }                                                   \
  inline int __hisinf(T a) {                                                                                           \
    const float v = a;                                                                                                 \
    return isinf(v) ? (v > 0.0f ? 1 : -1) : 0;                                                                         \
  }                                                                                                                    \
  inline T __hmin(T a, T b) { return T(fminf(a, b)); }                                                                 \
  inline T __hmax(T a, T b) { return T(fmaxf(a, b)); }                                                                 \
  inline T __hmin_nan(T a, T b) { return __hisnan(a) ? a : __hisnan(b) ? b : __hmin(a, b); }                           \
  inline T __hmax_nan(T a, T b) { return __hisnan(a) ? a : __hisnan(b) ? b : __hmax(a, b); }                           \
  inline T hsin(T a) { return ::yoke_simulator::make(static_cast<T*>(nullptr), sin(static_cast<double>(a))); }         \
  inline T hcos(T a) { return ::yoke_simulator::make(static_cast<T*>(nullptr), cos(static_cast<double>(a))); }         \
  inline T hexp(T a) { return ::yoke_simulator::make(static_cast<T*>(nullptr), exp(static_cast<double>(a))); }         \
  inline T hexp2(T a) { return ::yoke_simulator::make(static_cast<T*>(nullptr), exp2(static_cast<double>(a))); }       \
  inline T hexp10(T a) { return ::yoke_simulator::make(static_cast<T*>(nullptr), exp10(static_cast<double>(a))); }     \
  inline T hlog(T a) { return ::yoke_simulator::make(static_cast<T*>(nullptr), log(static_cast<double>(a))); }         \
  inline T hlog2(T a) { return ::yoke_simulator::make(static_cast<T*>(nullptr), log2(static_cast<double>(a))); }       \
  inline T hlog10(T a) { return ::yoke_simulator::make(static_cast<T*>(nullptr), log10(static_cast<double>(a))); }     \
  inline T hsqrt(T a) { return ::yoke_simulator::make(static_cast<T*>(nullptr), sqrt(static_cast<double>(a))); }       \
  inline T hrsqrt(T a) { return ::yoke_simulator::make(static_cast<T*>(nullptr), rsqrt(static_cast<double>(a))); }     \
  inline T hrcp(T a) { return ::yoke_simulator::make(static_cast<T*>(nullptr), 1.0 / static_cast<double>(a)); }        \
  inline T htanh(T a) { return ::yoke_simulator::make(static_cast<T*>(nullptr), tanh(static_cast<double>(a))); }       \
  inline T htanh_approx(T a) { return htanh(a); }                                                                      \
  inline T hfloor(T a) { return T(floorf(a)); }                                                                        \
  inline T hceil(T a) { return T(ceilf(a)); }                                                                          \
  inline T htrunc(T a) { return T(truncf(a)); }                                                                        \
  inline T hrint(T a) { return T(rintf(a)); }

namespace yoke_simulator {
template <class T2>
inline T2 ones(bool x, bool y) {
  T2 result;
  result.x = x ? 1.0f : 0.0f;
  result.y = y ? 1.0f : 0.0f;
  return result;
}
}  // namespace yoke_simulator
#define YOKE_SIMULATOR_SMALL_FLOAT_PAIRWISE(T, T2)                                                                     \
  inline T2 __hadd2(T2 a, T2 b) { return a + b; }                                                                      \
  inline T2 __hsub2(T2 a, T2 b) { return a - b; }                                                                      \
  inline T2 __hmul2(T2 a, T2 b) { return a * b; }                                                                      \
  inline T2 __h2div(T2 a, T2 b) { return a / b; }                                                                      \
  inline T2 __hadd2_sat(T2 a, T2 b) { return T2(__hadd_sat(a.x, b.x), __hadd_sat(a.y, b.y)); }                         \
  inline T2 __hmul2_sat(T2 a, T2 b) { return T2(__hmul_sat(a.x, b.x), __hmul_sat(a.y, b.y)); }                         \
  inline T2 __hneg2(T2 a) { return -a; }                                                                               \
  inline T2 __habs2(T2 a) { return T2(__habs(a.x), __habs(a.y)); }                                                     \
  inline T2 __hfma2(T2 a, T2 b, T2 c) { return T2(__hfma(a.x, b.x, c.x), __hfma(a.y, b.y, c.y)); }                     \
  inline T2 __hmin2(T2 a, T2 b) { return T2(__hmin(a.x, b.x), __hmin(a.y, b.y)); }                                     \
  inline T2 __hmax2(T2 a, T2 b) { return T2(__hmax(a.x, b.x), __hmax(a.y, b.y)); }                                     \
  inline T2 __heq2(T2 a, T2 b) { return ::yoke_simulator::ones<T2>(__heq(a.x, b.x), __heq(a.y, b.y)); }                \
  inline unsigned __heq2_mask(T2 a, T2 b) {                                                                            \
    return (__heq(a.x, b.x) ? 0xffffu : 0u) | (__heq(a.y, b.y) ? 0xffff0000u : 0u);                                    \
  }                                                                                                                    \
  inline bool __hbeq2(T2 a, T2 b) { return __heq(a.x, b.x) && __heq(a.y, b.y); }                                       \
  inline T2 __hequ2(T2 a, T2 b) { return ::yoke_simulator::ones<T2>(__hequ(a.x, b.x), __hequ(a.y, b.y)); }             \
  inline unsigned __hequ2_mask(T2 a, T2 b) {                                                                           \
    return (__hequ(a.x, b.x) ? 0xffffu : 0u) | (__hequ(a.y, b.y) ? 0xffff0000u : 0u);                                  \
  }                                                                                                                    \
  inline bool __hbequ2(T2 a, T2 b) { return __hequ(a.x, b.x) && __hequ(a.y, b.y); }                                    \
  inline T2 __hne2(T2 a, T2 b) { return ::yoke_simulator::ones<T2>(__hne(a.x, b.x), __hne(a.y, b.y)); }                \
  inline unsigned __hne2_mask(T2 a, T2 b) {                                                                            \
    return (__hne(a.x, b.x) ? 0xffffu : 0u) | (__hne(a.y, b.y) ? 0xffff0000u : 0u);                                    \
  }                                                                                                                    \
  inline bool __hbne2(T2 a, T2 b) { return __hne(a.x, b.x) && __hne(a.y, b.y); }                                       \
  inline T2 __hneu2(T2 a, T2 b) { return ::yoke_simulator::ones<T2>(__hneu(a.x, b.x), __hneu(a.y, b.y)); }             \
  inline unsigned __hneu2_mask(T2 a, T2 b) {                                                                           \
    return (__hneu(a.x, b.x) ? 0xffffu : 0u) | (__hneu(a.y, b.y) ? 0xffff0000u : 0u);                                  \
  }                                                                                                                    \
  inline bool __hbneu2(T2 a, T2 b) { return __hneu(a.x, b.x) && __hneu(a.y, b.y); }                                    \
  inline T2 __hlt2(T2 a, T2 b) { return ::yoke_simulator::ones<T2>(__hlt(a.x, b.x), __hlt(a.y, b.y)); }                \
  inline unsigned __hlt2_mask(T2 a, T2 b) {                                                                            \
    return (__hlt(a.x, b.x) ? 0xffffu : 0u) | (__hlt(a.y, b.y) ? 0xffff0000u : 0u);                                    \
  }                                                                                                                    \
  inline bool __hblt2(T2 a, T2 b) { return __hlt(a.x, b.x) && __hlt(a.y, b.y); }                                       \
  inline T2 __hltu2(T2 a, T2 b) { return ::yoke_simulator::ones<T2>(__hltu(a.x, b.x), __hltu(a.y, b.y)); }             \
  inline unsigned __hltu2_mask(T2 a, T2 b) {                                                                           \
    return (__hltu(a.x, b.x) ? 0xffffu : 0u) | (__hltu(a.y, b.y) ? 0xffff0000u : 0u);                                  \
  }                                                                                                                    \
  inline bool __hbltu2(T2 a, T2 b) { return __hltu(a.x, b.x) && __hltu(a.y, b.y); }                                    \
  inline T2 __hle2(T2 a, T2 b) { return ::yoke_simulator::ones<T2>(__hle(a.x, b.x), __hle(a.y, b.y)); }                \
  inline unsigned __hle2_mask(T2 a, T2 b) {                                                                            \
    return (__hle(a.x, b.x) ? 0xffffu : 0u) | (__hle(a.y, b.y) ? 0xffff0000u : 0u);                                    \
  }                                                                                                                    \
  inline bool __hble2(T2 a, T2 b) { return __hle(a.x, b.x) && __hle(a.y, b.y); }                                       \
  inline T2 __hleu2(T2 a, T2 b) { return ::yoke_simulator::ones<T2>(__hleu(a.x, b.x), __hleu(a.y, b.y)); }             \
  inline unsigned __hleu2_mask(T2 a, T2 b) {                                                                           \
    return (__hleu(a.x, b.x) ? 0xffffu : 0u) | (__hleu(a.y, b.y) ? 0xffff0000u : 0u);                                  \
  }                                                                                                                    \
  inline bool __hbleu2(T2 a, T2 b) { return __hleu(a.x, b.x) && __hleu(a.y, b.y); }                                    \
  inline T2 __hgt2(T2 a, T2 b) { return ::yoke_simulator::ones<T2>(__hgt(a.x, b.x), __hgt(a.y, b.y)); }                \
  inline unsigned __hgt2_mask(T2 a, T2 b) {                                                                            \
    return (__hgt(a.x, b.x) ? 0xffffu : 0u) | (__hgt(a.y, b.y) ? 0xffff0000u : 0u);                                    \
  }                                                                                                                    \
  inline bool __hbgt2(T2 a, T2 b) { return __hgt(a.x, b.x) && __hgt(a.y, b.y); }                                       \
  inline T2 __hgtu2(T2 a, T2 b) { return ::yoke_simulator::ones<T2>(__hgtu(a.x, b.x), __hgtu(a.y, b.y)); }             \
  inline unsigned __hgtu2_mask(T2 a, T2 b) {                                                                           \
    return (__hgtu(a.x, b.x) ? 0xffffu : 0u) | (__hgtu(a.y, b.y) ? 0xffff0000u : 0u);                                  \
  }                                                                                                                    \
  inline bool __hbgtu2(T2 a, T2 b) { return __hgtu(a.x, b.x) && __hgtu(a.y, b.y); }                                    \
  inline T2 __hge2(T2 a, T2 b) { return ::yoke_simulator::ones<T2>(__hge(a.x, b.x), __hge(a.y, b.y)); }                \
  inline unsigned __hge2_mask(T2 a, T2 b) {                                                                            \
    return (__hge(a.x, b.x) ? 0xffffu : 0u) | (__hge(a.y, b.y) ? 0xffff0000u : 0u);                                    \
  }                                                                                                                    \
  inline bool __hbge2(T2 a, T2 b) { return __hge(a.x, b.x) && __hge(a.y, b.y); }                                       \
  inline T2 __hgeu2(T2 a, T2 b) { return ::yoke_simulator::ones<T2>(__hgeu(a.x, b.x), __hgeu(a.y, b.y)); }             \
  inline unsigned __hgeu2_mask(T2 a, T2 b) {                                                                           \
    return (__hgeu(a.x, b.x) ? 0xffffu : 0u) | (__hgeu(a.y, b.y) ? 0xffff0000u : 0u);                                  \
  }                                                                                                                    \
  inline bool __hbgeu2(T2 a, T2 b) { return __hgeu(a.x, b.x) && __hgeu(a.y, b.y); }                                    \
  inline T2 __hisnan2(T2 a) { return ::yoke_simulator::ones<T2>(__hisnan(a.x), __hisnan(a.y)); }                       \
  inline T2 __hadd2_rn(T2 a, T2 b) { return T2(__hadd_rn(a.x, b.x), __hadd_rn(a.y, b.y)); }                            \
  inline T2 __hsub2_rn(T2 a, T2 b) { return T2(__hsub_rn(a.x, b.x), __hsub_rn(a.y, b.y)); }                            \
  inline T2 __hmul2_rn(T2 a, T2 b) { return T2(__hmul_rn(a.x, b.x), __hmul_rn(a.y, b.y)); }                            \
  inline T2 __hsub2_sat(T2 a, T2 b) { return T2(__hsub_sat(a.x, b.x), __hsub_sat(a.y, b.y)); }                         \
  inline T2 __hfma2_sat(T2 a, T2 b, T2 c) { return T2(__hfma_sat(a.x, b.x, c.x), __hfma_sat(a.y, b.y, c.y)); }         \
  inline T2 __hfma2_relu(T2 a, T2 b, T2 c) { return T2(__hfma_relu(a.x, b.x, c.x), __hfma_relu(a.y, b.y, c.y)); }      \
  inline T2 __hmin2_nan(T2 a, T2 b) { return T2(__hmin_nan(a.x, b.x), __hmin_nan(a.y, b.y)); }                         \
  inline T2 __hmax2_nan(T2 a, T2 b) { return T2(__hmax_nan(a.x, b.x), __hmax_nan(a.y, b.y)); }                         \
  inline T2 __hcmadd(T2 a, T2 b, T2 c) {                                                                               \
    return T2(__hfma(-a.y, b.y, __hfma(a.x, b.x, c.x)), __hfma(a.y, b.x, __hfma(a.x, b.y, c.y)));                      \
  }                                                                                                                    \
  inline T2 h2exp2(T2 a) { return T2(hexp2(a.x), hexp2(a.y)); }                                                        \
  inline T2 h2exp10(T2 a) { return T2(hexp10(a.x), hexp10(a.y)); }                                                     \
  inline T2 h2log2(T2 a) { return T2(hlog2(a.x), hlog2(a.y)); }                                                        \
  inline T2 h2log10(T2 a) { return T2(hlog10(a.x), hlog10(a.y)); }                                                     \
  inline T2 h2tanh(T2 a) { return T2(htanh(a.x), htanh(a.y)); }                                                        \
  inline T2 h2tanh_approx(T2 a) { return T2(htanh_approx(a.x), htanh_approx(a.y)); }                                   \
  inline T2 h2floor(T2 a) { return T2(hfloor(a.x), hfloor(a.y)); }                                                     \
  inline T2 h2ceil(T2 a) { return T2(hceil(a.x), hceil(a.y)); }                                                        \
  inline T2 h2trunc(T2 a) { return T2(htrunc(a.x), htrunc(a.y)); }                                                     \
  inline T2 h2rint(T2 a) { return T2(hrint(a.x), hrint(a.y)); }                                                        \
  inline T2 h2sqrt(T2 a) { return T2(hsqrt(a.x), hsqrt(a.y)); }                                                        \
  inline T2 h2rsqrt(T2 a) { return T2(hrsqrt(a.x), hrsqrt(a.y)); }                                                     \
  inline T2 h2rcp(T2 a) { return T2(hrcp(a.x), hrcp(a.y)); }                                                           \
  inline T2 h2exp(T2 a) { return T2(hexp(a.x), hexp(a.y)); }                                                           \
  inline T2 h2log(T2 a) { return T2(hlog(a.x), hlog(a.y)); }                                                           \
  inline T2 h2sin(T2 a) { return T2(hsin(a.x), hsin(a.y)); }                                                           \
  inline T2 h2cos(T2 a) { return T2(hcos(a.x), hcos(a.y)); }

// Atomics and shuffles.
#define YOKE_SIMULATOR_SMALL_FLOAT_ATOMICS(T)                                                                          \
  inline T atomicAdd(T* address, T value) { return ::yoke_simulator::add_atomically(address, value); }

#define YOKE_SIMULATOR_SMALL_FLOAT(T, R, T2, R2, n, n2, E, M)                                                          \
  YOKE_SIMULATOR_SMALL_FLOAT_TYPE(T, R, E, M)                                                                          \
  YOKE_SIMULATOR_SMALL_FLOAT_OPERATORS(T)                                                                              \
  YOKE_SIMULATOR_SMALL_FLOAT_PAIR(T, T2, R2)                                                                           \
  YOKE_SIMULATOR_DIRECTIONS(YOKE_SIMULATOR_SMALL_FLOAT_FROM, T, R, n, E, M)                                            \
  YOKE_SIMULATOR_SMALL_FLOAT_CONVERSIONS(T, R, T2, n, n2)                                                              \
  YOKE_SIMULATOR_SMALL_FLOAT_ARITHMETIC(T, E, M)                                                                       \
  YOKE_SIMULATOR_SMALL_FLOAT_PAIRWISE(T, T2)                                                                           \
  YOKE_SIMULATOR_SMALL_FLOAT_ATOMICS(T)                                                                                \
  YOKE_SIMULATOR_SMALL_FLOAT_ATOMICS(T2)                                                                               \
  YOKE_SIMULATOR_SHUFFLES(T)                                                                                           \
  YOKE_SIMULATOR_SHUFFLES(T2)

#endif
