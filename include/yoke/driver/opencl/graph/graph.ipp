// SPDX-License-Identifier: MIT
// Bodies of driver/opencl/graph/graph.hpp.
#ifndef YOKE_DRIVER_OPENCL_GRAPH_GRAPH_IPP
#define YOKE_DRIVER_OPENCL_GRAPH_GRAPH_IPP

#include <yoke/driver/opencl/graph/graph.hpp>

#include <yoke/driver/opencl/port.hpp>

#include <yoke/driver/opencl/graph/recorded_commands.hpp>
#include <yoke/driver/shape_limits.hpp>

#include <utility>

namespace yoke::inline v0_1::opencl {

namespace detail {

using unwatched_done = completion<abi::event>;

/// Throws: `launch_error` for a block that the device cannot run.
void check_recorded_shape(const launch_shape& shape, const device_limits& limits, const source_location& where) {
  const std::string why = yoke::detail::broken_shape_limit({.grid = shape.grid, .block = shape.block}, limits);
  if (!why.empty()) throw_error(errc::launch_failed, why, where);
}

shared_command write_command(const port& with, abi::memory destination, const box_side& to, const void* source,
                             const box_side& from, const box_size& box, const source_location& where) {
  return make_command(
      with, {destination},
      [=](const port& by, abi::queue stream, const source_location& at) {
        if (box.rows != 1 || box.slices != 1) {
          return by.write_box(stream, destination, to, source, from, box, unwatched_done::unwatched(), at);
        }
        by.write(stream, destination, to.offset, static_cast<const std::byte*>(source) + from.offset, box.row_bytes,
                 unwatched_done::unwatched(), at);
      },
      where);
}
shared_command read_command(const port& with, abi::memory source, const box_side& from, void* destination,
                            const box_side& to, const box_size& box, const source_location& where) {
  return make_command(
      with, {source},
      [=](const port& by, abi::queue stream, const source_location& at) {
        if (box.rows != 1 || box.slices != 1) {
          return by.read_box(stream, source, from, destination, to, box, unwatched_done::unwatched(), at);
        }
        by.read(stream, source, from.offset, static_cast<std::byte*>(destination) + to.offset, box.row_bytes,
                unwatched_done::unwatched(), at);
      },
      where);
}
shared_command copy_command(const port& with, abi::memory source, const box_side& from, abi::memory destination,
                            const box_side& to, const box_size& box, const source_location& where) {
  return make_command(
      with, {source, destination},
      [=](const port& by, abi::queue stream, const source_location& at) {
        if (box.rows != 1 || box.slices != 1) {
          return by.copy_box(stream, source, from, destination, to, box, unwatched_done::unwatched(), at);
        }
        by.copy(stream, source, from.offset, destination, to.offset, box.row_bytes, unwatched_done::unwatched(), at);
      },
      where);
}
shared_command fill_command(const port& with, abi::memory destination, std::size_t offset, const void* pattern,
                            std::size_t pattern_bytes, std::size_t count, const source_location& where) {
  const auto* const first = static_cast<const std::byte*>(pattern);
  return make_command(
      with, {destination},
      [=, bytes = std::vector<std::byte>(first, first + pattern_bytes)](const port& by, abi::queue stream,
                                                                        const source_location& at) {
        by.fill(stream, destination, offset, bytes.data(), bytes.size(), count, at);
      },
      where);
}

recorded_node* add_node(recorded_graph& to, shared_command command) {
  auto made = yoke::detail::make_owner<recorded_node>();
  made->index = to.nodes.size();
  made->command = std::move(command);
  to.nodes.push_back(std::move(made));
  return to.nodes.back().get();
}
std::vector<shared_command> commands_of(const recorded_graph& graph) {
  std::vector<shared_command> commands;
  commands.reserve(graph.nodes.size());
  for (const auto& each : graph.nodes) commands.push_back(each->command);
  return commands;
}
std::vector<recorded_executable::place> places_of(const recorded_graph& graph) {
  std::vector<recorded_executable::place> places;
  for (shared_command& each : commands_of(graph)) places.push_back({std::move(each), true});
  return places;
}

/// Effects: makes the stream wait for the latest launch, which was in another stream.
void follow_last_launch(const port& with, abi::queue last, abi::queue stream, const source_location& where) {
  const abi::event point = with.record(last, {}, where);
  try {
    with.wait_in_stream(stream, std::span(&point, 1), where);
  } catch (...) {
    report(with.release_event(point));
    throw;
  }
  report(with.release_event(point));
}

}  // namespace detail

recorded_graph* graph_functions::create_graph(abi::context, const source_location&) const { return new recorded_graph; }
release_result graph_functions::release_graph(recorded_graph* graph) const noexcept {
  delete graph;
  return {};
}

recorded_node* graph_functions::record_kernel(abi::context, recorded_graph* graph, nodes, kernel_clones* kernel,
                                              const launch_shape& shape, const device_limits& limits,
                                              std::span<const kernel_argument> arguments,
                                              const source_location& where) const {
  detail::check_recorded_shape(shape, limits, where);
  return detail::add_node(*graph, yoke::detail::make_shared<const detail::kernel_command>(port(table()), *kernel, shape,
                                                                                          limits, arguments, where));
}
recorded_node* graph_functions::record_write(abi::context, recorded_graph* graph, nodes, abi::memory destination,
                                             const box_side& to, const void* source, const box_side& from,
                                             const box_size& box, const source_location& where) const {
  return detail::add_node(*graph, detail::write_command(port(table()), destination, to, source, from, box, where));
}
recorded_node* graph_functions::record_read(abi::context, recorded_graph* graph, nodes, abi::memory source,
                                            const box_side& from, void* destination, const box_side& to,
                                            const box_size& box, const source_location& where) const {
  return detail::add_node(*graph, detail::read_command(port(table()), source, from, destination, to, box, where));
}
recorded_node* graph_functions::record_copy(abi::context, recorded_graph* graph, nodes, abi::memory source,
                                            const box_side& from, abi::memory destination, const box_side& to,
                                            const box_size& box, const source_location& where) const {
  return detail::add_node(*graph, detail::copy_command(port(table()), source, from, destination, to, box, where));
}
recorded_node* graph_functions::record_fill(abi::context, recorded_graph* graph, nodes, abi::memory destination,
                                            std::size_t offset, const void* pattern, std::size_t pattern_bytes,
                                            std::size_t count, const source_location& where) const {
  return detail::add_node(
      *graph, detail::fill_command(port(table()), destination, offset, pattern, pattern_bytes, count, where));
}
recorded_node* graph_functions::record_write_image(abi::context, recorded_graph* graph, nodes, abi::memory destination,
                                                   const image_box& to, const void* source, const box_side& from,
                                                   const source_location& where) const {
  return detail::add_node(*graph, detail::make_command(
                                      port(table()), {destination},
                                      [=](const port& by, abi::queue stream, const source_location& at) {
                                        by.write_image(stream, destination, to, source, from,
                                                       detail::unwatched_done::unwatched(), at);
                                      },
                                      where));
}
recorded_node* graph_functions::record_read_image(abi::context, recorded_graph* graph, nodes, abi::memory source,
                                                  const image_box& from, void* destination, const box_side& to,
                                                  const source_location& where) const {
  return detail::add_node(*graph, detail::make_command(
                                      port(table()), {source},
                                      [=](const port& by, abi::queue stream, const source_location& at) {
                                        by.read_image(stream, source, from, destination, to,
                                                      detail::unwatched_done::unwatched(), at);
                                      },
                                      where));
}
recorded_node* graph_functions::record_copy_image(abi::context, recorded_graph* graph, nodes, abi::memory source,
                                                  const image_box& from, abi::memory destination, const image_box& to,
                                                  const source_location& where) const {
  return detail::add_node(*graph, detail::make_command(
                                      port(table()), {source, destination},
                                      [=](const port& by, abi::queue stream, const source_location& at) {
                                        by.copy_image(stream, source, from, destination, to,
                                                      detail::unwatched_done::unwatched(), at);
                                      },
                                      where));
}
recorded_node* graph_functions::record_copy_to_image(abi::context, recorded_graph* graph, nodes, abi::memory source,
                                                     const box_side& from, abi::memory destination, const image_box& to,
                                                     const source_location& where) const {
  return detail::add_node(*graph, detail::make_command(
                                      port(table()), {source, destination},
                                      [=](const port& by, abi::queue stream, const source_location& at) {
                                        by.copy_to_image(stream, source, from, destination, to,
                                                         detail::unwatched_done::unwatched(), at);
                                      },
                                      where));
}
recorded_node* graph_functions::record_copy_from_image(abi::context, recorded_graph* graph, nodes, abi::memory source,
                                                       const image_box& from, abi::memory destination,
                                                       const box_side& to, const source_location& where) const {
  return detail::add_node(*graph, detail::make_command(
                                      port(table()), {source, destination},
                                      [=](const port& by, abi::queue stream, const source_location& at) {
                                        by.copy_from_image(stream, source, from, destination, to,
                                                           detail::unwatched_done::unwatched(), at);
                                      },
                                      where));
}
recorded_node* graph_functions::record_call(recorded_graph* graph, nodes,
                                            yoke::detail::shared<const recorded_call> call,
                                            std::span<const abi::memory> holds, const source_location& where) const {
  detail::held_memory held{port(table())};
  for (const abi::memory each : holds) held.add(each, where);
  return detail::add_node(*graph,
                          yoke::detail::make_shared<const detail::call_command>(std::move(held), std::move(call)));
}
recorded_condition graph_functions::record_condition(abi::context, recorded_graph* graph, nodes, std::uint64_t,
                                                     condition_kind kind, std::size_t bodies, abi::memory value,
                                                     std::size_t offset, const source_location& where) const {
  detail::held_memory held{port(table())};
  held.add(value, where);
  const auto command =
      yoke::detail::make_shared<detail::condition_command>(kind, bodies, std::move(held), value, offset);
  recorded_condition made;
  for (recorded_graph& each : command->bodies()) made.bodies.push_back(&each);
  made.node = detail::add_node(*graph, command);
  return made;
}
recorded_node* graph_functions::record_join(recorded_graph* graph, nodes, const source_location&) const {
  return detail::add_node(*graph, nullptr);
}
release_result graph_functions::discard_node(recorded_graph* graph, recorded_node*, bool) const noexcept {
  graph->nodes.pop_back();
  return {};
}
recorded_node* graph_functions::record_graph(recorded_graph* graph, nodes, recorded_graph* child,
                                             const source_location&) const {
  return detail::add_node(*graph, yoke::detail::make_shared<const detail::graph_command>(detail::commands_of(*child)));
}

recorded_executable* graph_functions::instantiate(abi::context, recorded_graph* graph, const source_location&) const {
  auto made = yoke::detail::make_owner<recorded_executable>();
  made->places = detail::places_of(*graph);
  return made.release();
}
release_result graph_functions::release_executable(recorded_executable* executable) const noexcept {
  delete executable;
  return {};
}
void graph_functions::launch_graph(recorded_executable* executable, abi::queue stream,
                                   const source_location& where) const {
  const port with(table());
  if (executable->last != stream) {
    if (executable->last != nullptr) detail::follow_last_launch(with, executable->last, stream, where);
    executable->last = stream;
  }
  for (const recorded_executable::place& each : executable->places) {
    if (each.enabled && each.command) each.command->run(with, stream, where);
  }
}
std::string graph_functions::update_executable(abi::context, recorded_executable* executable, recorded_graph* graph,
                                               const source_location&) const {
  executable->places = detail::places_of(*graph);
  return "";
}

void graph_functions::set_kernel(abi::context, recorded_executable* executable, recorded_node* node, abi::kernel,
                                 const launch_shape& shape, const device_limits& limits,
                                 std::span<const kernel_argument> arguments, const source_location& where) const {
  detail::check_recorded_shape(shape, limits, where);
  detail::shared_command& command = executable->places[node->index].command;
  command = command->with_arguments(port(table()), shape, limits, arguments, where);
}
void graph_functions::set_write(abi::context, recorded_executable* executable, recorded_node* node,
                                abi::memory destination, std::size_t offset, const void* source, std::size_t bytes,
                                const source_location& where) const {
  executable->places[node->index].command =
      detail::write_command(port(table()), destination, {offset}, source, {}, {bytes}, where);
}
void graph_functions::set_read(abi::context, recorded_executable* executable, recorded_node* node, abi::memory source,
                               std::size_t offset, void* destination, std::size_t bytes,
                               const source_location& where) const {
  executable->places[node->index].command =
      detail::read_command(port(table()), source, {offset}, destination, {}, {bytes}, where);
}
void graph_functions::set_copy(abi::context, recorded_executable* executable, recorded_node* node, abi::memory source,
                               std::size_t source_offset, abi::memory destination, std::size_t destination_offset,
                               std::size_t bytes, const source_location& where) const {
  executable->places[node->index].command =
      detail::copy_command(port(table()), source, {source_offset}, destination, {destination_offset}, {bytes}, where);
}
void graph_functions::set_fill(abi::context, recorded_executable* executable, recorded_node* node,
                               abi::memory destination, std::size_t offset, const void* pattern,
                               std::size_t pattern_bytes, std::size_t count, const source_location& where) const {
  executable->places[node->index].command =
      detail::fill_command(port(table()), destination, offset, pattern, pattern_bytes, count, where);
}
void graph_functions::enable_node(recorded_executable* executable, recorded_node* node, bool enabled,
                                  const source_location&) const {
  executable->places[node->index].enabled = enabled;
}

}  // namespace yoke::inline v0_1::opencl

#endif
