// SPDX-License-Identifier: MIT
// The CUDA port's graphs: their nodes and executables.
#ifndef YOKE_DRIVER_CUDA_GRAPH_GRAPH_HPP
#define YOKE_DRIVER_CUDA_GRAPH_GRAPH_HPP

#include <yoke/driver/cuda/facet.hpp>

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

namespace yoke::inline v0_1::cuda {

struct launch_shape;
namespace detail {
struct kernel_record;
}

/// A part of `port`. The driver copies the parameters of nodes; memory, kernels and host functions have to outlive the
/// executables.
class graph_functions : public facet<graph_functions> {
 public:
  using graph_handle = abi::graph;
  using node_handle = abi::graph_node;
  using executable_handle = abi::graph_exec;
  using nodes = std::span<const node_handle>;

  YOKE_API abi::graph create_graph(abi::context context, const source_location& where) const;
  YOKE_API release_result release_graph(abi::graph graph) const noexcept;

  YOKE_API abi::graph_node record_kernel(abi::context context, abi::graph graph, nodes after,
                                         detail::kernel_record* kernel, const launch_shape& shape,
                                         const device_limits& limits, std::span<const kernel_argument> arguments,
                                         const source_location& where) const;
  YOKE_API abi::graph_node record_write(abi::context context, abi::graph graph, nodes after,
                                        abi::device_pointer destination, const box_side& to, const void* source,
                                        const box_side& from, const box_size& box, const source_location& where) const;
  YOKE_API abi::graph_node record_read(abi::context context, abi::graph graph, nodes after, abi::device_pointer source,
                                       const box_side& from, void* destination, const box_side& to, const box_size& box,
                                       const source_location& where) const;
  YOKE_API abi::graph_node record_copy(abi::context context, abi::graph graph, nodes after, abi::device_pointer source,
                                       const box_side& from, abi::device_pointer destination, const box_side& to,
                                       const box_size& box, const source_location& where) const;
  /// A pattern of unequal words becomes one node for each word, and a join, because a memset node writes at most four
  /// bytes.
  YOKE_API abi::graph_node record_fill(abi::context context, abi::graph graph, nodes after,
                                       abi::device_pointer destination, std::size_t offset, const void* pattern,
                                       std::size_t pattern_bytes, std::size_t count,
                                       const source_location& where) const;
  /// Throws: `unsupported_error` before CUDA 12.3, and for a second body or a choice by number before 12.8.
  YOKE_API void check_condition(condition_kind kind, std::size_t bodies, const source_location& where) const;
  /// Returns: the handle that kernels pass to `cudaGraphSetConditional`; each launch begins with `initial`.
  YOKE_API std::uint64_t create_condition(abi::context context, abi::graph graph, std::uint32_t initial,
                                          const source_location& where) const;
  YOKE_API recorded_condition record_condition(abi::context context, abi::graph graph, nodes after,
                                               std::uint64_t condition, condition_kind kind, std::size_t bodies,
                                               abi::device_pointer value, std::size_t offset,
                                               const source_location& where) const;
  YOKE_API abi::graph_node record_join(abi::graph graph, nodes after, const source_location& where) const;
  /// Removes a node. `is_join`: the node is only a join.
  YOKE_API release_result discard_node(abi::graph graph, abi::graph_node node, bool is_join) const noexcept;
  /// The node holds a copy of the child.
  YOKE_API abi::graph_node record_graph(abi::graph graph, nodes after, abi::graph child,
                                        const source_location& where) const;
  YOKE_API abi::graph_node record_host_function(abi::graph graph, nodes after, abi::host_function function, void* data,
                                                const source_location& where) const;

  YOKE_API abi::graph_node record_mem_ops(abi::context context, abi::graph graph, nodes after,
                                          std::span<const abi::mem_op_params> operations,
                                          const source_location& where) const;

  /// Events have to outlive the executables.
  YOKE_API abi::graph_node record_event_node(abi::graph graph, nodes after, abi::event event,
                                             const source_location& where) const;
  YOKE_API abi::graph_node record_wait_node(abi::graph graph, nodes after, abi::event event,
                                            const source_location& where) const;

  YOKE_API abi::graph_exec instantiate(abi::context context, abi::graph graph, const source_location& where) const;
  YOKE_API release_result release_executable(abi::graph_exec executable) const noexcept;
  YOKE_API void launch_graph(abi::graph_exec executable, abi::stream stream, const source_location& where) const;
  YOKE_API void upload_graph(abi::graph_exec executable, abi::stream stream, const source_location& where) const;
  YOKE_API std::string update_executable(abi::context context, abi::graph_exec executable, abi::graph graph,
                                         const source_location& where) const;
  YOKE_API void set_kernel(abi::context context, abi::graph_exec executable, abi::graph_node node, abi::kernel kernel,
                           const launch_shape& shape, const device_limits& limits,
                           std::span<const kernel_argument> arguments, const source_location& where) const;
  YOKE_API void set_write(abi::context context, abi::graph_exec executable, abi::graph_node node,
                          abi::device_pointer destination, std::size_t offset, const void* source, std::size_t bytes,
                          const source_location& where) const;
  YOKE_API void set_read(abi::context context, abi::graph_exec executable, abi::graph_node node,
                         abi::device_pointer source, std::size_t offset, void* destination, std::size_t bytes,
                         const source_location& where) const;
  YOKE_API void set_copy(abi::context context, abi::graph_exec executable, abi::graph_node node,
                         abi::device_pointer source, std::size_t source_offset, abi::device_pointer destination,
                         std::size_t destination_offset, std::size_t bytes, const source_location& where) const;
  YOKE_API void set_fill(abi::context context, abi::graph_exec executable, abi::graph_node node,
                         abi::device_pointer destination, std::size_t offset, const void* pattern,
                         std::size_t pattern_bytes, std::size_t count, const source_location& where) const;
  YOKE_API void enable_node(abi::graph_exec executable, abi::graph_node node, bool enabled,
                            const source_location& where) const;

  [[nodiscard]] YOKE_API std::size_t node_count(abi::graph graph, const source_location& where) const;
  [[nodiscard]] YOKE_API std::size_t edge_count(abi::graph graph, const source_location& where) const;
  [[nodiscard]] YOKE_API abi::graph_node_type type_of_node(abi::graph_node node, const source_location& where) const;
  YOKE_API void write_dot(abi::graph graph, const char* path, const source_location& where) const;
};

}  // namespace yoke::inline v0_1::cuda

#if defined(YOKE_IMPLEMENTATION)
#include <yoke/driver/cuda/graph/graph.ipp>
#endif

#endif
