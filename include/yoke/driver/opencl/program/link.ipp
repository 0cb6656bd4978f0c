// SPDX-License-Identifier: MIT
// Bodies of driver/opencl/program/link.hpp. Messages name headers as the source does.
#ifndef YOKE_DRIVER_OPENCL_PROGRAM_LINK_IPP
#define YOKE_DRIVER_OPENCL_PROGRAM_LINK_IPP

#include <yoke/driver/opencl/program/link.hpp>

#include <yoke/driver/opencl/port.hpp>

#include <yoke/driver/compile_request.hpp>
#include <yoke/driver/opencl/program/made_kernel.hpp>
#include <yoke/driver/opencl/program/program_build.hpp>

#include <algorithm>
#include <memory>

namespace yoke::inline v0_1::opencl {

namespace detail {

abi::program program_of_text(const abi::functions* table, abi::context context, const std::string& code,
                             const source_location& where) {
  const char* text = code.c_str();
  const std::size_t length = code.size();
  return create<&abi::functions::create_program_with_source>(table, where, context, abi::uint{1}, &text,
                                                             static_cast<const std::size_t*>(&length));
}

/// Throws: the error for a code of the compiler or linker, with its log.
[[noreturn]] void fail_step(abi::status status, const char* call, const std::string& what, const std::string& options,
                            const std::string& source, const std::string& log, const source_location& where) {
  std::string message = what + " with options \"" + options + "\" failed";
  if (!log.empty()) message += ":\n" + log;
  const bool by_input = status == -11 || status == -15 || status == -17 || status == -43 || status == -66 ||
                        status == -67 ||
                        (!log.empty() && (status == abi::invalid_value || status == abi::invalid_operation));
  if (by_input) throw compile_error({status, error_category()}, call, message, {log, options, source, ""}, where);
  throw_failure(status, call, message, where);
}

/// Returns: a log that names headers as the source includes them. PoCL 3.1 writes headers to a temporary folder and
/// names the files there; Intel's CPU runtime prefixes them with "./".
std::string with_header_names(std::string log, std::span<const std::pair<std::string, std::string>> headers,
                              const std::vector<std::string>& include_folders) {
  std::vector<std::string> names;
  for (const auto& each : headers) names.push_back(each.first);
  // Longer names first: "inner/step.h" also ends in "step.h".
  std::sort(names.begin(), names.end(), [](const auto& one, const auto& other) { return one.size() > other.size(); });
  for (const std::string& name : names) {
    const std::string ending = "/" + name + ":";
    for (std::size_t at = log.find(ending); at != std::string::npos; at = log.find(ending, at + 1)) {
      const std::size_t blank = log.find_last_of(" \t\n\"'", at);
      const std::size_t begin = blank == std::string::npos ? 0 : blank + 1;
      const std::string_view folder = std::string_view(log).substr(begin, at - begin);
      const bool users = std::any_of(include_folders.begin(), include_folders.end(),
                                     [&](const std::string& own) { return folder.substr(0, own.size()) == own; });
      if ((log[begin] != '/' && folder != ".") || users) continue;
      log.erase(begin, at + 1 - begin);
      at = begin;
    }
  }
  return log;
}

}  // namespace detail

abi::program link_functions::compile_part(abi::context context, std::span<const abi::device> devices,
                                          const compile_request& request,
                                          std::span<const std::pair<std::string, std::string>> headers,
                                          const source_location& where) const {
  std::string options = detail::finished_options(request, where);
  std::string passed = detail::passed_options(request, where);
  for (std::string* const each : {&options, &passed})
    *each += (each->empty() ? "" : " ") + std::string("-cl-kernel-arg-info");
  auto* const compile = detail::entry<&abi::functions::compile_program>(table(), where);
  std::vector<std::unique_ptr<detail::program_owner>> owners;
  std::vector<abi::program> natives;
  std::vector<const char*> names;
  for (const auto& [name, code] : headers) {
    owners.push_back(std::make_unique<detail::program_owner>(table(), nullptr));
    owners.back()->take(detail::program_of_text(table(), context, code, where));
    natives.push_back(owners.back()->get());
    names.push_back(name.c_str());
  }
  detail::program_owner program{table(), detail::program_of_text(table(), context, request.text, where)};
  const abi::status status =
      compile(program.get(), static_cast<abi::uint>(devices.size()), devices.data(), passed.c_str(),
              static_cast<abi::uint>(natives.size()), natives.empty() ? nullptr : natives.data(),
              names.empty() ? nullptr : names.data(), nullptr, nullptr);
  if (status != 0) {
    const std::string log = detail::logs_of(table(), program, devices, request.lines, where);
    detail::fail_step(status, "clCompileProgram", "compiling " + request.lines.name, options, request.source,
                      detail::with_header_names(log, headers, request.include_folders), where);
  }
  return program.release();
}

namespace detail {

/// Whether the driver describes the parameters of a linked program's kernels. A linker that loses one description loses
/// all, so this queries only the first kernel that has parameters. Throws: `std::bad_alloc`.
bool describes_kernels(const abi::functions* table, abi::program linked, const source_location& where) {
  try {
    for (const std::string& name : port(table).kernel_names(linked, where)) {
      abi::status status = 0;
      const made_kernel made{table, table->create_kernel(linked, name.c_str(), &status)};
      if (status != 0 || made.kernel == nullptr) continue;
      if (query<abi::uint, &abi::functions::get_kernel_info>(table, where, made.kernel, abi::kernel_num_args) == 0) {
        continue;
      }
      abi::uint space = 0;
      return !is_undescribed(
          table->get_kernel_arg_info(made.kernel, 0, abi::kernel_arg_address_qualifier, sizeof space, &space, nullptr));
    }
  } catch (const error&) {  // the driver cannot tell: linking again would not help
  }
  return true;
}

}  // namespace detail

abi::program link_functions::link_parts(abi::context context, std::span<const abi::device> devices,
                                        std::span<const abi::program> parts, const std::string& names,
                                        const std::vector<std::string>& options, const source_location& where) const {
  std::string all;
  for (const std::string& each : options) all += (all.empty() ? "" : " ") + each;
  auto* const link = detail::entry<&abi::functions::link_program>(table(), where);
  abi::status status = 0;
  const auto link_with = [&](const std::string& words) {
    return link(context, static_cast<abi::uint>(devices.size()), devices.data(), words.c_str(),
                static_cast<abi::uint>(parts.size()), parts.data(), nullptr, nullptr, &status);
  };
  // A failed link may also return a program, which has the log.
  detail::program_owner linked{table(), link_with(all)};
  if (status == 0 && linked.get() == nullptr) status = -17;
  if (status != 0) {
    const std::string log =
        linked.get() == nullptr ? "" : detail::logs_of(table(), linked, devices, source_lines{"linked", 0}, where);
    detail::fail_step(status, "clLinkProgram", detail::text("linking ", parts.size(), " programs, ", names, ","), all,
                      "", log, where);
  }
  if (all.find("-create-library") != std::string::npos || detail::describes_kernels(table(), linked.get(), where)) {
    return linked.release();
  }
  // PoCL 3.1 loses the options of the parts but takes the flag here. Other drivers may refuse it.
  detail::program_owner described{table(), link_with(all + (all.empty() ? "" : " ") + "-cl-kernel-arg-info")};
  const bool better =
      status == 0 && described.get() != nullptr && detail::describes_kernels(table(), described.get(), where);
  return better ? described.release() : linked.release();
}

}  // namespace yoke::inline v0_1::opencl

#endif
