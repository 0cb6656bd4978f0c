// SPDX-License-Identifier: MIT
// Launches as nodes of a graph, whose arguments can be changed in an executable.
#ifndef YOKE_GRAPH_KERNEL_NODE_HPP
#define YOKE_GRAPH_KERNEL_NODE_HPP

#include <yoke/graph/graph_executable.hpp>
#include <yoke/graph/graph_recorder.hpp>
#include <yoke/graph/recorded_argument.hpp>

#include <array>

namespace yoke::inline v0_1 {

template <class Signature, class Port, class Indices>
class basic_kernel_node;

namespace detail {

/// A recorder as the first argument of a launch, with the caller's location.
template <class Port>
class record_order {
 public:
  record_order(graph_recorder<Port>& recorder, const source_location& where = source_location::current())  // NOLINT
      : recorder_(&recorder), where_(where) {}
  record_order(graph_recorder<Port>&& recorder, const source_location& where = source_location::current())  // NOLINT
      : recorder_(&recorder), where_(where) {}

  [[nodiscard]] graph_recorder<Port>& recorder() const noexcept { return *recorder_; }
  [[nodiscard]] const source_location& where() const noexcept { return where_; }
  [[nodiscard]] launch_target<Port> target() const { return target_of(*recorder_->use(where_), where_); }
  [[nodiscard]] static launch_target<Port> target_of(const graph_state<Port>& state, const source_location& where) {
    context_state<Port>& in = state.in.state(where);
    return {&in.port, in.native, {}, &state.limits(), &in, where};
  }

  template <class Signature, class Kernel, class Shape, class Owner, class... Arguments>
  kernel_node<Signature, Port> launch(const launch_target<Port>& target, Kernel kernel,
                                      typename Port::native_kernel native, const Shape& shape, const Owner& owner,
                                      Arguments&... arguments) const {
    check_shape(shape, where_);
    if (shape.nothing) {
      (arguments.made().check_unused(target), ...);
      return {recorder_->mark(where_), native, shape};
    }
    const std::array<kernel_argument, sizeof...(Arguments)> list{arguments.made().prepare(target)...};
    return {recorder_->record(
                {keep_alive(owner), arguments.kept()...},
                [&](const auto& state, auto after) {
                  return target.port->record_kernel(target.context, state.native, after, kernel, shape, *target.limits,
                                                    list, where_);
                },
                where_),
            native, shape};
  }
  /// Throws: `launch_error` for a shape that is empty by mistake.
  template <class Shape>
  static void check_shape(const Shape& shape, const source_location& where) {
    if (is_empty(shape) && !shape.nothing) throw_empty_shape(shape.grid, shape.block, where);
  }

 private:
  graph_recorder<Port>* recorder_;
  source_location where_;
};

/// An executable as the first argument of `set`, with the caller's location.
template <class Port>
class update_order {
 public:
  update_order(const graph_executable<Port>& executable,
               const source_location& where = source_location::current())  // NOLINT
      : executable_(&executable), where_(where) {}
  [[nodiscard]] const graph_executable<Port>& get() const noexcept { return *executable_; }
  [[nodiscard]] const source_location& where() const noexcept { return where_; }

 private:
  const graph_executable<Port>* executable_;
  source_location where_;
};

}  // namespace detail

/// The node of a launch. Copyable. Thread safety: a value; `set` as the executable.
template <class... P, class Port, std::size_t... Index>
class basic_kernel_node<void(P...), Port, std::index_sequence<Index...>> : public graph_node<Port> {
 public:
  using shape_type = shape_for<Port>;

  basic_kernel_node() noexcept = default;
  basic_kernel_node(graph_node<Port> node, typename Port::native_kernel native, const shape_type& shape) noexcept
      : graph_node<Port>(std::move(node), !shape.nothing), native_(native), shape_(shape) {}

  /// Changes the node's arguments in an executable, for launches from now on; the graph is unchanged. The executable
  /// keeps the arguments' page-locked and shared memory alive.
  /// Throws: `logic_error` for an executable of another graph, for a node with an empty shape, and as a launch;
  /// `error`. The executable is then unchanged. Thread safety: safe. Wraps `cuGraphExecKernelNodeSetParams`.
  /// Example: `node.set(exec, x, 2.0f);`
  void set(detail::update_order<Port> executable, detail::recorded_argument<Index, P, Port>... arguments) const {
    change(executable, shape_, arguments...);
  }
  /// The same with another shape. The launch keeps its recorded attributes.
  void set(detail::update_order<Port> executable, const shape_type& shape,
           detail::recorded_argument<Index, P, Port>... arguments) const {
    change(executable, shape, arguments...);
  }

 private:
  void change(const detail::update_order<Port>& executable, const shape_type& shape,
              detail::recorded_argument<Index, P, Port>&... arguments) const {
    const source_location& where = executable.where();
    detail::record_order<Port>::check_shape(shape, where);
    if (shape.nothing || shape_.nothing) {
      detail::throw_error(errc::invalid_argument,
                          "a node that launches nothing cannot be changed: record one that launches", where);
    }
    executable.get().change(
        *this, {arguments.kept()...},
        [&](const detail::graph_state<Port>& state, auto native, auto node) {
          const auto target = detail::record_order<Port>::target_of(state, where);
          const std::array<kernel_argument, sizeof...(P)> list{arguments.made().prepare(target)...};
          target.port->set_kernel(target.context, native, node, native_, shape, *target.limits, list, where);
        },
        where);
  }

  typename Port::native_kernel native_{};
  shape_type shape_{};
};

template <class... P, class Port>
class kernel_node<void(P...), Port> : public basic_kernel_node<void(P...), Port, std::index_sequence_for<P...>> {
 public:
  using basic_kernel_node<void(P...), Port, std::index_sequence_for<P...>>::basic_kernel_node;
};

}  // namespace yoke::inline v0_1

#endif
