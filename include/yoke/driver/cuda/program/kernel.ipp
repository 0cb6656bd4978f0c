// SPDX-License-Identifier: MIT
// Bodies of driver/cuda/program/kernel.hpp.
#ifndef YOKE_DRIVER_CUDA_PROGRAM_KERNEL_IPP
#define YOKE_DRIVER_CUDA_PROGRAM_KERNEL_IPP

#include <yoke/driver/cuda/program/kernel.hpp>

#include <yoke/core/native.hpp>
#include <yoke/core/text.hpp>
#include <yoke/driver/cuda/binary/binary_kernels.hpp>
#include <yoke/driver/cuda/binary/loaded_binaries.hpp>
#include <yoke/driver/cuda/binary/mangled_names.hpp>
#include <yoke/driver/cuda/compiler/requests.hpp>
#include <yoke/driver/cuda/invoke.hpp>
#include <yoke/driver/cuda/port.hpp>

#include <algorithm>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace yoke::inline v0_1::cuda {

namespace detail {

/// Whether the driver (12.4 or newer) lists the kernels of a library.
bool lists_kernels(const abi::functions* table) noexcept {
  return table->library_get_kernel_count != nullptr && table->library_enumerate_kernels != nullptr;
}
/// Returns: every kernel of a library; none if the driver cannot list them.
std::vector<abi::kernel> kernels_of(const abi::functions* table, abi::library library, const source_location& where) {
  std::vector<abi::kernel> kernels;
  if (!lists_kernels(table)) return kernels;
  abi::uint count = 0;
  invoke<&abi::functions::library_get_kernel_count>(table, where, &count, library);
  kernels.resize(count);
  if (count != 0) {
    invoke<&abi::functions::library_enumerate_kernels>(table, where, kernels.data(), count, library);
  }
  return kernels;
}
/// Returns: a kernel's name in the image; "" if the driver (before 12.3) cannot tell.
std::string name_of(const abi::functions* table, abi::kernel kernel, const source_location& where) {
  const char* name = nullptr;
  if (table->kernel_get_name == nullptr) return "";
  invoke<&abi::functions::kernel_get_name>(table, where, &name, kernel);
  return name == nullptr ? "" : name;
}

/// Returns: the kernel with that name in the image; null if there is none.
abi::kernel kernel_of(const abi::functions* table, abi::library library, const std::string& name,
                      const source_location& where) {
  abi::kernel kernel = nullptr;
  const abi::status status = call<&abi::functions::library_get_kernel>(table, &kernel, library, name.c_str());
  if (status == abi::success) return kernel;
  if (status == abi::error_not_found) return nullptr;
  throw_failure(status, "cuLibraryGetKernel", "kernel \"" + name + "\"", where);
}

/// A kernel with its name in the image.
struct named_kernel {
  abi::kernel native = nullptr;
  std::string name;
};
/// The kernels of a library.
struct kernel_list {
  std::vector<named_kernel> kernels{};
  bool all = true;  ///< whether the list is complete
};
/// Returns: the kernels listed by the driver, else by the compiler or the image.
kernel_list known_kernels(const abi::functions* table, abi::library library, const source_location& where) {
  kernel_list found;
  for (const abi::kernel each : kernels_of(table, library, where)) {
    found.kernels.push_back({each, name_of(table, each, where)});
  }
  if (lists_kernels(table)) return found;
  const auto record = images_of(table).find(library);
  found.all = record != nullptr && record->has_all_kernels;
  if (record == nullptr) return found;
  for (const std::string& name : record->kernels) {
    const abi::kernel native = kernel_of(table, library, name, where);
    if (native != nullptr) found.kernels.push_back({native, name});
  }
  return found;
}
/// Returns: why the kernels are unknown. Requires: neither the driver nor the image lists them.
std::string unlisted_text(const abi::functions* table, const source_location& where) {
  int version = 0;
  invoke<&abi::functions::driver_get_version>(table, where, &version);
  return "this driver (CUDA " + version_text(version) + ") cannot list kernels, nor does the image";
}

/// Returns: the text without its blanks: "f<int, 4>" and "f<int,4>" are the same name.
std::string without_blanks(std::string_view text) {
  std::string out;
  for (const char each : text) {
    if (each != ' ' && each != '\t') out += each;
  }
  return out;
}

/// The port's record of a kernel beyond its launches. Every `kernel_record` is one.
struct known_kernel : kernel_record {
  using kernel_record::kernel_record;

