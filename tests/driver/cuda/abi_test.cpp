// SPDX-License-Identifier: MIT
// Our own declarations of CUDA's binary interface against <cuda.h>: sizes, offsets, values; nothing here runs.
#include <support/abi_equal.hpp>
#include <support/catch.hpp>

#include <yoke/driver/cuda/compiler/functions.hpp>

// After ours, as a user may have it; functions_test.cpp has it before.
#if __has_include(<cuda.h>)
#include <cuda.h>
#endif
#if __has_include(<nvrtc.h>)
#include <nvrtc.h>
#endif

#include <cstddef>

using namespace yoke_test;

namespace {
namespace abi = yoke::cuda::abi;
}

// True with any vendor header and with none.
static_assert(sizeof(abi::copy_2d) == 128);
static_assert(sizeof(abi::copy_3d) == 200);
static_assert(sizeof(abi::launch_attribute) == 72);
static_assert(sizeof(abi::launch_config) == 56);
static_assert(sizeof(abi::uuid) == 16);
static_assert(sizeof(abi::memory_location) == 8);

#if defined(CUDA_VERSION)
// The table of functions is checked for what it is in functions_test.cpp; here are the words it is made of.
#define YOKE_TEST_TYPE(ours, theirs) static_assert(std::is_same_v<abi::ours, theirs>);
YOKE_TEST_TYPE(array, CUarray)
YOKE_TEST_TYPE(context, CUcontext)
YOKE_TEST_TYPE(event, CUevent)
YOKE_TEST_TYPE(function, CUfunction)
YOKE_TEST_TYPE(kernel, CUkernel)
YOKE_TEST_TYPE(library, CUlibrary)
YOKE_TEST_TYPE(link_state, CUlinkState)
YOKE_TEST_TYPE(loaded_module, CUmodule)
YOKE_TEST_TYPE(memory_pool, CUmemoryPool)
YOKE_TEST_TYPE(stream, CUstream)
YOKE_TEST_TYPE(device, CUdevice)
YOKE_TEST_TYPE(device_pointer, CUdeviceptr)
YOKE_TEST_TYPE(host_function, CUhostFn)
YOKE_TEST_TYPE(block_to_shared, CUoccupancyB2DSize)
static_assert(abi_equal<abi::status, CUresult>);

#define YOKE_TEST_SIZE(ours, theirs)                                                                                   \
  static_assert(sizeof(abi::ours) == sizeof(theirs) && alignof(abi::ours) == alignof(theirs));
#define YOKE_TEST_FIELD(ours, field, theirs, vendor)                                                                   \
  static_assert(offsetof(abi::ours, field) == offsetof(theirs, vendor));                                               \
  static_assert(sizeof(abi::ours::field) == sizeof(theirs::vendor));

YOKE_TEST_SIZE(uuid, CUuuid)

YOKE_TEST_SIZE(copy_2d, CUDA_MEMCPY2D)
YOKE_TEST_FIELD(copy_2d, source_x_bytes, CUDA_MEMCPY2D, srcXInBytes)
YOKE_TEST_FIELD(copy_2d, source_y, CUDA_MEMCPY2D, srcY)
YOKE_TEST_FIELD(copy_2d, source_type, CUDA_MEMCPY2D, srcMemoryType)
YOKE_TEST_FIELD(copy_2d, source_host, CUDA_MEMCPY2D, srcHost)
YOKE_TEST_FIELD(copy_2d, source_device, CUDA_MEMCPY2D, srcDevice)
YOKE_TEST_FIELD(copy_2d, source_array, CUDA_MEMCPY2D, srcArray)
YOKE_TEST_FIELD(copy_2d, source_pitch, CUDA_MEMCPY2D, srcPitch)
YOKE_TEST_FIELD(copy_2d, destination_x_bytes, CUDA_MEMCPY2D, dstXInBytes)
YOKE_TEST_FIELD(copy_2d, destination_y, CUDA_MEMCPY2D, dstY)
YOKE_TEST_FIELD(copy_2d, destination_type, CUDA_MEMCPY2D, dstMemoryType)
YOKE_TEST_FIELD(copy_2d, destination_host, CUDA_MEMCPY2D, dstHost)
YOKE_TEST_FIELD(copy_2d, destination_device, CUDA_MEMCPY2D, dstDevice)
YOKE_TEST_FIELD(copy_2d, destination_array, CUDA_MEMCPY2D, dstArray)
YOKE_TEST_FIELD(copy_2d, destination_pitch, CUDA_MEMCPY2D, dstPitch)
YOKE_TEST_FIELD(copy_2d, width_bytes, CUDA_MEMCPY2D, WidthInBytes)
YOKE_TEST_FIELD(copy_2d, height, CUDA_MEMCPY2D, Height)

