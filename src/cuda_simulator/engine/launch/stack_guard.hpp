// SPDX-License-Identifier: MIT
// Reports the thread and the kernel that faulted, or overflowed its stack, before the process dies.
#ifndef YOKE_SIMULATOR_ENGINE_LAUNCH_STACK_GUARD_HPP
#define YOKE_SIMULATOR_ENGINE_LAUNCH_STACK_GUARD_HPP

namespace yoke::simulator {

/// While one lives, the faults of kernels are reported: SIGSEGV, also in the guards of fibers, SIGBUS, SIGFPE and
/// SIGILL; then, as for all other faults, the process's previous handler runs. In builds with a sanitizer it does
/// nothing: those have their own handlers. Thread safety: any number on any threads at once.
class fault_reports {
 public:
  fault_reports();
  ~fault_reports();
  fault_reports(const fault_reports&) = delete;
  fault_reports& operator=(const fault_reports&) = delete;
};

/// Gives the calling OS thread, if it has none, a stack that signal handlers run on; a fiber's is used up by then.
class signal_stack {
 public:
  signal_stack();
  ~signal_stack();
  signal_stack(const signal_stack&) = delete;
  signal_stack& operator=(const signal_stack&) = delete;

 private:
  bool is_own_ = false;
};

}  // namespace yoke::simulator

#endif
