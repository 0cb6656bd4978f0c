// SPDX-License-Identifier: MIT
// Every code of CUDA and NVRTC has its name, its text, its condition and its exception class.
#include <support/catch.hpp>

#include <yoke/driver/cuda/error.hpp>

#if __has_include(<cuda.h>)
#include <cuda.h>
#endif
#if __has_include(<nvrtc.h>)
#include <nvrtc.h>
#endif
#if __has_include(<nvJitLink.h>)
#include <nvJitLink.h>
#endif

#include <map>
#include <set>
#include <string>
#include <typeinfo>
#include <vector>

using namespace yoke_test;
using yoke::errc;
namespace cu = yoke::cuda;

// Written down independently of the library's list.
#define YOKE_TEST_CUDA_CODES(X)                                                                                        \
  X(CUDA_SUCCESS, 0)                                                                                                   \
  X(CUDA_ERROR_INVALID_VALUE, 1)                                                                                       \
  X(CUDA_ERROR_OUT_OF_MEMORY, 2)                                                                                       \
  X(CUDA_ERROR_NOT_INITIALIZED, 3)                                                                                     \
  X(CUDA_ERROR_DEINITIALIZED, 4)                                                                                       \
  X(CUDA_ERROR_PROFILER_DISABLED, 5)                                                                                   \
  X(CUDA_ERROR_PROFILER_NOT_INITIALIZED, 6)                                                                            \
  X(CUDA_ERROR_PROFILER_ALREADY_STARTED, 7)                                                                            \
  X(CUDA_ERROR_PROFILER_ALREADY_STOPPED, 8)                                                                            \
  X(CUDA_ERROR_STUB_LIBRARY, 34)                                                                                       \
  X(CUDA_ERROR_CALL_REQUIRES_NEWER_DRIVER, 36)                                                                         \
  X(CUDA_ERROR_DEVICE_UNAVAILABLE, 46)                                                                                 \
  X(CUDA_ERROR_NO_DEVICE, 100)                                                                                         \
  X(CUDA_ERROR_INVALID_DEVICE, 101)                                                                                    \
  X(CUDA_ERROR_DEVICE_NOT_LICENSED, 102)                                                                               \
  X(CUDA_ERROR_INVALID_IMAGE, 200)                                                                                     \
  X(CUDA_ERROR_INVALID_CONTEXT, 201)                                                                                   \
  X(CUDA_ERROR_CONTEXT_ALREADY_CURRENT, 202)                                                                           \
  X(CUDA_ERROR_MAP_FAILED, 205)                                                                                        \
  X(CUDA_ERROR_UNMAP_FAILED, 206)                                                                                      \
  X(CUDA_ERROR_ARRAY_IS_MAPPED, 207)                                                                                   \
  X(CUDA_ERROR_ALREADY_MAPPED, 208)                                                                                    \
  X(CUDA_ERROR_NO_BINARY_FOR_GPU, 209)                                                                                 \
  X(CUDA_ERROR_ALREADY_ACQUIRED, 210)                                                                                  \
  X(CUDA_ERROR_NOT_MAPPED, 211)                                                                                        \
  X(CUDA_ERROR_NOT_MAPPED_AS_ARRAY, 212)                                                                               \
  X(CUDA_ERROR_NOT_MAPPED_AS_POINTER, 213)                                                                             \
  X(CUDA_ERROR_ECC_UNCORRECTABLE, 214)                                                                                 \
  X(CUDA_ERROR_UNSUPPORTED_LIMIT, 215)                                                                                 \
  X(CUDA_ERROR_CONTEXT_ALREADY_IN_USE, 216)                                                                            \
  X(CUDA_ERROR_PEER_ACCESS_UNSUPPORTED, 217)                                                                           \
  X(CUDA_ERROR_INVALID_PTX, 218)                                                                                       \
  X(CUDA_ERROR_INVALID_GRAPHICS_CONTEXT, 219)                                                                          \
  X(CUDA_ERROR_NVLINK_UNCORRECTABLE, 220)                                                                              \
  X(CUDA_ERROR_JIT_COMPILER_NOT_FOUND, 221)                                                                            \
  X(CUDA_ERROR_UNSUPPORTED_PTX_VERSION, 222)                                                                           \
  X(CUDA_ERROR_JIT_COMPILATION_DISABLED, 223)                                                                          \
  X(CUDA_ERROR_UNSUPPORTED_EXEC_AFFINITY, 224)                                                                         \
  X(CUDA_ERROR_UNSUPPORTED_DEVSIDE_SYNC, 225)                                                                          \
  X(CUDA_ERROR_CONTAINED, 226)                                                                                         \
  X(CUDA_ERROR_INVALID_SOURCE, 300)                                                                                    \
  X(CUDA_ERROR_FILE_NOT_FOUND, 301)                                                                                    \
  X(CUDA_ERROR_SHARED_OBJECT_SYMBOL_NOT_FOUND, 302)                                                                    \
  X(CUDA_ERROR_SHARED_OBJECT_INIT_FAILED, 303)                                                                         \
  X(CUDA_ERROR_OPERATING_SYSTEM, 304)                                                                                  \
  X(CUDA_ERROR_INVALID_HANDLE, 400)                                                                                    \
  X(CUDA_ERROR_ILLEGAL_STATE, 401)                                                                                     \
  X(CUDA_ERROR_LOSSY_QUERY, 402)                                                                                       \
  X(CUDA_ERROR_NOT_FOUND, 500)                                                                                         \
  X(CUDA_ERROR_NOT_READY, 600)                                                                                         \
  X(CUDA_ERROR_ILLEGAL_ADDRESS, 700)                                                                                   \
  X(CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES, 701)                                                                           \
  X(CUDA_ERROR_LAUNCH_TIMEOUT, 702)                                                                                    \
  X(CUDA_ERROR_LAUNCH_INCOMPATIBLE_TEXTURING, 703)                                                                     \
  X(CUDA_ERROR_PEER_ACCESS_ALREADY_ENABLED, 704)                                                                       \
  X(CUDA_ERROR_PEER_ACCESS_NOT_ENABLED, 705)                                                                           \
  X(CUDA_ERROR_PRIMARY_CONTEXT_ACTIVE, 708)                                                                            \
  X(CUDA_ERROR_CONTEXT_IS_DESTROYED, 709)                                                                              \
  X(CUDA_ERROR_ASSERT, 710)                                                                                            \
  X(CUDA_ERROR_TOO_MANY_PEERS, 711)                                                                                    \
  X(CUDA_ERROR_HOST_MEMORY_ALREADY_REGISTERED, 712)                                                                    \
  X(CUDA_ERROR_HOST_MEMORY_NOT_REGISTERED, 713)                                                                        \
  X(CUDA_ERROR_HARDWARE_STACK_ERROR, 714)                                                                              \
  X(CUDA_ERROR_ILLEGAL_INSTRUCTION, 715)                                                                               \
  X(CUDA_ERROR_MISALIGNED_ADDRESS, 716)                                                                                \
  X(CUDA_ERROR_INVALID_ADDRESS_SPACE, 717)                                                                             \
  X(CUDA_ERROR_INVALID_PC, 718)                                                                                        \
  X(CUDA_ERROR_LAUNCH_FAILED, 719)                                                                                     \
  X(CUDA_ERROR_COOPERATIVE_LAUNCH_TOO_LARGE, 720)                                                                      \
  X(CUDA_ERROR_TENSOR_MEMORY_LEAK, 721)                                                                                \
  X(CUDA_ERROR_NOT_PERMITTED, 800)                                                                                     \
  X(CUDA_ERROR_NOT_SUPPORTED, 801)                                                                                     \
  X(CUDA_ERROR_SYSTEM_NOT_READY, 802)                                                                                  \
  X(CUDA_ERROR_SYSTEM_DRIVER_MISMATCH, 803)                                                                            \
  X(CUDA_ERROR_COMPAT_NOT_SUPPORTED_ON_DEVICE, 804)                                                                    \
  X(CUDA_ERROR_MPS_CONNECTION_FAILED, 805)                                                                             \
  X(CUDA_ERROR_MPS_RPC_FAILURE, 806)                                                                                   \
  X(CUDA_ERROR_MPS_SERVER_NOT_READY, 807)                                                                              \
  X(CUDA_ERROR_MPS_MAX_CLIENTS_REACHED, 808)                                                                           \
  X(CUDA_ERROR_MPS_MAX_CONNECTIONS_REACHED, 809)                                                                       \
  X(CUDA_ERROR_MPS_CLIENT_TERMINATED, 810)                                                                             \
  X(CUDA_ERROR_CDP_NOT_SUPPORTED, 811)                                                                                 \
  X(CUDA_ERROR_CDP_VERSION_MISMATCH, 812)                                                                              \
  X(CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED, 900)                                                                        \
  X(CUDA_ERROR_STREAM_CAPTURE_INVALIDATED, 901)                                                                        \
  X(CUDA_ERROR_STREAM_CAPTURE_MERGE, 902)                                                                              \
  X(CUDA_ERROR_STREAM_CAPTURE_UNMATCHED, 903)                                                                          \
  X(CUDA_ERROR_STREAM_CAPTURE_UNJOINED, 904)                                                                           \
  X(CUDA_ERROR_STREAM_CAPTURE_ISOLATION, 905)                                                                          \
  X(CUDA_ERROR_STREAM_CAPTURE_IMPLICIT, 906)                                                                           \
  X(CUDA_ERROR_CAPTURED_EVENT, 907)                                                                                    \
  X(CUDA_ERROR_STREAM_CAPTURE_WRONG_THREAD, 908)                                                                       \
  X(CUDA_ERROR_TIMEOUT, 909)                                                                                           \
  X(CUDA_ERROR_GRAPH_EXEC_UPDATE_FAILURE, 910)                                                                         \
  X(CUDA_ERROR_EXTERNAL_DEVICE, 911)                                                                                   \
  X(CUDA_ERROR_INVALID_CLUSTER_SIZE, 912)                                                                              \
  X(CUDA_ERROR_FUNCTION_NOT_LOADED, 913)                                                                               \
  X(CUDA_ERROR_INVALID_RESOURCE_TYPE, 914)                                                                             \
  X(CUDA_ERROR_INVALID_RESOURCE_CONFIGURATION, 915)                                                                    \
  X(CUDA_ERROR_KEY_ROTATION, 916)                                                                                      \
  X(CUDA_ERROR_UNKNOWN, 999)

