// SPDX-License-Identifier: MIT
// The arithmetic of extents and strides, for any number of axes.
#ifndef YOKE_ARRAY_GEOMETRY_AXES_HPP
#define YOKE_ARRAY_GEOMETRY_AXES_HPP

#include <yoke/array/geometry/shape.hpp>
#include <yoke/array/geometry/slice.hpp>

namespace yoke::inline v0_1 {

namespace detail {

/// The axes of a layout that is being made.
struct mutable_axes {
  std::size_t* extents;
  std::ptrdiff_t* strides;
  std::size_t rank;
};

/// Returns: the number of elements. Requires: it fits into `size_t`.
[[nodiscard]] constexpr std::size_t volume(const std::size_t* extents, std::size_t rank) noexcept {
  std::size_t count = 1;
  for (std::size_t axis = 0; axis < rank; ++axis) count *= extents[axis];
  return count;
}

/// Returns: the axis with the `number`-th smallest stride in an array without gaps of that order.
[[nodiscard]] constexpr std::size_t fastest(std::size_t number, std::size_t rank, array_order order) noexcept {
  return order == array_order::c ? rank - 1 - number : number;
}

/// Effects: sets the strides of an array without gaps. Axes of extent 0 are treated like axes of extent 1.
/// Throws: `logic_error` for an extent below 0, and for more bytes than a pointer difference counts.
constexpr void set_dense_strides(const std::size_t* extents, std::ptrdiff_t* strides, std::size_t rank,
                                 std::size_t element_bytes, array_order order, const source_location& where) {
  constexpr auto most = static_cast<std::size_t>(greatest_of<std::ptrdiff_t>);
  for (std::size_t axis = 0; axis < rank; ++axis) {
    if (extents[axis] > most) [[unlikely]]
      throw_extent(extents, rank, axis, where);
  }
  std::size_t stride = element_bytes;
  for (std::size_t number = 0; number < rank; ++number) {
    const std::size_t axis = fastest(number, rank, order);
    strides[axis] = static_cast<std::ptrdiff_t>(stride);
    if (extents[axis] > 1 && (__builtin_mul_overflow(stride, extents[axis], &stride) || stride > most)) [[unlikely]]
      throw_too_large(extents, rank, element_bytes, where);
  }
}

/// Whether the elements lie without gaps in that order. Axes of extent 1 are ignored; an array without elements has no
/// gaps.
[[nodiscard]] constexpr bool are_contiguous(const const_axes& of, std::size_t element_bytes,
                                            array_order order) noexcept {
  bool result = true;
  std::size_t expected = element_bytes;
  for (std::size_t number = 0; number < of.rank; ++number) {
    const std::size_t axis = fastest(number, of.rank, order);
    if (of.extents[axis] == 0) return true;
    if (of.extents[axis] == 1) continue;
    if (of.strides[axis] != static_cast<std::ptrdiff_t>(expected)) result = false;
    expected *= of.extents[axis];
  }
  return result;
}

/// Bytes `[first, last)`, relative to the first element.
struct byte_footprint {
  std::ptrdiff_t first = 0;
  std::ptrdiff_t last = 0;
};
/// Returns: the bytes from the lowest element to the highest; an empty range without elements. Requires: they fit.
[[nodiscard]] constexpr byte_footprint footprint_of(const const_axes& of, std::size_t element_bytes) noexcept {
  byte_footprint result{0, static_cast<std::ptrdiff_t>(element_bytes)};
  for (std::size_t axis = 0; axis < of.rank; ++axis) {
    if (of.extents[axis] == 0) return {};
    const std::ptrdiff_t reach = static_cast<std::ptrdiff_t>(of.extents[axis] - 1) * of.strides[axis];
    (reach < 0 ? result.first : result.last) += reach;
  }
  return result;
}

/// Whether no two elements share a byte. The test is sufficient and true for every part of an array without gaps: each
/// stride is greater than all that smaller strides reach.
[[nodiscard]] constexpr bool are_apart(const const_axes& of, std::size_t element_bytes) noexcept {
  std::size_t sorted[max_array_rank]{};
  std::size_t count = 0;
  const auto distance = [&](std::size_t axis) {
    return of.strides[axis] < 0 ? std::size_t{0} - static_cast<std::size_t>(of.strides[axis])
                                : static_cast<std::size_t>(of.strides[axis]);
  };
  for (std::size_t axis = 0; axis < of.rank; ++axis) {
    if (of.extents[axis] == 0) return true;
    if (of.extents[axis] == 1) continue;
    std::size_t place = count++;
    for (; place > 0 && distance(sorted[place - 1]) > distance(axis); --place) sorted[place] = sorted[place - 1];
    sorted[place] = axis;
  }
  std::size_t reach = element_bytes;
  for (std::size_t number = 0; number < count; ++number) {
    if (distance(sorted[number]) < reach) return false;
    reach += (of.extents[sorted[number]] - 1) * distance(sorted[number]);
  }
  return true;
}

/// Effects: narrows one axis to a slice, as Python does. Returns: the bytes from the old first element to the new one.
constexpr std::ptrdiff_t take_slice(const slice& of, std::size_t axis, std::size_t& extent, std::ptrdiff_t& stride,
                                    const source_location& where) {
  if (of.step == 0) [[unlikely]]
    throw_step(axis, where);
  const bool back = of.step < 0;
  const auto count = static_cast<std::ptrdiff_t>(extent);
  const std::ptrdiff_t least = back ? -1 : 0;
  const std::ptrdiff_t most = back ? count - 1 : count;
  const auto inside = [&](const slice_bound& bound, std::ptrdiff_t open) {
    if (!bound.is_given) return open;
    const std::ptrdiff_t index = bound.index < 0 ? bound.index + count : bound.index;
    return index < least ? least : index > most ? most : index;
  };
  const std::ptrdiff_t start = inside(of.start, back ? count - 1 : 0);
  const std::ptrdiff_t stop = inside(of.stop, back ? -1 : count);
  const std::ptrdiff_t between = back ? start - stop : stop - start;
  const std::size_t step =
      back ? std::size_t{0} - static_cast<std::size_t>(of.step) : static_cast<std::size_t>(of.step);
  extent = between <= 0 ? 0 : static_cast<std::size_t>(between - 1) / step + 1;
  const std::ptrdiff_t moved = extent == 0 ? 0 : start * stride;
  if (extent > 1) stride *= of.step;  // with fewer elements nobody uses the stride, and it might overflow
  return moved;
}

/// Effects: applies indices to a layout; `to` has the axes that remain.
/// Returns: the bytes from the old first element to the new one. Throws: `logic_error` for an integer outside its axis
/// and for a step of 0.
constexpr std::ptrdiff_t take_indices(const const_axes& from, const index_item* items, std::size_t count,
                                      const mutable_axes& to, const source_location& where) {
  std::size_t named = 0;
  for (std::size_t item = 0; item < count; ++item) {
    named += items[item].is == index_item::kind::integer || items[item].is == index_item::kind::slice ? 1 : 0;
  }
  std::ptrdiff_t moved = 0;
  std::size_t axis = 0;
  std::size_t next = 0;
  const auto keep = [&](std::size_t axes) {
    for (std::size_t i = 0; i < axes; ++i, ++axis, ++next) {
      to.extents[next] = from.extents[axis];
      to.strides[next] = from.strides[axis];
    }
  };
  for (std::size_t item = 0; item < count; ++item) {
    switch (items[item].is) {
      case index_item::kind::ellipsis: keep(from.rank - named); break;
      case index_item::kind::newaxis:
        to.extents[next] = 1;
        to.strides[next++] = 0;
        break;
      case index_item::kind::slice:
        keep(1);
        moved += take_slice(items[item].range, axis - 1, to.extents[next - 1], to.strides[next - 1], where);
        break;
      case index_item::kind::integer: {
        const std::ptrdiff_t given = items[item].range.start.index;
        const auto extent = static_cast<std::ptrdiff_t>(from.extents[axis]);
        if (given >= extent || given < -extent) [[unlikely]]
          throw_index(from.extents, from.rank, axis, given, where);
        moved += (given < 0 ? given + extent : given) * from.strides[axis];
        ++axis;
        break;
      }
    }
  }
  keep(from.rank - axis);
  return moved;
}

/// Effects: replaces an extent of -1 by the one that the other extents leave.
/// Throws: `logic_error` with both shapes for another number of elements.
constexpr void complete_shape(const const_axes& from, std::size_t* to, std::size_t rank, const source_location& where) {
  constexpr auto most = static_cast<std::size_t>(greatest_of<std::ptrdiff_t>);
  constexpr std::size_t unknown = ~std::size_t{0};
  const std::size_t size = volume(from.extents, from.rank);
  std::size_t open = rank;
  std::size_t known = 1;
  bool too_large = false;
  for (std::size_t axis = 0; axis < rank; ++axis) {
    if (to[axis] == unknown) {
      if (open != rank) throw_reshape(from, to, rank, "two extents are -1", where);
      open = axis;
    } else if (to[axis] > most) {
      throw_extent(to, rank, axis, where);
    }
  }
  for (std::size_t axis = 0; axis < rank; ++axis) {
    if (to[axis] == 0) {
      known = 0;
      too_large = false;
      break;
    }
    if (axis != open && __builtin_mul_overflow(known, to[axis], &known)) too_large = true;
  }
  if (open == rank) {
    if (too_large || known != size) throw_reshape(from, to, rank, "they differ in size", where);
    return;
  }
  if (too_large || known == 0 || size % known != 0) {
    throw_reshape(from, to, rank, known == 0 ? "an extent of 0 leaves -1 open" : "-1 stands for no whole number",
                  where);
  }
  to[open] = size / known;
}

/// Effects: sets the strides that give the same elements, in the same order, another shape.
/// Returns: whether such strides exist. Requires: both shapes have the same number of elements.
[[nodiscard]] constexpr bool set_reshaped_strides(const const_axes& from, std::size_t element_bytes,
                                                  const mutable_axes& to, array_order order) noexcept {
  // Merges axes whose strides chain into runs, the fastest first. Axes of extent 1 are ignored.
  std::size_t extents[max_array_rank + 1]{};
  std::ptrdiff_t strides[max_array_rank + 1]{};
  std::size_t runs = 0;
  for (std::size_t number = 0; number < from.rank; ++number) {
    const std::size_t axis = fastest(number, from.rank, order);
    const std::size_t extent = from.extents[axis];
    if (extent == 1) continue;
    std::ptrdiff_t chained = 0;
    if (runs != 0 && !__builtin_mul_overflow(strides[runs - 1], extents[runs - 1], &chained) &&
        chained == from.strides[axis]) {
      extents[runs - 1] *= extent;
    } else {
      extents[runs] = extent;
      strides[runs++] = from.strides[axis];
    }
  }
  std::size_t run = 0;
  std::size_t left = runs == 0 ? 1 : extents[0];
  std::ptrdiff_t stride = runs == 0 ? static_cast<std::ptrdiff_t>(element_bytes) : strides[0];
  for (std::size_t number = 0; number < to.rank; ++number) {
    const std::size_t axis = fastest(number, to.rank, order);
    const std::size_t extent = to.extents[axis];
    if (extent != 1 && left == 1) {
      ++run;
      left = extents[run];
      stride = strides[run];
    }
    if (left % extent != 0) return false;
    to.strides[axis] = stride;
    left /= extent;
    (void)__builtin_mul_overflow(stride, extent, &stride);  // an overflow is possible behind the last axis only
  }
  return true;
}

}  // namespace detail

}  // namespace yoke::inline v0_1

#endif
