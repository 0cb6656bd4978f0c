// SPDX-License-Identifier: MIT
// The list of driver entry points, the table made from it, and notes about the driver's use.
#ifndef YOKE_DRIVER_OPENCL_ABI_FUNCTIONS_HPP
#define YOKE_DRIVER_OPENCL_ABI_FUNCTIONS_HPP

#include <yoke/core/config.hpp>
#include <yoke/core/shared.hpp>
#include <yoke/driver/opencl/abi/abi.hpp>

namespace yoke::inline v0_1::opencl::detail {

// One object for a program and the shared objects that it is linked with, even if they hide their symbols. It has its
// own cache line: every call reads it, and only a forked process writes it.
struct alignas(64) forked_state {
  yoke::detail::atomic<bool> is_so{false};
};
inline constinit YOKE_API_TYPE forked_state forked{};

class held_events;
class svm_turns;

/// Notes about a driver, in one cache line. Every handle has a table of entry points, which points to its notes: shared
/// objects that use the same handles see the same notes, however they were loaded.
struct alignas(64) driver_notes {
  /// The number of views that map memory for the host. While it is 0, per-allocation counts are not read.
  yoke::detail::atomic<int> views{0};
  /// Whether an unset user event exists whose failure would end the process in PoCL (`held_events`).
  yoke::detail::atomic<bool> events_are_held{false};
  /// Whether a user event has ever existed. Commands can fail with one, and in PoCL 3.1 a command that waits for a
  /// failed event never ends.
  yoke::detail::atomic<bool> user_events_take_part{false};
  /// Whether a device's driver may return from blocking reads and maps, or from blocking writes, before they end, or
  /// without the failure of earlier commands. If so, their events are queried.
  yoke::detail::atomic<bool> reads_are_asked{false};
  yoke::detail::atomic<bool> writes_are_asked{false};
  /// Whether a device's driver needs commands of shared virtual memory to take turns (`svm_turns`).
  yoke::detail::atomic<bool> svm_takes_turns{false};
  yoke::detail::atomic<held_events*> held{nullptr};        ///< created at the first use
  yoke::detail::atomic<svm_turns*> svm_turns_of{nullptr};  ///< created at the first use
};

/// The notes of tables made by the program and the shared objects that it is linked with, even if they hide their
/// symbols. Objects opened by `dlopen` have their own, unless the program exports its symbols. A copied table keeps its
/// notes.
inline constinit YOKE_API_TYPE driver_notes notes_of_new_tables{};

}  // namespace yoke::inline v0_1::opencl::detail