YOKE_TEST_SIZE(copy_3d, CUDA_MEMCPY3D)
YOKE_TEST_FIELD(copy_3d, source_x_bytes, CUDA_MEMCPY3D, srcXInBytes)
YOKE_TEST_FIELD(copy_3d, source_y, CUDA_MEMCPY3D, srcY)
YOKE_TEST_FIELD(copy_3d, source_z, CUDA_MEMCPY3D, srcZ)
YOKE_TEST_FIELD(copy_3d, source_level, CUDA_MEMCPY3D, srcLOD)
YOKE_TEST_FIELD(copy_3d, source_type, CUDA_MEMCPY3D, srcMemoryType)
YOKE_TEST_FIELD(copy_3d, source_host, CUDA_MEMCPY3D, srcHost)
YOKE_TEST_FIELD(copy_3d, source_device, CUDA_MEMCPY3D, srcDevice)
YOKE_TEST_FIELD(copy_3d, source_array, CUDA_MEMCPY3D, srcArray)
YOKE_TEST_FIELD(copy_3d, reserved_0, CUDA_MEMCPY3D, reserved0)
YOKE_TEST_FIELD(copy_3d, source_pitch, CUDA_MEMCPY3D, srcPitch)
YOKE_TEST_FIELD(copy_3d, source_height, CUDA_MEMCPY3D, srcHeight)
YOKE_TEST_FIELD(copy_3d, destination_x_bytes, CUDA_MEMCPY3D, dstXInBytes)
YOKE_TEST_FIELD(copy_3d, destination_y, CUDA_MEMCPY3D, dstY)
YOKE_TEST_FIELD(copy_3d, destination_z, CUDA_MEMCPY3D, dstZ)
YOKE_TEST_FIELD(copy_3d, destination_level, CUDA_MEMCPY3D, dstLOD)
YOKE_TEST_FIELD(copy_3d, destination_type, CUDA_MEMCPY3D, dstMemoryType)
YOKE_TEST_FIELD(copy_3d, destination_host, CUDA_MEMCPY3D, dstHost)
YOKE_TEST_FIELD(copy_3d, destination_device, CUDA_MEMCPY3D, dstDevice)
YOKE_TEST_FIELD(copy_3d, destination_array, CUDA_MEMCPY3D, dstArray)
YOKE_TEST_FIELD(copy_3d, reserved_1, CUDA_MEMCPY3D, reserved1)
YOKE_TEST_FIELD(copy_3d, destination_pitch, CUDA_MEMCPY3D, dstPitch)
YOKE_TEST_FIELD(copy_3d, destination_height, CUDA_MEMCPY3D, dstHeight)
YOKE_TEST_FIELD(copy_3d, width_bytes, CUDA_MEMCPY3D, WidthInBytes)
YOKE_TEST_FIELD(copy_3d, height, CUDA_MEMCPY3D, Height)
YOKE_TEST_FIELD(copy_3d, depth, CUDA_MEMCPY3D, Depth)

YOKE_TEST_SIZE(launch_config, CUlaunchConfig)
YOKE_TEST_FIELD(launch_config, grid_x, CUlaunchConfig, gridDimX)
YOKE_TEST_FIELD(launch_config, grid_y, CUlaunchConfig, gridDimY)
YOKE_TEST_FIELD(launch_config, grid_z, CUlaunchConfig, gridDimZ)
YOKE_TEST_FIELD(launch_config, block_x, CUlaunchConfig, blockDimX)
YOKE_TEST_FIELD(launch_config, block_y, CUlaunchConfig, blockDimY)
YOKE_TEST_FIELD(launch_config, block_z, CUlaunchConfig, blockDimZ)
YOKE_TEST_FIELD(launch_config, shared_bytes, CUlaunchConfig, sharedMemBytes)
YOKE_TEST_FIELD(launch_config, on, CUlaunchConfig, hStream)
YOKE_TEST_FIELD(launch_config, attributes, CUlaunchConfig, attrs)
YOKE_TEST_FIELD(launch_config, attribute_count, CUlaunchConfig, numAttrs)

YOKE_TEST_SIZE(launch_attribute, CUlaunchAttribute)
YOKE_TEST_FIELD(launch_attribute, id, CUlaunchAttribute, id)
YOKE_TEST_FIELD(launch_attribute, value, CUlaunchAttribute, value)

