// SPDX-License-Identifier: MIT
// The fault loop's own tests: it accepts a toy that keeps the promises and finds each flaw of one that does not.
#include <support/faults/fault_loop.hpp>
#include <support/faults/toy_buffers.hpp>

#include <algorithm>
#include <set>
#include <vector>

using namespace yoke_test;

namespace {

fault_report explore(toy_flaw flaw, fault_loop_options options = {}) {
  options.most_problems = 1;
  options.step = 1;
  return explore_faults(
      "toy", raw_opencl(), [flaw](opencl_interposer& driver) { return toy_context(driver, flaw); },
      [flaw](opencl_interposer&, toy_context& context) { const toy_buffers both(context, flaw); },
      [](opencl_interposer&, toy_context&) {}, options);
}

std::string first_problem(const fault_report& report) {
  return report.problems.empty() ? "no problem" : report.problems.front();
}

}  // namespace

TEST_CASE("the fault loop accepts what keeps the promises", "[support]") {
  if (!raw_opencl_loaded().reason.empty()) YOKE_SKIP("no OpenCL driver: " + raw_opencl_loaded().reason);
  const fault_report report = explore(toy_flaw::none);
  CHECK(first_problem(report) == "no problem");
  // Two creations and two releases fail in turn, in two modes with four codes; each loop ends with a run without a
  // fault.
  CHECK(report.injected == 4 * 8);
  CHECK(report.runs == 5 * 8);
}

TEST_CASE("the fault loop finds each flaw", "[support]") {
  if (!raw_opencl_loaded().reason.empty()) YOKE_SKIP("no OpenCL driver: " + raw_opencl_loaded().reason);
  const in_haste quick;
  const auto problem = [](toy_flaw flaw) { return first_problem(explore(flaw)); };
  CHECK(problem(toy_flaw::leaks_on_second_failure) ==
        "once, out of memory, call 2 (clCreateBuffer): left alive: memory (created by clCreateBuffer)");
  CHECK(problem(toy_flaw::swallows) ==
        "once, out of memory, call 2 (clCreateBuffer): clCreateBuffer failed and nothing was thrown");
  CHECK_THAT(problem(toy_flaw::names_nothing),
             StartsWith("once, out of memory, call 1 (clCreateBuffer): threw under the wrong "
                        "name, none: toy"));
  CHECK_THAT(problem(toy_flaw::wrong_code), ContainsSubstring("threw under the wrong name, clCreateBuffer: toy"));
  CHECK_THAT(problem(toy_flaw::wrong_class), ContainsSubstring("threw the wrong class, error: toy"));
  CHECK_THAT(problem(toy_flaw::foreign_exception), ContainsSubstring("not a yoke::error: foreign"));
  CHECK(problem(toy_flaw::silent_cleanup) ==
        "once, out of memory, call 3 (clReleaseMemObject): clReleaseMemObject failed 1 times while cleaning up, the "
        "handler "
        "got 0");
  CHECK_THAT(problem(toy_flaw::reports_twice),
             EndsWith("clReleaseMemObject failed 1 times while cleaning up, the handler got 2"));
  CHECK_THAT(problem(toy_flaw::throwing_cleanup),
             ContainsSubstring("call 3 (clReleaseMemObject): threw under the wrong name, clReleaseMemObject"));
  CHECK_THAT(problem(toy_flaw::double_release),
             ContainsSubstring("bad release: clReleaseMemObject of a dead memory (created by clCreateBuffer)"));
  CHECK_THAT(problem(toy_flaw::forgets), ContainsSubstring("call 1 (clCreateBuffer): does not work afterwards: toy"));
}

TEST_CASE("the fault loop lets a listed function be absorbed, and another be left out", "[support]") {
  if (!raw_opencl_loaded().reason.empty()) YOKE_SKIP("no OpenCL driver: " + raw_opencl_loaded().reason);
  fault_loop_options options;
  options.absorbed = {{"create_buffer", "the toy goes on with one buffer"}};
  CHECK(first_problem(explore(toy_flaw::swallows, options)) == "no problem");

  options = {};
  options.excluded = {"create_buffer"};
  CHECK(explore(toy_flaw::none, options).injected == 2 * 8);
  options.excluded = {"misspelt"};
  CHECK_THROWS_AS(explore(toy_flaw::none, options), std::invalid_argument);
}

TEST_CASE("the fault loop's walk meets the first, the last and every seventh call", "[support]") {
  std::size_t runs = 0;
  const auto walk = [&](std::size_t step, std::size_t turn, std::size_t calls, std::size_t guess = 0) {
    std::vector<std::size_t> met;
    runs = 0;
    const auto run = [&](std::size_t n) {
      ++runs;
      if (n > calls) return false;
      met.push_back(n);
      return true;
    };
    CHECK(walk_faults(step, turn, run, guess) == calls);
    std::ranges::sort(met);
    return met;
  };
  CHECK(walk(7, 0, 0).empty());
  CHECK(walk(7, 3, 1) == std::vector<std::size_t>{1});
  CHECK(walk(1, 5, 4) == std::vector<std::size_t>{1, 2, 3, 4});
  std::set<std::size_t> all;
  for (std::size_t turn = 0; turn < 7; ++turn) {
    const std::vector<std::size_t> met = walk(7, turn, 40);
    CHECK(met.front() == 1);
    CHECK(met.back() == 40);
    CHECK(met.size() <= 10);
    all.insert(met.begin(), met.end());
  }
  CHECK(all.size() == 40);  // seven walks in turn meet each call
  // Whatever is guessed, the last call is met; the right guess spares the search for it.
  for (std::size_t guess = 0; guess <= 200; ++guess) CHECK(walk(61, 0, 100, guess).back() == 100);
  (void)walk(61, 0, 100);
  const std::size_t searched = runs;
  (void)walk(61, 0, 100, 100);
  CHECK(runs == 6);  // 1, 2, 63, 124, 100 and 101
  CHECK(searched > runs);
}

TEST_CASE("run_fault_loop asserts what it finds", "[support]") {
  if (!raw_opencl_loaded().reason.empty()) YOKE_SKIP("no OpenCL driver: " + raw_opencl_loaded().reason);
  const fault_report kept = run_fault_loop("toy, nothing kept", raw_opencl(), [](opencl_interposer& driver) {
    toy_context context(driver, toy_flaw::none);
    const toy_buffers both(context, toy_flaw::none);
  });
  CHECK(kept.injected > 0);
}
