// SPDX-License-Identifier: MIT
// Environment variables are read once.
#include <support/catch.hpp>
#include <support/process/child.hpp>
#include <support/process/variables.hpp>

#include <yoke/core/environment.hpp>

#include <cstdlib>

using namespace yoke_test;

TEST_CASE("YOKE_CUDA_DRIVER is read at the first call only", "[core]") {
  const std::string name = "YOKE_CUDA_DRIVER is read at the first call only";
  if (is_child(name)) {
    CHECK(yoke::process_environment().cuda_driver == "from outside");
    set_variable("YOKE_CUDA_DRIVER", "changed later");
    CHECK(yoke::process_environment().cuda_driver == "from outside");
    return;
  }
  const child_result child = run_child(name, {{"YOKE_CUDA_DRIVER", "from outside"}});
  INFO(child.output);
  CHECK(child.status == 0);
}

TEST_CASE("YOKE_DEVICE is read at the first call only", "[core]") {
  const std::string name = "YOKE_DEVICE is read at the first call only";
  if (is_child(name)) {
    const yoke::environment& first = yoke::process_environment();
    CHECK(first.device == "from outside");
    set_variable("YOKE_DEVICE", "changed later");
    CHECK(yoke::process_environment().device == "from outside");
    CHECK(&yoke::process_environment() == &first);
    return;
  }
  const child_result child = run_child(name, {{"YOKE_DEVICE", "from outside"}});
  INFO(child.output);
  CHECK(child.status == 0);
  CHECK_THAT(child.output, ContainsSubstring("All tests passed (3 assertions"));
}

TEST_CASE("a list of words has a word or not", "[core]") {
  for (const char* const list : {"ranks", "ranks,x", "x,ranks", ",ranks,"}) {
    CAPTURE(list);
    CHECK(yoke::detail::has_word(list, "ranks"));
  }
  for (const char* const list : {"", "x", "ranks x", "noranks", "ranksx,y"}) {
    CAPTURE(list);
    CHECK_FALSE(yoke::detail::has_word(list, "ranks"));
  }
}