YOKE_TEST_SIZE(launch_attribute_value, CUlaunchAttributeValue)
YOKE_TEST_FIELD(launch_attribute_value, cooperative, CUlaunchAttributeValue, cooperative)
YOKE_TEST_FIELD(launch_attribute_value, cluster, CUlaunchAttributeValue, clusterDim)
YOKE_TEST_FIELD(launch_attribute_value, cluster.y, CUlaunchAttributeValue, clusterDim.y)
YOKE_TEST_FIELD(launch_attribute_value, cluster.z, CUlaunchAttributeValue, clusterDim.z)
YOKE_TEST_FIELD(launch_attribute_value, cluster_policy, CUlaunchAttributeValue, clusterSchedulingPolicyPreference)
YOKE_TEST_FIELD(launch_attribute_value, programmatic_serialization, CUlaunchAttributeValue,
                programmaticStreamSerializationAllowed)
YOKE_TEST_FIELD(launch_attribute_value, priority, CUlaunchAttributeValue, priority)

#define YOKE_TEST_VALUE(ours, theirs) static_assert(static_cast<unsigned long long>(abi::ours) == (theirs));
YOKE_TEST_VALUE(legacy_stream_symbols, CU_GET_PROC_ADDRESS_LEGACY_STREAM)
YOKE_TEST_VALUE(context_sched_auto, CU_CTX_SCHED_AUTO)
YOKE_TEST_VALUE(context_sched_spin, CU_CTX_SCHED_SPIN)
YOKE_TEST_VALUE(context_sched_yield, CU_CTX_SCHED_YIELD)
YOKE_TEST_VALUE(context_sched_blocking_sync, CU_CTX_SCHED_BLOCKING_SYNC)
YOKE_TEST_VALUE(context_sched_mask, CU_CTX_SCHED_MASK)
YOKE_TEST_VALUE(context_map_host, CU_CTX_MAP_HOST)
YOKE_TEST_VALUE(context_lmem_resize_to_max, CU_CTX_LMEM_RESIZE_TO_MAX)
YOKE_TEST_VALUE(stream_default, CU_STREAM_DEFAULT)
YOKE_TEST_VALUE(stream_non_blocking, CU_STREAM_NON_BLOCKING)
YOKE_TEST_VALUE(event_default, CU_EVENT_DEFAULT)
YOKE_TEST_VALUE(event_blocking_sync, CU_EVENT_BLOCKING_SYNC)
YOKE_TEST_VALUE(event_disable_timing, CU_EVENT_DISABLE_TIMING)
YOKE_TEST_VALUE(event_interprocess, CU_EVENT_INTERPROCESS)
YOKE_TEST_VALUE(event_record_default, CU_EVENT_RECORD_DEFAULT)
YOKE_TEST_VALUE(event_record_external, CU_EVENT_RECORD_EXTERNAL)
YOKE_TEST_VALUE(event_wait_default, CU_EVENT_WAIT_DEFAULT)
YOKE_TEST_VALUE(event_wait_external, CU_EVENT_WAIT_EXTERNAL)
YOKE_TEST_VALUE(host_alloc_portable, CU_MEMHOSTALLOC_PORTABLE)
YOKE_TEST_VALUE(host_alloc_device_map, CU_MEMHOSTALLOC_DEVICEMAP)
YOKE_TEST_VALUE(host_alloc_write_combined, CU_MEMHOSTALLOC_WRITECOMBINED)
YOKE_TEST_VALUE(host_register_portable, CU_MEMHOSTREGISTER_PORTABLE)
YOKE_TEST_VALUE(host_register_device_map, CU_MEMHOSTREGISTER_DEVICEMAP)
YOKE_TEST_VALUE(host_register_io_memory, CU_MEMHOSTREGISTER_IOMEMORY)
YOKE_TEST_VALUE(host_register_read_only, CU_MEMHOSTREGISTER_READ_ONLY)
YOKE_TEST_VALUE(attach_global, CU_MEM_ATTACH_GLOBAL)
YOKE_TEST_VALUE(attach_host, CU_MEM_ATTACH_HOST)
YOKE_TEST_VALUE(attach_single, CU_MEM_ATTACH_SINGLE)
static_assert(abi::device_cpu == CU_DEVICE_CPU && abi::device_invalid == CU_DEVICE_INVALID);
YOKE_TEST_VALUE(occupancy_default, CU_OCCUPANCY_DEFAULT)
YOKE_TEST_VALUE(occupancy_disable_caching_override, CU_OCCUPANCY_DISABLE_CACHING_OVERRIDE)
YOKE_TEST_VALUE(launch_param_end, CU_LAUNCH_PARAM_END_AS_INT)
YOKE_TEST_VALUE(launch_param_buffer_pointer, CU_LAUNCH_PARAM_BUFFER_POINTER_AS_INT)
YOKE_TEST_VALUE(launch_param_buffer_size, CU_LAUNCH_PARAM_BUFFER_SIZE_AS_INT)

