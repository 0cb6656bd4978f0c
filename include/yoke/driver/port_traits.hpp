// SPDX-License-Identifier: MIT
// The operations that a backend may lack, each with its default.
#ifndef YOKE_DRIVER_PORT_TRAITS_HPP
#define YOKE_DRIVER_PORT_TRAITS_HPP

#include <yoke/core/shared.hpp>
#include <yoke/driver/concepts.hpp>
#include <yoke/driver/math_libraries.hpp>

namespace yoke::inline v0_1 {

/// Calls an operation of a port if the port has it, else the default: the correct behaviour for a backend without it.
/// Generic code calls these operations through here. Thread safety: as the port.
template <class Port>
struct port_traits {
  /// Default: nothing to do, because devices live as long as the process.
  static void retain_device(const Port& port, typename Port::device_handle device, const source_location& where) {
    if constexpr (requires { port.retain_device(device, where); }) port.retain_device(device, where);
  }
  static release_result release_device(const Port& port, typename Port::device_handle device) noexcept {
    if constexpr (requires { port.release_device(device); }) return port.release_device(device);
    return {};
  }
  /// Returns: a number that tells the context from a later one with the same handle; 0 if a retained context cannot
  /// end.
  static std::uint64_t context_identity(const Port& port, typename Port::context_handle context) noexcept {
    if constexpr (requires { port.context_identity(context); }) return port.context_identity(context);
    return 0;
  }
  /// Returns: whether other code has ended the context; false if a retained context cannot end.
  [[nodiscard, gnu::always_inline]] static bool context_is_gone(const Port& port, typename Port::context_handle context,
                                                                std::uint64_t id) noexcept {
    if constexpr (requires { port.context_is_gone(context, id); }) return port.context_is_gone(context, id);
    return false;
  }
  /// Effects: drops a reference that the driver does not count. Returns: whether there was one; false if the driver
  /// counts all references.
  static bool forget_stream(const Port& port, typename Port::stream_handle stream) noexcept {
    if constexpr (requires { port.forget_stream(stream); }) return port.forget_stream(stream);
    return false;
  }
  /// As `forget_stream`, for an event.
  static bool forget_event(const Port& port, typename Port::event_handle event) noexcept {
    if constexpr (requires { port.forget_event(event); }) return port.forget_event(event);
    return false;
  }
  /// Whether an event that was recorded in this stream can be recorded again in the context's streams.
  static bool reuses_events(const Port& port, typename Port::stream_handle stream) noexcept {
    if constexpr (requires { port.reuses_events(stream); }) return port.reuses_events(stream);
    return false;
  }
  /// Returns: the unique number of the capture that a stream is in; 0 for none.
  static std::uint64_t capture_of(const Port& port, typename Port::stream_handle stream) noexcept {
    if constexpr (requires { port.capture_of(stream); }) return port.capture_of(stream);
    return 0;
  }
  /// Whether the work before an event has ended, well or badly, as far as the driver can tell. Also works while the
  /// thread captures.
  static bool is_over(const Port& port, typename Port::event_handle event) noexcept {
    if constexpr (requires { port.is_over(event); }) {
      return port.is_over(event);
    } else {
      try {
        const event_status now = port.status(event, {});
        return now == event_status::complete || now == event_status::failed;
      } catch (...) {  // waiting for it is impossible
        return true;
      }
    }
  }
  /// Whether every stream records timed events, with `.timing` or without.
  static constexpr bool times_every_stream =
      !requires(const Port& port, typename Port::stream_handle stream, const source_location& where) {
        port.stream_has_timing(stream, where);
      };
  static bool stream_has_timing(const Port& port, typename Port::stream_handle stream, const source_location& where) {
    if constexpr (times_every_stream) {
      return true;
    } else {
      return port.stream_has_timing(stream, where);
    }
  }
  /// Throws: `unsupported_error` in a process in which the driver cannot work.
  static void check_process(const Port& port, const source_location& where) {
    if constexpr (requires { port.check_process(where); }) port.check_process(where);
  }
  /// Does nothing if work starts without a flush.
  static void flush(const Port& port, typename Port::stream_handle stream, const source_location& where) {
    if constexpr (requires { port.flush(stream, where); }) {
      port.flush(stream, where);
    } else {
      check_process(port, where);
    }
  }
  /// Records an event in a stream whose context is known. By default the port finds the context.
  static typename Port::event_handle record_in(const Port& port, typename Port::context_handle context,
                                               typename Port::stream_handle stream, const source_location& where) {
    if constexpr (requires { port.record_in(context, stream, where); }) {
      return port.record_in(context, stream, where);
    } else {
      return port.record(stream, {}, where);
    }
  }
  /// Returns: the event's context; none if the driver does not tell.
  static typename Port::context_handle event_context(const Port& port, typename Port::event_handle event,
                                                     const source_location& where) {
    if constexpr (requires { port.event_context(event, where); }) {
      return port.event_context(event, where);
    } else {
      return {};
    }
  }
  /// Does nothing if recorded events are submitted without a flush.
  static void submit(const Port& port, typename Port::event_handle event, const source_location& where) {
    if constexpr (requires { port.submit(event, where); }) port.submit(event, where);
  }
  /// Allocates memory that is freed in stream order. By default plain memory, which the driver keeps until enqueued
  /// work is done.
  static typename Port::memory_handle allocate_ordered(const Port& port, typename Port::context_handle context,
                                                       typename Port::stream_handle stream, std::size_t bytes,
                                                       const source_location& where) {
    if constexpr (requires { port.allocate_ordered(context, stream, bytes, where); }) {
      return port.allocate_ordered(context, stream, bytes, where);
    } else {
      return port.allocate(context, bytes, where);
    }
  }
  /// Whether the driver detects accesses beyond a block or to a freed block, as the CUDA simulator does. Blocks then
  /// have exactly the size asked for, and are freed at once.
  [[nodiscard]] static bool guards_memory(const Port& port) noexcept {
    if constexpr (requires { port.guards_memory(); }) return port.guards_memory();
    return false;
  }
  /// Checks memory before it is adopted. Does nothing if all memory is aligned and there is one way to release it.
  static void check_native_memory(const Port& port, typename Port::memory_handle memory, std::size_t alignment,
                                  native_ownership ownership, const source_location& where) {
    if constexpr (requires { port.check_native_memory(memory, alignment, ownership, where); }) {
      port.check_native_memory(memory, alignment, ownership, where);
    }
  }
  /// Whether a stream copies memory of contexts other than its own.
  [[nodiscard]] static bool copies_between_contexts(const Port& port) noexcept {
    if constexpr (requires { port.copies_between_contexts(); }) return port.copies_between_contexts();
    return false;
  }
  /// Enqueues independent copies by one driver call. Returns: false, with nothing enqueued, if the driver has no such
  /// call.
  [[nodiscard]] static bool copy_batch(const Port& port, typename Port::stream_handle stream,
                                       std::span<const batched_copy> copies, const source_location& where) {
    if constexpr (requires { port.copy_batch(stream, copies, where); }) return port.copy_batch(stream, copies, where);
    return false;
  }
  /// Whether page-locked staging makes copies of large host memory at `host` faster.
  [[nodiscard]] static bool stages_pageable(const Port& port, typename Port::context_handle context, const void* host,
                                            const source_location& where) {
    if constexpr (requires { port.stages_pageable(context, host, where); }) {
      return port.stages_pageable(context, host, where);
    }
    return false;
  }
  /// Whether the port's `write`, `read` or `copy`, which make a context current, can do a copy that was refused
  /// directly.
  [[nodiscard]] static bool wants_context(const Port& port, typename Port::stream_handle stream, direct_command command,
                                          std::int32_t code, const direct_sides& sides) noexcept {
    if constexpr (requires { port.wants_context(stream, command, code, sides); }) {
      return port.wants_context(stream, command, code, sides);
    }
    return false;
  }
  /// Locks, and unlocks, the pages of a staged copy's blocks. Throws: `error`; then nothing is staged.
  static void lock_pages(const Port& port, typename Port::context_handle context, void* address, std::size_t bytes,
                         const source_location& where) {
    if constexpr (requires { port.lock_pages(context, address, bytes, where); }) {
      port.lock_pages(context, address, bytes, where);
    }
  }
  static release_result unlock_pages(const Port& port, typename Port::context_handle context, void* address) noexcept {
    if constexpr (requires { port.unlock_pages(context, address); }) return port.unlock_pages(context, address);
    return {};
  }
  /// Copies device memory between two contexts. Throws: `logic_error` if no stream can do so.
  static void copy_between(const Port& port, typename Port::stream_handle stream, typename Port::memory_handle source,
                           typename Port::context_handle source_context, const box_side& from,
                           typename Port::memory_handle destination, typename Port::context_handle destination_context,
                           const box_side& to, const box_size& box, completion<typename Port::event_handle> done,
                           const source_location& where) {
    if constexpr (requires { port.copies_between_contexts(); }) {
      port.copy_between(stream, source, source_context, from, destination, destination_context, to, box, done, where);
    } else {
      detail::throw_error(errc::wrong_context, "source and destination are of different contexts", where);
    }
  }
  /// Does nothing if the record of page-locked memory is its address.
  static release_result detach_pagelocked(const Port& port, typename Port::context_handle context,
                                          typename Port::pagelocked_handle block) noexcept {
    if constexpr (requires { port.detach_pagelocked(context, block); }) return port.detach_pagelocked(context, block);
    return {};
  }
  /// Returns: the module's context; none if a module belongs to every context.
  static typename Port::context_handle module_context(const Port& port, typename Port::module_handle module,
                                                      const source_location& where) {
    if constexpr (requires { port.module_context(module, where); }) {
      return port.module_context(module, where);
    } else {
      return {};
    }
  }
  /// Returns: the described kernels of a compiled program, to be stored beside its bytes; none if the driver also
  /// describes the kernels of loaded programs.
  static std::vector<typed_kernel> described_kernels(const Port& port, typename Port::module_handle module,
                                                     const source_location& where) {
    if constexpr (requires { port.described_kernels(module, where); }) {
      return port.described_kernels(module, where);
    } else {
      return {};
    }
  }

