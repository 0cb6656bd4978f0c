// SPDX-License-Identifier: MIT
// Algorithms whose results are assigned: at each launch of a graph, and to elements that exist in a stream.
#include <array/reduction/recorded_rig.hpp>
#include <support/sample.hpp>

#include <yoke/algorithm.hpp>
#include <yoke/random.hpp>

#include <algorithm>
#include <numeric>
#include <set>
#include <utility>

using namespace yoke_test;
using namespace yoke_test::arrays;
using Catch::Matchers::ContainsSubstring;
namespace pass = yoke::pass;

namespace {

/// Numbers without an order, each several times.
std::vector<int> scrambled(std::size_t size, int seed) {
  std::vector<int> values(size);
  for (std::size_t i = 0; i < size; ++i)
    values[i] = static_cast<int>((i * 7919 + static_cast<std::size_t>(seed) * 104729) % 1009) - 500;
  return values;
}
template <class T>
std::vector<T> stable_sorted(std::vector<T> of) {
  std::stable_sort(of.begin(), of.end());
  return of;
}
std::vector<std::int64_t> places_in_order(const std::vector<int>& of) {
  std::vector<std::int64_t> places(of.size());
  std::iota(places.begin(), places.end(), std::int64_t{0});
  std::stable_sort(places.begin(), places.end(), [&](std::int64_t a, std::int64_t b) {
    return of[static_cast<std::size_t>(a)] < of[static_cast<std::size_t>(b)];
  });
  return places;
}
std::vector<std::int64_t> sums_of(const std::vector<int>& of) {
  std::vector<std::int64_t> sums(of.size());
  std::partial_sum(of.begin(), of.end(), sums.begin(), [](std::int64_t a, std::int64_t b) { return a + b; });
  return sums;
}
std::vector<int> kept_above(const std::vector<int>& of, int limit) {
  std::vector<int> kept;
  std::copy_if(of.begin(), of.end(), std::back_inserter(kept), [=](int each) { return each > limit; });
  return kept;
}

struct described {
  int key;
  float weight;
  friend bool operator==(const described&, const described&) = default;
};

}  // namespace

YOKE_ANY_DEVICE_TEST_CASE("scans are recorded, and calculate anew at each launch", "[array][algorithm][graph]") {
  recorded_rig on(device);
  const std::size_t size = runs_whole() ? 100'000 : 9000;  // several tiles
  auto x = yoke::to_device_array(scrambled(size, 1), on.stream);
  const auto starts = yoke::to_device_array(std::vector<int>{0, 1, 0, 0, 1, 0}, on.stream);
  auto six = yoke::arange<float>(6, on.stream);
  auto sums = yoke::zeros<std::int64_t>({static_cast<int>(size)}, on.stream);
  auto before = yoke::zeros<int>({static_cast<int>(size)}, on.stream);
  auto anew = yoke::zeros<float>({6}, on.stream);
  auto table = yoke::zeros<float>({2, 4}, on.stream);
  yoke::graph_executable<> executable;
  {
    yoke::graph graph{on.context};
    auto record = graph.record();
    sums.bind(record) = pass::cumsum(x);
    const auto node = before.bind(record).assign(pass::exclusive_scan<"max(a, b)", "-1000">(x));
    anew.bind(record) = pass::cumsum(six + 1, yoke::segments(starts));
    table(yoke::whole, yoke::slice(1, yoke::none)).bind(record) =
        pass::cumprod(six.reshape({2, 3}) + 1, yoke::along(1));  // a view with gaps: through a temporary
    six.bind(record) = pass::cumsum(six);                        // reads what it writes
    CHECK(node);
    executable = graph.instantiate();
  }
  CHECK(sums(-1).value() == 0);
  for (int seed = 1; seed < 4; ++seed) {
    const auto host = scrambled(size, seed);
    x.assign(host);
    six = yoke::arange<float>(6, on.stream).view();
    executable.launch(on.stream);
    CHECK(sums.to_host() == sums_of(host));
    std::vector<int> greatest(size, -1000);
    for (std::size_t i = 1; i < size; ++i) greatest[i] = std::max(greatest[i - 1], host[i - 1]);
    CHECK(before.to_host() == greatest);
    CHECK(anew.to_host() == std::vector<float>{1, 2, 5, 9, 5, 11});
    CHECK(table.to_host() == std::vector<float>{0, 1, 2, 6, 0, 4, 20, 120});
    CHECK(six.to_host() == std::vector<float>{0, 1, 3, 6, 10, 15});
  }
}

