// SPDX-License-Identifier: MIT
// Numba's tests of arrays, slices, contiguity and records that a library can have, in yoke's words. Their names stand beside the
// checks; docs/porting/numba.md says where the others are.
#include <array/array_rig.hpp>
#include <yoke/fmt.hpp>
#include <yoke/struct.hpp>

#include <algorithm>
#include <complex>

namespace numba_cases {
struct reading {
  double weight;
  std::int32_t count;
  std::complex<float> phase;
  char name[8];
};
struct pair {
  float left;
  double right;
};
struct cube {
  std::int32_t id;
  float matrix[3][3];
};
struct nested {
  cube inner;
  std::int16_t tag;
};
}  // namespace numba_cases
YOKE_STRUCT(numba_cases::pair, left, right);

using namespace yoke_test;
using namespace yoke_test::arrays;
using numba_cases::cube;
using numba_cases::nested;
using numba_cases::pair;
using numba_cases::reading;

namespace {

using ints = std::vector<int>;

/// Whether a layout's flags are these.
bool contiguous(const auto& array, bool c, bool f) {
  return array.is_c_contiguous() == c && array.is_f_contiguous() == f;
}

/// Effects: checks each element by its index from the front and from the end, and that neither side has one more.
template <class A, class... Before>
void check_index(const A& array, std::size_t axis, std::size_t at, const ints& host, Before... before) {
  const auto extent = static_cast<int>(array.extent(axis));
  if constexpr (sizeof...(Before) + 1 == A::rank()) {
    for (int i = 0; i < extent; ++i) {
      const int expected = host[at * array.extent(axis) + static_cast<std::size_t>(i)];
      CHECK((array(before..., i).value() == expected && array(before..., i - extent).value() == expected));
    }
    for (const int outside : {extent, -extent - 1}) {
      CHECK_THROWS_AS(array(before..., outside), yoke::logic_error);
    }
  } else {
    for (int i = 0; i < extent; ++i) {
      check_index(array, axis + 1, at * array.extent(axis) + static_cast<std::size_t>(i), host, before..., i);
    }
    CHECK_THROWS_AS(array(before..., extent), yoke::logic_error);
    CHECK_THROWS_AS(array(before..., -extent - 1), yoke::logic_error);
  }
}

}  // namespace

YOKE_ANY_DEVICE_TEST_CASE("Numba: making arrays and copying them whole", "[array][predecessors]") {
  counting_rig state(device);
  const auto& stream = state.stream;
  // device_array_interface, devicearray_dtype, devicearray_no_copy
  const std::size_t mark = state.mark();
  yoke::device_array<std::int8_t, 1> empty(stream, {100});
  static_assert(std::is_same_v<decltype(empty)::value_type, std::int8_t>);
  CHECK((empty.size_bytes() == 100 && empty.strides()[0] == 1));
  CHECK(state.enqueued(mark) == 0);
  CHECK(yoke::full(3.25, yoke::shape<0>{}, stream).value() == 3.25);
  // device_array_from_readonly
  const ints host = counting<int>(100, 0);
  auto a = yoke::to_device_array(std::span<const int>(host), {100}, stream);
  CHECK(a.to_host() == host);
  // devicearray_shape, device_array_vectors
  CHECK(yoke::to_device_array(host, {2, 5, 10}, stream).shape() == yoke::shape{2, 5, 10});
  const std::array<std::size_t, 2> listed{20, 5};
  CHECK(yoke::zeros<int>(yoke::shape<2>(listed), stream).shape() == yoke::shape{20, 5});
  // device_array_float, device_array_float_vectors
  static_assert(!std::is_constructible_v<yoke::shape<1>, float> && !std::is_constructible_v<yoke::axis_extent, double>);
  static_assert(!std::is_constructible_v<yoke::shape<2>, std::array<double, 2>>);
  // devicearray: what was downloaded restores what the host has lost
  ints lost(100);
  a.copy_to(lost);
  CHECK(lost == host);
  // devicearray_replace
  a.assign(ints(100, 7));
  CHECK(a.to_host() == ints(100, 7));
  // devicearray_partition: halves, the second first, into parts of one host array
  a.assign(host);
  const auto halves = a.parts(2);
  REQUIRE((halves.size() == 2 && halves[0].extent(0) == 50));
  ints parts(100);
  halves[1].copy_to(std::span(parts).subspan(50));
  halves[0].copy_to(std::span(parts).first(50));
  CHECK(parts == host);
  // bug6697: the host's elements have the array's type
  static_assert(std::is_same_v<decltype(empty.to_host()), std::vector<std::int8_t>>);
  // stream_bind
  const yoke::stream<> other(state.context);
  CHECK(a.stream().native_handle() == stream.native_handle());
  CHECK((a.bind(other).stream().native_handle() == other.native_handle() &&
         a.bind(other).bind(stream).stream().native_handle() == stream.native_handle()));
  // len_1d, len_2d, len_3d
  CHECK((a.extent(0) == 100 && a.reshape({4, 25}).extent(0) == 4 && a.reshape({2, 2, 25}).extent(0) == 2));
}

