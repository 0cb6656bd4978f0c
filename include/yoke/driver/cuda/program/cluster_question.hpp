// SPDX-License-Identifier: MIT
// What the driver is asked about the blocks of a launch with.
#ifndef YOKE_DRIVER_CUDA_PROGRAM_CLUSTER_QUESTION_HPP
#define YOKE_DRIVER_CUDA_PROGRAM_CLUSTER_QUESTION_HPP

#include <yoke/driver/cuda/program/kernel.hpp>

namespace yoke::inline v0_1::cuda::detail {

/// Returns: a kernel in the type of these functions, which then stands for its function in the current context.
[[gnu::cold]] inline abi::function as_function(abi::kernel kernel) noexcept {
  return reinterpret_cast<abi::function>(kernel);
}

/// A launch, for the driver's questions about clusters.
struct cluster_question {
  /// Throws: `logic_error` for numbers that do not fit 32 bits.
  [[gnu::cold]] cluster_question(const launch_shape& shape, bool with_cluster, const source_location& where) {
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

}  // namespace yoke::inline v0_1::cuda::detail

#endif
