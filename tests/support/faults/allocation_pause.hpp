// SPDX-License-Identifier: MIT
// Marks stretches of a thread in which allocation faults must not strike: inside the driver, inside test bookkeeping.
#ifndef YOKE_TESTS_SUPPORT_ALLOCATION_PAUSE_HPP
#define YOKE_TESTS_SUPPORT_ALLOCATION_PAUSE_HPP

namespace yoke_test {

/// How many pauses this thread is in. Only `allocation_faults.cpp` reads it, so it costs nothing where that is not
/// linked.
inline constinit thread_local int allocation_pauses = 0;

/// While one lives, allocations of this thread neither fail nor count.
class allocation_pause {
 public:
  allocation_pause() noexcept { ++allocation_pauses; }
  ~allocation_pause() { --allocation_pauses; }
  allocation_pause(const allocation_pause&) = delete;
  allocation_pause& operator=(const allocation_pause&) = delete;
};

}  // namespace yoke_test

#endif
