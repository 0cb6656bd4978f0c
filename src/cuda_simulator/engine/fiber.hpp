// SPDX-License-Identifier: MIT
// Fibers: stacks of their own that one OS thread switches between, announced to the sanitizers.
#ifndef YOKE_SIMULATOR_ENGINE_FIBER_HPP
#define YOKE_SIMULATOR_ENGINE_FIBER_HPP

#include <cstddef>
#include <memory>
#include <vector>

namespace yoke::simulator {

/// What a GPU thread may use of stack. Pages are taken from the system as they are touched, and the page below the stack
/// faults, so that an overflow ends the process instead of corrupting a neighbour.
inline constexpr std::size_t fiber_stack_bytes = 256 * 1024;

/// A place of execution: the one an OS thread came with, or one with a stack of its own.
/// Thread safety: a fiber stays with the OS thread that made it.
class fiber {
 public:
  using body = void (*)(void*);

  /// The calling OS thread's own place.
  fiber();
  /// Effects: takes a stack; `run(argument)` begins at the first switch and must never return.
  /// Throws: std::bad_alloc if the system gives no stack.
  fiber(body run, void* argument);
  ~fiber();
  fiber(const fiber&) = delete;
  fiber& operator=(const fiber&) = delete;

  /// Effects: leaves this fiber, which must be the running one, and continues `target`.
  /// Returns: when somebody switches back.
  void switch_to(fiber& target);

  /// Effects: makes the next switch start the body anew; what the stack held is dropped, nothing is unwound.
  void restart();

 private:
  struct state;
  std::unique_ptr<state> state_;
};

}  // namespace yoke::simulator

#endif
