// SPDX-License-Identifier: MIT
// Device attributes as typed keys: `cuda::info::multiprocessor_count` is an int, `cuda::info::integrated` a bool.
#ifndef YOKE_DRIVER_CUDA_DEVICE_INFO_HPP
#define YOKE_DRIVER_CUDA_DEVICE_INFO_HPP

#include <yoke/core/error.hpp>
#include <yoke/driver/cuda/abi/functions.hpp>

#include <optional>

namespace yoke::inline v0_1::cuda {

/// Who may use a device: `CUcomputemode`.
enum class compute_mode : int {
  shared = 0,             ///< any number of contexts
  prohibited = 2,         ///< no context
  exclusive_process = 3,  ///< the contexts of one process at a time
};

/// `CUdeviceNumaConfig`.
enum class numa_config : int { none = 0, numa_node = 1 };

/// Who sees remote writes without a flush: `CUGPUDirectRDMAWritesOrdering`.
enum class rdma_writes_ordering : int { none = 0, owner = 100, all_devices = 200 };

/// A device attribute and the type of its value.
template <class Value>
struct device_attribute {
  using value_type = Value;
  int code;          ///< `CU_DEVICE_ATTRIBUTE_...`
  const char* name;  ///< the constant's name
  int since;         ///< a driver version that has the attribute, perhaps not the first one; 12000: every supported one
};

// X(name, constant, code, driver version, type)
#define YOKE_CUDA_DEVICE_ATTRIBUTES(X)                                                                                 \
  X(max_threads_per_block, "CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_BLOCK", 1, 12000, int)                                 \
  X(max_block_dim_x, "CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_X", 2, 12000, int)                                             \
  X(max_block_dim_y, "CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_Y", 3, 12000, int)                                             \
  X(max_block_dim_z, "CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_Z", 4, 12000, int)                                             \
  X(max_grid_dim_x, "CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_X", 5, 12000, int)                                               \
  X(max_grid_dim_y, "CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_Y", 6, 12000, int)                                               \
  X(max_grid_dim_z, "CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_Z", 7, 12000, int)                                               \
  X(max_shared_memory_per_block, "CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK", 8, 12000, int)                     \
  X(total_constant_memory, "CU_DEVICE_ATTRIBUTE_TOTAL_CONSTANT_MEMORY", 9, 12000, int)                                 \
  X(warp_size, "CU_DEVICE_ATTRIBUTE_WARP_SIZE", 10, 12000, int)                                                        \
  X(max_pitch, "CU_DEVICE_ATTRIBUTE_MAX_PITCH", 11, 12000, int)                                                        \
  X(max_registers_per_block, "CU_DEVICE_ATTRIBUTE_MAX_REGISTERS_PER_BLOCK", 12, 12000, int)                            \
  X(clock_rate, "CU_DEVICE_ATTRIBUTE_CLOCK_RATE", 13, 12000, int)                                                      \
  X(texture_alignment, "CU_DEVICE_ATTRIBUTE_TEXTURE_ALIGNMENT", 14, 12000, int)                                        \
  X(gpu_overlap, "CU_DEVICE_ATTRIBUTE_GPU_OVERLAP", 15, 12000, bool)                                                   \
  X(multiprocessor_count, "CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT", 16, 12000, int)                                  \
  X(kernel_exec_timeout, "CU_DEVICE_ATTRIBUTE_KERNEL_EXEC_TIMEOUT", 17, 12000, bool)                                   \
  X(integrated, "CU_DEVICE_ATTRIBUTE_INTEGRATED", 18, 12000, bool)                                                     \
  X(can_map_host_memory, "CU_DEVICE_ATTRIBUTE_CAN_MAP_HOST_MEMORY", 19, 12000, bool)                                   \
  X(compute_mode, "CU_DEVICE_ATTRIBUTE_COMPUTE_MODE", 20, 12000, compute_mode)                                         \
  X(maximum_texture1d_width, "CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE1D_WIDTH", 21, 12000, int)                            \
  X(maximum_texture2d_width, "CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_WIDTH", 22, 12000, int)                            \
  X(maximum_texture2d_height, "CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_HEIGHT", 23, 12000, int)                          \
  X(maximum_texture3d_width, "CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE3D_WIDTH", 24, 12000, int)                            \
  X(maximum_texture3d_height, "CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE3D_HEIGHT", 25, 12000, int)                          \
  X(maximum_texture3d_depth, "CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE3D_DEPTH", 26, 12000, int)                            \
  X(maximum_texture2d_layered_width, "CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_LAYERED_WIDTH", 27, 12000, int)            \
  X(maximum_texture2d_layered_height, "CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_LAYERED_HEIGHT", 28, 12000, int)          \
  X(maximum_texture2d_layered_layers, "CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_LAYERED_LAYERS", 29, 12000, int)          \
  X(surface_alignment, "CU_DEVICE_ATTRIBUTE_SURFACE_ALIGNMENT", 30, 12000, int)                                        \
  X(concurrent_kernels, "CU_DEVICE_ATTRIBUTE_CONCURRENT_KERNELS", 31, 12000, bool)                                     \
  X(ecc_enabled, "CU_DEVICE_ATTRIBUTE_ECC_ENABLED", 32, 12000, bool)                                                   \
  X(pci_bus_id, "CU_DEVICE_ATTRIBUTE_PCI_BUS_ID", 33, 12000, int)                                                      \
  X(pci_device_id, "CU_DEVICE_ATTRIBUTE_PCI_DEVICE_ID", 34, 12000, int)                                                \
  X(tcc_driver, "CU_DEVICE_ATTRIBUTE_TCC_DRIVER", 35, 12000, bool)                                                     \
  X(memory_clock_rate, "CU_DEVICE_ATTRIBUTE_MEMORY_CLOCK_RATE", 36, 12000, int)                                        \
  X(global_memory_bus_width, "CU_DEVICE_ATTRIBUTE_GLOBAL_MEMORY_BUS_WIDTH", 37, 12000, int)                            \
  X(l2_cache_size, "CU_DEVICE_ATTRIBUTE_L2_CACHE_SIZE", 38, 12000, int)                                                \
  X(max_threads_per_multiprocessor, "CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_MULTIPROCESSOR", 39, 12000, int)              \
  X(async_engine_count, "CU_DEVICE_ATTRIBUTE_ASYNC_ENGINE_COUNT", 40, 12000, int)                                      \
  X(unified_addressing, "CU_DEVICE_ATTRIBUTE_UNIFIED_ADDRESSING", 41, 12000, bool)                                     \
  X(maximum_texture1d_layered_width, "CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE1D_LAYERED_WIDTH", 42, 12000, int)            \
  X(maximum_texture1d_layered_layers, "CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE1D_LAYERED_LAYERS", 43, 12000, int)          \
  X(can_tex2d_gather, "CU_DEVICE_ATTRIBUTE_CAN_TEX2D_GATHER", 44, 12000, bool)                                         \
  X(maximum_texture2d_gather_width, "CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_GATHER_WIDTH", 45, 12000, int)              \
  X(maximum_texture2d_gather_height, "CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_GATHER_HEIGHT", 46, 12000, int)            \
  X(maximum_texture3d_width_alternate, "CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE3D_WIDTH_ALTERNATE", 47, 12000, int)        \
  X(maximum_texture3d_height_alternate, "CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE3D_HEIGHT_ALTERNATE", 48, 12000, int)      \
  X(maximum_texture3d_depth_alternate, "CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE3D_DEPTH_ALTERNATE", 49, 12000, int)        \
  X(pci_domain_id, "CU_DEVICE_ATTRIBUTE_PCI_DOMAIN_ID", 50, 12000, int)                                                \
  X(texture_pitch_alignment, "CU_DEVICE_ATTRIBUTE_TEXTURE_PITCH_ALIGNMENT", 51, 12000, int)                            \
  X(maximum_texturecubemap_width, "CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURECUBEMAP_WIDTH", 52, 12000, int)                  \
  X(maximum_texturecubemap_layered_width, "CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURECUBEMAP_LAYERED_WIDTH", 53, 12000, int)  \
  X(maximum_texturecubemap_layered_layers, "CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURECUBEMAP_LAYERED_LAYERS", 54, 12000,     \
    int)                                                                                                               \
  X(maximum_surface1d_width, "CU_DEVICE_ATTRIBUTE_MAXIMUM_SURFACE1D_WIDTH", 55, 12000, int)                            \
  X(maximum_surface2d_width, "CU_DEVICE_ATTRIBUTE_MAXIMUM_SURFACE2D_WIDTH", 56, 12000, int)                            \
  X(maximum_surface2d_height, "CU_DEVICE_ATTRIBUTE_MAXIMUM_SURFACE2D_HEIGHT", 57, 12000, int)                          \
  X(maximum_surface3d_width, "CU_DEVICE_ATTRIBUTE_MAXIMUM_SURFACE3D_WIDTH", 58, 12000, int)                            \
  X(maximum_surface3d_height, "CU_DEVICE_ATTRIBUTE_MAXIMUM_SURFACE3D_HEIGHT", 59, 12000, int)                          \
  X(maximum_surface3d_depth, "CU_DEVICE_ATTRIBUTE_MAXIMUM_SURFACE3D_DEPTH", 60, 12000, int)                            \
  X(maximum_surface1d_layered_width, "CU_DEVICE_ATTRIBUTE_MAXIMUM_SURFACE1D_LAYERED_WIDTH", 61, 12000, int)            \
  X(maximum_surface1d_layered_layers, "CU_DEVICE_ATTRIBUTE_MAXIMUM_SURFACE1D_LAYERED_LAYERS", 62, 12000, int)          \
  X(maximum_surface2d_layered_width, "CU_DEVICE_ATTRIBUTE_MAXIMUM_SURFACE2D_LAYERED_WIDTH", 63, 12000, int)            \
  X(maximum_surface2d_layered_height, "CU_DEVICE_ATTRIBUTE_MAXIMUM_SURFACE2D_LAYERED_HEIGHT", 64, 12000, int)          \
  X(maximum_surface2d_layered_layers, "CU_DEVICE_ATTRIBUTE_MAXIMUM_SURFACE2D_LAYERED_LAYERS", 65, 12000, int)          \
  X(maximum_surfacecubemap_width, "CU_DEVICE_ATTRIBUTE_MAXIMUM_SURFACECUBEMAP_WIDTH", 66, 12000, int)                  \
  X(maximum_surfacecubemap_layered_width, "CU_DEVICE_ATTRIBUTE_MAXIMUM_SURFACECUBEMAP_LAYERED_WIDTH", 67, 12000, int)  \
  X(maximum_surfacecubemap_layered_layers, "CU_DEVICE_ATTRIBUTE_MAXIMUM_SURFACECUBEMAP_LAYERED_LAYERS", 68, 12000,     \
    int)                                                                                                               \
  X(maximum_texture1d_linear_width, "CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE1D_LINEAR_WIDTH", 69, 12000, int)              \
  X(maximum_texture2d_linear_width, "CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_LINEAR_WIDTH", 70, 12000, int)              \
  X(maximum_texture2d_linear_height, "CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_LINEAR_HEIGHT", 71, 12000, int)            \
  X(maximum_texture2d_linear_pitch, "CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_LINEAR_PITCH", 72, 12000, int)              \
  X(maximum_texture2d_mipmapped_width, "CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_MIPMAPPED_WIDTH", 73, 12000, int)        \
  X(maximum_texture2d_mipmapped_height, "CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_MIPMAPPED_HEIGHT", 74, 12000, int)      \
  X(compute_capability_major, "CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR", 75, 12000, int)                          \
  X(compute_capability_minor, "CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR", 76, 12000, int)                          \
  X(maximum_texture1d_mipmapped_width, "CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE1D_MIPMAPPED_WIDTH", 77, 12000, int)        \
  X(stream_priorities_supported, "CU_DEVICE_ATTRIBUTE_STREAM_PRIORITIES_SUPPORTED", 78, 12000, bool)                   \
  X(global_l1_cache_supported, "CU_DEVICE_ATTRIBUTE_GLOBAL_L1_CACHE_SUPPORTED", 79, 12000, bool)                       \
  X(local_l1_cache_supported, "CU_DEVICE_ATTRIBUTE_LOCAL_L1_CACHE_SUPPORTED", 80, 12000, bool)                         \
  X(max_shared_memory_per_multiprocessor, "CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_MULTIPROCESSOR", 81, 12000, int)  \
  X(max_registers_per_multiprocessor, "CU_DEVICE_ATTRIBUTE_MAX_REGISTERS_PER_MULTIPROCESSOR", 82, 12000, int)          \
  X(managed_memory, "CU_DEVICE_ATTRIBUTE_MANAGED_MEMORY", 83, 12000, bool)                                             \
  X(multi_gpu_board, "CU_DEVICE_ATTRIBUTE_MULTI_GPU_BOARD", 84, 12000, bool)                                           \
  X(multi_gpu_board_group_id, "CU_DEVICE_ATTRIBUTE_MULTI_GPU_BOARD_GROUP_ID", 85, 12000, int)                          \
  X(host_native_atomic_supported, "CU_DEVICE_ATTRIBUTE_HOST_NATIVE_ATOMIC_SUPPORTED", 86, 12000, bool)                 \
  X(single_to_double_precision_perf_ratio, "CU_DEVICE_ATTRIBUTE_SINGLE_TO_DOUBLE_PRECISION_PERF_RATIO", 87, 12000,     \
    int)                                                                                                               \
  X(pageable_memory_access, "CU_DEVICE_ATTRIBUTE_PAGEABLE_MEMORY_ACCESS", 88, 12000, bool)                             \
  X(concurrent_managed_access, "CU_DEVICE_ATTRIBUTE_CONCURRENT_MANAGED_ACCESS", 89, 12000, bool)                       \
  X(compute_preemption_supported, "CU_DEVICE_ATTRIBUTE_COMPUTE_PREEMPTION_SUPPORTED", 90, 12000, bool)                 \
  X(can_use_host_pointer_for_registered_mem, "CU_DEVICE_ATTRIBUTE_CAN_USE_HOST_POINTER_FOR_REGISTERED_MEM", 91, 12000, \
    bool)                                                                                                              \
  X(can_use_stream_mem_ops_v1, "CU_DEVICE_ATTRIBUTE_CAN_USE_STREAM_MEM_OPS_V1", 92, 12000, bool)                       \
  X(can_use_64_bit_stream_mem_ops_v1, "CU_DEVICE_ATTRIBUTE_CAN_USE_64_BIT_STREAM_MEM_OPS_V1", 93, 12000, bool)         \
  X(can_use_stream_wait_value_nor_v1, "CU_DEVICE_ATTRIBUTE_CAN_USE_STREAM_WAIT_VALUE_NOR_V1", 94, 12000, bool)         \
  X(cooperative_launch, "CU_DEVICE_ATTRIBUTE_COOPERATIVE_LAUNCH", 95, 12000, bool)                                     \
  X(cooperative_multi_device_launch, "CU_DEVICE_ATTRIBUTE_COOPERATIVE_MULTI_DEVICE_LAUNCH", 96, 12000, bool)           \
  X(max_shared_memory_per_block_optin, "CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN", 97, 12000, int)        \
  X(can_flush_remote_writes, "CU_DEVICE_ATTRIBUTE_CAN_FLUSH_REMOTE_WRITES", 98, 12000, bool)                           \
  X(host_register_supported, "CU_DEVICE_ATTRIBUTE_HOST_REGISTER_SUPPORTED", 99, 12000, bool)                           \
  X(pageable_memory_access_uses_host_page_tables, "CU_DEVICE_ATTRIBUTE_PAGEABLE_MEMORY_ACCESS_USES_HOST_PAGE_TABLES",  \
    100, 12000, bool)                                                                                                  \
  X(direct_managed_mem_access_from_host, "CU_DEVICE_ATTRIBUTE_DIRECT_MANAGED_MEM_ACCESS_FROM_HOST", 101, 12000, bool)  \
  X(virtual_memory_management_supported, "CU_DEVICE_ATTRIBUTE_VIRTUAL_MEMORY_MANAGEMENT_SUPPORTED", 102, 12000, bool)  \
  X(handle_type_posix_file_descriptor_supported, "CU_DEVICE_ATTRIBUTE_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR_SUPPORTED",    \
    103, 12000, bool)                                                                                                  \
  X(handle_type_win32_handle_supported, "CU_DEVICE_ATTRIBUTE_HANDLE_TYPE_WIN32_HANDLE_SUPPORTED", 104, 12000, bool)    \
  X(handle_type_win32_kmt_handle_supported, "CU_DEVICE_ATTRIBUTE_HANDLE_TYPE_WIN32_KMT_HANDLE_SUPPORTED", 105, 12000,  \
    bool)                                                                                                              \
  X(max_blocks_per_multiprocessor, "CU_DEVICE_ATTRIBUTE_MAX_BLOCKS_PER_MULTIPROCESSOR", 106, 12000, int)               \
  X(generic_compression_supported, "CU_DEVICE_ATTRIBUTE_GENERIC_COMPRESSION_SUPPORTED", 107, 12000, bool)              \
  X(max_persisting_l2_cache_size, "CU_DEVICE_ATTRIBUTE_MAX_PERSISTING_L2_CACHE_SIZE", 108, 12000, int)                 \
  X(max_access_policy_window_size, "CU_DEVICE_ATTRIBUTE_MAX_ACCESS_POLICY_WINDOW_SIZE", 109, 12000, int)               \
  X(gpu_direct_rdma_with_cuda_vmm_supported, "CU_DEVICE_ATTRIBUTE_GPU_DIRECT_RDMA_WITH_CUDA_VMM_SUPPORTED", 110,       \
    12000, bool)                                                                                                       \
  X(reserved_shared_memory_per_block, "CU_DEVICE_ATTRIBUTE_RESERVED_SHARED_MEMORY_PER_BLOCK", 111, 12000, int)         \
  X(sparse_cuda_array_supported, "CU_DEVICE_ATTRIBUTE_SPARSE_CUDA_ARRAY_SUPPORTED", 112, 12000, bool)                  \
  X(read_only_host_register_supported, "CU_DEVICE_ATTRIBUTE_READ_ONLY_HOST_REGISTER_SUPPORTED", 113, 12000, bool)      \
  X(timeline_semaphore_interop_supported, "CU_DEVICE_ATTRIBUTE_TIMELINE_SEMAPHORE_INTEROP_SUPPORTED", 114, 12000,      \
    bool)                                                                                                              \
  X(memory_pools_supported, "CU_DEVICE_ATTRIBUTE_MEMORY_POOLS_SUPPORTED", 115, 12000, bool)                            \
  X(gpu_direct_rdma_supported, "CU_DEVICE_ATTRIBUTE_GPU_DIRECT_RDMA_SUPPORTED", 116, 12000, bool)                      \
  X(gpu_direct_rdma_flush_writes_options, "CU_DEVICE_ATTRIBUTE_GPU_DIRECT_RDMA_FLUSH_WRITES_OPTIONS", 117, 12000,      \
    std::uint32_t)                                                                                                     \
  X(gpu_direct_rdma_writes_ordering, "CU_DEVICE_ATTRIBUTE_GPU_DIRECT_RDMA_WRITES_ORDERING", 118, 12000,                \
    rdma_writes_ordering)                                                                                              \
  X(mempool_supported_handle_types, "CU_DEVICE_ATTRIBUTE_MEMPOOL_SUPPORTED_HANDLE_TYPES", 119, 12000, std::uint32_t)   \
  X(cluster_launch, "CU_DEVICE_ATTRIBUTE_CLUSTER_LAUNCH", 120, 12000, bool)                                            \
  X(deferred_mapping_cuda_array_supported, "CU_DEVICE_ATTRIBUTE_DEFERRED_MAPPING_CUDA_ARRAY_SUPPORTED", 121, 12000,    \
    bool)                                                                                                              \
  X(can_use_64_bit_stream_mem_ops, "CU_DEVICE_ATTRIBUTE_CAN_USE_64_BIT_STREAM_MEM_OPS", 122, 12000, bool)              \
  X(can_use_stream_wait_value_nor, "CU_DEVICE_ATTRIBUTE_CAN_USE_STREAM_WAIT_VALUE_NOR", 123, 12000, bool)              \
  X(dma_buf_supported, "CU_DEVICE_ATTRIBUTE_DMA_BUF_SUPPORTED", 124, 12000, bool)                                      \
  X(ipc_event_supported, "CU_DEVICE_ATTRIBUTE_IPC_EVENT_SUPPORTED", 125, 12000, bool)                                  \
  X(mem_sync_domain_count, "CU_DEVICE_ATTRIBUTE_MEM_SYNC_DOMAIN_COUNT", 126, 12000, int)                               \
  X(tensor_map_access_supported, "CU_DEVICE_ATTRIBUTE_TENSOR_MAP_ACCESS_SUPPORTED", 127, 12000, bool)                  \
  X(handle_type_fabric_supported, "CU_DEVICE_ATTRIBUTE_HANDLE_TYPE_FABRIC_SUPPORTED", 128, 13000, bool)                \
  X(unified_function_pointers, "CU_DEVICE_ATTRIBUTE_UNIFIED_FUNCTION_POINTERS", 129, 12000, bool)                      \
  X(numa_config, "CU_DEVICE_ATTRIBUTE_NUMA_CONFIG", 130, 12020, numa_config)                                           \
  X(numa_id, "CU_DEVICE_ATTRIBUTE_NUMA_ID", 131, 12020, int)                                                           \
  X(multicast_supported, "CU_DEVICE_ATTRIBUTE_MULTICAST_SUPPORTED", 132, 12010, bool)                                  \
  X(mps_enabled, "CU_DEVICE_ATTRIBUTE_MPS_ENABLED", 133, 12030, bool)                                                  \
  X(host_numa_id, "CU_DEVICE_ATTRIBUTE_HOST_NUMA_ID", 134, 13000, int)                                                 \
  X(d3d12_cig_supported, "CU_DEVICE_ATTRIBUTE_D3D12_CIG_SUPPORTED", 135, 13000, bool)                                  \
  X(mem_decompress_algorithm_mask, "CU_DEVICE_ATTRIBUTE_MEM_DECOMPRESS_ALGORITHM_MASK", 136, 13000, std::uint32_t)     \
  X(mem_decompress_maximum_length, "CU_DEVICE_ATTRIBUTE_MEM_DECOMPRESS_MAXIMUM_LENGTH", 137, 13000, int)               \
  X(vulkan_cig_supported, "CU_DEVICE_ATTRIBUTE_VULKAN_CIG_SUPPORTED", 138, 13000, bool)                                \
  X(gpu_pci_device_id, "CU_DEVICE_ATTRIBUTE_GPU_PCI_DEVICE_ID", 139, 13000, std::uint32_t)                             \
  X(gpu_pci_subsystem_id, "CU_DEVICE_ATTRIBUTE_GPU_PCI_SUBSYSTEM_ID", 140, 13000, std::uint32_t)                       \
  X(host_numa_virtual_memory_management_supported,                                                                     \
    "CU_DEVICE_ATTRIBUTE_HOST_NUMA_VIRTUAL_MEMORY_MANAGEMENT_SUPPORTED", 141, 13000, bool)                             \
  X(host_numa_memory_pools_supported, "CU_DEVICE_ATTRIBUTE_HOST_NUMA_MEMORY_POOLS_SUPPORTED", 142, 13000, bool)        \
  X(host_numa_multinode_ipc_supported, "CU_DEVICE_ATTRIBUTE_HOST_NUMA_MULTINODE_IPC_SUPPORTED", 143, 13000, bool)      \
  X(host_memory_pools_supported, "CU_DEVICE_ATTRIBUTE_HOST_MEMORY_POOLS_SUPPORTED", 144, 13000, bool)                  \
  X(host_virtual_memory_management_supported, "CU_DEVICE_ATTRIBUTE_HOST_VIRTUAL_MEMORY_MANAGEMENT_SUPPORTED", 145,     \
    13000, bool)                                                                                                       \
  X(host_alloc_dma_buf_supported, "CU_DEVICE_ATTRIBUTE_HOST_ALLOC_DMA_BUF_SUPPORTED", 146, 13000, bool)                \
  X(only_partial_host_native_atomic_supported, "CU_DEVICE_ATTRIBUTE_ONLY_PARTIAL_HOST_NATIVE_ATOMIC_SUPPORTED", 147,   \
    13000, bool)

/// The keys, named like the constants without "CU_DEVICE_ATTRIBUTE_". Rates are in kHz, sizes in bytes.
namespace info {
#define YOKE_DEVICE_ATTRIBUTE(own, constant, code, since, ...)                                                         \
  inline constexpr device_attribute<__VA_ARGS__> own{code, constant, since};
YOKE_CUDA_DEVICE_ATTRIBUTES(YOKE_DEVICE_ATTRIBUTE)
#undef YOKE_DEVICE_ATTRIBUTE
}  // namespace info

namespace detail {
/// Returns: the attribute's number; nothing if the driver or device does not know it. Throws: `error`.
[[nodiscard]] YOKE_API std::optional<int> find_attribute(const abi::functions& table, abi::device of, int code,
                                                         const char* name, const source_location& where);
/// Throws: `unsupported_error` for an unknown attribute.
[[noreturn, gnu::cold]] YOKE_API void throw_no_attribute(const abi::functions& table, int code, const char* name,
                                                         int since, const source_location& where);
/// Throws: `unsupported_error` unless the device has the attribute. `lacks` is the reason in words.
void require_attribute(const abi::functions* table, abi::device of, int attribute, const char* lacks,
                       const source_location& where);
}  // namespace detail

/// An attribute of a device, in its own type; nothing if the driver does not know it.
/// Requires: `table` belongs to a loaded driver, `of` is one of its devices. Throws: `error`. Thread safety: safe.
/// Wraps `cuDeviceGetAttribute`.
template <class Value>
[[nodiscard]] std::optional<Value> try_get(const abi::functions& table, abi::device of,
                                           const device_attribute<Value>& attribute,
                                           const source_location& where = source_location::current()) {
  const std::optional<int> number = detail::find_attribute(table, of, attribute.code, attribute.name, where);
  if (!number) return std::nullopt;
  return static_cast<Value>(*number);
}

/// As `find`, but throws. Throws: `unsupported_error` when the driver does not know the attribute; `error`. Thread
/// safety: safe.
template <class Value>
[[nodiscard]] Value get(const abi::functions& table, abi::device of, const device_attribute<Value>& attribute,
                        const source_location& where = source_location::current()) {
  const std::optional<Value> value = try_get(table, of, attribute, where);
  if (!value) detail::throw_no_attribute(table, attribute.code, attribute.name, attribute.since, where);
  return *value;
}

}  // namespace yoke::inline v0_1::cuda

#if defined(YOKE_IMPLEMENTATION)
#include <yoke/driver/cuda/device_info.ipp>
#endif

#endif
