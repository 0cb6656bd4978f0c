// SPDX-License-Identifier: MIT
// CUDA's own vectors and 16-bit types as kernel parameters; opt-in, because it includes the vendor's headers.
#ifndef YOKE_CUDA_INTEROP_HPP
#define YOKE_CUDA_INTEROP_HPP

#include <yoke/core/half.hpp>
#include <yoke/core/type_name.hpp>
#include <yoke/cuda/vector_types.hpp>

#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_runtime_api.h>

namespace yoke::inline v0_1 {

// Each of the vendor's types has the layout of the library's type of the same kind, so that `std::bit_cast` converts
// them, and CUDA's name.
#define YOKE_D_CUDA_TYPE(theirs, cuda_name, ...)                                                                       \
  static_assert(sizeof(::theirs) == sizeof(__VA_ARGS__) && alignof(::theirs) == device_type<__VA_ARGS__>::alignment);  \
  template <>                                                                                                          \
  inline constexpr const char* device_type_name<::theirs> = device_type_name<__VA_ARGS__>;                             \
  template <>                                                                                                          \
  struct device_type<::theirs> : device_type<__VA_ARGS__> {                                                            \
    static constexpr const char* cuda = cuda_name;                                                                     \
  };
#define YOKE_D_CUDA_VECTORS(name, T)                                                                                   \
  YOKE_D_CUDA_TYPE(name##2, #name "2", vec<T, 2>)                                                                      \
  YOKE_D_CUDA_TYPE(name##3, #name "3", cuda::vec<T, 3>)
#define YOKE_D_CUDA_VECTORS_OF_FOUR(name, T)                                                                           \
  YOKE_D_CUDA_VECTORS(name, T)                                                                                         \
  YOKE_D_CUDA_TYPE(name##4, #name "4", vec<T, 4>)
YOKE_D_CUDA_VECTORS_OF_FOUR(char, signed char)
YOKE_D_CUDA_VECTORS_OF_FOUR(uchar, unsigned char)
YOKE_D_CUDA_VECTORS_OF_FOUR(short, short)
YOKE_D_CUDA_VECTORS_OF_FOUR(ushort, unsigned short)
YOKE_D_CUDA_VECTORS_OF_FOUR(int, int)
YOKE_D_CUDA_VECTORS_OF_FOUR(uint, unsigned)
YOKE_D_CUDA_VECTORS_OF_FOUR(float, float)
YOKE_D_CUDA_VECTORS(long, long)
YOKE_D_CUDA_VECTORS(ulong, unsigned long)
YOKE_D_CUDA_VECTORS(longlong, long long)
YOKE_D_CUDA_VECTORS(ulonglong, unsigned long long)
YOKE_D_CUDA_VECTORS(double, double)
#pragma GCC diagnostic push
// CUDA 13 has two names for each of its vectors of four 8-byte elements.
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"
YOKE_D_CUDA_TYPE(long4, "long4", cuda::vec<long, 4>)
YOKE_D_CUDA_TYPE(ulong4, "ulong4", cuda::vec<unsigned long, 4>)
YOKE_D_CUDA_TYPE(longlong4, "longlong4", cuda::vec<long long, 4>)
YOKE_D_CUDA_TYPE(ulonglong4, "ulonglong4", cuda::vec<unsigned long long, 4>)
YOKE_D_CUDA_TYPE(double4, "double4", cuda::vec<double, 4>)
#pragma GCC diagnostic pop
#if CUDART_VERSION >= 13000
#define YOKE_D_CUDA_FOUR(name, T)                                                                                      \
  YOKE_D_CUDA_TYPE(name##4_16a, #name "4_16a", cuda::vec<T, 4>)                                                        \
  YOKE_D_CUDA_TYPE(name##4_32a, #name "4_32a", vec<T, 4>)
YOKE_D_CUDA_FOUR(long, long)
YOKE_D_CUDA_FOUR(ulong, unsigned long)
YOKE_D_CUDA_FOUR(longlong, long long)
YOKE_D_CUDA_FOUR(ulonglong, unsigned long long)
YOKE_D_CUDA_FOUR(double, double)
#undef YOKE_D_CUDA_FOUR
#endif
YOKE_D_CUDA_TYPE(__half, "__half", half)
YOKE_D_CUDA_TYPE(__half2, "__half2", half2)
YOKE_D_CUDA_TYPE(__nv_bfloat16, "__nv_bfloat16", bfloat16)
#undef YOKE_D_CUDA_VECTORS_OF_FOUR
#undef YOKE_D_CUDA_VECTORS
#undef YOKE_D_CUDA_TYPE

}  // namespace yoke::inline v0_1

#endif
