// SPDX-License-Identifier: MIT
// The one list of entry points of NVRTC, CUDA's run-time compiler, and the table made from it.
#ifndef YOKE_DRIVER_CUDA_COMPILER_NVRTC_FUNCTIONS_HPP
#define YOKE_DRIVER_CUDA_COMPILER_NVRTC_FUNCTIONS_HPP

#include <yoke/driver/cuda/abi.hpp>

// X(own name, NVRTC's name, required or optional, function type). NVRTC has no cuGetProcAddress: a name has one signature.
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

namespace yoke::inline YOKE_ABI::cuda {

namespace abi {
/// Whether an NVRTC without this entry is refused.
enum class presence : bool { optional, required };

/// NVRTC's entry points as plain function pointers. Tests replace them.
struct nvrtc_functions {
#define YOKE_MEMBER(name, symbol, need, ...) pointer_to<__VA_ARGS__> name = nullptr;
  YOKE_NVRTC_FUNCTIONS(YOKE_MEMBER)
#undef YOKE_MEMBER
};
}  // namespace abi

}  // namespace yoke::inline YOKE_ABI::cuda

#endif
