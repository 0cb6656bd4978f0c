// SPDX-License-Identifier: MIT
// The list of entry points: signatures as in CL/cl.h, nothing that ends the process, floors per version.
#include <support/catch.hpp>
#include <support/drivers/abi_equal.hpp>
#include <support/drivers/opencl_entries.hpp>

#include <yoke/driver/opencl/loader.hpp>
#include <yoke/driver/opencl/program/kernel_clones.hpp>

#if __has_include(<CL/cl.h>)
#define CL_TARGET_OPENCL_VERSION 300
#define CL_USE_DEPRECATED_OPENCL_1_2_APIS
#include <CL/cl.h>
#endif

#include <cstddef>
#include <set>
#include <string>

using namespace yoke_test;

#if __has_include(<CL/cl.h>)
// Compared field by field in <yoke/opencl/interop.hpp>.
namespace yoke_test {
template <>
inline constexpr bool same_layout<abi::image_format, cl_image_format> = true;
template <>
inline constexpr bool same_layout<abi::image_desc, cl_image_desc> = true;
}  // namespace yoke_test
#define YOKE_TEST_EQUAL(name, call)                                                                                    \
  static_assert(abi_equal<decltype(abi::functions::name), decltype(&::call)>);                                         \
  struct name {};
// The vendor's declarations are the truth; `decltype` needs no library.
#define YOKE_TEST_SAME(name, call)                                                                                     \
  static_assert(std::is_same_v<decltype(&::call), decltype(abi::functions::name)>);                                    \
  struct name {};
