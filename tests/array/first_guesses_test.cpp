// SPDX-License-Identifier: MIT
// What somebody writes first who knows C++ and NumPy: new arrays from expressions, arrays for parameters of views, single values as operands.
#include <array/array_rig.hpp>
#include <yoke/graph.hpp>

#include <complex>
#include <cstring>

namespace {
struct body {
  float position[3];
  float mass;
  float frame[2][2];
};
}  // namespace

using namespace yoke_test;
using namespace yoke_test::arrays;

namespace {

using floats = yoke::device_array<float, 1>;
using list = std::vector<float>;

floats twice(const floats& x) { return 2 * x; }
floats sums(const floats& x) { return yoke::pass::cumsum(x); }
float total(yoke::device_view<const float, 1> of) { return sum(of).get(); }
void set(yoke::device_view<float, 1> to, float value) { to = value; }

}  // namespace

YOKE_ANY_DEVICE_TEST_CASE("an expression becomes a new array wherever one is made", "[array]") {
  any_rig state(device);
  const auto a = yoke::arange<float>(4, state.stream);
  floats b = 2 * a;
  CHECK(b.to_host() == list{0, 2, 4, 6});
  CHECK(twice(a).to_host() == list{0, 2, 4, 6});
  CHECK(twice(a + 1).to_host() == list{2, 4, 6, 8});
  CHECK(sums(a).to_host() == list{0, 1, 3, 6});
  yoke::device_array<double, 2> wide = a.reshape({2, 2}) + 0.5F;
  CHECK(wide.to_host() == std::vector<double>{0.5, 1.5, 2.5, 3.5});
  std::vector<floats> several;
  several.push_back(3 * a);
  several.insert(several.begin(), yoke::arange<float>(2, state.stream));
  CHECK(several[1].to_host() == list{0, 3, 6, 9});

  // An assignment still writes the elements, and a new array gives its memory.
  const auto memory = b.native_handle();
  b = 3 * a;
  CHECK(b.native_handle() == memory);
  b = a(yoke::reversed);
  CHECK(b.native_handle() == memory);
  CHECK(b.to_host() == list{3, 2, 1, 0});
  b = twice(a);
  CHECK_FALSE(b.native_handle() == memory);
  CHECK(b.to_host() == list{0, 2, 4, 6});
  b = {};
  CHECK_FALSE(bool(b));

  STATIC_REQUIRE_FALSE(std::is_copy_constructible_v<floats>);
  STATIC_REQUIRE(std::is_nothrow_move_constructible_v<floats>);
  STATIC_REQUIRE(std::is_nothrow_move_assignable_v<floats>);
}

YOKE_ANY_DEVICE_TEST_CASE("a new array of a view has its elements", "[array]") {
  any_rig state(device);
  const auto a = yoke::arange<float>(6, state.stream);
  yoke::device_array part(a(yoke::slice(0, 3)));
  STATIC_REQUIRE(std::is_same_v<decltype(part), floats>);
  part = 1;
  CHECK(part.to_host() == list{1, 1, 1});
  CHECK(a.to_host() == list{0, 1, 2, 3, 4, 5});
  yoke::device_array across(a.reshape({2, 3}).transpose());
  CHECK(across.is_f_contiguous());
  CHECK(across.to_host() == list{0, 3, 1, 4, 2, 5});
  const yoke::device_array<double, 1> wide(a(yoke::slice(4, yoke::none)));
  CHECK(wide.to_host() == std::vector<double>{4, 5});
}

YOKE_ANY_DEVICE_TEST_CASE("an array is what a parameter of a view takes", "[array]") {
  any_rig state(device);
  auto a = yoke::arange<float>(4, state.stream);
  const auto& constant = a;
  CHECK(total(a) == 6);
  CHECK(total(constant) == 6);
  CHECK(total(a(yoke::slice(2, yoke::none))) == 5);
  set(a, 7);
  CHECK(a.to_host() == list{7, 7, 7, 7});
  yoke::device_view<float, 1> view = a;
  const auto b = yoke::arange<float>(4, state.stream);
  view = b;  // elements
  CHECK(a.to_host() == list{0, 1, 2, 3});
  view = 2 * b;
  view = a;
  CHECK(a.to_host() == list{0, 2, 4, 6});
  struct holder {
    yoke::device_view<float, 1> of;
  };
  auto c = yoke::zeros<float>({4}, state.stream);
  holder one{c};
  const holder other{a};
  one = other;
  CHECK(c.to_host() == list{0, 2, 4, 6});
  STATIC_REQUIRE_FALSE(std::is_convertible_v<const floats&, yoke::device_view<float, 1>>);
  STATIC_REQUIRE_FALSE(std::is_convertible_v<floats&, yoke::device_view<float, 2>>);
  STATIC_REQUIRE_FALSE(std::is_convertible_v<floats&, yoke::device_view<double, 1>>);
  STATIC_REQUIRE(std::is_copy_assignable_v<yoke::device_view<float, 1>>);
  floats none;
  CHECK_THROWS_AS(total(none), yoke::logic_error);
}

