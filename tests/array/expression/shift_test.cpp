// SPDX-License-Identifier: MIT
// Shifts of integers by any amount: the same on every device, as NumPy has them.
#include <array/array_rig.hpp>

#include <limits>

using namespace yoke_test;
using namespace yoke_test::arrays;

namespace {

template <class T>
T left_of(T a, std::int64_t by) {
  return by < 0 || by >= std::int64_t{8 * sizeof(T)} ? T(0)
                                                     : static_cast<T>(static_cast<std::make_unsigned_t<T>>(a) << by);
}
template <class T>
T right_of(T a, std::int64_t by) {
  return by < 0 || by >= std::int64_t{8 * sizeof(T)} ? static_cast<T>(a < 0 ? -1 : 0) : static_cast<T>(a >> by);
}

/// Effects: compares both operators with the host. `L` and `R` promote to themselves, or to int.
template <class L, class R>
void compare(const yoke::stream<>& stream) {
  using type = decltype(+L());
  INFO(sizeof(L) << " and " << sizeof(R) << " bytes, signed: " << std::is_signed_v<L> << std::is_signed_v<R>);
  std::vector<L> lefts;
  std::vector<R> rights;
  for (const L left : {L(0), L(1), L(7), static_cast<L>(-1), static_cast<L>(-7), std::numeric_limits<L>::min(),
                       std::numeric_limits<L>::max()}) {
    for (const R right : {R(0), R(1), R(7), R(15), R(31), R(32), R(33), R(63), R(64), R(100), static_cast<R>(-1),
                          std::numeric_limits<R>::max()}) {
      lefts.push_back(left);
      rights.push_back(right);
    }
  }
  const auto a = yoke::to_device_array(lefts, stream);
  const auto b = yoke::to_device_array(rights, stream);
  const auto left = yoke::evaluate(a << b).to_host();
  const auto right = yoke::evaluate(a >> b).to_host();
  const auto fixed = yoke::evaluate(a << 40).to_host();
  const auto fixed_right = yoke::evaluate(a >> R(64)).to_host();
  for (std::size_t i = 0; i < lefts.size(); ++i) {
    CAPTURE(i, +lefts[i], +rights[i]);
    // An unsigned amount that no signed one holds is above every width.
    const std::int64_t by = rights[i] > 127 ? 128 : static_cast<std::int64_t>(rights[i]);
    CHECK(left[i] == left_of<type>(lefts[i], by));
    CHECK(right[i] == right_of<type>(lefts[i], by));
    CHECK(fixed[i] == left_of<type>(lefts[i], 40));
    CHECK(fixed_right[i] == right_of<type>(lefts[i], 64));
  }
}

}  // namespace

YOKE_ANY_DEVICE_TEST_CASE("a shift by the width or more leaves no bit, on every device", "[array]") {
  any_rig state(device);
  compare<int, int>(state.stream);
  compare<unsigned, int>(state.stream);
  compare<std::int64_t, int>(state.stream);
  compare<std::uint64_t, std::uint64_t>(state.stream);
  compare<int, std::int64_t>(state.stream);
  compare<std::uint8_t, std::uint8_t>(state.stream);
  compare<std::int16_t, unsigned>(state.stream);
  auto c = yoke::full(7, {3}, state.stream);
  c <<= 40;
  CHECK(c.to_host() == std::vector<int>(3, 0));
}