  std::string name{};                        ///< its name in the image; "" if unknown
  bool by_compiler = false;                  ///< whether the compiler has compared it with the requested signature
  std::vector<parameter_info> registered{};  ///< for a C name: the parameters that the compiler has compared
  bool is_registered = false;                ///< whether `registered` is known
  std::vector<parameter_layout> ptx{};       ///< the layout in the PTX
  bool has_ptx = false;                      ///< whether the PTX describes the layout
};

/// Returns: the kernel's record, with all known facts.
std::unique_ptr<known_kernel> recorded(const named_kernel& kernel, const image_record* image) {
  auto made = std::make_unique<known_kernel>(kernel.native);
  made->name = kernel.name;
  if (image == nullptr || kernel.name.empty()) return made;
  for (const known_name& each : image->names) {
    if (each.lowered != kernel.name || each.type.empty()) continue;
    made->registered = each.parameters;
    made->is_registered = true;
  }
  for (const ptx_entry& each : image->entries) {
    if (each.name != kernel.name) continue;
    made->ptx = each.layout;
    made->has_ptx = true;
  }
  return made;
}

/// Finds kernels by the names that users give them.
class kernel_finder {
 public:
  kernel_finder(const abi::functions* table, abi::library module, const char* name, const source_location& where)
      : table_(table), module_(module), name_(name), where_(where), image_(images_of(table).find(module)) {}

  /// Returns: the kernel. Throws: `logic_error` with a list of the kernels.
  [[nodiscard, gnu::cold]] std::unique_ptr<known_kernel> find(std::span<const parameter_info> wanted,
                                                              bool has_wanted) const {
    const std::string type = has_wanted ? function_type(wanted) : "";
    for (const known_name& each : names()) {
      if (type.empty() || each.type != type || without_blanks(each.name) != without_blanks(name_)) continue;
      const abi::kernel native = native_of(each.lowered);
      if (native == nullptr) continue;
      auto made = record({native, each.lowered});
      made->by_compiler = true;
      return made;
    }
    // The image's own list first: it costs no driver call.
    std::vector<named_kernel> found;
    if (image_ != nullptr && image_->has_all_kernels) found = candidates_in_image();
    std::string list;
    bool all = true;
    if (found.empty()) {
      if (const abi::kernel exact = native_of(name_); exact != nullptr) return record({exact, name_});
    }
    if (found.size() != 1) found = candidates(list, all);
    if (found.size() > 1 && has_wanted) {
      std::erase_if(found, [&](const named_kernel& each) { return !takes(each, wanted); });
      if (found.empty()) {
        throw_error(errc::signature_mismatch, where_, "no kernel \"", name_, "\" takes ", parameter_list_text(wanted),
                    "; this module has:", list);
      }
    }
    if (found.size() == 1) return record(found.front());
    const std::string near = found.empty() ? yoke::detail::near_names(name_, list) : std::string();
    if (list.empty() && all) list = " none";
    if (!all) {
      list += (list.empty() ? " some that cannot be listed: " : ", ..: ") + unlisted_text(table_, where_) +
              "; ask by the mangled name, or compile with the kernel among .kernels or .name_expressions";
    }
    throw logic_error({abi::error_not_found, error_category()}, "cuLibraryGetKernel",
                      (found.empty() ? "no kernel \"" : "several kernels \"") + name_ + "\" in this module" + near +
                          "; it has:" + list,
                      where_);
  }

