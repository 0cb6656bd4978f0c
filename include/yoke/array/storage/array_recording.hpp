// SPDX-License-Identifier: MIT
// Records the work of arrays: takes the place of a stream, and makes graph nodes instead of running work.
#ifndef YOKE_ARRAY_STORAGE_ARRAY_RECORDING_HPP
#define YOKE_ARRAY_STORAGE_ARRAY_RECORDING_HPP

#include <yoke/array/evaluation/array_memory.hpp>
#include <yoke/graph/graph_types.hpp>
#include <yoke/memory/device_allocation.hpp>
#include <yoke/program/kernel.hpp>

#include <span>

namespace yoke::inline v0_1 {

namespace detail {

/// The order of one operation of arrays that a recorder takes. The graph keeps its temporaries and the memory of its
/// arrays. <yoke/graph.hpp> defines the functions that it calls.
template <class Port>
class array_recording {
 public:
  using port_type = Port;

  /// Throws: `logic_error` for an empty recorder.
  array_recording(graph_recorder<Port>& by, const source_location& where) : by_(by), in_(by.context_of(where)) {}
  array_recording(const array_recording&) = delete;
  array_recording& operator=(const array_recording&) = delete;

  [[nodiscard]] const context<Port>& context_of() const noexcept { return in_; }
  [[nodiscard]] const device<Port>& device_of(const source_location& where) const {
    return in_.devices(where)[by_.use(where)->device_index];
  }
  [[nodiscard]] graph_recorder<Port>& recorder() const noexcept { return by_; }
  void keep(kept_alive what) const { by_.keep(std::move(what), source_location()); }
  // Keeps the memory of an array; each launch of the graph takes account of its use.
  void keep(kept_alive what, const uses_of_memory<Port>& uses, memory_use kind) const {
    by_.keep({std::move(what), uses, kind}, source_location());
  }

  void launch(typename Port::kernel_handle kernel, const launch_shape& shape,
              std::span<const kernel_argument> arguments, const source_location& where) const {
    const shape_for<Port> threads(shape);
    add(launched_node(by_.record(
        {},
        [&](const auto& state, auto after) {
          return state.port().record_kernel(state.in.native_handle(), state.native, after, kernel, threads,
                                            state.limits(), arguments, where);
        },
        where)));
  }
  /// Whether the body of a conditional node is recorded.
  [[nodiscard]] bool is_body(const source_location& where) const { return by_.use(where)->is_body; }
  /// Effects: ends a native graph.
  void end_graph(typename Port::graph_handle captured, const source_location& where) const {
    const auto in = by_.use(where);
    in->in.shared()->report(in->port().release_graph(captured));
  }
  /// Effects: records a native graph as one node, and ends it.
  void add_graph(typename Port::graph_handle captured, const source_location& where) const {
    try {
      add(by_.record(
          {},
          [&](const auto& state, auto after) {
            return state.port().record_graph(state.native, after, captured, where);
          },
          where));
    } catch (...) {
      end_graph(captured, where);
      throw;
    }
    end_graph(captured, where);
  }
  /// Effects: counts a recorded node of the operation.
  void add(graph_node<Port> made) const {
    only_ = std::move(made);
    ++count_;
  }
  /// Returns: the node of the whole operation: its only node, or else `all`, which follows all of its nodes.
  [[nodiscard]] graph_node<Port> whole(graph_node<Port> all) const { return count_ == 1 ? only_ : std::move(all); }

 private:
  /// The node of one launch, which an executable can disable.
  template <class Node = graph_node<Port>>
  struct launch_node : Node {
    explicit launch_node(Node node) noexcept : Node(std::move(node), true) {}
  };
  static graph_node<Port> launched_node(graph_node<Port> node) { return launch_node<>(std::move(node)); }

  graph_recorder<Port>& by_;
  const context<Port> in_;
  mutable graph_node<Port> only_{};
  mutable std::size_t count_ = 0;
};

/// Returns: memory for a temporary. The graph keeps it.
template <class T, class Port>
[[nodiscard]] device_allocation<T, Port>& allocate_for_array(const array_recording<Port>& order, std::size_t count,
                                                             const source_location& where) {
  const auto made = make_shared<device_allocation<T, Port>>(order.context_of(), count, where);
  order.keep(kept_alive(made));
  return *made;
}

/// Effects: records a copy or a fill between memories that are not arrays.
template <class Source, class Destination, class Port>
void enqueue_copy(Source&& source, Destination&& destination, const array_recording<Port>& order,
                  const source_location& where) {
  order.add(enqueue_copy(source, destination, order.recorder(), where));
}
template <class Destination, class T, class Port>
void fill(Destination&& destination, const T& value, const array_recording<Port>& order, const source_location& where) {
  order.add(fill(destination, value, order.recorder(), where));
}

/// Effects: records an operation as one: `body(order)` enqueues its work. Returns: its node.
template <class Port, class Body>
graph_node<Port> record_for_array(graph_recorder<Port>& by, const Body& body, const source_location& where) {
  const array_recording<Port> order(by, where);
  return order.whole(by.record_in_turn([&] { body(order); }, where));
}

}  // namespace detail

}  // namespace yoke::inline v0_1

#endif