YOKE_ANY_DEVICE_TEST_CASE("sorts are recorded: in place, of keys with values, sorted copies and orders",
                          "[algorithm][graph]") {
  recorded_rig on(device);
  const std::size_t size = runs_whole() ? 70'000 : 18'000;  // several tiles, also of processors
  const auto extent = static_cast<int>(size);
  auto x = yoke::to_device_array(scrambled(size, 1), on.stream);
  auto in_place = yoke::zeros<int>({extent}, on.stream);
  auto keys = yoke::zeros<int>({extent}, on.stream);
  auto values = yoke::zeros<std::int64_t>({extent}, on.stream);
  auto copy = yoke::zeros<int>({extent}, on.stream);
  auto order = yoke::zeros<std::int64_t>({extent}, on.stream);
  auto narrow = yoke::zeros<std::int32_t>({extent}, on.stream);
  auto rows = yoke::zeros<float>({3, 5}, on.stream);
  auto self = yoke::zeros<int>({extent}, on.stream);
  yoke::graph_executable<> executable;
  {
    yoke::graph graph{on.context};
    auto record = graph.record();
    in_place.bind(record) = x;
    CHECK(yoke::sort(in_place.bind(record)));
    keys.bind(record) = x;
    values.bind(record) = pass::cumsum(0 * x + 1);
    CHECK(yoke::sort_by_key(keys.bind(record), values.bind(record)));
    copy.bind(record) = pass::sorted(2 * x, {.descending = true});
    order.bind(record) = pass::argsort(x);
    narrow.bind(record) = pass::argsort<std::int32_t>(x);
    rows.bind(record) = yoke::cast<float>(x(yoke::slice(0, 15)).reshape({3, 5}));
    yoke::sort(rows.transpose().bind(record));  // columns: through a copy
    self.bind(record) = x;
    self.bind(record) = pass::sorted(self);  // reads what it writes
    executable = graph.instantiate();
  }
  for (int seed = 1; seed < 3; ++seed) {
    const auto host = scrambled(size, seed);
    x.assign(host);
    executable.launch(on.stream);
    const auto sorted = stable_sorted(host);
    auto places = places_in_order(host);
    CHECK(in_place.to_host() == sorted);
    CHECK(keys.to_host() == sorted);
    CHECK(order.to_host() == places);
    CHECK(narrow.to_host() == std::vector<std::int32_t>(places.begin(), places.end()));
    for (auto& each : places) ++each;
    CHECK(values.to_host() == places);
    auto twice = sorted;
    std::reverse(twice.begin(), twice.end());
    for (auto& each : twice) each *= 2;
    CHECK(copy.to_host() == twice);
    CHECK(self.to_host() == sorted);
    const auto table = rows.to_host();
    for (std::size_t column = 0; column < 5; ++column) {
      const auto expected = stable_sorted(std::vector<int>{host[column], host[column + 5], host[column + 10]});
      for (std::size_t row = 0; row < 3; ++row) CHECK(table[row * 5 + column] == static_cast<float>(expected[row]));
    }
  }
}

