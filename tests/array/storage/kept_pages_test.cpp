// SPDX-License-Identifier: MIT
// Copies to new host memory through page-locked pages that a context keeps.
#include <array/array_rig.hpp>
#include <cuda/cuda_rig.hpp>
#include <support/drivers/cuda_interposer.hpp>

#include <atomic>
#include <complex>
#include <numeric>
#include <thread>

using namespace yoke_test;

namespace {

std::vector<int> counted(std::size_t count) {
  std::vector<int> made(count);
  std::iota(made.begin(), made.end(), 1);
  return made;
}

}  // namespace

YOKE_CUDA_TEST_CASE("copies to new host memory share pages that the context keeps", "[array]") {
  cuda_interposer driver(*device.port().table());
  {
    const cu::context context(through_table(driver.table(), device));
    const cu::stream stream(context);
    const auto locked = [&] { return driver.count("mem_host_register"); };
    const auto copied = [&](std::size_t count) {
      const std::vector<int> host = counted(count);
      CHECK(yoke::to_device_array(host, stream).to_host() == host);
    };
    copied(16383);
    copied(524289);
    CHECK(locked() == 0);
    for (const std::size_t count : {16384U, 100'000U, 524288U, 16384U}) copied(count);
    CHECK(locked() == 1);
    // Views with gaps and elements that are structs go the same way.
    const std::vector<int> host = counted(40'000);
    const auto table = yoke::to_device_array(host, {200, 200}, stream);
    const auto turned = table.transpose().to_host();
    CHECK(turned[1] == host[200]);
    CHECK(turned[39'998] == host[198 * 200 + 199]);
    CHECK(table(yoke::whole, yoke::slice(0, 199)).to_host()[199] == host[200]);
    const std::vector<std::complex<double>> numbers(20'000, {1, -2});
    CHECK(yoke::to_device_array(numbers, stream).to_host() == numbers);
    CHECK(locked() == 1);
    yoke::set_staging(context, {.enabled = false});
    const std::size_t copies = driver.count("memcpy_dtoh_async");
    copied(100'000);
    CHECK(driver.count("memcpy_dtoh_async") == copies + 1);
    CHECK(driver.count("mem_host_unregister") == 0);
  }
  CHECK(driver.count("mem_host_unregister") == 1);
}

YOKE_CUDA_TEST_CASE("copies do without kept pages that the driver does not lock or another copy uses", "[array]") {
  const std::vector<int> host = counted(100'000);
  cu::abi::functions refusing = *device.port().table();
  refusing.mem_host_register = [](void*, std::size_t, unsigned) { return cu::abi::error_out_of_memory; };
  {
    const cu::context context(through_table(&refusing, device));
    const cu::stream stream(context);
    for (int turn = 0; turn < 2; ++turn) CHECK(yoke::to_device_array(host, stream).to_host() == host);
  }
  const cu::context context(device);
  std::vector<std::thread> threads;
  std::atomic<int> right{0};
  for (int thread = 0; thread < 4; ++thread) {
    threads.emplace_back([&] {
      const cu::stream stream(context);
      const auto array = yoke::to_device_array(host, stream);
      for (int turn = 0; turn < 20; ++turn) right += array.to_host() == host;
    });
  }
  for (std::thread& each : threads) each.join();
  CHECK(right == 80);
}
