// SPDX-License-Identifier: MIT
// Bodies of memory/box.hpp: check that boxes fit their memory, fit each other, and lie apart.
#ifndef YOKE_MEMORY_BOX_IPP
#define YOKE_MEMORY_BOX_IPP

#include <yoke/core/text.hpp>
#include <yoke/memory/box.hpp>

#include <algorithm>
#include <string>

namespace yoke::inline v0_1::detail {

/// Returns: the index behind the box's last element. Throws: `logic_error` when it exceeds an integer.
std::size_t end_of(const box_layout& box, const source_location& where) {
  std::size_t rows = 0;
  std::size_t slices = 0;
  std::size_t end = 0;
  if (__builtin_mul_overflow(box.height - 1, box.row_pitch, &rows) ||
      __builtin_mul_overflow(box.depth - 1, box.slice_pitch, &slices) || __builtin_add_overflow(rows, slices, &end) ||
      __builtin_add_overflow(end, box.width, &end) || __builtin_add_overflow(end, box.offset, &end)) {
    throw_error(errc::out_of_range, where, "the box of ", box.width, " x ", box.height, " x ", box.depth,
                " elements with pitches ", box.row_pitch, " and ", box.slice_pitch, " from element ", box.offset,
                " exceeds the size of an integer");
  }
  return end;
}

box_layout checked_box(box_layout box, std::size_t size, const source_location& where) {
  if (box.row_pitch == 0) box.row_pitch = box.width;
  if (box.slice_pitch == 0) box.slice_pitch = box.row_pitch * box.height;
  if (box.width == 0 || box.height == 0 || box.depth == 0) return box;  // nothing is copied
  if (box.row_pitch < box.width) {
    throw_error(errc::invalid_argument, where, "row pitch ", box.row_pitch, " is smaller than the width ", box.width);
  }
  if (box.depth > 1 && box.slice_pitch < box.row_pitch * (box.height - 1) + box.width) {
    throw_error(errc::invalid_argument, where, "slice pitch ", box.slice_pitch, " is smaller than a slice of ",
                box.height, " rows of pitch ", box.row_pitch);
  }
  const std::size_t end = end_of(box, where);
  if (end > size) {
    throw_error(errc::out_of_range, where, "the box ends at element ", end, " of a range of ", size);
  }
  return box;
}

std::string shape_text(const box_layout& box) {
  if (box.height == 1 && box.depth == 1) return text(box.width);
  if (box.depth == 1) return text(box.width, " x ", box.height);
  return text(box.width, " x ", box.height, " x ", box.depth);
}

copy_plan plan_copy(const box_layout& source, bool source_strided, const box_layout& destination,
                    bool destination_strided, const source_location& where) {
  const bool same =
      source.width == destination.width && source.height == destination.height && source.depth == destination.depth;
  const bool mixed = source_strided != destination_strided && volume(source) == volume(destination);
  if (!same && !mixed) {
    throw_error(errc::size_mismatch, where, "source has ", shape_text(source), " elements, destination ",
                shape_text(destination));
  }
  copy_plan plan{source, destination};
  if (!same) {  // a plain range takes the shape of the other side's box, without gaps
    box_layout& plain = source_strided ? plan.destination : plan.source;
    const box_layout& shaped = source_strided ? source : destination;
    plain = {shaped.width, shaped.height, shaped.depth, shaped.width, shaped.width * shaped.height, plain.offset};
  }
  plan.nothing = volume(plan.source) == 0;
  plan.one_row = dense(plan.source) && dense(plan.destination);
  return plan;
}

void check_axes(const box_layout& of_array, const box_layout& box, const source_location& where) {
  if (of_array.width == 0 || volume(of_array) != volume(box)) return;  // `plan_copy` reports different counts
  const auto axes_of = [](const box_layout& of, std::size_t(&axes)[3]) {
    std::size_t count = 0;
    for (const std::size_t each : {of.width, of.height, of.depth}) {
      if (each != 1) axes[count++] = each;
    }
  };
  std::size_t array[3]{};
  std::size_t other[3]{};
  axes_of(of_array, array);
  axes_of(box, other);
  if (std::equal(array, array + 3, other)) return;
  throw_error(errc::size_mismatch, where, "the array's rows make a box of ", shape_text(of_array),
              " elements, the other side is ", shape_text(box),
              ": the array's last axis is the width; take ravel() of the array to copy its elements as they lie");
}

/// Returns: the offset behind a box's last byte.
std::size_t end_of(const box_side& side, const box_size& box) noexcept {
  return side.offset + (box.slices - 1) * side.slice_pitch + (box.rows - 1) * side.row_pitch + box.row_bytes;
}

/// Returns: whether one box lies in the gaps of the other, `distance` bytes away: runs of `bytes` bytes that repeat
/// every `period` bytes.
bool in_gaps(std::size_t distance, std::size_t bytes, std::size_t period) noexcept {
  const std::size_t within = distance % period;
  return within >= bytes && within + bytes <= period;
}

/// Returns: whether a row of one box overlaps a row of the other. Offsets of rows ascend, so one pass is enough.
bool share_a_row(const box_side& from, const box_side& to, const box_size& box) noexcept {
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

void check_apart(const box_side& from, const box_side& to, const box_size& box, const source_location& where) {
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
  throw_error(errc::invalid_argument, where, "source and destination overlap: bytes ", from.offset, " .. ", from_end,
              " and bytes ", to.offset, " .. ", to_end, " of the same memory", shape);
}

}  // namespace yoke::inline v0_1::detail

#endif
