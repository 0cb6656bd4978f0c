// SPDX-License-Identifier: MIT
// From a device chosen at run time to its concrete backend.
#include <support/devices/devices.hpp>

#include <yoke/execution/execution.hpp>

using namespace yoke_test;

YOKE_DEVICE_TEST_CASE("with_device hands over a concrete context", "[execution]") {
  const std::string name = yoke::with_device(
      [](const auto& context) {
        static_assert(!std::same_as<typename std::remove_cvref_t<decltype(context)>::port_type, yoke::any_port>);
        const yoke::stream stream{context};
        return stream.device_of().name();
      },
      std::string(Backend::name) + ":0");
  CHECK(name == yoke::device<port>{0}.name());
  CHECK_FALSE(device.name().empty());
  CHECK_THROWS_AS(yoke::with_device([](const auto&) {}, "no such device"), yoke::unsupported_error);
}

YOKE_ANY_DEVICE_TEST_CASE("a device becomes one of its own backend only", "[execution]") {
  if (device.backend_name() == std::string("opencl")) {
    CHECK(yoke::as_opencl(device).native_handle() == device.native_handle().value);
    CHECK_THROWS_WITH(yoke::as_cuda(device), ContainsSubstring("the device is of backend opencl, not cuda"));
  } else {
    CHECK(yoke::as_cuda(device).name() == device.name());
    CHECK_THROWS_WITH(yoke::as_opencl(device), ContainsSubstring("the device is of backend cuda, not opencl"));
  }
}
