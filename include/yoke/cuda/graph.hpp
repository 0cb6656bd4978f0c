// SPDX-License-Identifier: MIT
// Graphs under CUDA's own names, and the queries that only CUDA's driver answers.
#ifndef YOKE_CUDA_GRAPH_HPP
#define YOKE_CUDA_GRAPH_HPP

#include <yoke/cuda/names.hpp>
#include <yoke/graph/capture.hpp>
#include <yoke/graph/condition_node.hpp>
#include <yoke/graph/fill_node.hpp>
#include <yoke/graph/kernel_node.hpp>

#include <cstdint>
#include <string>

namespace yoke::inline v0_1::cuda {

using graph = yoke::graph<port>;
using graph_recorder = yoke::graph_recorder<port>;
using graph_node = yoke::graph_node<port>;
using graph_executable = yoke::graph_executable<port>;
template <class Signature>
using kernel_node = yoke::kernel_node<Signature, port>;

/// The kind of a node.
using graph_node_type = abi::graph_node_type;

/// A condition of a graph that kernels set themselves, by `cudaGraphSetConditional(condition, value)`. Kernels take it
/// as `std::uint64_t`, and declare
/// `extern "C" __device__ __cudart_builtin__ void cudaGraphSetConditional(unsigned long long, unsigned int);`
/// A conditional node of the graph, or of the body that `recorder` records, takes it in place of memory, once. A
/// copyable value; it keeps nothing alive.
/// Requires: one conditional node uses it; else the graph cannot be instantiated.
class graph_condition {
 public:
  graph_condition() noexcept = default;
  /// A condition that each launch resets to `initial`. Throws: `logic_error` for an empty recorder, or one whose graph
  /// takes no command now; `unsupported_error` for a driver before 12.3; `error`. Wraps
  /// `cuGraphConditionalHandleCreate`.
  explicit graph_condition(const graph_recorder& recorder, std::uint32_t initial = 0,
                           const source_location& where = source_location::current()) {
    recorder.check_open(where);
    const auto& state = *recorder.use(where);
    state.port().check_condition(condition_kind::if_not_zero, 1, where);
    number_ = state.port().create_condition(state.in.native_handle(), state.native, initial, where);
  }
  /// The value that kernels get; 0 when empty.
  [[nodiscard]] std::uint64_t native_handle() const noexcept { return number_; }
  [[nodiscard]] explicit operator bool() const noexcept { return number_ != 0; }
  // For conditional nodes.
  [[nodiscard]] std::uint64_t number_for_graphs() const noexcept { return number_; }

 private:
  std::uint64_t number_ = 0;
};

/// The number of the driver's nodes. A copy or fill may be several nodes; a child graph is one.
/// Throws: `logic_error` when empty; `error`. Thread safety: one thread at a time for a graph. Wraps `cuGraphGetNodes`.
[[nodiscard]] inline std::size_t node_count(const graph& of,
                                            const source_location& where = source_location::current()) {
  return of.state(where)->port().node_count(of.native_handle(), where);
}
/// The number of dependencies between the driver's nodes. Throws, thread safety: as `node_count`. Wraps
/// `cuGraphGetEdges`.
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
/// Throws: `logic_error` when empty; `error` if the file cannot be written. Wraps `cuGraphDebugDotPrint`.
inline void write_dot(const graph& of, const std::string& path,
                      const source_location& where = source_location::current()) {
  of.state(where)->port().write_dot(of.native_handle(), path.c_str(), where);
}

}  // namespace yoke::inline v0_1::cuda

#endif
