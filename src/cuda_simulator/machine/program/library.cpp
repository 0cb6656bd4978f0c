// SPDX-License-Identifier: MIT
// Loads images into contexts, and finds kernels and variables in them.
#include "machine/program/library.hpp"

#include <algorithm>
#include <memory>

#include "engine/binary/image_format.hpp"
#include "engine/launch/services.hpp"
#include "machine/base/settings.hpp"
#include "machine/base/state.hpp"
#include "machine/device/device.hpp"
#include "machine/memory/managed_memory.hpp"
#include "machine/memory/memory.hpp"
#include "machine/stream/context.hpp"
#include "machine/work/waiting.hpp"

namespace yoke::simulator {

namespace {

std::shared_ptr<image> load_image(const std::string& bytes) {
  std::string error;
  std::shared_ptr<image> loaded = image::load(bytes, engine_services, error);
  require(loaded != nullptr, abi::error_invalid_image);
  return loaded;
}

// The table holds the module and its kernels; a running launch keeps the image.
void forget_module(module_object& gone) {
  auto& all = state<program_state>();
  for (const std::uintptr_t each : gone.globals) state<memory_table>().remove(each);
  for (const auto& [what, handle] : gone.functions) {
    if (gone.in->alive) {
      all.functions.remove(handle);
    } else {
      all.functions.orphan(handle);
    }
  }
  all.modules.remove(gone.handle);
}

}  // namespace

std::shared_ptr<library> make_library(const void* bytes, std::size_t limit) {
  require(bytes != nullptr);
  const auto size = image_size(bytes, limit);
  require(size.has_value(), abi::error_invalid_image);
  auto made = std::make_shared<library>();
  made->bytes.assign(static_cast<const char*>(bytes), *size);
  const int device_capability = device_of(0).attribute(75).value_or(0) * 10 + device_of(0).attribute(76).value_or(0);
  const auto unpacked = unpack_image(made->bytes);
  // Relocatable PTX without missing symbols is compiled and loaded; relocatable machine code is not.
  if (unpacked && unpacked->object.empty() && unpacked->target.is_virtual) {
    made->bytes = link_images({{"PTX", made->bytes}}, device_capability, the_settings().driver_version).image;
    require(!made->bytes.empty(), abi::error_invalid_ptx);
  }
  made->prototype = load_image(made->bytes);
  require(loads_on(made->prototype->target(), device_capability), abi::error_no_binary_for_gpu);
  for (const kernel& each : made->prototype->kernels()) {
    auto object = std::make_shared<kernel_object>();
    object->from = made.get();
    object->name = each.name;
    object->handle = state<program_state>().kernels.add(object);
    made->kernels.push_back(std::move(object));
  }
  return made;
}

void wait_for_users(driver_lock& lock, library& going) {
  std::vector<context*> users;
  for (const auto& [in, instance] : going.modules) {
    if (!instance->globals.empty()) users.push_back(in);
  }
  for (context* const in : users) {
    // While the lock was released, the context may have ended, and its instance with it.
    if (going.modules.find(in) != going.modules.end()) wait_for_all(lock, *in);
  }
}

void forget_library(library& gone) {
  auto& all = state<program_state>();
  for (const auto& [in, instance] : gone.modules) forget_module(*instance);
  gone.modules.clear();
  for (const std::shared_ptr<kernel_object>& each : gone.kernels) {
    all.kernels.remove(each->handle);
    each->from = nullptr;
  }
  if (gone.handle != nullptr) all.libraries.remove(gone.handle);
}

void forget_instances(const context& gone) {
  std::vector<std::shared_ptr<module_object>> theirs;
  state<program_state>().modules.orphan_if([&](const module_object& each) {
    if (each.in != &gone) return false;
    const auto found = each.from->modules.find(each.in);
    if (found != each.from->modules.end()) theirs.push_back(found->second);
    return true;
  });
  for (const std::shared_ptr<module_object>& each : theirs) {
    const std::shared_ptr<library> from = each->from;
    forget_module(*each);
    from->modules.erase(each->in);
    if (each->is_own) forget_library(*from);
  }
}

module_object& module_in(const std::shared_ptr<library>& from, context& in) {
  std::shared_ptr<module_object>& mine = from->modules[&in];
  if (mine != nullptr) return *mine;
  try {
    auto made = std::make_shared<module_object>();
    made->from = from;
    made->in = &in;
    made->loaded = from->prototype_taken ? load_image(from->bytes) : from->prototype;
    from->prototype_taken = true;
    made->handle = state<program_state>().modules.add(made);
    mine = std::move(made);
    return *mine;
  } catch (...) {
    from->modules.erase(&in);
    throw;
  }
}

namespace {

std::shared_ptr<library> library_of(const kernel_object& what) {
  require(what.from != nullptr, abi::error_invalid_handle);
  return what.from->shared_from_this();
}

}  // namespace

abi::function function_in(const std::shared_ptr<kernel_object>& what, context& in) {
  module_object& where = module_in(library_of(*what), in);
  abi::function& handle = where.functions[what.get()];
  if (handle == nullptr)
    handle = state<program_state>().functions.add(std::make_shared<function_object>(function_object{what, &in}));
  return handle;
}

global global_in(module_object& where, const char* name) {
  const auto found = where.loaded->global(name);
  require(found.has_value(), abi::error_not_found);
  const auto base = reinterpret_cast<std::uintptr_t>(found->address);
  if (std::find(where.globals.begin(), where.globals.end(), base) == where.globals.end()) {
    where.globals.push_back(base);
    memory_block& made = state<memory_table>().enter(*where.in, base, found->bytes, memory_kind::global);
    if (found->is_managed) made.managed = std::make_shared<managed_pages>();
  }
  return *found;
}

const kernel& description_of(const kernel_object& what) { return *library_of(what)->prototype->find_kernel(what.name); }

kernel_choice kernel_of(const void* handle) {
  if (kind_of(handle) == handle_kind::kernel) {
    const auto number = reinterpret_cast<abi::kernel>(const_cast<void*>(handle));
    if (auto found = state<program_state>().kernels.find(number)) return {std::move(found), nullptr};
  } else {
    const auto number = reinterpret_cast<abi::function>(const_cast<void*>(handle));
    const auto found = find_object(state<program_state>().functions, number);
    return {found->what, found->in};
  }
  refuse(abi::error_invalid_handle);
}

kernel_settings& settings_of(kernel_object& what, int device) { return what.settings[device]; }

int dynamic_shared_limit_of(kernel_object& what, int device) {
  const int set = settings_of(what, device).dynamic_shared;
  if (set >= 0) return set;
  const auto fixed = static_cast<int>(description_of(what).static_shared_bytes);
  return std::max(0, device_of(device).limits.shared_per_block - fixed);
}

int thread_limit_of(const kernel_object& what, int device) {
  const int bound = description_of(what).max_threads();
  const int most = device_of(device).limits.threads_per_block;
  return bound > 0 ? std::min(bound, most) : most;
}

}  // namespace yoke::simulator
