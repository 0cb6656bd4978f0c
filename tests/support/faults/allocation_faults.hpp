// SPDX-License-Identifier: MIT
// Makes every allocation of a scenario fail in turn; only for a program that links allocation_faults.cpp.
#ifndef YOKE_TESTS_SUPPORT_ALLOCATION_FAULTS_HPP
#define YOKE_TESTS_SUPPORT_ALLOCATION_FAULTS_HPP

#include <support/catch.hpp>
#include <support/faults/block_count.hpp>
#include <support/faults/fault_run.hpp>

#include <cstddef>
#include <optional>
#include <string>
#include <utility>

namespace yoke_test {

/// The replaced `operator new`, seen from one thread. Other threads never fail and are never counted.
///
/// Allocations inside an `allocation_pause` neither fail nor count: the interposer holds one during each driver call,
/// because driver and kernel compiler live in this process and would die on `bad_alloc`. Hold one around assertions
/// too.
namespace allocation_faults {

/// Effects: the n-th allocation of this thread from now on fails (with `for_ever` each later one too) and all are
/// counted; 0 fails none. Blocks counted earlier are forgotten.
void arm(std::size_t n, fault_mode mode) noexcept;
/// Effects: nothing fails or is counted any more. Frees of counted blocks still are.
void disarm() noexcept;
/// Returns: how many allocations failed since `arm`.
[[nodiscard]] std::size_t injected() noexcept;
/// Returns: how many blocks allocated while armed are not freed, by whatever thread.
[[nodiscard]] std::size_t live_blocks() noexcept;

}  // namespace allocation_faults

/// Runs a scenario with allocations failing, once and for ever: the first, the last and every `step`-th.
///
/// Arguments as for `explore_faults`. The only outcomes allowed are success, `std::bad_alloc` and `yoke::error`;
/// afterwards the kept state works, and neither a driver object nor memory is left.
template <class Driver = opencl_interposer, class Setup, class Act, class Verify>
fault_report explore_allocation_faults(const std::string& name, const typename Driver::functions_type& real,
                                       Setup&& setup, Act&& act, Verify&& verify,
                                       std::size_t step = default_fault_step()) {
  fault_report report;
  watchdog dog(name);
  // At one address in every run: the library keeps a list of the contexts it has met under each driver's table. Run by run
  // at another one, as AddressSanitizer moves what is on the stack, the list would grow, and its new block look lost.
  std::optional<Driver> room;

  const auto run = [&](fault_mode mode, std::size_t n, std::chrono::seconds patience = std::chrono::seconds(5)) {
    std::vector<std::string> problems;
    const std::string label =
        std::string(mode == fault_mode::once ? "once" : "for ever") + ", allocation " + std::to_string(n);
    dog.begins(label);
    std::size_t injected = 0;
    {
      Driver& driver = room.emplace(real);
      cleanup_recorder recorder;
      {
        auto state = setup(driver);
        const outcome result = attempt(
            [&] {
              allocation_faults::arm(n, mode);
              act(driver, state);
            },
            [] { allocation_faults::disarm(); });
        injected = allocation_faults::injected();
        if (result.how == outcome::kind::foreign)
          problems.push_back("neither bad_alloc nor yoke::error: " + result.what);
        if (result.how != outcome::kind::returned && injected == 0)
          problems.push_back("threw without a fault: " + result.what);

        const outcome recovery = attempt(
            [&] {
              verify(driver, state);
              act(driver, state);
            },
            [] {});
        if (recovery.how != outcome::kind::returned) problems.push_back("does not work afterwards: " + recovery.what);
      }
      for (const std::string& each : live_when_quiet(driver)) problems.push_back("left alive: " + each);
      for (const std::string& each : driver.bad_releases()) problems.push_back("bad release: " + each);
      for (const auto& each : recorder.take()) problems.push_back("a cleanup failed without a fault: " + each.call);
    }
    room.reset();
    // Threads of the library may hold a block a moment longer than the driver's objects.
    if (const std::size_t lost = blocks_when_quiet(&allocation_faults::live_blocks, patience); lost != 0) {
      problems.push_back(std::to_string(lost) + " blocks of memory lost");
    }
    for (const std::string& each : problems) report.problems.push_back(label + ": " + each);
    return injected != 0;
  };

  // What is built once in a process (category instances, tables) is no leak: a first run without faults builds it. It would be
  // waited for in vain.
  run(fault_mode::once, 0, std::chrono::seconds(0));
  report.problems.clear();
  std::size_t last = 0;
  for (const fault_mode mode : {fault_mode::once, fault_mode::for_ever}) {
    const auto run_if_sound = [&](std::size_t n) {
      if (report.problems.size() >= 5) return false;
      ++report.runs;
      const bool injected = run(mode, n);
      if (injected) ++report.injected;
      return injected;
    };
    last = walk_faults(step, mode == fault_mode::once ? 0 : step / 2, run_if_sound, last);
  }
  return report;
}

/// Effects: `explore_allocation_faults`, asserted.
template <class Driver = opencl_interposer, class Setup, class Act, class Verify>
fault_report run_allocation_loop(const std::string& name, const typename Driver::functions_type& real, Setup&& setup,
                                 Act&& act, Verify&& verify, std::size_t step = default_fault_step()) {
  fault_report report = explore_allocation_faults<Driver>(name, real, setup, act, verify, step);
  INFO("allocation loop '" << name << "': " << report.runs << " runs, " << report.injected << " with a fault");
  for (const std::string& each : report.problems) FAIL_CHECK(each);
  REQUIRE(report.injected > 0);
  return report;
}

/// Effects: the same for a scenario that keeps nothing: `scenario(driver)`.
template <class Driver = opencl_interposer, class Scenario>
fault_report run_allocation_loop(const std::string& name, const typename Driver::functions_type& real,
                                 Scenario&& scenario) {
  struct nothing {};
  return run_allocation_loop<Driver>(
      name, real, [](Driver&) { return nothing{}; }, [&](Driver& driver, nothing&) { scenario(driver); },
      [](Driver&, nothing&) {});
}

}  // namespace yoke_test

#endif
