// SPDX-License-Identifier: MIT
// Conversions to and from OpenCL-CLHPP's objects and <CL/cl.h>'s types; opt-in, because it includes the vendor's
// headers.
#ifndef YOKE_OPENCL_INTEROP_HPP
#define YOKE_OPENCL_INTEROP_HPP

// A program that includes <CL/opencl.hpp> first keeps its own version, and one that chose a version of <CL/cl.h>
// gets that version. The minimum version, 200 by default, is lowered only if needed: with 120 and a higher
// target the header of 2023.02 does not compile.
#if !defined(CL_HPP_TARGET_OPENCL_VERSION)
#if defined(CL_TARGET_OPENCL_VERSION)
#define CL_HPP_TARGET_OPENCL_VERSION CL_TARGET_OPENCL_VERSION
#else
#define CL_HPP_TARGET_OPENCL_VERSION 300
#endif
#endif
#if !defined(CL_HPP_MINIMUM_OPENCL_VERSION) && CL_HPP_TARGET_OPENCL_VERSION < 200
#define CL_HPP_MINIMUM_OPENCL_VERSION CL_HPP_TARGET_OPENCL_VERSION
#endif
#include <CL/opencl.hpp>

#include <yoke/opencl/opencl.hpp>

namespace yoke::inline v0_1::opencl {

// The library's own declarations equal the vendor's.
static_assert(std::same_as<abi::memory, cl_mem> && std::same_as<abi::queue, cl_command_queue> &&
              std::same_as<abi::context, cl_context> && std::same_as<abi::event, cl_event> &&
              std::same_as<abi::program, cl_program> && std::same_as<abi::kernel, cl_kernel> &&
              std::same_as<abi::device, cl_device_id> && std::same_as<abi::platform, cl_platform_id>);
static_assert(sizeof(abi::status) == sizeof(cl_int) && sizeof(abi::uint) == sizeof(cl_uint) &&
              sizeof(abi::ulong) == sizeof(cl_ulong) && sizeof(abi::boolean) == sizeof(cl_bool));
static_assert(sizeof(abi::buffer_region) == sizeof(cl_buffer_region));
static_assert(std::same_as<abi::sampler, cl_sampler> && sizeof(abi::image_format) == sizeof(cl_image_format));
static_assert(abi::platform_name == CL_PLATFORM_NAME && abi::platform_version == CL_PLATFORM_VERSION &&
              abi::platform_vendor == CL_PLATFORM_VENDOR && abi::platform_extensions == CL_PLATFORM_EXTENSIONS &&
              abi::device_type_all == CL_DEVICE_TYPE_ALL && abi::context_platform == CL_CONTEXT_PLATFORM &&
              abi::context_devices == CL_CONTEXT_DEVICES && abi::queue_context == CL_QUEUE_CONTEXT &&
              abi::queue_device == CL_QUEUE_DEVICE && abi::queue_properties == CL_QUEUE_PROPERTIES &&
              abi::queue_out_of_order == CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE &&
              abi::queue_profiling == CL_QUEUE_PROFILING_ENABLE);
static_assert(abi::mem_associated == CL_MEM_ASSOCIATED_MEMOBJECT && abi::mem_offset == CL_MEM_OFFSET &&
              abi::mem_read_write == CL_MEM_READ_WRITE && abi::mem_write_only == CL_MEM_WRITE_ONLY &&
              abi::mem_read_only == CL_MEM_READ_ONLY && abi::mem_alloc_host_ptr == CL_MEM_ALLOC_HOST_PTR &&
              abi::mem_use_host_ptr == CL_MEM_USE_HOST_PTR && abi::mem_flags == CL_MEM_FLAGS &&
              abi::mem_size == CL_MEM_SIZE && abi::mem_context == CL_MEM_CONTEXT &&
              abi::buffer_create_region == CL_BUFFER_CREATE_TYPE_REGION && abi::map_read == CL_MAP_READ &&
              abi::map_write == CL_MAP_WRITE);
static_assert(abi::mem_host_ptr == CL_MEM_HOST_PTR && abi::mem_map_count == CL_MEM_MAP_COUNT &&
              abi::mem_reference_count == CL_MEM_REFERENCE_COUNT);
static_assert(abi::mem_object_image2d == CL_MEM_OBJECT_IMAGE2D && abi::mem_object_image3d == CL_MEM_OBJECT_IMAGE3D &&
              abi::mem_copy_host_ptr == CL_MEM_COPY_HOST_PTR && abi::image_info_format == CL_IMAGE_FORMAT &&
              abi::image_element_size == CL_IMAGE_ELEMENT_SIZE && abi::image_row_pitch == CL_IMAGE_ROW_PITCH &&
              abi::image_slice_pitch == CL_IMAGE_SLICE_PITCH && abi::image_width == CL_IMAGE_WIDTH &&
              abi::image_height == CL_IMAGE_HEIGHT && abi::image_depth == CL_IMAGE_DEPTH);
static_assert(abi::order_r == CL_R && abi::order_a == CL_A && abi::order_rg == CL_RG && abi::order_rgba == CL_RGBA &&
              abi::order_bgra == CL_BGRA && abi::type_snorm_int8 == CL_SNORM_INT8 &&
              abi::type_snorm_int16 == CL_SNORM_INT16 && abi::type_unorm_int8 == CL_UNORM_INT8 &&
              abi::type_unorm_int16 == CL_UNORM_INT16 && abi::type_signed_int8 == CL_SIGNED_INT8 &&
              abi::type_signed_int16 == CL_SIGNED_INT16 && abi::type_signed_int32 == CL_SIGNED_INT32 &&
              abi::type_unsigned_int8 == CL_UNSIGNED_INT8 && abi::type_unsigned_int16 == CL_UNSIGNED_INT16 &&
              abi::type_unsigned_int32 == CL_UNSIGNED_INT32 && abi::type_half_float == CL_HALF_FLOAT &&
              abi::type_float == CL_FLOAT);
static_assert(abi::address_none == CL_ADDRESS_NONE && abi::address_clamp_to_edge == CL_ADDRESS_CLAMP_TO_EDGE &&
              abi::address_clamp == CL_ADDRESS_CLAMP && abi::address_repeat == CL_ADDRESS_REPEAT &&
              abi::address_mirrored_repeat == CL_ADDRESS_MIRRORED_REPEAT && abi::filter_nearest == CL_FILTER_NEAREST &&
              abi::filter_linear == CL_FILTER_LINEAR && abi::sampler_reference_count == CL_SAMPLER_REFERENCE_COUNT &&
              abi::sampler_context == CL_SAMPLER_CONTEXT &&
              abi::sampler_normalized_coords == CL_SAMPLER_NORMALIZED_COORDS &&
              abi::sampler_addressing_mode == CL_SAMPLER_ADDRESSING_MODE &&
              abi::sampler_filter_mode == CL_SAMPLER_FILTER_MODE);
static_assert(abi::program_context == CL_PROGRAM_CONTEXT && abi::program_devices == CL_PROGRAM_DEVICES &&
              abi::program_binary_sizes == CL_PROGRAM_BINARY_SIZES && abi::program_binaries == CL_PROGRAM_BINARIES &&
              abi::program_build_log == CL_PROGRAM_BUILD_LOG);
static_assert(abi::kernel_function_name == CL_KERNEL_FUNCTION_NAME && abi::kernel_num_args == CL_KERNEL_NUM_ARGS &&
              abi::kernel_program == CL_KERNEL_PROGRAM);
static_assert(abi::kernel_work_group_size == CL_KERNEL_WORK_GROUP_SIZE &&
              abi::kernel_compile_work_group_size == CL_KERNEL_COMPILE_WORK_GROUP_SIZE &&
              abi::kernel_local_mem_size == CL_KERNEL_LOCAL_MEM_SIZE &&
              abi::kernel_preferred_multiple == CL_KERNEL_PREFERRED_WORK_GROUP_SIZE_MULTIPLE &&
              abi::kernel_private_mem_size == CL_KERNEL_PRIVATE_MEM_SIZE);
static_assert(abi::event_command_queue == CL_EVENT_COMMAND_QUEUE && abi::event_command_type == CL_EVENT_COMMAND_TYPE &&
              abi::event_execution_status == CL_EVENT_COMMAND_EXECUTION_STATUS &&
              abi::event_context == CL_EVENT_CONTEXT && abi::event_complete == CL_COMPLETE &&
              abi::event_running == CL_RUNNING && abi::event_submitted == CL_SUBMITTED &&
              abi::event_queued == CL_QUEUED && abi::profiling_queued == CL_PROFILING_COMMAND_QUEUED &&
              abi::profiling_submit == CL_PROFILING_COMMAND_SUBMIT &&
              abi::profiling_start == CL_PROFILING_COMMAND_START && abi::profiling_end == CL_PROFILING_COMMAND_END);
#if defined(CL_VERSION_1_2)
static_assert(abi::map_write_invalidate == CL_MAP_WRITE_INVALIDATE_REGION &&
              abi::program_kernel_names == CL_PROGRAM_KERNEL_NAMES &&
              abi::kernel_arg_address_qualifier == CL_KERNEL_ARG_ADDRESS_QUALIFIER &&
              abi::kernel_arg_type_name == CL_KERNEL_ARG_TYPE_NAME &&
              abi::kernel_arg_type_qualifier == CL_KERNEL_ARG_TYPE_QUALIFIER &&
              abi::kernel_arg_name == CL_KERNEL_ARG_NAME && abi::address_global == CL_KERNEL_ARG_ADDRESS_GLOBAL &&
              abi::address_local == CL_KERNEL_ARG_ADDRESS_LOCAL &&
              abi::address_constant == CL_KERNEL_ARG_ADDRESS_CONSTANT &&
              abi::address_private == CL_KERNEL_ARG_ADDRESS_PRIVATE && abi::type_const == CL_KERNEL_ARG_TYPE_CONST);
static_assert(sizeof(abi::image_desc) == sizeof(cl_image_desc) &&
              offsetof(abi::image_desc, of) == offsetof(cl_image_desc, buffer) &&
              abi::mem_object_image2d_array == CL_MEM_OBJECT_IMAGE2D_ARRAY &&
              abi::mem_object_image1d == CL_MEM_OBJECT_IMAGE1D &&
              abi::mem_object_image1d_array == CL_MEM_OBJECT_IMAGE1D_ARRAY &&
              abi::mem_object_image1d_buffer == CL_MEM_OBJECT_IMAGE1D_BUFFER &&
              abi::image_array_size == CL_IMAGE_ARRAY_SIZE && abi::image_buffer == CL_IMAGE_BUFFER &&
              abi::image_num_mip_levels == CL_IMAGE_NUM_MIP_LEVELS && abi::image_num_samples == CL_IMAGE_NUM_SAMPLES &&
              abi::kernel_arg_access_qualifier == CL_KERNEL_ARG_ACCESS_QUALIFIER &&
              abi::access_read_only == CL_KERNEL_ARG_ACCESS_READ_ONLY && abi::access_none == CL_KERNEL_ARG_ACCESS_NONE);
static_assert(abi::partition_equally == CL_DEVICE_PARTITION_EQUALLY &&
              abi::partition_by_counts == CL_DEVICE_PARTITION_BY_COUNTS &&
              abi::partition_by_affinity == CL_DEVICE_PARTITION_BY_AFFINITY_DOMAIN);
#endif
#if defined(CL_VERSION_1_2)
static_assert(abi::mem_host_write_only == CL_MEM_HOST_WRITE_ONLY && abi::mem_host_read_only == CL_MEM_HOST_READ_ONLY &&
              abi::mem_host_no_access == CL_MEM_HOST_NO_ACCESS && abi::migrate_to_host == CL_MIGRATE_MEM_OBJECT_HOST &&
              abi::migrate_without_content == CL_MIGRATE_MEM_OBJECT_CONTENT_UNDEFINED);
#endif
#if defined(CL_VERSION_3_0)
static_assert(abi::mem_properties == CL_MEM_PROPERTIES);
#endif
#if defined(CL_VERSION_2_0)
static_assert(abi::mem_svm_fine_grain_buffer == CL_MEM_SVM_FINE_GRAIN_BUFFER &&
              abi::mem_svm_atomics == CL_MEM_SVM_ATOMICS && abi::order_depth == CL_DEPTH &&
              abi::order_srgba == CL_sRGBA && abi::mem_kernel_read_and_write == CL_MEM_KERNEL_READ_AND_WRITE);
static_assert(abi::mem_object_pipe == CL_MEM_OBJECT_PIPE && abi::pipe_packet_size == CL_PIPE_PACKET_SIZE &&
              abi::pipe_max_packets == CL_PIPE_MAX_PACKETS);
static_assert(abi::mem_uses_svm_pointer == CL_MEM_USES_SVM_POINTER &&
              abi::kernel_exec_info_svm_ptrs == CL_KERNEL_EXEC_INFO_SVM_PTRS);
#endif

// Every conversion adds a reference: each side owns and releases its own. `to_cl` needs
// a program that links the OpenCL loader, as every program with <CL/opencl.hpp> does.

/// Returns: the same device for CLHPP. Throws: `cl::Error` only where CLHPP does.
[[nodiscard]] inline cl::Device to_cl(const device& from) { return cl::Device(from.native_handle(), true); }
[[nodiscard]] inline cl::Context to_cl(const context& from) { return cl::Context(from.native_handle(), true); }
[[nodiscard]] inline cl::CommandQueue to_cl(const stream& from) { return cl::CommandQueue(from.native_handle(), true); }
[[nodiscard]] inline cl::CommandQueue to_cl(const out_of_order_stream& from) {
  return cl::CommandQueue(from.native_handle(), true);
}
[[nodiscard]] inline cl::Event to_cl(const event& from) { return cl::Event(from.native_handle(), true); }
[[nodiscard]] inline cl::Event to_cl(const timed_event& from) { return cl::Event(from.native_handle(), true); }
[[nodiscard]] inline cl::Event to_cl(const user_event& from) { return cl::Event(from.native_handle(), true); }
template <class T>
[[nodiscard]] cl::Buffer to_cl(const device_allocation<T>& from) {
  return cl::Buffer(from.native_handle(), true);
}
template <class T>
[[nodiscard]] cl::Buffer to_cl(const sub_buffer<T>& from) {
  return cl::Buffer(from.native_handle(), true);
}
[[nodiscard]] inline cl::Program to_cl(const module& from) { return cl::Program(from.native_handle(), true); }
/// The kernel itself, not one of its clones: launches of `from` do not see arguments set on it.
template <class Signature>
[[nodiscard]] cl::Kernel to_cl(const kernel<Signature>& from) {
  return cl::Kernel(from.native_handle(), true);
}

namespace detail {
/// Effects: retains, then adopts; gives the reference back when adopting fails.
/// Throws: `logic_error` for a null handle, before any call; as the others.
template <class Native, class Retain, class Release, class Adopt>
auto retain_and_adopt(const port& with, Native native, const char* noun, const source_location& where, Retain retain,
                      Release release, Adopt adopt) {
  if (native == nullptr) yoke::detail::throw_null_native(noun, where);
  retain();
  try {
    return adopt();
  } catch (...) {
    yoke::detail::report_release(with, release());
    throw;
  }
}
/// Returns: a stream, of either order, over CLHPP's queue.
template <class Stream>
Stream stream_from_cl(const context& in, const cl::CommandQueue& from, const source_location& where) {
  const port& with = in.port(where);
  return retain_and_adopt(
      with, from(), "stream", where, [&] { with.retain_stream(from(), where); },
      [&] { return with.release_stream(from()); }, [&] { return Stream::adopt(in, from(), where); });
}
/// Returns: an event of the requested kind over CLHPP's.
template <class Event>
Event event_from_cl(const context& in, const cl::Event& from, const source_location& where) {
  const port& with = in.port(where);
  return retain_and_adopt(
      with, from(), "event", where, [&] { with.retain_event(from(), where); },
      [&] { return with.release_event(from()); }, [&] { return Event::adopt(in, from(), where); });
}
}  // namespace detail

// A null object of CLHPP's is a `logic_error` that names the expected kind, before any call.

/// Returns: the same device; a sub-device lives as long as a copy of it. Throws: `logic_error` for a null one; `error`.
[[nodiscard]] inline device from_cl(const cl::Device& from, const port& with = port{},
                                    const source_location& where = source_location::current()) {
  return detail::retain_and_adopt(
      with, from(), "device", where, [&] { with.retain_device(from(), where); },
      [&] { return with.release_device(from()); }, [&] { return device::adopt(with, from(), where); });
}
/// Returns: a context over the same native context. Throws: `error`.
[[nodiscard]] inline context from_cl(const cl::Context& from, const port& with = port{},
                                     const source_location& where = source_location::current()) {
  return detail::retain_and_adopt(
      with, from(), "context", where, [&] { with.retain_context(from(), where); },
      [&] { return with.release_context(from()); }, [&] { return context::adopt(with, from(), where); });
}
/// Returns: a stream over the same queue. Throws: `logic_error` for another context's or an out-of-order queue.
[[nodiscard]] inline stream from_cl(const context& in, const cl::CommandQueue& from,
                                    const source_location& where = source_location::current()) {
  return detail::stream_from_cl<stream>(in, from, where);
}
[[nodiscard]] inline out_of_order_stream out_of_order_from_cl(
    const context& in, const cl::CommandQueue& from, const source_location& where = source_location::current()) {
  return detail::stream_from_cl<out_of_order_stream>(in, from, where);
}
/// Returns: the same event. Throws: `logic_error` for another context's; `error`.
[[nodiscard]] inline event from_cl(const context& in, const cl::Event& from,
                                   const source_location& where = source_location::current()) {
  return detail::event_from_cl<event>(in, from, where);
}
/// Returns: the same event of a command in a queue with profiling. Throws: as above.
[[nodiscard]] inline timed_event timed_event_from_cl(const context& in, const cl::Event& from,
                                                     const source_location& where = source_location::current()) {
  return detail::event_from_cl<timed_event>(in, from, where);
}
/// Returns: the same user event, which the library sets: if it ends unset, the waiting commands fail, as with every
/// `user_event`. If CLHPP's object sets it, take an `event` by `from_cl`. Throws: as above, and for another kind of
/// event.
[[nodiscard]] inline user_event user_event_from_cl(const context& in, const cl::Event& from,
                                                   const source_location& where = source_location::current()) {
  return detail::event_from_cl<user_event>(in, from, where);
}
/// Returns: an allocation of as many `T` as the buffer, or sub-buffer, holds. Throws: `error`.
template <class T>
[[nodiscard]] device_allocation<T> from_cl(const context& in, const cl::Buffer& from,
                                           const source_location& where = source_location::current()) {
  const port& with = in.port(where);
  return detail::retain_and_adopt(
      with, from(), "memory", where, [&] { with.retain_memory(from(), where); },
      [&] { return with.release_memory(in.native_handle(), from()); },
      [&] {
        const std::size_t count = with.memory_bytes(from(), where) / sizeof(T);
        return device_allocation<T>::adopt(in, from(), count, where);
      });
}
[[nodiscard]] inline module from_cl(const context& in, const cl::Program& from,
                                    const source_location& where = source_location::current()) {
  const port& with = in.port(where);
  return detail::retain_and_adopt(
      with, from(), "module", where, [&] { with.retain_module(from(), where); },
      [&] { return with.release_module(from()); }, [&] { return module::adopt(in, from(), where); });
}
/// Returns: a typed kernel over a native one of this module, its signature checked. Throws: as `module::get_kernel`.
template <class Signature>
[[nodiscard]] kernel<Signature> from_cl(const module& of, const cl::Kernel& from,
                                        const source_location& where = source_location::current()) {
  const auto retain = [&] {
    if (const cl_int status = clRetainKernel(from()); status != CL_SUCCESS) {
      detail::throw_failure(status, "clRetainKernel", "", where);
    }
  };
  const auto release = [&] { return release_result{clReleaseKernel(from()), "clReleaseKernel"}; };
  return detail::retain_and_adopt(of.context_of(where).port(where), from(), "kernel", where, retain, release, [&] {
    return kernel<Signature>::adopt(of, from(), from.getInfo<CL_KERNEL_FUNCTION_NAME>(), where);
  });
}

}  // namespace yoke::inline v0_1::opencl

