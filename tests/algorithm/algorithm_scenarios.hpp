// SPDX-License-Identifier: MIT
// What loops over failing calls and allocations do with sorts, selections and lists.
#ifndef YOKE_TESTS_ALGORITHM_ALGORITHM_SCENARIOS_HPP
#define YOKE_TESTS_ALGORITHM_ALGORITHM_SCENARIOS_HPP

#include <support/rig.hpp>
#include <yoke/algorithm.hpp>
#include <yoke/array.hpp>
#include <yoke/cache.hpp>

#include <optional>
#include <stdexcept>
#include <string>
#include <tuple>
#include <type_traits>
#include <vector>

namespace yoke_test::algorithm_scenarios {

template <class Port>
using builder =
    yoke::list_builder<void(const int*),
                       std::tuple<yoke::named_list<"below", std::int32_t>, yoke::named_list<"halves", float>>, Port>;

/// A context whose arrays take compiled programs from a cache.
template <class Port>
struct kept {
  kept(const yoke::device<Port>& on, const yoke::program_cache& programs)
      : context(on), stream(context), memory(yoke::to_device(counting(60), stream)) {
    yoke::use_array_programs(context, programs);
  }
  yoke::context<Port> context;
  yoke::stream<Port> stream;
  yoke::device_allocation<int, Port> memory;
  std::optional<builder<Port>> lists{};
};

/// Effects: throws what no loop takes for a fault unless `right`.
inline void expect(bool right, const char* of) {
  if (!right) throw std::runtime_error(std::string("wrong ") + of);
}

/// Returns: 0 to `period - 1`, again and again.
template <class T>
std::vector<T> repeated(std::size_t size, std::size_t period) {
  std::vector<T> values(size);
  for (std::size_t i = 0; i < size; ++i) values[i] = static_cast<T>(i % period);
  return values;
}

/// More elements of 8 bytes than one tile has, which is larger on processors.
template <class Port>
inline constexpr std::size_t several_tiles = std::is_same_v<Port, yoke::opencl::port> ? 17'000 : 3200;

template <class Port>
void sort(kept<Port>& state) {
  constexpr std::size_t size = several_tiles<Port>;
  auto keys = yoke::to_device_array(repeated<std::uint64_t>(size, 200), state.stream);
  yoke::sort(keys, {.descending = true, .last_bit = 8});
  const auto most = keys(0).value();
  const auto least = keys(-1).value();
  expect(most == 199 && least == 0, "order");
  const auto rows = yoke::sorted(keys(yoke::slice(0, 600)).reshape({3, 200}), {.last_bit = 8});
  const auto first = rows(0, 0).value();
  expect(first == 199 - 199 / (size / 200), "rows");
}

template <class Port>
void argsort(kept<Port>& state) {
  constexpr std::size_t size = several_tiles<Port>;
  const auto keys = yoke::to_device_array(repeated<std::uint64_t>(size, 200), state.stream);
  const auto places = yoke::argsort<std::int32_t>(keys, {.last_bit = 8});
  const int second = places(1).value();
  const int last = places(-1).value();
  expect(second == 200 && last == static_cast<int>(size) - 1, "places");
}

template <class Port>
void sort_by_key(kept<Port>& state) {
  constexpr std::size_t size = several_tiles<Port>;
  auto keys = yoke::to_device_array(repeated<std::uint64_t>(size, 200), state.stream);
  auto values = yoke::arange<std::int32_t>(size, state.stream);
  yoke::sort_by_key(keys, values, {.last_bit = 8});
  const int second = values(1).value();
  expect(second == 200, "values");
  // Large values move once, by their places; those with gaps go through a copy.
  auto few = yoke::to_device_array(counting(6), state.stream);
  auto large = yoke::to_device_array(std::vector<yoke::float4>(12, yoke::float4{1, 2, 3, 4}), state.stream);
  large(10) = yoke::float4{5, 6, 7, 8};
  yoke::sort_by_key(few, large(yoke::slice(yoke::none, yoke::none, 2)), {.descending = true, .last_bit = 8});
  const yoke::float4 moved = large(0).value();
  expect(moved.x == 5, "large values");
}

template <class Port>
void top(kept<Port>& state) {
  constexpr std::size_t size = several_tiles<Port>;
  const auto a = yoke::to_device_array(repeated<std::uint64_t>(size, 200), state.stream);
  const auto [values, indices] = yoke::top_k(a, 2);
  const auto second = values(1).value();
  const auto place = indices(1).value();
  expect(second == 199 && place == 399, "greatest elements");
}

template <class Port>
void select(kept<Port>& state) {
  const auto a = yoke::to_device_array(repeated<std::int32_t>(5400, 3), state.stream);
  const auto found = yoke::copy_if(a, a == 2);
  expect(found.size() == 1800, "selection");
  const auto left = yoke::remove_if(a, a == 2).to_host();
  expect(left.size() == 3600 && left[2] == 0, "rest");
  auto both = yoke::partition(a, a == 2);
  const int behind = both.rest()(1).value();
  expect(behind == 1, "parts");
}

template <class Port>
void unique(kept<Port>& state) {
  const auto a = yoke::to_device_array(repeated<std::int32_t>(5200, 2), state.stream);
  expect(yoke::unique(a).to_host().size() == 5200, "changes");
  const auto places = yoke::indices_where(a == 1).to_host();
  expect(places.size() == 2600 && places[1] == 3, "indices");
}

template <class Port>
void group(kept<Port>& state) {
  const auto keys = yoke::to_device_array(repeated<std::int32_t>(600, 7), state.stream);
  const auto values = yoke::arange<std::int32_t>(600, state.stream);
  const auto made = yoke::group_by_key(keys, values, 5).to_host();
  expect(made.size() == 5 && made[4].size() == 86 && made[4][1] == 11, "groups");
}

template <class Port>
void build_lists(kept<Port>& state) {
  if (!state.lists) {
    state.lists.emplace(state.context, std::initializer_list<std::string_view>{"x"},
                        yoke::list_text{.body = "for (int k = 0; k < x[i]; ++k) append_below(k);\n"
                                                "if (x[i] % 2 == 0) append_halves(x[i] / 2.0f)"});
  }
  const auto x = yoke::to_device_array(repeated<std::int32_t>(60, 6), state.stream);
  auto made = (*state.lists)(60, x);
  const auto below = made.template get<"below">().to_host();
  expect(below.size() == 60 && below[11].size() == 5, "lists");
  const auto [some, indices] = std::move(made).template get<"halves">().without_empty();
  const int second = static_cast<int>(indices(1).value());
  expect(some.size() == 30 && second == 2, "lists that have elements");
}

template <class Port>
void index(kept<Port>& state) {
  auto a = yoke::arange<float>(40, state.stream);
  const auto at = yoke::to_device_array(repeated<std::int32_t>(20, 7), state.stream);
  const auto taken = yoke::take(a, at + 1).to_host();
  expect(taken.size() == 20 && taken[8] == 2, "taken elements");
  yoke::put(a, at, -1);
  const float last = a(6).value();
  expect(last == -1, "put elements");
  yoke::put(a(yoke::slice(yoke::none, yoke::none, 2)), at, a(yoke::slice(20, yoke::none)));
  const float second = a(2).value();
  expect(second >= 20, "elements that are put with gaps");
  const auto [some, same] = yoke::multi_take(std::tie(a, at), at);
  const float seventh = some(8).value();
  const int eighth = same(8).value();
  expect(seventh == a(1).value() && eighth == 1, "elements taken from two arrays");
  yoke::multi_put(std::tie(a), at, std::tuple{-3});
  const float next = a(5).value();
  expect(next == -3, "elements put by one launch");
  const auto joined = yoke::concatenate(a(yoke::slice(0, 7)), at).to_host();
  expect(joined.size() == 27 && joined[8] == 1, "joined arrays");
  const auto places = yoke::upper_bound(at(yoke::slice(0, 7)), at).to_host();
  expect(places[8] == 2, "places");
}

template <class Port>
void count(kept<Port>& state) {
  const auto a = yoke::to_device_array(repeated<std::int32_t>(600, 7), state.stream);
  const auto counts = yoke::bincount(a, 5).to_host();
  expect(counts.size() == 5 && counts[4] == 86, "counts");
  const auto intervals = yoke::histogram(yoke::cast<float>(a), 3, 0, 6).to_host();
  expect(intervals[0] == 172, "histogram");
}

template <class Port>
void reduce(kept<Port>& state) {
  auto keys = yoke::to_device_array(repeated<std::int32_t>(600, 7), state.stream);
  auto values = yoke::arange<std::int32_t>(600, state.stream);
  const auto order = yoke::argsort_by<std::int32_t>(keys, values);
  const int second = order(1).value();
  expect(second == 7, "order by two keys");
  yoke::sort_by_key(keys, values, {.last_bit = 8});
  const auto made = yoke::reduce_by_key<"max(a, b)", "0">(keys, values);
  const auto highest = made.values.to_host();
  expect(highest.size() == 7 && highest[0] == 595, "values of equal keys");
}

/// Effects: calls `run(name, setup, act)` for each scenario. Programs are compiled once; `setup(device)` loads them.
template <class Port, class Run>
void each_scenario(const Run& go) {
  const yoke::program_cache in_memory{{}, {}};
  const auto run = [&](const char* name, auto act) {
    const auto setup = [&](const yoke::device<Port>& on) {
      kept<Port> state(on, in_memory);
      act(state);
      return state;
    };
    go(name, setup, act);
  };
  run("sorts", [](auto& state) { sort(state); });
  run("argsort", [](auto& state) { argsort(state); });
  run("sorts by key", [](auto& state) { sort_by_key(state); });
  run("greatest elements", [](auto& state) { top(state); });
  run("selections", [](auto& state) { select(state); });
  run("changes and indices", [](auto& state) { unique(state); });
  run("groups", [](auto& state) { group(state); });
  run("lists that are built", [](auto& state) { build_lists(state); });
  run("elements by their indices", [](auto& state) { index(state); });
  run("counts", [](auto& state) { count(state); });
  run("orders and reductions by keys", [](auto& state) { reduce(state); });
}

}  // namespace yoke_test::algorithm_scenarios

#endif
