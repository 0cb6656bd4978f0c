// SPDX-License-Identifier: MIT
// Finds OpenCL at run time, or tells why it cannot.
#ifndef YOKE_DRIVER_OPENCL_LOADER_HPP
#define YOKE_DRIVER_OPENCL_LOADER_HPP

#include <yoke/core/error.hpp>
#include <yoke/driver/opencl/abi/functions.hpp>
#include <yoke/driver/types.hpp>

#include <string>

namespace yoke::inline v0_1::opencl {

/// Whether there is an OpenCL loader library that lists a device.
/// Effects: the first call opens `libOpenCL.so.1`, which is never closed.
/// Throws: `std::bad_alloc`. Thread safety: safe. Wraps `clGetPlatformIDs`, `clGetDeviceIDs`.
[[nodiscard]] YOKE_API availability available();

namespace detail {
/// Returns: the driver's entry points, always the same table. Throws: `unsupported_error` with the reason.
[[nodiscard]] YOKE_API const abi::functions* default_functions(const source_location& where);
/// Effects: passes the driver's table to `filter` when the driver is loaded, before anybody uses it.
/// Returns: false, and does nothing, if the driver is loaded and had another filter. Requires: no other thread loads
/// it.
YOKE_API bool set_table_filter(void (*filter)(abi::functions& table)) noexcept;
/// Returns: the table; null with the reason if there is none.
[[nodiscard]] YOKE_API const abi::functions* find_functions(std::string& reason);
/// Returns: the table of a forked process: no entry calls the driver, releases succeed, and all else fails.
[[nodiscard]] YOKE_API const abi::functions* refusing_functions() noexcept;
/// Returns: the table for driver calls; in a forked process the one that refuses.
[[nodiscard, gnu::always_inline]] inline const abi::functions* living(const abi::functions* table) noexcept {
  if (__builtin_expect(forked.is_so.load(yoke::detail::order::relaxed), false)) return refusing_functions();
  return table;
}
}  // namespace detail

}  // namespace yoke::inline v0_1::opencl

#if defined(YOKE_IMPLEMENTATION)
#include <yoke/driver/opencl/loader.ipp>
#endif

#endif
