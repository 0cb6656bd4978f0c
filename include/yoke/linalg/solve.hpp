// SPDX-License-Identifier: MIT
// Linear equations: `auto x = yoke::solve(a, b)`.
#ifndef YOKE_LINALG_SOLVE_HPP
#define YOKE_LINALG_SOLVE_HPP

#include <yoke/linalg/factor.hpp>

namespace yoke::inline v0_1 {

/// Which triangle of a matrix is read; the other one counts as zeros.
enum class triangle : std::uint8_t { lower, upper };

namespace detail {

/// The axes of equations `a * x = b`, where `b` has one axis or matrices.
template <std::size_t Left, std::size_t Right>
struct solve_axes {
  static constexpr bool is_vector = Right == 1;  ///< as in NumPy 2: other operands hold columns
  static constexpr std::size_t batch = Left > Right ? Left - 2 : (is_vector ? 0 : Right - 2);
  static constexpr std::size_t rank = batch + (is_vector ? 1 : 2);
  static constexpr std::size_t left_rank = Left == 2 ? 2 : batch + 2;  ///< of the matrices that are factored
};
/// Returns: the shape of `x`. Throws: `logic_error` for shapes that do not fit.
template <std::size_t Left, std::size_t Right>
[[nodiscard]] shape<solve_axes<Left, Right>::rank> solved_shape(const char* name, const shape<Left>& left,
                                                                const shape<Right>& right,
                                                                const source_location& where) {
  using axes = solve_axes<Left, Right>;
  check_square(name, left.begin(), Left, where);
  const std::size_t rows = right[Right == 1 ? 0 : Right - 2];
  check_solved(name, left.begin(), Left, right.begin(), Right, left[Left - 1], rows, where);
  std::size_t extents[axes::rank + 1]{};
  broadcast_batches(name, extents, axes::batch, left.begin(), Left, right.begin(), Right, where);
  shape<axes::rank> made;
  for (std::size_t axis = 0; axis != axes::batch; ++axis) made[axis] = extents[axis];
  made[axes::batch] = rows;
  if constexpr (!axes::is_vector) made[axes::rank - 1] = right[Right - 1];
  return made;
}
/// The right-hand sides in memory that a solution works in.
template <class T, std::size_t Rank, bool IsVector, class Order>
class solve_elements {
  using port = port_of_order<Order>;
  using elements = std::conditional_t < IsVector, dense_elements<T, Rank, Order>,
        factor_elements<T, Rank<2 ? 2 : Rank, Order>>;

 public:
  solve_elements(const Order& order, const shape<Rank>& extents, const stream<port>& stream,
                 const source_location& where)
      : extents_(extents), elements_(order, extents, stream, where) {}
  [[nodiscard]] auto view() const { return elements_.view(); }
  [[nodiscard]] factor_matrix<port> matrices() const {
    if constexpr (IsVector) {
      factor_matrix<port> made;
      made.memory = elements_.view().memory();
      made.kind = kind_of<T>();
      made.rows = static_cast<std::int64_t>(extents_[Rank - 1]);
      made.columns = 1;
      made.batches = static_cast<std::int64_t>(volume(extents_.begin(), Rank)) / made.rows;
      made.column = made.batch = made.rows;
      return made;
    } else {
      return elements_.matrices();
    }
  }

 private:
  shape<Rank> extents_;
  elements elements_;
};

/// How equations are solved.
struct solve_task {
  const char* name = "solve";
  bool is_triangular = false;
  triangle side = triangle::lower;
  bool unit = false;
};
/// Effects: enqueues the solution of equations with triangular matrices, in the place of `x`.
template <class Order>
void run_triangle(const Order& order, const factor_matrix<port_of_order<Order>>& a, triangle side, bool unit,
                  const factor_matrix<port_of_order<Order>>& x, const source_location& where) {
  if (side == triangle::lower) return run_triangular(order, a, unit, x, where);
  run_triangular(order, a.with_rows_reversed().with_columns_reversed(), unit, x.with_rows_reversed(), where);
}

/// The solutions of equations whose operands are arrays, views or expressions.
template <class L, class R>
class [[nodiscard]] solve_item {
  using value = typename operand_of<const L&>::value_type;
  static constexpr std::size_t left_rank = operand_of<const L&>::rank;
  static constexpr std::size_t right_rank = operand_of<const R&>::rank;
  using axes = solve_axes<left_rank, right_rank>;
  using port = typename L::port_type;

