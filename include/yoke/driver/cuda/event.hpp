// SPDX-License-Identifier: MIT
// The CUDA port's events: points in streams, recorded, waited for and timed.
#ifndef YOKE_DRIVER_CUDA_EVENT_HPP
#define YOKE_DRIVER_CUDA_EVENT_HPP

#include <yoke/driver/cuda/facet.hpp>

namespace yoke::inline v0_1::cuda {

namespace detail {
/// Returns: a new event that marks this point of the stream.
abi::event record_event(const abi::functions* table, abi::stream stream, unsigned flags, const source_location& where);
/// Effects: completes a command: waits for it, hands out its event, or neither.
void finish_or_record(const abi::functions* table, abi::stream stream, completion<abi::event> done,
                      const source_location& where);
}  // namespace detail

/// A part of `port`.
class event_functions : public facet<event_functions> {
 public:
  YOKE_API abi::event record(abi::stream stream, std::span<const abi::event> after, const source_location& where) const;
  /// As `record`, without a wait list. `context` is the stream's, so that the driver need not be queried.
  YOKE_API abi::event record_in(abi::context context, abi::stream stream, const source_location& where) const;
  YOKE_API abi::event record_timed(abi::stream stream, std::span<const abi::event> after,
                                   const source_location& where) const;
  /// Returns: the existing event, which now marks this point.
  YOKE_API abi::event record_into(abi::stream stream, abi::event existing, const source_location& where) const;
  YOKE_API void retain_event(abi::event event, const source_location& where) const;
  YOKE_API release_result release_event(abi::event event) const noexcept;
  /// Effects: drops a reference that the driver does not count. Returns: whether there was one; if not, the caller
  /// releases or keeps the event itself.
  YOKE_API bool forget_event(abi::event event) const noexcept;
  YOKE_API void wait(abi::event event, const source_location& where) const;
  YOKE_API event_status status(abi::event event, const source_location& where) const;
  /// Whether the event's work has ended, as far as the driver can tell. Also works while the thread captures.
  YOKE_API bool is_over(abi::event event) const noexcept;
  /// Units: nanoseconds.
  YOKE_API std::int64_t elapsed(abi::event start, abi::event stop, const source_location& where) const;

  /// Whether events of this stream belong to the stream's own context, which can record them again. A default stream's
  /// belong to the current context.
  [[nodiscard]] bool reuses_events(abi::stream stream) const noexcept { return !detail::is_default_stream(stream); }
};

}  // namespace yoke::inline v0_1::cuda

#if defined(YOKE_IMPLEMENTATION)
#include <yoke/driver/cuda/event.ipp>
#endif

#endif
