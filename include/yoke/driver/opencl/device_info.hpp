// SPDX-License-Identifier: MIT
// Device properties as typed keys: `opencl::get(device, opencl::info::local_mem_size)` is a std::uint64_t.
#ifndef YOKE_DRIVER_OPENCL_DEVICE_INFO_HPP
#define YOKE_DRIVER_OPENCL_DEVICE_INFO_HPP

#include <yoke/driver/opencl/abi/abi.hpp>

#include <array>
#include <string>
#include <vector>

namespace yoke::inline v0_1::opencl {

/// A version as OpenCL 3.0 packs it, with a name: extensions, features, language versions.
struct name_version {
  std::string name;
  unsigned major = 0;
  unsigned minor = 0;
  unsigned patch = 0;
};

/// A device property and the type of its value.
template <class Value>
struct device_property {
  using value_type = Value;
  std::uint32_t code;  ///< `CL_DEVICE_...`
  const char* name;    ///< the constant's name
  int since;           ///< OpenCL version times ten; 0 for a property of an extension
};

// Every property of OpenCL 1.0 to 3.0, and properties of extensions that identify a device or are simple values.
// X(name, constant, code, version x 10 or 0 for extensions, type)
#define YOKE_OPENCL_DEVICE_PROPERTIES(X)                                                                               \
  X(type, "CL_DEVICE_TYPE", 0x1000, 10, std::uint64_t)                                                                 \
  X(vendor_id, "CL_DEVICE_VENDOR_ID", 0x1001, 10, std::uint32_t)                                                       \
  X(max_compute_units, "CL_DEVICE_MAX_COMPUTE_UNITS", 0x1002, 10, std::uint32_t)                                       \
  X(max_work_item_dimensions, "CL_DEVICE_MAX_WORK_ITEM_DIMENSIONS", 0x1003, 10, std::uint32_t)                         \
  X(max_work_group_size, "CL_DEVICE_MAX_WORK_GROUP_SIZE", 0x1004, 10, std::size_t)                                     \
  X(max_work_item_sizes, "CL_DEVICE_MAX_WORK_ITEM_SIZES", 0x1005, 10, std::vector<std::size_t>)                        \
  X(preferred_vector_width_char, "CL_DEVICE_PREFERRED_VECTOR_WIDTH_CHAR", 0x1006, 10, std::uint32_t)                   \
  X(preferred_vector_width_short, "CL_DEVICE_PREFERRED_VECTOR_WIDTH_SHORT", 0x1007, 10, std::uint32_t)                 \
  X(preferred_vector_width_int, "CL_DEVICE_PREFERRED_VECTOR_WIDTH_INT", 0x1008, 10, std::uint32_t)                     \
  X(preferred_vector_width_long, "CL_DEVICE_PREFERRED_VECTOR_WIDTH_LONG", 0x1009, 10, std::uint32_t)                   \
  X(preferred_vector_width_float, "CL_DEVICE_PREFERRED_VECTOR_WIDTH_FLOAT", 0x100A, 10, std::uint32_t)                 \
  X(preferred_vector_width_double, "CL_DEVICE_PREFERRED_VECTOR_WIDTH_DOUBLE", 0x100B, 10, std::uint32_t)               \
  X(preferred_vector_width_half, "CL_DEVICE_PREFERRED_VECTOR_WIDTH_HALF", 0x1034, 11, std::uint32_t)                   \
  X(native_vector_width_char, "CL_DEVICE_NATIVE_VECTOR_WIDTH_CHAR", 0x1036, 11, std::uint32_t)                         \
  X(native_vector_width_short, "CL_DEVICE_NATIVE_VECTOR_WIDTH_SHORT", 0x1037, 11, std::uint32_t)                       \
  X(native_vector_width_int, "CL_DEVICE_NATIVE_VECTOR_WIDTH_INT", 0x1038, 11, std::uint32_t)                           \
  X(native_vector_width_long, "CL_DEVICE_NATIVE_VECTOR_WIDTH_LONG", 0x1039, 11, std::uint32_t)                         \
  X(native_vector_width_float, "CL_DEVICE_NATIVE_VECTOR_WIDTH_FLOAT", 0x103A, 11, std::uint32_t)                       \
  X(native_vector_width_double, "CL_DEVICE_NATIVE_VECTOR_WIDTH_DOUBLE", 0x103B, 11, std::uint32_t)                     \
  X(native_vector_width_half, "CL_DEVICE_NATIVE_VECTOR_WIDTH_HALF", 0x103C, 11, std::uint32_t)                         \
  X(max_clock_frequency, "CL_DEVICE_MAX_CLOCK_FREQUENCY", 0x100C, 10, std::uint32_t)                                   \
  X(address_bits, "CL_DEVICE_ADDRESS_BITS", 0x100D, 10, std::uint32_t)                                                 \
  X(max_mem_alloc_size, "CL_DEVICE_MAX_MEM_ALLOC_SIZE", 0x1010, 10, std::uint64_t)                                     \
  X(image_support, "CL_DEVICE_IMAGE_SUPPORT", 0x1016, 10, bool)                                                        \
  X(max_read_image_args, "CL_DEVICE_MAX_READ_IMAGE_ARGS", 0x100E, 10, std::uint32_t)                                   \
  X(max_write_image_args, "CL_DEVICE_MAX_WRITE_IMAGE_ARGS", 0x100F, 10, std::uint32_t)                                 \
  X(max_read_write_image_args, "CL_DEVICE_MAX_READ_WRITE_IMAGE_ARGS", 0x104C, 20, std::uint32_t)                       \
  X(il_version, "CL_DEVICE_IL_VERSION", 0x105B, 21, std::string)                                                       \
  X(image2d_max_width, "CL_DEVICE_IMAGE2D_MAX_WIDTH", 0x1011, 10, std::size_t)                                         \
  X(image2d_max_height, "CL_DEVICE_IMAGE2D_MAX_HEIGHT", 0x1012, 10, std::size_t)                                       \
  X(image3d_max_width, "CL_DEVICE_IMAGE3D_MAX_WIDTH", 0x1013, 10, std::size_t)                                         \
  X(image3d_max_height, "CL_DEVICE_IMAGE3D_MAX_HEIGHT", 0x1014, 10, std::size_t)                                       \
  X(image3d_max_depth, "CL_DEVICE_IMAGE3D_MAX_DEPTH", 0x1015, 10, std::size_t)                                         \
  X(image_max_buffer_size, "CL_DEVICE_IMAGE_MAX_BUFFER_SIZE", 0x1040, 12, std::size_t)                                 \
  X(image_max_array_size, "CL_DEVICE_IMAGE_MAX_ARRAY_SIZE", 0x1041, 12, std::size_t)                                   \
  X(max_samplers, "CL_DEVICE_MAX_SAMPLERS", 0x1018, 10, std::uint32_t)                                                 \
  X(image_pitch_alignment, "CL_DEVICE_IMAGE_PITCH_ALIGNMENT", 0x104A, 20, std::uint32_t)                               \
  X(image_base_address_alignment, "CL_DEVICE_IMAGE_BASE_ADDRESS_ALIGNMENT", 0x104B, 20, std::uint32_t)                 \
  X(max_pipe_args, "CL_DEVICE_MAX_PIPE_ARGS", 0x1055, 20, std::uint32_t)                                               \
  X(pipe_max_active_reservations, "CL_DEVICE_PIPE_MAX_ACTIVE_RESERVATIONS", 0x1056, 20, std::uint32_t)                 \
  X(pipe_max_packet_size, "CL_DEVICE_PIPE_MAX_PACKET_SIZE", 0x1057, 20, std::uint32_t)                                 \
  X(max_parameter_size, "CL_DEVICE_MAX_PARAMETER_SIZE", 0x1017, 10, std::size_t)                                       \
  X(mem_base_addr_align, "CL_DEVICE_MEM_BASE_ADDR_ALIGN", 0x1019, 10, std::uint32_t)                                   \
  X(min_data_type_align_size, "CL_DEVICE_MIN_DATA_TYPE_ALIGN_SIZE", 0x101A, 10, std::uint32_t)                         \
  X(single_fp_config, "CL_DEVICE_SINGLE_FP_CONFIG", 0x101B, 10, std::uint64_t)                                         \
  X(double_fp_config, "CL_DEVICE_DOUBLE_FP_CONFIG", 0x1032, 12, std::uint64_t)                                         \
  X(global_mem_cache_type, "CL_DEVICE_GLOBAL_MEM_CACHE_TYPE", 0x101C, 10, std::uint32_t)                               \
  X(global_mem_cacheline_size, "CL_DEVICE_GLOBAL_MEM_CACHELINE_SIZE", 0x101D, 10, std::uint32_t)                       \
  X(global_mem_cache_size, "CL_DEVICE_GLOBAL_MEM_CACHE_SIZE", 0x101E, 10, std::uint64_t)                               \
  X(global_mem_size, "CL_DEVICE_GLOBAL_MEM_SIZE", 0x101F, 10, std::uint64_t)                                           \
  X(max_constant_buffer_size, "CL_DEVICE_MAX_CONSTANT_BUFFER_SIZE", 0x1020, 10, std::uint64_t)                         \
  X(max_constant_args, "CL_DEVICE_MAX_CONSTANT_ARGS", 0x1021, 10, std::uint32_t)                                       \
  X(max_global_variable_size, "CL_DEVICE_MAX_GLOBAL_VARIABLE_SIZE", 0x104D, 20, std::size_t)                           \
  X(global_variable_preferred_total_size, "CL_DEVICE_GLOBAL_VARIABLE_PREFERRED_TOTAL_SIZE", 0x1054, 20, std::size_t)   \
  X(local_mem_type, "CL_DEVICE_LOCAL_MEM_TYPE", 0x1022, 10, std::uint32_t)                                             \
  X(local_mem_size, "CL_DEVICE_LOCAL_MEM_SIZE", 0x1023, 10, std::uint64_t)                                             \
  X(error_correction_support, "CL_DEVICE_ERROR_CORRECTION_SUPPORT", 0x1024, 10, bool)                                  \
  X(host_unified_memory, "CL_DEVICE_HOST_UNIFIED_MEMORY", 0x1035, 11, bool)                                            \
  X(profiling_timer_resolution, "CL_DEVICE_PROFILING_TIMER_RESOLUTION", 0x1025, 10, std::size_t)                       \
  X(endian_little, "CL_DEVICE_ENDIAN_LITTLE", 0x1026, 10, bool)                                                        \
  X(available, "CL_DEVICE_AVAILABLE", 0x1027, 10, bool)                                                                \
  X(compiler_available, "CL_DEVICE_COMPILER_AVAILABLE", 0x1028, 10, bool)                                              \
  X(linker_available, "CL_DEVICE_LINKER_AVAILABLE", 0x103E, 12, bool)                                                  \
  X(execution_capabilities, "CL_DEVICE_EXECUTION_CAPABILITIES", 0x1029, 10, std::uint64_t)                             \
  X(queue_on_host_properties, "CL_DEVICE_QUEUE_ON_HOST_PROPERTIES", 0x102A, 10, std::uint64_t)                         \
  X(queue_on_device_properties, "CL_DEVICE_QUEUE_ON_DEVICE_PROPERTIES", 0x104E, 20, std::uint64_t)                     \
  X(queue_on_device_preferred_size, "CL_DEVICE_QUEUE_ON_DEVICE_PREFERRED_SIZE", 0x104F, 20, std::uint32_t)             \
  X(queue_on_device_max_size, "CL_DEVICE_QUEUE_ON_DEVICE_MAX_SIZE", 0x1050, 20, std::uint32_t)                         \
  X(max_on_device_queues, "CL_DEVICE_MAX_ON_DEVICE_QUEUES", 0x1051, 20, std::uint32_t)                                 \
  X(max_on_device_events, "CL_DEVICE_MAX_ON_DEVICE_EVENTS", 0x1052, 20, std::uint32_t)                                 \
  X(built_in_kernels, "CL_DEVICE_BUILT_IN_KERNELS", 0x103F, 12, std::string)                                           \
  X(platform, "CL_DEVICE_PLATFORM", 0x1031, 10, abi::platform)                                                         \
  X(name, "CL_DEVICE_NAME", 0x102B, 10, std::string)                                                                   \
  X(vendor, "CL_DEVICE_VENDOR", 0x102C, 10, std::string)                                                               \
  X(driver_version, "CL_DRIVER_VERSION", 0x102D, 10, std::string)                                                      \
  X(profile, "CL_DEVICE_PROFILE", 0x102E, 10, std::string)                                                             \
  X(version, "CL_DEVICE_VERSION", 0x102F, 10, std::string)                                                             \
  X(numeric_version, "CL_DEVICE_NUMERIC_VERSION", 0x105E, 30, std::uint32_t)                                           \
  X(opencl_c_version, "CL_DEVICE_OPENCL_C_VERSION", 0x103D, 11, std::string)                                           \
  X(opencl_c_all_versions, "CL_DEVICE_OPENCL_C_ALL_VERSIONS", 0x1066, 30, std::vector<name_version>)                   \
  X(opencl_c_features, "CL_DEVICE_OPENCL_C_FEATURES", 0x106F, 30, std::vector<name_version>)                           \
  X(extensions, "CL_DEVICE_EXTENSIONS", 0x1030, 10, std::string)                                                       \
  X(extensions_with_version, "CL_DEVICE_EXTENSIONS_WITH_VERSION", 0x1060, 30, std::vector<name_version>)               \
  X(ils_with_version, "CL_DEVICE_ILS_WITH_VERSION", 0x1061, 30, std::vector<name_version>)                             \
  X(built_in_kernels_with_version, "CL_DEVICE_BUILT_IN_KERNELS_WITH_VERSION", 0x1062, 30, std::vector<name_version>)   \
  X(printf_buffer_size, "CL_DEVICE_PRINTF_BUFFER_SIZE", 0x1049, 12, std::size_t)                                       \
  X(preferred_interop_user_sync, "CL_DEVICE_PREFERRED_INTEROP_USER_SYNC", 0x1048, 12, bool)                            \
  X(parent_device, "CL_DEVICE_PARENT_DEVICE", 0x1042, 12, abi::device)                                                 \
  X(partition_max_sub_devices, "CL_DEVICE_PARTITION_MAX_SUB_DEVICES", 0x1043, 12, std::uint32_t)                       \
  X(partition_properties, "CL_DEVICE_PARTITION_PROPERTIES", 0x1044, 12, std::vector<std::intptr_t>)                    \
  X(partition_affinity_domain, "CL_DEVICE_PARTITION_AFFINITY_DOMAIN", 0x1045, 12, std::uint64_t)                       \
  X(partition_type, "CL_DEVICE_PARTITION_TYPE", 0x1046, 12, std::vector<std::intptr_t>)                                \
  X(reference_count, "CL_DEVICE_REFERENCE_COUNT", 0x1047, 12, std::uint32_t)                                           \
  X(svm_capabilities, "CL_DEVICE_SVM_CAPABILITIES", 0x1053, 20, std::uint64_t)                                         \
  X(preferred_platform_atomic_alignment, "CL_DEVICE_PREFERRED_PLATFORM_ATOMIC_ALIGNMENT", 0x1058, 20, std::uint32_t)   \
  X(preferred_global_atomic_alignment, "CL_DEVICE_PREFERRED_GLOBAL_ATOMIC_ALIGNMENT", 0x1059, 20, std::uint32_t)       \
  X(preferred_local_atomic_alignment, "CL_DEVICE_PREFERRED_LOCAL_ATOMIC_ALIGNMENT", 0x105A, 20, std::uint32_t)         \
  X(max_num_sub_groups, "CL_DEVICE_MAX_NUM_SUB_GROUPS", 0x105C, 21, std::uint32_t)                                     \
  X(sub_group_independent_forward_progress, "CL_DEVICE_SUB_GROUP_INDEPENDENT_FORWARD_PROGRESS", 0x105D, 21, bool)      \
  X(atomic_memory_capabilities, "CL_DEVICE_ATOMIC_MEMORY_CAPABILITIES", 0x1063, 30, std::uint64_t)                     \
  X(atomic_fence_capabilities, "CL_DEVICE_ATOMIC_FENCE_CAPABILITIES", 0x1064, 30, std::uint64_t)                       \
  X(non_uniform_work_group_support, "CL_DEVICE_NON_UNIFORM_WORK_GROUP_SUPPORT", 0x1065, 30, bool)                      \
  X(work_group_collective_functions_support, "CL_DEVICE_WORK_GROUP_COLLECTIVE_FUNCTIONS_SUPPORT", 0x1068, 30, bool)    \
  X(generic_address_space_support, "CL_DEVICE_GENERIC_ADDRESS_SPACE_SUPPORT", 0x1069, 30, bool)                        \
  X(device_enqueue_capabilities, "CL_DEVICE_DEVICE_ENQUEUE_CAPABILITIES", 0x1070, 30, std::uint64_t)                   \
  X(pipe_support, "CL_DEVICE_PIPE_SUPPORT", 0x1071, 30, bool)                                                          \
  X(preferred_work_group_size_multiple, "CL_DEVICE_PREFERRED_WORK_GROUP_SIZE_MULTIPLE", 0x1067, 30, std::size_t)       \
  X(latest_conformance_version_passed, "CL_DEVICE_LATEST_CONFORMANCE_VERSION_PASSED", 0x1072, 30, std::string)         \
  X(half_fp_config, "CL_DEVICE_HALF_FP_CONFIG", 0x1033, 0, std::uint64_t)                                              \
  X(spir_versions, "CL_DEVICE_SPIR_VERSIONS", 0x40E0, 0, std::string)                                                  \
  X(uuid_khr, "CL_DEVICE_UUID_KHR", 0x106A, 0, std::array<std::uint8_t, 16>)                                           \
  X(driver_uuid_khr, "CL_DRIVER_UUID_KHR", 0x106B, 0, std::array<std::uint8_t, 16>)                                    \
  X(luid_valid_khr, "CL_DEVICE_LUID_VALID_KHR", 0x106C, 0, bool)                                                       \
  X(luid_khr, "CL_DEVICE_LUID_KHR", 0x106D, 0, std::array<std::uint8_t, 8>)                                            \
  X(node_mask_khr, "CL_DEVICE_NODE_MASK_KHR", 0x106E, 0, std::uint32_t)                                                \
  X(pci_bus_info_khr, "CL_DEVICE_PCI_BUS_INFO_KHR", 0x410F, 0, std::array<std::uint32_t, 4>)                           \
  X(command_buffer_capabilities_khr, "CL_DEVICE_COMMAND_BUFFER_CAPABILITIES_KHR", 0x12A9, 0, std::uint64_t)            \
  X(command_buffer_required_queue_properties_khr, "CL_DEVICE_COMMAND_BUFFER_REQUIRED_QUEUE_PROPERTIES_KHR", 0x12AA, 0, \
    std::uint64_t)                                                                                                     \
  X(integer_dot_product_capabilities_khr, "CL_DEVICE_INTEGER_DOT_PRODUCT_CAPABILITIES_KHR", 0x1073, 0, std::uint64_t)  \
  X(integer_dot_product_acceleration_properties_8bit_khr,                                                              \
    "CL_DEVICE_INTEGER_DOT_PRODUCT_ACCELERATION_PROPERTIES_8BIT_KHR", 0x1074, 0, std::array<std::uint32_t, 6>)         \
  X(integer_dot_product_acceleration_properties_4x8bit_packed_khr,                                                     \
    "CL_DEVICE_INTEGER_DOT_PRODUCT_ACCELERATION_PROPERTIES_4x8BIT_PACKED_KHR", 0x1075, 0,                              \
    std::array<std::uint32_t, 6>)                                                                                      \
  X(terminate_capability_khr, "CL_DEVICE_TERMINATE_CAPABILITY_KHR", 0x2031, 0, std::uint64_t)                          \
  X(max_named_barrier_count_khr, "CL_DEVICE_MAX_NAMED_BARRIER_COUNT_KHR", 0x2035, 0, std::uint32_t)                    \
  X(semaphore_types_khr, "CL_DEVICE_SEMAPHORE_TYPES_KHR", 0x204C, 0, std::vector<std::uint32_t>)                       \
  X(semaphore_import_handle_types_khr, "CL_DEVICE_SEMAPHORE_IMPORT_HANDLE_TYPES_KHR", 0x204D, 0,                       \
    std::vector<std::uint32_t>)                                                                                        \
  X(semaphore_export_handle_types_khr, "CL_DEVICE_SEMAPHORE_EXPORT_HANDLE_TYPES_KHR", 0x204E, 0,                       \
    std::vector<std::uint32_t>)                                                                                        \
  X(external_memory_import_handle_types_khr, "CL_DEVICE_EXTERNAL_MEMORY_IMPORT_HANDLE_TYPES_KHR", 0x204F, 0,           \
    std::vector<std::uint32_t>)                                                                                        \
  X(cxx_for_opencl_numeric_version_ext, "CL_DEVICE_CXX_FOR_OPENCL_NUMERIC_VERSION_EXT", 0x4230, 0, std::uint32_t)      \
  X(compute_capability_major_nv, "CL_DEVICE_COMPUTE_CAPABILITY_MAJOR_NV", 0x4000, 0, std::uint32_t)                    \
  X(compute_capability_minor_nv, "CL_DEVICE_COMPUTE_CAPABILITY_MINOR_NV", 0x4001, 0, std::uint32_t)                    \
  X(registers_per_block_nv, "CL_DEVICE_REGISTERS_PER_BLOCK_NV", 0x4002, 0, std::uint32_t)                              \
  X(warp_size_nv, "CL_DEVICE_WARP_SIZE_NV", 0x4003, 0, std::uint32_t)                                                  \
  X(gpu_overlap_nv, "CL_DEVICE_GPU_OVERLAP_NV", 0x4004, 0, bool)                                                       \
  X(kernel_exec_timeout_nv, "CL_DEVICE_KERNEL_EXEC_TIMEOUT_NV", 0x4005, 0, bool)                                       \
  X(integrated_memory_nv, "CL_DEVICE_INTEGRATED_MEMORY_NV", 0x4006, 0, bool)                                           \
  X(board_name_amd, "CL_DEVICE_BOARD_NAME_AMD", 0x4038, 0, std::string)                                                \
  X(simd_per_compute_unit_amd, "CL_DEVICE_SIMD_PER_COMPUTE_UNIT_AMD", 0x4040, 0, std::uint32_t)                        \
  X(simd_width_amd, "CL_DEVICE_SIMD_WIDTH_AMD", 0x4041, 0, std::uint32_t)                                              \
  X(wavefront_width_amd, "CL_DEVICE_WAVEFRONT_WIDTH_AMD", 0x4043, 0, std::uint32_t)                                    \
  X(ip_version_intel, "CL_DEVICE_IP_VERSION_INTEL", 0x4250, 0, std::uint32_t)                                          \
  X(id_intel, "CL_DEVICE_ID_INTEL", 0x4251, 0, std::uint32_t)                                                          \
  X(num_slices_intel, "CL_DEVICE_NUM_SLICES_INTEL", 0x4252, 0, std::uint32_t)                                          \
  X(num_sub_slices_per_slice_intel, "CL_DEVICE_NUM_SUB_SLICES_PER_SLICE_INTEL", 0x4253, 0, std::uint32_t)              \
  X(num_eus_per_sub_slice_intel, "CL_DEVICE_NUM_EUS_PER_SUB_SLICE_INTEL", 0x4254, 0, std::uint32_t)                    \
  X(num_threads_per_eu_intel, "CL_DEVICE_NUM_THREADS_PER_EU_INTEL", 0x4255, 0, std::uint32_t)                          \
  X(sub_group_sizes_intel, "CL_DEVICE_SUB_GROUP_SIZES_INTEL", 0x4108, 0, std::vector<std::size_t>)

/// The keys, named like the constants without "CL_DEVICE_".
namespace info {
#define YOKE_DEVICE_PROPERTY(own, constant, code, since, ...)                                                          \
  inline constexpr device_property<__VA_ARGS__> own{code, constant, since};
YOKE_OPENCL_DEVICE_PROPERTIES(YOKE_DEVICE_PROPERTY)
#undef YOKE_DEVICE_PROPERTY
}  // namespace info

}  // namespace yoke::inline v0_1::opencl

#endif
