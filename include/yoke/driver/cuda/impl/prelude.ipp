// SPDX-License-Identifier: MIT
// The portable dialect's prelude for CUDA C++: OpenCL's words in CUDA's terms.
#ifndef YOKE_DRIVER_CUDA_IMPL_PRELUDE_IPP
#define YOKE_DRIVER_CUDA_IMPL_PRELUDE_IPP

#include <yoke/core/config.hpp>

#include <string_view>

namespace yoke::inline YOKE_ABI::cuda::detail {

// Vectors and their make functions, min, max, fma, sqrt, exp, sin and cos are CUDA's own. Dynamic local memory is one
// block a launch: an argument is its place in there.
inline constexpr std::string_view prelude_text = R"(#define YOKE_BACKEND_OPENCL 0
#define YOKE_BACKEND_CUDA 1
#define YOKE_BACKEND_HOST 0
#define YOKE_KERNEL extern "C" __global__ void
#define YOKE_GLOBAL
#define YOKE_LOCAL __shared__
#define YOKE_LOCAL_POINTER
#define YOKE_PRIVATE
#define YOKE_CONSTANT __constant__
#define YOKE_CONSTANT_POINTER
#define YOKE_RESTRICT __restrict__
#define YOKE_LOCAL_ARG(type, name) unsigned int name##_yoke_place
#define YOKE_LOCAL_BIND(type, name) \
  extern __shared__ __align__(16) unsigned char yoke_dynamic_local[]; \
  type* const name = reinterpret_cast<type*>(yoke_dynamic_local + name##_yoke_place);
#define YOKE_BARRIER_LOCAL() __syncthreads()
#define YOKE_BARRIER_GLOBAL() __syncthreads()
#define YOKE_BARRIER() __syncthreads()
typedef decltype(sizeof(0)) size_t;
typedef unsigned char uchar;
typedef unsigned short ushort;
typedef unsigned int uint;
typedef unsigned long ulong;
typedef signed char yoke_int8;
typedef unsigned char yoke_uint8;
typedef short yoke_int16;
typedef unsigned short yoke_uint16;
typedef int yoke_int32;
typedef unsigned int yoke_uint32;
typedef long yoke_int64;
typedef unsigned long yoke_uint64;
typedef float yoke_float32;
static __device__ __forceinline__ size_t yoke_axis(unsigned int x, unsigned int y, unsigned int z, unsigned int d,
                                                    unsigned int beyond) {
  return d == 0 ? x : d == 1 ? y : d == 2 ? z : beyond;
}
static __device__ __forceinline__ size_t get_local_id(unsigned int d) {
  return yoke_axis(threadIdx.x, threadIdx.y, threadIdx.z, d, 0);
}
static __device__ __forceinline__ size_t get_group_id(unsigned int d) {
  return yoke_axis(blockIdx.x, blockIdx.y, blockIdx.z, d, 0);
}
static __device__ __forceinline__ size_t get_local_size(unsigned int d) {
  return yoke_axis(blockDim.x, blockDim.y, blockDim.z, d, 1);
}
static __device__ __forceinline__ size_t get_num_groups(unsigned int d) {
  return yoke_axis(gridDim.x, gridDim.y, gridDim.z, d, 1);
}
static __device__ __forceinline__ size_t get_global_id(unsigned int d) {
  return get_group_id(d) * get_local_size(d) + get_local_id(d);
}
static __device__ __forceinline__ size_t get_global_size(unsigned int d) {
  return get_num_groups(d) * get_local_size(d);
}
static __device__ __forceinline__ size_t get_global_offset(unsigned int) { return 0; }
static __device__ __forceinline__ unsigned int get_work_dim() {
  return gridDim.z * blockDim.z > 1 ? 3 : gridDim.y * blockDim.y > 1 ? 2 : 1;
}
template <class T>
static __device__ __forceinline__ T clamp(T value, T low, T high) {
  return value < low ? low : value > high ? high : value;
}
#define yoke_atomic_add(pointer, value) atomicAdd(pointer, value)
#define yoke_atomic_sub(pointer, value) atomicSub(pointer, value)
#define yoke_atomic_min(pointer, value) atomicMin(pointer, value)
#define yoke_atomic_max(pointer, value) atomicMax(pointer, value)
#define yoke_atomic_and(pointer, value) atomicAnd(pointer, value)
#define yoke_atomic_or(pointer, value) atomicOr(pointer, value)
#define yoke_atomic_xor(pointer, value) atomicXor(pointer, value)
#define yoke_atomic_exchange(pointer, value) atomicExch(pointer, value)
#define yoke_atomic_compare_exchange(pointer, expected, desired) atomicCAS(pointer, expected, desired)
)";

}  // namespace yoke::inline YOKE_ABI::cuda::detail

#endif
