// SPDX-License-Identifier: MIT
// Ranks that are processes: their codes, what they print, and that none outlives a failure.
#include <support/rig.hpp>
#include <yoke/local.hpp>

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <thread>

#include <unistd.h>

using namespace yoke_test;
using namespace std::chrono_literals;
using Catch::Matchers::ContainsSubstring;

TEST_CASE("each rank runs in a process of its own, and they meet in a folder", "[local]") {
  const auto ended = yoke::run_ranks(3, [](const yoke::rank_process& me) {
    std::ofstream(me.folder + "/from_" + std::to_string(me.rank)) << ::getpid();
    for (int other = 0; other < me.size; ++other) {
      while (!std::filesystem::exists(me.folder + "/from_" + std::to_string(other))) std::this_thread::sleep_for(1ms);
    }
    std::printf("first line of %d\nrank %d of %d\n\n", me.rank, me.rank, me.size);
  });
  REQUIRE(ended.size() == 3);
  for (int rank = 0; rank < 3; ++rank) {
    const auto& each = ended[static_cast<std::size_t>(rank)];
    CHECK(each.code == 0);
    CHECK(each.last_line == "rank " + std::to_string(rank) + " of 3");
    CHECK_THAT(each.output, ContainsSubstring("first line of " + std::to_string(rank)));
  }
}

TEST_CASE("a rank that fails ends the others", "[local]") {
  const auto begin = std::chrono::steady_clock::now();
  const auto ended = yoke::run_ranks(3, [](const yoke::rank_process& me) {
    if (me.rank == 1) throw std::runtime_error("no coffee is left");
    std::this_thread::sleep_for(60s);
    return 0;
  });
  CHECK(ended[1].code == 1);
  CHECK(ended[1].last_line == "rank 1: no coffee is left");
  CHECK(ended[0].code == 128 + 15);
  CHECK(ended[2].code == 128 + 15);
  CHECK(std::chrono::steady_clock::now() - begin < 30s);
  const auto by_signal = yoke::run_ranks(1, [](const yoke::rank_process&) { std::abort(); });
  CHECK(by_signal[0].code == 128 + 6);
  CHECK(yoke::run_ranks(2, [](const yoke::rank_process& me) { return 3 * me.rank; })[1].code == 3);
  for (const int returned : {256, -1, 512}) {
    const auto beyond = yoke::run_ranks(1, [&](const yoke::rank_process&) { return returned; });
    CHECK(beyond[0].code == 1);
    CHECK(beyond[0].last_line ==
          "rank 0: its function returned " + std::to_string(returned) + ", which is no exit code: they are 0 to 255");
  }
  CHECK(yoke::run_ranks(1, [](const yoke::rank_process&) { return 255; })[0].code == 255);
}

TEST_CASE("ranks that hang end at the deadline", "[local]") {
  const auto ended =
      yoke::run_ranks(2, [](const yoke::rank_process&) { std::this_thread::sleep_for(60s); }, {.deadline = 50ms});
  for (const auto& each : ended) CHECK(each.code == 128 + 15);
  const auto polite = yoke::run_ranks(1,
                                      [](const yoke::rank_process&) {
                                        (void)std::signal(SIGTERM, [](int) { ::_exit(0); });
                                        std::this_thread::sleep_for(60s);
                                      },
                                      {.deadline = 500ms});
  CHECK(polite[0].code == 128 + 15);
  CHECK_THAT(refusal<yoke::logic_error>(yoke::errc::invalid_argument,
                                        [] { (void)yoke::run_ranks(0, [](const yoke::rank_process&) {}); }),
             ContainsSubstring("run_ranks of 0 ranks"));
  CHECK_THAT(
      refusal<yoke::logic_error>(yoke::errc::invalid_argument,
                                 [] { (void)yoke::run_ranks(1, [](const yoke::rank_process&) {}, {.deadline = -2s}); }),
      ContainsSubstring("the deadline of run_ranks is below 0: -2 s"));
}
