// SPDX-License-Identifier: MIT
// Bodies of array/geometry/geometry_error.hpp.
#ifndef YOKE_ARRAY_GEOMETRY_GEOMETRY_ERROR_IPP
#define YOKE_ARRAY_GEOMETRY_GEOMETRY_ERROR_IPP

#include <yoke/array/geometry/geometry_error.hpp>
#include <yoke/core/text.hpp>

#include <string>

namespace yoke::inline v0_1::detail {

/// Returns: a list of numbers as Python writes tuples.
template <class Number>
std::string tuple_text(const Number* numbers, std::size_t count) {
  std::string out = "(";
  for (std::size_t i = 0; i < count; ++i) {
    out += text(i == 0 ? "" : ", ", static_cast<std::ptrdiff_t>(numbers[i]));
  }
  return out + (count == 1 ? ",)" : ")");
}

std::string shape_text(const std::size_t* extents, std::size_t rank) { return tuple_text(extents, rank); }
std::string strides_text(const std::ptrdiff_t* strides, std::size_t rank) { return tuple_text(strides, rank); }

void throw_broadcast(const std::size_t* left, std::size_t left_rank, const char* word, const std::size_t* right,
                     std::size_t right_rank, std::size_t axis, const source_location& where) {
  throw_error(errc::size_mismatch, where, "cannot broadcast ", shape_text(left, left_rank), " ", word, " ",
              shape_text(right, right_rank), ": axis ", axis);
}

void throw_extent(const std::size_t* extents, std::size_t rank, std::size_t axis, const source_location& where) {
  throw_error(errc::out_of_range, where, "the shape ", shape_text(extents, rank), " has an extent of ",
              static_cast<std::ptrdiff_t>(extents[axis]), " along axis ", axis, ": the least is 0");
}

void throw_too_large(const std::size_t* extents, std::size_t rank, std::size_t element_bytes,
                     const source_location& where) {
  throw_error(errc::out_of_range, where, "the shape ", shape_text(extents, rank), " of elements of ", element_bytes,
              " bytes exceeds the address space");
}

void throw_index(const std::size_t* extents, std::size_t rank, std::size_t axis, std::ptrdiff_t index,
                 const source_location& where) {
  const auto extent = static_cast<std::ptrdiff_t>(extents[axis]);
  std::string limit = extent == 0 ? "it has no elements" : text("it has ", -extent, " .. ", extent - 1);
  throw_error(errc::out_of_range, where, "index ", index, " is outside axis ", axis, " of the shape ",
              shape_text(extents, rank), ": ", limit);
}

void throw_step(std::size_t axis, const source_location& where) {
  throw_error(errc::invalid_argument, where, "the slice of axis ", axis, " has a step of 0");
}

void throw_reshape(const const_axes& from, const std::size_t* to, std::size_t rank, const char* why,
                   const source_location& where) {
  throw_error(errc::size_mismatch, where, "cannot reshape ", shape_text(from.extents, from.rank), " to ",
              shape_text(to, rank), ": ", why);
}

void throw_no_view(const const_axes& from, const std::size_t* to, std::size_t rank, array_order order,
                   const source_location& where) {
  throw_error(errc::invalid_argument, where, "no view of ", shape_text(from.extents, from.rank), " with strides of ",
              strides_text(from.strides, from.rank), " bytes has the shape ", shape_text(to, rank), " in ",
              order == array_order::c ? "C" : "F", " order: copy the elements, as reshape_copy does");
}

void throw_layout(const const_axes& of, std::size_t offset_bytes, const source_location& where) {
  throw_error(errc::out_of_range, where, "the shape ", shape_text(of.extents, of.rank), " with strides of ",
              strides_text(of.strides, of.rank), " bytes from byte ", offset_bytes, " on leaves its memory");
}

void throw_axis(std::ptrdiff_t axis, std::size_t rank, const source_location& where) {
  const auto axes = static_cast<std::ptrdiff_t>(rank);
  throw_error(errc::out_of_range,
              rank == 0 ? text("axis ", axis, " of an array that has none")
                        : text("axis ", axis, " is outside ", -axes, " .. ", axes - 1),
              where);
}

void throw_axis_twice(std::size_t axis, const source_location& where) {
  throw_error(errc::invalid_argument, where, "axis ", axis, " is given twice");
}

void throw_squeeze(const std::size_t* extents, std::size_t rank, std::size_t axis, const source_location& where) {
  throw_error(errc::invalid_argument, where, "axis ", axis, " of the shape ", shape_text(extents, rank),
              " has an extent of ", extents[axis], ": only one of 1 can be dropped");
}

void throw_pieces(const char* what, std::ptrdiff_t value, const source_location& where) {
  throw_error(errc::out_of_range, where, what, " is ", value, ": the least is 1");
}

void throw_piece(std::size_t piece, std::size_t count, const source_location& where) {
  throw_error(errc::out_of_range, where, "piece ", piece, " of ", count);
}

void throw_member(std::size_t offset, std::size_t bytes, std::size_t element_bytes, const source_location& where) {
  throw_error(errc::out_of_range, where, "a member of ", bytes, " bytes at byte ", offset, " is outside an element of ",
              element_bytes, " bytes");
}

void throw_reinterpret(const const_axes& of, std::size_t element_bytes, std::size_t new_bytes,
                       const source_location& where) {
  throw_error(errc::invalid_argument, where, "elements of ", element_bytes, " bytes in the shape ",
              shape_text(of.extents, of.rank), " with strides of ", strides_text(of.strides, of.rank),
              " bytes are no elements of ", new_bytes,
              " bytes: the last axis must have no gaps, and a multiple of them");
}

void throw_within_element(std::size_t offset, std::size_t element_bytes, const source_location& where) {
  throw_error(errc::misaligned, where, "a view that begins at byte ", offset, " is no range of elements of ",
              element_bytes, " bytes");
}

void throw_range_size(std::size_t size, const const_axes& shape, const source_location& where) {
  std::size_t wanted = 1;
  for (std::size_t axis = 0; axis < shape.rank; ++axis) wanted *= shape.extents[axis];
  throw_error(errc::size_mismatch, where, "the range has ", size, " elements, the shape ",
              shape_text(shape.extents, shape.rank), " has ", wanted);
}

void throw_not_contiguous(const const_axes& of, const source_location& where) {
  throw_error(errc::invalid_argument, where, "a view of ", shape_text(of.extents, of.rank), " with strides of ",
              strides_text(of.strides, of.rank), " bytes has gaps: its memory is no plain range");
}

void throw_no_mdspan(const const_axes& of, std::size_t element_bytes, const source_location& where) {
  throw_error(
      errc::invalid_argument, where, "a view of ", shape_text(of.extents, of.rank), " with strides of ",
      strides_text(of.strides, of.rank), " bytes and elements of ", element_bytes,
      " bytes does not fit this mdspan: the mapping has other strides, as layout_right has for gaps, or takes none "
      "below 0");
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