#if CUDA_VERSION >= 13000  // older ones lack some of these
YOKE_TEST_SIZE(memory_location, CUmemLocation)
YOKE_TEST_FIELD(memory_location, type, CUmemLocation, type)
YOKE_TEST_FIELD(memory_location, id, CUmemLocation, id)
YOKE_TEST_VALUE(context_coredump_enable, CU_CTX_COREDUMP_ENABLE)
YOKE_TEST_VALUE(context_user_coredump_enable, CU_CTX_USER_COREDUMP_ENABLE)
YOKE_TEST_VALUE(context_sync_memops, CU_CTX_SYNC_MEMOPS)
YOKE_TEST_VALUE(context_flags_mask, CU_CTX_FLAGS_MASK)
YOKE_TEST_FIELD(launch_attribute_value, preferred_cluster, CUlaunchAttributeValue, preferredClusterDim)
YOKE_TEST_FIELD(launch_attribute_value, shared_carveout, CUlaunchAttributeValue, sharedMemCarveout)
YOKE_TEST_VALUE(limit::stack_size, CU_LIMIT_STACK_SIZE)
YOKE_TEST_VALUE(limit::printf_fifo_size, CU_LIMIT_PRINTF_FIFO_SIZE)
YOKE_TEST_VALUE(limit::malloc_heap_size, CU_LIMIT_MALLOC_HEAP_SIZE)
YOKE_TEST_VALUE(limit::dev_runtime_sync_depth, CU_LIMIT_DEV_RUNTIME_SYNC_DEPTH)
YOKE_TEST_VALUE(limit::dev_runtime_pending_launch_count, CU_LIMIT_DEV_RUNTIME_PENDING_LAUNCH_COUNT)
YOKE_TEST_VALUE(limit::max_l2_fetch_granularity, CU_LIMIT_MAX_L2_FETCH_GRANULARITY)
YOKE_TEST_VALUE(limit::persisting_l2_cache_size, CU_LIMIT_PERSISTING_L2_CACHE_SIZE)
YOKE_TEST_VALUE(limit::shmem_size, CU_LIMIT_SHMEM_SIZE)
YOKE_TEST_VALUE(limit::cig_enabled, CU_LIMIT_CIG_ENABLED)
YOKE_TEST_VALUE(limit::cig_shmem_fallback_enabled, CU_LIMIT_CIG_SHMEM_FALLBACK_ENABLED)
YOKE_TEST_VALUE(cache_config::prefer_none, CU_FUNC_CACHE_PREFER_NONE)
YOKE_TEST_VALUE(cache_config::prefer_shared, CU_FUNC_CACHE_PREFER_SHARED)
YOKE_TEST_VALUE(cache_config::prefer_l1, CU_FUNC_CACHE_PREFER_L1)
YOKE_TEST_VALUE(cache_config::prefer_equal, CU_FUNC_CACHE_PREFER_EQUAL)
YOKE_TEST_VALUE(function_attribute::max_threads_per_block, CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK)
YOKE_TEST_VALUE(function_attribute::shared_size_bytes, CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES)
YOKE_TEST_VALUE(function_attribute::const_size_bytes, CU_FUNC_ATTRIBUTE_CONST_SIZE_BYTES)
YOKE_TEST_VALUE(function_attribute::local_size_bytes, CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES)
YOKE_TEST_VALUE(function_attribute::num_regs, CU_FUNC_ATTRIBUTE_NUM_REGS)
YOKE_TEST_VALUE(function_attribute::ptx_version, CU_FUNC_ATTRIBUTE_PTX_VERSION)
YOKE_TEST_VALUE(function_attribute::binary_version, CU_FUNC_ATTRIBUTE_BINARY_VERSION)
YOKE_TEST_VALUE(function_attribute::cache_mode_ca, CU_FUNC_ATTRIBUTE_CACHE_MODE_CA)
YOKE_TEST_VALUE(function_attribute::max_dynamic_shared_size_bytes, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES)
YOKE_TEST_VALUE(function_attribute::preferred_shared_memory_carveout,
                CU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT)
YOKE_TEST_VALUE(function_attribute::cluster_size_must_be_set, CU_FUNC_ATTRIBUTE_CLUSTER_SIZE_MUST_BE_SET)
YOKE_TEST_VALUE(function_attribute::required_cluster_width, CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_WIDTH)
YOKE_TEST_VALUE(function_attribute::required_cluster_height, CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_HEIGHT)
YOKE_TEST_VALUE(function_attribute::required_cluster_depth, CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_DEPTH)
YOKE_TEST_VALUE(function_attribute::non_portable_cluster_size_allowed,
                CU_FUNC_ATTRIBUTE_NON_PORTABLE_CLUSTER_SIZE_ALLOWED)
YOKE_TEST_VALUE(function_attribute::cluster_scheduling_policy_preference,
                CU_FUNC_ATTRIBUTE_CLUSTER_SCHEDULING_POLICY_PREFERENCE)
