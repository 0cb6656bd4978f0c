// SPDX-License-Identifier: MIT
// A recorder of a graph: it stands where a stream stands, and makes nodes of the commands.
#ifndef YOKE_GRAPH_GRAPH_RECORDER_HPP
#define YOKE_GRAPH_GRAPH_RECORDER_HPP

#include <yoke/graph/graph_node.hpp>
#include <yoke/graph/host_node.hpp>

#include <algorithm>
#include <initializer_list>
#include <span>

namespace yoke::inline v0_1 {

template <class Port>
class graph;

namespace detail {
template <class Port>
class condition_value;
}

/// A line of commands of a graph: each comes behind the one before. Launches, `enqueue_copy`, `copy_async`, `fill` and arrays'
/// `bind` take it in place of a stream, check as they do there, and return nodes. What waits for the device does not compile.
///
/// Lines that run at once are recorders of the same graph: `fork()` begins another line here, `after` one behind any nodes,
/// and `join` brings lines together.
/// Move-only. Thread safety: one thread at a time for all recorders of a graph.
/// Example: `auto left = record.fork(); f(left, shape, x); g(record, shape, y); record.join(left);`
template <class Port = any_port>
class graph_recorder {
 public:
  using port_type = Port;

  graph_recorder() noexcept = default;
  graph_recorder(graph_recorder&&) noexcept = default;
  graph_recorder& operator=(graph_recorder&&) noexcept = default;
  [[nodiscard]] explicit operator bool() const noexcept { return state_ != nullptr; }

  /// A line that begins behind what this one has recorded. Throws: `logic_error` when empty.
  [[nodiscard]] graph_recorder fork(const source_location& where = source_location::current()) const {
    return graph_recorder(use(where), front_);
  }
  /// A line that begins behind these nodes; behind nothing if there are none. It does not change this one.
  /// Throws: `logic_error` when empty, or for a node that is empty or of another graph.
  /// Example: `h(record.after({a, b}), shape, x, y);`
  [[nodiscard]] graph_recorder after(std::span<const graph_node<Port>> nodes,
                                     const source_location& where = source_location::current()) const {
    std::vector<std::size_t> front;
    for (std::size_t i = 0; i < nodes.size(); ++i) add_to(front, nodes[i], i, where);
    return graph_recorder(use(where), std::move(front));
  }
  [[nodiscard]] graph_recorder after(std::initializer_list<graph_node<Port>> nodes,
                                     const source_location& where = source_location::current()) const {
    return after(std::span(nodes.begin(), nodes.size()), where);
  }