YOKE_ANY_DEVICE_TEST_CASE("elements by their indices are recorded: taken, put, searched, counted",
                          "[algorithm][graph]") {
  recorded_rig on(device);
  auto x = yoke::to_device_array({5.0F, 3.0F, 9.0F, 1.0F}, on.stream);
  const auto at = yoke::to_device_array({-1, 0, 7}, on.stream);
  const auto two = at(yoke::slice(0, 2));
  const auto limits = yoke::to_device_array({2.0F, 4.0F, 6.0F}, on.stream);
  const auto table = yoke::to_device_array({{0, 1}, {2, 3}, {4, 5}}, on.stream);
  const auto things = yoke::to_device_array(std::vector<described>{{3, 1}, {1, 2}, {2, 3}}, on.stream);
  auto taken = yoke::zeros<float>({3}, on.stream);
  auto rows = yoke::zeros<int>({2, 2}, on.stream);
  auto put = yoke::zeros<float>({4}, on.stream);
  auto put_rows = yoke::zeros<int>({2, 4}, on.stream);
  auto places = yoke::zeros<std::int64_t>({4}, on.stream);
  auto behind = yoke::zeros<std::int64_t>({2, 4}, on.stream);
  auto counts = yoke::zeros<std::int64_t>({4}, on.stream);
  auto bars = yoke::zeros<std::int64_t>({2}, on.stream);
  auto self = yoke::arange<int>(3, on.stream);
  auto some = yoke::to_device_array(std::vector<described>(3, described{0, 0}), on.stream);
  yoke::graph_executable<> executable;
  {
    yoke::graph graph{on.context};
    auto record = graph.record();
    taken.bind(record) = pass::take(x, at);
    rows.bind(record) = pass::take(table, two, yoke::along(0));
    CHECK(yoke::put(put.bind(record), at, taken + 1));  // what is outside is dropped
    put_rows.bind(record) = 0;
    yoke::put(put_rows.transpose().bind(record), two, 8);  // counted in the transpose's order
    yoke::put(put_rows.bind(record), two(yoke::slice(1, 2)), yoke::to_device_array({{20}, {30}}, on.stream),
              yoke::along(1));
    places.bind(record) = pass::lower_bound(limits, x);
    behind(1).bind(record) = pass::upper_bound(limits, x);  // it is not at the start of its memory
    counts.bind(record) = pass::bincount(at + 1, 4);
    bars.bind(record) = pass::histogram(x, 2, 0, 10);
    self.bind(record) = pass::take(self, yoke::arange<int>(3, on.stream)(yoke::reversed));  // reads what it writes
    some.bind(record) = pass::take(things, at);  // structs without a description
    executable = graph.instantiate();
  }
  executable.launch(on.stream);
  CHECK(taken.to_host() == std::vector<float>{1, 5, 1});
  CHECK(rows.to_host() == std::vector<int>{4, 5, 0, 1});
  CHECK(put.to_host() == std::vector<float>{6, 0, 0, 2});
  CHECK(put_rows.to_host() == std::vector<int>{20, 0, 0, 0, 30, 0, 0, 8});
  CHECK(places.to_host() == std::vector<std::int64_t>{2, 1, 3, 0});
  CHECK(behind.to_host() == std::vector<std::int64_t>{0, 0, 0, 0, 2, 1, 3, 0});
  CHECK(counts.to_host() == std::vector<std::int64_t>{1, 1, 0, 0});
  CHECK(bars.to_host() == std::vector<std::int64_t>{2, 2});
  CHECK(self.to_host() == std::vector<int>{2, 1, 0});
  CHECK(some.to_host() == std::vector<described>{{2, 3}, {3, 1}, {2, 3}});
  x.assign(std::vector<float>{2, 8, 4, 1});
  executable.launch(on.stream);
  CHECK(taken.to_host() == std::vector<float>{1, 2, 1});
  CHECK(put.to_host() == std::vector<float>{3, 0, 0, 2});
  CHECK(places.to_host() == std::vector<std::int64_t>{0, 3, 1, 0});
  CHECK(behind.to_host() == std::vector<std::int64_t>{0, 0, 0, 0, 1, 3, 2, 0});
  CHECK(bars.to_host() == std::vector<std::int64_t>{3, 1});
  CHECK(self.to_host() == std::vector<int>{0, 1, 2});
}

