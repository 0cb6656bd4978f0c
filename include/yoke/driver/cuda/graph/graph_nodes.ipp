// SPDX-License-Identifier: MIT
// Bodies of driver/cuda/graph/graph_nodes.hpp.
#ifndef YOKE_DRIVER_CUDA_GRAPH_GRAPH_NODES_IPP
#define YOKE_DRIVER_CUDA_GRAPH_GRAPH_NODES_IPP

#include <yoke/driver/cuda/graph/graph_nodes.hpp>

#include <yoke/driver/cuda/invoke.hpp>

#include <cstddef>
#include <cstring>

namespace yoke::inline v0_1::cuda::detail {

abi::graph_node add_copy(const abi::functions* table, abi::context context, abi::graph graph,
                         std::span<const abi::graph_node> after, const copy_node_params& copy,
                         const source_location& where) {
  const current_context scope(table, context, where);
  abi::graph_node node = nullptr;
  invoke_copy<&abi::functions::graph_add_memcpy_node>(table, where, copy.sides, &node, graph, after.data(),
                                                      after.size(), &copy.copy, context);
  return node;
}

void set_copy_node(const abi::functions* table, abi::context context, abi::graph_exec executable, abi::graph_node node,
                   const copy_node_params& copy, const source_location& where) {
  const current_context scope(table, context, where);
  invoke_copy<&abi::functions::graph_exec_set_memcpy_node>(table, where, copy.sides, executable, node, &copy.copy,
                                                           context);
}

std::vector<abi::memset_node_params> fill_nodes(abi::device_pointer first, const void* pattern,
                                                std::size_t pattern_bytes, std::size_t count) {
  std::size_t word = 4;
  while (pattern_bytes % word != 0 || first % word != 0) word /= 2;
  const std::size_t words = pattern_bytes / word;
  std::vector<abi::memset_node_params> nodes(words);
  bool equal = true;
  for (std::size_t i = 0; i < words; ++i) {
    unsigned value = 0;
    std::memcpy(&value, static_cast<const std::byte*>(pattern) + i * word, word);
    nodes[i] = {first + i * word, pattern_bytes, value, static_cast<abi::uint>(word), 1, count};
    equal = equal && value == nodes[0].value;
  }
  if (!equal) return nodes;
  nodes.resize(1);
  nodes[0].pitch_bytes = 0;
  nodes[0].width = words * count;
  nodes[0].height = 1;
  return nodes;
}

std::string reason_of(abi::graph_update_result result) {
  using enum abi::graph_update_result;
  switch (result) {
    case topology_changed: return "the graphs have other nodes or dependencies";
    case node_type_changed: return "a node is of another kind";
    case function_changed: return "a node launches another kernel";
    case parameters_changed: return "parameters of a node changed in a way that the driver cannot follow";
    case not_supported: return "the driver updates no such node";
    case unsupported_function_change: return "a node launches a kernel that needs more of the executable";
    case attributes_changed: return "attributes of a launch changed in a way that the driver cannot follow";
    case success_:
    case error: break;
  }
  return "the driver gives no reason";
}

}  // namespace yoke::inline v0_1::cuda::detail

#endif
