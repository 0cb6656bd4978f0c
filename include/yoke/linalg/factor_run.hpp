// SPDX-License-Identifier: MIT
// Runs Cholesky and LU factorisations and solutions by triangular matrices, by own kernels and products.
#ifndef YOKE_LINALG_FACTOR_RUN_HPP
#define YOKE_LINALG_FACTOR_RUN_HPP

#include <yoke/linalg/factor_library.hpp>
#include <yoke/linalg/factor_source.hpp>
#include <yoke/linalg/product_run.hpp>

#include <algorithm>
#include <optional>

namespace yoke::inline v0_1::detail {

/// Matrices without gaps in temporary memory; columns are neighbours.
template <class Order>
struct temporary_matrix {
  temporary_matrix(const Order& order, value_kind kind, std::int64_t rows, std::int64_t columns, std::int64_t batches,
                   const source_location& where)
      : memory(order, static_cast<std::size_t>(rows * columns * batches) * value_bytes(kind), where) {
    matrix.memory = memory_of(memory.get());
    matrix.kind = kind;
    matrix.rows = rows;
    matrix.columns = columns;
    matrix.batches = batches;
    matrix.column = rows;
    matrix.batch = rows * columns;
  }
  temporary_memory<Order> memory;
  factor_matrix<port_of_order<Order>> matrix{};
};

/// The kernels of a family.
template <class Port>
struct factor_kernels {
  factor_kernels(const module<Port>& of, const source_location& where)
      : cholesky(of, "yoke_m_cholesky", where),
        lu(of, "yoke_m_lu", where),
        swap(of, "yoke_m_swap", where),
        triangular(of, "yoke_m_triangular", where),
        pivots(of, "yoke_m_pivots", where),
        part(of, "yoke_m_part", where),
        diagonal(of, "yoke_m_diagonal", where),
        determinant(of, "yoke_m_determinant", where),
        report(of, "yoke_m_report", where) {}
  text_kernel<Port> cholesky, lu, swap, triangular, pivots, part, diagonal, determinant, report;
};
/// A context stores the kernels under its address.
inline constexpr char factor_kernels_kept = 0;

/// Returns: the threads of a group that works at columns of so many rows.
template <class Order>
[[nodiscard]] int factor_lanes(const Order& order, std::int64_t rows, const source_location& where) {
  if (is_processor(order, where)) return 1;
  return rows <= 64 ? 32 : 256;
}
/// Returns: the kernels of a family, compiled when they are first wanted. `kept_at`: where the context stores them.
template <class Kernels, class Order>
[[nodiscard]] const Kernels& factor_kernels_in(const Order& order, const void* kept_at, factor_form form,
                                               const source_location& where) {
  const auto& in = order.context_of();
  auto& kept = in.state(where).attached.template get_at<once_map<Kernels>>(kept_at);
  return kept.find_or_make(form.key(), [&] {
    const compile_options options{.name = "yoke factorisation", .math = exact_sums};
    return Kernels(compile_task(in, factor_source(form), options, nullptr, where), where);
  });
}
template <class Order>
[[nodiscard]] const factor_kernels<port_of_order<Order>>& factor_kernels_of(const Order& order, value_kind kind,
                                                                            int lanes, const source_location& where) {
  return factor_kernels_in<factor_kernels<port_of_order<Order>>>(
      order, &factor_kernels_kept, {.family = factor_family::solve, .kind = kind, .lanes = lanes}, where);
}
/// Returns: the strides of matrices as kernels take them.
template <class Port>
void set_sides(std::int64_t (&to)[4], const factor_matrix<Port>& of) noexcept {
  to[0] = of.first;
  to[1] = of.row;
  to[2] = of.column;
  to[3] = of.batch;
}

/// Effects: enqueues `to += sign * left * right`. Requires: sizes that fit.
template <class Order>
void add_product(const Order& order, const factor_matrix<port_of_order<Order>>& to,
                 const factor_matrix<port_of_order<Order>>& left, const factor_matrix<port_of_order<Order>>& right,
                 double sign, bool adds, const source_location& where) {
  using Port = port_of_order<Order>;
  if (to.rows == 0 || to.columns == 0 || to.batches == 0) return;
  const auto side = [](const factor_matrix<Port>& of) {
    return product_matrix<Port>{.memory = of.memory,
                                .kind = of.kind,
                                .conjugated = of.conjugated,
                                .first = of.first,
                                .row = of.row,
                                .column = of.column,
                                .batch = of.batch};
  };
  product<Port> of{.m = to.rows, .n = to.columns, .k = left.columns, .batches = to.batches};
  of.to = side(to);
  of.added = of.to;
  of.left = side(left);
  of.right = side(right);
  of.alpha.real = sign;
  of.alpha.whole = sign == 1 ? 1 : 0;
  of.adds = adds;
  run_product(order, of, where);
}
/// Returns: the size of the first of two parts: whole panels, about a half.
[[nodiscard]] inline std::int64_t first_part(std::int64_t size, std::int64_t width) noexcept {
  return ((size + width - 1) / width + 1) / 2 * width;
}

/// Effects: enqueues the solution of `t * x = b` for a lower triangular matrix, in the place of `b`. An upper one is a
/// lower one with rows and columns reversed. Requires: memory that the order may use. Throws: `error`.
template <class Order>
void run_triangular(const Order& order, const factor_matrix<port_of_order<Order>>& t, bool unit,
                    const factor_matrix<port_of_order<Order>>& x, const source_location& where) {
  const std::int64_t n = x.rows;
  if (n == 0 || x.columns == 0 || x.batches == 0) return;
  const std::int64_t width = wanted_factor_width();
  if (n > width) {
    const std::int64_t head = first_part(n, width);
    const std::int64_t rest = n - head;
    const auto lower = x.block(head, 0, rest, x.columns);
    run_triangular(order, t.block(0, 0, head, head), unit, x.block(0, 0, head, x.columns), where);
    add_product(order, lower, t.block(head, 0, rest, head), x.block(0, 0, head, x.columns), -1, true, where);
    return run_triangular(order, t.block(head, head, rest, rest), unit, lower, where);
  }
  const int lanes = factor_lanes(order, 1, where);
  const std::int64_t strip = lanes == 1 ? factor_strip : 1;
  factor_steps steps{};
  steps.rows = n;
  steps.columns = x.columns;
  steps.batches = x.batches;
  steps.count = n;
  steps.flags = (unit ? 1 : 0) + (t.conjugated ? 2 : 0);
  set_sides(steps.a, x);
  set_sides(steps.b, t);
  const kernel_argument arguments[]{
      handle_argument(x.memory.memory), handle_argument(t.memory.memory), {argument_kind::value, &steps, sizeof steps}};
  const std::int64_t threads = ((x.columns - 1) / strip + 1) * x.batches;
  factor_kernels_of(order, x.kind, lanes, where)
      .triangular.launch(order, lanes == 1 ? launch_over(threads, 1) : launch_over(threads, 64), arguments, where);
}

/// Effects: enqueues `to -= left * left^H` in the lower triangle of blocks. Requires: sizes that fit.
template <class Order>
void subtract_square(const Order& order, const factor_matrix<port_of_order<Order>>& to,
                     const factor_matrix<port_of_order<Order>>& left, const source_location& where) {
  const std::int64_t n = to.rows;
  const std::int64_t width = wanted_factor_width();
  if (n <= 8 * width) {
    return add_product(order, to, left, left.transposed().conjugate(), -1, true, where);
  }
  const std::int64_t head = first_part(n, width);
  const auto upper = left.block(0, 0, head, left.columns);
  const auto lower = left.block(head, 0, n - head, left.columns);
  subtract_square(order, to.block(0, 0, head, head), upper, where);
  add_product(order, to.block(head, 0, n - head, head), lower, upper.transposed().conjugate(), -1, true, where);
  subtract_square(order, to.block(head, head, n - head, n - head), lower, where);
}
/// Effects: enqueues Cholesky factorisations in the lower triangles of matrices; elements above them may be written.
/// A number for each matrix says which of its pivots, counted from 1, is not positive; 0: none.
/// `begin`: the row of the whole matrix. Requires: rows that are neighbours, memory that the order may use. Throws:
/// `error`.
template <class Order>
void run_cholesky(const Order& order, const factor_matrix<port_of_order<Order>>& a,
                  const factor_words<port_of_order<Order>>& infos, std::int64_t begin, const source_location& where) {
  const std::int64_t n = a.rows;
  if (n == 0 || a.batches == 0) return;
  if (begin == 0 && run_library_factors(order, library_factors::cholesky, a, {.infos = infos}, where)) return;
  const std::int64_t width = wanted_factor_width();
  if (n > width) {
    const std::int64_t head = first_part(n, width);
    const std::int64_t rest = n - head;
    const auto lower = a.block(head, 0, rest, head);
    run_cholesky(order, a.block(0, 0, head, head), infos, begin, where);
    run_triangular(order, a.block(0, 0, head, head).conjugate(), false, lower.transposed(), where);
    subtract_square(order, a.block(head, head, rest, rest), lower, where);
    return run_cholesky(order, a.block(head, head, rest, rest), infos, begin + head, where);
  }
  const int lanes = factor_lanes(order, n, where);
  factor_steps steps{};
  steps.rows = n;
  steps.columns = n;
  steps.batches = a.batches;
  steps.begin = begin;
  steps.count = n;
  set_sides(steps.a, a);
  const kernel_argument arguments[]{
      handle_argument(a.memory.memory), handle_argument(infos.memory), {argument_kind::value, &steps, sizeof steps}};
  factor_kernels_of(order, a.kind, lanes, where)
      .cholesky.launch(order, launch_over(a.batches * lanes, lanes), arguments, where);
}

/// Effects: enqueues exchanges of rows as pivots say, from one pivot on.
template <class Order>
void run_swaps(const Order& order, const factor_matrix<port_of_order<Order>>& a,
               const factor_words<port_of_order<Order>>& pivots, std::int64_t begin, std::int64_t count,
               const source_location& where) {
  if (a.columns == 0 || a.batches == 0 || count == 0) return;
  factor_steps steps{};
  steps.rows = a.rows;
  steps.columns = a.columns;
  steps.batches = a.batches;
  steps.begin = begin;
  steps.count = count;
  set_sides(steps.a, a);
  steps.b[0] = pivots.first;
  steps.b[3] = pivots.batch;
  const kernel_argument arguments[]{
      handle_argument(a.memory.memory), handle_argument(pivots.memory), {argument_kind::value, &steps, sizeof steps}};
  const int lanes = factor_lanes(order, 1, where);
  const std::int64_t threads = a.columns * a.batches;
  factor_kernels_of(order, a.kind, lanes, where)
      .swap.launch(order, lanes == 1 ? threads_for(threads) : launch_over(threads, 64), arguments, where);
}
/// Effects: enqueues LU factorisations of columns, with rows exchanged in these columns. Pivot `i` is the row that row
/// `i` was exchanged with. A number for each matrix says which pivot, counted from 1, is 0; 0: none.
/// `begin`: the first column, in which the rows above were factored before. Requires: as `run_cholesky`.
template <class Order>
void run_lu_columns(const Order& order, const factor_matrix<port_of_order<Order>>& a,
                    const factor_words<port_of_order<Order>>& pivots, const factor_words<port_of_order<Order>>& infos,
                    std::int64_t begin, std::int64_t count, const source_location& where) {
  const std::int64_t m = a.rows;
  const std::int64_t width = wanted_factor_width();
  if (count > width) {
    const std::int64_t head = first_part(count, width);
    const std::int64_t rest = count - head;
    const std::int64_t middle = begin + head;
    run_lu_columns(order, a, pivots, infos, begin, head, where);
    run_swaps(order, a.block(0, middle, m, rest), pivots, begin, head, where);
    const auto upper = a.block(begin, middle, head, rest);
    run_triangular(order, a.block(begin, begin, head, head), true, upper, where);
    add_product(order, a.block(middle, middle, m - middle, rest), a.block(middle, begin, m - middle, head), upper, -1,
                true, where);
    run_lu_columns(order, a, pivots, infos, middle, rest, where);
    return run_swaps(order, a.block(0, begin, m, head), pivots, middle, rest, where);
  }
  const int lanes = factor_lanes(order, m - begin, where);
  const auto panel = a.block(begin, begin, m - begin, count);
  factor_steps steps{};
  steps.rows = panel.rows;
  steps.columns = count;
  steps.batches = a.batches;
  steps.begin = begin;
  steps.count = count;
  set_sides(steps.a, panel);
  steps.b[0] = pivots.first + begin;
  steps.b[3] = pivots.batch;
  const kernel_argument arguments[]{handle_argument(a.memory.memory),
                                    handle_argument(pivots.memory),
                                    handle_argument(infos.memory),
                                    {argument_kind::value, &steps, sizeof steps}};
  factor_kernels_of(order, a.kind, lanes, where)
      .lu.launch(order, launch_over(a.batches * lanes, lanes), arguments, where);
}
/// Effects: enqueues LU factorisations by a library. Returns: false, with nothing enqueued, if own kernels must make
/// them. Requires, throws: as `run_lu`.
template <class Order>
[[nodiscard]] bool run_library_lu(const Order& order, const factor_matrix<port_of_order<Order>>& a,
                                  const factor_words<port_of_order<Order>>& pivots,
                                  const factor_words<port_of_order<Order>>& infos, const source_location& where) {
  const std::int64_t least = (std::min)(a.rows, a.columns);
  if (factor_library_for(order, a, where) == nullptr) return false;
  const temporary_memory<Order> counted(order, static_cast<std::size_t>(least * a.batches) * sizeof(std::int64_t),
                                        where);
  const auto from = counted.get().native_handle();
  if (!run_library_factors(order, library_factors::lu, a, {.infos = infos, .pivots = &from}, where)) return false;
  factor_steps steps{};
  steps.batches = a.batches;
  steps.count = least;
  steps.a[0] = pivots.first;
  steps.a[3] = pivots.batch;
  const kernel_argument arguments[]{
      handle_argument(pivots.memory), handle_argument(from), {argument_kind::value, &steps, sizeof steps}};
  factor_kernels_of(order, a.kind, factor_lanes(order, 1, where), where)
      .pivots.launch(order, threads_for(least * a.batches), arguments, where);
  return true;
}
/// Effects: enqueues LU factorisations of whole matrices in their place: the lower triangle without its diagonal of
/// ones, and the upper one. Otherwise as `run_lu_columns`.
template <class Order>
void run_lu(const Order& order, const factor_matrix<port_of_order<Order>>& a,
            const factor_words<port_of_order<Order>>& pivots, const factor_words<port_of_order<Order>>& infos,
            const source_location& where) {
  const std::int64_t least = (std::min)(a.rows, a.columns);
  if (least == 0 || a.batches == 0) return;
  if (run_library_lu(order, a, pivots, infos, where)) return;
  run_lu_columns(order, a, pivots, infos, 0, least, where);
  if (a.columns > least) {
    const auto right = a.block(0, least, least, a.columns - least);
    run_swaps(order, right, pivots, 0, least, where);
    run_triangular(order, a.block(0, 0, least, least), true, right, where);
  }
}
/// Effects: enqueues the solution of `a * x = b` from the factors of `a`, in the place of `b`.
template <class Order>
void run_lu_solve(const Order& order, const factor_matrix<port_of_order<Order>>& lu,
                  const factor_words<port_of_order<Order>>& pivots, const factor_matrix<port_of_order<Order>>& x,
                  const source_location& where) {
  run_swaps(order, x, pivots, 0, lu.rows, where);
  run_triangular(order, lu, true, x, where);
  run_triangular(order, lu.with_rows_reversed().with_columns_reversed(), false, x.with_rows_reversed(), where);
}

/// Effects: enqueues a copy of triangles. `flags`: 1: the lower one; 2: the upper one; 4: ones on the diagonal; zeros
/// elsewhere.
template <class Order>
void run_part(const Order& order, const factor_matrix<port_of_order<Order>>& to,
              const factor_matrix<port_of_order<Order>>& from, std::int64_t flags, const source_location& where) {
  if (to.rows == 0 || to.columns == 0 || to.batches == 0) return;
  factor_steps steps{};
  steps.rows = to.rows;
  steps.columns = to.columns;
  steps.batches = to.batches;
  steps.flags = flags;
  set_sides(steps.a, to);
  set_sides(steps.b, from);
  const kernel_argument arguments[]{handle_argument(to.memory.memory),
                                    handle_argument(from.memory.memory),
                                    {argument_kind::value, &steps, sizeof steps}};
  const int lanes = factor_lanes(order, 1, where);
  const std::int64_t tiles = ((to.rows - 1) / 16 + 1) * ((to.columns - 1) / 8 + 1) * to.batches;
  factor_kernels_of(order, to.kind, lanes, where)
      .part.launch(order, lanes == 1 ? launch_over(tiles, 1) : threads_for(to.rows * to.columns * to.batches),
                   arguments, where);
}
/// Effects: enqueues the search for zeros on diagonals. A number for each matrix says which element, counted from 1, is
/// 0; 0: none.
template <class Order>
void run_diagonal(const Order& order, const factor_matrix<port_of_order<Order>>& a,
                  const factor_words<port_of_order<Order>>& infos, const source_location& where) {
  factor_steps steps{};
  steps.batches = a.batches;
  steps.count = a.rows;
  set_sides(steps.b, a);
  const kernel_argument arguments[]{
      handle_argument(infos.memory), handle_argument(a.memory.memory), {argument_kind::value, &steps, sizeof steps}};
  factor_kernels_of(order, a.kind, factor_lanes(order, 1, where), where)
      .diagonal.launch(order, threads_for(a.batches), arguments, where);
}
/// Effects: enqueues the calculation of determinants from factors: to numbers without gaps, and, unless `logs` is null,
/// to numbers of length 1 or 0 and the logarithms of the lengths.
template <class Order>
void run_determinant(const Order& order, const factor_words<port_of_order<Order>>& to,
                     const factor_words<port_of_order<Order>>* logs, const factor_matrix<port_of_order<Order>>& lu,
                     const factor_words<port_of_order<Order>>& pivots, const source_location& where) {
  factor_steps steps{};
  steps.batches = lu.batches;
  steps.count = lu.rows;
  steps.flags = logs == nullptr ? 0 : 1;
  set_sides(steps.b, lu);
  steps.c[0] = pivots.first;
  steps.c[3] = pivots.batch;
  const kernel_argument arguments[]{handle_argument(to.memory),
                                    handle_argument(logs == nullptr ? to.memory : logs->memory),
                                    handle_argument(lu.memory.memory),
                                    handle_argument(pivots.memory),
                                    {argument_kind::value, &steps, sizeof steps}};
  factor_kernels_of(order, lu.kind, factor_lanes(order, 1, where), where)
      .determinant.launch(order, threads_for(lu.batches), arguments, where);
}
/// Effects: enqueues the search for the first matrix that was not factored. The result is 0, or the number of its pivot
/// counted from 1 through all matrices, each with `count` pivots.
template <class Order>
void run_report(const Order& order, value_kind kind, const factor_words<port_of_order<Order>>& to,
                const factor_words<port_of_order<Order>>& infos, std::int64_t batches, std::int64_t count,
                const source_location& where) {
  factor_steps steps{};
  steps.batches = batches;
  steps.count = count;
  steps.a[0] = to.first;
  const kernel_argument arguments[]{
      handle_argument(to.memory), handle_argument(infos.memory), {argument_kind::value, &steps, sizeof steps}};
  factor_kernels_of(order, kind, factor_lanes(order, 1, where), where)
      .report.launch(order, launch_over(1, 1), arguments, where);
}

extern template YOKE_API void run_triangular(const stream<any_port>&, const factor_matrix<any_port>&, bool,
                                             const factor_matrix<any_port>&, const source_location&);
extern template YOKE_API void run_cholesky(const stream<any_port>&, const factor_matrix<any_port>&,
                                           const factor_words<any_port>&, std::int64_t, const source_location&);
extern template YOKE_API void run_lu(const stream<any_port>&, const factor_matrix<any_port>&,
                                     const factor_words<any_port>&, const factor_words<any_port>&,
                                     const source_location&);
extern template YOKE_API void run_lu_solve(const stream<any_port>&, const factor_matrix<any_port>&,
                                           const factor_words<any_port>&, const factor_matrix<any_port>&,
                                           const source_location&);
extern template YOKE_API void run_part(const stream<any_port>&, const factor_matrix<any_port>&,
                                       const factor_matrix<any_port>&, std::int64_t, const source_location&);
extern template YOKE_API void run_diagonal(const stream<any_port>&, const factor_matrix<any_port>&,
                                           const factor_words<any_port>&, const source_location&);
extern template YOKE_API void run_determinant(const stream<any_port>&, const factor_words<any_port>&,
                                              const factor_words<any_port>*, const factor_matrix<any_port>&,
                                              const factor_words<any_port>&, const source_location&);
extern template YOKE_API void run_report(const stream<any_port>&, value_kind, const factor_words<any_port>&,
                                         const factor_words<any_port>&, std::int64_t, std::int64_t,
                                         const source_location&);

}  // namespace yoke::inline v0_1::detail

#if defined(YOKE_IMPLEMENTATION)
#include <yoke/linalg/factor_run.ipp>
#endif

#endif
