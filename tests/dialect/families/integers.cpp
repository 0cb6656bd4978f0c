// SPDX-License-Identifier: MIT
// Whole numbers of 8 to 64 bits, each function at the width of its arguments.
#include <dialect/table.hpp>

#include <algorithm>
#include <bit>
#include <tuple>

namespace yoke_test::dialect {

namespace {

/// Columns: three numbers of 128 bits that any T of the table fits in, so that each reference is plain arithmetic.
using wide = __int128;

template <class T>
T kept(wide value) {
  using limits = std::numeric_limits<T>;
  return static_cast<T>(std::clamp(value, static_cast<wide>(limits::min()), static_cast<wide>(limits::max())));
}
/// Returns: a sum of a product of 128 bits and `c`, kept within T's ends.
template <class T>
T product_kept(T a, T b, T c) {
  if constexpr (std::is_signed_v<T> || sizeof(T) < 8) {
    return kept<T>(static_cast<wide>(a) * b + c);
  } else {
    const unsigned __int128 sum = static_cast<unsigned __int128>(a) * b + c;
    return sum > std::numeric_limits<T>::max() ? std::numeric_limits<T>::max() : static_cast<T>(sum);
  }
}

template <class T>
void add_integers(evaluation<T, T, T>& rows) {
  using U = std::make_unsigned_t<T>;
  using W = std::conditional_t<std::is_signed_v<T>, __int128, unsigned __int128>;
  constexpr int bits = 8 * sizeof(T);
  const std::string t = scalar_name<T>();
  const auto high = [](T a, T b) { return static_cast<T>(static_cast<W>(a) * static_cast<W>(b) >> bits); };
  rows.template add<T>("min(a, b)", [](T a, T b, T) { return std::min(a, b); });
  rows.template add<T>("max(a, b)", [](T a, T b, T) { return std::max(a, b); });
  rows.template add<T>("clamp(a, (" + t + ")3, (" + t + ")100)", [](T a, T, T) { return std::clamp(a, T(3), T(100)); });
  rows.template add<T>("select(a, b, (" + t + ")(a < c ? -1 : 0))", [](T a, T b, T c) { return a < c ? b : a; });
  rows.template add<T>("mul_hi(a, b)", [high](T a, T b, T) { return high(a, b); });
  rows.template add<T>("mad_hi(a, b, c)", [high](T a, T b, T c) {
    return static_cast<T>(static_cast<U>(high(a, b)) + static_cast<U>(c));
  });
  rows.template add<T>("mad_sat(a, b, c)", [](T a, T b, T c) { return product_kept(a, b, c); });
  rows.template add<T>("add_sat(a, b)", [](T a, T b, T) { return kept<T>(static_cast<wide>(a) + b); });
  rows.template add<T>("sub_sat(a, b)", [](T a, T b, T) { return kept<T>(static_cast<wide>(a) - b); });
  rows.template add<T>("hadd(a, b)", [](T a, T b, T) { return static_cast<T>((static_cast<wide>(a) + b) >> 1); });
  rows.template add<T>("rhadd(a, b)", [](T a, T b, T) { return static_cast<T>((static_cast<wide>(a) + b + 1) >> 1); });
  rows.template add<U>("abs_diff(a, b)", [](T a, T b, T) {
    const wide difference = static_cast<wide>(a) - b;
    return static_cast<U>(difference < 0 ? -difference : difference);
  });
  // The number of the greatest distance from 0 has no counterpart in `int` and `long`, which CUDA's abs gives.
  rows.template add<U>(sizeof(T) < 4 || std::is_unsigned_v<T> ? "abs(a)" : "abs(a / 2)", [](T a, T, T) {
    const wide value = sizeof(T) < 4 || std::is_unsigned_v<T> ? a : a / 2;
    return static_cast<U>(value < 0 ? -value : value);
  });
  rows.template add<T>("popcount(a)", [](T a, T, T) { return static_cast<T>(std::popcount(static_cast<U>(a))); });
  rows.template add<T>("clz(a)", [](T a, T, T) { return static_cast<T>(std::countl_zero(static_cast<U>(a))); });
  rows.template add<T>("rotate(a, c)", [](T a, T, T c) {
    return static_cast<T>(std::rotl(static_cast<U>(a), static_cast<int>(static_cast<U>(c) % bits)));
  });
  rows.template add<T>("(a ^ b) & ~c | (a >> 3)",
                       [](T a, T b, T c) { return static_cast<T>(((a ^ b) & ~c) | (a >> 3)); });
  rows.template add<std::uint32_t>("(uint)sizeof(rotate(add_sat(min(a, b), c), popcount(mad_sat(a, b, c))))",
                                   [](T, T, T) { return static_cast<std::uint32_t>(sizeof(T)); });
  if constexpr (sizeof(T) >= 4) {
    rows.template add<T>("yoke_shift_left(a, (uint)c)",
                         [](T a, T, T c) { return static_cast<T>(static_cast<U>(a) << (static_cast<U>(c) % bits)); });
    rows.template add<T>("yoke_shift_right(a, (uint)c)",
                         [](T a, T, T c) { return static_cast<T>(a >> (static_cast<U>(c) % bits)); });
    rows.template add<T>("yoke_min(a, b)", [](T a, T b, T) { return std::min(a, b); });
    rows.template add<T>("yoke_max(a, b)", [](T a, T b, T) { return std::max(a, b); });
    rows.template add<T>("yoke_divide(a, b)",
                         [](T a, T b, T) { return b == 0 ? T(0) : static_cast<T>(static_cast<W>(a) / b); });
    rows.template add<T>("yoke_remainder(a, b)",
                         [](T a, T b, T) { return b == 0 ? T(0) : static_cast<T>(static_cast<W>(a) % b); });
  }
  if constexpr (sizeof(T) == 4) {
    rows.template add<T>("mul24((" + t + ")(c & 0xffff), (" + t + ")77)",
                         [](T, T, T c) { return static_cast<T>((c & 0xffff) * 77); });
    rows.template add<T>("mad24((" + t + ")(c & 0xffff), (" + t + ")77, (" + t + ")5)",
                         [](T, T, T c) { return static_cast<T>((c & 0xffff) * 77 + 5); });
  }
  if constexpr (sizeof(T) < 8) {
    using result = std::conditional_t<
        sizeof(T) == 1, std::conditional_t<std::is_signed_v<T>, std::int16_t, std::uint16_t>,
        std::conditional_t<sizeof(T) == 2, std::conditional_t<std::is_signed_v<T>, std::int32_t, std::uint32_t>,
                           std::conditional_t<std::is_signed_v<T>, std::int64_t, std::uint64_t>>>;
    rows.template add<result>("upsample(a, (" + scalar_name<U>() + ")b)", [](T a, T b, T) {
      return static_cast<result>(static_cast<std::uint64_t>(a) << bits | static_cast<U>(b));
    });
  }
}

/// Returns: a kernel of the ends of T, of what is beside them and beside 0, and of other `values`.
template <class T>
kernel integers_of(const std::string& name, std::vector<std::tuple<T, T, T>> values) {
  constexpr T least = std::numeric_limits<T>::min();
  constexpr T most = std::numeric_limits<T>::max();
  for (const T a : {least, static_cast<T>(least + 1), static_cast<T>(-1), T(0), T(1), static_cast<T>(most - 1), most}) {
    for (const T b : {least, static_cast<T>(-1), T(0), T(1), most}) values.emplace_back(a, b, static_cast<T>(a ^ b));
  }
  evaluation<T, T, T> rows{name, "", std::move(values)};
  add_integers(rows);
  return rows.finish();
}

}  // namespace

std::vector<kernel> integer_kernels() {
  return {integers_of<std::int8_t>("chars", {{-56, 99, 3}, {100, 50, 9}, {-77, 5, 7}, {64, 2, -1}}),
          integers_of<std::uint8_t>("uchars", {{200, 200, 3}, {100, 50, 9}, {15, 240, 255}, {64, 2, 17}}),
          integers_of<std::int16_t>("shorts", {{-200, 12345, 3}, {20000, 20000, 17}, {-7777, 5, 15}, {16384, 2, -1}}),
          integers_of<std::uint16_t>("ushorts", {{200, 54321, 3}, {40000, 40000, 17}, {77, 5, 15}, {256, 256, 65535}}),
          integers_of<std::int32_t>("ints", {{-1, 5, 31},
                                             {2147483647, 2, 7},
                                             {-2147483647 - 1, -3, 33},
                                             {12345678, -87654321, 4},
                                             {-77, -2147483647 - 1, 65535}}),
          integers_of<std::uint32_t>(
              "uints",
              {{4294967295U, 5, 31}, {2147483648U, 4000000000U, 7}, {3, 4294967295U, 33}, {12345678, 87654321, 65535}}),
          integers_of<std::int64_t>("longs", {{-1, 5, 63},
                                              {std::int64_t{1} << 62, 9, 7},
                                              {std::int64_t{1} << 62, 2, -1},
                                              {std::numeric_limits<std::int64_t>::min(), -3, 65},
                                              {1234567890123456, -6543210987654321, 40}}),
          integers_of<std::uint64_t>("ulongs", {{~std::uint64_t{0}, 5, 63},
                                                {std::uint64_t{1} << 63, 9, 7},
                                                {3, ~std::uint64_t{0}, 65},
                                                {1234567890123456, 6543210987654321, 40}})};
}

}  // namespace yoke_test::dialect
