// SPDX-License-Identifier: MIT
// The cleanup handler: set, restored, and what the default one prints.
#include <support/catch.hpp>
#include <support/process/child.hpp>

#include <yoke/core/cleanup.hpp>
#include <yoke/core/error.hpp>
#include <yoke/core/text.hpp>

#include <algorithm>
#include <stdexcept>

using namespace yoke_test;

namespace {

int calls = 0;
std::error_code last_code;
std::string last_call;

void count(const yoke::cleanup_failure& failure) noexcept {
  ++calls;
  last_code = failure.code;
  last_call = failure.call;
}
void ignore(const yoke::cleanup_failure&) noexcept {}

struct handler_restored {
  yoke::cleanup_handler before = yoke::get_cleanup_handler();
  ~handler_restored() { yoke::set_cleanup_handler(before); }
};

/// Driver codes whose condition is the lost context, as every backend has them.
class sticky_category final : public std::error_category {
 public:
  const char* name() const noexcept override { return "sticky"; }
  std::string message(int) const override { return "sticky"; }
  std::error_condition default_error_condition(int) const noexcept override {
    return yoke::make_error_condition(yoke::errc::context_lost);
  }
};
const sticky_category sticky;

}  // namespace

static_assert(noexcept(yoke::set_cleanup_handler(nullptr)) && noexcept(yoke::get_cleanup_handler()));

TEST_CASE("the cleanup handler in force gets each failure once", "[core]") {
  const handler_restored restored;
  calls = 0;
  yoke::set_cleanup_handler(&count);
  CHECK(yoke::get_cleanup_handler() == &count);
  yoke::detail::report_cleanup_failure(make_error_code(yoke::errc::invalid_handle), "clReleaseMemObject");
  CHECK(calls == 1);
  CHECK(last_code == yoke::errc::invalid_handle);
  CHECK(last_call == "clReleaseMemObject");
}

TEST_CASE("setting a cleanup handler gives the one before, never null", "[core]") {
  const handler_restored restored;
  yoke::set_cleanup_handler(nullptr);
  const yoke::cleanup_handler standard = yoke::get_cleanup_handler();
  REQUIRE(standard != nullptr);
  CHECK(yoke::set_cleanup_handler(&count) == standard);
  CHECK(yoke::set_cleanup_handler(&ignore) == &count);
  CHECK(yoke::set_cleanup_handler(nullptr) == &ignore);
  CHECK(yoke::set_cleanup_handler(nullptr) == standard);  // null restores the default
}

TEST_CASE("the default cleanup handler prints one line a failure", "[core]") {
  const handler_restored restored;
  yoke::set_cleanup_handler(nullptr);
  captured_stderr text;
  yoke::detail::report_cleanup_failure(make_error_code(yoke::errc::invalid_handle), "clReleaseEvent");
  const std::string one = text.finish();
  CHECK(one == yoke::detail::text("yoke: clReleaseEvent failed with code ",
                                  static_cast<int>(yoke::errc::invalid_handle),
                                  " (yoke: ", make_error_code(yoke::errc::invalid_handle).message(),
                                  ") where nothing could be thrown\n"));
}

TEST_CASE("an exception that nothing can be thrown to keeps its text", "[core]") {
  const handler_restored restored;
  static std::string message;
  yoke::set_cleanup_handler([](const yoke::cleanup_failure& failure) noexcept {
    last_code = failure.code;
    last_call = failure.call;
    message = failure.message;
  });
  const auto told = [](auto act) {
    try {
      act();
    } catch (...) {
      yoke::detail::report_cleanup_exception("stream.call");
    }
    CHECK(last_call == "stream.call");
    return message;
  };
  CHECK(told([] { throw std::domain_error("the disk is full"); }) == "the disk is full");
  CHECK(last_code == yoke::errc::command_failed);
  CHECK_THAT(told([] { yoke::detail::throw_error(yoke::errc::out_of_range, "too far", {}); }),
             ContainsSubstring("too far"));
  CHECK(last_code == yoke::errc::out_of_range);
  CHECK(told([] { throw 7; }).empty());
  CHECK(last_code == yoke::errc::command_failed);

  yoke::set_cleanup_handler(nullptr);
  captured_stderr text;
  told([] { throw std::domain_error("the disk is full"); });
  CHECK_THAT(text.finish(), EndsWith(" where nothing could be thrown: the disk is full\n"));
}

TEST_CASE("of a lost context's failures only the first is printed", "[core]") {
  const std::string name = "of a lost context's failures only the first is printed";
  if (!is_child(name)) {  // once in a process, so in one of its own
    const child_result child = run_child(name, {});
    INFO(child.output);
    CHECK(child.status == 0);
    return;
  }
  captured_stderr text;
  for (int i = 0; i < 3; ++i) yoke::detail::report_cleanup_failure({-2, sticky}, "clReleaseContext");
  yoke::detail::report_cleanup_failure({-38, sticky}, "clReleaseQueue");
  yoke::detail::report_cleanup_failure(make_error_code(yoke::errc::invalid_handle), "clReleaseEvent");
  yoke::detail::report_cleanup_failure(make_error_code(yoke::errc::invalid_handle), "clReleaseEvent");
  const std::string all = text.finish();
  CHECK(std::count(all.begin(), all.end(), '\n') == 3);
  CHECK_THAT(all, StartsWith("yoke: clReleaseContext failed with code -2 ("));
  CHECK_THAT(all, !ContainsSubstring("clReleaseQueue"));
}
