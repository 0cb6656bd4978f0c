// SPDX-License-Identifier: MIT
// The handlers of faults, and the stacks they run on.
#include "engine/launch/stack_guard.hpp"

#include "engine/system/sanitizers.hpp"

#if defined(YOKE_SIMULATOR_ASAN) || defined(YOKE_SIMULATOR_TSAN)

namespace yoke::simulator {

fault_reports::fault_reports() = default;
fault_reports::~fault_reports() = default;
signal_stack::signal_stack() = default;
signal_stack::~signal_stack() { (void)is_own_; }

}  // namespace yoke::simulator

#else

#include <signal.h>  // NOLINT: POSIX has more in it
#include <ucontext.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>

#include "engine/launch/block.hpp"
#include "engine/system/process.hpp"

namespace yoke::simulator {

namespace {

struct fault_signal {
  int number;
  const char* name;
};
constexpr std::array<fault_signal, 4> fault_signals = {
    {{SIGSEGV, "SIGSEGV"}, {SIGBUS, "SIGBUS"}, {SIGFPE, "SIGFPE"}, {SIGILL, "SIGILL"}}};

struct handler_state {
  std::mutex mutex{};
  int users = 0;
  std::array<struct ::sigaction, fault_signals.size()> before{};  // in the order of fault_signals
};
handler_state& handlers() {
  static handler_state& all = *new handler_state;  // kernels may run until the process has ended
  return all;
}

std::size_t index_of(int signal) noexcept {
  std::size_t index = 0;
  while (index + 1 < fault_signals.size() && fault_signals[index].number != signal) ++index;
  return index;
}

void pass_on(int signal, ::siginfo_t* info, void* context) {
  write_coverage();  // most handlers end the process
  const struct ::sigaction& before = handlers().before[index_of(signal)];
  if ((before.sa_flags & SA_SIGINFO) != 0) {
    before.sa_sigaction(signal, info, context);
  } else if (before.sa_handler == SIG_DFL || before.sa_handler == SIG_IGN) {
    ::signal(signal, SIG_DFL);                // the instruction is tried again, and now it is the end
    if (info->si_code <= 0) ::raise(signal);  // somebody has sent it: there is no instruction
  } else {
    before.sa_handler(signal);
  }
}

/// Returns: the program counter at the signal; null on an unknown machine.
const void* code_at(const void* context) noexcept {
  const auto& machine = static_cast<const ::ucontext_t*>(context)->uc_mcontext;
#if defined(__x86_64__)
  return reinterpret_cast<const void*>(machine.gregs[REG_RIP]);
#elif defined(__aarch64__)
  return reinterpret_cast<const void*>(machine.pc);
#else
  (void)machine;
  return nullptr;
#endif
}

/// Returns: the access that faulted, from the signal's code and context.
memory_fault fault_of(const ::siginfo_t& info, const void* context) noexcept {
  memory_fault fault;
  if (info.si_code == SI_KERNEL) return fault;  // the system gives no address for an impossible one
  fault.address = reinterpret_cast<std::uintptr_t>(info.si_addr);
#if defined(__x86_64__)
  const auto error = static_cast<const ::ucontext_t*>(context)->uc_mcontext.gregs[REG_ERR];
  fault.what = (error & 2) != 0 ? memory_fault::access::write : memory_fault::access::read;
#else
  (void)context;
#endif
  return fault;
}

void on_fault(int signal, ::siginfo_t* info, void* context) {
  block_run* const block = block_run::running();
  const bool is_of_kernel = block != nullptr && info->si_code > 0;
  if (is_of_kernel) {
    const auto address = reinterpret_cast<std::uintptr_t>(info->si_addr);
    const bool is_access = signal == SIGSEGV || signal == SIGBUS;
    if (is_access && !block->is_stack_overflow(address) && block->runs_code(code_at(context))) {
      block->fail_access(fault_of(*info, context));
      block->abandon();  // this handler's frame, too, is left where it is
    }
    const bool is_code = signal == SIGFPE || signal == SIGILL;
    // For an impossible address the system sets SI_KERNEL, and gives no address.
    const char* const place = info->si_code == SI_KERNEL ? "at an address that no memory can have"
                              : is_code                  ? "in the code at address"
                                                         : "at address";
    if (!block->report_stack_overflow(address)) {
      block->report_fault(fault_signals[index_of(signal)].name, place, info->si_code == SI_KERNEL ? nullptr : &address);
    }
  }
  pass_on(signal, info, context);
  if (!is_of_kernel || (signal != SIGFPE && signal != SIGILL)) return;
  // A failed kernel must not go on: PoCL's handler skips divisions by zero, and would let this one compute with
  // garbage.
  ::signal(signal, SIG_DFL);
  ::raise(signal);
}

bool is_ours(const struct ::sigaction& action) {
  return (action.sa_flags & SA_SIGINFO) != 0 && action.sa_sigaction == &on_fault;
}

}  // namespace

fault_reports::fault_reports() {
  handler_state& all = handlers();
  const std::lock_guard lock(all.mutex);
  if (all.users++ > 0) return;
  for (std::size_t each = 0; each < fault_signals.size(); ++each) {
    struct ::sigaction now {};
    if (::sigaction(fault_signals[each].number, nullptr, &now) != 0 || is_ours(now)) continue;
    all.before[each] = now;
    struct ::sigaction ours {};
    ours.sa_sigaction = &on_fault;
    ours.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER;
    ::sigemptyset(&ours.sa_mask);
    ::sigaction(fault_signals[each].number, &ours, nullptr);
  }
}

fault_reports::~fault_reports() {
  handler_state& all = handlers();
  const std::lock_guard lock(all.mutex);
  if (--all.users > 0) return;
  // Handlers that other code has set meanwhile stay.
  for (std::size_t each = 0; each < fault_signals.size(); ++each) {
    const int signal = fault_signals[each].number;
    struct ::sigaction now {};
    if (::sigaction(signal, nullptr, &now) == 0 && is_ours(now)) ::sigaction(signal, &all.before[each], nullptr);
  }
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