YOKE_ANY_DEVICE_TEST_CASE("Numba: transposing, and the same memory as other elements", "[array][predecessors]") {
  any_rig state(device);
  const auto a = yoke::to_device_array(counting<int>(24, 0), {2, 3, 4}, state.stream);
  // devicearray_transpose_wrongdim (any rank here), _identity, _duplicatedaxis, _wrongaxis, _ok, _T
  CHECK((a.transpose().shape() == yoke::shape{4, 3, 2} && a.transpose()(3, 1, 0).value() == 7));
  CHECK(a.transpose({0, 1, 2}).to_host() == a.to_host());
  CHECK_THROWS_AS(a.transpose({0, 0, 1}), yoke::logic_error);
  CHECK_THROWS_AS(a.transpose({0, 1, 3}), yoke::logic_error);
  CHECK(a(1).transpose().to_host() == ints{12, 16, 20, 13, 17, 21, 14, 18, 22, 15, 19, 23});
  CHECK(a(1).transpose({1, 0}).to_host() == a(1).transpose().to_host());
  // devicearray_view_ok: 16 bits as 32 and 64, and as double
  const std::vector<std::int16_t> host = counting<std::int16_t>(24, 1);
  const auto shorts = yoke::to_device_array(host, {3, 8}, state.stream);
  const auto as_host = [&]<class U>(std::type_identity<U>) {
    std::vector<U> result(24 * 2 / sizeof(U));
    std::memcpy(result.data(), host.data(), 48);
    return result;
  };
  CHECK(shorts.as<std::int32_t>().to_host() == as_host(std::type_identity<std::int32_t>{}));
  CHECK(shorts.as<std::int64_t>().to_host() == as_host(std::type_identity<std::int64_t>{}));
  CHECK((shorts.as<double>().shape() == yoke::shape{3, 2} &&
         shorts.as<double>().to_host() == as_host(std::type_identity<double>{})));
  // devicearray_view_ok_not_c_contig, _bad_not_c_contig, _bad_itemsize
  CHECK(shorts(yoke::whole, yoke::slice(0, 8, 2)).as<std::uint16_t>()(1).to_host() ==
        std::vector<std::uint16_t>{9, 11, 13, 15});
  CHECK_THROWS_AS(shorts(yoke::whole, yoke::slice(0, 8, 2)).as<std::int32_t>(), yoke::logic_error);
  CHECK_THROWS_AS(shorts.reshape({8, 3}).as<std::int32_t>(), yoke::logic_error);
}

