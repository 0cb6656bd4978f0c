// SPDX-License-Identifier: MIT
// Bodies of driver/cuda/program.hpp: images and what is in them.
#ifndef YOKE_DRIVER_CUDA_IMPL_PROGRAM_IPP
#define YOKE_DRIVER_CUDA_IMPL_PROGRAM_IPP

#include <yoke/driver/cuda/compiler/requests.hpp>
#include <yoke/driver/cuda/device_info.hpp>
#include <yoke/driver/cuda/image/impl/image_check.ipp>
#include <yoke/driver/cuda/image/impl/image_facts.ipp>
#include <yoke/driver/cuda/image/impl/image_kernels.ipp>
#include <yoke/driver/cuda/image/impl/image_list.ipp>
#include <yoke/driver/cuda/impl/invoke.ipp>
#include <yoke/driver/cuda/port.hpp>
#include <yoke/driver/impl/binary.ipp>

#include <algorithm>
#include <cctype>
#include <cstring>

namespace yoke::inline YOKE_ABI::cuda {

namespace detail {

YOKE_COLD int compute_capability(const abi::functions* table, abi::device device, const source_location& where) {
  return get(*table, device, info::compute_capability_major, where) * 10 +
         get(*table, device, info::compute_capability_minor, where);
}

/// Returns: the facts of a device that its images must match, as readable text.
YOKE_COLD std::string identity_of(const abi::functions* table, device_id device, const source_location& where) {
  const device_summary facts = port(table).summary(device, where);
  return "CUDA | " + facts.name + " | " + facts.version;
}

/// `jit_options` as the driver takes them: names, and numbers stored as pointers.
class jit_arguments {
 public:
  [[gnu::cold]] explicit jit_arguments(const jit_options& jit, const source_location& where, bool timed = false)
      : info_(log_room(jit, where), '\0'), error_(log_room(jit, where), '\0') {
    const auto number = [&](abi::jit_option name, const std::optional<int>& value, const char* what, int least,
                            int most) {
      if (!value) return;
      if (*value < least || *value > most) {
        throw_error(errc::out_of_range, text("JIT option ", what, " is ", *value, ", outside ", least, " .. ", most),
                    where);
      }
      add(name, static_cast<std::uintptr_t>(*value));
    };
    number(abi::jit_option::max_registers, jit.max_registers, "max_registers", 1, 255);
    number(abi::jit_option::threads_per_block, jit.min_block, "min_block", 1, 1024);
    number(abi::jit_option::optimization_level, jit.optimization_level, "optimization_level", 0, 4);
    number(abi::jit_option::target, jit.target, "target (90 for compute capability 9.0)", 30, 999);
    if (jit.prefer_ptx) add(abi::jit_option::fallback_strategy, *jit.prefer_ptx ? 0 : 1);
    using enum jit_cache;
    if (jit.cache) yoke::detail::check_enumerator("JIT option cache", *jit.cache, {automatic, global, all}, where);
    if (jit.cache) add(abi::jit_option::cache_mode, static_cast<std::uintptr_t>(*jit.cache));
    if (jit.debug_info) add(abi::jit_option::generate_debug_info, 1);
    if (jit.line_info) add(abi::jit_option::generate_line_info, 1);
    if (jit.verbose) add(abi::jit_option::log_verbose, 1);
    if (timed) add(abi::jit_option::wall_time, 0);
    add(abi::jit_option::info_log_buffer, reinterpret_cast<std::uintptr_t>(info_.data()));
    add(abi::jit_option::info_log_buffer_size_bytes, info_.size() - 1);
    add(abi::jit_option::error_log_buffer, reinterpret_cast<std::uintptr_t>(error_.data()));
    add(abi::jit_option::error_log_buffer_size_bytes, error_.size() - 1);
  }
  [[nodiscard]] abi::jit_option* names() noexcept { return names_.data(); }
  [[nodiscard]] void** values() noexcept { return values_.data(); }
  [[nodiscard]] abi::uint count() const noexcept { return count_; }
  /// Returns: the milliseconds, which the driver writes over the option's value. Requires: `timed`.
  [[nodiscard]] float wall_time() const noexcept {
    float milliseconds = 0;
    for (abi::uint i = 0; i < count_; ++i) {
      if (names_[i] == abi::jit_option::wall_time) std::memcpy(&milliseconds, &values_[i], sizeof milliseconds);
    }
    return milliseconds;
  }
  [[nodiscard]] const char* info_log() const noexcept { return info_.data(); }
  [[nodiscard]] const char* error_log() const noexcept { return error_.data(); }

