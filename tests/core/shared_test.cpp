// SPDX-License-Identifier: MIT
// The pointers that the library's own classes hold: who ends what, and when.
#include <support/catch.hpp>

#include <yoke/core/shared.hpp>

#include <array>
#include <atomic>
#include <cstdint>
#include <stdexcept>
#include <thread>
#include <type_traits>
#include <utility>
#include <vector>

using yoke::detail::make_shared;
using yoke::detail::shared;
using yoke::detail::shared_count;

namespace {

std::atomic<int> alive{0};

struct base {
  base() { ++alive; }
  base(const base&) = delete;
  base& operator=(const base&) = delete;
  virtual ~base() { --alive; }
  int value = 7;
};
struct derived final : base {
  explicit derived(int more) { value = more; }
  int own = 1;
};
struct refuses {
  refuses() { throw std::runtime_error("refused"); }
};
struct alignas(64) aligned {
  std::array<char, 64> bytes{};
};

static_assert(std::is_convertible_v<shared<derived>, shared<base>>);
static_assert(std::is_convertible_v<shared<derived>, shared<const void>>);
static_assert(!std::is_convertible_v<shared<base>, shared<derived>>);
static_assert(!std::is_convertible_v<shared<const base>, shared<base>>);
static_assert(std::is_nothrow_move_constructible_v<shared<base>>);

}  // namespace

TEST_CASE("shares are counted, and the last one ends the object", "[core]") {
  REQUIRE(alive == 0);
  {
    shared<base> first = make_shared<derived>(3);
    CHECK(first->value == 3);
    CHECK((*first).value == 3);
    CHECK(first.use_count() == 1);
    shared<base> second = first;
    CHECK(first.use_count() == 2);
    CHECK(second == first);
    const shared<base> moved = std::move(second);
    CHECK(second == nullptr);
    CHECK(second.use_count() == 0);
    CHECK(first.use_count() == 2);
    first.reset();
    CHECK_FALSE(static_cast<bool>(first));
    CHECK(alive == 1);
    CHECK(moved.use_count() == 1);
    first = moved;
    first = *&first;  // itself
    CHECK(first.use_count() == 2);
    first = nullptr;
    CHECK(alive == 1);
  }
  CHECK(alive == 0);
  const shared<base> none;
  CHECK(none.get() == nullptr);
  CHECK(none.use_count() == 0);
}

TEST_CASE("a share of something unnamed keeps it alive", "[core]") {
  shared<const void> kept;
  {
    const auto made = make_shared<const base>();
    kept = made;
    CHECK(made.use_count() == 2);
    CHECK(kept.get() == made.get());
  }
  CHECK(alive == 1);
  kept.reset();
  CHECK(alive == 0);
}

TEST_CASE("what cannot be made leaves nothing, and alignment is kept", "[core]") {
  CHECK_THROWS_AS(make_shared<refuses>(), std::runtime_error);
  const auto made = make_shared<aligned>();
  CHECK(reinterpret_cast<std::uintptr_t>(made.get()) % 64 == 0);
}

TEST_CASE("an object that is about to end gives no more shares", "[core]") {
  struct counted : shared_count {
    counted() : shared_count(+[](shared_count* count) noexcept { static_cast<counted*>(count)->ended = true; }) {}
    bool ended = false;
  };
  counted object;
  {
    const shared<counted> first{&object, &object};
    REQUIRE(object.add_if_any());
    const shared<counted> second{&object, &object};
    CHECK(first.use_count() == 2);
    CHECK_FALSE(object.ended);
  }
  CHECK(object.ended);
  CHECK_FALSE(object.add_if_any());
}

TEST_CASE("shares may be taken and dropped by several threads", "[core]") {
  for (int round = 0; round < 100; ++round) {
    std::vector<std::thread> threads;
    {
      const shared<base> made = make_shared<derived>(round);
      for (int t = 0; t < 4; ++t) {
        threads.emplace_back([mine = made, round] {
          for (int i = 0; i < 50; ++i) {
            const shared<const void> other = mine;
            if (mine->value != round) --alive;
          }
        });
      }
    }
    for (auto& each : threads) each.join();
    REQUIRE(alive == 0);
  }
}
