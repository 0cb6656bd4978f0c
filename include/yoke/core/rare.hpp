// SPDX-License-Identifier: MIT
// What is hardly ever so, and asked by every call.
#ifndef YOKE_CORE_RARE_HPP
#define YOKE_CORE_RARE_HPP

#include <yoke/core/atomic.hpp>

namespace yoke::inline YOKE_ABI::detail {

/// One line of the caches for all of them: a driver's call leaves little of its caller in those of the first level.
struct alignas(64) rare_states {
  atomic<int> views{0};        ///< how many map memory for the host just now: where there is none, nobody looks whose
  atomic<bool> forked{false};  ///< whether this process was forked from the one that has initialised CUDA's driver
  /// Whether a user event of OpenCL that PoCL does not survive the failure of is unset (`held_events`).
  atomic<bool> events_are_held{false};
  /// Whether there has ever been a user event: commands fail with those, and PoCL 3.1 never ends one that is to wait for an
  /// event that has failed.
  atomic<bool> user_events_take_part{false};
  /// Whether a context has been seen of an OpenCL driver whose blocking reads and maps, or whose blocking writes, are not known
  /// to have ended when they return, and to return the failure of what was before them: then their events are asked.
  atomic<bool> reads_are_asked{false};
  atomic<bool> writes_are_asked{false};
};

// One for a program and the shared objects that it is linked with, also where their own symbols are hidden. What `dlopen` opens has one
// of its own, unless the program exports its symbols (`-rdynamic`).
#if defined(YOKE_HEADER_ONLY)
inline constinit YOKE_API_TYPE rare_states rare{};
#else
extern YOKE_API rare_states rare;
#endif

}  // namespace yoke::inline YOKE_ABI::detail

#endif
