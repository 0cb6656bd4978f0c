// SPDX-License-Identifier: MIT
// Boxes of elements within memory, and the checks of two boxes for a copy.
#ifndef YOKE_MEMORY_BOX_HPP
#define YOKE_MEMORY_BOX_HPP

#include <yoke/core/error.hpp>
#include <yoke/driver/types.hpp>

#include <utility>

namespace yoke::inline v0_1 {

/// A box of elements within a range: `width` elements of `height` rows of `depth` slices.
/// A pitch is the distance from one row, or slice, to the next in elements; 0 means without gaps.
struct box_layout {
  std::size_t width = 0;
  std::size_t height = 1;
  std::size_t depth = 1;
  std::size_t row_pitch = 0;
  std::size_t slice_pitch = 0;
  std::size_t offset = 0;  ///< the first element's index
};

/// A checked copy: two boxes of equal shape, or one row.
struct copy_plan {
  box_layout source;
  box_layout destination;
  bool nothing = false;
  bool one_row = false;
};

namespace detail {

inline std::size_t volume(const box_layout& box) noexcept { return box.width * box.height * box.depth; }
inline bool dense(const box_layout& box) noexcept {
  return (box.height == 1 || box.row_pitch == box.width) &&
         (box.depth == 1 || box.slice_pitch == box.width * box.height);
}

/// Returns: the box in bytes, `first` elements further into its memory.
inline box_side bytes_of(const box_layout& box, std::size_t first, std::size_t element) noexcept {
  // Drivers check the slice pitch even of a single slice.
  const std::size_t slice_pitch = box.depth == 1 ? box.row_pitch * box.height : box.slice_pitch;
  return {(box.offset + first) * element, box.row_pitch * element, slice_pitch * element};
}

/// Effects: calls `copy_one(plan, done)` for each slice of a copy; only the last one gets `done`.
template <class Done, class Copy>
void for_each_slice(copy_plan plan, Done done, const Copy& copy_one) {
  const std::size_t depth = std::exchange(plan.source.depth, 1);
  plan.destination.depth = 1;
  for (std::size_t slice = 0; slice < depth; ++slice) {
    copy_one(plan, slice + 1 == depth ? done : Done::unwatched());
    plan.source.offset += plan.source.slice_pitch;
    plan.destination.offset += plan.destination.slice_pitch;
  }
}

/// Returns: the box with its pitches filled in. Throws: `logic_error` when it does not fit a range of `size` elements.
YOKE_API box_layout checked_box(box_layout box, std::size_t size, const source_location& where);

/// Returns: how to copy one box to another. If one side is a plain range, it takes the other's shape, without gaps.
/// Throws: `logic_error` (`errc::size_mismatch`) with both shapes.
YOKE_API copy_plan plan_copy(const box_layout& source, bool source_strided, const box_layout& destination,
                             bool destination_strided, const source_location& where);

/// Throws: `logic_error` (`errc::size_mismatch`) unless a box has the axes of an array without gaps; ignores axes of
/// extent 1. An array of width 0 has no axes and always passes.
YOKE_API void check_axes(const box_layout& of_array, const box_layout& box, const source_location& where);

/// Effects: checks that two boxes of one shape, whose offsets count from the same address, lie apart. Applies OpenCL's
/// rule if the pitches are equal; else compares rows.
/// Requires: rows and slices of one box do not overlap each other.
/// Throws: `logic_error` (`errc::invalid_argument`) with both ranges when the boxes share bytes.
/// Thread safety: safe. Units: bytes.
YOKE_API void check_apart(const box_side& from, const box_side& to, const box_size& box, const source_location& where);

}  // namespace detail

}  // namespace yoke::inline v0_1

#if defined(YOKE_IMPLEMENTATION)
#include <yoke/memory/box.ipp>
#endif

#endif
