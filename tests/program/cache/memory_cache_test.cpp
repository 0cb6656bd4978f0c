// SPDX-License-Identifier: MIT
// Programs in memory: one flight a key, no lock while one is made, failures not kept.
#include <support/catch.hpp>

#include <program/cache/cache_rig.hpp>

#include <yoke/core/error.hpp>
#include <yoke/program/cache/memory_cache.hpp>

#include <atomic>
#include <barrier>
#include <set>
#include <stdexcept>
#include <string>
#include <thread>

using namespace yoke_test;

namespace {

template <class Function>
void with_threads(int count, Function f) {
  std::vector<std::thread> threads;
  for (int i = 0; i < count; ++i) threads.emplace_back([&f, i] { f(i); });
  for (std::thread& each : threads) each.join();
}

}  // namespace

TEST_CASE("a value is made once and then kept", "[cache]") {
  yoke::memory_cache<std::string> cache;
  const auto key = numbered_key(1);
  CHECK(cache.find(key) == nullptr);
  int made = 0;
  const auto make = [&] {
    ++made;
    return std::string("value");
  };
  const auto first = cache.find_or_make(key, make);
  CHECK(*first == "value");
  CHECK(cache.find_or_make(key, make) == first);
  CHECK(cache.find(key) == first);
  CHECK(made == 1);
  CHECK(cache.size() == 1);
  CHECK(*cache.find_or_make(numbered_key(2), [] { return "other"; }) == "other");
  CHECK(cache.size() == 2);
  CHECK(cache.erase(key));
  CHECK_FALSE(cache.erase(key));
  CHECK(*first == "value");  // who has it keeps it
  CHECK(*cache.find_or_make(key, make) == "value");
  CHECK(made == 2);
  cache.clear();
  CHECK(cache.size() == 0);
}

TEST_CASE("8 threads that ask for one program compile it once", "[cache]") {
  for (int round = 0; round < 200; ++round) {
    yoke::memory_cache<int> cache;
    const auto key = numbered_key(1);
    std::atomic<int> made{0};
    std::atomic<int> wrong{0};
    std::barrier start(8);
    with_threads(8, [&](int) {
      start.arrive_and_wait();
      const auto value = cache.find_or_make(key, [&] { return 41 + made.fetch_add(1) + 1; });
      if (*value != 42) ++wrong;
    });
    REQUIRE(made == 1);
    REQUIRE(wrong == 0);
  }
}

TEST_CASE("no lock is held while a program is made", "[cache]") {
  yoke::memory_cache<int> cache;
  // Each of 8 makers waits until all 8 are being made: with a lock held they would never meet.
  std::barrier meeting(8);
  std::atomic<int> sum{0};
  with_threads(8, [&](int i) {
    sum += *cache.find_or_make(numbered_key(i), [&] {
      meeting.arrive_and_wait();
      return i;
    });
  });
  CHECK(sum == 28);
  CHECK(cache.size() == 8);
  // A maker may use the cache for other keys.
  const auto outer = cache.find_or_make(numbered_key(100), [&] {
    return *cache.find_or_make(numbered_key(101), [] { return 1; }) + *cache.find(numbered_key(7));
  });
  CHECK(*outer == 8);
}

TEST_CASE("a failure reaches everybody who waited, and is not kept", "[cache]") {
  yoke::memory_cache<int> cache;
  const auto key = numbered_key(1);
  std::atomic<int> made{0};
  std::atomic<int> failed{0};
  with_threads(8, [&](int) {
    try {
      cache.find_or_make(key, [&]() -> int {
        ++made;
        throw std::runtime_error("no such kernel");
      });
    } catch (const std::runtime_error& e) {
      if (std::string(e.what()) == "no such kernel") ++failed;
    }
  });
  CHECK(failed == 8);
  CHECK(made >= 1);
  CHECK(cache.size() == 0);
  CHECK(cache.find(key) == nullptr);
  CHECK(*cache.find_or_make(key, [] { return 5; }) == 5);
}

TEST_CASE("a program that asks for itself is an error, not a wait for ever", "[cache]") {
  yoke::memory_cache<int> cache;
  const auto key = numbered_key(1);
  CHECK_THROWS_AS(cache.find_or_make(key, [&] { return *cache.find_or_make(key, [] { return 1; }); }),
                  yoke::logic_error);
  CHECK(*cache.find_or_make(key, [] { return 2; }) == 2);
}

TEST_CASE("a program forgotten while it is made is not kept", "[cache]") {
  yoke::memory_cache<int> cache;
  const auto key = numbered_key(1);
  const auto value = cache.find_or_make(key, [&] {
    CHECK_FALSE(cache.erase(key));
    CHECK(cache.find(key) == nullptr);
    return 3;
  });
  CHECK(*value == 3);
  CHECK(cache.find(key) == nullptr);
  CHECK(cache.size() == 0);
}

TEST_CASE("8 threads find, make, erase and clear at random", "[cache]") {
  yoke::memory_cache<int> cache;
  std::atomic<int> wrong{0};
  with_threads(8, [&](int thread) {
    unsigned random = static_cast<unsigned>(thread) * 977u + 1u;
    for (int round = 0; round < 2000; ++round) {
      random = random * 1664525u + 1013904223u;
      const int number = static_cast<int>((random >> 8) % 10);
      const auto key = numbered_key(number);
      switch ((random >> 16) % 16) {
        case 0: cache.erase(key); break;
        case 1: cache.clear(); break;
        case 2:
          if (const auto found = cache.find(key); found && *found != number) ++wrong;
          break;
        default:
          if (*cache.find_or_make(key, [&] { return number; }) != number) ++wrong;
      }
    }
  });
  CHECK(wrong == 0);
  CHECK(cache.size() <= 10);
}
