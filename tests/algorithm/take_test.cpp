// SPDX-License-Identifier: MIT
// Elements taken from indices and put there, along an axis and over all, of any type, layout and index type.
#include <algorithm/sort_model.hpp>
#include <support/sample.hpp>

#include <complex>
#include <vector>

using namespace yoke_test;
using namespace yoke_test::arrays;
using namespace yoke_test::sorting;

namespace {

/// Returns: the place that an index names among `extent` elements; for one outside the nearest.
template <class Index>
std::size_t nearest(Index index, std::size_t extent) {
  if (std::cmp_less(index, 0)) {
    const auto from_end = static_cast<std::int64_t>(index) + static_cast<std::int64_t>(extent);
    return from_end < 0 ? 0 : static_cast<std::size_t>(from_end);
  }
  return std::cmp_less(index, extent) ? static_cast<std::size_t>(index) : extent - 1;
}

template <class Index>
void check_index_type(sort_rig& state) {
  INFO(sizeof(Index) << (std::is_signed_v<Index> ? " signed" : " unsigned"));
  constexpr std::size_t size = 100;
  const std::vector<float> host = counting(size, 0.5F);
  auto a = yoke::to_device_array(host, state.stream);
  std::vector<Index> places{0,
                            99,
                            7,
                            7,
                            127,
                            static_cast<Index>(~Index{0}),
                            std::numeric_limits<Index>::min(),
                            std::numeric_limits<Index>::max()};
  const auto at = yoke::to_device_array(places, state.stream);
  std::vector<float> expected;
  for (const Index each : places) expected.push_back(host[nearest(each, size)]);
  CHECK(yoke::take(a, at).to_host() == expected);
  // What is outside is dropped.
  std::vector<float> changed = host;
  for (const Index each : places) {
    const bool inside = std::cmp_less(each, size) && std::cmp_greater_equal(each, -100);
    if (inside) changed[nearest(each, size)] = -1;
  }
  yoke::put(a, at, -1);
  CHECK(a.to_host() == changed);
}

}  // namespace

YOKE_ANY_DEVICE_TEST_CASE("takes from and puts to indices of every integer type", "[algorithm]") {
  sort_rig state(device);
  turns turn(device);
  if (turn()) check_index_type<std::int32_t>(state);
  if (turn()) check_index_type<std::int64_t>(state);
  if (turn()) check_index_type<std::uint64_t>(state);
  if (turn()) check_index_type<std::int8_t>(state);
  if (turn()) check_index_type<std::uint8_t>(state);
  if (turn()) check_index_type<std::int16_t>(state);
  if (turn()) check_index_type<std::uint16_t>(state);
  if (turn()) check_index_type<std::uint32_t>(state);
}

YOKE_ANY_DEVICE_TEST_CASE("takes elements of any size, in the indices' shape", "[algorithm]") {
  sort_rig state(device);
  const auto at = yoke::to_device_array(std::vector<int>{5, 0, -1, 5, 2, 3}, state.stream);
  const auto check = [&](const auto& host) {
    const auto a = yoke::to_device_array(host, state.stream);
    const auto made = yoke::take(a, at.reshape({2, 3}));
    CHECK(made.shape() == yoke::shape<2>{2, 3});
    const auto got = made.to_host();
    CHECK(std::memcmp(&got[0], &host[5], sizeof host[0]) == 0);
    CHECK(std::memcmp(&got[2], &host[5], sizeof host[0]) == 0);
    CHECK(std::memcmp(&got[4], &host[2], sizeof host[0]) == 0);
  };
  check(std::vector<std::uint8_t>{1, 2, 3, 4, 5, 6});
  check(std::vector<yoke::half>{yoke::half(1.0F), yoke::half(2.0F), yoke::half(3.0F), yoke::half(4.0F),
                                yoke::half(5.0F), yoke::half(6.0F)});
  check(std::vector<std::complex<float>>{{1, 2}, {3, 4}, {5, 6}, {7, 8}, {9, 0}, {1, 1}});
  check(std::vector<yoke::float4>(6, yoke::float4{1, 2, 3, 4}));
}

YOKE_ANY_DEVICE_TEST_CASE("takes from and puts along each axis of any layout", "[algorithm]") {
  sort_rig state(device);
  const auto cube = yoke::to_device_array(counting(2 * 3 * 4), state.stream);
  const auto a = cube.reshape({2, 3, 4});
  const auto rows = yoke::to_device_array(std::vector<int>{2, 0, -1, 1}, state.stream);
  const auto host_at = [](std::size_t i, std::size_t j, std::size_t k) { return static_cast<int>(i * 12 + j * 4 + k); };
  const auto middle = yoke::take(a, rows, yoke::along(1));
  CHECK(middle.shape() == yoke::shape<3>{2, 4, 4});
  const std::size_t names[]{2, 0, 2, 1};
  auto got = middle.to_host();
  std::vector<int> expected;
  for (std::size_t i = 0; i < 2; ++i)
    for (const std::size_t j : names)
      for (std::size_t k = 0; k < 4; ++k) expected.push_back(host_at(i, j, k) + 1);
  CHECK(got == expected);
  // The last axis of a transposed view, through a copy.
  const auto turned = a.transpose();
  const auto last = yoke::take(turned, rows(yoke::slice(0, 2)) / 2, yoke::along(-1));
  CHECK(last.shape() == yoke::shape<3>{4, 3, 2});
  CHECK(last(0, 0, 0).value() == host_at(1, 0, 0) + 1);
  CHECK(last(3, 2, 1).value() == host_at(0, 2, 3) + 1);
  // Rows are put where they were taken from, with gaps between them.
  auto room = yoke::zeros<int>({3, 8}, state.stream);
  const auto every_other = room(yoke::whole, yoke::slice(yoke::none, yoke::none, 2));
  yoke::put(every_other, rows(yoke::slice(0, 2)), a(1, yoke::slice(0, 2)), yoke::along(0));
  CHECK(room.to_host() ==
        std::vector<int>{17, 0, 18, 0, 19, 0, 20, 0, 0, 0, 0, 0, 0, 0, 0, 0, 13, 0, 14, 0, 15, 0, 16, 0});
  yoke::put(room, rows(yoke::slice(3, yoke::none)), 9, yoke::along(0));
  CHECK(yoke::sum(room(1)).get() == 72);
}

