// SPDX-License-Identifier: MIT
// The operations of each backend behind `any_port`: devices, contexts, streams and events.
#ifndef YOKE_DRIVER_ANY_IMPL_EXECUTION_IPP
#define YOKE_DRIVER_ANY_IMPL_EXECUTION_IPP

#include <yoke/driver/any/impl/handles.ipp>

namespace yoke::inline YOKE_ABI::detail {

template <class Port>
struct execution_operations : any_handles {
  static std::error_code error_code(const void* driver, std::int32_t code) noexcept {
    return port_of<Port>(driver).error_code(code);
  }
  static std::vector<device_handle> devices(const void* driver, const source_location& where) {
    return wrapped_list<device_handle>(port_of<Port>(driver).devices(where));
  }
  static device_summary summary(const void* driver, device_handle device, const source_location& where) {
    return port_of<Port>(driver).summary(native<typename Port::device_handle>(device), where);
  }
  static device_limits limits(const void* driver, device_handle device, const source_location& where) {
    return port_of<Port>(driver).limits(native<typename Port::device_handle>(device), where);
  }
  static void retain_device(const void* driver, device_handle device, const source_location& where) {
    port_of<Port>(driver).retain_device(native<typename Port::device_handle>(device), where);
  }
  static release_result release_device(const void* driver, device_handle device) noexcept {
    return port_of<Port>(driver).release_device(native<typename Port::device_handle>(device));
  }
  static context_handle create_context(const void* driver, std::span<const device_handle> devices,
                                       const source_location& where) {
    const native_list<typename Port::device_handle> devices_list(devices);
    return wrapped<context_handle>(port_of<Port>(driver).create_context(devices_list.view(), where));
  }
  static void retain_context(const void* driver, context_handle context, const source_location& where) {
    port_of<Port>(driver).retain_context(native<typename Port::context_handle>(context), where);
  }
  static release_result release_context(const void* driver, context_handle context) noexcept {
    return port_of<Port>(driver).release_context(native<typename Port::context_handle>(context));
  }
  static std::vector<device_handle> context_devices(const void* driver, context_handle context,
                                                    const source_location& where) {
    return wrapped_list<device_handle>(
        port_of<Port>(driver).context_devices(native<typename Port::context_handle>(context), where));
  }
  static std::uint64_t context_identity(const void* driver, context_handle context) noexcept {
    return port_of<Port>(driver).context_identity(native<typename Port::context_handle>(context));
  }
  static bool context_is_gone(const void* driver, context_handle context, std::uint64_t id) noexcept {
    return port_of<Port>(driver).context_is_gone(native<typename Port::context_handle>(context), id);
  }
  static stream_handle create_stream(const void* driver, context_handle context, device_handle device,
                                     const stream_options& options, const source_location& where) {
    return wrapped<stream_handle>(port_of<Port>(driver).create_stream(
        native<typename Port::context_handle>(context), native<typename Port::device_handle>(device), options, where));
  }
  static void retain_stream(const void* driver, stream_handle stream, const source_location& where) {
    port_of<Port>(driver).retain_stream(native<typename Port::stream_handle>(stream), where);
  }
  static release_result release_stream(const void* driver, stream_handle stream) noexcept {
    return port_of<Port>(driver).release_stream(native<typename Port::stream_handle>(stream));
  }
  static bool forget_stream(const void* driver, stream_handle stream) noexcept {
    return port_of<Port>(driver).forget_stream(native<typename Port::stream_handle>(stream));
  }
  static device_handle stream_device(const void* driver, stream_handle stream, const source_location& where) {
    return wrapped<device_handle>(
        port_of<Port>(driver).stream_device(native<typename Port::stream_handle>(stream), where));
  }
  static context_handle stream_context(const void* driver, stream_handle stream, const source_location& where) {
    return wrapped<context_handle>(
        port_of<Port>(driver).stream_context(native<typename Port::stream_handle>(stream), where));
  }
  static bool stream_has_timing(const void* driver, stream_handle stream, const source_location& where) {
    return port_of<Port>(driver).stream_has_timing(native<typename Port::stream_handle>(stream), where);
  }
  static void flush(const void* driver, stream_handle stream, const source_location& where) {
    port_of<Port>(driver).flush(native<typename Port::stream_handle>(stream), where);
  }
  static void synchronize(const void* driver, stream_handle stream, const source_location& where) {
    port_of<Port>(driver).synchronize(native<typename Port::stream_handle>(stream), where);
  }
  static event_handle record(const void* driver, stream_handle stream, std::span<const event_handle> after,
                             const source_location& where) {
    const native_list<typename Port::event_handle> after_list(after);
    return wrapped<event_handle>(
        port_of<Port>(driver).record(native<typename Port::stream_handle>(stream), after_list.view(), where));
  }
  static event_handle record_in(const void* driver, context_handle context, stream_handle stream,
                                const source_location& where) {
    const Port& port = port_of<Port>(driver);
    const auto of = native<typename Port::stream_handle>(stream);
    if constexpr (requires { port.record_in(native<typename Port::context_handle>(context), of, where); }) {
      return wrapped<event_handle>(port.record_in(native<typename Port::context_handle>(context), of, where));
    } else {
      return wrapped<event_handle>(port.record(of, {}, where));
    }
  }
  static event_handle record_timed(const void* driver, stream_handle stream, std::span<const event_handle> after,
                                   const source_location& where) {
    const native_list<typename Port::event_handle> after_list(after);
    return wrapped<event_handle>(
        port_of<Port>(driver).record_timed(native<typename Port::stream_handle>(stream), after_list.view(), where));
  }
  static event_handle record_into(const void* driver, stream_handle stream, event_handle existing,
                                  const source_location& where) {
    return wrapped<event_handle>(port_of<Port>(driver).record_into(
        native<typename Port::stream_handle>(stream), native<typename Port::event_handle>(existing), where));
  }
  static void wait_in_stream(const void* driver, stream_handle stream, std::span<const event_handle> events,
                             const source_location& where) {
    if (events.size() == 1) [[likely]] {
      const auto only = native<typename Port::event_handle>(events.front());
      return port_of<Port>(driver).wait_in_stream(native<typename Port::stream_handle>(stream), {&only, 1}, where);
    }
    const native_list<typename Port::event_handle> events_list(events);
    port_of<Port>(driver).wait_in_stream(native<typename Port::stream_handle>(stream), events_list.view(), where);
  }
  static std::int32_t record_directly(const void* driver, stream_handle stream, event_handle& place) noexcept {
    auto of = native<typename Port::event_handle>(place);
    const std::int32_t code = port_of<Port>(driver).record_directly(native<typename Port::stream_handle>(stream), of);
    place = wrapped<event_handle>(of);
    return code;
  }
  static std::int32_t wait_directly(const void* driver, stream_handle stream, const event_handle& event,
                                    stream_handle recorded_in) noexcept {
    const auto of = native<typename Port::event_handle>(event);
    return port_of<Port>(driver).wait_directly(native<typename Port::stream_handle>(stream), of,
                                               native<typename Port::stream_handle>(recorded_in));
  }
  static context_handle event_context(const void* driver, event_handle event, const source_location& where) {
    return wrapped<context_handle>(
        port_of<Port>(driver).event_context(native<typename Port::event_handle>(event), where));
  }
  static void retain_event(const void* driver, event_handle event, const source_location& where) {
    port_of<Port>(driver).retain_event(native<typename Port::event_handle>(event), where);
  }
  static release_result release_event(const void* driver, event_handle event) noexcept {
    return port_of<Port>(driver).release_event(native<typename Port::event_handle>(event));
  }
  static void wait(const void* driver, event_handle event, const source_location& where) {
    port_of<Port>(driver).wait(native<typename Port::event_handle>(event), where);
  }
  static event_status status(const void* driver, event_handle event, const source_location& where) {
    return port_of<Port>(driver).status(native<typename Port::event_handle>(event), where);
  }
  static std::int64_t elapsed(const void* driver, event_handle start, event_handle stop, const source_location& where) {
    return port_of<Port>(driver).elapsed(native<typename Port::event_handle>(start),
                                         native<typename Port::event_handle>(stop), where);
  }
  static void submit(const void* driver, event_handle event, const source_location& where) {
    port_of<Port>(driver).submit(native<typename Port::event_handle>(event), where);
  }

