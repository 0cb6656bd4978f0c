// SPDX-License-Identifier: MIT
// Runs QR factorisations by reflections: by a library, or in panels, with products for all other columns.
#ifndef YOKE_LINALG_QR_RUN_HPP
#define YOKE_LINALG_QR_RUN_HPP

#include <yoke/linalg/factor_run.hpp>

namespace yoke::inline v0_1::detail {

/// The kernels of reflections.
template <class Port>
struct qr_kernels {
  qr_kernels(const module<Port>& of, const source_location& where)
      : qr(of, "yoke_m_qr", where), reflectors(of, "yoke_m_reflectors", where) {}
  text_kernel<Port> qr, reflectors;
};
/// A context stores the kernels under its address.
inline constexpr char qr_kernels_kept = 0;

/// Effects: enqueues `c -= v * t * v^H * c`, or with the conjugate transpose of `t`. `between`: room for two matrices
/// with as many rows as `t`, and at least as many columns as `c`.
template <class Order>
void apply_reflections(const Order& order, const factor_matrix<port_of_order<Order>>& c,
                       const factor_matrix<port_of_order<Order>>& v, const factor_matrix<port_of_order<Order>>& t,
                       bool turned, const factor_matrix<port_of_order<Order>>& one,
                       const factor_matrix<port_of_order<Order>>& other, const source_location& where) {
  if (c.columns == 0) return;
  const auto first = one.block(0, 0, t.rows, c.columns);
  const auto second = other.block(0, 0, t.rows, c.columns);
  add_product(order, first, v.transposed().conjugate(), c, 1, false, where);
  add_product(order, second, turned ? t.transposed().conjugate() : t, first, 1, false, where);
  add_product(order, c, v, second, -1, true, where);
}

/// Effects: enqueues QR factorisations by a library. Returns: false, with nothing enqueued, if own kernels must make
/// them. Requires, throws: as `run_qr`.
template <class Order>
[[nodiscard]] bool run_library_qr(const Order& order, const factor_matrix<port_of_order<Order>>& a,
                                  const factor_matrix<port_of_order<Order>>& q, const source_location& where) {
  if constexpr (is_a_stream<Order>) {
    const std::int64_t least = (std::min)(a.rows, a.columns);
    math_libraries* const by = q.row == 1 ? factor_library_for(order, a, where) : nullptr;
    if (by == nullptr) return false;
    // The library tells nothing by `infos` but wrong arguments.
    const temporary_matrix<Order> taus(order, a.kind, least, 1, a.batches, where);
    const temporary_memory<Order> ignored(order, static_cast<std::size_t>(a.batches) * sizeof(std::int32_t), where);
    const auto taus_at = taus.matrix.memory.memory;
    library_results<port_of_order<Order>> results;
    results.infos.memory = ignored.get().native_handle();
    results.infos.batch = 1;
    results.values = &taus_at;
    library_step<Order> reflect(order, *by, library_factors::reflections, a, results, least, where);
    library_step<Order> make(order, *by, library_factors::columns, q, results, least, where);
    if (!reflect.is_supported() || !make.is_supported() || !reflect.run(where)) return false;
    run_part(order, q.block(0, 0, q.rows, least), a.block(0, 0, a.rows, least), 3, where);
    if (!make.run(where)) throw_error(errc::unsupported, "a library refused columns after it made reflections", where);
    return true;
  } else {
    return false;
  }
}

/// Effects: enqueues QR factorisations. The upper triangles of `a` become those of the results; what is below is
/// written. `q` gets the orthogonal factors: as many rows as `a`, and as many columns as the smaller of its extents or
/// as its rows. Requires: rows that are neighbours, memory that the order may use. Throws: `error`.
template <class Order>
void run_qr(const Order& order, const factor_matrix<port_of_order<Order>>& a,
            const factor_matrix<port_of_order<Order>>& q, const source_location& where) {
  using Port = port_of_order<Order>;
  const std::int64_t m = a.rows;
  const std::int64_t least = (std::min)(m, a.columns);
  if (m == 0 || a.batches == 0) return;
  if (least != 0 && run_library_qr(order, a, q, where)) return;
  run_part(order, q, q, 4, where);
  if (least == 0) return;
  const std::int64_t width = (std::min)(wanted_factor_width(), least);
  const std::int64_t panels = (least - 1) / width + 1;
  const value_kind kind = a.kind;
  const std::int64_t widest = (std::max)(a.columns, q.columns);
  const temporary_matrix<Order> taus(order, kind, least, 1, a.batches, where);
  const temporary_matrix<Order> v_memory(order, kind, m, width, a.batches, where);
  const temporary_matrix<Order> products(order, kind, width, width, a.batches, where);
  const temporary_matrix<Order> t_memory(order, kind, width, panels * width, a.batches, where);
  const temporary_matrix<Order> one(order, kind, width, widest, a.batches, where);
  const temporary_matrix<Order> other(order, kind, width, widest, a.batches, where);
  const auto panel_of = [&](std::int64_t panel) {
    const std::int64_t begin = panel * width;
    return a.block(begin, begin, m - begin, (std::min)(width, least - begin));
  };
  // The vectors of a panel, with ones on the diagonal and zeros above it.
  const auto vectors_of = [&](const factor_matrix<Port>& panel) {
    factor_matrix<Port> v = v_memory.matrix.block(0, 0, panel.rows, panel.columns);
    run_part(order, v, panel, 1 + 4, where);
    return v;
  };
  const auto t_of = [&](std::int64_t panel, std::int64_t count) {
    return t_memory.matrix.block(0, panel * width, count, count);
  };
  for (std::int64_t panel = 0; panel < panels; ++panel) {
    const auto at = panel_of(panel);
    const std::int64_t count = at.columns;
    const int lanes = factor_lanes(order, at.rows, where);
    const auto& kernels = factor_kernels_in<qr_kernels<Port>>(
        order, &qr_kernels_kept, {.family = factor_family::qr, .kind = kind, .lanes = lanes}, where);
    factor_steps steps{};
    steps.rows = at.rows;
    steps.columns = count;
    steps.batches = a.batches;
    steps.count = count;
    set_sides(steps.a, at);
    set_sides(steps.b, taus.matrix.block(panel * width, 0, count, 1));
    const kernel_argument panel_arguments[]{handle_argument(a.memory.memory),
                                            handle_argument(taus.matrix.memory.memory),
                                            {argument_kind::value, &steps, sizeof steps}};
    kernels.qr.launch(order, launch_over(a.batches * lanes, lanes), panel_arguments, where);
    const auto v = vectors_of(at);
    const auto squares = products.matrix.block(0, 0, count, count);
    add_product(order, squares, v.transposed().conjugate(), v, 1, false, where);
    const auto t = t_of(panel, count);
    set_sides(steps.a, t);
    set_sides(steps.b, squares);
    set_sides(steps.c, taus.matrix.block(panel * width, 0, count, 1));
    const kernel_argument arguments[]{handle_argument(t.memory.memory),
                                      handle_argument(squares.memory.memory),
                                      handle_argument(taus.matrix.memory.memory),
                                      {argument_kind::value, &steps, sizeof steps}};
    kernels.reflectors.launch(order, launch_over(a.batches * lanes, lanes), arguments, where);
    const std::int64_t begin = panel * width;
    const std::int64_t right = begin + count;
    apply_reflections(order, a.block(begin, right, m - begin, a.columns - right), v, t, true, one.matrix, other.matrix,
                      where);
  }
  for (std::int64_t panel = panels; panel-- > 0;) {
    const auto at = panel_of(panel);
    const std::int64_t begin = panel * width;
    apply_reflections(order, q.block(begin, begin, m - begin, q.columns - begin), vectors_of(at),
                      t_of(panel, at.columns), false, one.matrix, other.matrix, where);
  }
}

extern template YOKE_API void run_qr(const stream<any_port>&, const factor_matrix<any_port>&,
                                     const factor_matrix<any_port>&, const source_location&);

}  // namespace yoke::inline v0_1::detail

#if defined(YOKE_IMPLEMENTATION)
#include <yoke/linalg/qr_run.ipp>
#endif

#endif
