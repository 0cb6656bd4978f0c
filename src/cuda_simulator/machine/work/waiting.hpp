// SPDX-License-Identifier: MIT
// Waits for streams' work, and then checks for stray writes of kernels.
#ifndef YOKE_SIMULATOR_MACHINE_WORK_WAITING_HPP
#define YOKE_SIMULATOR_MACHINE_WORK_WAITING_HPP

#include "machine/memory/memory.hpp"
#include "machine/stream/context.hpp"
#include "machine/stream/stream.hpp"

namespace yoke::simulator {

/// Effects: waits; releases the lock meanwhile.
void wait_for(driver_lock& lock, const ticket& what);
/// Effects: waits for the present work of the context's streams.
void wait_for_all(driver_lock& lock, context& of);
/// Effects: waits for all work in the block's context, and for the block's users in others.
void wait_for_users(driver_lock& lock, const memory_block& block);

/// Effects: after a wait for the context's work, checks whether a kernel has written outside the context's blocks; if
/// so, reports it and breaks the context. Throws: refusal, with the context's error.
void check_work(context& done);

}  // namespace yoke::simulator

#endif
