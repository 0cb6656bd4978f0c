// SPDX-License-Identifier: MIT
// Copies between arrays of any two layouts: each element arrives, and no other byte changes.
#include <array/array_rig.hpp>

#if __has_include(<mdspan>)
#include <mdspan>
#endif

using namespace yoke_test;
using namespace yoke_test::arrays;

namespace {

/// An element that no kernel word is as large as.
struct odd {
  std::uint8_t bytes[3];
  bool operator==(const odd&) const = default;
};
struct large {
  std::uint32_t words[5];
  bool operator==(const large&) const = default;
};

template <class T>
std::vector<T> random_bytes(std::size_t size, std::mt19937_64& engine) {
  std::vector<T> values(size);
  std::vector<std::uint8_t> bytes(size * sizeof(T));
  for (std::uint8_t& each : bytes) each = static_cast<std::uint8_t>(engine());
  if (size != 0) std::memcpy(static_cast<void*>(values.data()), bytes.data(), bytes.size());
  return values;
}

template <class T>
bool same_bytes(const std::vector<T>& left, const std::vector<T>& right) {
  return left.size() == right.size() &&
         (left.empty() || std::memcmp(left.data(), right.data(), left.size() * sizeof(T)) == 0);
}

/// Returns: a random view of rank 3 with that shape, of an array that is large enough for it.
template <class Array>
auto random_part(Array& array, const yoke::shape<3>& shape, dice& random) {
  const std::vector<std::size_t> order = random.permutation(3);
  const int given[3] = {static_cast<int>(order[0]), static_cast<int>(order[1]), static_cast<int>(order[2])};
  auto turned = array.transpose(given);
  const auto part = [&](std::size_t axis) {
    const std::size_t extent = turned.extent(axis);
    if (shape[axis] == 0) return yoke::slice(0, 0);
    const std::size_t step = shape[axis] < 2 ? 1 : 1 + random.below((extent - 1) / (shape[axis] - 1));
    const std::size_t reach = (shape[axis] - 1) * step;
    const auto first = static_cast<std::ptrdiff_t>(random.below(extent - reach));
    const auto by = static_cast<std::ptrdiff_t>(step);
    const std::ptrdiff_t last = first + static_cast<std::ptrdiff_t>(reach);
    if (random.below(3) != 0) return yoke::slice(first, last + 1, by);
    return yoke::slice(last, first == 0 ? yoke::slice_bound(yoke::none) : yoke::slice_bound(first - 1), -by);
  };
  return turned(part(0), part(1), part(2));
}

/// Effects: copies random parts of random arrays to each other, and compares all bytes.
template <class T, class Rig>
void copy_random_parts(Rig& state, int rounds) {
  dice random(std::random_device{}());
  std::mt19937_64 engine(random.seed());
  INFO("seed " << random.seed());
  for (int round = 0; round < rounds; ++round) {
    // Rows of many bytes take other calls than short ones.
    const std::size_t longest = round % 3 == 0 ? 40 : 7;
    const std::size_t most = 1 + random.below(longest);
    yoke::shape<3> shape{random.extent(), random.below(2) == 0 ? most : random.extent(), random.extent()};
    const std::size_t side = std::max({shape[0], shape[1], shape[2], std::size_t{1}}) + random.below(3);
    const yoke::shape<3> whole{side, side, side};
    const std::vector<T> source_memory = random_bytes<T>(side * side * side, engine);
    std::vector<T> memory = random_bytes<T>(side * side * side, engine);
    auto from = yoke::to_device_array(source_memory, whole, state.stream);
    auto to = yoke::to_device_array(memory, whole, state.stream);
    const auto source = random_part(from, shape, random);
    const auto destination = random_part(to, shape, random);
    CAPTURE(round, sizeof(T), shape[0], shape[1], shape[2]);
    const auto reads = model::of(source.layout()).addresses;
    const auto writes = model::of(destination.layout()).addresses;
    std::vector<T> values;
    for (const std::size_t at : reads) values.push_back(source_memory[at / sizeof(T)]);
    REQUIRE(same_bytes(source.to_host(), values));
    for (std::size_t i = 0; i < writes.size(); ++i) memory[writes[i] / sizeof(T)] = values[i];
    destination.assign(source);
    REQUIRE(same_bytes(to.to_host(), memory));
    // The other ways to the same elements.
    values = random_bytes<T>(values.size(), engine);
    for (std::size_t i = 0; i < writes.size(); ++i) memory[writes[i] / sizeof(T)] = values[i];
    destination.assign(values);
    REQUIRE(same_bytes(to.to_host(), memory));
    auto later = destination.to_host_async();
    const auto taken = std::move(later).get();
    REQUIRE(same_bytes(std::vector<T>(taken.begin(), taken.end()), values));
    REQUIRE(same_bytes(destination.copy().to_host(), values));
    const T value = random_bytes<T>(1, engine)[0];
    for (const std::size_t at : writes) memory[at / sizeof(T)] = value;
    destination.fill(value);
    REQUIRE(same_bytes(to.to_host(), memory));
  }
}

}  // namespace

