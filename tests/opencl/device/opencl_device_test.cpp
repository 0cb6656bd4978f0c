// SPDX-License-Identifier: MIT
// Sub-devices: equal parts, parts by count, and readable refusals.
#include <support/devices/parts.hpp>

#include <yoke/opencl/opencl.hpp>

using namespace yoke_test;
namespace ocl = yoke::opencl;

namespace {
bool divides(const opencl_device& device, std::intptr_t how) {
  const auto ways = ocl::get(device, ocl::info::partition_properties);
  return ocl::get(device, ocl::info::max_compute_units) >= 2 && std::find(ways.begin(), ways.end(), how) != ways.end();
}
constexpr const char* source = "__kernel void twice(__global int* a) { a[get_global_id(0)] *= 2; }";
}  // namespace

YOKE_OPENCL_TEST_CASE("a device divides into equal parts", "[opencl]") {
  if (!divides(device, abi::partition_equally)) YOKE_SKIP("the device cannot be divided");
  opencl_interposer driver(raw_opencl());
  {
    const unsigned units = ocl::get(device, ocl::info::max_compute_units);
    const auto parts = ocl::partition_equally(through(driver, device), 1);
    CHECK(parts.size() == units);
    for (const ocl::device& part : parts) {
      CHECK(ocl::get(part, ocl::info::max_compute_units) == 1);
      CHECK(ocl::get(part, ocl::info::parent_device) == device.native_handle());
      CHECK_FALSE(part == device);
    }
  }
  CHECK(driver.live().empty());
  CHECK(driver.bad_releases().empty());
}

YOKE_OPENCL_TEST_CASE("a device divides into parts of given sizes", "[opencl]") {
  if (!divides(device, abi::partition_by_counts)) YOKE_SKIP("the device cannot be divided");
  opencl_interposer driver(raw_opencl());
  {
    const unsigned one[] = {1};
    CHECK(ocl::partition_by_counts(through(driver, device), one).size() == 1);
    const unsigned two[] = {1, 1};
    auto parts = ocl::partition_by_counts(through(driver, device), two);
    REQUIRE(parts.size() == 2);
    const ocl::device copy = parts.front();  // shares the reference
    parts.clear();
    CHECK(ocl::get(copy, ocl::info::max_compute_units) == 1);
    CHECK(driver.count("release_device") == 2);  // of the first call, and one of two
  }
  CHECK(driver.count("release_device") == 3);
  CHECK(driver.live().empty());
}

YOKE_OPENCL_TEST_CASE("sub-devices compute, and live as long as a context over them", "[opencl]") {
  auto parts = two_parts(device);
  if (parts.empty()) YOKE_SKIP("the device cannot be divided");
  const ocl::context context{parts[1]};
  parts.clear();
  const ocl::stream stream{context};
  const auto twice = yoke::compile(context, source).get_kernel<void(int*)>("twice");
  std::vector<int> host{1, 2, 3, 4};
  twice(stream, {.grid = 1, .block = 4}, yoke::in_out(host));
  CHECK(host == std::vector{2, 4, 6, 8});
}

YOKE_OPENCL_TEST_CASE("a division that the device does not offer is refused readably", "[opencl]") {
  opencl_interposer driver(raw_opencl());
  const ocl::device of = through(driver, device);
  const unsigned units = ocl::get(device, ocl::info::max_compute_units);
  const std::string there = " compute units of the " + std::to_string(units) + " there are";
  const auto refused = [](auto divide, const std::string& numbers) {
    try {
      (void)divide();
      FAIL_CHECK("an impossible division succeeded");
    } catch (const yoke::unsupported_error& e) {
      CHECK(e.call() == std::string("clCreateSubDevices"));
      CHECK_THAT(e.what(), ContainsSubstring("cannot be divided in this way" + numbers));
    } catch (const yoke::error& e) {
      CHECK(e.call() == std::string("clCreateSubDevices"));  // the driver's own reason, by name
      CHECK(e.code().value() <= -18);
    }
  };
  const unsigned too_many[] = {units, units};
  const std::string each = std::to_string(units);
  refused([&] { return ocl::partition_by_counts(of, too_many); }, ": parts of " + each + ", " + each + there);
  const unsigned wrapping[] = {~0u, 2};  // PoCL 3.1 takes it for one unit, and hangs on such a part
  refused([&] { return ocl::partition_by_counts(of, wrapping); }, ": parts of 4294967295, 2" + there);
  CHECK(driver.count("create_sub_devices") == 0);
  const std::size_t mark = driver.mark();
  CHECK_THROWS_AS(ocl::partition_by_counts(of, too_many), yoke::unsupported_error);
  CHECK(driver.count("get_device_info", mark) == 2);  // the units once: their size and their value
  refused([&] { return ocl::partition_equally(of, units + 1); }, ": parts of " + std::to_string(units + 1) + there);
  if (ocl::try_get(device, ocl::info::partition_affinity_domain).value_or(0) == 0) {
    refused([&] { return ocl::partition_by_affinity(of, ocl::affinity_domain::numa); }, "");
  }
  for (const abi::status status : {-18, -30, -68}) {  // the ways in which drivers say so
    driver.fail_function("create_sub_devices", 1, fault_mode::once, status);
    const auto divide = [&] { (void)ocl::partition_equally(of, 1); };
    CHECK_THROWS_AS(divide(), yoke::unsupported_error);
    driver.fail_function("create_sub_devices", 1, fault_mode::once, status);
    CHECK_THROWS_WITH(divide(), ContainsSubstring(": parts of 1" + there));
  }
  CHECK(driver.live().empty());
}

YOKE_OPENCL_TEST_CASE("a division along a level of memory that there is not is refused", "[opencl]") {
  try {
    (void)ocl::partition_by_affinity(device, static_cast<ocl::affinity_domain>(99));
    FAIL_CHECK("an impossible division succeeded");
  } catch (const yoke::logic_error& e) {
    CHECK_THAT(e.what(), ContainsSubstring("affinity domain is 99, none of 1, 2, 4, 8, 16, 32"));
  }
}

YOKE_OPENCL_TEST_CASE("a division into nothing never reaches the driver", "[opencl]") {
  opencl_interposer driver(raw_opencl());
  const ocl::device of = through(driver, device);
  const unsigned with_zero[] = {1, 0};
  CHECK_THROWS_WITH(ocl::partition_equally(of, 0), ContainsSubstring("parts of 0 compute units"));
  CHECK_THROWS_WITH(ocl::partition_by_counts(of, {}), ContainsSubstring("no parts are asked for"));
  CHECK_THROWS_WITH(ocl::partition_by_counts(of, with_zero),
                    ContainsSubstring("part 2 of 2 is a part of 0 compute units"));
  CHECK(driver.count("create_sub_devices") == 0);
}