 private:
  [[nodiscard]] const std::vector<known_name>& names() const noexcept {
    static const std::vector<known_name> none;
    return image_ == nullptr ? none : image_->names;
  }
  [[nodiscard]] abi::kernel native_of(const std::string& name) const {
    return kernel_of(table_, module_, name, where_);
  }
  /// Returns: the kernels with this name: a name expression, or a C++ name before mangling.
  [[nodiscard, gnu::cold]] std::vector<named_kernel> candidates(std::string& list, bool& all) const {
    std::vector<named_kernel> found;
    const auto add = [&](abi::kernel native, const std::string& name) {
      if (native == nullptr) return;
      for (const named_kernel& each : found) {
        if (each.native == native) return;
      }
      found.push_back({native, name});
    };
    const std::string asked = without_blanks(name_);
    for (const known_name& each : names()) {
      if (without_blanks(each.name) == asked) add(native_of(each.lowered), each.lowered);
    }
    const kernel_list known = known_kernels(table_, module_, where_);
    all = known.all;
    for (const named_kernel& each : known.kernels) {
      if (is_called(each.name)) add(each.native, each.name);
      list += (list.empty() ? " " : ", ") + demangled(each.name);
    }
    return found;
  }
  /// Returns: the kernels with this unmangled name in the image's list.
  [[nodiscard, gnu::cold]] std::vector<named_kernel> candidates_in_image() const {
    std::vector<named_kernel> found;
    for (const std::string& each : image_->kernels) {
      if (each == name_) return {{native_of(each), each}};
      if (is_called(each)) found.push_back({native_of(each), each});
    }
    std::erase_if(found, [](const named_kernel& each) { return each.native == nullptr; });
    return found;
  }
  /// Returns: whether the user's name is the unmangled name of this kernel.
  [[nodiscard, gnu::cold]] bool is_called(const std::string& mangled) const {
    const std::string readable = demangled(mangled);
    return base_name(readable) == name_ || without_blanks(qualified_name(readable)) == without_blanks(name_);
  }
  /// Returns: whether the mangled name has these parameters.
  [[nodiscard, gnu::cold]] bool takes(const named_kernel& candidate, std::span<const parameter_info> wanted) const {
    std::vector<parameter_info> found;
    if (!parse_parameters(demangled(candidate.name), found) || found.size() != wanted.size()) return false;
    return std::equal(found.begin(), found.end(), wanted.begin(), [](const auto& have, const auto& want) {
      if (want.space == address_space::local && have.space == address_space::value) return have.type == "unsigned int";
      return want.spelling.empty() ? want.space == have.space : want.spelling == spelling_of(have);
    });
  }
  [[nodiscard]] std::unique_ptr<known_kernel> record(const named_kernel& candidate) const {
    return recorded(candidate, image_.get());
  }
  const abi::functions* table_;
  abi::library module_;
  std::string name_;
  source_location where_;
  std::shared_ptr<const image_record> image_;
};

}  // namespace detail

std::vector<std::string> kernel_functions::kernel_names(abi::library module, const source_location& where) const {
  std::vector<std::string> names;
  detail::kernel_list known = detail::known_kernels(table(), module, where);
  for (const detail::named_kernel& each : known.kernels) {
    names.push_back(std::string(detail::qualified_name(detail::demangled(each.name))));
  }
  const std::vector<std::string> readable = names;
  for (std::size_t i = 0; i < names.size(); ++i) {  // overloads are requested by their mangled names
    if (std::count(readable.begin(), readable.end(), readable[i]) > 1) names[i] = known.kernels[i].name;
  }
  if (names.empty() && !known.all) detail::throw_error(errc::unsupported, detail::unlisted_text(table(), where), where);
  std::sort(names.begin(), names.end());
  return names;
}

