// SPDX-License-Identifier: MIT
// Conditional nodes: loops and branches that are decided while a graph runs.
#ifndef YOKE_GRAPH_CONDITION_NODE_HPP
#define YOKE_GRAPH_CONDITION_NODE_HPP

#include <yoke/graph/kernel_node.hpp>
#include <yoke/memory/copy.hpp>
#include <yoke/program/compile.hpp>
#include <yoke/program/module.hpp>

#include <cstdint>
#include <cstring>

namespace yoke::inline v0_1 {

/// Wrong conditions do not compile. The compiler's first error names a missing member of this type, which says what to
/// write.
template <class... Given>
struct condition_mismatch {};

namespace detail {

/// Memory that a graph keeps alive, such as arrays.
template <class Memory>
concept kept_by_graphs = requires(const Memory& memory) { memory_access<Memory>::kept(memory); };

/// A condition as the first argument of a conditional node, with the caller's location.
template <class Port>
class condition_value {
 public:
  /// A condition in device memory of one number.
  template <class Memory>
    requires(!std::same_as<std::remove_cvref_t<Memory>, condition_value>) &&
            accessible_memory<const std::remove_reference_t<Memory>>
  condition_value(Memory&& given, const source_location& where = source_location::current())  // NOLINT
      : where_(where) {
    const std::remove_reference_t<Memory>& memory = given;
    using side_type = decltype(detail::describe(memory));
    using element = std::remove_const_t<typename side_type::element>;
    if constexpr (ends_here<Memory> && !kept_by_graphs<std::remove_cvref_t<Memory>>) {
      (void)condition_mismatch<Memory>::the_memory_ends_with_the_statement_pass_a_variable;
    } else if constexpr (!std::same_as<typename side_type::place, device_place<Port>>) {
      (void)condition_mismatch<Memory, Port>::pass_device_memory_of_the_graphs_backend;
    } else if constexpr (!std::same_as<element, std::int32_t> && !std::same_as<element, std::uint32_t>) {
      (void)condition_mismatch<element>::the_value_is_an_int_or_an_unsigned;
    } else {
      const auto side = detail::describe(memory);
      if (side.refusal == nullptr && side.context != typename Port::context_handle{} && volume(side.layout()) != 1) {
        throw_error(errc::size_mismatch, where, "the condition has ", volume(side.layout()),
                    " elements: pass memory with one");
      }
      memory_ = {side.context, side.at.memory, side.at.first + side.layout().offset, 1, side.maps};
      refusal_ = side.refusal;
      kept_ = used_by_graph<Port>(memory, memory_use::reads);
    }
  }
  /// A condition that kernels set themselves: a `cuda::graph_condition`.
  template <class Condition>
    requires requires(const Condition& condition) { condition.number_for_graphs(); }
  condition_value(const Condition& condition, const source_location& where = source_location::current())  // NOLINT
      : where_(where), number_(condition.number_for_graphs()), is_number_(true) {}

  /// Throws: `logic_error` for memory that the recorder cannot use.
  void check(const graph_recorder<Port>& by) const {
    (void)by.use(where_);
    if (is_number_) return;
    auto side = detail::describe(memory_);
    side.refusal = refusal_;
    check_side(by, side, "condition", where_);
  }
  [[nodiscard]] const source_location& where() const noexcept { return where_; }
  [[nodiscard]] const device_span<const std::uint32_t, Port>& memory() const noexcept { return memory_; }
  [[nodiscard]] const graph_use<Port>& kept() const noexcept { return kept_; }
  [[nodiscard]] bool is_number() const noexcept { return is_number_; }
  [[nodiscard]] std::uint64_t number() const noexcept { return number_; }

 private:
  source_location where_;
  device_span<const std::uint32_t, Port> memory_{};
  const char* refusal_ = nullptr;
  graph_use<Port> kept_{kept_alive()};
  std::uint64_t number_ = 0;
  bool is_number_ = false;
};

/// The kernel that sets conditions from memory, attached to the context; empty on backends whose launches read the
/// memory.
template <class Port>
struct condition_setter {
  kernel<void(std::uint64_t, const std::uint32_t*), Port> run{};

