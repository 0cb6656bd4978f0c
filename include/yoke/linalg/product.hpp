// SPDX-License-Identifier: MIT
// Products of matrices of any strides, as own kernels and libraries take them.
#ifndef YOKE_LINALG_PRODUCT_HPP
#define YOKE_LINALG_PRODUCT_HPP

#include <yoke/array/evaluation/array_memory.hpp>
#include <yoke/array/evaluation/value_kind.hpp>
#include <yoke/array/geometry/byte_layout.hpp>
#include <yoke/array/geometry/subscripts.hpp>

namespace yoke::inline v0_1::detail {

/// How a matrix lies in memory.
enum class matrix_lines : std::uint8_t {
  rows,     ///< elements of a row are neighbours
  columns,  ///< elements of a column are neighbours
  strided   ///< gaps along both axes, or rows that overlap or go backwards
};
/// A matrix as libraries take it.
struct matrix_layout {
  matrix_lines order = matrix_lines::strided;
  std::int64_t leading = 0;  ///< the distance of rows or columns, in elements
  friend constexpr bool operator==(const matrix_layout&, const matrix_layout&) = default;
};
/// Returns: how a matrix lies in memory. An axis of one element may have any stride. Units: elements.
[[nodiscard]] constexpr matrix_layout classify(std::int64_t rows, std::int64_t columns, std::int64_t row_stride,
                                               std::int64_t column_stride) noexcept {
  const std::int64_t row_length = columns < 1 ? 1 : columns;
  if (rows < 1 || columns < 1) return {matrix_lines::rows, row_length};
  const std::int64_t column_length = rows;
  const std::int64_t row_pitch = rows <= 1 ? row_length : row_stride;
  const std::int64_t column_pitch = columns <= 1 ? column_length : column_stride;
  if ((columns <= 1 || column_stride == 1) && row_pitch >= row_length) return {matrix_lines::rows, row_pitch};
  if ((rows <= 1 || row_stride == 1) && column_pitch >= column_length) return {matrix_lines::columns, column_pitch};
  return {};
}

/// An operand or the destination of a product. Units: elements.
template <class Port>
struct product_matrix {
  array_memory<Port> memory{};
  value_kind kind{};
  bool conjugated = false;
  std::int64_t first = 0;
  std::int64_t row = 0, column = 0, batch = 0;  ///< strides
};
/// A factor of a product, in the part that the type of its sums takes.
struct product_factor {
  double real = 1;
  double imag = 0;
  std::int64_t whole = 1;
  [[nodiscard]] constexpr bool is(int number) const noexcept { return real == number && imag == 0 && whole == number; }
  [[nodiscard]] constexpr product_factor negated() const noexcept {
    return {-real, -imag, static_cast<std::int64_t>(0 - static_cast<std::uint64_t>(whole))};
  }
};
/// `to = alpha * left * right + beta * added` for each of a batch of matrices. `added` is not read if `adds` is false.
template <class Port>
struct product {
  std::int64_t m = 0;  ///< rows of the result
  std::int64_t n = 0;  ///< columns of the result
  std::int64_t k = 0;  ///< terms of each sum
  std::int64_t batches = 1;
  product_matrix<Port> to{}, added{}, left{}, right{};
  product_factor alpha{}, beta{};
  bool adds = false;
};

/// A function that multiplies, and the axes that its operands have beside batches.
struct product_form {
  const char* name;
  bool left_row;      ///< the left operand has rows; else it is a vector
  bool right_column;  ///< the right operand has columns; else it is a vector
  bool sums;          ///< the operands share an axis along which products are added
};
enum class product_kind : std::uint8_t { matmul, matvec, vecmat, outer };
[[nodiscard]] constexpr product_form form_of(product_kind kind, std::size_t left, std::size_t right) noexcept {
  switch (kind) {
    case product_kind::matvec: return {"matvec", true, false, true};
    case product_kind::vecmat: return {"vecmat", false, true, true};
    case product_kind::outer: return {"outer", true, true, false};
    default: return {"matmul", left > 1, right > 1, true};
  }
}
/// Whether a product is of operands with so many axes.
[[nodiscard]] constexpr bool has_product_ranks(product_kind kind, std::size_t left, std::size_t right) noexcept {
  if (kind == product_kind::outer) return left == 1 && right == 1;
  return left >= (kind == product_kind::matvec ? 2U : 1U) && right >= (kind == product_kind::vecmat ? 2U : 1U);
}
/// Returns: the axes of an operand beside batches, and those of the result of a product.
[[nodiscard]] constexpr std::size_t left_axes(const product_form& of) noexcept {
  return (of.left_row ? 1U : 0U) + (of.sums ? 1U : 0U);
}
[[nodiscard]] constexpr std::size_t right_axes(const product_form& of) noexcept {
  return (of.right_column ? 1U : 0U) + (of.sums ? 1U : 0U);
}
[[nodiscard]] constexpr std::size_t product_rank(const product_form& of, std::size_t left, std::size_t right) noexcept {
  const std::size_t left_batch = left - left_axes(of);
  const std::size_t right_batch = right - right_axes(of);
  return (left_batch < right_batch ? right_batch : left_batch) + (of.left_row ? 1U : 0U) + (of.right_column ? 1U : 0U);
}
/// Effects: writes the extents of the result. Throws: `logic_error` for shapes that do not fit.
YOKE_API void product_extents(std::size_t* to, const product_form& of, const std::size_t* left, std::size_t left_rank,
                              const std::size_t* right, std::size_t right_rank, const source_location& where);

/// The sizes and strides of a product, the destination's first, then those of what is added, left and right. Units:
/// elements.
struct product_plan {
  static constexpr std::size_t sides = 4;
  std::int64_t m = 1, n = 1, k = 1;
  std::int64_t first[sides]{}, row[sides]{}, column[sides]{};
  std::size_t batch_axes = 0;  ///< after neighbours were merged
  std::int64_t extents[max_array_rank]{};
  std::int64_t strides[sides][max_array_rank]{};
  [[nodiscard]] constexpr bool empty() const noexcept {
    if (m == 0 || n == 0) return true;
    for (std::size_t axis = 0; axis < batch_axes; ++axis) {
      if (extents[axis] == 0) return true;
    }
    return false;
  }
};
/// Returns: the plan of a product. Requires: shapes that fit, strides of whole elements, and what is added, if
/// anything, in the destination's shape.
[[nodiscard]] YOKE_API product_plan plan_product(const product_form& of, const byte_layout& to,
                                                 const byte_layout* added, const byte_layout& left,
                                                 const byte_layout& right);
/// Whether offset and strides are whole numbers of elements.
[[nodiscard]] YOKE_API bool has_whole_strides(const byte_layout& of) noexcept;

}  // namespace yoke::inline v0_1::detail

#if defined(YOKE_IMPLEMENTATION)
#include <yoke/linalg/product.ipp>
#endif

#endif
