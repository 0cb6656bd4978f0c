// SPDX-License-Identifier: MIT
// Traces of driver calls and devices' work; opt-in, because few programs use them.
#ifndef YOKE_TRACE_HPP
#define YOKE_TRACE_HPP

#include <yoke/execution/trace.hpp>

#endif
