// SPDX-License-Identifier: MIT
// Bodies of driver/cuda/graph/graph.hpp: captures, and what the driver tells of graphs.
#ifndef YOKE_DRIVER_CUDA_GRAPH_GRAPH_CAPTURE_IPP
#define YOKE_DRIVER_CUDA_GRAPH_GRAPH_CAPTURE_IPP

#include <yoke/driver/cuda/invoke.hpp>
#include <yoke/driver/cuda/port.hpp>

namespace yoke::inline v0_1::cuda {

void graph_functions::begin_capture(abi::stream stream, const source_location& where) const {
  detail::invoke<&abi::functions::stream_begin_capture>(table(), where, stream, abi::capture_mode::thread_local_);
}
abi::graph graph_functions::end_capture(abi::stream stream, const source_location& where) const {
  abi::graph graph = nullptr;
  detail::invoke<&abi::functions::stream_end_capture>(table(), where, stream, &graph);
  return graph;
}
void graph_functions::abandon_capture(abi::stream stream) const noexcept {
  abi::graph graph = nullptr;
  // An invalid capture ends with an error, which is no failure here.
  if (detail::call<&abi::functions::stream_end_capture>(table(), stream, &graph) == abi::success && graph != nullptr) {
    detail::report(release_graph(graph));
  }
}

std::size_t graph_functions::node_count(abi::graph graph, const source_location& where) const {
  std::size_t count = 0;
  detail::invoke<&abi::functions::graph_get_nodes>(table(), where, graph, static_cast<abi::graph_node*>(nullptr),
                                                   &count);
  return count;
}
std::size_t graph_functions::edge_count(abi::graph graph, const source_location& where) const {
  std::size_t count = 0;
  abi::graph_node* const none = nullptr;
  detail::invoke<&abi::functions::graph_get_edges>(table(), where, graph, none, none, &count);
  return count;
}
abi::graph_node_type graph_functions::type_of_node(abi::graph_node node, const source_location& where) const {
  abi::graph_node_type type{};
  detail::invoke<&abi::functions::graph_node_get_type>(table(), where, node, &type);
  return type;
}
void graph_functions::write_dot(abi::graph graph, const char* path, const source_location& where) const {
  detail::invoke<&abi::functions::graph_debug_dot_print>(table(), where, graph, path, abi::graph_dot_verbose);
}

}  // namespace yoke::inline v0_1::cuda

#endif