  static constexpr void enter(any_operations& table) noexcept {
    table.error_code = &error_code;
    table.devices = &devices;
    table.summary = &summary;
    table.limits = &limits;
    table.retain_device = &retain_device;
    table.release_device = &release_device;
    table.create_context = &create_context;
    table.retain_context = &retain_context;
    table.release_context = &release_context;
    table.context_devices = &context_devices;
    table.context_identity = &context_identity;
    table.context_is_gone = &context_is_gone;
    table.create_stream = &create_stream;
    table.retain_stream = &retain_stream;
    table.release_stream = &release_stream;
    table.forget_stream = &forget_stream;
    table.stream_device = &stream_device;
    table.stream_context = &stream_context;
    table.stream_has_timing = &stream_has_timing;
    table.flush = &flush;
    table.synchronize = &synchronize;
    table.record = &record;
    table.record_in = &record_in;
    table.record_timed = &record_timed;
    table.record_into = &record_into;
    table.wait_in_stream = &wait_in_stream;
    table.record_directly = &record_directly;
    table.wait_directly = &wait_directly;
    table.event_context = &event_context;
    table.retain_event = &retain_event;
    table.release_event = &release_event;
    table.wait = &wait;
    table.status = &status;
    table.elapsed = &elapsed;
    table.submit = &submit;
  }
};

}  // namespace yoke::inline YOKE_ABI::detail

#endif
