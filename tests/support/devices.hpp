// SPDX-License-Identifier: MIT
// The devices the tests run on: all, or those that $YOKE_TEST_DEVICES names; and test cases that run on each.
#ifndef YOKE_TESTS_SUPPORT_DEVICES_HPP
#define YOKE_TESTS_SUPPORT_DEVICES_HPP

#include <support/catch.hpp>
#include <support/opencl_interposer.hpp>

#include <yoke/driver/opencl/port.hpp>
#include <yoke/execution/select.hpp>

#include <cstdlib>
#include <string>
#include <vector>

namespace yoke_test {

using opencl_device = yoke::device<yoke::opencl::port>;
using any_device = yoke::device<yoke::any_port>;

/// Devices, or why there is none.
template <class Device>
struct selection {
  std::vector<Device> devices;
  std::string reason;
};

/// Returns: `$YOKE_TEST_DEVICES`, a specification as of `yoke::select_devices`; "" means all.
inline std::string test_specification() {
  const char* const value = std::getenv("YOKE_TEST_DEVICES");
  return value == nullptr ? "" : value;
}

/// Returns: the selected OpenCL devices.
inline const selection<opencl_device>& opencl_test_devices() {
  static const selection<opencl_device> once = [] {
    selection<opencl_device> found;
    const yoke::availability opencl = yoke::opencl::available();
    if (!opencl) {
      found.reason = opencl.reason;
      return found;
    }
    try {
      found.devices = yoke::detail::select_from(yoke::opencl::port{}, test_specification(), {});
    } catch (const yoke::unsupported_error& e) {
      found.reason = e.what();
    }
    return found;
  }();
  return once;
}

/// Returns: the selected devices of every backend, behind the port that is chosen at run time.
inline const selection<any_device>& any_test_devices() {
  static const selection<any_device> once = [] {
    selection<any_device> found;
    try {
      found.devices = yoke::select_devices(test_specification());
    } catch (const yoke::unsupported_error& e) {
      found.reason = e.what();
    }
    return found;
  }();
  return once;
}

/// Returns: the same device, driven through the interposer.
inline opencl_device through(const opencl_interposer& driver, const opencl_device& device) {
  return opencl_device::borrow(yoke::opencl::port{driver.table()}, device.native_handle());
}

}  // namespace yoke_test

// A test case whose body gets `device`, and runs once for each selected device (and each path through its sections).
//   YOKE_DEVICE_TEST_CASE("a buffer holds what was written", "[memory]") { yoke::context ctx{device}; ... }
#define YOKE_DEVICE_TEST_CASE(title, tags)                                                                             \
  YOKE_TEST_ON_DEVICES(YOKE_TEST_UNIQUE(__LINE__), ::yoke_test::opencl_device, ::yoke_test::opencl_test_devices(),     \
                       title, tags)
// The same on every backend; `device` is a `yoke::device<yoke::any_port>`.
#define YOKE_ANY_DEVICE_TEST_CASE(title, tags)                                                                         \
  YOKE_TEST_ON_DEVICES(YOKE_TEST_UNIQUE(__LINE__), ::yoke_test::any_device, ::yoke_test::any_test_devices(), title,    \
                       tags)

#define YOKE_TEST_UNIQUE(line) YOKE_TEST_UNIQUE_OF(line)
#define YOKE_TEST_UNIQUE_OF(line) yoke_device_test_##line
#define YOKE_TEST_ON_DEVICES(function, type, selected, title, tags)                                                    \
  static void function(const type& device);                                                                            \
  TEST_CASE(title, tags) {                                                                                             \
    const auto& found = selected;                                                                                      \
    if (found.devices.empty()) YOKE_SKIP("no device: " + found.reason.substr(0, found.reason.find('\n')));             \
    const std::size_t index = GENERATE_REF(range(std::size_t{0}, found.devices.size()));                               \
    const type& device = found.devices[index];                                                                         \
    INFO("device " << device.backend_name() << ": " << device.name());                                                 \
    function(device);                                                                                                  \
  }                                                                                                                    \
  static void function([[maybe_unused]] const type& device)

#endif