  /// Ends the record of an image. Does nothing if the port keeps no record of images.
  static release_result detach_image(const Port& port, typename Port::context_handle context,
                                     const auto& image) noexcept {
    if constexpr (requires { port.detach_image(context, image); }) return port.detach_image(context, image);
    return {};
  }
  /// Returns: the access that kernels have to an image. By default they read and write it.
  [[nodiscard]] static kernel_access access_to_image(const Port& port, const auto& image,
                                                     const source_location& where) {
    if constexpr (requires { port.access_to_image(image, where); }) return port.access_to_image(image, where);
    return kernel_access::read_write;
  }
  /// Does nothing if a sampler is a number.
  static release_result release_sampler(const Port& port, const auto& sampler) noexcept {
    if constexpr (requires { port.release_sampler(sampler); }) return port.release_sampler(sampler);
    return {};
  }
  /// Returns: the libraries of a context; null if the backend has none.
  [[nodiscard]] static detail::owner<detail::math_libraries> libraries_of_context(
      const Port& port, typename Port::context_handle context, const detail::library_options& options,
      const source_location& where) {
    if constexpr (requires { port.libraries_of_context(context, options, where); }) {
      return port.libraries_of_context(context, options, where);
    } else {
      return nullptr;
    }
  }
  /// Throws: `unsupported_error` if the driver has no conditional nodes of this kind; by default the host runs them.
  static void check_condition(const Port& port, const auto& kind, std::size_t bodies, const source_location& where) {
    if constexpr (requires { port.check_condition(kind, bodies, where); }) port.check_condition(kind, bodies, where);
  }
  /// Prepares a device for a launch. Does nothing by default.
  static void upload_graph(const Port& port, const auto& executable, typename Port::stream_handle stream,
                           const source_location& where) {
    if constexpr (requires { port.upload_graph(executable, stream, where); }) {
      port.upload_graph(executable, stream, where);
    }
  }
};

}  // namespace yoke::inline v0_1

#endif