  /// What this records next also comes behind the other line. Throws: `logic_error` when empty, or of another graph.
  void join(const graph_recorder& other, const source_location& where = source_location::current()) {
    if (use(where).get() != other.use(where).get()) {
      detail::throw_error(errc::invalid_argument, "the other recorder is of another graph", where);
    }
    for (const std::size_t each : other.front_) add_to(front_, each);
  }
  /// The same for nodes. Throws: `logic_error` when empty, or for a node that is empty or of another graph.
  void join(std::initializer_list<graph_node<Port>> nodes, const source_location& where = source_location::current()) {
    (void)use(where);
    std::vector<std::size_t> front = front_;
    std::size_t i = 0;
    for (const graph_node<Port>& each : nodes) add_to(front, each, i++, where);
    front_ = std::move(front);
  }
  /// A node that does nothing, behind everything in this line: one name for many nodes.
  /// Throws: `logic_error` when empty; `error`. Wraps `cuGraphAddEmptyNode`.
  graph_node<Port> mark(const source_location& where = source_location::current()) {
    std::vector<std::size_t>& joins = use(where)->joins;
    joins.reserve(joins.size() + 1);
    graph_node<Port> made =
        add([&](const auto& state, auto after) { return state.port().record_join(state.native, after, where); }, where);
    joins.push_back(made.index_);
    return made;
  }
  /// All commands that `child` has now, as one node. Throws: `logic_error` when empty, for this graph itself, for one in whose body
  /// this records, or for a graph of another context; `unsupported_error` for a child that CUDA does not take here; `error`.
  /// Wraps `cuGraphAddChildGraphNode`.
  graph_node<Port> add(const graph<Port>& child, const source_location& where = source_location::current()) {
    const auto& of = child.state(where);
    if (of.get() == use(where).get()) {
      detail::throw_error(errc::invalid_argument, "a graph cannot be a node of itself", where);
    }
    of->check_no_open_body(
        "a graph cannot be a node of itself: the body of one of its conditional nodes is being recorded", where);
    if (of->in.shared() != state_->in.shared()) {
      detail::throw_error(errc::wrong_context, "the child graph is of another context than the recorder", where);
    }
    check_open(where);
    if (of->not_for_bodies != nullptr) check_for_body(of->not_for_bodies, where);
    if (of->has_conditions && of->conditions_are_the_drivers()) {
      detail::throw_error(errc::unsupported,
                          "the child graph has conditional nodes, which this backend takes in no child: record its "
                          "commands in this graph",
                          where);
    }
    const kept_node kept(*this, of->kept);  // not the graph, which may come to contain this one's commands
    return kept.done(add([&](const auto& state,
                             auto after) { return state.port().record_graph(state.native, after, of->native, where); },
                         where));
  }
  /// Records an event behind everything in this line, at each launch: streams wait for it, and times are taken, as if the stream
  /// of the launch had recorded it there. The graph keeps the native event.
  /// Throws: `logic_error` when empty, for an empty event, or one of another context; `error`. Wraps `cuGraphAddEventRecordNode`.
  /// Example: `record.record(start); f(record, shape, x); record.record(stop);`
  template <class Event>
    requires graph_event_port<Port> && std::derived_from<Event, detail::event_base<Event, Port>>
  graph_node<Port> record(const Event& event, const source_location& where = source_location::current()) {
    return record(
        {keep_event(event, where)},
        [&](const auto& state, auto after) {
          return state.port().record_event_node(state.native, after, event.native_handle(), where);
        },
        where);
  }
  /// Makes what comes behind in this line wait, at each launch, for the point that the event marks at that launch. The graph keeps
  /// the native event. Throws: as `record`. Wraps `cuGraphAddEventWaitNode`.
  template <class Event>
    requires graph_event_port<Port> && std::derived_from<Event, detail::event_base<Event, Port>>
  graph_node<Port> wait(const Event& event, const source_location& where = source_location::current()) {
    return record(
        {keep_event(event, where)},
        [&](const auto& state, auto after) {
          return state.port().record_wait_node(state.native, after, event.native_handle(), where);
        },
        where);
  }

  // Conditional nodes. The condition is device memory with one `int` or `unsigned`, which commands in front may write; on CUDA
  // also a `cuda::graph_condition`. `body(line)` is called once, here, and records with the recorder that it gets. The graph keeps
  // what bodies use; their nodes cannot be changed, enabled or disabled. Until `body` returns, the graph's other lines record nothing.
  // Throws: `logic_error` when empty, for memory of another context, or of another size, and in the body of a node of this graph; on CUDA `unsupported_error` for a driver
  // before 12.3, for a second body or `choose` before 12.8; what `body` throws; `error`. A graph in whose body recording failed
  // is not to be instantiated on CUDA: record it anew.
  // Wraps `cuGraphConditionalHandleCreate`, `cuGraphAddNode`. On OpenCL a launch waits for the value, and makes the calls.

  /// Runs the commands of `body` again and again while the value is not 0. The value is looked at before the body, and again behind
  /// all of its commands.
  /// Example: `record.repeat_while(left, [&](auto& line) { step(line, shape, x, left); });`
  template <class Body>
  graph_node<Port> repeat_while(const detail::condition_value<Port>& value, Body&& body);
  /// Runs the commands of `then` if the value is not 0, else those of `otherwise`, if it is given.
  /// Example: `record.when(found, [&](auto& line) { yoke::enqueue_copy(x, host, line); });`
  template <class Then>
  graph_node<Port> when(const detail::condition_value<Port>& value, Then&& then);
  template <class Then, class Otherwise>
  graph_node<Port> when(const detail::condition_value<Port>& value, Then&& then, Otherwise&& otherwise);
  /// Runs the commands of the body whose number is the value, counted from 0; of none if there are not so many.
  template <class... Bodies>
  graph_node<Port> choose(const detail::condition_value<Port>& value, Bodies&&... bodies);

