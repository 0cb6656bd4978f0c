// SPDX-License-Identifier: MIT
// The warp's intrinsics: each is a meeting of the named lanes, whose last arrival computes all results.

namespace yoke_simulator {

inline void warp_meeting(meeting kind, unsigned mask, void* slot, resolve_function resolve, place where) {
  engine->warp_meeting(kind, mask, slot, resolve, where);
  asm volatile("" ::: "memory");
}

template <class T>
struct shuffle_slot {
  T value;
  T result;
  unsigned source;
};

template <class T>
void resolve_shuffle(void* const* slots, unsigned lanes) {
  for (unsigned each = 0; each < 32; ++each) {
    if ((lanes >> each & 1u) == 0) continue;
    auto* own = static_cast<shuffle_slot<T>*>(slots[each]);
    // A lane that does not take part has nothing to give: the hardware's result is undefined, ours the own value.
    const bool there = (lanes >> own->source & 1u) != 0;
    own->result = there ? static_cast<shuffle_slot<T>*>(slots[own->source])->value : own->value;
  }
}

template <class T>
inline T shuffle(unsigned mask, T value, unsigned source, place where) {
  shuffle_slot<T> slot{value, value, source};
  warp_meeting(meeting::shuffle, mask, &slot, &resolve_shuffle<T>, where);
  return slot.result;
}

/// Which lane a shuffle reads; the segment is the `width` lanes the own one belongs to.
inline unsigned source_at(int source, int width) {
  const unsigned size = static_cast<unsigned>(width);
  return (lane() & ~(size - 1)) + (static_cast<unsigned>(source) & (size - 1));
}
inline unsigned source_up(unsigned delta, int width) {
  const unsigned first = lane() & ~(static_cast<unsigned>(width) - 1);
  return lane() - first < delta ? lane() : lane() - delta;
}
inline unsigned source_down(unsigned delta, int width) {
  const unsigned end = (lane() & ~(static_cast<unsigned>(width) - 1)) + static_cast<unsigned>(width);
  return delta >= end - lane() ? lane() : lane() + delta;
}
inline unsigned source_xor(int bits, int width) {
  const unsigned end = (lane() & ~(static_cast<unsigned>(width) - 1)) + static_cast<unsigned>(width);
  const unsigned source = (lane() ^ static_cast<unsigned>(bits)) & 31u;
  return source >= end ? lane() : source;
}

template <class T>
struct word_slot {
  T value;
  unsigned long long result;
};

inline void resolve_ballot(void* const* slots, unsigned lanes) {
  unsigned set = 0;
  for (unsigned each = 0; each < 32; ++each) {
    if ((lanes >> each & 1u) != 0 && static_cast<word_slot<int>*>(slots[each])->value != 0) set |= 1u << each;
  }
  for (unsigned each = 0; each < 32; ++each) {
    if ((lanes >> each & 1u) != 0) {
      static_cast<word_slot<int>*>(slots[each])->result = static_cast<unsigned long long>(lanes) << 32 | set;
    }
  }
}
/// The lanes that took part above, those with a true predicate below.
inline unsigned long long ballot(unsigned mask, int predicate, place where) {
  word_slot<int> slot{predicate, 0};
  warp_meeting(meeting::vote, mask, &slot, &resolve_ballot, where);
  return slot.result;
}

template <class T>
void resolve_match(void* const* slots, unsigned lanes) {
  for (unsigned each = 0; each < 32; ++each) {
    if ((lanes >> each & 1u) == 0) continue;
    auto* own = static_cast<word_slot<T>*>(slots[each]);
    unsigned same = 0;
    for (unsigned other = 0; other < 32; ++other) {
      if ((lanes >> other & 1u) == 0) continue;
      if (__builtin_memcmp(&static_cast<word_slot<T>*>(slots[other])->value, &own->value, sizeof(T)) == 0) {
        same |= 1u << other;
      }
    }
    own->result = static_cast<unsigned long long>(lanes) << 32 | same;
  }
}
template <class T>
inline unsigned long long match(unsigned mask, T value, place where) {
  word_slot<T> slot{value, 0};
  warp_meeting(meeting::match, mask, &slot, &resolve_match<T>, where);
  return slot.result;
}

template <class T>
struct reduction_slot {
  T value;
  T (*combine)(T, T);
};
template <class T>
void resolve_reduction(void* const* slots, unsigned lanes) {
  bool first = true;
  T total{};
  for (unsigned each = 0; each < 32; ++each) {
    if ((lanes >> each & 1u) == 0) continue;
    auto* slot = static_cast<reduction_slot<T>*>(slots[each]);
    total = first ? slot->value : slot->combine(total, slot->value);
    first = false;
  }
  for (unsigned each = 0; each < 32; ++each) {
    if ((lanes >> each & 1u) != 0) static_cast<reduction_slot<T>*>(slots[each])->value = total;
  }
}
template <class T>
inline T reduction(unsigned mask, T value, T (*combine)(T, T), place where) {
  reduction_slot<T> slot{value, combine};
  warp_meeting(meeting::reduction, mask, &slot, &resolve_reduction<T>, where);
  return slot.value;
}

template <class T>
struct combining {
  static T add(T a, T b) { return static_cast<T>(a + b); }
  static T min(T a, T b) { return b < a ? b : a; }
  static T max(T a, T b) { return a < b ? b : a; }
  static T bit_and(T a, T b) { return static_cast<T>(a & b); }
  static T bit_or(T a, T b) { return static_cast<T>(a | b); }
  static T bit_xor(T a, T b) { return static_cast<T>(a ^ b); }
};

}  // namespace yoke_simulator

