// SPDX-License-Identifier: MIT
// CUDA's handles, structures and callbacks, as in the driver's binary interface; needs no vendor header.
#ifndef YOKE_DRIVER_CUDA_ABI_HPP
#define YOKE_DRIVER_CUDA_ABI_HPP

#include <yoke/driver/cuda/enums.hpp>

#include <cstddef>
#include <cstdint>

// The vendor's own tags: the same types as in <cuda.h>, <nvrtc.h> and <nvJitLink.h>, which may be included too.
struct CUarray_st;
struct CUctx_st;
struct CUevent_st;
struct CUfunc_st;
struct CUkern_st;
struct CUlib_st;
struct CUlinkState_st;
struct CUmemPoolHandle_st;
struct CUmod_st;
struct CUstream_st;
struct _nvrtcProgram;
struct nvJitLink;

namespace yoke::inline YOKE_ABI::cuda::abi {

/// A pointer to a function, with its type in front of the name. It instantiates no class for each type.
template <class Function>
using pointer_to = Function*;

using array = ::CUarray_st*;
using context = ::CUctx_st*;
using event = ::CUevent_st*;
using function = ::CUfunc_st*;
using kernel = ::CUkern_st*;
using library = ::CUlib_st*;
using link_state = ::CUlinkState_st*;
using loaded_module = ::CUmod_st*;  // no line may begin with `module`
using memory_pool = ::CUmemPoolHandle_st*;
using nvrtc_program = ::_nvrtcProgram*;
using nvjitlink = ::nvJitLink*;
using stream = ::CUstream_st*;

using device = int;                         // CUdevice: a handle, not an ordinal
using device_pointer = unsigned long long;  // CUdeviceptr
using status = int;                         // CUresult; the names stand in status_codes.hpp
using nvrtc_status = int;                   // nvrtcResult
using nvjitlink_status = int;               // nvJitLinkResult
using uint = unsigned int;
using ulong = unsigned long long;

/// Runs on a thread of the driver. It must not call the driver.
using host_function = void (*)(void*);
/// The dynamic shared memory of a block size, for the occupancy functions.
using block_to_shared = std::size_t (*)(int);

/// `CUuuid`.
struct uuid {
  char bytes[16];
};

/// `CUmemLocation`.
struct memory_location {
  memory_location_type type;
  int id;
};

/// `CUDA_MEMCPY2D`, version 2.
struct copy_2d {
  std::size_t source_x_bytes;
  std::size_t source_y;
  memory_type source_type;
  const void* source_host;
  device_pointer source_device;
  array source_array;
  std::size_t source_pitch;

  std::size_t destination_x_bytes;
  std::size_t destination_y;
  memory_type destination_type;
  void* destination_host;
  device_pointer destination_device;
  array destination_array;
  std::size_t destination_pitch;

  std::size_t width_bytes;
  std::size_t height;
};

/// `CUDA_MEMCPY3D`, version 2.
struct copy_3d {
  std::size_t source_x_bytes;
  std::size_t source_y;
  std::size_t source_z;
  std::size_t source_level;
  memory_type source_type;
  const void* source_host;
  device_pointer source_device;
  array source_array;
  void* reserved_0;  // must be null
  std::size_t source_pitch;
  std::size_t source_height;

  std::size_t destination_x_bytes;
  std::size_t destination_y;
  std::size_t destination_z;
  std::size_t destination_level;
  memory_type destination_type;
  void* destination_host;
  device_pointer destination_device;
  array destination_array;
  void* reserved_1;  // must be null
  std::size_t destination_pitch;
  std::size_t destination_height;

  std::size_t width_bytes;
  std::size_t height;
  std::size_t depth;
};

/// Three counts of a launch.
struct launch_extent {
  uint x;
  uint y;
  uint z;
};

/// `CUlaunchAttributeValue`: the members that the library sets; the driver reads 64 bytes.
union launch_attribute_value {
  char bytes[64];
  int cooperative;
  launch_extent cluster;
  cluster_scheduling cluster_policy;
  int programmatic_serialization;
  int priority;
  launch_extent preferred_cluster;
  uint shared_carveout;
  void* aligned;  // the vendor's union holds pointers
};

/// `CUlaunchAttribute`.
struct launch_attribute {
  launch_attribute_id id;
  char padding[8 - sizeof(launch_attribute_id)];
  launch_attribute_value value;
};

/// `CUlaunchConfig`.
struct launch_config {
  uint grid_x;
  uint grid_y;
  uint grid_z;
  uint block_x;
  uint block_y;
  uint block_z;
  uint shared_bytes;
  stream on;
  launch_attribute* attributes;
  uint attribute_count;
};

/// `cuGetProcAddress` with five arguments, as drivers from 12.0 on export it under the name `cuGetProcAddress_v2`.
using get_proc_address = status(const char*, void**, int, std::uint64_t, address_query*);
/// `cuGetProcAddress` with four arguments.
using get_proc_address_v1 = status(const char*, void**, int, std::uint64_t);

// The default streams are only these values, without an object (CU_STREAM_LEGACY, CU_STREAM_PER_THREAD).
inline constexpr std::uintptr_t legacy_stream = 1;
inline constexpr std::uintptr_t per_thread_stream = 2;

// Used in place of the array of parameters of cuLaunchKernel (CU_LAUNCH_PARAM_...).
inline constexpr std::uintptr_t launch_param_end = 0;
inline constexpr std::uintptr_t launch_param_buffer_pointer = 1;
inline constexpr std::uintptr_t launch_param_buffer_size = 2;

}  // namespace yoke::inline YOKE_ABI::cuda::abi

#endif
