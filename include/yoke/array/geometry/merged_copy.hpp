// SPDX-License-Identifier: MIT
// A copy between two layouts, reduced to the fewest axes; and the boxes or the kernel's words that it can be made of.
#ifndef YOKE_ARRAY_GEOMETRY_MERGED_COPY_HPP
#define YOKE_ARRAY_GEOMETRY_MERGED_COPY_HPP

#include <yoke/array/geometry/axes.hpp>
#include <yoke/memory/box.hpp>

#include <cstdint>
#include <span>

namespace yoke::inline v0_1::detail {

/// One operand of a walk over axes: where it begins, and its stride along each axis.
struct walked_operand {
  std::int64_t* offset = nullptr;
  std::int64_t* strides = nullptr;
};
/// Effects: reduces a walk to the fewest axes, the slowest first. It drops axes of one step, orders the others by the first
/// operand and turns them so that this goes forwards, and makes one axis of those that chain for all operands.
/// Returns: how many are left. Thread safety: safe.
YOKE_API std::size_t merge_walk(std::int64_t* extents, std::size_t rank,
                                std::span<const walked_operand> operands) noexcept;
/// Effects: divides an operand's offset and strides. Returns: whether nothing is left over. Thread safety: safe.
YOKE_API bool divide_walk(const walked_operand& operand, std::size_t rank, std::int64_t by) noexcept;

/// The axes of a copy, the slowest first: what the kernel gets. One more than an array has, because an element may be
/// several words.
struct copy_axes {
  static constexpr std::size_t most = max_array_rank + 1;
  std::int64_t count = 0;  ///< all steps
  std::int64_t to = 0;     ///< where the first one writes
  std::int64_t from = 0;
  std::int64_t extents[most]{};
  std::int64_t to_strides[most]{};
  std::int64_t from_strides[most]{};
};

/// A copy with the fewest axes. Units: strides and offsets in `unit` bytes.
struct merged_copy {
  copy_axes axes;
  std::size_t rank = 0;
  std::size_t unit =
      1;  ///< what one step copies, in bytes; until `use_words` it is an element, and strides are in bytes
  bool is_empty = false;  ///< there is nothing to copy
};

/// Returns: the copy from one layout to another of the same extents, with its axes merged.
/// Requires: no two elements of `to` share a byte. Thread safety: safe.
YOKE_API merged_copy merge_copy(const const_axes& to, std::size_t to_offset, const const_axes& from,
                                std::size_t from_offset, std::size_t element_bytes) noexcept;

/// Two boxes of bytes.
struct copy_boxes {
  box_layout to;
  box_layout from;
  bool possible = false;  ///< else there are more axes than a box has, or the source goes backwards or repeats
};
/// Returns: the boxes that make the copy one driver call. Thread safety: safe.
YOKE_API copy_boxes boxes_of(const merged_copy& of) noexcept;

/// Effects: makes it a copy of words, of the largest of 1, 2, 4, 8 bytes that divides everything. Larger elements become an
/// axis of words. Thread safety: safe.
YOKE_API void use_words(merged_copy& of) noexcept;

/// Effects: expresses strides and offsets in elements. Returns: whether that was possible. Thread safety: safe.
YOKE_API bool use_elements(merged_copy& of, std::size_t to_bytes, std::size_t from_bytes) noexcept;

/// Effects: copies between memories of the host. Thread safety: safe.
YOKE_API void copy_on_host(std::byte* to, const std::byte* from, const merged_copy& of) noexcept;

}  // namespace yoke::inline v0_1::detail

#if defined(YOKE_IMPLEMENTATION)
#include <yoke/array/geometry/merged_copy.ipp>
#endif

#endif