YOKE_TEST_VALUE(pointer_attribute::context, CU_POINTER_ATTRIBUTE_CONTEXT)
YOKE_TEST_VALUE(pointer_attribute::memory_type, CU_POINTER_ATTRIBUTE_MEMORY_TYPE)
YOKE_TEST_VALUE(pointer_attribute::device_pointer, CU_POINTER_ATTRIBUTE_DEVICE_POINTER)
YOKE_TEST_VALUE(pointer_attribute::host_pointer, CU_POINTER_ATTRIBUTE_HOST_POINTER)
YOKE_TEST_VALUE(pointer_attribute::p2p_tokens, CU_POINTER_ATTRIBUTE_P2P_TOKENS)
YOKE_TEST_VALUE(pointer_attribute::sync_memops, CU_POINTER_ATTRIBUTE_SYNC_MEMOPS)
YOKE_TEST_VALUE(pointer_attribute::buffer_id, CU_POINTER_ATTRIBUTE_BUFFER_ID)
YOKE_TEST_VALUE(pointer_attribute::is_managed, CU_POINTER_ATTRIBUTE_IS_MANAGED)
YOKE_TEST_VALUE(pointer_attribute::device_ordinal, CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL)
YOKE_TEST_VALUE(pointer_attribute::is_legacy_cuda_ipc_capable, CU_POINTER_ATTRIBUTE_IS_LEGACY_CUDA_IPC_CAPABLE)
YOKE_TEST_VALUE(pointer_attribute::range_start_addr, CU_POINTER_ATTRIBUTE_RANGE_START_ADDR)
YOKE_TEST_VALUE(pointer_attribute::range_size, CU_POINTER_ATTRIBUTE_RANGE_SIZE)
YOKE_TEST_VALUE(pointer_attribute::mapped, CU_POINTER_ATTRIBUTE_MAPPED)
YOKE_TEST_VALUE(pointer_attribute::allowed_handle_types, CU_POINTER_ATTRIBUTE_ALLOWED_HANDLE_TYPES)
YOKE_TEST_VALUE(pointer_attribute::is_gpu_direct_rdma_capable, CU_POINTER_ATTRIBUTE_IS_GPU_DIRECT_RDMA_CAPABLE)
YOKE_TEST_VALUE(pointer_attribute::access_flags, CU_POINTER_ATTRIBUTE_ACCESS_FLAGS)
YOKE_TEST_VALUE(pointer_attribute::mempool_handle, CU_POINTER_ATTRIBUTE_MEMPOOL_HANDLE)
YOKE_TEST_VALUE(pointer_attribute::mapping_size, CU_POINTER_ATTRIBUTE_MAPPING_SIZE)
YOKE_TEST_VALUE(pointer_attribute::mapping_base_addr, CU_POINTER_ATTRIBUTE_MAPPING_BASE_ADDR)
YOKE_TEST_VALUE(pointer_attribute::memory_block_id, CU_POINTER_ATTRIBUTE_MEMORY_BLOCK_ID)
YOKE_TEST_VALUE(pointer_attribute::is_hw_decompress_capable, CU_POINTER_ATTRIBUTE_IS_HW_DECOMPRESS_CAPABLE)
YOKE_TEST_VALUE(memory_type::host, CU_MEMORYTYPE_HOST)
YOKE_TEST_VALUE(memory_type::device, CU_MEMORYTYPE_DEVICE)
YOKE_TEST_VALUE(memory_type::array, CU_MEMORYTYPE_ARRAY)
YOKE_TEST_VALUE(memory_type::unified, CU_MEMORYTYPE_UNIFIED)
YOKE_TEST_VALUE(memory_advice::set_read_mostly, CU_MEM_ADVISE_SET_READ_MOSTLY)
YOKE_TEST_VALUE(memory_advice::unset_read_mostly, CU_MEM_ADVISE_UNSET_READ_MOSTLY)
YOKE_TEST_VALUE(memory_advice::set_preferred_location, CU_MEM_ADVISE_SET_PREFERRED_LOCATION)
YOKE_TEST_VALUE(memory_advice::unset_preferred_location, CU_MEM_ADVISE_UNSET_PREFERRED_LOCATION)
YOKE_TEST_VALUE(memory_advice::set_accessed_by, CU_MEM_ADVISE_SET_ACCESSED_BY)
YOKE_TEST_VALUE(memory_advice::unset_accessed_by, CU_MEM_ADVISE_UNSET_ACCESSED_BY)
YOKE_TEST_VALUE(memory_range_attribute::read_mostly, CU_MEM_RANGE_ATTRIBUTE_READ_MOSTLY)
YOKE_TEST_VALUE(memory_range_attribute::preferred_location, CU_MEM_RANGE_ATTRIBUTE_PREFERRED_LOCATION)
YOKE_TEST_VALUE(memory_range_attribute::accessed_by, CU_MEM_RANGE_ATTRIBUTE_ACCESSED_BY)
YOKE_TEST_VALUE(memory_range_attribute::last_prefetch_location, CU_MEM_RANGE_ATTRIBUTE_LAST_PREFETCH_LOCATION)
YOKE_TEST_VALUE(memory_range_attribute::preferred_location_type, CU_MEM_RANGE_ATTRIBUTE_PREFERRED_LOCATION_TYPE)
YOKE_TEST_VALUE(memory_range_attribute::preferred_location_id, CU_MEM_RANGE_ATTRIBUTE_PREFERRED_LOCATION_ID)
YOKE_TEST_VALUE(memory_range_attribute::last_prefetch_location_type, CU_MEM_RANGE_ATTRIBUTE_LAST_PREFETCH_LOCATION_TYPE)
YOKE_TEST_VALUE(memory_range_attribute::last_prefetch_location_id, CU_MEM_RANGE_ATTRIBUTE_LAST_PREFETCH_LOCATION_ID)
YOKE_TEST_VALUE(memory_location_type::invalid, CU_MEM_LOCATION_TYPE_INVALID)
YOKE_TEST_VALUE(memory_location_type::device, CU_MEM_LOCATION_TYPE_DEVICE)
YOKE_TEST_VALUE(memory_location_type::host, CU_MEM_LOCATION_TYPE_HOST)
YOKE_TEST_VALUE(memory_location_type::host_numa, CU_MEM_LOCATION_TYPE_HOST_NUMA)
YOKE_TEST_VALUE(memory_location_type::host_numa_current, CU_MEM_LOCATION_TYPE_HOST_NUMA_CURRENT)
YOKE_TEST_VALUE(p2p_attribute::performance_rank, CU_DEVICE_P2P_ATTRIBUTE_PERFORMANCE_RANK)
YOKE_TEST_VALUE(p2p_attribute::access_supported, CU_DEVICE_P2P_ATTRIBUTE_ACCESS_SUPPORTED)
YOKE_TEST_VALUE(p2p_attribute::native_atomic_supported, CU_DEVICE_P2P_ATTRIBUTE_NATIVE_ATOMIC_SUPPORTED)
YOKE_TEST_VALUE(p2p_attribute::cuda_array_access_supported, CU_DEVICE_P2P_ATTRIBUTE_CUDA_ARRAY_ACCESS_SUPPORTED)
YOKE_TEST_VALUE(p2p_attribute::only_partial_native_atomic_supported,
                CU_DEVICE_P2P_ATTRIBUTE_ONLY_PARTIAL_NATIVE_ATOMIC_SUPPORTED)
