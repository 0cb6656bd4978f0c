// SPDX-License-Identifier: MIT
// What a program costs: compiled, compiled and stored, loaded from the disk, loaded from memory.
#include "fixture.hpp"

#include <yoke/cache.hpp>

#include <chrono>
#include <filesystem>
#include <string>

namespace {

/// A context, and a folder for the cache that is gone at the end.
struct compiling {
  yoke::context<yoke::any_port> context{yoke::choose_device().chosen};
  std::string folder = (std::filesystem::temp_directory_path() / "yoke-bench-XXXXXX").string();

  compiling() {
    if (::mkdtemp(folder.data()) == nullptr) std::exit(EXIT_FAILURE);
  }
  ~compiling() {
    std::error_code ignored;
    std::filesystem::remove_all(folder, ignored);
  }
  compiling(const compiling&) = delete;
  compiling& operator=(const compiling&) = delete;

  [[nodiscard]] yoke::program_cache cache() const { return yoke::program_cache{{.folder = folder}}; }
  void compile(long long number, const yoke::program_cache* cache) const {
    const std::string unique =
        std::string(bench::source) + "YOKE_KERNEL unique(YOKE_GLOBAL long* a) { a[0] = UNIQUE; }\n";
    benchmark::DoNotOptimize(
        yoke::compile(context, unique, {.defines = {{"UNIQUE", number}}, .cache = cache}).native_handle());
  }
};

/// Returns: a number that no other run has had: drivers keep caches of their own.
long long fresh() { return std::chrono::system_clock::now().time_since_epoch().count(); }

void compile_plain(benchmark::State& state) {
  const compiling on;
  for (auto _ : state) on.compile(fresh(), nullptr);
}
/// The same source again: what the driver's own cache makes of it.
void compile_again(benchmark::State& state) {
  const compiling on;
  const long long number = fresh();
  on.compile(number, nullptr);
  for (auto _ : state) on.compile(number, nullptr);
}
void compile_and_store(benchmark::State& state) {
  const compiling on;
  const yoke::program_cache cache = on.cache();
  for (auto _ : state) on.compile(fresh(), &cache);
}
/// Loads one program again and again; `forget` is what happens before each time, outside the time.
template <class Forget>
void load(benchmark::State& state, Forget forget) {
  const compiling on;
  const long long number = fresh();
  const yoke::program_cache cache = on.cache();
  on.compile(number, &cache);
  for (auto _ : state) {
    state.PauseTiming();
    forget(cache);
    state.ResumeTiming();
    on.compile(number, &cache);
  }
  if (cache.counters().compiled != 1) state.SkipWithError("the cache was not used");
}
void compile_from_disk(benchmark::State& state) {
  load(state, [](const yoke::program_cache& cache) { cache.clear_memory(); });
}
void compile_from_memory(benchmark::State& state) {
  load(state, [](const yoke::program_cache&) {});
}
BENCHMARK(compile_plain)->UseRealTime()->Unit(benchmark::kMicrosecond);
BENCHMARK(compile_again)->UseRealTime()->Unit(benchmark::kMicrosecond);
BENCHMARK(compile_and_store)->UseRealTime()->Unit(benchmark::kMicrosecond);
BENCHMARK(compile_from_disk)->UseRealTime()->Unit(benchmark::kMicrosecond);
BENCHMARK(compile_from_memory)->UseRealTime()->Unit(benchmark::kMicrosecond);

}  // namespace
