// SPDX-License-Identifier: MIT
// Every OpenCL code has its name, its condition and its exception class.
#include <support/catch.hpp>

#include <yoke/driver/opencl/error.hpp>

#if __has_include(<CL/cl.h>)
#define CL_TARGET_OPENCL_VERSION 300
#define CL_USE_DEPRECATED_OPENCL_1_2_APIS
#include <CL/cl.h>
#define YOKE_TEST_VENDOR_VALUE(name, value) name
#else
#define YOKE_TEST_VENDOR_VALUE(name, value) value
#endif

#include <map>
#include <set>
#include <string>

using namespace yoke_test;
using yoke::errc;
namespace ocl = yoke::opencl;

// clang-format off: one a line
#define YOKE_TEST_CORE_CODES(X)                                                                                        \
  X(CL_SUCCESS, 0)                                                                                                     \
  X(CL_DEVICE_NOT_FOUND, -1)                                                                                           \
  X(CL_DEVICE_NOT_AVAILABLE, -2)                                                                                       \
  X(CL_COMPILER_NOT_AVAILABLE, -3)                                                                                     \
  X(CL_MEM_OBJECT_ALLOCATION_FAILURE, -4)                                                                              \
  X(CL_OUT_OF_RESOURCES, -5)                                                                                           \
  X(CL_OUT_OF_HOST_MEMORY, -6)                                                                                         \
  X(CL_PROFILING_INFO_NOT_AVAILABLE, -7)                                                                               \
  X(CL_MEM_COPY_OVERLAP, -8)                                                                                           \
  X(CL_IMAGE_FORMAT_MISMATCH, -9)                                                                                      \
  X(CL_IMAGE_FORMAT_NOT_SUPPORTED, -10)                                                                                \
  X(CL_BUILD_PROGRAM_FAILURE, -11)                                                                                     \
  X(CL_MAP_FAILURE, -12)                                                                                               \
  X(CL_MISALIGNED_SUB_BUFFER_OFFSET, -13)                                                                              \
  X(CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST, -14)                                                                 \
  X(CL_COMPILE_PROGRAM_FAILURE, -15)                                                                                   \
  X(CL_LINKER_NOT_AVAILABLE, -16)                                                                                      \
  X(CL_LINK_PROGRAM_FAILURE, -17)                                                                                      \
  X(CL_DEVICE_PARTITION_FAILED, -18)                                                                                   \
  X(CL_KERNEL_ARG_INFO_NOT_AVAILABLE, -19)                                                                             \
  X(CL_INVALID_VALUE, -30)                                                                                             \
  X(CL_INVALID_DEVICE_TYPE, -31)                                                                                       \
  X(CL_INVALID_PLATFORM, -32)                                                                                          \
  X(CL_INVALID_DEVICE, -33)                                                                                            \
  X(CL_INVALID_CONTEXT, -34)                                                                                           \
  X(CL_INVALID_QUEUE_PROPERTIES, -35)                                                                                  \
  X(CL_INVALID_COMMAND_QUEUE, -36)                                                                                     \
  X(CL_INVALID_HOST_PTR, -37)                                                                                          \
  X(CL_INVALID_MEM_OBJECT, -38)                                                                                        \
  X(CL_INVALID_IMAGE_FORMAT_DESCRIPTOR, -39)                                                                           \
  X(CL_INVALID_IMAGE_SIZE, -40)                                                                                        \
  X(CL_INVALID_SAMPLER, -41)                                                                                           \
  X(CL_INVALID_BINARY, -42)                                                                                            \
  X(CL_INVALID_BUILD_OPTIONS, -43)                                                                                     \
  X(CL_INVALID_PROGRAM, -44)                                                                                           \
  X(CL_INVALID_PROGRAM_EXECUTABLE, -45)                                                                                \
  X(CL_INVALID_KERNEL_NAME, -46)                                                                                       \
  X(CL_INVALID_KERNEL_DEFINITION, -47)                                                                                 \
  X(CL_INVALID_KERNEL, -48)                                                                                            \
  X(CL_INVALID_ARG_INDEX, -49)                                                                                         \
  X(CL_INVALID_ARG_VALUE, -50)                                                                                         \
  X(CL_INVALID_ARG_SIZE, -51)                                                                                          \
  X(CL_INVALID_KERNEL_ARGS, -52)                                                                                       \
  X(CL_INVALID_WORK_DIMENSION, -53)                                                                                    \
  X(CL_INVALID_WORK_GROUP_SIZE, -54)                                                                                   \
  X(CL_INVALID_WORK_ITEM_SIZE, -55)                                                                                    \
  X(CL_INVALID_GLOBAL_OFFSET, -56)                                                                                     \
  X(CL_INVALID_EVENT_WAIT_LIST, -57)                                                                                   \
  X(CL_INVALID_EVENT, -58)                                                                                             \
  X(CL_INVALID_OPERATION, -59)                                                                                         \
  X(CL_INVALID_GL_OBJECT, -60)                                                                                         \
  X(CL_INVALID_BUFFER_SIZE, -61)                                                                                       \
  X(CL_INVALID_MIP_LEVEL, -62)                                                                                         \
  X(CL_INVALID_GLOBAL_WORK_SIZE, -63)                                                                                  \
  X(CL_INVALID_PROPERTY, -64)                                                                                          \
  X(CL_INVALID_IMAGE_DESCRIPTOR, -65)                                                                                  \
  X(CL_INVALID_COMPILER_OPTIONS, -66)                                                                                  \
  X(CL_INVALID_LINKER_OPTIONS, -67)                                                                                    \
  X(CL_INVALID_DEVICE_PARTITION_COUNT, -68)                                                                            \
  X(CL_INVALID_PIPE_SIZE, -69)                                                                                         \
  X(CL_INVALID_DEVICE_QUEUE, -70)                                                                                      \
  X(CL_INVALID_SPEC_ID, -71)                                                                                           \
  X(CL_MAX_SIZE_RESTRICTION_EXCEEDED, -72)
