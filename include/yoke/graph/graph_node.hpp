// SPDX-License-Identifier: MIT
// A node of a graph: a recorded command that later commands can depend on.
#ifndef YOKE_GRAPH_GRAPH_NODE_HPP
#define YOKE_GRAPH_GRAPH_NODE_HPP

#include <yoke/graph/graph_state.hpp>

namespace yoke::inline v0_1 {

template <class Port>
class graph_recorder;
template <class Port>
class graph_executable;

/// A command of a graph. Copyable; keeps the graph alive. Nodes of kernels, copies and fills have types of their own
/// with a function `set`, which changes the arguments in an executable. Thread safety: a value.
template <class Port = any_port>
class graph_node {
 public:
  using port_type = Port;
  using native_type = typename Port::node_handle;

  graph_node() noexcept = default;
  /// The driver's node; null when empty.
  [[nodiscard]] native_type native_handle() const noexcept { return of_ ? of_->nodes[index_] : native_type{}; }
  [[nodiscard]] explicit operator bool() const noexcept { return of_ != nullptr; }
  // For functions of one backend. Throws: `logic_error` when empty.
  [[nodiscard]] const Port& port(const source_location& where) const {
    if (!of_) detail::throw_error(errc::empty_handle, "this graph node is empty", where);
    return of_->port();
  }
  /// Whether both are the same node of the same graph.
  [[nodiscard]] friend bool operator==(const graph_node& left, const graph_node& right) noexcept {
    return left.of_.get() == right.of_.get() && left.index_ == right.index_;
  }

 protected:
  /// `can_be_left_out`: whether executables can disable the node.
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
