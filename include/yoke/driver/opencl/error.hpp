// SPDX-License-Identifier: MIT
// OpenCL's error codes: their category and exceptions.
#ifndef YOKE_DRIVER_OPENCL_ERROR_HPP
#define YOKE_DRIVER_OPENCL_ERROR_HPP

#include <yoke/core/error.hpp>

#include <cstdint>

namespace yoke::inline v0_1::opencl {

/// The category of OpenCL's codes: `message()` is the code's name, for example "CL_OUT_OF_HOST_MEMORY".
/// Compares by name across shared objects. Thread safety: safe.
YOKE_API const std::error_category& error_category() noexcept;

/// Returns: the name of a code; "CL_UNKNOWN_ERROR" for an unknown one. Thread safety: safe.
YOKE_API const char* error_name(std::int32_t code) noexcept;

namespace detail {
/// Effects: marks OpenCL as used: processes forked from now on count as forked.
YOKE_API void note_used_process() noexcept;
/// Whether this process was forked after OpenCL was used. The driver's threads stayed with the parent, so calls would
/// hang.
[[nodiscard]] YOKE_API bool is_forked_process() noexcept;
/// Throws: the subclass of `yoke::error` that fits code and call.
[[noreturn, gnu::cold]] YOKE_API void throw_failure(std::int32_t code, const char* call, std::string_view message,
                                                    const source_location& where);
}  // namespace detail

}  // namespace yoke::inline v0_1::opencl

#if defined(YOKE_IMPLEMENTATION)
#include <yoke/driver/opencl/error.ipp>
#endif

#endif