inline void __syncwarp(unsigned mask = 0xffffffffu, YOKE_SIMULATOR_PLACE) {
  char nothing = 0;
  ::yoke_simulator::warp_meeting(
      ::yoke_simulator::meeting::syncwarp, mask, &nothing, [](void* const*, unsigned) {}, where);
}
inline unsigned __activemask(YOKE_SIMULATOR_PLACE) { return ::yoke_simulator::engine->active_mask(where); }

// CUDA's headers give half and bfloat16 theirs by the same macro's text.
#define YOKE_SIMULATOR_SHUFFLES(T)                                                                                     \
  inline T __shfl_sync(unsigned mask, T value, int source, int width = 32, YOKE_SIMULATOR_PLACE) {                     \
    return ::yoke_simulator::shuffle<T>(mask, value, ::yoke_simulator::source_at(source, width), where);               \
  }                                                                                                                    \
  inline T __shfl_up_sync(unsigned mask, T value, unsigned delta, int width = 32, YOKE_SIMULATOR_PLACE) {              \
    return ::yoke_simulator::shuffle<T>(mask, value, ::yoke_simulator::source_up(delta, width), where);                \
  }                                                                                                                    \
  inline T __shfl_down_sync(unsigned mask, T value, unsigned delta, int width = 32, YOKE_SIMULATOR_PLACE) {            \
    return ::yoke_simulator::shuffle<T>(mask, value, ::yoke_simulator::source_down(delta, width), where);              \
  }                                                                                                                    \
  inline T __shfl_xor_sync(unsigned mask, T value, int bits, int width = 32, YOKE_SIMULATOR_PLACE) {                   \
    return ::yoke_simulator::shuffle<T>(mask, value, ::yoke_simulator::source_xor(bits, width), where);                \
  }
YOKE_SIMULATOR_SHUFFLES(int)
YOKE_SIMULATOR_SHUFFLES(unsigned)
YOKE_SIMULATOR_SHUFFLES(long)
YOKE_SIMULATOR_SHUFFLES(unsigned long)
YOKE_SIMULATOR_SHUFFLES(long long)
YOKE_SIMULATOR_SHUFFLES(unsigned long long)
YOKE_SIMULATOR_SHUFFLES(float)
YOKE_SIMULATOR_SHUFFLES(double)

inline unsigned __ballot_sync(unsigned mask, int predicate, YOKE_SIMULATOR_PLACE) {
  return static_cast<unsigned>(::yoke_simulator::ballot(mask, predicate, where));
}
inline int __any_sync(unsigned mask, int predicate, YOKE_SIMULATOR_PLACE) {
  return static_cast<unsigned>(::yoke_simulator::ballot(mask, predicate, where)) != 0;
}
inline int __all_sync(unsigned mask, int predicate, YOKE_SIMULATOR_PLACE) {
  const unsigned long long both = ::yoke_simulator::ballot(mask, predicate, where);
  return static_cast<unsigned>(both) == static_cast<unsigned>(both >> 32);
}
inline int __uni_sync(unsigned mask, int predicate, YOKE_SIMULATOR_PLACE) {
  const unsigned long long both = ::yoke_simulator::ballot(mask, predicate, where);
  return static_cast<unsigned>(both) == 0 || static_cast<unsigned>(both) == static_cast<unsigned>(both >> 32);
}

#define YOKE_SIMULATOR_MATCH(T)                                                                                        \
  inline unsigned __match_any_sync(unsigned mask, T value, YOKE_SIMULATOR_PLACE) {                                     \
    return static_cast<unsigned>(::yoke_simulator::match<T>(mask, value, where));                                      \
  }                                                                                                                    \
  inline unsigned __match_all_sync(unsigned mask, T value, int* all, YOKE_SIMULATOR_PLACE) {                           \
    const unsigned long long both = ::yoke_simulator::match<T>(mask, value, where);                                    \
    *all = static_cast<unsigned>(both) == static_cast<unsigned>(both >> 32);                                           \
    return *all != 0 ? static_cast<unsigned>(both) : 0u;                                                               \
  }
YOKE_SIMULATOR_MATCH(int)
YOKE_SIMULATOR_MATCH(unsigned)
YOKE_SIMULATOR_MATCH(long)
YOKE_SIMULATOR_MATCH(unsigned long)
YOKE_SIMULATOR_MATCH(long long)
YOKE_SIMULATOR_MATCH(unsigned long long)
YOKE_SIMULATOR_MATCH(float)
YOKE_SIMULATOR_MATCH(double)
#undef YOKE_SIMULATOR_MATCH

#define YOKE_SIMULATOR_REDUCE(name, T, how)                                                                            \
  inline T name(unsigned mask, T value, YOKE_SIMULATOR_PLACE) {                                                        \
    return ::yoke_simulator::reduction<T>(mask, value, &::yoke_simulator::combining<T>::how, where);                   \
  }
YOKE_SIMULATOR_REDUCE(__reduce_add_sync, int, add)
YOKE_SIMULATOR_REDUCE(__reduce_add_sync, unsigned, add)
YOKE_SIMULATOR_REDUCE(__reduce_min_sync, int, min)
YOKE_SIMULATOR_REDUCE(__reduce_min_sync, unsigned, min)
YOKE_SIMULATOR_REDUCE(__reduce_max_sync, int, max)
YOKE_SIMULATOR_REDUCE(__reduce_max_sync, unsigned, max)
YOKE_SIMULATOR_REDUCE(__reduce_and_sync, unsigned, bit_and)
YOKE_SIMULATOR_REDUCE(__reduce_or_sync, unsigned, bit_or)
YOKE_SIMULATOR_REDUCE(__reduce_xor_sync, unsigned, bit_xor)
#undef YOKE_SIMULATOR_REDUCE