  [[nodiscard]] static const condition_setter& of(const context<Port>& in, const source_location& where) {
    context_state<Port>& state = in.state(where);
    return state.attached.template get<condition_setter>([&] {
      condition_setter made;
      const std::string_view source = state.port.language().condition_source;
      if (!source.empty()) {
        const auto module =
            compile(context<Port>::unowned(state), source, {.name = "yoke condition", .portable = false}, where);
        made.run = get_kernel<void(std::uint64_t, const std::uint32_t*)>(module, "yoke_g_condition", where);
      }
      return made;
    });
  }
};

/// Returns: a pointer of the backend as the port's handle.
template <class Handle>
[[nodiscard]] Handle handle_of_pointer(void* pointer) noexcept {
  static_assert(sizeof(Handle) == sizeof pointer && std::is_trivially_copyable_v<Handle>);
  Handle made{};
  std::memcpy(static_cast<void*>(&made), static_cast<const void*>(&pointer), sizeof pointer);
  return made;
}

/// Effects: records a body with a recorder of its own, then calls `end(line)` behind all of its commands.
template <class Port, class Body, class End>
void record_body(graph_recorder<Port>& recorder, void* native, Body& body, const End& end,
                 const source_location& where) {
  const auto outer = recorder.use(where);
  const auto state = make_shared<graph_state<Port>>(outer->in, outer->device_index);
  state->native = handle_of_pointer<typename Port::graph_handle>(native);
  state->is_body = true;
  recorder.keep(keep_alive(state), where);
  const struct open_body {
    open_body(graph_state<Port>& graph, graph_state<Port>& body) noexcept : of(graph), line(body) { ++of.open_bodies; }
    open_body(const open_body&) = delete;
    open_body& operator=(const open_body&) = delete;
    ~open_body() {
      --of.open_bodies;
      line.complete = true;
      if (line.not_for_bodies != nullptr) of.not_for_bodies = line.not_for_bodies;
    }
    graph_state<Port>& of;
    graph_state<Port>& line;
  } open{*outer, *state};
  auto line = graph_recorder<Port>::of_body(state);
  body(line);
  line = graph_recorder<Port>::of_body(state);  // the body may have moved it
  line.join_all(where);
  end(line);
  for (const graph_use<Port>& each : state->kept) {
    if (each.uses.uses != nullptr) recorder.keep(each, where);
  }
}

template <class Port, class... Bodies>
graph_node<Port> record_condition(graph_recorder<Port>& recorder, const condition_value<Port>& value,
                                  condition_kind kind, Bodies&... bodies) {
  static_assert((std::invocable<Bodies&, graph_recorder<Port>&> && ...),
                "a body is a function of a recorder: [&](auto& line) { ... }");
  const source_location& where = value.where();
  recorder.check_open(where);
  value.check(recorder);
  const context<Port> in = recorder.context_of(where);
  port_traits<Port>::check_condition(in.port(where), kind, sizeof...(Bodies), where);
  const condition_setter<Port>* const setter = value.is_number() ? nullptr : &condition_setter<Port>::of(in, where);
  return recorder.record_in_turn(
      [&] {
        graph_state<Port>& state = *recorder.use(where);
        const auto context = in.native_handle();
        const std::uint64_t number =
            value.is_number() ? value.number() : state.port().create_condition(context, state.native, 0, where);
        state.has_conditions = true;
        recorder.keep(value.kept(), where);
        const auto set = [&](graph_recorder<Port>& line) {
          if (setter == nullptr || !setter->run) return;
          (void)setter->run(record_order<Port>(line, where), {.grid = 1, .block = 1}, {number, where},
                            {value.memory(), where});
        };
        set(recorder);
        recorded_condition made;
        (void)recorder.record(
            {},
            [&](const graph_state<Port>& to, auto after) {
              made = to.port().record_condition(context, to.native, after, number, kind, sizeof...(Bodies),
                                                value.memory().native_handle(),
                                                value.memory().offset() * sizeof(std::uint32_t), where);
              return handle_of_pointer<typename Port::node_handle>(made.node);
            },
            where);
        const auto end = [&](graph_recorder<Port>& line) {
          if (kind == condition_kind::while_not_zero) set(line);
        };
        std::size_t next = 0;
        (record_body(recorder, made.bodies[next++], bodies, end, where), ...);
      },
      where);
}

}  // namespace detail

template <class Port>
template <class Body>
graph_node<Port> graph_recorder<Port>::repeat_while(const detail::condition_value<Port>& value, Body&& body) {
  return detail::record_condition(*this, value, condition_kind::while_not_zero, body);
}
template <class Port>
template <class Then>
graph_node<Port> graph_recorder<Port>::when(const detail::condition_value<Port>& value, Then&& then) {
  return detail::record_condition(*this, value, condition_kind::if_not_zero, then);
}
template <class Port>
template <class Then, class Otherwise>
graph_node<Port> graph_recorder<Port>::when(const detail::condition_value<Port>& value, Then&& then,
                                            Otherwise&& otherwise) {
  return detail::record_condition(*this, value, condition_kind::if_not_zero, then, otherwise);
}
template <class Port>
template <class... Bodies>
graph_node<Port> graph_recorder<Port>::choose(const detail::condition_value<Port>& value, Bodies&&... bodies) {
  static_assert(sizeof...(Bodies) > 0, "a choice has bodies");
  return detail::record_condition(*this, value, condition_kind::by_number, bodies...);
}

}  // namespace yoke::inline v0_1

#endif
