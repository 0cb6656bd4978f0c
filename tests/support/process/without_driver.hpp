// SPDX-License-Identifier: MIT
// A test of the real compilers, NVRTC and nvJitLink, where no driver is: in a process of its own, since a driver stays loaded.
#ifndef YOKE_TESTS_SUPPORT_WITHOUT_DRIVER_HPP
#define YOKE_TESTS_SUPPORT_WITHOUT_DRIVER_HPP

#include <support/catch.hpp>
#include <support/process/child.hpp>

#include <yoke/driver/types.hpp>

#include <cstdio>
#include <string>
#include <utility>
#include <vector>

namespace yoke_test {

/// How a test goes on: here, in the child; or not, and when `absent` says so as one that was skipped.
struct without_driver {
  bool goes_on = false;
  std::string absent{};
};

/// Effects: runs the test that is running again in a child without a driver, and checks how that ended; there, looks whether
/// what `needed` gives can be used.
template <class Needed>
without_driver in_child_without_driver(Needed needed, std::vector<std::pair<std::string, std::string>> variables = {}) {
  const std::string name = current_test_name();
  if (!is_child(name)) {
    variables.emplace_back("YOKE_CUDA_DRIVER", "");
    const child_result child = run_child(name, std::move(variables));
    for (const std::string compiler : {"no NVRTC: ", "no nvJitLink: "}) {
      if (child.output.find(compiler) != std::string::npos) return {false, compiler + "none is installed"};
    }
    INFO(child.output);
    CHECK(child.status == 0);
    return {};
  }
  for (const yoke::availability& each : needed()) {
    if (each) continue;
    std::puts(each.reason.c_str());
    CHECK_FALSE(each);
    return {};
  }
  return {true};
}

}  // namespace yoke_test

#endif
