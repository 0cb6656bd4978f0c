// SPDX-License-Identifier: MIT
// Fills as nodes of a graph.
#ifndef YOKE_GRAPH_FILL_NODE_HPP
#define YOKE_GRAPH_FILL_NODE_HPP

#include <yoke/graph/copy_node.hpp>
#include <yoke/memory/fill.hpp>

namespace yoke::inline v0_1 {

namespace detail {

/// Ends the compilation with a hint unless a graph can record the fill.
template <class Destination, class Port>
constexpr bool check_recorded_fill() {
  using side = side_of<std::remove_reference_t<Destination>>;
  if constexpr (side::place::on_host) {
    (void)fill_mismatch<Destination>::the_memory_is_on_the_host_use_std_ranges_fill;
  } else if constexpr (std::is_const_v<typename side::element>) {
    (void)fill_mismatch<typename side::element>::the_destination_is_const_pass_memory_that_is_not_const;
  } else if constexpr (!std::same_as<typename side::port, Port>) {
    (void)fill_mismatch<typename side::port, Port>::memory_and_stream_are_of_different_backends_pass_those_of_one;
  } else if constexpr (!recorded_place<typename side::place, Port>) {
    (void)fill_mismatch<typename side::place>::graphs_record_no_fills_of_this_memory;
  } else if constexpr (ends_here<Destination>) {
    (void)fill_mismatch<Destination>::the_memory_ends_with_the_statement_pass_a_variable;
  } else {
    return true;
  }
  return false;
}

/// Effects: records a fill of texels, as a fill of one slice in the graph's own memory and copies of it to each slice.
template <class Port, class Side, class T>
graph_node<Port> record_texels(graph_recorder<Port>& recorder, const Side& to, const T& value, kept_alive keep,
                               const source_location& where) {
  return recorder.record_in_turn(
      [&] {
        const box_layout box = to.layout();
        const auto slice =
            make_shared<device_allocation<T, Port>>(recorder.context_of(where), box.width * box.height, where);
        recorder.keep(kept_alive(slice), where);
        recorder.keep(std::move(keep), where);
        (void)fill(*slice, value, recorder, where);
        const auto from = describe(*slice);
        copy_plan plan{{box.width, box.height, 1, box.width, box.width * box.height, 0}, box};
        plan.destination.depth = 1;
        for (std::size_t z = 0; z < box.depth; ++z) {
          (void)record_commands(
              recorder, {},
              [&](const auto& with) {
                Side::place::copy(with, {}, from, to, plan, completion<typename Port::event_handle>::unwatched(),
                                  where);
              },
              where);
          plan.destination.offset += box.slice_pitch;
        }
      },
      where);
}

}  // namespace detail

/// The node of a fill with elements `T`. Copyable. Thread safety: a value; `set` as the executable.
template <class T, class Port>
class fill_node : public graph_node<Port> {
 public:
  fill_node() noexcept = default;
  fill_node(graph_node<Port> node, std::size_t elements) noexcept
      : graph_node<Port>(std::move(node), elements != 0), elements_(elements) {}

  /// Changes the node's memory and value in an executable; the graph is unchanged.
  /// Requires: the memory lives as long as the executable.
  /// Throws: `logic_error` for an executable of another graph, for another number of elements, and as `fill`;
  /// `unsupported_error` for memory of several rows, and on CUDA for a value of unequal words; `error`. The executable
  /// is then unchanged. Thread safety: safe.
  /// Wraps `cuGraphExecMemsetNodeSetParams`. Example: `node.set(exec, x, 1.0f);`
  template <class Destination>
  void set(const graph_executable<Port>& executable, Destination&& destination, const T& value,
           const source_location& where = source_location::current()) const {
    if constexpr (detail::check_recorded_fill<Destination, Port>()) {
      using side = detail::side_of<std::remove_reference_t<Destination>>;
      if constexpr (!std::same_as<typename side::element, T>) {
        (void)fill_mismatch<typename side::element, T>::the_node_fills_memory_of_another_element_type;
      } else if constexpr (!detail::plain_place<typename side::place, Port>) {
        (void)fill_mismatch<typename side::place>::only_fills_of_device_memory_change_record_this_one_anew;
      } else {
        change(executable, destination, value, where);
      }
    }
  }

 private:
  template <class Destination>
  void change(const graph_executable<Port>& executable, Destination& destination, const T& value,
              const source_location& where) const {
    auto to = detail::describe(destination);
    detail::check_side(executable, to, "destination", where);
    const box_layout box = to.layout();
    if (elements_ == 0 || !detail::dense(box)) {
      detail::throw_error(errc::unsupported,
                          "only a fill of one row becomes another one of one row: record the fill anew, and update the "
                          "executable by the graph",
                          where);
    }
    if (detail::volume(box) != elements_) {
      detail::throw_error(errc::size_mismatch, where, "the destination has ", detail::volume(box),
                          " elements, and the node fills ", elements_);
    }
    executable.change(
        *this, {detail::used_by_graph<Port>(destination, detail::memory_use::writes)},
        [&](const detail::graph_state<Port>& state, auto native, auto node) {
          state.port().set_fill(state.in.native_handle(), native, node, to.at.memory,
                                (to.at.first + box.offset) * sizeof(T), &value, sizeof(T), elements_, where);
        },
        where);
  }

  std::size_t elements_ = 0;  // 0 for a fill of several rows or an empty one
};

/// Records a fill as a node of a graph.
/// Requires: the memory lives as long as the graph's executables: see `graph::keep`.
/// Returns: the node. Throws: as a fill in a stream; `error`. Wraps `cuGraphAddMemsetNode`.
template <class Destination, class Recorder>
  requires(detail::is_a_recorder<std::remove_cvref_t<Recorder>>)
auto fill(Destination&& destination,
          const std::type_identity_t<detail::filled_element<std::remove_reference_t<Destination>>>& value,
          Recorder&& recorder, const source_location& where = source_location::current()) {
  using port_type = detail::port_of_recorder<Recorder>;
  if constexpr (detail::check_recorded_fill<Destination, port_type>()) {
    auto to = detail::describe(destination);
    using element = typename decltype(to)::element;
    (void)recorder.use(where);
    detail::check_side(recorder, to, "destination", where);
    const box_layout box = to.layout();
    if (detail::volume(box) == 0) return fill_node<element, port_type>(recorder.mark(where), 0);
    using place = typename decltype(to)::place;
    if constexpr (detail::called_place<place>) {
      return fill_node<element, port_type>(
          recorder.record(
              {detail::used_by_graph<port_type>(destination, detail::memory_use::writes)},
              [&](const auto& state, auto after) {
                return place::record_fill(state.port(), state.native, after, to, value, where);
              },
              where),
          0);
    } else if constexpr (!detail::plain_place<place, port_type>) {
      recorder.check_for_body("fills of images", where);
      return fill_node<element, port_type>(
          detail::record_texels(recorder, to, value, detail::kept_with(destination), where), 0);
    } else {
      const bool dense = detail::dense(box);
      auto recorded = detail::record_commands(
          recorder, {detail::used_by_graph<port_type>(destination, detail::memory_use::writes)},
          [&](const auto& with) {
            const auto run = [&](std::size_t first, std::size_t count) {
              device_place<port_type>::fill(with, {}, to.at, first, count, value, where);
            };
            if (dense) return run(box.offset, detail::volume(box));
            detail::for_each_row(box, run);
          },
          where);
      return fill_node<element, port_type>(std::move(recorded.first), dense ? detail::volume(box) : 0);
    }
  }
}

}  // namespace yoke::inline v0_1

#endif