YOKE_ANY_DEVICE_TEST_CASE("arrays of another type give their elements", "[array]") {
  any_rig state(device);
  const auto a = yoke::arange<float>(4, state.stream);
  auto h = yoke::zeros<yoke::half>({4}, state.stream);
  const auto memory = h.native_handle();
  h = a;
  CHECK(h.native_handle() == memory);
  CHECK(static_cast<float>(h(3).value()) == 3);
  h = a + 0.5F;
  CHECK(static_cast<float>(h(3).value()) == 3.5F);
  auto d = yoke::zeros<double>({4}, state.stream);
  d = h;
  CHECK(d.to_host() == std::vector<double>{0.5, 1.5, 2.5, 3.5});
  const auto flags = (a > 1).to_host();
  STATIC_REQUIRE(std::is_same_v<decltype(flags), const std::vector<bool>>);
  CHECK(flags == std::vector<bool>{false, false, true, true});
  // Masks of 0 and 255 are truths, too.
  const auto mask = yoke::to_device_array(std::vector<std::uint8_t>{0, 255, 2, 1}, state.stream);
  CHECK(mask.as<bool>().to_host() == std::vector<bool>{false, true, true, true});
  CHECK((a(yoke::slice(0, 0)) > 9).to_host().empty());
}

YOKE_ANY_DEVICE_TEST_CASE("expressions round to half and bfloat16", "[array]") {
  any_rig state(device);
  std::mt19937 engine(7);
  list values;
  for (std::uint32_t i = 0; i < 20'000; ++i) {
    std::uint32_t bits = static_cast<std::uint32_t>(engine());
    if (i % 2 != 0) bits = (bits & 0x87ffffffU) + 0x34000000U;  // around the least halves
    if (i % 4 == 0) bits = (bits & 0xffffe000U) | 0x1000U;      // ties
    float value = 0;
    std::memcpy(&value, &bits, sizeof value);
    values.push_back(value);
  }
  const auto a = yoke::to_device_array(values, state.stream);
  const floats halves = yoke::cast<yoke::half>(a) * 1.0F;
  const floats bfloats = yoke::cast<yoke::bfloat16>(a) * 1.0F;
  const auto stored = yoke::evaluate(yoke::cast<yoke::half>(a)).to_host();
  STATIC_REQUIRE(std::is_same_v<decltype(stored), const std::vector<yoke::half>>);
  const auto found = halves.to_host();
  const auto others = bfloats.to_host();
  const auto same = [](float one, float other) { return one == other || (std::isnan(one) && std::isnan(other)); };
  std::size_t wrong = 0;
  for (std::size_t i = 0; i < values.size(); ++i) {
    const auto half = static_cast<float>(yoke::half(values[i]));
    if (!same(found[i], half) || !same(static_cast<float>(stored[i]), half)) ++wrong;
    if (!same(others[i], static_cast<float>(yoke::bfloat16(values[i])))) ++wrong;
  }
  CHECK(wrong == 0);
  CHECK(sum(yoke::cast<yoke::half>(a(yoke::slice(0, 0)))).get() == 0);
}

YOKE_ANY_DEVICE_TEST_CASE("single values are operands", "[array]") {
  any_rig state(device);
  auto a = yoke::arange<float>(4, state.stream);
  a += 1;
  CHECK((a / sum(a)).to_host() == list{0.1F, 0.2F, 0.3F, 0.4F});
  CHECK((a - mean(a)).to_host() == list{-1.5F, -0.5F, 0.5F, 1.5F});
  CHECK((sum(a) > 0).value());
  CHECK_FALSE((sum(a) == max(a)).value());
  CHECK((sum(a) / max(a)).value() == 2.5F);
  CHECK(any(sum(a) > 0).get());
  CHECK(max(a, mean(a)).to_host() == list{2.5F, 2.5F, 3, 4});
  CHECK(where(a > mean(a), a, -sum(a)).to_host() == list{-10, -10, 3, 4});
  auto t = sum(a);
  t += 2;
  t *= max(a);
  CHECK(t.get() == 48);
  CHECK((a * t).to_host() == list{48, 96, 144, 192});
  a(0) = sum(a);
  CHECK(a.to_host() == list{10, 2, 3, 4});
  a = max(a);
  CHECK(a.to_host() == list{10, 10, 10, 10});
  a.assign(t);
  CHECK(a.to_host() == list{48, 48, 48, 48});
  auto kept = [&] { return 2 * sum(a); }();
  CHECK(kept.value() == 384);
  yoke::device_value<int> whole(state.stream, 3);
  STATIC_REQUIRE(std::is_same_v<decltype(whole * a)::value_type, float>);

  yoke::graph graph{state.context};
  auto record = graph.record();
  t.bind(record) = yoke::pass::sum(a);
  a.bind(record) = a / t;
  a.bind(record) += t;
  const auto executable = graph.instantiate();
  a = 1;
  executable.launch(state.stream);
  CHECK(t.get() == 4);
  CHECK(a.to_host() == list{4.25F, 4.25F, 4.25F, 4.25F});
}

