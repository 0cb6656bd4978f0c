// SPDX-License-Identifier: MIT
// Allocation through RAPIDS' memory manager: plain, and in a stream's order.
#ifndef YOKE_BENCHMARKS_SIDE_RMM_HPP
#define YOKE_BENCHMARKS_SIDE_RMM_HPP

#include "side_yoke.hpp"

#include <cuda/stream_ref>
#include <rmm/device_buffer.hpp>
#include <rmm/mr/cuda_async_memory_resource.hpp>
#include <rmm/mr/cuda_memory_resource.hpp>

namespace bench {

class rmm_side {
 public:
  explicit rmm_side(yoke_side<yoke::cuda::port>& of) : yoke(of), stream(of.stream.native_handle()) {}

  void busy() { yoke.busy(); }
  void synchronize() { yoke.synchronize(); }
  void allocate(std::size_t bytes) { const rmm::device_buffer memory(bytes, stream, plain); }
  void allocate_ordered(std::size_t bytes) { const rmm::device_buffer memory(bytes, stream, ordered); }

 private:
  yoke_side<yoke::cuda::port>& yoke;
  cuda::stream_ref stream;
  rmm::mr::cuda_memory_resource plain;
  rmm::mr::cuda_async_memory_resource ordered;
};

}  // namespace bench

#endif