YOKE_ANY_DEVICE_TEST_CASE("selections are recorded into room that exists", "[algorithm][graph]") {
  recorded_rig on(device);
  constexpr std::size_t size = 9000;  // several tiles
  auto x = yoke::to_device_array(scrambled(size, 1), on.stream);
  yoke::selection<int> large{on.stream, size}, small{on.stream, size + 5}, each{on.stream, size};
  yoke::selection<std::int64_t> where{on.stream, size};
  yoke::parted<int> both{on.stream, size};
  auto sorted = yoke::zeros<int>({static_cast<int>(size)}, on.stream);
  yoke::device_value<std::int64_t> total(on.stream, -1);
  CHECK(large.size() == 0);
  yoke::graph_executable<> executable;
  {
    yoke::graph graph{on.context};
    auto record = graph.record();
    CHECK(large.bind(record).assign(pass::copy_if(x, x > 100)));
    small.bind(record) = pass::remove_if(x, x > 100);
    both.bind(record) = pass::partition(2 * x, x > 100);
    where.bind(record) = pass::indices_where(x > 100);
    sorted.bind(record) = pass::sorted(x);
    each.bind(record) = pass::unique(sorted);
    total.bind(record) = large.count().array() + each.count().array();  // counts are values of the device
    executable = graph.instantiate();
  }
  for (int seed = 1; seed < 3; ++seed) {
    const auto host = scrambled(size, seed);
    x.assign(host);
    executable.launch(on.stream);
    const auto kept = kept_above(host, 100);
    CHECK(large.to_host() == kept);
    std::vector<int> rest;
    std::vector<std::int64_t> indices;
    for (std::size_t i = 0; i < size; ++i) {
      if (host[i] > 100) {
        indices.push_back(static_cast<std::int64_t>(i));
      } else {
        rest.push_back(host[i]);
      }
    }
    CHECK(small.to_host() == rest);
    CHECK(where.to_host() == indices);
    auto twice = kept;
    for (auto& value : twice) value *= 2;
    CHECK(both.to_host() == twice);
    for (auto& value : rest) value *= 2;
    CHECK(both.rest().to_host() == rest);
    const std::set<int> values(host.begin(), host.end());
    CHECK(each.to_host() == std::vector<int>(values.begin(), values.end()));
    CHECK(total.get() == static_cast<std::int64_t>(kept.size() + values.size()));
  }
}

YOKE_ANY_DEVICE_TEST_CASE("a selection's mask may read its count, and its elements", "[algorithm][graph]") {
  recorded_rig on(device);
  constexpr int size = 25'000;
  const auto y = yoke::arange<int>(size, on.stream);
  yoke::selection<int> chosen{on.stream, size};
  {
    yoke::graph graph{on.context};
    auto record = graph.record();
    chosen.bind(record) = pass::copy_if(y, y >= chosen.count().array());  // its first count is 0
    // Of those that are selected, the ones that a third divides: only the first `count` elements are meant.
    chosen.bind(record) = pass::copy_if(chosen.elements(), chosen.elements() % 3 == 0 and y < chosen.count().array());
    graph.instantiate().launch(on.stream);
  }
  std::vector<int> expected;
  for (int each = 0; each < size; each += 3) expected.push_back(each);
  CHECK(chosen.to_host() == expected);
  chosen.assign(pass::copy_if(chosen.elements(), chosen.elements() % 2 == 0 and y < chosen.count().array()));
  std::erase_if(expected, [](int each) { return each % 2 != 0; });
  CHECK(chosen.to_host() == expected);
}

