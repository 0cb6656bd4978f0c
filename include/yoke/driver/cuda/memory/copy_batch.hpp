// SPDX-License-Identifier: MIT
// The CUDA port's lists of copies, enqueued by one driver call.
#ifndef YOKE_DRIVER_CUDA_MEMORY_COPY_BATCH_HPP
#define YOKE_DRIVER_CUDA_MEMORY_COPY_BATCH_HPP

#include <yoke/driver/cuda/facet.hpp>

namespace yoke::inline v0_1::cuda {

/// A part of `port`.
class copy_batch_functions : public facet<copy_batch_functions> {
 public:
  /// Enqueues independent copies, which may run in any order, by one call, and by another for boxes.
  /// Returns: false, with nothing enqueued, for a driver before 12.8 and for default streams.
  /// Wraps either form of `cuMemcpyBatchAsync` and `cuMemcpy3DBatchAsync`: the newer if the driver has it.
  YOKE_API bool copy_batch(abi::stream stream, std::span<const batched_copy> copies,
                           const source_location& where) const;
};

}  // namespace yoke::inline v0_1::cuda

#if defined(YOKE_IMPLEMENTATION)
#include <yoke/driver/cuda/memory/copy_batch.ipp>
#endif

#endif
