// SPDX-License-Identifier: MIT
// The integer intrinsics.

inline int __popc(unsigned x) { return __builtin_popcount(x); }
inline int __popcll(unsigned long long x) { return __builtin_popcountll(x); }
inline int __clz(int x) { return x == 0 ? 32 : __builtin_clz(static_cast<unsigned>(x)); }
inline int __clzll(long long x) { return x == 0 ? 64 : __builtin_clzll(static_cast<unsigned long long>(x)); }
inline int __ffs(int x) { return __builtin_ffs(x); }
inline int __ffsll(long long x) { return __builtin_ffsll(x); }
inline unsigned __brev(unsigned x) {
  x = (x >> 1 & 0x55555555u) | (x & 0x55555555u) << 1;
  x = (x >> 2 & 0x33333333u) | (x & 0x33333333u) << 2;
  x = (x >> 4 & 0x0f0f0f0fu) | (x & 0x0f0f0f0fu) << 4;
  return __builtin_bswap32(x);
}
inline unsigned long long __brevll(unsigned long long x) {
  return static_cast<unsigned long long>(__brev(static_cast<unsigned>(x))) << 32 |
         __brev(static_cast<unsigned>(x >> 32));
}
inline unsigned short __nv_bswap16(unsigned short x) { return __builtin_bswap16(x); }
inline unsigned __nv_bswap32(unsigned x) { return __builtin_bswap32(x); }
inline unsigned long long __nv_bswap64(unsigned long long x) { return __builtin_bswap64(x); }
/// The place of the |offset|-th set bit, counted from `base` upwards or downwards; ~0 where there is none.
inline unsigned __fns(unsigned mask, unsigned base, int offset) {
  if (offset == 0) return base < 32 && (mask >> base & 1u) != 0 ? base : ~0u;
  int left = offset < 0 ? -offset : offset;
  for (int at = static_cast<int>(base); at >= 0 && at < 32; at += offset < 0 ? -1 : 1) {
    if ((mask >> at & 1u) != 0 && --left == 0) return static_cast<unsigned>(at);
  }
  return ~0u;
}

inline int __mulhi(int a, int b) { return static_cast<int>(static_cast<long long>(a) * b >> 32); }
inline unsigned __umulhi(unsigned a, unsigned b) {
  return static_cast<unsigned>(static_cast<unsigned long long>(a) * b >> 32);
}
inline long long __mul64hi(long long a, long long b) {
  return static_cast<long long>(static_cast<__int128>(a) * b >> 64);
}
inline unsigned long long __umul64hi(unsigned long long a, unsigned long long b) {
  return static_cast<unsigned long long>(static_cast<unsigned __int128>(a) * b >> 64);
}
// The low 24 bits of each, signed or not, and of the product the low 32.
inline int __mul24(int a, int b) {
  const long long x = static_cast<int>(static_cast<unsigned>(a) << 8) >> 8;
  return static_cast<int>(x * (static_cast<int>(static_cast<unsigned>(b) << 8) >> 8));
}
inline unsigned __umul24(unsigned a, unsigned b) { return (a & 0xffffffu) * (b & 0xffffffu); }

inline unsigned __sad(int a, int b, unsigned sum) {
  const long long difference = static_cast<long long>(a) - b;
  return static_cast<unsigned>(difference < 0 ? -difference : difference) + sum;
}
inline unsigned __usad(unsigned a, unsigned b, unsigned sum) { return (a > b ? a - b : b - a) + sum; }
inline int __hadd(int a, int b) { return static_cast<int>((static_cast<long long>(a) + b) >> 1); }
inline int __rhadd(int a, int b) { return static_cast<int>((static_cast<long long>(a) + b + 1) >> 1); }
inline unsigned __uhadd(unsigned a, unsigned b) {
  return static_cast<unsigned>((static_cast<unsigned long long>(a) + b) >> 1);
}
inline unsigned __urhadd(unsigned a, unsigned b) {
  return static_cast<unsigned>((static_cast<unsigned long long>(a) + b + 1) >> 1);
}

/// The low three bits of each nibble of the selector name one of eight bytes.
inline unsigned __byte_perm(unsigned a, unsigned b, unsigned selector) {
  const unsigned long long bytes = static_cast<unsigned long long>(b) << 32 | a;
  unsigned result = 0;
  for (unsigned each = 0; each < 4; ++each) {
    const unsigned index = selector >> 4 * each & 7u;
    result |= (static_cast<unsigned>(bytes >> 8 * index) & 0xffu) << 8 * each;
  }
  return result;
}
inline unsigned __funnelshift_l(unsigned low, unsigned high, unsigned shift) {
  return static_cast<unsigned>(((static_cast<unsigned long long>(high) << 32 | low) << (shift & 31u)) >> 32);
}
inline unsigned __funnelshift_lc(unsigned low, unsigned high, unsigned shift) {
  return static_cast<unsigned>(((static_cast<unsigned long long>(high) << 32 | low) << (shift < 32u ? shift : 32u)) >>
                               32);
}
inline unsigned __funnelshift_r(unsigned low, unsigned high, unsigned shift) {
  return static_cast<unsigned>((static_cast<unsigned long long>(high) << 32 | low) >> (shift & 31u));
}
inline unsigned __funnelshift_rc(unsigned low, unsigned high, unsigned shift) {
  return static_cast<unsigned>((static_cast<unsigned long long>(high) << 32 | low) >> (shift < 32u ? shift : 32u));
}

