// SPDX-License-Identifier: MIT
// Sums, differences and products of integers wrap, also where the kernel goes on with them.
#include <array/array_rig.hpp>
#include <support/sample.hpp>

#include <limits>
#include <type_traits>

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
          static_cast<T>(-1),
          static_cast<T>(-3),
          least,
          static_cast<T>(least + 1),
          most,
          static_cast<T>(most - 1)};
}

/// Effects: compares results, and comparisons of results with wider numbers, with what wraps on the host.
template <class L, class R>
void compare(const yoke::stream<>& stream) {
  using type = decltype(L() + R());
  using bits = std::make_unsigned_t<type>;
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
  const auto zeros = yoke::zeros<std::int64_t>({lefts.size()}, stream);
  const auto check = [&](const auto& expression, const auto& wrapped) {
    std::vector<type> wanted(lefts.size());
    std::vector<bool> below(lefts.size());
    for (std::size_t i = 0; i < lefts.size(); ++i) {
      wanted[i] = static_cast<type>(wrapped(static_cast<bits>(lefts[i]), static_cast<bits>(rights[i])));
      if constexpr (std::is_signed_v<type>) below[i] = wanted[i] < type(0);
    }
    CHECK(expression.to_host() == wanted);
    if constexpr (std::is_signed_v<type>) {
      CHECK((expression < zeros).to_host() == below);
      CHECK((yoke::cast<std::int64_t>(expression) < 0).to_host() == below);
    }
  };
  check(a + b, [](bits x, bits y) { return static_cast<bits>(x + y); });
  check(a - b, [](bits x, bits y) { return static_cast<bits>(x - y); });
  check(a * b, [](bits x, bits y) { return static_cast<bits>(x * y); });
  check(-(a + b), [](bits x, bits y) { return static_cast<bits>(bits(0) - static_cast<bits>(x + y)); });
}

}  // namespace

YOKE_ANY_DEVICE_TEST_CASE("integers wrap, and comparisons see what wrapped", "[array]") {
  any_rig state(device);
  turns turn(device);
  if (turn()) compare<std::uint16_t, std::uint16_t>(state.stream);
  if (turn()) compare<std::int32_t, std::int32_t>(state.stream);
  if (turn()) compare<std::int64_t, std::int64_t>(state.stream);
  if (turn()) compare<std::uint8_t, std::int32_t>(state.stream);
  if (turn()) compare<std::int16_t, std::int64_t>(state.stream);
  if (turn()) compare<std::uint32_t, std::int32_t>(state.stream);
  if (turn()) {
    const auto least = yoke::full(std::numeric_limits<int>::min(), {3}, state.stream);
    CHECK(abs(least).to_host() == std::vector<int>(3, std::numeric_limits<int>::min()));
    CHECK(yoke::count(-least < yoke::zeros<std::int64_t>({3}, state.stream)).get() == 3);
    const auto most = yoke::full(std::numeric_limits<std::int64_t>::max(), {3}, state.stream);
    CHECK(yoke::sum(most).get() == std::numeric_limits<std::int64_t>::max() - 2);
    CHECK(yoke::prod(most).get() == std::numeric_limits<std::int64_t>::max());
  }
}
