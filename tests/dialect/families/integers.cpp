// SPDX-License-Identifier: MIT
// Whole numbers of 32 and 64 bits.
#include <dialect/table.hpp>

#include <algorithm>
#include <bit>
#include <tuple>

namespace yoke_test::dialect {

namespace {

template <class T>
void add_integers(evaluation<T, T, T>& rows) {
  using U = std::make_unsigned_t<T>;
  using W = std::conditional_t<std::is_signed_v<T>, __int128, unsigned __int128>;
  constexpr int bits = 8 * sizeof(T);
  const std::string t = scalar_name<T>();
  rows.template add<T>("min(a, b)", [](T a, T b, T) { return std::min(a, b); });
  rows.template add<T>("max(a, b)", [](T a, T b, T) { return std::max(a, b); });
  rows.template add<T>("clamp(a, (" + t + ")3, (" + t + ")100)", [](T a, T, T) { return std::clamp(a, T(3), T(100)); });
  rows.template add<T>("select(a, b, a < c ? (" + t + ")-1 : (" + t + ")0)",
                       [](T a, T b, T c) { return a < c ? b : a; });
  rows.template add<T>("mul_hi(a, b)",
                       [](T a, T b, T) { return static_cast<T>(static_cast<W>(a) * static_cast<W>(b) >> bits); });
  rows.template add<T>("popcount(a)", [](T a, T, T) { return static_cast<T>(std::popcount(static_cast<U>(a))); });
  rows.template add<T>("clz(a)", [](T a, T, T) { return static_cast<T>(std::countl_zero(static_cast<U>(a))); });
  rows.template add<T>("rotate(a, c)", [](T a, T, T c) {
    return static_cast<T>(std::rotl(static_cast<U>(a), static_cast<int>(static_cast<U>(c) % bits)));
  });
  rows.template add<T>("(a ^ b) & ~c | (a >> 3)",
                       [](T a, T b, T c) { return static_cast<T>(((a ^ b) & ~c) | (a >> 3)); });
  if constexpr (sizeof(T) == 4) {
    using limits = std::numeric_limits<T>;
    const auto saturated = [](long long x) {
      return static_cast<T>(std::clamp<long long>(x, limits::min(), limits::max()));
    };
    rows.template add<std::uint32_t>("abs_diff(a, b)", [](T a, T b, T) {
      const long long difference = static_cast<long long>(a) - static_cast<long long>(b);
      return static_cast<std::uint32_t>(difference < 0 ? -difference : difference);
    });
    rows.template add<T>("add_sat(a, b)",
                         [=](T a, T b, T) { return saturated(static_cast<long long>(a) + static_cast<long long>(b)); });
    rows.template add<T>("sub_sat(a, b)",
                         [=](T a, T b, T) { return saturated(static_cast<long long>(a) - static_cast<long long>(b)); });
    rows.template add<T>("mul24((" + t + ")(c & 0xffff), (" + t + ")77)",
                         [](T, T, T c) { return static_cast<T>((c & 0xffff) * 77); });
    rows.template add<T>("mad24((" + t + ")(c & 0xffff), (" + t + ")77, (" + t + ")5)",
                         [](T, T, T c) { return static_cast<T>((c & 0xffff) * 77 + 5); });
  }
}

}  // namespace

std::vector<kernel> integer_kernels() {
  evaluation<std::int32_t, std::int32_t, std::int32_t> ints{"ints",
                                                            "",
                                                            {{0, 1, 2},
                                                             {-1, 5, 31},
                                                             {2147483647, 2, 7},
                                                             {-2147483647 - 1, -3, 33},
                                                             {12345678, -87654321, 4},
                                                             {-77, -2147483647 - 1, 65535}}};
  add_integers(ints);
  ints.add<std::int32_t>("(int)abs(b / 2)",
                         [](std::int32_t, std::int32_t b, std::int32_t) { return b < 0 ? -(b / 2) : b / 2; });
  evaluation<std::uint32_t, std::uint32_t, std::uint32_t> uints{"uints",
                                                                "",
                                                                {{0, 1, 2},
                                                                 {4294967295U, 5, 31},
                                                                 {2147483648U, 4000000000U, 7},
                                                                 {3, 4294967295U, 33},
                                                                 {12345678, 87654321, 65535}}};
  add_integers(uints);
  evaluation<std::int64_t, std::int64_t, std::int64_t> longs{"longs",
                                                             "",
                                                             {{0, 1, 2},
                                                              {-1, 5, 63},
                                                              {std::int64_t{1} << 62, 9, 7},
                                                              {std::numeric_limits<std::int64_t>::min(), -3, 65},
                                                              {1234567890123456, -6543210987654321, 40}}};
  add_integers(longs);
  evaluation<std::uint64_t, std::uint64_t, std::uint64_t> ulongs{"ulongs",
                                                                 "",
                                                                 {{0, 1, 2},
                                                                  {~std::uint64_t{0}, 5, 63},
                                                                  {std::uint64_t{1} << 63, 9, 7},
                                                                  {3, ~std::uint64_t{0}, 65},
                                                                  {1234567890123456, 6543210987654321, 40}}};
  add_integers(ulongs);
  return {ints.finish(), uints.finish(), longs.finish(), ulongs.finish()};
}

}  // namespace yoke_test::dialect