#define YOKE_TEST_NVRTC_CODES(X)                                                                                       \
  X(NVRTC_SUCCESS, 0)                                                                                                  \
  X(NVRTC_ERROR_OUT_OF_MEMORY, 1)                                                                                      \
  X(NVRTC_ERROR_PROGRAM_CREATION_FAILURE, 2)                                                                           \
  X(NVRTC_ERROR_INVALID_INPUT, 3)                                                                                      \
  X(NVRTC_ERROR_INVALID_PROGRAM, 4)                                                                                    \
  X(NVRTC_ERROR_INVALID_OPTION, 5)                                                                                     \
  X(NVRTC_ERROR_COMPILATION, 6)                                                                                        \
  X(NVRTC_ERROR_BUILTIN_OPERATION_FAILURE, 7)                                                                          \
  X(NVRTC_ERROR_NO_NAME_EXPRESSIONS_AFTER_COMPILATION, 8)                                                              \
  X(NVRTC_ERROR_NO_LOWERED_NAMES_BEFORE_COMPILATION, 9)                                                                \
  X(NVRTC_ERROR_NAME_EXPRESSION_NOT_VALID, 10)                                                                         \
  X(NVRTC_ERROR_INTERNAL_ERROR, 11)                                                                                    \
  X(NVRTC_ERROR_TIME_FILE_WRITE_FAILED, 12)                                                                            \
  X(NVRTC_ERROR_NO_PCH_CREATE_ATTEMPTED, 13)                                                                           \
  X(NVRTC_ERROR_PCH_CREATE_HEAP_EXHAUSTED, 14)                                                                         \
  X(NVRTC_ERROR_PCH_CREATE, 15)                                                                                        \
  X(NVRTC_ERROR_CANCELLED, 16)                                                                                         \
  X(NVRTC_ERROR_TIME_TRACE_FILE_WRITE_FAILED, 17)

