// SPDX-License-Identifier: MIT
// CUDA's handles, structures and callbacks, as in the driver's binary interface; needs no vendor header.
#ifndef YOKE_DRIVER_CUDA_ABI_ABI_HPP
#define YOKE_DRIVER_CUDA_ABI_ABI_HPP

#include <yoke/core/config.hpp>

#include <cstddef>
#include <cstdint>

namespace yoke::inline v0_1::cuda::abi {

// Names are the vendor's without the prefix; tests/driver/cuda/abi_test.cpp checks every value against <cuda.h>.

/// `CUlimit`: the limits of `cuCtxSetLimit`, in bytes or counts.
enum class limit : unsigned {
  stack_size = 0,
  printf_fifo_size = 1,
  malloc_heap_size = 2,
  dev_runtime_sync_depth = 3,
  dev_runtime_pending_launch_count = 4,
  max_l2_fetch_granularity = 5,
  persisting_l2_cache_size = 6,
  shmem_size = 7,
  cig_enabled = 8,
  cig_shmem_fallback_enabled = 9,
};

/// `CUfunc_cache`: the division of memory between L1 cache and shared memory.
enum class cache_config : unsigned {
  prefer_none = 0,
  prefer_shared = 1,
  prefer_l1 = 2,
  prefer_equal = 3,
};

/// `CUfunctionLoadingState`.
enum class function_loading_state : unsigned { unloaded = 0, loaded = 1 };

/// `CUfunction_attribute`.
enum class function_attribute : unsigned {
  max_threads_per_block = 0,
  shared_size_bytes = 1,
  const_size_bytes = 2,
  local_size_bytes = 3,
  num_regs = 4,
  ptx_version = 5,
  binary_version = 6,
  cache_mode_ca = 7,
  max_dynamic_shared_size_bytes = 8,
  preferred_shared_memory_carveout = 9,
  cluster_size_must_be_set = 10,
  required_cluster_width = 11,
  required_cluster_height = 12,
  required_cluster_depth = 13,
  non_portable_cluster_size_allowed = 14,
  cluster_scheduling_policy_preference = 15,
};

/// `CUpointer_attribute`.
enum class pointer_attribute : unsigned {
  context = 1,
  memory_type = 2,
  device_pointer = 3,
  host_pointer = 4,
  p2p_tokens = 5,
  sync_memops = 6,
  buffer_id = 7,
  is_managed = 8,
  device_ordinal = 9,
  is_legacy_cuda_ipc_capable = 10,
  range_start_addr = 11,
  range_size = 12,
  mapped = 13,
  allowed_handle_types = 14,
  is_gpu_direct_rdma_capable = 15,
  access_flags = 16,
  mempool_handle = 17,
  mapping_size = 18,
  mapping_base_addr = 19,
  memory_block_id = 20,
  is_hw_decompress_capable = 21,
};

/// `CUmemorytype`: the kind of memory on one side of a copy.
enum class memory_type : unsigned {
  host = 1,
  device = 2,
  array = 3,
  unified = 4,
};

/// `CUmem_advise`: advice on the use of managed memory.
enum class memory_advice : unsigned {
  set_read_mostly = 1,
  unset_read_mostly = 2,
  set_preferred_location = 3,
  unset_preferred_location = 4,
  set_accessed_by = 5,
  unset_accessed_by = 6,
};

/// `CUmem_range_attribute`: the attributes of a range of managed memory. From 5 on: CUDA 12.2.
enum class memory_range_attribute : unsigned {
  read_mostly = 1,
  preferred_location = 2,
  accessed_by = 3,
  last_prefetch_location = 4,
  preferred_location_type = 5,
  preferred_location_id = 6,
  last_prefetch_location_type = 7,
  last_prefetch_location_id = 8,
};

/// `CUmemLocationType`.
enum class memory_location_type : unsigned {
  invalid = 0,
  device = 1,
  host = 2,
  host_numa = 3,
  host_numa_current = 4,
};

/// `CUdevice_P2PAttribute`: the abilities of a pair of devices.
enum class p2p_attribute : unsigned {
  performance_rank = 1,
  access_supported = 2,
  native_atomic_supported = 3,
  cuda_array_access_supported = 4,
  only_partial_native_atomic_supported = 5,
};

/// `CUlaunchAttributeID`.
enum class launch_attribute_id : unsigned {
  ignore = 0,
  access_policy_window = 1,
  cooperative = 2,
  synchronization_policy = 3,
  cluster_dimension = 4,
  cluster_scheduling_policy_preference = 5,
  programmatic_stream_serialization = 6,
  programmatic_event = 7,
  priority = 8,
  mem_sync_domain_map = 9,
  mem_sync_domain = 10,
  preferred_cluster_dimension = 11,
  launch_completion_event = 12,
  device_updatable_kernel_node = 13,
  preferred_shared_memory_carveout = 14,
  nvlink_util_centric_scheduling = 16,
};

/// `CUarray_format`: the formats that the library uses. Drivers have more, for compressed and video data.
enum class array_format : unsigned {
  unsigned_int8 = 0x01,
  unsigned_int16 = 0x02,
  unsigned_int32 = 0x03,
  signed_int8 = 0x08,
  signed_int16 = 0x09,
  signed_int32 = 0x0a,
  half = 0x10,
  float_ = 0x20,
};

/// `CUresourcetype`: the memory behind a texture.
enum class resource_type : unsigned {
  array = 0,
  mipmapped_array = 1,
  linear = 2,
  pitch2d = 3,
};

/// `CUaddress_mode`.
enum class address_mode : unsigned {
  wrap = 0,
  clamp = 1,
  mirror = 2,
  border = 3,
};

/// `CUfilter_mode`.
enum class filter_mode : unsigned {
  point = 0,
  linear = 1,
};

/// `CUstreamCaptureStatus`.
enum class capture_status : unsigned {
  none = 0,
  active = 1,
  invalidated = 2,
};

/// `CUjit_option`.
enum class jit_option : unsigned {
  max_registers = 0,
  threads_per_block = 1,
  wall_time = 2,
  info_log_buffer = 3,
  info_log_buffer_size_bytes = 4,
  error_log_buffer = 5,
  error_log_buffer_size_bytes = 6,
  optimization_level = 7,
  target_from_cucontext = 8,
  target = 9,
  fallback_strategy = 10,
  generate_debug_info = 11,
  log_verbose = 12,
  generate_line_info = 13,
  cache_mode = 14,
  new_sm3x_opt = 15,
  fast_compile = 16,
  global_symbol_names = 17,
  global_symbol_addresses = 18,
  global_symbol_count = 19,
  lto = 20,
  ftz = 21,
  prec_div = 22,
  prec_sqrt = 23,
  fma = 24,
  referenced_kernel_names = 25,
  referenced_kernel_count = 26,
  referenced_variable_names = 27,
  referenced_variable_count = 28,
  optimize_unused_device_variables = 29,
  position_independent_code = 30,
  min_cta_per_sm = 31,
  max_threads_per_block = 32,
  override_directive_values = 33,
  split_compile = 34,
};

/// `CUjitInputType`.
enum class jit_input : unsigned {
  cubin = 0,
  ptx = 1,
  fatbinary = 2,
  object = 3,
  library = 4,
  nvvm = 5,
  put_types = 6,
};

/// `CUlibraryOption`.
enum class library_option : unsigned {
  host_universal_function_and_data_table = 0,
  binary_is_preserved = 1,
};

/// `CUclusterSchedulingPolicy`.
enum class cluster_scheduling : unsigned {
  default_ = 0,
  spread = 1,
  load_balancing = 2,
};

/// `CUdriverProcAddressQueryResult`: why `cuGetProcAddress` found no symbol.
enum class address_query : unsigned {
  success = 0,
  symbol_not_found = 1,
  version_not_sufficient = 2,
};

inline constexpr unsigned legacy_stream_symbols = 1u << 0;  // CU_GET_PROC_ADDRESS_LEGACY_STREAM

inline constexpr unsigned context_sched_auto = 0;
inline constexpr unsigned context_sched_spin = 1u << 0;
inline constexpr unsigned context_sched_yield = 1u << 1;
inline constexpr unsigned context_sched_blocking_sync = 1u << 2;
inline constexpr unsigned context_sched_mask = 0x07;
inline constexpr unsigned context_map_host = 1u << 3;
inline constexpr unsigned context_lmem_resize_to_max = 1u << 4;
inline constexpr unsigned context_coredump_enable = 1u << 5;
inline constexpr unsigned context_user_coredump_enable = 1u << 6;
inline constexpr unsigned context_sync_memops = 1u << 7;
inline constexpr unsigned context_flags_mask = 0xFF;

inline constexpr unsigned stream_default = 0;
inline constexpr unsigned stream_non_blocking = 1u << 0;

inline constexpr unsigned event_default = 0;
inline constexpr unsigned event_blocking_sync = 1u << 0;
inline constexpr unsigned event_disable_timing = 1u << 1;
inline constexpr unsigned event_interprocess = 1u << 2;
inline constexpr unsigned event_record_default = 0;
inline constexpr unsigned event_record_external = 1u << 0;
inline constexpr unsigned event_wait_default = 0;
inline constexpr unsigned event_wait_external = 1u << 0;

inline constexpr unsigned host_alloc_portable = 1u << 0;
inline constexpr unsigned host_alloc_device_map = 1u << 1;
inline constexpr unsigned host_alloc_write_combined = 1u << 2;
inline constexpr unsigned host_register_portable = 1u << 0;
inline constexpr unsigned host_register_device_map = 1u << 1;
inline constexpr unsigned host_register_io_memory = 1u << 2;
inline constexpr unsigned host_register_read_only = 1u << 3;

inline constexpr unsigned attach_global = 0x1;  // CU_MEM_ATTACH_...
inline constexpr unsigned attach_host = 0x2;
inline constexpr unsigned attach_single = 0x4;

inline constexpr int device_cpu = -1;  // CU_DEVICE_...: stands for the host in queries about managed memory
inline constexpr int device_invalid = -2;

inline constexpr unsigned occupancy_default = 0;
inline constexpr unsigned occupancy_disable_caching_override = 1u << 0;

}  // namespace yoke::inline v0_1::cuda::abi

