// SPDX-License-Identifier: MIT
// Entries about executables of graphs.
#include <algorithm>
#include <memory>
#include <utility>

#include "driver/entries.hpp"
#include "machine/base/call.hpp"
#include "machine/base/ledger.hpp"
#include "machine/base/state.hpp"
#include "machine/device/device.hpp"
#include "machine/graph/capture.hpp"
#include "machine/graph/graphs.hpp"
#include "machine/launch/launch_shape.hpp"
#include "machine/memory/memory.hpp"
#include "machine/stream/context.hpp"
#include "machine/stream/stream.hpp"
#include "machine/work/copy.hpp"
#include "machine/work/copy_plan.hpp"
#include "machine/work/submission.hpp"

namespace yoke::simulator::entries {

namespace {

executable_object& executable_of(abi::graph_exec handle) {
  const std::shared_ptr<executable_object> found = state<graph_state>().executables.find(handle);
  require(found != nullptr);
  return *found;
}
/// Returns: the executable's node for a node of the graph. Throws: refusal.
executable_node& node_in(executable_object& executable, abi::graph_node handle) {
  (void)node_of(handle);  // the node must still exist
  for (executable_node& each : executable.nodes) {
    if (each.of == handle) return each;
  }
  refuse(abi::error_invalid_value);
}

bool is_one_row(const copy_plan& plan) { return plan.box.height == 1 && plan.box.depth == 1; }
bool is_device(const copy_side& side) {
  const memory_block* const block = state<memory_table>().find(side.address);
  return block != nullptr && block->is_device();
}

}  // namespace

abi::status graph_instantiate(abi::graph_exec* result, abi::graph handle, abi::ulong flags) {
  return entry([&] {
    graph_object& graph = graph_of(handle);
    require(result != nullptr && flags == 0 && !graph.is_body);
    const auto made = std::make_shared<executable_object>(make_executable(graph));
    *result = state<graph_state>().executables.add(made);
    if (has_conditions(graph)) graph.instance = made;
    state<ledger>().add(object_kind::executable, *result);
  });
}

abi::status graph_exec_destroy(abi::graph_exec handle) {
  return entry([&] {
    executable_of(handle);
    state<ledger>().remove(object_kind::executable, handle);
    state<graph_state>().executables.remove(handle);  // a running launch has its own copy
  });
}

abi::status graph_launch(abi::graph_exec handle, abi::stream on) {
  return stream_entry(on, [&] {
    stream& to = recording_stream_of(on);
    executable_object& what = executable_of(handle);
    if (to.capturing != nullptr) return capture_graph(to, what);
    launch(to, what);
  });
}

abi::status graph_upload(abi::graph_exec handle, abi::stream on) {
  return stream_entry(on, [&] {
    stream& to = stream_of(on);
    executable_of(handle);
    submit(to, command{});
  });
}

abi::status graph_exec_set_kernel_node(abi::graph_exec handle, abi::graph_node node,
                                       const abi::kernel_node_params* params) {
  return entry([&] {
    executable_node& at = node_in(executable_of(handle), node);
    require(at.work.type == abi::graph_node_type::kernel_);
    node_work next = work_of(params);
    require(next.launch.in == at.work.launch.in);  // the function's context cannot change
    next.launch.wish.cooperative = at.work.launch.wish.cooperative;
    next.launch.wish.cluster = at.work.launch.wish.cluster;
    next.launch.shape.cooperative = at.work.launch.shape.cooperative;
    check_launch(*next.launch.source, device_of(next.launch.in->device), next.launch.wish);
    at.work = std::move(next);
  });
}

abi::status graph_exec_set_memcpy_node(abi::graph_exec handle, abi::graph_node node, const abi::copy_3d* params,
                                       abi::context in) {
  return entry([&] {
    executable_node& at = node_in(executable_of(handle), node);
    require(at.work.type == abi::graph_node_type::memcpy);
    node_work next = work_of(params, in);
    require(next.in == at.work.in && is_one_row(next.copy) && is_one_row(at.work.copy));
    // The kinds of memory cannot change.
    require(is_device(next.copy.from) == is_device(at.work.copy.from) &&
            is_device(next.copy.to) == is_device(at.work.copy.to));
    at.work = std::move(next);
  });
}

abi::status graph_exec_set_memset_node(abi::graph_exec handle, abi::graph_node node,
                                       const abi::memset_node_params* params, abi::context in) {
  return entry([&] {
    executable_node& at = node_in(executable_of(handle), node);
    require(at.work.type == abi::graph_node_type::memset);
    node_work next = work_of(params, in);
    const fill_plan& before = at.work.fill;
    // A driver may accept another width, but need not.
    require(next.in == at.work.in && next.fill.height == before.height && next.fill.width == before.width &&
            next.fill.element_bytes == before.element_bytes);
    at.work = std::move(next);
  });
}

namespace {

/// Returns: why a node cannot be updated to the other one.
abi::graph_update_result difference_of(const executable_node& now, const node_object& next) {
  using enum abi::graph_update_result;
  const node_work& from = now.work;
  const node_work& to = next.work;
  if (from.type != to.type) return node_type_changed;
  if (now.after != next.after) return topology_changed;
  if (from.type == abi::graph_node_type::kernel_ && from.launch.in != to.launch.in) return unsupported_function_change;
  if (from.type == abi::graph_node_type::kernel_ && from.launch.shape.cooperative != to.launch.shape.cooperative) {
    return attributes_changed;
  }
  if (from.type == abi::graph_node_type::memcpy &&
      (is_device(from.copy.from) != is_device(to.copy.from) || is_device(from.copy.to) != is_device(to.copy.to))) {
    return parameters_changed;
  }
  if (from.type == abi::graph_node_type::memset &&
      (from.fill.width != to.fill.width || from.fill.height != to.fill.height)) {
    return parameters_changed;
  }
  if (from.type == abi::graph_node_type::batch_mem_op &&
      (from.in != to.in || !std::equal(from.mem_ops.begin(), from.mem_ops.end(), to.mem_ops.begin(), to.mem_ops.end(),
                                       [](const auto& one, const auto& other) { return one.type == other.type; }))) {
    return parameters_changed;
  }
  if (from.type == abi::graph_node_type::conditional) {
    const conditional_work& before = *from.conditional;
    const conditional_work& behind = *to.conditional;
    if (before.by.condition != behind.by.condition || before.type != behind.type) return parameters_changed;
    if (before.bodies.size() != behind.bodies.size()) return parameters_changed;
    for (std::size_t each = 0; each < before.bodies.size(); ++each) {
      const auto& nodes = before.bodies[each]->nodes;
      const auto& others = behind.bodies[each]->nodes;
      if (nodes.size() != others.size()) return topology_changed;
      for (std::size_t node = 0; node < nodes.size(); ++node) {
        const executable_node was{nullptr, nodes[node]->work, nodes[node]->after, true};
        const abi::graph_update_result why = difference_of(was, *others[node]);
        if (why != success_) return why;
      }
    }
  }
  if (from.type == abi::graph_node_type::graph_ && from.child->nodes.size() != to.child->nodes.size()) {
    return topology_changed;
  }
  return success_;
}

}  // namespace

abi::status graph_exec_update(abi::graph_exec handle, abi::graph next, abi::graph_update_info* told) {
  return entry([&] {
    executable_object& executable = executable_of(handle);
    const graph_object& graph = graph_of(next);
    require(told != nullptr);
    *told = {};
    const auto fail = [&](abi::graph_update_result why, abi::graph_node at) {
      *told = {why, at, nullptr};
      refuse(abi::error_graph_exec_update_failure);
    };
    if (executable.nodes.size() != graph.nodes.size()) fail(abi::graph_update_result::topology_changed, nullptr);
    for (std::size_t each = 0; each < graph.nodes.size(); ++each) {
      check_work(graph.nodes[each]->work);
      const abi::graph_update_result why = difference_of(executable.nodes[each], *graph.nodes[each]);
      if (why != abi::graph_update_result::success_) fail(why, graph.nodes[each]->handle);
    }
    for (std::size_t each = 0; each < graph.nodes.size(); ++each) {
      executable.nodes[each].work = snapshot(graph.nodes[each]->work);
    }
  });
}

abi::status graph_node_set_enabled(abi::graph_exec handle, abi::graph_node node, unsigned enabled) {
  return entry([&] {
    executable_node& at = node_in(executable_of(handle), node);
    require(at.work.type <= abi::graph_node_type::memset);  // kernels, copies, fills
    at.enabled = enabled != 0;
  });
}

}  // namespace yoke::simulator::entries
