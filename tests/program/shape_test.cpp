// SPDX-License-Identifier: MIT
// Launch shapes: what runs where, nothing, and limits explained in words.
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
  kernel void dimensions(global int* out) { out[0] = get_work_dim(); }
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

TEST_CASE("launch_over makes enough blocks", "[program]") {
  const auto blocks = [](auto count, auto block) { return yoke::launch_over(count, block).grid.x; };
  CHECK(blocks(1, 64) == 1);
  CHECK(blocks(64, 64) == 1);
  CHECK(blocks(65U, short{64}) == 2);
  CHECK(blocks(~std::size_t{0}, 2) == std::size_t{1} << 63);
  CHECK(yoke::launch_over(1000).block.x == 256);
  CHECK(yoke::launch_over(1000).grid.x == 4);
  CHECK_FALSE(yoke::launch_over(1).nothing);
  CHECK(yoke::launch_over(0).nothing);
  static_assert(yoke::launch_over(10, 4).grid.x == 3);
  CHECK_THAT(refusal<yoke::logic_error>(yoke::errc::out_of_range, [] { (void)yoke::launch_over(-1); }),
             ContainsSubstring("thread count is -1") && ContainsSubstring("shape_test.cpp:"));
  CHECK_THAT(refusal<yoke::logic_error>(yoke::errc::out_of_range, [] { (void)yoke::launch_over(1, -64); }),
             ContainsSubstring("block is -64"));
  CHECK_THAT(refusal<yoke::launch_error>(yoke::errc::launch_failed, [] { (void)yoke::launch_over(1, 0); }),
             ContainsSubstring("block is 0"));
  refusal<yoke::logic_error>(yoke::errc::out_of_range, [] { (void)yoke::launch_shape{.grid = {1, -1}}; });
}

