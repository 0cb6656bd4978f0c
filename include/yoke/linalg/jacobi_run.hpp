// SPDX-License-Identifier: MIT
// Runs singular value and eigenvalue decompositions by rotations of pairs of columns.
#ifndef YOKE_LINALG_JACOBI_RUN_HPP
#define YOKE_LINALG_JACOBI_RUN_HPP

#include <yoke/array/storage/device_value.hpp>
#include <yoke/linalg/factor_run.hpp>

namespace yoke::inline v0_1::detail {

/// The kernels of rotations.
template <class Port>
struct jacobi_kernels {
  jacobi_kernels(const module<Port>& of, const source_location& where)
      : scale(of, "yoke_m_scale", where),
        jacobi(of, "yoke_m_jacobi", where),
        rotate(of, "yoke_m_rotate", where),
        values(of, "yoke_m_values", where),
        order(of, "yoke_m_order", where),
        collect(of, "yoke_m_collect", where),
        complete(of, "yoke_m_complete", where) {}
  text_kernel<Port> scale, jacobi, rotate, values, order, collect, complete;
};
/// A context stores the kernels under its address.
inline constexpr char jacobi_kernels_kept = 0;

/// A decomposition of matrices that have at least as many rows as columns: the vectors are written where they are
/// wanted, conjugated if the matrix says so.
template <class Port>
struct jacobi_task {
  factor_matrix<Port> a{};      ///< is written
  bool hermitian = false;       ///< eigenvalues of the lower triangle, ascending; else singular values, descending
  factor_matrix<Port> left{};   ///< left singular vectors; as many columns as `a`, or as rows. Not for eigenvalues
  factor_matrix<Port> right{};  ///< right singular vectors, or eigenvectors
  typename Port::memory_handle values{};
};
/// The vectors and values of a matrix that a library made, in the place of those that rotations make.
template <class Order>
class library_spectrum {
  using port = port_of_order<Order>;

 public:
  /// Effects: hermitian: copies `a` to `v`, which becomes the eigenvectors. Else `a` becomes the left singular vectors,
  /// and `v` the conjugates of the right ones.
  library_spectrum(const Order& order, const factor_matrix<port>& a, const factor_matrix<port>& v, bool hermitian,
                   const factor_words<port>& infos, const typename port::memory_handle& values,
                   const source_location& where) {
    if (hermitian) {
      run_part(order, v, a, 3, where);
      made_ = run_library_factors(order, library_factors::eigenvalues, v, {.infos = infos, .values = &values}, where);
      if (!made_) run_part(order, v, v, 4, where);
      return;
    }
    singular_ = temporary_memory<Order>(order, static_cast<std::size_t>(a.columns) * sizeof(double), where);
    const auto singular_at = singular_.get().native_handle();
    const temporary_matrix<Order> left(order, a.kind, a.rows, a.columns, 1, where);
    const temporary_matrix<Order> right(order, a.kind, a.columns, a.columns, 1, where);
    made_ = run_library_factors(order, library_factors::singular_values, a,
                                {.infos = infos, .values = &singular_at, .left = &left.matrix, .right = &right.matrix},
                                where);
    if (!made_) return;
    run_part(order, a, left.matrix, 3, where);
    run_part(order, v, right.matrix.transposed(), 3, where);
    count_ = a.columns;
  }
  [[nodiscard]] bool is_made() const noexcept { return made_; }
  /// Effects: writes the singular values.
  void give_values(const Order& order, const typename port::memory_handle& to, value_kind real,
                   const source_location& where) const {
    if (count_ == 0) return;
    const auto column = [&](const auto& memory) {
      factor_matrix<port> made;
      made.memory.memory = memory;
      made.kind = real;
      made.rows = made.column = made.batch = count_;
      made.columns = 1;
      return made;
    };
    run_part(order, column(to), column(singular_.get().native_handle()), 3, where);
  }

