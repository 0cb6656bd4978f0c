// SPDX-License-Identifier: MIT
// Whole programs on the simulated driver: compile, load, copy, launch, check; on two devices and several threads.
#include <atomic>
#include <cuda_simulator/driver.hpp>
#include <thread>

using namespace yoke_test;

namespace {

const std::string saxpy_text = R"(
  extern "C" __global__ void saxpy(float* y, const float* x, float a, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] += a * x[i];
  }
)";

/// Returns: whether y = 1 + a * i came back everywhere.
bool run_saxpy(cuda_abi::function kernel, cuda_abi::stream stream, float a) {
  const int n = 1000;
  const std::size_t bytes = n * sizeof(float);
  test_pagelocked<float> x{n}, y{n};
  for (int i = 0; i < n; ++i) {
    x[static_cast<std::size_t>(i)] = static_cast<float>(i);
    y[static_cast<std::size_t>(i)] = 1;
  }
  cuda_abi::device_pointer x_gpu = 0, y_gpu = 0;
  ok(driver().mem_alloc_async(&x_gpu, bytes, stream));
  ok(driver().mem_alloc_async(&y_gpu, bytes, stream));
  ok(driver().memcpy_htod_async(x_gpu, x.data(), bytes, stream));
  ok(driver().memcpy_htod_async(y_gpu, y.data(), bytes, stream));
  ok(launch_status(kernel, 8, 128, 0, stream, y_gpu, x_gpu, a, n));
  ok(driver().memcpy_dtoh_async(y.data(), y_gpu, bytes, stream));
  ok(driver().mem_free_async(x_gpu, stream));
  ok(driver().mem_free_async(y_gpu, stream));
  ok(driver().stream_synchronize(stream));
  for (int i = 0; i < n; ++i) {
    if (y[static_cast<std::size_t>(i)] != 1 + a * static_cast<float>(i)) return false;
  }
  return true;
}

}  // namespace

TEST_CASE("a program compiles, loads, copies, launches and gets its result") {
  const primary_context context;
  const test_stream stream;
  const test_library library{saxpy_text};
  CHECK(run_saxpy(library.function("saxpy"), stream, 2));
}

TEST_CASE("one library serves two devices from several threads") {
  const primary_context first{0};
  const primary_context second{1};
  const test_library library{saxpy_text};
  const cuda_abi::function kernel = library.function("saxpy");
  std::atomic<int> good{0};
  std::vector<std::thread> threads;
  for (int each = 0; each < 6; ++each) {
    threads.emplace_back([&, each] {
      const primary_context context{each % 2};
      const test_stream stream{each < 3 ? cuda_abi::stream_default : cuda_abi::stream_non_blocking};
      for (int round = 0; round < 3; ++round) {
        if (run_saxpy(kernel, stream, static_cast<float>(each))) ++good;
      }
    });
  }
  for (std::thread& each : threads) each.join();
  CHECK(good == 18);
}
