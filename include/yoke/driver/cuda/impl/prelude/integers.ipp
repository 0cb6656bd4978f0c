// SPDX-License-Identifier: MIT
// Functions of whole numbers in CUDA C++, each at the width of its arguments.
R"yoke(//part integers
//words abs abs_diff add_sat sub_sat mul_hi mad_hi mad_sat hadd rhadd mul24 mad24 popcount clz rotate upsample min max
template <class T>
YOKE_D_FUNCTION T yoke_d_kept(yoke_int64 value, T least, T most) {
  return value < (yoke_int64)least ? least : value > (yoke_int64)most ? most : (T)value;
}
// T of 8 or 16 bits, U the same without a sign. CUDA has these functions from 32 bits on.
#define YOKE_D_NARROW(T, U, bits, least, most) \
  YOKE_D_FUNCTION T min(T a, T b) { return b < a ? b : a; } \
  YOKE_D_FUNCTION T max(T a, T b) { return a < b ? b : a; } \
  YOKE_D_FUNCTION T add_sat(T a, T b) { return yoke_d_kept<T>(a + b, least, most); } \
  YOKE_D_FUNCTION T sub_sat(T a, T b) { return yoke_d_kept<T>(a - b, least, most); } \
  YOKE_D_FUNCTION T mul_hi(T a, T b) { return (T)((yoke_int64)a * b >> bits); } \
  YOKE_D_FUNCTION T mad_sat(T a, T b, T c) { return yoke_d_kept<T>((yoke_int64)a * b + c, least, most); } \
  YOKE_D_FUNCTION T popcount(T a) { return (T)__popc((U)a); } \
  YOKE_D_FUNCTION T clz(T a) { return (T)(__clz((U)a) - (32 - bits)); } \
  YOKE_D_FUNCTION T rotate(T a, T by) { \
    return (T)((uint)(U)a << ((uint)by & (bits - 1)) | (uint)(U)a >> (-(uint)by & (bits - 1))); \
  }
YOKE_D_NARROW(char, uchar, 8, -128, 127)
YOKE_D_NARROW(yoke_int8, uchar, 8, -128, 127)
YOKE_D_NARROW(uchar, uchar, 8, 0, 255)
YOKE_D_NARROW(short, ushort, 16, -32768, 32767)
YOKE_D_NARROW(ushort, ushort, 16, 0, 65535)
YOKE_D_FUNCTION int mul_hi(int a, int b) { return __mulhi(a, b); }
YOKE_D_FUNCTION uint mul_hi(uint a, uint b) { return __umulhi(a, b); }
YOKE_D_FUNCTION yoke_int64 mul_hi(yoke_int64 a, yoke_int64 b) { return __mul64hi(a, b); }
YOKE_D_FUNCTION yoke_uint64 mul_hi(yoke_uint64 a, yoke_uint64 b) { return __umul64hi(a, b); }
YOKE_D_FUNCTION int mul24(int a, int b) { return __mul24(a, b); }
YOKE_D_FUNCTION uint mul24(uint a, uint b) { return __umul24(a, b); }
YOKE_D_FUNCTION int mad24(int a, int b, int c) { return __mul24(a, b) + c; }
YOKE_D_FUNCTION uint mad24(uint a, uint b, uint c) { return __umul24(a, b) + c; }
YOKE_D_FUNCTION int popcount(int x) { return __popc(x); }
YOKE_D_FUNCTION uint popcount(uint x) { return __popc(x); }
YOKE_D_FUNCTION yoke_int64 popcount(yoke_int64 x) { return __popcll(x); }
YOKE_D_FUNCTION yoke_uint64 popcount(yoke_uint64 x) { return __popcll(x); }
YOKE_D_FUNCTION int clz(int x) { return __clz(x); }
YOKE_D_FUNCTION uint clz(uint x) { return __clz(x); }
YOKE_D_FUNCTION yoke_int64 clz(yoke_int64 x) { return __clzll(x); }
YOKE_D_FUNCTION yoke_uint64 clz(yoke_uint64 x) { return __clzll(x); }
YOKE_D_FUNCTION uint rotate(uint x, uint n) { return __funnelshift_l(x, x, n); }
YOKE_D_FUNCTION int rotate(int x, int n) { return rotate((uint)x, (uint)n); }
YOKE_D_FUNCTION yoke_uint64 rotate(yoke_uint64 x, yoke_uint64 n) { return x << (n & 63) | x >> (-n & 63); }
YOKE_D_FUNCTION yoke_int64 rotate(yoke_int64 x, yoke_int64 n) { return rotate((yoke_uint64)x, (yoke_uint64)n); }
YOKE_D_FUNCTION uint add_sat(uint a, uint b) { return a + b < a ? ~0u : a + b; }
YOKE_D_FUNCTION uint sub_sat(uint a, uint b) { return a < b ? 0u : a - b; }
YOKE_D_FUNCTION yoke_uint64 add_sat(yoke_uint64 a, yoke_uint64 b) { return a + b < a ? ~(yoke_uint64)0 : a + b; }
YOKE_D_FUNCTION yoke_uint64 sub_sat(yoke_uint64 a, yoke_uint64 b) { return a < b ? 0 : a - b; }
YOKE_D_FUNCTION int yoke_d_kept_int(yoke_int64 x) { return yoke_d_kept<int>(x, -2147483647 - 1, 2147483647); }
YOKE_D_FUNCTION int add_sat(int a, int b) { return yoke_d_kept_int((yoke_int64)a + b); }
YOKE_D_FUNCTION int sub_sat(int a, int b) { return yoke_d_kept_int((yoke_int64)a - b); }
// The end of the numbers on a's side of 0.
YOKE_D_FUNCTION yoke_int64 yoke_d_end_of(yoke_int64 a) { return (yoke_int64)((yoke_uint64)(a >> 63) ^ ~(yoke_uint64)0 >> 1); }
YOKE_D_FUNCTION yoke_int64 add_sat(yoke_int64 a, yoke_int64 b) {
  yoke_int64 sum = (yoke_int64)((yoke_uint64)a + (yoke_uint64)b);
  return ((a ^ sum) & (b ^ sum)) < 0 ? yoke_d_end_of(a) : sum;
}
YOKE_D_FUNCTION yoke_int64 sub_sat(yoke_int64 a, yoke_int64 b) {
  yoke_int64 difference = (yoke_int64)((yoke_uint64)a - (yoke_uint64)b);
  return ((a ^ b) & (a ^ difference)) < 0 ? yoke_d_end_of(a) : difference;
}
YOKE_D_FUNCTION int mad_sat(int a, int b, int c) { return yoke_d_kept_int((yoke_int64)a * b + c); }
YOKE_D_FUNCTION uint mad_sat(uint a, uint b, uint c) {
  yoke_uint64 sum = (yoke_uint64)a * b + c;
  return sum >> 32 != 0 ? ~0u : (uint)sum;
}
YOKE_D_FUNCTION yoke_uint64 mad_sat(yoke_uint64 a, yoke_uint64 b, yoke_uint64 c) {
  yoke_uint64 low = a * b + c;
  return mul_hi(a, b) != 0 || low < c ? ~(yoke_uint64)0 : low;
}
YOKE_D_FUNCTION yoke_int64 mad_sat(yoke_int64 a, yoke_int64 b, yoke_int64 c) {
  yoke_uint64 low = (yoke_uint64)a * (yoke_uint64)b + (yoke_uint64)c;
  yoke_int64 high = mul_hi(a, b) + (c >> 63) + (low < (yoke_uint64)c);
  return high == (yoke_int64)low >> 63 ? (yoke_int64)low : yoke_d_end_of(high);
}
// What CUDA has at no width. Its own `abs` of int and long gives a number with a sign.
#define YOKE_D_WHOLE(T, U) \
  YOKE_D_FUNCTION U yoke_d_abs(T a) { return a < 0 ? (U)(0 - (U)a) : (U)a; } \
  YOKE_D_FUNCTION U abs_diff(T a, T b) { return a < b ? (U)((U)b - (U)a) : (U)((U)a - (U)b); } \
  YOKE_D_WHOLE_AVERAGES(T, U)
