// SPDX-License-Identifier: MIT
// Products as the vendors' libraries take them: matrices whose columns lie one after the other, or transposed ones.
#ifndef YOKE_LINALG_PRODUCT_LIBRARY_HPP
#define YOKE_LINALG_PRODUCT_LIBRARY_HPP

#include <yoke/driver/math_libraries.hpp>
#include <yoke/linalg/product.hpp>

namespace yoke::inline v0_1::detail {

/// Effects: sets the type that libraries have for a kind. Returns: false if they have none.
[[nodiscard]] constexpr bool set_library_type(library_type& to, value_kind kind) noexcept {
  switch (kind) {
    case value_kind::half: to = library_type::float16; return true;
    case value_kind::bfloat16: to = library_type::bfloat16; return true;
    case value_kind::float32: to = library_type::float32; return true;
    case value_kind::float64: to = library_type::float64; return true;
    case value_kind::complex64: to = library_type::complex64; return true;
    case value_kind::complex128: to = library_type::complex128; return true;
    default: return false;
  }
}
/// Effects: sets how a matrix of a product lies. Returns: false for one that a library could not read where it is.
[[nodiscard]] constexpr bool set_library_matrix(library_matrix& to, std::int64_t rows, std::int64_t columns,
                                                std::int64_t row_stride, std::int64_t column_stride, std::int64_t batch,
                                                bool conjugated) noexcept {
  matrix_layout lies = classify(columns, rows, column_stride, row_stride);
  if (lies.order == matrix_lines::strided) return false;
  // A matrix of one row or one column lies both ways.
  if (conjugated && lies.order == matrix_lines::rows) {
    lies = classify(rows, columns, row_stride, column_stride);
    if (lies.order != matrix_lines::rows) return false;
    lies.order = matrix_lines::columns;
  }
  to.transposed = lies.order == matrix_lines::columns;
  to.conjugated = conjugated;
  to.leading = lies.leading;
  to.batch = batch;
  return true;
}

/// A product for a library. The operands may have changed places: where the rows of the result lie one after the other,
/// `to^T = right^T * left^T`.
struct placed_product : library_product {
  bool exchanged = false;
};
/// Effects: sets everything but addresses. Returns: false for a product that no library has: of whole numbers, of two
/// types, or of a layout with gaps along both axes.
template <class Port>
[[nodiscard]] constexpr bool set_library_product(placed_product& to, const product<Port>& of) noexcept {
  if (of.left.kind != of.right.kind || of.k == 0) return false;
  if (!set_library_type(to.operands, of.left.kind) || !set_library_type(to.result, of.to.kind)) return false;
  const matrix_layout lies = classify(of.m, of.n, of.to.row, of.to.column);
  if (lies.order == matrix_lines::strided) return false;
  to.exchanged = lies.order == matrix_lines::rows;
  to.m = to.exchanged ? of.n : of.m;
  to.n = to.exchanged ? of.m : of.n;
  to.k = of.k;
  to.batches = of.batches;
  to.to.leading = lies.leading;
  to.to.batch = of.to.batch;
  const auto& one = to.exchanged ? of.right : of.left;
  const auto& other = to.exchanged ? of.left : of.right;
  // Transposed where the operands changed places.
  const bool first = to.exchanged
                         ? set_library_matrix(to.left, of.n, of.k, one.column, one.row, one.batch, one.conjugated)
                         : set_library_matrix(to.left, of.m, of.k, one.row, one.column, one.batch, one.conjugated);
  const bool second =
      to.exchanged ? set_library_matrix(to.right, of.k, of.m, other.column, other.row, other.batch, other.conjugated)
                   : set_library_matrix(to.right, of.k, of.n, other.row, other.column, other.batch, other.conjugated);
  if (!first || !second) return false;
  to.alpha[0] = of.alpha.real;
  to.alpha[1] = of.alpha.imag;
  to.beta[0] = of.adds ? of.beta.real : 0;
  to.beta[1] = of.adds ? of.beta.imag : 0;
  return true;
}

}  // namespace yoke::inline v0_1::detail

#endif
