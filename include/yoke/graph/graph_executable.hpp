// SPDX-License-Identifier: MIT
// An executable of a graph, which can be launched many times and updated between launches.
#ifndef YOKE_GRAPH_GRAPH_EXECUTABLE_HPP
#define YOKE_GRAPH_GRAPH_EXECUTABLE_HPP

#include <yoke/graph/graph_node.hpp>
#include <yoke/graph/graph_state.hpp>

#include <algorithm>
#include <map>
#include <mutex>
#include <set>
#include <string>

namespace yoke::inline v0_1 {

template <class Port>
class graph;
template <class Signature, class Port>
class kernel_node;

/// The outcome of `graph_executable::update`.
struct graph_update {
  bool in_place = true;  ///< true: the driver changed the executable; false: it was made anew
  std::string reason{};  ///< why it was made anew; "" if it was not
};

namespace detail {

template <class Port>
struct executable_state {
  explicit executable_state(const shared<graph_state<Port>>& graph)
      : of(graph), now(graph), count(graph->nodes.size()) {}
  executable_state(const executable_state&) = delete;
  executable_state& operator=(const executable_state&) = delete;
  ~executable_state() {
    release();
    const context_state<Port>& in = *of->in.shared();
    if (!(last == typename Port::stream_handle{})) in.release_stream(last);
  }

  /// Throws: `logic_error` while a body is recorded, and for a graph that may not have another executable; `error`.
  void instantiate(const shared<graph_state<Port>>& from, const source_location& where) {
    graph_state<Port>& graph = *from;
    graph.check_no_open_body(
        "the body of a conditional node of this graph is being recorded: instantiate it afterwards", where);
    const auto context = graph.in.state(where).living(where);
    const struct counted {
      explicit counted(std::atomic<std::size_t>& executables) : of(&executables), others(executables++) {}
      counted(const counted&) = delete;
      counted& operator=(const counted&) = delete;
      ~counted() {
        if (of != nullptr) --*of;
      }
      mutable std::atomic<std::size_t>* of;
      const std::size_t others;
    } count_it(graph.executables);
    if (count_it.others != 0 && graph.has_conditions && graph.conditions_are_the_drivers()) {
      throw_error(errc::invalid_argument,
                  "the graph has conditional nodes and an executable, or a launch of one still runs: on this backend "
                  "such a graph has one executable at a time",
                  where);
    }
    std::vector<graph_use<Port>> uses;
    add_uses<Port>(uses, graph.kept);
    const auto made = graph.port().instantiate(context, graph.native, where);
    count_it.of = nullptr;
    release();
    native = made;
    of = from;
    used = std::move(uses);
  }
  void release() noexcept {
    if (native == typename Port::executable_handle{}) return;
    of->in.shared()->report(of->port().release_executable(std::exchange(native, {})));
    --of->executables;
  }

  std::mutex mutex{};
  typename Port::executable_handle native{};
  typename Port::stream_handle last{};       // the stream of the latest launch, retained
  bool follows = false;                      // whether that launch was of the replaced native executable
  shared<graph_state<Port>> of;              // the graph whose native nodes the driver knows
  shared<graph_state<Port>> now;             // the graph whose commands it runs: `of`, or the last update's
  std::size_t count;                         // how many nodes it has
  std::map<std::size_t, kept_alive> kept{};  // objects that changed nodes use, by the node's index
  std::vector<graph_use<Port>> used{};       // the memory of arrays that launches use, also by changed nodes
  std::set<std::size_t> disabled{};          // the nodes that launches skip
};

}  // namespace detail

/// Recorded commands, ready to launch. Launches of one executable run one after another, also in different streams.
///
/// The executable and its running launches keep the graph and its kept objects alive. The destructor does not wait for
/// launches, but polls them for up to a millisecond. Move-only.
/// Thread safety: launching and changing are safe from any number of threads; moving and destroying are not.
template <class Port = any_port>
class graph_executable {
 public:
  using port_type = Port;
  using native_type = typename Port::executable_handle;

  graph_executable() noexcept = default;
  graph_executable(graph_executable&& other) noexcept : state_(std::exchange(other.state_, nullptr)) {}
  graph_executable& operator=(graph_executable&& other) noexcept {
    if (this != &other) {
      reset();
      state_ = std::exchange(other.state_, nullptr);
    }
    return *this;
  }
  ~graph_executable() { reset(); }

  /// The driver's executable; null when empty.
  [[nodiscard]] native_type native_handle() const noexcept { return state_ ? state_->native : native_type{}; }
  [[nodiscard]] explicit operator bool() const noexcept { return state_ != nullptr; }
  /// Ends the executable now. A running launch continues and keeps its objects alive.
  /// Requires: launches in another thread's CUDA per-thread default stream are done.
  void reset() noexcept {
    if (!state_) return;
    const auto ended = std::exchange(state_, nullptr);
    const auto graph = ended->of;  // keeps the context alive during the call
    if (!(ended->last == native_stream{})) detail::drop_behind(graph->in, ended->last, kept_alive(ended));
  }
  void swap(graph_executable& other) noexcept { state_.swap(other.state_); }
  friend void swap(graph_executable& left, graph_executable& right) noexcept { left.swap(right); }

