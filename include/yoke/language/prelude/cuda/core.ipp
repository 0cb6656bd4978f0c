// SPDX-License-Identifier: MIT
// The part of CUDA's prelude that every source gets: qualifiers, threads, barriers, scalars, features.
R"yoke(#line 1 "yoke/core"
#define YOKE_BACKEND_OPENCL 0
#define YOKE_BACKEND_CUDA 1
#define YOKE_BACKEND_HOST 0
#define YOKE_HAS_FP64 1
#define YOKE_HAS_FP16 1
#define YOKE_HAS_INT64_ATOMICS 1
#define YOKE_HAS_FP64_ATOMICS 1
#define YOKE_HAS_SUB_GROUPS 1
#define YOKE_SUB_GROUP_SIZE 32
#ifndef __YOKE_SIMULATOR__
// NVRTC makes these of the words `global`, `shared` and the like, which a program may define.
#undef __global__
#undef __shared__
#undef __constant__
#undef __device__
#define __global__ __attribute__((__global__))
#define __shared__ __attribute__((__shared__))
#define __constant__ __attribute__((__constant__))
#define __device__ __attribute__((__device__))
#endif
#define YOKE_D_FUNCTION static __device__ __forceinline__
#define YOKE_KERNEL __global__ void
#define YOKE_GLOBAL
#define YOKE_LOCAL __shared__
#define YOKE_LOCAL_POINTER
#define YOKE_PRIVATE
#define YOKE_CONSTANT __constant__
#define YOKE_CONSTANT_POINTER
#define YOKE_RESTRICT __restrict__
template <class __t>
struct yoke_d_place {
  unsigned int __at;
  __device__ yoke_d_place(unsigned int __place) : __at(__place) {}
};
#define YOKE_LOCAL_ARG(type, name) yoke_d_place<type> name##_yoke_place
#define YOKE_LOCAL_BIND(type, name) \
  extern __shared__ __align__(16) unsigned char yoke_dynamic_local[]; \
  type* const name = reinterpret_cast<type*>(yoke_dynamic_local + name##_yoke_place.__at);
#define YOKE_WORK_GROUP_SIZE(x, y, z) __launch_bounds__((x) * (y) * (z))
#define YOKE_RESIDENT_GROUPS(x, y, z, groups) __launch_bounds__((x) * (y) * (z), groups)
#define YOKE_D_PRAGMA(text) _Pragma(#text)
#if defined __GNUC__ || defined __YOKE_SIMULATOR__
#define YOKE_UNROLL(count) YOKE_D_PRAGMA(GCC unroll count)
#define YOKE_ALLOW_UNUSED _Pragma("GCC diagnostic ignored \"-Wunused\"")
#else
#define YOKE_UNROLL(count) YOKE_D_PRAGMA(unroll count)
#define YOKE_ALLOW_UNUSED _Pragma("nv_diag_suppress 177, 550")
#endif
#define YOKE_D_CAT(a, b) a##b
#define YOKE_CAT(a, b) YOKE_D_CAT(a, b)
#define YOKE_BARRIER_LOCAL() __syncthreads()
#define YOKE_BARRIER_GLOBAL() __syncthreads()
#define YOKE_BARRIER() __syncthreads()
#define YOKE_BARRIER_WARP() __syncwarp()
#define YOKE_FENCE_LOCAL() __threadfence_block()
#define YOKE_FENCE_GLOBAL() __threadfence()
#define YOKE_FENCE() __threadfence()
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
typedef double yoke_float64;
YOKE_D_FUNCTION size_t yoke_d_axis(uint __x, uint __y, uint __z, uint __d, uint __beyond) {
  return __d == 0 ? __x : __d == 1 ? __y : __d == 2 ? __z : __beyond;
}
YOKE_D_FUNCTION size_t get_local_id(uint __d) { return yoke_d_axis(threadIdx.x, threadIdx.y, threadIdx.z, __d, 0); }
YOKE_D_FUNCTION size_t get_group_id(uint __d) { return yoke_d_axis(blockIdx.x, blockIdx.y, blockIdx.z, __d, 0); }
YOKE_D_FUNCTION size_t get_local_size(uint __d) { return yoke_d_axis(blockDim.x, blockDim.y, blockDim.z, __d, 1); }
YOKE_D_FUNCTION size_t get_num_groups(uint __d) { return yoke_d_axis(gridDim.x, gridDim.y, gridDim.z, __d, 1); }
YOKE_D_FUNCTION size_t get_global_id(uint __d) { return get_group_id(__d) * get_local_size(__d) + get_local_id(__d); }
YOKE_D_FUNCTION size_t get_global_size(uint __d) { return get_num_groups(__d) * get_local_size(__d); }
YOKE_D_FUNCTION size_t get_global_offset(uint) { return 0; }
YOKE_D_FUNCTION uint get_work_dim() {
  return gridDim.z * blockDim.z > 1 ? 3 : gridDim.y * blockDim.y > 1 ? 2 : 1;
}
YOKE_D_FUNCTION uint yoke_global_id32(uint __d) {
  return __d == 0   ? blockIdx.x * blockDim.x + threadIdx.x
         : __d == 1 ? blockIdx.y * blockDim.y + threadIdx.y
         : __d == 2 ? blockIdx.z * blockDim.z + threadIdx.z
                  : 0;
}
YOKE_D_FUNCTION size_t get_local_linear_id() {
  return (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
}
YOKE_D_FUNCTION size_t get_global_linear_id() {
  return (get_global_id(2) * get_global_size(1) + get_global_id(1)) * get_global_size(0) + get_global_id(0);
}
)yoke"
