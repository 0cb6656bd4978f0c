// SPDX-License-Identifier: MIT
// QR factorisations: `auto [q, r] = yoke::qr(a)`.
#ifndef YOKE_LINALG_QR_HPP
#define YOKE_LINALG_QR_HPP

#include <yoke/linalg/factor.hpp>
#include <yoke/linalg/qr_run.hpp>

namespace yoke::inline v0_1 {

/// The factors of matrices `a = q * r`.
template <class T, std::size_t Rank, class Port = any_port>
struct qr_factors {
  device_array<T, Rank, Port> q;  ///< orthonormal columns
  device_array<T, Rank, Port> r;  ///< upper triangular
};
/// Which factors `qr` returns, of matrices (m, n).
struct qr_options {
  bool complete = false;  ///< `q` (m, m) and `r` (m, n); else `q` (m, k) and `r` (k, n) with the smaller extent k
};

/// Returns: orthonormal columns `q` and upper triangular matrices `r` with `a = q * r`, as new arrays. Axes before the
/// last two count matrices. `a` has float, double or complex elements, any layout, and is not written. The diagonal of
/// `r` is real, and may be negative. Does not wait.
/// Throws: as `evaluate`. Source: NumPy's `linalg.qr`.
/// Example: `auto [q, r] = yoke::qr(a); auto [all, upper] = yoke::qr(a, {.complete = true});`
template <detail::array_operand A>
[[nodiscard]] auto qr(A&& a, const qr_options& options = {},
                      const source_location& where = source_location::current()) {
  if constexpr (detail::check_matrix<A>()) {
    using operand = detail::operand_of<A>;
    using value = typename operand::value_type;
    using port = typename operand::port_type;
    constexpr std::size_t rank = operand::rank;
    const auto kept = detail::kept_to_join(std::forward<A>(a));
    const stream<port>& in = kept.stream(where);
    shape<rank> extents;
    extents = detail::shape_to_join(kept, where);
    const std::size_t least = (std::min)(extents[rank - 2], extents[rank - 1]);
    shape<rank> of_q = extents;
    shape<rank> of_r = extents;
    of_q[rank - 1] = of_r[rank - 2] = options.complete ? extents[rank - 2] : least;
    qr_factors<value, rank, port> made{{in, of_q, array_order::c, where}, {in, of_r, array_order::c, where}};
    if (made.q.size() == 0) return made;
    const auto q = made.q.view(where);
    const detail::factor_elements<value, rank, stream<port>> columns(in, of_q, in, where);
    if (detail::volume(extents.begin(), rank) == 0) {
      detail::run_part<stream<port>>(in, columns.matrices(), columns.matrices(), 4, where);
    } else {
      const detail::factor_elements<value, rank, stream<port>> work(in, extents, in, where);
      detail::assign_in(in, work.view(), kept, where);
      detail::run_qr<stream<port>>(in, work.matrices(), columns.matrices(), where);
      detail::run_part<stream<port>>(in, detail::matrices_of(made.r.view(where)), work.matrices(), 2, where);
    }
    detail::assign_in(in, q, columns.view(), where);
    return made;
  }
}

}  // namespace yoke::inline v0_1

#endif
