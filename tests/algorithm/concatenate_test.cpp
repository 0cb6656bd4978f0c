// SPDX-License-Identifier: MIT
// Arrays that are joined along an axis or stacked along a new one, and differences of neighbours.
#include <algorithm/sort_model.hpp>
#include <array/reduction/recorded_rig.hpp>
#include <support/sample.hpp>

#include <cstdint>
#include <utility>
#include <vector>

using namespace yoke_test;
using namespace yoke_test::arrays;
using namespace yoke_test::sorting;
using Catch::Matchers::ContainsSubstring;
namespace pass = yoke::pass;

namespace {

struct point {
  float x, y, z;
};

/// Counts words by 64 bits while it lives.
struct wide_words {
  wide_words() { yoke::detail::narrow_limit() = 0; }
  ~wide_words() { yoke::detail::narrow_limit() = before; }
  wide_words(const wide_words&) = delete;
  wide_words& operator=(const wide_words&) = delete;
  std::int64_t before = yoke::detail::narrow_limit();
};

}  // namespace

YOKE_ANY_DEVICE_TEST_CASE("arrays are joined along any of their axes", "[algorithm]") {
  sort_rig state(device);
  const auto a = yoke::arange<int>(6, state.stream).reshape({2, 3});
  const yoke::device_array b(a + 10);
  using list = std::vector<int>;
  const auto below = yoke::concatenate(a, b);
  CHECK(below.shape() == yoke::shape<2>{4, 3});
  CHECK(below.to_host() == list{0, 1, 2, 3, 4, 5, 10, 11, 12, 13, 14, 15});
  const auto beside = yoke::concatenate(yoke::along(-1), a, b, a(yoke::whole, yoke::slice(2, 3)));
  CHECK(beside.shape() == yoke::shape<2>{2, 7});
  CHECK(beside.to_host() == list{0, 1, 2, 10, 11, 12, 2, 3, 4, 5, 13, 14, 15, 5});
  CHECK(yoke::hstack(a, b).to_host() == list{0, 1, 2, 10, 11, 12, 3, 4, 5, 13, 14, 15});
  CHECK(yoke::hstack(a(0), b(1)).to_host() == list{0, 1, 2, 13, 14, 15});
  {
    const wide_words by_64_bits;
    CHECK(yoke::hstack(a, b).to_host() == list{0, 1, 2, 10, 11, 12, 3, 4, 5, 13, 14, 15});
  }
  // Of three axes, along the middle one; views backwards and transposed are copied first.
  const auto cube = yoke::arange<int>(12, state.stream).reshape({2, 2, 3});
  const auto thick = yoke::concatenate(yoke::along(1), cube, cube(yoke::whole, yoke::slice(0, 1), yoke::reversed));
  CHECK(thick.shape() == yoke::shape<3>{2, 3, 3});
  CHECK(thick.to_host() == list{0, 1, 2, 3, 4, 5, 2, 1, 0, 6, 7, 8, 9, 10, 11, 8, 7, 6});
  CHECK(yoke::concatenate(a.transpose(), a.transpose()).to_host() == list{0, 3, 1, 4, 2, 5, 0, 3, 1, 4, 2, 5});
  // Empty ones, one alone, more than one launch takes.
  const auto none = a(yoke::slice(0, 0));
  CHECK(yoke::concatenate(none, a, none).to_host() == a.to_host());
  CHECK(yoke::concatenate(none, none).shape() == yoke::shape<2>{0, 3});
  CHECK(yoke::concatenate(a).to_host() == a.to_host());
  CHECK(yoke::concatenate(yoke::along(1), a, a, a, a, a, a, a, a, b, b)(1).to_host() ==
        list{3, 4, 5, 3, 4, 5, 3, 4, 5, 3, 4, 5, 3, 4, 5, 3, 4, 5, 3, 4, 5, 3, 4, 5, 13, 14, 15, 13, 14, 15});
}

