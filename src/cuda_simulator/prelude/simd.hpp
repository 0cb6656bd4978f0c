// SPDX-License-Identifier: MIT
// The SIMD intrinsics: two 16-bit or four 8-bit numbers in a word, each worked on by itself.

namespace yoke_simulator {

/// Calls `work` on the parts of a and b, widened, and puts together what it returns, cut to the part's size.
template <class Part, class F>
inline unsigned by_parts(unsigned a, unsigned b, F work) {
  constexpr unsigned bits = 8 * sizeof(Part);
  constexpr unsigned mask = (1u << bits) - 1u;
  unsigned result = 0;
  for (unsigned shift = 0; shift < 32; shift += bits) {
    const int x = static_cast<Part>(a >> shift);
    const int y = static_cast<Part>(b >> shift);
    result |= (static_cast<unsigned>(work(x, y)) & mask) << shift;
  }
  return result;
}
template <class Part>
inline int clamped(int value) {
  constexpr int bits = 8 * sizeof(Part);
  constexpr bool is_signed = Part(-1) < Part(0);
  constexpr int highest = is_signed ? (1 << (bits - 1)) - 1 : (1 << bits) - 1;
  constexpr int lowest = is_signed ? -highest - 1 : 0;
  return value < lowest ? lowest : value > highest ? highest : value;
}
template <class Part>
inline unsigned summed(unsigned a, unsigned b) {
  unsigned sum = 0;
  by_parts<Part>(a, b, [&](int x, int y) {
    sum += static_cast<unsigned>(x < y ? y - x : x - y);
    return 0;
  });
  return sum;
}

}  // namespace yoke_simulator

#define YOKE_SIMULATOR_PARTS(name, Part, result)                                                                       \
  inline unsigned name(unsigned a, unsigned b) {                                                                       \
    return ::yoke_simulator::by_parts<Part>(a, b, [](int x, int y) -> int { return result; });                         \
  }
#define YOKE_SIMULATOR_PARTS_OF_ONE(name, Part, result)                                                                \
  inline unsigned name(unsigned a) {                                                                                   \
    return ::yoke_simulator::by_parts<Part>(a, 0, [](int x, int) -> int { return result; });                           \
  }
// A comparison sets all bits of a part, or with "set" the lowest.
#define YOKE_SIMULATOR_COMPARE(n, how, Part, comparison)                                                               \
  YOKE_SIMULATOR_PARTS(__vcmp##how##n, Part, comparison ? -1 : 0)                                                      \
  YOKE_SIMULATOR_PARTS(__vset##how##n, Part, comparison ? 1 : 0)
#define YOKE_SIMULATOR_SIMD(n, S, U)                                                                                   \
  YOKE_SIMULATOR_PARTS(__vadd##n, U, x + y)                                                                            \
  YOKE_SIMULATOR_PARTS(__vsub##n, U, x - y)                                                                            \
  YOKE_SIMULATOR_PARTS(__vaddss##n, S, ::yoke_simulator::clamped<S>(x + y))                                            \
  YOKE_SIMULATOR_PARTS(__vaddus##n, U, ::yoke_simulator::clamped<U>(x + y))                                            \
  YOKE_SIMULATOR_PARTS(__vsubss##n, S, ::yoke_simulator::clamped<S>(x - y))                                            \
  YOKE_SIMULATOR_PARTS(__vsubus##n, U, ::yoke_simulator::clamped<U>(x - y))                                            \
  YOKE_SIMULATOR_PARTS(__vavgs##n, S, (x + y + (x + y >= 0 ? 1 : 0)) >> 1)                                             \
  YOKE_SIMULATOR_PARTS(__vavgu##n, U, (x + y + 1) >> 1)                                                                \
  YOKE_SIMULATOR_PARTS(__vhaddu##n, U, (x + y) >> 1)                                                                   \
  YOKE_SIMULATOR_PARTS(__vabsdiffs##n, S, x < y ? y - x : x - y)                                                       \
  YOKE_SIMULATOR_PARTS(__vabsdiffu##n, U, x < y ? y - x : x - y)                                                       \
  YOKE_SIMULATOR_PARTS(__vmaxs##n, S, x < y ? y : x)                                                                   \
  YOKE_SIMULATOR_PARTS(__vmaxu##n, U, x < y ? y : x)                                                                   \
  YOKE_SIMULATOR_PARTS(__vmins##n, S, y < x ? y : x)                                                                   \
  YOKE_SIMULATOR_PARTS(__vminu##n, U, y < x ? y : x)                                                                   \
  YOKE_SIMULATOR_PARTS_OF_ONE(__vabs##n, S, x < 0 ? -x : x)                                                            \
  YOKE_SIMULATOR_PARTS_OF_ONE(__vabsss##n, S, ::yoke_simulator::clamped<S>(x < 0 ? -x : x))                            \
  YOKE_SIMULATOR_PARTS_OF_ONE(__vneg##n, S, -x)                                                                        \
  YOKE_SIMULATOR_PARTS_OF_ONE(__vnegss##n, S, ::yoke_simulator::clamped<S>(-x))                                        \
  YOKE_SIMULATOR_COMPARE(n, eq, U, x == y)                                                                             \
  YOKE_SIMULATOR_COMPARE(n, ne, U, x != y)                                                                             \
  YOKE_SIMULATOR_COMPARE(n, lts, S, x < y)                                                                             \
  YOKE_SIMULATOR_COMPARE(n, ltu, U, x < y)                                                                             \
  YOKE_SIMULATOR_COMPARE(n, les, S, x <= y)                                                                            \
  YOKE_SIMULATOR_COMPARE(n, leu, U, x <= y)                                                                            \
  YOKE_SIMULATOR_COMPARE(n, gts, S, x > y)                                                                             \
  YOKE_SIMULATOR_COMPARE(n, gtu, U, x > y)                                                                             \
  YOKE_SIMULATOR_COMPARE(n, ges, S, x >= y)                                                                            \
  YOKE_SIMULATOR_COMPARE(n, geu, U, x >= y)                                                                            \
  inline unsigned __vsads##n(unsigned a, unsigned b) { return ::yoke_simulator::summed<S>(a, b); }                     \
  inline unsigned __vsadu##n(unsigned a, unsigned b) { return ::yoke_simulator::summed<U>(a, b); }
YOKE_SIMULATOR_SIMD(2, short, unsigned short)
YOKE_SIMULATOR_SIMD(4, signed char, unsigned char)
#undef YOKE_SIMULATOR_SIMD
#undef YOKE_SIMULATOR_COMPARE
#undef YOKE_SIMULATOR_PARTS_OF_ONE
#undef YOKE_SIMULATOR_PARTS