namespace opencl_compared {
YOKE_TEST_SAME(get_platform_ids, clGetPlatformIDs)
YOKE_TEST_SAME(get_platform_info, clGetPlatformInfo)
YOKE_TEST_SAME(get_device_ids, clGetDeviceIDs)
YOKE_TEST_SAME(get_device_info, clGetDeviceInfo)
YOKE_TEST_SAME(get_extension_function, clGetExtensionFunctionAddressForPlatform)
YOKE_TEST_SAME(create_sub_devices, clCreateSubDevices)
YOKE_TEST_SAME(retain_device, clRetainDevice)
YOKE_TEST_SAME(release_device, clReleaseDevice)
YOKE_TEST_SAME(create_context, clCreateContext)
YOKE_TEST_SAME(retain_context, clRetainContext)
YOKE_TEST_SAME(release_context, clReleaseContext)
YOKE_TEST_SAME(get_context_info, clGetContextInfo)
YOKE_TEST_SAME(create_queue, clCreateCommandQueue)
YOKE_TEST_SAME(retain_queue, clRetainCommandQueue)
YOKE_TEST_SAME(release_queue, clReleaseCommandQueue)
YOKE_TEST_SAME(get_queue_info, clGetCommandQueueInfo)
YOKE_TEST_SAME(flush, clFlush)
YOKE_TEST_SAME(finish, clFinish)
YOKE_TEST_SAME(create_buffer, clCreateBuffer)
YOKE_TEST_SAME(create_sub_buffer, clCreateSubBuffer)
YOKE_TEST_SAME(retain_memory, clRetainMemObject)
YOKE_TEST_SAME(release_memory, clReleaseMemObject)
YOKE_TEST_SAME(get_memory_info, clGetMemObjectInfo)
YOKE_TEST_SAME(enqueue_read_buffer, clEnqueueReadBuffer)
YOKE_TEST_SAME(enqueue_write_buffer, clEnqueueWriteBuffer)
YOKE_TEST_SAME(enqueue_copy_buffer, clEnqueueCopyBuffer)
YOKE_TEST_SAME(enqueue_read_buffer_rect, clEnqueueReadBufferRect)
YOKE_TEST_SAME(enqueue_write_buffer_rect, clEnqueueWriteBufferRect)
YOKE_TEST_SAME(enqueue_copy_buffer_rect, clEnqueueCopyBufferRect)
YOKE_TEST_SAME(enqueue_fill_buffer, clEnqueueFillBuffer)
YOKE_TEST_SAME(enqueue_map_buffer, clEnqueueMapBuffer)
YOKE_TEST_SAME(enqueue_unmap_memory, clEnqueueUnmapMemObject)
YOKE_TEST_EQUAL(create_image, clCreateImage)
YOKE_TEST_SAME(get_image_info, clGetImageInfo)
YOKE_TEST_EQUAL(get_supported_image_formats, clGetSupportedImageFormats)
YOKE_TEST_SAME(enqueue_read_image, clEnqueueReadImage)
YOKE_TEST_SAME(enqueue_write_image, clEnqueueWriteImage)
YOKE_TEST_SAME(enqueue_copy_image, clEnqueueCopyImage)
YOKE_TEST_SAME(enqueue_copy_image_to_buffer, clEnqueueCopyImageToBuffer)
YOKE_TEST_SAME(enqueue_copy_buffer_to_image, clEnqueueCopyBufferToImage)
YOKE_TEST_SAME(enqueue_fill_image, clEnqueueFillImage)
YOKE_TEST_SAME(enqueue_map_image, clEnqueueMapImage)
YOKE_TEST_SAME(enqueue_migrate_memory, clEnqueueMigrateMemObjects)
YOKE_TEST_SAME(create_sampler, clCreateSampler)
YOKE_TEST_SAME(create_sampler_with_properties, clCreateSamplerWithProperties)
YOKE_TEST_SAME(retain_sampler, clRetainSampler)
YOKE_TEST_SAME(release_sampler, clReleaseSampler)
YOKE_TEST_SAME(get_sampler_info, clGetSamplerInfo)
YOKE_TEST_EQUAL(set_memory_destructor, clSetMemObjectDestructorCallback)
YOKE_TEST_SAME(create_pipe, clCreatePipe)
YOKE_TEST_SAME(get_pipe_info, clGetPipeInfo)
YOKE_TEST_SAME(svm_alloc, clSVMAlloc)
YOKE_TEST_SAME(svm_free, clSVMFree)
YOKE_TEST_SAME(enqueue_svm_free, clEnqueueSVMFree)
YOKE_TEST_SAME(enqueue_svm_copy, clEnqueueSVMMemcpy)
YOKE_TEST_SAME(enqueue_svm_fill, clEnqueueSVMMemFill)
YOKE_TEST_SAME(enqueue_svm_map, clEnqueueSVMMap)
YOKE_TEST_SAME(enqueue_svm_unmap, clEnqueueSVMUnmap)
YOKE_TEST_SAME(enqueue_svm_migrate, clEnqueueSVMMigrateMem)
YOKE_TEST_SAME(set_kernel_exec_info, clSetKernelExecInfo)
YOKE_TEST_SAME(set_kernel_arg_svm, clSetKernelArgSVMPointer)
YOKE_TEST_SAME(create_program_with_source, clCreateProgramWithSource)
YOKE_TEST_SAME(create_program_with_binary, clCreateProgramWithBinary)
YOKE_TEST_SAME(create_program_with_il, clCreateProgramWithIL)
YOKE_TEST_SAME(retain_program, clRetainProgram)
YOKE_TEST_SAME(release_program, clReleaseProgram)
YOKE_TEST_SAME(build_program, clBuildProgram)
YOKE_TEST_SAME(compile_program, clCompileProgram)
YOKE_TEST_SAME(link_program, clLinkProgram)
YOKE_TEST_SAME(get_program_info, clGetProgramInfo)
YOKE_TEST_SAME(get_program_build_info, clGetProgramBuildInfo)
YOKE_TEST_SAME(create_kernel, clCreateKernel)
YOKE_TEST_SAME(clone_kernel, clCloneKernel)
YOKE_TEST_SAME(retain_kernel, clRetainKernel)
YOKE_TEST_SAME(release_kernel, clReleaseKernel)
YOKE_TEST_SAME(set_kernel_arg, clSetKernelArg)
YOKE_TEST_SAME(get_kernel_info, clGetKernelInfo)
YOKE_TEST_SAME(get_kernel_arg_info, clGetKernelArgInfo)
YOKE_TEST_SAME(get_kernel_work_group_info, clGetKernelWorkGroupInfo)
YOKE_TEST_SAME(enqueue_kernel, clEnqueueNDRangeKernel)
YOKE_TEST_SAME(wait_for_events, clWaitForEvents)
YOKE_TEST_SAME(get_event_info, clGetEventInfo)
YOKE_TEST_SAME(create_user_event, clCreateUserEvent)
YOKE_TEST_SAME(retain_event, clRetainEvent)
YOKE_TEST_SAME(release_event, clReleaseEvent)
YOKE_TEST_SAME(set_user_event_status, clSetUserEventStatus)
YOKE_TEST_SAME(get_event_profiling_info, clGetEventProfilingInfo)
YOKE_TEST_SAME(enqueue_marker, clEnqueueMarkerWithWaitList)
YOKE_TEST_SAME(enqueue_barrier, clEnqueueBarrierWithWaitList)
}  // namespace opencl_compared
// An entry without a line above is an unknown name here.
#define YOKE_TEST_COMPARED(name, ...) static_assert(sizeof(opencl_compared::name) == 1);
YOKE_OPENCL_FUNCTIONS(YOKE_TEST_COMPARED)
#undef YOKE_TEST_COMPARED
#endif