YOKE_OPENCL_TEST_CASE("grids and blocks of one to three dimensions run each thread once", "[program]") {
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

YOKE_OPENCL_TEST_CASE("launch_over covers the count, and of nothing calls nothing", "[program]") {
  bench on(device);
  const auto count = on.module.get_kernel<void(int*, int)>("count");
  for (const int n : {1, 63, 64, 65, 1000}) {
    std::vector<int> counter(1);
    count(on.stream, yoke::launch_over(n, 64), yoke::in_out(counter), n);
    CHECK(counter[0] == n);
  }
  ocl::device_allocation<int> memory{on.context, 1};
  std::vector<int> counter{7};
  const std::size_t mark = on.driver.mark();
  count(on.stream, yoke::launch_over(0), memory, 1);
  count(on.stream, yoke::launch_over(0, 64), yoke::in_out(counter), 1);
  CHECK(counter[0] == 7);
  CHECK(on.driver.count_all(mark) == 0);
  const auto done = count.enqueue(on.stream, yoke::launch_over(0), memory, 1);  // an event all the same
  CHECK(static_cast<bool>(done));
  done.wait();
  CHECK(on.driver.count("enqueue_kernel", mark) == 0);
}

YOKE_OPENCL_TEST_CASE("an explicit shape of nothing is a mistake", "[program]") {
  bench on(device);
  const auto dimensions = on.module.get_kernel<void(int*)>("dimensions");
  ocl::device_allocation<int> memory{on.context, 1};
  const std::size_t mark = on.driver.mark();
  const auto refused = [&](const yoke::launch_shape& shape) {
    refusal<yoke::launch_error>(yoke::errc::launch_failed, [&] { (void)dimensions.enqueue(on.stream, shape, memory); });
    return refusal<yoke::launch_error>(yoke::errc::launch_failed, [&] { dimensions(on.stream, shape, memory); });
  };
  CHECK_THAT(refused({.grid = 0, .block = 16}),
             ContainsSubstring("grid has an extent of 0: grid {0, 1, 1}, block {16, 1, 1}; launch_over(0) is the way"));
  CHECK_THAT(refused({.grid = {1, 0}}), ContainsSubstring("grid {1, 0, 1}"));
  CHECK_THAT(refused({.grid = 1, .block = {1, 1, 0}}), ContainsSubstring("block has an extent of 0"));
  CHECK_THAT(refused({.grid = std::size_t{1} << 63, .block = 4}), ContainsSubstring("exceeds the size of an integer"));
  CHECK(on.driver.count("enqueue_kernel", mark) == 0);
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

YOKE_OPENCL_TEST_CASE("too much local memory is refused in words before the driver meets it", "[program]") {
  bench on(device);
  const auto hungry = on.module.get_kernel<void(int*, yoke::local<int>)>("hungry");
  ocl::device_allocation<int> memory{on.context, 1};
  const std::size_t limit = on.stream.limits().local_memory_bytes;
  const std::size_t own = hungry.limits().static_local_bytes;
  const std::size_t mark = on.driver.mark();
  const std::size_t asked = limit / sizeof(int) + 1;
  CHECK_THAT(refusal<yoke::launch_error>(yoke::errc::launch_failed,
                                         [&] { hungry(on.stream, {.grid = 1}, memory, yoke::local<int>(asked)); }),
             ContainsSubstring("local memory of " + std::to_string(own + asked * 4) + " bytes (" + std::to_string(own) +
                               " in the kernel, " + std::to_string(asked * 4) +
                               " in local arguments) exceeds this device's " + std::to_string(limit)));
  CHECK(on.driver.count("enqueue_kernel", mark) == 0);
  hungry(on.stream, {.grid = 1, .block = 4}, memory, yoke::local<int>(16));
  hungry(on.stream, {.grid = 1}, memory, yoke::local<int>(0));  // drivers refuse 0 bytes; the library must not
  on.stream.synchronize();
  refusal<yoke::logic_error>(yoke::errc::out_of_range, [] { (void)yoke::local<int>(-1); });
}

TEST_CASE("launch_over in several dimensions makes enough blocks along each", "[program]") {
  const auto shape = yoke::launch_over({100, 17, 3}, {32, 4, 2});
  CHECK(shape.grid == yoke::extent3{4, 5, 2});
  CHECK(shape.block == yoke::extent3{32, 4, 2});
  CHECK_FALSE(shape.nothing);
  static_assert(yoke::launch_over({64, 64}, {16, 16}).grid == yoke::extent3{4, 4});
  CHECK(yoke::launch_over({0, 5}, {8, 8}).nothing);
  CHECK(yoke::launch_over({5, 0}, {8, 8}).nothing);
  CHECK_THAT(refusal<yoke::launch_error>(yoke::errc::launch_failed,
                                         [] {
                                           (void)yoke::launch_over({8, 8}, {8, 0});
                                         }),
             ContainsSubstring("block {8, 0, 1} has an extent of 0") && ContainsSubstring("shape_test.cpp:"));
  CHECK_THAT(refusal<yoke::logic_error>(yoke::errc::out_of_range,
                                        [] {
                                          (void)yoke::launch_over({8, -1}, {8, 8});
                                        }),
             ContainsSubstring("extent y"));
}

YOKE_OPENCL_TEST_CASE("a launch over an image reaches every pixel once", "[program]") {
  rig on(device);
  const auto mark = yoke::compile(on.context, R"(
    kernel void mark(global int* image, int width, int height) {
      int x = (int)get_global_id(0), y = (int)get_global_id(1);
      if (x < width && y < height) image[y * width + x] += 1000 * x + y;
    })")
                        .get_kernel<void(int*, int, int)>("mark");
  std::vector<int> image(13 * 7), expected(image.size());
  for (int y = 0; y < 7; ++y) {
    for (int x = 0; x < 13; ++x) expected[static_cast<std::size_t>(y * 13 + x)] = 1000 * x + y;
  }
  mark(on.stream, yoke::launch_over({13, 7}, {4, 4}), yoke::in_out(image), 13, 7);
  CHECK(image == expected);
  const std::size_t before = on.driver.mark();
  mark(on.stream, yoke::launch_over({13, 0}, {4, 4}), yoke::in_out(image), 13, 0);
  CHECK(on.enqueued(before) == 0);
}
