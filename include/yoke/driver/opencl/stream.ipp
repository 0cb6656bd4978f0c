// SPDX-License-Identifier: MIT
// Bodies of driver/opencl/stream.hpp.
#ifndef YOKE_DRIVER_OPENCL_STREAM_IPP
#define YOKE_DRIVER_OPENCL_STREAM_IPP

#include <yoke/driver/opencl/stream.hpp>

#include <yoke/driver/opencl/port.hpp>

#include <yoke/driver/opencl/device_info.hpp>
#include <yoke/driver/opencl/event/event.hpp>
#include <yoke/driver/opencl/event/held_events.hpp>
#include <yoke/driver/opencl/invoke.hpp>

namespace yoke::inline v0_1::opencl {

namespace detail {
// One call for every version: all loaders have clCreateCommandQueue, which takes all options of the library. The
// library never makes a device-side queue, on which PoCL 3.1 ends the process.
abi::queue create_queue(const abi::functions* table, abi::context context, abi::device device,
                        const stream_options& options, abi::ulong flags, const source_location& where) {
  if (options.timing) flags |= abi::queue_profiling;
  return create<&abi::functions::create_queue>(table, where, context, device, flags);
}
}  // namespace detail
abi::queue stream_functions::create_stream(abi::context context, abi::device device, const stream_options& options,
                                           const source_location& where) const {
  return detail::create_queue(table(), context, device, options, 0, where);
}
abi::queue stream_functions::create_out_of_order_stream(abi::context context, abi::device device,
                                                        const stream_options& options,
                                                        const source_location& where) const {
  const auto offered = detail::query<abi::ulong, &abi::functions::get_device_info>(table(), where, device,
                                                                                   info::queue_on_host_properties.code);
  if ((offered & abi::queue_out_of_order) == 0) {
    detail::throw_error(errc::unsupported, "this device has no out-of-order streams", where);
  }
  return detail::create_queue(table(), context, device, options, abi::queue_out_of_order, where);
}
void stream_functions::retain_stream(abi::queue stream, const source_location& where) const {
  detail::invoke<&abi::functions::retain_queue>(table(), where, stream);
}
release_result stream_functions::release_stream(abi::queue stream) const noexcept {
  return detail::release<&abi::functions::release_queue>(table(), stream);
}
abi::device stream_functions::stream_device(abi::queue stream, const source_location& where) const {
  return detail::query<abi::device, &abi::functions::get_queue_info>(table(), where, stream, abi::queue_device);
}
abi::context stream_functions::stream_context(abi::queue stream, const source_location& where) const {
  return detail::query<abi::context, &abi::functions::get_queue_info>(table(), where, stream, abi::queue_context);
}
bool stream_functions::stream_has_timing(abi::queue stream, const source_location& where) const {
  const auto flags =
      detail::query<abi::ulong, &abi::functions::get_queue_info>(table(), where, stream, abi::queue_properties);
  return (flags & abi::queue_profiling) != 0;
}
bool stream_functions::stream_is_out_of_order(abi::queue stream, const source_location& where) const {
  const auto flags =
      detail::query<abi::ulong, &abi::functions::get_queue_info>(table(), where, stream, abi::queue_properties);
  return (flags & abi::queue_out_of_order) != 0;
}
abi::uint stream_functions::stream_references(abi::queue stream, const source_location& where) const {
  return detail::query<abi::uint, &abi::functions::get_queue_info>(table(), where, stream, abi::queue_reference_count);
}
void stream_functions::flush(abi::queue stream, const source_location& where) const {
  detail::invoke<&abi::functions::flush>(table(), where, stream);
}
void stream_functions::synchronize(abi::queue stream, const source_location& where) const {
  detail::invoke<&abi::functions::finish>(table(), where, stream);
}
abi::event stream_functions::barrier(abi::queue stream, std::span<const abi::event> after,
                                     const source_location& where) const {
  const detail::no_failure_meanwhile from_here(table(), !after.empty());
  detail::prepare_wait_list(table(), stream, after, where);
  abi::event event = nullptr;
  detail::invoke<&abi::functions::enqueue_barrier>(table(), where, stream, static_cast<abi::uint>(after.size()),
                                                   after.empty() ? nullptr : after.data(), &event);
  return event;
}
void stream_functions::wait_in_stream(abi::queue stream, std::span<const abi::event> events,
                                      const source_location& where) const {
  if (events.empty()) return;  // an empty list means everything enqueued before
  const detail::no_failure_meanwhile from_here(table(), true);
  detail::prepare_wait_list(table(), stream, events, where);
  detail::kept_event kept(table());
  detail::invoke<&abi::functions::enqueue_barrier>(table(), where, stream, static_cast<abi::uint>(events.size()),
                                                   events.data(), kept.slot());
}

}  // namespace yoke::inline v0_1::opencl

#endif
