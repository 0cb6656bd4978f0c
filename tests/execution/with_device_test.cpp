// SPDX-License-Identifier: MIT
// From a device chosen at run time to its concrete backend.
#include <support/devices.hpp>

#include <yoke/execution/execution.hpp>

using namespace yoke_test;

YOKE_DEVICE_TEST_CASE("with_device hands over a concrete context", "[execution]") {
  const std::string name = yoke::with_device(
      [](const auto& context) {
        static_assert(!std::same_as<typename std::remove_cvref_t<decltype(context)>::port_type, yoke::any_port>);
        const yoke::stream stream{context};
        return stream.device_of().name();
      },
      "opencl:0");
  CHECK(name == yoke::opencl::port{}.summary(yoke::opencl::port{}.devices({}).front(), {}).name);
  CHECK_FALSE(device.name().empty());
  CHECK_THROWS_AS(yoke::with_device([](const auto&) {}, "no such device"), yoke::unsupported_error);
}

YOKE_ANY_DEVICE_TEST_CASE("only an OpenCL device becomes one", "[execution]") {
  if (device.backend_name() == std::string("opencl")) {
    CHECK(yoke::as_opencl(device).native_handle() == device.native_handle().value);
  } else {
    CHECK_THROWS_AS(yoke::as_opencl(device), yoke::unsupported_error);
  }
}