YOKE_ANY_DEVICE_TEST_CASE("puts values that are calculated, converted, and of the array itself", "[algorithm]") {
  sort_rig state(device);
  auto a = yoke::arange<float>(8, state.stream);
  const auto at = yoke::to_device_array(std::vector<int>{7, 6, 5}, state.stream);
  CHECK(yoke::sum(yoke::take(a, at)).get() == 18);
  yoke::put(a, at, 10 * a(yoke::slice(0, 3)));
  CHECK(a.to_host() == std::vector<float>{0, 1, 2, 3, 4, 20, 10, 0});
  yoke::put(a, at, at);
  CHECK(a.to_host() == std::vector<float>{0, 1, 2, 3, 4, 5, 6, 7});
  // The values are read before any of them is written.
  yoke::put(a, 7 - yoke::arange<int>(8, state.stream), a);
  CHECK(a.to_host() == std::vector<float>{7, 6, 5, 4, 3, 2, 1, 0});
  auto places = yoke::arange<int>(4, state.stream);
  yoke::put(places, places, 3 - places);
  CHECK(places.to_host() == std::vector<int>{3, 2, 1, 0});
}

YOKE_ANY_DEVICE_TEST_CASE("takes nothing from nothing, and refuses what does not fit", "[algorithm]") {
  sort_rig state(device);
  const auto none = yoke::zeros<float>({0}, state.stream);
  const auto no_index = yoke::zeros<int>({0}, state.stream);
  const auto at = yoke::to_device_array(std::vector<int>{1, -4}, state.stream);
  auto a = yoke::arange<float>(3, state.stream);
  CHECK(yoke::take(none, no_index).size() == 0);
  CHECK(yoke::take(a, no_index).size() == 0);
  yoke::put(a, no_index, 5);
  CHECK(a.to_host() == std::vector<float>{0, 1, 2});
  using Catch::Matchers::ContainsSubstring;
  CHECK_THAT(refusal<yoke::logic_error>(yoke::errc::out_of_range, [&] { (void)yoke::take(none, at); }),
             ContainsSubstring("there are 2 indices, and no element to take"));
  CHECK_THAT(refusal<yoke::logic_error>(yoke::errc::size_mismatch, [&] { yoke::put(a, at, a); }),
             ContainsSubstring("the values have shape (3,), the places they go to (2,)"));
  CHECK_THROWS_AS(yoke::take(a, at, yoke::along(1)), yoke::logic_error);
  CHECK_THAT(refusal<yoke::logic_error>(yoke::errc::out_of_range, [&] { yoke::check_indices(at, a.size()); }),
             ContainsSubstring("index -4 is not in [-3, 3)"));
  CHECK_THAT(refusal<yoke::logic_error>(yoke::errc::out_of_range, [&] { yoke::check_indices(-at, 4); }),
             ContainsSubstring("index 4 is not in [-4, 4)"));
  CHECK_NOTHROW(yoke::check_indices(at, 4));
  CHECK_NOTHROW(yoke::check_indices(no_index, 0));
  CHECK_THROWS_AS(yoke::check_indices(at, 0), yoke::logic_error);
  CHECK_NOTHROW(yoke::check_indices(at, ~std::uint64_t{0}));
  CHECK_THAT(refusal<yoke::logic_error>(yoke::errc::out_of_range, [&] { yoke::check_indices(at, -3); }),
             ContainsSubstring("extent = -3 is below 0"));
  const auto huge = yoke::to_device_array(std::vector<std::uint64_t>{~std::uint64_t{0}}, state.stream);
  CHECK_THAT(refusal<yoke::logic_error>(yoke::errc::out_of_range, [&] { yoke::check_indices(huge, 5); }),
             ContainsSubstring("index 18446744073709551615 is not in [-5, 5)"));
}

YOKE_ANY_DEVICE_TEST_CASE("taking and putting are one launch each, and wait for nothing", "[algorithm]") {
  counting_rig state(device);
  auto a = yoke::arange<float>(100, state.stream);
  const auto at = yoke::arange<int>(50, state.stream);
  const auto made = yoke::take(a, at);
  yoke::put(a, at, made);
  const std::size_t mark = state.mark();
  yoke::put(a, at, yoke::take(a, at));
  CHECK(state.enqueued(mark) == 2);
  CHECK(yoke::array_programs(state.context).counters().compiled == 4);  // with the two ranges' and both directions
}
