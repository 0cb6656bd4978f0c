// SPDX-License-Identifier: MIT
// The driver's own table, loaded for the tests without the library's loader.
#ifndef YOKE_TESTS_SUPPORT_RAW_OPENCL_HPP
#define YOKE_TESTS_SUPPORT_RAW_OPENCL_HPP

#include <yoke/core/system.hpp>
#include <yoke/driver/opencl/abi/functions.hpp>

#include <string>
#include <vector>

namespace yoke_test {

namespace abi = yoke::opencl::abi;

struct raw_opencl_result {
  abi::functions table;
  std::string reason;  ///< empty when loaded
};

/// Returns: the table of the OpenCL loader, loaded once and never closed, or the reason why there is none.
inline const raw_opencl_result& raw_opencl_loaded() {
  static const raw_opencl_result once = [] {
    raw_opencl_result result;
#if defined(_WIN32)
    constexpr const char* file = "OpenCL.dll";
#else
    constexpr const char* file = "libOpenCL.so.1";
#endif
    void* const library = yoke::detail::open_library(file, result.reason);
    if (library == nullptr) return result;
#define YOKE_TEST_LOAD(name, symbol, version, ...)                                                                     \
  result.table.name = reinterpret_cast<decltype(result.table.name)>(yoke::detail::library_symbol(library, symbol));
    YOKE_OPENCL_FUNCTIONS(YOKE_TEST_LOAD)
#undef YOKE_TEST_LOAD
    abi::uint count = 0;
    if (result.table.get_platform_ids(0, nullptr, &count) != 0 || count == 0) result.reason = "no OpenCL platform";
    return result;
  }();
  return once;
}

/// Returns: the driver's table; its entries are null where `raw_opencl_loaded().reason` says why.
inline const abi::functions& raw_opencl() { return raw_opencl_loaded().table; }

/// Returns: every device of every platform.
inline std::vector<abi::device> raw_devices(const abi::functions& cl = raw_opencl()) {
  std::vector<abi::device> devices;
  abi::uint platform_count = 0;
  if (cl.get_platform_ids == nullptr || cl.get_platform_ids(0, nullptr, &platform_count) != 0) return devices;
  std::vector<abi::platform> platforms(platform_count);
  cl.get_platform_ids(platform_count, platforms.data(), nullptr);
  for (const abi::platform platform : platforms) {
    abi::uint count = 0;
    if (cl.get_device_ids(platform, abi::device_type_all, 0, nullptr, &count) != 0) continue;
    const std::size_t before = devices.size();
    devices.resize(before + count);
    cl.get_device_ids(platform, abi::device_type_all, count, devices.data() + before, nullptr);
  }
  return devices;
}

}  // namespace yoke_test

#endif
