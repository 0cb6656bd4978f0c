// SPDX-License-Identifier: MIT
// Least squares: `auto [x, residuals, rank, s] = yoke::lstsq(a, b)`.
#ifndef YOKE_LINALG_LSTSQ_HPP
#define YOKE_LINALG_LSTSQ_HPP

#include <yoke/array/reduction/reduction.hpp>
#include <yoke/linalg/matmul.hpp>
#include <yoke/linalg/solve.hpp>
#include <yoke/linalg/svd.hpp>

#include <limits>

namespace yoke::inline v0_1 {

/// Solutions of least squares, for matrices (m, n).
template <class X, class Residuals, class Ranks, class S>
struct lstsq_solutions {
  X x;                  ///< the shortest vectors for which `a * x - b` is shortest
  Residuals residuals;  ///< the sum of the squares of `a * x - b`, for each right-hand side
  Ranks rank;           ///< for each matrix, the number of singular values that count as above 0
  S s;                  ///< the singular values, the greatest first
};
/// The limit below which singular values count as 0.
struct lstsq_options {
  double rcond = -1;  ///< times the greatest singular value: smaller ones count as 0. Below 0: max(m, n) times epsilon
};

/// Returns: the solutions `x` for which `a * x - b` is shortest, as new arrays, by singular values: matrices may have
/// any rank and shape. `b` of one axis is a vector; otherwise it holds columns. Axes before the last two count matrices
/// and broadcast. Waits for the singular values. Unlike NumPy's, `residuals` are given for matrices of every rank.
/// Throws: as `svd`; `logic_error` for shapes that do not fit. Source: NumPy's `linalg.lstsq`.
/// Example: `auto [x, residuals, rank, s] = yoke::lstsq(a, b);`
template <detail::array_operand A, detail::array_operand B>
[[nodiscard]] auto lstsq(A&& a, B&& b, const lstsq_options& options = {},
                         const source_location& where = source_location::current()) {
  if constexpr (detail::check_equations<A, B>()) {
    using operand = detail::operand_of<A>;
    using value = typename operand::value_type;
    using real = detail::real_of<value>;
    constexpr std::size_t rank = operand::rank;
    constexpr std::size_t right_rank = detail::operand_of<B>::rank;
    const auto left = detail::kept_to_join(std::forward<A>(a));
    const auto right = detail::kept_to_join(std::forward<B>(b));
    shape<rank> extents;
    extents = detail::shape_to_join(left, where);
    shape<right_rank> sides;
    sides = detail::shape_to_join(right, where);
    detail::check_solved("lstsq", extents.begin(), rank, sides.begin(), right_rank, extents[rank - 2],
                         sides[right_rank == 1 ? 0 : right_rank - 2], where);
    if (options.rcond != options.rcond)
      detail::throw_error(errc::invalid_argument, where, "lstsq: rcond is not a number");
    auto found = detail::singular_values("lstsq", left, {}, where);
    auto& s = found.s;
    const auto epsilon = static_cast<double>(std::numeric_limits<real>::epsilon());
    const auto greatest = static_cast<double>((std::max)(extents[rank - 2], extents[rank - 1]));
    const auto limit = static_cast<real>(options.rcond < 0 ? epsilon * greatest : options.rcond);
    const auto counts = s > limit * s(ellipsis, slice(0, 1));
    const auto over = yoke::where(counts, real(1) / s, real(0));
    int axes[rank];
    for (std::size_t axis = 0; axis < rank; ++axis) axes[axis] = static_cast<int>(axis);
    std::swap(axes[rank - 1], axes[rank - 2]);
    const auto uh = conj(found.u.transpose(axes, where));
    const auto v = conj(found.vh.transpose(axes, where));
    auto ranks = sum(cast<int>(counts), along(-1), where);
    const auto solve_by = [&](const auto& turned, const auto& scaled, const auto& by, const auto& axis) {
      auto x = by(v, scaled(turned));
      const auto rest = by(left, x) - right;
      auto residuals = sum(abs(rest) * abs(rest), axis, where);
      return lstsq_solutions<decltype(x), decltype(residuals), decltype(ranks), std::remove_reference_t<decltype(s)>>{
          std::move(x), std::move(residuals), std::move(ranks), std::move(s)};
    };
    if constexpr (right_rank == 1) {
      return solve_by(
          matvec(uh, right, where), [&](const auto& of) { return over * of; },
          [&](const auto& one, const auto& other) { return matvec(one, other, where); }, along(-1));
    } else {
      return solve_by(
          matmul(uh, right, where),
          [&](const auto& of) {
            return yoke::where(s(ellipsis, newaxis) > limit * s(ellipsis, slice(0, 1), newaxis),
                               real(1) / s(ellipsis, newaxis), real(0)) *
                   of;
          },
          [&](const auto& one, const auto& other) { return matmul(one, other, where); }, along(-2));
    }
  }
}
/// Does not compile: numbers and host memory are no operands.
template <class A, class B>
  requires detail::one_array<A, B>
void lstsq(A&&, B&&) {
  detail::refuse_one_array<A, B>();
}

}  // namespace yoke::inline v0_1

#endif
