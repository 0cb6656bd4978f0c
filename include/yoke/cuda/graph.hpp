// SPDX-License-Identifier: MIT
// Graphs under CUDA's own names, and what only CUDA's driver tells of them.
#ifndef YOKE_CUDA_GRAPH_HPP
#define YOKE_CUDA_GRAPH_HPP

#include <yoke/cuda/names.hpp>
#include <yoke/graph/capture.hpp>
#include <yoke/graph/fill_node.hpp>
#include <yoke/graph/kernel_node.hpp>

#include <string>

namespace yoke::inline YOKE_ABI::cuda {

using graph = yoke::graph<port>;
using graph_recorder = yoke::graph_recorder<port>;
using graph_node = yoke::graph_node<port>;
using graph_executable = yoke::graph_executable<port>;
template <class Signature>
using kernel_node = yoke::kernel_node<Signature, port>;

/// The kind of a node.
using graph_node_type = abi::graph_node_type;

/// The number of the driver's nodes. One copy or fill may be several; a child graph is one.
/// Throws: `logic_error` when empty; `error`. Thread safety: one thread at a time for a graph. Wraps `cuGraphGetNodes`.
[[nodiscard]] inline std::size_t node_count(const graph& of,
                                            const source_location& where = source_location::current()) {
  return of.state(where)->port().node_count(of.native_handle(), where);
}
/// The number of dependencies between the driver's nodes. Throws, thread safety: as `node_count`. Wraps `cuGraphGetEdges`.
[[nodiscard]] inline std::size_t edge_count(const graph& of,
                                            const source_location& where = source_location::current()) {
  return of.state(where)->port().edge_count(of.native_handle(), where);
}
/// The kind of a node. Throws: `logic_error` when empty; `error`. Wraps `cuGraphNodeGetType`.
[[nodiscard]] inline graph_node_type type_of(const graph_node& node,
                                             const source_location& where = source_location::current()) {
  return node.port(where).type_of_node(node.native_handle(), where);
}
/// Writes a description of the graph for Graphviz: `dot -Tsvg graph.dot`.
/// Throws: `logic_error` when empty; `error` where the file cannot be written. Wraps `cuGraphDebugDotPrint`.
inline void write_dot(const graph& of, const std::string& path,
                      const source_location& where = source_location::current()) {
  of.state(where)->port().write_dot(of.native_handle(), path.c_str(), where);
}

}  // namespace yoke::inline YOKE_ABI::cuda

#endif
