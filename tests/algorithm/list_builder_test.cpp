// SPDX-License-Identifier: MIT
// Lists: built by a text that runs twice, and values grouped by their keys.
#include <algorithm/sort_model.hpp>
#include <support/sample.hpp>

#include <array>
#include <thread>
#include <vector>

using namespace yoke_test;
using namespace yoke_test::arrays;
using namespace yoke_test::sorting;

namespace {

/// Returns: the elements of all lists.
template <class T>
std::vector<T> flat(const std::vector<std::vector<T>>& lists) {
  std::vector<T> all;
  for (const auto& each : lists) all.insert(all.end(), each.begin(), each.end());
  return all;
}

}  // namespace

YOKE_ANY_DEVICE_TEST_CASE("a list builder appends to several lists", "[algorithm]") {
  if (!takes(device, "opencl")) return;
  sort_rig state(device);
  const yoke::list_builder<void(const int*, int),
                           std::tuple<yoke::named_list<"below", std::int32_t>, yoke::named_list<"halves", float>,
                                      yoke::named_list<"none", double>>>
      builder(state.context, {"x", "least"},
              {.body = "if (x[i] < least) return;\n"
                       "for (int k = 0; k < x[i]; ++k) append_below(k + start(i));\n"
                       "if (x[i] % 2 == 0) append_halves(x[i] / 2.0f)",
               .preamble = "int start(yoke_int64 i) { return 100 * (int)i; }"});
  for (const std::size_t size : std::initializer_list<std::size_t>{1, 5, 3000}) {
    INFO(size);
    std::vector<int> host(size);
    for (std::size_t i = 0; i < size; ++i) host[i] = static_cast<int>(i * 7 % 5);
    const auto x = yoke::to_device_array(host, state.stream);
    auto made = builder(size, x, 1);
    std::vector<std::vector<std::int32_t>> below(size);
    std::vector<std::vector<float>> halves(size);
    for (std::size_t i = 0; i < size; ++i) {
      if (host[i] < 1) continue;
      for (int k = 0; k < host[i]; ++k) below[i].push_back(k + 100 * static_cast<int>(i));
      if (host[i] % 2 == 0) halves[i].push_back(static_cast<float>(host[i]) / 2);
    }
    CHECK(made.get<"below">().to_host() == below);
    CHECK(made.get<"below">().elements().to_host() == flat(below));
    CHECK(made.get<"halves">().to_host() == halves);
    CHECK(made.get<"halves">().size() == size);
    CHECK(made.get<"none">().elements().size() == 0);
    CHECK(made.get<"none">().starts().to_host() == std::vector<std::int64_t>(size + 1));
    // Without those that have no elements.
    const auto [kept, indices] = std::move(made).get<"halves">().without_empty();
    std::vector<std::int64_t> expected;
    std::vector<std::vector<float>> left;
    for (std::size_t i = 0; i < size; ++i) {
      if (halves[i].empty()) continue;
      expected.push_back(static_cast<std::int64_t>(i));
      left.push_back(halves[i]);
    }
    CHECK(indices.to_host() == expected);
    CHECK(kept.to_host() == left);
  }
  // Fewer objects than elements, none, and a part of an array.
  const auto x = yoke::to_device_array(std::vector<int>{9, 2, 3, 9}, state.stream);
  auto made = builder(2, x(yoke::slice(1, 3)), 0);
  CHECK(made.get<"below">().to_host() == std::vector<std::vector<std::int32_t>>{{0, 1}, {100, 101, 102}});
  CHECK(builder(0, x, 0).get<"below">().size() == 0);
  CHECK_THAT(refusal<yoke::logic_error>(yoke::errc::out_of_range, [&] { (void)builder(-1, x, 0); }),
             Catch::Matchers::ContainsSubstring("count = -1 of lists is not between 0 and 2^62"));
  CHECK_THROWS_AS(builder(2, x(yoke::reversed), 0), yoke::logic_error);
}

