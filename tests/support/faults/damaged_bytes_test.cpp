// SPDX-License-Identifier: MIT
// Every damaged form of some bytes is tried, once.
#include <support/catch.hpp>
#include <support/faults/damaged_bytes.hpp>

#include <set>

using namespace yoke_test;

TEST_CASE("bytes are cut at every place, and flipped in every bit") {
  const std::vector<std::byte> bytes{std::byte{1}, std::byte{2}, std::byte{3}};
  std::set<std::vector<std::byte>> tried;
  const auto accepts = [&](std::span<const std::byte> some) {
    tried.insert({some.begin(), some.end()});
    return some.empty() || some[0] == std::byte{1};
  };
  CHECK(accepted_prefixes(bytes, accepts) == 3);
  CHECK(tried.size() == 3);
  tried.clear();
  CHECK(accepted_flips(bytes, accepts) == 16);
  CHECK(tried.size() == 24);
  CHECK(tried.count(bytes) == 0);
}
