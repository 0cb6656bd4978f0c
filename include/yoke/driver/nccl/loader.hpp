// SPDX-License-Identifier: MIT
// Finds NCCL at run time, or tells why it cannot.
#ifndef YOKE_DRIVER_NCCL_LOADER_HPP
#define YOKE_DRIVER_NCCL_LOADER_HPP

#include <yoke/core/source_location.hpp>
#include <yoke/driver/nccl/functions.hpp>
#include <yoke/driver/types.hpp>

#include <string>

namespace yoke::inline v0_1::nccl {

/// Whether NCCL 2.18 or newer can be opened. Whether it works with this machine's devices shows when a communicator is
/// made.
/// Effects: the first call opens `libnccl.so.2`, or the library that `YOKE_NCCL_LIBRARY` names; beside the CUDA
/// simulator the simulated NCCL. An open library is never closed. After a failure the next call tries again.
/// Returns: the answer, with the files that were tried and the results.
/// Throws: `std::bad_alloc`. Thread safety: safe. Wraps `ncclGetVersion`.
[[nodiscard]] YOKE_API availability available();

/// The library that is used.
struct library_info {
  int version = 0;     ///< 22809 for 2.28.9
  std::string path{};  ///< its file
  bool is_simulator = false;
  bool was_loaded = false;  ///< another part of the program had opened it before
};
/// Returns: the version and the file of NCCL. Effects: as `available`.
/// Throws: `unsupported_error` with the reason if there is none. Thread safety: safe.
[[nodiscard]] YOKE_API library_info library(const source_location& where = source_location::current());

namespace detail {

/// NCCL, open and resolved. It lives as long as the process.
struct loaded_library {
  abi::functions table;
  library_info info;
  void* handle = nullptr;
};

/// Returns: the machine's NCCL, always the same; null with the reason if there is none. Throws: `std::bad_alloc`.
[[nodiscard]] YOKE_API const loaded_library* find_library(std::string& reason);
/// As above. Throws: `unsupported_error` with the reason.
[[nodiscard]] YOKE_API const loaded_library& default_library(const source_location& where);
/// Effects: passes the table to `filter` when NCCL is loaded, before anybody uses it. Returns: false, and does nothing,
/// if it is loaded and had another filter. Requires: no other thread loads it.
YOKE_API bool set_table_filter(void (*filter)(abi::functions& table)) noexcept;
/// Returns: "2.28.9" for 22809. Throws: `std::bad_alloc`.
[[nodiscard]] YOKE_API std::string version_text(int version);
/// Returns: "this NCCL is 2.18.5 (/opt/libnccl.so.2)". Throws: `std::bad_alloc`.
[[nodiscard]] YOKE_API std::string name_of(const loaded_library& library);
/// Throws: `unsupported_error`: "this NCCL is 2.18.5 (...); windows need 2.27".
[[noreturn, gnu::cold]] YOKE_API void throw_too_old(const loaded_library& library, const char* needs, int since,
                                                    const source_location& where);

}  // namespace detail

}  // namespace yoke::inline v0_1::nccl

#if defined(YOKE_IMPLEMENTATION)
#include <yoke/driver/nccl/loader.ipp>
#endif

#endif
