// SPDX-License-Identifier: MIT
// Begins and ends captures, adds nodes, and refuses calls that a capture does not allow.
#include "machine/graph/capture.hpp"

#include <algorithm>
#include <utility>

#include "machine/base/call.hpp"
#include "machine/base/state.hpp"
#include "machine/launch/launch_queue.hpp"
#include "machine/stream/context.hpp"
#include "machine/stream/stream.hpp"
#include "machine/work/copy.hpp"
#include "machine/work/copy_plan.hpp"
#include "machine/work/mem_op.hpp"

namespace yoke::simulator {

namespace {

void append(stream& on, node_work work) {
  on.frontier = {add_node(*on.capturing->graph, on.frontier, std::move(work))};
}

template <class Visit>
void for_each_captured(const capture& which, const Visit& visit) {
  for (const std::unique_ptr<context>& each : state<context_state>().contexts) {
    for (const std::shared_ptr<stream>& other : each->streams) {
      if (other->capturing.get() == &which) visit(*other);
    }
  }
}

}  // namespace

void begin_capture(stream& on, abi::capture_mode mode) {
  require(on.kind != stream_kind::legacy, abi::error_stream_capture_unsupported);
  require(mode <= abi::capture_mode::relaxed);
  require(on.capturing == nullptr, abi::error_illegal_state);
  static std::uint64_t captures = 0;  // under the driver's lock
  const auto made = std::make_shared<capture>();
  made->number = ++captures;
  made->origin = &on;
  made->mode = mode;
  made->thread = std::this_thread::get_id();
  made->graph = std::make_shared<graph_object>();
  on.capturing = made;
  on.frontier.clear();
}

std::shared_ptr<graph_object> end_capture(stream& on) {
  const std::shared_ptr<capture> which = on.capturing;
  require(which != nullptr, abi::error_illegal_state);
  require(which->origin == &on, abi::error_stream_capture_unmatched);
  require(which->mode == abi::capture_mode::relaxed || which->thread == std::this_thread::get_id(),
          abi::error_stream_capture_wrong_thread);
  std::vector<bool> is_last(which->graph->nodes.size(), true);
  for (const auto& each : which->graph->nodes) {
    for (const std::size_t before : each->after) is_last[before] = false;
  }
  for (const std::size_t each : on.frontier) is_last[each] = false;
  for_each_captured(*which, [](stream& each) {
    each.capturing = nullptr;
    each.frontier.clear();
  });
  const auto drop = [&](abi::status why) {
    for (const auto& each : which->graph->nodes) state<graph_state>().nodes.remove(each->handle);
    refuse(why);
  };
  if (which->invalid) drop(abi::error_stream_capture_invalidated);
  if (std::find(is_last.begin(), is_last.end(), true) != is_last.end()) drop(abi::error_stream_capture_unjoined);
  return which->graph;
}

void capture_launch(stream& on, std::shared_ptr<queued_launch> one) {
  node_work work;
  work.type = abi::graph_node_type::kernel_;
  work.launch = std::move(*one);
  append(on, std::move(work));
}
namespace {
node_work work_in(stream& on, abi::graph_node_type type) {
  node_work work;
  work.type = type;
  work.in = &on.owner;
  return work;
}
}  // namespace

void capture_copy(stream& on, const copy_plan& plan) {
  check_copy(plan);
  node_work work = work_in(on, abi::graph_node_type::memcpy);
  work.copy = plan;
  append(on, std::move(work));
}
void capture_fill(stream& on, const fill_plan& plan) {
  node_work work = work_in(on, abi::graph_node_type::memset);
  work.fill = plan;
  append(on, std::move(work));
}
void capture_mem_ops(stream& on, const mem_op_plan& plan) {
  node_work work = work_in(on, abi::graph_node_type::batch_mem_op);
  work.mem_ops = plan;
  append(on, std::move(work));
}
void capture_host_function(stream& on, abi::host_function function, void* data) {
  node_work work;
  work.type = abi::graph_node_type::host;
  work.host = {function, data};
  append(on, std::move(work));
}
void capture_graph(stream& on, const executable_object& what) {
  const auto child = std::make_shared<graph_object>();
  for (const executable_node& each : what.nodes) {
    auto node = std::make_shared<node_object>();
    if (each.enabled) node->work = each.work;
    node->after = each.after;
    child->nodes.push_back(std::move(node));
  }
  node_work work;
  work.type = abi::graph_node_type::graph_;
  work.child = child;
  append(on, std::move(work));
}

void capture_wait(stream& on, event& what) {
  const std::shared_ptr<capture> theirs = what.captured_in;
  if (theirs == nullptr) refuse_in_capture(*on.capturing, abi::error_stream_capture_isolation);
  require(theirs->origin->capturing == theirs, abi::error_captured_event);  // that capture has ended
  if (on.capturing == nullptr) {
    require(on.kind != stream_kind::legacy, abi::error_stream_capture_implicit);
    on.capturing = theirs;
    on.frontier.clear();
  }
  if (on.capturing != theirs) refuse_in_capture(*on.capturing, abi::error_stream_capture_merge);
  for (const std::size_t each : what.frontier) {
    if (std::find(on.frontier.begin(), on.frontier.end(), each) == on.frontier.end()) on.frontier.push_back(each);
  }
}

void refuse_in_capture(capture& which, abi::status why) {
  which.invalid = true;
  refuse(why);
}

void refuse_implicit_wait(context& in) {
  for (const std::shared_ptr<stream>& each : in.streams) {
    if (each->capturing != nullptr && each->is_blocking()) {
      refuse_in_capture(*each->capturing, abi::error_stream_capture_implicit);
    }
  }
}

void copy_or_capture(driver_lock& lock, stream& on, const copy_plan& plan, copy_return how) {
  if (plan.box.is_empty()) return;
  if (on.capturing != nullptr) return capture_copy(on, plan);
  copy(lock, on, plan, how);
}
void fill_or_capture(driver_lock& lock, stream& on, const fill_plan& plan, copy_return how) {
  if (on.capturing == nullptr) return fill(lock, on, plan, how);
  if (has_to_fill(plan)) capture_fill(on, plan);
}

stream& recording_stream_of(abi::stream handle) {
  stream& found = known_stream_of(handle);
  if (found.capturing != nullptr) {
    require(!found.capturing->invalid, abi::error_stream_capture_invalidated);
  } else if (found.kind == stream_kind::legacy) {
    refuse_implicit_wait(found.owner);
  }
  return found;
}
stream& stream_of(abi::stream handle) {
  stream& found = recording_stream_of(handle);
  if (found.capturing != nullptr) refuse_in_capture(*found.capturing, abi::error_stream_capture_unsupported);
  return found;
}

}  // namespace yoke::simulator