#define YOKE_TEST_NVJITLINK_CODES(X)                                                                                   \
  X(NVJITLINK_SUCCESS, 0)                                                                                              \
  X(NVJITLINK_ERROR_UNRECOGNIZED_OPTION, 1)                                                                            \
  X(NVJITLINK_ERROR_MISSING_ARCH, 2)                                                                                   \
  X(NVJITLINK_ERROR_INVALID_INPUT, 3)                                                                                  \
  X(NVJITLINK_ERROR_PTX_COMPILE, 4)                                                                                    \
  X(NVJITLINK_ERROR_NVVM_COMPILE, 5)                                                                                   \
  X(NVJITLINK_ERROR_INTERNAL, 6)                                                                                       \
  X(NVJITLINK_ERROR_THREADPOOL, 7)                                                                                     \
  X(NVJITLINK_ERROR_UNRECOGNIZED_INPUT, 8)                                                                             \
  X(NVJITLINK_ERROR_FINALIZE, 9)                                                                                       \
  X(NVJITLINK_ERROR_NULL_INPUT, 10)                                                                                    \
  X(NVJITLINK_ERROR_INCOMPATIBLE_OPTIONS, 11)                                                                          \
  X(NVJITLINK_ERROR_INCORRECT_INPUT_TYPE, 12)                                                                          \
  X(NVJITLINK_ERROR_ARCH_MISMATCH, 13)                                                                                 \
  X(NVJITLINK_ERROR_OUTDATED_LIBRARY, 14)                                                                              \
  X(NVJITLINK_ERROR_MISSING_FATBIN, 15)                                                                                \
  X(NVJITLINK_ERROR_UNRECOGNIZED_ARCH, 16)                                                                             \
  X(NVJITLINK_ERROR_UNSUPPORTED_ARCH, 17)                                                                              \
  X(NVJITLINK_ERROR_LTO_NOT_ENABLED, 18)

