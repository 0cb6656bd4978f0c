// SPDX-License-Identifier: MIT
// Quotients and remainders of integers by everything, 0 and -1 included: the same on every device.
#include <array/array_rig.hpp>
#include <support/sample.hpp>

#include <limits>

using namespace yoke_test;
using namespace yoke_test::arrays;

namespace {

template <class T>
std::vector<T> edges() {
  constexpr T least = std::numeric_limits<T>::min();
  constexpr T most = std::numeric_limits<T>::max();
  return {T(0),
          T(1),
          T(2),
          T(7),
          static_cast<T>(-1),
          static_cast<T>(-2),
          static_cast<T>(-7),
          least,
          static_cast<T>(least + 1),
          most,
          static_cast<T>(most - 1)};
}
/// Returns: what the operators give: 0 by 0, and what wraps by -1.
template <class T>
T quotient(T a, T b) {
  if (b == 0) return 0;
  if constexpr (std::is_signed_v<T>) {
    if (b == -1) return static_cast<T>(std::make_unsigned_t<T>(0) - static_cast<std::make_unsigned_t<T>>(a));
  }
  return a / b;
}
template <class T>
T rest(T a, T b) {
  if (b == 0) return 0;
  if constexpr (std::is_signed_v<T>) {
    if (b == -1) return 0;
  }
  return a % b;
}

/// Effects: compares all forms of the operators with the host, of all pairs of edges.
template <class L, class R>
void compare(const yoke::stream<>& stream) {
  using type = decltype(L() / R());
  INFO(sizeof(L) << " and " << sizeof(R) << " bytes, signed: " << std::is_signed_v<L> << std::is_signed_v<R>);
  std::vector<L> lefts;
  std::vector<R> rights;
  for (const L left : edges<L>()) {
    for (const R right : edges<R>()) {
      lefts.push_back(left);
      rights.push_back(right);
    }
  }
  const auto a = yoke::to_device_array(lefts, stream);
  const auto b = yoke::to_device_array(rights, stream);
  const auto check = [&](const auto& found, const auto& right) {
    for (std::size_t i = 0; i < lefts.size(); ++i) {
      INFO(+lefts[i] << " by " << +rights[i]);
      CHECK(found[i] == right(static_cast<type>(lefts[i]), static_cast<type>(rights[i])));
    }
  };
  const auto divide = [](type x, type y) { return quotient<type>(x, y); };
  const auto remain = [](type x, type y) { return rest<type>(x, y); };
  check((a / b).to_host(), divide);
  check((a % b).to_host(), remain);
  // In place, where the result is converted, and in a reduction.
  auto left = yoke::device_array<type, 1>(yoke::cast<type>(a));
  left /= b;
  check(left.to_host(), divide);
  left.assign(yoke::cast<type>(a));
  left %= b;
  check(left.to_host(), remain);
  std::uint64_t total = 0;
  for (std::size_t i = 0; i < lefts.size(); ++i) {
    total += static_cast<std::uint64_t>(divide(static_cast<type>(lefts[i]), static_cast<type>(rights[i])));
  }
  CHECK(static_cast<std::uint64_t>(yoke::sum(a / b).get()) == total);
  // By a number, and a number by them.
  const auto zero = (a / R(0)).to_host();
  CHECK(std::count(zero.begin(), zero.end(), type(0)) == static_cast<std::ptrdiff_t>(zero.size()));
  const auto none = (a % R(0)).to_host();
  CHECK(std::count(none.begin(), none.end(), type(0)) == static_cast<std::ptrdiff_t>(none.size()));
  const auto least = (std::numeric_limits<type>::min() / b).to_host();
  for (std::size_t i = 0; i < rights.size(); ++i) {
    CHECK(least[i] == divide(std::numeric_limits<type>::min(), static_cast<type>(rights[i])));
  }
}

}  // namespace

YOKE_ANY_DEVICE_TEST_CASE("integers divided by 0 are 0, and the least by -1 wraps, in every type", "[array]") {
  any_rig state(device);
  compare<std::int32_t, std::int32_t>(state.stream);
  compare<std::uint64_t, std::uint64_t>(state.stream);
  compare<std::int64_t, std::int32_t>(state.stream);
  compare<std::uint32_t, std::int8_t>(state.stream);
  compare<std::int8_t, std::uint8_t>(state.stream);
  if (!runs_whole()) return;
  compare<std::int64_t, std::int64_t>(state.stream);
  compare<std::uint32_t, std::uint32_t>(state.stream);
  compare<std::int32_t, std::uint32_t>(state.stream);
  compare<std::int32_t, std::uint64_t>(state.stream);
  compare<std::int16_t, std::int16_t>(state.stream);
  compare<std::uint16_t, std::int64_t>(state.stream);
  compare<std::uint8_t, std::uint8_t>(state.stream);
}

YOKE_ANY_DEVICE_TEST_CASE("bools divide as numbers, and numbers by bools", "[array]") {
  any_rig state(device);
  yoke::device_array<bool, 1> bools(state.stream, {4});
  bools.as<std::uint8_t>().assign(std::vector<std::uint8_t>{0, 1, 255, 0});
  const auto numbers = yoke::to_device_array(std::vector<std::int32_t>{5, 5, -5, 0}, state.stream);
  CHECK((numbers / bools).to_host() == std::vector<std::int32_t>{0, 5, -5, 0});
  CHECK((bools / numbers).to_host() == std::vector<std::int32_t>{0, 0, 0, 0});
  CHECK((numbers % bools).to_host() == std::vector<std::int32_t>{0, 0, 0, 0});
}
