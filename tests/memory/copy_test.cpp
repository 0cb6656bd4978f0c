// SPDX-License-Identifier: MIT
// Copies besides the matrix: ranges and element types that take part, refusals before anything is enqueued, nothing.
#include <memory/copy_matrix.hpp>

#include <array>
#include <span>
#include <string>
#include <string_view>

using namespace yoke_test;

namespace {

struct rgb {
  unsigned char r, g, b;
  friend bool operator==(const rgb&, const rgb&) = default;
};
struct particle {
  double mass;
  float x, y, z;
  int id;
  friend bool operator==(const particle&, const particle&) = default;
};

/// A round trip of host range to allocation to host range.
template <class T, class Backend>
void check_round_trip(rig<Backend>& on, const std::vector<T>& values) {
  yoke::device_allocation<T, typename Backend::port> memory{on.context, values.size()};
  std::vector<T> back(values.size());
  yoke::copy(values, memory, on.stream);
  yoke::copy(memory, back, on.stream);
  CHECK(back == values);
}

}  // namespace

YOKE_DEVICE_TEST_CASE("any trivially copyable element can be copied", "[memory]") {
  rig on(device);
  check_round_trip<char>(on, {'a', 'b', 'c'});
  check_round_trip<std::uint8_t>(on, {1, 2, 255});
  check_round_trip<std::int16_t>(on, {-1, 2, 3});
  check_round_trip<std::uint64_t>(on, {1, ~std::uint64_t{0}});
  check_round_trip<double>(on, {0.5, -1e300});
  check_round_trip<yoke::float4>(on, {{1, 2, 3, 4}, {5, 6, 7, 8}});
  check_round_trip<std::array<int, 3>>(on, {{1, 2, 3}, {4, 5, 6}});
  check_round_trip<rgb>(on, {{1, 2, 3}, {4, 5, 6}, {7, 8, 9}});
  check_round_trip<particle>(on, {{1.5, 1, 2, 3, 4}, {2.5, 5, 6, 7, 8}});
}

YOKE_DEVICE_TEST_CASE("shapes hold for elements of odd sizes", "[memory]") {
  rig on(device);
  std::vector<rgb> image(11 * 6);
  for (std::size_t i = 0; i < image.size(); ++i) image[i] = {static_cast<unsigned char>(i), 1, 2};
  const std::vector<rgb> before(9 * 7, rgb{9, 9, 9});
  const copies::shape cell{"",
                           true,
                           {.width = 7, .height = 4, .row_pitch = 11, .offset = 13},
                           true,
                           {.width = 7, .height = 4, .row_pitch = 9, .offset = 10}};
  auto memory = yoke::to_device(before, on.stream);
  yoke::copy(yoke::strided(image, cell.from), yoke::strided(memory, cell.to), on.stream);
  CHECK(download(memory, on.stream) == copies::expected(cell, image, before));

  const std::vector<std::uint8_t> bytes = counting<std::uint8_t>(90);
  const copies::shape odd{"",
                          true,
                          {.width = 3, .height = 4, .depth = 3, .row_pitch = 5, .slice_pitch = 23, .offset = 7},
                          true,
                          {.width = 3, .height = 4, .depth = 3, .row_pitch = 4, .slice_pitch = 17, .offset = 1}};
  auto small = yoke::to_device(std::vector<std::uint8_t>(60, 200), on.stream);
  yoke::copy(yoke::strided(bytes, odd.from), yoke::strided(small, odd.to), on.stream);
  CHECK(download(small, on.stream) == copies::expected(odd, bytes, std::vector<std::uint8_t>(60, 200)));
}

