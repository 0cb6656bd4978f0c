// SPDX-License-Identifier: MIT
// Philox 4x32-10 against the known answers that its authors publish with Random123.
#include <support/catch.hpp>
#include <yoke/algorithm/philox.hpp>

namespace {

using words = std::array<std::uint32_t, 4>;

static_assert(yoke::philox4x32({0, 0, 0, 0}, {0, 0}) == words{0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8});

}  // namespace

TEST_CASE("philox4x32 gives the published words", "[algorithm]") {
  const std::uint32_t all = ~0U;
  CHECK(yoke::philox4x32({0, 0, 0, 0}, {0, 0}) == words{0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8});
  CHECK(yoke::philox4x32({all, all, all, all}, {all, all}) == words{0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd});
  CHECK(yoke::philox4x32({0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344}, {0xa4093822, 0x299f31d0}) ==
        words{0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1});
}
