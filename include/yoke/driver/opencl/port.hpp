// SPDX-License-Identifier: MIT
// The OpenCL port: a pointer to the entry points, with the functions that every handle uses.

// The parts stand before the guard, and none includes another. With YOKE_IMPLEMENTATION each part includes its bodies,
// which include this file after their own header: the last part gets the port, and the bodies that wait for it find it.
#include <yoke/driver/opencl/context.hpp>
#include <yoke/driver/opencl/device.hpp>
#include <yoke/driver/opencl/event/event.hpp>
#include <yoke/driver/opencl/event/user_event.hpp>
#include <yoke/driver/opencl/graph/graph.hpp>
#include <yoke/driver/opencl/image/image.hpp>
#include <yoke/driver/opencl/image/image_copies.hpp>
#include <yoke/driver/opencl/image/sampler.hpp>
#include <yoke/driver/opencl/memory/buffer.hpp>
#include <yoke/driver/opencl/memory/memory.hpp>
#include <yoke/driver/opencl/memory/svm.hpp>
#include <yoke/driver/opencl/program/kernel.hpp>
#include <yoke/driver/opencl/program/launch.hpp>
#include <yoke/driver/opencl/program/link.hpp>
#include <yoke/driver/opencl/program/program.hpp>
#include <yoke/driver/opencl/stream.hpp>

#ifndef YOKE_DRIVER_OPENCL_PORT_HPP
#define YOKE_DRIVER_OPENCL_PORT_HPP

namespace yoke::inline v0_1::opencl {

/// The OpenCL backend as a port. `port{}` uses the machine's driver and opens it at the first use. `port{table}` uses
/// another one, for example a test's. Thread safety: every function is safe from any thread.
class port : public device_functions,
             public context_functions,
             public stream_functions,
             public event_functions,
             public user_event_functions,
             public memory_functions,
             public buffer_functions,
             public svm_functions,
             public image_functions,
             public image_copy_functions,
             public sampler_functions,
             public program_functions,
             public link_functions,
             public kernel_functions,
             public launch_functions,
             public graph_functions {
 public:
  using device_handle = abi::device;
  using context_handle = abi::context;
  using stream_handle = abi::queue;
  using event_handle = abi::event;
  using memory_handle = abi::memory;
  using pagelocked_handle = pagelocked_block*;
  using native_pagelocked = abi::memory;
  using module_handle = abi::program;
  using table_type = abi::functions;

  static constexpr bool counts_references = true;
  static constexpr bool enqueues_directly = true;
  static constexpr bool launches_directly = true;

  /// Throws: `unsupported_error` when there is no OpenCL loader library.
  port(const source_location& where = source_location::current())  // NOLINT: the default port converts
      : port(detail::default_functions(where)) {}
  explicit port(const abi::functions* table) noexcept
      : table_(table), notes_(table == nullptr ? nullptr : table->notes) {}

  [[nodiscard]] const abi::functions* table() const noexcept { return detail::living(table_); }
  [[nodiscard]] const char* backend_name() const noexcept { return "opencl"; }
  [[nodiscard]] std::error_code error_code(std::int32_t code) const noexcept { return {code, error_category()}; }

  [[nodiscard]] friend bool operator==(const port& left, const port& right) noexcept {
    return left.table_ == right.table_;
  }

 private:
  template <class Noun>
  friend class facet;

  const abi::functions* table_ = nullptr;
  detail::driver_notes* notes_ = nullptr;  // the table's notes; every call reads them
};
static_assert(sizeof(port) == 2 * sizeof(void*), "the parts of the port have no data");

template <class Noun>
[[gnu::always_inline]] inline const abi::functions* facet<Noun>::table() const noexcept {
  return detail::living(static_cast<const port&>(static_cast<const Noun&>(*this)).table_);
}
template <class Noun>
[[gnu::always_inline]] inline detail::driver_notes& facet<Noun>::notes() const noexcept {
  return *static_cast<const port&>(static_cast<const Noun&>(*this)).notes_;
}

/// A driver to list devices from: `devices(driver{table})`.
using driver = port;

}  // namespace yoke::inline v0_1::opencl

#if defined(YOKE_IMPLEMENTATION)
#include <yoke/driver/opencl/port.ipp>
#endif

#endif
