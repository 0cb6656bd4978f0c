// SPDX-License-Identifier: MIT
// arange and linspace of real numbers: the host's bits on every device, with both ends exact.
#include <array/array_rig.hpp>
#include <support/sample.hpp>

#include <bit>
#include <limits>

using namespace yoke_test;
using namespace yoke_test::arrays;

namespace {

/// Returns: a product and a sum, each rounded, whatever the host's compiler fuses.
double rounded_apart(double first, double i, double step) {
  const volatile double product = i * step;
  return first + product;
}
template <class T>
auto bits_of(T value) {
  if constexpr (sizeof(T) == 4) {
    return std::bit_cast<std::uint32_t>(value);
  } else {
    return std::bit_cast<std::uint64_t>(value);
  }
}
/// Returns: the first number whose bits differ, or the size.
template <class T>
std::size_t first_difference(const std::vector<T>& found, const std::vector<T>& right) {
  for (std::size_t i = 0; i < right.size(); ++i) {
    if (bits_of(found[i]) != bits_of(right[i])) return i;
  }
  return right.size();
}
#define CHECK_SAME_BITS(found, right)                                                                                  \
  do {                                                                                                                 \
    const auto same_found = found;                                                                                     \
    REQUIRE(same_found.size() == right.size());                                                                        \
    const std::size_t at = first_difference(same_found, right);                                                        \
    INFO("number " << at << " of " << right.size());                                                                   \
    CHECK((at == right.size() || same_found[at] == right[at]));                                                        \
    CHECK(at == right.size());                                                                                         \
  } while (false)

template <class T>
std::vector<T> host_linspace(T first, T last, std::size_t count) {
  std::vector<T> right(count);
  const double from = static_cast<double>(first);
  // Halves, where the distance of the ends is no double.
  const double scale = std::isfinite(static_cast<double>(last) - from) ? 1 : 2;
  const double step = (static_cast<double>(last) / scale - from / scale) / static_cast<double>(count - 1);
  for (std::size_t i = 0; i < count; ++i) {
    right[i] = static_cast<T>(scale * rounded_apart(from / scale, static_cast<double>(i), step));
  }
  if (count > 1) right.back() = last;
  if (count > 0) right.front() = first;
  return right;
}
template <class T>
std::vector<T> host_arange(double start, double stop, double step) {
  std::vector<T> right(static_cast<std::size_t>(std::max(0.0, std::ceil((stop - start) / step))));
  for (std::size_t i = 0; i < right.size(); ++i) {
    right[i] = static_cast<T>(rounded_apart(start, static_cast<double>(i), step));
  }
  return right;
}

template <class T>
void compare_linspace(const yoke::stream<>& stream) {
  constexpr T most = std::numeric_limits<T>::max();
  constexpr T least = std::numeric_limits<T>::denorm_min();
  std::mt19937_64 engine(42);
  std::uniform_real_distribution<double> dice(-1000, 1000);
  const auto check = [&](T first, T last, std::size_t count) {
    INFO(sizeof(T) << " bytes, from " << first << " to " << last << ", " << count);
    CHECK_SAME_BITS(yoke::linspace(first, last, count, stream).to_host(), host_linspace(first, last, count));
  };
  for (const std::size_t count : {2U, 3U, 4U, 7U, 11U, 101U, 1000U}) {
    check(T(-1), T(1), count);
    check(T(0), T(1), count);
    check(T(-most), most, count);
    check(most, T(-most), count);
    check(T(most * T(-0.75)), T(most * T(0.5)), count);
    check(T(-0.0), T(0), count);
    check(T(0), least, count);
    check(T(0), std::numeric_limits<T>::min(), count);
    check(T(1), std::nextafter(T(1), T(2)), count);
    for (int k = 0; k < 20; ++k) check(static_cast<T>(dice(engine)), static_cast<T>(dice(engine)), count);
  }
  check(T(5), T(7), 1);
  check(T(-most), most, 1);
  CHECK(yoke::linspace(T(-1), T(1), 11, stream).to_host()[5] == 0);
}
template <class T>
void compare_arange(const yoke::stream<>& stream) {
  std::mt19937_64 engine(7);
  std::uniform_real_distribution<double> dice(-10, 10);
  for (int k = 0; k < 100; ++k) {
    const double start = dice(engine);
    const double step = dice(engine) / 100;
    const double stop = start + 1000 * step + dice(engine) / 1000 * step;
    INFO(sizeof(T) << " bytes, from " << start << " to " << stop << " by " << step);
    CHECK_SAME_BITS(yoke::arange<T>(start, stop, step, stream).to_host(), host_arange<T>(start, stop, step));
    const auto narrow = static_cast<T>(step);
    const auto from = static_cast<T>(start);
    const auto to = static_cast<T>(stop);
    CHECK_SAME_BITS(yoke::arange(from, to, narrow, stream).to_host(), host_arange<T>(from, to, narrow));
  }
  CHECK(yoke::arange<T>(0, 1, 0.1, stream).to_host()[3] == static_cast<T>(0.1 * 3));
}

}  // namespace

YOKE_ANY_DEVICE_TEST_CASE("linspace has the host's bits, between ends of every size", "[array]") {
  any_rig state(device);
  compare_linspace<float>(state.stream);
  compare_linspace<double>(state.stream);
  CHECK(yoke::linspace(-3e38F, 3e38F, 3, state.stream).to_host() == std::vector<float>{-3e38F, 0, 3e38F});
  CHECK(yoke::linspace(-1.7e308, 1.7e308, 3, state.stream).to_host() == std::vector<double>{-1.7e308, 0, 1.7e308});
}

YOKE_ANY_DEVICE_TEST_CASE("arange of real numbers has the host's bits", "[array]") {
  any_rig state(device);
  compare_arange<float>(state.stream);
  compare_arange<double>(state.stream);
  if (!runs_whole()) return;
  // More numbers than a float counts.
  CHECK_SAME_BITS(yoke::arange<float>(0, 16'800'000 * 0.1, 0.1, state.stream).to_host(),
                  host_arange<float>(0, 16'800'000 * 0.1, 0.1));
}

YOKE_ANY_DEVICE_TEST_CASE("without doubles, linspace is near, and its ends are exact", "[array]") {
  any_rig state(device);
  const std::string source =
      "#undef YOKE_HAS_FP64\n#define YOKE_HAS_FP64 0\n" + std::string(yoke::detail::line_source());
  const auto module = yoke::compile(state.context, source, {.defines = {{"T", "float"}}, .math = {.contract = false}});
  const auto line = module.get_kernel<void(float*, float, float, std::uint64_t, std::uint64_t, float, float, float,
                                           std::int64_t, std::int64_t)>("yoke_a_line");
  for (const auto& [first, last] : {std::pair{-1.0F, 1.0F}, std::pair{-3e38F, 3e38F}, std::pair{0.1F, 0.7F}}) {
    constexpr std::size_t count = 101;
    const auto given = yoke::detail::line_between(first, last, count);
    std::vector<float> found(count);
    line(state.stream, yoke::launch_over(256, 256), yoke::out(found), given.front, given.back, std::uint64_t{0},
         std::uint64_t{0}, static_cast<float>(given.first), static_cast<float>(given.step), given.scale, given.last,
         std::int64_t{count});
    const auto right = host_linspace(first, last, count);
    CHECK(found.front() == first);
    CHECK(found.back() == last);
    for (std::size_t i = 0; i < count; ++i) CHECK(std::abs(found[i] - right[i]) <= 2e-7F * std::abs(last));
  }
}
