// SPDX-License-Identifier: MIT
// Matrices in memory that factorisations work in.
#ifndef YOKE_LINALG_FACTOR_MATRIX_HPP
#define YOKE_LINALG_FACTOR_MATRIX_HPP

#include <yoke/array/evaluation/array_memory.hpp>
#include <yoke/array/evaluation/value_kind.hpp>

#include <cstdint>
#include <utility>

namespace yoke::inline v0_1::detail {

/// Matrices of one size in memory that a factorisation works in. Units: elements.
template <class Port>
struct factor_matrix {
  array_memory<Port> memory{};
  value_kind kind{};
  std::int64_t rows = 0, columns = 0, batches = 1;
  std::int64_t first = 0, row = 1, column = 0, batch = 0;  ///< strides
  bool conjugated = false;                                 ///< the elements stand for their conjugates

  [[nodiscard]] factor_matrix block(std::int64_t i, std::int64_t j, std::int64_t m, std::int64_t n) const noexcept {
    factor_matrix made = *this;
    made.first += i * row + j * column;
    made.rows = m;
    made.columns = n;
    return made;
  }
  [[nodiscard]] factor_matrix transposed() const noexcept {
    factor_matrix made = *this;
    std::swap(made.rows, made.columns);
    std::swap(made.row, made.column);
    return made;
  }
  [[nodiscard]] factor_matrix conjugate() const noexcept {
    factor_matrix made = *this;
    made.conjugated = !conjugated && is_complex(kind);
    return made;
  }
  /// The same with the last row or column first.
  [[nodiscard]] factor_matrix with_rows_reversed() const noexcept {
    factor_matrix made = *this;
    made.first += (rows - 1) * row;
    made.row = -row;
    return made;
  }
  [[nodiscard]] factor_matrix with_columns_reversed() const noexcept {
    return transposed().with_rows_reversed().transposed();
  }
};
/// Whole numbers of each matrix: pivots, or a number that says whether it was factored.
template <class Port>
struct factor_words {
  typename Port::memory_handle memory{};
  std::int64_t first = 0, batch = 0;
};

}  // namespace yoke::inline v0_1::detail

#endif
