// SPDX-License-Identifier: MIT
// Elements that are converted, counted, reinterpreted and reached by member.
#include <array/array_rig.hpp>
#include <support/sample.hpp>

using namespace yoke_test;
using namespace yoke_test::arrays;

namespace {

struct particle {
  float x, y, z;
  std::int32_t id;
  double mass;
  bool operator==(const particle&) const = default;
};

struct pair {
  float first, second;
  bool operator==(const pair&) const = default;
};
/// Its middle is of 8 bytes, and at no multiple of 8.
struct framed {
  std::int32_t before;
  pair middle;
  std::int32_t after;
};

std::vector<particle> particles(std::size_t count) {
  std::vector<particle> all;
  for (std::size_t i = 0; i < count; ++i) {
    const auto value = static_cast<float>(i);
    all.push_back({value, value + 0.25F, -value, static_cast<std::int32_t>(i * 3), value * 0.5});
  }
  return all;
}

/// Effects: converts values that both types have, from every layout.
template <class To, class From, class Rig>
void convert(Rig& state) {
  std::vector<From> host(60);
  std::vector<To> expected(60);
  for (std::size_t i = 0; i < host.size(); ++i) {
    const int value = static_cast<int>(i % 2 == 0 ? i : 100 - i);
    host[i] = static_cast<From>(value);
    expected[i] = static_cast<To>(value);
    if constexpr (std::is_same_v<From, bool>) expected[i] = static_cast<To>(value != 0 ? 1 : 0);
  }
  const auto same = [](const auto& left, const auto& right) {
    for (std::size_t i = 0; i < left.size(); ++i) {
      if (static_cast<double>(static_cast<float>(left[i])) != static_cast<double>(static_cast<float>(right[i])))
        return false;
    }
    return left.size() == right.size();
  };
  INFO(sizeof(From) << " bytes to " << sizeof(To));
  auto a = yoke::to_device_array(host, {3, 4, 5}, state.stream);
  CHECK(same(a.template astype<To>().to_host(), expected));
  auto part = a(yoke::slice(yoke::none, yoke::none, -2), 1, yoke::slice(1, 4));
  std::vector<To> of_part;
  for (const std::size_t row : std::initializer_list<std::size_t>{2, 0}) {
    for (std::size_t column = 1; column < 4; ++column) of_part.push_back(expected[row * 20 + 5 + column]);
  }
  CHECK(same(part.template astype<To>().to_host(), of_part));
}

}  // namespace

YOKE_ANY_DEVICE_TEST_CASE("elements are converted as C++ does", "[array][values]") {
  any_rig state(device);
  turns turn(device);
  if (turn()) convert<int, float>(state);
  if (turn()) convert<float, int>(state);
  if (turn()) convert<std::uint8_t, long long>(state);
  if (turn()) convert<std::int64_t, short>(state);
  if (turn()) convert<double, float>(state);
  if (turn()) convert<float, double>(state);
  if (turn()) convert<yoke::half, float>(state);
  if (turn()) convert<int, yoke::half>(state);
  if (turn()) convert<yoke::bfloat16, std::uint16_t>(state);
  if (turn()) convert<float, yoke::bfloat16>(state);
  if (turn()) convert<char, unsigned>(state);
  auto f = yoke::to_device_array({{1.75F, -2.5F}, {0.0F, 4.0F}}, state.stream);
  CHECK(f.template astype<int>().to_host() == std::vector<int>{1, -2, 0, 4});
  CHECK(f.transpose().template astype<int>().is_f_contiguous());
  CHECK(f.template astype<bool>().template astype<int>().to_host() == std::vector<int>{1, 1, 0, 1});
  CHECK(yoke::zeros<float>({0, 3}, state.stream).template astype<int>().shape() == yoke::shape{0, 3});
}

