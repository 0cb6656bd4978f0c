// SPDX-License-Identifier: MIT
// Bodies of driver/opencl/program/program.hpp: programs, from source, binary or intermediate code.
#ifndef YOKE_DRIVER_OPENCL_PROGRAM_PROGRAM_IPP
#define YOKE_DRIVER_OPENCL_PROGRAM_PROGRAM_IPP

#include <yoke/driver/opencl/program/program.hpp>

#include <yoke/driver/opencl/port.hpp>

#include <yoke/driver/binary.hpp>
#include <yoke/driver/compile_request.hpp>
#include <yoke/driver/opencl/device_info.hpp>
#include <yoke/driver/opencl/invoke.hpp>
#include <yoke/driver/opencl/pocl.hpp>
#include <yoke/driver/opencl/program/pocl_binary.hpp>
#include <yoke/driver/opencl/program/program_build.hpp>

#include <algorithm>
#include <iterator>

namespace yoke::inline v0_1::opencl {

build_target program_functions::target_of(std::span<const abi::device> devices, const source_location& where) const {
  constexpr auto get = &abi::functions::get_device_info;
  build_target target{"opencl", "binary", "", ""};
  for (const abi::device device : devices) {
    const auto platform = detail::query<abi::platform, get>(table(), where, device, info::platform.code);
    target.driver +=
        detail::query_text<&abi::functions::get_platform_info>(table(), where, platform, abi::platform_version) +
        " | " + detail::query_text<get>(table(), where, device, info::driver_version.code) + "\n";
    // Devices with the same name may take different code: features are part of the identity.
    target.devices += detail::identity_of(table(), device, where) + " | " +
                      detail::query_text<get>(table(), where, device, info::extensions.code) + "\n";
  }
  return target;
}
std::string program_functions::compiler_of(std::span<const abi::device> devices, bool,
                                           const source_location& where) const {
  return "the compiler of " + target_of(devices, where).driver;
}

abi::program program_functions::compile(abi::context context, std::span<const abi::device> devices,
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

abi::program program_functions::load_binary(abi::context context, std::span<const abi::device> devices,
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
      detail::throw_error(errc::incompatible_binary, where, "the binary was made for \"", entries.front().identity,
                          "\", not for this device, \"", identity, "\"");
    }
    if (!detail::is_whole_pocl_binary(found->payload)) {
      detail::throw_error(errc::incompatible_binary, where, "binary of ", bytes.size(),
                          " bytes: it contains files of PoCL that are cut short");
    }
    data.push_back(reinterpret_cast<const unsigned char*>(found->payload.data()));
    sizes.push_back(found->payload.size());
  }
  std::vector<abi::status> statuses(devices.size());
  detail::program_owner program{table(),
                                detail::create<&abi::functions::create_program_with_binary>(
                                    table(), where, context, static_cast<abi::uint>(devices.size()), devices.data(),
                                    static_cast<const std::size_t*>(sizes.data()), data.data(), statuses.data())};
  // `build` passes the flag again: a binary alone has no argument info.
  compile_request request;
  request.lines.name = "binary";
  detail::build(table(), program, devices, request, "", where);
  return program.release();
}

namespace detail {

/// Returns: a program's binary for each of its devices; bytes that the driver leaves unwritten are `fill`.
std::vector<std::vector<unsigned char>> binaries_of(const abi::functions* table, abi::program module,
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

/// As `binaries_of`, read again until two readings with different `fill` agree, name every kernel and contain only
/// whole files. PoCL composes a binary from its cache folder, to which other processes write: one made meanwhile may be
/// truncated, and then ends the process that loads it. Throws: `unsupported_error` if the readings never agree.
std::vector<std::vector<unsigned char>> settled_binaries_of(const abi::functions* table, abi::program module,
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

std::vector<std::byte> program_functions::export_binary(abi::program module, const source_location& where) const {
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

void program_functions::retain_module(abi::program module, const source_location& where) const {
  detail::invoke<&abi::functions::retain_program>(table(), where, module);
}
release_result program_functions::release_module(abi::program module) const noexcept {
  return detail::release<&abi::functions::release_program>(table(), module);
}
abi::context program_functions::module_context(abi::program module, const source_location& where) const {
  return detail::query<abi::context, &abi::functions::get_program_info>(table(), where, module, abi::program_context);
}
std::string program_functions::build_log(abi::program module, abi::device device, const source_lines& source,
                                         const source_location& where) const {
  return detail::with_source_lines(detail::query_text<&abi::functions::get_program_build_info>(
                                       table(), where, module, device, abi::program_build_log),
                                   source);
}

abi::program program_functions::load_intermediate(abi::context context, std::span<const abi::device> devices,
                                                  bytes_view bytes, const compile_request& request,
                                                  const source_location& where) const {
  for (const abi::device device : devices) {
    // PoCL 3.1 returns CL_INVALID_VALUE for a valid module: the device's own versions decide instead.
    std::string versions;
    std::size_t size = 0;
    const abi::status known = table()->get_device_info(device, info::il_version.code, 0, nullptr, &size);
    // CL_INVALID_VALUE: a device older than OpenCL 2.1 does not have this property.
    if (known != 0 && known != abi::invalid_value) detail::throw_failure(known, "clGetDeviceInfo", "", where);
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
    detail::throw_error(errc::incompatible_binary, where, "intermediate code of ", bytes.size(),
                        " bytes is not a SPIR-V module");
  }
  detail::program_owner program{table(),
                                detail::create<&abi::functions::create_program_with_il>(
                                    table(), where, context, static_cast<const void*>(bytes.data()), bytes.size())};
  detail::build(table(), program, devices, request, detail::finished_options(request, where), where);
  return program.release();
}

}  // namespace yoke::inline v0_1::opencl

#endif
