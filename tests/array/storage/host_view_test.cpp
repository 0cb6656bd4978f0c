// SPDX-License-Identifier: MIT
// Views of the host with axes: elements, parts, other shapes, mdspans, and the errors of each.
#include <support/rig.hpp>
#include <yoke/array.hpp>

#include <array>
#include <ranges>
#if __has_include(<mdspan>)
#include <mdspan>
#endif

using namespace yoke_test;

static_assert(std::ranges::random_access_range<yoke::host_view<int, 2>>);
static_assert(std::ranges::borrowed_range<yoke::host_view<int, 2>>);
static_assert(std::is_convertible_v<yoke::host_view<int, 2>, yoke::host_view<const int, 2>>);
static_assert(!std::is_convertible_v<yoke::host_view<const int, 2>, yoke::host_view<int, 2>>);
static_assert(!std::is_constructible_v<yoke::host_view<int, 2>, const std::vector<int>&, yoke::shape<2>>);
static_assert(!yoke::detail::pageable_range<yoke::host_view<int, 2>>);  // it may have gaps

namespace {

/// An mdspan of two axes, with the parts of the standard one that a conversion needs.
struct toy_extents {
  using index_type = int;
  explicit toy_extents(const std::array<int, 2>& of) : counts(of) {}
  std::array<int, 2> counts;
};
struct toy_strided {
  toy_strided(const toy_extents& of, const std::array<int, 2>& steps) : extents(of), strides(steps) {}
  [[nodiscard]] int stride(std::size_t axis) const { return strides[axis]; }
  toy_extents extents;
  std::array<int, 2> strides;
};
struct toy_right {
  explicit toy_right(const toy_extents& of) : extents(of) {}
  [[nodiscard]] int stride(std::size_t axis) const { return axis == 0 ? extents.counts[1] : 1; }
  toy_extents extents;
};
template <class T, class Mapping>
struct toy_mdspan {
  using element_type = T;
  using extents_type = toy_extents;
  using mapping_type = Mapping;
  static constexpr std::size_t rank() { return 2; }
  toy_mdspan(T* at, const Mapping& by) : data(at), mapping(by) {}
  [[nodiscard]] T& at(int row, int column) const { return data[row * mapping.stride(0) + column * mapping.stride(1)]; }
  T* data;
  Mapping mapping;
};
template <class T>
T sum_of(const toy_mdspan<const T, toy_strided>& all) {
  T sum = 0;
  for (int row = 0; row < all.mapping.extents.counts[0]; ++row) {
    for (int column = 0; column < all.mapping.extents.counts[1]; ++column) sum += all.at(row, column);
  }
  return sum;
}

std::vector<int> counted(std::size_t count) {
  std::vector<int> all(count);
  std::iota(all.begin(), all.end(), 0);
  return all;
}
template <class View>
std::vector<int> listed(const View& of) {
  return {of.begin(), of.end()};
}

}  // namespace

TEST_CASE("a host view gives memory axes, in C or F order", "[array]") {
  std::vector<int> host = counted(12);
  yoke::host_view table{host, yoke::shape{3, 4}};
  static_assert(std::same_as<decltype(table), yoke::host_view<int, 2>>);
  static_assert(std::same_as<decltype(table(1, 2)), int&>);
  CHECK(table.shape() == yoke::shape{3, 4});
  CHECK(table.strides() == std::array<std::ptrdiff_t, 2>{16, 4});
  CHECK((table.size() == 12 && table.size_bytes() == 48 && table.extent(-1) == 4));
  CHECK((table(1, 2) == 6 && table(-1, -1) == 11 && table[1][2] == 6 && table[-1][0] == 8));
  table(1, 2) = 60;
  table[2][3] = 70;
  CHECK((host[6] == 60 && host[11] == 70));
  const yoke::host_view f{std::as_const(host), yoke::shape{3, 4}, yoke::array_order::f};
  static_assert(std::same_as<decltype(f(1, 2)), const int&>);
  CHECK((f(1, 2) == host[7] && f.is_f_contiguous() && !f.is_c_contiguous()));
  CHECK(f.data_handle() == host.data());
  CHECK(f.span().data() == host.data());
  CHECK(f.span().size() == 12);
  const yoke::host_view<int, 0> one{std::span(host).first(1), yoke::shape<0>{}};
  one() = 5;
  CHECK(host[0] == 5);
  const yoke::host_view<int, 2> none;
  CHECK((none.empty() && none.begin() == none.end()));
}

