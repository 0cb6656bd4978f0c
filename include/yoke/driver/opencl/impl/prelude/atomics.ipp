// SPDX-License-Identifier: MIT
// Atomics in OpenCL C: each gives the old value.
R"yoke(//part atomics
//words yoke_atomic_*
#define YOKE_D_ATOMICS(space, T, family) \
  YOKE_D_FUNCTION T yoke_atomic_add(volatile space T* p, T value) { return family##_add(p, value); } \
  YOKE_D_FUNCTION T yoke_atomic_sub(volatile space T* p, T value) { return family##_sub(p, value); } \
  YOKE_D_FUNCTION T yoke_atomic_min(volatile space T* p, T value) { return family##_min(p, value); } \
  YOKE_D_FUNCTION T yoke_atomic_max(volatile space T* p, T value) { return family##_max(p, value); } \
  YOKE_D_FUNCTION T yoke_atomic_and(volatile space T* p, T value) { return family##_and(p, value); } \
  YOKE_D_FUNCTION T yoke_atomic_or(volatile space T* p, T value) { return family##_or(p, value); } \
  YOKE_D_FUNCTION T yoke_atomic_xor(volatile space T* p, T value) { return family##_xor(p, value); } \
  YOKE_D_FUNCTION T yoke_atomic_exchange(volatile space T* p, T value) { return family##_xchg(p, value); } \
  YOKE_D_FUNCTION T yoke_atomic_compare_exchange(volatile space T* p, T expected, T desired) { \
    return family##_cmpxchg(p, expected, desired); \
  } \
  YOKE_D_FUNCTION T yoke_atomic_load(volatile space T* p) { return family##_or(p, (T)0); } \
  YOKE_D_FUNCTION void yoke_atomic_store(volatile space T* p, T value) { (void)family##_xchg(p, value); }
#define YOKE_D_REAL_ATOMICS(space, T, B, family) \
  YOKE_D_FUNCTION T yoke_atomic_add(volatile space T* p, T value) { \
    volatile space B* bits = (volatile space B*)p; \
    B before = *bits; \
    for (;;) { \
      B seen = family##_cmpxchg(bits, before, as_##B(as_##T(before) + value)); \
      if (seen == before) return as_##T(before); \
      before = seen; \
    } \
  } \
  YOKE_D_FUNCTION T yoke_atomic_exchange(volatile space T* p, T value) { \
    return as_##T(family##_xchg((volatile space B*)p, as_##B(value))); \
  } \
  YOKE_D_FUNCTION T yoke_atomic_load(volatile space T* p) { \
    return as_##T(family##_or((volatile space B*)p, (B)0)); \
  } \
  YOKE_D_FUNCTION void yoke_atomic_store(volatile space T* p, T value) { \
    (void)family##_xchg((volatile space B*)p, as_##B(value)); \
  }
YOKE_D_ATOMICS(__global, int, atomic)
YOKE_D_ATOMICS(__local, int, atomic)
YOKE_D_ATOMICS(__global, uint, atomic)
YOKE_D_ATOMICS(__local, uint, atomic)
YOKE_D_REAL_ATOMICS(__global, float, uint, atomic)
YOKE_D_REAL_ATOMICS(__local, float, uint, atomic)
#if YOKE_HAS_INT64_ATOMICS
YOKE_D_ATOMICS(__global, long, atom)
YOKE_D_ATOMICS(__local, long, atom)
YOKE_D_ATOMICS(__global, ulong, atom)
YOKE_D_ATOMICS(__local, ulong, atom)
#endif
#if YOKE_HAS_FP64_ATOMICS
YOKE_D_REAL_ATOMICS(__global, double, ulong, atom)
YOKE_D_REAL_ATOMICS(__local, double, ulong, atom)
#endif
)yoke"
