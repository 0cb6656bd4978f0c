// SPDX-License-Identifier: MIT
// The sources of the own kernels of sparse matrices, and the checks of their arrays.
#ifndef YOKE_SPARSE_CSR_SOURCE_HPP
#define YOKE_SPARSE_CSR_SOURCE_HPP

#include <yoke/linalg/product_source.hpp>

#include <vector>

namespace yoke::inline v0_1::detail {

/// The shapes of the kernel that multiplies. All add in the same order, so that they give the same bits.
enum class csr_shape : std::uint8_t {
  automatic,
  rows,  ///< a thread for each row
  lanes  ///< a thread for each sum of a row
};
/// The shape that every product takes, for tests.
[[nodiscard]] YOKE_API csr_shape& wanted_csr_shape() noexcept;
/// Returns: the sums of each row of a product: 1, 8 or 32. The number depends on the mean length of rows alone, so that
/// all devices add in the same order.
[[nodiscard]] constexpr std::int64_t csr_lanes(std::int64_t elements, std::int64_t rows) noexcept {
  return elements / 8 <= rows ? 1 : elements / 64 <= rows ? 8 : 32;
}

/// The properties that a kernel which multiplies depends on.
struct csr_kernel_form {
  product_kernel_form product{};  ///< the left operand is the sparse matrix
  bool wide = false;              ///< indices have 64 bits
  bool has_places = false;        ///< values are in another order than columns
  bool apart = false;             ///< each sum of a row has a thread
  bool serial = false;            ///< a thread takes neighbouring rows
  std::int64_t lanes = 1;
  std::int64_t columns = 1;  ///< of the dense matrix that a thread takes at once, if it is serial
};
/// Returns: `yoke_c_multiply`.
[[nodiscard]] YOKE_API std::string csr_multiply_source(const csr_kernel_form& form);
/// Returns: `yoke_c_check`.
[[nodiscard]] YOKE_API std::string csr_check_source(bool wide);
/// Returns: `yoke_c_elements`, which adds elements to those of an array, or only those on the diagonal.
[[nodiscard]] YOKE_API std::string csr_elements_source(value_kind kind, bool wide, bool diagonal);

/// The sizes of the arrays of a sparse matrix.
struct csr_sizes {
  std::size_t starts, columns, values;
  std::size_t rows, extent;  ///< its shape
};
/// Throws: `logic_error` where an array has another size than the shape asks for, or where indices of `index_bytes`
/// cannot count so many rows, columns or elements.
YOKE_API void check_csr_sizes(const csr_sizes& of, std::size_t index_bytes, const source_location& where);
[[noreturn, gnu::cold]] YOKE_API void throw_csr_gaps(const char* name, const source_location& where);
/// Throws: `logic_error` that names the first start or column that is wrong.
[[noreturn, gnu::cold]] YOKE_API void throw_csr_content(const std::vector<std::int64_t>& starts,
                                                        const std::vector<std::int64_t>& columns, std::int64_t extent,
                                                        const source_location& where);
/// Throws: `logic_error` unless rows, columns and values of coordinates are equally many, and for a shape whose
/// elements 63 bits cannot count.
[[noreturn, gnu::cold]] YOKE_API void throw_csr_shapes(const std::size_t* left, const std::size_t* right,
                                                       const source_location& where);
YOKE_API void check_coordinate_sizes(const csr_sizes& of, const source_location& where);
[[noreturn, gnu::cold]] YOKE_API void throw_coordinates(const std::vector<std::int64_t>& rows,
                                                        const std::vector<std::int64_t>& columns, const csr_sizes& of,
                                                        const source_location& where);
[[noreturn, gnu::cold]] YOKE_API void throw_csr_empty(const source_location& where);
[[noreturn, gnu::cold]] YOKE_API void throw_csr_values(std::size_t given, std::size_t elements,
                                                       const source_location& where);

}  // namespace yoke::inline v0_1::detail

#if defined(YOKE_IMPLEMENTATION)
#include <yoke/sparse/csr_source.ipp>
#endif

#endif
