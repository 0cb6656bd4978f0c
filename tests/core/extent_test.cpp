// SPDX-License-Identifier: MIT
// Extents come from one to three integers of any type and refuse negative ones.
#include <support/catch.hpp>

#include <yoke/core/extent.hpp>

using namespace yoke_test;
using yoke::extent3;

static_assert(extent3{} == extent3(1, 1, 1));
static_assert(extent3(16).x == 16 && extent3(16).y == 1 && extent3(16).z == 1);
static_assert(!std::is_constructible_v<extent3, float> && !std::is_constructible_v<extent3, bool>);
static_assert(!std::is_constructible_v<extent3, int, double>);
static_assert(sizeof(extent3) == 3 * sizeof(std::size_t) && std::is_trivially_copyable_v<extent3>);

TEST_CASE("an extent reads like its counts", "[core]") {
  const extent3 line = 16;
  const extent3 plane = {32, 8};
  const extent3 box = {8u, std::int64_t{4}, std::uint8_t{2}};
  CHECK(line == extent3(16, 1, 1));
  CHECK(plane == extent3(32, 8, 1));
  CHECK((box.x == 8 && box.y == 4 && box.z == 2));
  CHECK_FALSE(plane == extent3(32, 8, 2));
  CHECK(extent3(0).x == 0);  // whether it may be empty is for the launch to say
}

TEST_CASE("an extent names the count that is negative, at the caller's line", "[core]") {
  const unsigned line = yoke::source_location::current().line();
  try {
    (void)extent3(4, -5, 6);
    FAIL("a negative extent was accepted");
  } catch (const yoke::logic_error& e) {
    CHECK(e.code() == yoke::errc::out_of_range);
    CHECK_THAT(e.what(), ContainsSubstring("extent y is -5, outside 0 .. 18446744073709551615, in {4, -5, 6}"));
    CHECK(e.where().line() == line + 2);
  }
  CHECK_THROWS_WITH(extent3(-1), ContainsSubstring("extent x is -1, outside 0 .. 18446744073709551615, in {-1}"));
  CHECK_THROWS_WITH(extent3(1, 1, -7), ContainsSubstring("extent z is -7") && ContainsSubstring("in {1, 1, -7}"));
  CHECK_THROWS_WITH(extent3(7U, -2L), ContainsSubstring("extent y is -2") && ContainsSubstring("in {7, -2}"));
}
