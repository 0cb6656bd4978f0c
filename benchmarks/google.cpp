// SPDX-License-Identifier: MIT
// The same bursts under Google Benchmark, for its filters, repetitions and reports: yoke_bench_google --benchmark_filter=launch
#include <benchmark/benchmark.h>

#include <algorithm>
#include <iostream>
#include <string>
#include <string_view>

#include "suites.hpp"

namespace {

/// One contestant at a time: it is made when it is run, and goes when the next one is. What the filter leaves out is not made.
class stage {
 public:
  stage() : choice_(yoke::choose_device()), suite_(bench::suite_of(choice_.chosen)) {}

  /// Effects: registers every operation of everybody; nothing is made yet.
  void enter_all() {
    benchmark::AddCustomContext("device", suite_.device);
    for (const bench::absence& each : suite_.absent) benchmark::AddCustomContext("absent " + each.peer, each.reason);
    for (const bench::operation& each : suite_.operations) {
      for (const bench::entrant& who : each.entrants) {
        benchmark::RegisterBenchmark((each.name + ":" + who.name).c_str(), [this, &each,
                                                                            &who](benchmark::State& state) {
          run(state, each, who);
        })->UseManualTime();
      }
    }
  }
  /// Returns: whether anything could be measured.
  [[nodiscard]] bool measured() const { return measured_; }

 private:
  void make(const bench::operation& what, const bench::entrant& who) {
    if (made_of_ == &who) return;
    made_of_ = nullptr;
    if (operation_ != &what) burst_ = {};  // within an operation the blocks of copies stay where they are
    operation_ = &what;
    burst_ = who.make();
    made_of_ = &who;
  }
  void run(benchmark::State& state, const bench::operation& what, const bench::entrant& who) {
    try {
      make(what, who);
      (void)burst_(what.count);
      bench::late_bursts = 0;
      while (state.KeepRunningBatch(what.count)) state.SetIterationTime(1e-9 * burst_(what.count) * what.count);
      measured_ = true;
      if (bench::late_bursts > 0) state.counters["late"] = bench::late_bursts;
    } catch (const std::exception& e) {  // a device need not be able to do everything
      made_of_ = nullptr;
      state.SkipWithError(e.what());
    }
  }

  yoke::device_choice choice_;
  bench::suite suite_;
  const bench::operation* operation_ = nullptr;
  const bench::entrant* made_of_ = nullptr;
  bench::bursts burst_;
  bool measured_ = false;
};

}  // namespace

int main(int count, char** arguments) {
  const bool listing = std::any_of(arguments, arguments + count, [](std::string_view each) {
    return each == "--benchmark_list_tests" || each == "--benchmark_list_tests=true";
  });
  benchmark::Initialize(&count, arguments);
  if (benchmark::ReportUnrecognizedArguments(count, arguments)) return 2;
  try {
    stage all;
    all.enter_all();
    if (benchmark::RunSpecifiedBenchmarks() == 0) return 1;  // which it has said
    benchmark::ClearRegisteredBenchmarks();
    if (!all.measured() && !listing) return 1;  // with the reasons
  } catch (const std::exception& e) {
    std::cerr << "yoke_bench_google: " << e.what() << '\n';
    return 1;
  }
  benchmark::Shutdown();
}
