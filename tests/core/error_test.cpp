// SPDX-License-Identifier: MIT
// The exception tree: classes, codes, conditions, places, texts.
#include <support/catch.hpp>

#include <yoke/core/error.hpp>

#include <set>
#include <system_error>

using namespace yoke_test;
using yoke::errc;

namespace {

constexpr errc all[] = {errc::success,
                        errc::out_of_memory,
                        errc::invalid_argument,
                        errc::out_of_range,
                        errc::size_mismatch,
                        errc::misaligned,
                        errc::wrong_context,
                        errc::empty_handle,
                        errc::mapped,
                        errc::unsupported,
                        errc::driver_unavailable,
                        errc::no_device,
                        errc::build_failed,
                        errc::incompatible_binary,
                        errc::kernel_not_found,
                        errc::signature_mismatch,
                        errc::launch_failed,
                        errc::command_failed,
                        errc::context_lost,
                        errc::invalid_handle,
                        errc::context_ended,
                        errc::singular,
                        errc::not_positive,
                        errc::not_converged,
                        errc::rank_lost,
                        errc::timed_out,
                        errc::mismatched_ranks,
                        errc::communicator_ended};

/// The library's category as another shared object has it: the same name at another address.
class other_copy final : public std::error_category {
 public:
  const char* name() const noexcept override { return "yoke"; }
  std::string message(int) const override { return ""; }
};
/// A category of the same numbers under another name.
class stranger final : public std::error_category {
 public:
  const char* name() const noexcept override { return "stranger"; }
  std::string message(int) const override { return ""; }
};

template <class E>
constexpr bool is_leaf = std::derived_from<E, yoke::error> && std::is_nothrow_copy_constructible_v<E>;

template <class E>
void expect(errc code) {
  try {
    yoke::detail::throw_error(code, "why", yoke::source_location::current());
  } catch (const E& e) {
    CHECK(typeid(e) == typeid(E));
    CHECK(e.code() == code);
    CHECK(std::string(e.call()).empty());
  } catch (...) {
    FAIL("another class for " << yoke::make_error_code(code).message());
  }
}

}  // namespace

static_assert(std::derived_from<yoke::error, std::runtime_error>);
static_assert(is_leaf<yoke::memory_error> && is_leaf<yoke::logic_error> && is_leaf<yoke::launch_error>);
static_assert(is_leaf<yoke::runtime_error> && is_leaf<yoke::compile_error> && is_leaf<yoke::unsupported_error>);
static_assert(is_leaf<yoke::context_lost_error>);
static_assert(is_leaf<yoke::numeric_error>);
static_assert(is_leaf<yoke::communication_error> && std::derived_from<yoke::communication_error, yoke::runtime_error>);
static_assert(!std::derived_from<yoke::logic_error, yoke::runtime_error>);
static_assert(std::is_error_condition_enum_v<errc> && !std::is_error_code_enum_v<errc>);

TEST_CASE("each condition has a message of its own", "[core]") {
  std::set<std::string> messages;
  for (const errc each : all) messages.insert(yoke::error_category().message(static_cast<int>(each)));
  CHECK(messages.size() == std::size(all));
  CHECK(messages.count("unknown error") == 0);
  CHECK(yoke::error_category().message(12345) == "unknown error");
  CHECK(yoke::error_category().name() == std::string("yoke"));
}

TEST_CASE("a code is equal to its own condition and to no other", "[core]") {
  for (const errc left : all) {
    for (const errc right : all) CHECK((yoke::make_error_code(left) == right) == (left == right));
  }
}

TEST_CASE("conditions compare by the category's name", "[core]") {
  const other_copy copy;
  const stranger foreign;
  const int memory = static_cast<int>(errc::out_of_memory);
  CHECK(std::error_code(memory, copy) == errc::out_of_memory);
  CHECK(yoke::make_error_code(errc::out_of_memory) == std::error_condition(memory, copy));
  CHECK(std::error_code(memory, copy) != errc::misaligned);
  CHECK(std::error_code(memory, foreign) != errc::out_of_memory);
  CHECK(yoke::make_error_code(errc::out_of_memory) != std::error_condition(memory, foreign));
}

