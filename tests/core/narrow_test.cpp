// SPDX-License-Identifier: MIT
// Integers of any type are range-checked, exactly.
#include <support/catch.hpp>

#include <yoke/core/narrow.hpp>

#include <cstdint>
#include <limits>

using namespace yoke_test;

static_assert(yoke::integer<int> && yoke::integer<unsigned long long> && yoke::integer<signed char>);
static_assert(yoke::integer<unsigned char> && yoke::integer<const short>);
static_assert(!yoke::integer<bool> && !yoke::integer<char> && !yoke::integer<wchar_t> && !yoke::integer<char8_t>);
static_assert(!yoke::integer<char16_t> && !yoke::integer<char32_t> && !yoke::integer<float> && !yoke::integer<int*>);
static_assert(yoke::narrow<std::uint8_t>(255) == 255);  // also while compiling

template <class... T>
constexpr bool has_bounds() {
  return ((yoke::detail::greatest_of<T> == std::numeric_limits<T>::max() &&
           yoke::detail::least_of<T> == std::numeric_limits<T>::min()) &&
          ...);
}
static_assert(has_bounds<signed char, unsigned char, char, short, unsigned short, int, unsigned, long, unsigned long,
                         long long, unsigned long long>());

TEST_CASE("narrow keeps what fits", "[core]") {
  CHECK(yoke::narrow<std::int8_t>(-128) == -128);
  CHECK(yoke::narrow<std::int8_t>(127u) == 127);
  CHECK(yoke::narrow<std::uint64_t>(std::numeric_limits<std::int64_t>::max()) == 9223372036854775807u);
  CHECK(yoke::narrow<std::size_t>(std::uint8_t{7}) == 7u);
  CHECK(yoke::narrow<int>(std::numeric_limits<int>::min()) == std::numeric_limits<int>::min());
}

TEST_CASE("narrow refuses what does not fit, with value and range", "[core]") {
  const auto refuse = [](auto narrowing, const std::string& text) {
    try {
      narrowing();
      FAIL("nothing was thrown, expected: " << text);
    } catch (const yoke::logic_error& e) {
      CHECK(e.code() == yoke::errc::out_of_range);
      CHECK_THAT(e.what(), ContainsSubstring(text));
      CHECK_THAT(e.where().file_name(), EndsWith("narrow_test.cpp"));
    }
  };
  refuse([] { (void)yoke::narrow<std::uint8_t>(256); }, "256, outside 0 .. 255");
  refuse([] { (void)yoke::narrow<std::uint8_t>(-1); }, "-1, outside 0 .. 255");
  refuse([] { (void)yoke::narrow<std::int8_t>(-129); }, "-129, outside -128 .. 127");
  refuse([] { (void)yoke::narrow<std::int8_t>(128u); }, "128, outside -128 .. 127");
  refuse([] { (void)yoke::narrow<int>(std::numeric_limits<unsigned>::max()); }, "4294967295, outside -2147483648");
  refuse([] { (void)yoke::narrow<std::size_t>(-1LL); }, "-1, outside 0 .. 18446744073709551615");
  refuse([] { (void)yoke::narrow<std::int64_t>(std::numeric_limits<std::uint64_t>::max()); }, "18446744073709551615");
}

TEST_CASE("an element count must fit the address space", "[core]") {
  const yoke::source_location here = yoke::source_location::current();
  const auto most = static_cast<std::size_t>(std::numeric_limits<std::ptrdiff_t>::max());
  CHECK(yoke::detail::element_count(0, 4, here) == 0);
  CHECK(yoke::detail::element_count(most / 4, 4, here) == most / 4);
  CHECK_THROWS_AS(yoke::detail::element_count(most / 4 + 1, 4, here), yoke::logic_error);
  CHECK_THROWS_AS(yoke::detail::element_count(std::numeric_limits<std::size_t>::max(), 1, here), yoke::logic_error);
  CHECK_THROWS_WITH(yoke::detail::element_count(-3, 4, here), ContainsSubstring("element count is -3"));
}

TEST_CASE("a value that its enumeration does not have is refused with what it has", "[core]") {
  enum class color : unsigned { red = 1, green = 4 };
  yoke::detail::check_enumerator("color", color::green, {color::red, color::green}, {});
  try {
    yoke::detail::check_enumerator("color", static_cast<color>(3), {color::red, color::green}, {});
    FAIL("3 is no color");
  } catch (const yoke::logic_error& e) {
    CHECK(e.code() == yoke::errc::invalid_argument);
    CHECK_THAT(e.what(), ContainsSubstring("color is 3, none of 1, 4"));
  }
}