YOKE_ANY_DEVICE_TEST_CASE("arrays are stacked along a new axis", "[algorithm]") {
  sort_rig state(device);
  const auto a = yoke::arange<int>(3, state.stream);
  using list = std::vector<int>;
  const auto rows = yoke::stack(a, a + 10);
  CHECK(rows.shape() == yoke::shape<2>{2, 3});
  CHECK(rows.to_host() == list{0, 1, 2, 10, 11, 12});
  const auto columns = yoke::stack(yoke::along(-1), a, a + 10);
  CHECK(columns.shape() == yoke::shape<2>{3, 2});
  CHECK(columns.to_host() == list{0, 10, 1, 11, 2, 12});
  const auto middle = yoke::stack(yoke::along(1), rows, rows + 100);
  CHECK(middle.shape() == yoke::shape<3>{2, 2, 3});
  CHECK(middle.to_host() == list{0, 1, 2, 100, 101, 102, 10, 11, 12, 110, 111, 112});
  CHECK(yoke::stack(yoke::sum(a), yoke::max(a + std::int64_t{0})).to_host() == std::vector<std::int64_t>{3, 2});
}

YOKE_ANY_DEVICE_TEST_CASE("elements of every size and of several types are joined", "[algorithm]") {
  sort_rig state(device);
  const auto check = [&]<class T>(std::type_identity<T>) {
    const auto host = random_bits<T>(7);
    const auto a = yoke::to_device_array(host, state.stream);
    std::vector<T> expected = host;
    expected.insert(expected.end(), host.begin() + 1, host.end());
    const auto made = yoke::concatenate(a, a(yoke::slice(1, yoke::none))).to_host();
    REQUIRE(made.size() == expected.size());
    CHECK(std::memcmp(made.data(), expected.data(), made.size() * sizeof(T)) == 0);
  };
  check(std::type_identity<std::uint8_t>{});
  check(std::type_identity<std::int16_t>{});
  check(std::type_identity<double>{});
  check(std::type_identity<point>{});
  const auto whole = yoke::arange<int>(2, state.stream);
  const auto real = yoke::to_device_array({0.5F, 1.5F}, state.stream);
  const auto both = yoke::concatenate(whole, real);
  static_assert(std::is_same_v<decltype(both)::value_type, float>);
  CHECK(both.to_host() == std::vector<float>{0, 1, 0.5F, 1.5F});
}

YOKE_ANY_DEVICE_TEST_CASE("a range of arrays is joined, and up to eight by one launch", "[algorithm]") {
  counting_rig state(device);
  const auto a = yoke::arange<int>(24, state.stream);
  const auto pieces = a.chunks(3);
  REQUIRE(pieces.size() == 8);
  CHECK(yoke::concatenate(pieces).to_host() == a.to_host());
  const auto made = yoke::stack(yoke::along(1), pieces);
  CHECK(made.shape() == yoke::shape<2>{3, 8});
  CHECK(made(1).to_host() == std::vector<int>{1, 4, 7, 10, 13, 16, 19, 22});
  auto to = yoke::zeros<int>({24}, state.stream);
  std::size_t mark = state.mark();
  to = pass::concatenate(pieces);
  CHECK(state.enqueued(mark) == 1);
  auto table = yoke::zeros<int>({2, 6}, state.stream);
  table = pass::hstack(a(yoke::slice(0, 6)).reshape({2, 3}), a(yoke::slice(0, 6)).reshape({2, 3}));
  mark = state.mark();
  table = pass::hstack(a(yoke::slice(6, 12)).reshape({2, 3}), a(yoke::slice(0, 6)).reshape({2, 3}));
  CHECK(state.enqueued(mark) == 1);
  CHECK(table.to_host() == std::vector<int>{6, 7, 8, 0, 1, 2, 9, 10, 11, 3, 4, 5});
  CHECK(yoke::concatenate(std::vector{a(yoke::slice(0, 1)), a(yoke::slice(7, 9))}).to_host() ==
        std::vector<int>{0, 7, 8});
}

