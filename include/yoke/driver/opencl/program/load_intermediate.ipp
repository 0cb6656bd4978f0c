// SPDX-License-Identifier: MIT
// Bodies of driver/opencl/program/program.hpp: programs from intermediate code.
#ifndef YOKE_DRIVER_OPENCL_PROGRAM_LOAD_INTERMEDIATE_IPP
#define YOKE_DRIVER_OPENCL_PROGRAM_LOAD_INTERMEDIATE_IPP

#include <yoke/driver/compile_request.hpp>
#include <yoke/driver/opencl/device_info.hpp>
#include <yoke/driver/opencl/invoke.hpp>
#include <yoke/driver/opencl/port.hpp>
#include <yoke/driver/opencl/program/program_build.hpp>

#include <algorithm>
#include <array>

namespace yoke::inline v0_1::opencl {

abi::program program_functions::load_intermediate(abi::context context, std::span<const abi::device> devices,
                                                  bytes_view bytes, const compile_request& request,
                                                  const source_location& where) const {
  for (const abi::device device : devices) {
    // PoCL 3.1 answers CL_INVALID_VALUE for a sound module: the device's own versions decide instead.
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
