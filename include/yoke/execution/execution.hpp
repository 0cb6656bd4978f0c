// SPDX-License-Identifier: MIT
// Includes the whole execution floor: devices, contexts, streams and events.
#ifndef YOKE_EXECUTION_EXECUTION_HPP
#define YOKE_EXECUTION_EXECUTION_HPP

#include <yoke/execution/active_context.hpp>
#include <yoke/execution/as_any.hpp>
#include <yoke/execution/context.hpp>
#include <yoke/execution/device.hpp>
#include <yoke/execution/event.hpp>
#include <yoke/execution/host_call.hpp>
#include <yoke/execution/select.hpp>
#include <yoke/execution/stream.hpp>
#include <yoke/execution/timed_work.hpp>
#include <yoke/execution/with_device.hpp>

#endif
