// SPDX-License-Identifier: MIT
// Notes about the use of an OpenCL driver, which every call reads.
#ifndef YOKE_DRIVER_OPENCL_DRIVER_NOTES_HPP
#define YOKE_DRIVER_OPENCL_DRIVER_NOTES_HPP

#include <yoke/core/atomic.hpp>
#include <yoke/core/config.hpp>

namespace yoke::inline YOKE_ABI::opencl::detail {

class held_events;

/// Notes about a driver, in one cache line. A table of entry points points to its notes, and every handle has a table: shared
/// objects that use the same handles see the same notes, however they were loaded.
struct alignas(64) driver_notes {
  /// The number of views that map memory for the host. While it is 0, no count of a single allocation is read.
  yoke::detail::atomic<int> views{0};
  /// Whether a user event is unset whose failure would end PoCL (`held_events`).
  yoke::detail::atomic<bool> events_are_held{false};
  /// Whether there has ever been a user event. Commands can fail with one, and in PoCL 3.1 a command that waits for a failed
  /// event never ends.
  yoke::detail::atomic<bool> user_events_take_part{false};
  /// Whether a device has been seen whose driver may return from blocking reads and maps, or from blocking writes, before they
  /// end, or without the failure of earlier commands. If so, their events are asked.
  yoke::detail::atomic<bool> reads_are_asked{false};
  yoke::detail::atomic<bool> writes_are_asked{false};
  yoke::detail::atomic<held_events*> held{nullptr};  ///< made at the first use
};

/// The notes of tables made by the program and the shared objects that it is linked with, also if they hide their symbols.
/// Objects opened by `dlopen` have their own, unless the program exports its symbols. A copied table keeps its notes.
#if defined(YOKE_HEADER_ONLY)
inline constinit YOKE_API_TYPE driver_notes notes_of_new_tables{};
#else
extern YOKE_API driver_notes notes_of_new_tables;
#endif

}  // namespace yoke::inline YOKE_ABI::opencl::detail

#endif
