// SPDX-License-Identifier: MIT
// Bodies of sparse/csr_source.hpp.
#ifndef YOKE_SPARSE_CSR_SOURCE_IPP
#define YOKE_SPARSE_CSR_SOURCE_IPP

#include <yoke/array/evaluation/kernel_macros.hpp>
#include <yoke/array/geometry/geometry_error.hpp>
#include <yoke/sparse/csr_source.hpp>

#include <limits>
#include <string_view>

namespace yoke::inline v0_1::detail {

csr_shape& wanted_csr_shape() noexcept {
  static csr_shape wanted = csr_shape::automatic;
  return wanted;
}

// clang-format off
inline constexpr std::string_view csr_check_text =
#include <yoke/kernels/sparse/csr_check.ipp>
    ;
inline constexpr std::string_view csr_multiply_text =
#include <yoke/kernels/sparse/csr_multiply.ipp>
    ;
inline constexpr std::string_view csr_elements_text =
#include <yoke/kernels/sparse/csr_elements.ipp>
    ;
// clang-format on

constexpr const char* csr_index_name(bool wide) noexcept { return wide ? "yoke_int64" : "int"; }

std::string csr_multiply_source(const csr_kernel_form& form) {
  return product_program(
      form.product, with_macros({{"YOKE_C_INDEX", csr_index_name(form.wide)},
                                 {"YOKE_C_LANES", form.lanes},
                                 {"YOKE_C_APART", form.apart},
                                 {"YOKE_C_SERIAL", form.serial},
                                 {"YOKE_C_COLUMNS", form.columns},
                                 {"YOKE_C_PLACE", form.has_places ? "(yoke_int64)places[of.left_batch + at]" : "at"}},
                                csr_multiply_text));
}
std::string csr_check_source(bool wide) {
  return with_macros({{"YOKE_C_INDEX", csr_index_name(wide)}}, csr_check_text);
}
std::string csr_elements_source(value_kind kind, bool wide, bool diagonal) {
  return product_program(
      {.to = kind, .left = kind, .right = kind},
      with_macros({{"YOKE_C_INDEX", csr_index_name(wide)}, {"YOKE_C_DIAGONAL", diagonal}}, csr_elements_text));
}

void check_csr_index(std::size_t count, const csr_sizes& of, std::size_t index_bytes, const char* what,
                     const source_location& where) {
  if (index_bytes == 8 || count <= static_cast<std::size_t>(std::numeric_limits<std::int32_t>::max())) return;
  throw_error(errc::out_of_range, where, "a csr_matrix of shape (", of.rows, ", ", of.extent, ") with ", count, " ",
              what, " takes indices of 64 bits: write csr_matrix<T, std::int64_t>");
}
/// Throws: `logic_error` for extents that were negative.
inline void check_csr_extents(const csr_sizes& of, const source_location& where) {
  const std::size_t extents[]{of.rows, of.extent};
  for (std::size_t axis = 0; axis < 2; ++axis) {
    if (static_cast<std::ptrdiff_t>(extents[axis]) < 0) throw_extent(extents, 2, axis, where);
  }
}
void check_csr_sizes(const csr_sizes& of, std::size_t index_bytes, const source_location& where) {
  check_csr_extents(of, where);
  if (of.starts != of.rows + 1) {
    throw_error(errc::size_mismatch, where, "a csr_matrix of ", of.rows, " rows takes ", of.rows + 1,
                " starts: these are ", of.starts);
  }
  if (of.columns != of.values) {
    throw_error(errc::size_mismatch, where, "a csr_matrix has as many columns as values: these are ", of.columns,
                " columns and ", of.values, " values");
  }
  check_csr_index(of.extent, of, index_bytes, "columns", where);
  check_csr_index(of.values, of, index_bytes, "elements", where);
}
void throw_csr_shapes(const std::size_t* left, const std::size_t* right, const source_location& where) {
  throw_error(errc::size_mismatch, where, "the sum or difference of sparse matrices of ", shape_text(left, 2), " and ",
              shape_text(right, 2), ": the shapes differ");
}
void throw_csr_gaps(const char* name, const source_location& where) {
  throw_error(errc::invalid_argument, where, "the ", name, " of a csr_matrix lie without gaps and not reversed: write ",
              name, ".copy()");
}
void throw_csr_content(const std::vector<std::int64_t>& starts, const std::vector<std::int64_t>& columns,
                       std::int64_t extent, const source_location& where) {
  if (starts.front() != 0) {
    throw_error(errc::out_of_range, where, "starts[0] = ", starts.front(), " of a csr_matrix is not 0");
  }
  for (std::size_t row = 1; row < starts.size(); ++row) {
    if (starts[row] >= starts[row - 1]) continue;
    throw_error(errc::out_of_range, where, "the starts of a csr_matrix ascend: starts[", row, "] = ", starts[row],
                " is below starts[", row - 1, "] = ", starts[row - 1]);
  }
  if (starts.back() != static_cast<std::int64_t>(columns.size())) {
    throw_error(errc::out_of_range, where, "starts[", starts.size() - 1, "] = ", starts.back(),
                " of a csr_matrix is not the number of its elements, ", columns.size());
  }
  std::size_t row = 0;
  for (std::size_t at = 0; at < columns.size(); ++at) {
    while (starts[row + 1] <= static_cast<std::int64_t>(at)) ++row;
    if (columns[at] >= 0 && columns[at] < extent) continue;
    throw_error(errc::out_of_range, where, "row ", row, " of a csr_matrix: columns[", at, "] = ", columns[at],
                " is not in [0, ", extent, ")");
  }
  throw_error(errc::out_of_range, where, "the starts or columns of a csr_matrix changed while they were checked");
}
void check_coordinate_sizes(const csr_sizes& of, const source_location& where) {
  check_csr_extents(of, where);
  if (of.starts != of.values || of.columns != of.values) {
    throw_error(errc::size_mismatch, where, "coordinates have as many rows and columns as values: these are ",
                of.starts, " rows, ", of.columns, " columns and ", of.values, " values");
  }
  constexpr auto most = static_cast<std::size_t>(std::numeric_limits<std::int64_t>::max());
  if (of.extent != 0 && of.rows > most / of.extent) {
    throw_error(errc::out_of_range, where, "a csr_matrix of shape (", of.rows, ", ", of.extent,
                ") from coordinates: rows times columns is 2^63 or more");
  }
}
void throw_coordinates(const std::vector<std::int64_t>& rows, const std::vector<std::int64_t>& columns,
                       const csr_sizes& of, const source_location& where) {
  const auto check = [&](const char* name, std::size_t at, std::int64_t value, std::size_t extent) {
    if (value >= 0 && value < static_cast<std::int64_t>(extent)) return;
    throw_error(errc::out_of_range, where, name, "[", at, "] = ", value, " of coordinates is not in [0, ", extent, ")");
  };
  for (std::size_t at = 0; at < rows.size() && at < columns.size(); ++at) {
    check("rows", at, rows[at], of.rows);
    check("columns", at, columns[at], of.extent);
  }
  throw_error(errc::out_of_range, where, "rows or columns of coordinates changed while they were checked");
}
void throw_csr_empty(const source_location& where) {
  throw_error(errc::empty_handle, "this csr_matrix is empty (moved from or never set)", where);
}
void throw_csr_values(std::size_t given, std::size_t elements, const source_location& where) {
  throw_error(errc::size_mismatch, where, "a csr_matrix of ", elements, " elements takes as many values: these are ",
              given);
}

}  // namespace yoke::inline v0_1::detail

#endif
