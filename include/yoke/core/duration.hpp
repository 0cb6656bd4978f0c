// SPDX-License-Identifier: MIT
// `std::chrono::duration`, without the calendars, clocks and streams that <chrono> brings along.
#ifndef YOKE_CORE_DURATION_HPP
#define YOKE_CORE_DURATION_HPP

#include <yoke/core/config.hpp>

// libstdc++ has `std::chrono::duration` in a header of its own; all of <chrono> costs a compiler far more.
#if __has_include(<bits/chrono.h>)
#include <bits/chrono.h>
#else
#include <chrono>
#endif

#endif
