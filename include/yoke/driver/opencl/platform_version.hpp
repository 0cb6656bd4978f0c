// SPDX-License-Identifier: MIT
// The OpenCL version of a platform.
#ifndef YOKE_DRIVER_OPENCL_PLATFORM_VERSION_HPP
#define YOKE_DRIVER_OPENCL_PLATFORM_VERSION_HPP

#include <yoke/driver/opencl/device_info.hpp>
#include <yoke/driver/opencl/invoke.hpp>

#include <string_view>

namespace yoke::inline v0_1::opencl::detail {

/// Returns: the version at the start of a text, times ten: 21 for "OpenCL 2.1 ..."; 10 if it cannot be read.
[[gnu::cold]] inline int version_number(std::string_view text) noexcept {
  constexpr std::string_view prefix = "OpenCL ";
  if (text.substr(0, prefix.size()) != prefix || text.size() < prefix.size() + 3) return 10;
  const char major = text[prefix.size()];
  const char minor = text[prefix.size() + 2];
  const bool read = major >= '1' && major <= '9' && text[prefix.size() + 1] == '.' && minor >= '0' && minor <= '9';
  return read ? (major - '0') * 10 + (minor - '0') : 10;
}

/// Returns: the version of a device's platform, times ten.
[[gnu::cold]] inline int platform_version(const abi::functions* table, abi::device device,
                                          const source_location& where) {
  const auto platform =
      query<abi::platform, &abi::functions::get_device_info>(table, where, device, info::platform.code);
  return version_number(query_text<&abi::functions::get_platform_info>(table, where, platform, abi::platform_version));
}

}  // namespace yoke::inline v0_1::opencl::detail

#endif
