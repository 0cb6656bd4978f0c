// SPDX-License-Identifier: MIT
// Entries about kernels, and their twins about functions.

#include <memory>

#include "driver/entries.hpp"
#include "machine/base/call.hpp"
#include "machine/base/state.hpp"
#include "machine/device/device.hpp"
#include "machine/program/library.hpp"
#include "machine/stream/context.hpp"

namespace yoke::simulator::entries {

namespace {

/// Stands for the count of a real device's compiler; the simulator has no registers.
constexpr int registers_per_thread = 32;

std::shared_ptr<kernel_object> kernel_at(abi::kernel handle) {
  std::shared_ptr<kernel_object> found = state<program_state>().kernels.find(handle);
  require(found != nullptr, abi::error_invalid_handle);
  return found;
}

/// Accepts kernels and functions alike, as the driver does.
kernel_choice function_at(abi::function handle) {
  kernel_choice found = kernel_of(handle);
  if (found.in == nullptr) found.in = &current_context();
  check_context(*found.in);
  return found;
}

int version_of(const kernel_object& what) { return what.from->prototype->target().number; }

/// Returns: the attribute. Throws: refusal if the attribute does not exist.
int attribute_of(kernel_object& what, abi::function_attribute which, int device) {
  kernel_settings& set = settings_of(what, device);
  switch (which) {
    case abi::function_attribute::max_threads_per_block: return thread_limit_of(what, device);
    case abi::function_attribute::shared_size_bytes: return static_cast<int>(description_of(what).static_shared_bytes);
    case abi::function_attribute::num_regs: return registers_per_thread;
    case abi::function_attribute::ptx_version:
    case abi::function_attribute::binary_version: return version_of(what);
    case abi::function_attribute::max_dynamic_shared_size_bytes: return dynamic_shared_limit_of(what, device);
    case abi::function_attribute::preferred_shared_memory_carveout: return set.carveout;
    case abi::function_attribute::non_portable_cluster_size_allowed: return set.non_portable_cluster;
    case abi::function_attribute::cluster_scheduling_policy_preference: return set.cluster_policy;
    case abi::function_attribute::const_size_bytes: return static_cast<int>(what.from->prototype->constant_bytes());
    case abi::function_attribute::local_size_bytes:
    case abi::function_attribute::cache_mode_ca:
    case abi::function_attribute::cluster_size_must_be_set:
    case abi::function_attribute::required_cluster_width:
    case abi::function_attribute::required_cluster_height:
    case abi::function_attribute::required_cluster_depth: return 0;
  }
  refuse(abi::error_invalid_value);
}

void set_attribute(kernel_object& what, abi::function_attribute which, int value, int device) {
  kernel_settings& set = settings_of(what, device);
  const int most = device_of(device).limits.shared_per_block_optin;
  switch (which) {
    case abi::function_attribute::max_dynamic_shared_size_bytes:
      require(value >= 0 && value <= most - static_cast<int>(description_of(what).static_shared_bytes));
      set.dynamic_shared = value;
      return;
    case abi::function_attribute::preferred_shared_memory_carveout:
      require(value >= -1 && value <= 100);
      set.carveout = value;
      return;
    case abi::function_attribute::non_portable_cluster_size_allowed: set.non_portable_cluster = value != 0; return;
    case abi::function_attribute::cluster_scheduling_policy_preference:
      require(value >= 0 && value <= static_cast<int>(abi::cluster_scheduling::load_balancing));
      set.cluster_policy = value;
      return;
    default: refuse(abi::error_invalid_value);  // read only, or unknown
  }
}

void parameter_info(const kernel_object& what, std::size_t index, std::size_t* offset, std::size_t* bytes) {
  const kernel& description = description_of(what);
  require(offset != nullptr && index < description.parameter_count());
  const yoke_simulator::parameter found = description.parameter(index);
  *offset = found.offset;
  if (bytes != nullptr) *bytes = found.size;
}

}  // namespace

abi::status kernel_get_function(abi::function* result, abi::kernel handle) {
  return entry([&] {
    context& current = current_context();
    const auto what = kernel_at(handle);
    require(result != nullptr);
    *result = function_in(what, current);
  });
}

abi::status kernel_get_library(abi::library* result, abi::kernel handle) {
  return entry([&] {
    const auto what = kernel_at(handle);
    require(result != nullptr);
    *result = what->from->handle;
  });
}

abi::status kernel_get_name(const char** result, abi::kernel handle) {
  return entry([&] {
    const auto what = kernel_at(handle);
    require(result != nullptr);
    *result = what->name.c_str();
  });
}

abi::status kernel_get_param_info(abi::kernel handle, std::size_t index, std::size_t* offset, std::size_t* bytes) {
  return entry([&] { parameter_info(*kernel_at(handle), index, offset, bytes); });
}

abi::status kernel_get_attribute(int* result, abi::function_attribute which, abi::kernel handle, abi::device on) {
  return entry([&] {
    const auto what = kernel_at(handle);
    require(result != nullptr);
    *result = attribute_of(*what, which, device_of(on).ordinal);
  });
}

abi::status kernel_set_attribute(abi::function_attribute which, int value, abi::kernel handle, abi::device on) {
  return entry([&] { set_attribute(*kernel_at(handle), which, value, device_of(on).ordinal); });
}

abi::status kernel_set_cache_config(abi::kernel handle, abi::cache_config config, abi::device on) {
  return entry([&] {
    const auto what = kernel_at(handle);
    require(config <= abi::cache_config::prefer_equal);
    settings_of(*what, device_of(on).ordinal).cache = config;
  });
}

abi::status function_get_name(const char** result, abi::function handle) {
  return entry([&] {
    const kernel_choice found = kernel_of(handle);
    require(result != nullptr);
    *result = found.what->name.c_str();
  });
}

abi::status function_get_param_info(abi::function handle, std::size_t index, std::size_t* offset, std::size_t* bytes) {
  return entry([&] { parameter_info(*kernel_of(handle).what, index, offset, bytes); });
}

abi::status function_get_attribute(int* result, abi::function_attribute which, abi::function handle) {
  return entry([&] {
    const kernel_choice found = function_at(handle);
    require(result != nullptr);
    *result = attribute_of(*found.what, which, found.in->device);
  });
}

abi::status function_set_attribute(abi::function handle, abi::function_attribute which, int value) {
  return entry([&] {
    const kernel_choice found = function_at(handle);
    set_attribute(*found.what, which, value, found.in->device);
  });
}

abi::status function_set_cache_config(abi::function handle, abi::cache_config config) {
  return entry([&] {
    const kernel_choice found = function_at(handle);
    require(config <= abi::cache_config::prefer_equal);
    settings_of(*found.what, found.in->device).cache = config;
  });
}

abi::status function_get_module(abi::loaded_module* result, abi::function handle) {
  return entry([&] {
    const kernel_choice found = function_at(handle);
    require(result != nullptr);
    *result = module_in(found.what->from->shared_from_this(), *found.in).handle;
  });
}

abi::status function_is_loaded(abi::function_loading_state* result, abi::function handle) {
  return entry([&] {
    const kernel_choice found = function_at(handle);
    require(result != nullptr);
    const bool is_loaded = module_in(found.what->from->shared_from_this(), *found.in).used.contains(found.what.get());
    *result = is_loaded ? abi::function_loading_state::loaded : abi::function_loading_state::unloaded;
  });
}

abi::status function_load(abi::function handle) {
  return entry([&] {
    const kernel_choice found = function_at(handle);
    module_in(found.what->from->shared_from_this(), *found.in).used.insert(found.what.get());
  });
}

}  // namespace yoke::simulator::entries
