// SPDX-License-Identifier: MIT
// Sorts of arrays against the host's stable sort: every type, size and layout, by blocks and by single threads.
#include <algorithm/sort_model.hpp>
#include <support/sample.hpp>
#include <yoke/random.hpp>

#include <complex>
#include <limits>

namespace sort_structs {
struct particle {
  float x, y, z;
  int id;
  float mass;
};
}  // namespace sort_structs

using namespace yoke_test;
using namespace yoke_test::arrays;
using namespace yoke_test::sorting;

namespace {

/// Effects: compares all ways to sort with the host's.
template <class T>
void compare(const yoke::stream<>& stream, const std::vector<T>& host,
             std::initializer_list<bool> directions = {false, true}) {
  INFO(host.size() << " keys of " << sizeof(T) << " bytes");
  const auto a = yoke::to_device_array(host, stream);
  for (const bool descending : directions) {
    INFO(descending);
    const auto order = order_of(host.data(), host.size(), descending);
    const yoke::sort_options by{.descending = descending};
    CHECK((yoke::argsort<std::int32_t>(a, by).to_host() == order));
    auto keys = a.copy();
    auto values = yoke::arange<std::int32_t>(static_cast<std::int32_t>(host.size()), stream);
    yoke::sort_by_key(keys, values, by);
    CHECK((values.to_host() == order));
    CHECK(are_ordered(keys.to_host(), host, order));
    const auto kept = a.to_host();
    CHECK(std::memcmp(kept.data(), host.data(), host.size() * sizeof(T)) == 0);
  }
}

/// Returns: keys of a type with some that are equal, and of real types those that have no order or several names.
template <class T>
std::vector<T> keys_of(std::size_t size) {
  auto host = random_bits<T>(size);
  if constexpr (!std::is_integral_v<T>) {
    const T special[]{T(0.0F),
                      T(-0.0F),
                      T(std::numeric_limits<float>::infinity()),
                      T(-std::numeric_limits<float>::infinity()),
                      T(std::numeric_limits<float>::quiet_NaN()),
                      T(1.0F),
                      T(-1.0F)};
    for (std::size_t i = 0; i < size; i += 3) host[i] = special[i % 7];
  }
  for (std::size_t i = 5; i < size; i += 5) host[i] = host[i - 5];
  return host;
}

template <class... T>
void compare_types(const yoke::device<>& device, const yoke::stream<>& stream, std::size_t size) {
  turns turn(device);
  ((turn() ? compare(stream, keys_of<T>(size)) : void()), ...);
}

}  // namespace

