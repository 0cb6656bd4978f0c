// SPDX-License-Identifier: MIT
// The one list of entry points of nvJitLink, CUDA's linker of LTO-IR, and the table made from it.
#ifndef YOKE_DRIVER_CUDA_COMPILER_NVJITLINK_FUNCTIONS_HPP
#define YOKE_DRIVER_CUDA_COMPILER_NVJITLINK_FUNCTIONS_HPP

#include <yoke/driver/cuda/abi.hpp>

// X(own name, nvJitLink's name, function type). Names without a version have the version of the opened library.
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

namespace yoke::inline YOKE_ABI::cuda::abi {

/// `nvJitLinkInputType`.
enum class nvjitlink_input : unsigned { none = 0, cubin = 1, ptx = 2, ltoir = 3, fatbin = 4, object = 5, archive = 6 };

/// nvJitLink's entry points as plain function pointers. Tests replace them.
struct nvjitlink_functions {
#define YOKE_MEMBER(name, symbol, ...) pointer_to<__VA_ARGS__> name = nullptr;
  YOKE_NVJITLINK_FUNCTIONS(YOKE_MEMBER)
#undef YOKE_MEMBER
};

}  // namespace yoke::inline YOKE_ABI::cuda::abi

#endif
