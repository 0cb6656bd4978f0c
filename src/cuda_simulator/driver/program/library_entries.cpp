// SPDX-License-Identifier: MIT
// Entries about libraries.
#include <cstring>
#include <fstream>
#include <iterator>
#include <memory>

#include "driver/entries.hpp"
#include "machine/base/call.hpp"
#include "machine/base/ledger.hpp"
#include "machine/base/state.hpp"
#include "machine/program/jit_options.hpp"
#include "machine/program/library.hpp"
#include "machine/stream/context.hpp"
#include "machine/work/waiting.hpp"

namespace yoke::simulator::entries {

namespace {

std::shared_ptr<library> library_of(abi::library handle) {
  std::shared_ptr<library> found = state<program_state>().libraries.find(handle);
  require(found != nullptr, abi::error_invalid_handle);
  return found;
}

abi::library keep(std::shared_ptr<library> made) {
  library& kept = *made;
  kept.handle = state<program_state>().libraries.add(std::move(made));
  state<ledger>().add(object_kind::library, kept.handle, kept.bytes.size());
  return kept.handle;
}

bool are_library_options(const abi::library_option* options, unsigned count) {
  if (count != 0 && options == nullptr) return false;
  for (unsigned each = 0; each < count; ++each) {
    if (options[each] > abi::library_option::binary_is_preserved) return false;
  }
  return true;
}

}  // namespace

abi::status library_load_data(abi::library* result, const void* code, abi::jit_option* options, void** values,
                              unsigned count, abi::library_option* library_options, void**, unsigned library_count) {
  return entry([&] {
    require(result != nullptr && code != nullptr);
    require(empty_logs(options, values, count) && are_library_options(library_options, library_count));
    *result = keep(make_library(code, SIZE_MAX));
  });
}

abi::status library_load_from_file(abi::library* result, const char* path, abi::jit_option* options, void** values,
                                   unsigned count, abi::library_option* library_options, void**,
                                   unsigned library_count) {
  return entry([&] {
    require(result != nullptr && path != nullptr);
    require(empty_logs(options, values, count) && are_library_options(library_options, library_count));
    std::ifstream file(path, std::ios::binary);
    require(file.is_open(), abi::error_file_not_found);
    const std::string bytes{std::istreambuf_iterator<char>(file), {}};
    *result = keep(make_library(bytes.data(), bytes.size()));
  });
}

abi::status library_unload(abi::library handle) {
  return entry([&](driver_lock& lock) -> abi::status {
    const std::shared_ptr<library> gone = library_of(handle);
    state<ledger>().remove(object_kind::library, handle);
    wait_for_users(lock, *gone);
    library_of(handle);
    forget_library(*gone);
    return abi::success;
  });
}

abi::status library_get_kernel(abi::kernel* result, abi::library handle, const char* name) {
  return entry([&] {
    const std::shared_ptr<library> from = library_of(handle);
    require(result != nullptr && name != nullptr);
    for (const std::shared_ptr<kernel_object>& each : from->kernels) {
      if (each->name != name) continue;
      *result = each->handle;
      return;
    }
    refuse(abi::error_not_found);
  });
}

abi::status library_get_module(abi::loaded_module* result, abi::library handle) {
  return entry([&] {
    context& current = current_context();
    const std::shared_ptr<library> from = library_of(handle);
    require(result != nullptr);
    *result = module_in(from, current).handle;
  });
}

abi::status library_get_global(abi::device_pointer* pointer, std::size_t* bytes, abi::library handle,
                               const char* name) {
  return entry([&] {
    context& current = current_context();
    const std::shared_ptr<library> from = library_of(handle);
    require(name != nullptr && (pointer != nullptr || bytes != nullptr));
    const global found = global_in(module_in(from, current), name);
    if (pointer != nullptr) *pointer = reinterpret_cast<std::uintptr_t>(found.address);
    if (bytes != nullptr) *bytes = found.bytes;
  });
}

abi::status library_get_managed(abi::device_pointer* pointer, std::size_t* bytes, abi::library handle,
                                const char* name) {
  return entry([&] {
    context& current = current_context();
    const std::shared_ptr<library> from = library_of(handle);
    require(name != nullptr && (pointer != nullptr || bytes != nullptr));
    const global found = global_in(module_in(from, current), name);
    require(found.is_managed, abi::error_not_found);
    if (pointer != nullptr) *pointer = reinterpret_cast<std::uintptr_t>(found.address);
    if (bytes != nullptr) *bytes = found.bytes;
  });
}

abi::status library_get_kernel_count(unsigned* count, abi::library handle) {
  return entry([&] {
    const std::shared_ptr<library> from = library_of(handle);
    require(count != nullptr);
    *count = static_cast<unsigned>(from->kernels.size());
  });
}

abi::status library_enumerate_kernels(abi::kernel* kernels, unsigned count, abi::library handle) {
  return entry([&] {
    const std::shared_ptr<library> from = library_of(handle);
    require(kernels != nullptr || count == 0);
    for (std::size_t each = 0; each < count && each < from->kernels.size(); ++each)
      kernels[each] = from->kernels[each]->handle;
  });
}

}  // namespace yoke::simulator::entries