YOKE_ANY_DEVICE_TEST_CASE("joined arrays are written to elements that exist, also to their own", "[algorithm][graph]") {
  recorded_rig on(device);
  auto a = yoke::arange<int>(6, on.stream);
  a = pass::concatenate(a(yoke::slice(3, yoke::none)), a(yoke::slice(0, 3)));  // reads what it writes
  CHECK(a.to_host() == std::vector<int>{3, 4, 5, 0, 1, 2});
  auto to = yoke::zeros<int>({2, 12}, on.stream);
  to(yoke::whole, yoke::slice(0, yoke::none, 2)) = pass::stack(a, a + 10);  // with gaps
  CHECK(to.to_host() == std::vector<int>{3, 0, 4, 0, 5, 0, 0, 0, 1, 0, 2, 0, 13, 0, 14, 0, 15, 0, 10, 0, 11, 0, 12, 0});
  auto later = yoke::zeros<int>({7}, on.stream);
  yoke::graph_executable<> executable;
  {
    yoke::graph graph{on.context};
    auto record = graph.record();
    later.bind(record) = pass::concatenate(a, 2 * a(yoke::slice(0, 1)));
    executable = graph.instantiate();
  }
  a = yoke::arange<int>(1, 7, 1, on.stream).view();
  executable.launch(on.stream);
  CHECK(later.to_host() == std::vector<int>{1, 2, 3, 4, 5, 6, 2});
}

YOKE_ANY_DEVICE_TEST_CASE("joins that cannot be name both shapes", "[algorithm]") {
  sort_rig state(device);
  const auto a = yoke::zeros<int>({2, 3}, state.stream);
  const auto b = yoke::zeros<int>({2, 4}, state.stream);
  CHECK_THAT(refusal<yoke::logic_error>(yoke::errc::size_mismatch, [&] { (void)yoke::concatenate(a, b); }),
             ContainsSubstring("cannot join (2, 3) with (2, 4) along axis 0: axis 1"));
  CHECK_THAT(refusal<yoke::logic_error>(yoke::errc::size_mismatch, [&] { (void)yoke::stack(a, b); }),
             ContainsSubstring("cannot join (2, 3) with (2, 4) along a new axis: axis 1"));
  CHECK_THROWS_AS(yoke::concatenate(yoke::along(2), a, a), yoke::logic_error);
  CHECK(yoke::stack(yoke::along(2), a, a).shape() == yoke::shape<3>{2, 3, 2});
  CHECK_THROWS_AS(yoke::stack(yoke::along(3), a, a), yoke::logic_error);
  CHECK_THAT(refusal<yoke::logic_error>(yoke::errc::invalid_argument,
                                        [&] { (void)yoke::concatenate(std::vector<yoke::device_view<int, 1>>{}); }),
             ContainsSubstring("the range has no arrays to join"));
  const yoke::device_array<int, 2> moved_from;
  CHECK_THROWS_AS(yoke::concatenate(a, moved_from), yoke::logic_error);
}

YOKE_ANY_DEVICE_TEST_CASE("differences of neighbours", "[algorithm]") {
  counting_rig state(device);
  const auto a = yoke::to_device_array({{1, 4, 9}, {2, 3, 5}}, state.stream);
  const auto d = yoke::diff(a);
  CHECK(d.shape() == yoke::shape<2>{2, 2});
  CHECK(d.to_host() == std::vector<int>{3, 5, 1, 2});
  CHECK(yoke::diff(a, yoke::along(0)).to_host() == std::vector<int>{1, -1, -4});
  CHECK(yoke::diff(a * a).to_host() == std::vector<int>{15, 65, 5, 16});
  CHECK(yoke::diff(yoke::diff(a)).to_host() == std::vector<int>{2, 1});
  CHECK(yoke::diff(a(yoke::whole, yoke::slice(0, 1))).shape() == yoke::shape<2>{2, 0});
  CHECK(yoke::diff(a(yoke::whole, yoke::slice(0, 0))).shape() == yoke::shape<2>{2, 0});
  const yoke::device_array steps(2 * yoke::diff(yoke::arange<float>(5, state.stream)));  // of a temporary
  CHECK(steps.to_host() == std::vector<float>(4, 2));
  auto to = yoke::zeros<int>({2, 2}, state.stream);
  to = yoke::diff(a);
  const std::size_t mark = state.mark();
  to = yoke::diff(a);
  CHECK(state.enqueued(mark) == 1);
  CHECK_THROWS_AS(yoke::diff(a, yoke::along(2)), yoke::logic_error);
}