// The vendor's own tags: the same types as in <cuda.h>, <nvrtc.h> and <nvJitLink.h>, which may be included too.
struct CUarray_st;
struct CUctx_st;
struct CUevent_st;
struct CUfunc_st;
struct CUkern_st;
struct CUlib_st;
struct CUlinkState_st;
struct CUmemPoolHandle_st;
struct CUmipmappedArray_st;
struct CUmod_st;
struct CUstream_st;
struct _nvrtcProgram;
struct nvJitLink;

namespace yoke::inline v0_1::cuda::abi {

/// A function pointer type with the type in front of the name. It instantiates no class for each type.
template <class Function>
using pointer_to = Function*;

using array = ::CUarray_st*;
using context = ::CUctx_st*;
using event = ::CUevent_st*;
using function = ::CUfunc_st*;
using kernel = ::CUkern_st*;
using library = ::CUlib_st*;
using link_state = ::CUlinkState_st*;
using loaded_module = ::CUmod_st*;  // a line must not begin with `module`
using memory_pool = ::CUmemPoolHandle_st*;
using mipmapped_array = ::CUmipmappedArray_st*;
using nvrtc_program = ::_nvrtcProgram*;
using nvjitlink = ::nvJitLink*;
using stream = ::CUstream_st*;

using device = int;                          // CUdevice: a handle, not an ordinal
using device_pointer = unsigned long long;   // CUdeviceptr
using texture_object = unsigned long long;   // CUtexObject
using surface_object = unsigned long long;   // CUsurfObject
using physical_memory = unsigned long long;  // CUmemGenericAllocationHandle
using status = int;                          // CUresult; the names are in status_codes.hpp
using nvrtc_status = int;                    // nvrtcResult
using nvjitlink_status = int;                // nvJitLinkResult
using uint = unsigned int;
using ulong = unsigned long long;

/// Runs on a thread of the driver. It must not call the driver.
using host_function = void (*)(void*);
/// Returns the dynamic shared memory for a block size; for the occupancy functions.
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

/// `CUDA_MEMCPY3D`, version 2, and `CUDA_MEMCPY3D_PEER`, whose contexts take the place of members that must be null in
/// the former.
struct copy_3d {
  std::size_t source_x_bytes;
  std::size_t source_y;
  std::size_t source_z;
  std::size_t source_level;
  memory_type source_type;
  const void* source_host;
  device_pointer source_device;
  array source_array;
  context source_context;
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
  context destination_context;
  std::size_t destination_pitch;
  std::size_t destination_height;

  std::size_t width_bytes;
  std::size_t height;
  std::size_t depth;
};

/// `CUipcMemHandle` and `CUipcEventHandle`: bytes that another process opens.
struct ipc_memory_handle {
  char bytes[64];
};
struct ipc_event_handle {
  char bytes[64];
};
/// `CU_IPC_MEM_LAZY_ENABLE_PEER_ACCESS`, which the driver requires.
inline constexpr unsigned ipc_memory_lazy_enable_peer_access = 1;

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

// The default streams have no object, only these values (CU_STREAM_LEGACY, CU_STREAM_PER_THREAD).
inline constexpr std::uintptr_t legacy_stream = 1;
inline constexpr std::uintptr_t per_thread_stream = 2;

// Used in place of the array of parameters of cuLaunchKernel (CU_LAUNCH_PARAM_...).
inline constexpr std::uintptr_t launch_param_end = 0;
inline constexpr std::uintptr_t launch_param_buffer_pointer = 1;
inline constexpr std::uintptr_t launch_param_buffer_size = 2;

}  // namespace yoke::inline v0_1::cuda::abi

#endif