// clang-format on

// clang-format off: one a line
#define YOKE_TEST_EXTENSION_CODES(X)                                                                                   \
  X(CL_INVALID_GL_SHAREGROUP_REFERENCE_KHR, -1000)                                                                     \
  X(CL_PLATFORM_NOT_FOUND_KHR, -1001)                                                                                  \
  X(CL_INVALID_D3D10_DEVICE_KHR, -1002)                                                                                \
  X(CL_INVALID_D3D10_RESOURCE_KHR, -1003)                                                                              \
  X(CL_D3D10_RESOURCE_ALREADY_ACQUIRED_KHR, -1004)                                                                     \
  X(CL_D3D10_RESOURCE_NOT_ACQUIRED_KHR, -1005)                                                                         \
  X(CL_INVALID_D3D11_DEVICE_KHR, -1006)                                                                                \
  X(CL_INVALID_D3D11_RESOURCE_KHR, -1007)                                                                              \
  X(CL_D3D11_RESOURCE_ALREADY_ACQUIRED_KHR, -1008)                                                                     \
  X(CL_D3D11_RESOURCE_NOT_ACQUIRED_KHR, -1009)                                                                         \
  X(CL_INVALID_DX9_MEDIA_ADAPTER_KHR, -1010)                                                                           \
  X(CL_INVALID_DX9_MEDIA_SURFACE_KHR, -1011)                                                                           \
  X(CL_DX9_MEDIA_SURFACE_ALREADY_ACQUIRED_KHR, -1012)                                                                  \
  X(CL_DX9_MEDIA_SURFACE_NOT_ACQUIRED_KHR, -1013)                                                                      \
  X(CL_DEVICE_PARTITION_FAILED_EXT, -1057)                                                                             \
  X(CL_INVALID_PARTITION_COUNT_EXT, -1058)                                                                             \
  X(CL_INVALID_PARTITION_NAME_EXT, -1059)                                                                              \
  X(CL_EGL_RESOURCE_NOT_ACQUIRED_KHR, -1092)                                                                           \
  X(CL_INVALID_EGL_OBJECT_KHR, -1093)                                                                                  \
  X(CL_INVALID_ACCELERATOR_INTEL, -1094)                                                                               \
  X(CL_INVALID_ACCELERATOR_TYPE_INTEL, -1095)                                                                          \
  X(CL_INVALID_ACCELERATOR_DESCRIPTOR_INTEL, -1096)                                                                    \
  X(CL_ACCELERATOR_TYPE_NOT_SUPPORTED_INTEL, -1097)                                                                    \
  X(CL_COMMAND_TERMINATED_ITSELF_WITH_FAILURE_ARM, -1108)                                                              \
  X(CL_CONTEXT_TERMINATED_KHR, -1121)                                                                                  \
  X(CL_INVALID_COMMAND_BUFFER_KHR, -1138)                                                                              \
  X(CL_INVALID_SYNC_POINT_WAIT_LIST_KHR, -1139)                                                                        \
  X(CL_INCOMPATIBLE_COMMAND_QUEUE_KHR, -1140)                                                                          \
  X(CL_INVALID_MUTABLE_COMMAND_KHR, -1141)                                                                             \
  X(CL_INVALID_SEMAPHORE_KHR, -1142)                                                                                   \
  X(CL_NVIDIA_ILLEGAL_BUFFER_ACCESS, -9999)
