// SPDX-License-Identifier: MIT
// Bodies of driver/opencl/error.hpp: names, conditions, exception classes.
#ifndef YOKE_DRIVER_OPENCL_ERROR_IPP
#define YOKE_DRIVER_OPENCL_ERROR_IPP

#include <yoke/driver/opencl/abi/functions.hpp>
#include <yoke/driver/opencl/error.hpp>

#include <atomic>
#include <cstdint>
#include <cstring>
#include <new>

#if !defined(_WIN32)
#include <pthread.h>
#endif

namespace yoke::inline v0_1::opencl {

// clang-format off
// X(value, name)
#define YOKE_OPENCL_STATUS_CODES(X) \
  X(0, "CL_SUCCESS") \
  X(-1, "CL_DEVICE_NOT_FOUND") \
  X(-2, "CL_DEVICE_NOT_AVAILABLE") \
  X(-3, "CL_COMPILER_NOT_AVAILABLE") \
  X(-4, "CL_MEM_OBJECT_ALLOCATION_FAILURE") \
  X(-5, "CL_OUT_OF_RESOURCES") \
  X(-6, "CL_OUT_OF_HOST_MEMORY") \
  X(-7, "CL_PROFILING_INFO_NOT_AVAILABLE") \
  X(-8, "CL_MEM_COPY_OVERLAP") \
  X(-9, "CL_IMAGE_FORMAT_MISMATCH") \
  X(-10, "CL_IMAGE_FORMAT_NOT_SUPPORTED") \
  X(-11, "CL_BUILD_PROGRAM_FAILURE") \
  X(-12, "CL_MAP_FAILURE") \
  X(-13, "CL_MISALIGNED_SUB_BUFFER_OFFSET") \
  X(-14, "CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST") \
  X(-15, "CL_COMPILE_PROGRAM_FAILURE") \
  X(-16, "CL_LINKER_NOT_AVAILABLE") \
  X(-17, "CL_LINK_PROGRAM_FAILURE") \
  X(-18, "CL_DEVICE_PARTITION_FAILED") \
  X(-19, "CL_KERNEL_ARG_INFO_NOT_AVAILABLE") \
  X(-30, "CL_INVALID_VALUE") \
  X(-31, "CL_INVALID_DEVICE_TYPE") \
  X(-32, "CL_INVALID_PLATFORM") \
  X(-33, "CL_INVALID_DEVICE") \
  X(-34, "CL_INVALID_CONTEXT") \
  X(-35, "CL_INVALID_QUEUE_PROPERTIES") \
  X(-36, "CL_INVALID_COMMAND_QUEUE") \
  X(-37, "CL_INVALID_HOST_PTR") \
  X(-38, "CL_INVALID_MEM_OBJECT") \
  X(-39, "CL_INVALID_IMAGE_FORMAT_DESCRIPTOR") \
  X(-40, "CL_INVALID_IMAGE_SIZE") \
  X(-41, "CL_INVALID_SAMPLER") \
  X(-42, "CL_INVALID_BINARY") \
  X(-43, "CL_INVALID_BUILD_OPTIONS") \
  X(-44, "CL_INVALID_PROGRAM") \
  X(-45, "CL_INVALID_PROGRAM_EXECUTABLE") \
  X(-46, "CL_INVALID_KERNEL_NAME") \
  X(-47, "CL_INVALID_KERNEL_DEFINITION") \
  X(-48, "CL_INVALID_KERNEL") \
  X(-49, "CL_INVALID_ARG_INDEX") \
  X(-50, "CL_INVALID_ARG_VALUE") \
  X(-51, "CL_INVALID_ARG_SIZE") \
  X(-52, "CL_INVALID_KERNEL_ARGS") \
  X(-53, "CL_INVALID_WORK_DIMENSION") \
  X(-54, "CL_INVALID_WORK_GROUP_SIZE") \
  X(-55, "CL_INVALID_WORK_ITEM_SIZE") \
  X(-56, "CL_INVALID_GLOBAL_OFFSET") \
  X(-57, "CL_INVALID_EVENT_WAIT_LIST") \
  X(-58, "CL_INVALID_EVENT") \
  X(-59, "CL_INVALID_OPERATION") \
  X(-60, "CL_INVALID_GL_OBJECT") \
  X(-61, "CL_INVALID_BUFFER_SIZE") \
  X(-62, "CL_INVALID_MIP_LEVEL") \
  X(-63, "CL_INVALID_GLOBAL_WORK_SIZE") \
  X(-64, "CL_INVALID_PROPERTY") \
  X(-65, "CL_INVALID_IMAGE_DESCRIPTOR") \
  X(-66, "CL_INVALID_COMPILER_OPTIONS") \
  X(-67, "CL_INVALID_LINKER_OPTIONS") \
  X(-68, "CL_INVALID_DEVICE_PARTITION_COUNT") \
  X(-69, "CL_INVALID_PIPE_SIZE") \
  X(-70, "CL_INVALID_DEVICE_QUEUE") \
  X(-71, "CL_INVALID_SPEC_ID") \
  X(-72, "CL_MAX_SIZE_RESTRICTION_EXCEEDED") \
  X(-1000, "CL_INVALID_GL_SHAREGROUP_REFERENCE_KHR") \
  X(-1001, "CL_PLATFORM_NOT_FOUND_KHR") \
  X(-1002, "CL_INVALID_D3D10_DEVICE_KHR") \
  X(-1003, "CL_INVALID_D3D10_RESOURCE_KHR") \
  X(-1004, "CL_D3D10_RESOURCE_ALREADY_ACQUIRED_KHR") \
  X(-1005, "CL_D3D10_RESOURCE_NOT_ACQUIRED_KHR") \
  X(-1006, "CL_INVALID_D3D11_DEVICE_KHR") \
  X(-1007, "CL_INVALID_D3D11_RESOURCE_KHR") \
  X(-1008, "CL_D3D11_RESOURCE_ALREADY_ACQUIRED_KHR") \
  X(-1009, "CL_D3D11_RESOURCE_NOT_ACQUIRED_KHR") \
  X(-1010, "CL_INVALID_DX9_MEDIA_ADAPTER_KHR") \
  X(-1011, "CL_INVALID_DX9_MEDIA_SURFACE_KHR") \
  X(-1012, "CL_DX9_MEDIA_SURFACE_ALREADY_ACQUIRED_KHR") \
  X(-1013, "CL_DX9_MEDIA_SURFACE_NOT_ACQUIRED_KHR") \
  X(-1057, "CL_DEVICE_PARTITION_FAILED_EXT") \
  X(-1058, "CL_INVALID_PARTITION_COUNT_EXT") \
  X(-1059, "CL_INVALID_PARTITION_NAME_EXT") \
  X(-1092, "CL_EGL_RESOURCE_NOT_ACQUIRED_KHR") \
  X(-1093, "CL_INVALID_EGL_OBJECT_KHR") \
  X(-1094, "CL_INVALID_ACCELERATOR_INTEL") \
  X(-1095, "CL_INVALID_ACCELERATOR_TYPE_INTEL") \
  X(-1096, "CL_INVALID_ACCELERATOR_DESCRIPTOR_INTEL") \
  X(-1097, "CL_ACCELERATOR_TYPE_NOT_SUPPORTED_INTEL") \
  X(-1108, "CL_COMMAND_TERMINATED_ITSELF_WITH_FAILURE_ARM") \
  X(-1121, "CL_CONTEXT_TERMINATED_KHR") \
  X(-1138, "CL_INVALID_COMMAND_BUFFER_KHR") \
  X(-1139, "CL_INVALID_SYNC_POINT_WAIT_LIST_KHR") \
  X(-1140, "CL_INCOMPATIBLE_COMMAND_QUEUE_KHR") \
  X(-1141, "CL_INVALID_MUTABLE_COMMAND_KHR") \
  X(-1142, "CL_INVALID_SEMAPHORE_KHR") \
  X(-9999, "CL_NVIDIA_ILLEGAL_BUFFER_ACCESS")
// clang-format on

const char* error_name(std::int32_t code) noexcept {
#define YOKE_VALUE(value, name) value,
#define YOKE_NAME(value, name) name "\0"
  static constexpr std::int16_t codes[] = {YOKE_OPENCL_STATUS_CODES(YOKE_VALUE)};
  const char* name = YOKE_OPENCL_STATUS_CODES(YOKE_NAME);
#undef YOKE_NAME
#undef YOKE_VALUE
  for (const std::int16_t each : codes) {
    if (each == code) return name;
    name += std::strlen(name) + 1;
  }
  return "CL_UNKNOWN_ERROR";
}

#undef YOKE_OPENCL_STATUS_CODES

namespace detail {

/// Returns: the portable condition of a code; `errc::success` if there is none.
errc condition_of(int code) noexcept {
  switch (code) {
    case -4:
    case -5:
    case -6: return errc::out_of_memory;
    case -11:
    case -15:
    case -17: return errc::build_failed;
    case -13: return errc::misaligned;
    case -14: return errc::command_failed;
    case -1:
    case -1001: return errc::no_device;
    case -3:
    case -10:
    case -16:
    case -18:
    case -59:
    case -64: return errc::unsupported;
    case -2:
    case -1121:
    case -9999: return errc::context_lost;
    case -34: return errc::wrong_context;
    case -42: return errc::incompatible_binary;
    case -46: return errc::kernel_not_found;
    case -52:
    case -53:
    case -54:
    case -55:
    case -56:
    case -63: return errc::launch_failed;
    case -32:
    case -33:
    case -36:
    case -38:
    case -44:
    case -45:
    case -48:
    case -58: return errc::invalid_handle;
    case -30:
    case -31:
    case -35:
    case -37:
    case -43:
    case -8:
    case -49:
    case -50:
    case -51:
    case -57:
    case -61: return errc::invalid_argument;
    default: return errc::success;
  }
}

class opencl_category final : public std::error_category {
 public:
  using std::error_category::equivalent;
  const char* name() const noexcept override { return "yoke.opencl"; }
  std::string message(int value) const override { return error_name(value); }
  std::error_condition default_error_condition(int value) const noexcept override {
    const errc condition = condition_of(value);
    if (condition == errc::success) return {value, *this};
    return make_error_condition(condition);
  }
  bool equivalent(int code, const std::error_condition& condition) const noexcept override {
    if (default_error_condition(code) == condition) return true;
    // In a forked process every failure means this, too: contexts and streams belong to the process that was forked.
    const std::error_condition ended = make_error_condition(errc::context_ended);
    return is_forked_process() && condition.value() == ended.value() &&
           std::strcmp(condition.category().name(), ended.category().name()) == 0;
  }
  bool equivalent(const std::error_code& code, int condition) const noexcept override {
    return code.value() == condition && std::strcmp(code.category().name(), name()) == 0;
  }
};

/// The category. It is made at its first use and never destroyed.
const std::error_category& opencl_category_instance() noexcept {
  alignas(opencl_category) static unsigned char place[sizeof(opencl_category)];
  static const opencl_category& instance = *::new (static_cast<void*>(place)) opencl_category;
  return instance;
}

/// Whether `CL_INVALID_OPERATION` from a call means that the buffer's flags deny the host access.
inline bool is_kept_from_host(std::int32_t code, std::string_view call) noexcept {
  return code == -59 && (call.starts_with("clEnqueueReadBuffer") || call.starts_with("clEnqueueWriteBuffer") ||
                         call == "clEnqueueMapBuffer");
}

inline constinit std::atomic<bool> used_process{false};

void note_used_process() noexcept {
  if (used_process.exchange(true)) return;
#if !defined(_WIN32)  // Windows does not fork
  ::pthread_atfork(nullptr, nullptr, [] { forked.is_so.store(true); });
#endif
}
bool is_forked_process() noexcept { return forked.is_so.load(yoke::detail::order::relaxed); }

void throw_failure(std::int32_t code, const char* call, std::string_view message, const source_location& where) {
  const std::error_code value{code, opencl_category_instance()};
  if (is_forked_process()) {
    message = "this process was forked after OpenCL was used, and OpenCL does not work in it: fork first, or exec";
    throw unsupported_error(value, call, message, where);
  }
  if (message.empty() && is_kept_from_host(code, call))
    message = "the buffer was made with a host_access that excludes this";
  switch (condition_of(code)) {
    case errc::out_of_memory:
      // From a launch, this code means "too many resources for this launch".
      if (std::strcmp(call, "clEnqueueNDRangeKernel") == 0) throw launch_error(value, call, message, where);
      // From a wait, this code reports a command that failed earlier.
      if (code == -5 && (std::strcmp(call, "clFinish") == 0 || std::strcmp(call, "clWaitForEvents") == 0)) {
        throw runtime_error(value, call, message, where);
      }
      throw memory_error(value, call, message, where);
    case errc::launch_failed: throw launch_error(value, call, message, where);
    case errc::unsupported:
    case errc::no_device: throw unsupported_error(value, call, message, where);
    case errc::context_lost: throw context_lost_error(value, call, message, where);
    case errc::build_failed: throw compile_error(value, call, message, {}, where);
    case errc::command_failed: throw runtime_error(value, call, message, where);
    default: break;
  }
  if (code == -8) throw logic_error(value, call, message.empty() ? "source and destination overlap" : message, where);
  if (code <= -30) throw logic_error(value, call, message, where);
  throw runtime_error(value, call, message, where);
}

}  // namespace detail

const std::error_category& error_category() noexcept { return detail::opencl_category_instance(); }

}  // namespace yoke::inline v0_1::opencl

#endif
