// SPDX-License-Identifier: MIT
// Whether OpenCL can be used, and the reason when it cannot.
#include <support/catch.hpp>
#include <support/drivers/default_driver.hpp>
#include <support/drivers/opencl_interposer.hpp>
#include <support/drivers/raw_opencl.hpp>
#include <support/process/child.hpp>

#include <yoke/opencl/names.hpp>

using namespace yoke_test;
namespace ocl = yoke::opencl;

TEST_CASE("OpenCL is available where a device is, else the reason is said", "[driver][opencl]") {
  const yoke::availability now = ocl::available();
  CHECK(now.available == !raw_devices().empty());
  CHECK(now.reason.empty() == now.available);
  CHECK(static_cast<bool>(now) == now.available);
}

#if !defined(_WIN32)  // there the registry names the drivers
TEST_CASE("without a registered driver OpenCL is not available, and says where drivers are registered",
          "[driver][opencl]") {
  const std::string name = Catch::getResultCapture().getCurrentTestName();
  if (!is_child(name)) {
    if (!raw_opencl_loaded().reason.empty()) YOKE_SKIP("no device: " + raw_opencl_loaded().reason);
    const child_result child =
        run_child(name, {{"OCL_ICD_VENDORS", "/nonexistent"}, {"OCL_ICD_FILENAMES", ""}, {"YOKE_CUDA_DRIVER", ""}});
    INFO(child.output);
    CHECK(child.status == 0);
    return;
  }
  const yoke::availability now = ocl::available();
  CHECK_FALSE(now.available);
  CHECK_THAT(now.reason, ContainsSubstring("lists no platform"));
  CHECK_THAT(now.reason, ContainsSubstring("/etc/OpenCL/vendors"));
  CHECK(ocl::devices().empty());
  if (yoke::cuda::available()) return;  // then there is a device of CUDA's
  CHECK(yoke::devices().empty());
  CHECK_THAT(yoke::list_devices(), ContainsSubstring("there is no device"));
  CHECK_THAT(yoke::list_devices(), ContainsSubstring("/etc/OpenCL/vendors"));
  try {
    const yoke::context<> none;
    FAIL("a context without a driver");
  } catch (const yoke::unsupported_error& e) {
    CHECK(e.code() == yoke::errc::no_device);
    CHECK_THAT(e.what(), ContainsSubstring("no device found"));
    CHECK_THAT(e.what(), ContainsSubstring("/etc/OpenCL/vendors"));
  }
}
#endif

TEST_CASE("a loader that fails at listing platforms is not available, and says with which code", "[driver][opencl]") {
  if (!raw_opencl_loaded().reason.empty()) YOKE_SKIP("no device: " + raw_opencl_loaded().reason);
  using stand_in = default_driver<ocl::port>;
  opencl_interposer driver(stand_in::real());
  const stand_in instead(driver.table());
  for (const std::size_t nth : {1u, 2u}) {  // how many there are, then which
    driver.fail_function("get_platform_ids", nth, fault_mode::once, -6);
    const yoke::availability now = ocl::available();
    driver.disarm();
    CHECK_FALSE(now.available);
    CHECK_THAT(now.reason, ContainsSubstring("clGetPlatformIDs gives CL_OUT_OF_HOST_MEMORY (-6)"));
  }
  CHECK(ocl::available());
}

TEST_CASE("a loader whose platforms have no device is not available, and says so", "[driver][opencl]") {
  if (!raw_opencl_loaded().reason.empty()) YOKE_SKIP("no device: " + raw_opencl_loaded().reason);
  using stand_in = default_driver<ocl::port>;
  opencl_interposer driver(stand_in::real());
  const stand_in instead(driver.table());
  driver.replace<&abi::functions::get_device_ids>(
      [](abi::platform, abi::ulong, abi::uint, abi::device*, abi::uint*) { return -1; });
  const yoke::availability now = ocl::available();
  CHECK_FALSE(now.available);
  CHECK_THAT(now.reason, ContainsSubstring("platform(s), but none has a device"));
}

TEST_CASE("a driver table without platforms, or without devices, lists nothing", "[driver][opencl]") {
  if (!raw_opencl_loaded().reason.empty()) YOKE_SKIP("no device: " + raw_opencl_loaded().reason);
  opencl_interposer driver(raw_opencl());
  const ocl::port with{driver.table()};
  SECTION("success and no platform") {
    driver.replace<&abi::functions::get_platform_ids>([](abi::uint, abi::platform*, abi::uint* count) {
      *count = 0;
      return abi::status{0};
    });
    CHECK(ocl::devices(with).empty());
  }
  SECTION("the loader's own code for no platform") {
    driver.replace<&abi::functions::get_platform_ids>([](abi::uint, abi::platform*, abi::uint*) { return -1001; });
    CHECK(ocl::devices(with).empty());
  }
  SECTION("a platform without devices") {
    driver.replace<&abi::functions::get_device_ids>(
        [](abi::platform, abi::ulong, abi::uint, abi::device*, abi::uint*) { return -1; });
    CHECK(ocl::devices(with).empty());
    CHECK_THROWS_AS(yoke::detail::select_from(with, "0", {}), yoke::unsupported_error);
    CHECK_THROWS_WITH(yoke::detail::select_from(with, "0", {}), ContainsSubstring("there is no device"));
  }
  SECTION("a driver that fails is an error, not an empty list") {
    driver.replace<&abi::functions::get_platform_ids>([](abi::uint, abi::platform*, abi::uint*) { return -6; });
    CHECK_THROWS_AS(ocl::devices(with), yoke::memory_error);
  }
}

TEST_CASE("an entry that a driver lacks is refused by name", "[driver][opencl]") {
  if (!raw_opencl_loaded().reason.empty()) YOKE_SKIP("no device: " + raw_opencl_loaded().reason);
  opencl_interposer driver(raw_opencl());
  driver.remove_newer_than(12);
  const ocl::port with{driver.table()};
  const ocl::context context{ocl::device{with, 0}};
  CHECK_FALSE(with.svm(context.only_device().native_handle(), {}).coarse);
  try {
    (void)with.svm_allocate(context.native_handle(), 16, 4, false, false, yoke::source_location::current());
    FAIL("SVM was allocated without clSVMAlloc");
  } catch (const yoke::unsupported_error& e) {
    CHECK_THAT(e.what(), ContainsSubstring("this OpenCL driver has no clSVMAlloc"));
  }
  CHECK(with.svm_free(context.native_handle(), nullptr).code == -59);
}
