// SPDX-License-Identifier: MIT
// Loads images, and reads from their symbol tables the facts that the compiler did not give.
#include "engine/binary/image.hpp"

#include <dlfcn.h>
#include <link.h>
#include <unistd.h>

#include <algorithm>
#include <map>
#include <memory>
#include <system_error>

#include "engine/binary/image_format.hpp"
#include "engine/binary/readable_names.hpp"
#include "engine/system/temporary_folder.hpp"

namespace yoke::simulator {

namespace {

constexpr std::string_view dynamic_name = "yoke_simulator_dynamic_shared";

// The prelude's own; all other thread-local objects are somebody's shared memory.
bool is_built_in(std::string_view name) {
  if (name.find("14yoke_simulator") != std::string_view::npos) return true;
  return name == "threadIdx" || name == "blockIdx" || name == "blockDim" || name == "gridDim";
}

constexpr std::string_view use_name = "yoke_simulator_shared_use";

}  // namespace

std::unique_ptr<image> image::load(std::string_view bytes, const yoke_simulator::services& services,
                                   std::string& error) {
  const auto unpacked = unpack_image(bytes);
  if (!unpacked) {
    error = "these bytes are not an image of the CUDA simulator: it loads only what its own NVRTC has compiled";
    return nullptr;
  }
  std::unique_ptr<image> loaded(new image);
  if (unpacked->object.empty()) {
    error = "this image has to be linked before it can be loaded";
    return nullptr;
  }
  loaded->target_ = unpacked->target;
  try {
    if (!loaded->open(unpacked->object, services, error)) return nullptr;
  } catch (const std::system_error& failed) {
    error = failed.what();
    return nullptr;
  }
  loaded->describe(unpacked->object);
  return loaded;
}

image::~image() {
  if (handle_ != nullptr) ::dlclose(handle_);
}

bool image::open(std::string_view object, const yoke_simulator::services& services, std::string& error) {
  {
    // Every load needs a new file name, or the system would return the same object again. Mapped content stays
    // readable.
    const temporary_folder folder;
    const std::string path = folder.write("image.so", object).string();
    handle_ = ::dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  }
  if (handle_ == nullptr) {
    const char* const reason = ::dlerror();
    error = reason != nullptr ? reason : "dlopen failed";
    return false;
  }
  link_map* map = nullptr;
  for (const elf_symbol& each : elf_symbols(object)) {
    if (!each.defined || std::string_view(each.name).substr(0, record_name.size()) != record_name) continue;
    const void* const found = ::dlsym(handle_, each.name.c_str());
    if (found != nullptr) records_.push_back(static_cast<const yoke_simulator::image_record*>(found));
  }
  if (records_.empty() || ::dlinfo(handle_, RTLD_DI_LINKMAP, &map) != 0) {
    error = "the image has no record";
    return false;
  }
  base_ = map->l_addr;
  for (const auto* each : records_) *each->engine = &services;
  return true;
}

void image::describe(std::string_view object) {
  thread_bytes_ = elf_thread_local_bytes(object);
  for (elf_symbol& each : elf_symbols(object)) {
    if (each.defined) symbols_.push_back(std::move(each));
  }
  for (const auto* source : records_) {
    for (unsigned each = 0; each < source->kernel_count; ++each) {
      const yoke_simulator::kernel_record& record = source->kernels[each];
      if (record.function == nullptr) continue;  // the name expression of a variable
      std::string name = name_at(reinterpret_cast<const void*>(record.function));
      if (find_kernel(name) != nullptr) continue;
      std::string readable = readable_function_name(name);
      kernels_.push_back(kernel{std::move(name), &record, 0, this, std::move(readable)});
    }
  }
  find_gaps();
  for (const elf_symbol& each : symbols_) {
    if (each.kind != symbol_kind::thread_local_object) continue;
    if (each.name == dynamic_name) dynamic_offset_ = each.value;
    if (each.size == 0 || is_built_in(each.name)) continue;  // names of the dynamic block have no size
    static_shared_.push_back(extent{each.value, each.size});
  }
  count_static_shared();
}

void image::count_static_shared() {
  const auto list =
      std::find_if(symbols_.begin(), symbols_.end(), [](const elf_symbol& one) { return one.name == use_name; });
  if (list == symbols_.end()) return;
  std::map<std::string_view, std::size_t> sizes;
  for (const elf_symbol& each : symbols_) {
    if (each.kind == symbol_kind::thread_local_object && !is_built_in(each.name)) sizes[each.name] = each.size;
  }
  std::string_view rest(reinterpret_cast<const char*>(base_ + list->value), list->size);
  const auto next = [&] {
    const std::string_view name = rest.substr(0, rest.find('\0'));
    rest.remove_prefix(std::min(rest.size(), name.size() + 1));
    return name;
  };
  for (std::string_view function = next(); !function.empty(); function = next()) {
    std::size_t bytes = 0;
    for (std::string_view object = next(); !object.empty(); object = next()) {
      const auto found = sizes.find(object);
      if (found != sizes.end()) bytes += found->second;
    }
    for (kernel& each : kernels_) {
      if (each.name == function) each.static_shared_bytes = bytes;
    }
  }
}

void image::find_gaps() {
  std::vector<extent> used;
  for (const elf_symbol& each : symbols_) {
    if (each.kind == symbol_kind::thread_local_object) used.push_back(extent{each.value, each.size});
  }
  std::sort(used.begin(), used.end(), [](const extent& a, const extent& b) { return a.offset < b.offset; });
  for (std::size_t each = 0; each + 1 < used.size(); ++each) {
    const std::size_t end = used[each].offset + used[each].bytes;
    if (used[each].bytes > 0 && end < used[each + 1].offset) gaps_.push_back(extent{end, used[each + 1].offset - end});
  }
}

std::string image::name_at(const void* address) const {
  const std::size_t value = reinterpret_cast<std::size_t>(address) - base_;
  for (const elf_symbol& each : symbols_) {
    if (each.kind != symbol_kind::thread_local_object && each.value == value) return each.name;
  }
  return {};
}

const kernel* image::find_kernel(std::string_view name) const noexcept {
  for (const kernel& each : kernels_) {
    if (each.name == name) return &each;
  }
  return nullptr;
}

std::optional<global> image::global(std::string_view name) const noexcept {
  for (const elf_symbol& each : symbols_) {
    if (each.kind != symbol_kind::object || each.name != name) continue;
    return simulator::global{reinterpret_cast<void*>(base_ + each.value), each.size, each.is_managed};
  }
  return std::nullopt;
}

std::size_t image::constant_bytes() const noexcept {
  std::size_t bytes = 0;
  for (const elf_symbol& each : symbols_) {
    const bool is_marker = each.name.rfind("__odr_asan", 0) == 0;  // AddressSanitizer's, one for each variable
    if (each.kind == symbol_kind::object && each.is_protected && !is_marker) bytes += each.size;
  }
  return bytes;
}

std::vector<std::string> image::expression_names() const {
  std::vector<std::string> names;
  for (const auto* source : records_) {
    for (unsigned each = 0; each < source->expression_count; ++each)
      names.push_back(name_at(source->expressions[each]));
  }
  return names;
}

image::thread_view image::view_of_this_thread() const {
  thread_view view;
  records_.front()->locate(&view.variables);
  for (const elf_symbol& each : symbols_) {
    if (each.kind != symbol_kind::thread_local_object || each.name != "threadIdx") continue;
    view.shared = reinterpret_cast<char*>(view.variables.thread_index) - each.value;
  }
  view.shared_bytes = thread_bytes_;
  if (dynamic_offset_) view.dynamic = view.shared + *dynamic_offset_;
  return view;
}

}  // namespace yoke::simulator
