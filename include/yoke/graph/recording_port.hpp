// SPDX-License-Identifier: MIT
// A port whose copies and fills are recorded as nodes of a graph.
#ifndef YOKE_GRAPH_RECORDING_PORT_HPP
#define YOKE_GRAPH_RECORDING_PORT_HPP

#include <yoke/graph/graph_recorder.hpp>

namespace yoke::inline v0_1::detail {

/// Takes the calls of copies and fills, and passes `Add` a function that makes the node.
template <class Port, class Add>
class recording_port : public Port {
 public:
  using memory = typename Port::memory_handle;
  using image = typename Port::image_handle;
  using stream_handle = typename Port::stream_handle;
  using done_type = completion<typename Port::event_handle>;

  recording_port(const Port& with, const Add& add) noexcept : Port(with), add_(add) {}

  void write(stream_handle, memory destination, std::size_t offset, const void* source, std::size_t bytes,
             done_type done, const source_location& where) const {
    write_box({}, destination, {offset}, source, {}, {bytes}, done, where);
  }
  void read(stream_handle, memory source, std::size_t offset, void* destination, std::size_t bytes, done_type done,
            const source_location& where) const {
    read_box({}, source, {offset}, destination, {}, {bytes}, done, where);
  }
  void copy(stream_handle, memory source, std::size_t source_offset, memory destination, std::size_t destination_offset,
            std::size_t bytes, done_type done, const source_location& where) const {
    copy_box({}, source, {source_offset}, destination, {destination_offset}, {bytes}, done, where);
  }
  void write_box(stream_handle, memory destination, const box_side& to, const void* source, const box_side& from,
                 const box_size& box, done_type, const source_location& where) const {
    add([&, &with = static_cast<const Port&>(*this)](auto context, auto graph, auto after) {
      return with.record_write(context, graph, after, destination, to, source, from, box, where);
    });
  }
  void read_box(stream_handle, memory source, const box_side& from, void* destination, const box_side& to,
                const box_size& box, done_type, const source_location& where) const {
    add([&, &with = static_cast<const Port&>(*this)](auto context, auto graph, auto after) {
      return with.record_read(context, graph, after, source, from, destination, to, box, where);
    });
  }
  void copy_box(stream_handle, memory source, const box_side& from, memory destination, const box_side& to,
                const box_size& box, done_type, const source_location& where) const {
    add([&, &with = static_cast<const Port&>(*this)](auto context, auto graph, auto after) {
      return with.record_copy(context, graph, after, source, from, destination, to, box, where);
    });
  }
  void write_image(stream_handle, image destination, const image_box& to, const void* source, const box_side& from,
                   done_type, const source_location& where) const {
    add([&, &with = static_cast<const Port&>(*this)](auto context, auto graph, auto after) {
      return with.record_write_image(context, graph, after, destination, to, source, from, where);
    });
  }
  void read_image(stream_handle, image source, const image_box& from, void* destination, const box_side& to, done_type,
                  const source_location& where) const {
    add([&, &with = static_cast<const Port&>(*this)](auto context, auto graph, auto after) {
      return with.record_read_image(context, graph, after, source, from, destination, to, where);
    });
  }
  void copy_image(stream_handle, image source, const image_box& from, image destination, const image_box& to, done_type,
                  const source_location& where) const {
    add([&, &with = static_cast<const Port&>(*this)](auto context, auto graph, auto after) {
      return with.record_copy_image(context, graph, after, source, from, destination, to, where);
    });
  }
  void copy_to_image(stream_handle, memory source, const box_side& from, image destination, const image_box& to,
                     done_type, const source_location& where) const {
    add([&, &with = static_cast<const Port&>(*this)](auto context, auto graph, auto after) {
      return with.record_copy_to_image(context, graph, after, source, from, destination, to, where);
    });
  }
  void copy_from_image(stream_handle, image source, const image_box& from, memory destination, const box_side& to,
                       done_type, const source_location& where) const {
    add([&, &with = static_cast<const Port&>(*this)](auto context, auto graph, auto after) {
      return with.record_copy_from_image(context, graph, after, source, from, destination, to, where);
    });
  }
  void fill(stream_handle, memory destination, std::size_t offset, const void* pattern, std::size_t pattern_bytes,
            std::size_t count, const source_location& where) const {
    add([&, &with = static_cast<const Port&>(*this)](auto context, auto graph, auto after) {
      return with.record_fill(context, graph, after, destination, offset, pattern, pattern_bytes, count, where);
    });
  }

 private:
  template <class Make>
  void add(const Make& make) const {
    add_([&](const graph_state<Port>& state, auto after) {
      return make(state.in.native_handle(), state.native, after);
    });
  }

  const Add& add_;
};

/// Effects: records the calls of `body(with)`. Returns: a node behind all of them, and whether it was a single call.
template <class Port, class Body>
std::pair<graph_node<Port>, bool> record_commands(graph_recorder<Port>& recorder, std::vector<graph_use<Port>> keeps,
                                                  const Body& body, const source_location& where) {
  std::size_t count = 0;
  graph_node<Port> node = recorder.record_together(
      std::move(keeps),
      [&](const auto& add) {
        const auto counted = [&](const auto& make) {
          add(make);
          ++count;
        };
        body(recording_port<Port, decltype(counted)>(recorder.context_of(where).port(where), counted));
      },
      where);
  return {std::move(node), count == 1};
}

}  // namespace yoke::inline v0_1::detail

#endif