#if defined(CUDA_VERSION) && CUDA_VERSION >= 13000
#define YOKE_TEST_CODE(name, value) static_assert(name == (value));
YOKE_TEST_CUDA_CODES(YOKE_TEST_CODE)
#undef YOKE_TEST_CODE
#if CUDA_VERSION < 13010  // newer ones may have more
/// Whether the vendor's header has no code that the list lacks: a compiler warns of an enumerator without a case.
[[maybe_unused]] constexpr bool every_code_is_listed(CUresult code) {
  switch (code) {
#define YOKE_TEST_CODE(name, value) case name:
    YOKE_TEST_CUDA_CODES(YOKE_TEST_CODE)
#undef YOKE_TEST_CODE
    return true;
  }
  return false;
}
static_assert(every_code_is_listed(CUDA_ERROR_UNKNOWN));
#endif
#endif

#if __has_include(<nvrtc.h>) && defined(CUDA_VERSION) && CUDA_VERSION >= 13000
#define YOKE_TEST_CODE(name, value) static_assert(name == (value));
YOKE_TEST_NVRTC_CODES(YOKE_TEST_CODE)
#undef YOKE_TEST_CODE
#endif

#if __has_include(<nvJitLink.h>) && defined(CUDA_VERSION) && CUDA_VERSION >= 13000
#define YOKE_TEST_CODE(name, value) static_assert(name == (value));
YOKE_TEST_NVJITLINK_CODES(YOKE_TEST_CODE)
#undef YOKE_TEST_CODE
#endif

namespace {

struct known_code {
  std::string name;
  int value;
};
const std::vector<known_code> cuda_codes{
#define YOKE_TEST_CODE(name, value) {#name, value},
    YOKE_TEST_CUDA_CODES(YOKE_TEST_CODE)
#undef YOKE_TEST_CODE
};
const std::vector<known_code> nvrtc_codes{
#define YOKE_TEST_CODE(name, value) {#name, value},
    YOKE_TEST_NVRTC_CODES(YOKE_TEST_CODE)
#undef YOKE_TEST_CODE
};

/// The library's categories as another shared object has them.
class other_copy final : public std::error_category {
 public:
  explicit other_copy(const char* name) : name_(name) {}
  const char* name() const noexcept override { return name_; }
  std::string message(int) const override { return ""; }

