// SPDX-License-Identifier: MIT
// Entries about primary contexts: one a device, alive while somebody retains it.
#include "driver/context/context_end.hpp"
#include "driver/entries.hpp"
#include "machine/base/call.hpp"
#include "machine/base/ledger.hpp"
#include "machine/base/state.hpp"
#include "machine/device/device.hpp"
#include "machine/stream/context.hpp"

namespace yoke::simulator::entries {

namespace {

constexpr unsigned settable_flags = abi::context_flags_mask;

std::uintptr_t ledger_key(const device& of) {
  return static_cast<std::uintptr_t>(of.ordinal) << 32 | static_cast<std::uintptr_t>(of.primary_retains);
}

bool are_context_flags(unsigned flags) {
  const unsigned schedule = flags & abi::context_sched_mask;
  return (flags & ~settable_flags) == 0 && (schedule & (schedule - 1)) == 0;
}

}  // namespace

abi::status primary_context_retain(abi::context* result, abi::device of) {
  return entry([&] {
    device& which = device_of(of);
    require(result != nullptr);
    // A broken primary context stays broken: only a new process gets another (measured on 580.159).
    require(which.primary->error == abi::success, which.primary->error);
    if (!which.primary->alive) {
      which.primary->flags = which.primary_flags;
      activate(*which.primary);
    }
    ++which.primary_retains;
    state<ledger>().add(object_kind::primary_context, ledger_key(which));
    *result = which.primary->handle;
  });
}

abi::status primary_context_release(abi::device of) {
  return entry([&](driver_lock& lock) {
    device& which = device_of(of);
    require(which.primary_retains > 0, abi::error_invalid_context);
    state<ledger>().remove(object_kind::primary_context, ledger_key(which));
    if (--which.primary_retains == 0 && which.primary->alive) tear_down(lock, *which.primary);
  });
}

abi::status primary_context_set_flags(abi::device of, unsigned flags) {
  return entry([&] {
    device& which = device_of(of);
    require(are_context_flags(flags));
    which.primary_flags = flags;
    if (which.primary->alive) which.primary->flags = flags;
  });
}

abi::status primary_context_get_state(abi::device of, unsigned* flags, int* active) {
  return entry([&] {
    const device& which = device_of(of);
    require(flags != nullptr && active != nullptr);
    *flags = which.primary_flags;
    *active = which.primary->alive ? 1 : 0;
  });
}

abi::status primary_context_reset(abi::device of) {
  return entry([&](driver_lock& lock) {
    device& which = device_of(of);
    // Code that retained it still has to release it, as the driver's documentation says.
    if (which.primary->alive) tear_down(lock, *which.primary);
  });
}

abi::status context_create(abi::context* result, unsigned flags, abi::device of) {
  return entry([&] {
    device& which = device_of(of);
    require(result != nullptr && are_context_flags(flags));
    context& made = make_context(which.ordinal, flags, false);
    this_thread_record().stack.push_back(&made);
    state<ledger>().add(object_kind::context, made.handle);
    *result = made.handle;
  });
}

abi::status context_destroy(abi::context handle) {
  return entry([&](driver_lock& lock) {
    context& which = context_of(handle);
    require(!which.is_primary && which.alive, abi::error_invalid_context);
    state<ledger>().remove(object_kind::context, handle);
    // Other threads' stacks keep it, and every use there returns CONTEXT_IS_DESTROYED.
    std::vector<context*>& stack = this_thread_record().stack;
    if (!stack.empty() && stack.back() == &which) stack.pop_back();
    const abi::status error = which.error;
    tear_down(lock, which);
    return error;
  });
}

}  // namespace yoke::simulator::entries
