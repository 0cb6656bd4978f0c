// SPDX-License-Identifier: MIT
// Reductions from text.
#include <array/array_rig.hpp>
#include <yoke/array/reduction/reduction_kernel.hpp>

using namespace yoke_test;
using namespace yoke_test::arrays;

YOKE_DEVICE_TEST_CASE("a reduction kernel maps and joins", "[array]") {
  rig state(device);
  const yoke::reduction_kernel<float(const float*, const float*, float), port> dot(
      state.context, {"x", "first", "count"},
      {.map = "scaled(x[i], count) * first[i]",
       .join = "a + b",
       .neutral = "0.0f",
       .preamble = "float scaled(float x, float by) { return x * by; }"});
  const yoke::reduction_kernel<std::int64_t(const int*), port> highest(
      state.context, {"x"}, {"x[i]", "max(a, b)", "-(yoke_int64)0x7fffffffffffffff"});
  for (const std::size_t size : std::initializer_list<std::size_t>{0, 1, 255, 4096, 4097, 70'000}) {
    const auto host = random_values<int>(size);
    const auto ints = yoke::to_device_array(host, state.stream);
    const yoke::device_array x(yoke::cast<float>(ints % 100));
    const yoke::device_array y(yoke::cast<float>(ints % 7));
    INFO(size);
    CHECK(dot(x, y, 2.0F).get() == 2 * yoke::dot(x, y).get());
    if (size != 0) CHECK(highest(ints).get() == *std::max_element(host.begin(), host.end()));
  }
  auto sum = dot(yoke::ones<float>({10}, state.stream), yoke::ones<float>({10}, state.stream), 1.0F);
  CHECK((yoke::ones<float>({2}, state.stream) * sum.array()).to_host() == std::vector<float>{10, 10});
}

YOKE_ANY_DEVICE_TEST_CASE("a reduction kernel refuses names and shapes that do not fit", "[array]") {
  any_rig state(device);
  using kernel = yoke::reduction_kernel<int(const int*, const int*)>;
  CHECK_THAT(refusal<yoke::logic_error>(yoke::errc::invalid_argument,
                                        [&] {
                                          kernel(state.context, {"x"}, {"x[i]", "a + b", "0"});
                                        }),
             Catch::Matchers::ContainsSubstring("a reduction kernel with 2 parameters has 1 names"));
  const auto check = [&](const char* message, std::string_view name, const yoke::reduction_text& of) {
    CHECK_THAT(refusal<yoke::logic_error>(yoke::errc::invalid_argument,
                                          [&] {
                                            kernel(state.context, {"x", name}, of);
                                          }),
               Catch::Matchers::ContainsSubstring(message));
  };
  check("name 2 of a reduction kernel, \"2y\", is no identifier", "2y", {"x[i]", "a + b", "0"});
  check("names 1 and 2 of a reduction kernel are both \"x\"", "x", {"x[i]", "a + b", "0"});
  check("the map of a reduction kernel is empty", "y", {"", "a + b", "0"});
  check("the join of a reduction kernel is empty", "y", {"x[i]", "", "0"});
  check("the neutral element of a reduction kernel is empty", "y", {"x[i]", "a + b"});
  const kernel sum(state.context, {"x", "y"}, {"x[i] + y[i]", "a + b", "0"});
  const auto one = yoke::zeros<int>({3}, state.stream);
  const auto other = yoke::zeros<int>({4}, state.stream);
  CHECK_THAT(refusal<yoke::logic_error>(yoke::errc::size_mismatch, [&] { (void)sum(one, other); }),
             Catch::Matchers::ContainsSubstring("argument 2 has the shape (4,), the first array (3,)"));
  // Memory has no shape.
  const auto memory = yoke::to_device(counting(3), state.stream);
  CHECK_THAT(refusal<yoke::logic_error>(yoke::errc::invalid_argument, [&] { (void)sum(memory, memory); }),
             Catch::Matchers::ContainsSubstring("no argument is an array"));
}