 public:
  using pass_tag = void;
  using result = device_array<value, axes::rank, port>;

  solve_item(L left, R right, const device_view<int, 0, port>& info, const solve_task& task = {})
      : left_(std::move(left)), right_(std::move(right)), info_(info), task_(task) {}
  [[nodiscard]] const auto& stream(const source_location& where) const { return left_.stream(where); }
  [[nodiscard]] yoke::shape<axes::rank> shape(const source_location& where) const {
    return solved_shape(task_.name, left_shape(where), right_shape(where), where);
  }
  /// Returns: the shape of the matrices that are factored.
  [[nodiscard]] yoke::shape<axes::left_rank> factored_shape(const source_location& where) const {
    const auto own = left_shape(where);
    const auto all = shape(where);
    yoke::shape<axes::left_rank> made;
    for (std::size_t axis = 0; axis + 2 < axes::left_rank; ++axis) made[axis] = all[axis];
    made[axes::left_rank - 2] = made[axes::left_rank - 1] = own[left_rank - 1];
    return made;
  }
  template <class Order, class T, std::size_t To, class Port>
  void evaluate_in(const Order& order, const device_view<T, To, Port>& to, const source_location& where) const {
    static_assert(!std::is_const_v<T>, "this view cannot be written");
    static_assert((std::same_as<T, value> && To == axes::rank) || std::is_const_v<T>,
                  "a solution is assigned to elements of its own type, with as many axes");
    if constexpr (std::same_as<T, value> && To == axes::rank) {
      const auto extents = shape(where);
      check_result_shape(extents.begin(), to.shape().begin(), axes::rank, where);
      operation_memory operation(order);
      check_destination(operation, to, where);
      const factor_words<Port> info = words_of_info(operation, info_, where);
      if (to.empty()) return fill_view(order, info_, 0, where);
      const factor_elements<value, axes::left_rank, Order> work(order, factored_shape(where), to.stream(where), where);
      assign_in(order, work.view(), left_, where);
      factor_matrix<Port> a = work.matrices();
      const factor_numbers<Order> infos(order, a.batches, 1, where);
      std::optional<factor_numbers<Order>> pivots;
      if (!task_.is_triangular) {
        pivots.emplace(order, a.batches, a.rows, where);
        run_lu<Order>(order, a, pivots->words(), infos.words(), where);
      } else if (!task_.unit) {
        run_diagonal<Order>(order, a, infos.words(), where);
      }
      if (task_.unit) fill_view(order, info_, 0, where);
      if (!task_.unit) run_report<Order>(order, a.kind, info, infos.words(), a.batches, a.rows, where);
      const solve_elements<value, axes::rank, axes::is_vector, Order> made(order, extents, to.stream(where), where);
      assign_in(order, made.view(), right_, where);
      if (left_rank == 2) a.batch = 0;
      if (task_.is_triangular) {
        run_triangle<Order>(order, a, task_.side, task_.unit, made.matrices(), where);
      } else {
        factor_words<Port> rows = pivots->words();
        if (left_rank == 2) rows.batch = 0;
        run_lu_solve<Order>(order, a, rows, made.matrices(), where);
      }
      assign_in(order, to, made.view(), where);
    }
  }

