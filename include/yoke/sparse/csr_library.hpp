// SPDX-License-Identifier: MIT
// Sparse products as kernels and libraries take them, and how a vendor's library runs them.
#ifndef YOKE_SPARSE_CSR_LIBRARY_HPP
#define YOKE_SPARSE_CSR_LIBRARY_HPP

#include <yoke/linalg/product_run.hpp>

namespace yoke::inline v0_1::detail {

/// One of the arrays of a sparse matrix, without gaps. Units: elements.
template <class Port>
struct csr_array {
  array_memory<Port> memory{};
  std::int64_t first = 0;
};
/// A sparse matrix as kernels and libraries take it.
template <class Port>
struct csr_operand {
  csr_array<Port> starts{}, columns{}, values{};
  csr_array<Port> places{};  ///< of a transposed matrix: where the value of each element lies among the values
  bool has_places = false;
  bool wide = false;  ///< indices have 64 bits
  value_kind kind{};
  std::int64_t rows = 0;
  std::int64_t extent = 0;  ///< columns of the matrix
  std::int64_t elements = 0;
};
/// `to = alpha * matrix * dense + beta * added` for vectors and matrices of any strides. `added` is not read if `adds`
/// is false.
template <class Port>
struct csr_product {
  csr_operand<Port> matrix{};
  std::int64_t columns = 1;  ///< of the dense matrix and of the result
  product_matrix<Port> to{}, added{}, dense{};
  product_factor alpha{}, beta{};
  bool adds = false;
};

/// Effects: sets how a dense matrix of a product lies. Returns: false for one that a library could not use where it is.
[[nodiscard]] constexpr bool set_library_dense(library_dense& to, std::int64_t rows, std::int64_t columns,
                                               std::int64_t row_stride, std::int64_t column_stride) noexcept {
  // Vectors have no gaps.
  if (columns == 1) return rows <= 1 || row_stride == 1;
  const matrix_layout lies = classify(rows, columns, row_stride, column_stride);
  to.leading = lies.leading;
  to.by_rows = lies.order == matrix_lines::rows;
  return lies.order != matrix_lines::strided;
}
/// Effects: sets everything but addresses. Returns: false for a product that no library has: of whole numbers, of two
/// types, of a conjugated operand, of a transposed matrix, of a layout with gaps along both axes, or of more elements
/// than the matrix has places.
template <class Port>
[[nodiscard]] constexpr bool set_library_csr(library_sparse_product& to, const csr_product<Port>& of) noexcept {
  const csr_operand<Port>& matrix = of.matrix;
  if (matrix.kind != of.dense.kind || matrix.elements == 0 || matrix.has_places || of.dense.conjugated) return false;
  if ((matrix.elements - 1) / matrix.rows >= matrix.extent) return false;
  if (!set_library_type(to.operands, matrix.kind) || !set_library_type(to.result, of.to.kind)) return false;
  to.wide = matrix.wide;
  to.rows = matrix.rows;
  to.extent = matrix.extent;
  to.elements = matrix.elements;
  to.columns = of.columns;
  to.alpha[0] = of.alpha.real;
  to.alpha[1] = of.alpha.imag;
  to.beta[0] = of.adds ? of.beta.real : 0;
  to.beta[1] = of.adds ? of.beta.imag : 0;
  return set_library_dense(to.dense, matrix.extent, of.columns, of.dense.row, of.dense.column) &&
         set_library_dense(to.to, matrix.rows, of.columns, of.to.row, of.to.column);
}

/// Memory of a stream's arrays for a library's call.
template <class Order>
class pool_memory final : public library_memory {
 public:
  pool_memory(const Order& order, const source_location& where) : order_(order), where_(where) {}
  [[nodiscard]] std::uint64_t take(std::size_t bytes) override {
    memory_ = temporary_memory<Order>(order_, bytes, where_);
    return number_of_handle(memory_.get().native_handle());
  }

 private:
  const Order& order_;
  source_location where_;
  temporary_memory<Order> memory_;
};

/// Effects: enqueues a sparse product by a vendor's library. Returns: false, with nothing enqueued, if it must be done
/// by own kernels. Requires, throws: as `run_csr_product`.
template <class Order>
[[nodiscard]] bool run_library_csr(const Order& order, const csr_product<port_of_order<Order>>& of,
                                   const source_location& where) {
  if constexpr (is_a_stream<Order>) {
    library_sparse_product made;
    const auto& matrix = of.matrix;
    if (matrix.elements * of.columns < least_library_work() || !set_library_csr(made, of)) return false;
    const std::uint64_t operand = library_type_bytes(made.operands);
    const std::uint64_t index = made.wide ? sizeof(std::int64_t) : sizeof(std::int32_t);
    const auto address = [](const auto& side, std::uint64_t bytes) {
      return number_of_handle(side.memory.memory) + static_cast<std::uint64_t>(side.first) * bytes;
    };
    made.starts = address(matrix.starts, index);
    made.indices = address(matrix.columns, index);
    made.values = address(matrix.values, operand);
    made.dense.address = address(of.dense, operand);
    made.to.address = address(of.to, library_type_bytes(made.result));
    // Libraries read and write several elements at a time.
    constexpr std::uint64_t together = 16;
    const std::uint64_t any = made.starts | made.indices | made.values | made.dense.address | made.to.address;
    if (any % together != 0) return false;
    math_libraries* const by = library_for(order, math_family::sparse, where);
    if (by == nullptr) return false;
    if (of.adds) copy_added(order, of.to, of.added, 1, matrix.rows, of.columns, made.result, where);
    pool_memory<Order> workspace(order, where);
    return by->multiply(number_of_handle(order.native_handle()), made, workspace, where);
  } else {
    return false;
  }
}

}  // namespace yoke::inline v0_1::detail

#endif