YOKE_ANY_DEVICE_TEST_CASE("what functions of pass make keeps temporaries until it is assigned", "[algorithm][graph]") {
  recorded_rig on(device);
  constexpr int size = 1000;
  const auto x = yoke::arange<int>(size, on.stream);
  auto taken = yoke::zeros<int>({size}, on.stream);
  auto below = yoke::zeros<std::int64_t>({size}, on.stream);
  auto above = below.copy();
  auto sums = below.copy();
  auto sorted = taken.copy();
  const auto take = pass::take(yoke::device_array(7 + yoke::arange<int>(size, on.stream)), x);
  const auto lower = pass::lower_bound(yoke::arange<int>(size, on.stream), x);
  const auto upper = pass::upper_bound(x, yoke::arange<int>(size, on.stream));
  const auto sum = pass::cumsum(yoke::full(2, {size}, on.stream));
  const auto sort = pass::sorted(yoke::arange<int>(size, on.stream)(yoke::reversed));
  std::vector<yoke::device_array<int, 1>> others;  // would take over memory that is free
  for (int i = 0; i < 8; ++i) others.push_back(yoke::full(-1, {size}, on.stream));
  yoke::graph graph{on.context};
  auto record = graph.record();
  taken.bind(record) = take;
  below.bind(record) = lower;
  above.bind(record) = upper;
  sums.bind(record) = sum;
  sorted.bind(record) = sort;
  graph.instantiate().launch(on.stream);
  std::vector<int> numbers(size);
  std::iota(numbers.begin(), numbers.end(), 0);
  std::vector<std::int64_t> wide(numbers.begin(), numbers.end());
  CHECK(sorted.to_host() == numbers);
  CHECK(below.to_host() == wide);
  for (auto& each : wide) ++each;
  CHECK(above.to_host() == wide);
  for (auto& each : wide) each *= 2;
  CHECK(sums.to_host() == wide);
  for (auto& each : numbers) each += 7;
  CHECK(taken.to_host() == numbers);
}

YOKE_ANY_DEVICE_TEST_CASE("algorithms write to elements that exist, in their stream", "[array][algorithm]") {
  any_rig on(device);
  const auto x = yoke::to_device_array({5, 3, 9, 1, 3}, on.stream);
  auto sums = yoke::zeros<std::int64_t>({5}, on.stream);
  auto order = yoke::zeros<std::int64_t>({5}, on.stream);
  auto sorted = yoke::zeros<int>({5}, on.stream);
  auto two = yoke::zeros<int>({2, 5}, on.stream);
  yoke::device_value<int> most(on.stream, 0);
  const auto before = sums.native_handle();
  sums = pass::cumsum(x);
  order = pass::argsort(x);
  sorted = pass::sorted(x);
  two(1) = pass::take(x, order);
  two(0).assign(pass::sorted(x * 10));
  most.array() = pass::max(x);
  CHECK(sums.to_host() == std::vector<std::int64_t>{5, 8, 17, 18, 21});
  CHECK(sums.native_handle() == before);
  CHECK(order.to_host() == std::vector<std::int64_t>{3, 1, 4, 0, 2});
  CHECK(sorted.to_host() == std::vector<int>{1, 3, 3, 5, 9});
  CHECK(two.to_host() == std::vector<int>{10, 30, 30, 50, 90, 1, 3, 3, 5, 9});
  CHECK(most.get() == 9);
  order = pass::upper_bound(sorted, x);
  CHECK(order.to_host() == std::vector<std::int64_t>{4, 3, 5, 1, 3});
  auto rows = yoke::zeros<std::int64_t>({2}, on.stream);
  rows = pass::sum(two, yoke::along(1));
  CHECK(rows.to_host() == std::vector<std::int64_t>{210, 21});
  rows(1) = pass::sum(2 * x);
  CHECK(rows.to_host() == std::vector<std::int64_t>{210, 42});
  sorted = pass::inclusive_scan<"max(a, b)", "0">(x);
  CHECK(sorted.to_host() == std::vector<int>{5, 5, 9, 9, 9});
  sorted = pass::exclusive_scan<"a + b", "0">(sorted);  // reads what it writes
  CHECK(sorted.to_host() == std::vector<int>{0, 5, 10, 19, 28});
  yoke::selection<int> large{on.stream, 5};
  large.assign(pass::copy_if(x, x > 3));
  CHECK(large.to_host() == std::vector<int>{5, 9});
  yoke::parted<int> both{on.stream, 5};
  both.assign(pass::partition(x, x > 3));
  both.assign(pass::partition(both.elements(), x < 9));  // reads what it writes
  CHECK(both.to_host() == std::vector<int>{5, 9, 1, 3});
  CHECK(both.rest().to_host() == std::vector<int>{3});
  large.assign(pass::copy_if(both.elements(), x > 4));
  large.assign(pass::copy_if(large.elements()(yoke::slice(0, 2)), x(yoke::slice(0, 2)) > 4));  // the same, of a part
  CHECK(large.to_host() == std::vector<int>{5});
  const yoke::device_array scanned(pass::cumsum(x, yoke::along(0)));
  CHECK(scanned.to_host() == std::vector<std::int64_t>{5, 8, 17, 18, 21});
}

