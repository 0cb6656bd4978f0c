// SPDX-License-Identifier: MIT
// A graph: a shared handle of commands that are recorded once and launched many times.
#ifndef YOKE_GRAPH_GRAPH_HPP
#define YOKE_GRAPH_GRAPH_HPP

#include <yoke/graph/graph_executable.hpp>
#include <yoke/graph/graph_recorder.hpp>

namespace yoke::inline v0_1 {

/// Recorded commands with their order. Copies share the graph; nodes and executables keep it alive.
///
/// The graph keeps alive the modules, page-locked and shared memory, arrays, native events and host functions that its
/// nodes use, and the objects given to `keep`. A `device_allocation` or an image has only one owner: it must outlive
/// the executables, or be given to `keep`.
/// Thread safety: one thread at a time; several threads may instantiate at once.
/// Example: `yoke::graph graph{ctx}; auto record = graph.record(); f(record, shape, x); auto exec =
/// graph.instantiate();`
template <class Port = any_port>
class graph {
 public:
  using port_type = Port;
  using native_type = typename Port::graph_handle;

  graph() noexcept = default;
  /// An empty graph for streams of the context's only device.
  /// Throws: `logic_error` when the context is empty or has several devices; `error`. Wraps `cuGraphCreate`.
  explicit graph(const context<Port>& context, const source_location& where = source_location::current())
      : graph(context, context.only_device(where), where) {}
  /// The same for one of the context's devices, whose limits apply.
  /// Throws: `logic_error` for a device of another context; `error`.
  graph(const context<Port>& context, const device<Port>& device,
        const source_location& where = source_location::current())
      : graph(context, context.index_of(device.native_handle(), where), where) {
    state_->native = state_->port().create_graph(context.state(where).living(where), where);
  }
  /// Takes ownership of a native graph of the context. Throws: `logic_error` for null; `std::bad_alloc`.
  [[nodiscard]] static graph adopt(const context<Port>& context, native_type native,
                                   const source_location& where = source_location::current())
    requires capture_port<Port>
  {
    if (native == native_type{}) detail::throw_null_native("graph", where);
    graph made(context, context.index_of(context.only_device(where).native_handle(), where), where);
    made.state_->native = native;
    return made;
  }

  /// The driver's graph; null when empty.
  [[nodiscard]] native_type native_handle() const noexcept { return state_ ? state_->native : native_type{}; }
  void reset() noexcept { state_.reset(); }
  void swap(graph& other) noexcept { state_.swap(other.state_); }
  friend void swap(graph& left, graph& right) noexcept { left.swap(right); }
  [[nodiscard]] explicit operator bool() const noexcept { return state_ != nullptr; }
  [[nodiscard]] const context<Port>& context_of(const source_location& where = source_location::current()) const {
    return state(where)->in;
  }

  /// Returns: a recorder whose first command waits for no other command. Throws: `logic_error` when empty.
  [[nodiscard]] graph_recorder<Port> record(const source_location& where = source_location::current()) const {
    return graph_recorder<Port>(state(where), {});
  }
  /// Moves an object into the graph, which keeps it until the graph, its executables and their launches have ended.
  /// Returns: the kept object. Throws: `logic_error` when empty; `std::bad_alloc`.
  /// Example: `auto& x = graph.keep(yoke::device_allocation<float>{ctx, n});`
  template <class Object>
    requires(!std::is_lvalue_reference_v<Object>)
  Object& keep(Object&& object, const source_location& where = source_location::current()) const {
    auto kept = detail::make_shared<Object>(std::forward<Object>(object));
    Object& there = *kept;
    state(where)->kept.push_back(kept_alive(std::move(kept)));
    return there;
  }
  /// Makes an executable of all commands so far.
  /// Throws: `logic_error` when empty, while the body of one of its conditional nodes is recorded, and on CUDA for a
  /// graph with conditional nodes that already has an executable; `error`. Wraps `cuGraphInstantiateWithFlags`.
  [[nodiscard]] graph_executable<Port> instantiate(const source_location& where = source_location::current()) const {
    return graph_executable<Port>(state(where), where);
  }

  /// The number of recorded nodes. A copy or a fill may take several.
  [[nodiscard]] std::size_t node_count(const source_location& where = source_location::current()) const {
    return state(where)->nodes.size();
  }

  // For captures: a graph whose native graph is set later.
  [[nodiscard]] static graph unmade(const context<Port>& context, std::size_t device_index,
                                    const source_location& where)
    requires capture_port<Port>
  {
    return graph(context, device_index, where);
  }
  // For recorders, nodes and executables.
  [[nodiscard]] const detail::shared<detail::graph_state<Port>>& state(const source_location& where) const {
    if (!state_) [[unlikely]]
      detail::throw_error(errc::empty_handle, "this graph is empty (moved from or never set)", where);
    return state_;
  }

 private:
  graph(const context<Port>& context, std::size_t device_index, const source_location& where)
      : state_(detail::make_shared<detail::graph_state<Port>>(context, device_index)) {
    (void)context.state(where).living(where);
  }

  detail::shared<detail::graph_state<Port>> state_;
};

}  // namespace yoke::inline v0_1

#endif