YOKE_DEVICE_TEST_CASE("boxes with rows and slices of other distances are copied within one allocation", "[memory]") {
  rig on(device);
  const auto check = [&](const yoke::box_layout& from, const yoke::box_layout& to) {
    const std::vector<std::int16_t> before = counting<std::int16_t>(300);
    const copies::shape cell{"", true, from, true, to};
    auto memory = yoke::to_device(before, on.stream);
    yoke::copy(yoke::strided(memory, from), yoke::strided(memory, to), on.stream);
    CHECK(download(memory, on.stream) == copies::expected(cell, before, before));
    auto later = yoke::to_device(before, on.stream);
    yoke::copy_async(yoke::strided(later, from), yoke::strided(later, to), on.stream).wait();
    CHECK(download(later, on.stream) == copies::expected(cell, before, before));
  };
  check({.width = 5, .height = 4, .row_pitch = 7, .offset = 3},
        {.width = 5, .height = 4, .row_pitch = 11, .offset = 60});
  check({.width = 5, .height = 4, .row_pitch = 11, .offset = 60},
        {.width = 5, .height = 4, .row_pitch = 5, .offset = 3});
  check({.width = 5, .height = 4, .row_pitch = 7, .offset = 3},
        {.width = 5, .height = 4, .row_pitch = 7, .offset = 60});
  check({.width = 2, .height = 3, .depth = 4, .row_pitch = 4, .slice_pitch = 16, .offset = 1},
        {.width = 2, .height = 3, .depth = 4, .row_pitch = 3, .slice_pitch = 12, .offset = 150});
  check({.width = 2, .height = 3, .depth = 4, .row_pitch = 4, .slice_pitch = 16, .offset = 1},
        {.width = 2, .height = 3, .depth = 4, .row_pitch = 4, .slice_pitch = 12, .offset = 150});
  check({.width = 2, .height = 3, .depth = 4, .row_pitch = 4, .slice_pitch = 17, .offset = 1},
        {.width = 2, .height = 3, .depth = 4, .row_pitch = 3, .slice_pitch = 11, .offset = 150});
}

namespace {
/// A range that counts in `int`, as those of other libraries do.
struct counted_in_int {
  int* first;
  int count;
  [[nodiscard]] int* data() const { return first; }
  [[nodiscard]] int size() const { return count; }
};
}  // namespace

YOKE_DEVICE_TEST_CASE("any contiguous host range takes part, and const ones are sources", "[memory]") {
  rig on(device);
  const std::vector<int> vector = counting(6);
  const int plain[6] = {6, 5, 4, 3, 2, 1};
  const std::array<int, 6> array{1, 1, 2, 3, 5, 8};
  backend::device_allocation<int> memory{on.context, 6};
  const auto& readable = memory;
  const backend::device_span<const int> view = readable.span();

  yoke::copy(vector, memory, on.stream);
  CHECK(download(readable, on.stream) == vector);
  int out_of_int[6] = {};
  yoke::copy(memory, counted_in_int{out_of_int, 6}, on.stream);
  CHECK(std::ranges::equal(out_of_int, vector));
  out_of_int[5] = -5;
  yoke::copy(counted_in_int{out_of_int, 6}, memory, on.stream);
  CHECK(download(readable, on.stream).back() == -5);
  yoke::copy(plain, memory.span(), on.stream);
  CHECK(download(view, on.stream) == std::vector<int>(std::begin(plain), std::end(plain)));
  yoke::copy(array, memory, on.stream);
  yoke::copy(std::span<const int>{vector}.first(3), memory.subspan(3, 3), on.stream);
  CHECK(download(memory, on.stream) == std::vector<int>{1, 1, 2, 1, 2, 3});

  int back[6] = {};
  yoke::copy(view, back, on.stream);
  CHECK(back[5] == 3);
  std::array<int, 2> pair{};
  yoke::copy(view.subspan(4, 2), pair, on.stream);
  CHECK(pair == std::array{2, 3});
  std::vector<int> target(10, -1);
  yoke::copy(readable, std::span<int>{target}.subspan(2, 6), on.stream);
  CHECK(target == std::vector<int>{-1, -1, 1, 1, 2, 1, 2, 3, -1, -1});

  const std::string_view text = "yoke";
  backend::device_allocation<char> characters{on.context, text.size()};
  yoke::copy(text, characters, on.stream);
  std::string read(4, ' ');
  yoke::copy(characters, read, on.stream);
  CHECK(read == text);

  const backend::pagelocked_array<int> unused{on.context, 6};
  backend::pagelocked_array<int> locked{on.context, 6};
  std::copy(vector.begin(), vector.end(), locked.begin());
  const auto& constant = locked;
  yoke::copy_async(constant, memory, on.stream).wait();
  yoke::copy(yoke::strided(constant, {.width = 2, .offset = 4}), memory.subspan(0, 2), on.stream);
  CHECK(download(memory, on.stream) == std::vector<int>{5, 6, 3, 4, 5, 6});
}

