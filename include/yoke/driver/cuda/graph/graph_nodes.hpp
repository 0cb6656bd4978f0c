// SPDX-License-Identifier: MIT
// The parameters of a graph's copies and fills, and why an update was refused.
#ifndef YOKE_DRIVER_CUDA_GRAPH_GRAPH_NODES_HPP
#define YOKE_DRIVER_CUDA_GRAPH_GRAPH_NODES_HPP

#include <yoke/driver/cuda/abi/abi.hpp>
#include <yoke/driver/cuda/memory/copy_rows.hpp>

#include <cstddef>
#include <span>
#include <string>
#include <vector>

namespace yoke::inline v0_1::cuda::detail {

/// A copy as a node: its parameters, and its sides for messages.
struct copy_node_params {
  abi::copy_3d copy{};
  copy_side sides[2];
};

/// Returns: a copy between two sides, whose addresses the caller sets. The pitch of a single row is the row's size.
inline abi::copy_3d boxed_copy(const box_side& from, const box_side& to, const box_size& box) noexcept {
  abi::copy_3d copy{};
  copy.width_bytes = box.row_bytes;
  copy.height = box.rows;
  copy.depth = box.slices;
  if (box.rows == 1 && box.slices == 1) return copy;
  copy.source_pitch = from.row_pitch;
  copy.source_height = from.slice_pitch / from.row_pitch;
  copy.destination_pitch = to.row_pitch;
  copy.destination_height = to.slice_pitch / to.row_pitch;
  return copy;
}
inline void set_source(abi::copy_3d& copy, abi::device_pointer at) noexcept {
  copy.source_type = abi::memory_type::device;
  copy.source_device = at;
}
inline void set_destination(abi::copy_3d& copy, abi::device_pointer at) noexcept {
  copy.destination_type = abi::memory_type::device;
  copy.destination_device = at;
}

inline copy_node_params write_node(abi::device_pointer destination, const box_side& to, const void* source,
                                   const box_side& from, const box_size& box) noexcept {
  const void* const first = static_cast<const std::byte*>(source) + from.offset;
  copy_node_params made{
      boxed_copy(from, to, box),
      {source_at(first, extent_of(from, box)), destination_at(destination + to.offset, extent_of(to, box))}};
  made.copy.source_type = abi::memory_type::host;
  made.copy.source_host = first;
  set_destination(made.copy, destination + to.offset);
  return made;
}
inline copy_node_params read_node(abi::device_pointer source, const box_side& from, void* destination,
                                  const box_side& to, const box_size& box) noexcept {
  void* const first = static_cast<std::byte*>(destination) + to.offset;
  copy_node_params made{
      boxed_copy(from, to, box),
      {source_at(source + from.offset, extent_of(from, box)), destination_at(first, extent_of(to, box))}};
  set_source(made.copy, source + from.offset);
  made.copy.destination_type = abi::memory_type::host;
  made.copy.destination_host = first;
  return made;
}
inline copy_node_params copy_node(abi::device_pointer source, const box_side& from, abi::device_pointer destination,
                                  const box_side& to, const box_size& box) noexcept {
  copy_node_params made{boxed_copy(from, to, box),
                        {source_at(source + from.offset, extent_of(from, box)),
                         destination_at(destination + to.offset, extent_of(to, box))}};
  set_source(made.copy, source + from.offset);
  set_destination(made.copy, destination + to.offset);
  return made;
}

/// Returns: a new node of a copy.
abi::graph_node add_copy(const abi::functions* table, abi::context context, abi::graph graph,
                         std::span<const abi::graph_node> after, const copy_node_params& copy,
                         const source_location& where);
/// Effects: sets a copy node of an executable.
void set_copy_node(const abi::functions* table, abi::context context, abi::graph_exec executable, abi::graph_node node,
                   const copy_node_params& copy, const source_location& where);
/// Returns: the nodes of a fill. A pattern consists of words as wide as the driver sets and the address allows. Equal
/// words form one row; unequal words form one column each, one word wide.
std::vector<abi::memset_node_params> fill_nodes(abi::device_pointer first, const void* pattern,
                                                std::size_t pattern_bytes, std::size_t count);
/// Returns: the description of a refused update.
std::string reason_of(abi::graph_update_result result);

}  // namespace yoke::inline v0_1::cuda::detail

#if defined(YOKE_IMPLEMENTATION)
#include <yoke/driver/cuda/graph/graph_nodes.ipp>
#endif

#endif
