// SPDX-License-Identifier: MIT
// Finds nvJitLink at run time, when LTO-IR is to be linked and not before, and says why when it does not.
#ifndef YOKE_DRIVER_CUDA_NVJITLINK_LOADER_HPP
#define YOKE_DRIVER_CUDA_NVJITLINK_LOADER_HPP

#include <yoke/driver/cuda/nvjitlink_functions.hpp>
#include <yoke/driver/cuda/nvrtc_loader.hpp>

namespace yoke::inline YOKE_ABI::cuda {

/// Whether nvJitLink is there, which links LTO-IR, and anything else for no device.
/// Effects: at the first call opens it; it is never closed. It is looked for where NVRTC is; of those found the one of
/// NVRTC's major version is taken, else the newest. A library that `YOKE_CUDA_DRIVER` names and that brings its own, as
/// the simulator does, is taken instead. A failure is not remembered.
/// Returns: the answer, with everything that was looked for.
/// Throws: nothing but `std::bad_alloc`. Thread safety: safe.
[[nodiscard]] YOKE_API availability nvjitlink_available();

namespace detail {

/// An nvJitLink that was opened; lives as long as the process.
struct loaded_nvjitlink {
  abi::nvjitlink_functions table;
  std::string name;  ///< what was opened: a path, or a name that the dynamic loader found
};

/// Returns: nvJitLink, the same one each time, or null with the reason. Throws: `std::bad_alloc`.
[[nodiscard]] YOKE_API const loaded_nvjitlink* find_nvjitlink(std::string& reason);
/// Returns: nvJitLink's name with its version. Without `open` it is read from the file that nvJitLink would be opened
/// from, and "" where that cannot be told; with it nvJitLink is opened, and "" is none at all. Throws: `std::bad_alloc`.
[[nodiscard]] YOKE_API std::string nvjitlink_name(bool open);
/// Returns: nvJitLink, the same one each time. Throws: `unsupported_error` with the reason.
[[nodiscard]] YOKE_API const loaded_nvjitlink& default_nvjitlink(const source_location& where);

}  // namespace detail

}  // namespace yoke::inline YOKE_ABI::cuda

#if defined(YOKE_HEADER_ONLY)
#include <yoke/driver/cuda/impl/nvjitlink_loader.ipp>
#endif

#endif