YOKE_ANY_DEVICE_TEST_CASE("recorded random numbers go on at each launch", "[algorithm][random][graph]") {
  recorded_rig on(device);
  auto x = yoke::zeros<float>({5}, on.stream);
  auto table = yoke::zeros<int>({3, 2}, on.stream);
  auto normal = yoke::zeros<float>({6}, on.stream);
  auto bits = yoke::zeros<std::uint64_t>({3}, on.stream);
  yoke::random_generator rng(7), again(7);
  yoke::graph_executable<> executable;
  {
    yoke::graph graph{on.context};
    auto record = graph.record();
    CHECK(rng.fill_uniform(x.bind(record), 1, 2));
    rng.fill_integers(table.transpose().bind(record), -3, 4);
    rng.fill_normal(normal(yoke::slice(1, yoke::none)).bind(record));
    rng.fill_bits(bits.bind(record));
    CHECK(rng.position() == 4);  // it splits one generator off for each
    executable = graph.instantiate();
  }
  auto uniform = again.split(), integers = again.split(), normals = again.split(), words = again.split();
  for (int times = 0; times < 3; ++times) {
    executable.launch(on.stream);
    CHECK(x.to_host() == uniform.uniform<float>({5}, on.stream, 1, 2).to_host());
    CHECK(table.transpose().to_host() == integers.integers<int>({2, 3}, on.stream, -3, 4).to_host());
    CHECK(normal(yoke::slice(1, yoke::none)).to_host() == normals.normal<float>({5}, on.stream).to_host());
    CHECK(bits.to_host() == words.bits<std::uint64_t>({3}, on.stream).to_host());
    uniform.skip(3);  // launches begin with a block of four numbers
    integers.skip(2);
    normals.skip(3);
    words.skip(1);
  }
}

