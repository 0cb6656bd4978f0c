// SPDX-License-Identifier: MIT
// The device loop's own tests: each body runs on each selected device, with sections and through the interposer.
#include <support/faults/fault_scenarios.hpp>

#include <set>

using namespace yoke_test;

namespace {
template <class Backend>
std::multiset<std::string>& seen() {
  static std::multiset<std::string> all;
  return all;
}
}  // namespace

YOKE_DEVICE_TEST_CASE("a body runs on each device and in each section", "[support]") {
  const int number = GENERATE(1, 2, 3);
  const std::string device_and_number = device.name() + std::to_string(number);
  SECTION("one") { seen<Backend>().insert("one " + device_and_number); }
  SECTION("two") {
    SECTION("inner") { seen<Backend>().insert("two " + device_and_number); }
    SECTION("other") { seen<Backend>().insert("other " + device_and_number); }
  }
  const std::size_t all = 9 * test_devices<Backend>().devices.size();
  CHECK(seen<Backend>().size() <= all);
  CHECK(device.backend_name() == std::string(Backend::name));
  static_assert(std::same_as<std::remove_cvref_t<decltype(device)>, typename Backend::device>);
}

YOKE_DEVICE_TEST_CASE("a body has run in each section", "[support]") {
  const std::size_t runs = seen<Backend>().size();  // of the test before, unless that was left out
  CHECK((runs == 0 || runs == 9 * test_devices<Backend>().devices.size()));
}

YOKE_ANY_DEVICE_TEST_CASE("a body runs on each device of each backend", "[support]") {
  CHECK_FALSE(device.name().empty());
}

YOKE_DEVICE_TEST_CASE("a device goes through the interposer", "[support]") {
  interposer driver(Backend::driver());
  const yoke::device same = through(driver, device);
  CHECK(same.native_handle() == device.native_handle());
  CHECK(same.name() == device.name());
  CHECK(driver.count(calls::ask_device) > 0);
}

YOKE_DEVICE_TEST_CASE("the fault loop runs over a context of the library", "[support]") {
  run_fault_scenario("context", device, [](const auto& on) { const yoke::context context{on}; });
}
