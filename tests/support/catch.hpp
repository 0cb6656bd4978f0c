// SPDX-License-Identifier: MIT
// One front for Catch2 2.13 and Catch2 3: the same macros, `Catch::Approx` and matchers, and skips that say why.
#ifndef YOKE_TESTS_SUPPORT_CATCH_HPP
#define YOKE_TESTS_SUPPORT_CATCH_HPP

#if __has_include(<catch2/catch_all.hpp>)
#define YOKE_CATCH_MAJOR 3
#include <catch2/catch_all.hpp>
#else
#define YOKE_CATCH_MAJOR 2
#include <catch2/catch.hpp>
#endif

#include <cstdio>
#include <string>

#if YOKE_CATCH_MAJOR == 2
// Tests are written in Catch2 3's words; here they are for 2.13.
namespace Catch {
using Detail::Approx;
}
namespace Catch::Matchers {
inline auto ContainsSubstring(const std::string& text, CaseSensitive::Choice choice = CaseSensitive::Yes) {
  return Contains(text, choice);
}
}  // namespace Catch::Matchers
#endif

namespace yoke_test {

using Catch::Approx;
using Catch::Matchers::ContainsSubstring;
using Catch::Matchers::EndsWith;
using Catch::Matchers::Equals;
using Catch::Matchers::Matches;
using Catch::Matchers::Message;
using Catch::Matchers::Predicate;
using Catch::Matchers::StartsWith;
using Catch::Matchers::UnorderedEquals;
using Catch::Matchers::VectorContains;
using Catch::Matchers::WithinAbs;
using Catch::Matchers::WithinRel;
using Catch::Matchers::WithinULP;

/// The name of the test case that runs now; main.cpp keeps it.
inline std::string& current_test_name() {
  static std::string name;
  return name;
}

/// Effects: prints the one line by which a skip is recognised.
inline void announce_skip(const std::string& reason) {
  std::printf("YOKE-SKIP: %s : %s\n", current_test_name().c_str(), reason.c_str());
  std::fflush(stdout);
}

}  // namespace yoke_test

// Leaves the function it stands in: a test, or the body given to a loop over devices (then only for that device).
#define YOKE_SKIP(reason)                                                                                              \
  do {                                                                                                                 \
    ::yoke_test::announce_skip(reason);                                                                                \
    SUCCEED("skipped: " << (reason));                                                                                  \
    return;                                                                                                            \
  } while (false)

#endif