 private:
  const char* name_;
};

std::error_code code(int value) { return {value, cu::error_category()}; }
std::error_code nvrtc_code(int value) { return {value, cu::nvrtc_error_category()}; }

template <class E>
void expect(int value, errc condition, const char* call = "cuSomething") {
  INFO(cu::error_name(value) << " from " << call);
  try {
    cu::detail::throw_failure(value, call, "why", yoke::source_location::current());
  } catch (const yoke::error& e) {
    CHECK(typeid(e) == typeid(E));
    CHECK(e.code() == code(value));
    CHECK(e.call() == std::string(call));
    if (condition != errc::success) CHECK(e.code() == condition);
    CHECK_THAT(e.what(), StartsWith(std::string("why [") + call + ": " + cu::error_name(value) + " (" +
                                    std::to_string(value) + ")] (at "));
    CHECK_THAT(e.where().file_name(), EndsWith("cuda_error_test.cpp"));
  }
}

template <class E>
void expect_nvrtc(int value, errc condition) {
  INFO(cu::nvrtc_error_name(value));
  try {
    cu::detail::throw_nvrtc_failure(value, "nvrtcSomething", "why", yoke::source_location::current());
  } catch (const yoke::error& e) {
    CHECK(typeid(e) == typeid(E));
    CHECK(e.code() == nvrtc_code(value));
    if (condition != errc::success) CHECK(e.code() == condition);
    CHECK_THAT(e.what(), StartsWith(std::string("why [nvrtcSomething: ") + cu::nvrtc_error_name(value) + " (" +
                                    std::to_string(value) + ")] (at "));
  }
}

}  // namespace

TEST_CASE("every CUDA code has the name that cuda.h gives it, and a text", "[driver][cuda]") {
  std::set<std::string> names;
  std::set<std::string> texts;
  for (const known_code& each : cuda_codes) {
    INFO(each.name);
    CHECK(cu::error_name(each.value) == each.name);
    CHECK(code(each.value).message() == each.name);
    names.insert(cu::error_name(each.value));
    texts.insert(cu::error_text(each.value));
  }
  CHECK(names.size() == cuda_codes.size());
  CHECK(texts.size() == cuda_codes.size());
  CHECK(texts.count("") == 0);
}

TEST_CASE("the list of CUDA codes has no other code than those", "[driver][cuda]") {
  std::set<int> listed;
  for (const known_code& each : cuda_codes) listed.insert(each.value);
  for (int value = -10; value < 1200; ++value) {
    const bool known = std::string(cu::error_name(value)) != "CUDA_ERROR_?";
    CHECK(known == (listed.count(value) != 0));
    CHECK(known == (*cu::error_text(value) != '\0'));
  }
}

TEST_CASE("every NVRTC code has the name that nvrtc.h gives it, and a text", "[driver][cuda]") {
  std::set<std::string> texts;
  for (const known_code& each : nvrtc_codes) {
    INFO(each.name);
    CHECK(cu::nvrtc_error_name(each.value) == each.name);
    CHECK(nvrtc_code(each.value).message() == each.name);
    texts.insert(cu::nvrtc_error_text(each.value));
  }
  CHECK(texts.size() == nvrtc_codes.size());
  CHECK(texts.count("") == 0);
  CHECK(cu::nvrtc_error_name(18) == std::string("NVRTC_ERROR_?"));
  CHECK(cu::nvrtc_error_name(-1) == std::string("NVRTC_ERROR_?"));
}

TEST_CASE("CUDA codes have portable conditions", "[driver][cuda]") {
  const std::map<errc, std::vector<int>> conditions{
      {errc::invalid_argument, {1, 301, 712, 713, 914, 915}},
      {errc::out_of_memory, {2}},
      {errc::driver_unavailable, {3, 4, 34, 302, 303, 802, 803, 804, 805, 806, 807, 808, 809}},
      {errc::no_device, {46, 100}},
      {errc::invalid_handle, {101, 400}},
      {errc::incompatible_binary, {200, 209, 222, 812}},
      {errc::wrong_context, {201, 216, 219}},
      {errc::mapped, {207, 208}},
      {errc::build_failed, {218, 225, 300}},
      {errc::kernel_not_found, {500}},
      {errc::launch_failed, {701, 703, 720, 912}},
      {errc::unsupported, {5, 36, 102, 215, 217, 221, 223, 224, 402, 711, 800, 801, 811, 900}},
      {errc::context_lost, {214, 220, 226, 700, 702, 709, 710, 714, 715, 716, 717, 718, 719, 721, 810, 911}}};
  std::set<int> with;
  for (const auto& [condition, values] : conditions) {
    for (const int value : values) {
      INFO(cu::error_name(value));
      with.insert(value);
      CHECK(code(value) == condition);
      CHECK(code(value).default_error_condition().category() == yoke::error_category());
      for (const auto& other : conditions) CHECK((code(value) == other.first) == (condition == other.first));
    }
  }
  for (const known_code& each : cuda_codes) {
    INFO(each.name);
    if (with.count(each.value) != 0) continue;
    CHECK(code(each.value).default_error_condition() == std::error_condition(each.value, cu::error_category()));
  }
}