YOKE_ANY_DEVICE_TEST_CASE("sequences have the numbers that a loop counts", "[array][values]") {
  if (!takes(device, "cuda")) return;
  any_rig state(device);
  for (const int start : {-7, 0, 5}) {
    for (const int stop : {-9, -7, 0, 4, 40}) {
      for (const int step : {-5, -1, 1, 3}) {
        std::vector<int> expected;
        for (int i = start; step > 0 ? i < stop : i > stop; i += step) expected.push_back(i);
        CAPTURE(start, stop, step);
        CHECK(yoke::arange(start, stop, step, state.stream).to_host() == expected);
      }
    }
  }
  const auto whole = yoke::arange(24, state.stream);
  const auto real = yoke::arange(2.5, state.stream);
  const auto mixed = yoke::arange(0, 1.0, 0.25F, state.stream);
  const auto large = yoke::arange(0, std::int64_t{3}, 1, state.stream);
  STATIC_REQUIRE(std::is_same_v<decltype(whole)::value_type, int>);
  STATIC_REQUIRE(std::is_same_v<decltype(real)::value_type, double>);
  STATIC_REQUIRE(std::is_same_v<decltype(mixed)::value_type, double>);
  STATIC_REQUIRE(std::is_same_v<decltype(large)::value_type, std::int64_t>);
  CHECK(whole.to_host() == counting<int>(24, 0));
  CHECK(real.to_host() == std::vector<double>{0, 1, 2});
  CHECK(mixed.to_host() == std::vector<double>{0, 0.25, 0.5, 0.75});
  CHECK(yoke::arange<float>(4, state.stream).to_host() == std::vector<float>{0, 1, 2, 3});
  CHECK(yoke::arange(1.0, 2.0, 0.25, state.stream).to_host() == std::vector<double>{1, 1.25, 1.5, 1.75});
  CHECK(yoke::arange<std::uint8_t>(250, 255, 2, state.stream).to_host() == std::vector<std::uint8_t>{250, 252, 254});
  CHECK(yoke::arange<std::int64_t>(std::int64_t{1} << 40, (std::int64_t{1} << 40) + 3, 1, state.stream).to_host()[2] ==
        (std::int64_t{1} << 40) + 2);
  CHECK(yoke::arange<unsigned>(5, 0, 1, state.stream).to_host().empty());
  constexpr int least = std::numeric_limits<int>::min();
  constexpr int most = std::numeric_limits<int>::max();
  CHECK(yoke::arange(least, most, most, state.stream).to_host() == std::vector<int>{least, -1, most - 1});
  CHECK(yoke::linspace(0.0F, 1.0F, 5, state.stream).to_host() == std::vector<float>{0, 0.25F, 0.5F, 0.75F, 1});
  CHECK(yoke::linspace(1.0, 3.0, 1, state.stream).to_host() == std::vector<double>{1});
  CHECK(yoke::linspace(1.0, 3.0, 0, state.stream).to_host().empty());
  const auto thirds = yoke::linspace(0.0, 1.0, 4, state.stream).to_host();
  CHECK(thirds[3] == 1.0);
  CHECK(thirds[1] == Approx(1.0 / 3));
  CHECK_THROWS_AS(yoke::arange(0, 5, 0, state.stream), yoke::logic_error);
  CHECK_THROWS_AS(yoke::arange(0.0, std::numeric_limits<double>::infinity(), 1.0, state.stream), yoke::logic_error);
  CHECK_THROWS_AS(yoke::linspace(0.0, 1.0, -1, state.stream), yoke::logic_error);
}

YOKE_ANY_DEVICE_TEST_CASE("members of structs are views", "[array][values]") {
  if (!takes(device, "opencl")) return;
  any_rig state(device);
  auto host = particles(12);
  auto all = yoke::to_device_array(host, {3, 4}, state.stream);
  const auto ids = all.template member<&particle::id>();
  static_assert(std::is_same_v<std::remove_const_t<decltype(ids)>, yoke::device_view<std::int32_t, 2>>);
  CHECK(ids.strides() == std::array<std::ptrdiff_t, 2>{4 * sizeof(particle), sizeof(particle)});
  std::vector<std::int32_t> expected;
  for (const particle& each : host) expected.push_back(each.id);
  CHECK(ids.to_host() == expected);
  CHECK(all(1).template member<&particle::mass>().to_host() == std::vector<double>{2, 2.5, 3, 3.5});
  all.template member<&particle::y>()(yoke::whole, 1).fill(9.0F);
  for (const std::size_t row : {0u, 1u, 2u}) host[row * 4 + 1].y = 9.0F;
  CHECK(all.to_host() == host);
  ids(0).assign(std::vector<std::int32_t>{-1, -2, -3, -4});
  for (int i = 0; i < 4; ++i) host[static_cast<std::size_t>(i)].id = -1 - i;
  CHECK(all.to_host() == host);
  CHECK(ids.template astype<float>()(0, 3).value() == -4.0F);
}

