// SPDX-License-Identifier: MIT
// A node of a graph: a recorded command, for others to come behind it.
#ifndef YOKE_GRAPH_GRAPH_NODE_HPP
#define YOKE_GRAPH_GRAPH_NODE_HPP

#include <yoke/graph/graph_state.hpp>

namespace yoke::inline v0_1 {

template <class Port>
class graph_recorder;
template <class Port>
class graph_executable;

/// A command of a graph. A copyable value, which keeps the graph alive. Thread safety: a value.
/// Nodes of kernels, copies and fills have types of their own, with `set`, which gives an executable other arguments.
template <class Port = any_port>
class graph_node {
 public:
  using port_type = Port;
  using native_type = typename Port::node_handle;

  graph_node() noexcept = default;
  /// The driver's node; null when empty.
  [[nodiscard]] native_type native_handle() const noexcept { return of_ ? of_->nodes[index_] : native_type{}; }
  [[nodiscard]] explicit operator bool() const noexcept { return of_ != nullptr; }
  // For what only one backend tells of nodes. Throws: `logic_error` when empty.
  [[nodiscard]] const Port& port(const source_location& where) const {
    if (!of_) detail::throw_error(errc::empty_handle, "this graph node is empty", where);
    return of_->port();
  }
  /// Whether both are the same node of the same graph.
  [[nodiscard]] friend bool operator==(const graph_node& left, const graph_node& right) noexcept {
    return left.of_.get() == right.of_.get() && left.index_ == right.index_;
  }

 protected:
  /// A node that an executable can leave out, or not.
  graph_node(graph_node node, bool can_be_left_out) noexcept
      : of_(std::move(node.of_)), index_(node.index_), optional_(can_be_left_out) {}

 private:
  friend class graph_recorder<Port>;
  friend class graph_executable<Port>;
  graph_node(detail::shared<const detail::graph_state<Port>> of, std::size_t index) noexcept
      : of_(std::move(of)), index_(index) {}

  detail::shared<const detail::graph_state<Port>> of_;
  std::size_t index_ = 0;
  bool optional_ = false;  // whether it is one launch, copy or fill
};

}  // namespace yoke::inline v0_1

#endif
