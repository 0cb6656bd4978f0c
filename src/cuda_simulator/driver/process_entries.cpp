// SPDX-License-Identifier: MIT
// The first and the last call: cuInit, and the report when the process ends.
#include <unistd.h>

#include <cstdio>

#include "driver/entries.hpp"
#include "engine/system/process.hpp"
#include "machine/base/call.hpp"
#include "machine/base/ledger.hpp"
#include "machine/base/settings.hpp"
#include "machine/base/state.hpp"
#include "machine/device/device.hpp"
#include "machine/launch/launch_queue.hpp"
#include "machine/memory/memory.hpp"
#include "machine/memory/pools.hpp"
#include "machine/stream/context.hpp"

namespace yoke::simulator {

namespace {

constexpr int fault_exit_status = 99;

/// Returns: how many leaks were reported.
std::size_t report_leaks() {
  const std::vector<std::string> leaks = state<ledger>().leaks();
  for (const std::string& each : leaks) say(each);
  if (!leaks.empty()) say(std::to_string(leaks.size()) + (leaks.size() == 1 ? " object leaked" : " objects leaked"));
  return leaks.size();
}

/// Returns: how many blocks were reported as written outside their bounds.
std::size_t report_corruptions() {
  const std::size_t found = state<memory_table>().corruptions();
  if (found != 0) say(std::to_string(found) + (found == 1 ? " block corrupted" : " blocks corrupted"));
  return found;
}

// Runs after every handler of atexit and every static object of the program: their releases do not count as leaks.
__attribute__((destructor)) void finish() {
  auto& all = state<process_state>();
  if (!all.initialised || all.process != ::getpid()) return;
  const leak_policy policy = the_settings().leaks;
  std::size_t faults = 0;
  {
    const driver_lock lock(driver_mutex());
    all.closed = true;
    state<memory_table>().check_at_exit();
    faults = report_corruptions();
    if (policy != leak_policy::ignore) faults += report_leaks();
    auto& workers = state<launch_workers>();
    if (workers.running == 0) workers.pool.reset();  // otherwise its threads end with the process
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
    auto& all = state<process_state>();
    if (all.initialised) {
      require(all.process == ::getpid(), abi::error_not_initialized);
      return;
    }
    std::vector<device>& devices = state<device_state>().devices;
    require(the_settings().devices > 0, abi::error_no_device);
    for (int each = 0; each < the_settings().devices; ++each) devices.emplace_back(each);
    for (device& each : devices) {
      each.primary = &make_context(each.ordinal, 0, true);
      each.default_pool = std::make_shared<pool_object>();
      each.default_pool->device = each.ordinal;
      each.default_pool->is_default = true;
      each.default_pool->handle = state<pool_state>().pools.add(each.default_pool);
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

// The simulator has no profiler to start.
abi::status profiler_start() {
  return entry([] { current_context(); });
}
abi::status profiler_stop() {
  return entry([] { current_context(); });
}

}  // namespace entries

}  // namespace yoke::simulator
