// SPDX-License-Identifier: MIT
// Bodies of array/evaluation/expression_axes.hpp.
#ifndef YOKE_ARRAY_EVALUATION_EXPRESSION_AXES_IPP
#define YOKE_ARRAY_EVALUATION_EXPRESSION_AXES_IPP

#include <yoke/array/evaluation/expression_axes.hpp>

namespace yoke::inline v0_1::detail {

void merge_axes(expression_axes& axes, const std::size_t* extents, std::size_t rank,
                std::span<const byte_layout* const> operands, const source_location& where) {
  for (std::size_t axis = 0; axis < rank; ++axis) {
    axes.extents[axis] = static_cast<std::int64_t>(extents[axis]);
    axes.count *= axes.extents[axis];
  }
  walked_operand walked[most_inputs + 1];
  for (std::size_t k = 0; k < operands.size(); ++k) {
    operand_place& place = axes.places[k];
    place.offset = static_cast<std::int64_t>(operands[k]->offset);
    const const_axes& of = operands[k]->axes;
    for (std::size_t own = 0; own < of.rank; ++own) {  // the stride of a broadcast axis stays 0
      if (of.extents[own] != 1) place.strides[own + rank - of.rank] = of.strides[own];
    }
    walked[k] = {&place.offset, place.strides};
  }
  axes.rank = merge_walk(axes.extents, rank, std::span(walked, operands.size()));
  for (std::size_t k = 0; k < operands.size(); ++k) {
    const byte_layout& side = *operands[k];
    if (!divide_walk(walked[k], axes.rank, static_cast<std::int64_t>(side.element)) && axes.count != 0) {
      throw_within_element(side.offset, side.element, where);
    }
  }
}

void take_axes(expression_axes& axes, const merged_copy& copy) noexcept {
  axes.count = copy.axes.count;
  axes.rank = copy.rank;
  axes.places[0].offset = copy.axes.to;
  axes.places[1].offset = copy.axes.from;
  std::copy_n(copy.axes.extents, copy.rank, axes.extents);
  std::copy_n(copy.axes.to_strides, copy.rank, axes.places[0].strides);
  std::copy_n(copy.axes.from_strides, copy.rank, axes.places[1].strides);
}

bool is_linear(const expression_axes& axes, std::size_t operands) noexcept {
  if (axes.rank > 1) return false;
  for (std::size_t k = 0; axes.rank != 0 && k < operands; ++k) {
    if (axes.places[k].strides[0] != 1) return false;
  }
  return true;
}

inline std::int64_t narrow_steps = std::int64_t{1} << 31;
std::int64_t& narrow_limit() noexcept { return narrow_steps; }

bool is_narrow(const expression_axes& axes, std::size_t operands) noexcept {
  const std::int64_t limit = narrow_limit();
  // A thread that takes several steps counts past the last one, by at most the number of threads.
  if (axes.count >= limit) return false;
  for (std::size_t k = 0; k < operands; ++k) {
    std::int64_t reach = 0;
    for (std::size_t axis = 0; axis < axes.rank; ++axis) {
      const std::int64_t stride = axes.places[k].strides[axis];
      reach += (axes.extents[axis] - 1) * (stride < 0 ? -stride : stride);
    }
    if (reach >= limit) return false;
  }
  return true;
}

void throw_empty_operand(const source_location& where) {
  throw_error(errc::empty_handle, "an array of the expression is empty (moved from or never set)", where);
}

void check_broadcast(const std::size_t* from, std::size_t from_rank, const std::size_t* to, std::size_t to_rank,
                     const source_location& where) {
  for (std::size_t axis = 0; axis < from_rank; ++axis) {
    const std::size_t at = axis + to_rank - from_rank;
    if (from[axis] != 1 && from[axis] != to[at]) [[unlikely]]
      throw_broadcast(from, from_rank, "to", to, to_rank, at, where);
  }
}

}  // namespace yoke::inline v0_1::detail

#endif
