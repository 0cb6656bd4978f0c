// SPDX-License-Identifier: MIT
// Takes from several arrays, and puts into several, at the same indices by one launch: beside `take` and `put`.
#include <algorithm/sort_model.hpp>
#include <support/sample.hpp>

#include <cstdint>
#include <tuple>
#include <utility>
#include <vector>

using namespace yoke_test;
using namespace yoke_test::arrays;
using namespace yoke_test::sorting;
using Catch::Matchers::ContainsSubstring;

namespace {

struct triple {
  float x, y, z;
  friend bool operator==(const triple&, const triple&) = default;
};

}  // namespace

YOKE_ANY_DEVICE_TEST_CASE("several arrays are taken from by one launch, as take does", "[algorithm]") {
  counting_rig state(device);
  const auto a = yoke::arange<int>(100, state.stream);
  const auto b = yoke::to_device_array(random_bits<std::uint8_t>(40), {4, 10}, state.stream);
  std::vector<triple> host(50);
  for (std::size_t i = 0; i < host.size(); ++i) host[i] = {static_cast<float>(i), 1, 2};
  const auto c = yoke::to_device_array(host, state.stream);
  const auto at = yoke::to_device_array({3, -1, 39, 45, 1000, -1000, 0, 12}, state.stream);
  const auto [x, y, z] = yoke::multi_take(std::tie(a, b, c), at);
  CHECK(x.to_host() == yoke::take(a, at).to_host());
  CHECK(y.to_host() == yoke::take(b, at).to_host());
  CHECK(z.to_host() == yoke::take(c, at).to_host());
  // In the indices' shape, of views with gaps, by indices of other types.
  const auto table = yoke::multi_take(std::tuple{a(yoke::slice(0, yoke::none, 2))}, at.reshape({2, 4}) + 1);
  CHECK(std::get<0>(table).shape() == yoke::shape<2>{2, 4});
  CHECK(std::get<0>(table).to_host() == std::vector<int>{8, 0, 80, 92, 98, 0, 2, 26});
  const auto large = yoke::to_device_array(std::vector<std::uint64_t>{5, ~std::uint64_t{0}}, state.stream);
  const auto [last, same] = yoke::multi_take(std::tie(a, a), large);
  CHECK(last.to_host() == std::vector<int>{5, 99});
  CHECK(same.to_host() == last.to_host());
  const std::size_t mark = state.mark();
  const auto again = yoke::multi_take(std::tie(a, b, c), at);
  CHECK(state.enqueued(mark) == 1);
  CHECK(std::get<2>(again).to_host() == z.to_host());
  CHECK(std::get<0>(yoke::multi_take(std::tie(a, b), at(yoke::slice(0, 0)))).size() == 0);
}

YOKE_ANY_DEVICE_TEST_CASE("several arrays get values by one launch, as put gives them", "[algorithm]") {
  counting_rig state(device);
  const auto at = yoke::to_device_array({3, -1, 7, 100, -100}, state.stream);
  const auto values = yoke::to_device_array({10, 20, 30, 40, 50}, state.stream);
  const auto make = [&] {
    return std::tuple{yoke::arange<int>(20, state.stream), yoke::zeros<double>({2, 5}, state.stream),
                      yoke::zeros<std::int16_t>({16}, state.stream)};
  };
  auto [a, b, c] = make();
  yoke::multi_put(std::tie(a, b, c), at, std::tuple{values + 1, values.view(), 7});
  auto [one, two, three] = make();
  yoke::put(one, at, values + 1);
  yoke::put(two, at, values);
  yoke::put(three, at, 7);
  CHECK(a.to_host() == one.to_host());
  CHECK(b.to_host() == two.to_host());
  CHECK(c.to_host() == three.to_host());
  const auto same = values + 0;
  const std::size_t mark = state.mark();
  yoke::multi_put(std::tie(a, one), at, std::tie(values, values));
  CHECK(state.enqueued(mark) == 1);
  CHECK(a.to_host() == one.to_host());
  CHECK(a(3).value() == 10);
  (void)same;
  // A part with gaps, and values that the array itself has.
  auto even = a(yoke::slice(0, yoke::none, 2));
  const auto before = a.to_host();
  const auto last = yoke::to_device_array({9}, state.stream);
  yoke::multi_put(std::tie(even), last, std::tuple{a(yoke::slice(3, 4))});
  auto expected = before;
  expected[18] = before[3];
  CHECK(a.to_host() == expected);
}

YOKE_ANY_DEVICE_TEST_CASE("what multi_take and multi_put refuse", "[algorithm]") {
  sort_rig state(device);
  const auto a = yoke::arange<int>(5, state.stream);
  const auto none = a(yoke::slice(0, 0));
  const auto at = yoke::to_device_array({0, 1}, state.stream);
  CHECK_THAT(
      refusal<yoke::logic_error>(yoke::errc::out_of_range, [&] { (void)yoke::multi_take(std::tie(a, none), at); }),
      ContainsSubstring("there are 2 indices, and no element to take"));
  auto x = yoke::zeros<int>({5}, state.stream);
  auto y = yoke::zeros<int>({5}, state.stream);
  CHECK_THAT(refusal<yoke::logic_error>(yoke::errc::size_mismatch,
                                        [&] { yoke::multi_put(std::tie(x, y), at, std::tie(at, a)); }),
             ContainsSubstring("the values have shape (5,), the places they go to (2,)"));
  CHECK(x.to_host() == std::vector<int>(5));
  const yoke::device_array<int, 1> moved_from;
  CHECK_THROWS_AS(yoke::multi_take(std::tie(a, moved_from), at), yoke::logic_error);
}
