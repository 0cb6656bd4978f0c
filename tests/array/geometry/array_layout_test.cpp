// SPDX-License-Identifier: MIT
// The geometry of arrays against a model that lists the address of every element.
#include <array/geometry/layout_model.hpp>
#include <limits>

using namespace yoke;
using namespace yoke_test::array_model;

namespace {

/// Applies random operations to a layout and to its model, one after the other, and compares after each.
class walk {
 public:
  explicit walk(dice& with) : dice_(with) {}

  template <std::size_t Rank>
  void start() {
    shape<Rank> extents;
    for (std::size_t axis = 0; axis < Rank; ++axis) extents[axis] = dice_.extent();
    const std::size_t element = std::size_t{1} << dice_.below(4);
    const array_order order = dice_.below(2) == 0 ? array_order::c : array_order::f;
    const array_layout<Rank> layout(extents, element, order);
    whole_ = true;
    go(layout, model::dense({extents.begin(), extents.end()}, element, order == array_order::f), 5);
  }
  std::size_t steps = 0;
  std::size_t views = 0;
  std::size_t refused = 0;

 private:
  template <std::size_t Rank>
  void go(const array_layout<Rank>& layout, const model& as, int depth) {
    ++steps;
    compare(layout, as);
    if (depth == 0) return;
    switch (dice_.below(16)) {
      case 0:
      case 1: return all_slices(layout, as, depth, std::make_index_sequence<Rank>{});
      case 2:
        if constexpr (Rank > 0) {
          if (as.shape.front() == 0) return;
          const auto at = dice_.between(-as.extent(0), as.extent(0) - 1);
          return go(layout(at), as.integer(0, at), depth - 1);
        }
        return;
      case 3:
        if constexpr (Rank > 0) {
          if (as.shape.back() == 0) return;
          const auto at = dice_.between(-as.extent(Rank - 1), as.extent(Rank - 1) - 1);
          return go(layout(ellipsis, at), as.integer(Rank - 1, at), depth - 1);
        }
        return;
      case 4:
        if constexpr (Rank > 1) {
          if (as.shape[1] == 0) return;
          const auto at = dice_.between(-as.extent(1), as.extent(1) - 1);
          const slice first = dice_.slice(as.extent(0));
          return go(layout(first, at, ellipsis), as.sliced(0, first).integer(1, at), depth - 1);
        }
        return;
      case 5:
        if constexpr (Rank < 5) return go(layout(newaxis), as.with_axis(0), depth - 1);
        return;
      case 6:
        if constexpr (Rank < 5) return go(layout(ellipsis, newaxis), as.with_axis(Rank), depth - 1);
        return;
      case 7: return go(layout.transpose(), as.transposed(), depth - 1);
      case 8:
        if constexpr (Rank > 0) {
          const std::vector<std::size_t> order = dice_.permutation(Rank);
          int given[Rank];
          for (std::size_t i = 0; i < Rank; ++i)
            given[i] = static_cast<int>(order[i]) - (dice_.below(2) ? static_cast<int>(Rank) : 0);
          return go(layout.transpose(given), as.permuted(order), depth - 1);
        }
        return;
      case 9: return broadcasts(layout, as, depth);
      case 10: return squeezes(layout, as, depth);
      case 11: return reshapes(layout, as, depth);
      case 12: return pieces(layout, as, depth);
      case 13: {
        const std::size_t bytes = layout.element_bytes() / 2;
        if (bytes == 0) return;
        return go(layout.member(bytes, bytes), as.member(bytes, bytes), depth - 1);
      }
      case 14: return diagonals(layout, as, depth);
      default: return reinterprets(layout, as, depth);
    }
  }

  template <std::size_t Rank>
  void compare(const array_layout<Rank>& layout, const model& as) {
    REQUIRE(std::vector<std::size_t>(layout.shape().begin(), layout.shape().end()) == as.shape);
    REQUIRE(layout.size() == as.addresses.size());
    REQUIRE(layout.element_bytes() == as.element);
    REQUIRE(model::of(layout) == as);
    REQUIRE(layout.is_c_contiguous() == as.is_dense(false));
    REQUIRE(layout.is_f_contiguous() == as.is_dense(true));
    REQUIRE(layout.end_byte() - layout.first_byte() == as.reach());
    if (!as.addresses.empty()) REQUIRE(layout.first_byte() == as.lowest());
    if (whole_) REQUIRE(layout.is_injective());
    if (!as.is_apart()) REQUIRE_FALSE(layout.is_injective());
  }

