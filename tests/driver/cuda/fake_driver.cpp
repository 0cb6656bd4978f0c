// SPDX-License-Identifier: MIT
// A library that says it is the CUDA driver, NVRTC, the simulator, cuBLAS or cuSPARSE, and misbehaves as the environment
// tells it to.
//
// FAKE_CUDA_VERSION, FAKE_CUDA_VERSION_STATUS, FAKE_CUDA_INIT, FAKE_CUDA_DEVICES, FAKE_CUDA_COUNT_STATUS,
// FAKE_CUDA_MISSING (a symbol), FAKE_NVRTC_VERSION. Compiled with YOKE_FAKE_DRIVER and YOKE_FAKE_NVRTC for what it
// exports, and with YOKE_FAKE_OLD for the older cuGetProcAddress alone. With YOKE_FAKE_MATH: cuSPARSE of CUDA 13, and a
// cuBLAS that is too old to have products of 64-bit sizes.
#include <yoke/driver/cuda/abi/functions.hpp>
#include <yoke/driver/cuda/compiler/functions.hpp>
#include <yoke/driver/cuda/libraries/functions.hpp>

#include <cstdlib>
#include <cstring>
#include <type_traits>

namespace {

namespace abi = yoke::cuda::abi;

[[maybe_unused]] int number(const char* variable, int otherwise) {
  const char* const text = std::getenv(variable);
  return text == nullptr ? otherwise : std::atoi(text);
}

#if defined(YOKE_FAKE_DRIVER)

/// An entry that succeeds and does nothing; one function for each signature is enough.
template <class Function>
struct stub;
template <class Result, class... Arguments>
struct stub<Result(Arguments...)> {
  static Result call(Arguments...) { return {}; }
};

template <class Pointer>
using stub_of = stub<std::remove_pointer_t<Pointer>>;

abi::status init(abi::uint flags) { return flags == 0 ? number("FAKE_CUDA_INIT", 0) : abi::status{1}; }
abi::status get_version(int* version) {
  *version = number("FAKE_CUDA_VERSION", 12000);
  return number("FAKE_CUDA_VERSION_STATUS", 0);
}
abi::status get_count(int* count) {
  *count = number("FAKE_CUDA_DEVICES", 1);
  return number("FAKE_CUDA_COUNT_STATUS", 0);
}

void* entry_of(const char* symbol, int version) {
  const auto as_address = [](auto* function) { return reinterpret_cast<void*>(function); };
  const auto is = [&](const char* name) { return std::strcmp(symbol, name) == 0; };
  if (const char* missing = std::getenv("FAKE_CUDA_MISSING"); missing != nullptr && is(missing)) return nullptr;
  if (is("cuInit")) return as_address(&init);
  if (is("cuDriverGetVersion")) return as_address(&get_version);
  if (is("cuDeviceGetCount")) return as_address(&get_count);
    // Another version than the list's would be another signature.
#define YOKE_FAKE_ENTRY(own, name, abi_version, ...)                                                                   \
  if (is(name) && version == (abi_version)) return as_address(&stub_of<decltype(abi::functions::own)>::call);
  YOKE_CUDA_FUNCTIONS(YOKE_FAKE_ENTRY)
#undef YOKE_FAKE_ENTRY
  return nullptr;
}

/// As a driver does it: too new a version is an error, an unknown symbol is a null pointer.
abi::status find(const char* symbol, void** address, int version, std::uint64_t flags, abi::address_query* query) {
  *address = nullptr;
  if (flags != abi::legacy_stream_symbols || version > number("FAKE_CUDA_VERSION", 12000)) return 1;
  *address = entry_of(symbol, version);
  if (query != nullptr) {
    *query = *address != nullptr ? abi::address_query::success : abi::address_query::symbol_not_found;
  }
  return 0;
}

#endif

}  // namespace

#define YOKE_FAKE_EXPORT extern "C" __attribute__((visibility("default")))

#if defined(YOKE_FAKE_DRIVER)
YOKE_FAKE_EXPORT abi::status cuDriverGetVersion(int* version) { return get_version(version); }
#if defined(YOKE_FAKE_OLD)
YOKE_FAKE_EXPORT abi::status cuGetProcAddress(const char* symbol, void** address, int version, std::uint64_t flags) {
  return find(symbol, address, version, flags, nullptr);
}
#else
YOKE_FAKE_EXPORT abi::status cuGetProcAddress_v2(const char* symbol, void** address, int version, std::uint64_t flags,
                                                 abi::address_query* query) {
  return find(symbol, address, version, flags, query);
}
#endif
#endif

#if defined(YOKE_FAKE_NVRTC)
YOKE_FAKE_EXPORT abi::nvrtc_status nvrtcVersion(int* major, int* minor) {
  *major = number("FAKE_NVRTC_VERSION", 12000) / 1000;
  *minor = number("FAKE_NVRTC_VERSION", 12000) % 1000 / 10;
  return 0;
}
// The rest is only ever looked up.
#define YOKE_FAKE_ENTRY(symbol)                                                                                        \
  YOKE_FAKE_EXPORT void symbol() {}
YOKE_FAKE_ENTRY(nvrtcGetErrorString)
YOKE_FAKE_ENTRY(nvrtcGetNumSupportedArchs)
YOKE_FAKE_ENTRY(nvrtcGetSupportedArchs)
YOKE_FAKE_ENTRY(nvrtcCreateProgram)
YOKE_FAKE_ENTRY(nvrtcDestroyProgram)
YOKE_FAKE_ENTRY(nvrtcAddNameExpression)
YOKE_FAKE_ENTRY(nvrtcCompileProgram)
YOKE_FAKE_ENTRY(nvrtcGetLoweredName)
YOKE_FAKE_ENTRY(nvrtcGetPTXSize)
YOKE_FAKE_ENTRY(nvrtcGetPTX)
YOKE_FAKE_ENTRY(nvrtcGetCUBINSize)
YOKE_FAKE_ENTRY(nvrtcGetCUBIN)
YOKE_FAKE_ENTRY(nvrtcGetProgramLogSize)
#if !defined(YOKE_FAKE_OLD)
YOKE_FAKE_ENTRY(nvrtcGetProgramLog)
#endif
#endif

#if defined(YOKE_FAKE_MATH)
#define YOKE_FAKE_BLAS(own, symbol)                                                                                    \
  YOKE_FAKE_EXPORT int yoke_fake_##own() __asm__(symbol);                                                              \
  int yoke_fake_##own() { return 0; }
#define YOKE_FAKE_SPARSE(own, symbol, ...)                                                                             \
  YOKE_FAKE_EXPORT int yoke_fake_sparse_##own(int which, int* to) __asm__(symbol);                                     \
  int yoke_fake_sparse_##own([[maybe_unused]] int which, [[maybe_unused]] int* to) {                                   \
    if (std::strcmp(symbol, "cusparseGetProperty") == 0) *to = which == 0 ? 12 : which == 1 ? 6 : 3;                   \
    return 0;                                                                                                          \
  }
YOKE_CUSPARSE_FUNCTIONS(YOKE_FAKE_SPARSE)
YOKE_FAKE_BLAS(create, "cublasCreate_v2")
YOKE_FAKE_BLAS(destroy, "cublasDestroy_v2")
YOKE_FAKE_BLAS(property, "cublasGetProperty")
YOKE_FAKE_BLAS(set_stream, "cublasSetStream_v2")
YOKE_FAKE_BLAS(set_workspace, "cublasSetWorkspace_v2")
YOKE_FAKE_BLAS(set_math_mode, "cublasSetMathMode")
#endif