YOKE_ANY_DEVICE_TEST_CASE("Numba: copies between layouts", "[array][predecessors]") {
  any_rig state(device);
  const auto& stream = state.stream;
  const auto c_order = yoke::array_order::c;
  const auto f_order = yoke::array_order::f;
  const ints host = counting<int>(2 * 3 * 4, 0);
  // devicearray_contiguous_copy_host_1d, _3d; devicearray_contiguous_copy_device (refused there)
  yoke::device_array<int, 1> line(stream, {24});
  line.assign(host);
  CHECK(line.to_host() == host);
  for (const auto from : {c_order, f_order}) {
    const auto source = yoke::to_device_array(host, {2, 3, 4}, stream, from);
    for (const auto to : {c_order, f_order}) {
      auto target = yoke::full(-1, {2, 3, 4}, stream, to);
      target.assign(source);
      CHECK((target.to_host() == host && source.to_host() == host));
    }
  }
  // devicearray_contiguous_slice (refused there): a row of an array in F order is written, and nothing else
  auto rows = yoke::zeros<int>({5, 5}, stream, f_order);
  rows(2).assign(ints{1, 2, 3, 4, 5});
  ints expected(25);
  for (int i = 0; i < 5; ++i) expected[static_cast<std::size_t>(10 + i)] = i + 1;
  CHECK(rows.to_host() == expected);
  // devicearray_broadcast_host_copy: one axis of 1 in each place, both orders of the others
  const ints core = counting<int>(6, 0);
  for (const auto order : {c_order, f_order}) {
    const auto two = yoke::to_device_array(core, {2, 3}, stream, order);
    const auto repeated = [&](const auto& view, std::size_t axis) {
      yoke::shape<3> wide{view.shape()};
      wide[axis] = 4;
      const auto seen = view.broadcast_to(wide);
      ints found = seen.to_host();
      yoke::device_array<int, 3> copied(stream, wide, order);
      copied.assign(seen);
      CHECK(copied.to_host() == found);
      return found;
    };
    ints front;
    for (int i = 0; i < 4; ++i) front.insert(front.end(), core.begin(), core.end());
    CHECK(repeated(two(yoke::newaxis), 0) == front);
    CHECK(repeated(two(yoke::whole, yoke::newaxis), 1) ==
          ints{0, 1, 2, 0, 1, 2, 0, 1, 2, 0, 1, 2, 3, 4, 5, 3, 4, 5, 3, 4, 5, 3, 4, 5});
    ints behind;
    for (const int each : core) behind.insert(behind.end(), 4, each);
    CHECK(repeated(two(yoke::whole, yoke::whole, yoke::newaxis), 2) == behind);
  }
  // devicearray_contiguous_device_strided (refused there)
  line(yoke::slice(0, 24, 2)) = yoke::full(9, {12}, stream)(yoke::whole);
  CHECK((yoke::sum(line(yoke::slice(0, 24, 2))).get() == 108 && line(1).value() == 1));
  // issue_8477: lengths of 0, whatever the strides
  const yoke::array_layout<2> odd({0, 3}, {40, 8}, 0, 4);
  const auto none = line.view().with(odd);
  CHECK(none.to_host().empty());
  none.assign(ints{});
  none.assign(yoke::zeros<int>({0, 3}, stream));
}