TEST_CASE("NVRTC codes have portable conditions", "[driver][cuda]") {
  CHECK(nvrtc_code(1) == errc::out_of_memory);
  CHECK(nvrtc_code(3) == errc::invalid_argument);
  CHECK(nvrtc_code(4) == errc::invalid_handle);
  CHECK(nvrtc_code(5) == errc::invalid_argument);
  CHECK(nvrtc_code(6) == errc::build_failed);
  CHECK(nvrtc_code(7) == errc::unsupported);
  CHECK(nvrtc_code(10) == errc::kernel_not_found);
  CHECK(nvrtc_code(11).default_error_condition() == std::error_condition(11, cu::nvrtc_error_category()));
}

TEST_CASE("the categories of CUDA and NVRTC compare by name", "[driver][cuda]") {
  const other_copy cuda_copy("yoke.cuda");
  const other_copy nvrtc_copy("yoke.nvrtc");
  CHECK(cu::error_category().name() == std::string("yoke.cuda"));
  CHECK(cu::nvrtc_error_category().name() == std::string("yoke.nvrtc"));
  CHECK(cu::error_category().equivalent(std::error_code(2, cuda_copy), 2));
  CHECK_FALSE(cu::error_category().equivalent(std::error_code(3, cuda_copy), 2));
  CHECK_FALSE(cu::error_category().equivalent(std::error_code(2, nvrtc_copy), 2));
  CHECK(cu::nvrtc_error_category().equivalent(std::error_code(6, nvrtc_copy), 6));
  CHECK_FALSE(cu::error_category().equivalent(yoke::make_error_code(errc::out_of_memory), 2));
}

TEST_CASE("codes and conditions of another shared object's copies are told by name", "[driver][cuda]") {
  class copied_category final : public std::error_category {
   public:
    explicit copied_category(const char* name) noexcept : name_(name) {}
    const char* name() const noexcept override { return name_; }
    std::string message(int) const override { return ""; }

   private:
    const char* name_;
  };
  static const copied_category cuda("yoke.cuda"), linker("yoke.nvjitlink"), own("yoke"), other("other");
  CHECK(cu::detail::is_about_input({218, cuda}, false));  // CUDA_ERROR_INVALID_PTX
  CHECK_FALSE(cu::detail::is_about_input({218, linker}, false));
  const auto condition = [](yoke::errc code, const std::error_category& category) {
    return std::error_condition(static_cast<int>(code), category);
  };
  const std::error_code destroyed{709, cu::error_category()};
  CHECK(destroyed == condition(yoke::errc::context_ended, own));
  CHECK(destroyed == condition(yoke::errc::context_lost, own));
  CHECK_FALSE(destroyed == condition(yoke::errc::context_ended, other));
  CHECK_FALSE(destroyed == condition(yoke::errc::invalid_handle, own));
}

TEST_CASE("CUDA codes become the right exceptions", "[driver][cuda]") {
  expect<yoke::memory_error>(2, errc::out_of_memory);
  for (const int value : {1, 301, 712, 713}) expect<yoke::logic_error>(value, errc::invalid_argument);
  for (const int value : {101, 400}) expect<yoke::logic_error>(value, errc::invalid_handle);
  for (const int value : {200, 209, 222, 812}) expect<yoke::logic_error>(value, errc::incompatible_binary);
  expect<yoke::logic_error>(201, errc::wrong_context);
  expect<yoke::logic_error>(500, errc::kernel_not_found);
  for (const int value : {704, 705, 708, 901, 907, 913}) expect<yoke::logic_error>(value, errc::success);
  for (const int value : {218, 225, 300}) expect<yoke::compile_error>(value, errc::build_failed);
  for (const int value : {701, 703, 720, 912}) expect<yoke::launch_error>(value, errc::launch_failed);
  for (const int value : {46, 100}) expect<yoke::unsupported_error>(value, errc::no_device);
  for (const int value : {36, 215, 217, 221, 800, 801}) expect<yoke::unsupported_error>(value, errc::unsupported);
  for (const int value : {3, 34, 803, 804}) expect<yoke::unsupported_error>(value, errc::driver_unavailable);
  for (const int value : {304, 600, 909, 999, 12345}) expect<yoke::runtime_error>(value, errc::success);
  for (const int value : {214, 220, 226, 700, 702, 709, 710, 714, 715, 716, 717, 718, 719, 721, 810, 911}) {
    expect<yoke::context_lost_error>(value, errc::context_lost);
  }
}

