// SPDX-License-Identifier: MIT
// Bodies of driver/cuda/graph/graph_images.hpp.
#ifndef YOKE_DRIVER_CUDA_GRAPH_GRAPH_IMAGES_IPP
#define YOKE_DRIVER_CUDA_GRAPH_GRAPH_IMAGES_IPP

#include <yoke/driver/cuda/graph/graph_images.hpp>

#include <yoke/driver/cuda/graph/graph.hpp>
#include <yoke/driver/cuda/graph/graph_nodes.hpp>
#include <yoke/driver/cuda/image/image_array.hpp>
#include <yoke/driver/cuda/image/image_copy.hpp>
#include <yoke/driver/cuda/invoke.hpp>
#include <yoke/driver/cuda/memory/copy_rows.hpp>
#include <yoke/driver/cuda/port.hpp>

#include <cstddef>
#include <span>
#include <vector>

namespace yoke::inline v0_1::cuda {

namespace detail {

/// Returns: the node that copies a box. The sides are complete except for the pitches of a side in linear memory.
abi::graph_node add_image_copy(const abi::functions* table, abi::context context, abi::graph graph,
                               std::span<const abi::graph_node> after, abi::copy_3d& request, const image_box& box,
                               const box_side* linear, const source_location& where) {
  const current_context scope(table, context, where);
  const linear_side side = complete_image_copy(request, box, linear);
  abi::graph_node node = nullptr;
  invoke_explained<&abi::functions::graph_add_memcpy_node>(
      table, where, [&](abi::status status) { return refused_copy(table, status, side.sides()); }, &node, graph,
      after.data(), after.size(), static_cast<const abi::copy_3d*>(&request), context);
  return node;
}

}  // namespace detail

abi::graph_node graph_image_functions::record_write_image(abi::context context, abi::graph graph,
                                                          std::span<const abi::graph_node> after,
                                                          image_array* destination, const image_box& to,
                                                          const void* source, const box_side& from,
                                                          const source_location& where) const {
  abi::copy_3d request{};
  request.source_type = abi::memory_type::host;
  request.source_host = static_cast<const std::byte*>(source) + from.offset;
  detail::set_destination(request, *destination, to);
  return detail::add_image_copy(table(), context, graph, after, request, to, &from, where);
}
abi::graph_node graph_image_functions::record_read_image(abi::context context, abi::graph graph,
                                                         std::span<const abi::graph_node> after, image_array* source,
                                                         const image_box& from, void* destination, const box_side& to,
                                                         const source_location& where) const {
  abi::copy_3d request{};
  detail::set_source(request, *source, from);
  request.destination_type = abi::memory_type::host;
  request.destination_host = static_cast<std::byte*>(destination) + to.offset;
  return detail::add_image_copy(table(), context, graph, after, request, from, &to, where);
}
abi::graph_node graph_image_functions::record_copy_image(abi::context context, abi::graph graph,
                                                         std::span<const abi::graph_node> after, image_array* source,
                                                         const image_box& from, image_array* destination,
                                                         const image_box& to, const source_location& where) const {
  abi::copy_3d request{};
  detail::set_source(request, *source, from);
  detail::set_destination(request, *destination, to);
  const bool from_layers = from.kind == yoke::image_kind::d1_layered;
  const bool to_layers = to.kind == yoke::image_kind::d1_layered;
  if (from_layers == to_layers) {
    return detail::add_image_copy(table(), context, graph, after, request, from, nullptr, where);
  }
  // The layers of a 1D image correspond to the rows of a 2D image: this copy becomes one node for each row, and a join.
  image_box row = from;
  row.height = 1;
  std::vector<abi::graph_node> made;
  made.reserve(from.height);
  try {
    for (std::size_t y = 0; y < from.height; ++y) {
      made.push_back(detail::add_image_copy(table(), context, graph, after, request, row, nullptr, where));
      ++(from_layers ? request.source_z : request.source_y);
      ++(to_layers ? request.destination_z : request.destination_y);
    }
    return made.size() == 1 ? made.front() : part<graph_functions>().record_join(graph, made, where);
  } catch (...) {
    for (const abi::graph_node each : made) {
      detail::report(detail::release<&abi::functions::graph_destroy_node>(table(), each));
    }
    throw;
  }
}
abi::graph_node graph_image_functions::record_copy_to_image(abi::context context, abi::graph graph,
                                                            std::span<const abi::graph_node> after,
                                                            abi::device_pointer source, const box_side& from,
                                                            image_array* destination, const image_box& to,
                                                            const source_location& where) const {
  abi::copy_3d request{};
  detail::set_source(request, source + from.offset);
  detail::set_destination(request, *destination, to);
  return detail::add_image_copy(table(), context, graph, after, request, to, &from, where);
}
abi::graph_node graph_image_functions::record_copy_from_image(abi::context context, abi::graph graph,
                                                              std::span<const abi::graph_node> after,
                                                              image_array* source, const image_box& from,
                                                              abi::device_pointer destination, const box_side& to,
                                                              const source_location& where) const {
  abi::copy_3d request{};
  detail::set_source(request, *source, from);
  detail::set_destination(request, destination + to.offset);
  return detail::add_image_copy(table(), context, graph, after, request, from, &to, where);
}

}  // namespace yoke::inline v0_1::cuda

#endif
