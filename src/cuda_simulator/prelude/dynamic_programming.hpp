// SPDX-License-Identifier: MIT
// The instructions for dynamic programming: least and greatest of sums and of three, on words and on their halves.

namespace yoke_simulator {

/// Calls `work` on the halves of a, b and c, or on the words, and puts together what it returns.
template <class Part, class F>
inline unsigned by_parts_of_three(unsigned a, unsigned b, unsigned c, F work) {
  unsigned result = 0;
  for (unsigned shift = 0; shift < 32; shift += 8 * sizeof(Part)) {
    const Part part = work(static_cast<Part>(a >> shift), static_cast<Part>(b >> shift), static_cast<Part>(c >> shift));
    result |= (static_cast<unsigned>(part) & (~0u >> (32 - 8 * sizeof(Part)))) << shift;
  }
  return result;
}
template <class T>
constexpr T least(T a, T b) {
  return b < a ? b : a;
}
template <class T>
constexpr T greatest(T a, T b) {
  return a < b ? b : a;
}
/// Goes round at the ends, as the hardware's does.
template <class T>
constexpr T sum(T a, T b) {
  return static_cast<T>(static_cast<unsigned>(a) + static_cast<unsigned>(b));
}

}  // namespace yoke_simulator

#define YOKE_SIMULATOR_OF_THREE(name, W, Part, result)                                                                 \
  inline W name(W a, W b, W c) {                                                                                       \
    return static_cast<W>(::yoke_simulator::by_parts_of_three<Part>(                                                   \
        static_cast<unsigned>(a), static_cast<unsigned>(b), static_cast<unsigned>(c),                                  \
        [](Part x, Part y, Part z) -> Part { return result; }));                                                       \
  }
#define YOKE_SIMULATOR_OF_TWO(name, W, Part, result)                                                                   \
  inline W name(W a, W b) {                                                                                            \
    return static_cast<W>(::yoke_simulator::by_parts_of_three<Part>(                                                   \
        static_cast<unsigned>(a), static_cast<unsigned>(b), 0u, [](Part x, Part y, Part) -> Part { return result; })); \
  }
#define YOKE_SIMULATOR_LEAST_AND_GREATEST(how, which, n, W, Part)                                                      \
  YOKE_SIMULATOR_OF_THREE(__vi##how##3_##n, W, Part, ::yoke_simulator::which(::yoke_simulator::which(x, y), z))        \
  YOKE_SIMULATOR_OF_THREE(__viadd##how##_##n, W, Part, ::yoke_simulator::which(::yoke_simulator::sum(x, y), z))
#define YOKE_SIMULATOR_ABOVE_ZERO(how, which, n, W, Part)                                                              \
  YOKE_SIMULATOR_OF_THREE(                                                                                             \
      __vi##how##3_##n##_relu, W, Part,                                                                                \
      ::yoke_simulator::greatest(::yoke_simulator::which(::yoke_simulator::which(x, y), z), Part(0)))                  \
  YOKE_SIMULATOR_OF_THREE(                                                                                             \
      __viadd##how##_##n##_relu, W, Part,                                                                              \
      ::yoke_simulator::greatest(::yoke_simulator::which(::yoke_simulator::sum(x, y), z), Part(0)))                    \
  YOKE_SIMULATOR_OF_TWO(__vi##how##_##n##_relu, W, Part,                                                               \
                        ::yoke_simulator::greatest(::yoke_simulator::which(x, y), Part(0)))
// Which of the two it was: true for the first, also where they are equal.
#define YOKE_SIMULATOR_WITH_CHOICE(how, which, comparison, n, W)                                                       \
  inline W __vib##how##_##n(W a, W b, bool* first) {                                                                   \
    *first = a comparison b;                                                                                           \
    return ::yoke_simulator::which(a, b);                                                                              \
  }
#define YOKE_SIMULATOR_WITH_CHOICES(how, which, comparison, n, Part)                                                   \
  inline unsigned __vib##how##_##n(unsigned a, unsigned b, bool* first_high, bool* first_low) {                        \
    *first_high = static_cast<Part>(a >> 16) comparison static_cast<Part>(b >> 16);                                    \
    *first_low = static_cast<Part>(a) comparison static_cast<Part>(b);                                                 \
    return ::yoke_simulator::by_parts_of_three<Part>(                                                                  \
        a, b, 0u, [](Part x, Part y, Part) -> Part { return ::yoke_simulator::which(x, y); });                         \
  }
#define YOKE_SIMULATOR_DYNAMIC_PROGRAMMING(how, which, comparison)                                                     \
  YOKE_SIMULATOR_LEAST_AND_GREATEST(how, which, s32, int, int)                                                         \
  YOKE_SIMULATOR_LEAST_AND_GREATEST(how, which, u32, unsigned, unsigned)                                               \
  YOKE_SIMULATOR_LEAST_AND_GREATEST(how, which, s16x2, unsigned, short)                                                \
  YOKE_SIMULATOR_LEAST_AND_GREATEST(how, which, u16x2, unsigned, unsigned short)                                       \
  YOKE_SIMULATOR_ABOVE_ZERO(how, which, s32, int, int)                                                                 \
  YOKE_SIMULATOR_ABOVE_ZERO(how, which, s16x2, unsigned, short)                                                        \
  YOKE_SIMULATOR_WITH_CHOICE(how, which, comparison, s32, int)                                                         \
  YOKE_SIMULATOR_WITH_CHOICE(how, which, comparison, u32, unsigned)                                                    \
  YOKE_SIMULATOR_WITH_CHOICES(how, which, comparison, s16x2, short)                                                    \
  YOKE_SIMULATOR_WITH_CHOICES(how, which, comparison, u16x2, unsigned short)
YOKE_SIMULATOR_DYNAMIC_PROGRAMMING(min, least, <=)
YOKE_SIMULATOR_DYNAMIC_PROGRAMMING(max, greatest, >=)
#undef YOKE_SIMULATOR_DYNAMIC_PROGRAMMING
#undef YOKE_SIMULATOR_WITH_CHOICES
#undef YOKE_SIMULATOR_WITH_CHOICE
#undef YOKE_SIMULATOR_ABOVE_ZERO
#undef YOKE_SIMULATOR_LEAST_AND_GREATEST
#undef YOKE_SIMULATOR_OF_TWO
#undef YOKE_SIMULATOR_OF_THREE
