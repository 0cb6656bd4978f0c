// SPDX-License-Identifier: MIT
// Kernels from the text of what they do to an element.
#include <array/array_rig.hpp>
#include <yoke/array/kernel/elementwise_kernel.hpp>
#include <yoke/array/reduction/reduction_kernel.hpp>
#include <yoke/array/reduction/scan_kernel.hpp>

#include <numeric>

using namespace yoke_test;
using namespace yoke_test::arrays;

YOKE_DEVICE_TEST_CASE("a kernel from text over i", "[array]") {
  rig state(device);
  const yoke::elementwise_kernel<void(float*, const float*, float), port> axpy(state.context, {"y", "x", "a"},
                                                                               "y[i] = a * x[i] + y[i]");
  for (const std::size_t rows : {std::size_t{0}, std::size_t{1}, std::size_t{700}}) {
    const auto x = random_values<float>(rows * 3);
    auto y_gpu = yoke::ones<float>({rows, 3}, state.stream);
    auto x_gpu = yoke::to_device_array(x, {rows, 3}, state.stream);
    const std::size_t mark = state.driver.calls().size();
    axpy(y_gpu, x_gpu, 2.0F);
    CHECK(state.enqueued(mark) == (rows == 0 ? 0 : 1));
    std::vector<float> expected;
    for (const float each : x) expected.push_back(2 * each + 1);
    CHECK(y_gpu.to_host() == expected);
  }
}

YOKE_ANY_DEVICE_TEST_CASE("a kernel from text has a preamble, a name and several statements", "[array]") {
  any_rig state(device);
  const yoke::elementwise_kernel<void(int*, std::int64_t*, int)> both(
      state.context, {"low", "high", "by"}, "int value = twice(low[i]) + by;\nlow[i] = value; high[i] = value",
      {.name = "both", .preamble = "int twice(int x) { return 2 * x; }"});
  auto low = yoke::to_device_array({1, 2, 3}, state.stream);
  auto high = yoke::zeros<std::int64_t>({3}, state.stream);
  both(low, high, 1);
  CHECK(low.to_host() == std::vector<int>{3, 5, 7});
  CHECK(high.to_host() == std::vector<std::int64_t>{3, 5, 7});
}

YOKE_ANY_DEVICE_TEST_CASE("kernels from text take parts that begin inside their memory, on every backend", "[array]") {
  any_rig state(device);
  auto a = yoke::arange<int>(12, state.stream);
  const auto& fixed = a;
  const yoke::elementwise_kernel<void(int*, int, const int*)> add(state.context, {"to", "by", "from"},
                                                                  "to[i] += by * from[i]");
  add(a(yoke::slice(7, 10)), 100, fixed(yoke::slice(2, 5)));
  std::vector<int> expected{0, 1, 2, 3, 4, 5, 6, 207, 308, 409, 10, 11};
  CHECK(a.to_host() == expected);
  auto rows = a.reshape({3, 4});
  add(rows(1), 1, rows(0));
  for (std::size_t i = 4; i < 8; ++i) expected[i] += expected[i - 4];
  CHECK(a.to_host() == expected);
  yoke::device_allocation<int> memory(state.context, 12);
  yoke::copy(expected, memory, state.stream);
  add(a(yoke::slice(0, 3)), 1, memory.subspan(9, 3));
  for (std::size_t i = 0; i < 3; ++i) expected[i] += expected[i + 9];
  CHECK(a.to_host() == expected);

  const yoke::reduction_kernel<int(const int*, int, const int*)> joined(
      state.context, {"x", "by", "y"}, {.map = "x[i] - by * y[i]", .join = "a + b", .neutral = "0"});
  CHECK(joined(rows(2), 2, rows(1)).get() == std::accumulate(expected.begin() + 8, expected.end(), 0) -
                                                 2 * std::accumulate(expected.begin() + 4, expected.begin() + 8, 0));
  // Several tiles: other kernels.
  auto long_one = yoke::arange<int>(20'001, state.stream);
  CHECK(joined(long_one(yoke::slice(1, yoke::none)), 1, long_one(yoke::slice(0, -1))).get() == 20'000);
  const yoke::scan_kernel<int(const int*, int*)> sums(
      state.context, {"x", "y"}, {.input = "x[i]", .join = "a + b", .neutral = "0", .output = "y[i] = item"});
  for (const std::ptrdiff_t count : {5, 10'000}) {
    auto source = yoke::arange<int>(30'000, state.stream);
    auto target = yoke::full_like(source, -1);
    sums(source(yoke::slice(3, 3 + count)), target(yoke::slice(17, 17 + count)));
    std::vector<int> wanted(30'000, -1);
    for (int i = 0, sum = 0; i < count; ++i) wanted[static_cast<std::size_t>(17 + i)] = sum += 3 + i;
    CHECK(target.to_host() == wanted);
  }
}

YOKE_ANY_DEVICE_TEST_CASE("a kernel from text refuses shapes, gaps, names and words it does not know", "[array]") {
  any_rig state(device);
  const yoke::elementwise_kernel<void(int*, const int*)> copied(state.context, {"to", "from"}, "to[i] = from[i]");
  auto a = yoke::zeros<int>({2, 3}, state.stream);
  auto b = yoke::zeros<int>({3, 2}, state.stream);
  CHECK_THAT(refusal<yoke::logic_error>(yoke::errc::size_mismatch, [&] { copied(a, b); }),
             Catch::Matchers::ContainsSubstring("argument 2 has the shape (3, 2), the first array (2, 3)"));
  CHECK_THAT(refusal<yoke::logic_error>(yoke::errc::invalid_argument, [&] { copied(a, b.transpose()); }),
             Catch::Matchers::ContainsSubstring("not contiguous"));
  using wrong = yoke::elementwise_kernel<void(int*)>;
  CHECK_THAT(refusal<yoke::logic_error>(yoke::errc::invalid_argument,
                                        [&] {
                                          wrong(state.context, {"a", "b"}, "a[i] = 1");
                                        }),
             Catch::Matchers::ContainsSubstring("with 1 parameters has 2 names"));
  CHECK_THROWS_AS(wrong(state.context, {"a"}, "a[i] = missing"), yoke::compile_error);
  // Drivers may crash when they are asked for a parameter that has no name.
  using two = yoke::elementwise_kernel<void(int*, int)>;
  const auto check = [&](const char* message, const auto& make) {
    CHECK_THAT(refusal<yoke::logic_error>(yoke::errc::invalid_argument, make),
               Catch::Matchers::ContainsSubstring(message));
  };
  check("name 1 of an elementwise kernel, \"\", is no identifier", [&] { two(state.context, {"", "b"}, "int c = b"); });
  check("name 2 of an elementwise kernel, \"b c\", is no identifier", [&] {
    two(state.context, {"a", "b c"}, "a[i] = 1");
  });
  check("name 2 of an elementwise kernel, \"i\", is that of the number of an element", [&] {
    two(state.context, {"a", "i"}, "a[i] = 1");
  });
  check("names 1 and 2 of an elementwise kernel are both \"a\"", [&] { two(state.context, {"a", "a"}, "a[i] = 1"); });
  check("the name \"not one\" of an elementwise kernel is no identifier", [&] {
    two(state.context, {"a", "b"}, "a[i] = b", {.name = "not one"});
  });
  check("the text of an elementwise kernel is empty", [&] { two(state.context, {"a", "b"}, ""); });
}
