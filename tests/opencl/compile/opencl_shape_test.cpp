// SPDX-License-Identifier: MIT
// Launch shapes of OpenCL's own: offsets, required blocks, limits as the driver reports them.
#include <program/kernel/shapes.hpp>
#include <support/devices/background.hpp>

using namespace yoke_test;
using namespace yoke_test::shapes;

YOKE_OPENCL_TEST_CASE("grids with offsets of one to three dimensions run each thread once", "[program]") {
  shape_bench on(device);
  check_places(on, {.grid = 5, .block = 4, .global_offset = {7, 0, 0}});
  check_places(on, {.grid = {3, 2}, .block = {4, 2}, .global_offset = {1, 30, 0}});
  check_places(on, {.grid = 2, .block = 4, .global_offset = {0, 0, 9}});
}

YOKE_OPENCL_TEST_CASE("a thread's place counts beyond 2^32", "[program][large]") {
  if (is_nvidia_opencl(device)) YOKE_SKIP("the driver counts places of threads to 2^32");
  rig on(device);
  const auto module = yoke::compile(on.context, R"(
    YOKE_KERNEL where(YOKE_GLOBAL yoke_int64* out, yoke_int64 first) {
      yoke_int64 i = (yoke_int64)get_global_id(0);
      out[i - first] = i;
    })");
  const auto where = module.get_kernel<void(std::int64_t*, std::int64_t)>("where");
  for (const std::size_t first : {(std::size_t{1} << 32) - 4, (std::size_t{1} << 33) + 3}) {
    std::vector<std::int64_t> places(8), expected(8);
    std::iota(expected.begin(), expected.end(), static_cast<std::int64_t>(first));
    where(on.stream, {.grid = 2, .block = 4, .global_offset = {first, 0, 0}}, yoke::out(places), first);
    CHECK(places == expected);
  }
}

YOKE_OPENCL_TEST_CASE("a block beyond the device's or the kernel's limits is explained", "[program]") {
  shape_bench on(device);
  const auto dimensions = on.module.get_kernel<void(int*)>("dimensions");
  ocl::device_allocation<int> memory{on.context, 64};
  const yoke::device_limits limits = on.stream.limits();
  const auto refused = [&](const auto& kernel, const yoke::launch_shape& shape) {
    return refusal<yoke::launch_error>(yoke::errc::launch_failed, [&] { kernel(on.stream, shape, memory); });
  };
  const std::size_t too_many = limits.max_block * 2;
  CHECK_THAT(refused(dimensions, {.grid = 1, .block = too_many}),
             ContainsSubstring("block " + std::to_string(too_many) + " exceeds this device's " +
                               std::to_string(limits.max_block)) &&
                 ContainsSubstring("clEnqueueNDRangeKernel: ") && ContainsSubstring("shape_test.cpp:"));
  CHECK_THAT(refused(dimensions, {.grid = 1, .block = {limits.max_block, 2}}),
             ContainsSubstring("block " + std::to_string(too_many) + " exceeds this device's " +
                               std::to_string(limits.max_block)));

  const auto module = yoke::compile(on.context, R"(
    kernel __attribute__((reqd_work_group_size(4, 2, 1))) void fixed(global int* out) {
      out[get_global_id(1) * 4 + get_global_id(0)] = 1;
    })");
  const auto fixed = module.get_kernel<void(int*)>("fixed");
  CHECK(fixed.limits().required_block == std::array<std::size_t, 3>{4, 2, 1});
  CHECK_THAT(refused(fixed, {.grid = 2, .block = 8}),
             ContainsSubstring("block {8, 1, 1} is not the {4, 2, 1} that the kernel requires"));
  CHECK_NOTHROW(fixed(on.stream, {.grid = 2, .block = {4, 2}}, memory));
  on.stream.synchronize();

  // Limits of a single axis, and of a kernel, as a driver with such limits reports them.
  on.driver.replace<&abi::functions::enqueue_kernel>([](abi::queue, abi::kernel, abi::uint, const std::size_t*,
                                                        const std::size_t*, const std::size_t*, abi::uint,
                                                        const abi::event*, abi::event*) { return abi::status{-54}; });
  const std::size_t per_kernel = dimensions.limits().max_block;
  on.driver.replace<&abi::functions::get_kernel_work_group_info>(
      [&](abi::kernel kernel, abi::device which, abi::uint what, std::size_t size, void* value, std::size_t* needed) {
        const abi::status status =
            on.driver.real().get_kernel_work_group_info(kernel, which, what, size, value, needed);
        constexpr abi::uint work_group_size = 0x11B0;
        if (what == work_group_size && value != nullptr) *static_cast<std::size_t*>(value) = 2;
        return status;
      });
  CHECK(per_kernel > 2);
  CHECK_THAT(refused(dimensions, {.grid = 1, .block = 4}),
             ContainsSubstring("block 4 exceeds this kernel's 2 on this device"));
  CHECK_THAT(refused(dimensions, {.grid = {3, 2}, .block = 2}),
             ContainsSubstring("grid {3, 2, 1} of blocks {2, 1, 1}"));
}
