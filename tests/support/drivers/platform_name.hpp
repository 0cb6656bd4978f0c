// SPDX-License-Identifier: MIT
// Another name for OpenCL's platforms, so that the library does what that driver needs.
#ifndef YOKE_TESTS_SUPPORT_PLATFORM_NAME_HPP
#define YOKE_TESTS_SUPPORT_PLATFORM_NAME_HPP

#include <support/drivers/opencl_interposer.hpp>

#include <cstring>
#include <string>

namespace yoke_test {

/// Effects: every platform tells this name from now on.
inline void name_platform(opencl_interposer& driver, const std::string& name) {
  namespace abi = yoke::opencl::abi;
  driver.replace<&abi::functions::get_platform_info>(
      [&driver, name](abi::platform of, abi::uint what, std::size_t bytes, void* to, std::size_t* needed) {
        if (what != abi::platform_name) return driver.real().get_platform_info(of, what, bytes, to, needed);
        if (needed != nullptr) *needed = name.size() + 1;
        if (to != nullptr && bytes < name.size() + 1) return abi::status{-30};
        if (to != nullptr) std::memcpy(to, name.c_str(), name.size() + 1);
        return abi::status{0};
      });
}

}  // namespace yoke_test

#endif
