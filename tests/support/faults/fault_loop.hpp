// SPDX-License-Identifier: MIT
// Makes every driver call of a scenario fail in turn, and checks what the library promises about failures.
#ifndef YOKE_TESTS_SUPPORT_FAULT_LOOP_HPP
#define YOKE_TESTS_SUPPORT_FAULT_LOOP_HPP

#include <support/catch.hpp>
#include <support/faults/block_count.hpp>
#include <support/faults/fault_run.hpp>

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

namespace yoke_test {

/// A function whose failure the library may swallow in this scenario, and why that is right.
struct absorbed_fault {
  std::string function;  ///< own name, "get_device_info"
  std::string reason;    ///< "optional property: the query falls back to ..."
};

/// A function whose failure the library tells as something else than the code means, and why that is right.
struct translated_fault {
  std::string function;
  int code;
  error_class thrown;
  std::string reason;
};

struct fault_loop_options {
  std::vector<absorbed_fault> absorbed;
  std::vector<translated_fault> translated{};
  /// Own names of functions that neither fail nor count.
  std::vector<std::string> excluded;
  fault_scope scope = fault_scope::this_thread;
  /// Whether the scenario is run once more on the same objects, without a fault, and must then succeed.
  bool repeat = true;
  /// The loop stops here: a flaw tends to show in each later run too.
  std::size_t most_problems = 5;
  /// Every how many-th call fails, besides the first and the last.
  std::size_t step = default_fault_step();
};

namespace detail {

inline bool is_absorbed(const fault_loop_options& options, const std::string& name) {
  return std::any_of(options.absorbed.begin(), options.absorbed.end(),
                     [&](const absorbed_fault& each) { return each.function == name; });
}

/// Whether the error speaks of this fault: the driver's call by name, and its code unless there is none to pass on.
inline bool names(const outcome& result, const injection& fault) {
  return result.call == fault.symbol && (result.code == fault.code || result.own_code || !fault.reports);
}

/// What the library tells as something else in every scenario.
inline const std::vector<translated_fault>& translated_everywhere() {
  static const std::vector<translated_fault> all{
      {"build_program", -30, error_class::compile, "drivers say so of options that they do not know"},
      {"create_sub_devices", -30, error_class::unsupported, "and so of a way to divide"}};
  return all;
}

/// Whether the error is what the tree of exceptions has for this fault; a code of the library's own says the same.
inline bool fits(const outcome& result, const injection& fault, const fault_code& code,
                 const fault_loop_options& options) {
  const auto translated = [&](const translated_fault& each) {
    return each.function == fault.name && each.code == fault.code && each.thrown == result.thrown;
  };
  if (std::any_of(options.translated.begin(), options.translated.end(), translated)) return true;
  if (std::any_of(translated_everywhere().begin(), translated_everywhere().end(), translated)) return true;
  const yoke::errc condition = fault.reports ? code.condition : yoke::errc::out_of_memory;
  const error_class expected = fault.reports ? code.thrown : error_class::memory;
  // Too much for one launch is not too little memory; and CUDA has but few codes to refuse a launch with.
  const bool launches = fault.symbol == "clEnqueueNDRangeKernel" || fault.symbol.starts_with("cuLaunchKernel") ||
                        fault.symbol == "cuLaunchCooperativeKernel";
  if (launches && expected != error_class::context_lost) {
    if (result.thrown == error_class::launch) return true;
    if (expected == error_class::memory) return false;
  }
  const bool records = fault.symbol == "cuGraphAddKernelNode" || fault.symbol == "cuGraphExecKernelNodeSetParams";
  if (records && expected == error_class::logic && result.thrown == error_class::launch) return true;
  return result.thrown == expected && (!result.own_code || result.code == static_cast<int>(condition));
}

/// Failures of destructors go to the handler: each release exactly once, unmaps and queued frees there or thrown.
inline void judge_cleanup(const outcome& result, const std::vector<injection>& faults,
                          const std::vector<cleanup_recorder::record>& reported, const fault_loop_options& options,
                          std::vector<std::string>& problems) {
  std::vector<std::string> done;
  for (const injection& fault : faults) {
    if (!fault.cleanup || !fault.reports || is_absorbed(options, fault.name)) continue;
    if (std::find(done.begin(), done.end(), fault.symbol) != done.end()) continue;
    done.push_back(fault.symbol);
    const auto expected =
        std::count_if(faults.begin(), faults.end(), [&](const injection& each) { return each.symbol == fault.symbol; });
    const auto found = std::count_if(reported.begin(), reported.end(), [&](const cleanup_recorder::record& each) {
      return each.call == fault.symbol && each.code == fault.code;
    });
    const bool enough = fault.releases ? found == expected : found > 0 || names(result, fault);
    if (!enough) {
      problems.push_back(fault.symbol + " failed " + std::to_string(expected) +
                         " times while cleaning up, the handler got " + std::to_string(found));
    }
  }
  for (const cleanup_recorder::record& each : reported) {
    const bool known =
        std::any_of(faults.begin(), faults.end(), [&](const injection& fault) { return fault.symbol == each.call; });
    if (!known) problems.push_back("the handler got a failure of " + each.call + ", which did not fail");
  }
}

/// Failures of other calls are thrown, under the call's name and in the class that the code means.
inline void judge_outcome(const outcome& result, const std::vector<injection>& faults, const fault_code& code,
                          const fault_loop_options& options, std::vector<std::string>& problems) {
  if (result.how == outcome::kind::bad_alloc || result.how == outcome::kind::foreign) {
    problems.push_back("not a yoke::error: " + result.what);
    return;
  }
  const auto absorbed = [&](const injection& fault) { return is_absorbed(options, fault.name); };
  if (result.how == outcome::kind::returned) {
    for (const injection& fault : faults) {
      if (fault.cleanup || absorbed(fault)) continue;
      problems.push_back(fault.symbol + " failed and nothing was thrown");
      return;
    }
    return;
  }
  const auto throwable = [](const injection& fault) { return !fault.releases; };
  const auto named = [&](const injection& fault) { return throwable(fault) && names(result, fault); };
  if (std::any_of(faults.begin(), faults.end(), named)) {
    const bool told = std::any_of(faults.begin(), faults.end(), [&](const injection& fault) {
      return named(fault) && fits(result, fault, code, options);
    });
    if (!told) problems.push_back(std::string("threw the wrong class, ") + name_of(result.thrown) + ": " + result.what);
    return;
  }
  // An absorbed failure may be answered in the library's own words: "no device fits".
  const bool explained = std::any_of(faults.begin(), faults.end(), throwable) &&
                         std::all_of(faults.begin(), faults.end(),
                                     [&](const injection& fault) { return !throwable(fault) || absorbed(fault); });
  if (!explained) {
    problems.push_back("threw under the wrong name, " + (result.call.empty() ? "none" : result.call) + ": " +
                       result.what);
  }
}

}  // namespace detail

/// Runs a scenario with calls failing, once and for ever, with each code: the first, the last and every `options.step`-th.
///
/// `setup(driver)` makes, without faults, the state that is kept from before; `act(driver, state)` is what fails;
/// `verify(driver, state)` then proves, without faults, that the state still works. Effects: nothing is asserted, so
/// that the loop itself can be tested; `run_fault_loop` asserts. Each run has an interposer of its own. In a program that
/// counts blocks of memory, none of those that `act` made may be left either.
template <class Driver = opencl_interposer, class Setup, class Act, class Verify>
fault_report explore_faults(const std::string& name, const typename Driver::functions_type& real, Setup&& setup,
                            Act&& act, Verify&& verify, const fault_loop_options& options = {}) {
  fault_report report;
  watchdog dog(name);

  // At one address in every run, or the library's list of contexts by driver would grow.
  std::optional<Driver> room;

  struct run_result {
    bool injected = false;
    std::string struck = "nothing";
    std::vector<std::string> problems;
    std::size_t lost = 0;
  };
  const auto run_once = [&](fault_mode mode, const fault_code& code, std::size_t n,
                            std::chrono::milliseconds patience) {
    run_result done;
    std::vector<std::string>& problems = done.problems;
    ++report.runs;
    Driver& driver = room.emplace(real);
    {
      cleanup_recorder recorder;
      for (const std::string& each : options.excluded) driver.exclude(each);
      {
        auto state = setup(driver);
        recorder.take();
        driver.fail_call(n, mode, code.value, options.scope);
        if (the_block_counter != nullptr) the_block_counter->begin();
        const outcome result = attempt([&] { act(driver, state); },
                                       [&] {
                                         if (the_block_counter != nullptr) the_block_counter->end();
                                         driver.disarm();
                                       });
        const std::vector<injection> faults = driver.injections();
        done.injected = !faults.empty();
        if (done.injected) done.struck = faults.front().symbol;
        detail::judge_outcome(result, faults, code, options, problems);
        detail::judge_cleanup(result, faults, recorder.take(), options, problems);

        const outcome recovery = attempt(
            [&] {
              verify(driver, state);
              if (options.repeat) act(driver, state);
            },
            [] {});
        if (recovery.how != outcome::kind::returned) problems.push_back("does not work afterwards: " + recovery.what);
      }
      for (const std::string& each : live_when_quiet(driver)) problems.push_back("left alive: " + each);
      for (const std::string& each : driver.bad_releases()) problems.push_back("bad release: " + each);
      for (const auto& each : recorder.take()) problems.push_back("a cleanup failed without a fault: " + each.call);
    }
    room.reset();
    if (the_block_counter != nullptr) done.lost = blocks_when_quiet(the_block_counter->live, patience);
    return done;
  };
  const auto run = [&](fault_mode mode, const fault_code& code, std::size_t n) {
    const std::string label =
        std::string(mode == fault_mode::once ? "once, " : "for ever, ") + code.word + ", call " + std::to_string(n);
    dog.begins(label);
    run_result done = run_once(mode, code, n, std::chrono::milliseconds(100));
    // What is built once in a process (tables, categories) is no leak: it is not lost a second time. Nor is what came late.
    for (int again = 0; again < 2 && done.lost != 0 && done.problems.empty(); ++again) {
      done = run_once(mode, code, n, std::chrono::seconds(5));
    }
    if (done.lost != 0) done.problems.push_back(std::to_string(done.lost) + " blocks of memory lost");
    if (done.injected) ++report.injected;
    for (const std::string& each : done.problems) report.problems.push_back(label + " (" + done.struck + "): " + each);
    return done.injected;
  };

  // Together the walks meet calls all over the scenario, also where they take fewer than a step has places to begin at.
  const std::size_t stride = std::max<std::size_t>(1, options.step / (2 * std::size(Driver::fault_codes)));
  std::size_t turn = 0;
  std::size_t last = 0;
  for (const fault_mode mode : {fault_mode::once, fault_mode::for_ever}) {
    for (const fault_code& code : Driver::fault_codes) {
      const auto run_if_sound = [&](std::size_t n) {
        if (report.problems.size() >= options.most_problems) return false;
        if (n >= 10000) {
          report.problems.push_back("10000 calls and no end");
          return false;
        }
        return run(mode, code, n);
      };
      last = walk_faults(options.step, turn, run_if_sound, last);
      turn += stride;
    }
  }
  return report;
}

namespace detail {
/// Effects: turns a report into assertions.
inline void require_clean(const std::string& name, const fault_report& report) {
  INFO("fault loop '" << name << "': " << report.runs << " runs, " << report.injected << " with a fault");
  for (const std::string& each : report.problems) FAIL_CHECK(each);
  REQUIRE(report.injected > 0);
  CHECK(report.problems.empty());
}
struct nothing {};
}  // namespace detail

/// Effects: `explore_faults`, asserted, with state that is kept over the fault.
template <class Driver = opencl_interposer, class Setup, class Act, class Verify>
fault_report run_fault_loop(const std::string& name, const typename Driver::functions_type& real, Setup&& setup,
                            Act&& act, Verify&& verify, const fault_loop_options& options = {}) {
  fault_report report = explore_faults<Driver>(name, real, setup, act, verify, options);
  detail::require_clean(name, report);
  return report;
}

/// Effects: the same for a scenario that keeps nothing: `scenario(driver)`.
template <class Driver = opencl_interposer, class Scenario>
fault_report run_fault_loop(const std::string& name, const typename Driver::functions_type& real, Scenario&& scenario,
                            const fault_loop_options& options = {}) {
  return run_fault_loop<Driver>(
      name, real, [](Driver&) { return detail::nothing{}; },
      [&](Driver& driver, detail::nothing&) { scenario(driver); }, [](Driver&, detail::nothing&) {}, options);
}

}  // namespace yoke_test

#endif
