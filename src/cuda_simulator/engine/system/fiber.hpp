// SPDX-License-Identifier: MIT
// Fibers: separate stacks that one OS thread switches between, announced to the sanitizers.
#ifndef YOKE_SIMULATOR_ENGINE_SYSTEM_FIBER_HPP
#define YOKE_SIMULATOR_ENGINE_SYSTEM_FIBER_HPP

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

namespace yoke::simulator {

/// The least stack of a fiber. The system provides pages at the first touch, and the room below the stack faults, so
/// that an overflow ends the process instead of corrupting a neighbour.
inline constexpr std::size_t least_stack_bytes = std::size_t{256} * 1024;
inline constexpr std::size_t guard_bytes = std::size_t{64} * 1024;

/// A place of execution: an OS thread's original one, or one with its own stack.
/// Thread safety: a fiber stays with the OS thread that made it.
class fiber {
 public:
  using body = void (*)(void*);

  /// The calling OS thread's own place.
  fiber();
  /// Effects: takes a stack of at least that size; `run(argument)` begins at the first switch and must never return.
  /// Throws: std::bad_alloc if the system gives no stack.
  fiber(body run, void* argument, std::size_t stack_bytes = least_stack_bytes);
  ~fiber();
  fiber(const fiber&) = delete;
  fiber& operator=(const fiber&) = delete;

  /// Effects: leaves this fiber, which must be the running one, and continues `target`.
  /// Returns: when somebody switches back.
  void switch_to(fiber& target);

  /// Effects: makes the next switch start the body anew; what the stack held is dropped, nothing is unwound.
  void restart();

  /// Effects: if the stack is smaller, replaces it, and restarts. Requires: a fiber with a stack of its own that is not
  /// running. Throws: std::bad_alloc, and the fiber is as it was.
  void grow(std::size_t stack_bytes);
  /// Returns: the bytes of its own stack.
  std::size_t stack_bytes() const noexcept;
  /// Whether a fault at that address is the end of this fiber's stack.
  bool is_guard(std::uintptr_t address) const noexcept;

 private:
  struct state;
  std::unique_ptr<state> state_;
};

}  // namespace yoke::simulator

#endif
