// SPDX-License-Identifier: MIT
// Messages are joined from words and numbers.
#include <support/catch.hpp>

#include <yoke/core/text.hpp>

#include <cstdint>
#include <limits>

TEST_CASE("text joins words and numbers of every width", "[core]") {
  CHECK(yoke::detail::text() == "");
  CHECK(yoke::detail::text("block ", 2048, " exceeds this device's ", std::size_t{1024}) ==
        "block 2048 exceeds this device's 1024");
  CHECK(yoke::detail::text(std::string("a"), std::string_view("b"), "c") == "abc");
  CHECK(yoke::detail::text(std::numeric_limits<std::int64_t>::min(), " ", std::numeric_limits<std::uint64_t>::max()) ==
        "-9223372036854775808 18446744073709551615");
  CHECK(yoke::detail::text(std::int8_t{-7}, std::uint8_t{65}) == "-765");  // numbers, not letters
}

TEST_CASE("hexadecimal digits, as many as there are or as are asked for", "[core]") {
  CHECK(yoke::detail::hex_digits(0) == "0");
  CHECK(yoke::detail::hex_digits(0x7f00) == "7f00");
  CHECK(yoke::detail::hex_digits(~0ULL) == "ffffffffffffffff");
  CHECK(yoke::detail::hex_digits(0, 2) == "00");
  CHECK(yoke::detail::hex_digits(0xa, 2) == "0a");
  CHECK(yoke::detail::hex_digits(0xabc, 2) == "abc");
}

TEST_CASE("a text too long for a message is cut", "[core]") {
  CHECK(yoke::detail::shortened("short") == "short");
  CHECK(yoke::detail::shortened(std::string(80, 'x')) == std::string(80, 'x'));
  CHECK(yoke::detail::shortened(std::string(81, 'x')) == std::string(80, 'x') + "...");
}
