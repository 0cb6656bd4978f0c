// SPDX-License-Identifier: MIT
// The fuzzers' harnesses over their corpora and over some thousand random changes of them.
#include <support/catch.hpp>

#include <fuzz/harnesses.hpp>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>

namespace {

namespace fs = std::filesystem;

std::vector<std::vector<std::byte>> corpus(const std::string& harness) {
  std::vector<fs::path> paths;
  for (const auto& each : fs::directory_iterator(fs::path(YOKE_TEST_FUZZ_CORPUS) / harness)) {
    paths.push_back(each.path());
  }
  std::sort(paths.begin(), paths.end());
  std::vector<std::vector<std::byte>> inputs;
  for (const fs::path& each : paths) {
    std::ifstream file(each, std::ios::binary);
    const std::string text{std::istreambuf_iterator<char>(file), {}};
    const auto bytes = std::as_bytes(std::span{text.data(), text.size()});
    inputs.emplace_back(bytes.begin(), bytes.end());
  }
  return inputs;
}

}  // namespace

TEST_CASE("D.6 24: every input of the fuzzers' corpora holds", "[fuzz]") {
  for (const auto& harness : yoke_fuzz::harnesses) {
    const auto inputs = corpus(harness.name);
    INFO(harness.name);
    CHECK(inputs.size() >= 4);
    for (const auto& input : inputs) {
      const char* const problem = harness.run(input);
      INFO((problem == nullptr ? "" : problem));
      CHECK(problem == nullptr);
    }
  }
}

TEST_CASE("D.6 24: random changes of the fuzzers' corpora hold", "[fuzz]") {
  std::mt19937_64 random{4711};
  for (const auto& harness : yoke_fuzz::harnesses) {
    const auto inputs = corpus(harness.name);
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
      const char* const problem = harness.run(input);
      INFO(harness.name << ", round " << round << ": " << (problem == nullptr ? "" : problem));
      REQUIRE(problem == nullptr);
    }
  }
}

TEST_CASE("the corpus of the entry reader holds accepted entries", "[fuzz]") {
  int accepted = 0;
  for (auto input : corpus("cache_entry_reader")) {
    const auto seal = yoke::detail::sha256(input);
    accepted += yoke::detail::decode_entry(input) ? 1 : 0;
    input.insert(input.end(), seal.begin(), seal.end());
    accepted += yoke::detail::decode_entry(input) ? 1 : 0;
  }
  CHECK(accepted >= 2);
}
