// SPDX-License-Identifier: MIT
// Pools under recorded use: what examples allocate and free, and a loop of temporaries that has to end as it began.
#include <memory/counting_resource.hpp>

#include <algorithm>
#include <chrono>
#include <map>
#include <random>

using namespace yoke_test;

namespace {

/// Sizes in bytes of allocations, and `-n` for the end of the n-th of them, as the driver saw them without a pool.
using trace = std::vector<std::ptrdiff_t>;
const std::map<std::string, trace>& traces() {
  static const std::map<std::string, trace> recorded{
      {"k-means, six of ten rounds",
       {48000, 24,    24,    72000, 48000, -4,    72000, 24,  48,  -8,  12,  24,  -10, -9,    -7,
        -6,    -5,    72000, 48000, -11,   72000, 24,    48,  -15, 12,  24,  -17, -16, -14,   -13,
        -12,   72000, 48000, -18,   72000, 24,    48,    -22, 12,  24,  -24, -23, -21, -20,   -19,
        72000, 48000, -25,   72000, 24,    48,    -29,   12,  24,  -31, -30, -28, -27, -26,   72000,
        48000, -32,   72000, 24,    48,    -36,   12,    24,  -38, -37, -35, -34, -33, 72000, 48000,
        -39,   72000, 24,    48,    -43,   12,    24,    -45, -44, -42, -41, -40, -3,  -2,    -1}},
      {"heat", {384, 36864, 36864, 4, 12, -5, -4, 1536, -6, 4, 4, 8, 72, -10, 4, 12, -12, -11, -7, -8, -9, -3, -2, -1}},
      {"expressions", {12, 12, 4000012, 4000012, 12, 8, 24, 8, -8, 8, 1960, -10, -9, -7, -6, -5, -4, -3, -2, -1}}};
  return recorded;
}

}  // namespace

YOKE_DEVICE_TEST_CASE("a pool holds at most a quarter more than recorded programs had at a time", "[memory][pool]") {
  const context context{device};
  const stream stream{context};
  for (const auto& [name, steps] : traces()) {
    INFO(name);
    const yoke::memory_pool pool{context};
    std::vector<device_allocation<char>> blocks;
    std::size_t now = 0;
    std::size_t peak = 0;
    for (int turn = 0; turn < 3; ++turn) {
      blocks.clear();
      for (const std::ptrdiff_t step : steps) {
        if (step > 0) {
          blocks.emplace_back(pool, step, stream);
          now += static_cast<std::size_t>(step);
          peak = std::max(peak, now);
        } else {
          device_allocation<char>& ends = blocks[static_cast<std::size_t>(-step) - 1];
          now -= ends.size();
          ends.reset();
        }
      }
      CHECK(now == 0);
    }
    CHECK(pool.statistics().active_blocks == 0);
    CHECK(pool.statistics().peak_bytes >= peak);
    CHECK(pool.statistics().peak_bytes <= peak + peak / 4);
  }
}

/// Effects: allocates a thousand temporaries of mixed sizes a round, in random order of their ends, until `goes_on` says no. The
/// source's memory has to be that of the first round.
template <class Backend, class GoesOn>
void loop_of_temporaries(const typename Backend::device& device, const GoesOn& goes_on) {
  const typename Backend::context context{device};
  const typename Backend::stream stream{context};
  const auto source = std::make_shared<counting_resource<typename Backend::port>>(context);
  const yoke::memory_pool pool{source, {}};
  std::size_t after_first = 0;
  std::size_t asked_by_first = 0;
  int round = 0;
  for (; goes_on(round); ++round) {
    std::mt19937 random(3);
    std::vector<typename Backend::template device_allocation<char>> temporaries;
    for (int i = 0; i < 1000; ++i) {
      temporaries.emplace_back(pool, 1 + random() % (i % 10 == 0 ? 200000u : 5000u), stream);
      if (i % 3 == 0)
        temporaries.erase(temporaries.begin() + static_cast<std::ptrdiff_t>(random() % temporaries.size()));
    }
    temporaries.clear();
    if (round == 0) {
      after_first = source->live_bytes;
      asked_by_first = source->asked;
    }
  }
  INFO(round << " rounds");
  CHECK(source->live_bytes == after_first);
  CHECK(source->asked == asked_by_first);
  CHECK(pool.statistics().active_bytes == 0);
  pool.free_held();
  CHECK(source->live_bytes == 0);
}

YOKE_DEVICE_TEST_CASE("a loop of a thousand temporaries of mixed sizes needs no more memory than its first round",
                      "[memory][pool]") {
  loop_of_temporaries<Backend>(device, [](int round) { return round < 20; });
}

// yoke_tests "[long]"
YOKE_DEVICE_TEST_CASE("a minute of temporaries needs no more memory than its first round", "[.][long]") {
  const auto end = std::chrono::steady_clock::now() + std::chrono::minutes(1);
  loop_of_temporaries<Backend>(device, [&](int) { return std::chrono::steady_clock::now() < end; });
}
