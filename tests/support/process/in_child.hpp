// SPDX-License-Identifier: MIT
// A test that has to pass in a process of its own, with other environment variables.
#ifndef YOKE_TESTS_SUPPORT_IN_CHILD_HPP
#define YOKE_TESTS_SUPPORT_IN_CHILD_HPP

#include <support/catch.hpp>
#include <support/process/child.hpp>

#include <string>
#include <utility>
#include <vector>

namespace yoke_test {

/// Effects: runs the test that is running again in a child that sees `variables` set, and checks that it passes there.
/// Returns: whether this process is that child, where the test goes on.
inline bool in_child(std::vector<std::pair<std::string, std::string>> variables) {
  const std::string name = current_test_name();
  if (is_child(name)) return true;
  const child_result child = run_child(name, std::move(variables));
  INFO(child.output);
  CHECK(child.status == 0);
  return false;
}

}  // namespace yoke_test

#endif