TEST_CASE("a launch that the driver refuses is a launch error whatever the code", "[driver][cuda]") {
  for (const char* launch : {"cuLaunchKernel", "cuLaunchKernelEx", "cuLaunchCooperativeKernel"}) {
    expect<yoke::launch_error>(1, errc::invalid_argument, launch);
    expect<yoke::launch_error>(2, errc::out_of_memory, launch);
    expect<yoke::launch_error>(801, errc::unsupported, launch);
    expect<yoke::launch_error>(701, errc::launch_failed, launch);
    expect<yoke::context_lost_error>(700, errc::context_lost, launch);  // of an earlier launch
    expect<yoke::logic_error>(400, errc::invalid_handle, launch);
  }
  expect<yoke::logic_error>(1, errc::invalid_argument, "cuLaunchHostFunc");
}

TEST_CASE("without words of the caller an error says what its code means", "[driver][cuda]") {
  CHECK_THROWS_WITH(cu::detail::throw_failure(2, "cuMemAlloc", "", yoke::source_location::current()),
                    StartsWith("there is not enough memory, or another resource, for this [cuMemAlloc: "
                               "CUDA_ERROR_OUT_OF_MEMORY (2)]"));
  CHECK_THROWS_WITH(cu::detail::throw_nvrtc_failure(5, "nvrtcCompileProgram", "", yoke::source_location::current()),
                    StartsWith("an option is not valid [nvrtcCompileProgram: NVRTC_ERROR_INVALID_OPTION (5)]"));
}

TEST_CASE("NVRTC codes become the right exceptions", "[driver][cuda]") {
  expect_nvrtc<yoke::memory_error>(1, errc::out_of_memory);
  for (const int value : {3, 5, 8, 9}) expect_nvrtc<yoke::logic_error>(value, errc::invalid_argument);
  expect_nvrtc<yoke::logic_error>(4, errc::invalid_handle);
  expect_nvrtc<yoke::compile_error>(6, errc::build_failed);
  expect_nvrtc<yoke::unsupported_error>(7, errc::unsupported);
  expect_nvrtc<yoke::logic_error>(10, errc::kernel_not_found);
  for (const int value : {2, 11, 12, 17, 99}) expect_nvrtc<yoke::runtime_error>(value, errc::success);
}

TEST_CASE("sticky CUDA errors are known", "[driver][cuda]") {
  const std::set<int> sticky{214, 220, 226, 700, 702, 710, 714, 715, 716, 717, 718, 719, 721, 810, 911};
  for (int value = -1; value < 1100; ++value) {
    INFO(value);
    CHECK(cu::detail::is_sticky(value) == (sticky.count(value) != 0));
  }
}

TEST_CASE("every code of nvJitLink has its name, a text and an exception", "[driver][cuda]") {
  const std::error_category& category = yoke::cuda::nvjitlink_error_category();
  CHECK(std::string(category.name()) == "yoke.nvjitlink");
#define YOKE_TEST_CODE(name, value) CHECK(category.message(value) == #name);
  YOKE_TEST_NVJITLINK_CODES(YOKE_TEST_CODE)
#undef YOKE_TEST_CODE
  CHECK(category.message(99) == "NVJITLINK_ERROR_?");
  const auto thrown = [](int code) {
    try {
      yoke::cuda::detail::throw_nvjitlink_failure(code, "nvJitLinkComplete", "", yoke::source_location::current());
    } catch (const yoke::error& e) {
      return e.code();
    }
  };
  CHECK(thrown(4) == yoke::errc::build_failed);
  CHECK(thrown(13) == yoke::errc::incompatible_binary);
  CHECK(thrown(14) == yoke::errc::unsupported);
  for (int code = 1; code <= 18; ++code) CHECK(thrown(code).value() == code);
}
