// SPDX-License-Identifier: MIT
// Bodies of algorithm/sort_order.hpp.
#ifndef YOKE_ALGORITHM_SORT_ORDER_IPP
#define YOKE_ALGORITHM_SORT_ORDER_IPP

#include <yoke/algorithm/sort_order.hpp>

namespace yoke::inline v0_1::detail {

inline bool may_sort_serially = true;
bool& serial_sort_allowed() noexcept { return may_sort_serially; }

sort_order sort_order_of(value_kind kind, const sort_options& by, const source_location& where) {
  sort_order order;
  const bool is_bool = kind == value_kind::boolean;
  const bool is_short = kind == value_kind::half || kind == value_kind::bfloat16;
  order.bytes = is_bool ? 1 : is_short ? 2 : value_bytes(kind);
  order.truth = is_bool;
  order.real = is_short || kind == value_kind::float32 || kind == value_kind::float64;
  const auto width = static_cast<std::uint32_t>(is_bool ? 1 : 8 * order.bytes);
  order.last = width;
  if (by.first_bit != 0 || by.last_bit != 0) {
    const int last = by.last_bit == 0 ? static_cast<int>(width) : by.last_bit;
    if (order.real || is_bool) {
      throw_error(errc::invalid_argument, where, "first_bit = ", by.first_bit, " and last_bit = ", by.last_bit,
                  " of a sort: only integers are sorted by some of their bits");
    }
    if (by.first_bit < 0 || last > static_cast<int>(width) || by.first_bit >= last) {
      throw_error(errc::out_of_range, where, "first_bit = ", by.first_bit, " and last_bit = ", last,
                  " of a sort: they must be in order within 0 .. ", width);
    }
    order.first = static_cast<std::uint32_t>(by.first_bit);
    order.last = static_cast<std::uint32_t>(last);
  }
  const std::uint64_t all = ~std::uint64_t{0} >> (64 - 8 * order.bytes);
  const bool is_signed =
      kind == value_kind::int8 || kind == value_kind::int16 || kind == value_kind::int32 || kind == value_kind::int64;
  if (is_signed) order.flip = all ^ all >> 1U;
  if (by.descending) order.flip ^= all;
  order.infinity = kind == value_kind::half       ? 0x7c00U
                   : kind == value_kind::bfloat16 ? 0x7f80U
                   : kind == value_kind::float32  ? 0x7f800000U
                                                  : std::uint64_t{0x7ff0000000000000U};
  return order;
}

void throw_sort_shapes(const const_axes& keys, const const_axes& values, const source_location& where) {
  throw_error(errc::size_mismatch, where, "the values have shape ", shape_text(values.extents, values.rank),
              ", the keys ", shape_text(keys.extents, keys.rank), ": each key has one value");
}
void throw_sort_shares(const source_location& where) {
  throw_error(errc::invalid_argument, "keys and values share memory: each must have its own", where);
}
void throw_sort_index(std::int64_t count, std::size_t bytes, const source_location& where) {
  throw_error(errc::out_of_range, where, "rows of ", count, " elements have places that an index of ", bytes,
              " bytes does not count");
}
void throw_top_count(std::int64_t k, std::int64_t count, const source_location& where) {
  throw_error(errc::out_of_range, where, "k is ", k, ", outside 0 .. ", count, ": a row has ", count, " elements");
}
void throw_top_shares(const source_location& where) {
  throw_error(errc::invalid_argument, "values and indices share memory: each must have its own", where);
}

}  // namespace yoke::inline v0_1::detail

#endif
