// SPDX-License-Identifier: MIT
// The time between two events as a `std::chrono` duration, for programs that ask for one.
#ifndef YOKE_EXECUTION_TIMING_HPP
#define YOKE_EXECUTION_TIMING_HPP

#include <yoke/driver/types.hpp>
#include <yoke/execution/event.hpp>

namespace yoke::inline YOKE_ABI::detail {

template <class Port>
struct time_between {
  using type = std::chrono::nanoseconds;
};

}  // namespace yoke::inline YOKE_ABI::detail

#endif
