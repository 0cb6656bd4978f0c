// SPDX-License-Identifier: MIT
// Entries about graphs, their nodes and captures.
#include <algorithm>
#include <cstdio>
#include <iterator>
#include <memory>
#include <utility>

#include "driver/entries.hpp"
#include "engine/words/conditions.hpp"
#include "machine/base/call.hpp"
#include "machine/base/ledger.hpp"
#include "machine/base/settings.hpp"
#include "machine/base/state.hpp"
#include "machine/device/device.hpp"
#include "machine/graph/capture.hpp"
#include "machine/graph/graphs.hpp"
#include "machine/launch/launch_queue.hpp"
#include "machine/launch/launch_shape.hpp"
#include "machine/stream/context.hpp"
#include "machine/stream/stream.hpp"

namespace yoke::simulator::entries {

namespace {

void enter(const std::shared_ptr<graph_object>& made, abi::graph* result) {
  made->handle = state<graph_state>().graphs.add(made);
  for (const auto& each : made->nodes) each->owner = made->handle;
  state<ledger>().add(object_kind::graph, made->handle);
  *result = made->handle;
}

/// Whether a conditional node's body accepts the work: it must not be a host function, an event, or a copy of arrays.
bool is_for_bodies(const node_work& work) {
  using enum abi::graph_node_type;
  switch (work.type) {
    case kernel_:
    case memset:
    case empty:
    case conditional: return true;
    case memcpy: return work.copy.from.array == nullptr && work.copy.to.array == nullptr;
    case host: return work.host_owner != nullptr;  // a kernel of the real NCCL
    case graph_:
      return std::all_of(work.child->nodes.begin(), work.child->nodes.end(),
                         [](const auto& each) { return is_for_bodies(each->work); });
    default: return false;
  }
}

template <class Work>
abi::status add(abi::graph_node* result, abi::graph to, const abi::graph_node* after, std::size_t count,
                const Work& work) {
  return entry([&] {
    graph_object& graph = graph_of(to);
    require(result != nullptr);
    const node_work made = work();
    require(!graph.is_body || is_for_bodies(made));
    *result = add_node(graph, after, count, made);
  });
}

/// Returns: the condition of a graph, or of a graph that has it as a body.
std::shared_ptr<known_condition> condition_of(std::uint64_t number) {
  std::shared_ptr<known_condition> found;
  state<graph_state>().graphs.for_each([&](const graph_object& graph) {
    for (const auto& each : graph.conditions) {
      if (each->condition->number == number) found = each;
    }
  });
  require(found != nullptr);
  return found;
}
node_work conditional_work_of(abi::condition_node_params& params) {
  const std::shared_ptr<known_condition> by = condition_of(params.condition);
  require(!by->used && &living_context(params.in) == by->in);
  const bool is_newer = params.type == abi::condition_type::switch_ || params.size > 1;
  require(!is_newer || the_settings().driver_version >= 12080);
  require(params.type <= abi::condition_type::switch_ && params.size >= 1);
  require(params.type == abi::condition_type::switch_ ||
          params.size <= (params.type == abi::condition_type::if_ ? 2U : 1U));
  node_work work;
  work.type = abi::graph_node_type::conditional;
  work.conditional = std::make_shared<conditional_work>();
  work.conditional->by = *by;
  work.conditional->type = params.type;
  for (unsigned each = 0; each < params.size; ++each) {
    const auto body = std::make_shared<graph_object>();
    body->is_body = true;
    body->handle = state<graph_state>().graphs.add(body);
    work.conditional->bodies.push_back(body);
    work.conditional->handles.push_back(body->handle);
  }
  by->used = true;
  params.bodies = work.conditional->handles.data();
  return work;
}

}  // namespace

abi::status graph_create(abi::graph* result, unsigned flags) {
  return entry([&] {
    require(result != nullptr && flags == 0);
    enter(std::make_shared<graph_object>(), result);
  });
}

abi::status graph_destroy(abi::graph handle) {
  return entry([&] {
    const graph_object& gone = graph_of(handle);
    require(!gone.is_body);
    state<ledger>().remove(object_kind::graph, handle);
    for (const auto& each : gone.nodes) forget_node(*each);
    state<graph_state>().graphs.remove(handle);
  });
}

abi::status graph_add_kernel_node(abi::graph_node* result, abi::graph to, const abi::graph_node* after,
                                  std::size_t count, const abi::kernel_node_params* params) {
  return add(result, to, after, count, [&] { return work_of(params); });
}
abi::status graph_add_memcpy_node(abi::graph_node* result, abi::graph to, const abi::graph_node* after,
                                  std::size_t count, const abi::copy_3d* params, abi::context in) {
  return add(result, to, after, count, [&] { return work_of(params, in); });
}
abi::status graph_add_memset_node(abi::graph_node* result, abi::graph to, const abi::graph_node* after,
                                  std::size_t count, const abi::memset_node_params* params, abi::context in) {
  return add(result, to, after, count, [&] { return work_of(params, in); });
}
abi::status graph_add_batch_mem_op_node(abi::graph_node* result, abi::graph to, const abi::graph_node* after,
                                        std::size_t count, const abi::mem_op_node_params* params) {
  return add(result, to, after, count, [&] { return work_of(params); });
}
abi::status graph_add_host_node(abi::graph_node* result, abi::graph to, const abi::graph_node* after, std::size_t count,
                                const abi::host_node_params* params) {
  return add(result, to, after, count, [&] {
    require(params != nullptr && params->run != nullptr);
    node_work work;
    work.type = abi::graph_node_type::host;
    work.host = *params;
    return work;
  });
}
abi::status graph_add_child_node(abi::graph_node* result, abi::graph to, const abi::graph_node* after,
                                 std::size_t count, abi::graph child) {
  return add(result, to, after, count, [&] {
    node_work work;
    work.type = abi::graph_node_type::graph_;
    work.child = clone(graph_of(child));
    return work;
  });
}
abi::status graph_add_empty_node(abi::graph_node* result, abi::graph to, const abi::graph_node* after,
                                 std::size_t count) {
  return add(result, to, after, count, [] { return node_work{}; });
}

namespace {

abi::status add_event(abi::graph_node* result, abi::graph to, const abi::graph_node* after, std::size_t count,
                      abi::event handle, abi::graph_node_type type) {
  return add(result, to, after, count, [&] {
    node_work work;
    work.type = type;
    work.marks = find_object(state<stream_state>().events, handle);
    check_context(work.marks->owner);
    require(work.marks->shared == nullptr, abi::error_not_supported);  // events of other processes
    return work;
  });
}

}  // namespace

abi::status graph_add_event_record_node(abi::graph_node* result, abi::graph to, const abi::graph_node* after,
                                        std::size_t count, abi::event handle) {
  return add_event(result, to, after, count, handle, abi::graph_node_type::event_record);
}
abi::status graph_add_event_wait_node(abi::graph_node* result, abi::graph to, const abi::graph_node* after,
                                      std::size_t count, abi::event handle) {
  return add_event(result, to, after, count, handle, abi::graph_node_type::wait_event);
}

abi::status graph_condition_create(std::uint64_t* result, abi::graph to, abi::context in, abi::uint initial,
                                   abi::uint flags) {
  return entry([&] {
    graph_object& graph = graph_of(to);
    require(result != nullptr && flags <= abi::graph_condition_default);
    const auto made = std::make_shared<known_condition>();
    made->in = &living_context(in);
    made->condition = make_condition();
    made->initial = initial;
    made->has_initial = flags != 0;
    graph.conditions.push_back(made);
    *result = made->condition->number;
  });
}
abi::status graph_add_node(abi::graph_node* result, abi::graph to, const abi::graph_node* after,
                           const abi::graph_edge_data*, std::size_t count, abi::graph_node_params* params) {
  return add(result, to, after, count, [&] {
    require(params != nullptr);
    require(params->type == abi::graph_node_type::conditional, abi::error_not_supported);
    return conditional_work_of(params->condition);
  });
}

abi::status graph_destroy_node(abi::graph_node handle) {
  return entry([&] {
    const std::shared_ptr<node_object> gone = node_of(handle);
    graph_object& graph = graph_of(gone->owner);
    const auto at = std::find(graph.nodes.begin(), graph.nodes.end(), gone);
    const auto index = static_cast<std::size_t>(at - graph.nodes.begin());
    graph.nodes.erase(at);
    for (const auto& each : graph.nodes) {
      std::erase(each->after, index);
      for (std::size_t& before : each->after) before -= before > index ? 1 : 0;
    }
    forget_node(*gone);
  });
}

abi::status graph_kernel_node_set_attribute(abi::graph_node handle, abi::launch_attribute_id id,
                                            const abi::launch_attribute_value* value) {
  return entry([&] {
    node_object& node = *node_of(handle);
    require(value != nullptr && node.work.type == abi::graph_node_type::kernel_);
    queued_launch& launch = node.work.launch;
    abi::launch_attribute attribute{id, {}, *value};
    abi::launch_config with{};
    with.attributes = &attribute;
    with.attribute_count = 1;
    const launch_wish read = wish_of(with);
    if (id == abi::launch_attribute_id::cooperative) launch.wish.cooperative = read.cooperative;
    if (id == abi::launch_attribute_id::cluster_dimension) launch.wish.cluster = read.cluster;
    check_launch(*launch.source, device_of(launch.in->device), launch.wish);
    launch.shape.cooperative = launch.wish.cooperative;
  });
}

abi::status graph_get_nodes(abi::graph handle, abi::graph_node* nodes, std::size_t* count) {
  return entry([&] {
    const graph_object& graph = graph_of(handle);
    require(count != nullptr);
    for (std::size_t each = 0; nodes != nullptr && each < *count; ++each) {
      nodes[each] = each < graph.nodes.size() ? graph.nodes[each]->handle : nullptr;
    }
    *count = nodes == nullptr ? graph.nodes.size() : std::min(*count, graph.nodes.size());
  });
}

abi::status graph_get_edges(abi::graph handle, abi::graph_node* from, abi::graph_node* to, std::size_t* count) {
  return entry([&] {
    const graph_object& graph = graph_of(handle);
    require(count != nullptr && (from == nullptr) == (to == nullptr));
    std::size_t found = 0;
    for (const auto& node : graph.nodes) {
      for (const std::size_t before : node->after) {
        if (from != nullptr && found < *count) {
          from[found] = graph.nodes[before]->handle;
          to[found] = node->handle;
        }
        ++found;
      }
    }
    *count = from == nullptr ? found : std::min(*count, found);
  });
}

abi::status graph_node_get_type(abi::graph_node handle, abi::graph_node_type* type) {
  return entry([&] {
    const std::shared_ptr<node_object> node = node_of(handle);
    require(type != nullptr);
    *type = node->work.type;
  });
}

abi::status graph_node_get_dependencies(abi::graph_node handle, abi::graph_node* nodes, std::size_t* count) {
  return entry([&] {
    const std::shared_ptr<node_object> node = node_of(handle);
    const graph_object& graph = graph_of(node->owner);
    require(count != nullptr);
    for (std::size_t each = 0; nodes != nullptr && each < *count; ++each) {
      nodes[each] = each < node->after.size() ? graph.nodes[node->after[each]]->handle : nullptr;
    }
    *count = nodes == nullptr ? node->after.size() : std::min(*count, node->after.size());
  });
}

abi::status graph_debug_dot_print(abi::graph handle, const char* path, unsigned) {
  return entry([&] {
    const graph_object& graph = graph_of(handle);
    require(path != nullptr);
    const std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(std::fopen(path, "w"), &std::fclose);
    require(file != nullptr, abi::error_operating_system);
    constexpr const char* names[] = {"KERNEL",       "MEMCPY", "MEMSET", "HOST", "GRAPH", "EMPTY",  "WAIT_EVENT",
                                     "EVENT_RECORD", "",       "",       "",     "",      "MEM_OP", "CONDITIONAL"};
    std::fprintf(file.get(), "digraph dot {\nsubgraph cluster_1 {\n");
    for (std::size_t each = 0; each < graph.nodes.size(); ++each) {
      const node_work& work = graph.nodes[each]->work;
      std::fprintf(file.get(), "\"graph_1_node_%zu\"[label=\"%zu\\n%s\\n%s\"];\n", each, each,
                   names[static_cast<unsigned>(work.type)],
                   work.launch.what != nullptr ? work.launch.what->readable.c_str() : "");
    }
    for (std::size_t each = 0; each < graph.nodes.size(); ++each) {
      for (const std::size_t before : graph.nodes[each]->after) {
        std::fprintf(file.get(), "\"graph_1_node_%zu\" -> \"graph_1_node_%zu\";\n", before, each);
      }
    }
    std::fprintf(file.get(), "}\n}\n");
  });
}

abi::status stream_begin_capture(abi::stream on, abi::capture_mode mode) {
  return stream_entry(on, [&] { begin_capture(recording_stream_of(on), mode); });
}

abi::status stream_end_capture(abi::stream on, abi::graph* result) {
  return stream_entry(on, [&] {
    stream& which = known_stream_of(on);
    require(result != nullptr);
    *result = nullptr;
    enter(end_capture(which), result);
  });
}

}  // namespace yoke::simulator::entries