  /// Calls `function()` behind everything in this line, at each launch, on a thread of the driver. There it must neither use the
  /// driver nor wait for the device. The graph keeps it. Its exceptions go to the cleanup handler.
  /// Throws: `logic_error` when empty; `error`, `std::bad_alloc`. Wraps `cuGraphAddHostNode`.
  template <std::invocable Function>
  graph_node<Port> call(Function function, const source_location& where = source_location::current())
    requires graph_host_function_port<Port>
  {
    check_for_body("host functions", where);
    const auto kept_function = detail::make_shared<detail::host_node_of<Function>>(std::move(function));
    const kept_node kept(*this, {kept_alive(kept_function)});
    return kept.done(add(
        [&](const auto& state, auto after) {
          return state.port().record_host_function(state.native, after, &detail::run_host_node,
                                                   static_cast<detail::host_node*>(kept_function.get()), where);
        },
        where));
  }

  [[nodiscard]] const context<Port>& context_of(const source_location& where = source_location::current()) const {
    return use(where)->in;
  }

  // For what records: a node made by `make(state, after)`, with what it keeps alive.
  template <class Make>
  graph_node<Port> record(std::vector<detail::graph_use<Port>> keeps, const Make& make, const source_location& where) {
    const kept_node kept(*this, std::move(keeps));
    return kept.done(add(make, where));
  }
  // A node made by several that come side by side: those made while `body(line)` runs with lines from here.
  template <class Body>
  graph_node<Port> record_together(std::vector<detail::graph_use<Port>> keeps, const Body& body,
                                   const source_location& where) {
    const kept_node kept(*this, std::move(keeps));
    graph_recorder together = after(std::span<const graph_node<Port>>{}, where);
    std::size_t made = 0;
    body([&](const auto& make) {
      graph_recorder line = fork(where);
      line.add(make, where);
      together.front_.push_back(line.front_.front());
      ++made;
    });
    front_ = std::move(together.front_);
    return kept.done(made == 1 ? graph_node<Port>(state_, front_.front()) : mark(where));
  }
  // Throws: `unsupported_error` in the body of a conditional node that takes none of these commands. Notes them for graphs that
  // this one becomes a child of.
  void check_for_body(const char* commands, const source_location& where) const {
    detail::graph_state<Port>& state = *use(where);
    state.not_for_bodies = commands;
    if (state.is_body && state.conditions_are_the_drivers()) {
      detail::throw_error(errc::unsupported,
                          detail::text("the body of a conditional node takes no ", commands, " on this backend"),
                          where);
    }
  }
  // Throws: `logic_error` when empty, and where this graph takes no command now.
  void check_open(const source_location& where) const {
    const detail::graph_state<Port>& state = *use(where);
    if (state.complete) {
      detail::throw_error(errc::invalid_argument,
                          "the body of this conditional node is complete: record in the function that it was made with",
                          where);
    }
    state.check_no_open_body(
        "the body of a conditional node is being recorded: record by the line that the body's function gets", where);
  }
  // A line of the body of a conditional node.
  [[nodiscard]] static graph_recorder of_body(detail::shared<detail::graph_state<Port>> body) {
    return graph_recorder(std::move(body), {});
  }
  // What is recorded next comes behind everything in the graph.
  void join_all(const source_location& where) {
    const detail::graph_state<Port>& state = *use(where);
    std::vector<bool> followed(state.nodes.size());
    for (const auto& before : state.after) {
      for (const std::size_t each : before) followed[each] = true;
    }
    std::vector<std::size_t> front;
    for (std::size_t each = 0; each < followed.size(); ++each) {
      if (!followed[each]) front.push_back(each);
    }
    front_ = std::move(front);
  }
  // Nodes that come one behind the other, made while `body()` runs: all of them or none. Returns: one that is behind them.
  template <class Body>
  graph_node<Port> record_in_turn(const Body& body, const source_location& where) {
    const std::size_t made = use(where)->nodes.size();
    const std::vector<std::size_t> front = front_;
    const kept_node kept(*this, {});
    try {
      body();
      return kept.done(state_->nodes.size() == made ? mark(where) : graph_node<Port>(state_, front_.front()));
    } catch (...) {
      front_ = front;
      throw;
    }
  }
  // Keeps something with what is recorded now.
  void keep(detail::graph_use<Port> what, const source_location& where) {
    if (what.what) use(where)->kept.push_back(std::move(what));
  }
  [[nodiscard]] const detail::shared<detail::graph_state<Port>>& use(const source_location& where) const {
    if (!state_) [[unlikely]]
      detail::throw_error(errc::empty_handle, "this graph recorder is empty (moved from or never set)", where);
    return state_;
  }

 private:
  friend class graph<Port>;
  using native_node = typename Port::node_handle;

