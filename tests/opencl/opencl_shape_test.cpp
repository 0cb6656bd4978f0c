// SPDX-License-Identifier: MIT
// Launch shapes of OpenCL's own: offsets, required blocks, limits as the driver reports them.
#include <support/rig.hpp>

using namespace yoke_test;

namespace {

// Writes, for each thread, its place and the shape it sees.
const char* const kernels = R"(
  kernel void where_am_i(global int* out, int stride) {
    size_t linear = (get_group_id(2) * get_num_groups(1) + get_group_id(1)) * get_num_groups(0) + get_group_id(0);
    linear = linear * get_local_size(0) * get_local_size(1) * get_local_size(2) +
             (get_local_id(2) * get_local_size(1) + get_local_id(1)) * get_local_size(0) + get_local_id(0);
    out[linear] = (int)(get_global_id(0) + stride * (get_global_id(1) + stride * get_global_id(2)));
  }
  kernel void dimensions(global int* out) {
    if (get_global_id(0) + get_global_id(1) + get_global_id(2) == 0) out[0] = get_work_dim();
  }
  kernel void count(global int* counter, int n) { if (get_global_id(0) < n) atomic_inc(counter); }
  kernel __attribute__((reqd_work_group_size(4, 2, 1))) void fixed(global int* out) {
    out[get_global_id(1) * 4 + get_global_id(0)] = 1;
  }
  kernel void hungry(global int* out, local int* scratch) {
    local int own[16];
    own[get_local_id(0) % 16] = 1;
    scratch[get_local_id(0)] = own[0];
    out[0] = scratch[0];
  }
)";

struct bench : rig<opencl_backend> {
  explicit bench(const opencl_device& on) : rig<opencl_backend>(on), module(yoke::compile(context, kernels)) {}
  ocl::module module;
};

}  // namespace

YOKE_OPENCL_TEST_CASE("grids with offsets of one to three dimensions run each thread once", "[program]") {
  bench on(device);
  const auto where_am_i = on.module.get_kernel<void(int*, int)>("where_am_i");
  const auto check = [&](const yoke::launch_shape& shape) {
    constexpr int stride = 100;
    const auto& [grid, block, offset, nothing, local_bytes] = shape;
    std::vector<int> out(grid.x * grid.y * grid.z * block.x * block.y * block.z, -1);
    where_am_i(on.stream, shape, yoke::in_out(out), stride);
    std::vector<int> expected;
    for (std::size_t gz = 0; gz < grid.z; ++gz)
      for (std::size_t gy = 0; gy < grid.y; ++gy)
        for (std::size_t gx = 0; gx < grid.x; ++gx)
          for (std::size_t z = 0; z < block.z; ++z)
            for (std::size_t y = 0; y < block.y; ++y)
              for (std::size_t x = 0; x < block.x; ++x)
                expected.push_back(
                    static_cast<int>(gx * block.x + x + offset.x +
                                     stride * (gy * block.y + y + offset.y + stride * (gz * block.z + z + offset.z))));
    CHECK(out == expected);
  };
  check({.grid = 5, .block = 4});
  check({.grid = {3, 2}, .block = {4, 2}});
  check({.grid = {2, 3, 2}, .block = {2, 2, 2}});
  check({.grid = {1, 1, 3}, .block = 4});
  check({.grid = 5, .block = 4, .global_offset = {7, 0, 0}});
  check({.grid = {3, 2}, .block = {4, 2}, .global_offset = {1, 30, 0}});
  check({.grid = 2, .block = 4, .global_offset = {0, 0, 9}});

  const auto dimensions = on.module.get_kernel<void(int*)>("dimensions");
  std::vector<int> out(1);
  dimensions(on.stream, {.grid = 4, .block = 1}, yoke::out(out));
  CHECK(out[0] == 1);
  dimensions(on.stream, {.grid = {1, 2}}, yoke::out(out));
  CHECK(out[0] == 2);
  dimensions(on.stream, {.grid = {1, 1, 2}}, yoke::out(out));
  CHECK(out[0] == 3);
}

YOKE_OPENCL_TEST_CASE("a block beyond the device's or the kernel's limits is explained", "[program]") {
  bench on(device);
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

  const auto fixed = on.module.get_kernel<void(int*)>("fixed");
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
