// SPDX-License-Identifier: MIT
// The portable dialect's prelude for OpenCL C: words that OpenCL C does not have itself.
#ifndef YOKE_DRIVER_OPENCL_IMPL_PRELUDE_IPP
#define YOKE_DRIVER_OPENCL_IMPL_PRELUDE_IPP

#include <yoke/core/config.hpp>

#include <string_view>

namespace yoke::inline YOKE_ABI::opencl::detail {

// Work-item functions, barriers' meaning, vectors, min, max, clamp, fma, sqrt, exp, sin and cos are OpenCL C's own.
inline constexpr std::string_view prelude_text = R"(#define YOKE_BACKEND_OPENCL 1
#define YOKE_BACKEND_CUDA 0
#define YOKE_BACKEND_HOST 0
#define YOKE_KERNEL __kernel void
#define YOKE_GLOBAL __global
#define YOKE_LOCAL __local
#define YOKE_LOCAL_POINTER __local
#define YOKE_PRIVATE __private
#define YOKE_CONSTANT __constant
#define YOKE_CONSTANT_POINTER __constant
#define YOKE_RESTRICT restrict
#define YOKE_LOCAL_ARG(type, name) __local type* name
#define YOKE_LOCAL_BIND(type, name)
#define YOKE_BARRIER_LOCAL() barrier(CLK_LOCAL_MEM_FENCE)
#define YOKE_BARRIER_GLOBAL() barrier(CLK_GLOBAL_MEM_FENCE)
#define YOKE_BARRIER() barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE)
#define yoke_atomic_add(pointer, value) atomic_add(pointer, value)
#define yoke_atomic_sub(pointer, value) atomic_sub(pointer, value)
#define yoke_atomic_min(pointer, value) atomic_min(pointer, value)
#define yoke_atomic_max(pointer, value) atomic_max(pointer, value)
#define yoke_atomic_and(pointer, value) atomic_and(pointer, value)
#define yoke_atomic_or(pointer, value) atomic_or(pointer, value)
#define yoke_atomic_xor(pointer, value) atomic_xor(pointer, value)
#define yoke_atomic_exchange(pointer, value) atomic_xchg(pointer, value)
#define yoke_atomic_compare_exchange(pointer, expected, desired) atomic_cmpxchg(pointer, expected, desired)
#define make_float2(x, y) ((float2)((x), (y)))
#define make_float4(x, y, z, w) ((float4)((x), (y), (z), (w)))
#define make_int2(x, y) ((int2)((x), (y)))
#define make_int4(x, y, z, w) ((int4)((x), (y), (z), (w)))
typedef char yoke_int8;
typedef uchar yoke_uint8;
typedef short yoke_int16;
typedef ushort yoke_uint16;
typedef int yoke_int32;
typedef uint yoke_uint32;
typedef long yoke_int64;
typedef ulong yoke_uint64;
typedef float yoke_float32;
)";

}  // namespace yoke::inline YOKE_ABI::opencl::detail

#endif