detail::kernel_record* kernel_functions::create_kernel(abi::library module, const char* name,
                                                       const source_location& where) const {
  return detail::kernel_finder(table(), module, name, where).find({}, false).release();
}
detail::kernel_record* kernel_functions::find_kernel(abi::library module, const char* name,
                                                     std::span<const parameter_info> wanted,
                                                     const source_location& where) const {
  return detail::kernel_finder(table(), module, name, where).find(wanted, true).release();
}
detail::kernel_record* kernel_functions::adopt_kernel(abi::library module, abi::kernel kernel, bool,
                                                      const source_location& where) const {
  std::string name;
  bool is_foreign = false;
  if (kernel == nullptr) yoke::detail::throw_null_native("kernel", where);
  if (table()->kernel_get_library != nullptr) {
    abi::library of = nullptr;
    yoke::detail::ask_native("kernel", kernel, where,
                             [&] { detail::invoke<&abi::functions::kernel_get_library>(table(), where, &of, kernel); });
    is_foreign = of != module;
  } else {  // a driver before 12.5: searches the known kernels
    const detail::kernel_list known = detail::known_kernels(table(), module, where);
    const auto same = std::find_if(known.kernels.begin(), known.kernels.end(),
                                   [&](const auto& each) { return each.native == kernel; });
    is_foreign = same == known.kernels.end() && known.all;
    if (same != known.kernels.end()) name = same->name;
  }
  if (is_foreign) yoke::detail::throw_foreign_native("kernel", yoke::detail::native_value(kernel), "module", where);
  if (name.empty()) name = detail::name_of(table(), kernel, where);
  return detail::recorded({kernel, std::move(name)}, detail::images_of(table()).find(module).get()).release();
}
abi::kernel kernel_functions::native_of(kernel_handle kernel) const noexcept { return kernel->native; }
release_result kernel_functions::release_kernel(kernel_handle kernel) const noexcept {
  delete static_cast<detail::known_kernel*>(kernel);
  return {};
}
release_result kernel_functions::detach_kernel(kernel_handle kernel) const noexcept {
  delete static_cast<detail::known_kernel*>(kernel);
  return {};
}

namespace detail {

/// Returns: whether the driver (12.4 or newer) tells the layout of the parameters.
bool read_layout(const abi::functions* table, abi::kernel kernel, std::vector<parameter_layout>& layout,
                 const source_location& where) {
  if (table->kernel_get_param_info == nullptr) return false;
  parameter_layout each;
  abi::status status = abi::success;
  while ((status = call<&abi::functions::kernel_get_param_info>(table, kernel, layout.size(), &each.offset,
                                                                &each.bytes)) == abi::success) {
    layout.push_back(each);
  }
  // After the last parameter the driver returns "invalid value".
  if (status != abi::error_invalid_value) throw_failure(status, "cuKernelGetParamInfo", "", where);
  return true;
}

}  // namespace detail

kernel_signature kernel_functions::signature(abi::context context, kernel_handle kernel,
                                             const source_location& where) const {
  auto& known = *static_cast<detail::known_kernel*>(kernel);
  kernel_signature result;
  result.cxx = true;
  result.by_compiler = known.by_compiler;
  result.counted = false;
  {
    const detail::current_context scope(table(), context, where);  // the driver has loaded the kernel only there
    detail::invoke<&abi::functions::kernel_get_function>(table(), where, &kernel->direct, kernel->native);
    if (!result.by_compiler) result.laid_out = detail::read_layout(table(), kernel->native, result.layout, where);
  }
  if (result.by_compiler) return result;
  if (known.has_ptx && !result.laid_out) {
    result.laid_out = true;
    result.layout = known.ptx;
  } else if (known.has_ptx && known.ptx.size() == result.layout.size()) {
    // The driver knows sizes; the PTX also shows which numbers are floating point.
    for (std::size_t i = 0; i < result.layout.size(); ++i) result.layout[i].scalar = known.ptx[i].scalar;
  }
  result.counted = result.laid_out;
  result.count = result.layout.size();
  std::vector<parameter_info> parameters = known.registered;
  if (!known.is_registered) {
    if (known.name.empty()) known.name = detail::name_of(table(), kernel->native, where);
    if (!detail::parse_parameters(detail::demangled(known.name), parameters)) return result;
  }
  if (result.counted && parameters.size() != result.count) return result;
  result.count = parameters.size();
  result.counted = true;
  result.parameters = std::move(parameters);
  result.described = true;
  return result;
}

