// SPDX-License-Identifier: MIT
// Body of memory/copy_overlap.hpp.
#ifndef YOKE_MEMORY_IMPL_COPY_OVERLAP_IPP
#define YOKE_MEMORY_IMPL_COPY_OVERLAP_IPP

#include <yoke/core/text.hpp>
#include <yoke/memory/copy_overlap.hpp>

#include <string>

namespace yoke::inline YOKE_ABI::detail {

/// Returns: the byte behind a box's last one.
YOKE_INLINE std::size_t end_of(const box_side& side, const box_size& box) noexcept {
  return side.offset + (box.slices - 1) * side.slice_pitch + (box.rows - 1) * side.row_pitch + box.row_bytes;
}

/// Returns: whether one box lies in the other's gaps: the distance leaves `bytes` on either side of each period.
YOKE_INLINE bool in_gaps(std::size_t distance, std::size_t bytes, std::size_t period) noexcept {
  const std::size_t within = distance % period;
  return within >= bytes && within + bytes <= period;
}

/// Returns: whether a row of one box overlaps a row of the other. Rows ascend, so one pass over both is enough.
YOKE_INLINE bool share_a_row(const box_side& from, const box_side& to, const box_size& box) noexcept {
  const auto row = [&](const box_side& side, std::size_t i) {
    return side.offset + i / box.rows * side.slice_pitch + i % box.rows * side.row_pitch;
  };
  const std::size_t rows = box.rows * box.slices;
  for (std::size_t i = 0, k = 0; i < rows && k < rows;) {
    const std::size_t first = row(from, i);
    const std::size_t second = row(to, k);
    if (first < second + box.row_bytes && second < first + box.row_bytes) return true;
    ++(first < second ? i : k);
  }
  return false;
}

YOKE_INLINE void check_apart(const box_side& from, const box_side& to, const box_size& box,
                             const source_location& where) {
  const std::size_t from_end = end_of(from, box);
  const std::size_t to_end = end_of(to, box);
  if (from_end <= to.offset || to_end <= from.offset) return;
  const bool one_row = box.rows == 1 && box.slices == 1;
  const bool equal_pitches = from.row_pitch == to.row_pitch && (box.slices == 1 || from.slice_pitch == to.slice_pitch);
  if (!one_row && equal_pitches && (box.slices == 1 || from.slice_pitch % from.row_pitch == 0)) {
    const std::size_t distance = from.offset < to.offset ? to.offset - from.offset : from.offset - to.offset;
    if (in_gaps(distance, box.row_bytes, from.row_pitch)) return;
    const std::size_t slice_bytes = (box.rows - 1) * from.row_pitch + box.row_bytes;
    if (box.slices > 1 && in_gaps(distance, slice_bytes, from.slice_pitch)) return;
  } else if (!one_row && !share_a_row(from, to, box)) {
    return;
  }
  std::string shape;
  if (!one_row) shape = text(", in ", box.slices * box.rows, " rows of ", box.row_bytes, " bytes each");
  throw_error(errc::invalid_argument,
              text("source and destination overlap: bytes ", from.offset, " .. ", from_end, " and bytes ", to.offset,
                   " .. ", to_end, " of the same memory", shape),
              where);
}

}  // namespace yoke::inline YOKE_ABI::detail

#endif
