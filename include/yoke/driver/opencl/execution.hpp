// SPDX-License-Identifier: MIT
// The OpenCL port's devices, contexts, queues and events. A function makes one driver call and translates errors.
#ifndef YOKE_DRIVER_OPENCL_EXECUTION_HPP
#define YOKE_DRIVER_OPENCL_EXECUTION_HPP

#include <yoke/driver/concepts.hpp>
#include <yoke/driver/event_times.hpp>
#include <yoke/driver/opencl/error.hpp>
#include <yoke/driver/opencl/kernel_clones.hpp>
#include <yoke/driver/opencl/loader.hpp>

namespace yoke::inline YOKE_ABI::opencl {

/// A part of `port`.
class execution_functions {
 public:
  using device_handle = abi::device;
  using context_handle = abi::context;
  using stream_handle = abi::queue;
  using event_handle = abi::event;
  using table_type = abi::functions;
  using devices_view = std::span<const device_handle>;
  using events_view = std::span<const event_handle>;

  [[nodiscard]] const abi::functions* table() const noexcept { return table_; }
  [[nodiscard]] const char* backend_name() const noexcept { return "opencl"; }
  [[nodiscard]] std::error_code error_code(std::int32_t code) const noexcept { return {code, error_category()}; }

  YOKE_API std::vector<device_handle> devices(const source_location& where) const;
  YOKE_API device_summary summary(device_handle device, const source_location& where) const;
  YOKE_API device_limits limits(device_handle device, const source_location& where) const;
  YOKE_API void retain_device(device_handle device, const source_location& where) const;
  YOKE_API release_result release_device(device_handle device) const noexcept;
  YOKE_API std::vector<device_handle> partition(device_handle device, std::span<const std::intptr_t> properties,
                                                const source_location& where) const;
  /// Effects: copies up to `bytes` bytes of a `CL_DEVICE_*` property. Returns: the property's whole size in bytes.
  YOKE_API std::size_t device_property(device_handle device, std::uint32_t property, void* out, std::size_t bytes,
                                       const source_location& where) const;

  YOKE_API context_handle create_context(devices_view devices, const source_location& where) const;
  YOKE_API void retain_context(context_handle context, const source_location& where) const;
  YOKE_API release_result release_context(context_handle context) const noexcept;
  YOKE_API std::vector<device_handle> context_devices(context_handle context, const source_location& where) const;

  YOKE_API stream_handle create_stream(context_handle context, device_handle device, const stream_options& options,
                                       const source_location& where) const;
  YOKE_API stream_handle create_out_of_order_stream(context_handle context, device_handle device,
                                                    const stream_options& options, const source_location& where) const;
  YOKE_API void retain_stream(stream_handle stream, const source_location& where) const;
  YOKE_API release_result release_stream(stream_handle stream) const noexcept;
  YOKE_API device_handle stream_device(stream_handle stream, const source_location& where) const;
  YOKE_API context_handle stream_context(stream_handle stream, const source_location& where) const;
  YOKE_API bool stream_has_timing(stream_handle stream, const source_location& where) const;
  YOKE_API bool stream_is_out_of_order(stream_handle stream, const source_location& where) const;
  YOKE_API void flush(stream_handle stream, const source_location& where) const;
  YOKE_API void synchronize(stream_handle stream, const source_location& where) const;

  YOKE_API event_handle record(stream_handle stream, events_view after, const source_location& where) const;
  YOKE_API event_handle record_timed(stream_handle stream, events_view after, const source_location& where) const;
  /// Returns: a new event, since OpenCL's belong to one command. The caller keeps the existing one.
  YOKE_API event_handle record_into(stream_handle stream, event_handle existing, const source_location& where) const;
  YOKE_API event_handle barrier(stream_handle stream, events_view after, const source_location& where) const;
  YOKE_API void wait_in_stream(stream_handle stream, events_view events, const source_location& where) const;
  YOKE_API context_handle event_context(event_handle event, const source_location& where) const;
  YOKE_API void retain_event(event_handle event, const source_location& where) const;
  YOKE_API release_result release_event(event_handle event) const noexcept;
  YOKE_API void wait(event_handle event, const source_location& where) const;
  YOKE_API event_status status(event_handle event, const source_location& where) const;
  YOKE_API event_times times(event_handle event, const source_location& where) const;
  /// Units: nanoseconds.
  YOKE_API std::int64_t elapsed(event_handle start, event_handle stop, const source_location& where) const;
  YOKE_API void submit(event_handle event, const source_location& where) const;
  YOKE_API event_handle create_user_event(context_handle context, const source_location& where) const;
  YOKE_API void set_user_event(event_handle event, std::int32_t status, const source_location& where) const;
  /// Watches a user event of other code, so that commands behind it cannot end the process (see `held_events`).
  YOKE_API void watch_user_event(context_handle context, event_handle event, const source_location& where) const;
  static constexpr bool enqueues_directly = true;
  /// Effects: replaces an owned event by a new one, and releases the old one.
  [[nodiscard, gnu::always_inline]] std::int32_t record_directly(stream_handle stream,
                                                                 event_handle& place) const noexcept {
    if (notes_->events_are_held.load(yoke::detail::order::acquire)) [[unlikely]]
      return direct_unusual;
    event_handle next = nullptr;
    const abi::status code = table_->enqueue_marker(stream, 0, nullptr, &next);
    if (code == 0) [[likely]] {
      const abi::status released = table_->release_event(place);
      place = next;
      if (released != 0) [[unlikely]]
        report_event_release(released);
    }
    return code;
  }
  static constexpr bool waits_want_flushes() noexcept { return true; }
  /// Effects: flushes `recorded_in`, unless that is `stream`, and waits. Does nothing if user events take part, since only
  /// then the event may have failed, or if it is not known what to flush.
  [[nodiscard, gnu::always_inline]] std::int32_t wait_directly(stream_handle stream, const event_handle& event,
                                                               stream_handle recorded_in) const noexcept {
    if (notes_->user_events_take_part.load(yoke::detail::order::relaxed)) [[unlikely]]
      return direct_unusual;
    if (recorded_in != stream) [[unlikely]] {
      if (recorded_in == nullptr || table_->flush(recorded_in) != 0) return direct_unusual;  // which reports it
    }
    return table_->enqueue_barrier(stream, 1, &event, nullptr);
  }

  /// Leaves the user event to other code, which sets it. Requires: the caller holds a reference.
  YOKE_API void disown_user_event(event_handle event) const noexcept;

 protected:
  [[gnu::cold]] YOKE_API static void report_event_release(std::int32_t code) noexcept;
  /// Effects: flushes the queues of a wait list's events. Throws: `error` when an event has failed.
  YOKE_API void prepare_wait_list(stream_handle stream, events_view events, const source_location& where) const;

  const abi::functions* table_ = nullptr;
  detail::driver_notes* notes_ = nullptr;  // the table's; every call reads them
};

}  // namespace yoke::inline YOKE_ABI::opencl

#if defined(YOKE_HEADER_ONLY)
#include <yoke/driver/opencl/impl/execution.ipp>
#endif

#endif