YOKE_TEST_VALUE(pool_attribute::reuse_follow_event_dependencies, CU_MEMPOOL_ATTR_REUSE_FOLLOW_EVENT_DEPENDENCIES)
YOKE_TEST_VALUE(pool_attribute::reuse_allow_opportunistic, CU_MEMPOOL_ATTR_REUSE_ALLOW_OPPORTUNISTIC)
YOKE_TEST_VALUE(pool_attribute::reuse_allow_internal_dependencies, CU_MEMPOOL_ATTR_REUSE_ALLOW_INTERNAL_DEPENDENCIES)
YOKE_TEST_VALUE(pool_attribute::release_threshold, CU_MEMPOOL_ATTR_RELEASE_THRESHOLD)
YOKE_TEST_VALUE(pool_attribute::reserved_mem_current, CU_MEMPOOL_ATTR_RESERVED_MEM_CURRENT)
YOKE_TEST_VALUE(pool_attribute::reserved_mem_high, CU_MEMPOOL_ATTR_RESERVED_MEM_HIGH)
YOKE_TEST_VALUE(pool_attribute::used_mem_current, CU_MEMPOOL_ATTR_USED_MEM_CURRENT)
YOKE_TEST_VALUE(pool_attribute::used_mem_high, CU_MEMPOOL_ATTR_USED_MEM_HIGH)
YOKE_TEST_VALUE(launch_attribute_id::ignore, CU_LAUNCH_ATTRIBUTE_IGNORE)
YOKE_TEST_VALUE(launch_attribute_id::access_policy_window, CU_LAUNCH_ATTRIBUTE_ACCESS_POLICY_WINDOW)
YOKE_TEST_VALUE(launch_attribute_id::cooperative, CU_LAUNCH_ATTRIBUTE_COOPERATIVE)
YOKE_TEST_VALUE(launch_attribute_id::synchronization_policy, CU_LAUNCH_ATTRIBUTE_SYNCHRONIZATION_POLICY)
YOKE_TEST_VALUE(launch_attribute_id::cluster_dimension, CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION)
YOKE_TEST_VALUE(launch_attribute_id::cluster_scheduling_policy_preference,
                CU_LAUNCH_ATTRIBUTE_CLUSTER_SCHEDULING_POLICY_PREFERENCE)