// clang-format on

namespace {

struct known_code {
  std::string name;
  int value;
  int vendor;
};
const std::vector<known_code> core_codes{
#define YOKE_TEST_CODE(name, value) {#name, value, YOKE_TEST_VENDOR_VALUE(name, value)},
    YOKE_TEST_CORE_CODES(YOKE_TEST_CODE)
#undef YOKE_TEST_CODE
};
const std::vector<known_code> extension_codes{
#define YOKE_TEST_CODE(name, value) {#name, value, value},
    YOKE_TEST_EXTENSION_CODES(YOKE_TEST_CODE)
#undef YOKE_TEST_CODE
};

/// The library's OpenCL category as another shared object has it.
class other_copy final : public std::error_category {
 public:
  const char* name() const noexcept override { return "yoke.opencl"; }
  std::string message(int) const override { return ""; }
};

std::error_code code(int value) { return {value, ocl::error_category()}; }

template <class E>
void expect(int value, errc condition, const char* call = "clSomething") {
  INFO(ocl::error_name(value) << " from " << call);
  try {
    ocl::detail::throw_failure(value, call, "why", yoke::source_location::current());
  } catch (const yoke::error& e) {
    CHECK(dynamic_cast<const E*>(&e) != nullptr);
    CHECK(e.code() == code(value));
    CHECK(e.call() == std::string(call));
    if (condition != errc::success) CHECK(e.code() == condition);
    CHECK_THAT(e.what(), StartsWith(std::string("why [") + call + ": " + ocl::error_name(value) + " (" +
                                    std::to_string(value) + ")] (at "));
    CHECK_THAT(e.where().file_name(), EndsWith("opencl_error_test.cpp"));
  }
}

}  // namespace

TEST_CASE("every OpenCL code has the name that CL/cl.h gives it", "[driver][opencl]") {
  std::set<std::string> names;
  for (const auto* list : {&core_codes, &extension_codes}) {
    for (const known_code& each : *list) {
      CHECK(each.value == each.vendor);
      CHECK(ocl::error_name(each.value) == each.name);
      CHECK(code(each.value).message() == each.name);
      names.insert(ocl::error_name(each.value));
    }
  }
  CHECK(names.size() == core_codes.size() + extension_codes.size());
}