  graph_recorder(detail::shared<detail::graph_state<Port>> state, std::vector<std::size_t> front) noexcept
      : state_(std::move(state)), front_(std::move(front)) {}

  /// A share of a native event.
  struct kept_event {
    kept_event(const context<Port>& of, typename Port::event_handle event, const source_location& where) : in(of) {
      in.port(where).retain_event(event, where);
      native = event;
    }
    kept_event(const kept_event&) = delete;
    kept_event& operator=(const kept_event&) = delete;
    ~kept_event() {
      const detail::context_state<Port>& state = *in.shared();
      if (native == typename Port::event_handle{} || state.left_us()) return;
      state.report(state.port.release_event(native));
    }
    const context<Port> in;
    typename Port::event_handle native{};
  };
  template <class Event>
  [[nodiscard]] kept_alive keep_event(const Event& event, const source_location& where) const {
    check_for_body("events", where);
    const context<Port>& in = use(where)->in;
    if (!event) detail::throw_error(errc::empty_handle, "the event is empty (moved from or never set)", where);
    if (event.context_of().shared() != in.shared())
      detail::throw_error(errc::wrong_context, "the event is of another context than the recorder", where);
    return kept_alive(detail::make_shared<const kept_event>(in, event.native_handle(), where));
  }

  /// Keeps things for a node. If that fails, drops them, and the nodes that it has taken so far.
  class kept_node {
   public:
    kept_node(graph_recorder& of, std::vector<detail::graph_use<Port>> keeps) : of_(of) {
      if (of.state_ == nullptr) return;  // the recording will say so
      before_ = of.state_->kept.size();
      nodes_ = of.state_->nodes.size();
      for (detail::graph_use<Port>& each : keeps) {
        if (each.what) of.state_->kept.push_back(std::move(each));
      }
    }
    kept_node(const kept_node&) = delete;
    kept_node& operator=(const kept_node&) = delete;
    ~kept_node() {
      if (of_.state_ == nullptr || made_) return;
      detail::graph_state<Port>& state = *of_.state_;
      for (; state.nodes.size() > nodes_; state.nodes.pop_back()) {
        const bool is_join = !state.joins.empty() && state.joins.back() + 1 == state.nodes.size();
        if (is_join) state.joins.pop_back();
        state.in.shared()->report(state.port().discard_node(state.native, state.nodes.back(), is_join));
      }
      state.after.resize(nodes_);
      state.kept.erase(state.kept.begin() + static_cast<std::ptrdiff_t>(before_), state.kept.end());
    }
    graph_node<Port> done(graph_node<Port> node) const noexcept {
      made_ = true;
      return node;
    }

   private:
    graph_recorder& of_;
    std::size_t before_ = 0;
    std::size_t nodes_ = 0;
    mutable bool made_ = false;
  };

  template <class Make>
  graph_node<Port> add(const Make& make, const source_location& where)
    requires std::invocable<const Make&, const detail::graph_state<Port>&, std::span<const native_node>>
  {
    check_open(where);
    detail::graph_state<Port>& state = *state_;
    std::vector<native_node> after;
    after.reserve(front_.size());
    for (const std::size_t each : front_) after.push_back(state.nodes[each]);
    std::vector<std::size_t> next{state.nodes.size()};
    state.nodes.reserve(next.front() + 1);
    state.after.reserve(next.front() + 1);
    state.nodes.push_back(make(std::as_const(state), std::span<const native_node>(after)));
    state.after.push_back(std::move(front_));
    front_ = std::move(next);
    return graph_node<Port>(state_, front_.front());
  }
  static void add_to(std::vector<std::size_t>& front, std::size_t index) {
    if (std::find(front.begin(), front.end(), index) == front.end()) front.push_back(index);
  }
  void add_to(std::vector<std::size_t>& front, const graph_node<Port>& node, std::size_t number,
              const source_location& where) const {
    if (!node) {
      detail::throw_error(errc::empty_handle, detail::text("node ", number, " of the list is empty"), where);
    }
    if (node.of_.get() != use(where).get()) {
      detail::throw_error(errc::invalid_argument, detail::text("node ", number, " of the list is of another graph"),
                          where);
    }
    add_to(front, node.index_);
  }

  detail::shared<detail::graph_state<Port>> state_;
  std::vector<std::size_t> front_;  // the nodes that the next one comes behind
};

}  // namespace yoke::inline v0_1

#endif