 private:
  static std::size_t log_room(const jit_options& jit, const source_location& where) {
    constexpr std::size_t most = std::size_t{1} << 30;  // the driver counts in 32 bits
    if (jit.log_bytes > most) {
      throw_error(errc::out_of_range, text("JIT option log_bytes is ", jit.log_bytes, ", more than ", most), where);
    }
    return jit.log_bytes + 2;
  }
  void add(abi::jit_option name, std::uintptr_t value) noexcept {
    names_[count_] = name;
    values_[count_++] = reinterpret_cast<void*>(value);
  }
  std::string info_, error_;
  std::array<abi::jit_option, 16> names_{};
  std::array<void*, 16> values_{};
  abi::uint count_ = 0;
};

/// Effects: lists the kernels that the compiler's text and the image tell of.
YOKE_COLD void list_kernels(image_record& record) {
  std::vector<std::string> names;
  const bool all = add_image_kernels(record.image, names);
  for (const ptx_entry& each : record.entries) names.push_back(each.name);
  std::sort(names.begin(), names.end());
  names.erase(std::unique(names.begin(), names.end()), names.end());  // a fatbin has them once for each kind of device
  record.has_all_kernels = all;
  record.kernels = std::move(names);
}

/// Returns: both texts, one below the other.
YOKE_COLD std::string joined_logs(std::string first, const std::string& second) {
  if (!first.empty() && !second.empty() && first.back() != '\n') first += '\n';
  return first + second;
}

}  // namespace detail

/// Throws: the error of the driver for code that it could not compile.
YOKE_COLD void program_functions::check_loaded(abi::context context, abi::library library, const char* log,
                                               const source_location& where) const {
  const detail::current_context scope(table(), context, where);
  abi::loaded_module loaded = nullptr;
  const abi::status status = detail::call<&abi::functions::library_get_module>(table(), &loaded, library);
  if (status != abi::success) detail::throw_failure(status, "cuLibraryGetModule", log, where);
}

YOKE_COLD abi::library program_functions::load_record(abi::context context, detail::image_record&& record,
                                                      const jit_options& jit, const source_location& where) const {
  if (record.entries.empty()) record.entries = detail::image_entries(record.image);
  if (record.kernels.empty()) detail::list_kernels(record);
  detail::jit_arguments arguments(jit, where);
  record.image.push_back(std::byte{0});  // PTX is text: it has to end
  abi::library library = nullptr;
  const abi::status status =
      detail::call<&abi::functions::library_load_data>(table(), &library, record.image.data(), arguments.names(),
                                                       arguments.values(), arguments.count(), nullptr, nullptr, 0U);
  if (status != abi::success) {
    detail::throw_failure(status, "cuLibraryLoadData", detail::joined_logs(arguments.error_log(), arguments.info_log()),
                          where);
  }
  record.library = library;
  try {
    // A driver that finds PTX broken may say so in its log only, and still return an empty library.
    if (arguments.error_log()[0] != '\0') check_loaded(context, library, arguments.error_log(), where);
    record.image.pop_back();
    record.log = detail::joined_logs(std::move(record.log), arguments.info_log());
    detail::images_of(table()).add(std::move(record));
  } catch (...) {
    detail::report(detail::release<&abi::functions::library_unload>(table(), library));
    throw;
  }
  return library;
}

YOKE_COLD abi::library program_functions::load_image(abi::context context, device_id device, bytes_view image,
                                                     const std::string& name, const jit_options& jit,
                                                     const source_location& where) const {
  const std::string problem = detail::image_problem(image);
  if (!problem.empty()) {
    detail::throw_error(errc::incompatible_binary, detail::text(name, " of ", image.size(), " bytes ", problem), where);
  }
  detail::image_record record;
  record.identity = detail::identity_of(table(), device, where);
  record.image.reserve(image.size() + 1);
  record.image.assign(image.begin(), image.end());
  while (detail::is_ptx(record.image) && record.image.back() == std::byte{0}) record.image.pop_back();
  return load_record(context, std::move(record), jit, where);
}

YOKE_COLD abi::library program_functions::load_binary(abi::context context, std::span<const device_id> devices,
                                                      bytes_view bytes, const source_location& where) const {
  return load_binary_with(context, devices, bytes, {}, where);
}

YOKE_COLD abi::library program_functions::load_binary_with(abi::context context, std::span<const device_id> devices,
                                                           bytes_view bytes, const jit_options& jit,
                                                           const source_location& where) const {
  const auto entries = yoke::detail::unpack_binary(bytes, where);
  const std::string identity = detail::identity_of(table(), devices.front(), where);
  for (const yoke::detail::binary_entry& entry : entries) {
    if (entry.identity != identity) continue;
    detail::image_record record;
    record.identity = identity;
    record.image.assign(entry.payload.begin(), entry.payload.end());
    if (!detail::take_facts(record, entry.facts)) {
      detail::throw_error(errc::incompatible_binary,
                          detail::text("binary of ", bytes.size(), " bytes: its facts about kernels are damaged"),
                          where);
    }
    return load_record(context, std::move(record), jit, where);
  }
  detail::throw_error(
      errc::incompatible_binary,
      "the binary was made for \"" + entries.front().identity + "\", not for this device, \"" + identity + "\"", where);
}

YOKE_COLD abi::library program_functions::load_intermediate(abi::context context, std::span<const device_id> devices,
                                                            bytes_view bytes, const compile_request& request,
                                                            const source_location& where) const {
  const auto refuse = [&](const std::string& what) {
    detail::throw_error(errc::invalid_argument,
                        what + " is for sources: the driver compiles PTX by the `jit_options` of `cuda::load_image`",
                        where);
  };
  if (!request.options.empty()) refuse("option \"" + request.options.front() + "\"");
  if (!request.standard.empty()) refuse("standard \"" + request.standard + "\"");
  const bool is_named = request.lines.name != language().source_name;
  const std::string name = is_named ? "intermediate code \"" + request.lines.name + "\"" : "intermediate code";
  if (!detail::is_ptx(bytes)) {
    detail::throw_error(errc::incompatible_binary, detail::text(name, " of ", bytes.size(), " bytes is not PTX"),
                        where);
  }
  if (request.to_keep) {  // the linker returns machine code; a library does not
    link_request alone;
    alone.inputs.push_back({link_kind::ptx, name, {bytes.begin(), bytes.end()}, {}});
    return link(context, devices.front(), alone, where);
  }
  return load_image(context, devices.front(), bytes, name, {}, where);
}

YOKE_COLD std::vector<std::byte> program_functions::export_binary(abi::library module,
                                                                  const source_location& where) const {
  const auto record = detail::images_of(table()).find(module);
  if (record == nullptr) {
    detail::throw_error(errc::unsupported, "the driver gives no binary of a module that was loaded elsewhere", where);
  }
  const std::vector<std::byte> facts = detail::facts_of(*record);
  return yoke::detail::pack_binary({{record->identity, record->image, facts}});
}

YOKE_COLD void program_functions::retain_module(abi::library module, const source_location&) const {
  detail::add_reference(table(), module);
}
YOKE_COLD release_result program_functions::release_module(abi::library module) const noexcept {
  if (detail::drop_reference(table(), module)) return {};
  detail::images_of(table()).forget(module);
  return detail::release<&abi::functions::library_unload>(table(), module);
}
YOKE_COLD std::string program_functions::build_log(abi::library module, device_id, const source_lines&,
                                                   const source_location&) const {
  const auto record = detail::images_of(table()).find(module);
  return record == nullptr ? "" : record->log;
}

namespace detail {

/// Returns: "_ZN2ns5tableE" for "ns::table"; "" for a name without namespaces, or one that is not plain.
/// `internal` is the form of a variable that is const.
YOKE_COLD std::string mangled_variable(std::string_view name, bool internal) {
  if (name.substr(0, 2) == "::") name.remove_prefix(2);
  if (name.find("::") == std::string_view::npos) return "";
  std::string mangled = "_ZN";
  for (;;) {
    const std::size_t end = (std::min)(name.find("::"), name.size());
    const std::string_view part = name.substr(0, end);
    if (part.empty() || !std::all_of(part.begin(), part.end(),
                                     [](unsigned char letter) { return std::isalnum(letter) != 0 || letter == '_'; })) {
      return "";
    }
    const bool last = end == name.size();
    if (last && internal) mangled += 'L';
    mangled.append(std::to_string(part.size())).append(part);
    if (last) return mangled + "E";
    name.remove_prefix(end + 2);
  }
}

}  // namespace detail

YOKE_COLD global_variable program_functions::find_global(abi::context context, abi::library module,
                                                         const std::string& name, const source_location& where) const {
  std::vector<std::string> forms{name};
  const std::string_view plain = std::string_view(name).substr(name.rfind('&', 0) == 0 ? 1 : 0);
  if (const auto record = detail::images_of(table()).find(module); record != nullptr) {
    for (const detail::known_name& each : record->names) {
      if (each.name == name || each.name == "&" + name) forms.push_back(each.lowered);
    }
  }
  forms.push_back(std::string(plain.substr(plain.rfind("::", 0) == 0 ? 2 : 0)));
  for (const bool internal : {false, true}) forms.push_back(detail::mangled_variable(plain, internal));
  const detail::current_context scope(table(), context, where);
  for (const std::string& each : forms) {
    if (each.empty() || each[0] == '&') continue;
    global_variable found;
    abi::status status =
        detail::call<&abi::functions::library_get_global>(table(), &found.address, &found.bytes, module, each.c_str());
    const char* call = "cuLibraryGetGlobal";
    if (status == abi::error_not_found) {
      status = detail::call<&abi::functions::library_get_managed>(table(), &found.address, &found.bytes, module,
                                                                  each.c_str());
      call = "cuLibraryGetManaged";
    }
    if (status == abi::success) return found;
    if (status != abi::error_not_found) detail::throw_failure(status, call, "variable \"" + name + "\"", where);
  }
  throw logic_error({abi::error_not_found, error_category()}, "cuLibraryGetGlobal",
                    "no variable \"" + name +
                        "\" in this module; one in a namespace goes by its whole name, a template's by a name "
                        "expression, and one that is static or that nothing uses may be gone",
                    where);
}

}  // namespace yoke::inline YOKE_ABI::cuda

#endif
