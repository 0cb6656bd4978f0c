// SPDX-License-Identifier: MIT
// The umbrella for the times of events: `timed_event::time_since`, `timed_event::times`.
#ifndef YOKE_TIMING_HPP
#define YOKE_TIMING_HPP

#include <yoke/execution/timing.hpp>

#endif