YOKE_DEVICE_TEST_CASE("random parts of arrays are copied, filled and read", "[array][copies]") {
  rig state(device);
  copy_random_parts<std::uint8_t>(state, 12);
  copy_random_parts<odd>(state, 12);
  copy_random_parts<std::int16_t>(state, 8);
  copy_random_parts<float>(state, 30);
  copy_random_parts<double>(state, 10);
  copy_random_parts<large>(state, 12);
}

YOKE_DEVICE_TEST_CASE("parts of one array that overlap are copied as if at once", "[array][copies]") {
  rig state(device);
  const std::vector<int> host = random_values<int>(100);
  for (const std::ptrdiff_t shift : {1, 3, 50, 99}) {
    auto a = yoke::to_device_array(host, state.stream);
    a(yoke::slice(shift, yoke::none)).assign(a(yoke::slice(0, -shift)));
    auto expected = host;
    std::copy(host.begin(), host.end() - shift, expected.begin() + shift);
    CHECK(a.to_host() == expected);
  }
  auto a = yoke::to_device_array(host, state.stream);
  a.assign(a(yoke::reversed));
  CHECK(a.to_host() == std::vector<int>(host.rbegin(), host.rend()));
  auto square = yoke::to_device_array(host, {10, 10}, state.stream);
  square.assign(square.transpose());
  CHECK(square(3, 7).value() == host[73]);
  square(yoke::slice(yoke::none, yoke::none, 2)).assign(square(yoke::slice(1, yoke::none, 2)));
  CHECK(square(0, 3).value() == host[31]);
  // A row is repeated into the array that it is a part of.
  square.assign(square(2));
  CHECK(square(9).to_host() == square(0).to_host());
}

YOKE_DEVICE_TEST_CASE("parts of one array, far apart, whose rows have other distances are copied", "[array][copies]") {
  rig state(device);
  // Rows of 64 bytes and more take the driver's call for boxes, which OpenCL has for equal distances alone.
  std::vector<int> host = counting<int>(64 * 64);
  auto a = yoke::to_device_array(host, {64, 64}, state.stream);
  const auto mark = state.driver.mark();
  a(yoke::slice(40, 60, 2), yoke::slice(5, 37)) = a(yoke::slice(0, 10), yoke::slice(20, 52));
  CHECK(state.enqueued(mark) == 1);
  for (std::size_t row = 0; row < 10; ++row) {
    for (std::size_t column = 0; column < 32; ++column) {
      host[(40 + 2 * row) * 64 + 5 + column] = static_cast<int>(row * 64 + 20 + column) + 1;
    }
  }
  CHECK(a.to_host() == host);
  auto deep = a.reshape({4, 16, 64});
  deep(yoke::slice(2, 4), yoke::slice(0, 12, 3), yoke::slice(0, 20)) =
      deep(yoke::slice(0, 2), yoke::slice(0, 4), yoke::slice(44, 64));
  for (std::size_t slice = 0; slice < 2; ++slice) {
    for (std::size_t row = 0; row < 4; ++row) {
      for (std::size_t column = 0; column < 20; ++column) {
        host[((2 + slice) * 16 + 3 * row) * 64 + column] = host[(slice * 16 + row) * 64 + 44 + column];
      }
    }
  }
  CHECK(a.to_host() == host);
}

