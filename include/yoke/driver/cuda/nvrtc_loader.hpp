// SPDX-License-Identifier: MIT
// Finds NVRTC at run time, when something is to be compiled and not before, and says why when it does not.
#ifndef YOKE_DRIVER_CUDA_NVRTC_LOADER_HPP
#define YOKE_DRIVER_CUDA_NVRTC_LOADER_HPP

#include <yoke/driver/cuda/loader.hpp>
#include <yoke/driver/cuda/nvrtc_functions.hpp>

namespace yoke::inline YOKE_ABI::cuda {

/// Whether NVRTC 12.0 or newer is there.
/// Effects: at the first call opens it, which takes long when its files are cold; it is never closed. Of those found
/// the newest is taken; but one of a newer major version than the driver, when that is loaded, comes last, because
/// such a driver cannot load its code. A library that `YOKE_CUDA_DRIVER` names and that brings its own NVRTC, as the
/// simulator does, is taken instead. A failure is not remembered.
/// Returns: the answer, with everything that was looked for.
/// Throws: nothing but `std::bad_alloc`. Thread safety: safe. Wraps `nvrtcVersion`.
[[nodiscard]] YOKE_API availability nvrtc_available();

namespace detail {

/// An NVRTC that was opened; lives as long as the process.
struct loaded_nvrtc {
  abi::nvrtc_functions table;
  std::string name;  ///< what was opened: a path, or a name that the dynamic loader found
  int version = 0;   ///< 13000 for NVRTC 13.0
};

/// Returns: NVRTC, the same one each time, or null with the reason. Throws: `std::bad_alloc`.
[[nodiscard]] YOKE_API const loaded_nvrtc* find_nvrtc(std::string& reason);
/// Returns: NVRTC if it was opened already; opens nothing. Throws: nothing.
[[nodiscard]] YOKE_API const loaded_nvrtc* nvrtc_if_loaded() noexcept;
/// Returns: its full name, "NVRTC 12.8.93", by the file that it was opened from. Throws: `std::bad_alloc`.
[[nodiscard]] YOKE_API std::string nvrtc_name(const loaded_nvrtc& nvrtc);
/// Returns: the same of the NVRTC that would be opened, as far as that can be told from files; "" where it cannot. An
/// entry of a cache that was made by another is found once NVRTC is open. Throws: `std::bad_alloc`.
[[nodiscard]] YOKE_API std::string nvrtc_name_without_opening();
/// Whether programs are compiled by a compiler within the driver: it may take headers from anywhere, as the simulator's
/// does. NVRTC takes them from the folders given.
[[nodiscard]] YOKE_API bool has_compiler_within();
/// Returns: ", library 580.65.6", what tells the driver's file from others; "" where that cannot be told.
[[nodiscard]] YOKE_API std::string driver_file_name();
/// Returns: NVRTC, the same one each time. Throws: `unsupported_error` with the reason.
[[nodiscard]] YOKE_API const loaded_nvrtc& default_nvrtc(const source_location& where);

}  // namespace detail

}  // namespace yoke::inline YOKE_ABI::cuda

#if defined(YOKE_HEADER_ONLY)
#include <yoke/driver/cuda/impl/nvrtc_loader.ipp>
#endif

#endif
