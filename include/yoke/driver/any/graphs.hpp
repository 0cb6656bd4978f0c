// SPDX-License-Identifier: MIT
// Graphs of the port that is chosen at run time.
#ifndef YOKE_DRIVER_ANY_GRAPHS_HPP
#define YOKE_DRIVER_ANY_GRAPHS_HPP

#include <yoke/driver/any/handles.hpp>

namespace yoke::inline v0_1 {

/// A backend's operations of graphs for `any_port`. Only a program that has graphs links them.
struct any_graph_operations : any_handles {
  YOKE_GRAPH_OPERATIONS(YOKE_ANY_ENTRY, YOKE_ANY_ENTRY)
};

namespace detail {
/// Returns: the table of the backend at index `backend` in the list.
[[nodiscard]] YOKE_API const any_graph_operations& graph_table_of(std::size_t backend) noexcept;
}  // namespace detail

}  // namespace yoke::inline v0_1

#if defined(YOKE_IMPLEMENTATION)
#include <yoke/driver/any/graphs.ipp>
#endif

#endif