YOKE_DEVICE_TEST_CASE("copies between arrays take the fewest calls that their layouts allow", "[array][copies]") {
  rig state(device);
  auto a = yoke::to_device_array(random_values<int>(8 * 8 * 64), {8, 8, 64}, state.stream);
  auto b = yoke::zeros<int>({8, 8, 64}, state.stream);
  const auto calls = [&](const auto& act) {
    const std::size_t mark = state.driver.calls().size();
    act();
    return state.enqueued(mark);
  };
  CHECK(calls([&] { b.assign(a); }) == 1);
  CHECK(calls([&] { b(yoke::slice(2, 6)).assign(a(yoke::slice(1, 5))); }) == 1);
  CHECK(calls([&] { b(yoke::whole, 3).assign(a(yoke::whole, 5)); }) == 1);
  CHECK(calls([&] {
          b(yoke::whole, yoke::slice(0, 4), yoke::slice(0, 32))
              .assign(a(yoke::whole, yoke::slice(4, 8), yoke::slice(32, 64)));
        }) == 1);
  CHECK(calls([&] { b.transpose().assign(a.transpose()); }) == 1);
  CHECK(calls([&] { b(yoke::reversed).assign(a(yoke::reversed)); }) == 1);
  CHECK(b.to_host() == a.to_host());
  b.fill(0);
  CHECK(calls([&] { b(yoke::whole, yoke::whole, 3).assign(a(yoke::whole, yoke::whole, 4)); }) == 1);
  CHECK(b(5, 6, 3).value() == a(5, 6, 4).value());
  // A kernel is compiled once for each kind.
  const std::size_t mark = state.driver.calls().size();
  b(yoke::whole, yoke::whole, 9).assign(a(yoke::whole, yoke::whole, 1));
  for (const std::string& each : state.driver.calls(mark)) {
    CHECK(each.find("build_program") == std::string::npos);
    CHECK(each.find("library_load") == std::string::npos);
  }
}

YOKE_DEVICE_TEST_CASE("ranks from 0 to 8 are copied", "[array][copies]") {
  rig state(device);
  auto point = yoke::full(5, yoke::shape<0>{}, state.stream);
  CHECK(point.copy().value() == 5);
  const std::vector<int> host = counting<int>(256, 0);
  auto a = yoke::to_device_array(host, {2, 2, 2, 2, 2, 2, 2, 2}, state.stream);
  const auto turned = a.transpose();
  const auto expected = [&] {
    std::vector<int> values;
    for (int i = 0; i < 256; ++i) {
      int back = 0;
      for (int bit = 0; bit < 8; ++bit) back |= ((i >> bit) & 1) << (7 - bit);
      values.push_back(back);
    }
    return values;
  }();
  CHECK(turned.to_host() == expected);
  CHECK(turned.reshape_copy({16, 16}).to_host() == expected);
  CHECK(turned.reshape_copy({16, -1}, yoke::array_order::f).transpose().to_host() == host);
  auto large_elements = yoke::full(large{{1, 2, 3, 4, 5}}, {2, 2, 2, 2, 2, 2, 2, 2}, state.stream);
  large_elements.transpose()(1).fill(large{{9, 8, 7, 6, 5}});
  CHECK(large_elements(0, 0, 0, 0, 0, 0, 0, 1).value() == large{{9, 8, 7, 6, 5}});
  CHECK(large_elements(1, 1, 1, 1, 1, 1, 1, 0).value() == large{{1, 2, 3, 4, 5}});
}

YOKE_DEVICE_TEST_CASE("a view that repeats elements is read, not written", "[array][copies]") {
  rig state(device);
  auto a = yoke::to_device_array({1, 2, 3}, state.stream);
  CHECK(a.broadcast_to({2, 3}).copy().to_host() == std::vector<int>{1, 2, 3, 1, 2, 3});
  // A layout of one's own may repeat elements, too.
  const yoke::array_layout<2> sliding({2, 2}, {4, 4}, 0, 4);
  const auto view = a.view().with(sliding);
  CHECK(view.to_host() == std::vector<int>{1, 2, 2, 3});
  CHECK(refusal<yoke::logic_error>(yoke::errc::invalid_argument, [&] {
          view.fill(0);
        }).find("elements of the destination, of the shape (2, 2), share bytes") != std::string::npos);
  CHECK_THROWS_AS(view.assign(std::vector<int>(4)), yoke::logic_error);
  CHECK_THROWS_AS(view.assign(a(0)), yoke::logic_error);
  // Rows that drivers would copy as a box, if slices that repeat were one.
  const auto host = random_values<int>(3 * 70);
  const auto wide = yoke::to_device_array(host, {3, 70}, state.stream);
  const auto repeated = wide(yoke::whole, yoke::slice(2, 66)).broadcast_to({4, 3, 64});
  std::vector<int> expected;
  for (int slice = 0; slice < 4; ++slice) {
    for (std::size_t i = 0; i < 3 * 64; ++i) expected.push_back(host[i / 64 * 70 + 2 + i % 64]);
  }
  CHECK(repeated.copy().to_host() == expected);
  CHECK(repeated.to_host() == expected);
  auto gaps = yoke::zeros<int>({4, 3, 80}, state.stream);
  gaps(yoke::ellipsis, yoke::slice(5, 69)) = repeated;
  CHECK(gaps(yoke::ellipsis, yoke::slice(5, 69)).to_host() == expected);
}