 private:
  [[nodiscard]] yoke::shape<left_rank> left_shape(const source_location& where) const {
    yoke::shape<left_rank> own;
    own = shape_to_join(left_, where);
    return own;
  }
  [[nodiscard]] yoke::shape<right_rank> right_shape(const source_location& where) const {
    yoke::shape<right_rank> own;
    own = shape_to_join(right_, where);
    return own;
  }
  L left_;
  R right_;
  device_view<int, 0, port> info_;
  solve_task task_;
};

/// Does not compile for operands of equations that do not fit. Returns: whether they fit.
template <class A, class B>
consteval bool check_equations() {
  using left = operand_of<A>;
  using right = operand_of<B>;
  constexpr bool one_type = std::same_as<typename left::value_type, typename right::value_type>;
  constexpr bool one_backend = std::same_as<typename left::port_type, typename right::port_type>;
  constexpr bool is_right = right::rank >= 1;
  static_assert(one_type || !check_factored<A, B>(), "equations are of two arrays of one type: cast one of them");
  static_assert(one_backend, "the arrays of equations are of one backend");
  static_assert(is_right, "the right-hand side of equations has at least one axis");
  return check_matrix<A>() && check_factored<B>() && one_type && one_backend && is_right;
}

/// Returns: the solutions as a new array. Effects: waits for them. Throws: `numeric_error` for a pivot of 0.
template <class A, class B>
[[nodiscard]] auto solved(A&& a, B&& b, const solve_task& task, const source_location& where) {
  using item = solve_item<kept_of<A>, kept_of<B>>;
  auto left = kept_to_join(std::forward<A>(a));
  device_value<int, typename item::result::port_type> info(left.stream(where), where);
  const item made(std::move(left), kept_to_join(std::forward<B>(b)), info.array().view(where), task);
  typename item::result result(made, where);
  const auto factored = made.factored_shape(where);
  check_factors(task.name, errc::singular, factored.begin(), factored.rank(), info.get(where), where);
  return result;
}

}  // namespace detail

/// Facts about a triangular matrix.
struct triangular_options {
  bool unit_diagonal = false;  ///< its diagonal counts as ones, and is not read
};

namespace pass {
/// `x = pass::solve(a, b, info)` writes to elements that exist, in the destination's stream or on a recorder, and does
/// not wait. `info` gets 0, or the number of the first pivot that is 0: counted from 1 through all matrices.
/// Throws: as `yoke::solve`, but no `numeric_error`.
template <detail::array_operand A, detail::array_operand B, class Port>
[[nodiscard]] auto solve(A&& a, B&& b, device_value<int, Port>& info,
                         const source_location& where = source_location::current()) {
  if constexpr (detail::check_equations<A, B>()) {
    return detail::solve_item<detail::kept_of<A>, detail::kept_of<B>>(
        detail::kept_to_join(std::forward<A>(a)), detail::kept_to_join(std::forward<B>(b)), info.array().view(where));
  }
}
}  // namespace pass

/// Returns: the solutions `x` of `a * x = b`, as a new array in the first operand's stream. `b` of one axis is a
/// vector; otherwise it holds columns, and axes before the last two count matrices and broadcast. Both have one type:
/// float, double or complex, and any layout. Neither is written. Waits for the result.
/// Throws: `numeric_error` with `errc::singular`, which names the first singular matrix and its pivot; `logic_error`
/// for shapes that do not fit, before anything is enqueued; as `evaluate`.
/// Source: NumPy's `linalg.solve`. Example: `auto x = yoke::solve(a, b);`
template <detail::array_operand A, detail::array_operand B>
[[nodiscard]] auto solve(A&& a, B&& b, const source_location& where = source_location::current()) {
  if constexpr (detail::check_equations<A, B>()) {
    return detail::solved(std::forward<A>(a), std::forward<B>(b), {}, where);
  }
}
/// Does not compile: numbers and host memory are no operands.
template <class A, class B>
  requires detail::one_array<A, B>
void solve(A&&, B&&) {
  detail::refuse_one_array<A, B>();
}

namespace pass {
/// The solutions as `pass::solve` writes them. `info` gets the number of the first zero on a diagonal.
template <detail::array_operand A, detail::array_operand B, class Port>
[[nodiscard]] auto solve_triangular(A&& a, B&& b, triangle side, device_value<int, Port>& info,
                                    const triangular_options& options = {},
                                    const source_location& where = source_location::current()) {
  if constexpr (detail::check_equations<A, B>()) {
    return detail::solve_item<detail::kept_of<A>, detail::kept_of<B>>(
        detail::kept_to_join(std::forward<A>(a)), detail::kept_to_join(std::forward<B>(b)), info.array().view(where),
        {"solve_triangular", true, side, options.unit_diagonal});
  }
}
}  // namespace pass

/// Returns: the solutions `x` of `a * x = b` for triangular matrices, of which one triangle is read. Otherwise as
/// `solve`. Throws: as `solve`, for a zero on a diagonal.
/// Source: SciPy's `linalg.solve_triangular`.
/// Example: `auto x = yoke::solve_triangular(l, b, yoke::triangle::lower);`
template <detail::array_operand A, detail::array_operand B>
[[nodiscard]] auto solve_triangular(A&& a, B&& b, triangle side, const triangular_options& options = {},
                                    const source_location& where = source_location::current()) {
  if constexpr (detail::check_equations<A, B>()) {
    return detail::solved(std::forward<A>(a), std::forward<B>(b),
                          {"solve_triangular", true, side, options.unit_diagonal}, where);
  }
}

}  // namespace yoke::inline v0_1

#endif