YOKE_DEVICE_TEST_CASE("sizes that differ are refused before anything is enqueued", "[memory]") {
  rig on(device);
  std::vector<int> host(12);
  backend::device_allocation<int> memory{on.context, 10};
  backend::device_allocation<int> other{on.context, 12};
  backend::pagelocked_array<int> locked{on.context, 12};
  const std::size_t mark = on.driver.mark();
  const auto differ = [&](auto&& from, auto&& to) {
    return refusal<yoke::logic_error>(yoke::errc::size_mismatch, [&] { yoke::copy(from, to, on.stream); });
  };
  CHECK_THAT(differ(host, memory),
             ContainsSubstring("source has 12 elements, destination 10") && ContainsSubstring("copy_test.cpp:"));
  differ(memory, host);
  differ(memory, other);
  differ(locked, memory);
  differ(other.span(), memory.span());
  differ(yoke::strided(host, {.width = 3, .height = 4}), memory);
  CHECK_THAT(differ(yoke::strided(host, {.width = 3, .height = 4}), yoke::strided(other, {.width = 4, .height = 3})),
             ContainsSubstring("source has 3 x 4 elements, destination 4 x 3"));
  differ(yoke::strided(host, {.width = 3, .height = 2, .depth = 2}), yoke::strided(other, {.width = 3, .height = 4}));
  CHECK_THAT(
      refusal<yoke::logic_error>(yoke::errc::size_mismatch, [&] { (void)yoke::copy_async(locked, memory, on.stream); }),
      ContainsSubstring("source has 12"));
  CHECK(on.driver.count_all(mark) == 0);
}

YOKE_DEVICE_TEST_CASE("views that leave their range or overlap themselves are refused", "[memory]") {
  rig on(device);
  std::vector<int> host(20);
  backend::device_allocation<int> memory{on.context, 20};
  const std::size_t mark = on.driver.mark();
  const auto refused = [&](yoke::errc why, yoke::box_layout box) {
    const std::string text = refusal<yoke::logic_error>(why, [&] { (void)yoke::strided(host, box); });
    refusal<yoke::logic_error>(why, [&] { (void)yoke::strided(memory, box); });
    return text;
  };
  using yoke::errc;
  CHECK_THAT(refused(errc::out_of_range, {.width = 21}),
             ContainsSubstring("the box ends at element 21 of a range of 20"));
  CHECK_THAT(refused(errc::out_of_range, {.width = 5, .height = 4, .row_pitch = 5, .offset = 1}),
             ContainsSubstring("ends at element 21"));
  CHECK(yoke::strided(host, {.width = 5, .height = 4}).box.slice_pitch == 20);
  CHECK_THAT(refused(errc::invalid_argument, {.width = 5, .height = 2, .row_pitch = 4}),
             ContainsSubstring("row pitch 4 is smaller than the width 5"));
  CHECK_THAT(refused(errc::invalid_argument, {.width = 2, .height = 2, .depth = 2, .row_pitch = 3, .slice_pitch = 4}),
             ContainsSubstring("slice pitch 4 is smaller than a slice of 2 rows of pitch 3"));
  const std::size_t huge = ~std::size_t{0};
  CHECK_THAT(refused(errc::out_of_range, {.width = 1, .offset = huge}),
             ContainsSubstring("the box of 1 x 1 x 1 elements with pitches 1 and 1 from element " +
                               std::to_string(huge) + " exceeds the size of an integer"));
  refused(errc::out_of_range, {.width = 1, .height = 3, .row_pitch = huge / 2 + 1});
  refused(errc::out_of_range, {.width = 1, .height = huge, .row_pitch = huge});
  refused(errc::out_of_range, {.width = huge});
  CHECK(on.driver.count_all(mark) == 0);
}

