// SPDX-License-Identifier: MIT
// Conversions and bit casts of scalars in CUDA C++.
R"yoke(//part conversions
//words convert_* as_*
template <class __To, class __From>
YOKE_D_FUNCTION __To yoke_d_bits(__From __from) {
  static_assert(sizeof(__To) == sizeof(__From), "as_T wants a value of T's size");
  __To __to;
  memcpy(&__to, &__from, sizeof(__To));
  return __to;
}
template <class __T>
struct yoke_d_limits {
  static const bool __has_sign = __T(-1) < __T(0);
  static __device__ __T __lowest() { return __has_sign ? __T(__T(1) << (8 * sizeof(__T) - 1)) : __T(0); }
  static __device__ __T __highest() { return __T(~__lowest()); }
};
// A number kept within T's ends; not a number becomes 0.
template <class __T>
YOKE_D_FUNCTION __T yoke_d_saturated(double __x) {
  const double __end = yoke_d_limits<__T>::__has_sign ? -(double)yoke_d_limits<__T>::__lowest()
                                                       : 2.0 * (double)(yoke_uint64(1) << (8 * sizeof(__T) - 1));
  return __x != __x                                      ? __T(0)
         : __x >= __end                                  ? yoke_d_limits<__T>::__highest()
         : __x <= (double)yoke_d_limits<__T>::__lowest() ? yoke_d_limits<__T>::__lowest()
                                                         : __T(__x);
}
template <class __T>
YOKE_D_FUNCTION __T yoke_d_saturated(float __x) {
  return yoke_d_saturated<__T>((double)__x);
}
template <class __T>
YOKE_D_FUNCTION __T yoke_d_saturated(yoke_int64 __x) {
  if (__x < 0) {
    return !yoke_d_limits<__T>::__has_sign                   ? __T(0)
           : __x < (yoke_int64)yoke_d_limits<__T>::__lowest() ? yoke_d_limits<__T>::__lowest()
                                                              : __T(__x);
  }
  return (yoke_uint64)__x > (yoke_uint64)yoke_d_limits<__T>::__highest() ? yoke_d_limits<__T>::__highest() : __T(__x);
}
template <class __T>
YOKE_D_FUNCTION __T yoke_d_saturated(yoke_uint64 __x) {
  return __x > (yoke_uint64)yoke_d_limits<__T>::__highest() ? yoke_d_limits<__T>::__highest() : __T(__x);
}
template <class __T>
YOKE_D_FUNCTION __T yoke_d_saturated(int __x) {
  return yoke_d_saturated<__T>((yoke_int64)__x);
}
template <class __T>
YOKE_D_FUNCTION __T yoke_d_saturated(uint __x) {
  return yoke_d_saturated<__T>((yoke_uint64)__x);
}
YOKE_D_FUNCTION float yoke_d_nearest(float __x) { return rintf(__x); }
YOKE_D_FUNCTION double yoke_d_nearest(double __x) { return rint(__x); }
template <class __T>
YOKE_D_FUNCTION __T yoke_d_nearest(__T __x) {
  return __x;
}
// Out of T's range, a conversion without _sat gives what the device gives.
#define YOKE_D_CONVERSIONS(name, T) \
  template <class __From> \
  YOKE_D_FUNCTION T convert_##name(__From __from) { \
    return T(__from); \
  } \
  template <class __From> \
  YOKE_D_FUNCTION T convert_##name##_rtz(__From __from) { \
    return T(__from); \
  } \
  template <class __From> \
  YOKE_D_FUNCTION T convert_##name##_rte(__From __from) { \
    return T(yoke_d_nearest(__from)); \
  } \
  template <class __From> \
  YOKE_D_FUNCTION T convert_##name##_sat(__From __from) { \
    return yoke_d_saturated<T>(__from); \
  } \
  template <class __From> \
  YOKE_D_FUNCTION T convert_##name##_sat_rtz(__From __from) { \
    return yoke_d_saturated<T>(__from); \
  } \
  template <class __From> \
  YOKE_D_FUNCTION T convert_##name##_sat_rte(__From __from) { \
    return yoke_d_saturated<T>(yoke_d_nearest(__from)); \
  } \
  template <class __From> \
  YOKE_D_FUNCTION T as_##name(__From __from) { \
    return yoke_d_bits<T>(__from); \
  }
YOKE_D_CONVERSIONS(char, yoke_int8)
YOKE_D_CONVERSIONS(uchar, uchar)
YOKE_D_CONVERSIONS(short, short)
YOKE_D_CONVERSIONS(ushort, ushort)
YOKE_D_CONVERSIONS(int, int)
YOKE_D_CONVERSIONS(uint, uint)
YOKE_D_CONVERSIONS(long, yoke_int64)
YOKE_D_CONVERSIONS(ulong, yoke_uint64)
#define YOKE_D_TO_REAL(T, from_double, from_signed, from_unsigned) \
  template <class __From> \
  YOKE_D_FUNCTION T convert_##T(__From __from) { \
    return T(__from); \
  } \
  template <class __From> \
  YOKE_D_FUNCTION T convert_##T##_rte(__From __from) { \
    return T(__from); \
  } \
  YOKE_D_FUNCTION T convert_##T##_rtz(float __from) { return T(__from); } \
  YOKE_D_FUNCTION T convert_##T##_rtz(double __from) { return from_double; } \
  YOKE_D_FUNCTION T convert_##T##_rtz(int __from) { return from_signed; } \
  YOKE_D_FUNCTION T convert_##T##_rtz(uint __from) { return from_unsigned; } \
  YOKE_D_FUNCTION T convert_##T##_rtz(yoke_int64 __from) { return from_signed; } \
  YOKE_D_FUNCTION T convert_##T##_rtz(yoke_uint64 __from) { return from_unsigned; } \
  template <class __From> \
  YOKE_D_FUNCTION T as_##T(__From __from) { \
    return yoke_d_bits<T>(__from); \
  }
YOKE_D_TO_REAL(float, __double2float_rz(__from), __ll2float_rz(__from), __ull2float_rz(__from))
YOKE_D_TO_REAL(double, __from, __ll2double_rz(__from), __ull2double_rz(__from))
)yoke"