YOKE_ANY_DEVICE_TEST_CASE("a member that is aligned to less than its size is copied", "[array][values]") {
  if (!takes(device, "cuda")) return;
  any_rig state(device);
  auto all = yoke::to_device_array({framed{1, {2, 3}, 4}, framed{5, {6, 7}, 8}, framed{9, {10, 11}, 12}}, state.stream);
  const auto middles = all.template member<&framed::middle>();
  CHECK(middles.to_host() == std::vector<pair>{{2, 3}, {6, 7}, {10, 11}});
  CHECK(middles(yoke::reversed).copy().to_host() == std::vector<pair>{{10, 11}, {6, 7}, {2, 3}});
  middles.assign(std::vector<pair>{{-1, -2}, {-3, -4}, {-5, -6}});
  CHECK((all(1).value().before == 5 && all(1).value().middle == pair{-3, -4} && all(1).value().after == 8));
}

YOKE_ANY_DEVICE_TEST_CASE("the same memory is seen as other elements", "[array][values]") {
  if (!takes(device, "opencl")) return;
  any_rig state(device);
  auto a = yoke::to_device_array({{1.0F, 2.0F}, {-1.0F, 0.0F}}, state.stream);
  CHECK(a.template as<std::uint32_t>()(1, 0).value() == 0xbf800000U);
  const auto bytes = a.template as<std::uint8_t>();
  CHECK(bytes.shape() == yoke::shape{2, 8});
  CHECK(bytes(0, 3).value() == 0x3f);
  CHECK(bytes.template as<double>().shape() == yoke::shape{2, 1});
  CHECK(a(yoke::whole, 1).template as<int>().to_host() == std::vector<int>{0x40000000, 0});
  CHECK_THROWS_AS(a(yoke::whole, yoke::slice(1, 2)).template as<double>(), yoke::logic_error);
  CHECK_THROWS_AS(a.transpose().template as<std::uint8_t>(), yoke::logic_error);
  CHECK(refusal<yoke::logic_error>(yoke::errc::misaligned, [&] {
          (void)bytes(yoke::whole, yoke::slice(1, 5)).template as<float>();
        }).find("no multiple of 4 bytes") != std::string::npos);
}

YOKE_ANY_DEVICE_TEST_CASE("a value on the device moves whole or by member", "[array][values]") {
  if (!takes(device, "cuda")) return;
  any_rig state(device);
  yoke::device_value p{state.stream, particle{1, 2, 3, 7, 0.5}};
  CHECK(p.get() == particle{1, 2, 3, 7, 0.5});
  CHECK(p.template get<&particle::id>() == 7);
  p.template set<&particle::x>(9.0F);
  p.template set<&particle::mass>(-1.0);
  CHECK(p.get() == particle{9, 2, 3, 7, -1.0});
  p.set(particle{});
  CHECK(p.get() == particle{});
  yoke::device_value count{state.stream, 5};
  const auto module = yoke::compile(state.context, R"(
    YOKE_KERNEL add(YOKE_GLOBAL int* count) { count[0] += 37; })");
  yoke::get_kernel<void(int*)>(module, "add")(state.stream, {.grid = 1, .block = 1}, count);
  CHECK(count.get() == 42);
  auto moved = std::move(count);
  CHECK_THROWS_AS(count.get(), yoke::logic_error);
  CHECK(moved.get() == 42);
}

YOKE_ANY_DEVICE_TEST_CASE("arrays and views have extents of their axes alone", "[array][values]") {
  if (!takes(device, "cuda")) return;
  any_rig state(device);
  auto a = yoke::zeros<float>({3, 4}, state.stream);
  CHECK((a.extent(0) == 3 && a.extent(-1) == 4 && a.view().extent(1) == 4 && a(0).extent(0) == 4));
  CHECK_THROWS_AS(a.extent(7), yoke::logic_error);
  CHECK_THROWS_AS(a.view().extent(2), yoke::logic_error);
  CHECK_THROWS_AS(a(0).extent(1), yoke::logic_error);
}