namespace yoke_simulator {
template <class A, class B>
inline int byte_product(unsigned a, unsigned b, unsigned a_byte, unsigned b_byte) {
  return static_cast<int>(static_cast<A>(a >> 8 * a_byte)) * static_cast<int>(static_cast<B>(b >> 8 * b_byte));
}
template <class T>
inline int byte_dot(unsigned a, unsigned b) {
  int sum = 0;
  for (unsigned each = 0; each < 4; ++each) sum += byte_product<T, T>(a, b, each, each);
  return sum;
}
template <class Half, class Byte>
inline int half_dot(unsigned a, unsigned b, unsigned first_byte) {
  return static_cast<Half>(a) * static_cast<Byte>(b >> 8 * first_byte) +
         static_cast<Half>(a >> 16) * static_cast<Byte>(b >> 8 * (first_byte + 1));
}
}  // namespace yoke_simulator

inline int __dp4a(int a, int b, int c) {
  return c + ::yoke_simulator::byte_dot<signed char>(static_cast<unsigned>(a), static_cast<unsigned>(b));
}
inline unsigned __dp4a(unsigned a, unsigned b, unsigned c) {
  return c + static_cast<unsigned>(::yoke_simulator::byte_dot<unsigned char>(a, b));
}
inline int __dp4a(char4 a, char4 b, int c) {
  return __dp4a(::yoke_simulator::bit_cast<int>(a), ::yoke_simulator::bit_cast<int>(b), c);
}
inline unsigned __dp4a(uchar4 a, uchar4 b, unsigned c) {
  return __dp4a(::yoke_simulator::bit_cast<unsigned>(a), ::yoke_simulator::bit_cast<unsigned>(b), c);
}
inline int __dp2a_lo(int a, int b, int c) {
  return c + ::yoke_simulator::half_dot<short, signed char>(static_cast<unsigned>(a), static_cast<unsigned>(b), 0);
}
inline int __dp2a_hi(int a, int b, int c) {
  return c + ::yoke_simulator::half_dot<short, signed char>(static_cast<unsigned>(a), static_cast<unsigned>(b), 2);
}
inline unsigned __dp2a_lo(unsigned a, unsigned b, unsigned c) {
  return c + static_cast<unsigned>(::yoke_simulator::half_dot<unsigned short, unsigned char>(a, b, 0));
}
inline unsigned __dp2a_hi(unsigned a, unsigned b, unsigned c) {
  return c + static_cast<unsigned>(::yoke_simulator::half_dot<unsigned short, unsigned char>(a, b, 2));
}
#define YOKE_SIMULATOR_HALF_DOT(which, R, Halves, Bytes)                                                               \
  inline R __dp2a_##which(Halves a, Bytes b, R c) {                                                                    \
    return __dp2a_##which(::yoke_simulator::bit_cast<R>(a), ::yoke_simulator::bit_cast<R>(b), c);                      \
  }
YOKE_SIMULATOR_HALF_DOT(lo, int, short2, char4)
YOKE_SIMULATOR_HALF_DOT(hi, int, short2, char4)
YOKE_SIMULATOR_HALF_DOT(lo, unsigned, ushort2, uchar4)
YOKE_SIMULATOR_HALF_DOT(hi, unsigned, ushort2, uchar4)
#undef YOKE_SIMULATOR_HALF_DOT

// min and max of mixed signedness compare as unsigned, as C's usual conversions have it.
#define YOKE_SIMULATOR_MIN_MAX(R, A, B)                                                                                \
  constexpr R min(A a, B b) { return static_cast<R>(b) < static_cast<R>(a) ? static_cast<R>(b) : static_cast<R>(a); }  \
  constexpr R max(A a, B b) { return static_cast<R>(a) < static_cast<R>(b) ? static_cast<R>(b) : static_cast<R>(a); }
#define YOKE_SIMULATOR_MIN_MAX_PAIR(S, U)                                                                              \
  YOKE_SIMULATOR_MIN_MAX(S, S, S)                                                                                      \
  YOKE_SIMULATOR_MIN_MAX(U, U, U)                                                                                      \
  YOKE_SIMULATOR_MIN_MAX(U, S, U)                                                                                      \
  YOKE_SIMULATOR_MIN_MAX(U, U, S)
YOKE_SIMULATOR_MIN_MAX_PAIR(int, unsigned)
YOKE_SIMULATOR_MIN_MAX_PAIR(long, unsigned long)
YOKE_SIMULATOR_MIN_MAX_PAIR(long long, unsigned long long)
#undef YOKE_SIMULATOR_MIN_MAX_PAIR
#undef YOKE_SIMULATOR_MIN_MAX
inline unsigned umin(unsigned a, unsigned b) { return min(a, b); }
inline unsigned umax(unsigned a, unsigned b) { return max(a, b); }

constexpr int abs(int x) noexcept { return x < 0 ? -x : x; }
constexpr long abs(long x) noexcept { return x < 0 ? -x : x; }
constexpr long long abs(long long x) noexcept { return x < 0 ? -x : x; }
constexpr long labs(long x) noexcept { return x < 0 ? -x : x; }
constexpr long long llabs(long long x) noexcept { return x < 0 ? -x : x; }
inline long long llmin(long long a, long long b) { return min(a, b); }
inline long long llmax(long long a, long long b) { return max(a, b); }
inline unsigned long long ullmin(unsigned long long a, unsigned long long b) { return min(a, b); }
inline unsigned long long ullmax(unsigned long long a, unsigned long long b) { return max(a, b); }
