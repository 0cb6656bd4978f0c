// SPDX-License-Identifier: MIT
// The steady clock behind a function.
#include <support/catch.hpp>

#include <yoke/core/clock.hpp>
#include <yoke/core/duration.hpp>

#include <chrono>

namespace {

std::int64_t now() { return std::chrono::nanoseconds(std::chrono::steady_clock::now().time_since_epoch()).count(); }

}  // namespace

TEST_CASE("the steady clock is the standard one, in nanoseconds", "[core][clock]") {
  const std::int64_t before = now();
  const std::int64_t between = yoke::detail::steady_nanoseconds();
  const std::int64_t after = now();
  CHECK(before <= between);
  CHECK(between <= after);
  CHECK(before > 0);
}

static_assert(std::chrono::milliseconds(1) == std::chrono::nanoseconds(1'000'000));
