// SPDX-License-Identifier: MIT
// Conversions and bit casts of scalars in CUDA C++.
R"yoke(//part conversions
//words convert_* as_*
template <class To, class From>
YOKE_D_FUNCTION To yoke_d_bits(From from) {
  static_assert(sizeof(To) == sizeof(From), "as_T wants a value of T's size");
  To to;
  memcpy(&to, &from, sizeof(To));
  return to;
}
template <class T>
struct yoke_d_limits {
  static const bool is_signed = T(-1) < T(0);
  static __device__ T lowest() { return is_signed ? T(T(1) << (8 * sizeof(T) - 1)) : T(0); }
  static __device__ T highest() { return T(~lowest()); }
};
// A number kept within T's ends; not a number becomes 0.
template <class T>
YOKE_D_FUNCTION T yoke_d_saturated(double x) {
  const double end = yoke_d_limits<T>::is_signed ? -(double)yoke_d_limits<T>::lowest()
                                                 : 2.0 * (double)(yoke_uint64(1) << (8 * sizeof(T) - 1));
  return x != x                                          ? T(0)
         : x >= end                                      ? yoke_d_limits<T>::highest()
         : x <= (double)yoke_d_limits<T>::lowest()       ? yoke_d_limits<T>::lowest()
                                                         : T(x);
}
template <class T>
YOKE_D_FUNCTION T yoke_d_saturated(float x) {
  return yoke_d_saturated<T>((double)x);
}
template <class T>
YOKE_D_FUNCTION T yoke_d_saturated(yoke_int64 x) {
  if (x < 0) {
    return !yoke_d_limits<T>::is_signed                  ? T(0)
           : x < (yoke_int64)yoke_d_limits<T>::lowest() ? yoke_d_limits<T>::lowest()
                                                         : T(x);
  }
  return (yoke_uint64)x > (yoke_uint64)yoke_d_limits<T>::highest() ? yoke_d_limits<T>::highest() : T(x);
}
template <class T>
YOKE_D_FUNCTION T yoke_d_saturated(yoke_uint64 x) {
  return x > (yoke_uint64)yoke_d_limits<T>::highest() ? yoke_d_limits<T>::highest() : T(x);
}
template <class T>
YOKE_D_FUNCTION T yoke_d_saturated(int x) {
  return yoke_d_saturated<T>((yoke_int64)x);
}
template <class T>
YOKE_D_FUNCTION T yoke_d_saturated(uint x) {
  return yoke_d_saturated<T>((yoke_uint64)x);
}
YOKE_D_FUNCTION float yoke_d_nearest(float x) { return rintf(x); }
YOKE_D_FUNCTION double yoke_d_nearest(double x) { return rint(x); }
template <class T>
YOKE_D_FUNCTION T yoke_d_nearest(T x) {
  return x;
}
// Out of T's range, a conversion without _sat gives what the device gives.
#define YOKE_D_CONVERSIONS(name, T) \
  template <class From> \
  YOKE_D_FUNCTION T convert_##name(From from) { \
    return T(from); \
  } \
  template <class From> \
  YOKE_D_FUNCTION T convert_##name##_rtz(From from) { \
    return T(from); \
  } \
  template <class From> \
  YOKE_D_FUNCTION T convert_##name##_rte(From from) { \
    return T(yoke_d_nearest(from)); \
  } \
  template <class From> \
  YOKE_D_FUNCTION T convert_##name##_sat(From from) { \
    return yoke_d_saturated<T>(from); \
  } \
  template <class From> \
  YOKE_D_FUNCTION T convert_##name##_sat_rtz(From from) { \
    return yoke_d_saturated<T>(from); \
  } \
  template <class From> \
  YOKE_D_FUNCTION T convert_##name##_sat_rte(From from) { \
    return yoke_d_saturated<T>(yoke_d_nearest(from)); \
  } \
  template <class From> \
  YOKE_D_FUNCTION T as_##name(From from) { \
    return yoke_d_bits<T>(from); \
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
  template <class From> \
  YOKE_D_FUNCTION T convert_##T(From from) { \
    return T(from); \
  } \
  template <class From> \
  YOKE_D_FUNCTION T convert_##T##_rte(From from) { \
    return T(from); \
  } \
  YOKE_D_FUNCTION T convert_##T##_rtz(float from) { return T(from); } \
  YOKE_D_FUNCTION T convert_##T##_rtz(double from) { return from_double; } \
  YOKE_D_FUNCTION T convert_##T##_rtz(int from) { return from_signed; } \
  YOKE_D_FUNCTION T convert_##T##_rtz(uint from) { return from_unsigned; } \
  YOKE_D_FUNCTION T convert_##T##_rtz(yoke_int64 from) { return from_signed; } \
  YOKE_D_FUNCTION T convert_##T##_rtz(yoke_uint64 from) { return from_unsigned; } \
  template <class From> \
  YOKE_D_FUNCTION T as_##T(From from) { \
    return yoke_d_bits<T>(from); \
  }
YOKE_D_TO_REAL(float, __double2float_rz(from), __ll2float_rz(from), __ull2float_rz(from))
YOKE_D_TO_REAL(double, from, __ll2double_rz(from), __ull2double_rz(from))
)yoke"
