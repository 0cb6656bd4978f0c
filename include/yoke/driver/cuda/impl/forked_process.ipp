// SPDX-License-Identifier: MIT
// Whether this process was forked from one that uses CUDA, so that every call can look without a call.
#ifndef YOKE_DRIVER_CUDA_IMPL_FORKED_PROCESS_IPP
#define YOKE_DRIVER_CUDA_IMPL_FORKED_PROCESS_IPP

#include <yoke/core/config.hpp>

#include <atomic>

namespace yoke::inline YOKE_ABI::cuda::detail {

inline constinit std::atomic<bool> forked_process{false};

}  // namespace yoke::inline YOKE_ABI::cuda::detail

#endif
