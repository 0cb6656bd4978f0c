// SPDX-License-Identifier: MIT
// The fuzzer's harness of the simulator's options over its corpus and over some thousand random changes of it.
#include <support/catch.hpp>

#include <fuzz/replay.hpp>
#include <fuzz/simulator_harnesses.hpp>

TEST_CASE("every input of the corpus of the simulator's options holds", "[fuzz][simulator]") {
  for (const auto& harness : yoke_fuzz::simulator_harnesses) yoke_fuzz::replay(harness);
}

TEST_CASE("random changes of the corpus of the simulator's options hold", "[fuzz][simulator]") {
  for (const auto& harness : yoke_fuzz::simulator_harnesses) yoke_fuzz::replay_changed(harness);
}

TEST_CASE("the corpus of the simulator's options holds accepted ones", "[fuzz][simulator]") {
  int accepted = 0;
  for (const auto& input : yoke_fuzz::corpus("simulator_options")) {
    yoke_fuzz::dice from{input};
    (void)from.number(1);
    std::vector<std::string> options;
    while (!from.empty()) options.push_back(from.text(40));
    accepted += !options.empty() && yoke::simulator::parse_options(options, 13000).error.empty() ? 1 : 0;
  }
  CHECK(accepted >= 3);
}