YOKE_ANY_DEVICE_TEST_CASE("refusals of recorded algorithms name the cause and record nothing", "[algorithm][graph]") {
  recorded_rig on(device);
  auto x = yoke::to_device_array({5, 3, 9, 1}, on.stream);
  auto y = yoke::zeros<int>({4}, on.stream);
  auto three = yoke::zeros<int>({3}, on.stream);
  auto sums = yoke::zeros<std::int64_t>({3}, on.stream);
  auto none = yoke::zeros<int>({0}, on.stream);
  auto real = yoke::zeros<float>({4}, on.stream);
  yoke::selection<int> room{on.stream, 3};
  yoke::parted<int> both{on.stream, 5};
  yoke::graph graph{on.context};
  auto record = graph.record();
  const auto repeats = yoke::device_view<int, 2>(y.view().memory(), on.stream,
                                                 yoke::array_layout<2>(yoke::shape<2>(2, 4), {0, 4}, 0, sizeof(int)));
  CHECK_THROWS_WITH(sums.bind(record) = pass::cumsum(x),
                    ContainsSubstring("the result has the shape (4,), the destination (3,)"));
  CHECK_THROWS_WITH(three.bind(record) = pass::sorted(x), ContainsSubstring("(4,)") && ContainsSubstring("(3,)"));
  CHECK_THROWS_WITH(three.bind(record) = pass::argsort<int>(x), ContainsSubstring("(4,)"));
  CHECK_THROWS_WITH(three.bind(record) = pass::take(x, x), ContainsSubstring("(4,)"));
  CHECK_THROWS_WITH(y.bind(record) = pass::take(none, x), ContainsSubstring("4"));
  CHECK_THROWS_WITH(sums.bind(record) = pass::lower_bound(x, x), ContainsSubstring("(4,)"));
  CHECK_THROWS_WITH(sums.bind(record) = pass::bincount(x, 4), ContainsSubstring("(4,)"));
  CHECK_THROWS_WITH(sums.bind(record) = pass::cumsum(x, yoke::along(1)), ContainsSubstring("axis 1"));
  CHECK_THROWS_WITH(room.bind(record) = pass::copy_if(x, x > 3),
                    ContainsSubstring("room for 3") && ContainsSubstring("4 may be selected"));
  CHECK_THROWS_WITH(both.bind(record) = pass::partition(x, x > 3),
                    ContainsSubstring("room for 5") && ContainsSubstring("4 are parted"));
  CHECK_THROWS_WITH(yoke::sort(real.bind(record), {.first_bit = 3}), ContainsSubstring("first_bit = 3"));
  CHECK_THROWS_WITH(yoke::sort(repeats.bind(record)), ContainsSubstring("repeats elements"));
  CHECK_THROWS_WITH(yoke::sort_by_key(x.bind(record), three), ContainsSubstring("(3,)"));
  CHECK_THROWS_WITH(yoke::sort_by_key(x.bind(record), x), ContainsSubstring("share memory"));
  CHECK_THROWS_WITH(yoke::put(y.bind(record), x, three), ContainsSubstring("(3,)"));
  yoke::random_generator rng(7);
  CHECK_THROWS_AS(rng.fill_bits(repeats.bind(record)), yoke::logic_error);
  auto nothing = yoke::zeros<float>({0}, on.stream);
  rng.fill_uniform(nothing.bind(yoke::graph{on.context}.record()));  // draws nothing
  CHECK(rng.position() == 0);
  CHECK_THROWS_WITH(yoke::sort(none.bind(record), {.last_bit = 40}), ContainsSubstring("last_bit = 40"));
  CHECK_THROWS_WITH((three(yoke::slice(0, 0)).bind(record) = pass::argsort<int>(none + 1, {.last_bit = 40})),
                    ContainsSubstring("last_bit = 40"));
  CHECK_THROWS_WITH(rng.fill_uniform(real.bind(record), 2, 1), ContainsSubstring("low below high"));
  CHECK(graph.node_count() == 0);
  yoke::graph_recorder<> empty;
  CHECK_THROWS_AS(yoke::sort(x.bind(empty)), yoke::logic_error);
}

YOKE_DEVICE_TEST_CASE("a recorder takes algorithms over arrays of its own context", "[algorithm][graph]") {
  rig on(device);
  const auto other = Backend::another_context(on.device);
  const backend::stream stream(other);
  auto foreign = yoke::full(1, {4}, stream);
  auto x = yoke::full(1, {4}, on.stream);
  yoke::selection<int, port> chosen{stream, 4};
  yoke::graph graph{on.context};
  auto record = graph.record();
  const auto cause = ContainsSubstring("is of another context than the graph");
  CHECK_THROWS_WITH(x.bind(record) = pass::sorted(foreign), cause);
  CHECK_THROWS_WITH(x.bind(record) = pass::take(x, foreign), cause);
  CHECK_THROWS_WITH((x.bind(record) = pass::inclusive_scan<"max(a, b)", "0">(foreign)), cause);
  CHECK_THROWS_WITH(yoke::sort(foreign.bind(record)), cause);
  CHECK_THROWS_WITH(yoke::sort_by_key(x.bind(record), foreign), cause);
  CHECK_THROWS_WITH(yoke::put(foreign.bind(record), x, 1), cause);
  CHECK_THROWS_WITH(chosen.bind(record) = pass::copy_if(x, x > 0), cause);
  CHECK(graph.node_count() == 0);
}