YOKE_ANY_DEVICE_TEST_CASE("lists that are counted as another one have as many elements", "[algorithm]") {
  if (!takes(device, "cuda")) return;
  sort_rig state(device);
  using near = yoke::named_list<"near", std::int32_t>;
  // What is counted as another stands before and behind it; a second list has counts of its own.
  const yoke::list_builder<void(const int*), std::tuple<yoke::named_list<"apart", double, "near">, near,
                                                        yoke::named_list<"low", std::int16_t>,
                                                        yoke::named_list<"twice", std::int64_t, "near">>>
      builder(state.context, {"x"},
              {.body = "for (int k = 0; k < x[i]; ++k) { append_near(k); append_apart(k + 0.5); "
                       "append_twice(2 * k); }\nif (x[i] < 2) append_low(-x[i])"});
  std::vector<int> host(700);
  for (std::size_t i = 0; i < host.size(); ++i) host[i] = static_cast<int>(i * 7 % 5);
  const auto x = yoke::to_device_array(host, state.stream);
  const auto made = builder(host.size(), x);
  const auto found = made.get<"near">().to_host();
  const auto apart = made.get<"apart">().to_host();
  const auto twice = made.get<"twice">().to_host();
  const auto low = made.get<"low">().to_host();
  for (std::size_t i = 0; i < host.size(); ++i) {
    const auto count = static_cast<std::size_t>(host[i]);
    REQUIRE((found[i].size() == count && apart[i].size() == count && twice[i].size() == count));
    for (std::size_t k = 0; k < count; ++k) {
      const auto number = static_cast<int>(k);
      REQUIRE((found[i][k] == number && apart[i][k] == number + 0.5 && twice[i][k] == 2 * number));
    }
    REQUIRE(low[i] == (host[i] < 2 ? std::vector<std::int16_t>{static_cast<std::int16_t>(-host[i])}
                                   : std::vector<std::int16_t>{}));
  }
  CHECK(made.get<"apart">().starts().to_host() == made.get<"near">().starts().to_host());
  CHECK(builder(0, x).get<"twice">().size() == 0);
}

YOKE_ANY_DEVICE_TEST_CASE("a list that gets more elements than what it is counted as loses them", "[algorithm]") {
  if (!takes(device, "opencl")) return;
  any_rig state(device);
  const yoke::list_builder<void(const int*), std::tuple<yoke::named_list<"a", int>, yoke::named_list<"b", int, "a">>>
      builder(state.context, {"x"}, {.body = "append_a(1); append_b(x[i]); append_b(8)"});
  const auto made = builder(2, yoke::to_device_array({4, 5}, state.stream));
  CHECK(made.get<"b">().to_host() == std::vector<std::vector<int>>{{4}, {5}});
}

YOKE_DEVICE_TEST_CASE("a list builder of a backend's own types makes lists of structs", "[algorithm]") {
  if (device.backend_name() != std::string_view("cuda") && has_devices_of("cuda") && !runs_whole()) return;
  rig state(device);
  const yoke::list_builder<void(const float*), std::tuple<yoke::named_list<"pairs", yoke::float2>>, port> builder(
      state.context, {"x"}, {.body = "for (int k = 0; k < (int)i; ++k) append_pairs(make_float2(x[k], x[i]))"});
  const auto x = yoke::to_device_array(std::vector<float>{5, 6, 7}, state.stream);
  const auto made = builder(3, x);
  const auto host = made.template get<"pairs">().to_host();
  REQUIRE(host.size() == 3);
  CHECK(host[0].empty());
  REQUIRE(host[2].size() == 2);
  CHECK((host[2][1].x == 6 && host[2][1].y == 7));
}

YOKE_ANY_DEVICE_TEST_CASE("a list builder refuses names and texts that do not fit", "[algorithm]") {
  any_rig state(device);
  using builder = yoke::list_builder<void(const int*), std::tuple<yoke::named_list<"a", int>>>;
  const auto check = [&](const char* message, std::initializer_list<std::string_view> names,
                         const yoke::list_text& of) {
    CHECK_THAT(refusal<yoke::logic_error>(yoke::errc::invalid_argument, [&] { builder(state.context, names, of); }),
               Catch::Matchers::ContainsSubstring(message));
  };
  check("a list builder with 1 parameters has 2 names", {"x", "y"}, {.body = "append_a(1)"});
  check("name 1 of a list builder, \"1\", is no identifier", {"1"}, {.body = "append_a(1)"});
  check("the body of a list builder is empty", {"x"}, {});
  try {
    builder(state.context, {"x"}, {.body = "append_b(1)"});
    FAIL("a list that does not exist");
  } catch (const yoke::compile_error& e) {
    CHECK_THAT(e.what(), Catch::Matchers::ContainsSubstring("append_b"));
  }
}

