// SPDX-License-Identifier: MIT
// Bodies of linalg/factor.hpp.
#ifndef YOKE_LINALG_FACTOR_IPP
#define YOKE_LINALG_FACTOR_IPP

#include <yoke/linalg/factor.hpp>

namespace yoke::inline v0_1::detail {

void check_square(const char* name, const std::size_t* extents, std::size_t rank, const source_location& where) {
  if (extents[rank - 2] == extents[rank - 1]) return;
  throw_error(errc::size_mismatch, where, name, " of ", shape_text(extents, rank),
              ": the matrix is not square: ", extents[rank - 2], " is not ", extents[rank - 1]);
}

/// Returns: "", " at index 2", or " at index (1, 2)", for the axes before the last two.
[[nodiscard]] std::string text_of_batch(std::size_t batch, const std::size_t* extents, std::size_t rank) {
  std::size_t at[max_array_rank]{};
  for (std::size_t axis = rank - 2; axis-- > 0;) {
    at[axis] = batch % extents[axis];
    batch /= extents[axis];
  }
  if (rank == 2) return {};
  return rank == 3 ? text(" at index ", at[0]) : text(" at index ", shape_text(at, rank - 2));
}

void check_factors(const char* name, errc code, const std::size_t* extents, std::size_t rank, int found,
                   const source_location& where) {
  if (found == 0) return;
  const std::size_t pivots = (std::min)(extents[rank - 2], extents[rank - 1]);
  const auto number = static_cast<std::size_t>(found) - 1;
  const char* const says = code == errc::singular ? " is singular: pivot " : " is not positive definite: pivot ";
  const char* const is = code == errc::singular ? " is 0" : " is not above 0";
  throw_error(code, where, name, " of ", shape_text(extents, rank), ": the matrix",
              text_of_batch(number / pivots, extents, rank), says, number % pivots, ", counted from 0,", is);
}

void check_converged(const char* name, const std::size_t* extents, std::size_t rank, int found,
                     const source_location& where) {
  if (found == 0) return;
  const auto number = static_cast<std::size_t>(found) - 1;
  throw_error(errc::not_converged, where, name, " of ", shape_text(extents, rank), ": the matrix",
              text_of_batch(number / 2, extents, rank),
              number % 2 == 0 ? " has elements that are not finite" : " did not converge");
}

void check_solved(const char* name, const std::size_t* left, std::size_t left_rank, const std::size_t* right,
                  std::size_t right_rank, std::size_t one, std::size_t other, const source_location& where) {
  if (one == other) return;
  throw_error(errc::size_mismatch, where, name, " of ", shape_text(left, left_rank), " and ",
              shape_text(right, right_rank), ": ", one, " is not ", other);
}

void broadcast_batches(const char* name, std::size_t* to, std::size_t rank, const std::size_t* left,
                       std::size_t left_rank, const std::size_t* right, std::size_t right_rank,
                       const source_location& where) {
  const std::size_t left_batch = left_rank - 2;
  const std::size_t right_batch = right_rank < 2 ? 0 : right_rank - 2;
  for (std::size_t axis = 0; axis < rank; ++axis) {
    const std::size_t from_end = rank - axis;
    const std::size_t one = from_end > left_batch ? 1 : left[left_batch - from_end];
    const std::size_t other = from_end > right_batch ? 1 : right[right_batch - from_end];
    if (one != 1 && other != 1) check_solved(name, left, left_rank, right, right_rank, one, other, where);
    to[axis] = one == 1 ? other : one;
  }
}

}  // namespace yoke::inline v0_1::detail

#endif
