// SPDX-License-Identifier: MIT
// Launches as streams and graphs keep them until they run.
#ifndef YOKE_SIMULATOR_MACHINE_LAUNCH_LAUNCH_QUEUE_HPP
#define YOKE_SIMULATOR_MACHINE_LAUNCH_LAUNCH_QUEUE_HPP

#include <atomic>
#include <memory>
#include <string>
#include <vector>

#include "engine/launch/launch.hpp"
#include "machine/launch/launch_shape.hpp"
#include "machine/stream/stream.hpp"

namespace yoke::simulator {

struct context;
struct kernel_object;
struct memory_block;

/// A launch as the worker needs it; it keeps the image alive.
struct queued_launch {
  std::shared_ptr<kernel_object> source;
  std::shared_ptr<image> loaded;
  const kernel* what = nullptr;
  launch_shape shape;
  launch_wish wish;
  std::string arguments;
  context* in = nullptr;
  bool fails_on_demand = false;
};

/// Thread safety: safe, except for the destruction of the pool.
struct launch_workers {
  std::unique_ptr<worker_pool> pool = std::make_unique<worker_pool>();
  std::atomic<int> running{0};
};

/// Returns: a launch in that context, or in the function's own or the current one, with a copy of the arguments.
/// Throws: refusal.
queued_launch make_launch(abi::function handle, context* given, const launch_wish& wish, void** parameters,
                          void** extra);
/// Effects: makes the launch ready to run once; breaks its context if it must not use its arguments' memory. Returns:
/// the memory that its arguments point to.
std::vector<memory_block*> arm(queued_launch& one);
/// Effects: notes the launch as a user of the memory.
void note_uses(const queued_launch& one, const std::vector<memory_block*>& used, const ticket& at);
/// Effects: runs an armed launch. Requires: the lock is not held.
void run(const queued_launch& one);

}  // namespace yoke::simulator

#endif