bool kernel_functions::accepts(abi::context context, kernel_handle kernel, std::span<const kernel_argument> arguments,
                               const source_location& where) const {
  if (table()->kernel_get_param_info == nullptr) return true;
  const detail::current_context scope(table(), context, where);
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    std::size_t offset = 0;
    std::size_t bytes = 0;
    const abi::status status =
        detail::call<&abi::functions::kernel_get_param_info>(table(), kernel->native, i, &offset, &bytes);
    if (status == abi::error_invalid_value) return false;
    if (status != abi::success) detail::throw_failure(status, "cuKernelGetParamInfo", "", where);
    const bool local = arguments[i].kind == argument_kind::local;  // an offset in the dynamic block
    if (bytes != (local ? sizeof(abi::uint) : arguments[i].bytes)) return false;
  }
  return true;
}

int kernel_functions::attribute(abi::kernel kernel, device_id device, abi::function_attribute which,
                                const source_location& where) const {
  int value = 0;
  detail::invoke<&abi::functions::kernel_get_attribute>(table(), where, &value, which, kernel, device.native());
  return value;
}
void kernel_functions::set_attribute(abi::kernel kernel, device_id device, abi::function_attribute which, int value,
                                     const source_location& where) const {
  detail::invoke<&abi::functions::kernel_set_attribute>(table(), where, which, value, kernel, device.native());
}
void kernel_functions::set_cache(abi::kernel kernel, device_id device, abi::cache_config preference,
                                 const source_location& where) const {
  using enum abi::cache_config;
  yoke::detail::check_enumerator("cache_preference", preference, {prefer_none, prefer_shared, prefer_l1, prefer_equal},
                                 where);
  detail::invoke<&abi::functions::kernel_set_cache_config>(table(), where, kernel, preference, device.native());
}

bool kernel_functions::is_kernel_loaded(abi::context context, abi::kernel kernel, const source_location& where) const {
  const detail::current_context scope(table(), context, where);
  abi::function function = nullptr;
  detail::invoke<&abi::functions::kernel_get_function>(table(), where, &function, kernel);
  auto state = abi::function_loading_state::unloaded;
  detail::invoke<&abi::functions::function_is_loaded>(table(), where, &state, function);
  return state == abi::function_loading_state::loaded;
}
void kernel_functions::load_kernel(abi::context context, abi::kernel kernel, const source_location& where) const {
  const detail::current_context scope(table(), context, where);
  abi::function function = nullptr;
  detail::invoke<&abi::functions::kernel_get_function>(table(), where, &function, kernel);
  detail::invoke<&abi::functions::function_load>(table(), where, function);
}

kernel_limits kernel_functions::limits_of_kernel(kernel_handle kernel, device_id device,
                                                 const source_location& where) const {
  const auto number = [&](abi::function_attribute which) {
    return static_cast<std::size_t>(attribute(kernel->native, device, which, where));
  };
  kernel_limits result;
  result.max_block = number(abi::function_attribute::max_threads_per_block);
  result.static_local_bytes = number(abi::function_attribute::shared_size_bytes);
  result.private_bytes = number(abi::function_attribute::local_size_bytes);
  result.preferred_multiple = 32;  // a warp
  return result;
}

}  // namespace yoke::inline v0_1::cuda

#endif