TEST_CASE("parts of a host view are views of the same elements", "[array]") {
  std::vector<int> host = counted(24);
  const yoke::host_view cube{host, yoke::shape{2, 3, 4}};
  CHECK(listed(cube(1)) == std::vector{12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23});
  CHECK(listed(cube(1, yoke::slice(0, 2), 3)) == std::vector{15, 19});
  CHECK(listed(cube(yoke::ellipsis, 0)) == std::vector{0, 4, 8, 12, 16, 20});
  CHECK(listed(cube(0, 1, yoke::reversed)) == std::vector{7, 6, 5, 4});
  CHECK(cube(yoke::newaxis, 1).shape() == yoke::shape{1, 3, 4});
  CHECK(listed(cube(0).transpose()) == std::vector{0, 4, 8, 1, 5, 9, 2, 6, 10, 3, 7, 11});
  CHECK(cube.transpose({2, 0, 1}).shape() == yoke::shape{4, 2, 3});
  CHECK(cube.transpose({2, 0, 1})(3, 1, 2) == 23);
  CHECK(cube.reshape({4, -1})(3, 5) == 23);
  CHECK(cube.ravel()(-1) == 23);
  CHECK(cube(yoke::slice(0, 1)).squeeze(0).shape() == yoke::shape{3, 4});
  CHECK(listed(cube(0).diagonal()) == std::vector{0, 5, 10});
  CHECK(listed(cube.diagonal(1, 2, -2)) == std::vector{4, 9, 16, 21});
  const auto twice = cube(0, 0).broadcast_to({2, 4});
  static_assert(std::same_as<decltype(twice), const yoke::host_view<const int, 2>>);
  CHECK(listed(twice) == std::vector{0, 1, 2, 3, 0, 1, 2, 3});
  const auto chunks = cube.chunks(2, 1);
  REQUIRE(chunks.size() == 2);
  CHECK((chunks[1].shape() == yoke::shape{2, 1, 4} && chunks[1](1, 0, 3) == 23));
  const auto parts = cube.parts(3, 2);
  REQUIRE(parts.size() == 3);
  CHECK((parts[0].extent(2) == 2 && parts[2].extent(2) == 1 && parts[2](0, 0, 0) == 3));
  for (int& each : cube(yoke::ellipsis, yoke::slice(1, 3))) each = -1;
  CHECK(std::count(host.begin(), host.end(), -1) == 12);
  auto column = cube(0, yoke::whole, 3);
  std::sort(column.begin(), column.end(), std::greater<>());
  CHECK((host[3] == 11 && host[7] == 7 && host[11] == 3));
  CHECK_THROWS_AS(cube(0).transpose().ravel(), yoke::logic_error);
}

TEST_CASE("a host view has any strides within its memory", "[array]") {
  std::vector<int> host = counted(20);
  const yoke::host_view every{host, yoke::array_layout<2>{{3, 2}, {24, 8}, 4, sizeof(int)}};
  CHECK(listed(every) == std::vector{1, 3, 7, 9, 13, 15});
  CHECK(*every.data_handle() == 1);
  const yoke::host_view back{host, yoke::array_layout<1>{{3}, {-8}, 40, sizeof(int)}};
  CHECK(listed(back) == std::vector{10, 8, 6});
  const auto refused = [&](yoke::errc code, const yoke::array_layout<2>& layout, const char* text) {
    CHECK_THAT(refusal<yoke::logic_error>(code,
                                          [&] {
                                            (void)yoke::host_view<int, 2>{host, layout};
                                          }),
               ContainsSubstring(text));
  };
  refused(yoke::errc::out_of_range, {{3, 2}, {40, 4}, 0, sizeof(int)},
          "the shape (3, 2) with strides of (40, 4) bytes ends at byte 88, its memory at byte 80");
  refused(yoke::errc::misaligned, {{3, 2}, {6, 4}, 0, sizeof(int)}, "at no multiple of 4 bytes");
  refused(yoke::errc::size_mismatch, {{3, 2}, 2}, "a layout for elements of 2 bytes, given for elements of 4 bytes");
}

