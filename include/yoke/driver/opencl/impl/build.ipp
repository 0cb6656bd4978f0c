// SPDX-License-Identifier: MIT
// Bodies of driver/opencl/program.hpp: programs, from source, binary or intermediate code.
#ifndef YOKE_DRIVER_OPENCL_IMPL_BUILD_IPP
#define YOKE_DRIVER_OPENCL_IMPL_BUILD_IPP

#include <yoke/driver/compile_request.hpp>
#include <yoke/driver/impl/binary.ipp>
#include <yoke/driver/opencl/device_info.hpp>
#include <yoke/driver/opencl/impl/invoke.ipp>
#include <yoke/driver/opencl/impl/pocl.ipp>
#include <yoke/driver/opencl/impl/pocl_binary.ipp>
#include <yoke/driver/opencl/port.hpp>

#include <algorithm>
#include <iterator>

namespace yoke::inline YOKE_ABI::opencl {

namespace detail {

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
YOKE_COLD std::string identity_of(const abi::functions* table, abi::device device, const source_location& where) {
  const device_summary facts = port(table).summary(device, where);
  return facts.platform + " | " + facts.vendor + " | " + facts.name + " | " + facts.version + " | " +
         facts.driver_version;
}

/// Returns: "file:line" for a line of the source.
YOKE_COLD std::string place_of(const source_lines& source, std::size_t line) {
  const auto behind =
      std::find_if(source.marks.begin(), source.marks.end(), [&](const line_mark& each) { return each.at >= line; });
  if (behind == source.marks.begin()) return text(source.name, ":", line);
  const line_mark& mark = *std::prev(behind);
  return text(mark.file, ":", mark.line + (line - mark.at - 1));
}

/// Returns: a build log with the source's line numbers. NVIDIA's compiler and Oclgrind ignore `#line`: they name the text
/// "<kernel>" or "input.cl", and also count the lines before the source.
YOKE_COLD std::string with_source_lines(const std::string& log, const source_lines& source) {
  std::string out;
  for (std::size_t begin = 0; begin < log.size();) {
    const std::size_t end = std::min(log.find('\n', begin), log.size() - 1) + 1;
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
YOKE_COLD std::string logs_of(const abi::functions* table, const program_owner& program,
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

/// Returns: the options in OpenCL's words, joined. Throws: `logic_error` for an option that cannot be written so.
YOKE_COLD std::string finished_options(const compile_request& request, const source_location& where) {
  constexpr std::string_view standard_option = "-cl-std=";
  std::string joined;
  const auto add = [&](const std::string& option) { joined += (joined.empty() ? "" : " ") + option; };
  std::string standard = request.standard;
  if (!standard.empty()) add(std::string(standard_option) + standard);
  for (const std::string& option : request.options) {
    const std::size_t found = option.find(standard_option);
    const bool names_standard = found == 0 || (found != std::string::npos && option[found - 1] == ' ');
    if (names_standard && !standard.empty()) {
      throw_error(errc::invalid_argument,
                  "option \"" + option + "\" names a second standard, after \"" + standard + "\"", where);
    }
    if (names_standard) standard = option;
    add(option);
  }
  if (standard.empty()) add(std::string(standard_option) + "CL1.2");
  for (const std::string& folder : request.include_folders) {
    if (folder.find_first_of(" \t\"'\\") != std::string::npos) {
      throw_error(
          errc::invalid_argument,
          "include folder \"" + folder + "\" has a space, quote or backslash, which OpenCL options cannot carry",
          where);
    }
    add("-I " + folder);
  }
  return joined;
}

/// Returns: the same as the compiler gets them, without definitions that the text has.
YOKE_COLD std::string passed_options(const compile_request& request, const source_location& where) {
  compile_request passed;
  passed.standard = request.standard;
  passed.options = yoke::detail::options_beside_text(request);
  passed.include_folders = request.include_folders;
  return finished_options(passed, where);
}

YOKE_COLD void build(const abi::functions* table, const program_owner& program, std::span<const abi::device> devices,
                     const compile_request& request, const std::string& given, const source_location& where) {
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
  if (status != -11 && status != -43 && status != -3 && status != -30 && status != -66) {
    throw_failure(status, "clBuildProgram", "", where);
  }
  const std::string log = logs_of(table, program, devices, request.lines, where);
  // For a kernel without parameters and with the flag, NVIDIA's compiler (580.159) writes assembly that its own assembler
  // refuses. Without the flag only sizes of parameters can be checked.
  if (log.find("ptxas") != std::string::npos && attempt(passed) == 0) return;
  compile_error::details facts{log, described, request.source,
                               "clang -x cl -fsyntax-only " + described + " " + request.lines.name};
  std::string message = "building " + request.lines.name + " with options \"" + described + "\" failed";
  if (!request.kept.empty()) message += ", all of it is in \"" + request.kept + "\"";
  if (!log.empty()) message += ":\n" + log;
  throw compile_error({status, error_category()}, "clBuildProgram", message, std::move(facts), where);
}

}  // namespace detail

YOKE_COLD build_target program_functions::target_of(std::span<const abi::device> devices,
                                                    const source_location& where) const {
  constexpr auto get = &abi::functions::get_device_info;
  build_target target{"opencl", "binary", "", ""};
  for (const abi::device device : devices) {
    const auto platform = detail::query<abi::platform, get>(table(), where, device, info::platform.code);
    target.driver +=
        detail::query_text<&abi::functions::get_platform_info>(table(), where, platform, abi::platform_version) +
        " | " + detail::query_text<get>(table(), where, device, info::driver_version.code) + "\n";
    // Devices of one name may take different code: features are part of the identity.
    target.devices += detail::identity_of(table(), device, where) + " | " +
                      detail::query_text<get>(table(), where, device, info::extensions.code) + "\n";
  }
  return target;
}
YOKE_COLD std::string program_functions::compiler_of(std::span<const abi::device> devices, bool,
                                                     const source_location& where) const {
  return "the compiler of " + target_of(devices, where).driver;
}

YOKE_COLD abi::program program_functions::compile(abi::context context, std::span<const abi::device> devices,
                                                  const compile_request& request, const source_location& where) const {
  const std::string options = detail::finished_options(request, where);
  const char* text = request.text.c_str();
  const std::size_t length = request.text.size();
  detail::program_owner program{
      table(), detail::create<&abi::functions::create_program_with_source>(table(), where, context, abi::uint{1}, &text,
                                                                           static_cast<const std::size_t*>(&length))};
  detail::build(table(), program, devices, request, options, where);
  return program.release();
}

YOKE_COLD abi::program program_functions::load_binary(abi::context context, std::span<const abi::device> devices,
                                                      bytes_view bytes, const source_location& where) const {
  const auto entries = yoke::detail::unpack_binary(bytes, where);
  std::vector<const unsigned char*> data;
  std::vector<std::size_t> sizes;
  for (const abi::device device : devices) {
    const std::string identity = detail::identity_of(table(), device, where);
    const auto found = std::find_if(entries.begin(), entries.end(), [&](const yoke::detail::binary_entry& entry) {
      return entry.identity == identity;
    });
    if (found == entries.end()) {
      detail::throw_error(
          errc::incompatible_binary,
          "the binary was made for \"" + entries.front().identity + "\", not for this device, \"" + identity + "\"",
          where);
    }
    if (!detail::is_whole_pocl_binary(found->payload)) {
      detail::throw_error(
          errc::incompatible_binary,
          detail::text("binary of ", bytes.size(), " bytes: it contains files of PoCL that are cut short"), where);
    }
    data.push_back(reinterpret_cast<const unsigned char*>(found->payload.data()));
    sizes.push_back(found->payload.size());
  }
  std::vector<abi::status> statuses(devices.size());
  detail::program_owner program{table(),
                                detail::create<&abi::functions::create_program_with_binary>(
                                    table(), where, context, static_cast<abi::uint>(devices.size()), devices.data(),
                                    static_cast<const std::size_t*>(sizes.data()), data.data(), statuses.data())};
  // `build` gives the flag again: a binary alone has no argument info.
  compile_request request;
  request.lines.name = "binary";
  detail::build(table(), program, devices, request, "", where);
  return program.release();
}

YOKE_COLD abi::program program_functions::load_intermediate(abi::context context, std::span<const abi::device> devices,
                                                            bytes_view bytes, const compile_request& request,
                                                            const source_location& where) const {
  for (const abi::device device : devices) {
    // PoCL 3.1 answers CL_INVALID_VALUE for a sound module: the device's own versions decide instead.
    std::string versions;
    std::size_t size = 0;
    const abi::status known = table()->get_device_info(device, info::il_version.code, 0, nullptr, &size);
    // CL_INVALID_VALUE: a device older than OpenCL 2.1 does not have this property.
    if (known != 0 && known != -30) detail::throw_failure(known, "clGetDeviceInfo", "", where);
    if (known == 0 && size > 1) {
      versions = detail::query_text<&abi::functions::get_device_info>(table(), where, device, info::il_version.code);
    }
    if (versions.empty()) {
      detail::throw_error(errc::unsupported,
                          "this device takes no intermediate language (CL_DEVICE_IL_VERSION is empty)", where);
    }
  }
  // SPIR-V begins with its magic number in either byte order; anything else never reaches the driver.
  constexpr std::array magic{std::byte{0x03}, std::byte{0x02}, std::byte{0x23}, std::byte{0x07}};
  const bool sound = bytes.size() >= 20 && bytes.size() % 4 == 0 &&
                     (std::equal(magic.begin(), magic.end(), bytes.begin()) ||
                      std::equal(magic.rbegin(), magic.rend(), bytes.begin()));
  if (!sound) {
    detail::throw_error(errc::incompatible_binary,
                        detail::text("intermediate code of ", bytes.size(), " bytes is not a SPIR-V module"), where);
  }
  detail::program_owner program{table(),
                                detail::create<&abi::functions::create_program_with_il>(
                                    table(), where, context, static_cast<const void*>(bytes.data()), bytes.size())};
  detail::build(table(), program, devices, request, detail::finished_options(request, where), where);
  return program.release();
}

namespace detail {

/// Returns: a program's binary for each of its devices; bytes that the driver does not write are `fill`.
YOKE_COLD std::vector<std::vector<unsigned char>> binaries_of(const abi::functions* table, abi::program module,
                                                              unsigned char fill, const source_location& where) {
  constexpr auto get = &abi::functions::get_program_info;
  const auto sizes = query_list<std::size_t, get>(table, where, module, abi::program_binary_sizes);
  std::vector<std::vector<unsigned char>> data;
  data.reserve(sizes.size());
  std::vector<unsigned char*> pointers;
  pointers.reserve(sizes.size());
  for (const std::size_t size : sizes) pointers.push_back(data.emplace_back(size, fill).data());
  invoke<get>(table, where, module, abi::program_binaries, pointers.size() * sizeof(unsigned char*),
              static_cast<void*>(pointers.data()), static_cast<std::size_t*>(nullptr));
  return data;
}

/// Returns: the same, read again until two readings agree, with different `fill`, name every kernel and contain only whole
/// files. PoCL composes a binary from its cache's folder, to which other processes write: one made meanwhile may be cut
/// short, and then ends the process that loads it. Throws: `unsupported_error` if the readings never agree.
YOKE_COLD std::vector<std::vector<unsigned char>> settled_binaries_of(const abi::functions* table, abi::program module,
                                                                      const std::vector<std::string>& kernels,
                                                                      const source_location& where) {
  for (const std::string& name : kernels) check_kernel_name(table, module, name, where);
  const auto is_whole = [&](const std::vector<unsigned char>& bytes) {
    if (!is_whole_pocl_binary(std::as_bytes(std::span{bytes}))) return false;
    return bytes.empty() || std::all_of(kernels.begin(), kernels.end(), [&](const std::string& name) {
             return std::search(bytes.begin(), bytes.end(), name.begin(), name.end()) != bytes.end();
           });
  };
  auto data = binaries_of(table, module, 0, where);
  for (int attempt = 0; attempt < 8; ++attempt) {
    auto again = binaries_of(table, module, attempt % 2 == 0 ? 0xff : 0, where);
    if (again == data && std::all_of(data.begin(), data.end(), is_whole)) return data;
    data = std::move(again);
  }
  throw_error(errc::unsupported,
              "PoCL gives no complete binary of this module: other processes are writing to its cache", where);
}

}  // namespace detail

YOKE_COLD std::vector<std::byte> program_functions::export_binary(abi::program module,
                                                                  const source_location& where) const {
  constexpr auto get = &abi::functions::get_program_info;
  const auto devices = detail::query_list<abi::device, get>(table(), where, module, abi::program_devices);
  const bool pocl = !devices.empty() && detail::is_pocl(table(), devices.front(), where);
  const auto data = pocl
                        ? detail::settled_binaries_of(table(), module, port(table()).kernel_names(module, where), where)
                        : detail::binaries_of(table(), module, 0, where);
  std::vector<yoke::detail::binary_entry> entries;
  for (std::size_t i = 0; i < data.size(); ++i) {
    if (data[i].empty()) continue;
    entries.push_back({detail::identity_of(table(), devices[i], where), std::as_bytes(std::span{data[i]})});
  }
  if (entries.empty()) detail::throw_error(errc::unsupported, "the driver gives no binary for this module", where);
  return yoke::detail::pack_binary(entries);
}

YOKE_COLD void program_functions::retain_module(abi::program module, const source_location& where) const {
  detail::invoke<&abi::functions::retain_program>(table(), where, module);
}
YOKE_COLD release_result program_functions::release_module(abi::program module) const noexcept {
  return detail::release<&abi::functions::release_program>(table(), module);
}
YOKE_COLD abi::context program_functions::module_context(abi::program module, const source_location& where) const {
  return detail::query<abi::context, &abi::functions::get_program_info>(table(), where, module, abi::program_context);
}
YOKE_COLD std::string program_functions::build_log(abi::program module, abi::device device, const source_lines& source,
                                                   const source_location& where) const {
  return detail::with_source_lines(detail::query_text<&abi::functions::get_program_build_info>(
                                       table(), where, module, device, abi::program_build_log),
                                   source);
}

}  // namespace yoke::inline YOKE_ABI::opencl

#endif
