// SPDX-License-Identifier: MIT
// Graphs: nodes with their work, executables made of them, and their runs.
#ifndef YOKE_SIMULATOR_MACHINE_GRAPH_GRAPHS_HPP
#define YOKE_SIMULATOR_MACHINE_GRAPH_GRAPHS_HPP

#include <cstddef>
#include <memory>
#include <vector>

#include "engine/words/conditions.hpp"
#include "machine/base/handles.hpp"
#include "machine/launch/launch_queue.hpp"
#include "machine/work/copy.hpp"
#include "machine/work/mem_op.hpp"

namespace yoke::simulator {

struct event;
struct executable_object;
struct graph_object;

/// A condition of a graph.
struct known_condition {
  std::shared_ptr<graph_condition> condition{};
  unsigned initial = 0;
  bool has_initial = false;  ///< each run begins with `initial`
  context* in = nullptr;
  bool used = false;  ///< by a conditional node
};

/// The bodies that a run chooses from.
struct conditional_work {
  known_condition by{};
  abi::condition_type type = abi::condition_type::if_;
  std::vector<std::shared_ptr<graph_object>> bodies{};
  std::vector<abi::graph> handles{};  ///< the bodies' handles
};

/// The work of a node. Members of other node types are empty.
struct node_work {
  abi::graph_node_type type = abi::graph_node_type::empty;
  queued_launch launch{};
  context* in = nullptr;  ///< of copies, fills and memory operations
  copy_plan copy{};
  fill_plan fill{};
  mem_op_plan mem_ops{};
  abi::host_node_params host{};
  std::shared_ptr<void> host_owner{};  ///< of the data of the simulated NCCL's host functions
  std::shared_ptr<graph_object> child{};
  std::shared_ptr<conditional_work> conditional{};
  std::shared_ptr<event> marks{};  ///< the event that it records, or waits for
};

struct node_object {
  abi::graph owner = nullptr;
  abi::graph_node handle = nullptr;
  node_work work{};
  std::vector<std::size_t> after{};  ///< indices of nodes of the graph
};

/// Thread safety: the driver's lock, as everything here.
struct graph_object {
  abi::graph handle = nullptr;
  std::vector<std::shared_ptr<node_object>> nodes{};
  std::vector<std::shared_ptr<known_condition>> conditions{};
  bool is_body = false;  ///< of a conditional node
  std::weak_ptr<executable_object> instance{};
};

/// A node of an executable, with its node in the graph.
struct executable_node {
  abi::graph_node of = nullptr;
  node_work work{};
  std::vector<std::size_t> after{};
  bool enabled = true;
};

struct executable_object {
  abi::graph source = nullptr;
  std::vector<executable_node> nodes{};
  ticket last{};  ///< of the latest launch
};

/// Thread safety: the driver's lock.
struct graph_state {
  handle_table<graph_object, abi::graph, handle_kind::graph> graphs{};
  handle_table<node_object, abi::graph_node, handle_kind::graph_node> nodes{};
  handle_table<executable_object, abi::graph_exec, handle_kind::executable> executables{};
};

/// Returns: the context of a node's work. Throws: refusal, unless it is alive and has no error.
context& living_context(abi::context handle);
/// Returns: the graph. Throws: refusal.
graph_object& graph_of(abi::graph handle);
// Returns: the work of a node with these parameters. Throws: refusal.
node_work work_of(const abi::kernel_node_params* params);
node_work work_of(const abi::copy_3d* params, abi::context in);
node_work work_of(const abi::memset_node_params* params, abi::context in);
node_work work_of(const abi::mem_op_node_params* params);
/// Returns: the graph's node. Throws: refusal.
std::shared_ptr<node_object> node_of(abi::graph_node handle);
/// Effects: adds a node after others of the same graph. Throws: refusal for nodes of another graph, or listed twice.
abi::graph_node add_node(graph_object& to, const abi::graph_node* after, std::size_t count, node_work work);
/// As above, with indices.
std::size_t add_node(graph_object& to, std::vector<std::size_t> after, node_work work);
/// Returns: a copy, as a node of another graph holds one. Throws: refusal for a graph with conditional nodes.
std::shared_ptr<graph_object> clone(const graph_object& of);
/// Returns: a copy of the work that later changes of the graph do not affect.
node_work snapshot(const node_work& of);
/// Returns: an executable of the graph. Throws: refusal for a kernel that is gone, for a condition that no node uses,
/// and while another executable of a graph with conditional nodes exists.
executable_object make_executable(const graph_object& of);
[[nodiscard]] bool has_conditions(const graph_object& of);
/// Effects: invalidates the handles of a node and of its bodies.
void forget_node(const node_object& gone);

/// Throws: refusal unless the work can run in its context now.
void check_work(const node_work& work);
/// Effects: enqueues a run of all nodes. Among independent nodes, the one added last runs first, so that programs
/// cannot rely on an order.
void launch(stream& to, executable_object& what);

}  // namespace yoke::simulator

#endif
