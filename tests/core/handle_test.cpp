// SPDX-License-Identifier: MIT
// The verbs of every owning handle, on a toy that counts.
#include <support/catch.hpp>

#include <yoke/core/handle.hpp>

#include <memory>
#include <type_traits>
#include <vector>

using namespace yoke_test;

namespace {

using log_pointer = std::shared_ptr<std::vector<int>>;  // the log of what was destroyed

class toy : public yoke::detail::handle<toy, log_pointer, int> {
  using base = yoke::detail::handle<toy, log_pointer, int>;

 public:
  static constexpr const char* noun = "toy";
  toy() noexcept = default;
  static toy adopt(const log_pointer& log, int native) { return toy(log, native, true); }
  static toy borrow(const log_pointer& log, int native) { return toy(log, native, false); }
  int checked(const yoke::source_location& where = yoke::source_location::current()) const { return use(where); }

 private:
  friend base;
  using base::base;
  static void destroy(log_pointer& log, int native) noexcept { log->push_back(native); }
};

using log_type = std::vector<int>;

struct size_fact {
  int size = 0;
};
/// A toy with a size.
class measured : public yoke::detail::handle<measured, log_pointer, int, size_fact> {
  using base = yoke::detail::handle<measured, log_pointer, int, size_fact>;

 public:
  [[maybe_unused]] static constexpr const char* noun = "measured toy";
  measured() noexcept = default;
  static measured make(const log_pointer& log, int native, int size) { return measured(log, native, true, {size}); }
  int size() const noexcept { return this->facts().size; }

 private:
  friend base;
  using base::base;
  static void destroy(log_pointer& log, int native, size_fact&) noexcept { log->push_back(native); }
};

}  // namespace

static_assert(std::is_nothrow_move_constructible_v<toy> && std::is_nothrow_move_assignable_v<toy>);
static_assert(std::is_nothrow_swappable_v<toy> && std::is_nothrow_default_constructible_v<toy>);
static_assert(!std::is_copy_constructible_v<toy> && !std::is_copy_assignable_v<toy>);
static_assert(!std::is_convertible_v<toy, bool> && std::is_constructible_v<bool, toy>);
static_assert(!std::is_constructible_v<toy, int>);

TEST_CASE("an owner destroys once, a borrower never", "[core]") {
  const log_pointer log = std::make_shared<log_type>();
  {
    const toy owner = toy::adopt(log, 1);
    const toy borrower = toy::borrow(log, 2);
    CHECK(owner.native_handle() == 1);
    CHECK(static_cast<bool>(owner));
    CHECK(static_cast<bool>(borrower));
  }
  CHECK(*log == log_type{1});
}

TEST_CASE("release gives the object up, reset destroys it now", "[core]") {
  const log_pointer log = std::make_shared<log_type>();
  toy released = toy::adopt(log, 1);
  CHECK(released.release() == 1);
  CHECK_FALSE(static_cast<bool>(released));
  CHECK(log.use_count() == 1);  // the parent is let go too
  toy gone = toy::adopt(log, 2);
  gone.reset();
  CHECK(*log == log_type{2});
  gone.reset();
  CHECK(*log == log_type{2});
  CHECK(gone.native_handle() == 0);
}

TEST_CASE("move assignment releases first", "[core]") {
  const log_pointer log = std::make_shared<log_type>();
  toy first = toy::adopt(log, 1);
  toy second = toy::adopt(log, 2);
  first = std::move(second);
  CHECK(*log == log_type{1});
  CHECK(first.native_handle() == 2);
  CHECK_FALSE(static_cast<bool>(second));
  toy third = std::move(first);
  CHECK(*log == log_type{1});
  third = toy{};
  CHECK(*log == log_type{1, 2});
}

TEST_CASE("moving a handle to itself changes nothing", "[core]") {
  const log_pointer log = std::make_shared<log_type>();
  toy only = toy::adopt(log, 1);
  toy& same = only;
  only = std::move(same);
  CHECK(only.native_handle() == 1);
  CHECK(log->empty());
}

TEST_CASE("swapping keeps who owns what", "[core]") {
  const log_pointer log = std::make_shared<log_type>();
  {
    toy owner = toy::adopt(log, 1);
    toy borrower = toy::borrow(log, 2);
    swap(owner, borrower);
    CHECK(owner.native_handle() == 2);
    owner.swap(borrower);
    owner.swap(borrower);
  }
  CHECK(*log == log_type{1});
}

TEST_CASE("the facts of an object move with it, and an empty handle has none", "[core]") {
  const log_pointer log = std::make_shared<log_type>();
  measured first = measured::make(log, 1, 10);
  measured second = std::move(first);
  CHECK(first.size() == 0);
  CHECK(second.size() == 10);
  first = measured::make(log, 2, 20);
  first.swap(second);
  CHECK(first.size() == 10);
  CHECK(second.size() == 20);
  second = std::move(first);
  CHECK(*log == log_type{2});
  CHECK(first.size() == 0);
  CHECK(second.size() == 10);
  CHECK(second.release() == 1);
  CHECK(second.size() == 0);
  second = measured::make(log, 3, 30);
  second.reset();
  CHECK(second.size() == 0);
  CHECK(*log == log_type{2, 3});
}

TEST_CASE("the parent lives as long as an owner does", "[core]") {
  log_pointer log = std::make_shared<log_type>();
  const std::weak_ptr<log_type> watched = log;
  {
    const toy owner = toy::adopt(log, 1);
    log.reset();
    CHECK_FALSE(watched.expired());
  }
  CHECK(watched.expired());
}

TEST_CASE("using an empty handle names it and the caller's line", "[core]") {
  const log_pointer log = std::make_shared<log_type>();
  toy full = toy::adopt(log, 1);
  const toy other = std::move(full);
  unsigned line = 0;
  try {
    line = yoke::source_location::current().line() + 1;
    (void)full.checked();
    FAIL("an empty handle was used");
  } catch (const yoke::logic_error& e) {
    CHECK(e.code() == yoke::errc::empty_handle);
    CHECK(e.where().line() == line);
    CHECK_THAT(e.what(), ContainsSubstring("this toy is empty"));
  }
  CHECK(other.checked() == 1);
}
