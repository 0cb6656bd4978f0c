// SPDX-License-Identifier: MIT
// The elements and operators that NCCL knows, and what does not compile.
#ifndef YOKE_NCCL_DATA_TYPE_HPP
#define YOKE_NCCL_DATA_TYPE_HPP

#include <yoke/core/half.hpp>
#include <yoke/distributed/exchange.hpp>
#include <yoke/distributed/operators.hpp>
#include <yoke/driver/nccl/functions.hpp>

#include <complex>
#include <concepts>
#include <type_traits>

namespace yoke::inline v0_1::nccl {

template <class T>
class scaled_sum;

namespace detail {

/// How NCCL sees an element: `parts` numbers of one type.
struct element_kind {
  abi::data_type type = abi::data_type::uint8;
  std::size_t parts = 1;
  bool is_number = false;
  bool is_complex = false;
};
template <class T>
consteval element_kind kind_of_number() {
  using type = abi::data_type;
  if constexpr (std::same_as<T, bool> || std::same_as<T, std::byte>) {
    return {type::uint8, 1, false, false};
  } else if constexpr (std::integral<T>) {
    constexpr bool is_signed = std::is_signed_v<T>;
    if (sizeof(T) == 1) return {is_signed ? type::int8 : type::uint8, 1, true, false};
    if (sizeof(T) == 4) return {is_signed ? type::int32 : type::uint32, 1, true, false};
    if (sizeof(T) == 8) return {is_signed ? type::int64 : type::uint64, 1, true, false};
    return {type::uint8, sizeof(T), false, false};
  } else if constexpr (std::same_as<T, half>) {
    return {type::float16, 1, true, false};
  } else if constexpr (std::same_as<T, bfloat16>) {
    return {type::bfloat16, 1, true, false};
  } else if constexpr (std::same_as<T, float>) {
    return {type::float32, 1, true, false};
  } else if constexpr (std::same_as<T, double>) {
    return {type::float64, 1, true, false};
  } else if constexpr (std::same_as<T, std::complex<float>>) {
    return {type::float32, 2, true, true};
  } else if constexpr (std::same_as<T, std::complex<double>>) {
    return {type::float64, 2, true, true};
  } else {
    return {type::uint8, sizeof(T), false, false};
  }
}
template <class T>
inline constexpr element_kind kind_of = kind_of_number<T>();

template <class Op>
inline constexpr bool is_scaled_sum = false;
template <class T>
inline constexpr bool is_scaled_sum<scaled_sum<T>> = true;

[[nodiscard]] constexpr abi::operation operation_of(yoke::detail::rank_operator of) noexcept {
  switch (of) {
    case yoke::detail::rank_operator::multiplied: return abi::operation::product;
    case yoke::detail::rank_operator::smallest: return abi::operation::min;
    case yoke::detail::rank_operator::largest: return abi::operation::max;
    case yoke::detail::rank_operator::averaged: return abi::operation::average;
    default: return abi::operation::sum;
  }
}

/// Does not compile for memory that NCCL does not take.
template <class Range, class Port>
consteval bool check_range() {
  if constexpr (yoke::detail::check_message_range<Range, Port>()) {
    constexpr bool is_on_device = !decltype(yoke::detail::describe(std::declval<Range&>()))::place::on_host;
    static_assert(is_on_device, "NCCL moves device memory: copy page-locked memory to the device first");
    return is_on_device;
  } else {
    return false;
  }
}
template <class Range, class Port>
consteval bool check_written() {
  if constexpr (check_range<Range, Port>()) {
    return yoke::detail::check_written_range<Range, Port>();
  } else {
    return false;
  }
}
/// The same for two ranges, of which the second is written.
template <class From, class Into, class Port>
consteval bool check_ranges() {
  if constexpr (check_range<From, Port>() && check_written<Into, Port>()) {
    constexpr bool are_same = std::same_as<yoke::detail::message_element<From>, yoke::detail::message_element<Into>>;
    static_assert(are_same, "the two ranges have elements of different types");
    return are_same;
  } else {
    return false;
  }
}
/// Does not compile for an operator or elements that NCCL does not reduce.
template <class T, class Op>
consteval bool check_operator() {
  if constexpr (is_scaled_sum<Op>) {
    constexpr bool fits = std::same_as<Op, scaled_sum<T>>;
    static_assert(fits, "the scaled sum is of another type than the elements");
    return fits;
  } else {
    constexpr bool is_operator = yoke::detail::plain_operator<Op>;
    static_assert(is_operator,
                  "NCCL's operators are yoke::summed, multiplied, smallest, largest, averaged and nccl::scaled_sum");
    constexpr bool is_number = kind_of<T>.is_number;
    static_assert(is_number, "NCCL reduces 8-, 32- and 64-bit integers, half, bfloat16, float and double");
    if constexpr (is_operator && is_number) {
      constexpr bool is_sum = Op::number == yoke::detail::rank_operator::summed;
      static_assert(!kind_of<T>.is_complex || is_sum, "NCCL reduces complex numbers by yoke::summed alone");
      constexpr bool is_wide =
          Op::number != yoke::detail::rank_operator::averaged || !std::integral<T> || sizeof(T) == 8;
      static_assert(is_wide,
                    "NCCL adds integers in their own type, which may not hold the sum that yoke::averaged divides: "
                    "average integers of 64 bits, or float");
      return (!kind_of<T>.is_complex || is_sum) && is_wide;
    } else {
      return false;
    }
  }
}

}  // namespace detail

}  // namespace yoke::inline v0_1::nccl

#endif
