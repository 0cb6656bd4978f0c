// SPDX-License-Identifier: MIT
// The environment variables the library knows, read once.
#ifndef YOKE_CORE_ENVIRONMENT_HPP
#define YOKE_CORE_ENVIRONMENT_HPP

#include <yoke/core/config.hpp>

#include <string>

namespace yoke::inline YOKE_ABI {

/// The library's settings from outside; all empty in a set-uid program.
struct environment {
  std::string device;            ///< `YOKE_DEVICE`: which device `yoke::context` takes
  std::string cuda_driver;       ///< `YOKE_CUDA_DRIVER`: `simulator`, or the path of a library in place of libcuda.so.1
  std::string cache{};           ///< `YOKE_CACHE`: `off` for no cache of compiled programs on disk
  std::string cache_folder{};    ///< `YOKE_CACHE_DIR`: its folder, an absolute path
  std::string xdg_cache_home{};  ///< `XDG_CACHE_HOME`: where that folder is otherwise
  std::string home{};            ///< `HOME`: and otherwise in `.cache` there
  std::string opencl_options{};  ///< `YOKE_OPENCL_OPTIONS`: options for every source that OpenCL compiles
  std::string cuda_options{};    ///< `YOKE_CUDA_OPTIONS`: and CUDA
};

/// Returns: what the variables said at the first call. Throws: nothing but `std::bad_alloc`. Thread safety: safe.
YOKE_API const environment& process_environment();

}  // namespace yoke::inline YOKE_ABI

#if defined(YOKE_HEADER_ONLY)
#include <yoke/core/impl/environment.ipp>
#endif

#endif
