// SPDX-License-Identifier: MIT
// The lists of entry points of NVRTC, CUDA's run-time compiler, and of nvJitLink, its linker of LTO-IR.
#ifndef YOKE_DRIVER_CUDA_COMPILER_FUNCTIONS_HPP
#define YOKE_DRIVER_CUDA_COMPILER_FUNCTIONS_HPP

#include <yoke/driver/cuda/abi/abi.hpp>

// X(own name, NVRTC's name, required or optional, function type). NVRTC has no cuGetProcAddress: a name has one
// signature.
#define YOKE_NVRTC_FUNCTIONS(X)                                                                                        \
  X(get_error_string, "nvrtcGetErrorString", required, const char*(nvrtc_status))                                      \
  X(version, "nvrtcVersion", required, nvrtc_status(int*, int*))                                                       \
  X(get_num_supported_archs, "nvrtcGetNumSupportedArchs", required, nvrtc_status(int*))                                \
  X(get_supported_archs, "nvrtcGetSupportedArchs", required, nvrtc_status(int*))                                       \
  X(create_program, "nvrtcCreateProgram", required,                                                                    \
    nvrtc_status(nvrtc_program*, const char*, const char*, int, const char* const*, const char* const*))               \
  X(destroy_program, "nvrtcDestroyProgram", required, nvrtc_status(nvrtc_program*))                                    \
  X(add_name_expression, "nvrtcAddNameExpression", required, nvrtc_status(nvrtc_program, const char*))                 \
  X(compile_program, "nvrtcCompileProgram", required, nvrtc_status(nvrtc_program, int, const char* const*))            \
  X(get_lowered_name, "nvrtcGetLoweredName", required, nvrtc_status(nvrtc_program, const char*, const char**))         \
  X(get_ptx_size, "nvrtcGetPTXSize", required, nvrtc_status(nvrtc_program, std::size_t*))                              \
  X(get_ptx, "nvrtcGetPTX", required, nvrtc_status(nvrtc_program, char*))                                              \
  X(get_cubin_size, "nvrtcGetCUBINSize", required, nvrtc_status(nvrtc_program, std::size_t*))                          \
  X(get_cubin, "nvrtcGetCUBIN", required, nvrtc_status(nvrtc_program, char*))                                          \
  X(get_ltoir_size, "nvrtcGetLTOIRSize", optional, nvrtc_status(nvrtc_program, std::size_t*))                          \
  X(get_ltoir, "nvrtcGetLTOIR", optional, nvrtc_status(nvrtc_program, char*))                                          \
  X(get_program_log_size, "nvrtcGetProgramLogSize", required, nvrtc_status(nvrtc_program, std::size_t*))               \
  X(get_program_log, "nvrtcGetProgramLog", required, nvrtc_status(nvrtc_program, char*))

namespace yoke::inline v0_1::cuda {

namespace abi {
/// Whether the loader refuses an NVRTC without this entry.
enum class presence : bool { optional, required };

/// NVRTC's entry points as plain function pointers. Tests replace them.
struct nvrtc_functions {
#define YOKE_MEMBER(name, symbol, need, ...) pointer_to<__VA_ARGS__> name = nullptr;
  YOKE_NVRTC_FUNCTIONS(YOKE_MEMBER)
#undef YOKE_MEMBER
};
}  // namespace abi

}  // namespace yoke::inline v0_1::cuda

// X(own name, nvJitLink's name, function type). The loader appends the library's version to names without one.
#define YOKE_NVJITLINK_FUNCTIONS(X)                                                                                    \
  X(create, "nvJitLinkCreate", nvjitlink_status(nvjitlink*, uint, const char**))                                       \
  X(destroy, "nvJitLinkDestroy", nvjitlink_status(nvjitlink*))                                                         \
  X(add_data, "nvJitLinkAddData", nvjitlink_status(nvjitlink, nvjitlink_input, const void*, std::size_t, const char*)) \
  X(add_file, "nvJitLinkAddFile", nvjitlink_status(nvjitlink, nvjitlink_input, const char*))                           \
  X(complete, "nvJitLinkComplete", nvjitlink_status(nvjitlink))                                                        \
  X(get_cubin_size, "nvJitLinkGetLinkedCubinSize", nvjitlink_status(nvjitlink, std::size_t*))                          \
  X(get_cubin, "nvJitLinkGetLinkedCubin", nvjitlink_status(nvjitlink, void*))                                          \
  X(get_error_log_size, "nvJitLinkGetErrorLogSize", nvjitlink_status(nvjitlink, std::size_t*))                         \
  X(get_error_log, "nvJitLinkGetErrorLog", nvjitlink_status(nvjitlink, char*))                                         \
  X(get_info_log_size, "nvJitLinkGetInfoLogSize", nvjitlink_status(nvjitlink, std::size_t*))                           \
  X(get_info_log, "nvJitLinkGetInfoLog", nvjitlink_status(nvjitlink, char*))

namespace yoke::inline v0_1::cuda::abi {

/// `nvJitLinkInputType`.
enum class nvjitlink_input : unsigned { none = 0, cubin = 1, ptx = 2, ltoir = 3, fatbin = 4, object = 5, archive = 6 };

/// nvJitLink's entry points as plain function pointers. Tests replace them.
struct nvjitlink_functions {
#define YOKE_MEMBER(name, symbol, ...) pointer_to<__VA_ARGS__> name = nullptr;
  YOKE_NVJITLINK_FUNCTIONS(YOKE_MEMBER)
#undef YOKE_MEMBER
};

}  // namespace yoke::inline v0_1::cuda::abi

#endif
