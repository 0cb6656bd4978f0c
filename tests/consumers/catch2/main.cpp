// SPDX-License-Identifier: MIT
// Tests by <yoke/catch2.hpp>: how often each body runs, and with which type of device.
#if __has_include(<catch2/catch_all.hpp>)
#include <catch2/catch_session.hpp>
#else
#define CATCH_CONFIG_RUNNER
#endif
#include <yoke/catch2.hpp>
#include <yoke/yoke.hpp>

#include <cstdio>
#include <string>
#include <string_view>
#include <vector>

static std::size_t runs = 0;
static std::size_t opencl_runs = 0;

YOKE_DEVICE_TEST("each device doubles", "[device]") {
  yoke::context ctx{device};
  yoke::stream stream{ctx};
  auto twice = yoke::compile(ctx, "YOKE_KERNEL twice(YOKE_GLOBAL int* a) { a[get_global_id(0)] *= 2; }")
                   .get_kernel<void(int*)>("twice");
  std::vector<int> a{1, 2, 3, 4};
  twice(stream, {.grid = 1, .block = 4}, yoke::in_out(a));
  CHECK(a == std::vector{2, 4, 6, 8});
  ++runs;
}
YOKE_OPENCL_TEST("OpenCL's devices have their own type", "[opencl]") {
  static_assert(std::same_as<decltype(device), const yoke::opencl::device&>);
  CHECK(std::string_view(device.backend_name()) == "opencl");
  ++opencl_runs;
}
YOKE_CUDA_TEST("CUDA's devices have theirs", "[cuda]") {
  static_assert(std::same_as<decltype(device), const yoke::cuda::device&>);
  CHECK(std::string_view(device.backend_name()) == "cuda");
}

int main(int count, char** words) {
  std::printf("yoke %s\n", YOKE_VERSION_STRING);
  const int failed = Catch::Session().run(count, words);
  std::size_t opencl = 0;
  for (const auto& each : yoke::testing::test_devices().devices) {
    opencl += std::string_view(each.backend_name()) == "opencl" ? 1 : 0;
  }
  const bool all = runs == yoke::testing::test_devices().devices.size() && opencl_runs == opencl;
  if (!all) std::printf("%zu runs, %zu on OpenCL\n", runs, opencl_runs);
  return failed == 0 && all ? 0 : 1;
}
