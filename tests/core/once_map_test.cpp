// SPDX-License-Identifier: MIT
// Maps that only grow: each object is made once, stays where it is, and ends with its map.
#include <support/catch.hpp>
#include <yoke/core/once_map.hpp>

#include <atomic>
#include <chrono>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

namespace {

struct counted {
  explicit counted(int with) : value(with) { alive.fetch_add(1); }
  counted(const counted&) = delete;
  counted& operator=(const counted&) = delete;
  ~counted() { alive.fetch_sub(1); }
  int value;
  static inline std::atomic<int> alive{0};
};

}  // namespace

TEST_CASE("a map makes each value once and keeps it in its place", "[once_map]") {
  {
    yoke::detail::once_map<counted> map;
    int made = 0;
    std::vector<counted*> places;
    for (int round = 0; round < 2; ++round) {
      for (int key = 0; key < 20; ++key) {
        counted& found = map.find_or_make(static_cast<std::uint64_t>(key), [&] {
          ++made;
          return counted(key * 3);
        });
        CHECK(found.value == key * 3);
        if (round == 0) {
          places.push_back(&found);
        } else {
          CHECK(places[static_cast<std::size_t>(key)] == &found);
        }
      }
    }
    CHECK(made == 20);
    CHECK_THROWS_AS(map.find_or_make(77, []() -> counted { throw std::runtime_error("no"); }), std::runtime_error);
    CHECK(map.find_or_make(77, [] { return counted(5); }).value == 5);
    CHECK(counted::alive.load() == 21);
  }
  CHECK(counted::alive.load() == 0);
}

TEST_CASE("attachments keep one object of each type", "[once_map]") {
  yoke::detail::attachments all;
  CHECK(all.get<int>([] { return 3; }) == 3);
  CHECK(all.get<int>([] { return 4; }) == 3);
  CHECK(all.get<long>() == 0);
  CHECK(all.get<counted>([] { return counted(8); }).value == 8);
  all.clear();
  CHECK(counted::alive.load() == 0);
  CHECK(all.get<int>() == 0);
}

TEST_CASE("attachments keep one object of each address", "[once_map]") {
  yoke::detail::attachments all;
  const int places[2]{};
  int& one = all.get_at<int>(&places[0]);
  CHECK(one == 0);
  one = 3;
  CHECK(&all.get_at<int>(&places[0]) == &one);
  CHECK(all.get_at<int>(&places[1]) == 0);
  CHECK(all.get<int>() == 0);  // by its type
  CHECK(all.get_at<int>(&places[0]) == 3);
}

TEST_CASE("threads that make the same values agree on them", "[once_map]") {
  yoke::detail::once_map<counted> map;
  std::vector<std::thread> threads;
  std::vector<std::vector<counted*>> found(8, std::vector<counted*>(50));
  for (std::size_t number = 0; number < found.size(); ++number) {
    threads.emplace_back([&, number] {
      for (std::size_t key = 0; key < 50; ++key) {
        found[number][key] = &map.find_or_make(key, [&] { return counted(static_cast<int>(key)); });
      }
    });
  }
  for (std::thread& each : threads) each.join();
  for (const auto& each : found) CHECK(each == found.front());
  CHECK(counted::alive.load() == 50);
}

TEST_CASE("while a thread makes a value, others that need it wait for it", "[once_map]") {
  yoke::detail::once_map<counted> map;
  std::atomic<int> made{0};
  std::atomic<int> asking{0};
  std::atomic<int> right{0};
  std::vector<std::thread> threads;
  for (int number = 0; number < 8; ++number) {
    threads.emplace_back([&] {
      ++asking;
      const counted& found = map.find_or_make(5, [&] {
        ++made;
        while (asking < 8) std::this_thread::yield();
        std::this_thread::sleep_for(std::chrono::milliseconds(20));
        return counted(15);
      });
      right += found.value == 15 ? 1 : 0;
    });
  }
  for (std::thread& each : threads) each.join();
  CHECK(made == 1);
  CHECK(right == 8);
}

TEST_CASE("what a thread throws reaches those that waited for it; later ones try again", "[once_map]") {
  yoke::detail::once_map<counted> map;
  std::atomic<int> tries{0};
  std::atomic<int> asking{0};
  std::atomic<int> caught{0};
  std::vector<std::thread> threads;
  for (int number = 0; number < 4; ++number) {
    threads.emplace_back([&] {
      ++asking;
      try {
        (void)map.find_or_make(5, [&]() -> counted {
          ++tries;
          while (asking < 4) std::this_thread::yield();
          std::this_thread::sleep_for(std::chrono::milliseconds(100));
          throw std::runtime_error("no memory for it");
        });
      } catch (const std::runtime_error& e) {
        caught += std::string(e.what()) == "no memory for it" ? 1 : 0;
      }
    });
  }
  for (std::thread& each : threads) each.join();
  CHECK(caught == 4);
  CHECK(tries < 4);
  CHECK(map.find_or_make(5, [] { return counted(6); }).value == 6);
}
