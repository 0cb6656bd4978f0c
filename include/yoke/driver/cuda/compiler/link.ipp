// SPDX-License-Identifier: MIT
// Bodies of driver/cuda/compiler/link.hpp.
#ifndef YOKE_DRIVER_CUDA_COMPILER_LINK_IPP
#define YOKE_DRIVER_CUDA_COMPILER_LINK_IPP

#include <yoke/driver/cuda/compiler/link.hpp>

#include <yoke/core/text.hpp>
#include <yoke/driver/cuda/binary/binary_check.hpp>
#include <yoke/driver/cuda/binary/binary_kernels.hpp>
#include <yoke/driver/cuda/binary/loaded_binaries.hpp>
#include <yoke/driver/cuda/code_facts.hpp>
#include <yoke/driver/cuda/compiler/nvjitlink.hpp>
#include <yoke/driver/cuda/compiler/requests.hpp>
#include <yoke/driver/cuda/device.hpp>
#include <yoke/driver/cuda/invoke.hpp>
#include <yoke/driver/cuda/port.hpp>
#include <yoke/driver/cuda/program/jit_arguments.hpp>
#include <yoke/driver/cuda/program/language.hpp>
#include <yoke/driver/cuda/program/load_image.hpp>
#include <yoke/driver/cuda/program/program.hpp>
#include <yoke/language/language.hpp>

#include <algorithm>
#include <chrono>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

namespace yoke::inline v0_1::cuda {

namespace detail {

const char* noun_of(link_kind kind) noexcept {
  switch (kind) {
    case link_kind::cubin: return "cubin";
    case link_kind::ptx: return "PTX";
    case link_kind::fatbin: return "fatbin";
    case link_kind::object: return "object file";
    case link_kind::library: return "library";
    default: return "LTO-IR";
  }
}

/// The logs of a linker: errors, and everything else.
struct link_logs {
  std::string errors{};
  std::string others{};
};

/// Throws: the error for a linker's code, with the input that failed, its logs and the options.
[[noreturn]] void fail_link(const std::error_code& code, const char* call, const std::string& what,
                            const link_logs& logs, const std::string& options, const std::string& kept,
                            const source_location& where) {
  const bool driver = is_of(code, error_category());
  const std::string log = joined_logs(logs.errors, logs.others);
  std::string message = what + " failed" + (kept.empty() ? "" : ", all of it is in \"" + kept + "\"") + ": ";
  // For a missing symbol the code claims a damaged image: prefer the linker's log.
  if (logs.errors.find_first_not_of('\n') != std::string::npos) {
    message += std::string_view(log).substr(log.find_first_not_of('\n'));
  } else {
    message += driver ? error_text(code.value()) : nvjitlink_facts_of(code.value()).text;
    if (!log.empty()) message += ":\n" + log;
  }
  if (is_about_input(code, !log.empty())) throw compile_error(code, call, message, {log, options, "", ""}, where);
  if (driver) throw_failure(code.value(), call, message, where);
  throw_nvjitlink_failure(code.value(), call, message, where);
}
std::string adding(const link_input& input) {
  return std::string("linking ") + noun_of(input.kind) + " \"" + input.name + "\"";
}
std::string completing(const link_request& request) {
  std::string names;
  for (const link_input& each : request.inputs) names += (names.empty() ? "\"" : ", \"") + each.name + "\"";
  return "linking " + names;
}

/// Returns: the bytes for the linker: text gets a terminating zero.
std::vector<std::byte> ended(const link_input& input) {
  std::vector<std::byte> bytes = input.bytes;
  if (input.kind == link_kind::ptx && (bytes.empty() || bytes.back() != std::byte{0})) bytes.push_back(std::byte{0});
  return bytes;
}

/// The driver's link state for a scope. Requires: the logs and the time's variable outlive it.
class link_scope {
 public:
  link_scope(const abi::functions* table, jit_arguments& arguments, const source_location& where) : table_(table) {
    const abi::status status =
        call<&abi::functions::link_create>(table, arguments.count(), arguments.names(), arguments.values(), &state_);
    if (status != abi::success) throw_failure(status, "cuLinkCreate", arguments.error_log(), where);
  }
  link_scope(const link_scope&) = delete;
  link_scope& operator=(const link_scope&) = delete;
  ~link_scope() { report(release<&abi::functions::link_destroy>(table_, state_)); }
  [[nodiscard]] abi::link_state state() const noexcept { return state_; }

