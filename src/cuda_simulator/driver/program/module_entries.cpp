// SPDX-License-Identifier: MIT
// Entries about modules, and about linking.
#include <chrono>
#include <fstream>
#include <iterator>
#include <memory>

#include "driver/entries.hpp"
#include "engine/binary/image_format.hpp"
#include "engine/compile/linker.hpp"
#include "machine/base/call.hpp"
#include "machine/base/ledger.hpp"
#include "machine/base/settings.hpp"
#include "machine/base/state.hpp"
#include "machine/device/device.hpp"
#include "machine/program/jit_options.hpp"
#include "machine/program/library.hpp"
#include "machine/stream/context.hpp"
#include "machine/work/waiting.hpp"

namespace yoke::simulator::entries {

namespace {

std::shared_ptr<module_object> module_at(abi::loaded_module handle) {
  std::shared_ptr<module_object> found = find_object(state<program_state>().modules, handle);
  check_context(*found->in);
  return found;
}

}  // namespace

abi::status module_load_data(abi::loaded_module* result, const void* code, unsigned count, abi::jit_option* options,
                             void** values) {
  return entry([&] {
    context& current = current_context();
    require(result != nullptr && code != nullptr && empty_logs(options, values, count));
    const std::shared_ptr<library> made = make_library(code, SIZE_MAX);
    module_object& loaded = module_in(made, current);
    loaded.is_own = true;
    state<ledger>().add(object_kind::module, loaded.handle, made->bytes.size());
    *result = loaded.handle;
  });
}

abi::status module_get_function(abi::function* result, abi::loaded_module handle, const char* name) {
  return entry([&] {
    const std::shared_ptr<module_object> from = module_at(handle);
    require(result != nullptr && name != nullptr && *name != '\0');
    for (const std::shared_ptr<kernel_object>& each : from->from->kernels) {
      if (each->name != name) continue;
      *result = function_in(each, *from->in);
      return;
    }
    refuse(abi::error_not_found);
  });
}

abi::status module_get_global(abi::device_pointer* pointer, std::size_t* bytes, abi::loaded_module handle,
                              const char* name) {
  return entry([&] {
    const std::shared_ptr<module_object> from = module_at(handle);
    require(name != nullptr && (pointer != nullptr || bytes != nullptr));
    const global found = global_in(*from, name);
    if (pointer != nullptr) *pointer = reinterpret_cast<std::uintptr_t>(found.address);
    if (bytes != nullptr) *bytes = found.bytes;
  });
}

abi::status module_unload(abi::loaded_module handle) {
  return entry([&](driver_lock& lock) -> abi::status {
    state<ledger>().remove(object_kind::module, handle);
    const std::shared_ptr<module_object> gone = module_at(handle);
    require(gone->is_own, abi::error_invalid_handle);  // a library's module ends with the library
    const std::shared_ptr<library> from = gone->from;
    wait_for_users(lock, *from);
    module_at(handle);
    forget_library(*from);
    return abi::success;
  });
}

namespace {

link_object& link_of(abi::link_state handle) {
  const std::shared_ptr<link_object> found = state<program_state>().links.find(handle);
  require(found != nullptr, abi::error_invalid_handle);
  return *found;
}

void add_input(link_object& to, const char* bytes, std::size_t limit, std::string name) {
  // A single image that was compiled whole is passed through; it cannot be joined with another.
  link_piece piece{std::move(name), std::string(bytes, limit)};
  const auto size = image_size(bytes, limit);
  if (size.has_value()) piece.bytes.resize(*size);
  if (!size.has_value() && !can_be_linked(piece.bytes)) {
    to.logs.write("", "error   : Input '" + piece.name + "' is no code of the CUDA simulator\n");
    refuse(abi::error_invalid_image);
  }
  to.pieces.push_back(std::move(piece));
}

}  // namespace

abi::status link_create(unsigned count, abi::jit_option* options, void** values, abi::link_state* result) {
  return entry([&] {
    current_context();
    auto made = std::make_shared<link_object>();
    require(result != nullptr && empty_logs(options, values, count, &made->logs));
    *result = state<program_state>().links.add(std::move(made));
    state<ledger>().add(object_kind::link, *result);
  });
}

abi::status link_add_data(abi::link_state handle, abi::jit_input kind, void* data, std::size_t bytes, const char* name,
                          unsigned count, abi::jit_option* options, void** values) {
  return entry([&] {
    link_object& to = link_of(handle);
    require(data != nullptr && bytes != 0 && empty_logs(options, values, count));
    require(kind < abi::jit_input::nvvm);
    add_input(to, static_cast<const char*>(data), bytes, name == nullptr ? "<unnamed>" : name);
  });
}

abi::status link_add_file(abi::link_state handle, abi::jit_input kind, const char* path, unsigned count,
                          abi::jit_option* options, void** values) {
  return entry([&] {
    link_object& to = link_of(handle);
    require(path != nullptr && empty_logs(options, values, count));
    require(kind < abi::jit_input::nvvm);
    std::ifstream file(path, std::ios::binary);
    require(file.is_open(), abi::error_file_not_found);
    const std::string bytes{std::istreambuf_iterator<char>(file), {}};
    add_input(to, bytes.data(), bytes.size(), path);
  });
}

abi::status link_complete(abi::link_state handle, void** result, std::size_t* bytes) {
  return entry([&] {
    link_object& done = link_of(handle);
    require(result != nullptr && !done.pieces.empty());
    const auto begin = std::chrono::steady_clock::now();
    if (done.pieces.size() == 1 && !can_be_linked(done.pieces.front().bytes)) {
      done.result.image = done.pieces.front().bytes;
    } else {
      const int capability = device_of(0).attribute(75).value_or(0) * 10 + device_of(0).attribute(76).value_or(0);
      done.result = link_images(done.pieces, capability, the_settings().driver_version);
    }
    done.logs.write("", done.result.log);
    done.logs.write_time(std::chrono::duration<float, std::milli>(std::chrono::steady_clock::now() - begin).count());
    require(!done.result.image.empty(), abi::error_invalid_image);
    *result = done.result.image.data();  // lives as long as the link state
    if (bytes != nullptr) *bytes = done.result.image.size();
  });
}

abi::status link_destroy(abi::link_state handle) {
  return entry([&] {
    link_of(handle);
    state<ledger>().remove(object_kind::link, handle);
    state<program_state>().links.remove(handle);
  });
}

}  // namespace yoke::simulator::entries
