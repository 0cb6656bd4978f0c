// SPDX-License-Identifier: MIT
// The times of a command, for ports that know them.
#ifndef YOKE_DRIVER_EVENT_TIMES_HPP
#define YOKE_DRIVER_EVENT_TIMES_HPP

#include <yoke/core/duration.hpp>

namespace yoke::inline YOKE_ABI {

/// The four times of a command, in the device's clock.
struct event_times {
  std::chrono::nanoseconds queued{};
  std::chrono::nanoseconds submitted{};
  std::chrono::nanoseconds started{};
  std::chrono::nanoseconds ended{};
};

}  // namespace yoke::inline YOKE_ABI

#endif
