// SPDX-License-Identifier: MIT
// The build of a program: its options, its logs with line numbers of the source, and why it failed.
#ifndef YOKE_DRIVER_OPENCL_PROGRAM_PROGRAM_BUILD_HPP
#define YOKE_DRIVER_OPENCL_PROGRAM_PROGRAM_BUILD_HPP

#include <yoke/driver/compile_request.hpp>
#include <yoke/driver/opencl/device_info.hpp>
#include <yoke/driver/opencl/invoke.hpp>
#include <yoke/driver/opencl/port.hpp>

#include <algorithm>
#include <span>
#include <string>
#include <vector>

namespace yoke::inline v0_1::opencl::detail {

class program_owner {
 public:
  program_owner(const abi::functions* table, abi::program program) noexcept : table_(table), program_(program) {}
  program_owner(const program_owner&) = delete;
  program_owner& operator=(const program_owner&) = delete;
  ~program_owner() {
    if (program_ != nullptr) report(detail::release<&abi::functions::release_program>(table_, program_));
  }
  abi::program get() const noexcept { return program_; }
  void take(abi::program program) noexcept { program_ = program; }  // requires: this is empty
  abi::program release() noexcept { return std::exchange(program_, nullptr); }

 private:
  const abi::functions* table_;
  abi::program program_;
};

/// Returns: the facts of a device that its binaries must match, as readable text.
[[gnu::cold]] inline std::string identity_of(const abi::functions* table, abi::device device,
                                             const source_location& where) {
  const device_summary facts = port(table).summary(device, where);
  return facts.platform + " | " + facts.vendor + " | " + facts.name + " | " + facts.version + " | " +
         facts.driver_version;
}

/// Returns: "file:line" for a line of the source.
[[gnu::cold]] inline std::string place_of(const source_lines& source, std::size_t line) {
  const auto behind =
      std::find_if(source.marks.begin(), source.marks.end(), [&](const line_mark& each) { return each.at >= line; });
  if (behind == source.marks.begin()) return text(source.name, ":", line);
  const line_mark& mark = *std::prev(behind);
  return text(mark.file, ":", mark.line + (line - mark.at - 1));
}

/// Returns: a build log with the source's line numbers. NVIDIA's compiler and Oclgrind ignore `#line`: they name the
/// text "<kernel>" or "input.cl", and also count the lines before the source.
[[gnu::cold]] inline std::string with_source_lines(const std::string& log, const source_lines& source) {
  std::string out;
  for (std::size_t begin = 0; begin < log.size();) {
    const std::size_t end = (std::min)(log.find('\n', begin), log.size() - 1) + 1;
    std::string_view line = std::string_view(log).substr(begin, end - begin);
    begin = end;
    for (const std::string_view name : {std::string_view("<kernel>:"), std::string_view("input.cl:")}) {
      if (line.substr(0, name.size()) != name) continue;
      std::size_t number = 0;
      std::size_t digits = 0;
      const std::string_view rest = line.substr(name.size());
      while (digits < rest.size() && digits < 9 && rest[digits] >= '0' && rest[digits] <= '9') {
        number = number * 10 + static_cast<std::size_t>(rest[digits++] - '0');
      }
      if (digits == 0 || number <= source.before) continue;
      out += place_of(source, number - source.before);
      line = rest.substr(digits);
      break;
    }
    out += line;
  }
  return out;
}

/// Returns: the logs of all devices' compilers, as far as they can be read.
[[gnu::cold]] inline std::string logs_of(const abi::functions* table, const program_owner& program,
                                         std::span<const abi::device> devices, const source_lines& source,
                                         const source_location& where) {
  std::string log;
  for (const abi::device device : devices) {
    std::string part;
    try {
      part = port(table).build_log(program.get(), device, source, where);
    } catch (const error&) {  // the build's own failure is thrown
    }
    if (part.empty()) continue;
    if (devices.size() > 1) log += port(table).summary(device, where).name + ":\n";
    log += part;
    if (log.back() != '\n') log += '\n';
  }
  return log;
}

/// Returns: the options in OpenCL's spelling, joined. Throws: `logic_error` for an option that cannot be expressed so.
[[gnu::cold]] inline std::string finished_options(const compile_request& request, const source_location& where) {
  constexpr std::string_view standard_option = "-cl-std=";
  std::string joined;
  const auto add = [&](const std::string& option) { joined += (joined.empty() ? "" : " ") + option; };
  std::string standard = request.standard;
  if (!standard.empty()) add(std::string(standard_option) + standard);
  for (const std::string& option : request.options) {
    const std::size_t found = option.find(standard_option);
    const bool names_standard = found == 0 || (found != std::string::npos && option[found - 1] == ' ');
    if (names_standard && !standard.empty()) {
      throw_error(errc::invalid_argument, where, "option \"", option, "\" names a second standard, after \"", standard,
                  "\"");
    }
    if (names_standard) standard = option;
    add(option);
  }
  if (standard.empty()) add(std::string(standard_option) + "CL1.2");
  for (const std::string& folder : request.include_folders) {
    if (folder.find_first_of(" \t\"'\\") != std::string::npos) {
      throw_error(errc::invalid_argument, where, "include folder \"", folder,
                  "\" has a space, quote or backslash, which OpenCL options cannot carry");
    }
    add("-I " + folder);
  }
  return joined;
}

/// Returns: the options for the compiler, without definitions that the text has.
[[gnu::cold]] inline std::string passed_options(const compile_request& request, const source_location& where) {
  compile_request passed;
  passed.standard = request.standard;
  passed.options = yoke::detail::options_beside_text(request);
  passed.include_folders = request.include_folders;
  return finished_options(passed, where);
}

[[gnu::cold]] inline void build(const abi::functions* table, const program_owner& program,
                                std::span<const abi::device> devices, const compile_request& request,
                                const std::string& given, const source_location& where) {
  const auto attempt = [&](const std::string& options) {
    return table->build_program(program.get(), static_cast<abi::uint>(devices.size()), devices.data(), options.c_str(),
                                nullptr, nullptr);
  };
  const auto with_flag = [](const std::string& options) {
    return options + (options.empty() ? "" : " ") + "-cl-kernel-arg-info";
  };
  const std::string passed = request.in_text.empty() ? given : passed_options(request, where);
  const std::string described = with_flag(given);
  if (request.used_options != nullptr) *request.used_options = described;
  abi::status status = attempt(with_flag(passed));  // with the flag the compiler keeps the signatures
  if (status == 0) return;
  if (status != -11 && status != -43 && status != -3 && status != abi::invalid_value && status != -66) {
    throw_failure(status, "clBuildProgram", "", where);
  }
  const std::string log = logs_of(table, program, devices, request.lines, where);
  // With the flag, NVIDIA's compiler (580.159) writes assembly that its own assembler refuses for a kernel without
  // parameters. Without the flag only sizes of parameters can be checked.
  if (log.find("ptxas") != std::string::npos && attempt(passed) == 0) return;
  compile_error::details facts{log, described, request.source,
                               "clang -x cl -fsyntax-only " + described + " " + request.lines.name};
  std::string message = "building " + request.lines.name + " with options \"" + described + "\" failed";
  if (!request.kept.empty()) message += ", all of it is in \"" + request.kept + "\"";
  if (!log.empty()) message += ":\n" + log;
  if (!request.hint.empty()) message += (message.back() == '\n' ? "" : "\n") + request.hint;
  throw compile_error({status, error_category()}, "clBuildProgram", message, std::move(facts), where);
}

}  // namespace yoke::inline v0_1::opencl::detail

#endif
