// SPDX-License-Identifier: MIT
// Launch shapes: dimensions, and blocks derived from a count.
#include <support/catch.hpp>

#include <yoke/driver/opencl/program/launch_shape.hpp>
#include <yoke/driver/types.hpp>
#include <yoke/program/kernel/shape.hpp>

#include <cstdint>
#include <limits>

using namespace yoke_test;
using yoke::launch_shape;

static_assert(launch_shape{}.dimensions() == 1);
static_assert(launch_shape{.grid = 4, .block = 16}.dimensions() == 1);
static_assert(launch_shape{.grid = {4, 2}, .block = 16}.dimensions() == 2);
static_assert(launch_shape{.grid = 4, .block = {16, 2}}.dimensions() == 2);
static_assert(launch_shape{.grid = {1, 1, 2}}.dimensions() == 3);
static_assert(launch_shape{.block = {8, 1, 2}}.dimensions() == 3);
static_assert(!launch_shape{}.nothing);
using opencl_shape = yoke::opencl::launch_shape;
static_assert(opencl_shape{.grid = 4, .block = 4, .global_offset = {0, 3, 0}}.dimensions() == 2);
static_assert(opencl_shape{.grid = 4, .block = 4, .global_offset = {0, 0, 3}}.dimensions() == 3);
static_assert(opencl_shape{}.global_offset == yoke::extent3(0, 0, 0));
static_assert(opencl_shape(yoke::launch_over(1000, 256)).is_plain());
static_assert(!opencl_shape{.grid = 4, .block = 4, .global_offset = 1}.is_plain());
static_assert(yoke::launch_over(1000, 256).grid.x == 4);  // also while compiling

TEST_CASE("launch_over rounds blocks up, for any count", "[driver]") {
  const auto blocks = [](auto count, auto block) { return yoke::launch_over(count, block).grid.x; };
  CHECK(blocks(1, 256) == 1);
  CHECK(blocks(256, 256) == 1);
  CHECK(blocks(257u, 256) == 2);
  CHECK(blocks(std::size_t{1} << 40, std::uint8_t{64}) == std::size_t{1} << 34);
  CHECK(blocks(std::numeric_limits<std::uint64_t>::max(), 2) == std::size_t{1} << 63);  // rounding up must not wrap
  CHECK(yoke::launch_over(10).block == yoke::extent3(256));
  CHECK_FALSE(yoke::launch_over(10).nothing);
}

TEST_CASE("launch_over nothing launches nothing", "[driver]") {
  CHECK(yoke::launch_over(0).nothing);
  CHECK(yoke::launch_over(0, 64).grid == yoke::extent3(0));
}

TEST_CASE("launch_over refuses what is no count, at the caller's line", "[driver]") {
  CHECK_THROWS_WITH(yoke::launch_over(-1), ContainsSubstring("thread count is -1"));
  CHECK_THROWS_WITH(yoke::launch_over(1, -8), ContainsSubstring("block is -8"));
  CHECK_THROWS_AS(yoke::launch_over(1, -8), yoke::logic_error);
  unsigned line = 0;
  try {
    line = yoke::source_location::current().line() + 1;
    (void)yoke::launch_over(16, 0);
    FAIL("a block of 0 was accepted");
  } catch (const yoke::launch_error& e) {
    CHECK(e.code() == yoke::errc::launch_failed);
    CHECK(e.where().line() == line);
  }
}