YOKE_DEVICE_TEST_CASE("copies refuse other contexts and empty streams", "[memory]") {
  rig on(device);
  const backend::context elsewhere = Backend::another_context(on.device);
  backend::device_allocation<int> foreign{elsewhere, 4};
  backend::pagelocked_array<int> foreign_host{elsewhere, 4};
  backend::device_allocation<int> memory{on.context, 4};
  std::vector<int> host(4);
  const std::size_t mark = on.driver.mark();
  using yoke::errc;
  CHECK_THAT(refusal<yoke::logic_error>(errc::wrong_context, [&] { yoke::copy(host, foreign, on.stream); }),
             ContainsSubstring("the destination is of another context than the stream"));
  CHECK_THAT(refusal<yoke::logic_error>(errc::wrong_context, [&] { yoke::copy(foreign, host, on.stream); }),
             ContainsSubstring("the source is of another context than the stream"));
  if (!yoke::port_traits<typename backend::port>::copies_between_contexts(on.context.port())) {
    refusal<yoke::logic_error>(errc::wrong_context, [&] { yoke::copy(foreign.span(), memory, on.stream); });
  }
  refusal<yoke::logic_error>(errc::wrong_context, [&] { (void)yoke::copy_async(foreign_host, memory, on.stream); });
  refusal<yoke::logic_error>(errc::wrong_context, [&] { yoke::fill(foreign, 1, on.stream); });
  CHECK_THAT(refusal<yoke::logic_error>(errc::empty_handle, [&] { yoke::copy(host, memory, backend::stream{}); }),
             ContainsSubstring("this stream is empty"));
  refusal<yoke::logic_error>(errc::empty_handle, [&] { yoke::fill(memory, 1, backend::stream{}); });
  CHECK(on.driver.count_all(mark) == 0);
  yoke::copy(host, memory, on.stream);
}

YOKE_DEVICE_TEST_CASE("copying nothing calls no driver", "[memory]") {
  rig on(device);
  std::vector<int> host(8);
  backend::device_allocation<int> memory{on.context, 8};
  backend::pagelocked_array<int> locked{on.context, 8};
  const std::size_t mark = on.driver.mark();
  yoke::copy(std::vector<int>{}, memory.subspan(3, 0), on.stream);
  yoke::copy(memory.subspan(8, 0), memory.subspan(0, 0), on.stream);
  const yoke::box_layout nothing{.width = 0, .height = 3, .depth = 2};
  yoke::copy(yoke::strided(host, nothing), yoke::strided(memory, nothing), on.stream);
  yoke::copy(yoke::strided(memory, {.width = 2, .height = 0}), yoke::strided(host, {.width = 2, .height = 0}),
             on.stream);
  auto none = yoke::copy_async(yoke::strided(locked, nothing), yoke::strided(memory, nothing), on.stream);
  CHECK(none.is_done());
  CHECK_FALSE(static_cast<bool>(none.done()));
  none.detach();
  yoke::fill(yoke::strided(memory, nothing), 1, on.stream);
  CHECK(on.driver.count_all(mark) == 0);
}