YOKE_ANY_DEVICE_TEST_CASE("a list builder drops what its text appends the second time alone", "[algorithm]") {
  if (!takes(device, "opencl")) return;
  any_rig state(device);
  const yoke::list_builder<void(int*), std::tuple<yoke::named_list<"a", int>>> builder(state.context, {"runs"},
                                                                                       {.body = R"(
  if (i == 0) {
    for (int k = 0; k < runs[0]; ++k) append_a(k);
    runs[0] += 2;
  } else {
    append_a(7);
  })"});
  auto runs = yoke::ones<int>({1}, state.stream);
  auto made = builder(2, runs);
  CHECK(made.get<"a">().to_host() == std::vector<std::vector<int>>{{0}, {7}});
  const auto moved = std::move(made.get<"a">());
  CHECK(moved.size() == 2);
  CHECK(made.get<"a">().size() == 0);  // NOLINT: what was moved from says so
}

YOKE_ANY_DEVICE_TEST_CASE("groups values by their keys", "[algorithm]") {
  if (!takes(device, "cuda")) return;
  sort_rig state(device);
  for (const std::size_t size : std::initializer_list<std::size_t>{0, 1, 500, 20'000}) {
    INFO(size);
    const std::size_t count = 100;
    std::vector<std::int32_t> keys(size);
    std::vector<float> values(size);
    std::vector<std::vector<float>> expected(count);
    for (std::size_t i = 0; i < size; ++i) {
      keys[i] = static_cast<std::int32_t>(i * i % 103) - 2;  // some are in no list
      values[i] = static_cast<float>(i);
      if (keys[i] >= 0 && keys[i] < 100) expected[static_cast<std::size_t>(keys[i])].push_back(values[i]);
    }
    const auto k = yoke::to_device_array(keys, state.stream);
    const auto v = yoke::to_device_array(values, state.stream);
    const auto made = yoke::group_by_key(k, v, count);
    CHECK(made.size() == count);
    CHECK(made.to_host() == expected);
    // Each list stands between two starts; values of no list stand before and behind them.
    const std::vector<float> all = made.elements().to_host();
    const std::vector<std::int64_t> starts = made.starts().to_host();
    REQUIRE(starts.size() == count + 1);
    CHECK(std::vector<float>(all.begin() + starts.front(), all.begin() + starts.back()) == flat(expected));
    for (std::size_t list = 0; list < count; ++list) {
      REQUIRE(starts[list + 1] - starts[list] == static_cast<std::int64_t>(expected[list].size()));
    }
    CHECK(k.to_host() == keys);
    CHECK(v.to_host() == values);
  }
  const auto large = yoke::to_device_array(std::vector<std::uint64_t>{~std::uint64_t{0}, 1, 0, 1}, state.stream);
  const auto v = yoke::arange<int>(4, state.stream);
  CHECK(yoke::group_by_key(large, v, 2).to_host() == std::vector<std::vector<int>>{{2}, {1, 3}});
  CHECK(yoke::group_by_key(large, v, 0).size() == 0);
  CHECK_THAT(refusal<yoke::logic_error>(yoke::errc::out_of_range, [&] { (void)yoke::group_by_key(large, v, -5); }),
             Catch::Matchers::ContainsSubstring("count = -5 of lists is not between 0 and 2^62"));
  CHECK_THROWS_AS(yoke::group_by_key(large, v, ~std::size_t{0}), yoke::logic_error);
  CHECK_THAT(
      refusal<yoke::logic_error>(yoke::errc::size_mismatch,
                                 [&] { (void)yoke::group_by_key(large, yoke::zeros<int>({3}, state.stream), 2); }),
      Catch::Matchers::ContainsSubstring("the values have shape (3,), the keys (4,)"));
}

YOKE_ANY_DEVICE_TEST_CASE("threads sort, select and build lists at once in one context", "[algorithm]") {
  // Nothing is compiled yet: the threads need the same kernels.
  sort_rig state(device);
  const yoke::list_builder<void(const int*), std::tuple<yoke::named_list<"below", std::int32_t>>> builder(
      state.context, {"x"}, {.body = "for (int k = 0; k < x[i]; ++k) append_below(k)"});
  std::array<bool, 4> right{};
  {
    std::vector<std::jthread> threads;
    for (std::size_t own = 0; own < right.size(); ++own) {
      threads.emplace_back([&, own] {
        const yoke::stream<> stream(state.context);
        std::vector<std::uint32_t> host(4000);
        for (std::size_t i = 0; i < host.size(); ++i) host[i] = static_cast<std::uint32_t>(i * (2 * own + 3) % 251);
        auto sorted = host;
        std::sort(sorted.begin(), sorted.end());
        bool fine = true;
        for (int round = 0; round < 3; ++round) {
          auto keys = yoke::to_device_array(host, stream);
          const auto places = yoke::argsort<std::int32_t>(keys).to_host();
          const auto large = yoke::copy_if(keys, keys > 249U);
          const auto groups = yoke::group_by_key(keys, keys, 5);
          yoke::sort(keys, {.last_bit = 8});
          const auto values = yoke::unique(keys);
          const auto lists = builder(3, yoke::arange<int>(3, stream));
          fine = fine && keys.to_host() == sorted && host[static_cast<std::size_t>(places[0])] == 0;
          fine = fine && values.size() == 251 && groups.size() == 5 &&
                 large.size() == static_cast<std::size_t>(std::count(host.begin(), host.end(), 250U)) &&
                 lists.template get<"below">().to_host() == std::vector<std::vector<std::int32_t>>{{}, {0}, {0, 1}};
        }
        right[own] = fine;
      });
    }
  }
  CHECK(right == std::array{true, true, true, true});
}
