// SPDX-License-Identifier: MIT
// A pointer that owns: one end for each object, in the order that std::unique_ptr has.
#include <support/catch.hpp>

#include <yoke/core/shared.hpp>

#include <type_traits>
#include <utility>

namespace {

using yoke::detail::owner;

struct base {
  explicit base(int& count) : ends(count) {}
  base(const base&) = delete;
  base& operator=(const base&) = delete;
  virtual ~base() { ++ends; }
  int& ends;
};
struct derived final : base {
  using base::base;
};
struct watcher {
  owner<watcher>* seen = nullptr;
  bool* was_replaced = nullptr;
  ~watcher() {
    if (seen != nullptr) *was_replaced = seen->get() != this;
  }
};

static_assert(!std::is_copy_constructible_v<owner<base>> && !std::is_copy_assignable_v<owner<base>>);
static_assert(std::is_nothrow_move_constructible_v<owner<base>> && sizeof(owner<base>) == sizeof(base*));
static_assert(std::is_convertible_v<owner<derived>, owner<base>>);
static_assert(!std::is_convertible_v<owner<base>, owner<derived>> && !std::is_convertible_v<base*, owner<base>>);

}  // namespace

TEST_CASE("an owner ends what it owns once, and gives it on", "[core]") {
  int ends = 0;
  {
    owner<base> first{yoke::detail::make_owner<derived>(ends)};
    base* const made = first.get();
    CHECK((&*first == made && first.operator->() == made && first && !(first == nullptr)));
    owner<base> second{std::move(first)};
    CHECK((first == nullptr && second.get() == made && ends == 0));
    second = owner<base>{new derived(ends)};
    CHECK(ends == 1);
    delete second.release();
    CHECK((second == nullptr && ends == 2));
    second.reset(new derived(ends));
    owner<base>& same = second;
    second = std::move(same);
    CHECK((second != nullptr && ends == 2));
    second = nullptr;
    CHECK(ends == 3);
    second.reset(new derived(ends));
  }
  CHECK(ends == 4);
}

TEST_CASE("an owner that is looked at while its object ends holds the next one", "[core]") {
  owner<watcher> held{new watcher};
  bool was_replaced = false;
  held->seen = &held;
  held->was_replaced = &was_replaced;
  held.reset();
  CHECK(was_replaced);
}