YOKE_TEST_VALUE(launch_attribute_id::programmatic_stream_serialization,
                CU_LAUNCH_ATTRIBUTE_PROGRAMMATIC_STREAM_SERIALIZATION)
YOKE_TEST_VALUE(launch_attribute_id::programmatic_event, CU_LAUNCH_ATTRIBUTE_PROGRAMMATIC_EVENT)
YOKE_TEST_VALUE(launch_attribute_id::priority, CU_LAUNCH_ATTRIBUTE_PRIORITY)
YOKE_TEST_VALUE(launch_attribute_id::mem_sync_domain_map, CU_LAUNCH_ATTRIBUTE_MEM_SYNC_DOMAIN_MAP)
YOKE_TEST_VALUE(launch_attribute_id::mem_sync_domain, CU_LAUNCH_ATTRIBUTE_MEM_SYNC_DOMAIN)
YOKE_TEST_VALUE(launch_attribute_id::preferred_cluster_dimension, CU_LAUNCH_ATTRIBUTE_PREFERRED_CLUSTER_DIMENSION)
YOKE_TEST_VALUE(launch_attribute_id::launch_completion_event, CU_LAUNCH_ATTRIBUTE_LAUNCH_COMPLETION_EVENT)
YOKE_TEST_VALUE(launch_attribute_id::device_updatable_kernel_node, CU_LAUNCH_ATTRIBUTE_DEVICE_UPDATABLE_KERNEL_NODE)
YOKE_TEST_VALUE(launch_attribute_id::preferred_shared_memory_carveout,
                CU_LAUNCH_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT)
