// SPDX-License-Identifier: MIT
// Bodies of driver/opencl/event/event.hpp.
#ifndef YOKE_DRIVER_OPENCL_EVENT_EVENT_IPP
#define YOKE_DRIVER_OPENCL_EVENT_EVENT_IPP

#include <yoke/driver/opencl/event/event.hpp>

#include <yoke/driver/opencl/port.hpp>

#include <yoke/driver/opencl/event/ended_commands.hpp>
#include <yoke/driver/opencl/event/held_events.hpp>
#include <yoke/driver/opencl/invoke.hpp>
#include <yoke/driver/opencl/pocl.hpp>

namespace yoke::inline v0_1::opencl {

namespace detail {

/// Effects: flushes the queue of an event. A released queue was flushed already; some drivers (Intel's CPU runtime)
/// then no longer accept the queue, although its events still name it.
inline void flush_source(const abi::functions* table, abi::queue source, const source_location& where) {
  const abi::status status = entry<&abi::functions::flush>(table, where)(source);
  if (status == 0) [[likely]]
    return;
  abi::context context = nullptr;
  const bool has_ended = status == abi::invalid_command_queue &&
                         table->get_queue_info(source, abi::queue_context, sizeof(abi::context), &context, nullptr) ==
                             abi::invalid_command_queue;
  if (!has_ended) throw_failure(status, symbol<&abi::functions::flush>(), "", where);
}

void prepare_wait_list(const abi::functions* table, abi::queue stream, std::span<const abi::event> events,
                       const source_location& where) {
  for (const abi::event event : events) {
    // PoCL 3.1 never ends a command that was enqueued after a failed event.
    const abi::status status = execution_status(table, event, where);
    if (status < 0) {
      throw runtime_error({failure_of(status), error_category()}, "clGetEventInfo",
                          "the event to wait for belongs to a command that failed", where);
    }
    if (status == abi::event_complete) continue;
    // OpenCL guarantees progress of a wait across queues only after a flush of the source queue.
    const abi::queue source = queue_of(table, event, where);
    if (source == nullptr) {  // a user event, possibly made by other code
      table->notes->user_events_take_part.store(true, yoke::detail::order::relaxed);
    } else if (source != stream) {
      flush_source(table, source, where);
    }
  }
}

void report_event_release(std::int32_t code) noexcept { report({code, "clReleaseEvent"}); }

}  // namespace detail

abi::event event_functions::record(abi::queue stream, std::span<const abi::event> after,
                                   const source_location& where) const {
  if (after.empty()) return record_into(stream, nullptr, where);
  const detail::no_failure_meanwhile from_here(table(), true);
  detail::prepare_wait_list(table(), stream, after, where);
  abi::event event = nullptr;
  detail::invoke<&abi::functions::enqueue_marker>(table(), where, stream, static_cast<abi::uint>(after.size()),
                                                  after.data(), &event);
  return event;
}
abi::event event_functions::record_timed(abi::queue stream, std::span<const abi::event> after,
                                         const source_location& where) const {
  if (after.empty()) return record_into(stream, nullptr, where);  // all events of a timing queue are timed
  // NVIDIA's driver gives a marker with a wait list the time 0: a second marker after it has the time.
  const detail::event_guard waited{table(), record(stream, after, where)};
  return record_into(stream, nullptr, where);
}
abi::event event_functions::record_into(abi::queue stream, abi::event, const source_location& where) const {
  abi::event event = nullptr;
  detail::invoke<&abi::functions::enqueue_marker>(table(), where, stream, abi::uint{0},
                                                  static_cast<const abi::event*>(nullptr), &event);
  return event;
}
abi::context event_functions::event_context(abi::event event, const source_location& where) const {
  return detail::query<abi::context, &abi::functions::get_event_info>(table(), where, event, abi::event_context);
}
void event_functions::retain_event(abi::event event, const source_location& where) const {
  detail::invoke<&abi::functions::retain_event>(table(), where, event);
}
release_result event_functions::release_event(abi::event event) const noexcept {
  if (detail::held_events::needed(table())) {
    if (detail::held_events_of(table()).take(table(), event)) return {0, "clReleaseEvent"};
  }
  return detail::release<&abi::functions::release_event>(table(), event);
}
void event_functions::wait(abi::event event, const source_location& where) const {
  if (const abi::status code = table()->wait_for_events(1, &event); code != 0) [[unlikely]]
    detail::throw_failed_wait(table(), event, code, where);
  detail::check_ended_well(table(), event, where);
}
event_status event_functions::status(abi::event event, const source_location& where) const {
  switch (detail::execution_status(table(), event, where)) {
    case abi::event_complete: return event_status::complete;
    case abi::event_running: return event_status::running;
    case abi::event_submitted: return event_status::submitted;
    case abi::event_queued: return event_status::queued;
    default: return event_status::failed;
  }
}
event_times event_functions::times(abi::event event, const source_location& where) const {
  const auto at = [&](abi::uint what) {
    abi::ulong value = 0;
    const abi::status status = table()->get_event_profiling_info(event, what, sizeof value, &value, nullptr);
    if (status != 0) [[unlikely]] {
      const bool untimed = status == abi::profiling_info_not_available;
      detail::throw_failure(status, "clGetEventProfilingInfo", untimed ? yoke::detail::untimed_event : "", where);
    }
    return std::chrono::nanoseconds{static_cast<std::int64_t>(value)};
  };
  return {at(abi::profiling_queued), at(abi::profiling_submit), at(abi::profiling_start), at(abi::profiling_end)};
}
std::int64_t event_functions::elapsed(abi::event start, abi::event stop, const source_location& where) const {
  return (times(stop, where).ended - times(start, where).ended).count();
}
void event_functions::submit(abi::event event, const source_location& where) const {
  const abi::queue source = detail::queue_of(table(), event, where);
  if (source != nullptr) detail::flush_source(table(), source, where);
}
}  // namespace yoke::inline v0_1::opencl

#endif
