// SPDX-License-Identifier: MIT
// Bodies of array/storage/array_copy.hpp.
#ifndef YOKE_ARRAY_STORAGE_ARRAY_COPY_IPP
#define YOKE_ARRAY_STORAGE_ARRAY_COPY_IPP

#include <yoke/array/storage/array_copy.hpp>

namespace yoke::inline v0_1::detail {

bool is_quick(const copy_boxes& boxes, std::size_t to_bytes, std::size_t from_bytes) noexcept {
  constexpr std::size_t least_row = 64;  // drivers copy shorter rows slowly, one by one
  if (!boxes.possible) return false;
  if (boxes.to.height == 1) return true;
  if (boxes.to.width < least_row) return false;
  const auto has_whole_slices = [](const box_layout& box, std::size_t bytes) {
    return box.slice_pitch % box.row_pitch == 0 &&
           (bytes == on_host || box.offset + box.depth * box.slice_pitch <= bytes);
  };
  return boxes.to.depth == 1 || (has_whole_slices(boxes.to, to_bytes) && has_whole_slices(boxes.from, from_bytes));
}

void check_writable(const byte_layout& to, const source_location& where) {
  if (are_apart(to.axes, to.element)) [[likely]]
    return;
  throw_error(errc::invalid_argument, where, "elements of the destination, of the shape ",
              shape_text(to.axes.extents, to.axes.rank),
              ", share bytes: a view that repeats elements cannot be written");
}

}  // namespace yoke::inline v0_1::detail

#endif
