// SPDX-License-Identifier: MIT
// OpenCL's handles, integers and enumerators, as in the driver's binary interface; needs no vendor header.
#ifndef YOKE_DRIVER_OPENCL_ABI_ABI_HPP
#define YOKE_DRIVER_OPENCL_ABI_ABI_HPP

#include <yoke/core/config.hpp>

#include <compare>
#include <cstddef>
#include <cstdint>

// The vendors' own tags: the same types as in <CL/cl.h>, which may be included too.
struct _cl_platform_id;
struct _cl_device_id;
struct _cl_context;
struct _cl_command_queue;
struct _cl_mem;
struct _cl_program;
struct _cl_kernel;
struct _cl_event;
struct _cl_sampler;

namespace yoke::inline v0_1::opencl::abi {

/// A function pointer type with the type in front of the name. It instantiates no class for each type.
template <class Function>
using pointer_to = Function*;

using platform = ::_cl_platform_id*;
using device = ::_cl_device_id*;
using context = ::_cl_context*;
using queue = ::_cl_command_queue*;
using memory = ::_cl_mem*;
using program = ::_cl_program*;
using kernel = ::_cl_kernel*;
using event = ::_cl_event*;
using sampler = ::_cl_sampler*;

using status = std::int32_t;
using uint = std::uint32_t;
using ulong = std::uint64_t;
using boolean = std::uint32_t;

/// A region for `clCreateSubBuffer`.
struct buffer_region {
  std::size_t origin;
  std::size_t size;
};

/// `cl_image_format`.
struct image_format {
  uint channel_order;
  uint channel_data_type;
  [[nodiscard]] friend constexpr auto operator<=>(const image_format&, const image_format&) noexcept = default;
  // Spelled out, because CUDA's compiler loses a defaulted one that bodies use.
  [[nodiscard]] friend constexpr bool operator==(const image_format& one, const image_format& other) noexcept {
    return one.channel_order == other.channel_order && one.channel_data_type == other.channel_data_type;
  }
};

/// `cl_image_desc`.
struct image_desc {
  uint type;
  std::size_t width;
  std::size_t height;
  std::size_t depth;
  std::size_t array_size;
  std::size_t row_pitch;
  std::size_t slice_pitch;
  uint mip_levels;
  uint samples;
  memory of;  ///< the buffer whose memory an image shares
};

/// `cl_name_version`.
struct name_version {
  std::uint32_t version;
  char name[64];
};

inline constexpr boolean yes = 1;
inline constexpr boolean no = 0;

// The enumerators that the port uses. opencl/interop.hpp checks each against <CL/cl.h>.
inline constexpr uint platform_version = 0x0901;
inline constexpr uint platform_name = 0x0902;
inline constexpr uint device_name = 0x102B;
inline constexpr uint platform_vendor = 0x0903;
inline constexpr uint platform_extensions = 0x0904;
inline constexpr ulong device_type_all = 0xFFFFFFFF;
inline constexpr std::intptr_t context_platform = 0x1084;
inline constexpr uint context_devices = 0x1081;
inline constexpr uint queue_context = 0x1090;
inline constexpr uint queue_device = 0x1091;
inline constexpr uint queue_reference_count = 0x1092;
inline constexpr uint queue_properties = 0x1093;
inline constexpr ulong queue_out_of_order = 1u << 0;
inline constexpr ulong queue_profiling = 1u << 1;
inline constexpr ulong mem_read_write = 1u << 0;
inline constexpr ulong mem_write_only = 1u << 1;
inline constexpr ulong mem_read_only = 1u << 2;
inline constexpr ulong mem_use_host_ptr = 1u << 3;
inline constexpr ulong mem_alloc_host_ptr = 1u << 4;
inline constexpr ulong mem_copy_host_ptr = 1u << 5;
inline constexpr ulong mem_host_write_only = 1u << 7;
inline constexpr ulong mem_host_read_only = 1u << 8;
inline constexpr ulong mem_host_no_access = 1u << 9;
inline constexpr ulong mem_kernel_read_and_write = 1u << 12;
inline constexpr ulong mem_svm_fine_grain_buffer = 1u << 10;
inline constexpr ulong mem_svm_atomics = 1u << 11;
inline constexpr uint mem_type = 0x1100;
inline constexpr uint mem_flags = 0x1101;
inline constexpr uint mem_object_buffer = 0x10F0;
inline constexpr uint mem_object_image2d = 0x10F1;
inline constexpr uint mem_object_image3d = 0x10F2;
inline constexpr uint mem_object_image2d_array = 0x10F3;
inline constexpr uint mem_object_image1d = 0x10F4;
inline constexpr uint mem_object_image1d_array = 0x10F5;
inline constexpr uint mem_object_image1d_buffer = 0x10F6;
inline constexpr uint mem_object_pipe = 0x10F7;
inline constexpr uint pipe_packet_size = 0x1120;
inline constexpr uint pipe_max_packets = 0x1121;
inline constexpr uint mem_size = 0x1102;
inline constexpr uint mem_host_ptr = 0x1103;
inline constexpr uint mem_map_count = 0x1104;
inline constexpr uint mem_reference_count = 0x1105;
inline constexpr uint mem_context = 0x1106;
inline constexpr uint mem_associated = 0x1107;
inline constexpr uint mem_offset = 0x1108;
inline constexpr uint mem_uses_svm_pointer = 0x1109;
inline constexpr uint mem_properties = 0x110A;
inline constexpr ulong migrate_to_host = 1u << 0;
inline constexpr ulong migrate_without_content = 1u << 1;
inline constexpr uint kernel_exec_info_svm_ptrs = 0x11B6;
inline constexpr uint buffer_create_region = 0x1220;
inline constexpr ulong map_read = 1u << 0;
inline constexpr ulong map_write = 1u << 1;
inline constexpr ulong map_write_invalidate = 1u << 2;
inline constexpr uint image_info_format = 0x1110;  // CL_IMAGE_...
inline constexpr uint image_element_size = 0x1111;
inline constexpr uint image_row_pitch = 0x1112;
inline constexpr uint image_slice_pitch = 0x1113;
inline constexpr uint image_width = 0x1114;
inline constexpr uint image_height = 0x1115;
inline constexpr uint image_depth = 0x1116;
inline constexpr uint image_array_size = 0x1117;
inline constexpr uint image_buffer = 0x1118;
inline constexpr uint image_num_mip_levels = 0x1119;
inline constexpr uint image_num_samples = 0x111A;
inline constexpr uint order_r = 0x10B0;  // CL_R and the other orders
inline constexpr uint order_a = 0x10B1;
inline constexpr uint order_rg = 0x10B2;
inline constexpr uint order_rgba = 0x10B5;
inline constexpr uint order_bgra = 0x10B6;
inline constexpr uint order_depth = 0x10BD;
inline constexpr uint order_srgba = 0x10C1;
inline constexpr uint type_snorm_int8 = 0x10D0;  // CL_SNORM_INT8 and the other types
inline constexpr uint type_snorm_int16 = 0x10D1;
inline constexpr uint type_unorm_int8 = 0x10D2;
inline constexpr uint type_unorm_int16 = 0x10D3;
inline constexpr uint type_signed_int8 = 0x10D7;
inline constexpr uint type_signed_int16 = 0x10D8;
inline constexpr uint type_signed_int32 = 0x10D9;
inline constexpr uint type_unsigned_int8 = 0x10DA;
inline constexpr uint type_unsigned_int16 = 0x10DB;
inline constexpr uint type_unsigned_int32 = 0x10DC;
inline constexpr uint type_half_float = 0x10DD;
inline constexpr uint type_float = 0x10DE;
inline constexpr uint address_none = 0x1130;  // CL_ADDRESS_...
inline constexpr uint address_clamp_to_edge = 0x1131;
inline constexpr uint address_clamp = 0x1132;
inline constexpr uint address_repeat = 0x1133;
inline constexpr uint address_mirrored_repeat = 0x1134;
inline constexpr uint filter_nearest = 0x1140;
inline constexpr uint filter_linear = 0x1141;
inline constexpr uint sampler_reference_count = 0x1150;
inline constexpr uint sampler_context = 0x1151;
inline constexpr uint sampler_normalized_coords = 0x1152;
inline constexpr uint sampler_addressing_mode = 0x1153;
inline constexpr uint sampler_filter_mode = 0x1154;
inline constexpr uint sampler_properties = 0x1158;
inline constexpr uint program_context = 0x1161;
inline constexpr uint program_devices = 0x1163;
inline constexpr uint program_binary_sizes = 0x1165;
inline constexpr uint program_binaries = 0x1166;
inline constexpr uint program_kernel_names = 0x1168;
inline constexpr uint program_build_log = 0x1183;
inline constexpr uint kernel_function_name = 0x1190;
inline constexpr uint kernel_num_args = 0x1191;
inline constexpr uint kernel_program = 0x1194;
inline constexpr uint kernel_arg_address_qualifier = 0x1196;
inline constexpr uint kernel_arg_access_qualifier = 0x1197;
inline constexpr uint kernel_arg_type_name = 0x1198;
inline constexpr uint kernel_arg_type_qualifier = 0x1199;
inline constexpr uint kernel_arg_name = 0x119A;
inline constexpr uint address_global = 0x119B;
inline constexpr uint address_local = 0x119C;
inline constexpr uint address_constant = 0x119D;
inline constexpr uint address_private = 0x119E;
inline constexpr uint access_read_only = 0x11A0;
inline constexpr uint access_write_only = 0x11A1;
inline constexpr uint access_read_write = 0x11A2;
inline constexpr uint access_none = 0x11A3;
inline constexpr ulong type_const = 1u << 0;
inline constexpr ulong type_pipe = 1u << 3;
inline constexpr uint kernel_work_group_size = 0x11B0;
inline constexpr uint kernel_compile_work_group_size = 0x11B1;
inline constexpr uint kernel_local_mem_size = 0x11B2;
inline constexpr uint kernel_preferred_multiple = 0x11B3;
inline constexpr uint kernel_private_mem_size = 0x11B4;
inline constexpr uint event_command_queue = 0x11D0;
inline constexpr uint event_command_type = 0x11D1;
inline constexpr uint event_reference_count = 0x11D2;
inline constexpr uint event_execution_status = 0x11D3;
inline constexpr uint event_context = 0x11D4;
inline constexpr status event_complete = 0;
inline constexpr status profiling_info_not_available = -7;
inline constexpr status map_failure = -12;
inline constexpr status event_wait_failed = -14;
inline constexpr status invalid_value = -30;
inline constexpr status invalid_command_queue = -36;
inline constexpr status invalid_mem_object = -38;
inline constexpr status invalid_operation = -59;
inline constexpr status event_running = 1;
inline constexpr status event_submitted = 2;
inline constexpr status event_queued = 3;
inline constexpr uint profiling_queued = 0x1280;
inline constexpr uint profiling_submit = 0x1281;
inline constexpr uint profiling_start = 0x1282;
inline constexpr uint profiling_end = 0x1283;
inline constexpr std::intptr_t partition_equally = 0x1086;
inline constexpr std::intptr_t partition_by_counts = 0x1087;
inline constexpr std::intptr_t partition_by_affinity = 0x1088;

}  // namespace yoke::inline v0_1::opencl::abi

#endif
