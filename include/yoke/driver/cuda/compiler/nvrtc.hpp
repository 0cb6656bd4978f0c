// SPDX-License-Identifier: MIT
// Finds NVRTC when something is compiled, or tells why it cannot.
#ifndef YOKE_DRIVER_CUDA_COMPILER_NVRTC_HPP
#define YOKE_DRIVER_CUDA_COMPILER_NVRTC_HPP

#include <yoke/driver/cuda/compiler/functions.hpp>
#include <yoke/driver/cuda/loader.hpp>

namespace yoke::inline v0_1::cuda {

/// Whether there is an NVRTC of version 12.0 or newer.
/// Effects: the first call opens it, which takes long when its files are not cached; it is never closed. If several are
/// found, the newest is used; one whose major version is newer than a loaded driver's comes last, because that driver
/// cannot load its code. If the library that `YOKE_CUDA_DRIVER` names contains an NVRTC, as the simulator does, that
/// one is used. After a failure the next call tries again.
/// Returns: the answer, with everything that was tried.
/// Throws: `std::bad_alloc`. Thread safety: safe. Wraps `nvrtcVersion`.
[[nodiscard]] YOKE_API availability nvrtc_available();

namespace detail {

/// An open NVRTC. It lives as long as the process.
struct loaded_nvrtc {
  abi::nvrtc_functions table;
  std::string name;  ///< the path by which it was opened, or the name that the dynamic loader found
  int version = 0;   ///< 13000 for NVRTC 13.0
};

/// Returns: NVRTC, always the same; null with the reason if there is none. Throws: `std::bad_alloc`.
[[nodiscard]] YOKE_API const loaded_nvrtc* find_nvrtc(std::string& reason);
/// Returns: NVRTC if it is open already, else null. Throws: nothing.
[[nodiscard]] YOKE_API const loaded_nvrtc* nvrtc_if_loaded() noexcept;
/// Returns: its full name, "NVRTC 12.8.93", from its file. Throws: `std::bad_alloc`.
[[nodiscard]] YOKE_API std::string nvrtc_name(const loaded_nvrtc& nvrtc);
/// Returns: the name of the NVRTC that would be opened, as far as the files tell; "" if they do not. Cache entries of
/// another NVRTC are found only once NVRTC is open. Throws: `std::bad_alloc`.
[[nodiscard]] YOKE_API std::string nvrtc_name_without_opening();
/// Whether the driver contains the compiler, as the simulator does. This compiler may read headers from anywhere; NVRTC
/// reads them only from the given folders.
[[nodiscard]] YOKE_API bool has_compiler_within();
/// Returns: ", library 580.65.6", the version of the driver's file; "" if it is unknown.
[[nodiscard]] YOKE_API std::string driver_file_name();
/// Returns: NVRTC, always the same. Throws: `unsupported_error` with the reason.
[[nodiscard]] YOKE_API const loaded_nvrtc& default_nvrtc(const source_location& where);

}  // namespace detail

}  // namespace yoke::inline v0_1::cuda

#if defined(YOKE_IMPLEMENTATION)
#include <yoke/driver/cuda/compiler/nvrtc.ipp>
#endif

#endif
