// SPDX-License-Identifier: MIT
// From the layouts of operands to the fewest axes of an evaluation.
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
/// The most axes of an evaluation: one more than an array has, because a copied element may be several words.
inline constexpr std::size_t most_axes = copy_axes::most;
/// An operand's place among the axes; the destination is one too. Units: bytes, then elements.
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

  /// Whether two operands go the same way.
  [[nodiscard]] bool is_same(std::size_t one, std::size_t other) const noexcept {
    return places[one].offset == places[other].offset &&
           std::equal(places[one].strides, places[one].strides + rank, places[other].strides);
  }
};
/// Returns: the fewest axes of an evaluation of that shape: those of extent 1 dropped, ordered by what the first operand
/// does, turned so that it goes forwards, and merged where all operands chain.
/// Throws: `logic_error` for an operand between the places of its elements. Requires: all operands broadcast to the shape.
YOKE_API void merge_axes(expression_axes& axes, const std::size_t* extents, std::size_t rank,
                         std::span<const byte_layout* const> operands, const source_location& where);
/// Effects: takes the axes of a copy, with its destination as the first operand.
YOKE_API void take_axes(expression_axes& axes, const merged_copy& copy) noexcept;
/// Whether each operand is read or written element by element, without gaps.
[[nodiscard]] YOKE_API bool is_linear(const expression_axes& axes, std::size_t operands) noexcept;
/// How many steps and elements 32 bits count; tests lower it.
[[nodiscard]] YOKE_API std::int64_t& narrow_limit() noexcept;
/// Whether 32 bits count the steps and reach every element.
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
