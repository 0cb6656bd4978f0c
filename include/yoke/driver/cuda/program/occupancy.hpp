// SPDX-License-Identifier: MIT
// The CUDA port's occupancy: how many blocks of a kernel a device holds, and the shapes that fill it.
#ifndef YOKE_DRIVER_CUDA_PROGRAM_OCCUPANCY_HPP
#define YOKE_DRIVER_CUDA_PROGRAM_OCCUPANCY_HPP

#include <yoke/driver/cuda/facet.hpp>

#include <cstddef>

namespace yoke::inline v0_1::cuda {

struct launch_shape;

/// A shape that fills a device.
struct potential_shape {
  int grid = 0;   ///< the fewest blocks that fill the device
  int block = 0;  ///< threads of a block
};

/// A part of `port`.
class occupancy_functions : public facet<occupancy_functions> {
 public:
  /// Returns: how many blocks of this size one multiprocessor holds at once.
  YOKE_API int active_blocks(abi::context context, abi::kernel kernel, int block, std::size_t local_bytes,
                             const source_location& where) const;
  /// `local_bytes_of` may be null: every block then has `local_bytes`.
  YOKE_API potential_shape potential_block(abi::context context, abi::kernel kernel,
                                           abi::block_to_shared local_bytes_of, std::size_t local_bytes, int limit,
                                           const source_location& where) const;
  YOKE_API std::size_t available_local(abi::context context, abi::kernel kernel, int blocks, int block,
                                       const source_location& where) const;
  YOKE_API int max_cluster(abi::context context, abi::kernel kernel, const launch_shape& shape,
                           const source_location& where) const;
  YOKE_API int active_clusters(abi::context context, abi::kernel kernel, const launch_shape& shape,
                               const source_location& where) const;
};

}  // namespace yoke::inline v0_1::cuda

#if defined(YOKE_IMPLEMENTATION)
#include <yoke/driver/cuda/program/occupancy.ipp>
#endif

#endif
