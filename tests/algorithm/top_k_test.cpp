// SPDX-License-Identifier: MIT
// The greatest and the least elements of rows: beside the host's stable sort, for every type, layout and destination.
#include <algorithm/sort_model.hpp>
#include <array/reduction/recorded_rig.hpp>
#include <support/sample.hpp>

#include <limits>
#include <utility>
#include <vector>

using namespace yoke_test;
using namespace yoke_test::arrays;
using namespace yoke_test::sorting;
using Catch::Matchers::ContainsSubstring;

namespace {

/// Checks values and indices, row by row, beside the first of the host's order.
template <class T, class Index, std::size_t Rank>
void check_top(const yoke::top_elements<T, Index, Rank>& made, const std::vector<T>& host, std::size_t count,
               std::size_t k, bool largest) {
  const auto values = made.values.to_host();
  const auto indices = made.indices.to_host();
  const std::size_t rows = host.size() / count;
  REQUIRE(values.size() == rows * k);
  REQUIRE(indices.size() == rows * k);
  for (std::size_t row = 0; row < rows; ++row) {
    const auto order = order_of(host.data() + row * count, count, largest);
    for (std::size_t i = 0; i < k; ++i) {
      INFO("element " << i << " of row " << row);
      REQUIRE(indices[row * k + i] == static_cast<Index>(order[i]));
      const T& expected = host[row * count + static_cast<std::size_t>(order[i])];
      REQUIRE(std::memcmp(&values[row * k + i], &expected, sizeof(T)) == 0);
    }
  }
}

template <class T>
void check_type(sort_rig& state) {
  INFO(typeid(T).name());
  std::vector<T> host = random_bits<T>(600);
  for (std::size_t i = 0; i < 100; ++i) host[i * 6] = host[i];  // equal elements
  if constexpr (std::numeric_limits<T>::is_iec559) {
    host[3] = host[302] = std::numeric_limits<T>::quiet_NaN();
    host[5] = T{-0.0};
    host[7] = T{0};
    host[8] = std::numeric_limits<T>::infinity();
  }
  const auto a = yoke::to_device_array(host, {2, 300}, state.stream);
  check_top(yoke::top_k(a, 7), host, 300, 7, true);
  check_top(yoke::top_k<std::int32_t>(a, 300U, {.largest = false}), host, 300, 300, false);
}

}  // namespace

YOKE_ANY_DEVICE_TEST_CASE("the greatest and the least elements of every type", "[algorithm]") {
  sort_rig state(device);
  turns turn(device);
  if (turn()) check_type<float>(state);
  if (turn()) check_type<std::uint64_t>(state);
  if (turn()) check_type<std::int32_t>(state);
  if (turn()) check_type<double>(state);
  if (turn()) check_type<yoke::half>(state);
  if (turn()) check_type<std::int8_t>(state);
  if (turn()) check_type<yoke::bfloat16>(state);
  if (turn()) check_type<std::uint16_t>(state);
  if (turn()) check_type<std::int64_t>(state);
}

