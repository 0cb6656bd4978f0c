// SPDX-License-Identifier: MIT
// Bodies of driver/cuda/graph/graph.hpp.
#ifndef YOKE_DRIVER_CUDA_GRAPH_GRAPH_IPP
#define YOKE_DRIVER_CUDA_GRAPH_GRAPH_IPP

#include <yoke/driver/cuda/graph/graph.hpp>

#include <yoke/core/text.hpp>
#include <yoke/driver/cuda/graph/graph_nodes.hpp>
#include <yoke/driver/cuda/invoke.hpp>
#include <yoke/driver/cuda/memory/copy_rows.hpp>
#include <yoke/driver/cuda/port.hpp>
#include <yoke/driver/cuda/program/launch.hpp>
#include <yoke/driver/cuda/program/parameter_list.hpp>
#include <yoke/driver/cuda/references.hpp>
#include <yoke/driver/cuda/unfit_word.hpp>
#include <yoke/driver/shape_limits.hpp>

#include <string>
#include <vector>

namespace yoke::inline v0_1::cuda {

namespace detail {

/// Throws: `launch_error` for a shape that the device cannot run.
void check_recorded_shape(const launch_shape& shape, const device_limits& limits, const source_location& where) {
  std::string why = yoke::detail::broken_shape_limit({.grid = shape.grid, .block = shape.block}, limits);
  if (why.empty() && !yoke::detail::all_fit(shape.grid, shape.block)) {
    why = text("grid {", shape.grid.x, ", ", shape.grid.y, ", ", shape.grid.z, "} exceeds 2147483648 along an axis");
  }
  const extent3& cluster = shape.cluster;
  if (why.empty() && shape.has_cluster() &&
      (cluster.x == 0 || cluster.y == 0 || cluster.z == 0 || shape.grid.x % cluster.x != 0 ||
       shape.grid.y % cluster.y != 0 || shape.grid.z % cluster.z != 0)) {
    why = text("cluster {", cluster.x, ", ", cluster.y, ", ", cluster.z, "} does not divide the grid {", shape.grid.x,
               ", ", shape.grid.y, ", ", shape.grid.z, "}");
  }
  if (!why.empty()) throw_error(errc::launch_failed, why, where);
}
/// Returns: the parameters of a node that launches a kernel.
abi::kernel_node_params kernel_node(abi::context context, abi::kernel kernel, const launch_shape& shape,
                                    const parameter_list& parameters) noexcept {
  const auto n = [](std::size_t count) { return static_cast<abi::uint>(count); };
  return {nullptr,          n(shape.grid.x),  n(shape.grid.y),  n(shape.grid.z),
          n(shape.block.x), n(shape.block.y), n(shape.block.z), n(parameters.shared_bytes + shape.local_bytes),
          parameters.get(), nullptr,          kernel,           context};
}

}  // namespace detail

abi::graph graph_functions::create_graph(abi::context, const source_location& where) const {
  abi::graph graph = nullptr;
  detail::invoke<&abi::functions::graph_create>(table(), where, &graph, 0u);
  return graph;
}
release_result graph_functions::release_graph(abi::graph graph) const noexcept {
  return detail::release<&abi::functions::graph_destroy>(table(), graph);
}

abi::graph_node graph_functions::record_kernel(abi::context context, abi::graph graph, nodes after,
                                               detail::kernel_record* kernel, const launch_shape& shape,
                                               const device_limits& limits, std::span<const kernel_argument> arguments,
                                               const source_location& where) const {
  detail::check_recorded_shape(shape, limits, where);
  const detail::current_context scope(table(), context, where);
  const detail::parameter_list parameters(arguments);
  const launch_functions::call_type call{kernel, nullptr, &limits, shape};
  const std::size_t shared = parameters.shared_bytes + shape.local_bytes;
  const auto& launches = part<launch_functions>();
  if (shared > kernel->dynamic_shared.load(yoke::detail::order::relaxed)) {
    (void)launches.allow_dynamic_shared(call, device_id(detail::device_of(table(), context, where)), shared, where);
  }
  const abi::kernel_node_params params = detail::kernel_node(context, kernel->native, shape, parameters);
  abi::graph_node node = nullptr;
  const abi::status status = detail::call_present<&abi::functions::graph_add_kernel_node>(
      table(), where, &node, graph, after.data(), after.size(), &params);
  if (status != abi::success) launches.explain_refusal(status, "cuGraphAddKernelNode", call, shared, context, where);
  const auto set = [&](abi::launch_attribute_id id, const abi::launch_attribute_value& value) {
    const abi::status refused =
        detail::call<&abi::functions::graph_kernel_node_set_attribute>(table(), node, id, &value);
    if (refused == abi::success) return;
    detail::report(detail::release<&abi::functions::graph_destroy_node>(table(), node));
    launches.explain_refusal(refused, "cuGraphKernelNodeSetAttribute", call, shared, context, where);
  };
  abi::launch_attribute_value value{};
  if (shape.cooperative) {
    value.cooperative = 1;
    set(abi::launch_attribute_id::cooperative, value);
  }
  if (shape.has_cluster()) {
    value.cluster = {static_cast<abi::uint>(shape.cluster.x), static_cast<abi::uint>(shape.cluster.y),
                     static_cast<abi::uint>(shape.cluster.z)};
    set(abi::launch_attribute_id::cluster_dimension, value);
  }
  if (shape.priority) {
    value.priority = *shape.priority;
    set(abi::launch_attribute_id::priority, value);
  }
  return node;
}

abi::graph_node graph_functions::record_write(abi::context context, abi::graph graph, nodes after,
                                              abi::device_pointer destination, const box_side& to, const void* source,
                                              const box_side& from, const box_size& box,
                                              const source_location& where) const {
  return detail::add_copy(table(), context, graph, after, detail::write_node(destination, to, source, from, box),
                          where);
}
abi::graph_node graph_functions::record_read(abi::context context, abi::graph graph, nodes after,
                                             abi::device_pointer source, const box_side& from, void* destination,
                                             const box_side& to, const box_size& box,
                                             const source_location& where) const {
  return detail::add_copy(table(), context, graph, after, detail::read_node(source, from, destination, to, box), where);
}
abi::graph_node graph_functions::record_copy(abi::context context, abi::graph graph, nodes after,
                                             abi::device_pointer source, const box_side& from,
                                             abi::device_pointer destination, const box_side& to, const box_size& box,
                                             const source_location& where) const {
  return detail::add_copy(table(), context, graph, after, detail::copy_node(source, from, destination, to, box), where);
}

abi::graph_node graph_functions::record_fill(abi::context context, abi::graph graph, nodes after,
                                             abi::device_pointer destination, std::size_t offset, const void* pattern,
                                             std::size_t pattern_bytes, std::size_t count,
                                             const source_location& where) const {
  const detail::current_context scope(table(), context, where);
  const std::vector<abi::memset_node_params> words =
      detail::fill_nodes(destination + offset, pattern, pattern_bytes, count);
  const detail::copy_side sides[] = {detail::destination_at(destination + offset, pattern_bytes * count)};
  std::vector<abi::graph_node> made;
  made.reserve(words.size());
  try {
    for (const abi::memset_node_params& each : words) {
      abi::graph_node node = nullptr;
      detail::invoke_copy<&abi::functions::graph_add_memset_node>(table(), where, sides, &node, graph, after.data(),
                                                                  after.size(), &each, context);
      made.push_back(node);
    }
    return made.size() == 1 ? made.front() : record_join(graph, made, where);
  } catch (...) {
    for (const abi::graph_node each : made) {
      detail::report(detail::release<&abi::functions::graph_destroy_node>(table(), each));
    }
    throw;
  }
}
abi::graph_node graph_functions::record_join(abi::graph graph, nodes after, const source_location& where) const {
  abi::graph_node node = nullptr;
  detail::invoke<&abi::functions::graph_add_empty_node>(table(), where, &node, graph, after.data(), after.size());
  return node;
}
release_result graph_functions::discard_node(abi::graph, abi::graph_node node, bool is_join) const noexcept {
  const auto destroy = [&](abi::graph_node each) {
    return detail::release<&abi::functions::graph_destroy_node>(table(), each);
  };
  return detail::outcome_of("cuGraphDestroyNode", [&] {
    release_result first;
    // A join of several nodes that form one command: removes these first, one after another, without an allocation.
    const bool joins = !is_join && type_of_node(node, {}) == abi::graph_node_type::empty;
    for (std::size_t count = 1; joins && first.code == 0;) {
      abi::graph_node word = nullptr;
      detail::invoke<&abi::functions::graph_node_get_dependencies>(table(), {}, node, &word, &count);
      if (count == 0) break;
      detail::add_outcome(first, destroy(word));
    }
    detail::add_outcome(first, destroy(node));
    return first;
  });
}
abi::graph_node graph_functions::record_graph(abi::graph graph, nodes after, abi::graph child,
                                              const source_location& where) const {
  abi::graph_node node = nullptr;
  detail::invoke<&abi::functions::graph_add_child_node>(table(), where, &node, graph, after.data(), after.size(),
                                                        child);
  return node;
}
abi::graph_node graph_functions::record_host_function(abi::graph graph, nodes after, abi::host_function function,
                                                      void* data, const source_location& where) const {
  const abi::host_node_params params{function, data};
  abi::graph_node node = nullptr;
  detail::invoke<&abi::functions::graph_add_host_node>(table(), where, &node, graph, after.data(), after.size(),
                                                       &params);
  return node;
}

abi::graph_node graph_functions::record_mem_ops(abi::context context, abi::graph graph, nodes after,
                                                std::span<const abi::mem_op_params> operations,
                                                const source_location& where) const {
  // Checked here, because a driver would refuse it only at the launch.
  const std::string wrong = detail::unfit_word(table(), operations);
  if (!wrong.empty()) detail::throw_error(errc::invalid_argument, wrong, where);
  const abi::mem_op_node_params params{context, static_cast<abi::uint>(operations.size()),
                                       const_cast<abi::mem_op_params*>(operations.data()), 0};
  abi::graph_node node = nullptr;
  detail::invoke<&abi::functions::graph_add_batch_mem_op_node>(table(), where, &node, graph, after.data(), after.size(),
                                                               &params);
  return node;
}

abi::graph_node graph_functions::record_event_node(abi::graph graph, nodes after, abi::event event,
                                                   const source_location& where) const {
  abi::graph_node node = nullptr;
  detail::invoke<&abi::functions::graph_add_event_record_node>(table(), where, &node, graph, after.data(), after.size(),
                                                               event);
  return node;
}
abi::graph_node graph_functions::record_wait_node(abi::graph graph, nodes after, abi::event event,
                                                  const source_location& where) const {
  abi::graph_node node = nullptr;
  detail::invoke<&abi::functions::graph_add_event_wait_node>(table(), where, &node, graph, after.data(), after.size(),
                                                             event);
  return node;
}

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

abi::graph_exec graph_functions::instantiate(abi::context context, abi::graph graph,
                                             const source_location& where) const {
  const detail::current_context scope(table(), context, where);
  abi::graph_exec executable = nullptr;
  detail::invoke<&abi::functions::graph_instantiate>(table(), where, &executable, graph, abi::ulong{0});
  return executable;
}
release_result graph_functions::release_executable(abi::graph_exec executable) const noexcept {
  return detail::release<&abi::functions::graph_exec_destroy>(table(), executable);
}
void graph_functions::launch_graph(abi::graph_exec executable, abi::stream stream, const source_location& where) const {
  detail::invoke<&abi::functions::graph_launch>(table(), where, executable, stream);
}
void graph_functions::upload_graph(abi::graph_exec executable, abi::stream stream, const source_location& where) const {
  detail::invoke<&abi::functions::graph_upload>(table(), where, executable, stream);
}

void graph_functions::set_kernel(abi::context context, abi::graph_exec executable, abi::graph_node node,
                                 abi::kernel kernel, const launch_shape& shape, const device_limits& limits,
                                 std::span<const kernel_argument> arguments, const source_location& where) const {
  detail::check_recorded_shape(shape, limits, where);
  const detail::current_context scope(table(), context, where);
  const detail::parameter_list parameters(arguments);
  detail::kernel_record record(kernel);
  const launch_functions::call_type call{&record, nullptr, &limits, shape};
  const std::size_t shared = parameters.shared_bytes + shape.local_bytes;
  const auto& launches = part<launch_functions>();
  if (shared != 0)
    (void)launches.allow_dynamic_shared(call, device_id(detail::device_of(table(), context, where)), shared, where);
  const abi::kernel_node_params params = detail::kernel_node(context, kernel, shape, parameters);
  const abi::status status =
      detail::call_present<&abi::functions::graph_exec_set_kernel_node>(table(), where, executable, node, &params);
  if (status != abi::success)
    launches.explain_refusal(status, "cuGraphExecKernelNodeSetParams", call, shared, context, where);
}
void graph_functions::set_write(abi::context context, abi::graph_exec executable, abi::graph_node node,
                                abi::device_pointer destination, std::size_t offset, const void* source,
                                std::size_t bytes, const source_location& where) const {
  detail::set_copy_node(table(), context, executable, node,
                        detail::write_node(destination, {offset}, source, {}, {bytes}), where);
}
void graph_functions::set_read(abi::context context, abi::graph_exec executable, abi::graph_node node,
                               abi::device_pointer source, std::size_t offset, void* destination, std::size_t bytes,
                               const source_location& where) const {
  detail::set_copy_node(table(), context, executable, node,
                        detail::read_node(source, {offset}, destination, {}, {bytes}), where);
}
void graph_functions::set_copy(abi::context context, abi::graph_exec executable, abi::graph_node node,
                               abi::device_pointer source, std::size_t source_offset, abi::device_pointer destination,
                               std::size_t destination_offset, std::size_t bytes, const source_location& where) const {
  detail::set_copy_node(table(), context, executable, node,
                        detail::copy_node(source, {source_offset}, destination, {destination_offset}, {bytes}), where);
}
void graph_functions::set_fill(abi::context context, abi::graph_exec executable, abi::graph_node node,
                               abi::device_pointer destination, std::size_t offset, const void* pattern,
                               std::size_t pattern_bytes, std::size_t count, const source_location& where) const {
  const std::vector<abi::memset_node_params> words =
      detail::fill_nodes(destination + offset, pattern, pattern_bytes, count);
  if (words.size() != 1 || type_of_node(node, where) != abi::graph_node_type::memset) {
    detail::throw_error(errc::unsupported, where, "a value of ", pattern_bytes,
                        " bytes is no repeated word of 4, now or as recorded, and takes several nodes: record the fill "
                        "anew, and update the "
                        "executable by the graph");
  }
  const detail::current_context scope(table(), context, where);
  const detail::copy_side sides[] = {detail::destination_at(destination + offset, pattern_bytes * count)};
  detail::invoke_copy<&abi::functions::graph_exec_set_memset_node>(table(), where, sides, executable, node, &words[0],
                                                                   context);
}
void graph_functions::enable_node(abi::graph_exec executable, abi::graph_node node, bool enabled,
                                  const source_location& where) const {
  const abi::status status = detail::call_present<&abi::functions::graph_node_set_enabled>(table(), where, executable,
                                                                                           node, enabled ? 1u : 0u);
  const bool refused = status == abi::error_invalid_value || status == abi::error_not_supported;
  if (refused && type_of_node(node, where) == abi::graph_node_type::empty) {
    detail::throw_error(errc::unsupported,
                        "the node is a fill with a value of unequal words, which takes several: it cannot be left out",
                        where);
  }
  if (status != abi::success) detail::throw_failure(status, "cuGraphNodeSetEnabled", "", where);
}

std::string graph_functions::update_executable(abi::context context, abi::graph_exec executable, abi::graph graph,
                                               const source_location& where) const {
  const detail::current_context scope(table(), context, where);
  abi::graph_update_info told{};
  const abi::status status =
      detail::call_present<&abi::functions::graph_exec_update>(table(), where, executable, graph, &told);
  if (status == abi::success) return "";
  if (status != abi::error_graph_exec_update_failure) detail::throw_failure(status, "cuGraphExecUpdate", "", where);
  return detail::reason_of(told.result);
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