 private:
  const abi::functions* table_;
  abi::link_state state_ = nullptr;
};

linked_image link_by_driver(const abi::functions* table, abi::context context, const link_request& request,
                            const source_location& where) {
  const current_context current(table, context, where);
  jit_arguments arguments(request.jit, where, true);
  const auto logs = [&] { return link_logs{arguments.error_log(), arguments.info_log()}; };
  const link_scope scope(table, arguments, where);
  for (const link_input& each : request.inputs) {
    const auto kind = static_cast<abi::jit_input>(each.kind);
    abi::status status = abi::success;
    if (each.bytes.empty()) {
      status =
          call<&abi::functions::link_add_file>(table, scope.state(), kind, each.name.c_str(), 0U, nullptr, nullptr);
    } else {
      // The driver has read the bytes when it returns.
      std::vector<std::byte> bytes = ended(each);
      status = call<&abi::functions::link_add_data>(table, scope.state(), kind, bytes.data(), bytes.size(),
                                                    each.name.c_str(), 0U, nullptr, nullptr);
    }
    const char* const call = each.bytes.empty() ? "cuLinkAddFile" : "cuLinkAddData";
    if (status != abi::success)
      fail_link({status, error_category()}, call, adding(each), logs(), "", request.kept, where);
  }
  void* image = nullptr;
  std::size_t bytes = 0;
  const abi::status status = call<&abi::functions::link_complete>(table, scope.state(), &image, &bytes);
  if (status != abi::success) {
    fail_link({status, error_category()}, "cuLinkComplete", completing(request), logs(), "", request.kept, where);
  }
  linked_image linked;
  // The image belongs to the link state and ends with it.
  linked.bytes.assign(static_cast<const std::byte*>(image), static_cast<const std::byte*>(image) + bytes);
  linked.log = arguments.info_log();
  linked.time = std::chrono::duration<float, std::milli>(arguments.wall_time());
  return linked;
}

/// nvJitLink's handle for a scope.
class nvjitlink_scope {
 public:
  nvjitlink_scope(const abi::nvjitlink_functions& linker, const std::vector<std::string>& options,
                  const source_location& where)
      : linker_(linker) {
    std::vector<const char*> words;
    words.reserve(options.size());
    for (const std::string& each : options) words.push_back(each.c_str());
    const abi::nvjitlink_status status = linker.create(&handle_, static_cast<abi::uint>(words.size()), words.data());
    if (status != abi::nvjitlink_success) {
      std::string all;
      for (const std::string& each : options) all += (all.empty() ? "" : " ") + each;
      throw_nvjitlink_failure(status, "nvJitLinkCreate",
                              "options \"" + all + "\": " + nvjitlink_facts_of(status).text + log(true), where);
    }
  }
  nvjitlink_scope(const nvjitlink_scope&) = delete;
  nvjitlink_scope& operator=(const nvjitlink_scope&) = delete;
  ~nvjitlink_scope() {
    if (handle_ != nullptr) (void)linker_.destroy(&handle_);
  }
  [[nodiscard]] abi::nvjitlink handle() const noexcept { return handle_; }
  [[nodiscard]] std::string log(bool errors) const {
    if (handle_ == nullptr) return "";
    std::size_t bytes = 0;
    const auto size = errors ? linker_.get_error_log_size : linker_.get_info_log_size;
    if (size(handle_, &bytes) != abi::nvjitlink_success || bytes == 0) return "";
    std::string text(bytes + 1, '\0');
    if ((errors ? linker_.get_error_log : linker_.get_info_log)(handle_, text.data()) != abi::nvjitlink_success) {
      return "";
    }
    text.resize(text.find('\0'));
    return text;
  }

