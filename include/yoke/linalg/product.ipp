// SPDX-License-Identifier: MIT
// Bodies of linalg/product.hpp.
#ifndef YOKE_LINALG_PRODUCT_IPP
#define YOKE_LINALG_PRODUCT_IPP

#include <yoke/linalg/product.hpp>

namespace yoke::inline v0_1::detail {

[[noreturn, gnu::cold]] void throw_product(const product_form& of, const std::size_t* left, std::size_t left_rank,
                                           const std::size_t* right, std::size_t right_rank, std::size_t one,
                                           std::size_t other, const source_location& where) {
  throw_error(errc::size_mismatch, where, of.name, " of ", shape_text(left, left_rank), " and ",
              shape_text(right, right_rank), ": ", one, " is not ", other);
}

void product_extents(std::size_t* to, const product_form& of, const std::size_t* left, std::size_t left_rank,
                     const std::size_t* right, std::size_t right_rank, const source_location& where) {
  const std::size_t left_batch = left_rank - left_axes(of);
  const std::size_t right_batch = right_rank - right_axes(of);
  const std::size_t batch = left_batch < right_batch ? right_batch : left_batch;
  if (of.sums && left[left_rank - 1] != right[right_batch]) {
    throw_product(of, left, left_rank, right, right_rank, left[left_rank - 1], right[right_batch], where);
  }
  for (std::size_t axis = 0; axis < batch; ++axis) {
    const std::size_t from_end = batch - axis;
    const std::size_t one = from_end > left_batch ? 1 : left[left_batch - from_end];
    const std::size_t other = from_end > right_batch ? 1 : right[right_batch - from_end];
    if (one != other && one != 1 && other != 1) {
      throw_product(of, left, left_rank, right, right_rank, one, other, where);
    }
    to[axis] = one == 1 ? other : one;
  }
  std::size_t* next = to + batch;
  if (of.left_row) *next++ = left[left_batch];
  if (of.right_column) *next = right[right_rank - 1];
}

product_plan plan_product(const product_form& of, const byte_layout& to, const byte_layout* added,
                          const byte_layout& left, const byte_layout& right) {
  product_plan plan;
  const byte_layout* const sides[]{&to, added == nullptr ? &to : added, &left, &right};
  const std::size_t own[]{(of.left_row ? 1U : 0U) + (of.right_column ? 1U : 0U), 0, left_axes(of), right_axes(of)};
  const auto stride = [](const byte_layout& side, std::size_t axis) {
    return static_cast<std::int64_t>(side.axes.strides[axis] / static_cast<std::ptrdiff_t>(side.element));
  };
  const auto extent = [](const byte_layout& side, std::size_t axis) {
    return static_cast<std::int64_t>(side.axes.extents[axis]);
  };
  const std::size_t batch = to.axes.rank - own[0];
  for (std::size_t each = 0; each < 2; ++each) {
    const byte_layout& side = *sides[each];
    if (of.left_row) plan.row[each] = stride(side, batch);
    if (of.right_column) plan.column[each] = stride(side, side.axes.rank - 1);
  }
  for (std::size_t each = 0; each < product_plan::sides; ++each) {
    plan.first[each] = static_cast<std::int64_t>(sides[each]->offset / sides[each]->element);
  }
  const std::size_t left_batch = left.axes.rank - own[2];
  const std::size_t right_batch = right.axes.rank - own[3];
  if (of.left_row) {
    plan.m = extent(left, left_batch);
    plan.row[2] = stride(left, left_batch);
  }
  if (of.right_column) {
    plan.n = extent(right, right.axes.rank - 1);
    plan.column[3] = stride(right, right.axes.rank - 1);
  }
  if (of.sums) {
    plan.k = extent(left, left.axes.rank - 1);
    plan.column[2] = stride(left, left.axes.rank - 1);
    plan.row[3] = stride(right, right_batch);
  }
  const auto batch_stride = [&](const byte_layout& side, std::size_t axes, std::size_t axis) -> std::int64_t {
    const std::size_t from_end = batch - axis;
    if (from_end > axes || extent(side, axes - from_end) == 1) return 0;
    return stride(side, axes - from_end);
  };
  for (std::size_t axis = 0; axis < batch; ++axis) {
    const std::int64_t length = extent(to, axis);
    if (length == 1) continue;
    const std::int64_t strides[]{batch_stride(to, batch, axis), batch_stride(*sides[1], batch, axis),
                                 batch_stride(left, left_batch, axis), batch_stride(right, right_batch, axis)};
    std::size_t at = plan.batch_axes;
    bool merges = at != 0;
    for (std::size_t each = 0; merges && each < product_plan::sides; ++each) {
      merges = plan.strides[each][at - 1] == length * strides[each];
    }
    if (merges) {
      plan.extents[--at] *= length;
    } else {
      plan.extents[at] = length;
      ++plan.batch_axes;
    }
    for (std::size_t each = 0; each < product_plan::sides; ++each) plan.strides[each][at] = strides[each];
  }
  return plan;
}

bool has_whole_strides(const byte_layout& of) noexcept {
  if (of.offset % of.element != 0) return false;
  for (std::size_t axis = 0; axis < of.axes.rank; ++axis) {
    if (of.axes.extents[axis] > 1 && of.axes.strides[axis] % static_cast<std::ptrdiff_t>(of.element) != 0) return false;
  }
  return true;
}

}  // namespace yoke::inline v0_1::detail

#endif
