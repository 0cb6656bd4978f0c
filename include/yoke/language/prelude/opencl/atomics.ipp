// SPDX-License-Identifier: MIT
// Atomics in OpenCL C: each gives the old value.
R"yoke(//part atomics
//words yoke_atomic_*
#define YOKE_D_ATOMICS(space, T, family) \
  YOKE_D_FUNCTION T yoke_atomic_add(volatile space T* __p, T __value) { return family##_add(__p, __value); } \
  YOKE_D_FUNCTION T yoke_atomic_sub(volatile space T* __p, T __value) { return family##_sub(__p, __value); } \
  YOKE_D_FUNCTION T yoke_atomic_min(volatile space T* __p, T __value) { return family##_min(__p, __value); } \
  YOKE_D_FUNCTION T yoke_atomic_max(volatile space T* __p, T __value) { return family##_max(__p, __value); } \
  YOKE_D_FUNCTION T yoke_atomic_and(volatile space T* __p, T __value) { return family##_and(__p, __value); } \
  YOKE_D_FUNCTION T yoke_atomic_or(volatile space T* __p, T __value) { return family##_or(__p, __value); } \
  YOKE_D_FUNCTION T yoke_atomic_xor(volatile space T* __p, T __value) { return family##_xor(__p, __value); } \
  YOKE_D_FUNCTION T yoke_atomic_exchange(volatile space T* __p, T __value) { return family##_xchg(__p, __value); } \
  YOKE_D_FUNCTION T yoke_atomic_compare_exchange(volatile space T* __p, T __expected, T __desired) { \
    return family##_cmpxchg(__p, __expected, __desired); \
  } \
  YOKE_D_FUNCTION T yoke_atomic_load(volatile space T* __p) { return family##_or(__p, (T)0); } \
  YOKE_D_FUNCTION void yoke_atomic_store(volatile space T* __p, T __value) { (void)family##_xchg(__p, __value); }
#define YOKE_D_REAL_ATOMICS(space, T, B, family) \
  YOKE_D_FUNCTION T yoke_atomic_add(volatile space T* __p, T __value) { \
    volatile space B* __bits = (volatile space B*)__p; \
    B __before = *__bits; \
    for (;;) { \
      B __seen = family##_cmpxchg(__bits, __before, as_##B(as_##T(__before) + __value)); \
      if (__seen == __before) return as_##T(__before); \
      __before = __seen; \
    } \
  } \
  YOKE_D_FUNCTION T yoke_atomic_exchange(volatile space T* __p, T __value) { \
    return as_##T(family##_xchg((volatile space B*)__p, as_##B(__value))); \
  } \
  YOKE_D_FUNCTION T yoke_atomic_load(volatile space T* __p) { \
    return as_##T(family##_or((volatile space B*)__p, (B)0)); \
  } \
  YOKE_D_FUNCTION void yoke_atomic_store(volatile space T* __p, T __value) { \
    (void)family##_xchg((volatile space B*)__p, as_##B(__value)); \
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
