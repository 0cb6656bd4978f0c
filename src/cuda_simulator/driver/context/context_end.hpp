// SPDX-License-Identifier: MIT
// Ends a context with all that is in it.
#ifndef YOKE_SIMULATOR_DRIVER_CONTEXT_CONTEXT_END_HPP
#define YOKE_SIMULATOR_DRIVER_CONTEXT_CONTEXT_END_HPP

#include "machine/stream/context.hpp"

namespace yoke::simulator {

/// Effects: waits for its work, then releases all that is in it.
void tear_down(driver_lock& lock, context& which);

}  // namespace yoke::simulator

#endif
