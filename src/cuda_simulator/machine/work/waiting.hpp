// SPDX-License-Identifier: MIT
// Waits for what streams do, and looks afterwards at what kernels have written.
#ifndef YOKE_SIMULATOR_MACHINE_WORK_WAITING_HPP
#define YOKE_SIMULATOR_MACHINE_WORK_WAITING_HPP

#include "machine/memory/memory.hpp"
#include "machine/stream/context.hpp"
#include "machine/stream/stream.hpp"

namespace yoke::simulator {

/// Effects: waits, without the lock meanwhile.
void wait_for(driver_lock& lock, const ticket& what);
/// Effects: waits for what the context's streams hold now.
void wait_for_all(driver_lock& lock, context& of);
/// Effects: waits for all work in the block's context, and for what uses the block in others.
void wait_for_users(driver_lock& lock, const memory_block& block);

/// Effects: after a wait for the context's work, looks whether a kernel has written beyond the context's blocks; if so,
/// says it and breaks the context. Throws: refusal, with the error that the context has by then.
void check_work(context& done);

}  // namespace yoke::simulator

#endif
