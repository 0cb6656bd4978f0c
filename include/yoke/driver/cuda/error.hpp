// SPDX-License-Identifier: MIT
// The error codes of CUDA, NVRTC and nvJitLink: their categories and exceptions.
#ifndef YOKE_DRIVER_CUDA_ERROR_HPP
#define YOKE_DRIVER_CUDA_ERROR_HPP

#include <yoke/core/error.hpp>
#include <yoke/driver/cuda/abi/status_codes.hpp>

namespace yoke::inline v0_1::cuda {

/// The category of the driver's codes: `message()` is the code's name, for example "CUDA_ERROR_OUT_OF_MEMORY".
/// Compares by name across shared objects. Thread safety: safe.
YOKE_API const std::error_category& error_category() noexcept;
/// The category of NVRTC's codes: `message()` is the code's name, for example "NVRTC_ERROR_COMPILATION".
/// Compares by name across shared objects. Thread safety: safe.
YOKE_API const std::error_category& nvrtc_error_category() noexcept;

/// The category of nvJitLink's codes: `message()` is the code's name, for example "NVJITLINK_ERROR_PTX_COMPILE".
/// Compares by name across shared objects. Thread safety: safe.
YOKE_API const std::error_category& nvjitlink_error_category() noexcept;

/// Returns: the name of a driver code; "CUDA_ERROR_?" for one newer than CUDA 13.0. Thread safety: safe.
YOKE_API const char* error_name(int code) noexcept;
/// Returns: the meaning of a driver code, in words; "" for an unknown one. Thread safety: safe.
YOKE_API const char* error_text(int code) noexcept;
/// Returns: the name of an NVRTC code; "NVRTC_ERROR_?" for an unknown one. Thread safety: safe.
YOKE_API const char* nvrtc_error_name(int code) noexcept;
/// Returns: the meaning of an NVRTC code, in words; "" for an unknown one. Thread safety: safe.
YOKE_API const char* nvrtc_error_text(int code) noexcept;

namespace detail {
/// Throws: the subclass of `yoke::error` that fits code and call. An empty message becomes the code's text.
[[noreturn, gnu::cold]] YOKE_API void throw_failure(int code, const char* call, std::string_view message,
                                                    const source_location& where);
/// As `throw_failure`, for NVRTC's codes.
[[noreturn, gnu::cold]] YOKE_API void throw_nvrtc_failure(int code, const char* call, std::string_view message,
                                                          const source_location& where);
/// Returns: whether a linker's code is about its input and becomes a `compile_error`. `logged`: the linker's log has an
/// error.
[[nodiscard]] YOKE_API bool is_about_input(const std::error_code& code, bool logged) noexcept;
/// As `throw_failure`, for nvJitLink's codes.
[[noreturn, gnu::cold]] YOKE_API void throw_nvjitlink_failure(int code, const char* call, std::string_view message,
                                                              const source_location& where);

/// Effects: notes that this process has initialised the driver. Throws: nothing.
YOKE_API void note_initialized_process() noexcept;
/// Returns: whether a parent of this process has initialised the driver, so that the driver does not work here.
[[nodiscard]] YOKE_API bool is_forked_process() noexcept;
/// Returns: whether a code means that there is nothing left to release or wait for. A driver that shuts down and a
/// context that was destroyed (which some calls report as not valid) have released everything; in a forked process
/// everything belongs to the parent.
[[nodiscard]] YOKE_API bool is_ended(int code) noexcept;

/// Returns: whether every later call in the context, or the process, also fails with this code.
[[nodiscard]] YOKE_API bool is_sticky(int code) noexcept;
}  // namespace detail

}  // namespace yoke::inline v0_1::cuda

#if defined(YOKE_IMPLEMENTATION)
#include <yoke/driver/cuda/error.ipp>
#endif

#endif