#define YOKE_D_WHOLE_UNSIGNED(U) \
  YOKE_D_FUNCTION U abs(U a) { return a; } \
  YOKE_D_FUNCTION U yoke_d_abs(U a) { return a; } \
  YOKE_D_FUNCTION U abs_diff(U a, U b) { return (U)(a < b ? b - a : a - b); } \
  YOKE_D_WHOLE_AVERAGES(U, U)
#define YOKE_D_WHOLE_AVERAGES(T, U) \
  YOKE_D_FUNCTION T mad_hi(T a, T b, T c) { return (T)((U)mul_hi(a, b) + (U)c); } \
  YOKE_D_FUNCTION T hadd(T a, T b) { return (T)((a & b) + ((a ^ b) >> 1)); } \
  YOKE_D_FUNCTION T rhadd(T a, T b) { return (T)((a | b) - ((a ^ b) >> 1)); }
YOKE_D_WHOLE(char, uchar)
YOKE_D_WHOLE(yoke_int8, uchar)
YOKE_D_WHOLE(short, ushort)
YOKE_D_WHOLE(int, uint)
YOKE_D_WHOLE(yoke_int64, yoke_uint64)
YOKE_D_WHOLE_UNSIGNED(uchar)
YOKE_D_WHOLE_UNSIGNED(ushort)
YOKE_D_WHOLE_UNSIGNED(uint)
YOKE_D_WHOLE_UNSIGNED(yoke_uint64)
YOKE_D_FUNCTION uchar abs(char a) { return yoke_d_abs(a); }
YOKE_D_FUNCTION uchar abs(yoke_int8 a) { return yoke_d_abs(a); }
YOKE_D_FUNCTION ushort abs(short a) { return yoke_d_abs(a); }
#define YOKE_D_UPSAMPLE(T, U, Wide, UWide, bits) \
  YOKE_D_FUNCTION Wide upsample(T high, U low) { return (Wide)((UWide)high << bits | low); }
YOKE_D_UPSAMPLE(char, uchar, short, uint, 8)
YOKE_D_UPSAMPLE(yoke_int8, uchar, short, uint, 8)
YOKE_D_UPSAMPLE(uchar, uchar, ushort, uint, 8)
YOKE_D_UPSAMPLE(short, ushort, int, uint, 16)
YOKE_D_UPSAMPLE(ushort, ushort, uint, uint, 16)
YOKE_D_UPSAMPLE(int, uint, yoke_int64, yoke_uint64, 32)
YOKE_D_UPSAMPLE(uint, uint, yoke_uint64, yoke_uint64, 32)
)yoke"
