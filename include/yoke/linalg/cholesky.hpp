// SPDX-License-Identifier: MIT
// Cholesky factorisations: `auto l = yoke::cholesky(a)`.
#ifndef YOKE_LINALG_CHOLESKY_HPP
#define YOKE_LINALG_CHOLESKY_HPP

#include <yoke/linalg/factor.hpp>

namespace yoke::inline v0_1 {

namespace detail {

/// The Cholesky factors of an array, a view or an expression.
template <class E>
class [[nodiscard]] cholesky_item {
  using value = typename operand_of<const E&>::value_type;
  static constexpr std::size_t own_rank = operand_of<const E&>::rank;
  using port = typename E::port_type;

 public:
  using pass_tag = void;
  using result = device_array<value, own_rank, port>;

  cholesky_item(E of, const device_view<int, 0, port>& info) : of_(std::move(of)), info_(info) {}
  [[nodiscard]] const auto& stream(const source_location& where) const { return of_.stream(where); }
  [[nodiscard]] yoke::shape<own_rank> shape(const source_location& where) const {
    yoke::shape<own_rank> extents;
    extents = shape_to_join(of_, where);
    check_square("cholesky", extents.begin(), own_rank, where);
    return extents;
  }
  template <class Order, class T, std::size_t To, class Port>
  void evaluate_in(const Order& order, const device_view<T, To, Port>& to, const source_location& where) const {
    static_assert(!std::is_const_v<T>, "this view cannot be written");
    static_assert((std::same_as<T, value> && To == own_rank) || std::is_const_v<T>,
                  "a factorisation is assigned to elements of its own type, with as many axes");
    if constexpr (std::same_as<T, value> && To == own_rank) {
      const auto extents = shape(where);
      check_result_shape(extents.begin(), to.shape().begin(), own_rank, where);
      operation_memory operation(order);
      check_destination(operation, to, where);
      const factor_words<Port> info = words_of_info(operation, info_, where);
      if (to.empty()) return fill_view(order, info_, 0, where);
      const factor_elements<value, own_rank, Order> work(order, extents, to.stream(where), where);
      const factor_matrix<Port> a = work.matrices();
      // Processors copy rows to columns and back in tiles, which takes a third of an assignment's time.
      const bool by_tiles =
          is_processor(order, where) && to.layout().is_c_contiguous() && to.layout().offset_bytes() % sizeof(T) == 0;
      if (by_tiles) {
        assign_in(order, to, of_, where);
        run_part<Order>(order, a, matrices_of(to), 1, where);
      } else {
        assign_in(order, work.view(), of_, where);
      }
      const factor_numbers<Order> infos(order, a.batches, 1, where);
      run_cholesky<Order>(order, a, infos.words(), 0, where);
      run_report<Order>(order, a.kind, info, infos.words(), a.batches, a.rows, where);
      run_part<Order>(order, by_tiles ? matrices_of(to) : a, a, 1, where);
      if (!by_tiles) assign_in(order, to, work.view(), where);
    }
  }

 private:
  E of_;
  device_view<int, 0, port> info_;
};

}  // namespace detail

namespace pass {
/// `l = pass::cholesky(a, info)` writes to elements that exist, in the destination's stream or on a recorder, and does
/// not wait. `info` gets 0, or the number of the first pivot that is not positive: counted from 1 through all matrices.
/// Throws: as `yoke::cholesky`, but no `numeric_error`.
template <detail::array_operand A, class Port>
[[nodiscard]] auto cholesky(A&& a, device_value<int, Port>& info,
                            const source_location& where = source_location::current()) {
  if constexpr (detail::check_matrix<A>()) {
    return detail::cholesky_item<detail::kept_of<A>>(detail::kept_to_join(std::forward<A>(a)),
                                                     info.array().view(where));
  }
}
}  // namespace pass

/// Returns: the lower triangular matrices `l` with `a = l * l^H`, as a new array, with zeros above their diagonals.
/// Axes before the last two count matrices. `a` has float, double or complex elements and any layout; only its lower
/// triangles are read. Waits for the result.
/// Throws: `numeric_error` with `errc::not_positive`, which names the first matrix that is not positive definite and
/// its pivot; `logic_error` for a matrix that is not square; as `evaluate`.
/// Source: NumPy's `linalg.cholesky`. Example: `auto l = yoke::cholesky(a);`
template <detail::array_operand A>
[[nodiscard]] auto cholesky(A&& a, const source_location& where = source_location::current()) {
  if constexpr (detail::check_matrix<A>()) {
    using item = detail::cholesky_item<detail::kept_of<A>>;
    auto kept = detail::kept_to_join(std::forward<A>(a));
    device_value<int, typename item::result::port_type> info(kept.stream(where), where);
    const item made(std::move(kept), info.array().view(where));
    typename item::result result(made, where);
    detail::check_factors("cholesky", errc::not_positive, result.shape().begin(), result.rank(), info.get(where),
                          where);
    return result;
  }
}

}  // namespace yoke::inline v0_1

#endif
