// SPDX-License-Identifier: MIT
// The CUDA port: a pointer to the entry points, with the functions that every handle uses.
#ifndef YOKE_DRIVER_CUDA_PORT_HPP
#define YOKE_DRIVER_CUDA_PORT_HPP

#include <yoke/driver/cuda/program.hpp>

namespace yoke::inline YOKE_ABI::cuda {

/// The CUDA backend as a port.
/// `port{}` uses the machine's driver and opens it at the first use. `port{table}` uses another one, such as a test's.
/// Thread safety: every function is safe from any thread.
class port : public program_functions {
 public:
  /// Streams may wait for events of any context and device.
  static constexpr bool waits_across_contexts = true;

  /// Throws: `unsupported_error` with the reason when there is no CUDA driver.
  port(const source_location& where = source_location::current())  // NOLINT: the default port converts
      : port(detail::default_functions(where)) {}
  explicit port(const abi::functions* table) noexcept { table_ = table; }

  [[nodiscard]] friend bool operator==(const port& left, const port& right) noexcept {
    return left.table_ == right.table_;
  }
};

/// A driver to make devices from: `devices(driver{table})`.
using driver = port;

}  // namespace yoke::inline YOKE_ABI::cuda

#if defined(YOKE_HEADER_ONLY)
#include <yoke/driver/cuda/impl/port.ipp>
#endif

#endif
