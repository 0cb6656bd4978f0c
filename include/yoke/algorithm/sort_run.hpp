// SPDX-License-Identifier: MIT
// Sorts rows of device memory without gaps, by kernels that the context stores.
#ifndef YOKE_ALGORITHM_SORT_RUN_HPP
#define YOKE_ALGORITHM_SORT_RUN_HPP

#include <yoke/algorithm/sort_order.hpp>
#include <yoke/algorithm/sort_source.hpp>
#include <yoke/array/reduction/scan.hpp>
#include <yoke/array/storage/array_copy.hpp>

#include <optional>
#include <span>

namespace yoke::inline v0_1 {

namespace detail {

/// Elements in memory without gaps.
template <class Port>
struct sort_memory {
  typename Port::memory_handle memory{};
  std::int64_t first = 0;  ///< in elements
};
/// The sources and destinations of a sort. In place they are the same memory.
template <class Port>
struct sort_request {
  sort_order order;
  std::int64_t rows = 1;
  std::int64_t count = 0;       ///< elements of a row
  std::size_t value_bytes = 0;  ///< 0 without values, else 1, 2, 4 or 8
  bool numbers = false;         ///< values are the positions of keys in their row
  bool in_place = true;
  sort_memory<Port> from{}, to{}, values_from{}, values_to{};
};

/// The kernels of a form: three for tiles, two for tiles with look-back, else one.
template <class Port>
struct sort_kernels {
  sort_kernels(const module<Port>& of, const sort_form& form, const source_location& where)
      : first(of,
              form.use == sort_use::rows       ? "yoke_s_rows"
              : form.use == sort_use::one_tile ? "yoke_s_small"
              : form.look_back                 ? "yoke_s_histogram"
                                               : "yoke_s_count",
              where) {
    if (form.use != sort_use::tiles) return;
    move.emplace(of, form.look_back ? "yoke_s_sweep" : "yoke_s_scatter", where);
    if (!form.look_back) offsets.emplace(of, "yoke_s_offsets", where);
  }
  text_kernel<Port> first;
  std::optional<text_kernel<Port>> move{}, offsets{};
};
/// A context stores the kernels under its address.
inline constexpr char sort_kernels_kept = 0;
inline constexpr char gather_kernels_kept = 0;

/// Returns: the elements of a row that one thread sorts. CPUs take few tiles, because each tile has a table.
[[nodiscard]] constexpr std::int64_t serial_sort_tile(std::int64_t count) noexcept {
  const std::int64_t tiles = count <= 16384 ? 1 : count >= 64 * 16384 ? 64 : (count - 1) / 16384 + 1;
  return (count + tiles - 1) / tiles;
}

/// Effects: enqueues a copy of elements between two memories.
template <class Order>
void copy_sorted(const Order& order, const sort_memory<port_of_order<Order>>& to,
                 const array_memory<port_of_order<Order>>& from, std::int64_t count, std::size_t bytes,
                 const source_location& where) {
  const std::size_t extent[]{static_cast<std::size_t>(count)};
  const std::ptrdiff_t stride[]{static_cast<std::ptrdiff_t>(bytes)};
  const auto begin = static_cast<std::size_t>(to.first) * bytes;
  const array_memory<port_of_order<Order>> target{to.memory, begin + extent[0] * bytes, from.context, {}};
  copy_on_device(order, target, from, merge_copy({extent, stride, 1}, begin, {extent, stride, 1}, 0, bytes), where);
}

/// Effects: enqueues a stable sort of each row. Requires: memory of the order's context that the order may use.
/// Throws: `error`.
template <class Order>
void run_sort(const Order& order, const sort_request<port_of_order<Order>>& of, const source_location& where) {
  using Port = port_of_order<Order>;
  const std::int64_t all = of.rows * of.count;
  if (all == 0) return;
  const context<Port>& in = order.context_of();
  sort_form form{.key = of.order.bytes, .value = of.value_bytes, .real = of.order.real, .truth = of.order.truth};
  form.serial = serial_sort_allowed() && is_processor(order, where);
  const auto block_tile = static_cast<std::int64_t>(sort_tile(form.key, form.value));
  form.wide = all > narrow_limit() - block_tile;
  const std::int64_t tile = form.serial ? serial_sort_tile(of.count) : block_tile;
  if (of.count <= short_row && (form.serial || of.rows >= static_cast<std::int64_t>(sort_block))) {
    form.use = sort_use::rows;
  } else if (of.count <= tile) {
    form.use = sort_use::one_tile;
  }
  form.look_back = form.use == sort_use::tiles && !form.serial && !form.wide && of.count < most_look_back &&
                   looks_back(in, false, where);
  const std::uint64_t key = (form.truth ? 32'768U : 0U) | static_cast<std::uint64_t>(form.use) << 13U |
                            (form.look_back ? 4096U : 0U) | static_cast<std::uint64_t>(form.key) << 8U |
                            static_cast<std::uint64_t>(form.value) << 4U | (form.real ? 4U : 0U) |
                            (form.wide ? 2U : 0U) | (form.serial ? 1U : 0U);
  auto& kept = in.state(where).attached.template get_at<once_map<sort_kernels<Port>>>(&sort_kernels_kept);
  const sort_kernels<Port>& run = kept.find_or_make(key, [&] {
    return sort_kernels<Port>(compile_task(in, sort_source(form), {.name = "yoke sort"}, nullptr, where), form, where);
  });

  sort_steps steps{.rows = of.rows,
                   .count = of.count,
                   .tile = tile,
                   .from = of.from.first,
                   .to = of.to.first,
                   .values_from = of.values_from.first,
                   .values_to = of.values_to.first,
                   .flip = of.order.flip,
                   .infinity = of.order.infinity,
                   .first = of.order.first,
                   .last = of.order.last,
                   .numbers = of.numbers ? 1U : 0U,
                   .in_place = of.in_place ? 1U : 0U};
  steps.tiles = (of.count - 1) / steps.tile + 1;
  std::size_t block = form.serial ? 1 : sort_block;
  const auto launch = [&](const text_kernel<Port>& kernel, std::int64_t blocks, const sort_memory<Port>& from,
                          const sort_memory<Port>& to, const sort_memory<Port>& values_from,
                          const sort_memory<Port>& values_to, const typename Port::memory_handle& table) {
    steps.from = from.first;
    steps.to = to.first;
    steps.values_from = values_from.first;
    steps.values_to = values_to.first;
    const bool pairs = form.value != 0;
    const kernel_argument arguments[]{handle_argument(from.memory),
                                      handle_argument(to.memory),
                                      handle_argument(!pairs || steps.numbers != 0 ? to.memory : values_from.memory),
                                      handle_argument(pairs ? values_to.memory : to.memory),
                                      handle_argument(table),
                                      {argument_kind::value, &steps, sizeof steps}};
    kernel.launch(order, launch_over(static_cast<std::size_t>(blocks) * block, block), arguments, where);
  };
  const auto allocate = [&](std::size_t bytes) { return temporary_memory<Order>(order, bytes, where); };
  if (form.use == sort_use::rows) {
    block = row_block;
    return launch(run.first, (of.rows - 1) / static_cast<std::int64_t>(row_block) + 1, of.from, of.to, of.values_from,
                  of.values_to, of.to.memory);
  }
  if (form.use == sort_use::one_tile) {
    if (!form.serial) {
      return launch(run.first, of.rows, of.from, of.to, of.values_from, of.values_to, of.to.memory);
    }
    const auto spare = allocate(static_cast<std::size_t>(all) * (form.key + form.value));
    const typename Port::memory_handle memory = spare.get().native_handle();
    return launch(run.first, of.rows, of.from, of.to, of.values_from, of.values_to, memory);
  }
  const std::int64_t digits = of.rows * 256;
  const std::size_t word = form.wide ? 8 : 4;
  const std::uint32_t passes = (of.order.last - of.order.first + 7) / 8;
  const std::int64_t words =
      form.look_back ? sort_tickets + digits * passes * (steps.tiles + 1) : digits * (steps.tiles + 1);
  const auto table = allocate(static_cast<std::size_t>(words) * word);
  const auto spare = allocate(static_cast<std::size_t>(all) * form.key);
  const typename Port::memory_handle table_memory = table.get().native_handle();
  const sort_memory<Port> spare_keys{spare.get().native_handle(), 0};
  temporary_memory<Order> more;
  sort_memory<Port> spare_values{};
  if (form.value != 0) {
    more = allocate(static_cast<std::size_t>(all) * form.value);
    spare_values.memory = more.get().native_handle();
  }
  bool into_spare = of.in_place || passes % 2 == 0;
  sort_memory<Port> from = of.from;
  sort_memory<Port> values_from = of.values_from;
  steps.passes = passes;
  if (form.look_back) {
    fill(memory_of(table.get()).span(), std::byte{0}, order, where);
    const std::int64_t chunks = (of.count - 1) / (steps.tile * counted_tiles) + 1;
    launch(run.first, of.rows * chunks, from, of.to, values_from, of.values_to, table_memory);
  }
  for (std::uint32_t pass = 0; pass < passes; ++pass) {
    steps.pass = pass;
    steps.first = of.order.first + 8 * pass;
    const sort_memory<Port>& to = into_spare ? spare_keys : of.to;
    const sort_memory<Port>& values_to = into_spare ? spare_values : of.values_to;
    if (!form.look_back) {
      launch(run.first, of.rows * steps.tiles, from, to, values_from, values_to, table_memory);
      launch(*run.offsets, form.serial || steps.tiles <= few_tiles ? of.rows : digits, from, to, values_from, values_to,
             table_memory);
    }
    launch(*run.move, of.rows * steps.tiles, from, to, values_from, values_to, table_memory);
    from = to;
    values_from = values_to;
    steps.numbers = 0;
    into_spare = !into_spare;
  }
  if (into_spare) return;  // the last pass wrote to the destination
  copy_sorted(order, of.to, memory_of(spare.get()), all, form.key, where);
  if (form.value != 0) copy_sorted(order, of.values_to, memory_of(more.get()), all, form.value, where);
}

/// Effects: enqueues the kernel that takes elements by their positions in their rows. Units: offsets in bytes.
template <class Order>
void run_gather(const Order& order, const sort_memory<port_of_order<Order>>& to,
                const sort_memory<port_of_order<Order>>& from, std::size_t element,
                const sort_memory<port_of_order<Order>>& index, std::size_t index_bytes, std::int64_t rows,
                std::int64_t count, const source_location& where) {
  using Port = port_of_order<Order>;
  std::size_t word = 8;
  while ((element | static_cast<std::size_t>(to.first) | static_cast<std::size_t>(from.first)) % word != 0) word /= 2;
  const context<Port>& in = order.context_of();
  auto& kept = in.state(where).attached.template get_at<once_map<text_kernel<Port>>>(&gather_kernels_kept);
  const text_kernel<Port>& run = kept.find_or_make(word << 4U | index_bytes, [&] {
    return text_kernel<Port>(
        compile_task(in, gather_source(word, index_bytes), {.name = "yoke gather"}, nullptr, where), "yoke_s_gather",
        where);
  });
  const std::int64_t words[]{to.first / static_cast<std::int64_t>(word), from.first / static_cast<std::int64_t>(word),
                             count, rows * count, static_cast<std::int64_t>(element / word)};
  const auto number = [&](std::size_t k) { return kernel_argument{argument_kind::value, &words[k], sizeof words[k]}; };
  const kernel_argument arguments[]{handle_argument(to.memory),
                                    handle_argument(from.memory),
                                    handle_argument(index.memory),
                                    number(0),
                                    number(1),
                                    number(2),
                                    number(3),
                                    number(4)};
  run.launch(order, threads_for(words[3] * words[4]), arguments, where);
}

extern template YOKE_API void run_sort(const stream<any_port>&, const sort_request<any_port>&, const source_location&);
extern template YOKE_API void run_gather(const stream<any_port>&, const sort_memory<any_port>&,
                                         const sort_memory<any_port>&, std::size_t, const sort_memory<any_port>&,
                                         std::size_t, std::int64_t, std::int64_t, const source_location&);

}  // namespace detail

}  // namespace yoke::inline v0_1

#if defined(YOKE_IMPLEMENTATION)
#include <yoke/algorithm/sort_run.ipp>
#endif

#endif
