// SPDX-License-Identifier: MIT
// Errors of parts, and of calls of kernels from text, name the place in the user's code.
#include <array/array_rig.hpp>
#include <yoke/array/kernel/elementwise_kernel.hpp>
#include <yoke/array/reduction/reduction_kernel.hpp>
#include <yoke/array/reduction/scan_kernel.hpp>

#include <string_view>

using namespace yoke_test;
using namespace yoke_test::arrays;

namespace {

/// Returns: the line in this file that the error of `act` names; 0 for another file.
template <class Act>
unsigned line_of(Act&& act) {
  try {
    act();
  } catch (const yoke::error& failure) {
    CHECK(std::string_view(failure.where().file_name()).ends_with("places_test.cpp"));
    return std::string_view(failure.where().file_name()).ends_with("places_test.cpp") ? failure.where().line() : 0;
  }
  FAIL_CHECK("threw nothing");
  return 0;
}

}  // namespace

YOKE_ANY_DEVICE_TEST_CASE("a part that there is not names the line that asked for it", "[array]") {
  any_rig state(device);
  auto a = yoke::zeros<int>({2, 3}, state.stream);
  const auto& fixed = a;
  auto deep = yoke::zeros<int>({1, 1, 1, 2}, state.stream);
  CHECK(line_of([&] { (void)a(5); }) == __LINE__);
  CHECK(line_of([&] { (void)a(1, 5); }) == __LINE__);
  CHECK(line_of([&] { (void)fixed(yoke::ellipsis, 5); }) == __LINE__);
  CHECK(line_of([&] { (void)a(1)(5); }) == __LINE__);
  CHECK(line_of([&] { (void)a(yoke::newaxis, 1, 5); }) == __LINE__);
  CHECK(line_of([&] { (void)deep(0, 0, 0, 2); }) == __LINE__);
  auto deepest = yoke::zeros<int>({1, 1, 1, 1, 1, 1, 1, 2}, state.stream);
  const auto& fixed_deepest = deepest;
  CHECK(line_of([&] { (void)deepest(0, 0, 0, 0, 1); }) == __LINE__);
  CHECK(line_of([&] { (void)deepest(0, 0, 0, 0, 0, 1); }) == __LINE__);
  CHECK(line_of([&] { (void)deepest(0, 0, 0, 0, 0, 0, 1); }) == __LINE__);
  CHECK(line_of([&] { (void)deepest(0, 0, 0, 0, 0, 0, 0, 2); }) == __LINE__);
  CHECK(line_of([&] { (void)fixed_deepest(0, 0, 0, 0, 1); }) == __LINE__);
  CHECK(line_of([&] { (void)fixed_deepest(0, 0, 0, 0, 0, 1); }) == __LINE__);
  CHECK(line_of([&] { (void)fixed_deepest(0, 0, 0, 0, 0, 0, 1); }) == __LINE__);
  CHECK(line_of([&] { (void)fixed_deepest(0, 0, 0, 0, 0, 0, 0, 2); }) == __LINE__);
  CHECK(deepest(0, 0, 0, 0, 0, 0, yoke::newaxis, 0, 1).rank() == 1);
  CHECK(line_of([&] { (void)deepest(0, 0, 0, 0, 0, 0, yoke::newaxis, 0, 2); }) == __LINE__);
  CHECK(line_of([&] { (void)fixed_deepest(yoke::newaxis, 0, 0, 0, 0, 0, 0, yoke::newaxis, 0, 2); }) == __LINE__);
  CHECK(line_of([&] { (void)yoke::device_view<int, 2>()(); }) == __LINE__);
  const auto& one = deep(0, 0, 0, 1);
  CHECK(one.rank() == 0);
}

YOKE_ANY_DEVICE_TEST_CASE("a call of a kernel from text names its line", "[array]") {
  any_rig state(device);
  const yoke::elementwise_kernel<void(int*, const int*, short)> add(state.context, {"to", "from", "by"},
                                                                    "to[i] = from[i] + by");
  auto a = yoke::zeros<int>({2, 3}, state.stream);
  auto b = yoke::ones<int>({3, 2}, state.stream);
  auto c = yoke::ones<int>({2, 3}, state.stream);
  CHECK(line_of([&] { add(a, b, 1); }) == __LINE__);              // of another shape
  CHECK(line_of([&] { add(a, b.transpose(), 1); }) == __LINE__);  // with gaps
  CHECK(line_of([&] { add(a, c, 100000); }) == __LINE__);         // of no short
  CHECK(line_of([&] { add(a, nullptr, 100000); }) == __LINE__);
  CHECK(line_of([&] { add(nullptr, nullptr, 1); }) == __LINE__);  // without a shape
  add(a, c, 2);
  CHECK(a.to_host() == std::vector<int>(6, 3));
}

YOKE_ANY_DEVICE_TEST_CASE("calls of reductions and scans from text name their line, and arguments by their place",
                          "[array]") {
  any_rig state(device);
  const yoke::reduction_kernel<int(const int*, const int*)> dot(state.context, {"x", "y"},
                                                                {"x[i] * y[i]", "a + b", "0"});
  const yoke::scan_kernel<int(const int*, int*)> sums(
      state.context, {"x", "y"}, {.input = "x[i]", .join = "a + b", .neutral = "0", .output = "y[i] = item"});
  auto a = yoke::ones<int>({2, 3}, state.stream);
  auto b = yoke::ones<int>({3, 2}, state.stream);
  CHECK(line_of([&] { (void)dot(a, b); }) == __LINE__);
  CHECK(line_of([&] { (void)dot(a, b.transpose()); }) == __LINE__);
  CHECK(line_of([&] { sums(a, b); }) == __LINE__);
  CHECK(line_of([&] { sums(a, b.transpose()); }) == __LINE__);
  CHECK_THAT(refusal<yoke::logic_error>(yoke::errc::invalid_argument, [&] { sums(a, b.transpose()); }),
             Catch::Matchers::ContainsSubstring("argument 2 is not contiguous"));
  CHECK(dot(a, a).get() == 6);
}