YOKE_DEVICE_TEST_CASE("what was copied to the device is there for every stream", "[memory]") {
  rig on(device);
  for (int round = 0; round < 100; ++round) {
    const backend::stream first(on.context), second(on.context);
    const std::vector<int> host = counting(9, round);
    auto line = yoke::to_device(host, first);
    CHECK(download(line, second) == host);
    backend::device_allocation<int> square{on.context, 16};
    const yoke::box_layout box{.width = 3, .height = 3, .row_pitch = 4};
    yoke::copy(yoke::strided(host, {.width = 3, .height = 3}), yoke::strided(square, box), first);
    std::vector<int> back(9);
    yoke::copy(yoke::strided(square, box), yoke::strided(back, {.width = 3, .height = 3}), second);
    CHECK(back == host);
  }
}

YOKE_DEVICE_TEST_CASE("a strided view takes spans that are temporaries", "[memory]") {
  rig on(device);
  backend::device_allocation<int> memory{on.context, 12};
  std::vector<int> host = counting(12), back(4);
  yoke::copy(host, memory, on.stream);
  const yoke::box_layout box{.width = 2, .height = 2, .row_pitch = 4, .offset = 1};
  yoke::copy(yoke::strided(memory.span(), box), yoke::strided(std::span<int>(back), {.width = 2, .height = 2}),
             on.stream);
  CHECK(back == std::vector<int>{2, 3, 6, 7});
  yoke::copy(yoke::strided(std::span<const int>(host).subspan(4), box),
             yoke::strided(memory.subspan(8, 4), {.width = 2, .height = 2}), on.stream);
  CHECK(download(memory, on.stream) == std::vector<int>{1, 2, 3, 4, 5, 6, 7, 8, 6, 7, 10, 11});
  CHECK_THAT(
      refusal<yoke::logic_error>(yoke::errc::out_of_range, [&] { (void)yoke::strided(memory.span(), {.width = 13}); }),
      ContainsSubstring("the box ends at element 13 of a range of 12"));
}

YOKE_DEVICE_TEST_CASE("memory of every kind comes back as a vector", "[memory]") {
  rig on(device);
  const std::vector<int> host = counting(12);
  backend::device_allocation<int> memory{on.context, host, on.stream};
  CHECK(yoke::to_host(memory, on.stream) == host);
  CHECK(yoke::to_host(std::as_const(memory), on.stream) == host);
  CHECK(yoke::to_host(memory.subspan(3, 2), on.stream) == std::vector<int>{4, 5});
  CHECK(yoke::to_host(std::as_const(memory).subspan(3, 2), on.stream) == std::vector<int>{4, 5});
  const yoke::box_layout part{.width = 2, .height = 2, .row_pitch = 4, .offset = 5};
  CHECK(yoke::to_host(yoke::strided(memory, part), on.stream) == std::vector<int>{6, 7, 10, 11});
  CHECK(yoke::to_host(backend::device_allocation<int>{on.context, 0}, on.stream).empty());
  static_assert(std::same_as<decltype(yoke::to_host(memory, on.stream)), std::vector<int>>);
  const backend::device_allocation<int> taken = std::move(memory);
  refusal<yoke::logic_error>(yoke::errc::empty_handle, [&] { (void)yoke::to_host(memory, on.stream); });
  if constexpr (std::same_as<port, ocl::port>) {
    ocl::device_allocation<int> large{on.context, counting(4096), on.stream};
    ocl::sub_buffer<int> second{large, 2048, 2048};
    CHECK(yoke::to_host(second, on.stream) == counting(2048, 2049));
    if (on.device.port().svm(on.device.native_handle(), {}).coarse) {
      ocl::svm_allocation<int, ocl::svm::coarse> shared{on.context, 12, on.stream};
      yoke::copy(host, shared, on.stream);
      CHECK(yoke::to_host(shared, on.stream) == host);
    }
  } else {
    yoke::cuda::pitched_allocation<int> rows{on.context, 4, 3};
    yoke::copy(host, rows, on.stream);
    CHECK(yoke::to_host(rows, on.stream) == host);
  }
}
