// SPDX-License-Identifier: MIT
// Launch shapes: what runs where, nothing, and limits explained in words.
#include <program/kernel/shapes.hpp>

using namespace yoke_test;
using namespace yoke_test::shapes;

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
             ContainsSubstring("block is 0, for 1 threads: a block has at least 1 thread"));
  refusal<yoke::logic_error>(yoke::errc::out_of_range, [] { (void)yoke::launch_shape{.grid = {1, -1}}; });
}

YOKE_DEVICE_TEST_CASE("grids and blocks of one to three dimensions run each thread once", "[program]") {
  shape_bench on(device);
  const auto check = [&](const yoke::launch_shape& shape) { check_places(on, shape); };
  check({.grid = 5, .block = 4});
  check({.grid = {3, 2}, .block = {4, 2}});
  check({.grid = {2, 3, 2}, .block = {2, 2, 2}});
  check({.grid = {1, 1, 3}, .block = 4});

  const auto dimensions = yoke::get_kernel<void(int*)>(on.module, "dimensions");
  std::vector<int> out(1);
  dimensions(on.stream, {.grid = 4, .block = 1}, yoke::out(out));
  CHECK(out[0] == 1);
  dimensions(on.stream, {.grid = {1, 2}}, yoke::out(out));
  CHECK(out[0] == 2);
  dimensions(on.stream, {.grid = {1, 1, 2}}, yoke::out(out));
  CHECK(out[0] == 3);
}

YOKE_DEVICE_TEST_CASE("launch_over covers the count, and of nothing calls nothing", "[program]") {
  shape_bench on(device);
  const auto count = yoke::get_kernel<void(int*, int)>(on.module, "count");
  for (const int n : {1, 63, 64, 65, 1000}) {
    std::vector<int> counter(1);
    count(on.stream, yoke::launch_over(n, 64), yoke::in_out(counter), n);
    CHECK(counter[0] == n);
  }
  backend::device_allocation<int> memory{on.context, 1};
  std::vector<int> counter{7};
  const std::size_t mark = on.driver.mark();
  count(on.stream, yoke::launch_over(0), memory, 1);
  count(on.stream, yoke::launch_over(0, 64), yoke::in_out(counter), 1);
  CHECK(counter[0] == 7);
  CHECK(on.driver.count_all(mark) == 0);
  const auto done = count.enqueue(on.stream, yoke::launch_over(0), memory, 1);  // an event all the same
  CHECK(static_cast<bool>(done));
  done.wait();
  CHECK(on.driver.count(calls::launch, mark) == 0);
}

YOKE_DEVICE_TEST_CASE("launching nothing checks its arguments", "[program]") {
  shape_bench on(device);
  const auto count = yoke::get_kernel<void(int*, int)>(on.module, "count");
  const backend::context elsewhere = Backend::another_context(on.device);
  const backend::stream foreign(elsewhere);
  backend::device_allocation<int> memory{on.context, 1}, strange{elsewhere, 1}, none{on.context, 0};
  backend::device_allocation<int> moved{on.context, 1};
  const backend::device_allocation<int> kept = std::move(moved);
  std::vector<int> counter{7};
  const std::size_t mark = on.driver.mark();
  const auto refused = [&](yoke::errc condition, const backend::stream& stream, auto& argument) {
    refusal<yoke::logic_error>(condition, [&] { (void)count.enqueue(stream, yoke::launch_over(0), argument, 1); });
    return refusal<yoke::logic_error>(condition, [&] { count(stream, yoke::launch_over(0), argument, 1); });
  };
  CHECK_THAT(refused(yoke::errc::empty_handle, on.stream, moved),  // NOLINT: moved from on purpose
             ContainsSubstring("argument 1 is empty (moved from"));
  CHECK_THAT(refused(yoke::errc::wrong_context, on.stream, strange),
             ContainsSubstring("argument 1 is of another context than the stream"));
  CHECK_THAT(refused(yoke::errc::wrong_context, foreign, strange),
             ContainsSubstring("the kernel is of another context than the stream"));
  count(on.stream, yoke::launch_over(0), none, 1);
  count(on.stream, yoke::launch_over(0), nullptr, 1);
  count(on.stream, yoke::launch_over(0), yoke::in_out(counter), 1);
  CHECK(counter[0] == 7);
  CHECK(on.driver.count_all(mark) == 0);
}

