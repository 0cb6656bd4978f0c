// SPDX-License-Identifier: MIT
// Copies as nodes of a graph.
#ifndef YOKE_GRAPH_COPY_NODE_HPP
#define YOKE_GRAPH_COPY_NODE_HPP

#include <yoke/graph/graph_executable.hpp>
#include <yoke/graph/recording_port.hpp>
#include <yoke/memory/copy.hpp>
#include <yoke/program/kernel.hpp>

namespace yoke::inline v0_1 {

namespace detail {

/// Places whose copies graphs record: device and page-locked memory, images, and places that record their own calls.
template <class Place, class Port>
concept recorded_place = plain_place<Place, Port> || requires { requires Place::is_recorded; };
/// Places that record their own calls.
template <class Place>
concept called_place = requires { requires Place::is_called; };

template <class Memory>
using side_of = decltype(detail::describe(std::declval<Memory&>()));

/// Ends the compilation with a hint unless a graph can record the copy.
template <class Source, class Destination, class Port>
constexpr bool check_recorded_copy() {
  using from = std::remove_reference_t<Source>;
  using to = std::remove_reference_t<Destination>;
  check_staying_sides<Source, Destination, Port>();
  if constexpr (both_stay<Source, Destination> && sides_of_a_copy<from, to, Port>) {
    using from_place = typename side_of<const from>::place;
    using to_place = typename side_of<to>::place;
    if constexpr (!std::same_as<typename from_place::port, Port> || !std::same_as<typename to_place::port, Port>) {
      return false;  // `check_staying_sides` has reported the error
    } else if constexpr (!recorded_place<from_place, Port> || !recorded_place<to_place, Port>) {
      (void)copy_mismatch<from_place, to_place>::graphs_record_no_copies_of_this_memory;
      return false;
    } else {
      return true;
    }
  } else {
    return false;
  }
}

/// Returns: the plan of a copy. Throws: `logic_error`, as a copy in a stream.
template <class Recorder, class Source, class Destination>
copy_plan plan_recorded(const Recorder& in, const Source& source, const Destination& destination,
                        const source_location& where) {
  check_side(in, source, "source", where);
  check_side(in, destination, "destination", where);
  const copy_plan plan = plan_sides(source, destination, where);
  if (!plan.nothing) check_overlap(in.context_of(where).port(where), source, destination, plan, where);
  return plan;
}

}  // namespace detail

/// The node of a copy of elements `T` from one kind of memory to another. Copyable.
/// Thread safety: a value; `set` as the executable.
template <class T, class From, class To, class Port>
class copy_node : public graph_node<Port> {
 public:
  copy_node() noexcept = default;
  copy_node(graph_node<Port> node, bool is_one_node, bool is_one_row) noexcept
      : graph_node<Port>(std::move(node), is_one_node), one_row_(is_one_row) {}

  /// Changes the node's memory in an executable, for launches from now on; the graph is unchanged. The executable keeps
  /// page-locked memory alive.
  /// Requires: device memory lives as long as the executable.
  /// Throws: `logic_error` for an executable of another graph, and as `copy`; `unsupported_error` if the old or the new
  /// copy has several rows or is empty; `error`. The executable is then unchanged. Thread safety: safe.
  /// Wraps `cuGraphExecMemcpyNodeSetParams`. Example: `node.set(exec, host, y);`
  template <class Source, class Destination>
  void set(const graph_executable<Port>& executable, Source&& source, Destination&& destination,
           const source_location& where = source_location::current()) const {
    if constexpr (detail::check_recorded_copy<Source, Destination, Port>()) {
      auto from = detail::describe(std::as_const(source));
      auto to = detail::describe(destination);
      using from_type = decltype(from);
      using to_type = decltype(to);
      if constexpr (!std::same_as<typename from_type::place, From> || !std::same_as<typename to_type::place, To> ||
                    !std::same_as<typename to_type::element, T>) {
        (void)copy_mismatch<from_type, to_type>::the_node_copies_other_elements_or_between_other_kinds_of_memory;
      } else if constexpr (!detail::plain_place<From, Port> || !detail::plain_place<To, Port>) {
        (void)copy_mismatch<From, To>::only_copies_of_device_memory_change_record_this_one_anew;
      } else {
        const copy_plan plan = detail::plan_recorded(executable, from, to, where);
        if (!one_row_ || plan.nothing || !plan.one_row) {
          detail::throw_error(
              errc::unsupported,
              "only a copy of one row becomes another one of one row: record the copy anew, and update the "
              "executable by the graph",
              where);
        }
        executable.change(
            *this,
            {detail::used_by_graph<Port>(source, detail::memory_use::reads),
             detail::used_by_graph<Port>(destination, detail::memory_use::writes)},
            [&](const detail::graph_state<Port>& state, auto native, auto node) {
              set_row(state, native, node, from, to, plan, where);
            },
            where);
      }
    }
  }

