// SPDX-License-Identifier: MIT
// The same bursts under Google Benchmark, for its filters, repetitions and reports: yoke_bench_google --benchmark_filter=launch
#include <benchmark/benchmark.h>

#include <iostream>
#include <memory>

#include "core_apart.hpp"
#include "suites.hpp"

namespace {

/// An operation's contestants, made when the first of them is run.
struct lazy {
  explicit lazy(bench::operation of) : what(std::move(of)) {}
  bench::contestant& at(const std::string& name) {
    if (made.empty()) made = what.make();
    for (bench::contestant& each : made) {
      if (each.name == name) return each;
    }
    std::cerr << name << " went away\n";
    std::exit(EXIT_FAILURE);
  }
  bench::operation what;
  std::vector<bench::contestant> made;
};

void run(benchmark::State& state, const std::shared_ptr<lazy>& of, const std::string& name) {
  bench::contestant& who = of->at(name);
  const int count = of->what.count;
  (void)who.burst(count);
  while (state.KeepRunningBatch(count)) state.SetIterationTime(1e-9 * who.burst(count) * count);
}

}  // namespace

int main(int count, char** arguments) {
  benchmark::Initialize(&count, arguments);
  if (benchmark::ReportUnrecognizedArguments(count, arguments)) return 2;
  try {
    const bench::core_apart core;
    const yoke::device_choice choice = yoke::choose_device();
    bench::suite suite = bench::suite_of(choice.chosen);
    core.settle(suite.on_host);
    for (const bench::operation& each : suite.operations) {
      const auto shared = std::make_shared<lazy>(each);
      for (const bench::contestant& who : each.make()) {
        benchmark::RegisterBenchmark((each.name + ":" + who.name).c_str(), [shared,
                                                                            name = who.name](benchmark::State& state) {
          run(state, shared, name);
        })->UseManualTime();
      }
    }
    benchmark::RunSpecifiedBenchmarks();
  } catch (const std::exception& e) {
    std::cerr << e.what() << '\n';
    return 1;
  }
  benchmark::Shutdown();
}
