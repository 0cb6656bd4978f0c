// SPDX-License-Identifier: MIT
// The handler of SIGSEGV, and the stacks it runs on.
#include "stack_guard.hpp"

#include "sanitizers.hpp"

#if defined(YOKE_SIMULATOR_ASAN) || defined(YOKE_SIMULATOR_TSAN)

namespace yoke::simulator {

fault_reports::fault_reports() = default;
fault_reports::~fault_reports() = default;
signal_stack::signal_stack() = default;
signal_stack::~signal_stack() { (void)is_own_; }

}  // namespace yoke::simulator

#else

#include <signal.h>

#include <array>
#include <cstdint>
#include <memory>
#include <mutex>

#include "block.hpp"

namespace yoke::simulator {

namespace {

struct handler_state {
  std::mutex mutex{};
  int users = 0;
  struct ::sigaction before {};
};
handler_state& handlers() {
  static handler_state& all = *new handler_state;  // kernels may run until the process has ended
  return all;
}

void pass_on(int signal, ::siginfo_t* info, void* context) {
  const struct ::sigaction& before = handlers().before;
  if ((before.sa_flags & SA_SIGINFO) != 0) {
    before.sa_sigaction(signal, info, context);
  } else if (before.sa_handler == SIG_DFL || before.sa_handler == SIG_IGN) {
    ::signal(signal, SIG_DFL);  // the access is tried again, and now it is the end
  } else {
    before.sa_handler(signal);
  }
}

void on_fault(int signal, ::siginfo_t* info, void* context) {
  const block_run* const block = block_run::running();
  if (block != nullptr) block->report_stack_overflow(reinterpret_cast<std::uintptr_t>(info->si_addr));
  pass_on(signal, info, context);
}

bool is_ours(const struct ::sigaction& action) {
  return (action.sa_flags & SA_SIGINFO) != 0 && action.sa_sigaction == &on_fault;
}

}  // namespace

fault_reports::fault_reports() {
  handler_state& all = handlers();
  const std::lock_guard lock(all.mutex);
  if (all.users++ > 0) return;
  struct ::sigaction now {};
  if (::sigaction(SIGSEGV, nullptr, &now) != 0 || is_ours(now)) return;
  all.before = now;
  struct ::sigaction ours {};
  ours.sa_sigaction = &on_fault;
  ours.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER;
  ::sigemptyset(&ours.sa_mask);
  ::sigaction(SIGSEGV, &ours, nullptr);
}

fault_reports::~fault_reports() {
  handler_state& all = handlers();
  const std::lock_guard lock(all.mutex);
  if (--all.users > 0) return;
  // What somebody else has set meanwhile stays.
  struct ::sigaction now {};
  if (::sigaction(SIGSEGV, nullptr, &now) == 0 && is_ours(now)) ::sigaction(SIGSEGV, &all.before, nullptr);
}

signal_stack::signal_stack() {
  ::stack_t now{};
  if (::sigaltstack(nullptr, &now) != 0 || (now.ss_flags & SS_DISABLE) == 0) return;
  constexpr std::size_t bytes = std::size_t{64} * 1024;
  thread_local std::unique_ptr<char[]> room{new (std::nothrow) char[bytes]};
  if (room == nullptr) return;
  ::stack_t ours{};
  ours.ss_sp = room.get();
  ours.ss_size = bytes;
  is_own_ = ::sigaltstack(&ours, nullptr) == 0;
}

signal_stack::~signal_stack() {
  if (!is_own_) return;
  ::stack_t none{};
  none.ss_flags = SS_DISABLE;
  ::sigaltstack(&none, nullptr);
}

}  // namespace yoke::simulator

#endif
