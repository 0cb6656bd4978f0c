// SPDX-License-Identifier: MIT
// A place is the caller's when it comes from a default argument.
#include <support/catch.hpp>

#include <yoke/core/source_location.hpp>

#include <string>

using namespace yoke_test;

namespace {
yoke::source_location asked_by(const yoke::source_location& where = yoke::source_location::current()) { return where; }
yoke::source_location passed_on(const yoke::source_location& where = yoke::source_location::current()) {
  return asked_by(where);
}
}  // namespace

static_assert(yoke::source_location{}.line() == 0);
static_assert(noexcept(yoke::source_location::current()));

TEST_CASE("a default argument names the caller", "[core]") {
  const yoke::source_location direct = asked_by();
  const yoke::source_location through = passed_on();
  CHECK(direct.line() + 1 == through.line());
  CHECK(direct.line() == __LINE__ - 3);
  CHECK_THAT(direct.file_name(), EndsWith("source_location_test.cpp"));
  CHECK(std::string(direct.function_name()) == __func__);
}

TEST_CASE("a place that was not given is empty", "[core]") {
  const yoke::source_location none;
  CHECK(std::string(none.file_name()).empty());
  CHECK(std::string(none.function_name()).empty());
}
