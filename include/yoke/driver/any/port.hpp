// SPDX-License-Identifier: MIT
// The port that is chosen at run time: it calls CUDA or OpenCL, with one indirect call for each operation.
#ifndef YOKE_DRIVER_ANY_PORT_HPP
#define YOKE_DRIVER_ANY_PORT_HPP

#include <yoke/driver/any/operations.hpp>
#include <yoke/driver/cuda/port.hpp>
#include <yoke/driver/opencl/port.hpp>

namespace yoke::inline YOKE_ABI {

namespace detail {

template <class Port>
inline constexpr unsigned char number_of = std::same_as<Port, cuda::port> ? 0 : 1;
template <class Port, argument_form... Forms>
direct_outcome launch_plain_by(const void* driver, any_handles::kernel_handle kernel, any_handles::stream_handle stream,
                               const plain_shape& shape, const void* const* places) noexcept {
  return Port(static_cast<const typename Port::table_type*>(driver))
      .template launch_plain<Forms...>(static_cast<typename Port::kernel_handle>(kernel.value),
                                       static_cast<typename Port::stream_handle>(stream.value), shape, places);
}
/// The launch functions for arguments of these forms, by the backend's number. OpenCL skips unchanged values of them.
template <argument_form... Forms>
inline constexpr decltype(&launch_plain_by<cuda::port>) plain_launchers[] = {&launch_plain_by<cuda::port>,
                                                                             &launch_plain_by<opencl::port, Forms...>};

}  // namespace detail

/// Any backend as a port: the default of `yoke::context`, `yoke::stream` and every other handle.
/// Thread safety: every function is safe from any thread.
class any_port : public any_handles {
 public:
  /// The empty port of empty handles. Requires: nobody calls it.
  constexpr any_port() noexcept = default;
  /// A backend's port. Throws: nothing.
  YOKE_API any_port(const cuda::port& port) noexcept;    // NOLINT: a backend's port is a port
  YOKE_API any_port(const opencl::port& port) noexcept;  // NOLINT

  /// "opencl" or "cuda".
  [[nodiscard]] const char* backend_name() const noexcept { return operations_->backend; }
  [[nodiscard]] const any_operations* operations() const noexcept { return operations_; }
  [[nodiscard]] const void* driver() const noexcept { return driver_; }
  [[nodiscard]] friend constexpr bool operator==(const any_port& left, const any_port& right) noexcept {
    return left.operations_ == right.operations_ && left.driver_ == right.driver_;
  }

