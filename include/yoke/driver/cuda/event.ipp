// SPDX-License-Identifier: MIT
// Bodies of driver/cuda/event.hpp.
#ifndef YOKE_DRIVER_CUDA_EVENT_IPP
#define YOKE_DRIVER_CUDA_EVENT_IPP

#include <yoke/driver/cuda/event.hpp>

#include <yoke/driver/cuda/port.hpp>
#include <yoke/driver/cuda/references.hpp>
#include <yoke/driver/cuda/stream.hpp>

#include <cmath>

namespace yoke::inline v0_1::cuda {

namespace detail {
/// Effects: records a new event in a stream of this context.
abi::event record_new(const abi::functions* table, abi::context context, abi::stream stream, unsigned flags,
                      const source_location& where) {
  abi::event event = nullptr;
  {
    const current_context scope(table, context, where);
    invoke<&abi::functions::event_create>(table, where, &event, flags);
  }
  if (const abi::status status = call<&abi::functions::event_record>(table, event, stream); status != abi::success)
      [[unlikely]] {
    report(release<&abi::functions::event_destroy>(table, event));
    throw_failure(status, "cuEventRecord", "", where);
  }
  return event;
}
abi::event record_event(const abi::functions* table, abi::stream stream, unsigned flags, const source_location& where) {
  return record_new(table, context_of(table, stream, where), stream, flags, where);
}
void finish_or_record(const abi::functions* table, abi::stream stream, completion<abi::event> done,
                      const source_location& where) {
  if (done.blocks()) {
    invoke<&abi::functions::stream_synchronize>(table, where, stream);
  } else if (done.wanted()) {
    done.give(record_event(table, stream, abi::event_disable_timing, where));
  }
}
}  // namespace detail

abi::event event_functions::record_in(abi::context context, abi::stream stream, const source_location& where) const {
  // A default stream belongs to the current context.
  if (detail::is_default_stream(stream)) [[unlikely]]
    context = detail::context_of(table(), stream, where);
  return detail::record_new(table(), context, stream, abi::event_disable_timing, where);
}
abi::event event_functions::record(abi::stream stream, std::span<const abi::event> after,
                                   const source_location& where) const {
  part<stream_functions>().wait_in_stream(stream, after, where);
  return detail::record_event(table(), stream, abi::event_disable_timing, where);
}
abi::event event_functions::record_timed(abi::stream stream, std::span<const abi::event> after,
                                         const source_location& where) const {
  part<stream_functions>().wait_in_stream(stream, after, where);
  return detail::record_event(table(), stream, abi::event_default, where);
}
abi::event event_functions::record_into(abi::stream stream, abi::event existing, const source_location& where) const {
  detail::invoke<&abi::functions::event_record>(table(), where, existing, stream);
  return existing;
}
void event_functions::retain_event(abi::event event, const source_location&) const {
  detail::add_reference(table(), event);
}
bool event_functions::forget_event(abi::event event) const noexcept { return detail::drop_reference(table(), event); }
release_result event_functions::release_event(abi::event event) const noexcept {
  if (forget_event(event)) return {};
  return detail::release<&abi::functions::event_destroy>(table(), event);
}
void event_functions::wait(abi::event event, const source_location& where) const {
  detail::invoke<&abi::functions::event_synchronize>(table(), where, event);
}
bool event_functions::is_over(abi::event event) const noexcept {
  auto mode = abi::capture_mode::relaxed;  // without this mode the query would end the thread's captures
  const bool exchanged = detail::call<&abi::functions::thread_exchange_capture_mode>(table(), &mode) == abi::success;
  const abi::status code = detail::call<&abi::functions::event_query>(table(), event);
  if (exchanged) (void)detail::call<&abi::functions::thread_exchange_capture_mode>(table(), &mode);
  return code != abi::error_not_ready;
}
event_status event_functions::status(abi::event event, const source_location& where) const {
  const abi::status status = detail::call<&abi::functions::event_query>(table(), event);
  if (status == abi::success) return event_status::complete;
  if (status == abi::error_not_ready) return event_status::submitted;  // the driver tells no more
  detail::throw_failure(status, "cuEventQuery", "", where);
}
std::int64_t event_functions::elapsed(abi::event start, abi::event stop, const source_location& where) const {
  float milliseconds = 0;
  const abi::status status = detail::call<&abi::functions::event_elapsed_time>(table(), &milliseconds, start, stop);
  if (status != abi::success) [[unlikely]] {
    const bool untimed = status == abi::error_invalid_handle;
    detail::throw_failure(status, "cuEventElapsedTime", untimed ? yoke::detail::untimed_event : "", where);
  }
  return std::llround(static_cast<double>(milliseconds) * 1e6);
}

}  // namespace yoke::inline v0_1::cuda

#endif
