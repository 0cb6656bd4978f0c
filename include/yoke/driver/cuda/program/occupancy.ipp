// SPDX-License-Identifier: MIT
// Bodies of driver/cuda/program/occupancy.hpp.
#ifndef YOKE_DRIVER_CUDA_PROGRAM_OCCUPANCY_IPP
#define YOKE_DRIVER_CUDA_PROGRAM_OCCUPANCY_IPP

#include <yoke/driver/cuda/program/occupancy.hpp>

#include <yoke/core/narrow.hpp>
#include <yoke/core/text.hpp>
#include <yoke/driver/cuda/invoke.hpp>
#include <yoke/driver/cuda/port.hpp>
#include <yoke/driver/cuda/program/launch.hpp>

namespace yoke::inline v0_1::cuda {

namespace detail {

/// Returns: a kernel as the type of the occupancy calls; it stands for its function in the current context.
abi::function as_function(abi::kernel kernel) noexcept { return reinterpret_cast<abi::function>(kernel); }

/// The description of a launch for the driver's occupancy calls about clusters.
struct cluster_question {
  /// Throws: `logic_error` for numbers that do not fit 32 bits.
  cluster_question(const launch_shape& shape, bool with_cluster, const source_location& where) {
    const auto n = [&](const char* name, std::size_t count) {
      return yoke::detail::narrow<abi::uint>(count, name, where);
    };
    config.grid_x = n("grid in x", shape.grid.x);
    config.grid_y = n("grid in y", shape.grid.y);
    config.grid_z = n("grid in z", shape.grid.z);
    config.block_x = n("block in x", shape.block.x);
    config.block_y = n("block in y", shape.block.y);
    config.block_z = n("block in z", shape.block.z);
    config.shared_bytes = n("local memory in bytes", shape.local_bytes);
    if (!with_cluster || !shape.has_cluster()) return;
    attribute.id = abi::launch_attribute_id::cluster_dimension;
    attribute.value.cluster = {n("cluster in x", shape.cluster.x), n("cluster in y", shape.cluster.y),
                               n("cluster in z", shape.cluster.z)};
    config.attributes = &attribute;
    config.attribute_count = 1;
  }
  cluster_question(const cluster_question&) = delete;
  cluster_question& operator=(const cluster_question&) = delete;

  abi::launch_attribute attribute{};
  abi::launch_config config{};
};

}  // namespace detail

int occupancy_functions::active_blocks(abi::context context, abi::kernel kernel, int block, std::size_t local_bytes,
                                       const source_location& where) const {
  const detail::current_context scope(table(), context, where);
  int blocks = 0;
  detail::invoke<&abi::functions::occupancy_max_active_blocks>(table(), where, &blocks, detail::as_function(kernel),
                                                               block, local_bytes);
  return blocks;
}
int occupancy_functions::max_cluster(abi::context context, abi::kernel kernel, const launch_shape& shape,
                                     const source_location& where) const {
  const detail::current_context scope(table(), context, where);
  const detail::cluster_question question(shape, false, where);
  int blocks = 0;
  detail::invoke<&abi::functions::occupancy_max_potential_cluster_size>(table(), where, &blocks,
                                                                        detail::as_function(kernel), &question.config);
  return blocks;
}
potential_shape occupancy_functions::potential_block(abi::context context, abi::kernel kernel,
                                                     abi::block_to_shared local_bytes_of, std::size_t local_bytes,
                                                     int limit, const source_location& where) const {
  const detail::current_context scope(table(), context, where);
  potential_shape shape;
  detail::invoke<&abi::functions::occupancy_max_potential_block_size>(
      table(), where, &shape.grid, &shape.block, detail::as_function(kernel), local_bytes_of, local_bytes, limit);
  return shape;
}
std::size_t occupancy_functions::available_local(abi::context context, abi::kernel kernel, int blocks, int block,
                                                 const source_location& where) const {
  const detail::current_context scope(table(), context, where);
  std::size_t bytes = 0;
  detail::invoke_explained<&abi::functions::occupancy_available_dynamic_shared>(
      table(), where,
      [&](abi::status) {
        return yoke::detail::text(blocks, " blocks of ", block,
                                  " threads on one multiprocessor are more than it holds");
      },
      &bytes, detail::as_function(kernel), blocks, block);
  return bytes;
}
int occupancy_functions::active_clusters(abi::context context, abi::kernel kernel, const launch_shape& shape,
                                         const source_location& where) const {
  const detail::current_context scope(table(), context, where);
  const detail::cluster_question question(shape, true, where);
  int clusters = 0;
  detail::invoke<&abi::functions::occupancy_max_active_clusters>(table(), where, &clusters, detail::as_function(kernel),
                                                                 &question.config);
  return clusters;
}

}  // namespace yoke::inline v0_1::cuda

#endif
