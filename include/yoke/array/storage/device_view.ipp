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

}  // namespace yoke::inline v0_1::detail

#endif
