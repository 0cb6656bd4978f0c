// SPDX-License-Identifier: MIT
// The errors that views of arrays throw.
#ifndef YOKE_ARRAY_STORAGE_DEVICE_VIEW_IPP
#define YOKE_ARRAY_STORAGE_DEVICE_VIEW_IPP

#include <yoke/array/storage/device_view.hpp>

namespace yoke::inline v0_1::detail {

void throw_not_for_host(const source_location& where) {
  throw_error(
      errc::unsupported, where,
      "the host does not see the memory of this array: copy it by to_host, or make the array of managed or mapped "
      "page-locked memory");
}

void throw_range_size(std::size_t size, const const_axes& shape, const source_location& where) {
  throw_error(errc::size_mismatch, where, "the range has ", size, " elements, the shape ",
              shape_text(shape.extents, shape.rank), " has ", volume(shape.extents, shape.rank));
}

void throw_not_contiguous(const const_axes& of, const source_location& where) {
  throw_error(errc::invalid_argument, where, "a view of ", shape_text(of.extents, of.rank), " with strides of ",
              strides_text(of.strides, of.rank), " bytes has gaps: its memory is no plain range");
}

void throw_beyond(const const_axes& of, std::size_t end, std::size_t bytes, const source_location& where) {
  throw_error(errc::out_of_range, where, "a view of ", shape_text(of.extents, of.rank), " with strides of ",
              strides_text(of.strides, of.rank), " bytes ends at byte ", end, ": the array's memory has ", bytes);
}

void throw_empty_destination(const source_location& where) {
  throw_error(
      errc::empty_handle,
      "this device array is empty (moved from or never set), so that it has no elements to assign to: write a = "
      "evaluate(2 * b), or a = b.copy(), for a new array",
      where);
}
void check_alignment(const const_axes& of, std::size_t offset, std::size_t alignment, const source_location& where) {
  bool aligned = offset % alignment == 0;
  for (std::size_t axis = 0; axis < of.rank; ++axis) {
    aligned = aligned && (of.extents[axis] <= 1 || of.strides[axis] % static_cast<std::ptrdiff_t>(alignment) == 0);
  }
  if (aligned) [[likely]]
    return;
  throw_error(errc::misaligned, where, "a view from byte ", offset, " with strides of ",
              strides_text(of.strides, of.rank), " bytes has elements at no multiple of ", alignment,
              " bytes, as the new type needs");
}

}  // namespace yoke::inline v0_1::detail

#endif
