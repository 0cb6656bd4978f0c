// SPDX-License-Identifier: MIT
// Named ranges of a program that profilers show, by NVTX if the compiler finds its header. Opt-in: no other header
// includes it.
#ifndef YOKE_CUDA_DEVICE_NVTX_HPP
#define YOKE_CUDA_DEVICE_NVTX_HPP

#include <yoke/core/config.hpp>

#if __has_include(<nvtx3/nvToolsExt.h>)
#include <nvtx3/nvToolsExt.h>
#endif

namespace yoke::inline v0_1::cuda {

/// A range of time with a name, from here to its end, that a profiler like Nsight Systems shows. Without a profiler it
/// costs one test of a pointer; if the compiler does not find `<nvtx3/nvToolsExt.h>`, nothing. Neither copyable nor
/// movable.
/// Effects: the range may end on another thread, and may overlap others.
/// Throws: nothing. Thread safety: safe. Wraps `nvtxRangeStartA`, `nvtxRangeEnd`.
/// Example: `{ const cuda::profile_range range{"assemble"}; assemble(); }`
class profile_range {
 public:
#if defined(NVTX_VERSION)
  static constexpr bool recorded = true;  ///< whether a profiler can see it
  explicit profile_range(const char* name) noexcept : id_(nvtxRangeStartA(name)) {}
  ~profile_range() { nvtxRangeEnd(id_); }
#else
  static constexpr bool recorded = false;
  explicit constexpr profile_range(const char*) noexcept {}
  ~profile_range() {}  // NOLINT: avoids warnings about unused variables
#endif
  profile_range(const profile_range&) = delete;
  profile_range& operator=(const profile_range&) = delete;

 private:
#if defined(NVTX_VERSION)
  nvtxRangeId_t id_;
#endif
};

}  // namespace yoke::inline v0_1::cuda

#endif
