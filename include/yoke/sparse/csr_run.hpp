// SPDX-License-Identifier: MIT
// Runs products of sparse matrices, by a library or by own kernels.
#ifndef YOKE_SPARSE_CSR_RUN_HPP
#define YOKE_SPARSE_CSR_RUN_HPP

#include <yoke/sparse/csr_library.hpp>
#include <yoke/sparse/csr_source.hpp>

namespace yoke::inline v0_1::detail {

/// A context stores the kernels under their addresses.
inline constexpr char csr_multiply_kept = 0;
inline constexpr char csr_check_kept = 0;
inline constexpr char csr_elements_kept = 0;

/// Returns: a kernel that the context stores under a name and a number; `source()` returns its text.
template <class Order, class Source>
const text_kernel<port_of_order<Order>>& csr_kernel(const Order& order, const void* name, std::uint64_t number,
                                                    const char* function, const Source& source,
                                                    const source_location& where) {
  using Port = port_of_order<Order>;
  const context<Port>& in = order.context_of();
  auto& kept = in.state(where).attached.template get_at<once_map<text_kernel<Port>>>(name);
  return kept.find_or_make(number, [&] {
    return text_kernel<Port>(compile_task(in, source(), {.name = "yoke sparse", .math = exact_sums}, nullptr, where),
                             function, where);
  });
}

/// Effects: enqueues a product of a sparse matrix, by a library where there is one, else by an own kernel. There a row
/// has 1, 8 or 32 sums, each a chain of fused terms in parts of 512 that are added in order, and the sums are added in
/// pairs: whatever the device.
/// Requires: memory of the order's context that the order may use, no element of the destination among the operands,
/// and at least one element in the destination. Throws: `error`.
template <class Order>
void run_csr_product(const Order& order, const csr_product<port_of_order<Order>>& of, const source_location& where) {
  using Port = port_of_order<Order>;
  if (run_library_csr(order, of, where)) return;
  const csr_operand<Port>& matrix = of.matrix;
  csr_kernel_form form{.product = {.to = of.to.kind,
                                   .left = matrix.kind,
                                   .right = of.dense.kind,
                                   .right_conjugated = of.dense.conjugated},
                       .wide = matrix.wide,
                       .has_places = matrix.has_places,
                       .lanes = csr_lanes(matrix.elements, matrix.rows)};
  // Many columns give enough threads, and neighbouring ones read neighbouring elements.
  const csr_shape wanted = wanted_csr_shape();
  const bool serial = is_processor(order, where);
  const bool apart = wanted == csr_shape::automatic ? of.columns < 8 && !serial : wanted == csr_shape::lanes;
  form.apart = apart && form.lanes > 1;
  form.serial = serial && !form.apart;
  if (form.serial) form.columns = of.columns == 1 ? 1 : of.columns < 4 ? 2 : of.columns < 8 ? 4 : 8;
  const std::uint64_t key =
      static_cast<std::uint64_t>(form.product.to) | static_cast<std::uint64_t>(form.product.left) << 4U |
      static_cast<std::uint64_t>(form.product.right) << 8U | (form.product.right_conjugated ? 1U << 12U : 0U) |
      (form.wide ? 1U << 13U : 0U) | (form.has_places ? 1U << 14U : 0U) | (form.apart ? 1U << 15U : 0U) |
      (form.serial ? 1U << 16U : 0U) | static_cast<std::uint64_t>(form.lanes) << 17U |
      static_cast<std::uint64_t>(form.columns) << 24U;
  const text_kernel<Port>& run = csr_kernel(
      order, &csr_multiply_kept, key, "yoke_c_multiply", [&] { return csr_multiply_source(form); }, where);
  const product_steps steps{
      .m = matrix.rows,
      .n = of.columns,
      .k = matrix.elements,
      .batches = 1,
      .to = {of.to.first, of.to.row, of.to.column, 0},
      .added = {of.added.first, of.added.row, of.added.column, 0},
      .left = {matrix.values.first, matrix.starts.first, matrix.columns.first, matrix.places.first},
      .right = {of.dense.first, of.dense.row, of.dense.column, 0},
      .scales = of.alpha.is(1) ? 0 : 1,
      .adds = of.adds ? 1 : 0};
  const value_kind sums = product_sums(of.to.kind);
  const product_number alpha = product_number_of(sums, of.alpha);
  const product_number beta = product_number_of(sums, of.beta);
  // A matrix without elements has no memory for them, and the kernel reads none.
  const auto memory_or_starts = [&](const csr_array<Port>& each) {
    return handle_argument(matrix.elements == 0 ? matrix.starts.memory.memory : each.memory.memory);
  };
  const kernel_argument arguments[]{handle_argument(of.to.memory.memory),
                                    handle_argument(of.adds ? of.added.memory.memory : of.to.memory.memory),
                                    handle_argument(matrix.starts.memory.memory),
                                    memory_or_starts(matrix.columns),
                                    memory_or_starts(matrix.has_places ? matrix.places : matrix.columns),
                                    memory_or_starts(matrix.values),
                                    handle_argument(of.dense.memory.memory),
                                    {argument_kind::value, alpha.bytes, alpha.size},
                                    {argument_kind::value, beta.bytes, beta.size},
                                    {argument_kind::value, &steps, sizeof steps}};
  const std::int64_t results = matrix.rows * of.columns;
  const std::int64_t own = 256 / form.lanes;
  constexpr std::int64_t most_groups = 512;
  const std::int64_t groups = (matrix.rows - 1) / 256 + 1;
  run.launch(order,
             form.apart    ? launch_over(((results - 1) / own + 1) * 256, 256)
             : form.serial ? launch_over(groups < most_groups ? groups : most_groups, 1)
                           : threads_for(results),
             arguments, where);
}

/// Which operand of a product the sparse matrix is.
enum class csr_side : bool { left, right };

/// Effects: enqueues a product with arrays of any layout. With `csr_side::right` the destination is that of `dense *
/// matrix`, and the matrix is given transposed. The result goes through a temporary where the destination shares bytes
/// with an operand, or its strides are not whole elements. Requires: shapes that fit, operands with whole strides.
/// Throws: `logic_error` for memory that the order cannot use and a destination that repeats elements; `error`.
template <class Order>
void run_csr_product_of(const Order& order, csr_side side, const product_operand<port_of_order<Order>>& to,
                        const csr_operand<port_of_order<Order>>& matrix,
                        const product_operand<port_of_order<Order>>& dense,
                        const product_terms<port_of_order<Order>>& terms, const source_location& where) {
  using Port = port_of_order<Order>;
  operation_memory operation(order);
  check_memory(operation, to.memory, memory_use::writes, "destination", where);
  check_writable(to.side, where);
  check_memory(operation, matrix.starts.memory, memory_use::reads, "array of starts", where);
  check_memory(operation, matrix.columns.memory, memory_use::reads, "columns", where);
  check_memory(operation, matrix.values.memory, memory_use::reads, "values", where);
  if (matrix.has_places) check_memory(operation, matrix.places.memory, memory_use::reads, "places", where);
  check_memory(operation, dense.memory, memory_use::reads, "dense operand", where);
  const product_operand<Port>* const added = terms.added ? &*terms.added : nullptr;
  if (added != nullptr) check_memory(operation, added->memory, memory_use::reads, "added array", where);
  if (volume(to.side.axes.extents, to.side.axes.rank) == 0) return;
  const Port& port = order.context_of().port(where);
  const auto shares = [&](const array_memory<Port>& with, std::size_t first, std::size_t end) {
    return may_share(port, to.memory, to.side.first, to.side.end, with, first, end);
  };
  const auto shares_operand = [&](const product_operand<Port>& with) {
    return shares(with.memory, with.side.first, with.side.end);
  };
  const auto shares_array = [&](const csr_array<Port>& with) { return shares(with.memory, 0, with.memory.bytes); };
  // The same elements in the same order are safe: each is read before it is written.
  const auto is_same = [&](const product_operand<Port>& with) {
    const byte_layout& own = to.side;
    return with.memory.memory == to.memory.memory && with.side.offset == own.offset &&
           std::equal(own.axes.strides, own.axes.strides + own.axes.rank, with.side.axes.strides);
  };
  if (shares_operand(dense) || shares_array(matrix.starts) ||
      (matrix.elements != 0 && (shares_array(matrix.columns) || shares_array(matrix.values))) ||
      !has_whole_strides(to.side) || (added != nullptr && shares_operand(*added) && !is_same(*added))) {
    const dense_axes packed(to.side.axes, to.side.element);
    const temporary_memory<Order> between(order, to.side.bytes(), where);
    const product_operand<Port> made{memory_of(between.get()), byte_layout(packed.axes(), to.side.element), to.kind};
    const merged_copy back = merge_copy(to.side.axes, to.side.offset, packed.axes(), 0, to.side.element);
    run_csr_product_of(order, side, made, matrix, dense, terms, where);
    return copy_on_device(order, to.memory, made.memory, back, where);
  }

  // A dense matrix on the left is read, and its product written, transposed.
  const auto placed = [&](const product_operand<Port>& of) {
    product_matrix<Port> made;
    made.memory = of.memory;
    made.kind = of.kind;
    made.conjugated = of.conjugated && is_complex(of.kind);
    const auto element = static_cast<std::ptrdiff_t>(of.side.element);
    const const_axes& axes = of.side.axes;
    made.first = static_cast<std::int64_t>(of.side.offset / of.side.element);
    const std::size_t rows = axes.rank == 2 && side == csr_side::right ? 1 : 0;
    made.row = static_cast<std::int64_t>(axes.strides[rows] / element);
    if (axes.rank == 2) made.column = static_cast<std::int64_t>(axes.strides[1 - rows] / element);
    return made;
  };
  csr_product<Port> of;
  of.matrix = matrix;
  if (to.side.axes.rank == 2) {
    of.columns = static_cast<std::int64_t>(to.side.axes.extents[side == csr_side::right ? 0 : 1]);
  }
  of.to = placed(to);
  of.dense = placed(dense);
  of.alpha = terms.alpha;
  of.beta = terms.beta;
  of.adds = added != nullptr && !terms.beta.is(0);
  of.added = placed(of.adds ? *added : to);
  run_csr_product(order, of, where);
}

/// Effects: enqueues the kernel that writes 1 to `found` where the starts or columns of a matrix are wrong.
template <class Order>
void run_csr_check(const Order& order, const csr_array<port_of_order<Order>>& found,
                   const csr_operand<port_of_order<Order>>& of, const source_location& where) {
  const std::int64_t numbers[]{of.starts.first, of.columns.first, of.rows, of.extent, of.elements};
  const auto number = [&](std::size_t k) {
    return kernel_argument{argument_kind::value, &numbers[k], sizeof numbers[k]};
  };
  const kernel_argument arguments[]{
      handle_argument(found.memory.memory),
      handle_argument(of.starts.memory.memory),
      handle_argument(of.elements == 0 ? of.starts.memory.memory : of.columns.memory.memory),
      number(0),
      number(1),
      number(2),
      number(3),
      number(4)};
  const auto& run = csr_kernel(
      order, &csr_check_kept, of.wide ? 1 : 0, "yoke_c_check", [&] { return csr_check_source(of.wide); }, where);
  run.launch(order, threads_for(of.rows + 1 > of.elements ? of.rows + 1 : of.elements), arguments, where);
}

/// Effects: enqueues the kernel that adds the elements of a matrix, or those on its diagonal, to an array. Requires: at
/// least one row and one element. Units of the strides: elements.
template <class Order>
void run_csr_elements(const Order& order, const csr_array<port_of_order<Order>>& to, std::int64_t row_stride,
                      std::int64_t column_stride, bool diagonal, const csr_operand<port_of_order<Order>>& of,
                      const source_location& where) {
  const product_steps steps{.m = of.rows,
                            .n = of.extent,
                            .k = of.elements,
                            .batches = 1,
                            .to = {to.first, row_stride, column_stride, 0},
                            .added = {},
                            .left = {of.values.first, of.starts.first, of.columns.first, 0},
                            .right = {},
                            .scales = 0,
                            .adds = 0};
  const kernel_argument arguments[]{handle_argument(to.memory.memory), handle_argument(of.starts.memory.memory),
                                    handle_argument(of.columns.memory.memory), handle_argument(of.values.memory.memory),
                                    kernel_argument{argument_kind::value, &steps, sizeof steps}};
  const std::uint64_t key = static_cast<std::uint64_t>(of.kind) << 2U | (of.wide ? 2U : 0U) | (diagonal ? 1U : 0U);
  const auto& run = csr_kernel(
      order, &csr_elements_kept, key, "yoke_c_elements",
      [&] { return csr_elements_source(of.kind, of.wide, diagonal); }, where);
  run.launch(order, threads_for(of.rows), arguments, where);
}

extern template YOKE_API void run_csr_product(const stream<any_port>&, const csr_product<any_port>&,
                                              const source_location&);
extern template YOKE_API void run_csr_product_of(const stream<any_port>&, csr_side, const product_operand<any_port>&,
                                                 const csr_operand<any_port>&, const product_operand<any_port>&,
                                                 const product_terms<any_port>&, const source_location&);
extern template YOKE_API void run_csr_check(const stream<any_port>&, const csr_array<any_port>&,
                                            const csr_operand<any_port>&, const source_location&);
extern template YOKE_API void run_csr_elements(const stream<any_port>&, const csr_array<any_port>&, std::int64_t,
                                               std::int64_t, bool, const csr_operand<any_port>&,
                                               const source_location&);

}  // namespace yoke::inline v0_1::detail

#if defined(YOKE_IMPLEMENTATION)
#include <yoke/sparse/csr_run.ipp>
#endif

#endif