 private:
  temporary_memory<Order> singular_{};
  std::int64_t count_ = 0;
  bool made_ = false;
};

/// Effects: enqueues the decomposition, and waits for it. `found` gets 1 + twice the index of the first matrix with
/// elements that are not finite, or 2 more than twice the index of the first one that did not converge; 0: of none.
template <class Order>
void run_jacobi(const Order& order, const jacobi_task<port_of_order<Order>>& what, int& found,
                const source_location& where) {
  using Port = port_of_order<Order>;
  const factor_matrix<Port>& a = what.a;
  const std::int64_t m = a.rows;
  const std::int64_t n = a.columns;
  const std::int64_t batches = a.batches;
  const value_kind real =
      a.kind == value_kind::float32 || a.kind == value_kind::complex64 ? value_kind::float32 : value_kind::float64;
  const int lanes = factor_lanes(order, m, where);
  const auto& kernels = factor_kernels_in<jacobi_kernels<Port>>(
      order, &jacobi_kernels_kept, {.family = factor_family::jacobi, .kind = a.kind, .lanes = lanes}, where);
  const auto memory_for = [&](value_kind kind, std::int64_t count) {
    return temporary_memory<Order>(order, static_cast<std::size_t>(count) * value_bytes(kind), where);
  };
  const temporary_memory<Order> exponents = memory_for(value_kind::int32, batches);
  const temporary_memory<Order> infos = memory_for(value_kind::int32, batches);
  const temporary_memory<Order> places = memory_for(value_kind::int32, batches * n);
  const temporary_memory<Order> values = memory_for(real, batches * n);
  const temporary_memory<Order> lengths = memory_for(real, batches * n);
  const temporary_matrix<Order> turns(order, a.kind, n, n, batches, where);
  const factor_matrix<Port>& v = turns.matrix;
  std::optional<temporary_matrix<Order>> copies;
  std::optional<temporary_matrix<Order>> products;
  if (what.hermitian) {
    copies.emplace(order, a.kind, n, n, batches, where);
    products.emplace(order, a.kind, n, n, batches, where);
  }
  const auto handle = [](const temporary_memory<Order>& of) { return of.get().native_handle(); };
  const auto exponents_at = handle(exponents);
  const auto infos_at = handle(infos);
  const auto places_at = handle(places);
  const auto values_at = handle(values);
  const auto lengths_at = handle(lengths);
  factor_steps steps{};
  steps.rows = m;
  steps.columns = n;
  steps.batches = batches;
  const kernel_argument given{argument_kind::value, &steps, sizeof steps};
  const auto groups = [&](std::int64_t count) { return launch_over(count * lanes, lanes); };

  set_sides(steps.a, a);
  set_sides(steps.b, what.hermitian ? copies->matrix : a);
  steps.flags = what.hermitian ? 1 : 0;
  const kernel_argument scaled[]{handle_argument(a.memory.memory),
                                 handle_argument(what.hermitian ? copies->matrix.memory.memory : a.memory.memory),
                                 handle_argument(exponents_at), handle_argument(infos_at), given};
  kernels.scale.launch(order, groups(batches), scaled, where);
  run_part(order, v, v, 4, where);

  device_value<int, Port> told(order, 0, where);
  const auto told_view = told.array().view(where);
  const factor_words<Port> told_words{told_view.memory().memory,
                                      static_cast<std::int64_t>(told_view.layout().offset_bytes() / sizeof(int)), 0};
  set_sides(steps.b, v);
  steps.flags = 0;
  std::optional<library_spectrum<Order>> by_library;
  // On an H200 rotations of 512 columns take as long as a library's singular values, and find small ones exactly.
  const std::int64_t least = what.hermitian ? least_library_columns() : 8 * least_library_columns() + 1;
  if (batches == 1 && n >= least) {
    run_report(order, a.kind, told_words, {infos_at, 0, 1}, batches, 2, where);
    found = told.get(where);
    if (found != 0) return;
    by_library.emplace(order, what.hermitian ? copies->matrix : a, v, what.hermitian,
                       factor_words<Port>{infos_at, 0, 1}, values_at, where);
    if (!by_library->is_made()) by_library.reset();
  }
  bool converged = by_library || n <= wanted_jacobi_columns() || batches >= 64;
  if (by_library) {
    run_report(order, a.kind, told_words, {infos_at, 0, 1}, batches, 2, where);
    if (told.get(where) != 0) {
      found = 2;
      return;
    }
  } else if (converged) {
    const kernel_argument arguments[]{handle_argument(a.memory.memory), handle_argument(v.memory.memory),
                                      handle_argument(infos_at), given};
    kernels.jacobi.launch(order, groups(batches), arguments, where);
  } else {
    steps.c[0] = told_words.first;
    const kernel_argument arguments[]{handle_argument(a.memory.memory), handle_argument(v.memory.memory),
                                      handle_argument(told_words.memory), given};
    const std::int64_t even = n + n % 2;
    for (int sweep = 0; sweep < jacobi_sweeps && !converged; ++sweep) {
      for (steps.begin = 0; steps.begin < even - 1; ++steps.begin) {
        kernels.rotate.launch(order, groups(even / 2 * batches), arguments, where);
      }
      converged = told.get(where) == 0;
      if (!converged) told.set(0, where);
    }
  }

  if (what.hermitian) {
    add_product(order, products->matrix, copies->matrix, v, 1, false, where);
    set_sides(steps.c, products->matrix);
  }
  steps.begin = 0;
  steps.flags = what.hermitian ? 1 : 0;
  steps.rows = what.hermitian ? n : m;
  const factor_matrix<Port>& measured = what.hermitian ? v : a;
  set_sides(steps.b, measured);
  const kernel_argument measures[]{
      handle_argument(values_at), handle_argument(lengths_at), handle_argument(measured.memory.memory),
      handle_argument(what.hermitian ? products->matrix.memory.memory : a.memory.memory), given};
  kernels.values.launch(order, groups(n * batches), measures, where);
  if (by_library) by_library->give_values(order, values_at, real, where);
  const kernel_argument ordered[]{handle_argument(what.values), handle_argument(places_at), handle_argument(values_at),
                                  handle_argument(exponents_at), given};
  steps.a[0] = 0;
  kernels.order.launch(order, threads_for(n * batches), ordered, where);
  const auto collect = [&](const factor_matrix<Port>& to, const factor_matrix<Port>& from) {
    steps.rows = from.rows;
    steps.flags = to.conjugated ? 1 : 0;
    set_sides(steps.a, to);
    set_sides(steps.b, from);
    const kernel_argument arguments[]{handle_argument(to.memory.memory), handle_argument(from.memory.memory),
                                      handle_argument(places_at), handle_argument(lengths_at), given};
    kernels.collect.launch(order, threads_for(from.rows * n * batches), arguments, where);
  };
  if (what.hermitian) {
    collect(what.right, v);
  } else {
    collect(what.left, a);
    steps.columns = what.left.columns;
    steps.count = n;
    set_sides(steps.a, what.left);
    steps.b[0] = 0;
    const kernel_argument arguments[]{handle_argument(what.left.memory.memory), handle_argument(what.values), given};
    kernels.complete.launch(order, groups(batches), arguments, where);
    // Rotations keep the lengths of these columns, but for rounding.
    steps.columns = n;
    steps.rows = n;
    set_sides(steps.b, v);
    set_sides(steps.c, v);
    steps.flags = 0;
    const kernel_argument again[]{handle_argument(values_at), handle_argument(lengths_at),
                                  handle_argument(v.memory.memory), handle_argument(v.memory.memory), given};
    kernels.values.launch(order, groups(n * batches), again, where);
    collect(by_library ? what.right.conjugate() : what.right, v);
  }
  run_report(order, a.kind, told_words, {infos_at, 0, 1}, batches, 2, where);
  found = told.get(where);
  if (found == 0 && !converged) found = 2;
}

extern template YOKE_API void run_jacobi(const stream<any_port>&, const jacobi_task<any_port>&, int&,
                                         const source_location&);

}  // namespace yoke::inline v0_1::detail

#if defined(YOKE_IMPLEMENTATION)
#include <yoke/linalg/jacobi_run.ipp>
#endif

#endif
