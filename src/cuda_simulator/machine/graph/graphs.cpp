// SPDX-License-Identifier: MIT
// Adds nodes, copies graphs, and runs executables in a stream.
#include "machine/graph/graphs.hpp"

#include <algorithm>
#include <queue>
#include <utility>

#include "machine/base/call.hpp"
#include "machine/base/host_function.hpp"
#include "machine/base/state.hpp"
#include "machine/memory/memory.hpp"
#include "machine/program/library.hpp"
#include "machine/stream/context.hpp"
#include "machine/stream/stream.hpp"
#include "machine/work/submission.hpp"

namespace yoke::simulator {

namespace {

/// Returns: the indices of all nodes in the order in which they run.
template <class Nodes, class After>
std::vector<std::size_t> order_of(const Nodes& nodes, const After& after) {
  std::vector<std::size_t> waits_for(nodes.size());
  std::vector<std::vector<std::size_t>> behind(nodes.size());
  std::priority_queue<std::size_t> ready;
  for (std::size_t each = 0; each < nodes.size(); ++each) {
    waits_for[each] = after(nodes[each]).size();
    for (const std::size_t before : after(nodes[each])) behind[before].push_back(each);
    if (waits_for[each] == 0) ready.push(each);
  }
  std::vector<std::size_t> order;
  while (!ready.empty()) {
    order.push_back(ready.top());
    ready.pop();
    for (const std::size_t next : behind[order.back()]) {
      if (--waits_for[next] == 0) ready.push(next);
    }
  }
  return order;
}

/// A node ready to run.
struct armed_work {
  node_work work;
  std::vector<memory_block*> used;
  std::vector<std::vector<armed_work>> bodies;
  std::shared_ptr<recording> stamp;  // for an event that the node records
};

void arm_graph(const graph_object& of, std::vector<armed_work>& run);

/// Effects: adds the node to the run, a child's nodes one by one.
void arm_work(const node_work& work, std::vector<armed_work>& run) {
  if (work.type == abi::graph_node_type::empty) return;
  if (work.type == abi::graph_node_type::graph_) return arm_graph(*work.child, run);
  armed_work one{work, {}, {}, nullptr};
  if (work.type == abi::graph_node_type::event_record) one.stamp = std::make_shared<recording>();
  if (work.type == abi::graph_node_type::conditional) {
    for (const auto& body : work.conditional->bodies) arm_graph(*body, one.bodies.emplace_back());
  }
  if (work.type == abi::graph_node_type::kernel_) one.used = arm(one.work.launch);
  try {
    if (work.type == abi::graph_node_type::memcpy) check_copy(work.copy);
    if (work.type == abi::graph_node_type::memset) check_fill(work.fill);
    if (work.type == abi::graph_node_type::batch_mem_op) check_mem_ops(work.mem_ops);
  } catch (const refusal&) {  // the driver does not check: the device finds the bad address
    break_context(*work.in, abi::error_illegal_address, "a graph's node uses memory that was freed since it was added");
  }
  run.push_back(std::move(one));
}

void arm_graph(const graph_object& of, std::vector<armed_work>& run) {
  for (const std::size_t each : order_of(of.nodes, [](const auto& node) -> auto& { return node->after; })) {
    arm_work(of.nodes[each]->work, run);
  }
}

void run_all(const std::vector<armed_work>& run, context& in, const ticket& at);
void run_bodies(const armed_work& one, context& in, const ticket& at) {
  const conditional_work& what = *one.work.conditional;
  const auto value = [&] { return what.by.condition->value.load(); };
  if (what.type == abi::condition_type::while_) {
    while (value() != 0 && !is_over(in)) run_all(one.bodies.front(), in, at);
    return;
  }
  const std::size_t number = what.type == abi::condition_type::switch_ ? value() : (value() != 0 ? 0 : 1);
  if (number < one.bodies.size()) run_all(one.bodies[number], in, at);
}

/// Effects: sets the initial values of a run's conditions.
void begin_conditions(const std::vector<armed_work>& run) {
  for (const armed_work& each : run) {
    if (each.work.type != abi::graph_node_type::conditional) continue;
    const known_condition& by = each.work.conditional->by;
    if (by.has_initial) by.condition->value = by.initial;
    for (const auto& body : each.bodies) begin_conditions(body);
  }
}

[[nodiscard]] bool run_has_wait(const std::vector<armed_work>& run) {
  return std::any_of(run.begin(), run.end(), [](const armed_work& each) { return has_wait(each.work.mem_ops); });
}

void note_all(const std::vector<armed_work>& run, const ticket& at) {
  for (const armed_work& each : run) {
    if (each.work.type == abi::graph_node_type::kernel_) note_uses(each.work.launch, each.used, at);
    if (each.work.type == abi::graph_node_type::memcpy) note_copy(each.work.copy, at);
    if (each.work.type == abi::graph_node_type::memset) note_fill(each.work.fill, at);
    if (each.work.type == abi::graph_node_type::batch_mem_op) note_mem_ops(each.work.mem_ops, at);
    for (const auto& body : each.bodies) note_all(body, at);
  }
}

void run_work(const armed_work& one, context& in, const ticket& at) {
  const node_work& work = one.work;
  {
    const driver_lock lock(driver_mutex());
    if (in.error != abi::success || state<process_state>().closed) return;
    if (work.type == abi::graph_node_type::host) state<memory_table>().observe(at);
  }
  switch (work.type) {
    case abi::graph_node_type::kernel_: return run(work.launch);
    case abi::graph_node_type::memcpy: return run_copy(work.copy);
    case abi::graph_node_type::memset: return run_fill(work.fill);
    case abi::graph_node_type::batch_mem_op: return run_mem_ops(work.mem_ops, in);
    case abi::graph_node_type::host: return run_host_function(work.host.run, work.host.data);
    case abi::graph_node_type::conditional: return run_bodies(one, in, at);
    case abi::graph_node_type::event_record:
      one.stamp->when = std::chrono::steady_clock::now();
      one.stamp->stamped = true;
      return;
    default: return;
  }
}
void run_all(const std::vector<armed_work>& run, context& in, const ticket& at) {
  for (const armed_work& each : run) run_work(each, in, at);
}

}  // namespace

graph_object& graph_of(abi::graph handle) {
  const std::shared_ptr<graph_object> found = state<graph_state>().graphs.find(handle);
  require(found != nullptr);
  return *found;
}

std::shared_ptr<node_object> node_of(abi::graph_node handle) {
  const std::shared_ptr<node_object> found = state<graph_state>().nodes.find(handle);
  require(found != nullptr);
  return found;
}

std::size_t add_node(graph_object& to, std::vector<std::size_t> after, node_work work) {
  const auto made = std::make_shared<node_object>();
  made->owner = to.handle;
  made->work = std::move(work);
  made->after = std::move(after);
  made->handle = state<graph_state>().nodes.add(made);
  to.nodes.push_back(made);
  return to.nodes.size() - 1;
}

abi::graph_node add_node(graph_object& to, const abi::graph_node* after, std::size_t count, node_work work) {
  require(count == 0 || after != nullptr);
  std::vector<std::size_t> indices;
  for (std::size_t each = 0; each < count; ++each) {
    const std::shared_ptr<node_object> before = node_of(after[each]);
    const auto at = std::find(to.nodes.begin(), to.nodes.end(), before);
    require(at != to.nodes.end());
    const auto index = static_cast<std::size_t>(at - to.nodes.begin());
    require(std::find(indices.begin(), indices.end(), index) == indices.end());
    indices.push_back(index);
  }
  return to.nodes[add_node(to, std::move(indices), std::move(work))]->handle;
}

bool has_conditions(const graph_object& of) {
  return !of.conditions.empty() || std::any_of(of.nodes.begin(), of.nodes.end(), [](const auto& each) {
    return each->work.type == abi::graph_node_type::conditional;
  });
}

void forget_node(const node_object& gone) {
  if (gone.work.conditional != nullptr) {
    for (const auto& body : gone.work.conditional->bodies) {
      for (const auto& each : body->nodes) forget_node(*each);
    }
    for (const abi::graph each : gone.work.conditional->handles) state<graph_state>().graphs.remove(each);
  }
  state<graph_state>().nodes.remove(gone.handle);
}

node_work snapshot(const node_work& of) {
  node_work made = of;
  if (of.conditional == nullptr) return made;
  made.conditional = std::make_shared<conditional_work>(*of.conditional);
  for (auto& body : made.conditional->bodies) {
    const auto copied = std::make_shared<graph_object>(*body);
    for (auto& node : copied->nodes) {
      node = std::make_shared<node_object>(*node);
      node->work = snapshot(node->work);
    }
    body = copied;
  }
  return made;
}

std::shared_ptr<graph_object> clone(const graph_object& of) {
  require(!has_conditions(of));
  const auto made = std::make_shared<graph_object>();
  for (const auto& each : of.nodes) made->nodes.push_back(std::make_shared<node_object>(*each));
  return made;
}

void check_work(const node_work& work) {
  const context* const in = work.type == abi::graph_node_type::kernel_ ? work.launch.in : work.in;
  if (in != nullptr) check_context(*in);
  if (work.type == abi::graph_node_type::kernel_)
    require(work.launch.source->from != nullptr, abi::error_invalid_handle);
  if (work.type == abi::graph_node_type::graph_) {
    for (const auto& each : work.child->nodes) check_work(each->work);
  }
  if (work.type == abi::graph_node_type::conditional) {
    for (const auto& body : work.conditional->bodies) {
      for (const auto& condition : body->conditions) require(condition->used);
      for (const auto& each : body->nodes) check_work(each->work);
    }
  }
}

executable_object make_executable(const graph_object& of) {
  executable_object made;
  require(of.instance.expired());
  for (const auto& condition : of.conditions) require(condition->used);
  made.source = of.handle;
  for (const auto& each : of.nodes) {
    check_work(each->work);
    made.nodes.push_back({each->handle, snapshot(each->work), each->after, true});
  }
  return made;
}

void launch(stream& to, executable_object& what) {
  auto run = std::make_shared<std::vector<armed_work>>();
  for (const std::size_t each : order_of(what.nodes, [](const auto& node) -> auto& { return node.after; })) {
    if (what.nodes[each].enabled) arm_work(what.nodes[each].work, *run);
  }
  require(to.owner.error == abi::success, to.owner.error);
  const auto at = std::make_shared<ticket>();
  command whole;
  whole.work = [run, at, in = &to.owner] {
    begin_conditions(*run);
    run_all(*run, *in, *at);
  };
  if (what.last.on != nullptr && what.last.on.get() != &to) whole.after.push_back(what.last);
  // The run is one command: it waits for events as a whole, and they mark its end.
  for (const armed_work& each : *run) {
    if (each.work.type != abi::graph_node_type::wait_event || each.work.marks->latest == nullptr) continue;
    if (each.work.marks->latest->at.on.get() != &to) whole.after.push_back(each.work.marks->latest->at);
  }
  // A word may signal any work of other streams.
  if (run_has_wait(*run)) join_all_streams(to);
  *at = submit(to, std::move(whole));
  what.last = *at;
  for (const armed_work& each : *run) {
    if (each.stamp == nullptr) continue;
    each.stamp->at = *at;
    each.work.marks->latest = each.stamp;
    each.work.marks->captured_in = nullptr;
  }
  note_all(*run, *at);
  require(to.owner.error == abi::success, to.owner.error);
}

}  // namespace yoke::simulator