TEST_CASE("a host view refuses what is outside of it", "[array]") {
  std::vector<int> host = counted(12);
  const yoke::host_view table{host, yoke::shape{3, 4}};
  const auto refused = [](yoke::errc code, auto act, const char* text) {
    CHECK_THAT(refusal<yoke::logic_error>(code, act), ContainsSubstring(text));
  };
  refused(
      yoke::errc::out_of_range, [&] { (void)table(3, 0); }, "index 3 is outside axis 0 of the shape (3, 4)");
  refused(
      yoke::errc::out_of_range, [&] { (void)table(0, -5); }, "index -5 is outside axis 1");
  refused(
      yoke::errc::out_of_range, [&] { (void)table(0, ~std::size_t{0}); }, "is outside axis 1");
  refused(
      yoke::errc::out_of_range, [&] { (void)table[3]; }, "index 3 is outside axis 0");
  refused(
      yoke::errc::out_of_range, [&] { (void)table[0][4]; }, "index 4 is outside axis 0 of the shape (4,)");
  refused(
      yoke::errc::size_mismatch,
      [&] {
        (void)yoke::host_view<int, 2>(host, {3, 5});
      },
      "the range has 12 elements, the shape (3, 5) has 15");
  refused(
      yoke::errc::out_of_range,
      [&] {
        (void)yoke::host_view<int, 2>(host, {-3, -4});
      },
      "has an extent of -3");
  refused(
      yoke::errc::invalid_argument, [&] { (void)table(yoke::whole, 1).span(); }, "has gaps");
  try {
    (void)table(3, 0);
  } catch (const yoke::logic_error& e) {
    CHECK_THAT(e.where().file_name(), ContainsSubstring("host_view_test.cpp"));
  }
}

TEST_CASE("a host view converts to an mdspan of any library", "[array]") {
  std::vector<int> host = counted(12);
  const yoke::host_view table{host, yoke::shape{3, 4}};
  CHECK(sum_of<int>(table) == 66);
  CHECK(sum_of<int>(table(yoke::slice(yoke::none, yoke::none, 2), yoke::slice(1, yoke::none))) == 36);
  const toy_mdspan<int, toy_strided> turned = table.transpose();
  CHECK((turned.at(3, 1) == 7 && turned.mapping.extents.counts == std::array{4, 3}));
  turned.at(3, 1) = 50;
  CHECK(host[7] == 50);
  const toy_mdspan<int, toy_right> plain = table;
  CHECK(plain.at(1, 3) == 50);
  const auto refused = [](auto view) {
    CHECK_THAT(refusal<yoke::logic_error>(yoke::errc::invalid_argument, view),
               ContainsSubstring("does not fit this mdspan"));
  };
  refused([&] { (void)table.transpose().to_mdspan<toy_mdspan<int, toy_right>>(); });
  refused([&] { (void)table(yoke::whole, yoke::slice(0, 2)).to_mdspan<toy_mdspan<int, toy_right>>(); });
  refused([&] { (void)table(yoke::reversed).to_mdspan<toy_mdspan<int, toy_strided>>(); });
#if defined(__cpp_lib_mdspan)
  const std::mdspan<int, std::dextents<std::size_t, 2>> standard = table;
  CHECK((standard.extent(1) == 4 && standard[std::array{1, 3}] == 50));
  const std::mdspan<const int, std::dextents<std::size_t, 2>, std::layout_stride> strided = table.transpose();
  CHECK((strided.extent(1) == 3 && strided[std::array{3, 1}] == 50));
#endif
}
