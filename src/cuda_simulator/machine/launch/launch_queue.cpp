// SPDX-License-Identifier: MIT
// Makes launches ready for a stream or a graph, and runs them.
#include "machine/launch/launch_queue.hpp"

#include <algorithm>
#include <cstdio>

#include "machine/base/call.hpp"
#include "machine/base/settings.hpp"
#include "machine/base/state.hpp"
#include "machine/device/device.hpp"
#include "machine/memory/guarded_memory.hpp"
#include "machine/memory/memory.hpp"
#include "machine/program/library.hpp"
#include "machine/stream/context.hpp"

namespace yoke::simulator {

namespace {

/// Returns: the bytes that cuLaunchKernel's `extra` names. Throws: refusal.
std::string packed_by_caller(const kernel& what, void** extra) {
  const void* buffer = nullptr;
  std::size_t bytes = 0;
  for (; reinterpret_cast<std::uintptr_t>(*extra) != abi::launch_param_end; extra += 2) {
    const auto tag = reinterpret_cast<std::uintptr_t>(extra[0]);
    require(extra[1] != nullptr);
    if (tag == abi::launch_param_buffer_pointer) {
      buffer = extra[1];
    } else if (tag == abi::launch_param_buffer_size) {
      bytes = *static_cast<const std::size_t*>(extra[1]);
    } else {
      refuse(abi::error_invalid_value);
    }
  }
  require(bytes >= what.record->argument_bytes && (buffer != nullptr || bytes == 0));
  return {static_cast<const char*>(buffer), bytes};
}

std::string arguments_of(const kernel& what, void** parameters, void** extra) {
  require(parameters == nullptr || extra == nullptr);
  if (extra != nullptr) return packed_by_caller(what, extra);
  if (what.parameter_count() == 0) return {};
  require(parameters != nullptr);
  for (std::size_t each = 0; each < what.parameter_count(); ++each) require(parameters[each] != nullptr);
  return pack_arguments(what, parameters);
}

/// The error that a failed launch leaves in its context: the nearest code if the engine sees more than a device would.
abi::status code_of(launch_status status) {
  switch (status) {
    case launch_status::success: return abi::success;
    case launch_status::assertion: return abi::error_assert;
    case launch_status::no_progress: return abi::error_launch_timeout;
    case launch_status::unsupported: return abi::error_not_supported;
    case launch_status::out_of_memory: return abi::error_out_of_memory;
    case launch_status::invalid_shape: return abi::error_invalid_value;
    case launch_status::illegal_address: return abi::error_illegal_address;
    case launch_status::trap:
    case launch_status::barrier_divergence:
    case launch_status::not_cooperative:
    case launch_status::exception: return abi::error_launch_failed;
  }
  return abi::error_unknown;
}

constexpr std::size_t near_bytes = 64;
constexpr unsigned long long looked_at_most = 32ull << 20;  // bytes checked by all blocks together, which takes a
                                                            // millisecond or two

/// Effects: adds the bytes around a block that a kernel with access to it must not write.
void watch(launch_shape& shape, const memory_block& block) {
  for (const bool is_behind : {false, true}) {
    const canary beside = canary_of(block.base, block.bytes, is_behind);
    if (beside.bytes == 0) continue;
    const std::size_t near = std::min(beside.bytes, near_bytes);
    shape.watched.push_back({beside.at, beside.expected, beside.bytes, is_behind ? 0 : beside.bytes - near, near});
  }
}

unsigned long long whole_looks(const launch_shape& shape) {
  unsigned long long bytes = 0;
  for (const watched_bytes& each : shape.watched) bytes += each.bytes;
  return bytes == 0 ? 0 : looked_at_most / bytes / std::max(volume(shape.grid), 1ull);
}

}  // namespace

void run(const queued_launch& one) {
  if (one.fails_on_demand) {
    const driver_lock lock(driver_mutex());
    break_context(*one.in, the_settings().launch_failure,
                  one.what->name + ": failed, as YOKE_SIMULATOR_LAUNCH_FAILURE asks");
    return;
  }
  auto& all = state<launch_workers>();
  {
    const driver_lock lock(driver_mutex());
    if (state<process_state>().closed) return;  // the pool may be gone
    ++all.running;
  }
  launch_result result;
  try {
    result = launch(*all.pool, *one.what, one.shape, one.arguments);
  } catch (const std::bad_alloc&) {
    result = {launch_status::out_of_memory, one.what->name + ": out of memory"};
  }
  const bool was_alone = all.running-- == 1;
  const driver_lock lock(driver_mutex());
  std::snprintf(one.in->latest_kernel.data(), one.in->latest_kernel.size(), "%s", one.what->readable.c_str());
  ++one.in->new_launches;
  if (result.fault) {
    if (result.fault->is_late && !was_alone) result.fault->who += ", or in another kernel that ran at the same time";
    if (const auto text = state<memory_table>().take_fault(*result.fault)) result.text = one.what->name + ": " + *text;
  }
  if (!result) break_context(*one.in, code_of(result.status), result.text);
}

queued_launch make_launch(abi::function handle, context* given, const launch_wish& wish, void** parameters,
                          void** extra) {
  const kernel_choice chosen = kernel_of(handle);
  context& to = given != nullptr ? *given : chosen.in != nullptr ? *chosen.in : current_context();
  require(chosen.in == nullptr || chosen.in == &to, abi::error_invalid_handle);
  require(chosen.what->from != nullptr, abi::error_invalid_handle);
  check_launch(*chosen.what, device_of(to.device), wish);
  queued_launch one;
  one.source = chosen.what;
  module_object& from = module_in(chosen.what->from->shared_from_this(), to);
  from.used.insert(chosen.what.get());
  one.loaded = from.loaded;
  one.what = one.loaded->find_kernel(chosen.what->name);
  one.arguments = arguments_of(*one.what, parameters, extra);
  one.shape.grid = {wish.grid.x, wish.grid.y, wish.grid.z};
  one.shape.block = {wish.block.x, wish.block.y, wish.block.z};
  one.shape.dynamic_shared_bytes = wish.dynamic_shared;
  one.shape.cooperative = wish.cooperative;
  one.shape.patience = the_settings().patience;
  one.in = &to;
  one.wish = wish;
  return one;
}

std::vector<memory_block*> arm(queued_launch& one) {
  one.shape.stack_bytes = one.in->limits[static_cast<std::size_t>(abi::limit::stack_size)];
  static unsigned long asked = 0;  // under the driver's lock
  one.fails_on_demand = ++asked == the_settings().failing_launch;
  std::vector<memory_block*> used = state<memory_table>().named_in(one.arguments);
  for (const memory_block* const each : used) {
    if (!each->is_open_to(*one.in)) {
      break_context(*one.in, abi::error_illegal_address,
                    "kernel " + one.what->readable + ": memory of device " + std::to_string(each->owner->device) +
                        ", which device " + std::to_string(one.in->device) + " was not given access to");
    }
    if (each->is_guarded()) watch(one.shape, *each);
  }
  one.shape.whole_looks = whole_looks(one.shape);
  return used;
}

void note_uses(const queued_launch& one, const std::vector<memory_block*>& used, const ticket& at) {
  for (memory_block* const each : used) {
    const std::string wrong = memory_table::note_use(*each, at, "kernel " + one.what->readable);
    if (!wrong.empty()) break_context(*one.in, abi::error_illegal_address, wrong);
  }
}

}  // namespace yoke::simulator
