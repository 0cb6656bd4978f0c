// SPDX-License-Identifier: MIT
// What the checks of arguments allocate: nothing where there is nothing to tell.
#include <support/faults/allocation_faults.hpp>

#include <yoke/core/narrow.hpp>

using namespace yoke_test;

TEST_CASE("a value that its enumeration has is checked without an allocation", "[allocation]") {
  enum class place : unsigned { near = 1000000, far = 2000000, farther = 3000000, farthest = 4000000 };
  bool passed = true;
  allocation_faults::arm(1, fault_mode::for_ever);
  try {
    yoke::detail::check_enumerator("place", place::farthest, {place::near, place::far, place::farther, place::farthest},
                                   {});
  } catch (const std::bad_alloc&) {
    passed = false;
  }
  const std::size_t injected = allocation_faults::injected();
  allocation_faults::disarm();
  CHECK(passed);
  CHECK(injected == 0);
}