YOKE_ANY_DEVICE_TEST_CASE("a variance is written to elements that exist", "[array]") {
  any_rig state(device);
  yoke::device_array a(yoke::arange<float>(12, state.stream).reshape({3, 4}));
  a = a * a;
  floats rows(state.stream, {3});
  rows = yoke::pass::variance(a, yoke::along(1), 1);
  CHECK(rows.to_host() == yoke::variance(a, yoke::along(1), 1).to_host());
  yoke::device_array<float, 2> kept(state.stream, {1, 4});
  kept = yoke::pass::variance(2 * a, yoke::along(0).keep_dims());
  CHECK(kept.to_host() == yoke::variance(2 * a, yoke::along(0)).to_host());
  yoke::device_value<float> all{state.stream};
  all.array() = yoke::pass::variance(a, 1);
  CHECK(all.get() == yoke::variance(a, 1).get());
  CHECK_THROWS_AS(rows = yoke::pass::variance(a, yoke::along(0)), yoke::logic_error);

  auto none = yoke::zeros<float>({0, 4}, state.stream);
  floats four(state.stream, {4});
  four = yoke::pass::variance(none, yoke::along(0));
  CHECK(std::isnan(four.to_host()[3]));
  floats nothing(state.stream, {0});
  nothing = yoke::pass::variance(none, yoke::along(1));

  yoke::graph graph{state.context};
  auto record = graph.record();
  all.bind(record) = yoke::pass::variance(a);
  rows.bind(record) = yoke::pass::variance(a + 0, yoke::along(1));
  const auto executable = graph.instantiate();
  a = 3 * a;
  executable.launch(state.stream);
  CHECK(all.get() == yoke::variance(a).get());
  CHECK(rows.to_host() == yoke::variance(a, yoke::along(1)).to_host());
}

YOKE_ANY_DEVICE_TEST_CASE("a member that is a built-in array has axes of its own", "[array]") {
  any_rig state(device);
  std::vector<body> host(3);
  for (std::size_t i = 0; i < 3; ++i) {
    const auto base = static_cast<float>(10 * i);
    host[i] = {{base, base + 1, base + 2}, 5, {{base + 3, base + 4}, {base + 5, base + 6}}};
  }
  auto a = yoke::to_device_array(host, state.stream);
  auto positions = a.member<&body::position>();
  STATIC_REQUIRE(decltype(positions)::rank() == 2);
  CHECK(positions.as<float>().to_host() == list{0, 1, 2, 10, 11, 12, 20, 21, 22});
  CHECK((2 * positions(yoke::whole, 1)).to_host() == list{2, 22, 42});
  positions(yoke::whole, 2) = -1;
  CHECK(a(1).member<&body::position>().to_host() == list{10, 11, -1});
  CHECK(a.member<&body::mass>().to_host() == list{5, 5, 5});
  const auto& constant = a;
  const auto frames = constant(yoke::slice(1, 3)).member<&body::frame>();
  CHECK(frames.shape() == yoke::shape{2, 2, 2});
  CHECK(frames.transpose({0, 2, 1}).to_host() == list{13, 15, 14, 16, 23, 25, 24, 26});
}

YOKE_ANY_DEVICE_TEST_CASE("a slice whose first byte is aligned is a kernel argument", "[array]") {
  any_rig state(device);
  const std::size_t row = state.stream.limits().base_alignment_bytes / sizeof(int);
  auto a = yoke::zeros<int>({4, row == 0 ? 1 : row}, state.stream);
  const auto module = yoke::compile(state.context, R"(
      YOKE_KERNEL set(YOKE_GLOBAL int* to, int value) { to[get_global_id(0)] = value; })");
  const auto set = yoke::get_kernel<void(int*, int)>(module, "set");
  for (int each = 1; each < 4; ++each) set(state.stream, yoke::launch_over(a.extent(1), 1), a(each), each);
  CHECK(yoke::sum(a).get() == static_cast<std::int64_t>(6 * a.extent(1)));
  CHECK(a.to_host()[2 * a.extent(1)] == 2);
}