namespace {
/// What an mdspan of any library looks like.
template <class T, std::size_t Rank>
struct toy_mdspan {
  using element_type = T;
  static constexpr std::size_t rank() { return Rank; }
  [[nodiscard]] T* data_handle() const { return data; }
  [[nodiscard]] std::size_t extent(std::size_t axis) const { return extents[axis]; }
  [[nodiscard]] std::ptrdiff_t stride(std::size_t axis) const { return strides[axis]; }
  T* data;
  std::array<std::size_t, Rank> extents;
  std::array<std::ptrdiff_t, Rank> strides;
};
}  // namespace

YOKE_ANY_DEVICE_TEST_CASE("the memory of an array is regarded in any shape and with any strides", "[array][copies]") {
  any_rig state(device);
  auto a = yoke::arange<std::int32_t>(10, state.stream);
  const auto windows = a.as_strided({8, 3}, {4, 4});
  CHECK(windows.shape() == yoke::shape<2>{8, 3});
  CHECK(windows(5).to_host() == std::vector<std::int32_t>{5, 6, 7});
  CHECK(yoke::sum(windows, yoke::along(1)).to_host() == std::vector<std::int64_t>{3, 6, 9, 12, 15, 18, 21, 24});
  CHECK_THAT(refusal<yoke::logic_error>(yoke::errc::invalid_argument, [&] { windows.fill(1); }),
             ContainsSubstring("repeats elements"));
  auto diagonal = a(yoke::slice(0, 9)).as_strided({3}, {16});
  diagonal = 7;
  CHECK(a.to_host() == std::vector<std::int32_t>{7, 1, 2, 3, 7, 5, 6, 7, 7, 9});
  // From a view's first element, backwards, over all of the memory, and no further.
  const auto back = a(yoke::slice(6, yoke::none)).as_strided({2, 3}, {4, -8});
  CHECK(back.to_host() == std::vector<std::int32_t>{6, 7, 2, 7, 5, 3});
  CHECK(a(yoke::slice(4, 6)).as_strided({2}, {20}).to_host() == std::vector<std::int32_t>{7, 9});
  CHECK(a.as_strided({0, 5}, {400, 4}).empty());
  CHECK_THAT(
      refusal<yoke::logic_error>(yoke::errc::out_of_range,
                                 [&] {
                                   (void)a.as_strided({9, 3}, {4, 4});
                                 }),
      ContainsSubstring("a view of (9, 3) with strides of (4, 4) bytes ends at byte 44: the array's memory has 40"));
  CHECK_THROWS_AS(a.as_strided({2}, {-4}), yoke::logic_error);
  CHECK_THAT(refusal<yoke::logic_error>(yoke::errc::misaligned, [&] { (void)a.as_strided({2}, {6}); }),
             ContainsSubstring("strides of (6,) bytes"));
  const yoke::device_array<int, 1> none;
  CHECK_THROWS_AS(none.as_strided({1}, {4}), yoke::logic_error);
}

YOKE_DEVICE_TEST_CASE("an mdspan of the host is a source and a target with gaps", "[array][copies]") {
  rig state(device);
  std::vector<float> host = random_values<float>(6 * 8);
  const toy_mdspan<const float, 2> every_other{host.data() + 1, {3, 4}, {16, 2}};
  auto a = yoke::to_device_array(every_other, state.stream);
  CHECK(a.shape() == yoke::shape{3, 4});
  std::vector<float> expected;
  for (std::size_t row = 0; row < 3; ++row) {
    for (std::size_t column = 0; column < 4; ++column) expected.push_back(host[1 + row * 16 + column * 2]);
  }
  CHECK(a.to_host() == expected);
  std::vector<float> first_row(4);
  a(0).copy_to(first_row);
  CHECK(std::equal(first_row.begin(), first_row.end(), expected.begin()));
  std::vector<float> target(48, -1.0F);
  yoke::copy_to_mdspan(a.transpose(), toy_mdspan<float, 2>{target.data() + 1, {4, 3}, {2, 16}});
  for (std::size_t i = 0; i < target.size(); ++i) {
    const bool hit = i % 16 % 2 == 1 && i % 16 < 8;
    CHECK(target[i] == (hit ? host[i] : -1.0F));
  }
  CHECK_THROWS_AS(yoke::copy_to_mdspan(a, toy_mdspan<float, 2>{target.data(), {3, 5}, {5, 1}}), yoke::logic_error);
#if defined(__cpp_lib_mdspan)
  const std::mdspan<const float, std::dextents<int, 2>> plain(host.data(), 6, 8);
  CHECK(yoke::to_device_array(plain, state.stream).to_host() == host);
#endif
}
