// SPDX-License-Identifier: MIT
// Reduces the axes of an evaluation's operands to as few as possible.
#ifndef YOKE_ARRAY_EVALUATION_EXPRESSION_AXES_HPP
#define YOKE_ARRAY_EVALUATION_EXPRESSION_AXES_HPP

#include <yoke/array/evaluation/value_kind.hpp>
#include <yoke/array/geometry/byte_layout.hpp>
#include <yoke/array/geometry/merged_copy.hpp>

#include <algorithm>
#include <cstdint>
#include <span>

namespace yoke::inline v0_1::detail {

/// The most arrays that an expression reads.
inline constexpr std::size_t most_inputs = 16;
/// The maximum number of axes of an evaluation: one more than an array has, because a copied element may be several
/// words.
inline constexpr std::size_t most_axes = copy_axes::most;
/// The offset and strides of an operand, or of the destination. Units: first bytes; `merge_axes` turns them into
/// elements.
struct operand_place {
  std::int64_t offset = 0;
  std::int64_t strides[most_axes]{};
};
/// The axes of an evaluation, the slowest first.
struct expression_axes {
  std::int64_t count = 1;
  std::size_t rank = 0;
  std::int64_t extents[most_axes]{};
  operand_place places[most_inputs + 1];

  /// Whether two operands have the same offset and strides.
  [[nodiscard]] bool is_same(std::size_t one, std::size_t other) const noexcept {
    return places[one].offset == places[other].offset &&
           std::equal(places[one].strides, places[one].strides + rank, places[other].strides);
  }
};
/// Effects: sets the fewest axes of an evaluation of that shape. It drops axes of extent 1, sorts them by the strides
/// of the first operand, reverses those along which this operand goes backwards, and merges axes whose strides chain
/// for all operands.
/// Throws: `logic_error` for an operand whose strides are not multiples of its elements. Requires: all operands
/// broadcast to the shape.
YOKE_API void merge_axes(expression_axes& axes, const std::size_t* extents, std::size_t rank,
                         std::span<const byte_layout* const> operands, const source_location& where);
/// Effects: takes over the axes of a copy, with the destination as the first operand.
YOKE_API void take_axes(expression_axes& axes, const merged_copy& copy) noexcept;
/// Whether every operand lies without gaps in the order of the walk.
[[nodiscard]] YOKE_API bool is_linear(const expression_axes& axes, std::size_t operands) noexcept;
/// The largest number of steps or elements for which counters have 32 bits; tests lower it.
[[nodiscard]] YOKE_API std::int64_t& narrow_limit() noexcept;
/// Whether 32-bit integers can count the steps and address every element.
[[nodiscard]] YOKE_API bool is_narrow(const expression_axes& axes, std::size_t operands) noexcept;
[[noreturn, gnu::cold]] YOKE_API void throw_empty_operand(const source_location& where);
/// Throws: `logic_error` unless one shape broadcasts to the other.
YOKE_API void check_broadcast(const std::size_t* from, std::size_t from_rank, const std::size_t* to,
                              std::size_t to_rank, const source_location& where);

}  // namespace yoke::inline v0_1::detail

#if defined(YOKE_IMPLEMENTATION)
#include <yoke/array/evaluation/expression_axes.ipp>
#endif

#endif
