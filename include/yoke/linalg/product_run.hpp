// SPDX-License-Identifier: MIT
// Runs products by own kernels, and makes products of arrays of any layout.
#ifndef YOKE_LINALG_PRODUCT_RUN_HPP
#define YOKE_LINALG_PRODUCT_RUN_HPP

#include <yoke/algorithm/libraries.hpp>
#include <yoke/array/expression/array_pass.hpp>
#include <yoke/array/reduction/reduction_run.hpp>
#include <yoke/linalg/product_library.hpp>
#include <yoke/linalg/product_source.hpp>

#include <optional>
#include <span>

namespace yoke::inline v0_1::detail {

/// The kernels of a form: three for packed panels, else one.
template <class Port>
struct product_kernels {
  product_kernels(const module<Port>& of, product_shape shape, const source_location& where)
      : multiply(of,
                 shape == product_shape::packed ? "yoke_l_packed"
                 : is_tiled(shape)              ? "yoke_l_tiled"
                                                : "yoke_l_direct",
                 where) {
    if (shape != product_shape::packed) return;
    pack_left.emplace(of, "yoke_l_pack_left", where);
    pack_right.emplace(of, "yoke_l_pack_right", where);
  }
  text_kernel<Port> multiply;
  std::optional<text_kernel<Port>> pack_left{}, pack_right{};
};
/// A context stores the kernels under its address.
inline constexpr char product_kernels_kept = 0;

/// Returns: the shape of the kernel for a product.
template <class Order>
[[nodiscard]] product_shape shape_for_product(const Order& order, const product<port_of_order<Order>>& of,
                                              const source_location& where) {
  const value_kind sums = product_sums(of.to.kind);
  const bool packs = is_processor(order, where) && (sums == value_kind::float32 || sums == value_kind::float64);
  const product_shape wanted = wanted_product_shape();
  if (wanted == product_shape::packed) return packs ? wanted : product_shape::direct;
  if (wanted == product_shape::wide) return is_complex(sums) ? product_shape::tiled : wanted;
  if (wanted != product_shape::automatic) return wanted;
  if (packs) {
    const bool large = of.m >= 2 * packed_rows && of.n >= packed_columns(sums) && of.k >= 16;
    return large ? product_shape::packed : product_shape::direct;
  }
  if (is_processor(order, where)) return product_shape::direct;
  if (of.m < 32 || of.n < 32 || of.k < 8) return product_shape::direct;
  // Wide tiles are quicker once they are enough for all of a large device's processors.
  constexpr std::int64_t wide = product_tile(product_shape::wide);
  const bool fills = !is_complex(sums) && (of.m / wide) * (of.n / wide) * of.batches >= 100;
  return fills ? product_shape::wide : product_shape::tiled;
}

/// Effects: enqueues a copy of what a library's product adds to where it writes, unless both are the same elements.
template <class Order>
void copy_added(const Order& order, const product_matrix<port_of_order<Order>>& to,
                const product_matrix<port_of_order<Order>>& added, std::int64_t batches, std::int64_t rows,
                std::int64_t columns, library_type type, const source_location& where) {
  if (added.memory.memory == to.memory.memory && added.first == to.first && added.row == to.row &&
      added.column == to.column && added.batch == to.batch) {
    return;
  }
  const std::size_t element = library_type_bytes(type);
  const std::size_t extents[]{static_cast<std::size_t>(batches), static_cast<std::size_t>(rows),
                              static_cast<std::size_t>(columns)};
  const auto bytes = static_cast<std::ptrdiff_t>(element);
  const std::ptrdiff_t written[]{to.batch * bytes, to.row * bytes, to.column * bytes};
  const std::ptrdiff_t read[]{added.batch * bytes, added.row * bytes, added.column * bytes};
  copy_on_device(order, to.memory, added.memory,
                 merge_copy({extents, written, 3}, static_cast<std::size_t>(to.first) * element, {extents, read, 3},
                            static_cast<std::size_t>(added.first) * element, element),
                 where);
}
/// Returns: the bytes from a matrix's first element to its last one. `rows`, `columns`: before it is transposed.
[[nodiscard]] constexpr std::size_t library_matrix_bytes(const library_matrix& of, std::int64_t rows,
                                                         std::int64_t columns, std::int64_t batches,
                                                         library_type type) noexcept {
  const std::int64_t line = of.transposed ? columns : rows;
  const std::int64_t lines = of.transposed ? rows : columns;
  return static_cast<std::size_t>((batches - 1) * of.batch + (lines - 1) * of.leading + line) *
         library_type_bytes(type);
}
/// Effects: lets a library make a product like another one of memory that nobody reads, and waits for it: it loads its
/// kernels at their first use, which a capture does not allow. Throws: `error`.
template <class Port>
void try_library_product(const context<Port>& in, const device<Port>& on, math_libraries& by, library_product like,
                         const source_location& where) {
  const stream<Port> order(in, on, {}, where);
  const std::int64_t batches = like.batches;
  const auto room = [&](library_matrix& of, std::int64_t rows, std::int64_t columns, library_type type) {
    temporary_memory<stream<Port>> made(order, library_matrix_bytes(of, rows, columns, batches, type), where);
    of.address = number_of_handle(made.get().native_handle());
    return made;
  };
  const auto to = room(like.to, like.m, like.n, like.result);
  const auto left = room(like.left, like.m, like.k, like.operands);
  const auto right = room(like.right, like.k, like.n, like.operands);
  const temporary_memory<stream<Port>> workspace(order, by.product_workspace(), where);
  (void)by.multiply(number_of_handle(order.native_handle()), like, number_of_handle(workspace.get().native_handle()),
                    where);
  order.synchronize(where);
}
/// Effects: records a product by a library as one node. Returns: false, with nothing recorded, if own kernels must do it.
/// Throws: `error` of the graph.
template <class Order>
[[nodiscard]] bool record_library_product(const Order& order, math_libraries& by, const library_product& of,
                                          std::uint64_t workspace, const source_location& where) {
  using Port = port_of_order<Order>;
  std::uintptr_t made = 0;
  try {
    made = by.record(of, workspace, where);
  } catch (const error&) {
    try {
      try_library_product(order.context_of(), order.device_of(where), by, of, where);
      made = by.record(of, workspace, where);
    } catch (const error&) {
      return false;
    }
  }
  if (made == 0) return false;
  order.add_graph(handle_of_number<typename Port::graph_handle>(made), where);
  return true;
}
/// Effects: enqueues a product by a vendor's library. Returns: false, with nothing enqueued, if it must be done by own
/// kernels. Requires, throws: as `run_product`.
template <class Order>
[[nodiscard]] bool run_library_product(const Order& order, const product<port_of_order<Order>>& of,
                                       const source_location& where) {
  if constexpr (is_a_stream<Order> || takes_library_graphs<Order>) {
    placed_product made;
    if (of.m * of.n * of.k * of.batches < least_library_work() || !set_library_product(made, of)) return false;
    math_libraries* by = nullptr;
    if constexpr (is_a_stream<Order>) {
      by = library_for(order, math_family::products, where);
    } else {
      by = recording_library_for(order, math_family::products, where);
    }
    if (by == nullptr) return false;
    const std::uint64_t operand = library_type_bytes(made.operands);
    const auto address = [](const auto& side, std::uint64_t bytes) {
      return number_of_handle(side.memory.memory) + static_cast<std::uint64_t>(side.first) * bytes;
    };
    made.to.address = address(of.to, library_type_bytes(made.result));
    made.left.address = address(made.exchanged ? of.right : of.left, operand);
    made.right.address = address(made.exchanged ? of.left : of.right, operand);
    if (of.adds) copy_added(order, of.to, of.added, of.batches, of.m, of.n, made.result, where);
    const temporary_memory<Order> workspace(order, by->product_workspace(), where);
    const std::uint64_t work = number_of_handle(workspace.get().native_handle());
    if constexpr (is_a_stream<Order>) {
      return by->multiply(number_of_handle(order.native_handle()), made, work, where);
    } else {
      return record_library_product(order, *by, made, work, where);
    }
  } else {
    return false;
  }
}

/// Effects: enqueues a product, by a library where there is one, else by own kernels. There each element is a chain of
/// fused terms in the order of k, in parts of 512 that are added in order, whatever the device, layout and shape of the
/// kernel.
/// Requires: memory of the order's context that the order may use, no element of the destination among the operands,
/// and at least one element in the destination. Throws: `error`.
template <class Order>
void run_product(const Order& order, const product<port_of_order<Order>>& of, const source_location& where) {
  using Port = port_of_order<Order>;
  if (run_library_product(order, of, where)) return;
  const context<Port>& in = order.context_of();
  const value_kind sums = product_sums(of.to.kind);
  const product_kernel_form form{.shape = shape_for_product(order, of, where),
                                 .to = of.to.kind,
                                 .left = of.left.kind,
                                 .right = of.right.kind,
                                 .left_conjugated = of.left.conjugated,
                                 .right_conjugated = of.right.conjugated};
  const std::uint64_t key = static_cast<std::uint64_t>(form.to) | static_cast<std::uint64_t>(form.left) << 4U |
                            static_cast<std::uint64_t>(form.right) << 8U | (form.left_conjugated ? 1U << 12U : 0U) |
                            (form.right_conjugated ? 1U << 13U : 0U) | static_cast<std::uint64_t>(form.shape) << 14U;
  const bool packs = form.shape == product_shape::packed;
  auto& kept = in.state(where).attached.template get_at<once_map<product_kernels<Port>>>(&product_kernels_kept);
  const product_kernels<Port>& run = kept.find_or_make(key, [&] {
    compile_options options{.name = "yoke product", .math = exact_sums};
    options.portable = !packs;
    return product_kernels<Port>(compile_task(in, product_source(form), options, nullptr, where), form.shape, where);
  });

  product_steps steps{.m = of.m,
                      .n = of.n,
                      .k = of.k,
                      .batches = of.batches,
                      .to = {of.to.first, of.to.row, of.to.column, of.to.batch},
                      .added = {of.added.first, of.added.row, of.added.column, of.added.batch},
                      .left = {of.left.first, of.left.row, of.left.column, of.left.batch},
                      .right = {of.right.first, of.right.row, of.right.column, of.right.batch},
                      .scales = of.alpha.is(1) ? 0 : 1,
                      .adds = of.adds ? 1 : 0};
  const product_number alpha = product_number_of(sums, of.alpha);
  const product_number beta = product_number_of(sums, of.beta);
  const kernel_argument given_steps{argument_kind::value, &steps, sizeof steps};
  const auto multiply = [&](const launch_shape& threads, const typename Port::memory_handle& left,
                            const typename Port::memory_handle& right) {
    const kernel_argument arguments[]{handle_argument(of.to.memory.memory),
                                      handle_argument(of.adds ? of.added.memory.memory : of.to.memory.memory),
                                      handle_argument(left),
                                      handle_argument(right),
                                      {argument_kind::value, alpha.bytes, alpha.size},
                                      {argument_kind::value, beta.bytes, beta.size},
                                      given_steps};
    run.multiply.launch(order, threads, arguments, where);
  };
  const auto over = [](std::int64_t size, std::int64_t part) { return (size - 1) / part + 1; };
  const std::int64_t rows = over(of.m, packed_rows);
  const std::int64_t columns = over(of.n, packed_columns(sums));
  if (packs && of.k != 0) {
    const std::int64_t chains = over(of.k, product_chain);
    const std::size_t number = alpha.size;
    const auto bytes = [&](std::int64_t panels, std::int64_t width) {
      return static_cast<std::size_t>(of.batches * panels * of.k * width) * number;
    };
    const temporary_memory<Order> left(order, bytes(rows, packed_rows), where);
    const temporary_memory<Order> right(order, bytes(columns, packed_columns(sums)), where);
    const typename Port::memory_handle left_panels = left.get().native_handle();
    const typename Port::memory_handle right_panels = right.get().native_handle();
    const kernel_argument pack_left[]{handle_argument(left_panels), handle_argument(of.left.memory.memory),
                                      given_steps};
    const kernel_argument pack_right[]{handle_argument(right_panels), handle_argument(of.right.memory.memory),
                                       given_steps};
    run.pack_left->launch(order, launch_over(rows * chains * of.batches, 1), pack_left, where);
    run.pack_right->launch(order, launch_over(columns * chains * of.batches, 1), pack_right, where);
    return multiply(launch_over(rows * columns * of.batches, 1), left_panels, right_panels);
  }
  if (is_tiled(form.shape)) {
    const std::int64_t tile = product_tile(form.shape);
    const std::int64_t tiles = over(of.m, tile) * over(of.n, tile) * of.batches;
    return multiply(launch_over(tiles * 256, 256), of.left.memory.memory, of.right.memory.memory);
  }
  multiply(packs ? launch_over(rows * columns * of.batches, 1) : threads_for(of.m * of.n * of.batches),
           of.left.memory.memory, of.right.memory.memory);
}

/// An array as an operand of a product.
template <class Port>
struct product_operand {
  array_memory<Port> memory{};
  byte_layout side{};
  value_kind kind{};
  bool conjugated = false;
};
/// The factors of a product, and the array that is added to it.
template <class Port>
struct product_terms {
  product_factor alpha{}, beta{};
  std::optional<product_operand<Port>> added{};
};

/// Effects: enqueues a product of arrays of any layout. The result goes through a temporary where the destination
/// shares bytes with an operand, or its strides are not whole elements. Requires: shapes that fit, operands with
/// whole strides. Throws: `logic_error` for memory that the order cannot use and a destination that repeats elements;
/// `error`.
template <class Order>
void run_product_of(const Order& order, const product_form& form, const product_operand<port_of_order<Order>>& to,
                    const product_operand<port_of_order<Order>>& left,
                    const product_operand<port_of_order<Order>>& right,
                    const product_terms<port_of_order<Order>>& terms, const source_location& where) {
  using Port = port_of_order<Order>;
  operation_memory operation(order);
  check_memory(operation, to.memory, memory_use::writes, "destination", where);
  check_writable(to.side, where);
  check_memory(operation, left.memory, memory_use::reads, "left operand", where);
  check_memory(operation, right.memory, memory_use::reads, "right operand", where);
  const product_operand<Port>* const added = terms.added ? &*terms.added : nullptr;
  if (added != nullptr) check_memory(operation, added->memory, memory_use::reads, "added array", where);
  const product_plan plan =
      plan_product(form, to.side, added == nullptr ? nullptr : &added->side, left.side, right.side);
  if (plan.empty()) return;
  const Port& port = order.context_of().port(where);
  const auto shares = [&](const product_operand<Port>& with) {
    return may_share(port, to.memory, to.side.first, to.side.end, with.memory, with.side.first, with.side.end);
  };
  // The same elements in the same order are safe: each is read before it is written.
  const auto is_same = [&](const product_operand<Port>& with) {
    const byte_layout& own = to.side;
    return with.memory.memory == to.memory.memory && with.side.offset == own.offset &&
           std::equal(own.axes.strides, own.axes.strides + own.axes.rank, with.side.axes.strides);
  };
  if (shares(left) || shares(right) || !has_whole_strides(to.side) ||
      (added != nullptr && shares(*added) && !is_same(*added))) {
    const dense_axes dense(to.side.axes, to.side.element);
    const temporary_memory<Order> between(order, to.side.bytes(), where);
    const product_operand<Port> made{memory_of(between.get()), byte_layout(dense.axes(), to.side.element), to.kind};
    const merged_copy back = merge_copy(to.side.axes, to.side.offset, dense.axes(), 0, to.side.element);
    run_product_of(order, form, made, left, right, terms, where);
    return copy_on_device(order, to.memory, made.memory, back, where);
  }

  product<Port> of{.m = plan.m, .n = plan.n, .k = plan.k};
  const product_operand<Port>* const given[]{&to, added == nullptr ? &to : added, &left, &right};
  product_matrix<Port>* const sides[]{&of.to, &of.added, &of.left, &of.right};
  const std::size_t last = plan.batch_axes;
  for (std::size_t each = 0; each < product_plan::sides; ++each) {
    product_matrix<Port>& side = *sides[each];
    side.memory = given[each]->memory;
    side.kind = given[each]->kind;
    side.conjugated = given[each]->conjugated && is_complex(side.kind);
    side.first = plan.first[each];
    side.row = plan.row[each];
    side.column = plan.column[each];
    side.batch = last == 0 ? 0 : plan.strides[each][last - 1];
  }
  of.batches = last == 0 ? 1 : plan.extents[last - 1];
  of.alpha = terms.alpha;
  of.beta = terms.beta;
  of.adds = added != nullptr && !terms.beta.is(0);
  // One product for each batch of the axes before the last.
  std::int64_t at[max_array_rank]{};
  for (;;) {
    run_product(order, of, where);
    std::size_t axis = last;
    for (;;) {
      if (axis < 2) return;
      axis = axis - 1;
      const std::size_t moved = axis - 1;
      const bool wraps = ++at[moved] == plan.extents[moved];
      for (std::size_t each = 0; each < product_plan::sides; ++each) {
        sides[each]->first += wraps ? (1 - plan.extents[moved]) * plan.strides[each][moved] : plan.strides[each][moved];
      }
      if (!wraps) break;
      at[moved] = 0;
    }
  }
}

extern template YOKE_API void run_product(const stream<any_port>&, const product<any_port>&, const source_location&);
extern template YOKE_API void run_product_of(const stream<any_port>&, const product_form&,
                                             const product_operand<any_port>&, const product_operand<any_port>&,
                                             const product_operand<any_port>&, const product_terms<any_port>&,
                                             const source_location&);

}  // namespace yoke::inline v0_1::detail

#if defined(YOKE_IMPLEMENTATION)
#include <yoke/linalg/product_run.ipp>
#endif

#endif
