// SPDX-License-Identifier: MIT
// Functions of whole numbers in CUDA C++, each at the width of its arguments.
R"yoke(//part integers
//words abs abs_diff add_sat sub_sat mul_hi mad_hi mad_sat hadd rhadd mul24 mad24 popcount clz rotate upsample min max
template <class __T>
YOKE_D_FUNCTION __T yoke_d_kept(yoke_int64 __value, __T least, __T most) {
  return __value < (yoke_int64)least ? least : __value > (yoke_int64)most ? most : (__T)__value;
}
// T of 8 or 16 bits, U the same without a sign. CUDA has these functions from 32 bits on.
#define YOKE_D_NARROW(T, U, bits, least, most) \
  YOKE_D_FUNCTION T min(T __a, T __b) { return __b < __a ? __b : __a; } \
  YOKE_D_FUNCTION T max(T __a, T __b) { return __a < __b ? __b : __a; } \
  YOKE_D_FUNCTION T add_sat(T __a, T __b) { return yoke_d_kept<T>(__a + __b, least, most); } \
  YOKE_D_FUNCTION T sub_sat(T __a, T __b) { return yoke_d_kept<T>(__a - __b, least, most); } \
  YOKE_D_FUNCTION T mul_hi(T __a, T __b) { return (T)((yoke_int64)__a * __b >> bits); } \
  YOKE_D_FUNCTION T mad_sat(T __a, T __b, T __c) { return yoke_d_kept<T>((yoke_int64)__a * __b + __c, least, most); } \
  YOKE_D_FUNCTION T popcount(T __a) { return (T)__popc((U)__a); } \
  YOKE_D_FUNCTION T clz(T __a) { return (T)(__clz((U)__a) - (32 - bits)); } \
  YOKE_D_FUNCTION T rotate(T __a, T __by) { \
    return (T)((uint)(U)__a << ((uint)__by & (bits - 1)) | (uint)(U)__a >> (-(uint)__by & (bits - 1))); \
  }
YOKE_D_NARROW(char, uchar, 8, -128, 127)
YOKE_D_NARROW(yoke_int8, uchar, 8, -128, 127)
YOKE_D_NARROW(uchar, uchar, 8, 0, 255)
YOKE_D_NARROW(short, ushort, 16, -32768, 32767)
YOKE_D_NARROW(ushort, ushort, 16, 0, 65535)
YOKE_D_FUNCTION int mul_hi(int __a, int __b) { return __mulhi(__a, __b); }
YOKE_D_FUNCTION uint mul_hi(uint __a, uint __b) { return __umulhi(__a, __b); }
YOKE_D_FUNCTION yoke_int64 mul_hi(yoke_int64 __a, yoke_int64 __b) { return __mul64hi(__a, __b); }
YOKE_D_FUNCTION yoke_uint64 mul_hi(yoke_uint64 __a, yoke_uint64 __b) { return __umul64hi(__a, __b); }
YOKE_D_FUNCTION int mul24(int __a, int __b) { return __mul24(__a, __b); }
YOKE_D_FUNCTION uint mul24(uint __a, uint __b) { return __umul24(__a, __b); }
YOKE_D_FUNCTION int mad24(int __a, int __b, int __c) { return __mul24(__a, __b) + __c; }
YOKE_D_FUNCTION uint mad24(uint __a, uint __b, uint __c) { return __umul24(__a, __b) + __c; }
YOKE_D_FUNCTION int popcount(int __x) { return __popc(__x); }
YOKE_D_FUNCTION uint popcount(uint __x) { return __popc(__x); }
YOKE_D_FUNCTION yoke_int64 popcount(yoke_int64 __x) { return __popcll(__x); }
YOKE_D_FUNCTION yoke_uint64 popcount(yoke_uint64 __x) { return __popcll(__x); }
YOKE_D_FUNCTION int clz(int __x) { return __clz(__x); }
YOKE_D_FUNCTION uint clz(uint __x) { return __clz(__x); }
YOKE_D_FUNCTION yoke_int64 clz(yoke_int64 __x) { return __clzll(__x); }
YOKE_D_FUNCTION yoke_uint64 clz(yoke_uint64 __x) { return __clzll(__x); }
YOKE_D_FUNCTION uint rotate(uint __x, uint __n) { return __funnelshift_l(__x, __x, __n); }
YOKE_D_FUNCTION int rotate(int __x, int __n) { return rotate((uint)__x, (uint)__n); }
YOKE_D_FUNCTION yoke_uint64 rotate(yoke_uint64 __x, yoke_uint64 __n) { return __x << (__n & 63) | __x >> (-__n & 63); }
YOKE_D_FUNCTION yoke_int64 rotate(yoke_int64 __x, yoke_int64 __n) { return rotate((yoke_uint64)__x, (yoke_uint64)__n); }
YOKE_D_FUNCTION uint add_sat(uint __a, uint __b) { return __a + __b < __a ? ~0u : __a + __b; }
YOKE_D_FUNCTION uint sub_sat(uint __a, uint __b) { return __a < __b ? 0u : __a - __b; }
YOKE_D_FUNCTION yoke_uint64 add_sat(yoke_uint64 __a, yoke_uint64 __b) {
  return __a + __b < __a ? ~(yoke_uint64)0 : __a + __b;
}
YOKE_D_FUNCTION yoke_uint64 sub_sat(yoke_uint64 __a, yoke_uint64 __b) { return __a < __b ? 0 : __a - __b; }
YOKE_D_FUNCTION int yoke_d_kept_int(yoke_int64 __x) { return yoke_d_kept<int>(__x, -2147483647 - 1, 2147483647); }
YOKE_D_FUNCTION int add_sat(int __a, int __b) { return yoke_d_kept_int((yoke_int64)__a + __b); }
YOKE_D_FUNCTION int sub_sat(int __a, int __b) { return yoke_d_kept_int((yoke_int64)__a - __b); }
// The end of the numbers on a's side of 0.
YOKE_D_FUNCTION yoke_int64 yoke_d_end_of(yoke_int64 __a) {
  return (yoke_int64)((yoke_uint64)(__a >> 63) ^ ~(yoke_uint64)0 >> 1);
}
YOKE_D_FUNCTION yoke_int64 add_sat(yoke_int64 __a, yoke_int64 __b) {
  yoke_int64 __sum = (yoke_int64)((yoke_uint64)__a + (yoke_uint64)__b);
  return ((__a ^ __sum) & (__b ^ __sum)) < 0 ? yoke_d_end_of(__a) : __sum;
}
YOKE_D_FUNCTION yoke_int64 sub_sat(yoke_int64 __a, yoke_int64 __b) {
  yoke_int64 __difference = (yoke_int64)((yoke_uint64)__a - (yoke_uint64)__b);
  return ((__a ^ __b) & (__a ^ __difference)) < 0 ? yoke_d_end_of(__a) : __difference;
}
YOKE_D_FUNCTION int mad_sat(int __a, int __b, int __c) { return yoke_d_kept_int((yoke_int64)__a * __b + __c); }
YOKE_D_FUNCTION uint mad_sat(uint __a, uint __b, uint __c) {
  yoke_uint64 __sum = (yoke_uint64)__a * __b + __c;
  return __sum >> 32 != 0 ? ~0u : (uint)__sum;
}
YOKE_D_FUNCTION yoke_uint64 mad_sat(yoke_uint64 __a, yoke_uint64 __b, yoke_uint64 __c) {
  yoke_uint64 __low = __a * __b + __c;
  return mul_hi(__a, __b) != 0 || __low < __c ? ~(yoke_uint64)0 : __low;
}
YOKE_D_FUNCTION yoke_int64 mad_sat(yoke_int64 __a, yoke_int64 __b, yoke_int64 __c) {
  yoke_uint64 __low = (yoke_uint64)__a * (yoke_uint64)__b + (yoke_uint64)__c;
  yoke_int64 __high = mul_hi(__a, __b) + (__c >> 63) + (__low < (yoke_uint64)__c);
  return __high == (yoke_int64)__low >> 63 ? (yoke_int64)__low : yoke_d_end_of(__high);
}
// CUDA has these functions for no width. Its own `abs` of int and long gives a number with a sign.
#define YOKE_D_WHOLE(T, U) \
  YOKE_D_FUNCTION U yoke_d_abs(T __a) { return __a < 0 ? (U)(0 - (U)__a) : (U)__a; } \
  YOKE_D_FUNCTION U abs_diff(T __a, T __b) { return __a < __b ? (U)((U)__b - (U)__a) : (U)((U)__a - (U)__b); } \
  YOKE_D_WHOLE_AVERAGES(T, U)
