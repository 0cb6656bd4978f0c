// SPDX-License-Identifier: MIT
// Atomics in CUDA C++: each gives the old value.
R"yoke(//part atomics
//words yoke_atomic_*
// One access reads or writes a number as a whole. The simulator's threads make way for others at atomic functions alone.
#ifdef __YOKE_SIMULATOR__
#define YOKE_D_ATOMIC_LOAD(T, B, to_bits, from_bits) \
  YOKE_D_FUNCTION T yoke_atomic_load(T* __p) { return from_bits(atomicOr((B*)__p, (B)0)); } \
  YOKE_D_FUNCTION void yoke_atomic_store(T* __p, T __value) { (void)atomicExch((B*)__p, (B)to_bits(__value)); }
#else
#define YOKE_D_ATOMIC_LOAD(T, B, to_bits, from_bits) \
  YOKE_D_FUNCTION T yoke_atomic_load(T* __p) { return *(volatile T*)__p; } \
  YOKE_D_FUNCTION void yoke_atomic_store(T* __p, T __value) { *(volatile T*)__p = __value; }
#endif
// T is what the dialect calls the type, B what CUDA's function takes.
#define YOKE_D_ATOMIC(word, T, B, own) \
  YOKE_D_FUNCTION T yoke_atomic_##word(T* __p, T __value) { return (T)own((B*)__p, (B)__value); }
#define YOKE_D_ATOMICS(T, B, S) \
  YOKE_D_ATOMIC(add, T, B, atomicAdd) \
  YOKE_D_FUNCTION T yoke_atomic_sub(T* __p, T __value) { return (T)atomicAdd((B*)__p, (B)0 - (B)__value); } \
  YOKE_D_ATOMIC(min, T, S, atomicMin) \
  YOKE_D_ATOMIC(max, T, S, atomicMax) \
  YOKE_D_ATOMIC(and, T, B, atomicAnd) \
  YOKE_D_ATOMIC(or, T, B, atomicOr) \
  YOKE_D_ATOMIC(xor, T, B, atomicXor) \
  YOKE_D_ATOMIC(exchange, T, B, atomicExch) \
  YOKE_D_FUNCTION T yoke_atomic_compare_exchange(T* __p, T __expected, T __desired) { \
    return (T)atomicCAS((B*)__p, (B)__expected, (B)__desired); \
  } \
  YOKE_D_ATOMIC_LOAD(T, B, (B), (T))
YOKE_D_ATOMICS(int, uint, int)
YOKE_D_ATOMICS(uint, uint, uint)
YOKE_D_ATOMICS(yoke_int64, unsigned long long, long long)
YOKE_D_ATOMICS(yoke_uint64, unsigned long long, unsigned long long)
#define YOKE_D_REAL_ATOMICS(T, B, to_bits, from_bits) \
  YOKE_D_FUNCTION T yoke_atomic_add(T* __p, T __value) { return atomicAdd(__p, __value); } \
  YOKE_D_FUNCTION T yoke_atomic_exchange(T* __p, T __value) { \
    return from_bits(atomicExch((B*)__p, (B)to_bits(__value))); \
  } \
  YOKE_D_ATOMIC_LOAD(T, B, to_bits, from_bits)
YOKE_D_REAL_ATOMICS(float, uint, __float_as_uint, __uint_as_float)
YOKE_D_REAL_ATOMICS(double, unsigned long long, __double_as_longlong, __longlong_as_double)
)yoke"
