// SPDX-License-Identifier: MIT
// The OpenCL port's graphs: recorded calls, which a launch makes one by one in the order of their recording.
#ifndef YOKE_DRIVER_OPENCL_GRAPH_GRAPH_HPP
#define YOKE_DRIVER_OPENCL_GRAPH_GRAPH_HPP

#include <yoke/core/shared.hpp>
#include <yoke/driver/image_types.hpp>
#include <yoke/driver/opencl/facet.hpp>
#include <yoke/driver/opencl/program/kernel_clones.hpp>
#include <yoke/driver/opencl/program/launch_shape.hpp>

namespace yoke::inline v0_1::opencl {

struct recorded_graph;
struct recorded_node;
struct recorded_executable;

/// A command of the caller's own in a graph: a launch calls `run`.
class recorded_call {
 public:
  recorded_call() = default;
  recorded_call(const recorded_call&) = delete;
  recorded_call& operator=(const recorded_call&) = delete;
  virtual ~recorded_call() = default;
  /// Effects: enqueues the command. Throws: `error`.
  virtual void run(abi::queue stream, const source_location& where) const = 0;
};

/// A part of `port`. Graphs and executables retain buffers and kernels; host memory has to outlive the launches. Nodes
/// run in the order of their recording, so a node's predecessors always come first.
class graph_functions : public facet<graph_functions> {
 public:
  using graph_handle = recorded_graph*;
  using node_handle = recorded_node*;
  using executable_handle = recorded_executable*;
  using nodes = std::span<const node_handle>;

  YOKE_API graph_handle create_graph(abi::context context, const source_location& where) const;
  YOKE_API release_result release_graph(graph_handle graph) const noexcept;
  YOKE_API node_handle record_kernel(abi::context context, graph_handle graph, nodes after, kernel_clones* kernel,
                                     const launch_shape& shape, const device_limits& limits,
                                     std::span<const kernel_argument> arguments, const source_location& where) const;
  YOKE_API node_handle record_write(abi::context context, graph_handle graph, nodes after, abi::memory destination,
                                    const box_side& to, const void* source, const box_side& from, const box_size& box,
                                    const source_location& where) const;
  YOKE_API node_handle record_read(abi::context context, graph_handle graph, nodes after, abi::memory source,
                                   const box_side& from, void* destination, const box_side& to, const box_size& box,
                                   const source_location& where) const;
  YOKE_API node_handle record_copy(abi::context context, graph_handle graph, nodes after, abi::memory source,
                                   const box_side& from, abi::memory destination, const box_side& to,
                                   const box_size& box, const source_location& where) const;
  YOKE_API node_handle record_fill(abi::context context, graph_handle graph, nodes after, abi::memory destination,
                                   std::size_t offset, const void* pattern, std::size_t pattern_bytes,
                                   std::size_t count, const source_location& where) const;
  YOKE_API node_handle record_write_image(abi::context context, graph_handle graph, nodes after,
                                          abi::memory destination, const image_box& to, const void* source,
                                          const box_side& from, const source_location& where) const;
  YOKE_API node_handle record_read_image(abi::context context, graph_handle graph, nodes after, abi::memory source,
                                         const image_box& from, void* destination, const box_side& to,
                                         const source_location& where) const;
  YOKE_API node_handle record_copy_image(abi::context context, graph_handle graph, nodes after, abi::memory source,
                                         const image_box& from, abi::memory destination, const image_box& to,
                                         const source_location& where) const;
  YOKE_API node_handle record_copy_to_image(abi::context context, graph_handle graph, nodes after, abi::memory source,
                                            const box_side& from, abi::memory destination, const image_box& to,
                                            const source_location& where) const;
  YOKE_API node_handle record_copy_from_image(abi::context context, graph_handle graph, nodes after, abi::memory source,
                                              const image_box& from, abi::memory destination, const box_side& to,
                                              const source_location& where) const;
  /// Returns: 0, because launches read the value from memory.
  [[nodiscard]] std::uint64_t create_condition(abi::context, graph_handle, std::uint32_t,
                                               const source_location&) const noexcept {
    return 0;
  }
  /// The host runs the node's bodies: it waits for the value at each launch.
  YOKE_API recorded_condition record_condition(abi::context context, graph_handle graph, nodes after,
                                               std::uint64_t condition, condition_kind kind, std::size_t bodies,
                                               abi::memory value, std::size_t offset,
                                               const source_location& where) const;
  /// Records a call that only OpenCL has. The node holds the call's buffers and images.
  YOKE_API node_handle record_call(graph_handle graph, nodes after, yoke::detail::shared<const recorded_call> call,
                                   std::span<const abi::memory> holds, const source_location& where) const;
  YOKE_API node_handle record_join(graph_handle graph, nodes after, const source_location& where) const;
  YOKE_API release_result discard_node(graph_handle graph, node_handle node, bool is_join) const noexcept;
  /// The node shares the child's present commands; commands recorded there later are not part of it.
  YOKE_API node_handle record_graph(graph_handle graph, nodes after, graph_handle child,
                                    const source_location& where) const;

  YOKE_API executable_handle instantiate(abi::context context, graph_handle graph, const source_location& where) const;
  YOKE_API release_result release_executable(executable_handle executable) const noexcept;
  /// Effects: makes the recorded calls, after the previous launch, which may be in another stream. Requires: that
  /// stream lives; no other thread uses the executable.
  YOKE_API void launch_graph(executable_handle executable, abi::queue stream, const source_location& where) const;
  /// Returns: "", because recorded calls can follow every graph.
  YOKE_API std::string update_executable(abi::context context, executable_handle executable, graph_handle graph,
                                         const source_location& where) const;
  YOKE_API void set_kernel(abi::context context, executable_handle executable, node_handle node, abi::kernel kernel,
                           const launch_shape& shape, const device_limits& limits,
                           std::span<const kernel_argument> arguments, const source_location& where) const;
  YOKE_API void set_write(abi::context context, executable_handle executable, node_handle node, abi::memory destination,
                          std::size_t offset, const void* source, std::size_t bytes,
                          const source_location& where) const;
  YOKE_API void set_read(abi::context context, executable_handle executable, node_handle node, abi::memory source,
                         std::size_t offset, void* destination, std::size_t bytes, const source_location& where) const;
  YOKE_API void set_copy(abi::context context, executable_handle executable, node_handle node, abi::memory source,
                         std::size_t source_offset, abi::memory destination, std::size_t destination_offset,
                         std::size_t bytes, const source_location& where) const;
  YOKE_API void set_fill(abi::context context, executable_handle executable, node_handle node, abi::memory destination,
                         std::size_t offset, const void* pattern, std::size_t pattern_bytes, std::size_t count,
                         const source_location& where) const;
  YOKE_API void enable_node(executable_handle executable, node_handle node, bool enabled,
                            const source_location& where) const;
};

}  // namespace yoke::inline v0_1::opencl

#if defined(YOKE_IMPLEMENTATION)
#include <yoke/driver/opencl/graph/graph.ipp>
#endif

#endif