YOKE_DEVICE_TEST_CASE("an explicit shape of nothing is a mistake", "[program]") {
  shape_bench on(device);
  const auto dimensions = yoke::get_kernel<void(int*)>(on.module, "dimensions");
  backend::device_allocation<int> memory{on.context, 1};
  const std::size_t mark = on.driver.mark();
  const auto refused = [&](const yoke::launch_shape& shape) {
    refusal<yoke::launch_error>(yoke::errc::launch_failed, [&] { (void)dimensions.enqueue(on.stream, shape, memory); });
    return refusal<yoke::launch_error>(yoke::errc::launch_failed, [&] { dimensions(on.stream, shape, memory); });
  };
  CHECK_THAT(refused({.grid = 0, .block = 16}),
             ContainsSubstring("grid has an extent of 0: grid {0, 1, 1}, block {16, 1, 1}; launch_over(0) is the way"));
  CHECK_THAT(refused({.grid = {1, 0}}), ContainsSubstring("grid {1, 0, 1}"));
  CHECK_THAT(refused({.grid = 1, .block = {1, 1, 0}}), ContainsSubstring("block has an extent of 0"));
  CHECK_THAT(refused({.grid = std::size_t{1} << 63, .block = 4}), ContainsSubstring(" exceeds "));
  CHECK(on.driver.count(calls::launch, mark) == 0);
}

YOKE_DEVICE_TEST_CASE("a block beyond the device's limits is explained", "[program]") {
  shape_bench on(device);
  const auto dimensions = yoke::get_kernel<void(int*)>(on.module, "dimensions");
  backend::device_allocation<int> memory{on.context, 64};
  const yoke::device_limits limits = on.stream.limits();
  const auto refused = [&](const yoke::launch_shape& shape) {
    return refusal<yoke::launch_error>(yoke::errc::launch_failed, [&] { dimensions(on.stream, shape, memory); });
  };
  const std::string words =
      "block " + std::to_string(limits.max_block * 2) + " exceeds this device's " + std::to_string(limits.max_block);
  CHECK_THAT(refused({.grid = 1, .block = limits.max_block * 2}),
             ContainsSubstring(words) && ContainsSubstring(std::string(Backend::symbol(calls::launch)) + ": ") &&
                 ContainsSubstring("shape_test.cpp:"));
  CHECK_THAT(refused({.grid = 1, .block = {limits.max_block, 2}}), ContainsSubstring(words));
  dimensions(on.stream, {.grid = 1, .block = limits.max_block}, memory);
  on.stream.synchronize();
}

YOKE_DEVICE_TEST_CASE("too much local memory is refused in words before the driver meets it", "[program]") {
  shape_bench on(device);
  const auto hungry = yoke::get_kernel<void(int*, yoke::local<int>)>(on.module, "hungry");
  backend::device_allocation<int> memory{on.context, 1};
  const std::size_t limit = on.stream.limits().local_memory_bytes;
  const std::size_t own = hungry.limits().static_local_bytes;
  const std::size_t mark = on.driver.mark();
  const std::size_t asked = limit / sizeof(int) + 1;
  CHECK_THAT(refusal<yoke::launch_error>(yoke::errc::launch_failed,
                                         [&] { hungry(on.stream, {.grid = 1}, memory, yoke::local<int>(asked)); }),
             ContainsSubstring("local memory of " + std::to_string(own + asked * 4) + " bytes (" + std::to_string(own) +
                               " in the kernel, " + std::to_string(asked * 4) +
                               " in local arguments) exceeds this device's " + std::to_string(limit)));
  CHECK(on.driver.count(calls::launch, mark) == 0);
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
             ContainsSubstring("block {8, 0, 1} has an extent of 0: a block has at least 1 thread") &&
                 ContainsSubstring("shape_test.cpp:"));
  CHECK_THAT(refusal<yoke::logic_error>(yoke::errc::out_of_range,
                                        [] {
                                          (void)yoke::launch_over({8, -1}, {8, 8});
                                        }),
             ContainsSubstring("extent y is -1") && ContainsSubstring("in {8, -1}"));
}

YOKE_DEVICE_TEST_CASE("a launch over an image reaches every pixel once", "[program]") {
  rig on(device);
  const auto mark = yoke::get_kernel<void(int*, int, int)>(yoke::compile(on.context, R"(
    YOKE_KERNEL mark(YOKE_GLOBAL int* image, int width, int height) {
      int x = (int)get_global_id(0), y = (int)get_global_id(1);
      if (x < width && y < height) image[y * width + x] += 1000 * x + y;
    })"),
                                                           "mark");
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
