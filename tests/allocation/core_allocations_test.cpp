// SPDX-License-Identifier: MIT
// Checks of arguments allocate nothing where there is nothing to tell; preparations without memory for threads.
#include <support/faults/allocation_faults.hpp>

#include <yoke/core/narrow.hpp>
#include <yoke/prepare.hpp>

#include <atomic>
#include <functional>
#include <vector>

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

TEST_CASE("a preparation without memory for a thread throws, or does its jobs by fewer threads", "[allocation]") {
  for (const fault_mode mode : {fault_mode::once, fault_mode::for_ever}) {
    std::size_t injected = 1, n = 0;
    while (injected != 0) {
      INFO("allocation " << ++n << (mode == fault_mode::once ? ", once" : ", for ever"));
      std::atomic<int> done{0};
      std::vector<std::function<void()>> jobs(4, [&done] { ++done; });
      bool thrown = false;
      try {
        allocation_faults::arm(n, mode);
        yoke::preparation ahead(std::move(jobs));
        injected = allocation_faults::injected();
        allocation_faults::disarm();
        ahead.wait();
      } catch (const std::bad_alloc&) {
        injected = allocation_faults::injected();
        allocation_faults::disarm();
        thrown = true;
      }
      CHECK((thrown || done == 4));
    }
    CHECK(n > 2);
  }
}
