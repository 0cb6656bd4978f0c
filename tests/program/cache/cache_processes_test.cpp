// SPDX-License-Identifier: MIT
// Many processes on one folder: each gets the right program, whatever the others do.
#include <support/catch.hpp>

#include <program/cache/cache_folder.hpp>
#include <support/process/child.hpp>

#include <random>
#include <thread>

using namespace yoke_test;

namespace {

constexpr int keys = 50;

std::string folder_of_children() { return std::getenv("YOKE_TEST_CACHE"); }

/// Effects: runs the test of that name in `count` children at a time, each with its number. Checks that all did well.
void run_children(const std::string& test, const std::string& folder, int count) {
  std::vector<child_result> results(static_cast<std::size_t>(count));
  std::vector<std::thread> threads;
  for (int i = 0; i < count; ++i) {
    threads.emplace_back([&, i] {
      results[static_cast<std::size_t>(i)] =
          run_child(test, {{"YOKE_TEST_CACHE", folder}, {"YOKE_TEST_NUMBER", std::to_string(i)}});
    });
  }
  for (std::thread& each : threads) each.join();
  for (const child_result& each : results) {
    INFO(each.output);
    CHECK(each.status == 0);
  }
}

int number_of_child() { return std::stoi(std::getenv("YOKE_TEST_NUMBER")); }

/// Effects: gets or compiles random programs. Returns: how many were wrong.
int use_at_random(const yoke::disk_cache& cache, int rounds) {
  std::mt19937 random{static_cast<unsigned>(number_of_child())};
  int wrong = 0;
  for (int round = 0; round < rounds; ++round) {
    const auto key = numbered_key(static_cast<int>(random() % keys));
    wrong += is_right(get_or_compile(cache, key), key) ? 0 : 1;
  }
  return wrong;
}

void check_clean(const std::string& folder) {
  CHECK(files_below(folder, ".tmp-").empty());
  for (const auto& each : open_cache(folder).list()) CHECK(each.condition == yoke::cache_condition::good);
}

}  // namespace

TEST_CASE("a herd of 16 processes gets 50 programs right", "[cache]") {
  const std::string name = "a herd of 16 processes gets 50 programs right";
  if (is_child(name)) {
    const auto cache = open_cache(folder_of_children());
    CHECK(use_at_random(cache, 200) == 0);
    CHECK(cache.counters().damaged == 0);
    CHECK(cache.counters().failures == 0);
    return;
  }
  const scratch_folder scratch;
  run_children(name, scratch / "cache", 16);
  check_clean(scratch / "cache");
  CHECK(open_cache(scratch / "cache").list().size() == keys);
}

TEST_CASE("16 processes that see entries late are right", "[cache]") {
  const std::string name = "16 processes that see entries late are right";
  if (is_child(name)) {
    std::mt19937 random{static_cast<unsigned>(number_of_child())};
    plan().hide = [&](const std::string& entry) { return entry.size() == 64 + 1 + 16 && random() % 2 == 0; };
    const auto cache = open_cache(folder_of_children());
    CHECK(use_at_random(cache, 100) == 0);
    CHECK(cache.counters().damaged == 0);
    plan() = {};
    return;
  }
  const scratch_folder scratch;
  run_children(name, scratch / "cache", 16);
  check_clean(scratch / "cache");
}

TEST_CASE("while one process evicts and one clears, readers get the right program or none", "[cache]") {
  const std::string name = "while one process evicts and one clears, readers get the right program or none";
  if (is_child(name)) {
    const auto cache = open_cache(folder_of_children());
    const int number = number_of_child();
    for (int round = 0; number < 2 && round < 60; ++round) {
      if (number == 0) {
        cache.prune(5'000);
      } else {
        cache.clear();
      }
    }
    CHECK((number < 2 || use_at_random(cache, 150) == 0));
    CHECK(cache.counters().damaged == 0);
    return;
  }
  const scratch_folder scratch;
  run_children(name, scratch / "cache", 6);
  check_clean(scratch / "cache");
}

TEST_CASE("processes that are killed at random spoil nothing", "[cache]") {
  const std::string name = "processes that are killed at random spoil nothing";
  if (is_child(name)) {
    const auto cache = open_cache(folder_of_children());
    plan().at = plan().calls + 37 * (number_of_child() + 1);  // each at another call
    plan().kill = true;
    use_at_random(cache, 1000);
    CHECK(false);  // not reached
    return;
  }
  const scratch_folder scratch;
  std::vector<child_result> results(12);
  std::vector<std::thread> threads;
  for (std::size_t i = 0; i < results.size(); ++i) {
    threads.emplace_back([&, i] {
      results[i] = run_child(name, {{"YOKE_TEST_CACHE", scratch / "cache"}, {"YOKE_TEST_NUMBER", std::to_string(i)}});
    });
  }
  for (std::thread& each : threads) each.join();
  for (const child_result& each : results) CHECK(each.status == 128 + SIGKILL);
  const fresh_plan guard;
  plan().later = 3700;
  open_cache(scratch / "cache").prune(std::uint64_t{1} << 30);
  check_clean(scratch / "cache");
}