  template <std::size_t Rank, std::size_t... Axis>
  void all_slices(const array_layout<Rank>& layout, const model& as, int depth, std::index_sequence<Axis...>) {
    slice slices[Rank + 1];
    model result = as;
    for (std::size_t axis = 0; axis < Rank; ++axis) {
      slices[axis] = dice_.slice(as.extent(axis));
      result = result.sliced(axis, slices[axis]);
    }
    go(layout(slices[Axis]...), result, depth - 1);
  }

  template <std::size_t Rank>
  void broadcasts(const array_layout<Rank>& layout, const model& as, int depth) {
    constexpr std::size_t rank = Rank < 5 ? Rank + 1 : Rank;
    shape<rank> to;
    for (std::size_t axis = 0; axis < rank; ++axis) {
      const bool is_new = axis + Rank < rank;
      const std::size_t there = is_new ? 1 : layout.extent(axis + Rank - rank);
      to[axis] = there == 1 ? dice_.extent() : there;
    }
    bool same = true;
    for (std::size_t axis = 0; axis < rank; ++axis) {
      same = same && (to[axis] == (axis + Rank < rank ? 1 : layout.extent(axis + Rank - rank)));
    }
    const bool before = std::exchange(whole_, whole_ && same);
    go(layout.broadcast_to(to), as.broadcast({to.begin(), to.end()}), depth - 1);
    whole_ = before;
  }

  template <std::size_t Rank>
  void squeezes(const array_layout<Rank>& layout, const model& as, int depth) {
    if constexpr (Rank > 0) {
      const std::size_t axis = dice_.below(Rank);
      const int given = static_cast<int>(axis) - (dice_.below(2) ? static_cast<int>(Rank) : 0);
      if (layout.extent(axis) != 1) {
        REQUIRE_THROWS_AS(layout.squeeze(given), logic_error);
        ++refused;
        return;
      }
      go(layout.squeeze(given), as.integer(axis, 0), depth - 1);
    }
  }

  template <std::size_t Rank>
  void diagonals(const array_layout<Rank>& layout, const model& as, int depth) {
    if constexpr (Rank > 1) {
      const std::vector<std::size_t> order = dice_.permutation(Rank);
      const auto offset = dice_.between(-as.extent(order[0]) - 1, as.extent(order[1]) + 1);
      const int axis = static_cast<int>(order[1]) - (dice_.below(2) ? static_cast<int>(Rank) : 0);
      REQUIRE_THROWS_AS(layout.diagonal(offset, axis, static_cast<int>(order[1])), logic_error);
      go(layout.diagonal(offset, static_cast<int>(order[0]), axis), as.diagonal(offset, order[0], order[1]), depth - 1);
    }
  }

  template <std::size_t Rank>
  void reshapes(const array_layout<Rank>& layout, const model& as, int depth) {
    switch (dice_.below(4)) {
      case 0: return reshapes_to<1>(layout, as, depth);
      case 1: return reshapes_to<2>(layout, as, depth);
      case 2: return reshapes_to<3>(layout, as, depth);
      default: return reshapes_to<5>(layout, as, depth);
    }
  }
  template <std::size_t New, std::size_t Rank>
  void reshapes_to(const array_layout<Rank>& layout, const model& as, int depth) {
    const std::vector<std::size_t> factors = dice_.factors(layout.size(), New);
    shape<New> to;
    for (std::size_t axis = 0; axis < New; ++axis) to[axis] = factors[axis];
    if (layout.size() != 0 && dice_.below(3) == 0) to[dice_.below(New)] = ~std::size_t{0};  // -1
    const array_order order = dice_.below(2) == 0 ? array_order::c : array_order::f;
    const auto found = layout.try_reshape(to, order);
    const auto expected = as.reshaped(factors, order == array_order::f);
    REQUIRE(found.has_value() == expected.has_value());
    if (!found) {
      ++refused;
      REQUIRE_THROWS_AS(layout.reshape(to, order), logic_error);
      return;
    }
    ++views;
    go(*found, *expected, depth - 1);
  }

