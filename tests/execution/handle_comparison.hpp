// SPDX-License-Identifier: MIT
// What tests of equality, order and hashes of handles share.
#ifndef YOKE_TESTS_EXECUTION_HANDLE_COMPARISON_HPP
#define YOKE_TESTS_EXECUTION_HANDLE_COMPARISON_HPP

#include <support/catch.hpp>

#include <compare>
#include <functional>
#include <map>
#include <unordered_set>

namespace yoke_test {

/// Effects: compares two handles of one driver object, and one of another.
template <class Handle>
void check_comparison(const Handle& one, const Handle& same, const Handle& other) {
  CHECK(one == one);
  CHECK(one == same);
  CHECK_FALSE(one != same);
  CHECK(one != other);
  CHECK_FALSE(one == other);
  CHECK((one <=> same) == std::strong_ordering::equal);
  CHECK((one < other) != (other < one));
  CHECK((one <= other) == (one < other));
  CHECK_FALSE(one < same);
  const std::hash<Handle> hash;
  CHECK(hash(one) == hash(same));
  CHECK(hash(one) != hash(other));

  const Handle none;
  const Handle nothing;
  CHECK(none == nothing);
  CHECK(none != one);
  CHECK(none < one);
  CHECK(hash(none) == hash(nothing));

  std::map<std::reference_wrapper<const Handle>, int, std::less<Handle>> sorted;
  sorted[one] = 1;
  sorted[other] = 2;
  sorted[same] = 3;
  CHECK(sorted.size() == 2);
  CHECK(sorted.at(one) == 3);
  CHECK(sorted.at(other) == 2);
  std::unordered_set<std::reference_wrapper<const Handle>, std::hash<Handle>, std::equal_to<Handle>> known;
  known.insert({one, other, same});
  CHECK(known.size() == 2);
  CHECK(known.contains(same));
  CHECK_FALSE(known.contains(none));
}

}  // namespace yoke_test

#endif