YOKE_ANY_DEVICE_TEST_CASE("algorithms over arrays of nothing make nodes of nothing", "[algorithm][graph]") {
  recorded_rig on(device);
  auto none = yoke::zeros<int>({0}, on.stream);
  auto places = yoke::zeros<std::int64_t>({0}, on.stream);
  auto counts = yoke::full<std::int64_t>(7, {3}, on.stream);
  auto one = yoke::full<int>(7, {1}, on.stream);
  yoke::selection<int> chosen{on.stream, 0};
  yoke::graph graph{on.context};
  auto record = graph.record();
  none.bind(record) = pass::sorted(none);
  places.bind(record) = pass::argsort(none);
  places.bind(record) = pass::cumsum(none);
  none.bind(record) = pass::take(one, none);
  places.bind(record) = pass::lower_bound(one, none);
  yoke::sort(none.bind(record));
  yoke::sort(one.bind(record));
  yoke::sort_by_key(none.bind(record), places);
  yoke::put(one.bind(record), none, none);
  chosen.bind(record) = pass::copy_if(none, none > 3);
  counts.bind(record) = pass::bincount(none, 3);
  yoke::random_generator rng(7);
  rng.fill_bits(none.bind(record));
  graph.instantiate().launch(on.stream);
  CHECK(counts.to_host() == std::vector<std::int64_t>(3, 0));
  CHECK(one.to_host() == std::vector<int>{7});
  CHECK(chosen.size() == 0);
}

YOKE_ANY_DEVICE_TEST_CASE("a graph draws, sorts and selects until it has enough", "[algorithm][random][graph]") {
  recorded_rig on(device);
  if (lacks_conditions(device)) YOKE_SKIP("this driver has no such conditional nodes");
  // The area of a quarter of a circle, until its error is small: 4096 points in each round.
  constexpr int points = 4096;
  auto x = yoke::zeros<float>({points}, on.stream);
  auto y = yoke::zeros<float>({points}, on.stream);
  yoke::selection<float> inside{on.stream, points};
  yoke::device_value<std::int64_t> hits(on.stream, 0), all(on.stream, 0);
  yoke::device_value<float> median(on.stream, 0.0F);
  yoke::device_value<int> go_on(on.stream, 0);
  yoke::random_generator rng(7);
  yoke::graph graph{on.context};
  auto record = graph.record();
  hits.bind(record) = 0;
  all.bind(record) = 0;
  go_on.bind(record) = 1;
  record.repeat_while(go_on, [&](auto& line) {
    rng.fill_uniform(x.bind(line));
    rng.fill_uniform(y.bind(line));
    inside.bind(line) = pass::copy_if(x, x * x + y * y < 1.0F);
    hits.bind(line) += inside.count().array();
    all.bind(line) += points;
    go_on.bind(line) = yoke::cast<int>(all.array() < std::int64_t{10} * points);
  });
  yoke::sort(x.bind(record));
  median.bind(record) = x(points / 2);
  graph.instantiate().launch(on.stream);
  CHECK(all.get() == std::int64_t{10} * points);
  const double area = static_cast<double>(hits.get()) / static_cast<double>(all.get());
  CHECK(std::abs(area - 0.7853981633974483) < 0.01);
  CHECK(std::abs(median.get() - 0.5F) < 0.05F);
}
