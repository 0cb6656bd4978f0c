// SPDX-License-Identifier: MIT
// Events and stream waits through CCCL's handles; its launches need nvcc, so that they are not among these.
#ifndef YOKE_BENCHMARKS_SIDE_CCCL_HPP
#define YOKE_BENCHMARKS_SIDE_CCCL_HPP

#include "side_yoke.hpp"

#include <cuda/stream>
#include <optional>

namespace bench {

class cccl_side {
 public:
  explicit cccl_side(yoke_side<yoke::cuda::port>& of) : yoke(of), stream(of.stream.native_handle()) {}

  void busy() { yoke.busy(); }
  void synchronize() { stream.sync(); }
  void record() { const cuda::event event(stream); }
  void record_existing() { existing.record(stream); }
  void busy_other() { yoke.busy_other(); }
  void record_pending() { pending.emplace(cuda::stream_ref(yoke.other.native_handle())); }
  void wait_event() { stream.wait(*pending); }
  void finish_wait() { yoke.finish_wait(); }

 private:
  yoke_side<yoke::cuda::port>& yoke;
  cuda::stream_ref stream;
  cuda::event existing{stream};
  std::optional<cuda::event> pending;
};

}  // namespace bench

#endif
