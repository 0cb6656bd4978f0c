// SPDX-License-Identifier: MIT
// Bodies of driver/cuda/graph/graph.hpp: conditional nodes.
#ifndef YOKE_DRIVER_CUDA_GRAPH_GRAPH_CONDITIONS_IPP
#define YOKE_DRIVER_CUDA_GRAPH_GRAPH_CONDITIONS_IPP

#include <yoke/driver/cuda/invoke.hpp>
#include <yoke/driver/cuda/port.hpp>

namespace yoke::inline v0_1::cuda {

void graph_functions::check_condition(condition_kind kind, std::size_t bodies, const source_location& where) const {
  constexpr int first = 12030;
  constexpr int newer = 12080;
  const bool needs_newer = kind == condition_kind::by_number || bodies > 1;
  const bool has_entry = table()->graph_add_node != nullptr;
  if (has_entry && !needs_newer) return;
  int version = 0;
  detail::invoke<&abi::functions::driver_get_version>(table(), where, &version);
  if (has_entry && version >= newer) return;
  const int needed = needs_newer ? newer : first;
  detail::throw_error(errc::unsupported, where, "this CUDA driver is of version ", version / 1000, ".",
                      version % 1000 / 10, ": conditional nodes",
                      kind == condition_kind::by_number ? " with a choice by number"
                      : bodies > 1                      ? " with a second body, for a value of 0,"
                                                        : "",
                      " need a CUDA driver ", needed / 1000, ".", needed % 1000 / 10);
}

std::uint64_t graph_functions::create_condition(abi::context context, abi::graph graph, std::uint32_t initial,
                                                const source_location& where) const {
  const detail::current_context scope(table(), context, where);
  std::uint64_t condition = 0;
  detail::invoke<&abi::functions::graph_condition_create>(table(), where, &condition, graph, context,
                                                          abi::uint{initial}, abi::graph_condition_default);
  return condition;
}

recorded_condition graph_functions::record_condition(abi::context context, abi::graph graph, nodes after,
                                                     std::uint64_t condition, condition_kind kind, std::size_t bodies,
                                                     abi::device_pointer, std::size_t,
                                                     const source_location& where) const {
  recorded_condition made;
  made.bodies.reserve(bodies);
  const detail::current_context scope(table(), context, where);
  abi::graph_node_params params{};
  params.type = abi::graph_node_type::conditional;
  params.condition = {condition,
                      kind == condition_kind::if_not_zero      ? abi::condition_type::if_
                      : kind == condition_kind::while_not_zero ? abi::condition_type::while_
                                                               : abi::condition_type::switch_,
                      static_cast<abi::uint>(bodies), nullptr, context};
  abi::graph_node node = nullptr;
  detail::invoke<&abi::functions::graph_add_node>(table(), where, &node, graph, after.data(),
                                                  static_cast<const abi::graph_edge_data*>(nullptr), after.size(),
                                                  &params);
  made.node = node;
  for (std::size_t i = 0; i < bodies; ++i) made.bodies.push_back(params.condition.bodies[i]);
  return made;
}

}  // namespace yoke::inline v0_1::cuda

#endif
