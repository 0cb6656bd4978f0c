// SPDX-License-Identifier: MIT
// LU factorisations, and what follows from them: `auto factors = yoke::lu(a)`, `inv`, `det`, `slogdet`.
#ifndef YOKE_LINALG_LU_HPP
#define YOKE_LINALG_LU_HPP

#include <yoke/linalg/solve.hpp>

#include <array>

namespace yoke::inline v0_1 {

namespace detail {

/// Returns: the shape of what a function has for each matrix: the axes before the last two.
template <std::size_t Rank>
[[nodiscard]] shape<Rank - 2> batch_shape(const shape<Rank>& of) {
  shape<Rank - 2> made;
  for (std::size_t axis = 0; axis + 2 < Rank; ++axis) made[axis] = of[axis];
  return made;
}
/// Returns: a layout of matrices whose columns are neighbours.
template <class T, std::size_t Rank>
[[nodiscard]] array_layout<Rank> layout_in_columns(const shape<Rank>& extents, const source_location& where) {
  shape<Rank> turned = extents;
  std::swap(turned[Rank - 1], turned[Rank - 2]);
  int axes[Rank];
  for (std::size_t axis = 0; axis < Rank; ++axis) axes[axis] = static_cast<int>(axis);
  std::swap(axes[Rank - 1], axes[Rank - 2]);
  return array_layout<Rank>(turned, sizeof(T), array_order::c, where).transpose(axes, where);
}

}  // namespace detail

/// The factors `p * a = l * u` of matrices, with rows exchanged so that pivots are the greatest of their columns. A
/// singular matrix has factors, too: `det` is then 0, and `solve` throws. Move-only.
/// Thread safety: a const object from several threads.
/// Example: `auto factors = yoke::lu(a); auto x = factors.solve(b); auto y = factors.solve(c);`
template <class T, std::size_t Rank, class Port = any_port>
class lu_factors {
 public:
  using value_type = T;
  using port_type = Port;

  // From `lu`.
  template <class E>
  lu_factors(const E& of, const shape<Rank>& extents, const stream<Port>& stream, const source_location& where)
      : packed_(stream, detail::layout_in_columns<T>(extents, where), where),
        pivots_(stream, pivot_shape(extents), array_order::c, where),
        infos_(stream, detail::batch_shape(extents), array_order::c, where) {
    const auto least = static_cast<std::int64_t>((std::min)(extents[Rank - 2], extents[Rank - 1]));
    if (infos_.size() == 0) return;
    const auto infos = infos_.view(where);
    if (least == 0) {
      detail::fill_view(stream, infos, 0, where);
      return;
    }
    const auto packed = packed_.view(where);
    const auto pivots = pivots_.view(where);
    detail::operation_memory operation(stream);
    detail::assign_in(stream, packed, of, where);
    detail::check_memory(operation, packed.memory(), detail::memory_use::writes, "factors", where);
    detail::run_lu<yoke::stream<Port>>(stream, matrices(packed), {pivots.memory().memory, 0, least},
                                       {infos.memory().memory, 0, 1}, where);
  }

  /// The factors: `u` on and above the diagonal, `l` below it, whose diagonal is ones. Columns are neighbours.
  [[nodiscard]] const device_array<T, Rank, Port>& packed() const noexcept { return packed_; }
  /// For each row `i`, counted from 0, the row with which it was exchanged, one after the other. Source: SciPy's
  /// `linalg.lu_factor`.
  [[nodiscard]] const device_array<int, Rank - 1, Port>& pivots() const noexcept { return pivots_; }
  /// For each matrix 0, or the number of its first pivot that is 0, counted from 1.
  [[nodiscard]] const device_array<int, Rank - 2, Port>& infos() const noexcept { return infos_; }

