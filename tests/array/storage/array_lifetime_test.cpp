// SPDX-License-Identifier: MIT
// What keeps memory alive: views, expressions and chunks of arrays that ended, moved, or became others.
#include <array/array_rig.hpp>

#include <optional>

using namespace yoke_test;
using namespace yoke_test::arrays;

namespace {

using ints = yoke::device_array<int, 1>;
using view = yoke::device_view<int, 1>;

/// Effects: takes the blocks that arrays of up to 64 bytes have given back, and overwrites them.
void poison(const yoke::stream<>& in) {
  std::vector<ints> taken;
  for (int i = 0; i < 4; ++i) {
    for (const int size : {1, 4, 8, 12, 16}) {
      taken.emplace_back(in, yoke::shape{size});
      taken.back().fill(-1);
    }
  }
  in.synchronize();
}

auto twice_of_a_local(const yoke::stream<>& in) {
  auto x = yoke::arange<int>(12, in);
  return 2 * x;
}
auto nested_of_locals(const yoke::stream<>& in) {
  auto x = yoke::arange<int>(12, in);
  const auto y = yoke::full(3, {12}, in);
  const auto inner = x + y;
  return inner * inner - x(yoke::slice(0, 12));
}
view part_of_a_local(const yoke::stream<>& in) {
  auto x = yoke::arange<int>(12, in);
  return x(yoke::slice(2, 5));
}
std::vector<view> chunks_of_a_local(const yoke::stream<>& in) {
  auto x = yoke::arange<int>(12, in);
  return x.chunks(5);
}

const std::vector<int> from_2{2, 3, 4};

}  // namespace

YOKE_ANY_DEVICE_TEST_CASE("what a function makes of its local arrays keeps their memory", "[array]") {
  any_rig state(device);
  const auto twice = twice_of_a_local(state.stream);
  const auto nested = nested_of_locals(state.stream);
  const auto part = part_of_a_local(state.stream);
  const auto pieces = chunks_of_a_local(state.stream);
  poison(state.stream);
  std::vector<int> of_twice(12);
  std::vector<int> of_nested(12);
  for (int i = 0; i < 12; ++i) {
    of_twice[static_cast<std::size_t>(i)] = 2 * i;
    of_nested[static_cast<std::size_t>(i)] = (i + 3) * (i + 3) - i;
  }
  CHECK(twice.to_host() == of_twice);
  CHECK(nested.to_host() == of_nested);
  CHECK(part.to_host() == from_2);
  REQUIRE(pieces.size() == 3);
  CHECK(pieces[1].to_host() == std::vector<int>{5, 6, 7, 8, 9});
}

YOKE_ANY_DEVICE_TEST_CASE("a view outlives the end, the move, the reset and the replacement of its array", "[array]") {
  any_rig state(device);
  const auto make = [&] { return yoke::arange<int>(12, state.stream); };
  const auto part = [](ints& of) { return of(yoke::slice(2, 5)); };
  const auto check = [&](const char* what, const view& of) {
    INFO(what);
    poison(state.stream);
    CHECK(of.to_host() == from_2);
    of.fill(7);
    CHECK(of.to_host() == std::vector<int>{7, 7, 7});
  };
  {
    std::optional<ints> a(make());
    const auto v = part(*a);
    a.reset();
    check("end", v);
  }
  {
    auto a = make();
    const auto v = part(a);
    {
      const ints moved(std::move(a));
      CHECK(moved.size() == 12);
    }
    check("move", v);
  }
  {
    auto a = make();
    const auto v = part(a);
    a.reset();
    check("reset", v);
  }
  {
    auto a = make();
    const auto v = part(a);
    a = yoke::zeros<int>({5}, state.stream);
    check("replacement", v);
    CHECK(a.to_host() == std::vector<int>(5));
  }
  {
    auto a = make();
    auto b = yoke::zeros<int>({5}, state.stream);
    const auto v = part(a);
    swap(a, b);
    b.reset();
    check("swap", v);
  }
}

YOKE_ANY_DEVICE_TEST_CASE("an expression reads the memory of when it was made, and the elements of when it is assigned",
                          "[array]") {
  any_rig state(device);
  auto a = yoke::arange<int>(4, state.stream);
  const auto e = a + 1;
  auto v = a.view();
  a = yoke::full(50, {4}, state.stream);  // other memory
  v.fill(10);
  poison(state.stream);
  CHECK(e.to_host() == std::vector<int>(4, 11));
  CHECK((a + 1).to_host() == std::vector<int>(4, 51));
  v = 20;  // the elements
  CHECK(e.to_host() == std::vector<int>(4, 21));
}