TEST_CASE("the library's own refusals have the class of their condition", "[core]") {
  expect<yoke::memory_error>(errc::out_of_memory);
  expect<yoke::unsupported_error>(errc::unsupported);
  expect<yoke::unsupported_error>(errc::driver_unavailable);
  expect<yoke::unsupported_error>(errc::no_device);
  expect<yoke::launch_error>(errc::launch_failed);
  expect<yoke::runtime_error>(errc::command_failed);
  expect<yoke::compile_error>(errc::build_failed);
  expect<yoke::context_lost_error>(errc::context_lost);
  expect<yoke::context_lost_error>(errc::context_ended);
  expect<yoke::numeric_error>(errc::singular);
  expect<yoke::numeric_error>(errc::not_positive);
  expect<yoke::numeric_error>(errc::not_converged);
  expect<yoke::communication_error>(errc::rank_lost);
  expect<yoke::communication_error>(errc::timed_out);
  expect<yoke::communication_error>(errc::mismatched_ranks);
  expect<yoke::communication_error>(errc::communicator_ended);
  for (const errc each : {errc::invalid_argument, errc::out_of_range, errc::size_mismatch, errc::misaligned,
                          errc::wrong_context, errc::empty_handle, errc::mapped, errc::incompatible_binary,
                          errc::kernel_not_found, errc::signature_mismatch, errc::invalid_handle}) {
    expect<yoke::logic_error>(each);
  }
}

TEST_CASE("an error names message, call, code and place", "[core]") {
  const yoke::source_location here = yoke::source_location::current();
  const yoke::memory_error e(yoke::make_error_code(errc::out_of_memory), "clCreateBuffer", "allocation of 7 bytes",
                             here);
  const std::string line = std::to_string(here.line());
  CHECK_THAT(e.what(), StartsWith("allocation of 7 bytes [clCreateBuffer: out of memory (1)] (at "));
  CHECK_THAT(e.what(), EndsWith("error_test.cpp:" + line + ")"));
  CHECK(e.call() == std::string("clCreateBuffer"));
  CHECK(e.where().line() == here.line());
  CHECK(e.where().file_name() == std::string(here.file_name()));
}

TEST_CASE("an error without a call or a place leaves them out", "[core]") {
  const yoke::logic_error e(yoke::make_error_code(errc::misaligned), "", "byte 3", {});
  CHECK(e.what() == std::string("byte 3"));
  const yoke::logic_error silent(yoke::make_error_code(errc::misaligned), "", "", {});
  CHECK(silent.what() == std::string("misaligned"));
}

TEST_CASE("a compile error carries what the compiler was given and said", "[core]") {
  const yoke::compile_error e(yoke::make_error_code(errc::build_failed), "clBuildProgram", "building x.cl failed",
                              {"log", "-cl-std=CL1.2", "kernel", "clang x.cl"}, {});
  const yoke::compile_error copy = e;
  CHECK(copy.log() == "log");
  CHECK(copy.options() == "-cl-std=CL1.2");
  CHECK(copy.source() == "kernel");
  CHECK(copy.command_line() == "clang x.cl");
  CHECK_THAT(copy.what(), ContainsSubstring("building x.cl failed [clBuildProgram: build failed"));
}

TEST_CASE("every error is caught as the root and as the standard's", "[core]") {
  const auto raise = [] { yoke::detail::throw_error(errc::mapped, "mapped", {}); };
  CHECK_THROWS_AS(raise(), yoke::error);
  CHECK_THROWS_AS(raise(), std::runtime_error);
  CHECK_THROWS_AS(raise(), std::exception);
}
