// SPDX-License-Identifier: MIT
// A recorder of a graph: takes a stream's place in calls and records their commands as nodes.
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

/// Records a line of commands of a graph, each behind the previous one. Launches, `enqueue_copy`, `copy_async`, `fill`
/// and arrays' `bind` take it in place of a stream, make the same checks, and return nodes. Calls that wait for the
/// device do not compile.
///
/// Lines that may run at the same time are different recorders of one graph: `fork()` begins a line here, `after`
/// begins one behind given nodes, and `join` makes a line wait for another one. Move-only.
/// Thread safety: one thread at a time for all recorders of a graph.
/// Example: `auto left = record.fork(); f(left, shape, x); g(record, shape, y); record.join(left);`
template <class Port = any_port>
class graph_recorder {
 public:
  using port_type = Port;

  graph_recorder() noexcept = default;
  graph_recorder(graph_recorder&&) noexcept = default;
  graph_recorder& operator=(graph_recorder&&) noexcept = default;
  [[nodiscard]] explicit operator bool() const noexcept { return state_ != nullptr; }

  /// Returns: a line that begins behind the commands that this one has recorded. Throws: `logic_error` when empty.
  [[nodiscard]] graph_recorder fork(const source_location& where = source_location::current()) const {
    return graph_recorder(use(where), front_);
  }
  /// Returns: a line that begins behind these nodes; without nodes, at the graph's start. Does not change this line.
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

  /// Makes the next command of this line also wait for the other line.
  /// Throws: `logic_error` if either is empty or the graphs differ.
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
  /// Records an empty node behind everything in this line, to refer to many nodes as one.
  /// Throws: `logic_error` when empty; `error`. Wraps `cuGraphAddEmptyNode`.
  graph_node<Port> mark(const source_location& where = source_location::current()) {
    std::vector<std::size_t>& joins = use(where)->joins;
    joins.reserve(joins.size() + 1);
    graph_node<Port> made =
        add([&](const auto& state, auto after) { return state.port().record_join(state.native, after, where); }, where);
    joins.push_back(made.index_);
    return made;
  }
  /// Records all commands that `child` has now as one node.
  /// Throws: `logic_error` when empty, for this graph itself, for a graph whose conditional body this records, or for a
  /// graph of another context; `unsupported_error` for a child that CUDA does not take here; `error`.
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
    // Not the child itself: if it later contained this graph, the two would keep each other.
    const kept_node kept(*this, of->kept);
    return kept.done(add([&](const auto& state,
                             auto after) { return state.port().record_graph(state.native, after, of->native, where); },
                         where));
  }
  /// Makes each launch record an event behind everything in this line, as if the launch's stream recorded it there:
  /// other streams can wait for it, and it gives times. The graph keeps the native event alive.
  /// Throws: `logic_error` when empty, or for an event that is empty or of another context; `error`.
  /// Wraps `cuGraphAddEventRecordNode`.
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
  /// Makes later commands of this line wait, at each launch, for the event as it was last recorded at the time of that
  /// launch. The graph keeps the native event alive. Throws: as `record`. Wraps `cuGraphAddEventWaitNode`.
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

  // Conditional nodes. The condition is device memory with one `int` or `unsigned`, which earlier commands may write;
  // on CUDA also a `cuda::graph_condition`. `body(line)` is called once, while recording, and records with the recorder
  // that it gets. Until it returns, the graph's other lines cannot record. The graph keeps alive what bodies use; their
  // nodes cannot be changed, enabled or disabled.
  // Throws: `logic_error` when empty, for memory of another context or another size, and inside a body of this graph;
  // on CUDA `unsupported_error` for a driver before 12.3, and before 12.8 for a second body or `choose`; as `body`;
  // `error`. If recording a body failed, do not instantiate the graph on CUDA: record it anew.
  // Wraps `cuGraphConditionalHandleCreate`, `cuGraphAddNode`. On OpenCL, a launch waits for the value and then makes
  // the calls.

  /// Repeats the commands of `body` while the value is not 0. Reads the value before the body, and again after each run
  /// of it.
  /// Example: `record.repeat_while(left, [&](auto& line) { step(line, shape, x, left); });`
  template <class Body>
  graph_node<Port> repeat_while(const detail::condition_value<Port>& value, Body&& body);
  /// Runs the commands of `then` if the value is not 0, else the commands of `otherwise`, if given.
  /// Example: `record.when(found, [&](auto& line) { yoke::enqueue_copy(x, host, line); });`
  template <class Then>
  graph_node<Port> when(const detail::condition_value<Port>& value, Then&& then);
  template <class Then, class Otherwise>
  graph_node<Port> when(const detail::condition_value<Port>& value, Then&& then, Otherwise&& otherwise);
  /// Runs the commands of the body whose index, from 0, is the value; of none if the value is out of range.
  template <class... Bodies>
  graph_node<Port> choose(const detail::condition_value<Port>& value, Bodies&&... bodies);

  /// Makes each launch call `function()` behind everything in this line, on a thread of the driver, where it must
  /// neither call the driver nor wait for the device. The graph keeps the function. Its exceptions go to the cleanup
  /// handler.
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

  // Records a node that `make(state, after)` makes; the graph keeps `keeps` alive.
  template <class Make>
  graph_node<Port> record(std::vector<detail::graph_use<Port>> keeps, const Make& make, const source_location& where) {
    const kept_node kept(*this, std::move(keeps));
    return kept.done(add(make, where));
  }
  // Records parallel nodes: `body(add)` calls `add(make)` for each. Returns: a node behind all of them.
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
  // Throws: `unsupported_error` in the body of a conditional node if the backend does not allow these commands there.
  // Effects: notes the commands, for checks when this graph becomes a child.
  void check_for_body(const char* commands, const source_location& where) const {
    detail::graph_state<Port>& state = *use(where);
    state.not_for_bodies = commands;
    if (state.is_body && state.conditions_are_the_drivers()) {
      detail::throw_error(errc::unsupported,
                          detail::text("the body of a conditional node takes no ", commands, " on this backend"),
                          where);
    }
  }
  // Throws: `logic_error` when empty, while a body is being recorded, and in a body that is complete.
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
  // Returns: a recorder for the body of a conditional node.
  [[nodiscard]] static graph_recorder of_body(detail::shared<detail::graph_state<Port>> body) {
    return graph_recorder(std::move(body), {});
  }
  // Makes the next command wait for every command of the graph.
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
  // Records the sequence of nodes that `body()` records: all of them or, if it throws, none. Returns: the last one.
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
  // Keeps an object alive with the nodes that are recorded now.
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

  /// A reference to a native event.
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

  /// Keeps objects alive for a node that is being recorded. Unless `done` is called, drops them and the nodes recorded
  /// so far.
  class kept_node {
   public:
    kept_node(graph_recorder& of, std::vector<detail::graph_use<Port>> keeps) : of_(of) {
      if (of.state_ == nullptr) return;  // `add` reports the empty recorder
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
  std::vector<std::size_t> front_;  // the nodes that the next one waits for
};

}  // namespace yoke::inline v0_1

#endif
