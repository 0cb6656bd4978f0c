// SPDX-License-Identifier: MIT
// Finds nvJitLink when LTO-IR is linked, or tells why it cannot.
#ifndef YOKE_DRIVER_CUDA_COMPILER_NVJITLINK_HPP
#define YOKE_DRIVER_CUDA_COMPILER_NVJITLINK_HPP

#include <yoke/driver/cuda/compiler/functions.hpp>
#include <yoke/driver/cuda/compiler/nvrtc.hpp>

namespace yoke::inline v0_1::cuda {

/// Whether there is an nvJitLink, which links LTO-IR, and links other inputs without a device.
/// Effects: the first call opens it; it is never closed. It is searched for in the same places as NVRTC. If several are
/// found, the one of NVRTC's major version is used, else the newest. If the library that `YOKE_CUDA_DRIVER` names
/// contains an nvJitLink, as the simulator does, that one is used. After a failure the next call tries again.
/// Returns: the answer, with everything that was tried.
/// Throws: `std::bad_alloc`. Thread safety: safe.
[[nodiscard]] YOKE_API availability nvjitlink_available();

namespace detail {

/// An open nvJitLink. It lives as long as the process.
struct loaded_nvjitlink {
  abi::nvjitlink_functions table;
  std::string name;  ///< the path by which it was opened, or the name that the dynamic loader found
};

/// Returns: nvJitLink, always the same; null with the reason if there is none. Throws: `std::bad_alloc`.
[[nodiscard]] YOKE_API const loaded_nvjitlink* find_nvjitlink(std::string& reason);
/// Returns: nvJitLink's name with its version. With `open`, opens it; "" means that none was found. Without, reads the
/// name from the file that would be opened; "" means that it is unknown. Throws: `std::bad_alloc`.
[[nodiscard]] YOKE_API std::string nvjitlink_name(bool open);
/// Returns: nvJitLink, always the same. Throws: `unsupported_error` with the reason.
[[nodiscard]] YOKE_API const loaded_nvjitlink& default_nvjitlink(const source_location& where);

}  // namespace detail

}  // namespace yoke::inline v0_1::cuda

#if defined(YOKE_IMPLEMENTATION)
#include <yoke/driver/cuda/compiler/nvjitlink.ipp>
#endif

#endif
