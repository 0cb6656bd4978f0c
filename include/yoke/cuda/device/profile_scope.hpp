// SPDX-License-Identifier: MIT
// The part of a program that a profiler records.
#ifndef YOKE_CUDA_DEVICE_PROFILE_SCOPE_HPP
#define YOKE_CUDA_DEVICE_PROFILE_SCOPE_HPP

#include <yoke/cuda/names.hpp>

namespace yoke::inline v0_1::cuda {

/// Lets a waiting profiler (`nsys profile --capture-range=cudaProfilerApi`) record while this lives. Without a profiler
/// it does nothing. Neither copyable nor movable.
/// Effects: the end waits for the context's work first, so that the profiler sees all of it.
/// Throws: `error`. Thread safety: safe. Wraps `cuProfilerStart`, `cuProfilerStop`, `cuCtxSynchronize`.
/// Example: `{ const cuda::profile_scope recorded{ctx}; step(); }`
class profile_scope {
 public:
  YOKE_API explicit profile_scope(const context& of, const source_location& where = source_location::current());
  profile_scope(const profile_scope&) = delete;
  profile_scope& operator=(const profile_scope&) = delete;
  YOKE_API ~profile_scope();

 private:
  context context_;
};

}  // namespace yoke::inline v0_1::cuda

#if defined(YOKE_IMPLEMENTATION)
#include <yoke/cuda/device/profile_scope.ipp>
#endif

#endif
