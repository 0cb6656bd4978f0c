// SPDX-License-Identifier: MIT
// Body of memory/copy_side.hpp: whether a box fits its memory.
#ifndef YOKE_MEMORY_IMPL_COPY_SIDE_IPP
#define YOKE_MEMORY_IMPL_COPY_SIDE_IPP

#include <yoke/core/text.hpp>
#include <yoke/memory/copy_side.hpp>

namespace yoke::inline YOKE_ABI::detail {

/// Returns: the element index behind the box's last one. Throws: `logic_error` when it does not fit an integer.
YOKE_INLINE std::size_t end_of(const box_layout& box, const source_location& where) {
  std::size_t rows = 0;
  std::size_t slices = 0;
  std::size_t end = 0;
  if (__builtin_mul_overflow(box.height - 1, box.row_pitch, &rows) ||
      __builtin_mul_overflow(box.depth - 1, box.slice_pitch, &slices) || __builtin_add_overflow(rows, slices, &end) ||
      __builtin_add_overflow(end, box.width, &end) || __builtin_add_overflow(end, box.offset, &end)) {
    throw_error(
        errc::out_of_range,
        text("the box of ", box.width, " x ", box.height, " x ", box.depth, " elements with pitches ", box.row_pitch,
             " and ", box.slice_pitch, " from element ", box.offset, " exceeds the size of an integer"),
        where);
  }
  return end;
}

YOKE_INLINE box_layout checked_box(box_layout box, std::size_t size, const source_location& where) {
  if (box.row_pitch == 0) box.row_pitch = box.width;
  if (box.slice_pitch == 0) box.slice_pitch = box.row_pitch * box.height;
  if (box.width == 0 || box.height == 0 || box.depth == 0) return box;  // nothing is copied
  if (box.row_pitch < box.width) {
    throw_error(errc::invalid_argument, text("row pitch ", box.row_pitch, " is smaller than the width ", box.width),
                where);
  }
  if (box.depth > 1 && box.slice_pitch < box.row_pitch * (box.height - 1) + box.width) {
    throw_error(errc::invalid_argument,
                text("slice pitch ", box.slice_pitch, " is smaller than a slice of ", box.height, " rows of pitch ",
                     box.row_pitch),
                where);
  }
  const std::size_t end = end_of(box, where);
  if (end > size) {
    throw_error(errc::out_of_range, text("the box ends at element ", end, " of a range of ", size), where);
  }
  return box;
}

}  // namespace yoke::inline YOKE_ABI::detail

#endif