namespace yoke::inline v0_1 {

// Names of the vendor's vectors for the check of signatures.
#define YOKE_CL_VECTOR(theirs, twin)                                                                                   \
  static_assert(sizeof(theirs) == sizeof(twin));                                                                       \
  template <>                                                                                                          \
  inline constexpr const char* device_type_name<theirs> = device_type_name<twin>;                                      \
  template <>                                                                                                          \
  struct device_type<theirs> : device_type<twin> {};
#define YOKE_CL_VECTORS(scalar)                                                                                        \
  YOKE_CL_VECTOR(cl_##scalar##2, scalar##2)                                                                            \
  YOKE_CL_VECTOR(cl_##scalar##4, scalar##4)                                                                            \
  YOKE_CL_VECTOR(cl_##scalar##8, scalar##8)                                                                            \
  YOKE_CL_VECTOR(cl_##scalar##16, scalar##16)
YOKE_CL_VECTORS(char)
YOKE_CL_VECTORS(uchar)
YOKE_CL_VECTORS(short)
YOKE_CL_VECTORS(ushort)
YOKE_CL_VECTORS(int)
YOKE_CL_VECTORS(uint)
YOKE_CL_VECTORS(long)
YOKE_CL_VECTORS(ulong)
YOKE_CL_VECTORS(float)
YOKE_CL_VECTORS(double)
#undef YOKE_CL_VECTORS
#undef YOKE_CL_VECTOR

}  // namespace yoke::inline v0_1

#endif