#define YOKE_D_WHOLE_UNSIGNED(U) \
  YOKE_D_FUNCTION U abs(U __a) { return __a; } \
  YOKE_D_FUNCTION U yoke_d_abs(U __a) { return __a; } \
  YOKE_D_FUNCTION U abs_diff(U __a, U __b) { return (U)(__a < __b ? __b - __a : __a - __b); } \
  YOKE_D_WHOLE_AVERAGES(U, U)
#define YOKE_D_WHOLE_AVERAGES(T, U) \
  YOKE_D_FUNCTION T mad_hi(T __a, T __b, T __c) { return (T)((U)mul_hi(__a, __b) + (U)__c); } \
  YOKE_D_FUNCTION T hadd(T __a, T __b) { return (T)((__a & __b) + ((__a ^ __b) >> 1)); } \
  YOKE_D_FUNCTION T rhadd(T __a, T __b) { return (T)((__a | __b) - ((__a ^ __b) >> 1)); }
YOKE_D_WHOLE(char, uchar)
YOKE_D_WHOLE(yoke_int8, uchar)
YOKE_D_WHOLE(short, ushort)
YOKE_D_WHOLE(int, uint)
YOKE_D_WHOLE(yoke_int64, yoke_uint64)
YOKE_D_WHOLE_UNSIGNED(uchar)
YOKE_D_WHOLE_UNSIGNED(ushort)
YOKE_D_WHOLE_UNSIGNED(uint)
YOKE_D_WHOLE_UNSIGNED(yoke_uint64)
YOKE_D_FUNCTION uchar abs(char __a) { return yoke_d_abs(__a); }
YOKE_D_FUNCTION uchar abs(yoke_int8 __a) { return yoke_d_abs(__a); }
YOKE_D_FUNCTION ushort abs(short __a) { return yoke_d_abs(__a); }
#define YOKE_D_UPSAMPLE(T, U, Wide, UWide, bits) \
  YOKE_D_FUNCTION Wide upsample(T __high, U __low) { return (Wide)((UWide)__high << bits | __low); }
YOKE_D_UPSAMPLE(char, uchar, short, uint, 8)
YOKE_D_UPSAMPLE(yoke_int8, uchar, short, uint, 8)
YOKE_D_UPSAMPLE(uchar, uchar, ushort, uint, 8)
YOKE_D_UPSAMPLE(short, ushort, int, uint, 16)
YOKE_D_UPSAMPLE(ushort, ushort, uint, uint, 16)
YOKE_D_UPSAMPLE(int, uint, yoke_int64, yoke_uint64, 32)
YOKE_D_UPSAMPLE(uint, uint, yoke_uint64, yoke_uint64, 32)
)yoke"
