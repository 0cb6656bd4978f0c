// SPDX-License-Identifier: MIT
// Ends a context and all objects in it.
#ifndef YOKE_SIMULATOR_DRIVER_CONTEXT_CONTEXT_END_HPP
#define YOKE_SIMULATOR_DRIVER_CONTEXT_CONTEXT_END_HPP

#include "machine/stream/context.hpp"

namespace yoke::simulator {

/// Effects: waits for the context's work, then releases all objects in it.
void tear_down(driver_lock& lock, context& which);

}  // namespace yoke::simulator

#endif
