// SPDX-License-Identifier: MIT
// Bodies of driver/cuda/program.hpp: how many blocks of a kernel a device holds.
#ifndef YOKE_DRIVER_CUDA_IMPL_OCCUPANCY_IPP
#define YOKE_DRIVER_CUDA_IMPL_OCCUPANCY_IPP

#include <yoke/driver/cuda/impl/references.ipp>
#include <yoke/driver/cuda/program.hpp>

namespace yoke::inline YOKE_ABI::cuda {

namespace detail {

/// Returns: a kernel as these functions take it: it then means its function in the current context.
YOKE_INLINE abi::function as_function(abi::kernel kernel) noexcept { return reinterpret_cast<abi::function>(kernel); }

/// A launch as the questions about clusters take it.
struct cluster_question {
  cluster_question(const launch_shape& shape, bool with_cluster) noexcept {
    const auto n = [](std::size_t count) { return static_cast<abi::uint>(count); };
    attribute.id = abi::launch_attribute_id::cluster_dimension;
    attribute.value.cluster = {n(shape.cluster.x), n(shape.cluster.y), n(shape.cluster.z)};
    config.grid_x = n(shape.grid.x);
    config.grid_y = n(shape.grid.y);
    config.grid_z = n(shape.grid.z);
    config.block_x = n(shape.block.x);
    config.block_y = n(shape.block.y);
    config.block_z = n(shape.block.z);
    config.shared_bytes = n(shape.local_bytes);
    config.attributes = &attribute;
    config.attribute_count = with_cluster && shape.has_cluster() ? 1 : 0;
  }
  cluster_question(const cluster_question&) = delete;
  cluster_question& operator=(const cluster_question&) = delete;

  abi::launch_attribute attribute{};
  abi::launch_config config{};
};

}  // namespace detail

YOKE_INLINE int program_functions::active_blocks(abi::context context, abi::kernel kernel, int block,
                                                 std::size_t local_bytes, const source_location& where) const {
  const detail::current_context scope(table_, context, where);
  int blocks = 0;
  detail::invoke<&abi::functions::occupancy_max_active_blocks>(table_, where, &blocks, detail::as_function(kernel),
                                                               block, local_bytes);
  return blocks;
}
YOKE_INLINE potential_shape program_functions::potential_block(abi::context context, abi::kernel kernel,
                                                               abi::block_to_shared local_bytes_of,
                                                               std::size_t local_bytes, int limit,
                                                               const source_location& where) const {
  const detail::current_context scope(table_, context, where);
  potential_shape shape;
  detail::invoke<&abi::functions::occupancy_max_potential_block_size>(
      table_, where, &shape.grid, &shape.block, detail::as_function(kernel), local_bytes_of, local_bytes, limit);
  return shape;
}
YOKE_INLINE std::size_t program_functions::available_local(abi::context context, abi::kernel kernel, int blocks,
                                                           int block, const source_location& where) const {
  const detail::current_context scope(table_, context, where);
  std::size_t bytes = 0;
  detail::invoke<&abi::functions::occupancy_available_dynamic_shared>(table_, where, &bytes,
                                                                      detail::as_function(kernel), blocks, block);
  return bytes;
}
YOKE_INLINE int program_functions::max_cluster(abi::context context, abi::kernel kernel, const launch_shape& shape,
                                               const source_location& where) const {
  const detail::current_context scope(table_, context, where);
  const detail::cluster_question question(shape, false);
  int blocks = 0;
  detail::invoke<&abi::functions::occupancy_max_potential_cluster_size>(table_, where, &blocks,
                                                                        detail::as_function(kernel), &question.config);
  return blocks;
}
YOKE_INLINE int program_functions::active_clusters(abi::context context, abi::kernel kernel, const launch_shape& shape,
                                                   const source_location& where) const {
  const detail::current_context scope(table_, context, where);
  const detail::cluster_question question(shape, true);
  int clusters = 0;
  detail::invoke<&abi::functions::occupancy_max_active_clusters>(table_, where, &clusters, detail::as_function(kernel),
                                                                 &question.config);
  return clusters;
}

}  // namespace yoke::inline YOKE_ABI::cuda

#endif
