// SPDX-License-Identifier: MIT
// What an allocation and its end cost, from yoke's pool and from the driver, by threads: yoke_bench_pools [SECONDS FOR EACH FIGURE]
#include <yoke/yoke.hpp>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <thread>
#include <vector>

namespace {

using clock_type = std::chrono::steady_clock;
constexpr std::size_t count = 1024;  // 4 KiB of float

/// Returns: how many pairs of allocation and end all threads make in a second, each on a stream of its own.
template <class Port, class Allocate>
double rate(const yoke::context<Port>& in, unsigned threads, double seconds, Allocate allocate) {
  std::atomic<unsigned> ready{0};
  std::atomic<double> sum{0};
  std::vector<std::thread> all;
  for (unsigned i = 0; i < threads; ++i) {
    all.emplace_back([&] {
      const yoke::stream<Port> stream{in};
      for (int warm = 0; warm < 100; ++warm) (void)allocate(stream);
      for (++ready; ready < threads;) std::this_thread::yield();
      double pairs = 0, passed = 0;
      for (const auto begin = clock_type::now(); passed < seconds; pairs += 1000) {
        for (int turn = 0; turn < 1000; ++turn) (void)allocate(stream);
        passed = std::chrono::duration<double>(clock_type::now() - begin).count();
      }
      sum += pairs / passed;
    });
  }
  for (std::thread& each : all) each.join();
  return sum;
}

template <class Port>
void run(const yoke::context<Port>& in, double seconds) {
  std::printf("%s, %zu bytes, best of 5, %u cores\n%-30s%9d%9d%9d%9d   rate of 8 / 1\n",
              in.devices().front().name().c_str(), count * sizeof(float), std::thread::hardware_concurrency(),
              "ns for each thread, threads:", 1, 2, 4, 8);
  const auto row = [&](const char* name, auto allocate) {
    double first = 0, last = 0;
    std::printf("%-30s", name);
    for (unsigned threads = 1; threads <= 8; threads *= 2) {
      last = 0;
      for (int again = 0; again < 5; ++again) last = std::max(last, rate(in, threads, seconds, allocate));
      if (threads == 1) first = last;
      std::printf("%9.1f", threads / last * 1e9);
    }
    std::printf("%16.2f\n", last / first);
  };
  using memory = yoke::device_allocation<float, Port>;
  const yoke::memory_pool<Port, yoke::device_memory> pool{in};
  row("yoke::memory_pool", [&](const auto& order) { return memory{pool, count, order}; });
  row("the driver, in stream order", [&](const auto& order) { return memory{in, count, order}; });
  row("the driver, plain", [&](const auto&) { return memory{in, count}; });
}

}  // namespace

int main(int words, char** word) {
  yoke::with_device([&](const auto& in) { run(in, words > 1 ? std::atof(word[1]) : 0.2); });
}