YOKE_ANY_DEVICE_TEST_CASE("the greatest elements of long rows, of views, of expressions and of none", "[algorithm]") {
  sort_rig state(device);
  const auto host = random_bits<std::int32_t>(20'000, 0xffff);  // several tiles
  const auto a = yoke::to_device_array(host, state.stream);
  check_top(yoke::top_k(a, 100), host, host.size(), 100, true);
  CHECK(a.to_host() == host);
  // Columns, a row with gaps, and an expression.
  const auto table = yoke::to_device_array({{3, 1}, {5, 9}, {4, 2}}, state.stream);
  const auto columns = yoke::top_k(table.transpose(), 2);
  CHECK(columns.values.shape() == yoke::shape<2>{2, 2});
  CHECK(columns.values.to_host() == std::vector<int>{5, 4, 9, 2});
  CHECK(columns.indices.to_host() == std::vector<std::int64_t>{1, 2, 1, 2});
  const auto [least, places] =
      yoke::top_k<std::int32_t>(table.ravel()(yoke::slice(0, yoke::none, 2)), 2, {.largest = false});
  CHECK(least.to_host() == std::vector<int>{3, 4});
  CHECK(places.to_host() == std::vector<std::int32_t>{0, 2});
  const auto squares = yoke::top_k(-table * table, 1);
  CHECK(squares.values.to_host() == std::vector<int>{-1, -25, -4});
  CHECK(squares.indices.to_host() == std::vector<std::int64_t>{1, 0, 1});
  // No elements are asked for, or there are none.
  CHECK(yoke::top_k(table, 0).values.shape() == yoke::shape<2>{3, 0});
  CHECK(yoke::top_k(table(yoke::slice(0, 0)), 2).indices.shape() == yoke::shape<2>{0, 2});
}

YOKE_ANY_DEVICE_TEST_CASE("the greatest elements are written to elements that exist", "[algorithm]") {
  sort_rig state(device);
  auto a = yoke::to_device_array({7, 2, 9, 4, 9, 1}, state.stream);
  auto values = yoke::zeros<int>({6}, state.stream);
  auto indices = yoke::full<std::int32_t>(-1, {3}, state.stream);
  yoke::top_k(a, values(yoke::slice(0, yoke::none, 2)), indices);  // with gaps
  CHECK(values.to_host() == std::vector<int>{9, 0, 9, 0, 7, 0});
  CHECK(indices.to_host() == std::vector<std::int32_t>{2, 4, 0});
  yoke::top_k(a, a(yoke::slice(0, 3)), indices, {.largest = false});  // into what it reads
  CHECK(a.to_host() == std::vector<int>{1, 2, 4, 4, 9, 1});
  CHECK(indices.to_host() == std::vector<std::int32_t>{5, 1, 3});
}

YOKE_ANY_DEVICE_TEST_CASE("the greatest elements are found at each launch of a graph", "[algorithm][graph]") {
  recorded_rig on(device);
  auto x = yoke::to_device_array({3, 8, 5, 8}, on.stream);
  auto values = yoke::zeros<int>({2}, on.stream);
  auto indices = yoke::zeros<std::int64_t>({2}, on.stream);
  auto least = yoke::zeros<int>({1}, on.stream);
  auto place = yoke::zeros<std::int32_t>({1}, on.stream);
  yoke::graph_executable<> executable;
  {
    yoke::graph graph{on.context};
    auto record = graph.record();
    CHECK(yoke::top_k(x, values.bind(record), indices.bind(record)));
    CHECK(yoke::top_k(2 * x, least.bind(record), place, {.largest = false}));
    executable = graph.instantiate();
  }
  CHECK(values.to_host() == std::vector<int>{0, 0});
  for (const auto& host : {std::vector<int>{3, 8, 5, 8}, std::vector<int>{6, 1, 7, 2}}) {
    x.assign(host);
    executable.launch(on.stream);
    const auto order = order_of(host.data(), host.size(), true);
    CHECK(indices.to_host() == std::vector<std::int64_t>{order[0], order[1]});
    CHECK(values.to_host() ==
          std::vector<int>{host[static_cast<std::size_t>(order[0])], host[static_cast<std::size_t>(order[1])]});
    CHECK(least.to_host()[0] == 2 * *std::min_element(host.begin(), host.end()));
    CHECK(host[static_cast<std::size_t>(place.to_host()[0])] == *std::min_element(host.begin(), host.end()));
  }
}

YOKE_ANY_DEVICE_TEST_CASE("what top_k refuses", "[algorithm]") {
  sort_rig state(device);
  const auto a = yoke::arange<int>(6, state.stream);
  CHECK_THAT(refusal<yoke::logic_error>(yoke::errc::out_of_range, [&] { (void)yoke::top_k(a, 7); }),
             ContainsSubstring("k is 7, outside 0 .. 6: a row has 6 elements"));
  CHECK_THAT(refusal<yoke::logic_error>(yoke::errc::out_of_range, [&] { (void)yoke::top_k(a, -1); }),
             ContainsSubstring("k is -1, outside 0 .. 6"));
  const yoke::device_array<int, 1> moved_from;
  CHECK_THROWS_AS(yoke::top_k(moved_from, 1), yoke::logic_error);
  auto values = yoke::zeros<int>({4}, state.stream);
  auto indices = yoke::zeros<std::int32_t>({3}, state.stream);
  CHECK_THAT(refusal<yoke::logic_error>(yoke::errc::size_mismatch, [&] { yoke::top_k(a, values, indices); }),
             ContainsSubstring("(4,)") && ContainsSubstring("(3,)"));
  CHECK_THAT(refusal<yoke::logic_error>(
                 yoke::errc::invalid_argument,
                 [&] { yoke::top_k(a, values(yoke::slice(0, 2)), values.as<std::int32_t>()(yoke::slice(1, 3))); }),
             ContainsSubstring("values and indices share memory"));
}
