// SPDX-License-Identifier: MIT
// Finds the CUDA driver at run time, or tells why it cannot.
#ifndef YOKE_DRIVER_CUDA_LOADER_HPP
#define YOKE_DRIVER_CUDA_LOADER_HPP

#include <yoke/core/error.hpp>
#include <yoke/driver/cuda/abi/functions.hpp>
#include <yoke/driver/types.hpp>

#include <string>

namespace yoke::inline v0_1::cuda {

/// Whether there is a CUDA driver of version 12.0 or newer that can be initialised and has a device.
/// Effects: the first call opens `libcuda.so.1`, or the library that `YOKE_CUDA_DRIVER` names, and initialises it. An
/// open library is never closed. After a failure the next call tries again.
/// Returns: the answer, with the libraries that were tried and the results.
/// Throws: `std::bad_alloc`. Thread safety: safe. Wraps `cuInit`, `cuDeviceGetCount`.
[[nodiscard]] YOKE_API availability available();

namespace detail {

/// An open, resolved and initialised driver. It lives as long as the process.
struct loaded_driver {
  abi::functions table;
  void* library = nullptr;    ///< for `dlsym`
  std::string name;           ///< the name by which it was opened
  int version = 0;            ///< driver version, 13000 for CUDA 13.0
  bool named = false;         ///< whether `YOKE_CUDA_DRIVER` chose it
  bool is_simulator = false;  ///< whether it was chosen as `simulator`
};

/// Why no driver was found.
struct load_failure {
  std::string reason;
  abi::status code = 0;   ///< the driver's code if one of its calls failed
  const char* call = "";  ///< the failed call
};

/// Returns: the machine's driver, always the same; null with the reason if there is none. Throws: `std::bad_alloc`.
[[nodiscard]] YOKE_API const loaded_driver* find_driver(load_failure& failure);
/// Returns: the driver if it is loaded already, else null. Throws: nothing.
[[nodiscard]] YOKE_API const loaded_driver* driver_if_loaded() noexcept;

/// Returns: the driver's entry points, always the same table. Throws: `unsupported_error` with the reason.
[[nodiscard]] YOKE_API const abi::functions* default_functions(const source_location& where);
/// Effects: passes the driver's table to `filter` when the driver is loaded, before anybody uses it.
/// Returns: false, and does nothing, if the driver is loaded and had another filter. Requires: no other thread loads
/// it.
YOKE_API bool set_table_filter(void (*filter)(abi::functions& table)) noexcept;
/// Returns: the table; null with the reason if there is none.
[[nodiscard]] YOKE_API const abi::functions* find_functions(std::string& reason);

/// Effects: opens a simulator of this package by its versioned name, by its plain name, then beside this library or
/// program. Returns: the library, with the name that opened it; null with a reason that begins with `wanted`.
[[nodiscard]] YOKE_API void* open_simulator(const std::string& plain, const char* wanted, std::string& name,
                                            std::string& reason);

/// Returns: "13.0" for 13000. Throws: `std::bad_alloc`.
[[nodiscard]] YOKE_API std::string version_text(int version);

}  // namespace detail

}  // namespace yoke::inline v0_1::cuda

#if defined(YOKE_IMPLEMENTATION)
#include <yoke/driver/cuda/loader.ipp>
#endif

#endif
