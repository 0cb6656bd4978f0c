// SPDX-License-Identifier: MIT
// The device loop's own tests: each body runs on each selected device, with sections and through the interposer.
#include <support/devices.hpp>
#include <support/fault_loop.hpp>
#include <support/raw_opencl.hpp>

#include <yoke/execution/context.hpp>

#include <set>

using namespace yoke_test;

namespace {
std::multiset<std::string> seen;
}

YOKE_DEVICE_TEST_CASE("a body runs on each device and in each section", "[support]") {
  SECTION("one") { seen.insert("one " + device.name()); }
  SECTION("two") { seen.insert("two " + device.name()); }
  CHECK(seen.size() <= 2 * opencl_test_devices().devices.size());
  CHECK(device.backend_name() == std::string("opencl"));
}

YOKE_ANY_DEVICE_TEST_CASE("a body runs on each device of each backend", "[support]") {
  CHECK_FALSE(device.name().empty());
}

YOKE_DEVICE_TEST_CASE("a device goes through the interposer", "[support]") {
  opencl_interposer driver(raw_opencl());
  const opencl_device same = through(driver, device);
  CHECK(same.native_handle() == device.native_handle());
  CHECK(same.name() == device.name());
  CHECK(driver.count("get_device_info") > 0);
}

YOKE_DEVICE_TEST_CASE("the fault loop runs over a context of the library", "[support]") {
  run_fault_loop("context", raw_opencl(),
                 [&](opencl_interposer& driver) { const yoke::context context{through(driver, device)}; });
}
