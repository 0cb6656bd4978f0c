// SPDX-License-Identifier: MIT
// The CUDA port: a pointer to the entry points, with the functions that every handle uses.
#ifndef YOKE_DRIVER_CUDA_PORT_HPP
#define YOKE_DRIVER_CUDA_PORT_HPP

#include <yoke/driver/cuda/context.hpp>
#include <yoke/driver/cuda/device.hpp>
#include <yoke/driver/cuda/event.hpp>
#include <yoke/driver/cuda/graph.hpp>
#include <yoke/driver/cuda/host_memory.hpp>
#include <yoke/driver/cuda/image.hpp>
#include <yoke/driver/cuda/kernel.hpp>
#include <yoke/driver/cuda/managed_memory.hpp>
#include <yoke/driver/cuda/memory.hpp>
#include <yoke/driver/cuda/memory_pool.hpp>
#include <yoke/driver/cuda/peer.hpp>
#include <yoke/driver/cuda/program.hpp>
#include <yoke/driver/cuda/stream.hpp>
#include <yoke/driver/cuda/texture.hpp>
#include <yoke/driver/cuda/virtual_memory.hpp>

namespace yoke::inline v0_1::cuda {

/// The CUDA backend as a port.
/// `port{}` uses the machine's driver and opens it at the first use. `port{table}` uses another one, such as a test's.
/// Thread safety: every function is safe from any thread.
class port : public device_functions,
             public context_functions,
             public stream_functions,
             public event_functions,
             public memory_functions,
             public host_memory_functions,
             public managed_memory_functions,
             public virtual_memory_functions,
             public memory_pool_functions,
             public peer_functions,
             public image_functions,
             public texture_functions,
             public program_functions,
             public kernel_functions,
             public graph_functions {
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

/// A driver to make devices from: `devices(driver{table})`.
using driver = port;

}  // namespace yoke::inline v0_1::cuda

#if defined(YOKE_IMPLEMENTATION)
#include <yoke/driver/cuda/compiler/impl/build.ipp>
#include <yoke/driver/cuda/compiler/impl/compile_with.ipp>
#include <yoke/driver/cuda/compiler/impl/link.ipp>
#include <yoke/driver/cuda/impl/context.ipp>
#include <yoke/driver/cuda/impl/context_options.ipp>
#include <yoke/driver/cuda/impl/device.ipp>
#include <yoke/driver/cuda/impl/event.ipp>
#include <yoke/driver/cuda/impl/global_variable.ipp>
#include <yoke/driver/cuda/impl/graph.ipp>
#include <yoke/driver/cuda/impl/graph_capture.ipp>
#include <yoke/driver/cuda/impl/graph_conditions.ipp>
#include <yoke/driver/cuda/impl/graph_images.ipp>
#include <yoke/driver/cuda/impl/host_memory.ipp>
#include <yoke/driver/cuda/impl/image_memory.ipp>
#include <yoke/driver/cuda/impl/ipc.ipp>
#include <yoke/driver/cuda/impl/kernel.ipp>
#include <yoke/driver/cuda/impl/language.ipp>
#include <yoke/driver/cuda/impl/launch.ipp>
#include <yoke/driver/cuda/impl/load_image.ipp>
#include <yoke/driver/cuda/impl/managed_memory.ipp>
#include <yoke/driver/cuda/impl/memory.ipp>
#include <yoke/driver/cuda/impl/memory_pool.ipp>
#include <yoke/driver/cuda/impl/occupancy.ipp>
#include <yoke/driver/cuda/impl/occupancy_shapes.ipp>
#include <yoke/driver/cuda/impl/pci_bus_id.ipp>
#include <yoke/driver/cuda/impl/peer.ipp>
#include <yoke/driver/cuda/impl/peer_copy.ipp>
#include <yoke/driver/cuda/impl/port.ipp>
#include <yoke/driver/cuda/impl/program.ipp>
#include <yoke/driver/cuda/impl/registered_memory.ipp>
#include <yoke/driver/cuda/impl/stream.ipp>
#include <yoke/driver/cuda/impl/stream_facts.ipp>
#include <yoke/driver/cuda/impl/texture.ipp>
#include <yoke/driver/cuda/impl/virtual_memory.ipp>
#endif

#endif
