// SPDX-License-Identifier: MIT
// Runs the benchmarks interleaved and repeated, and prints medians and spreads, unless told otherwise.
#include <benchmark/benchmark.h>

#include <cstdio>
#include <vector>
#include <yoke/yoke.hpp>

int main(int count, char** arguments) {
  try {
    const yoke::device_choice choice = yoke::choose_device();
    const yoke::device_summary facts = choice.chosen.summary();
    std::fprintf(stderr, "device: %s, driver %s (%s)\n", facts.name.c_str(), facts.driver_version.c_str(),
                 choice.reason.c_str());
  } catch (const yoke::error& e) {
    std::fprintf(stderr, "%s\n", e.what());
    return 1;
  }
  // Interleaving spreads what else the machine does over everything that is compared.
  char interleave[] = "--benchmark_enable_random_interleaving=true";
  char repetitions[] = "--benchmark_repetitions=9";
  char aggregates[] = "--benchmark_report_aggregates_only=true";
  char time[] = "--benchmark_min_time=0.05";
  std::vector<char*> all{arguments[0], interleave, repetitions, aggregates, time};
  all.insert(all.end(), arguments + 1, arguments + count);
  int size = static_cast<int>(all.size());
  benchmark::Initialize(&size, all.data());
  if (benchmark::ReportUnrecognizedArguments(size, all.data())) return 2;
  benchmark::RunSpecifiedBenchmarks();
  benchmark::Shutdown();
  return 0;
}
