// SPDX-License-Identifier: MIT
// Finds OpenCL at run time and says why when it does not.
#ifndef YOKE_DRIVER_OPENCL_LOADER_HPP
#define YOKE_DRIVER_OPENCL_LOADER_HPP

#include <yoke/core/error.hpp>
#include <yoke/driver/availability.hpp>
#include <yoke/driver/opencl/functions.hpp>

#include <string>

namespace yoke::inline YOKE_ABI::opencl {

/// Whether the OpenCL loader library is there and lists a device.
/// Effects: opens `libOpenCL.so.1` at the first call; it is never closed.
/// Throws: nothing but `std::bad_alloc`. Thread safety: safe. Wraps `clGetPlatformIDs`, `clGetDeviceIDs`.
[[nodiscard]] YOKE_API availability available();

namespace detail {
/// Returns: the loaded driver's entry points; the same table each time. Throws: `unsupported_error` with the reason.
[[nodiscard]] YOKE_API const abi::functions* default_functions(const source_location& where);
/// Returns: the table, or null with the reason.
[[nodiscard]] YOKE_API const abi::functions* find_functions(std::string& reason);
}  // namespace detail

}  // namespace yoke::inline YOKE_ABI::opencl

#if defined(YOKE_HEADER_ONLY)
#include <yoke/driver/opencl/impl/loader.ipp>
#endif

#endif