// X(own name, driver's name, first version x 10, function type). Up to 12 a symbol is required; above, a missing one is
// a null entry, and its use throws `unsupported_error`. The list generates the loader, and the tests' call log, failure
// injector and ledger of live objects. clEnqueueWaitForEvents is left out: PoCL 3.1 ends the process on it. The most
// frequent calls come first, so that they share a cache line.
#define YOKE_OPENCL_FUNCTIONS(X)                                                                                       \
  X(set_kernel_arg, "clSetKernelArg", 10, status(kernel, uint, std::size_t, const void*))                              \
  X(enqueue_kernel, "clEnqueueNDRangeKernel", 10,                                                                      \
    status(queue, kernel, uint, const std::size_t*, const std::size_t*, const std::size_t*, uint, const event*,        \
           event*))                                                                                                    \
  X(enqueue_read_buffer, "clEnqueueReadBuffer", 10,                                                                    \
    status(queue, memory, boolean, std::size_t, std::size_t, void*, uint, const event*, event*))                       \
  X(enqueue_write_buffer, "clEnqueueWriteBuffer", 10,                                                                  \
    status(queue, memory, boolean, std::size_t, std::size_t, const void*, uint, const event*, event*))                 \
  X(enqueue_copy_buffer, "clEnqueueCopyBuffer", 10,                                                                    \
    status(queue, memory, memory, std::size_t, std::size_t, std::size_t, uint, const event*, event*))                  \
  X(enqueue_marker, "clEnqueueMarkerWithWaitList", 12, status(queue, uint, const event*, event*))                      \
  X(enqueue_barrier, "clEnqueueBarrierWithWaitList", 12, status(queue, uint, const event*, event*))                    \
  X(flush, "clFlush", 10, status(queue))                                                                               \
  X(get_platform_ids, "clGetPlatformIDs", 10, status(uint, platform*, uint*))                                          \
  X(get_platform_info, "clGetPlatformInfo", 10, status(platform, uint, std::size_t, void*, std::size_t*))              \
  X(get_extension_function, "clGetExtensionFunctionAddressForPlatform", 12, void*(platform, const char*))              \
  X(get_device_ids, "clGetDeviceIDs", 10, status(platform, ulong, uint, device*, uint*))                               \
  X(get_device_info, "clGetDeviceInfo", 10, status(device, uint, std::size_t, void*, std::size_t*))                    \
  X(create_sub_devices, "clCreateSubDevices", 12, status(device, const std::intptr_t*, uint, device*, uint*))          \
  X(retain_device, "clRetainDevice", 12, status(device))                                                               \
  X(release_device, "clReleaseDevice", 12, status(device))                                                             \
  X(create_context, "clCreateContext", 10,                                                                             \
    context(const std::intptr_t*, uint, const device*, context_callback, void*, status*))                              \
  X(retain_context, "clRetainContext", 10, status(context))                                                            \
  X(release_context, "clReleaseContext", 10, status(context))                                                          \
  X(get_context_info, "clGetContextInfo", 10, status(context, uint, std::size_t, void*, std::size_t*))                 \
  X(create_queue, "clCreateCommandQueue", 10, queue(context, device, ulong, status*))                                  \
  X(retain_queue, "clRetainCommandQueue", 10, status(queue))                                                           \
  X(release_queue, "clReleaseCommandQueue", 10, status(queue))                                                         \
  X(get_queue_info, "clGetCommandQueueInfo", 10, status(queue, uint, std::size_t, void*, std::size_t*))                \
  X(finish, "clFinish", 10, status(queue))                                                                             \
  X(create_buffer, "clCreateBuffer", 10, memory(context, ulong, std::size_t, void*, status*))                          \
  X(create_sub_buffer, "clCreateSubBuffer", 11, memory(memory, ulong, uint, const void*, status*))                     \
  X(retain_memory, "clRetainMemObject", 10, status(memory))                                                            \
  X(release_memory, "clReleaseMemObject", 10, status(memory))                                                          \
  X(get_memory_info, "clGetMemObjectInfo", 10, status(memory, uint, std::size_t, void*, std::size_t*))                 \
  X(enqueue_read_buffer_rect, "clEnqueueReadBufferRect", 11,                                                           \
    status(queue, memory, boolean, const std::size_t*, const std::size_t*, const std::size_t*, std::size_t,            \
           std::size_t, std::size_t, std::size_t, void*, uint, const event*, event*))                                  \
  X(enqueue_write_buffer_rect, "clEnqueueWriteBufferRect", 11,                                                         \
    status(queue, memory, boolean, const std::size_t*, const std::size_t*, const std::size_t*, std::size_t,            \
           std::size_t, std::size_t, std::size_t, const void*, uint, const event*, event*))                            \
  X(enqueue_copy_buffer_rect, "clEnqueueCopyBufferRect", 11,                                                           \
    status(queue, memory, memory, const std::size_t*, const std::size_t*, const std::size_t*, std::size_t,             \
           std::size_t, std::size_t, std::size_t, uint, const event*, event*))                                         \
  X(enqueue_fill_buffer, "clEnqueueFillBuffer", 12,                                                                    \
    status(queue, memory, const void*, std::size_t, std::size_t, std::size_t, uint, const event*, event*))             \
  X(enqueue_map_buffer, "clEnqueueMapBuffer", 10,                                                                      \
    void*(queue, memory, boolean, ulong, std::size_t, std::size_t, uint, const event*, event*, status*))               \
  X(enqueue_unmap_memory, "clEnqueueUnmapMemObject", 10, status(queue, memory, void*, uint, const event*, event*))     \
  X(create_image, "clCreateImage", 12, memory(context, ulong, const image_format*, const image_desc*, void*, status*)) \
  X(get_image_info, "clGetImageInfo", 10, status(memory, uint, std::size_t, void*, std::size_t*))                      \
  X(get_supported_image_formats, "clGetSupportedImageFormats", 10,                                                     \
    status(context, ulong, uint, uint, image_format*, uint*))                                                          \
  X(enqueue_read_image, "clEnqueueReadImage", 10,                                                                      \
    status(queue, memory, boolean, const std::size_t*, const std::size_t*, std::size_t, std::size_t, void*, uint,      \
           const event*, event*))                                                                                      \
  X(enqueue_write_image, "clEnqueueWriteImage", 10,                                                                    \
    status(queue, memory, boolean, const std::size_t*, const std::size_t*, std::size_t, std::size_t, const void*,      \
           uint, const event*, event*))                                                                                \
  X(enqueue_copy_image, "clEnqueueCopyImage", 10,                                                                      \
    status(queue, memory, memory, const std::size_t*, const std::size_t*, const std::size_t*, uint, const event*,      \
           event*))                                                                                                    \
  X(enqueue_copy_image_to_buffer, "clEnqueueCopyImageToBuffer", 10,                                                    \
    status(queue, memory, memory, const std::size_t*, const std::size_t*, std::size_t, uint, const event*, event*))    \
  X(enqueue_copy_buffer_to_image, "clEnqueueCopyBufferToImage", 10,                                                    \
    status(queue, memory, memory, std::size_t, const std::size_t*, const std::size_t*, uint, const event*, event*))    \
  X(enqueue_fill_image, "clEnqueueFillImage", 12,                                                                      \
    status(queue, memory, const void*, const std::size_t*, const std::size_t*, uint, const event*, event*))            \
  X(enqueue_map_image, "clEnqueueMapImage", 10,                                                                        \
    void*(queue, memory, boolean, ulong, const std::size_t*, const std::size_t*, std::size_t*, std::size_t*, uint,     \
          const event*, event*, status*))                                                                              \
  X(enqueue_migrate_memory, "clEnqueueMigrateMemObjects", 12,                                                          \
    status(queue, uint, const memory*, ulong, uint, const event*, event*))                                             \
  X(create_sampler, "clCreateSampler", 10, sampler(context, boolean, uint, uint, status*))                             \
  X(create_sampler_with_properties, "clCreateSamplerWithProperties", 20, sampler(context, const ulong*, status*))      \
  X(retain_sampler, "clRetainSampler", 10, status(sampler))                                                            \
  X(release_sampler, "clReleaseSampler", 10, status(sampler))                                                          \
  X(get_sampler_info, "clGetSamplerInfo", 10, status(sampler, uint, std::size_t, void*, std::size_t*))                 \
  X(set_memory_destructor, "clSetMemObjectDestructorCallback", 11, status(memory, memory_callback, void*))             \
  X(create_pipe, "clCreatePipe", 20, memory(context, ulong, uint, uint, const std::intptr_t*, status*))                \
  X(get_pipe_info, "clGetPipeInfo", 20, status(memory, uint, std::size_t, void*, std::size_t*))                        \
  X(svm_alloc, "clSVMAlloc", 20, void*(context, ulong, std::size_t, uint))                                             \
  X(svm_free, "clSVMFree", 20, void(context, void*))                                                                   \
  X(enqueue_svm_free, "clEnqueueSVMFree", 20,                                                                          \
    status(queue, uint, void**, svm_free_callback, void*, uint, const event*, event*))                                 \
  X(enqueue_svm_copy, "clEnqueueSVMMemcpy", 20,                                                                        \
    status(queue, boolean, void*, const void*, std::size_t, uint, const event*, event*))                               \
  X(enqueue_svm_fill, "clEnqueueSVMMemFill", 20,                                                                       \
    status(queue, void*, const void*, std::size_t, std::size_t, uint, const event*, event*))                           \
  X(enqueue_svm_map, "clEnqueueSVMMap", 20,                                                                            \
    status(queue, boolean, ulong, void*, std::size_t, uint, const event*, event*))                                     \
  X(enqueue_svm_unmap, "clEnqueueSVMUnmap", 20, status(queue, void*, uint, const event*, event*))                      \
  X(enqueue_svm_migrate, "clEnqueueSVMMigrateMem", 21,                                                                 \
    status(queue, uint, const void**, const std::size_t*, ulong, uint, const event*, event*))                          \
  X(set_kernel_exec_info, "clSetKernelExecInfo", 20, status(kernel, uint, std::size_t, const void*))                   \
  X(set_kernel_arg_svm, "clSetKernelArgSVMPointer", 20, status(kernel, uint, const void*))                             \
  X(create_program_with_source, "clCreateProgramWithSource", 10,                                                       \
    program(context, uint, const char**, const std::size_t*, status*))                                                 \
  X(create_program_with_binary, "clCreateProgramWithBinary", 10,                                                       \
    program(context, uint, const device*, const std::size_t*, const unsigned char**, status*, status*))                \
  X(create_program_with_il, "clCreateProgramWithIL", 21, program(context, const void*, std::size_t, status*))          \
  X(retain_program, "clRetainProgram", 10, status(program))                                                            \
  X(release_program, "clReleaseProgram", 10, status(program))                                                          \
  X(build_program, "clBuildProgram", 10, status(program, uint, const device*, const char*, program_callback, void*))   \
  X(compile_program, "clCompileProgram", 12,                                                                           \
    status(program, uint, const device*, const char*, uint, const program*, const char**, program_callback, void*))    \
  X(link_program, "clLinkProgram", 12,                                                                                 \
    program(context, uint, const device*, const char*, uint, const program*, program_callback, void*, status*))        \
  X(get_program_info, "clGetProgramInfo", 10, status(program, uint, std::size_t, void*, std::size_t*))                 \
  X(get_program_build_info, "clGetProgramBuildInfo", 10,                                                               \
    status(program, device, uint, std::size_t, void*, std::size_t*))                                                   \
  X(create_kernel, "clCreateKernel", 10, kernel(program, const char*, status*))                                        \
  X(clone_kernel, "clCloneKernel", 21, kernel(kernel, status*))                                                        \
  X(retain_kernel, "clRetainKernel", 10, status(kernel))                                                               \
  X(release_kernel, "clReleaseKernel", 10, status(kernel))                                                             \
  X(get_kernel_info, "clGetKernelInfo", 10, status(kernel, uint, std::size_t, void*, std::size_t*))                    \
  X(get_kernel_arg_info, "clGetKernelArgInfo", 12, status(kernel, uint, uint, std::size_t, void*, std::size_t*))       \
  X(get_kernel_work_group_info, "clGetKernelWorkGroupInfo", 10,                                                        \
    status(kernel, device, uint, std::size_t, void*, std::size_t*))                                                    \
  X(wait_for_events, "clWaitForEvents", 10, status(uint, const event*))                                                \
  X(get_event_info, "clGetEventInfo", 10, status(event, uint, std::size_t, void*, std::size_t*))                       \
  X(create_user_event, "clCreateUserEvent", 11, event(context, status*))                                               \
  X(retain_event, "clRetainEvent", 10, status(event))                                                                  \
  X(release_event, "clReleaseEvent", 10, status(event))                                                                \
  X(set_user_event_status, "clSetUserEventStatus", 11, status(event, status))                                          \
  X(get_event_profiling_info, "clGetEventProfilingInfo", 10, status(event, uint, std::size_t, void*, std::size_t*))

namespace yoke::inline v0_1::opencl {

namespace abi {
using context_callback = void (*)(const char*, const void*, std::size_t, void*);
using program_callback = void (*)(program, void*);
using memory_callback = void (*)(memory, void*);
using svm_free_callback = void (*)(queue, uint, void**, void*);
/// `clEnqueueCopyBufferP2PAMD` of an extension.
using copy_between_contexts = status (*)(queue, memory, memory, std::size_t, std::size_t, std::size_t, uint,
                                         const event*, event*);

/// The entry points as plain function pointers. Tests replace them.
struct alignas(64) functions {
#define YOKE_MEMBER(name, symbol, version, ...) pointer_to<__VA_ARGS__> name = nullptr;
  YOKE_OPENCL_FUNCTIONS(YOKE_MEMBER)
#undef YOKE_MEMBER
  detail::driver_notes* notes = &detail::notes_of_new_tables;  ///< notes about the driver's use
};
}  // namespace abi

}  // namespace yoke::inline v0_1::opencl

#endif
