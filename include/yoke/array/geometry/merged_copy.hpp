// SPDX-License-Identifier: MIT
// A copy between two layouts, reduced to the fewest axes, and the driver call or kernel arguments that make it.
#ifndef YOKE_ARRAY_GEOMETRY_MERGED_COPY_HPP
#define YOKE_ARRAY_GEOMETRY_MERGED_COPY_HPP

#include <yoke/array/geometry/axes.hpp>
#include <yoke/memory/box.hpp>

#include <cstdint>
#include <span>

namespace yoke::inline v0_1::detail {

/// One operand of a walk over axes: its first element, and its stride along each axis.
struct walked_operand {
  std::int64_t* offset = nullptr;
  std::int64_t* strides = nullptr;
};
/// Effects: reduces a walk to the fewest axes, the slowest first. It drops axes of extent 1, sorts the others by the
/// strides of the first operand, reverses axes along which this operand goes backwards, and merges neighbouring axes
/// whose strides chain for all operands.
/// Returns: the number of axes left. Thread safety: safe.
YOKE_API std::size_t merge_walk(std::int64_t* extents, std::size_t rank,
                                std::span<const walked_operand> operands) noexcept;
/// Effects: divides an operand's offset and strides. Returns: whether all were multiples of `by`. Thread safety: safe.
YOKE_API bool divide_walk(const walked_operand& operand, std::size_t rank, std::int64_t by) noexcept;

/// The axes of a copy as the kernel gets them, the slowest first. There may be one more than an array has, because an
/// element may consist of several words.
struct copy_axes {
  static constexpr std::size_t most = max_array_rank + 1;
  std::int64_t count = 0;  ///< elements of the copy
  std::int64_t to = 0;     ///< offset of the first element written
  std::int64_t from = 0;
  std::int64_t extents[most]{};
  std::int64_t to_strides[most]{};
  std::int64_t from_strides[most]{};
};

/// A copy with the fewest axes. Units: strides and offsets in multiples of `unit` bytes.
struct merged_copy {
  copy_axes axes;
  std::size_t rank = 0;
  /// The bytes that one step copies: an element and strides in bytes, until `use_words` chooses a word.
  std::size_t unit = 1;
  bool is_empty = false;  ///< nothing is copied
};

/// Returns: the copy between two layouts of the same extents, with merged axes.
/// Requires: no two elements of `to` share a byte. Thread safety: safe.
YOKE_API merged_copy merge_copy(const const_axes& to, std::size_t to_offset, const const_axes& from,
                                std::size_t from_offset, std::size_t element_bytes) noexcept;

/// The two boxes of bytes of a rectangular copy.
struct copy_boxes {
  box_layout to;
  box_layout from;
  bool possible = false;  ///< false: too many axes for a box, or the source goes backwards or repeats elements
};
/// Returns: the boxes with which one driver call makes the copy. Thread safety: safe.
YOKE_API copy_boxes boxes_of(const merged_copy& of) noexcept;

/// Effects: makes it a copy of words: the largest of 1, 2, 4, 8 bytes that divides all strides and offsets. An element
/// larger than a word becomes an axis of words. Thread safety: safe.
YOKE_API void use_words(merged_copy& of) noexcept;

/// Effects: expresses strides and offsets in elements. Returns: whether all are multiples. Thread safety: safe.
YOKE_API bool use_elements(merged_copy& of, std::size_t to_bytes, std::size_t from_bytes) noexcept;

/// Effects: copies in host memory. Thread safety: safe.
YOKE_API void copy_on_host(std::byte* to, const std::byte* from, const merged_copy& of) noexcept;

}  // namespace yoke::inline v0_1::detail

#if defined(YOKE_IMPLEMENTATION)
#include <yoke/array/geometry/merged_copy.ipp>
#endif

#endif
