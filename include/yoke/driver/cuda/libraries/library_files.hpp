// SPDX-License-Identifier: MIT
// Finds and opens the files of CUDA's libraries, together with the libraries that they need.
#ifndef YOKE_DRIVER_CUDA_LIBRARIES_LIBRARY_FILES_HPP
#define YOKE_DRIVER_CUDA_LIBRARIES_LIBRARY_FILES_HPP

#include <yoke/core/config.hpp>

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace yoke::inline v0_1::cuda::detail {

/// A library that another one needs.
struct library_sibling {
  const char* word;  ///< the folder of its package
  const char* stem;  ///< the start of the file's name, before the major version
  int behind;        ///< the toolkit's major version less the library's
  int newest;        ///< its greatest major version so far
};
/// A library of CUDA's toolkit.
struct library_kind {
  const char* name;                             ///< "cuBLAS"
  const char* word;                             ///< "cublas": as the options name it, and the folder of its package
  const char* stem;                             ///< the start of the file's name, before the major version
  int behind;                                   ///< the toolkit's major version less the library's
  std::span<const library_sibling> siblings{};  ///< the libraries that it needs, in the order of opening
  int newest = 99;                              ///< its greatest major version so far
};
#if defined(_WIN32)
inline constexpr library_sibling cublas_siblings[]{{"cublas", "cublasLt64_", 0, 99}};
inline constexpr library_sibling cusolver_siblings[]{{"nvjitlink", "nvJitLink_", 0, 99},
                                                     {"cublas", "cublasLt64_", 0, 99},
                                                     {"cublas", "cublas64_", 0, 99},
                                                     {"cusparse", "cusparse64_", 0, 12}};
inline constexpr library_sibling cusparse_siblings[]{{"nvjitlink", "nvJitLink_", 0, 99}};
inline constexpr library_kind cublas_kind{"cuBLAS", "cublas", "cublas64_", 0, cublas_siblings};
inline constexpr library_kind cufft_kind{"cuFFT", "cufft", "cufft64_", 1};
inline constexpr library_kind cusolver_kind{"cuSOLVER", "cusolver", "cusolver64_", 1, cusolver_siblings};
inline constexpr library_kind cusparse_kind{"cuSPARSE", "cusparse", "cusparse64_", 0, cusparse_siblings, 12};
#else
inline constexpr library_sibling cublas_siblings[]{{"cublas", "libcublasLt.so.", 0, 99}};
// cuSPARSE's file has the same major version in the toolkits 12 and 13.
inline constexpr library_sibling cusolver_siblings[]{{"nvjitlink", "libnvJitLink.so.", 0, 99},
                                                     {"cublas", "libcublasLt.so.", 0, 99},
                                                     {"cublas", "libcublas.so.", 0, 99},
                                                     {"cusparse", "libcusparse.so.", 0, 12}};
inline constexpr library_sibling cusparse_siblings[]{{"nvjitlink", "libnvJitLink.so.", 0, 99}};
inline constexpr library_kind cublas_kind{"cuBLAS", "cublas", "libcublas.so.", 0, cublas_siblings};
inline constexpr library_kind cufft_kind{"cuFFT", "cufft", "libcufft.so.", 1};
inline constexpr library_kind cusolver_kind{"cuSOLVER", "cusolver", "libcusolver.so.", 1, cusolver_siblings};
inline constexpr library_kind cusparse_kind{"cuSPARSE", "cusparse", "libcusparse.so.", 0, cusparse_siblings, 12};
#endif

/// Where libraries are looked for.
struct library_places {
  std::vector<std::string> first{};   ///< before the dynamic loader: those of `LD_LIBRARY_PATH`, with all they need
  std::vector<std::string> others{};  ///< behind it; `*` in a path component matches any text
  bool by_loader = true;              ///< whether the dynamic loader looks, too
};
/// Returns: the places of a library on this machine.
[[nodiscard]] YOKE_API library_places places_of(const library_kind& kind);
/// Returns: the name of a library's file in a toolkit of a major version.
[[nodiscard]] YOKE_API std::string library_file_name(const library_kind& kind, int toolkit);

/// An open library.
struct opened_library {
  void* library = nullptr;  ///< null: none
  std::string path{};
};
/// Effects: opens the newest library of the toolkits `majors`, in their order. In each version the one that is open in
/// the process comes first. Libraries that it needs come from its own folder. `usable` may refuse one with a reason.
/// Returns: the library, which is never closed; none with the reason. Throws: `std::bad_alloc`.
[[nodiscard]] YOKE_API opened_library open_library_of(const library_kind& kind, std::span<const int> majors,
                                                      const library_places& places,
                                                      bool (*usable)(void* library, std::string& why, void* to),
                                                      void* to, std::string& reason);

}  // namespace yoke::inline v0_1::cuda::detail

#if defined(YOKE_IMPLEMENTATION)
#include <yoke/driver/cuda/libraries/library_files.ipp>
#endif

#endif
