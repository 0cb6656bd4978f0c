// SPDX-License-Identifier: MIT
// The fuzzers' harnesses over their corpora and over some thousand random changes of them.
#include <support/catch.hpp>

#include <fuzz/harnesses.hpp>
#include <fuzz/replay.hpp>

#include <filesystem>
#include <set>

TEST_CASE("every input of the fuzzers' corpora holds", "[fuzz]") {
  for (const auto& harness : yoke_fuzz::harnesses) yoke_fuzz::replay(harness);
}

TEST_CASE("random changes of the fuzzers' corpora hold", "[fuzz]") {
  for (const auto& harness : yoke_fuzz::harnesses) yoke_fuzz::replay_changed(harness);
}

TEST_CASE("every corpus has a harness that replays it", "[fuzz]") {
  std::set<std::string> replayed{"simulator_options"};  // by the simulator's own tests
  for (const auto& harness : yoke_fuzz::harnesses) replayed.insert(harness.name);
  std::set<std::string> there;
  for (const auto& each : std::filesystem::directory_iterator(YOKE_TEST_FUZZ_CORPUS)) {
    there.insert(each.path().filename().string());
  }
  CHECK(there == replayed);
}

TEST_CASE("the corpus of the entry reader holds accepted entries", "[fuzz]") {
  int accepted = 0;
  for (auto input : yoke_fuzz::corpus("cache_entry_reader")) {
    const auto seal = yoke::detail::sha256(input);
    accepted += yoke::detail::decode_entry(input) ? 1 : 0;
    input.insert(input.end(), seal.begin(), seal.end());
    accepted += yoke::detail::decode_entry(input) ? 1 : 0;
  }
  CHECK(accepted >= 2);
}

TEST_CASE("the corpora hold what their parsers accept", "[fuzz]") {
  const auto accepted = [](const char* harness, const auto& accepts) {
    int count = 0;
    for (const auto& input : yoke_fuzz::corpus(harness)) count += accepts(yoke_fuzz::bytes(input)) ? 1 : 0;
    return count;
  };
  namespace cuda = yoke::cuda::detail;
  using yoke_fuzz::bytes;
  using yoke_fuzz::text_of;
  CHECK(accepted("stored_signatures", [](bytes each) { return !yoke::detail::decode_signatures(each).empty(); }) >= 2);
  CHECK(accepted("ptx", [](bytes each) { return !yoke::cuda::parse_ptx(text_of(each)).empty(); }) >= 2);
  CHECK(accepted("opencl_c", [](bytes each) {
          return !each.empty() && yoke::detail::translate_opencl_c(text_of(each)).problem.empty();
        }) >= 2);
  CHECK(accepted("images", [](bytes each) {
          std::vector<std::string> names;
          return cuda::image_problem(each).empty() && cuda::add_image_kernels(each, names) &&
                 names == std::vector<std::string>{"k1"};
        }) == 2);  // a cubin, and a fatbin around it
  CHECK(accepted("images", [](bytes each) {
          cuda::image_record record;
          return !each.empty() && cuda::take_facts(record, each);
        }) >= 1);
}