  template <std::size_t Rank>
  void pieces(const array_layout<Rank>& layout, const model& as, int depth) {
    if constexpr (Rank > 0) {
      const std::size_t axis = dice_.below(Rank);
      const auto extent = as.extent(axis);
      const auto length = static_cast<std::ptrdiff_t>(1 + dice_.below(4));
      std::ptrdiff_t begin = 0;
      const std::size_t count = layout.chunk_count(length, static_cast<int>(axis));
      REQUIRE(static_cast<std::ptrdiff_t>(count) == (extent + length - 1) / length);
      for (std::size_t i = 0; i < count; ++i, begin += length) {
        compare(layout.chunk(i, length, static_cast<int>(axis)), as.sliced(axis, slice(begin, begin + length)));
      }
      begin = 0;
      for (std::ptrdiff_t i = 0; i < length; ++i) {
        const std::ptrdiff_t size = (extent - begin + length - i - 1) / (length - i);
        compare(layout.part(static_cast<std::size_t>(i), length, static_cast<int>(axis)),
                as.sliced(axis, slice(begin, begin + size)));
        begin += size;
      }
      REQUIRE(begin == extent);
      go(layout.part(0, length, static_cast<int>(axis)), as.sliced(axis, slice(0, (extent + length - 1) / length)),
         depth - 1);
    }
  }

  template <std::size_t Rank>
  void reinterprets(const array_layout<Rank>& layout, const model& as, int depth) {
    const std::size_t bytes = std::size_t{1} << dice_.below(4);
    const auto expected = as.reinterpreted(bytes);
    if (!expected) {
      ++refused;
      REQUIRE_THROWS_AS(layout.reinterpret(bytes), logic_error);
      return;
    }
    const bool before = std::exchange(whole_, whole_ && bytes <= layout.element_bytes());
    go(layout.reinterpret(bytes), *expected, depth - 1);
    whole_ = before;
  }

  dice& dice_;
  bool whole_ = true;  // nothing was broadcast
};

std::string message(const auto& act) {
  try {
    act();
  } catch (const logic_error& e) {
    return e.what();
  }
  return "nothing";
}

}  // namespace