  /// Enqueues all commands in the stream, behind the previous launch, and returns at once.
  /// Effects: on CUDA one driver call. On OpenCL one for each command, and two more if the previous launch was in
  /// another stream; there the call also waits for the values of conditional nodes.
  /// Throws: `logic_error` for a stream that is empty or of another context; `error`. On OpenCL, commands before a
  /// refused one still run. Thread safety: safe. Wraps `cuGraphLaunch`.
  void launch(const stream<Port>& stream, const source_location& where = source_location::current()) const {
    state_type& state = use(where);
    const native_stream native = check_stream(state, stream, where);
    const Port& port = state.of->port();
    const std::lock_guard lock(state.mutex);
    detail::other_streams<Port> operation(stream);
    for (const auto& each : state.used) operation.use(each.uses, each.what.count(), each.kind, where);
    if (state.last == native && !state.follows) [[likely]]
      return port.launch_graph(state.native, native, where);
    launch_elsewhere(state, native, where);
  }
  /// Prepares the device for the next launch, so that it starts sooner. Does nothing on OpenCL.
  /// Throws: as `launch`. Thread safety: safe. Wraps `cuGraphUpload`.
  void upload(const stream<Port>& stream, const source_location& where = source_location::current()) const {
    state_type& state = use(where);
    const native_stream native = check_stream(state, stream, where);
    const std::lock_guard lock(state.mutex);
    port_traits<Port>::upload_graph(state.of->port(), state.native, native, where);
  }

  /// Whether launches run the node's command. Throws: `logic_error` when empty or for a node of another graph.
  [[nodiscard]] bool is_enabled(const graph_node<Port>& node,
                                const source_location& where = source_location::current()) const {
    state_type& state = use(where);
    const std::lock_guard lock(state.mutex);
    (void)native_of(state, node, where);
    return state.disabled.count(node.index_) == 0;
  }
  /// Lets later launches run or skip the node's launch, copy or fill; commands behind it run in any case.
  /// Throws: `logic_error` for a node of another graph, or one that is not a single launch, copy or fill; on CUDA
  /// `unsupported_error` for a fill whose value is not one word of 1, 2 or 4 bytes, repeated; `error`. Thread
  /// safety: safe. Wraps `cuGraphNodeSetEnabled`.
  void enable(const graph_node<Port>& node, bool enabled = true,
              const source_location& where = source_location::current()) const {
    state_type& state = use(where);
    const std::lock_guard lock(state.mutex);
    const native_node native = native_of(state, node, where);
    if (!node.optional_) {
      detail::throw_error(errc::invalid_argument,
                          "only a launch, or a copy or fill of one row or box, can be enabled and disabled", where);
    }
    const bool noted = state.disabled.insert(node.index_).second;
    try {
      state.of->port().enable_node(state.native, native, enabled, where);
    } catch (...) {
      if (noted) state.disabled.erase(node.index_);
      throw;
    }
    if (enabled) state.disabled.erase(node.index_);
  }
  void disable(const graph_node<Port>& node, const source_location& where = source_location::current()) const {
    enable(node, false, where);
  }

  /// Makes later launches run the commands of another graph, or commands that were added to this graph since. If the
  /// driver cannot change the executable, makes it anew. Afterwards it takes nodes of that graph, and all are enabled.
  /// On CUDA, if either graph has conditional nodes, it is always made anew; such a graph must not have an executable
  /// yet, not even this one.
  /// Returns: what was done, and why.
  /// Throws: `logic_error` for a graph that is empty or of another context; `error`. The executable is then unchanged;
  /// only if the driver refuses to enable a node, it runs the other graph without that node. Thread safety: safe.
  /// Wraps `cuGraphExecUpdate`.
  graph_update update(const graph<Port>& from, const source_location& where = source_location::current()) const {
    state_type& state = use(where);
    const auto& next = from.state(where);
    if (next->in.shared() != state.of->in.shared()) {
      detail::throw_error(errc::wrong_context, "the graph is of another context than the executable", where);
    }
    const std::lock_guard lock(state.mutex);
    return update_to(state, next, where);
  }

  [[nodiscard]] const context<Port>& context_of(const source_location& where = source_location::current()) const {
    return use(where).of->in;
  }

  // For nodes: `act(graph, executable, node)` changes a node, which then keeps `keeps` alive.
  template <class Act>
  void change(const graph_node<Port>& node, std::vector<detail::graph_use<Port>> keeps, const Act& act,
              const source_location& where) const {
    state_type& state = use(where);
    const std::vector<detail::graph_use<Port>> uses = keeps;
    std::erase_if(keeps, [](const detail::graph_use<Port>& each) { return !each.what; });
    kept_alive all = keeps.empty() ? kept_alive() : keep_alive(std::move(keeps));
    const std::lock_guard lock(state.mutex);
    const native_node native = native_of(state, node, where);
    kept_alive& kept = state.kept[node.index_];
    detail::add_uses<Port>(state.used, uses);
    act(std::as_const(*state.of), state.native, native);
    std::swap(kept, all);
    retire(state, std::move(all));
  }