YOKE_ANY_DEVICE_TEST_CASE("Numba: contiguity, ravel, reshape", "[array][predecessors]") {
  any_rig state(device);
  const auto& stream = state.stream;
  const auto f_order = yoke::array_order::f;
  // c_f_contiguity_matches_numpy, devicearray_relaxed_strides, typing_order_simple_*, typing_order_2d_*
  for (const auto order : {yoke::array_order::c, f_order}) {
    CHECK(contiguous(yoke::zeros<int>({1, 4}, stream, order), true, true));
    CHECK(contiguous(yoke::zeros<int>({4, 1}, stream, order), true, true));
    CHECK(contiguous(yoke::zeros<int>({4}, stream, order), true, true));
  }
  const auto wide = yoke::zeros<int>({1, 16}, stream);
  CHECK(contiguous(wide.view().with(yoke::array_layout<2>({1, 16}, {999, 4}, 0, 4)), true, true));
  // contigous_2d, _3d, _4d
  CHECK(contiguous(yoke::zeros<int>({5, 4}, stream), true, false));
  CHECK(contiguous(yoke::zeros<int>({5, 4}, stream, f_order), false, true));
  CHECK(contiguous(yoke::zeros<int>({5, 4, 3}, stream), true, false));
  CHECK(contiguous(yoke::zeros<int>({5, 4, 3}, stream, f_order), false, true));
  CHECK(contiguous(yoke::zeros<int>({5, 4, 3, 2}, stream), true, false));
  CHECK(contiguous(yoke::zeros<int>({5, 4, 3, 2}, stream, f_order), false, true));
  // typing_order_noncontig_slice_c, _f; typing_order_contig_slice_c, _f; typing_order_broadcasted
  const auto c = yoke::to_device_array(counting<int>(60, 0), {5, 12}, stream);
  const auto f = yoke::to_device_array(counting<int>(60, 0), {5, 12}, stream, f_order);
  CHECK((contiguous(c(yoke::whole, 1), false, false) && contiguous(f(1), false, false)));
  CHECK((contiguous(c(1), true, true) && contiguous(f(yoke::whole, 1), true, true)));
  CHECK(contiguous(c(0, 0).broadcast_to({4}), false, false));
  // device_array_like_1d ... _3d and _f, 1d_view ... 2d_view_f: likes of wholes, transposes and strided parts
  CHECK(contiguous(yoke::empty_like(c), true, false));
  CHECK(contiguous(yoke::empty_like(f), false, true));
  CHECK(contiguous(yoke::empty_like(c.transpose()), false, true));
  CHECK(contiguous(yoke::empty_like(f.transpose()), true, false));
  CHECK(contiguous(yoke::empty_like(c(0)), true, true));
  CHECK(contiguous(yoke::empty_like(c.reshape({5, 4, 3})), true, false));
  CHECK(contiguous(yoke::empty_like(c.reshape({5, 4, 3}).transpose()), false, true));
  CHECK(contiguous(yoke::empty_like(c(yoke::whole, yoke::slice(0, 12, 2))), true, false));
  CHECK(contiguous(yoke::empty_like(f.ravel(f_order)(yoke::slice(0, 60, 2))), true, true));
  // ravel_1d, ravel_c, ravel_f
  CHECK(c(0).ravel().to_host() == counting<int>(12, 0));
  CHECK(c.reshape({5, 4, 3}).ravel().to_host() == counting<int>(60, 0));
  CHECK(f.ravel(f_order).to_host() == f.transpose().to_host());
  CHECK_THROWS_AS(f.ravel(), yoke::logic_error);
  // ravel_stride_1d, ravel_stride_c, ravel_stride_f (refused there): as a copy
  CHECK(c(yoke::whole, yoke::slice(0, 12, 2)).ravel().strides()[0] == 8);  // one stride reaches all
  const auto strided = c(yoke::whole, yoke::slice(0, 10, 2));
  CHECK(strided.layout().offset_bytes() == 0);
  CHECK_THROWS_AS(strided.ravel(), yoke::logic_error);
  CHECK(strided.reshape_copy({25})(yoke::slice(4, 7)).to_host() == ints{8, 12, 14});
  CHECK(f(yoke::whole, yoke::slice(0, 10, 2)).reshape_copy({25}).to_host() == strided.to_host());
  // reshape_c, reshape_f, and those of an array in F order, which is not reinterpreted
  const auto ten = yoke::arange<int>(10, stream);
  CHECK(ten.reshape({2, 5}).to_host() == counting<int>(10, 0));
  CHECK(ten.reshape({2, 5}, f_order).to_host() == ints{0, 2, 4, 6, 8, 1, 3, 5, 7, 9});
  CHECK_THROWS_AS(f.reshape({12, 5}), yoke::logic_error);
  CHECK(f.reshape_copy({12, 5}).to_host() == counting<int>(60, 0));
}

YOKE_ANY_DEVICE_TEST_CASE("Numba: indices and slices", "[array][predecessors]") {
  any_rig state(device);
  const auto& stream = state.stream;
  const auto f_order = yoke::array_order::f;
  // index_1d, index_2d, index_3d
  check_index(yoke::arange<int>(10, stream), 0, 0, counting<int>(10, 0));
  check_index(yoke::to_device_array(counting<int>(12, 0), {3, 4}, stream), 0, 0, counting<int>(12, 0));
  check_index(yoke::to_device_array(counting<int>(24, 0), {2, 3, 4}, stream, f_order), 0, 0, counting<int>(24, 0));
  const auto a = yoke::to_device_array(counting<int>(120, 0), {4, 5, 6}, stream);
  const auto f = yoke::to_device_array(counting<int>(120, 0), {4, 5, 6}, stream, f_order);
  // strided_index_1d, _2d, _3d: each start with steps of 2; prefix_1d, prefix_2d
  const ints flat = counting<int>(10, 0);
  const auto line = yoke::to_device_array(flat, stream);
  for (int start = 0; start < 10; ++start) {
    ints every;
    for (int i = start; i < 10; i += 2) every.push_back(i);
    CHECK(line(yoke::slice(start, yoke::none, 2)).to_host() == every);
    CHECK(line(yoke::slice(start, yoke::none)).to_host() == ints(flat.begin() + start, flat.end()));
  }
  for (int i = 0; i < 5; ++i) {
    for (int j = 0; j < 6; ++j) {
      const auto tail = a(1, yoke::slice(i, yoke::none), yoke::slice(j, yoke::none));
      CHECK((tail.extent(0) == static_cast<std::size_t>(5 - i) && tail.extent(1) == static_cast<std::size_t>(6 - j)));
      CHECK((tail.strides() == std::array<std::ptrdiff_t, 2>{24, 4} && tail(0, -1).value() == 30 + 6 * i + 5));
      const auto steps = a(1, yoke::slice(i, yoke::none, 2), yoke::slice(j, yoke::none, 2)).to_host();
      ints every;
      for (int row = i; row < 5; row += 2) {
        for (int column = j; column < 6; column += 2) every.push_back(30 + 6 * row + column);
      }
      CHECK(steps == every);
    }
  }
  // select_3d_first_two_dim, select_c, select_f, prefix_select
  CHECK((a(2).shape() == yoke::shape{5, 6} && a(2).strides() == std::array<std::ptrdiff_t, 2>{24, 4}));
  for (int i = 0; i < 4; ++i) {
    CHECK((a(i, 4)(5).value() == i * 30 + 29 && f(i, 4, yoke::whole).to_host() == a(i, 4).to_host()));
    CHECK(f(i, yoke::whole, 3).to_host() == a(i, yoke::whole, 3).to_host());
  }
  CHECK(f(yoke::whole, 2, 3).to_host() == ints{15, 45, 75, 105});
  CHECK(f(yoke::slice(1, 3), 1, 0).to_host() == ints{36, 66});
  // empty_slice_1d, empty_slice_2d
  const auto nothing = line(yoke::slice(4, 4));
  CHECK((nothing.extent(0) == 0 && nothing(yoke::slice(0, yoke::none)).to_host().empty()));
  CHECK(a(0, yoke::slice(9, yoke::none)).shape() == yoke::shape{0, 6});
  CHECK_THROWS_AS(nothing(0), yoke::logic_error);
}