 private:
  template <class Source, class Destination>
  static void set_row(const detail::graph_state<Port>& state, typename Port::executable_handle native,
                      typename Port::node_handle node, const Source& source, const Destination& destination,
                      const copy_plan& plan, const source_location& where) {
    const auto context = state.in.native_handle();
    const std::size_t bytes = detail::volume(plan.source) * sizeof(T);
    const std::size_t from = plan.source.offset * sizeof(T);
    const std::size_t to = plan.destination.offset * sizeof(T);
    if constexpr (From::on_host) {
      state.port().set_write(context, native, node, destination.at.memory, destination.at.first * sizeof(T) + to,
                             reinterpret_cast<const std::byte*>(source.at) + from, bytes, where);
    } else if constexpr (To::on_host) {
      state.port().set_read(context, native, node, source.at.memory, source.at.first * sizeof(T) + from,
                            reinterpret_cast<std::byte*>(destination.at) + to, bytes, where);
    } else {
      state.port().set_copy(context, native, node, source.at.memory, source.at.first * sizeof(T) + from,
                            destination.at.memory, destination.at.first * sizeof(T) + to, bytes, where);
    }
  }

  bool one_row_ = false;
};

namespace detail {

template <class Source, class Destination, class Port>
auto record_copy(Source& source, Destination& destination, graph_recorder<Port>& recorder,
                 const source_location& where) {
  auto from = detail::describe(std::as_const(source));
  auto to = detail::describe(destination);
  using from_place = typename decltype(from)::place;
  using to_place = typename decltype(to)::place;
  using node_type = copy_node<typename decltype(to)::element, from_place, to_place, Port>;
  (void)recorder.use(where);
  if constexpr (!plain_place<from_place, Port> || !plain_place<to_place, Port>) {
    recorder.check_for_body("copies of images", where);
  }
  const copy_plan plan = plan_recorded(recorder, from, to, where);
  if (plan.nothing) return node_type(recorder.mark(where), false, false);
  if constexpr (called_place<from_place> || called_place<to_place>) {
    using place = std::conditional_t<called_place<from_place>, from_place, to_place>;
    return node_type(
        recorder.record(
            {used_by_graph<Port>(source, memory_use::reads), used_by_graph<Port>(destination, memory_use::writes)},
            [&](const auto& state, auto after) {
              return place::record_copy(state.port(), state.native, after, from, to, plan, where);
            },
            where),
        true, false);
  } else {
    auto recorded = record_commands(
        recorder,
        {used_by_graph<Port>(source, memory_use::reads), used_by_graph<Port>(destination, memory_use::writes)},
        [&](const auto& with) {
          constexpr auto unwatched = [] { return completion<typename Port::event_handle>::unwatched(); };
          if constexpr (copies_place<from_place, to_place>) {
            from_place::copy(with, {}, from, to, plan, unwatched(), where);
          } else {
            to_place::copy(with, {}, from, to, plan, unwatched(), where);
          }
        },
        where);
    return node_type(std::move(recorded.first), recorded.second, recorded.second && plan.one_row);
  }
}

template <class Recorder>
using port_of_recorder = typename std::remove_cvref_t<Recorder>::port_type;

}  // namespace detail

/// Records a copy as a node of a graph: between device memory, page-locked memory, images and OpenCL's shared virtual
/// memory. The graph keeps page-locked memory, shared memory and arrays alive.
/// Requires: other device memory and images live as long as the graph's executables: see `graph::keep`.
/// Returns: the node. Throws: as `copy`; `error`. Wraps `cuGraphAddMemcpyNode`.
template <class Source, class Destination, class Recorder>
  requires(detail::is_a_recorder<std::remove_cvref_t<Recorder>>)
auto enqueue_copy(Source&& source, Destination&& destination, Recorder&& recorder,
                  const source_location& where = source_location::current()) {
  if constexpr (detail::check_recorded_copy<Source, Destination, detail::port_of_recorder<Recorder>>()) {
    return detail::record_copy(source, destination, recorder, where);
  }
}
/// The same as `enqueue_copy`.
template <class Source, class Destination, class Recorder>
  requires(detail::is_a_recorder<std::remove_cvref_t<Recorder>>)
auto copy_async(Source&& source, Destination&& destination, Recorder&& recorder,
                const source_location& where = source_location::current()) {
  return enqueue_copy(std::forward<Source>(source), std::forward<Destination>(destination), recorder, where);
}

/// Ends the compilation: a recording cannot wait.
template <class Source, class Destination, class Recorder>
  requires(detail::is_a_recorder<std::remove_cvref_t<Recorder>>)
void copy(const Source&, Destination&&, Recorder&&) {
  (void)copy_mismatch<Source, Destination>::a_recording_cannot_wait_write_enqueue_copy;
}

}  // namespace yoke::inline v0_1

#endif
