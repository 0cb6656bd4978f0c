// SPDX-License-Identifier: MIT
// Test cases of <yoke/catch2.hpp>: their devices, and how often bodies and sections run.
#include <support/devices/devices.hpp>

#include <yoke/catch2.hpp>

#include <map>
#include <string>

using namespace yoke_test;

namespace {
using counts = std::map<std::string, int>;
/// How often each name of a device had each section. The cases run in the order of this file.
counts& runs() {
  static counts count;
  return count;
}
template <class Device>
void note(counts& in, const Device& device, const char* section) {
  ++in[std::string(device.backend_name()) + " " + device.name() + " " + section];
}
}  // namespace

YOKE_DEVICE_TEST("a body runs once for each device and each section", "[execution]") {
  static_assert(std::is_same_v<decltype(device), const yoke::device<yoke::any_port>&>);
  yoke::context ctx{device};
  yoke::stream stream{ctx};
  yoke::device_allocation<int> x{ctx, 4, stream};
  yoke::fill(x, 7, stream);
  SECTION("one") {
    CHECK(yoke::to_host(x, stream) == std::vector<int>(4, 7));
    note(runs(), device, "one");
  }
  SECTION("two") {
    CHECK(x.size() == 4);
    note(runs(), device, "two");
  }
}

TEST_CASE("each section had each device once", "[execution]") {
  if (runs().empty()) YOKE_SKIP("the case before did not run, or there is no device");
  counts expected;  // several devices may have one name
  for (const auto& device : yoke::select_test_devices().devices) {
    note(expected, device, "one");
    note(expected, device, "two");
  }
  CHECK(runs() == expected);
}

YOKE_OPENCL_TEST("OpenCL's devices have OpenCL's type", "[execution]") {
  static_assert(std::is_same_v<decltype(device), const yoke::opencl::device&>);
  CHECK(device.backend_name() == std::string_view("opencl"));
}
YOKE_CUDA_TEST("CUDA's devices have CUDA's type", "[execution]") {
  static_assert(std::is_same_v<decltype(device), const yoke::cuda::device&>);
  CHECK(device.backend_name() == std::string_view("cuda"));
}

TEST_CASE("the devices of a backend are those among all that were selected", "[execution]") {
  const auto all = yoke::testing::test_devices_of("").devices.size();
  const auto opencl = yoke::testing::test_devices_of("opencl");
  const auto cuda = yoke::testing::test_devices_of("cuda");
  CHECK(opencl.devices.size() + cuda.devices.size() == all);
  CHECK(opencl.devices.empty() == !opencl.reason.empty());
  CHECK(yoke::testing::test_devices_of("attic").devices.empty());
}
