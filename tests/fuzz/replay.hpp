// SPDX-License-Identifier: MIT
// The fuzzers' harnesses as tests: over their corpora, and over some thousand random changes of them.
#ifndef YOKE_TESTS_FUZZ_REPLAY_HPP
#define YOKE_TESTS_FUZZ_REPLAY_HPP

#include <support/catch.hpp>

#include <fuzz/dice.hpp>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>
#include <vector>

namespace yoke_fuzz {

inline std::vector<std::vector<std::byte>> corpus(const std::string& harness) {
  namespace fs = std::filesystem;
  std::vector<fs::path> paths;
  for (const auto& each : fs::directory_iterator(fs::path(YOKE_TEST_FUZZ_CORPUS) / harness)) {
    paths.push_back(each.path());
  }
  std::sort(paths.begin(), paths.end());
  std::vector<std::vector<std::byte>> inputs;
  for (const fs::path& each : paths) {
    std::ifstream file(each, std::ios::binary);
    const std::string text{std::istreambuf_iterator<char>(file), {}};
    const auto whole = std::as_bytes(std::span{text.data(), text.size()});
    inputs.emplace_back(whole.begin(), whole.end());
  }
  return inputs;
}

/// Checks: every input of the corpus holds.
inline void replay(const harness& each) {
  const auto inputs = corpus(each.name);
  INFO(each.name);
  CHECK(inputs.size() >= 4);
  for (const auto& input : inputs) {
    const char* const problem = each.run(input);
    INFO((problem == nullptr ? "" : problem));
    CHECK(problem == nullptr);
  }
}

/// Checks: 2000 random changes of the corpus hold.
inline void replay_changed(const harness& each) {
  std::mt19937_64 random{4711};
  const auto inputs = corpus(each.name);
  REQUIRE_FALSE(inputs.empty());
  for (int round = 0; round < 2000; ++round) {
    auto input = inputs[random() % inputs.size()];
    for (std::uint64_t changes = 1 + random() % 6; changes > 0; --changes) {
      const auto at = static_cast<std::ptrdiff_t>(random() % (input.size() + 1));
      const auto byte = static_cast<std::byte>(random());
      if (random() % 4 == 0) {
        input.insert(input.begin() + at, byte);
      } else if (at < static_cast<std::ptrdiff_t>(input.size())) {
        input[static_cast<std::size_t>(at)] = byte;
        if (random() % 4 == 0) input.erase(input.begin() + at);
      }
    }
    const char* const problem = each.run(input);
    INFO(each.name << ", round " << round << ": " << (problem == nullptr ? "" : problem));
    REQUIRE(problem == nullptr);
  }
}

}  // namespace yoke_fuzz

#endif