 private:
  const abi::nvjitlink_functions& linker_;
  abi::nvjitlink handle_ = nullptr;
};

/// Returns: the request as nvJitLink's options. Throws: `logic_error` for a request that nvJitLink has no option for.
std::vector<std::string> nvjitlink_options(const link_request& request, const source_location& where) {
  const jit_options& jit = request.jit;
  const auto refuse = [&](bool given, const char* what) {
    if (given) throw_error(errc::invalid_argument, where, "JIT option ", what, " is for the driver, not nvJitLink");
  };
  refuse(jit.min_block.has_value(), "min_block");
  refuse(jit.target.has_value(), "target");
  refuse(jit.prefer_ptx.has_value(), "prefer_ptx");
  refuse(jit.cache.has_value(), "cache");
  std::vector<std::string> options{"-arch=" + request.architecture};
  const bool lto =
      request.link_time_optimization || std::any_of(request.inputs.begin(), request.inputs.end(),
                                                    [](const link_input& each) { return each.kind == link_kind::lto; });
  if (lto) options.emplace_back("-lto");
  if (jit.max_registers) options.push_back(text("-maxrregcount=", *jit.max_registers));
  if (jit.optimization_level) {
    if (*jit.optimization_level != 0 && *jit.optimization_level != 3) {
      throw_error(errc::out_of_range, where, "JIT option optimization_level is ", *jit.optimization_level,
                  ": nvJitLink takes 0 and 3");
    }
    options.push_back(text("-O", *jit.optimization_level));
  }
  if (jit.debug_info) options.emplace_back("-g");
  if (jit.line_info) options.emplace_back("-lineinfo");
  if (jit.verbose) options.emplace_back("-verbose");
  options.insert(options.end(), request.options.begin(), request.options.end());
  return options;
}

linked_image link_by_nvjitlink(const abi::nvjitlink_functions& linker, const link_request& request,
                               const source_location& where) {
  const std::vector<std::string> options = nvjitlink_options(request, where);
  std::string all;
  for (const std::string& each : options) all += (all.empty() ? "" : " ") + each;
  const auto begin = std::chrono::steady_clock::now();
  const nvjitlink_scope scope(linker, options, where);
  const auto check = [&](abi::nvjitlink_status status, const char* call, const auto& what) {
    if (status == abi::nvjitlink_success) return;
    fail_link({status, nvjitlink_error_category()}, call, what(), {scope.log(true), scope.log(false)}, all,
              request.kept, where);
  };
  for (const link_input& each : request.inputs) {
    using enum abi::nvjitlink_input;
    constexpr abi::nvjitlink_input kinds[] = {cubin, ptx, fatbin, object, archive, ltoir};
    const abi::nvjitlink_input kind = kinds[static_cast<std::size_t>(each.kind)];
    const auto what = [&] { return adding(each); };
    if (each.bytes.empty()) {
      check(linker.add_file(scope.handle(), kind, each.name.c_str()), "nvJitLinkAddFile", what);
    } else {
      const std::vector<std::byte> bytes = ended(each);
      check(linker.add_data(scope.handle(), kind, bytes.data(), bytes.size(), each.name.c_str()), "nvJitLinkAddData",
            what);
    }
  }
  const auto whole = [&] { return completing(request); };
  check(linker.complete(scope.handle()), "nvJitLinkComplete", whole);
  std::size_t bytes = 0;
  check(linker.get_cubin_size(scope.handle(), &bytes), "nvJitLinkGetLinkedCubinSize", whole);
  linked_image linked;
  linked.bytes.resize(bytes);
  check(linker.get_cubin(scope.handle(), linked.bytes.data()), "nvJitLinkGetLinkedCubin", whole);
  linked.log = scope.log(false);
  linked.time = std::chrono::steady_clock::now() - begin;
  return linked;
}

bool needs_nvjitlink(const link_request& request) {
  return request.link_time_optimization || !request.options.empty() ||
         std::any_of(request.inputs.begin(), request.inputs.end(),
                     [](const link_input& each) { return each.kind == link_kind::lto; });
}

}  // namespace detail

linked_image link_functions::link_image(abi::context context, device_id device, const link_request& request,
                                        const source_location& where) const {
  if (!detail::needs_nvjitlink(request)) return detail::link_by_driver(table(), context, request, where);
  link_request own = request;
  if (own.architecture.empty()) {
    own.architecture = detail::text("sm_", detail::compute_capability(table(), device.native(), where));
  }
  return detail::link_by_nvjitlink(detail::default_nvjitlink(where).table, own, where);
}

abi::library link_functions::link(abi::context context, device_id device, const link_request& request,
                                  const source_location& where) const {
  linked_image linked = link_image(context, device, request, where);
  detail::image_record record;
  record.identity = detail::identity_of(table(), device, where);
  record.log = std::move(linked.log);
  record.image = std::move(linked.bytes);
  for (const link_input& each : request.inputs) {
    record.names.insert(record.names.end(), each.names.begin(), each.names.end());
    if (each.kind != link_kind::ptx) continue;
    const std::vector<ptx_entry> entries = each.bytes.empty() ? each.entries : detail::image_entries(each.bytes);
    record.entries.insert(record.entries.end(), entries.begin(), entries.end());
  }
  return detail::load_record(table(), context, std::move(record), request.jit, where);
}

abi::library link_functions::load_intermediate(abi::context context, std::span<const device_id> devices,
                                               std::span<const std::byte> bytes, const compile_request& request,
                                               const source_location& where) const {
  const auto refuse = [&](const std::string& what) {
    detail::throw_error(errc::invalid_argument, where, what,
                        " is for sources: the driver compiles PTX by the `jit_options` of `cuda::load_image`");
  };
  if (!request.options.empty()) refuse("option \"" + request.options.front() + "\"");
  if (!request.standard.empty()) refuse("standard \"" + request.standard + "\"");
  const bool is_named = request.lines.name != detail::language().source_name;
  const std::string name = is_named ? "intermediate code \"" + request.lines.name + "\"" : "intermediate code";
  if (!detail::is_ptx(bytes)) {
    detail::throw_error(errc::incompatible_binary, where, name, " of ", bytes.size(), " bytes is not PTX");
  }
  if (request.to_keep) {  // the linker returns machine code; a library does not
    link_request alone;
    alone.inputs.push_back({link_kind::ptx, name, {bytes.begin(), bytes.end()}, {}});
    return link(context, devices.front(), alone, where);
  }
  return part<load_image_functions>().load_image(context, devices.front(), bytes, name, {}, where);
}

}  // namespace yoke::inline v0_1::cuda

#endif
