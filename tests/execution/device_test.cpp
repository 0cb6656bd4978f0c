// SPDX-License-Identifier: MIT
// Devices: values that name, compare and describe.
#include <support/devices/devices.hpp>

using namespace yoke_test;
namespace ocl = yoke::opencl;

static_assert(std::is_copy_constructible_v<ocl::device> && std::is_copy_assignable_v<ocl::device>);
static_assert(!std::is_default_constructible_v<ocl::device>);
static_assert(!std::is_convertible_v<int, ocl::device> && std::is_constructible_v<ocl::device, int>);
static_assert(!std::is_constructible_v<yoke::device<>, int>);  // of which backend?
static_assert(!std::is_constructible_v<ocl::device, bool> && !std::is_constructible_v<ocl::device, float>);

YOKE_DEVICE_TEST_CASE("a device describes itself", "[execution]") {
  const yoke::device_summary facts = device.summary();
  CHECK(device.name() == facts.name);
  CHECK_FALSE(facts.name.empty());
  CHECK_FALSE(facts.platform.empty());
  CHECK_THAT(facts.version, StartsWith(Backend::version_prefix));
  CHECK(facts.compute_units >= 1);
  CHECK(facts.global_memory_bytes > 1 << 20);
  CHECK(device.backend_name() == std::string(Backend::name));
  const yoke::device_limits limits = device.limits();
  CHECK(limits.max_block >= 1);
  for (const std::size_t each : limits.max_block_extent) CHECK(each >= 1);
  CHECK(limits.local_memory_bytes >= 1024);
  CHECK(limits.max_allocation_bytes >= 1 << 20);
  CHECK((limits.base_alignment_bytes & (limits.base_alignment_bytes - 1)) == 0);
}

YOKE_DEVICE_TEST_CASE("devices are numbered in the driver's order", "[execution]") {
  const auto raw = Backend::native_devices();
  const auto natives = port{}.devices({});
  REQUIRE(natives.size() == raw.size());
  for (std::size_t i = 0; i < raw.size(); ++i) {
    const yoke::device<port> numbered{i};
    CHECK(numbered.native_handle() == raw[i]);
    CHECK(yoke::device<port>{port{}, static_cast<unsigned char>(i)} == numbered);
  }
}

YOKE_DEVICE_TEST_CASE("a device number that nobody has says how many there are", "[execution]") {
  const std::size_t count = Backend::native_devices().size();
  const std::string there = count == 1 ? "there is 1 device" : "there are " + std::to_string(count) + " devices";
  unsigned line = 0;
  try {
    line = yoke::source_location::current().line() + 1;
    (void)yoke::device<port>{count};
    FAIL("a device beyond the last");
  } catch (const yoke::logic_error& e) {
    CHECK(e.code() == yoke::errc::out_of_range);
    CHECK_THAT(e.what(), ContainsSubstring(there));
    CHECK(e.where().line() == line);
  }
  CHECK_THROWS_WITH(yoke::device<port>{-1},
                    ContainsSubstring("device ordinal -1 is outside 0 .. " + std::to_string(count - 1) + ": " + there));
}

YOKE_CUDA_TEST_CASE("a device number where there is no device says so", "[execution]") {
  cuda_abi::functions table = *device.port().table();
  table.device_get_count = [](int* count) -> cuda_abi::status {
    *count = 0;
    return 0;
  };
  try {
    (void)yoke::cuda::device{yoke::cuda::port{&table}, -1};
    FAIL_CHECK("a device where there is none");
  } catch (const yoke::unsupported_error& e) {
    CHECK(e.code() == yoke::errc::no_device);
    CHECK_THAT(e.what(), ContainsSubstring("device ordinal -1: there is no device for cuda"));
  }
}

YOKE_DEVICE_TEST_CASE("devices of two drivers differ although the native handle is the same", "[execution]") {
  interposer driver(Backend::driver());
  const backend::device other = through(driver, device);
  CHECK(other.native_handle() == device.native_handle());
  CHECK_FALSE(other == device);
  CHECK(other == through(driver, device));
  const backend::device copy = device;
  CHECK(copy == device);
}

YOKE_ANY_DEVICE_TEST_CASE("a device of any backend answers as its own backend does", "[execution]") {
  const auto same = [&](const auto& own) {
    CHECK(own.name() == device.name());
    CHECK(own.limits().max_block == device.limits().max_block);
    CHECK(own.summary().driver_version == device.summary().driver_version);
  };
  if (device.backend_name() == std::string("opencl")) {
    same(yoke::as_opencl(device));
  } else {
    same(yoke::as_cuda(device));
  }
}

YOKE_DEVICE_TEST_CASE("a driver's failure names the query, the code and the caller's line", "[execution]") {
  interposer driver(Backend::driver());
  const backend::device other = through(driver, device);
  driver.fail_function(calls::ask_device, 1, fault_mode::once, codes::invalid_device);
  unsigned line = 0;
  try {
    line = yoke::source_location::current().line() + 1;
    (void)other.name();
    FAIL("the failure was swallowed");
  } catch (const yoke::logic_error& e) {
    CHECK(e.call() == std::string(Backend::symbol(calls::ask_device)));
    CHECK(e.code().value() == codes::invalid_device);
    CHECK(e.code() == yoke::errc::invalid_handle);
    CHECK(e.where().line() == line);
    CHECK_THAT(e.what(), ContainsSubstring("[" + std::string(e.call()) + ": ") && ContainsSubstring("_INVALID_DEVICE"));
    CHECK_THAT(e.what(), ContainsSubstring("device_test.cpp:" + std::to_string(line)));
  }
}

YOKE_DEVICE_TEST_CASE("no device is no device, borrowed or adopted", "[execution]") {
  interposer driver(Backend::driver());
  const port with{driver.table()};
  const std::size_t mark = driver.mark();
  const auto refused = [](auto take) {
    try {
      take();
      FAIL_CHECK("a null device was taken");
    } catch (const yoke::logic_error& e) {
      CHECK(e.code() == yoke::errc::invalid_argument);
      CHECK_THAT(e.what(), ContainsSubstring("the native device is null") && ContainsSubstring("device_test.cpp:"));
    }
  };
  refused([&] { (void)backend::device::borrow(with, {}); });
  refused([&] { (void)backend::device::adopt(with, {}); });
  refused([&] { (void)yoke::device<>::borrow(yoke::any_port{with}, {}); });
  CHECK(driver.count_all(mark) == 0);
}