TEST_CASE("random chains of views have the model's addresses", "[array]") {
  dice random(std::random_device{}());
  INFO("seed " << random.seed());
  walk along(random);
  for (int round = 0; round < 1500; ++round) {
    along.start<0>();
    along.start<1>();
    along.start<2>();
    along.start<3>();
    along.start<4>();
    along.start<5>();
  }
  CHECK(along.steps > 20'000);
  CHECK(along.views > 300);
  CHECK(along.refused > 300);
}

TEST_CASE("every slice of a short axis is Python's", "[array]") {
  // Bounds from well before the axis to well behind it, each step, open ends too.
  for (std::ptrdiff_t extent = 0; extent <= 5; ++extent) {
    const array_layout<1> layout(shape<1>(extent), 4);
    const model as = model::dense({static_cast<std::size_t>(extent)}, 4, false);
    for (std::ptrdiff_t step = -4; step <= 4; ++step) {
      if (step == 0) continue;
      for (std::ptrdiff_t start = -8; start <= 8; ++start) {
        for (std::ptrdiff_t stop = -8; stop <= 8; ++stop) {
          const slice_bound first = start == 8 ? slice_bound(none) : slice_bound(start);
          const slice_bound last = stop == 8 ? slice_bound(none) : slice_bound(stop);
          const slice of(first, last, step);
          REQUIRE(model::of(layout(of)) == as.sliced(0, of));
        }
      }
    }
  }
}

TEST_CASE("a slice of nothing does not leave its memory", "[array]") {
  CHECK(array_layout<1>({6}, 8)(slice(6, none)).offset_bytes() == 0);
  CHECK(array_layout<2>({6, 5}, 8)(slice(4, 2), slice(none, none, -1)).offset_bytes() == 32);
  CHECK(array_layout<1>({10}, 4).part(11, 12).offset_bytes() == 0);
}

TEST_CASE("bounds and steps of any integer type are taken", "[array]") {
  const array_layout<1> layout({6}, 8);
  constexpr auto least = std::numeric_limits<std::int64_t>::min();
  constexpr auto most = std::numeric_limits<std::uint64_t>::max();
  CHECK(layout(slice(least, most)) == layout);
  CHECK(layout(slice(none, none, least)).extent(0) == 1);
  CHECK(layout(slice(none, none, least)).offset_bytes() == 40);
  CHECK(layout(slice(1, none, most)).extent(0) == 1);
  CHECK(layout(slice(1u, short{5}, 2ull)).extent(0) == 2);
  CHECK_THROWS_AS(layout(most), logic_error);
  CHECK_THROWS_AS(layout(least), logic_error);
}

TEST_CASE("geometry is known when compiling", "[array]") {
  constexpr array_layout<2> layout({3, 4}, sizeof(float));
  static_assert(layout.size() == 12 && layout.stride(0) == 16 && layout.is_c_contiguous());
  static_assert(layout(1).offset_bytes() == 16 && layout(whole, 2).shape() == shape{3});
  static_assert(layout(reversed, slice(1, -1)).stride(0) == -16);
  static_assert(layout.transpose().is_f_contiguous());
  static_assert(layout.reshape({2, -1}).extent(1) == 6);
  static_assert(!layout.transpose().try_reshape({12}).has_value());
  static_assert(layout.broadcast_to({5, 3, 4}).stride(0) == 0);
  static_assert(broadcast_shapes(shape{3, 1}, shape{4}) == shape{3, 4});
  static_assert(array_layout<2>({480, 640}, 4, array_order::f).stride(1) == 1920);
  static_assert(array_layout<0>(shape<0>{}, 4).size() == 1);
}

// The next cases are mistakes that Numba's arrays make or made.
TEST_CASE("a reversed view can be sliced, indexed and reversed again", "[array][pains]") {
  const array_layout<1> back = array_layout<1>({5}, 4)(reversed);
  CHECK(back(slice(1, none)).extent(0) == 4);
  CHECK(back(slice(1, none)).offset_bytes() == 12);
  CHECK(back(0).offset_bytes() == 16);
  CHECK(back(-1).offset_bytes() == 0);
  CHECK(back(reversed) == array_layout<1>({5}, 4));
}

TEST_CASE("a slice of a broadcast axis keeps its length", "[array][pains]") {
  const auto rows = array_layout<1>({4}, 4).broadcast_to({3, 4});
  CHECK(rows(slice(1, 3)).shape() == shape{2, 4});
}

TEST_CASE("an array in F order is not reinterpreted in C order", "[array][pains]") {
  const array_layout<2> f({2, 5}, 8, array_order::f);
  CHECK_FALSE(f.try_reshape({10}));
  const std::string said = message([&] { (void)f.reshape({10}); });
  CHECK(said.find("no view of (2, 5) with strides of (8, 16) bytes has the shape (10,) in C order") !=
        std::string::npos);
  CHECK(f.reshape({10}, array_order::f).stride(0) == 8);
  CHECK(f.transpose().ravel().stride(0) == 8);
}

TEST_CASE("rows with gaps are split without a copy", "[array][pains]") {
  const auto padded = array_layout<2>({3, 6}, 4)(whole, slice(0, 4));
  const auto split = padded.reshape({3, 2, 2});
  CHECK(split.strides() == std::array<std::ptrdiff_t, 3>{24, 8, 4});
}

TEST_CASE("a negative axis is squeezed", "[array][pains]") {
  const array_layout<3> layout({3, 1, 4}, 4);
  CHECK(layout.squeeze(-2).shape() == shape{3, 4});
  CHECK(message([&] { (void)layout.squeeze(-3); }).find("axis 0 of the shape (3, 1, 4) has an extent of 3") !=
        std::string::npos);
}

TEST_CASE("pieces are refused at the call", "[array][pains]") {
  const array_layout<1> layout({10}, 4);
  for (const int wrong : {0, -1}) {
    CHECK_THROWS_AS(layout.chunk_count(wrong), logic_error);
    CHECK_THROWS_AS(layout.part(0, wrong), logic_error);
  }
  CHECK(layout.chunk_count(4) == 3);
  CHECK(layout.chunk(2, 4).extent(0) == 2);
  CHECK_THROWS_AS(layout.chunk(3, 4), logic_error);
}

TEST_CASE("unit axes and empty arrays follow NumPy's rules of contiguity", "[array][pains]") {
  const auto column = array_layout<2>({4, 5}, 4)(whole, slice(2, 3));
  CHECK_FALSE(column.is_c_contiguous());
  CHECK(array_layout<2>({1, 5}, 4)(whole, slice(none, none, 1)).is_f_contiguous());
  CHECK(array_layout<2>({4, 5}, 4)(slice(2, 3)).is_c_contiguous());
  CHECK(array_layout<2>({4, 5}, 4)(slice(2, 3)).is_f_contiguous());
  CHECK(array_layout<2>({4, 0}, 4)(reversed).is_c_contiguous());
  CHECK_FALSE(array_layout<1>({1}, 4).broadcast_to({3}).is_c_contiguous());
}

TEST_CASE("refusals of geometry name shapes, axes, values and limits", "[array]") {
  const array_layout<2> layout({3, 4}, 4);
  const auto says = [](const auto& act, const char* text) {
    const std::string said = message(act);
    INFO(said);
    CHECK(said.find(text) != std::string::npos);
  };
  says([&] { (void)broadcast_shapes(shape{3, 4}, shape{3, 5}); }, "cannot broadcast (3, 4) with (3, 5): axis 1");
  says([&] { (void)layout.broadcast_to({2, 3, 5}); }, "cannot broadcast (3, 4) to (2, 3, 5): axis 2");
  says([&] { (void)layout(0, 4); }, "index 4 is outside axis 1 of the shape (3, 4): it has -4 .. 3");
  says([&] { (void)layout(-4); }, "index -4 is outside axis 0 of the shape (3, 4): it has -3 .. 2");
  says([&] { (void)array_layout<1>({0}, 4)(0); }, "it has no elements");
  says([&] { (void)layout(whole, slice(none, none, 0)); }, "the slice of axis 1 has a step of 0");
  says([&] { (void)layout.reshape({5, -1}); }, "cannot reshape (3, 4) to (5, -1): -1 stands for no whole number");
  says([&] { (void)layout.reshape({-1, -1}); }, "two extents are -1");
  says([&] { (void)layout.reshape({0, -1}); }, "an extent of 0 leaves -1 open");
  says([&] { (void)layout.reshape({13}); }, "cannot reshape (3, 4) to (13,): they differ in size");
  says([&] { (void)layout.reshape({-2, 3}); }, "the shape (-2, 3) has an extent of -2 along axis 0");
  says([&] { (void)layout.reshape({1ull << 62, 1ull << 62}); }, "they differ in size");
  says(
      [&] {
        (void)array_layout<2>({3, -1}, 4);
      },
      "the shape (3, -1) has an extent of -1 along axis 1: the least is 0");
  says(
      [&] {
        (void)array_layout<2>({1ull << 40, 1ull << 30}, 8);
      },
      "the shape (1099511627776, 1073741824) of elements of 8 bytes exceeds the address space");
  says([&] { (void)array_layout<3>({0, 1ull << 40, 1ull << 30}, 8); }, "exceeds the address space");
  says([&] { (void)layout.transpose({0, 0}); }, "axis 0 is given twice");
  says([&] { (void)layout.transpose({0, 2}); }, "axis 2 is outside -2 .. 1");
  says([&] { (void)layout.chunk_count(0); }, "the length of a chunk is 0: the least is 1");
  says([&] { (void)layout.member(2, 4); }, "a member of 4 bytes at byte 2 is outside an element of 4 bytes");
  says([&] { (void)layout.reinterpret(3); }, "are no elements of 3 bytes");
  says(
      [&] {
        (void)array_layout<2>({2, 2}, {-8, 4}, 4, 4);
      },
      "the shape (2, 2) with strides of (-8, 4) bytes from byte 4 on leaves its memory");
  says([&] { (void)array_layout<1>({3}, {std::numeric_limits<std::ptrdiff_t>::max()}, 0, 4); }, "leaves its memory");
  CHECK(array_layout<2>({2, 2}, {-8, 4}, 8, 4).first_byte() == 0);
}

TEST_CASE("an axis that does not exist has no extent and no stride", "[array]") {
  constexpr yoke::array_layout<2> layout(yoke::shape{3, 4}, 4);
  static_assert(layout.extent(1) == 4 && layout.extent(-1) == 4 && layout.extent(-2) == 3 && layout.stride(-2) == 16);
  for (const int axis : {2, 7, -3}) {
    CHECK_THROWS_WITH(layout.extent(axis),
                      Catch::Matchers::ContainsSubstring("axis " + std::to_string(axis) + " is outside -2 .. 1"));
    CHECK_THROWS_AS(layout.stride(axis), yoke::logic_error);
  }
  CHECK_THROWS_AS(layout.extent(std::size_t{2}), yoke::logic_error);
  CHECK_THROWS_AS(layout.extent(std::numeric_limits<std::uint64_t>::max()), yoke::logic_error);
  CHECK_THROWS_AS(yoke::array_layout<0>(yoke::shape<0>(), 4).extent(0), yoke::logic_error);
}
