// SPDX-License-Identifier: MIT
// Bodies of driver/cuda/program/kernel.hpp: the number of blocks of a kernel that a device holds.
#ifndef YOKE_DRIVER_CUDA_PROGRAM_OCCUPANCY_IPP
#define YOKE_DRIVER_CUDA_PROGRAM_OCCUPANCY_IPP

#include <yoke/driver/cuda/program/cluster_question.hpp>
#include <yoke/driver/cuda/program/kernel.hpp>
#include <yoke/driver/cuda/references.hpp>

namespace yoke::inline v0_1::cuda {

int kernel_functions::active_blocks(abi::context context, abi::kernel kernel, int block, std::size_t local_bytes,
                                    const source_location& where) const {
  const detail::current_context scope(table(), context, where);
  int blocks = 0;
  detail::invoke<&abi::functions::occupancy_max_active_blocks>(table(), where, &blocks, detail::as_function(kernel),
                                                               block, local_bytes);
  return blocks;
}
int kernel_functions::max_cluster(abi::context context, abi::kernel kernel, const launch_shape& shape,
                                  const source_location& where) const {
  const detail::current_context scope(table(), context, where);
  const detail::cluster_question question(shape, false, where);
  int blocks = 0;
  detail::invoke<&abi::functions::occupancy_max_potential_cluster_size>(table(), where, &blocks,
                                                                        detail::as_function(kernel), &question.config);
  return blocks;
}

}  // namespace yoke::inline v0_1::cuda

#endif
