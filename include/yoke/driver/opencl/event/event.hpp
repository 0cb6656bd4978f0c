// SPDX-License-Identifier: MIT
// The OpenCL port's events: points in queues, waited for and timed.
#ifndef YOKE_DRIVER_OPENCL_EVENT_EVENT_HPP
#define YOKE_DRIVER_OPENCL_EVENT_EVENT_HPP

#include <yoke/driver/opencl/facet.hpp>
#include <yoke/driver/types.hpp>

namespace yoke::inline v0_1::opencl {

namespace detail {
[[gnu::cold]] YOKE_API void report_event_release(std::int32_t code) noexcept;
/// Effects: flushes the queues of a wait list's events. Throws: `error` when an event has failed.
void prepare_wait_list(const abi::functions* table, abi::queue stream, std::span<const abi::event> events,
                       const source_location& where);
}  // namespace detail

/// A part of `port`.
class event_functions : public facet<event_functions> {
 public:
  YOKE_API abi::event record(abi::queue stream, std::span<const abi::event> after, const source_location& where) const;
  YOKE_API abi::event record_timed(abi::queue stream, std::span<const abi::event> after,
                                   const source_location& where) const;
  /// Returns: a new event, since an OpenCL event belongs to one command. The caller keeps the existing one.
  YOKE_API abi::event record_into(abi::queue stream, abi::event existing, const source_location& where) const;
  YOKE_API abi::context event_context(abi::event event, const source_location& where) const;
  YOKE_API void retain_event(abi::event event, const source_location& where) const;
  YOKE_API release_result release_event(abi::event event) const noexcept;
  YOKE_API void wait(abi::event event, const source_location& where) const;
  YOKE_API event_status status(abi::event event, const source_location& where) const;
  YOKE_API event_times times(abi::event event, const source_location& where) const;
  /// Units: nanoseconds.
  YOKE_API std::int64_t elapsed(abi::event start, abi::event stop, const source_location& where) const;
  YOKE_API void submit(abi::event event, const source_location& where) const;
};

}  // namespace yoke::inline v0_1::opencl

#if defined(YOKE_IMPLEMENTATION)
#include <yoke/driver/opencl/event/event.ipp>
#endif

#endif
