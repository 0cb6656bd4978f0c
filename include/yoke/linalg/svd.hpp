// SPDX-License-Identifier: MIT
// Singular value decompositions: `auto [u, s, vh] = yoke::svd(a)`.
#ifndef YOKE_LINALG_SVD_HPP
#define YOKE_LINALG_SVD_HPP

#include <yoke/linalg/factor.hpp>
#include <yoke/linalg/jacobi_run.hpp>

namespace yoke::inline v0_1 {

/// The factors of matrices `a = u * diag(s) * vh`.
template <class T, std::size_t Rank, class Port = any_port>
struct svd_factors {
  device_array<T, Rank, Port> u;                       ///< orthonormal columns
  device_array<detail::real_of<T>, Rank - 1, Port> s;  ///< singular values, the greatest first
  device_array<T, Rank, Port> vh;                      ///< orthonormal rows
};
/// Which vectors `svd` returns, of matrices (m, n).
struct svd_options {
  bool full_matrices = false;  ///< `u` (m, m) and `vh` (n, n); else `u` (m, k) and `vh` (k, n), k the smaller extent
};

namespace detail {
/// Returns: what `svd` returns. Its messages name `name`.
template <array_operand A>
[[nodiscard]] auto singular_values(const char* name, A&& a, const svd_options& options, const source_location& where) {
  if constexpr (check_matrix<A>()) {
    using operand = operand_of<A>;
    using value = typename operand::value_type;
    using port = typename operand::port_type;
    constexpr std::size_t rank = operand::rank;
    const auto kept = kept_to_join(std::forward<A>(a));
    const stream<port>& in = kept.stream(where);
    shape<rank> extents;
    extents = shape_to_join(kept, where);
    const std::size_t m = extents[rank - 2];
    const std::size_t n = extents[rank - 1];
    const std::size_t least = (std::min)(m, n);
    shape<rank> of_u = extents;
    shape<rank> of_vh = extents;
    shape<rank - 1> of_s;
    for (std::size_t axis = 0; axis + 2 < rank; ++axis) of_s[axis] = extents[axis];
    of_s[rank - 2] = least;
    of_u[rank - 1] = options.full_matrices ? m : least;
    of_vh[rank - 2] = options.full_matrices ? n : least;
    svd_factors<value, rank, port> made{
        {in, of_u, array_order::c, where}, {in, of_s, array_order::c, where}, {in, of_vh, array_order::c, where}};
    const auto unit = [&](device_array<value, rank, port>& to) {
      if (to.size() == 0) return;
      const auto matrices = matrices_of(to.view(where));
      run_part<stream<port>>(in, matrices, matrices, 4, where);
    };
    if (volume(extents.begin(), rank) == 0) {
      unit(made.u);
      unit(made.vh);
      return made;
    }
    jacobi_task<port> what;
    const auto u = matrices_of(made.u.view(where));
    const auto vh = matrices_of(made.vh.view(where));
    what.values = made.s.view(where).memory().memory;
    int found = 0;
    if (m >= n) {
      const factor_elements<value, rank, stream<port>> work(in, extents, in, where);
      assign_in(in, work.view(), kept, where);
      what.a = work.matrices();
      what.left = u;
      what.right = vh.transposed().conjugate();
      run_jacobi<stream<port>>(in, what, found, where);
    } else {
      // The transposed matrix is u' s v'^H with v' = conj(u) and u' = vh^T.
      const dense_elements<value, rank, stream<port>> work(in, extents, in, where);
      assign_in(in, work.view(), kept, where);
      what.a = matrices_of(work.view()).transposed();
      what.a.row = 1;
      what.a.column = what.a.rows;
      what.left = vh.transposed();
      what.right = u.conjugate();
      run_jacobi<stream<port>>(in, what, found, where);
    }
    check_converged(name, extents.begin(), rank, found, where);
    return made;
  }
}
}  // namespace detail

/// Returns: the singular value decompositions of matrices, as new arrays. Axes before the last two count matrices. `a`
/// has float, double or complex elements, any layout, and is not written. Waits for the result.
/// Unlike NumPy's, `u` and `vh` are not full unless that is wanted.
/// Throws: `numeric_error` with `errc::not_converged`, which names the matrix, also for one with NaN or infinities; as
/// `evaluate`. Source: NumPy's `linalg.svd`; one-sided rotations by Hestenes.
/// Example: `auto [u, s, vh] = yoke::svd(a);`
template <detail::array_operand A>
[[nodiscard]] auto svd(A&& a, const svd_options& options = {},
                       const source_location& where = source_location::current()) {
  return detail::singular_values("svd", std::forward<A>(a), options, where);
}

}  // namespace yoke::inline v0_1

#endif