YOKE_ANY_DEVICE_TEST_CASE("views of every kind share their array's memory", "[array]") {
  any_rig state(device);
  const auto check = [&](const char* what, const auto& make, const auto& expected) {
    INFO(what);
    auto a = yoke::arange<int>(12, state.stream);
    const auto made = make(a);
    a.reset();
    poison(state.stream);
    CHECK(made.to_host() == expected);
  };
  check(
      "part", [](ints& a) { return a(yoke::slice(2, 5)); }, from_2);
  check(
      "part of a part", [](ints& a) { return a(yoke::slice(1, 8))(yoke::slice(1, 4)); }, from_2);
  check(
      "const view", [](const ints& a) { return a(yoke::slice(2, 5)); }, from_2);
  check(
      "conversion", [](ints& a) { return yoke::device_view<const int, 1>(a(yoke::slice(2, 5))); }, from_2);
  check(
      "reshape",
      [](ints& a) {
        return a.reshape({3, 4})(0);
      },
      std::vector<int>{0, 1, 2, 3});
  check(
      "try_reshape",
      [](ints& a) {
        return (*a.try_reshape({3, 4}))(0);
      },
      std::vector<int>{0, 1, 2, 3});
  check(
      "transpose",
      [](ints& a) {
        return a.reshape({2, 6}).transpose()(0);
      },
      std::vector<int>{0, 6});
  check(
      "broadcast", [](ints& a) { return a(3).broadcast_to({2}); }, std::vector<int>{3, 3});
  check(
      "ravel",
      [](ints& a) {
        return a.reshape({2, 6}).ravel()(yoke::slice(2, 5));
      },
      from_2);
  check(
      "squeeze",
      [](ints& a) {
        return a.reshape({1, 12}).squeeze(0)(yoke::slice(2, 5));
      },
      from_2);
  check(
      "diagonal",
      [](ints& a) {
        return a.reshape({3, 4}).diagonal();
      },
      std::vector<int>{0, 5, 10});
  check(
      "parts", [](ints& a) { return a.parts(4)[1]; }, std::vector<int>{3, 4, 5});
  check(
      "as", [](ints& a) { return a(yoke::slice(2, 5)).as<std::uint32_t>(); }, std::vector<std::uint32_t>{2, 3, 4});
  check(
      "bound", [&](ints& a) { return a(yoke::slice(2, 5)).bind(state.stream); }, from_2);
  check(
      "share", [](ints& a) { return a.share()(yoke::slice(2, 5)); }, from_2);
}

YOKE_ANY_DEVICE_TEST_CASE("a bound view keeps its stream", "[array]") {
  any_rig state(device);
  auto a = yoke::arange<int>(12, state.stream);
  state.stream.synchronize();
  std::optional<view> bound;
  {
    const yoke::stream<> other(state.context);
    bound.emplace(a(yoke::slice(2, 5)).bind(other));
    CHECK(bound->stream().native_handle() == other.native_handle());
  }
  CHECK(bound->to_host() == from_2);
  const auto sum = *bound + 1;
  bound.reset();
  a.reset();
  CHECK(sum.to_host() == std::vector<int>{3, 4, 5});
  yoke::stream<> moved_from(state.context);
  auto b = yoke::arange<int>(3, state.stream);
  const auto of_moved = b.bind(moved_from);
  state.stream.synchronize();
  const yoke::stream<> moved(std::move(moved_from));
  CHECK(of_moved.to_host() == std::vector<int>{0, 1, 2});
  CHECK_THROWS_AS(b.bind(moved_from), yoke::logic_error);
  CHECK_THROWS_AS(view().bind(moved), yoke::logic_error);
}

YOKE_ANY_DEVICE_TEST_CASE("what is made of arrays outlives their stream's object", "[array]") {
  any_rig state(device);
  std::optional<view> part;
  const auto later = [&] {
    const yoke::stream<> own(state.context);
    auto a = yoke::arange<int>(12, own);
    part.emplace(a(yoke::slice(2, 5)));
    return a + a;
  }();
  CHECK(part->to_host() == from_2);
  CHECK(later.to_host()[11] == 22);
}

YOKE_ANY_DEVICE_TEST_CASE("views move, and vectors hold them", "[array]") {
  any_rig state(device);
  auto a = yoke::arange<int>(12, state.stream);
  view first = a(yoke::slice(2, 5));
  const view second(std::move(first));
  CHECK(second.to_host() == from_2);
  CHECK(first.size() == yoke::device_view<int, 1>().size());
  CHECK_THROWS_AS(first.to_host(), yoke::logic_error);  // NOLINT: it is empty
  CHECK_THROWS_AS(first.fill(1), yoke::logic_error);
  std::vector<view> all;
  for (int i = 0; i < 9; ++i) all.push_back(a(yoke::slice(i, i + 3)));
  all.erase(all.begin(), all.begin());
  a.reset();
  poison(state.stream);
  CHECK(all[2].to_host() == from_2);
}

YOKE_ANY_DEVICE_TEST_CASE("nothing keeps memory once the last view and expression are gone", "[array][pool]") {
  any_rig state(device);
  const auto blocks = [&] { return yoke::array_pool_statistics(state.context).active_blocks; };
  const std::size_t before = blocks();
  {
    auto a = yoke::arange<int>(12, state.stream);
    const auto b = yoke::arange<int>(12, state.stream);
    CHECK(blocks() == before + 2);
    std::optional<view> part(a(yoke::slice(2, 5)));
    std::optional e((a + b) * a);
    auto moved = std::move(*e) + 1;
    const auto bound = a.bind(state.stream);
    auto pieces = a.chunks(5);
    const auto copy = pieces;
    a.reset();
    CHECK(blocks() == before + 2);
  }
  CHECK(blocks() == before);
}
