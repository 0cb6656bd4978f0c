// SPDX-License-Identifier: MIT
// The operators by which ranks reduce their elements to one result.
#ifndef YOKE_DISTRIBUTED_OPERATORS_HPP
#define YOKE_DISTRIBUTED_OPERATORS_HPP

#include <yoke/core/config.hpp>

#include <concepts>

namespace yoke::inline v0_1 {

namespace detail {
/// The operators as numbers, for messages and kernels.
enum class rank_operator : int { summed, multiplied, smallest, largest, averaged };
}  // namespace detail

/// Adds the ranks' elements: `comm.all_reduce(x, yoke::summed, stream)`.
struct summed_t {
  static constexpr detail::rank_operator number = detail::rank_operator::summed;
};
inline constexpr summed_t summed{};
/// Multiplies the ranks' elements.
struct multiplied_t {
  static constexpr detail::rank_operator number = detail::rank_operator::multiplied;
};
inline constexpr multiplied_t multiplied{};
/// Takes the smallest of the ranks' elements. Of elements of which one is NaN, the result may be any.
struct smallest_t {
  static constexpr detail::rank_operator number = detail::rank_operator::smallest;
};
inline constexpr smallest_t smallest{};
/// Takes the largest of the ranks' elements. Of elements of which one is NaN, the result may be any.
struct largest_t {
  static constexpr detail::rank_operator number = detail::rank_operator::largest;
};
inline constexpr largest_t largest{};
/// Adds the ranks' elements and divides by the number of ranks. Integers are added in 64 bits, in which a sum that does not
/// fit wraps, and divided as C++ divides them; MPI averages none, NCCL those of 64 bits.
struct averaged_t {
  static constexpr detail::rank_operator number = detail::rank_operator::averaged;
};
inline constexpr averaged_t averaged{};

namespace detail {
/// One of the five operators above.
template <class Op>
concept plain_operator = requires {
  { Op::number } -> std::convertible_to<rank_operator>;
};
/// Returns: the operator's name, for messages.
[[nodiscard]] constexpr const char* name_of_operator(rank_operator of) noexcept {
  switch (of) {
    case rank_operator::summed: return "summed";
    case rank_operator::multiplied: return "multiplied";
    case rank_operator::smallest: return "smallest";
    case rank_operator::largest: return "largest";
    case rank_operator::averaged: return "averaged";
  }
  return "";
}
}  // namespace detail

}  // namespace yoke::inline v0_1

#endif
