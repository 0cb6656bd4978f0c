// SPDX-License-Identifier: MIT
// The environment variables that the library reads, once.
#ifndef YOKE_CORE_ENVIRONMENT_HPP
#define YOKE_CORE_ENVIRONMENT_HPP

#include <yoke/core/config.hpp>

#include <string>
#include <string_view>

namespace yoke::inline v0_1 {

/// The settings that the environment gives; all empty in a set-uid program.
struct environment {
  std::string device;            ///< `YOKE_DEVICE`: which device `yoke::context` takes
  std::string cuda_driver;       ///< `YOKE_CUDA_DRIVER`: `simulator`, or the path of a library in place of libcuda.so.1
  std::string cache{};           ///< `YOKE_CACHE`: `off` for no cache of compiled programs on disk
  std::string cache_folder{};    ///< `YOKE_CACHE_DIR`: that cache's folder, an absolute path
  std::string xdg_cache_home{};  ///< `XDG_CACHE_HOME`: holds the folder when `YOKE_CACHE_DIR` is not set
  std::string home{};            ///< `HOME`: its `.cache` holds the folder when neither is set
  std::string local_app_data{};  ///< `LOCALAPPDATA`, on Windows: its `yoke\cache` is the folder when none is set
  /// `YOKE_ARRAY_POOL`: `off` frees the memory of arrays at once instead of keeping it in the context's pool; `keep`
  /// keeps it on the CUDA simulator, too
  std::string array_pool{};
  std::string opencl_options{};  ///< `YOKE_OPENCL_OPTIONS`: options for every source that OpenCL compiles
  std::string trace{};           ///< `YOKE_TRACE`: the file of a trace
  std::string cuda_options{};    ///< `YOKE_CUDA_OPTIONS`: options for every source that CUDA compiles
  std::string nccl_library{};  ///< `YOKE_NCCL_LIBRARY`: `simulator`, or the path of a library in place of libnccl.so.2
  std::string debug{};         ///< `YOKE_DEBUG`: words with commas between them; `ranks` compares the ranks' calls
  std::string libraries{};     ///< `YOKE_LIBRARIES`: `own`, or which of the vendors' libraries may be used
};

/// Returns: the variables as they were at the first call. Throws: `std::bad_alloc`. Thread safety: safe.
YOKE_API const environment& process_environment();

namespace detail {
/// Returns: whether a list with commas between its words has the word.
[[nodiscard]] constexpr bool has_word(std::string_view list, std::string_view word) noexcept {
  for (;;) {
    const std::size_t end = list.find(',');
    if (list.substr(0, end) == word) return true;
    if (end == std::string_view::npos) return false;
    list.remove_prefix(end + 1);
  }
}
/// Returns: whether `YOKE_DEBUG` asks to compare what the ranks of every communicator call. Throws: `std::bad_alloc`.
[[nodiscard]] inline bool debugs_ranks() { return has_word(process_environment().debug, "ranks"); }
}  // namespace detail

}  // namespace yoke::inline v0_1

#if defined(YOKE_IMPLEMENTATION)
#include <yoke/core/environment.ipp>
#endif

#endif
