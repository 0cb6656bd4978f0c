// SPDX-License-Identifier: MIT
// The state that a graph shares with its recorders, nodes and executables: native graph, nodes and kept objects.
#ifndef YOKE_GRAPH_GRAPH_STATE_HPP
#define YOKE_GRAPH_GRAPH_STATE_HPP

#include <yoke/driver/operations.hpp>
#include <yoke/execution/other_streams.hpp>
#include <yoke/graph/graph_types.hpp>
#include <yoke/memory/memory_access.hpp>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <utility>
#include <vector>

namespace yoke::inline v0_1::detail {

/// An object that a graph keeps alive; for arrays also how it uses their memory.
template <class Port>
struct graph_use {
  graph_use(kept_alive kept) noexcept : what(std::move(kept)) {}  // NOLINT: most objects are not arrays
  graph_use(kept_alive kept, const uses_of_memory<Port>& of, memory_use how) noexcept
      : what(std::move(kept)), uses(of), kind(how) {}
  kept_alive what;
  uses_of_memory<Port> uses{};
  memory_use kind = memory_use::reads;
};
/// Returns: the use of memory by a recorded command. Requires: memory of this port, or not an array's.
template <class Port, class Memory>
[[nodiscard]] graph_use<Port> used_by_graph(Memory& memory, memory_use kind) {
  const auto side = detail::describe(memory);
  if constexpr (std::same_as<typename std::remove_cvref_t<decltype(side)>::port, Port>) {
    return {kept_with(memory), side.uses, kind};
  } else {
    return kept_with(memory);
  }
}
/// Effects: adds the uses of arrays' memory in `from` to `to`, each memory once.
template <class Port>
void add_uses(std::vector<graph_use<Port>>& to, std::span<const graph_use<Port>> from) {
  for (const graph_use<Port>& each : from) {
    if (each.uses.uses == nullptr) continue;
    const auto known = std::find_if(to.begin(), to.end(), [&](const graph_use<Port>& other) {
      return other.uses.uses == each.uses.uses && other.uses.is_bound == each.uses.is_bound;
    });
    if (known == to.end()) {
      to.push_back(each);
    } else if (each.kind == memory_use::writes) {
      known->kind = each.kind;
    }
  }
}

template <class Port>
struct graph_state {
  static_assert(graph_port<Port>, "this backend has no graphs");

  graph_state(const context<Port>& context, std::size_t device) : in(context), device_index(device) {}
  graph_state(const graph_state&) = delete;
  graph_state& operator=(const graph_state&) = delete;
  ~graph_state() {
    if (!is_body && !(native == typename Port::graph_handle{})) in.shared()->report(port().release_graph(native));
  }
  [[nodiscard]] const Port& port() const noexcept { return in.shared()->port; }
  [[nodiscard]] const device_limits& limits() const noexcept { return in.shared()->limits[device_index]; }

  const context<Port> in;
  const std::size_t device_index;  // the device whose limits apply
  typename Port::graph_handle native{};
  std::vector<typename Port::node_handle> nodes{};
  std::vector<std::vector<std::size_t>> after{};  // for each node, the nodes that it waits for
  std::vector<std::size_t> joins{};               // empty nodes, made by `mark`
  std::vector<graph_use<Port>> kept{};            // objects that the nodes use
  bool is_body = false;                           // a conditional node's body; the node owns the native graph
  bool complete = false;                          // whether the body is recorded completely
  bool has_conditions = false;
  std::size_t open_bodies = 0;              // how many bodies of its nodes are being recorded
  const char* not_for_bodies = nullptr;     // its commands that bodies of conditional nodes may reject
  std::atomic<std::size_t> executables{0};  // how many the native graph has

  /// Throws: `logic_error` while the body of a conditional node is being recorded.
  void check_no_open_body(const char* what, const source_location& where) const {
    if (open_bodies != 0) [[unlikely]]
      throw_error(errc::invalid_argument, what, where);
  }
  /// Whether the driver runs conditional nodes on this backend, with the driver's restrictions.
  [[nodiscard]] bool conditions_are_the_drivers() const noexcept { return !port().language().condition_source.empty(); }
};

/// Returns: an event behind everything in a stream. Makes the context current, because CUDA's default streams belong to
/// the current context.
template <class Port>
[[nodiscard]] typename Port::event_handle point_behind(const context<Port>& in, typename Port::stream_handle stream,
                                                       const source_location& where) {
  if constexpr (current_context_port<Port>) {
    const auto active = in.activate(where);
    return in.shared()->port.record(stream, {}, where);
  } else {
    return in.shared()->port.record(stream, {}, where);
  }
}

/// Drops objects behind everything in a stream.
template <class Port>
struct release_behind final : pending_callback {
  release_behind(const context<Port>& context, kept_alive dropped) : in(context), things(std::move(dropped)) {}
  ~release_behind() override { release_event(); }
  void ask() noexcept override {
    try {
      const event_status now = in.shared()->port.status(point, {});
      over = now == event_status::complete || now == event_status::failed;
    } catch (...) {  // a lost context runs no further commands
      over = true;
    }
  }
  bool run() noexcept override {
    if (!over) return false;
    release_event();
    things.reset();
    in.reset();  // now, because the callback thread destroys finished callbacks later
    return true;
  }
  void release_event() noexcept {
    if (point == typename Port::event_handle{}) return;
    in.shared()->report(in.shared()->port.release_event(std::exchange(point, {})));
  }

  context<Port> in;  // destroyed last
  kept_alive things;
  typename Port::event_handle point{};
  bool over = false;
};

/// Effects: drops objects when the stream's commands so far are done. Polls an event for a millisecond, because even an
/// idle stream takes a moment to reach it; after that, the context's callback thread drops them. If that fails, waits
/// here.
template <class Port>
[[gnu::cold]] void drop_behind(const context<Port>& in, typename Port::stream_handle stream,
                               kept_alive things) noexcept {
  context_state<Port>& state = in.state();
  if (state.gone()) return;
  try {
    auto end = make_owner<release_behind<Port>>(in, things);
    end->point = point_behind(in, stream, source_location());
    port_traits<Port>::flush(state.port, stream, {});
    things.reset();
    const auto until = std::chrono::steady_clock::now() + std::chrono::milliseconds(1);
    do {
      end->ask();
      if (end->run()) return;
    } while (std::chrono::steady_clock::now() < until);
    state.callbacks.add(std::move(end));
  } catch (...) {
    try {
      state.port.synchronize(stream, {});
    } catch (...) {  // the stream's next use reports the failure
    }
  }
}

}  // namespace yoke::inline v0_1::detail

#endif
