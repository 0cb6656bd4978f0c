// SPDX-License-Identifier: MIT
// The part of OpenCL C's prelude that every source gets: qualifiers, threads, barriers, scalars, features.
R"yoke(#line 1 "yoke/core"
#define YOKE_BACKEND_OPENCL 1
#define YOKE_BACKEND_CUDA 0
#define YOKE_BACKEND_HOST 0
#if defined(cl_khr_fp64) || defined(__opencl_c_fp64)
#define YOKE_HAS_FP64 1
#ifdef cl_khr_fp64
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#endif
#else
#define YOKE_HAS_FP64 0
#endif
#ifdef cl_khr_fp16
#define YOKE_HAS_FP16 1
#pragma OPENCL EXTENSION cl_khr_fp16 : enable
#else
#define YOKE_HAS_FP16 0
#endif
#if defined(cl_khr_int64_base_atomics) && defined(cl_khr_int64_extended_atomics)
#define YOKE_HAS_INT64_ATOMICS 1
#pragma OPENCL EXTENSION cl_khr_int64_base_atomics : enable
#pragma OPENCL EXTENSION cl_khr_int64_extended_atomics : enable
#else
#define YOKE_HAS_INT64_ATOMICS 0
#endif
#if YOKE_HAS_FP64 && YOKE_HAS_INT64_ATOMICS
#define YOKE_HAS_FP64_ATOMICS 1
#else
#define YOKE_HAS_FP64_ATOMICS 0
#endif
#if defined(__NV_CL_C_VERSION)
#define YOKE_D_SUB_GROUPS_NVIDIA
#elif __OPENCL_C_VERSION__ >= 200 && defined(cl_khr_subgroups) && defined(cl_khr_subgroup_ballot) && \
    defined(cl_khr_subgroup_shuffle) && defined(cl_khr_subgroup_shuffle_relative)
#define YOKE_D_SUB_GROUPS_KHRONOS
#elif defined(cl_intel_subgroups)
#define YOKE_D_SUB_GROUPS_INTEL
#endif
#if defined(YOKE_D_SUB_GROUPS_NVIDIA) || defined(YOKE_D_SUB_GROUPS_KHRONOS) || defined(YOKE_D_SUB_GROUPS_INTEL)
#define YOKE_HAS_SUB_GROUPS 1
#else
#define YOKE_HAS_SUB_GROUPS 0
#endif
#ifdef YOKE_D_SUB_GROUPS_NVIDIA
#define YOKE_SUB_GROUP_SIZE 32
#else
#define YOKE_SUB_GROUP_SIZE 0
#endif
#pragma OPENCL FP_CONTRACT ON
#define YOKE_D_FUNCTION static inline __attribute__((overloadable))
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
#define YOKE_WORK_GROUP_SIZE(x, y, z) __attribute__((reqd_work_group_size(x, y, z)))
#define YOKE_RESIDENT_GROUPS(x, y, z, groups) YOKE_WORK_GROUP_SIZE(x, y, z)
#define YOKE_ALLOW_UNUSED
#define YOKE_D_PRAGMA(text) _Pragma(#text)
#define YOKE_UNROLL(count) YOKE_D_PRAGMA(unroll count)
#define YOKE_D_CAT(a, b) a##b
#define YOKE_CAT(a, b) YOKE_D_CAT(a, b)
#define YOKE_BARRIER_LOCAL() barrier(CLK_LOCAL_MEM_FENCE)
#define YOKE_BARRIER_GLOBAL() barrier(CLK_GLOBAL_MEM_FENCE)
#define YOKE_BARRIER() barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE)
#define YOKE_BARRIER_WARP() YOKE_BARRIER_LOCAL()
#define YOKE_FENCE_LOCAL() mem_fence(CLK_LOCAL_MEM_FENCE)
#define YOKE_FENCE_GLOBAL() mem_fence(CLK_GLOBAL_MEM_FENCE)
#define YOKE_FENCE() mem_fence(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE)
typedef char yoke_int8;
typedef uchar yoke_uint8;
typedef short yoke_int16;
typedef ushort yoke_uint16;
typedef int yoke_int32;
typedef uint yoke_uint32;
typedef long yoke_int64;
typedef ulong yoke_uint64;
typedef float yoke_float32;
#if YOKE_HAS_FP64
typedef double yoke_float64;
#endif
#define yoke_global_id32(d) ((uint)get_global_id(d))
#if __OPENCL_C_VERSION__ < 200
#define get_local_linear_id() \
  ((get_local_id(2) * get_local_size(1) + get_local_id(1)) * get_local_size(0) + get_local_id(0))
#define get_global_linear_id() \
  (((get_global_id(2) - get_global_offset(2)) * get_global_size(1) + get_global_id(1) - get_global_offset(1)) * \
       get_global_size(0) + \
   get_global_id(0) - get_global_offset(0))
#endif
)yoke"