  // clang-format off
  std::error_code error_code(std::int32_t code) const noexcept { return operations_->error_code(driver_, code); }
  YOKE_API std::vector<device_handle> devices(const source_location& where) const;
  YOKE_API device_summary summary(device_handle device, const source_location& where) const;
  YOKE_API device_limits limits(device_handle device, const source_location& where) const;
  YOKE_API void retain_device(device_handle device, const source_location& where) const;
  YOKE_API release_result release_device(device_handle device) const noexcept;
  YOKE_API context_handle create_context(std::span<const device_handle> devices, const source_location& where) const;
  YOKE_API void retain_context(context_handle context, const source_location& where) const;
  YOKE_API release_result release_context(context_handle context) const noexcept;
  YOKE_API std::vector<device_handle> context_devices(context_handle context, const source_location& where) const;
  std::uint64_t context_identity(context_handle context) const noexcept { return operations_->context_identity(driver_, context); }
  bool context_is_gone(context_handle context, std::uint64_t id) const noexcept { return operations_->context_is_gone(driver_, context, id); }
  YOKE_API stream_handle create_stream(context_handle context, device_handle device, const stream_options& options, const source_location& where) const;
  YOKE_API void retain_stream(stream_handle stream, const source_location& where) const;
  YOKE_API release_result release_stream(stream_handle stream) const noexcept;
  bool forget_stream(stream_handle stream) const noexcept { return operations_->forget_stream(driver_, stream); }
  YOKE_API device_handle stream_device(stream_handle stream, const source_location& where) const;
  YOKE_API context_handle stream_context(stream_handle stream, const source_location& where) const;
  YOKE_API bool stream_has_timing(stream_handle stream, const source_location& where) const;
  /// Whether memory handles are addresses, which show overlaps.
  [[nodiscard]] bool memory_is_address() const noexcept { return operations_->memory_is_address; }
  /// Whether a stream may wait for events of other contexts of its backend.
  [[nodiscard]] bool waits_across_contexts() const noexcept { return operations_->waits_across_contexts; }
  /// Whether a copy and its event are one command.
  [[nodiscard]] bool copies_give_events() const noexcept { return operations_->copies_give_events; }
  [[nodiscard]] bool waits_want_flushes() const noexcept { return operations_->waits_want_flushes; }
  void flush(stream_handle stream, const source_location& where) const { operations_->flush(driver_, stream, where); }
  void synchronize(stream_handle stream, const source_location& where) const { operations_->synchronize(driver_, stream, where); }
  event_handle record(stream_handle stream, std::span<const event_handle> after, const source_location& where) const { return operations_->record(driver_, stream, after, where); }
  event_handle record_in(context_handle context, stream_handle stream, const source_location& where) const { return operations_->record_in(driver_, context, stream, where); }
  YOKE_API event_handle record_timed(stream_handle stream, std::span<const event_handle> after, const source_location& where) const;
  event_handle record_into(stream_handle stream, event_handle existing, const source_location& where) const { return operations_->record_into(driver_, stream, existing, where); }
  void wait_in_stream(stream_handle stream, std::span<const event_handle> events, const source_location& where) const { operations_->wait_in_stream(driver_, stream, events, where); }
  YOKE_API context_handle event_context(event_handle event, const source_location& where) const;
  void retain_event(event_handle event, const source_location& where) const { operations_->retain_event(driver_, event, where); }
  release_result release_event(event_handle event) const noexcept { return operations_->release_event(driver_, event); }
  void wait(event_handle event, const source_location& where) const { operations_->wait(driver_, event, where); }
  event_status status(event_handle event, const source_location& where) const { return operations_->status(driver_, event, where); }
  /// Units: nanoseconds.
  YOKE_API std::int64_t elapsed(event_handle start, event_handle stop, const source_location& where) const;
  void submit(event_handle event, const source_location& where) const { operations_->submit(driver_, event, where); }
  memory_handle allocate(context_handle context, std::size_t bytes, const source_location& where) const { return operations_->allocate(driver_, context, bytes, where); }
  memory_handle allocate_ordered(context_handle context, stream_handle stream, std::size_t bytes, const source_location& where) const { return operations_->allocate_ordered(driver_, context, stream, bytes, where); }
  release_result release_memory(context_handle context, memory_handle memory) const noexcept { return operations_->release_memory(driver_, context, memory); }
  release_result release_memory_ordered(context_handle context, memory_handle memory, stream_handle stream, std::span<const stream_handle> others) const noexcept { return operations_->release_memory_ordered(driver_, context, memory, stream, others); }
  YOKE_API memory_handle with_offset(memory_handle memory, std::size_t bytes, const source_location& where) const;
  YOKE_API context_handle memory_context(memory_handle memory, const source_location& where) const;
  YOKE_API std::size_t memory_bytes(memory_handle memory, const source_location& where) const;
  YOKE_API void check_native_memory(memory_handle memory, std::size_t alignment, native_ownership ownership,
                                    const source_location& where) const;
  YOKE_API pagelocked_handle allocate_pagelocked(context_handle context, device_handle device, std::size_t bytes, void** address, const source_location& where) const;
  YOKE_API release_result release_pagelocked(context_handle context, pagelocked_handle block) const noexcept;
  YOKE_API pagelocked_handle adopt_pagelocked(context_handle context, device_handle device, native_pagelocked native, std::size_t bytes, native_ownership ownership, void** address, const source_location& where) const;
  YOKE_API native_pagelocked native_of_pagelocked(pagelocked_handle block) const noexcept;
  YOKE_API release_result detach_pagelocked(context_handle context, pagelocked_handle block) const noexcept;
  void write(stream_handle stream, memory_handle destination, std::size_t offset, const void* source, std::size_t bytes, completion<event_handle> done, const source_location& where) const { operations_->write(driver_, stream, destination, offset, source, bytes, done, where); }
  void read(stream_handle stream, memory_handle source, std::size_t offset, void* destination, std::size_t bytes, completion<event_handle> done, const source_location& where) const { operations_->read(driver_, stream, source, offset, destination, bytes, done, where); }
  void copy(stream_handle stream, memory_handle source, std::size_t source_offset, memory_handle destination, std::size_t destination_offset, std::size_t bytes, completion<event_handle> done, const source_location& where) const { operations_->copy(driver_, stream, source, source_offset, destination, destination_offset, bytes, done, where); }
  void write_box(stream_handle stream, memory_handle destination, const box_side& to, const void* source, const box_side& from, const box_size& box, completion<event_handle> done, const source_location& where) const { operations_->write_box(driver_, stream, destination, to, source, from, box, done, where); }
  void read_box(stream_handle stream, memory_handle source, const box_side& from, void* destination, const box_side& to, const box_size& box, completion<event_handle> done, const source_location& where) const { operations_->read_box(driver_, stream, source, from, destination, to, box, done, where); }
  void copy_box(stream_handle stream, memory_handle source, const box_side& from, memory_handle destination, const box_side& to, const box_size& box, completion<event_handle> done, const source_location& where) const { operations_->copy_box(driver_, stream, source, from, destination, to, box, done, where); }
  void fill(stream_handle stream, memory_handle destination, std::size_t offset, const void* pattern, std::size_t pattern_bytes, std::size_t count, const source_location& where) const { operations_->fill(driver_, stream, destination, offset, pattern, pattern_bytes, count, where); }
  YOKE_API std::string_view prelude() const;
  [[nodiscard]] const char* source_name() const noexcept { return operations_->source_name; }
  [[nodiscard]] const char* options_variable() const noexcept { return operations_->options_variable; }
  YOKE_API build_target target_of(std::span<const device_handle> devices, const source_location& where) const;
  YOKE_API std::string compiler_of(std::span<const device_handle> devices, bool open, const source_location& where) const;
  YOKE_API module_handle compile(context_handle context, std::span<const device_handle> devices, const compile_request& request, const source_location& where) const;
  YOKE_API module_handle load_binary(context_handle context, std::span<const device_handle> devices, std::span<const std::byte> bytes, const source_location& where) const;
  YOKE_API module_handle load_intermediate(context_handle context, std::span<const device_handle> devices, std::span<const std::byte> bytes, const compile_request& request, const source_location& where) const;
  YOKE_API std::vector<std::byte> export_binary(module_handle module, const source_location& where) const;
  YOKE_API context_handle module_context(module_handle module, const source_location& where) const;
  YOKE_API void retain_module(module_handle module, const source_location& where) const;
  YOKE_API release_result release_module(module_handle module) const noexcept;
  YOKE_API std::string build_log(module_handle module, device_handle device, const source_lines& source, const source_location& where) const;
  YOKE_API std::vector<std::string> kernel_names(module_handle module, const source_location& where) const;
  YOKE_API std::vector<typed_kernel> described_kernels(module_handle of, const source_location& where) const;
  YOKE_API kernel_handle create_kernel(module_handle module, const char* name, const source_location& where) const;
  YOKE_API kernel_handle adopt_kernel(module_handle module, native_kernel kernel, bool owned, const source_location& where) const;
  native_kernel native_of(kernel_handle kernel) const noexcept { return operations_->native_of(driver_, kernel); }
  YOKE_API release_result detach_kernel(kernel_handle kernel) const noexcept;
  YOKE_API release_result release_kernel(kernel_handle kernel) const noexcept;
  YOKE_API kernel_signature signature(context_handle context, kernel_handle kernel, const source_location& where) const;
  YOKE_API bool accepts(context_handle context, kernel_handle kernel, std::span<const kernel_argument> arguments, const source_location& where) const;
  YOKE_API kernel_limits limits(kernel_handle kernel, device_handle device, const source_location& where) const;
  void launch(const call_type& call, const source_location& where) const { operations_->launch(driver_, call, where); }
  // clang-format on
  /// OpenCL takes none.
  static constexpr bool takes_bool = false;
  static constexpr bool enqueues_directly = true;
  [[nodiscard, gnu::always_inline]] std::int32_t record_directly(stream_handle stream,
                                                                 event_handle& place) const noexcept {
    return operations_->record_directly(driver_, stream, place);
  }
  [[nodiscard, gnu::always_inline]] std::int32_t wait_directly(stream_handle stream, const event_handle& event,
                                                               stream_handle recorded_in) const noexcept {
    return operations_->wait_directly(driver_, stream, event, recorded_in);
  }
  [[nodiscard, gnu::always_inline]] std::int32_t write_directly(stream_handle stream, memory_handle destination,
                                                                std::size_t offset, const void* source,
                                                                std::size_t bytes) const noexcept {
    return operations_->write_directly(driver_, stream, destination, offset, source, bytes);
  }
  [[nodiscard, gnu::always_inline]] std::int32_t read_directly(stream_handle stream, memory_handle source,
                                                               std::size_t offset, void* destination,
                                                               std::size_t bytes) const noexcept {
    return operations_->read_directly(driver_, stream, source, offset, destination, bytes);
  }
  [[nodiscard, gnu::always_inline]] std::int32_t copy_directly(stream_handle stream, memory_handle source,
                                                               std::size_t source_offset, memory_handle destination,
                                                               std::size_t destination_offset,
                                                               std::size_t bytes) const noexcept {
    return operations_->copy_directly(driver_, stream, source, source_offset, destination, destination_offset, bytes);
  }
  [[noreturn, gnu::cold]] YOKE_API void refused(direct_command command, std::int32_t code, const direct_sides& sides,
                                                const source_location& where) const;
  static constexpr bool launches_directly = true;
  /// As the backend's own. It checks the shape here, where it often is a constant.
  template <argument_form... Forms>
  [[nodiscard, gnu::always_inline]] direct_outcome launch_directly(
      kernel_handle kernel, stream_handle stream, const launch_shape& shape,
      const std::array<const void*, sizeof...(Forms)>& places) const noexcept {
    if (!shape.is_plain()) [[unlikely]]
      return {direct_outcome::unusual};
    const plain_shape plain{shape.grid, shape.block, shape.dimensions()};
    return detail::plain_launchers<Forms...>[operations_->number](driver_, kernel, stream, plain, places.data());
  }
  YOKE_API void launch_refused(direct_outcome outcome, kernel_handle kernel, stream_handle stream,
                               const launch_shape& shape, const void* const* places, const argument_sizes& sizes,
                               const device_limits& limits, const source_location& where) const;

 private:
  const any_operations* operations_ = nullptr;
  const void* driver_ = nullptr;
};

namespace detail {
/// Returns: the ports of every backend whose driver can be used; `reasons` tells why the others cannot.
YOKE_API std::vector<any_port> available_ports(std::string& reasons);
}  // namespace detail

}  // namespace yoke::inline YOKE_ABI

#if defined(YOKE_HEADER_ONLY)
#include <yoke/driver/any/impl/port.ipp>
#endif

#endif
