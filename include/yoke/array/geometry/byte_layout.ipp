// SPDX-License-Identifier: MIT
// Bodies of array/geometry/byte_layout.hpp.
#ifndef YOKE_ARRAY_GEOMETRY_BYTE_LAYOUT_IPP
#define YOKE_ARRAY_GEOMETRY_BYTE_LAYOUT_IPP

#include <yoke/array/geometry/byte_layout.hpp>

namespace yoke::inline v0_1::detail {

void check_layout(const byte_layout& of, std::size_t count, std::size_t element_bytes, std::size_t alignment,
                  const source_location& where) {
  if (of.element != element_bytes) {
    throw_error(errc::size_mismatch, where, "a layout for elements of ", of.element, " bytes, given for elements of ",
                element_bytes, " bytes");
  }
  if (of.end > count * element_bytes) {
    throw_error(errc::out_of_range, where, "the shape ", shape_text(of.axes.extents, of.axes.rank), " with strides of ",
                strides_text(of.axes.strides, of.axes.rank), " bytes ends at byte ", of.end, ", its memory at byte ",
                count * element_bytes);
  }
  check_alignment(of.axes, of.offset, alignment, where);
}

}  // namespace yoke::inline v0_1::detail

#endif
