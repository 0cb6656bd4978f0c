// SPDX-License-Identifier: MIT
// Eigenvalues of symmetric and Hermitian matrices: `auto [values, vectors] = yoke::eigh(a)`.
#ifndef YOKE_LINALG_EIGH_HPP
#define YOKE_LINALG_EIGH_HPP

#include <yoke/linalg/factor.hpp>
#include <yoke/linalg/jacobi_run.hpp>

namespace yoke::inline v0_1 {

/// Eigenvalues and eigenvectors: `a * vectors = vectors * diag(values)`.
template <class T, std::size_t Rank, class Port = any_port>
struct eigh_factors {
  device_array<detail::real_of<T>, Rank - 1, Port> values;  ///< the least first
  device_array<T, Rank, Port> vectors;                      ///< orthonormal columns
};

/// Returns: the eigenvalues and eigenvectors of symmetric or Hermitian matrices, as new arrays. Axes before the last
/// two count matrices. `a` has float, double or complex elements and any layout; only its lower triangles are read.
/// Waits for the result.
/// Throws: `numeric_error` with `errc::not_converged`, which names the matrix, also for one with NaN or infinities;
/// `logic_error` for a matrix that is not square; as `evaluate`.
/// Source: NumPy's `linalg.eigh`; one-sided rotations of the matrix with its eigenvalues made positive.
/// Example: `auto [values, vectors] = yoke::eigh(a);`
template <detail::array_operand A>
[[nodiscard]] auto eigh(A&& a, const source_location& where = source_location::current()) {
  if constexpr (detail::check_matrix<A>()) {
    using operand = detail::operand_of<A>;
    using value = typename operand::value_type;
    using port = typename operand::port_type;
    constexpr std::size_t rank = operand::rank;
    const auto kept = detail::kept_to_join(std::forward<A>(a));
    const stream<port>& in = kept.stream(where);
    shape<rank> extents;
    extents = detail::shape_to_join(kept, where);
    detail::check_square("eigh", extents.begin(), rank, where);
    shape<rank - 1> of_values;
    for (std::size_t axis = 0; axis + 1 < rank; ++axis) of_values[axis] = extents[axis];
    eigh_factors<value, rank, port> made{{in, of_values, array_order::c, where}, {in, extents, array_order::c, where}};
    if (made.vectors.size() == 0) return made;
    const detail::factor_elements<value, rank, stream<port>> work(in, extents, in, where);
    detail::assign_in(in, work.view(), kept, where);
    detail::jacobi_task<port> what;
    what.hermitian = true;
    what.a = work.matrices();
    what.right = detail::matrices_of(made.vectors.view(where));
    what.values = made.values.view(where).memory().memory;
    int found = 0;
    detail::run_jacobi<stream<port>>(in, what, found, where);
    detail::check_converged("eigh", extents.begin(), rank, found, where);
    return made;
  }
}

}  // namespace yoke::inline v0_1

#endif
