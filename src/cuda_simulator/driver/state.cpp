// SPDX-License-Identifier: MIT
// The beginning and the end: cuInit, and the report when the process is over.
#include "state.hpp"

#include <unistd.h>

#include <cstdio>

#include "../engine/process.hpp"
#include "entries.hpp"
#include "settings.hpp"

namespace yoke::simulator {

driver_state& state() noexcept {
  static driver_state& all = *new driver_state;  // NOLINT: without memory for it there is no driver
  return all;
}

std::mutex& driver_mutex() noexcept { return state().mutex; }

abi::status refusal_of_calls(bool needs_initialisation) noexcept {
  const driver_state& all = state();
  if (all.closed.load(std::memory_order_acquire)) return abi::error_deinitialized;
  if (runs_host_function()) return abi::error_not_permitted;
  if (!needs_initialisation) return abi::success;
  return all.initialised.load(std::memory_order_acquire) ? abi::success : abi::error_not_initialized;
}
bool is_child_of_fork() noexcept { return state().process.load(std::memory_order_relaxed) != ::getpid(); }

std::uintptr_t note_allocation(object_kind kind, const memory_block& fresh) {
  const std::uintptr_t base = fresh.base;
  try {
    state().objects.add(kind, base, fresh.bytes, fresh.made);
  } catch (...) {
    state().memory.release(base);
    throw;
  }
  return base;
}

namespace {

constexpr int fault_exit_status = 99;

/// Returns: how many leaks were said.
std::size_t report_leaks() {
  const std::vector<std::string> leaks = state().objects.leaks();
  for (const std::string& each : leaks) say(each);
  if (!leaks.empty()) say(std::to_string(leaks.size()) + (leaks.size() == 1 ? " object leaked" : " objects leaked"));
  return leaks.size();
}

/// Returns: how many blocks have been said to be written to where nobody may.
std::size_t report_corruptions() {
  const std::size_t found = state().memory.corruptions();
  if (found != 0) say(std::to_string(found) + (found == 1 ? " block corrupted" : " blocks corrupted"));
  return found;
}

// After every handler of atexit and every static object of the program: whatever they release is no leak.
__attribute__((destructor)) void finish() {
  driver_state& all = state();
  if (!all.initialised || all.process != ::getpid()) return;
  const leak_policy policy = the_settings().leaks;
  std::size_t faults = 0;
  {
    const driver_lock lock(all.mutex);
    all.closed = true;
    all.memory.check_at_exit();
    faults = report_corruptions();
    if (policy != leak_policy::ignore) faults += report_leaks();
    if (all.launches_running == 0) all.pool.reset();  // else its threads go down with the process
  }
  if (faults != 0 && policy == leak_policy::fail) {
    std::fflush(nullptr);
    write_coverage();
    ::_exit(fault_exit_status);
  }
}

}  // namespace

namespace entries {

abi::status init(unsigned flags) {
  return early_entry([&] {
    require(flags == 0);
    driver_state& all = state();
    if (all.initialised) {
      require(all.process == ::getpid(), abi::error_not_initialized);
      return;
    }
    require(the_settings().devices > 0, abi::error_no_device);
    for (int each = 0; each < the_settings().devices; ++each) all.devices.emplace_back(each);
    for (device& each : all.devices) {
      each.primary = &make_context(each.ordinal, 0, true);
      each.default_pool = std::make_shared<pool_object>();
      each.default_pool->device = each.ordinal;
      each.default_pool->is_default = true;
      each.default_pool->handle = all.pools.add(each.default_pool);
      each.pool = each.default_pool;
    }
    all.process = ::getpid();
    all.initialised = true;
  });
}

abi::status driver_get_version(int* version) {
  return early_entry([&] {
    require(version != nullptr);
    *version = the_settings().driver_version;
  });
}

// What profilers are told has no listener here.
abi::status profiler_start() {
  return entry([] { current_context(); });
}
abi::status profiler_stop() {
  return entry([] { current_context(); });
}

}  // namespace entries

}  // namespace yoke::simulator
