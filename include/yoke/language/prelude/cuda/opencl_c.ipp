// SPDX-License-Identifier: MIT
// What a translated source of OpenCL C finds in CUDA C++: qualifiers, constants, barriers, atomics, half storage.
R"yoke(//part opencl_c
//needs mathematics integers conversions atomics halves
//words YOKE_D_OPENCL_C
#ifdef YOKE_D_OPENCL_C
#define YOKE_D_LOCAL_BIND(type, name) \
  extern __shared__ __align__(16) unsigned char yoke_dynamic_local[]; \
  type* name = reinterpret_cast<type*>(yoke_dynamic_local + name##_yoke_place.__at);
#define __OPENCL_VERSION__ 120
#define __OPENCL_C_VERSION__ 120
#define CL_VERSION_1_0 100
#define CL_VERSION_1_1 110
#define CL_VERSION_1_2 120
#define __ENDIAN_LITTLE__ 1
#define cl_khr_fp64 1
#define cl_khr_byte_addressable_store 1
#define cl_khr_global_int32_base_atomics 1
#define cl_khr_global_int32_extended_atomics 1
#define cl_khr_local_int32_base_atomics 1
#define cl_khr_local_int32_extended_atomics 1
#define cl_khr_int64_base_atomics 1
#define cl_khr_int64_extended_atomics 1
#define __global
#define global
#define __local
#define local
#define __constant
#define constant
#define __private
#define private
#define __generic
#ifndef __YOKE_SIMULATOR__
// NVRTC makes these of the words `global` and `constant`, which are macros now.
#undef __global__
#undef __constant__
#define __global__ __attribute__((__global__))
#define __constant__ __attribute__((__constant__))
#endif
#define __kernel __global__
#define kernel __global__
#define restrict __restrict__
#define half yoke_half
#define uintptr_t size_t
#define abs yoke_d_abs
#define intptr_t ptrdiff_t
#define barrier(flags) __syncthreads()
#define work_group_barrier(flags) __syncthreads()
#define mem_fence(flags) __threadfence()
#define read_mem_fence(flags) __threadfence()
#define write_mem_fence(flags) __threadfence()
#define atomic_work_item_fence(flags, order, scope) __threadfence()
#define CLK_LOCAL_MEM_FENCE 1
#define CLK_GLOBAL_MEM_FENCE 2
#define YOKE_D_NUMBER(bits) yoke_d_bits<float>(bits)
#undef INFINITY
#undef NAN
#undef HUGE_VALF
#undef HUGE_VAL
#undef MAXFLOAT
#define INFINITY YOKE_D_NUMBER(0x7f800000)
#define NAN YOKE_D_NUMBER(0x7fc00000)
#define HUGE_VALF INFINITY
#define HUGE_VAL ((double)INFINITY)
#define MAXFLOAT 3.402823466e+38f
#ifndef FLT_MAX
#define FLT_MAX 3.402823466e+38f
#define FLT_MIN 1.175494351e-38f
#define FLT_EPSILON 1.1920928955e-07f
#define FLT_DIG 6
#define FLT_MANT_DIG 24
#define DBL_MAX 1.7976931348623158e+308
#define DBL_MIN 2.2250738585072014e-308
#define DBL_EPSILON 2.2204460492503131e-16
#endif
#ifndef INT_MAX
#define CHAR_BIT 8
#define SCHAR_MAX 127
#define SCHAR_MIN (-128)
#define CHAR_MAX 127
#define CHAR_MIN (-128)
#define UCHAR_MAX 255
#define SHRT_MAX 32767
#define SHRT_MIN (-32768)
#define USHRT_MAX 65535
#define INT_MAX 2147483647
#define INT_MIN (-2147483647 - 1)
#define UINT_MAX 0xffffffffu
#define LONG_MAX 0x7fffffffffffffffl
#define LONG_MIN (-0x7fffffffffffffffl - 1)
#define ULONG_MAX 0xffffffffffffffffUL
#endif
#ifndef M_PI
#define M_E 2.71828182845904523536
#define M_LOG2E 1.44269504088896340736
#define M_LOG10E 0.43429448190325182765
#define M_LN2 0.69314718055994530942
#define M_LN10 2.30258509299404568402
#define M_PI 3.14159265358979323846
#define M_PI_2 1.57079632679489661923
#define M_PI_4 0.78539816339744830962
#define M_1_PI 0.31830988618379067154
#define M_2_PI 0.63661977236758134308
#define M_2_SQRTPI 1.12837916709551257390
#define M_SQRT2 1.41421356237309504880
#define M_SQRT1_2 0.70710678118654752440
#endif
#define M_E_F 2.71828182845904523536f
#define M_LOG2E_F 1.44269504088896340736f
#define M_LOG10E_F 0.43429448190325182765f
#define M_LN2_F 0.69314718055994530942f
#define M_LN10_F 2.30258509299404568402f
#define M_PI_F 3.14159265358979323846f
#define M_PI_2_F 1.57079632679489661923f
#define M_PI_4_F 0.78539816339744830962f
#define M_1_PI_F 0.31830988618379067154f
#define M_2_PI_F 0.63661977236758134308f
#define M_2_SQRTPI_F 1.12837916709551257390f
#define M_SQRT2_F 1.41421356237309504880f
#define M_SQRT1_2_F 0.70710678118654752440f
#define YOKE_D_ATOM(word, own) \
  template <class __T, class __V> \
  YOKE_D_FUNCTION auto atomic_##word(volatile __T* __p, __V __value) \
      ->decltype(yoke_atomic_##own((__T*)__p, (__T)__value)) { \
    return yoke_atomic_##own((__T*)__p, (__T)__value); \
  } \
  template <class __T, class __V> \
  YOKE_D_FUNCTION auto atom_##word(volatile __T* __p, __V __value) \
      ->decltype(yoke_atomic_##own((__T*)__p, (__T)__value)) { \
    return yoke_atomic_##own((__T*)__p, (__T)__value); \
  }
YOKE_D_ATOM(add, add)
YOKE_D_ATOM(sub, sub)
YOKE_D_ATOM(min, min)
YOKE_D_ATOM(max, max)
YOKE_D_ATOM(and, and)
YOKE_D_ATOM(or, or)
YOKE_D_ATOM(xor, xor)
YOKE_D_ATOM(xchg, exchange)
#define YOKE_D_ATOM_ONE(prefix) \
  template <class __T> \
  YOKE_D_FUNCTION auto prefix##_inc(volatile __T* __p)->decltype(yoke_atomic_add((__T*)__p, (__T)1)) { \
    return yoke_atomic_add((__T*)__p, (__T)1); \
  } \
  template <class __T> \
  YOKE_D_FUNCTION auto prefix##_dec(volatile __T* __p)->decltype(yoke_atomic_sub((__T*)__p, (__T)1)) { \
    return yoke_atomic_sub((__T*)__p, (__T)1); \
  } \
  template <class __T, class __V, class __W> \
  YOKE_D_FUNCTION auto prefix##_cmpxchg(volatile __T* __p, __V __expected, __W __desired) \
      ->decltype(yoke_atomic_compare_exchange((__T*)__p, (__T)__expected, (__T)__desired)) { \
    return yoke_atomic_compare_exchange((__T*)__p, (__T)__expected, (__T)__desired); \
  }
YOKE_D_ATOM_ONE(atomic)
YOKE_D_ATOM_ONE(atom)
template <class __From>
YOKE_D_FUNCTION yoke_half convert_half(__From __from) {
  return yoke_half((float)__from);
}
template <class __From>
YOKE_D_FUNCTION yoke_half convert_half_rte(__From __from) {
  return yoke_half((float)__from);
}
YOKE_D_FUNCTION float vload_half(size_t __at, const yoke_half* __p) { return __p[__at]; }
YOKE_D_FUNCTION void vstore_half(float __value, size_t __at, yoke_half* __p) { __p[__at] = yoke_half(__value); }
YOKE_D_FUNCTION void vstore_half_rte(float __value, size_t __at, yoke_half* __p) { __p[__at] = yoke_half(__value); }
#endif
)yoke"
