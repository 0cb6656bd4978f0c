// SPDX-License-Identifier: MIT
// Body of driver/any/graphs.hpp: a table for each backend.
#ifndef YOKE_DRIVER_ANY_GRAPHS_IPP
#define YOKE_DRIVER_ANY_GRAPHS_IPP

#include <yoke/driver/any/graphs.hpp>

#include <yoke/driver/any/thunks.hpp>

namespace yoke::inline v0_1::detail {

template <class Port>
constexpr any_graph_operations make_graph_table() noexcept {
  any_graph_operations table{};
  YOKE_GRAPH_OPERATIONS(YOKE_ENTER, YOKE_ENTER_OR_DEFAULT)
  return table;
}

const any_graph_operations& graph_table_of(std::size_t backend) noexcept {
  static constexpr auto tables =
      of_each_backend([]<class Backend>(Backend) { return make_graph_table<typename Backend::port>(); });
  return tables[backend];
}

}  // namespace yoke::inline v0_1::detail

#endif