 private:
  friend class graph<Port>;
  using state_type = detail::executable_state<Port>;
  using native_stream = typename Port::stream_handle;
  using native_node = typename Port::node_handle;
  using kept_map = std::map<std::size_t, kept_alive>;

  graph_executable(const detail::shared<detail::graph_state<Port>>& of, const source_location& where)
      : state_(detail::make_shared<state_type>(of)) {
    state_->instantiate(of, where);
  }

  [[nodiscard]] state_type& use(const source_location& where) const {
    if (!state_) [[unlikely]]
      detail::throw_error(errc::empty_handle, "this graph executable is empty (moved from or never set)", where);
    return *state_;
  }
  static native_stream check_stream(const state_type& state, const stream<Port>& stream, const source_location& where) {
    if (!stream) [[unlikely]]
      detail::throw_empty_handle("stream", where);
    if (stream.context_of().shared() != state.of->in.shared()) [[unlikely]]
      detail::throw_error(errc::wrong_context, "the stream is of another context than the executable", where);
    return stream.native_handle();
  }
  static native_node native_of(const state_type& state, const graph_node<Port>& node, const source_location& where) {
    if (!node) detail::throw_error(errc::empty_handle, "this graph node is empty", where);
    if (node.of_.get() != state.now.get()) {
      detail::throw_error(errc::invalid_argument, "the node is of another graph than the executable", where);
    }
    if (node.index_ >= state.count) {
      detail::throw_error(errc::invalid_argument,
                          "the node was recorded after the executable was made: update that first", where);
    }
    return state.of->nodes[node.index_];  // both graphs have the same nodes in the same order
  }
  /// Effects: drops objects when the launches so far are done.
  static void retire(const state_type& state, kept_alive things) noexcept {
    if (things && !(state.last == native_stream{})) detail::drop_behind(state.of->in, state.last, std::move(things));
  }

  [[gnu::noinline]] static void launch_elsewhere(state_type& state, native_stream native,
                                                 const source_location& where) {
    const detail::context_state<Port>& in = *state.of->in.shared();
    in.port.retain_stream(native, where);
    native_stream other = native;
    try {
      if (state.follows && !(state.last == native)) follow(state, native, where);
      in.port.launch_graph(state.native, native, where);
      std::swap(state.last, other);
      state.follows = false;
    } catch (...) {
      in.release_stream(other);
      throw;
    }
    if (!(other == native_stream{})) in.release_stream(other);
  }
  static void follow(const state_type& state, native_stream next, const source_location& where) {
    const detail::context_state<Port>& in = *state.of->in.shared();
    const auto point = detail::point_behind(state.of->in, state.last, where);
    try {
      in.port.wait_in_stream(next, std::span(&point, 1), where);
    } catch (...) {
      in.report(in.port.release_event(point));
      throw;
    }
    in.report(in.port.release_event(point));
  }

  static graph_update update_to(state_type& state, const detail::shared<detail::graph_state<Port>>& next,
                                const source_location& where) {
    const Port& port = state.of->port();
    const auto context = state.of->in.state(where).living(where);
    const auto before =
        detail::make_shared<std::pair<detail::shared<detail::graph_state<Port>>, kept_map>>(state.now, kept_map());
    std::vector<detail::graph_use<Port>> uses;
    detail::add_uses<Port>(uses, next->kept);
    graph_update done;
    // The driver pairs nodes by their dependencies. Only equal lists of dependencies guarantee pairs of equal indices.
    if (next->nodes.size() != state.count ||
        !std::equal(next->after.begin(), next->after.end(), state.now->after.begin())) {
      done.reason = "the graphs have other nodes or dependencies, or in another order";
    } else if ((next->has_conditions || state.of->has_conditions) && next->conditions_are_the_drivers()) {
      // The kernels before these nodes would set the new graph's conditions, but the driver would still read the old
      // ones.
      done.reason = "the graphs have conditional nodes, whose conditions the driver does not change";
    } else {
      done.reason = port.update_executable(context, state.native, next->native, where);
    }
    done.in_place = done.reason.empty();
    if (!done.in_place) {
      state.instantiate(next, where);
      state.follows = !(state.last == native_stream{});
      state.disabled.clear();
    }
    // Keep the new graph alive before anything below can throw.
    state.now = next;
    state.count = next->nodes.size();
    state.used = std::move(uses);
    std::swap(before->second, state.kept);
    retire(state, kept_alive(before));
    while (!state.disabled.empty()) {
      port.enable_node(state.native, state.of->nodes[*state.disabled.begin()], true, where);
      state.disabled.erase(state.disabled.begin());
    }
    return done;
  }

  detail::shared<state_type> state_;
};

}  // namespace yoke::inline v0_1

#endif
