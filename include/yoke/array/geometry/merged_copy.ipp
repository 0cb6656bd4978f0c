// SPDX-License-Identifier: MIT
// Bodies of array/geometry/merged_copy.hpp.
#ifndef YOKE_ARRAY_GEOMETRY_MERGED_COPY_IPP
#define YOKE_ARRAY_GEOMETRY_MERGED_COPY_IPP

#include <yoke/array/geometry/merged_copy.hpp>

#include <algorithm>
#include <cstring>
#include <utility>

namespace yoke::inline v0_1::detail {

std::size_t merge_walk(std::int64_t* extents, std::size_t rank, std::span<const walked_operand> operands) noexcept {
  const auto move_axis = [&](std::size_t to, std::size_t from) {
    extents[to] = extents[from];
    for (const walked_operand& each : operands) each.strides[to] = each.strides[from];
  };
  const std::int64_t* const order = operands.front().strides;
  std::size_t found = 0;
  for (std::size_t axis = 0; axis < rank; ++axis) {
    if (extents[axis] <= 1) continue;
    if (order[axis] < 0) {
      for (const walked_operand& each : operands) {
        *each.offset += (extents[axis] - 1) * each.strides[axis];
        each.strides[axis] = -each.strides[axis];
      }
    }
    move_axis(found, axis);
    for (std::size_t place = found++; place > 0 && order[place - 1] < order[place]; --place) {
      std::swap(extents[place - 1], extents[place]);
      for (const walked_operand& each : operands) std::swap(each.strides[place - 1], each.strides[place]);
    }
  }
  if (found == 0) return 0;
  std::size_t kept = 0;
  for (std::size_t axis = 1; axis < found; ++axis) {
    const bool chains = std::all_of(operands.begin(), operands.end(), [&](const walked_operand& each) {
      return each.strides[kept] == each.strides[axis] * extents[axis];
    });
    const std::int64_t joined = chains ? extents[kept] * extents[axis] : extents[axis];
    if (!chains) ++kept;
    move_axis(kept, axis);
    extents[kept] = joined;
  }
  return kept + 1;
}

bool divide_walk(const walked_operand& operand, std::size_t rank, std::int64_t by) noexcept {
  bool divides = *operand.offset % by == 0;
  *operand.offset /= by;
  for (std::size_t axis = 0; axis < rank; ++axis) {
    divides = divides && operand.strides[axis] % by == 0;
    operand.strides[axis] /= by;
  }
  return divides;
}

merged_copy merge_copy(const const_axes& to, std::size_t to_offset, const const_axes& from, std::size_t from_offset,
                       std::size_t element_bytes) noexcept {
  merged_copy result;
  result.unit = element_bytes;
  copy_axes& axes = result.axes;
  axes.to = static_cast<std::int64_t>(to_offset);
  axes.from = static_cast<std::int64_t>(from_offset);
  axes.count = 1;
  for (std::size_t axis = 0; axis < to.rank; ++axis) {
    axes.extents[axis] = static_cast<std::int64_t>(to.extents[axis]);
    axes.to_strides[axis] = to.strides[axis];
    axes.from_strides[axis] = from.strides[axis];
    axes.count *= axes.extents[axis];
  }
  result.is_empty = axes.count == 0;
  const walked_operand sides[]{{&axes.to, axes.to_strides}, {&axes.from, axes.from_strides}};
  result.rank = merge_walk(axes.extents, to.rank, sides);
  return result;
}

copy_boxes boxes_of(const merged_copy& of) noexcept {
  const copy_axes& axes = of.axes;
  copy_boxes result;
  std::size_t outer = of.rank;
  auto width = static_cast<std::int64_t>(of.unit);
  if (outer != 0 && axes.to_strides[outer - 1] == width && axes.from_strides[outer - 1] == width) {
    width *= axes.extents[--outer];
  }
  if (outer > 2) return result;
  const auto fill = [&](box_layout& box, const std::int64_t* strides, std::int64_t offset) {
    box.offset = static_cast<std::size_t>(offset);
    box.width = static_cast<std::size_t>(width);
    box.row_pitch = box.width;
    if (outer >= 1) {
      box.height = static_cast<std::size_t>(axes.extents[outer - 1]);
      if (strides[outer - 1] < width) return false;
      box.row_pitch = static_cast<std::size_t>(strides[outer - 1]);
    }
    box.slice_pitch = box.row_pitch * box.height;
    if (outer == 2) {
      box.depth = static_cast<std::size_t>(axes.extents[0]);
      if (strides[0] < static_cast<std::int64_t>(box.row_pitch * (box.height - 1) + box.width)) return false;
      box.slice_pitch = static_cast<std::size_t>(strides[0]);
    }
    return true;
  };
  result.possible = fill(result.to, axes.to_strides, axes.to) && fill(result.from, axes.from_strides, axes.from);
  return result;
}

void use_words(merged_copy& of) noexcept {
  copy_axes& axes = of.axes;
  // The lowest bit set in any of the numbers is the largest power of two that divides all of them.
  std::uint64_t bits = of.unit | static_cast<std::uint64_t>(axes.to) | static_cast<std::uint64_t>(axes.from) | 8U;
  for (std::size_t axis = 0; axis < of.rank; ++axis) {
    bits |= static_cast<std::uint64_t>(axes.to_strides[axis]) | static_cast<std::uint64_t>(axes.from_strides[axis]);
  }
  const auto word = static_cast<std::int64_t>(bits & (~bits + 1));
  (void)divide_walk({&axes.to, axes.to_strides}, of.rank, word);
  (void)divide_walk({&axes.from, axes.from_strides}, of.rank, word);
  const std::int64_t words = static_cast<std::int64_t>(of.unit) / word;
  of.unit = static_cast<std::size_t>(word);
  if (words == 1) return;
  axes.count *= words;
  const std::size_t last = of.rank;
  if (last != 0 && axes.to_strides[last - 1] == words && axes.from_strides[last - 1] == words) {
    axes.extents[last - 1] *= words;
    axes.to_strides[last - 1] = 1;
    axes.from_strides[last - 1] = 1;
    return;
  }
  axes.extents[last] = words;
  axes.to_strides[last] = 1;
  axes.from_strides[last] = 1;
  ++of.rank;
}

bool use_elements(merged_copy& of, std::size_t to_bytes, std::size_t from_bytes) noexcept {
  copy_axes& axes = of.axes;
  const bool writes_whole = divide_walk({&axes.to, axes.to_strides}, of.rank, static_cast<std::int64_t>(to_bytes));
  const bool reads_whole = divide_walk({&axes.from, axes.from_strides}, of.rank, static_cast<std::int64_t>(from_bytes));
  return writes_whole && reads_whole;
}

void copy_on_host(std::byte* to, const std::byte* from, const merged_copy& of) noexcept {
  if (of.is_empty) return;
  const copy_axes& axes = of.axes;
  std::size_t outer = of.rank;
  std::size_t width = of.unit;
  const auto unit = static_cast<std::int64_t>(of.unit);
  if (outer != 0 && axes.to_strides[outer - 1] == unit && axes.from_strides[outer - 1] == unit) {
    width *= static_cast<std::size_t>(axes.extents[--outer]);
  }
  std::int64_t at[copy_axes::most]{};
  std::int64_t write = axes.to;
  std::int64_t read = axes.from;
  for (;;) {
    std::memcpy(to + write, from + read, width);
    std::size_t axis = outer;
    for (;;) {
      if (axis == 0) return;
      --axis;
      write += axes.to_strides[axis];
      read += axes.from_strides[axis];
      if (++at[axis] < axes.extents[axis]) break;
      at[axis] = 0;
      write -= axes.extents[axis] * axes.to_strides[axis];
      read -= axes.extents[axis] * axes.from_strides[axis];
    }
  }
}

}  // namespace yoke::inline v0_1::detail

#endif
