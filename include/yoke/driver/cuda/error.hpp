// SPDX-License-Identifier: MIT
// CUDA's and NVRTC's error codes, their categories, and how they become exceptions.
#ifndef YOKE_DRIVER_CUDA_ERROR_HPP
#define YOKE_DRIVER_CUDA_ERROR_HPP

#include <yoke/core/error.hpp>
#include <yoke/driver/cuda/status_codes.hpp>

namespace yoke::inline YOKE_ABI::cuda {

/// The category of the driver's codes: `message()` is the code's name, for example "CUDA_ERROR_OUT_OF_MEMORY".
/// Compares by name across shared objects. Thread safety: safe.
YOKE_API const std::error_category& error_category() noexcept;
/// The category of NVRTC's codes: `message()` is the code's name, for example "NVRTC_ERROR_COMPILATION".
/// Compares by name across shared objects. Thread safety: safe.
YOKE_API const std::error_category& nvrtc_error_category() noexcept;

/// The category of nvJitLink's codes: `message()` is the code's name, for example "NVJITLINK_ERROR_PTX_COMPILE".
/// Compares by name across shared objects. Thread safety: safe.
YOKE_API const std::error_category& nvjitlink_error_category() noexcept;

/// Returns: the name of a driver code, or "CUDA_ERROR_?" for one that came after CUDA 13.0. Thread safety: safe.
YOKE_API const char* error_name(int code) noexcept;
/// Returns: what a driver code means, in words; "" for an unknown one. Thread safety: safe.
YOKE_API const char* error_text(int code) noexcept;
/// Returns: the name of an NVRTC code, or "NVRTC_ERROR_?". Thread safety: safe.
YOKE_API const char* nvrtc_error_name(int code) noexcept;
/// Returns: what an NVRTC code means, in words; "" for an unknown one. Thread safety: safe.
YOKE_API const char* nvrtc_error_text(int code) noexcept;

namespace detail {
/// Effects: throws the subclass of `yoke::error` that fits code and call. An empty message becomes the code's text.
[[noreturn, gnu::cold]] YOKE_API void throw_failure(int code, const char* call, std::string_view message,
                                                    const source_location& where);
/// The same for NVRTC's codes.
[[noreturn, gnu::cold]] YOKE_API void throw_nvrtc_failure(int code, const char* call, std::string_view message,
                                                          const source_location& where);
/// Returns: whether a linker's code is about its input, so that it is a `compile_error`. `logged`: the linker has said why.
[[nodiscard]] YOKE_API bool is_about_input(const std::error_code& code, bool logged) noexcept;
/// The same for nvJitLink's codes.
[[noreturn, gnu::cold]] YOKE_API void throw_nvjitlink_failure(int code, const char* call, std::string_view message,
                                                              const source_location& where);

/// Effects: remembers that this process has initialised the driver. Throws: nothing.
YOKE_API void note_initialized_process() noexcept;
/// Returns: whether this process was forked from the one that has initialised the driver: nothing works here.
[[nodiscard]] YOKE_API bool is_forked_process() noexcept;
/// Returns: whether a code tells that nothing is left to release or to wait for. A driver that is shutting down has
/// released everything already, and so has a context that was destroyed, of which some calls say that it is not valid;
/// in a forked process all is the parent's.
[[nodiscard]] YOKE_API bool is_ended(int code) noexcept;

/// Returns: whether every later call in the context, or the process, fails with this code too.
[[nodiscard]] YOKE_API bool is_sticky(int code) noexcept;
}  // namespace detail

}  // namespace yoke::inline YOKE_ABI::cuda

#if defined(YOKE_HEADER_ONLY)
#include <yoke/driver/cuda/impl/error.ipp>
#endif

#endif