YOKE_ANY_DEVICE_TEST_CASE("Numba: assignments to parts", "[array][predecessors]") {
  any_rig state(device);
  const auto& stream = state.stream;
  auto a = yoke::to_device_array(counting<int>(120, 0), {4, 5, 6}, stream);
  ints expected = counting<int>(120, 0);
  const auto at = [&](std::size_t i, std::size_t j, std::size_t k) -> int& { return expected[i * 30 + j * 6 + k]; };
  // scalar, rank, broadcast, strides
  a(0, 0, 1).fill(-1);
  at(0, 0, 1) = -1;
  a(1, 2).fill(-2);
  for (std::size_t k = 0; k < 6; ++k) at(1, 2, k) = -2;
  a(3, yoke::whole, 0).fill(-3);
  for (std::size_t j = 0; j < 5; ++j) at(3, j, 0) = -3;
  a(2, 4, yoke::slice(0, 6, 2)).fill(-4);
  for (std::size_t k = 0; k < 6; k += 2) at(2, 4, k) = -4;
  CHECK(a.to_host() == expected);
  // array_assign_column, _row
  a(3, yoke::whole, 5) = yoke::full(70, {5}, stream)(yoke::whole);
  a(0, 4) = yoke::arange<int>(200, 206, 1, stream)(yoke::whole);
  for (std::size_t j = 0; j < 5; ++j) at(3, j, 5) = 70;
  for (std::size_t k = 0; k < 6; ++k) at(0, 4, k) = 200 + static_cast<int>(k);
  CHECK(a.to_host() == expected);
  // array_assign_subarray, _deep_subarray: a matrix into a slab; three axes into the middle of four
  a(2) = yoke::full(5, {5, 6}, stream)(yoke::ellipsis);
  for (std::size_t i = 60; i < 90; ++i) expected[i] = 5;
  CHECK(a.to_host() == expected);
  auto deep = yoke::zeros<int>({3, 2, 2, 2}, stream);
  deep(yoke::whole, 1) = yoke::to_device_array(counting<int>(12, 1), {3, 2, 2}, stream)(yoke::ellipsis);
  CHECK(deep(2).to_host() == ints{0, 0, 0, 0, 9, 10, 11, 12});
  // array_assign_all
  a(yoke::ellipsis) = yoke::full(8, {4, 5, 6}, stream)(yoke::ellipsis);
  CHECK(a.to_host() == ints(120, 8));
  // incompatible_highdim (does not compile here), incompatible_shape
  CHECK_THAT(refusal<yoke::logic_error>(yoke::errc::size_mismatch,
                                        [&] { a(0, 0) = yoke::zeros<int>({7}, stream)(yoke::whole); }),
             Catch::Matchers::ContainsSubstring("cannot broadcast (7,) to (6,): axis 0"));
  CHECK(a.to_host() == ints(120, 8));
}

