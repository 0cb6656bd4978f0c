// SPDX-License-Identifier: MIT
// Bodies of driver/opencl/execution.hpp.
#ifndef YOKE_DRIVER_OPENCL_IMPL_EXECUTION_IPP
#define YOKE_DRIVER_OPENCL_IMPL_EXECUTION_IPP

#include <yoke/driver/opencl/device_info.hpp>
#include <yoke/driver/opencl/execution.hpp>
#include <yoke/driver/opencl/impl/held_events.ipp>
#include <yoke/driver/opencl/impl/invoke.ipp>
#include <yoke/driver/opencl/impl/pocl.ipp>

namespace yoke::inline YOKE_ABI::opencl {

YOKE_COLD std::vector<abi::device> execution_functions::devices(const source_location& where) const {
  std::vector<abi::device> all;
  abi::uint count = 0;
  const abi::status status = table_->get_platform_ids(0, nullptr, &count);
  if (status == -1001 || (status == 0 && count == 0)) return all;  // the loader found no driver: not an error
  if (status != 0) detail::throw_failure(status, "clGetPlatformIDs", "", where);
  std::vector<abi::platform> platforms(count);
  detail::invoke<&abi::functions::get_platform_ids>(table_, where, count, platforms.data(),
                                                    static_cast<abi::uint*>(nullptr));
  for (const abi::platform platform : platforms) {
    abi::uint found = 0;
    const abi::status listed = table_->get_device_ids(platform, abi::device_type_all, 0, nullptr, &found);
    if (listed == -1 || (listed == 0 && found == 0)) continue;  // a platform without devices
    if (listed != 0) detail::throw_failure(listed, "clGetDeviceIDs", "", where);
    const std::size_t before = all.size();
    all.resize(before + found);
    detail::invoke<&abi::functions::get_device_ids>(table_, where, platform, abi::device_type_all, found,
                                                    all.data() + before, static_cast<abi::uint*>(nullptr));
  }
  return all;
}

YOKE_COLD std::size_t execution_functions::device_property(abi::device device, std::uint32_t property, void* out,
                                                           std::size_t bytes, const source_location& where) const {
  std::size_t size = 0;
  detail::invoke<&abi::functions::get_device_info>(table_, where, device, property, bytes, out, &size);
  return size;
}

YOKE_COLD device_summary execution_functions::summary(abi::device device, const source_location& where) const {
  constexpr auto get = &abi::functions::get_device_info;
  device_summary result;
  result.name = detail::query_text<get>(table_, where, device, info::name.code);
  result.vendor = detail::query_text<get>(table_, where, device, info::vendor.code);
  result.version = detail::query_text<get>(table_, where, device, info::version.code);
  result.driver_version = detail::query_text<get>(table_, where, device, info::driver_version.code);
  const auto platform = detail::query<abi::platform, get>(table_, where, device, info::platform.code);
  result.platform = detail::query_text<&abi::functions::get_platform_info>(table_, where, platform, abi::platform_name);
  const auto type = detail::query<abi::ulong, get>(table_, where, device, info::type.code);
  result.kind = (type & 4u) != 0   ? device_kind::gpu
                : (type & 8u) != 0 ? device_kind::accelerator
                : (type & 2u) != 0 ? device_kind::cpu
                                   : device_kind::other;
  result.compute_units = detail::query<abi::uint, get>(table_, where, device, info::max_compute_units.code);
  result.clock_mhz = detail::query<abi::uint, get>(table_, where, device, info::max_clock_frequency.code);
  result.global_memory_bytes = detail::query<abi::ulong, get>(table_, where, device, info::global_mem_size.code);
  return result;
}

YOKE_COLD device_limits execution_functions::limits(abi::device device, const source_location& where) const {
  constexpr auto get = &abi::functions::get_device_info;
  device_limits result;
  result.max_block = detail::query<std::size_t, get>(table_, where, device, info::max_work_group_size.code);
  const auto extent = detail::query_list<std::size_t, get>(table_, where, device, info::max_work_item_sizes.code);
  for (std::size_t i = 0; i < 3; ++i) result.max_block_extent[i] = i < extent.size() ? extent[i] : 1;
  result.local_memory_bytes =
      static_cast<std::size_t>(detail::query<abi::ulong, get>(table_, where, device, info::local_mem_size.code));
  result.max_allocation_bytes = detail::query<abi::ulong, get>(table_, where, device, info::max_mem_alloc_size.code);
  result.base_alignment_bytes =
      detail::query<abi::uint, get>(table_, where, device, info::mem_base_addr_align.code) / 8u;
  if (result.base_alignment_bytes == 0) result.base_alignment_bytes = 1;
  detail::note_blocking_commands(table_, device, where);  // every context asks its devices before it is used
  return result;
}

YOKE_COLD void execution_functions::retain_device(abi::device device, const source_location& where) const {
  detail::invoke<&abi::functions::retain_device>(table_, where, device);
}
YOKE_COLD release_result execution_functions::release_device(abi::device device) const noexcept {
  return detail::release<&abi::functions::release_device>(table_, device);
}

YOKE_COLD std::vector<abi::device> execution_functions::partition(abi::device device,
                                                                  std::span<const std::intptr_t> properties,
                                                                  const source_location& where) const {
  abi::uint count = 0;
  detail::invoke<&abi::functions::create_sub_devices>(table_, where, device, properties.data(), abi::uint{0},
                                                      static_cast<abi::device*>(nullptr), &count);
  std::vector<abi::device> parts(count);
  detail::invoke<&abi::functions::create_sub_devices>(table_, where, device, properties.data(), count, parts.data(),
                                                      static_cast<abi::uint*>(nullptr));
  return parts;
}

YOKE_COLD abi::context execution_functions::create_context(devices_view devices, const source_location& where) const {
  const auto platform = detail::query<abi::platform, &abi::functions::get_device_info>(table_, where, devices.front(),
                                                                                       info::platform.code);
  const std::intptr_t properties[] = {abi::context_platform, reinterpret_cast<std::intptr_t>(platform), 0};
  return detail::create<&abi::functions::create_context>(table_, where, static_cast<const std::intptr_t*>(properties),
                                                         static_cast<abi::uint>(devices.size()), devices.data(),
                                                         abi::context_callback{nullptr}, static_cast<void*>(nullptr));
}
YOKE_COLD void execution_functions::retain_context(abi::context context, const source_location& where) const {
  detail::invoke<&abi::functions::retain_context>(table_, where, context);
}
YOKE_COLD release_result execution_functions::release_context(abi::context context) const noexcept {
  (void)detail::held_events::needed(table_);  // releases held events, which would keep the context
  return detail::release<&abi::functions::release_context>(table_, context);
}
YOKE_COLD std::vector<abi::device> execution_functions::context_devices(abi::context context,
                                                                        const source_location& where) const {
  return detail::query_list<abi::device, &abi::functions::get_context_info>(table_, where, context,
                                                                            abi::context_devices);
}

namespace detail {
// One call for every version: all loaders have clCreateCommandQueue, which takes all options of the library. The library
// never makes a queue on the device, on which PoCL 3.1 ends the process.
YOKE_COLD abi::queue create_queue(const abi::functions* table, abi::context context, abi::device device,
                                  const stream_options& options, abi::ulong flags, const source_location& where) {
  if (options.timing) flags |= abi::queue_profiling;
  return create<&abi::functions::create_queue>(table, where, context, device, flags);
}
}  // namespace detail

YOKE_COLD abi::queue execution_functions::create_stream(abi::context context, abi::device device,
                                                        const stream_options& options,
                                                        const source_location& where) const {
  return detail::create_queue(table_, context, device, options, 0, where);
}
YOKE_COLD abi::queue execution_functions::create_out_of_order_stream(abi::context context, abi::device device,
                                                                     const stream_options& options,
                                                                     const source_location& where) const {
  const auto offered = detail::query<abi::ulong, &abi::functions::get_device_info>(table_, where, device,
                                                                                   info::queue_on_host_properties.code);
  if ((offered & abi::queue_out_of_order) == 0) {
    detail::throw_error(errc::unsupported, "this device has no out-of-order streams", where);
  }
  return detail::create_queue(table_, context, device, options, abi::queue_out_of_order, where);
}
YOKE_INLINE void execution_functions::retain_stream(abi::queue stream, const source_location& where) const {
  detail::invoke<&abi::functions::retain_queue>(table_, where, stream);
}
YOKE_INLINE release_result execution_functions::release_stream(abi::queue stream) const noexcept {
  return detail::release<&abi::functions::release_queue>(table_, stream);
}
YOKE_INLINE abi::device execution_functions::stream_device(abi::queue stream, const source_location& where) const {
  return detail::query<abi::device, &abi::functions::get_queue_info>(table_, where, stream, abi::queue_device);
}
YOKE_INLINE abi::context execution_functions::stream_context(abi::queue stream, const source_location& where) const {
  return detail::query<abi::context, &abi::functions::get_queue_info>(table_, where, stream, abi::queue_context);
}
YOKE_INLINE bool execution_functions::stream_has_timing(abi::queue stream, const source_location& where) const {
  const auto flags =
      detail::query<abi::ulong, &abi::functions::get_queue_info>(table_, where, stream, abi::queue_properties);
  return (flags & abi::queue_profiling) != 0;
}
YOKE_INLINE bool execution_functions::stream_is_out_of_order(abi::queue stream, const source_location& where) const {
  const auto flags =
      detail::query<abi::ulong, &abi::functions::get_queue_info>(table_, where, stream, abi::queue_properties);
  return (flags & abi::queue_out_of_order) != 0;
}
YOKE_INLINE void execution_functions::flush(abi::queue stream, const source_location& where) const {
  detail::invoke<&abi::functions::flush>(table_, where, stream);
}
YOKE_INLINE void execution_functions::synchronize(abi::queue stream, const source_location& where) const {
  detail::invoke<&abi::functions::finish>(table_, where, stream);
}

namespace detail {
YOKE_INLINE abi::status execution_status(const abi::functions* table, abi::event event, const source_location& where) {
  return query<abi::status, &abi::functions::get_event_info>(table, where, event, abi::event_execution_status);
}
YOKE_INLINE abi::queue queue_of(const abi::functions* table, abi::event event, const source_location& where) {
  return query<abi::queue, &abi::functions::get_event_info>(table, where, event, abi::event_command_queue);
}
/// Returns: the code for the message about a failed command. PoCL 3.1 gives commands behind a failed one -1, which
/// otherwise means that there is no device.
YOKE_COLD abi::status failure_of(abi::status status) noexcept { return status == -1 ? abi::event_wait_failed : status; }
[[noreturn]] YOKE_COLD void throw_failed_command(abi::status status, const source_location& where) {
  throw runtime_error({failure_of(status), error_category()}, "clWaitForEvents", "a command ended with an error",
                      where);
}
/// Throws: always: why a wait for an event was refused.
[[noreturn]] YOKE_COLD void throw_failed_wait(const abi::functions* table, abi::event event, abi::status code,
                                              const source_location& where) {
  if (code != abi::event_wait_failed) throw_failure(code, "clWaitForEvents", "", where);
  // Intel's CPU runtime reports the failure only here; the event itself says complete.
  const abi::status result = execution_status(table, event, where);
  throw_failed_command(result < 0 ? result : code, where);
}
/// Effects: asks for a command's outcome after a wait, because some drivers report the wait for a failed one as a success.
YOKE_INLINE void check_ended_well(const abi::functions* table, abi::event event, const source_location& where) {
  const abi::status result = execution_status(table, event, where);
  if (result < 0) throw_failed_command(result, where);
}
}  // namespace detail

YOKE_INLINE void execution_functions::prepare_wait_list(abi::queue stream, events_view events,
                                                        const source_location& where) const {
  for (const abi::event event : events) {
    // PoCL 3.1 never ends a command that was enqueued behind a failed event.
    const abi::status status = detail::execution_status(table_, event, where);
    if (status < 0) {
      throw runtime_error({detail::failure_of(status), error_category()}, "clGetEventInfo",
                          "the event to wait for belongs to a command that failed", where);
    }
    if (status == abi::event_complete) continue;
    // OpenCL guarantees progress of a wait across queues only after a flush of the source queue.
    const abi::queue source = detail::queue_of(table_, event, where);
    if (source == nullptr) {  // a user event, also of other code
      notes_->user_events_take_part.store(true, yoke::detail::order::relaxed);
    } else if (source != stream) {
      detail::invoke<&abi::functions::flush>(table_, where, source);
    }
  }
}

YOKE_INLINE abi::event execution_functions::record(abi::queue stream, events_view after,
                                                   const source_location& where) const {
  if (after.empty()) return record_into(stream, nullptr, where);
  const detail::no_failure_meanwhile from_here(table_, true);
  prepare_wait_list(stream, after, where);
  abi::event event = nullptr;
  detail::invoke<&abi::functions::enqueue_marker>(table_, where, stream, static_cast<abi::uint>(after.size()),
                                                  after.data(), &event);
  return event;
}
YOKE_INLINE abi::event execution_functions::record_timed(abi::queue stream, events_view after,
                                                         const source_location& where) const {
  return record(stream, after, where);  // all events of such a queue are timed
}
YOKE_INLINE abi::event execution_functions::record_into(abi::queue stream, abi::event,
                                                        const source_location& where) const {
  abi::event event = nullptr;
  detail::invoke<&abi::functions::enqueue_marker>(table_, where, stream, abi::uint{0},
                                                  static_cast<const abi::event*>(nullptr), &event);
  return event;
}
YOKE_INLINE abi::event execution_functions::barrier(abi::queue stream, events_view after,
                                                    const source_location& where) const {
  const detail::no_failure_meanwhile from_here(table_, !after.empty());
  prepare_wait_list(stream, after, where);
  abi::event event = nullptr;
  detail::invoke<&abi::functions::enqueue_barrier>(table_, where, stream, static_cast<abi::uint>(after.size()),
                                                   after.empty() ? nullptr : after.data(), &event);
  return event;
}
YOKE_INLINE void execution_functions::wait_in_stream(abi::queue stream, events_view events,
                                                     const source_location& where) const {
  if (events.empty()) return;  // an empty list means everything enqueued before
  const detail::no_failure_meanwhile from_here(table_, true);
  prepare_wait_list(stream, events, where);
  detail::kept_event kept(table_);
  detail::invoke<&abi::functions::enqueue_barrier>(table_, where, stream, static_cast<abi::uint>(events.size()),
                                                   events.data(), kept.slot());
}
YOKE_INLINE abi::context execution_functions::event_context(abi::event event, const source_location& where) const {
  return detail::query<abi::context, &abi::functions::get_event_info>(table_, where, event, abi::event_context);
}
YOKE_INLINE void execution_functions::retain_event(abi::event event, const source_location& where) const {
  detail::invoke<&abi::functions::retain_event>(table_, where, event);
}
YOKE_INLINE release_result execution_functions::release_event(abi::event event) const noexcept {
  if (detail::held_events::needed(table_)) {
    if (detail::held_events_of(table_).take(table_, event)) return {0, "clReleaseEvent"};
  }
  return detail::release<&abi::functions::release_event>(table_, event);
}

YOKE_INLINE void execution_functions::report_event_release(std::int32_t code) noexcept {
  detail::report({code, "clReleaseEvent"});
}

YOKE_INLINE void execution_functions::wait(abi::event event, const source_location& where) const {
  if (const abi::status code = table_->wait_for_events(1, &event); code != 0) [[unlikely]]
    detail::throw_failed_wait(table_, event, code, where);
  detail::check_ended_well(table_, event, where);
}

YOKE_INLINE event_status execution_functions::status(abi::event event, const source_location& where) const {
  switch (detail::execution_status(table_, event, where)) {
    case abi::event_complete: return event_status::complete;
    case abi::event_running: return event_status::running;
    case abi::event_submitted: return event_status::submitted;
    case abi::event_queued: return event_status::queued;
    default: return event_status::failed;
  }
}

YOKE_INLINE event_times execution_functions::times(abi::event event, const source_location& where) const {
  const auto at = [&](abi::uint what) {
    abi::ulong value = 0;
    const abi::status status = table_->get_event_profiling_info(event, what, sizeof value, &value, nullptr);
    if (status != 0) [[unlikely]] {
      const bool untimed = status == abi::profiling_info_not_available;
      detail::throw_failure(status, "clGetEventProfilingInfo", untimed ? yoke::detail::untimed_event : "", where);
    }
    return std::chrono::nanoseconds{static_cast<std::int64_t>(value)};
  };
  return {at(abi::profiling_queued), at(abi::profiling_submit), at(abi::profiling_start), at(abi::profiling_end)};
}
YOKE_INLINE std::int64_t execution_functions::elapsed(abi::event start, abi::event stop,
                                                      const source_location& where) const {
  return (times(stop, where).ended - times(start, where).ended).count();
}
YOKE_INLINE void execution_functions::submit(abi::event event, const source_location& where) const {
  const abi::queue source = detail::queue_of(table_, event, where);
  if (source != nullptr) detail::invoke<&abi::functions::flush>(table_, where, source);
}
YOKE_INLINE abi::event execution_functions::create_user_event(abi::context context,
                                                              const source_location& where) const {
  const abi::event event = detail::create<&abi::functions::create_user_event>(table_, where, context);
  try {
    watch_user_event(context, event, where);
  } catch (...) {
    detail::report(detail::release<&abi::functions::release_event>(table_, event));
    throw;
  }
  return event;
}
YOKE_INLINE void execution_functions::watch_user_event(abi::context context, abi::event event,
                                                       const source_location& where) const {
  notes_->user_events_take_part.store(true, yoke::detail::order::relaxed);
  const auto device = context_devices(context, where).front();
  if (detail::is_pocl(table_, device, where)) detail::held_events_of(table_).watch(table_, event);
}
YOKE_INLINE void execution_functions::disown_user_event(abi::event event) const noexcept {
  if (detail::held_events::needed(table_)) detail::held_events_of(table_).disowned(event);
}
YOKE_INLINE void execution_functions::set_user_event(abi::event event, std::int32_t status,
                                                     const source_location& where) const {
  {
    const detail::no_failure_meanwhile alone(table_, status < 0);
    detail::invoke<&abi::functions::set_user_event_status>(table_, where, event, status);
  }
  if (detail::held_events::needed(table_)) detail::held_events_of(table_).settled(event);
}

}  // namespace yoke::inline YOKE_ABI::opencl

#endif
