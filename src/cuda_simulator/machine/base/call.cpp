// SPDX-License-Identifier: MIT
// Decides which calls are served, and holds the driver's lock.
#include "machine/base/call.hpp"

#include <unistd.h>

#include "machine/base/host_function.hpp"
#include "machine/base/state.hpp"

namespace yoke::simulator {

std::mutex& driver_mutex() noexcept { return state<std::mutex>(); }

abi::status refusal_of_calls(bool needs_initialisation) noexcept {
  const auto& all = state<process_state>();
  if (all.closed.load(std::memory_order_acquire)) return abi::error_deinitialized;
  if (runs_host_function()) return abi::error_not_permitted;
  if (!needs_initialisation) return abi::success;
  return all.initialised.load(std::memory_order_acquire) ? abi::success : abi::error_not_initialized;
}

bool is_child_of_fork() noexcept {
  return state<process_state>().process.load(std::memory_order_relaxed) != ::getpid();
}

}  // namespace yoke::simulator
