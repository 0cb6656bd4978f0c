// SPDX-License-Identifier: MIT
// The verbs of every handle over a driver object, counted in the driver's ledger.
#ifndef YOKE_TESTS_EXECUTION_HANDLE_VERBS_HPP
#define YOKE_TESTS_EXECUTION_HANDLE_VERBS_HPP

#include <support/devices/devices.hpp>

namespace yoke_test {

/// Effects: runs every verb of a handle. `make()` creates one, `adopt(native)` and `borrow(native)` take one,
/// `use(handle)` is an operation that an empty handle must refuse.
template <class Interposer, class Make, class Adopt, class Borrow, class Use>
void check_verbs(Interposer& driver, const std::string& release, Make make, Adopt adopt, Borrow borrow, Use use) {
  using handle = decltype(make());
  const std::size_t before = driver.live().size();
  std::size_t mark = driver.mark();
  const auto released = [&] { return driver.count(release, mark); };
  {
    handle first = make();
    handle second = make();
    CHECK(static_cast<bool>(first));
    const auto first_native = first.native_handle();
    const auto second_native = second.native_handle();
    CHECK(first_native != second_native);
    first = std::move(second);  // releases first
    CHECK(released() == 1);
    CHECK(first.native_handle() == second_native);
    CHECK_FALSE(static_cast<bool>(second));  // NOLINT: what a moved-from handle does is the point
    handle& same = first;
    first = std::move(same);
    CHECK(first.native_handle() == second_native);
    CHECK(released() == 1);
    try {
      use(second);
      FAIL_CHECK("a moved-from handle was used");
    } catch (const yoke::logic_error& e) {
      CHECK(e.code() == yoke::errc::empty_handle);
    }
    swap(first, second);
    CHECK(second.native_handle() == second_native);
    CHECK_FALSE(static_cast<bool>(first));
    first.swap(second);
    handle third = std::move(first);
    use(third);
    third.reset();
    CHECK(released() == 2);
    third.reset();
    CHECK(released() == 2);
    CHECK_THROWS_AS(use(third), yoke::logic_error);
  }
  CHECK(released() == 2);

  handle giver = make();
  mark = driver.mark();
  const auto native = giver.release();
  CHECK(released() == 0);
  CHECK_FALSE(static_cast<bool>(giver));
  CHECK_THROWS_AS(use(giver), yoke::logic_error);
  {
    handle borrowed = borrow(native);
    use(borrowed);
    handle moved = std::move(borrowed);
    CHECK(moved.release() == native);
    const handle again = borrow(native);
  }
  CHECK(released() == 0);
  {
    const handle adopted = adopt(native);
    CHECK(adopted.native_handle() == native);
  }
  CHECK(released() == 1);
  CHECK(driver.live().size() == before);
  CHECK(driver.bad_releases().empty());
}

}  // namespace yoke_test

#endif