TEST_CASE("the list of OpenCL codes has no gap", "[driver][opencl]") {
  std::set<int> listed;
  for (const known_code& each : core_codes) listed.insert(each.value);
  for (int value = 0; value >= -200; --value) {
    const bool known = std::string(ocl::error_name(value)) != "CL_UNKNOWN_ERROR";
    CHECK(known == (listed.count(value) != 0));
    const bool in_headers = value >= -19 || (value <= -30 && value >= -72);
    CHECK(known == in_headers);
  }
  CHECK(ocl::error_name(1) == std::string("CL_UNKNOWN_ERROR"));
}

TEST_CASE("OpenCL codes have portable conditions", "[driver][opencl]") {
  const std::map<errc, std::vector<int>> conditions{
      {errc::out_of_memory, {-4, -5, -6}},
      {errc::build_failed, {-11, -15, -17}},
      {errc::misaligned, {-13}},
      {errc::command_failed, {-14}},
      {errc::no_device, {-1, -1001}},
      {errc::unsupported, {-3, -10, -16, -18, -59, -64}},
      {errc::context_lost, {-2, -1121, -9999}},
      {errc::wrong_context, {-34}},
      {errc::incompatible_binary, {-42}},
      {errc::kernel_not_found, {-46}},
      {errc::launch_failed, {-52, -53, -54, -55, -56, -63}},
      {errc::invalid_handle, {-32, -33, -36, -38, -44, -45, -48, -58}},
      {errc::invalid_argument, {-30, -31, -35, -37, -43, -49, -50, -51, -57, -61}}};
  for (const auto& [condition, values] : conditions) {
    for (const int value : values) {
      INFO(ocl::error_name(value));
      CHECK(code(value) == condition);
      CHECK(code(value).default_error_condition().category() == yoke::error_category());
      for (const auto& other : conditions) CHECK((code(value) == other.first) == (condition == other.first));
    }
  }
  CHECK(code(0) != errc::out_of_memory);
  CHECK(code(-7) != errc::invalid_argument);  // has none
  CHECK(code(-7).default_error_condition() == std::error_condition(-7, ocl::error_category()));
}

TEST_CASE("OpenCL's category compares by name", "[driver][opencl]") {
  const other_copy copy;
  CHECK(ocl::error_category().name() == std::string("yoke.opencl"));
  CHECK(ocl::error_category().equivalent(std::error_code(-4, copy), -4));
  CHECK_FALSE(ocl::error_category().equivalent(std::error_code(-5, copy), -4));
  CHECK_FALSE(ocl::error_category().equivalent(yoke::make_error_code(errc::out_of_memory), -4));
}

TEST_CASE("OpenCL codes become the right exceptions", "[driver][opencl]") {
  for (const int value : {-4, -5, -6}) expect<yoke::memory_error>(value, errc::out_of_memory);
  // Launches report a lack of registers or local memory with the code for a lack of memory.
  for (const int value : {-4, -5, -6}) expect<yoke::launch_error>(value, errc::out_of_memory, "clEnqueueNDRangeKernel");
  for (const int value : {-52, -53, -54, -55, -56, -63}) expect<yoke::launch_error>(value, errc::launch_failed);
  for (const int value : {-3, -10, -16, -18, -59, -64}) expect<yoke::unsupported_error>(value, errc::unsupported);
  for (const int value : {-1, -1001}) expect<yoke::unsupported_error>(value, errc::no_device);
  for (const int value : {-2, -1121, -9999}) expect<yoke::context_lost_error>(value, errc::context_lost);
  for (const int value : {-11, -15, -17}) expect<yoke::compile_error>(value, errc::build_failed);
  expect<yoke::runtime_error>(-14, errc::command_failed);
  // While waiting it is how drivers report a command that failed before.
  for (const char* wait : {"clFinish", "clWaitForEvents"}) expect<yoke::runtime_error>(-5, errc::success, wait);
  for (const int value : {-7, -12}) expect<yoke::runtime_error>(value, errc::success);
  for (const int value : {-8, -30, -34, -38, -48, -57, -61, -68}) expect<yoke::logic_error>(value, errc::success);
}
