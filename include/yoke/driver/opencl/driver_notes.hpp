// SPDX-License-Identifier: MIT
// What is noted of an OpenCL driver's use, and asked by every call.
#ifndef YOKE_DRIVER_OPENCL_DRIVER_NOTES_HPP
#define YOKE_DRIVER_OPENCL_DRIVER_NOTES_HPP

#include <yoke/core/atomic.hpp>
#include <yoke/core/config.hpp>

namespace yoke::inline YOKE_ABI::opencl::detail {

class held_events;

/// One line of the caches for all of them: a driver's call leaves little of its caller in those of the first level. A table of
/// entry points knows its notes, and so does every handle that was made with it: what one shared object notes is seen by
/// all that use its handles, however they were loaded.
struct alignas(64) driver_notes {
  yoke::detail::atomic<int> views{0};  ///< how many map memory for the host: where there is none, nobody looks whose
  /// Whether a user event that PoCL does not survive the failure of is unset (`held_events`).
  yoke::detail::atomic<bool> events_are_held{false};
  /// Whether there has ever been a user event: commands fail with those, and PoCL 3.1 never ends one that is to wait for an
  /// event that has failed.
  yoke::detail::atomic<bool> user_events_take_part{false};
  /// Whether a device has been seen whose driver's blocking reads and maps, or whose blocking writes, are not known to have
  /// ended when they return, and to return the failure of what was before them: then their events are asked.
  yoke::detail::atomic<bool> reads_are_asked{false};
  yoke::detail::atomic<bool> writes_are_asked{false};
  yoke::detail::atomic<held_events*> held{nullptr};  ///< made by the first that asks for it
};

/// Those of the tables that are made here, in the program and the shared objects that it is linked with, also where their own symbols
/// are hidden; what `dlopen` opens has others, unless the program exports its symbols. A copy of a table has the notes of what it was copied from.
#if defined(YOKE_HEADER_ONLY)
inline constinit YOKE_API_TYPE driver_notes notes_of_new_tables{};
#else
extern YOKE_API driver_notes notes_of_new_tables;
#endif

}  // namespace yoke::inline YOKE_ABI::opencl::detail

#endif