YOKE_ANY_DEVICE_TEST_CASE("sorts arrays of every size around a tile", "[algorithm]") {
  sort_rig state(device);
  for (const std::size_t size :
       std::initializer_list<std::size_t>{0, 1, 2, 31, 32, 33, 255, 256, 257, 6143, 6144, 6145, 16'385}) {
    INFO(size);
    auto host = random_bits<std::uint32_t>(size);
    auto a = yoke::to_device_array(host, state.stream);
    yoke::sort(a);
    std::stable_sort(host.begin(), host.end());
    CHECK((a.to_host() == host));
    std::reverse(host.begin(), host.end());
    yoke::sort(a, {.descending = true});
    CHECK((a.to_host() == host));
  }
}

YOKE_ANY_DEVICE_TEST_CASE("sorts what is sorted, reversed, equal, and what differs in few bits", "[algorithm]") {
  sort_rig state(device);
  std::vector<std::int32_t> host(6200);
  std::iota(host.begin(), host.end(), -500);
  compare(state.stream, host, {false});
  std::reverse(host.begin(), host.end());
  compare(state.stream, host, {false});
  std::fill(host.begin(), host.end(), -7);
  compare(state.stream, host, {true});
  compare(state.stream, random_bits<std::int32_t>(host.size(), 0x40000001), {true});
}

YOKE_ANY_DEVICE_TEST_CASE("sorts every type of numbers, stably, with what is no number last", "[algorithm]") {
  sort_rig state(device);
  compare_types<float, double, std::int16_t, std::uint64_t, yoke::half, std::uint8_t>(device, state.stream, 3000);
  // Types of one width share programs, so that these need few more.
  if (runs_whole())
    compare_types<yoke::bfloat16, std::int64_t, std::uint16_t, std::int8_t, std::uint32_t, std::int32_t>(
        device, state.stream, 3000);
  compare_types<yoke::half, std::uint8_t>(device, state.stream, 7000);
}

YOKE_ANY_DEVICE_TEST_CASE("blocks of many threads sort on processors, too", "[algorithm]") {
  if (!takes(device, "opencl")) return;
  sort_rig state(device);
  const by_blocks wanted;
  for (const std::size_t size : std::initializer_list<std::size_t>{1, 33, 1000, 6145}) {
    compare(state.stream, keys_of<float>(size));
  }
  // More tiles than one thread adds up for a digit.
  const auto keys = keys_of<std::uint8_t>(yoke::detail::sort_tile(1, 4) * 49 + 1);
  const auto a = yoke::to_device_array(keys, state.stream);
  CHECK((yoke::argsort<std::int32_t>(a).to_host() == order_of(keys.data(), keys.size(), false)));
}

YOKE_ANY_DEVICE_TEST_CASE("blocks sort without waiting for others, and many tiles wait for those before",
                          "[algorithm]") {
  struct without_waiting {
    without_waiting() { yoke::detail::look_back_allowed() = false; }
    ~without_waiting() { yoke::detail::look_back_allowed() = true; }
  };
  if (!takes(device, "cuda")) return;
  sort_rig state(device);
  auto host = random_bits<std::int32_t>(16'000, 0x1ff);
  const auto a = yoke::to_device_array(host, {2, 8000}, state.stream);
  const auto waited = yoke::sorted(a).to_host();
  {
    const without_waiting other;
    CHECK((yoke::sorted(a).to_host() == waited));
  }
  std::stable_sort(host.begin(), host.begin() + 8000);
  std::stable_sort(host.begin() + 8000, host.end());
  CHECK((waited == host));
}

YOKE_ANY_DEVICE_TEST_CASE("places of more than 32 bits sort as others do", "[algorithm]") {
  struct wide_places {
    wide_places() { yoke::detail::narrow_limit() = 0; }
    ~wide_places() { yoke::detail::narrow_limit() = std::int64_t{1} << 31; }
  };
  if (!takes(device, "cuda")) return;
  sort_rig state(device);
  const wide_places all;
  auto host = keys_of<std::int32_t>(8000);
  auto a = yoke::to_device_array(host, state.stream);
  yoke::sort(a);
  std::stable_sort(host.begin(), host.end());
  CHECK((a.to_host() == host));
}

YOKE_ANY_DEVICE_TEST_CASE("sorts integers by some of their bits", "[algorithm]") {
  sort_rig state(device);
  for (const std::size_t size : std::initializer_list<std::size_t>{20, 6200}) {
    const auto host = random_bits<std::uint32_t>(size);
    const auto sorted_by = [&](int first, int last, bool descending) {
      auto expected = host;
      const std::uint32_t mask = (last == 32 ? ~0U : (1U << last) - 1) & ~0U << first;
      std::stable_sort(expected.begin(), expected.end(), [&](std::uint32_t a, std::uint32_t b) {
        return descending ? (b & mask) < (a & mask) : (a & mask) < (b & mask);
      });
      return expected;
    };
    for (const auto& [first, last] :
         std::initializer_list<std::pair<int, int>>{{0, 1}, {0, 8}, {0, 20}, {4, 9}, {12, 32}, {31, 32}, {0, 17}}) {
      INFO(size << " elements by bits " << first << " to " << last);
      auto a = yoke::to_device_array(host, state.stream);
      CHECK((yoke::sorted(a, {.first_bit = first, .last_bit = last}).to_host() == sorted_by(first, last, false)));
      yoke::sort(a, {.descending = true, .first_bit = first, .last_bit = last});
      CHECK((a.to_host() == sorted_by(first, last, true)));
    }
  }
  auto a = yoke::zeros<std::uint16_t>({3}, state.stream);
  const auto refused = [&](auto& of, const yoke::sort_options& by, yoke::errc code, const char* message) {
    CHECK_THAT(refusal<yoke::logic_error>(code, [&] { yoke::sort(of, by); }),
               Catch::Matchers::ContainsSubstring(message));
  };
  refused(a, {.last_bit = 17}, yoke::errc::out_of_range,
          "first_bit = 0 and last_bit = 17 of a sort: they must be in order within 0 .. 16");
  refused(a, {.first_bit = -1}, yoke::errc::out_of_range, "first_bit = -1 and last_bit = 16");
  refused(a, {.first_bit = 8, .last_bit = 8}, yoke::errc::out_of_range, "first_bit = 8 and last_bit = 8");
  auto b = yoke::zeros<float>({3}, state.stream);
  refused(b, {.last_bit = 8}, yoke::errc::invalid_argument,
          "first_bit = 0 and last_bit = 8 of a sort: only integers are sorted by some of their bits");
}

YOKE_ANY_DEVICE_TEST_CASE("sorts each row along the last axis, of any length", "[algorithm]") {
  sort_rig state(device);
  for (const auto& [rows, columns] : std::initializer_list<std::pair<std::size_t, std::size_t>>{
           {1, 50}, {3, 1}, {7, 5}, {300, 9}, {5, 33}, {4, 1000}, {2, 7000}, {0, 4}, {4, 0}}) {
    INFO(rows << " rows of " << columns);
    const auto host = random_bits<float>(rows * columns, 0xc00fffff);
    const auto a = yoke::to_device_array(host, {rows, columns}, state.stream);
    const auto sorted = yoke::sorted(a).to_host();
    const auto places = yoke::argsort<std::int32_t>(a).to_host();
    auto c = a.copy();
    yoke::sort(c, {.descending = true});
    const auto down = c.to_host();
    for (std::size_t row = 0; row < rows; ++row) {
      const auto order = order_of(host.data() + row * columns, columns, false);
      if (!are_ordered(sorted, host, order, row)) FAIL_CHECK("sorted");
      if (!std::equal(order.begin(), order.end(), places.begin() + static_cast<std::ptrdiff_t>(row * columns)))
        FAIL_CHECK("argsort");
      if (!are_ordered(down, host, order_of(host.data() + row * columns, columns, true), row)) FAIL_CHECK("descending");
    }
  }
  // Values of each row, large ones too.
  auto keys = yoke::to_device_array(std::vector<float>{3, 1, 2, 6, 5, 4}, {2, 3}, state.stream);
  auto values = yoke::to_device_array(std::vector<std::complex<double>>{30, 10, 20, 60, 50, 40}, {2, 3}, state.stream);
  yoke::sort_by_key(keys, values);
  CHECK(keys.to_host() == std::vector<float>{1, 2, 3, 4, 5, 6});
  CHECK(values.to_host() == std::vector<std::complex<double>>{10, 20, 30, 40, 50, 60});
  const auto cube =
      yoke::to_device_array(std::vector<float>{3, 1, 2, 6, 5, 4, 9, 7, 8, 0, 2, 1}, {2, 2, 3}, state.stream);
  CHECK(yoke::sorted(cube).to_host() == std::vector<float>{1, 2, 3, 4, 5, 6, 7, 8, 9, 0, 1, 2});
}

YOKE_ANY_DEVICE_TEST_CASE("sorts views of any layout, and expressions", "[algorithm]") {
  sort_rig state(device);
  const std::vector<float> host{5, 1, 4, 2, 3, 0, 9, 8};
  auto a = yoke::to_device_array(host, state.stream);
  yoke::sort(a(yoke::slice(1, 5)));
  CHECK(a.to_host() == std::vector<float>{5, 1, 2, 3, 4, 0, 9, 8});
  yoke::sort(a(yoke::reversed));
  CHECK(a.to_host() == std::vector<float>{9, 8, 5, 4, 3, 2, 1, 0});
  yoke::sort(a(yoke::slice(0, yoke::none, 2)));
  CHECK(a.to_host() == std::vector<float>{1, 8, 3, 4, 5, 2, 9, 0});
  auto square = yoke::to_device_array(std::vector<float>{3, 1, 2, 0}, {2, 2}, state.stream);
  yoke::sort(square.transpose());  // each column
  CHECK(square.to_host() == std::vector<float>{2, 0, 3, 1});
  CHECK(yoke::sorted(-a).to_host() == std::vector<float>{-9, -8, -5, -4, -3, -2, -1, 0});
  CHECK(yoke::sorted(a(yoke::reversed)).to_host() == std::vector<float>{0, 1, 2, 3, 4, 5, 8, 9});
  CHECK(yoke::argsort(a).to_host() == std::vector<std::int64_t>{7, 0, 5, 2, 3, 4, 1, 6});
  CHECK(yoke::argsort<std::uint32_t>(a(yoke::reversed)).to_host() ==
        std::vector<std::uint32_t>{0, 7, 2, 5, 4, 3, 6, 1});
  CHECK(yoke::argsort<std::int32_t>(a * -1, {.descending = true}).to_host() ==
        std::vector<std::int32_t>{7, 0, 5, 2, 3, 4, 1, 6});
  CHECK(a.to_host() == std::vector<float>{1, 8, 3, 4, 5, 2, 9, 0});
  // Keys with gaps, and values of a part.
  auto values = yoke::arange<std::int32_t>(10, state.stream);
  yoke::sort_by_key(a(yoke::slice(0, yoke::none, 2)), values(yoke::slice(6, yoke::none)), {.descending = true});
  CHECK(a.to_host() == std::vector<float>{9, 8, 5, 4, 3, 2, 1, 0});
  CHECK(values.to_host() == std::vector<std::int32_t>{0, 1, 2, 3, 4, 5, 9, 8, 7, 6});
}

YOKE_ANY_DEVICE_TEST_CASE("sorts bools", "[algorithm]") {
  if (!takes(device, "opencl")) return;
  sort_rig state(device);
  const auto a = yoke::arange<int>(9000, state.stream);
  yoke::device_array odd(a % 2 != 0);
  CHECK(yoke::argsort<std::int32_t>(odd, {.descending = true})(4500).value() == 0);
  yoke::sort(odd);
  CHECK(yoke::all(odd == (a >= 4500)).get());
  yoke::sort(odd, {.descending = true});
  CHECK(yoke::all(odd == (a < 4500)).get());
  CHECK(yoke::all(yoke::sorted(a % 3 == 0) == (a >= 6000)).get());
}

YOKE_ANY_DEVICE_TEST_CASE("moves values of any size with their keys", "[algorithm]") {
  sort_rig state(device);
  const auto check = [&]<class V>(std::size_t size, const std::vector<V>& values) {
    INFO(sizeof(V) << " bytes");
    const auto host = random_bits<std::int32_t>(size, 0xff0);
    auto keys = yoke::to_device_array(host, state.stream);
    auto moved = yoke::to_device_array(values, state.stream);
    yoke::sort_by_key(keys, moved);
    const auto order = order_of(host.data(), size, false);
    CHECK(are_ordered(keys.to_host(), host, order));
    CHECK(are_ordered(moved.to_host(), values, order));
  };
  turns turn(device);
  std::vector<std::complex<double>> numbers(700);
  for (std::size_t i = 0; i < numbers.size(); ++i) numbers[i] = {static_cast<double>(i), 0.5};
  if (turn()) check(7000, random_bits<std::uint8_t>(7000));
  if (turn()) check(700, numbers);
  if (turn()) check(7000, random_bits<std::uint64_t>(7000));
  if (turn()) check(7000, random_bits<std::uint16_t>(7000));
  if (turn()) check(7000, random_bits<sort_structs::particle>(7000));
}

YOKE_ANY_DEVICE_TEST_CASE("sorts refuse what cannot be sorted", "[algorithm]") {
  sort_rig state(device);
  auto keys = yoke::zeros<float>({3}, state.stream);
  auto values = yoke::zeros<int>({4}, state.stream);
  using Catch::Matchers::ContainsSubstring;
  CHECK_THAT(refusal<yoke::logic_error>(yoke::errc::size_mismatch, [&] { yoke::sort_by_key(keys, values); }),
             ContainsSubstring("the values have shape (4,), the keys (3,): each key has one value"));
  CHECK_THAT(
      refusal<yoke::logic_error>(yoke::errc::invalid_argument,
                                 [&] { yoke::sort_by_key(values(yoke::slice(0, 3)), values(yoke::slice(1, 4))); }),
      ContainsSubstring("keys and values share memory"));
  yoke::device_array<float, 1> empty;
  CHECK_THAT(refusal<yoke::logic_error>(yoke::errc::empty_handle, [&] { yoke::sort(empty); }),
             ContainsSubstring("this device array is empty"));
  CHECK_THAT(refusal<yoke::logic_error>(yoke::errc::empty_handle, [&] { (void)yoke::argsort(empty); }),
             ContainsSubstring("this device array is empty"));
  CHECK_THAT(refusal<yoke::logic_error>(yoke::errc::empty_handle, [&] { yoke::sort_by_key(keys, empty); }),
             ContainsSubstring("this device array is empty"));
  // Elements that share bytes.
  auto room = yoke::zeros<float>({8}, state.stream);
  const yoke::device_view<float, 1> same =
      room.view().with(yoke::array_layout<1>(yoke::shape<1>(5), std::array<std::ptrdiff_t, 1>{0}, 0, sizeof(float)));
  CHECK_THAT(refusal<yoke::logic_error>(yoke::errc::invalid_argument, [&] { yoke::sort(same); }),
             ContainsSubstring("repeat"));
  // More places than the indices count: before there is memory for them.
  const yoke::device_view<float, 1> long_row = room.view().with(yoke::array_layout<1>(
      yoke::shape<1>((std::size_t{1} << 31) + 1), std::array<std::ptrdiff_t, 1>{0}, 0, sizeof(float)));
  CHECK_THAT(refusal<yoke::logic_error>(yoke::errc::out_of_range, [&] { (void)yoke::argsort<std::int32_t>(long_row); }),
             ContainsSubstring("rows of 2147483649 elements have places that an index of 4 bytes does not count"));
  // Nothing to do, and no launch.
  auto none = yoke::zeros<float>({0}, state.stream);
  auto no_values = yoke::zeros<int>({0}, state.stream);
  yoke::sort(none);
  yoke::sort_by_key(none, no_values);
  CHECK(yoke::argsort(none).size() == 0);
  CHECK(yoke::sorted(none).size() == 0);
}

YOKE_ANY_DEVICE_TEST_CASE("a sort needs memory and values of its own context", "[algorithm]") {
  if (!takes(device, "opencl") || device.backend_name() != std::string_view("opencl")) return;
  sort_rig state(device);
  sort_rig other(device);
  if (state.context.native_handle() == other.context.native_handle()) return;
  auto keys = yoke::zeros<float>({3}, state.stream);
  auto values = yoke::zeros<int>({3}, other.stream);
  CHECK_THAT(refusal<yoke::logic_error>(yoke::errc::wrong_context, [&] { yoke::sort_by_key(keys, values); }),
             Catch::Matchers::ContainsSubstring("values"));
}

YOKE_ANY_DEVICE_TEST_CASE("a sort compiles what it needs, once, and takes few driver calls", "[algorithm]") {
  counting_rig state(device);
  const auto compiled = [&] { return yoke::array_programs(state.context).counters().compiled; };
  auto a = yoke::to_device_array(random_bits<std::uint32_t>(17'000), state.stream);
  yoke::sort(a);
  CHECK(compiled() == 1);
  // Signs, directions and bits are told to the same kernels.
  auto b = yoke::to_device_array(random_bits<std::int32_t>(17'000), state.stream);
  yoke::sort(b, {.descending = true, .first_bit = 3});
  CHECK(compiled() == 1);
  std::size_t mark = state.mark();
  yoke::sort(a);
  // Where blocks wait for others: memory that is cleared, one count and four moves; else counts, offsets and a move four times.
  CHECK(state.enqueued(mark) == (state.context.port().language().blocks_progress ? 6 : 12));
  // One tile has a program of its own.
  auto c = yoke::to_device_array(random_bits<std::int32_t>(1000), state.stream);
  yoke::sort(c);
  CHECK(compiled() == 2);
  mark = state.mark();
  yoke::sort(c);
  CHECK(state.enqueued(mark) == 1);
  // Values of 4 bytes and places have one program.
  (void)yoke::argsort<std::int32_t>(a);
  CHECK(compiled() == 3);
  yoke::sort_by_key(a, a.copy());
  CHECK(compiled() == 3);
  state.stream.synchronize();  // PoCL compiles until then
}

// On a device with 18 GiB: yoke_tests "[large][algorithm]"
YOKE_ANY_DEVICE_TEST_CASE("sorts and selections of more than 2^32 elements", "[.][large][algorithm]") {
  const std::uint64_t memory = device.summary().global_memory_bytes;
  if (memory < std::uint64_t{18} << 30) YOKE_SKIP("the device has less than 18 GiB");
  sort_rig state(device);
  for (const std::size_t bound : {std::size_t{1} << 31, std::size_t{1} << 32}) {
    INFO(bound);
    yoke::random_generator rng(bound);
    auto a = rng.bits<std::uint8_t>({bound + 17}, state.stream);
    const auto tens = yoke::count(a == 10).get();
    const auto most = yoke::count(a == 255).get();
    yoke::sort(a);
    CHECK(yoke::all(a(yoke::slice(1, yoke::none)) >= a(yoke::slice(0, -1))).get());
    CHECK(yoke::count(a == 10).get() == tens);
    CHECK(a(-1).value() == 255);
    // The last ones are those of 255.
    CHECK(a(-static_cast<std::ptrdiff_t>(most)).value() == 255);
    CHECK(a(-static_cast<std::ptrdiff_t>(most) - 1).value() == 254);
    const auto kept = yoke::copy_if(a, a == 255);
    CHECK(kept.count().get() == most);
  }
}
