// SPDX-License-Identifier: MIT
// Bodies of driver/cuda/program/kernel.hpp: the shapes of launches that fill a device.
#ifndef YOKE_DRIVER_CUDA_PROGRAM_OCCUPANCY_SHAPES_IPP
#define YOKE_DRIVER_CUDA_PROGRAM_OCCUPANCY_SHAPES_IPP

#include <yoke/driver/cuda/program/cluster_question.hpp>
#include <yoke/driver/cuda/program/kernel.hpp>
#include <yoke/driver/cuda/references.hpp>

namespace yoke::inline v0_1::cuda {

potential_shape kernel_functions::potential_block(abi::context context, abi::kernel kernel,
                                                  abi::block_to_shared local_bytes_of, std::size_t local_bytes,
                                                  int limit, const source_location& where) const {
  const detail::current_context scope(table(), context, where);
  potential_shape shape;
  detail::invoke<&abi::functions::occupancy_max_potential_block_size>(
      table(), where, &shape.grid, &shape.block, detail::as_function(kernel), local_bytes_of, local_bytes, limit);
  return shape;
}
std::size_t kernel_functions::available_local(abi::context context, abi::kernel kernel, int blocks, int block,
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
int kernel_functions::active_clusters(abi::context context, abi::kernel kernel, const launch_shape& shape,
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