YOKE_TEST_VALUE(launch_attribute_id::nvlink_util_centric_scheduling, CU_LAUNCH_ATTRIBUTE_NVLINK_UTIL_CENTRIC_SCHEDULING)
YOKE_TEST_VALUE(capture_status::none, CU_STREAM_CAPTURE_STATUS_NONE)
YOKE_TEST_VALUE(capture_status::active, CU_STREAM_CAPTURE_STATUS_ACTIVE)
YOKE_TEST_VALUE(capture_status::invalidated, CU_STREAM_CAPTURE_STATUS_INVALIDATED)
YOKE_TEST_VALUE(jit_option::max_registers, CU_JIT_MAX_REGISTERS)
YOKE_TEST_VALUE(jit_option::threads_per_block, CU_JIT_THREADS_PER_BLOCK)
YOKE_TEST_VALUE(jit_option::wall_time, CU_JIT_WALL_TIME)
YOKE_TEST_VALUE(jit_option::info_log_buffer, CU_JIT_INFO_LOG_BUFFER)
YOKE_TEST_VALUE(jit_option::info_log_buffer_size_bytes, CU_JIT_INFO_LOG_BUFFER_SIZE_BYTES)
YOKE_TEST_VALUE(jit_option::error_log_buffer, CU_JIT_ERROR_LOG_BUFFER)
YOKE_TEST_VALUE(jit_option::error_log_buffer_size_bytes, CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES)
YOKE_TEST_VALUE(jit_option::optimization_level, CU_JIT_OPTIMIZATION_LEVEL)
YOKE_TEST_VALUE(jit_option::target_from_cucontext, CU_JIT_TARGET_FROM_CUCONTEXT)
YOKE_TEST_VALUE(jit_option::target, CU_JIT_TARGET)
YOKE_TEST_VALUE(jit_option::fallback_strategy, CU_JIT_FALLBACK_STRATEGY)
YOKE_TEST_VALUE(jit_option::generate_debug_info, CU_JIT_GENERATE_DEBUG_INFO)
YOKE_TEST_VALUE(jit_option::log_verbose, CU_JIT_LOG_VERBOSE)
YOKE_TEST_VALUE(jit_option::generate_line_info, CU_JIT_GENERATE_LINE_INFO)
YOKE_TEST_VALUE(jit_option::cache_mode, CU_JIT_CACHE_MODE)
YOKE_TEST_VALUE(jit_option::new_sm3x_opt, CU_JIT_NEW_SM3X_OPT)
YOKE_TEST_VALUE(jit_option::fast_compile, CU_JIT_FAST_COMPILE)
YOKE_TEST_VALUE(jit_option::global_symbol_names, CU_JIT_GLOBAL_SYMBOL_NAMES)
YOKE_TEST_VALUE(jit_option::global_symbol_addresses, CU_JIT_GLOBAL_SYMBOL_ADDRESSES)
YOKE_TEST_VALUE(jit_option::global_symbol_count, CU_JIT_GLOBAL_SYMBOL_COUNT)
YOKE_TEST_VALUE(jit_option::lto, CU_JIT_LTO)
YOKE_TEST_VALUE(jit_option::ftz, CU_JIT_FTZ)
YOKE_TEST_VALUE(jit_option::prec_div, CU_JIT_PREC_DIV)
YOKE_TEST_VALUE(jit_option::prec_sqrt, CU_JIT_PREC_SQRT)
YOKE_TEST_VALUE(jit_option::fma, CU_JIT_FMA)
YOKE_TEST_VALUE(jit_option::referenced_kernel_names, CU_JIT_REFERENCED_KERNEL_NAMES)
YOKE_TEST_VALUE(jit_option::referenced_kernel_count, CU_JIT_REFERENCED_KERNEL_COUNT)
YOKE_TEST_VALUE(jit_option::referenced_variable_names, CU_JIT_REFERENCED_VARIABLE_NAMES)
YOKE_TEST_VALUE(jit_option::referenced_variable_count, CU_JIT_REFERENCED_VARIABLE_COUNT)
YOKE_TEST_VALUE(jit_option::optimize_unused_device_variables, CU_JIT_OPTIMIZE_UNUSED_DEVICE_VARIABLES)
YOKE_TEST_VALUE(jit_option::position_independent_code, CU_JIT_POSITION_INDEPENDENT_CODE)
YOKE_TEST_VALUE(jit_option::min_cta_per_sm, CU_JIT_MIN_CTA_PER_SM)
YOKE_TEST_VALUE(jit_option::max_threads_per_block, CU_JIT_MAX_THREADS_PER_BLOCK)
YOKE_TEST_VALUE(jit_option::override_directive_values, CU_JIT_OVERRIDE_DIRECTIVE_VALUES)
YOKE_TEST_VALUE(jit_option::split_compile, CU_JIT_SPLIT_COMPILE)
YOKE_TEST_VALUE(jit_input::cubin, CU_JIT_INPUT_CUBIN)
YOKE_TEST_VALUE(jit_input::ptx, CU_JIT_INPUT_PTX)
YOKE_TEST_VALUE(jit_input::fatbinary, CU_JIT_INPUT_FATBINARY)
YOKE_TEST_VALUE(jit_input::object, CU_JIT_INPUT_OBJECT)
YOKE_TEST_VALUE(jit_input::library, CU_JIT_INPUT_LIBRARY)
YOKE_TEST_VALUE(jit_input::nvvm, CU_JIT_INPUT_NVVM)
YOKE_TEST_VALUE(jit_input::put_types, CU_JIT_NUM_INPUT_TYPES)
YOKE_TEST_VALUE(library_option::host_universal_function_and_data_table,
                CU_LIBRARY_HOST_UNIVERSAL_FUNCTION_AND_DATA_TABLE)
YOKE_TEST_VALUE(library_option::binary_is_preserved, CU_LIBRARY_BINARY_IS_PRESERVED)
YOKE_TEST_VALUE(cluster_scheduling::default_, CU_CLUSTER_SCHEDULING_POLICY_DEFAULT)
YOKE_TEST_VALUE(cluster_scheduling::spread, CU_CLUSTER_SCHEDULING_POLICY_SPREAD)
YOKE_TEST_VALUE(cluster_scheduling::load_balancing, CU_CLUSTER_SCHEDULING_POLICY_LOAD_BALANCING)
YOKE_TEST_VALUE(address_query::success, CU_GET_PROC_ADDRESS_SUCCESS)
YOKE_TEST_VALUE(address_query::symbol_not_found, CU_GET_PROC_ADDRESS_SYMBOL_NOT_FOUND)
YOKE_TEST_VALUE(address_query::version_not_sufficient, CU_GET_PROC_ADDRESS_VERSION_NOT_SUFFICIENT)
#endif
#endif

#if __has_include(<nvrtc.h>)
static_assert(std::is_same_v<abi::nvrtc_program, nvrtcProgram>);
static_assert(abi_equal<abi::nvrtc_status, nvrtcResult>);
#endif

TEST_CASE("CUDA's binary interface was compared with <cuda.h> when this was compiled", "[driver][cuda]") {
#if !defined(CUDA_VERSION)
  YOKE_SKIP("no header of CUDA 13 was found");
#else
  // The two streams are casts there, which no constant expression can see.
  CHECK(reinterpret_cast<CUstream>(abi::legacy_stream) == CU_STREAM_LEGACY);
  CHECK(reinterpret_cast<CUstream>(abi::per_thread_stream) == CU_STREAM_PER_THREAD);
#endif
}
