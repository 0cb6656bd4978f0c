// SPDX-License-Identifier: MIT
// Contexts over several devices: the parts of a device.
#include <support/parts.hpp>

using namespace yoke_test;
namespace ocl = yoke::opencl;

YOKE_OPENCL_TEST_CASE("a context over several devices wants to know which", "[execution]") {
  opencl_interposer driver(raw_opencl());
  auto parts = two_parts(through(driver, device));
  if (parts.empty()) YOKE_SKIP("the device cannot be divided");
  {
    const ocl::context context{parts};
    parts.clear();  // the context keeps them
    REQUIRE(context.devices().size() == 2);
    try {
      (void)context.only_device();
      FAIL("one of two devices was called the only one");
    } catch (const yoke::logic_error& e) {
      CHECK_THAT(e.what(), ContainsSubstring("this context has 2 devices: say which, as in stream{ctx, device}"));
    }
    CHECK_THROWS_AS(ocl::stream{context}, yoke::logic_error);
    const ocl::stream first{context, context.devices()[0]}, second{context, context.devices()[1]};
    CHECK(first.device_of() == context.devices()[0]);
    CHECK(second.device_of() == context.devices()[1]);
    CHECK(driver.real().get_queue_info != nullptr);
    abi::device asked = nullptr;
    driver.real().get_queue_info(second.native_handle(), abi::queue_device, sizeof asked, &asked, nullptr);
    CHECK(asked == context.devices()[1].native_handle());
    const ocl::event point = first.record();
    second.wait(point);
    second.synchronize();
    CHECK_THROWS_WITH((ocl::stream{context, through(driver, device)}),
                      ContainsSubstring("the device is not one of this context's"));
  }
  CHECK(driver.live().empty());
  CHECK(driver.bad_releases().empty());
}

YOKE_OPENCL_TEST_CASE("swapped streams keep their devices and their timing", "[execution]") {
  const auto parts = two_parts(device);
  if (parts.empty()) YOKE_SKIP("the device cannot be divided");
  const ocl::context context{parts};
  ocl::stream first{context, parts[0], {.timing = true}}, second{context, parts[1]};
  swap(first, second);
  CHECK(first.device_of() == parts[1]);
  CHECK_FALSE(first.has_timing());
  CHECK(second.device_of() == parts[0]);
  CHECK(second.has_timing());
  const ocl::stream moved = std::move(second);
  CHECK(moved.device_of() == parts[0]);
  CHECK_THROWS_AS(second.device_of(), yoke::logic_error);  // NOLINT: what a moved-from stream does is the point
}
