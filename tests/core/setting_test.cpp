// SPDX-License-Identifier: MIT
// A setting is a value or nothing, and costs nothing beside them.
#include <support/catch.hpp>

#include <yoke/core/setting.hpp>

#include <type_traits>

using yoke::setting;

namespace {
enum class level : unsigned { low, high };
struct options {
  setting<int> most{};
  setting<bool> exact{};
  friend bool operator==(const options&, const options&) = default;
};
}  // namespace

static_assert(std::is_trivially_copyable_v<setting<int>> && sizeof(setting<int>) == 2 * sizeof(int));
static_assert(std::is_convertible_v<int, setting<int>> && !std::is_convertible_v<setting<int>, int>);
static_assert(!std::is_convertible_v<setting<bool>, bool>, "whether it is set, or its value: the program says which");
static_assert(!setting<int>().has_value() && *setting<int>(7) == 7 && setting<level>(level::high).has_value());

TEST_CASE("a setting is a value or nothing", "[core]") {
  options with{.most = 64, .exact = false};
  CHECK((with.most && *with.most == 64));
  CHECK((with.exact && !*with.exact));  // set, to false
  CHECK(with.exact == false);
  CHECK_FALSE(with.exact == true);
  with.most.reset();
  CHECK_FALSE(with.most.has_value());
  CHECK(with.most.value_or(3) == 3);
  with.most = 0;
  CHECK(with.most.has_value());
  CHECK(with.most.value_or(3) == 0);
}

TEST_CASE("a setting that is not set is another than any value", "[core]") {
  CHECK(setting<int>() == setting<int>());
  CHECK_FALSE(setting<int>() == setting<int>(0));
  CHECK_FALSE(setting<bool>() == false);
  CHECK(options{} == options{});
  CHECK_FALSE(options{.most = 1} == options{.most = 2});
}
