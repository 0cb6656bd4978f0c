// SPDX-License-Identifier: MIT
// Reduces rows of elements, one of each rank, by one kernel, in the order of the ranks.
#ifndef YOKE_LOCAL_COMBINE_RUN_HPP
#define YOKE_LOCAL_COMBINE_RUN_HPP

#include <yoke/algorithm/index_kernel.hpp>
#include <yoke/distributed/operators.hpp>

namespace yoke::inline v0_1::detail {

/// Elements that ranks reduce: numbers, but no bools.
template <class T>
concept rank_number = number_element<T> && !std::same_as<T, bool>;
/// Whether ranks reduce elements by an operator: complex numbers have no order.
template <class T, class Op>
concept reduced_by_ranks =
    plain_operator<Op> && rank_number<T> &&
    (!complex_element<T> || (Op::number != rank_operator::smallest && Op::number != rank_operator::largest));

/// A context stores the kernels under its address.
inline constexpr char combine_kernels_kept = 0;
[[nodiscard]] YOKE_API std::string combine_source(value_kind kind, rank_operator by);

/// Effects: enqueues the kernel that reduces `rows` rows of `count` elements, which begin where `from` does. Throws:
/// `error`. Requires: `from.first` is 0.
template <class Order>
void run_combine(const Order& order, value_kind kind, rank_operator by, const sort_memory<port_of_order<Order>>& to,
                 const sort_memory<port_of_order<Order>>& from, std::int64_t rows, std::int64_t count,
                 const source_location& where) {
  if (count == 0) return;
  argument_list<5> arguments;
  arguments.add_memory(to.memory);
  arguments.add_memory(from.memory);
  arguments.add_number(to.first);
  arguments.add_number(rows);
  arguments.add_number(count);
  const std::size_t form = static_cast<std::size_t>(kind) << 4U | static_cast<std::size_t>(by);
  run_index_kernel(
      order, &combine_kernels_kept, form, "yoke_b_combine", [&] { return combine_source(kind, by); }, nullptr,
      threads_for(count), arguments.get(), where);
}

extern template YOKE_API void run_combine(const stream<any_port>&, value_kind, rank_operator,
                                          const sort_memory<any_port>&, const sort_memory<any_port>&, std::int64_t,
                                          std::int64_t, const source_location&);

}  // namespace yoke::inline v0_1::detail

#if defined(YOKE_IMPLEMENTATION)
#include <yoke/local/combine_run.ipp>
#endif

#endif
