// SPDX-License-Identifier: MIT
// The CUDA port: a pointer to the entry points, with the functions that every handle uses.
#ifndef YOKE_DRIVER_CUDA_PORT_HPP
#define YOKE_DRIVER_CUDA_PORT_HPP

#include <yoke/driver/cuda/compiler/compile.hpp>
#include <yoke/driver/cuda/compiler/compile_with.hpp>
#include <yoke/driver/cuda/compiler/link.hpp>
#include <yoke/driver/cuda/context.hpp>
#include <yoke/driver/cuda/context_options.hpp>
#include <yoke/driver/cuda/device.hpp>
#include <yoke/driver/cuda/event.hpp>
#include <yoke/driver/cuda/graph/graph.hpp>
#include <yoke/driver/cuda/graph/graph_capture.hpp>
#include <yoke/driver/cuda/graph/graph_images.hpp>
#include <yoke/driver/cuda/image/image.hpp>
#include <yoke/driver/cuda/image/texture.hpp>
#include <yoke/driver/cuda/libraries/math_libraries.hpp>
#include <yoke/driver/cuda/memory/copy_batch.hpp>
#include <yoke/driver/cuda/memory/host_memory.hpp>
#include <yoke/driver/cuda/memory/ipc.hpp>
#include <yoke/driver/cuda/memory/managed_memory.hpp>
#include <yoke/driver/cuda/memory/memory.hpp>
#include <yoke/driver/cuda/memory/memory_pool.hpp>
#include <yoke/driver/cuda/memory/peer.hpp>
#include <yoke/driver/cuda/memory/peer_copy.hpp>
#include <yoke/driver/cuda/memory/pointer_info.hpp>
#include <yoke/driver/cuda/memory/registered_memory.hpp>
#include <yoke/driver/cuda/memory/virtual_memory.hpp>
#include <yoke/driver/cuda/program/global_variable.hpp>
#include <yoke/driver/cuda/program/kernel.hpp>
#include <yoke/driver/cuda/program/language.hpp>
#include <yoke/driver/cuda/program/launch.hpp>
#include <yoke/driver/cuda/program/load_image.hpp>
#include <yoke/driver/cuda/program/occupancy.hpp>
#include <yoke/driver/cuda/program/program.hpp>
#include <yoke/driver/cuda/stream.hpp>

namespace yoke::inline v0_1::cuda {

/// The CUDA backend as a port.
/// `port{}` uses the machine's driver and opens it at the first use. `port{table}` uses another one, for example a
/// test's.
/// Thread safety: every function is safe from any thread.
class port : public device_functions,
             public context_functions,
             public context_options_functions,
             public stream_functions,
             public event_functions,
             public memory_functions,
             public copy_batch_functions,
             public host_memory_functions,
             public registered_memory_functions,
             public pointer_info_functions,
             public managed_memory_functions,
             public virtual_memory_functions,
             public memory_pool_functions,
             public peer_functions,
             public peer_copy_functions,
             public ipc_functions,
             public image_functions,
             public texture_functions,
             public language_functions,
             public program_functions,
             public compile_functions,
             public compile_with_functions,
             public load_image_functions,
             public link_functions,
             public global_variable_functions,
             public kernel_functions,
             public launch_functions,
             public occupancy_functions,
             public math_functions,
             public graph_functions,
             public graph_image_functions,
             public graph_capture_functions {
 public:
  using device_handle = device_id;
  using context_handle = abi::context;
  using stream_handle = abi::stream;
  using event_handle = abi::event;
  using memory_handle = abi::device_pointer;
  using pagelocked_handle = void*;
  using native_pagelocked = void*;
  using module_handle = abi::library;
  using table_type = abi::functions;
  using stream_options_type = stream_options;

  static constexpr bool enqueues_directly = true;
  static constexpr bool launches_directly = true;
  /// Streams may wait for events of any context and device.
  static constexpr bool waits_across_contexts = true;

  /// Throws: `unsupported_error` with the reason when there is no CUDA driver.
  port(const source_location& where = source_location::current())  // NOLINT: the default port converts
      : port(detail::default_functions(where)) {}
  explicit port(const abi::functions* table) noexcept : table_(table) {}

  [[nodiscard]] const abi::functions* table() const noexcept { return table_; }
  [[nodiscard]] const char* backend_name() const noexcept { return "cuda"; }
  [[nodiscard]] std::error_code error_code(std::int32_t code) const noexcept { return {code, error_category()}; }

  [[nodiscard]] friend bool operator==(const port& left, const port& right) noexcept {
    return left.table_ == right.table_;
  }

 private:
  const abi::functions* table_ = nullptr;
};
static_assert(sizeof(port) == sizeof(void*), "the parts of the port have no data");

template <class Noun>
[[gnu::always_inline]] inline const abi::functions* facet<Noun>::table() const noexcept {
  return static_cast<const port&>(static_cast<const Noun&>(*this)).table();
}

template <class Noun>
template <class Part>
[[gnu::always_inline]] inline const Part& facet<Noun>::part() const noexcept {
  return static_cast<const port&>(static_cast<const Noun&>(*this));
}

/// A driver to list devices from: `devices(driver{table})`.
using driver = port;

}  // namespace yoke::inline v0_1::cuda

#if defined(YOKE_IMPLEMENTATION)
#include <yoke/driver/cuda/port.ipp>
#endif

#endif