  /// Returns: the solutions of `a * x = b`, as a new array; `b` has as many matrices, or the factors are of one. Waits
  /// for them.
  /// Throws: `numeric_error` with `errc::singular`; as `yoke::solve`.
  template <detail::array_operand B>
  [[nodiscard]] auto solve(B&& b, const source_location& where = source_location::current()) const {
    if constexpr (check_side<B>()) {
      device_value<int, Port> info(packed_.view(where).stream(where), where);
      auto x = solve_in(detail::kept_to_join(std::forward<B>(b)), info, where);
      const auto extents = packed_.shape();
      detail::check_factors("solve", errc::singular, extents.begin(), Rank, info.get(where), where);
      return x;
    }
  }
  /// The same without waiting. `info` gets 0, or the number of the first pivot that is 0: counted from 1 through all
  /// matrices. Throws: as above, but no `numeric_error`.
  template <detail::array_operand B>
  [[nodiscard]] auto solve(B&& b, device_value<int, Port>& info,
                           const source_location& where = source_location::current()) const {
    if constexpr (check_side<B>()) return solve_in(detail::kept_to_join(std::forward<B>(b)), info, where);
  }
  /// Returns: the determinants of square matrices, as a new array; of one matrix as one of rank 0. Throws:
  /// `logic_error` for matrices that are not square; `error`.
  [[nodiscard]] device_array<T, Rank - 2, Port> det(const source_location& where = source_location::current()) const {
    device_array<T, Rank - 2, Port> made(packed_.view(where).stream(where), detail::batch_shape(square(where)),
                                         array_order::c, where);
    determine(made, nullptr, where);
    return made;
  }
  /// Returns: for each determinant a number of length 1, or 0, and the logarithm of its length. Throws: as `det`.
  [[nodiscard]] auto slogdet(const source_location& where = source_location::current()) const {
    struct signs_and_logarithms {
      device_array<T, Rank - 2, Port> sign;
      device_array<detail::real_of<T>, Rank - 2, Port> logabsdet;
    };
    const auto extents = detail::batch_shape(square(where));
    const auto packed = packed_.view(where);
    const stream<Port>& in = packed.stream(where);
    signs_and_logarithms made{{in, extents, array_order::c, where}, {in, extents, array_order::c, where}};
    if (made.sign.size() != 0) {
      const auto logs = made.logabsdet.view(where);
      const detail::factor_words<Port> to_logs{logs.memory().memory, 0, 1};
      determine(made.sign, &to_logs, where);
      if (packed.empty()) detail::fill_view(in, logs, detail::real_of<T>(0), where);
    }
    return made;
  }

