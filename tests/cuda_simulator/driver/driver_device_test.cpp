// SPDX-License-Identifier: MIT
// Simulated devices: names, attributes, addresses, primary contexts' states.
#include <yoke/driver/cuda/device_info.hpp>

#include <cstring>
#include <cuda_simulator/driver.hpp>
#include <support/process/child.hpp>

using namespace yoke_test;

TEST_CASE("devices are counted, named and told apart") {
  int count = 0;
  CHECK(driver().device_get_count(&count) == cuda_abi::success);
  REQUIRE(count == 2);
  cuda_abi::device of = -1;
  CHECK(driver().device_get(&of, 1) == cuda_abi::success);
  CHECK(of == 1);
  CHECK(driver().device_get(&of, 2) == cuda_abi::error_invalid_device);
  CHECK(driver().device_get(&of, -1) == cuda_abi::error_invalid_device);
  char name[64] = {};
  CHECK(driver().device_get_name(name, sizeof name, 0) == cuda_abi::success);
  CHECK(std::string(name) == "yoke CUDA simulator");
  CHECK(driver().device_get_name(name, 5, 0) == cuda_abi::success);
  CHECK(std::string(name) == "yoke");
  CHECK(driver().device_get_name(name, sizeof name, 9) == cuda_abi::error_invalid_device);
  cuda_abi::uuid first{}, second{};
  CHECK(driver().device_get_uuid(&first, 0) == cuda_abi::success);
  CHECK(driver().device_get_uuid(&second, 1) == cuda_abi::success);
  CHECK(std::memcmp(&first, &second, sizeof first) != 0);
}

TEST_CASE("PCI bus ids lead to the device and back") {
  for (const int each : {0, 1}) {
    char id[16] = {};
    CHECK(driver().device_get_pci_bus_id(id, sizeof id, each) == cuda_abi::success);
    int bus = 0;
    CHECK(driver().device_get_attribute(&bus, 33, each) == cuda_abi::success);
    CHECK(std::strtol(id + 5, nullptr, 16) == bus);
    for (const char* form : {id, id + 5}) {  // with and without the domain
      cuda_abi::device found = -1;
      CHECK(driver().device_get_by_pci_bus_id(&found, form) == cuda_abi::success);
      CHECK(found == each);
    }
  }
  char id[16] = {};
  CHECK(driver().device_get_pci_bus_id(id, 5, 0) == cuda_abi::error_invalid_value);
  cuda_abi::device found = -1;
  CHECK(driver().device_get_by_pci_bus_id(&found, "0000:7F:00.0") == cuda_abi::error_invalid_device);
  CHECK(driver().device_get_by_pci_bus_id(&found, "nonsense") == cuda_abi::error_invalid_value);
}

TEST_CASE("every attribute that the library knows has a value") {
#define YOKE_TEST_ATTRIBUTE(own, constant, code, since, ...)                                                           \
  {                                                                                                                    \
    int value = -12345;                                                                                                \
    INFO(constant);                                                                                                    \
    CHECK(driver().device_get_attribute(&value, code, 0) == cuda_abi::success);                                        \
    CHECK(value >= -1);                                                                                                \
  }
  YOKE_CUDA_DEVICE_ATTRIBUTES(YOKE_TEST_ATTRIBUTE)
#undef YOKE_TEST_ATTRIBUTE
  int value = 0;
  CHECK(driver().device_get_attribute(&value, 100000, 0) == cuda_abi::error_invalid_value);
  CHECK(driver().device_get_attribute(&value, 1, 7) == cuda_abi::error_invalid_device);
}

TEST_CASE("the limits are those of the compute capability") {
  namespace info = yoke::cuda::info;
  const auto get = [](auto attribute) { return yoke::cuda::get(driver(), 0, attribute); };
  if (is_child("the limits are those of the compute capability")) {
    CHECK(get(info::compute_capability_major) == 8);
    CHECK(get(info::compute_capability_minor) == 6);
    CHECK(get(info::max_threads_per_multiprocessor) == 1536);
    CHECK(get(info::max_shared_memory_per_block_optin) == 99 * 1024);
    CHECK_FALSE(get(info::cluster_launch));
    std::size_t bytes = 0;
    CHECK(driver().device_total_mem(&bytes, 0) == cuda_abi::success);
    CHECK(bytes == 1000000);
    return;
  }
  CHECK(get(info::compute_capability_major) == 9);
  CHECK(get(info::compute_capability_minor) == 0);
  CHECK(get(info::max_threads_per_multiprocessor) == 2048);
  CHECK(get(info::max_shared_memory_per_block_optin) == 227 * 1024);
  CHECK(get(info::cluster_launch));
  CHECK(get(info::warp_size) == 32);
  const child_result child =
      run_child("the limits are those of the compute capability",
                {{"YOKE_SIMULATOR_COMPUTE_CAPABILITY", "8.6"}, {"YOKE_SIMULATOR_MEMORY_BYTES", "1000000"}});
  INFO(child.output);
  CHECK(child.status == 0);
}

TEST_CASE("no devices is what cuInit says") {
  if (is_child("no devices is what cuInit says")) {
    ::setenv("YOKE_CUDA_DRIVER", YOKE_TEST_CUDA_SIMULATOR, 1);
    const yoke::availability answer = yoke::cuda::available();
    CHECK_FALSE(answer.available);
    CHECK_THAT(answer.reason, ContainsSubstring("CUDA_ERROR_NO_DEVICE"));
    return;
  }
  const child_result child = run_child("no devices is what cuInit says", {{"YOKE_SIMULATOR_DEVICES", "0"}});
  INFO(child.output);
  CHECK(child.status == 0);
}

TEST_CASE("pairs of devices reach each other's memory") {
  int yes = -1;
  CHECK(driver().device_can_access_peer(&yes, 0, 1) == cuda_abi::success);
  CHECK(yes == 1);
  CHECK(driver().device_can_access_peer(&yes, 0, 0) == cuda_abi::success);
  CHECK(yes == 0);
  CHECK(driver().device_get_p2p_attribute(&yes, cuda_abi::p2p_attribute::access_supported, 0, 1) == cuda_abi::success);
  CHECK(yes == 1);
  CHECK(driver().device_get_p2p_attribute(&yes, cuda_abi::p2p_attribute::access_supported, 1, 1) ==
        cuda_abi::error_invalid_device);
}
