// SPDX-License-Identifier: MIT
// The OpenCL port: a pointer to the entry points, with the functions that every handle uses.
#ifndef YOKE_DRIVER_OPENCL_PORT_HPP
#define YOKE_DRIVER_OPENCL_PORT_HPP

#include <yoke/driver/opencl/memory.hpp>
#include <yoke/driver/opencl/program.hpp>
#include <yoke/driver/opencl/svm.hpp>

namespace yoke::inline YOKE_ABI::opencl {

/// The OpenCL backend as a port.
/// `port{}` uses the machine's driver and opens it at the first use. `port{table}` uses another one, such as a test's.
/// Thread safety: every function is safe from any thread.
class port : public program_functions {
 public:
  /// Throws: `unsupported_error` when there is no OpenCL loader library.
  port(const source_location& where = source_location::current())  // NOLINT: the default port converts
      : port(detail::default_functions(where)) {}
  explicit port(const abi::functions* table) noexcept {
    table_ = table;
    if (table != nullptr) notes_ = table->notes;
  }

  [[nodiscard]] friend bool operator==(const port& left, const port& right) noexcept {
    return left.table_ == right.table_;
  }
};

/// A driver to make devices from: `devices(driver{table})`.
using driver = port;

}  // namespace yoke::inline YOKE_ABI::opencl

#endif