 private:
  template <class B>
  static consteval bool check_side() {
    constexpr bool one_type = std::same_as<typename detail::operand_of<B>::value_type, T>;
    static_assert(one_type, "equations are of two arrays of one type: cast one of them");
    return one_type;
  }
  static shape<Rank - 1> pivot_shape(const shape<Rank>& extents) {
    shape<Rank - 1> made;
    for (std::size_t axis = 0; axis + 2 < Rank; ++axis) made[axis] = extents[axis];
    made[Rank - 2] = (std::min)(extents[Rank - 2], extents[Rank - 1]);
    return made;
  }
  template <class View>
  static detail::factor_matrix<Port> matrices(const View& of) {
    detail::factor_matrix<Port> made = detail::matrices_of(of);
    made.row = 1;
    made.column = made.rows;
    return made;
  }
  [[nodiscard]] shape<Rank> square(const source_location& where) const {
    const shape<Rank> extents = packed_.shape();
    detail::check_square("lu", extents.begin(), Rank, where);
    return extents;
  }
  void determine(device_array<T, Rank - 2, Port>& to, const detail::factor_words<Port>* logs,
                 const source_location& where) const {
    if (to.size() == 0) return;
    const auto made = to.view(where);
    const auto packed = packed_.view(where);
    const auto pivots = pivots_.view(where);
    const stream<Port>& in = packed.stream(where);
    if (packed.size() == 0) {
      detail::fill_view(in, made, T(1), where);
      return;
    }
    detail::operation_memory operation(in);
    detail::check_memory(operation, packed.memory(), detail::memory_use::reads, "factors", where);
    detail::check_memory(operation, pivots.memory(), detail::memory_use::reads, "pivots", where);
    detail::run_determinant<stream<Port>>(
        in, {made.memory().memory, 0, 1}, logs, matrices(packed),
        {pivots.memory().memory, 0, static_cast<std::int64_t>(packed.shape()[Rank - 1])}, where);
  }
  template <class E>
  [[nodiscard]] auto solve_in(const E& b, device_value<int, Port>& info, const source_location& where) const {
    constexpr std::size_t right_rank = detail::operand_of<const E&>::rank;
    using axes = detail::solve_axes<Rank, right_rank>;
    shape<right_rank> right;
    right = detail::shape_to_join(b, where);
    const auto extents = detail::solved_shape("solve", packed_.shape(), right, where);
    const auto packed = packed_.view(where);
    const stream<Port>& in = packed.stream(where);
    device_array<T, axes::rank, Port> result(in, extents, array_order::c, where);
    const auto to = result.view(where);
    const auto told = info.array().view(where);
    detail::operation_memory operation(in);
    const detail::factor_words<Port> number = detail::words_of_info(operation, told, where);
    if (to.empty()) {
      detail::fill_view(in, told, 0, where);
      return result;
    }
    const auto pivots = pivots_.view(where);
    const auto infos = infos_.view(where);
    detail::check_memory(operation, packed.memory(), detail::memory_use::reads, "factors", where);
    detail::check_memory(operation, pivots.memory(), detail::memory_use::reads, "pivots", where);
    detail::check_memory(operation, infos.memory(), detail::memory_use::reads, "infos", where);
    detail::factor_matrix<Port> a = matrices(packed);
    detail::factor_words<Port> rows{pivots.memory().memory, 0, a.rows};
    detail::run_report<stream<Port>>(in, a.kind, number, {infos.memory().memory, 0, 1}, a.batches, a.rows, where);
    const detail::solve_elements<T, axes::rank, axes::is_vector, stream<Port>> made(in, extents, in, where);
    detail::assign_in(in, made.view(), b, where);
    const detail::factor_matrix<Port> x = made.matrices();
    if (a.batches == 1) {
      a.batch = 0;
      rows.batch = 0;
    } else if (a.batches != x.batches) {
      detail::throw_error(errc::size_mismatch, where, "solve by factors of ", a.batches, " matrices for ", x.batches,
                          " right-hand sides: factors do not broadcast, but those of one matrix");
    }
    detail::run_lu_solve<stream<Port>>(in, a, rows, x, where);
    detail::assign_in(in, to, made.view(), where);
    return result;
  }
  device_array<T, Rank, Port> packed_;
  device_array<int, Rank - 1, Port> pivots_;
  device_array<int, Rank - 2, Port> infos_;
};

/// Returns: the LU factors of matrices, for several solutions or the determinant. Axes before the last two count
/// matrices, which need not be square. `a` has float, double or complex elements, any layout, and is not written. Does
/// not wait: a zero pivot shows when the factors are used.
/// Throws: as `evaluate`. Source: SciPy's `linalg.lu_factor`.
/// Example: `auto factors = yoke::lu(a); auto x = factors.solve(b);`
template <detail::array_operand A>
[[nodiscard]] auto lu(A&& a, const source_location& where = source_location::current()) {
  if constexpr (detail::check_matrix<A>()) {
    using operand = detail::operand_of<A>;
    const auto kept = detail::kept_to_join(std::forward<A>(a));
    shape<operand::rank> extents;
    extents = detail::shape_to_join(kept, where);
    return lu_factors<typename operand::value_type, operand::rank, typename operand::port_type>(
        kept, extents, kept.stream(where), where);
  }
}

/// Returns: the determinants of square matrices: `det(a).value()` of one. A singular matrix has 0. Throws: as `lu`;
/// `logic_error` for matrices that are not square. Source: NumPy's `linalg.det`.
template <detail::array_operand A>
[[nodiscard]] auto det(A&& a, const source_location& where = source_location::current()) {
  if constexpr (detail::check_matrix<A>()) return lu(std::forward<A>(a), where).det(where);
}
/// Returns: determinants that may be too great or small for their type: numbers of length 1, or 0, and logarithms of the
/// lengths. Throws: as `det`. Source: NumPy's `linalg.slogdet`.
/// Example: `auto [sign, logabsdet] = yoke::slogdet(a);`
template <detail::array_operand A>
[[nodiscard]] auto slogdet(A&& a, const source_location& where = source_location::current()) {
  if constexpr (detail::check_matrix<A>()) return lu(std::forward<A>(a), where).slogdet(where);
}
/// Returns: the inverses of square matrices. To solve equations write `solve`, which is quicker and more exact. Waits
/// for the result. Throws: `numeric_error` with `errc::singular`, as `solve`. Source: NumPy's `linalg.inv`.
template <detail::array_operand A>
[[nodiscard]] auto inv(A&& a, const source_location& where = source_location::current()) {
  if constexpr (detail::check_matrix<A>()) {
    using operand = detail::operand_of<A>;
    using port = typename operand::port_type;
    using value = typename operand::value_type;
    const auto factors = lu(std::forward<A>(a), where);
    const auto extents = factors.packed().shape();
    detail::check_square("inv", extents.begin(), operand::rank, where);
    const auto packed = factors.packed().view(where);
    const stream<port>& in = packed.stream(where);
    device_array<value, operand::rank, port> one(in, extents, array_order::c, where);
    if (one.size() != 0) {
      const auto matrices = detail::matrices_of(one.view(where));
      detail::run_part<stream<port>>(in, matrices, matrices, 4, where);
    }
    device_value<int, port> info(in, where);
    auto made = factors.solve(one, info, where);
    detail::check_factors("inv", errc::singular, extents.begin(), operand::rank, info.get(where), where);
    return made;
  }
}

}  // namespace yoke::inline v0_1

#endif