YOKE_ANY_DEVICE_TEST_CASE("Numba: records, and memory that others made", "[array][predecessors]") {
  any_rig state(device);
  const auto& stream = state.stream;
  // device_record_interface, device_record_copy, from_record_like, auto_device
  yoke::device_value<reading> record(stream, reading{});
  CHECK((record.array().rank() == 0 && record.array().size_bytes() == sizeof(reading)));
  CHECK(record.get().count == 0);
  record.set({0.5, 3, {1, -1}, "mass"});
  CHECK((record.get().weight == 0.5 && record.get().phase == std::complex<float>(1, -1)));
  const auto like = yoke::empty_like(record.array());
  CHECK((like.size_bytes() == sizeof(reading) && like.native_handle() != record.array().native_handle()));
  // structured_array1: members of double, int, complex and text, element by element
  auto all = yoke::to_device_array({reading{}, reading{}, reading{}}, stream);
  for (int i = 0; i < 3; ++i) {
    all.template member<&reading::weight>()(i).fill(i + 0.25);
    all.template member<&reading::count>()(i).fill(-i);
    all.template member<&reading::phase>()(i).fill({static_cast<float>(i), 1});
  }
  const auto back = all.to_host();
  for (int i = 0; i < 3; ++i) {
    const reading& each = back[static_cast<std::size_t>(i)];
    CHECK((each.weight == i + 0.25 && each.count == -i && each.phase == std::complex<float>(static_cast<float>(i), 1)));
  }
  // structured_array2, structured_array3, structured_array4: a member that is a matrix, within a record
  auto cubes = yoke::zeros<nested>({2}, stream);
  const auto inner = cubes.template member<&nested::inner>();
  cube whole{5, {{1, 2, 3}, {4, 5, 6}, {7, 8, 9}}};
  inner(1).assign(std::span(&whole, 1));
  CHECK((cubes(1).value().inner.matrix[2][1] == 8 && cubes(0).value().inner.id == 0));
  // recarray: a kernel reads the members into two arrays
  const auto pairs = yoke::to_device_array({pair{1, 10}, pair{2, 20}, pair{3, 30}}, stream);
  yoke::device_array<float, 1> left(stream, {3});
  yoke::device_array<double, 1> right(stream, {3});
  const yoke::elementwise_kernel<void(float*, double*, const pair*)> split(
      state.context, {"l", "r", "p"}, "l[i] = p[i].left; r[i] = p[i].right",
      {.compile = {.types = {yoke::describe_struct<pair>()}}});
  split(left, right, pairs);
  CHECK((left.to_host() == std::vector<float>{1, 2, 3} && right.to_host() == std::vector<double>{10, 20, 30}));
  left = 2 * pairs.template member<&pair::left>();
  CHECK(left.to_host() == std::vector<float>{2, 4, 6});
  // kernel_with_buffer, kernel_with_strided_memory_view: bytes that somebody else made, whole and with steps
  const yoke::device_allocation<std::uint8_t> bytes(state.context, std::vector<std::uint8_t>{0, 1, 2, 3, 4, 5, 6, 7},
                                                    stream);
  const yoke::device_view<const std::uint8_t, 1> buffer(bytes.span(), {8}, stream);
  yoke::device_array<std::int32_t, 1> seen(stream, {4});
  seen = 10 * buffer(yoke::slice(1, 8, 2));
  CHECK((seen.to_host() == ints{10, 30, 50, 70} && buffer.extent(0) == 8));
  // printing what was read
  CHECK(fmt::format("{}", seen) == "[10 30 50 70]");
}

YOKE_CUDA_TEST_CASE("Numba: the host sees what is written through other elements of mapped memory",
                    "[cuda][array][predecessors]") {
  // issue_6505, which is skipped there
  rig state(device);
  yoke::cuda::pagelocked_array<std::uint8_t> host{state.context, 8, {.mapped = true}};
  std::fill_n(host.data(), 8, std::uint8_t{0});
  const yoke::device_view<std::uint8_t, 1, yoke::cuda::port> bytes(yoke::cuda::mapped(host), {8}, state.stream);
  bytes.as<std::uint32_t>().fill(0x01020304);
  state.stream.synchronize();
  CHECK((host.data()[0] == 4 && host.data()[3] == 1 && host.data()[7] == 1));
}