// What a launch reads: one line of the caches of the table, one of the kernel, in which are the clone's first five values; what other
// threads write is elsewhere.
using yoke::opencl::kernel_clones;
static_assert(alignof(abi::functions) == 64 && offsetof(abi::functions, set_kernel_arg) == 0 &&
              offsetof(abi::functions, enqueue_kernel) < 64 && offsetof(abi::functions, flush) < 64);
static_assert(alignof(kernel_clones) == 64 && offsetof(kernel_clones, thread) == 0 &&
              offsetof(kernel_clones, own_values) + offsetof(yoke::opencl::detail::set_values, values) +
                      5 * sizeof(std::uint64_t) ==
                  64);
static_assert(offsetof(kernel_clones, shared) % 64 == 0);

TEST_CASE("no two entries share a name or a symbol", "[driver][opencl]") {
  std::set<std::string> names, symbols;
  for (const entry_facts& each : entries) {
    names.insert(std::string(each.name));
    symbols.insert(each.symbol);
    CHECK_THAT(each.symbol, StartsWith("cl"));
    CHECK((each.version >= 10 && each.version <= 30));
  }
  CHECK(names.size() == entries.size());
  CHECK(symbols.size() == entries.size());
}

TEST_CASE("the list has no call that ends the process", "[driver][opencl]") {
  // PoCL 3.1 exits in clEnqueueWaitForEvents and on queues of the device, which only the calls below can make.
  for (const entry_facts& each : entries) {
    for (const char* deadly : {"clEnqueueWaitForEvents", "clCreateCommandQueueWithProperties", "clEnqueueBarrier",
                               "clEnqueueMarker", "clSetEventCallback"}) {
      CHECK(each.symbol != std::string(deadly));
    }
  }
}

TEST_CASE("a loaded driver has every entry of OpenCL 1.2", "[driver][opencl]") {
  std::string reason;
  const abi::functions* table = yoke::opencl::detail::find_functions(reason);
  if (table == nullptr) YOKE_SKIP("no device: " + reason);
  CHECK(table == yoke::opencl::detail::default_functions({}));  // loaded once
#define YOKE_TEST_REQUIRED(name, symbol, version, ...) CHECK((table->name != nullptr || (version) > 12));
  YOKE_OPENCL_FUNCTIONS(YOKE_TEST_REQUIRED)
#undef YOKE_TEST_REQUIRED
}
