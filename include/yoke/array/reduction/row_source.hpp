// SPDX-License-Identifier: MIT
// The form and source of a kernel of rows: reductions of each row, and an expression of their results.
#ifndef YOKE_ARRAY_REDUCTION_ROW_SOURCE_HPP
#define YOKE_ARRAY_REDUCTION_ROW_SOURCE_HPP

#include <yoke/array/reduction/reduction_source.hpp>

namespace yoke::inline v0_1::detail {

/// One reduction of the rows, and the place of the steps of its operand among all.
struct row_stage {
  reduction_field field{};
  std::size_t first = 0;
  std::size_t end = 0;
};
/// The most reductions and inputs of a kernel of rows.
inline constexpr std::size_t most_row_stages = 8;
inline constexpr std::size_t most_row_inputs = 8;
/// The calculation of a kernel of rows. A context stores the kernels under its address.
struct row_task {
  std::span<const expression_step> steps;  ///< of the reductions' operands, then of the expression that is assigned
  std::span<const row_stage> stages;       ///< each reads the results of those before it
  value_type_name to;
};

/// The lanes of a tile in rows that have more elements: those of a reduction along axes.
inline constexpr std::uint32_t row_lanes = 32;
/// How the threads of a block share rows.
enum class row_way : std::uint8_t {
  together,  ///< a row has one warp or several, whose threads keep its elements
  alone,     ///< each thread runs rows
  shared     ///< the same, of short rows that all threads copy to local memory first
};
/// The properties that a kernel's text depends on, besides its task.
struct row_form {
  const std::uint8_t* slots = nullptr;  ///< for each input the first input in the same memory
  const std::uint8_t* same = nullptr;   ///< for each stage the first equal stage
  std::size_t inputs = 0;
  std::size_t result_rank = 0;
  std::size_t rank = 0;  ///< the number of reduced axes
  bool wide = false;
  row_way way = row_way::together;
  bool one = false;           ///< one element of the destination for each row
  std::size_t count = 0;      ///< the elements of a short row, which has one lane; 0: it is long
  std::uint32_t warps = 1;    ///< the warps of a row
  std::uint32_t items = 1;    ///< the elements that a thread of these keeps
  std::uint32_t rows = 1;     ///< the rows of a block
  std::uint32_t threads = 1;  ///< the threads of a block, each of which runs rows
  /// Whether rows lie without gaps and fill all threads, so that nothing is checked for each element.
  bool flat = false;
  std::uint32_t staged = 0;  ///< a bit for each input whose elements are read once and kept
  std::size_t row = 0;       ///< the distance of short rows in local memory, in elements
  /// Returns: the threads of a block.
  [[nodiscard]] constexpr std::size_t block() const noexcept {
    return way == row_way::together ? std::size_t{row_lanes} * warps * rows : threads;
  }
};
/// Returns: the source of `yoke_x_rows`.
YOKE_API std::string row_source(const row_task& what, const row_form& form);

}  // namespace yoke::inline v0_1::detail

#if defined(YOKE_IMPLEMENTATION)
#include <yoke/array/reduction/row_source.ipp>
#endif

#endif
