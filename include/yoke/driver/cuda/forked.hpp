// SPDX-License-Identifier: MIT
// Whether this process was forked from one that has initialised CUDA's driver.
#ifndef YOKE_DRIVER_CUDA_FORKED_HPP
#define YOKE_DRIVER_CUDA_FORKED_HPP

#include <yoke/core/atomic.hpp>
#include <yoke/core/config.hpp>

namespace yoke::inline YOKE_ABI::cuda::detail {

// One for a program and the shared objects that it is linked with, also if they hide their symbols. It has a cache line to
// itself: every call reads it, and only a new process writes it.
struct alignas(64) forked_state {
  yoke::detail::atomic<bool> is_so{false};
};
#if defined(YOKE_HEADER_ONLY)
inline constinit YOKE_API_TYPE forked_state forked{};
#else
extern YOKE_API forked_state forked;
#endif

}  // namespace yoke::inline YOKE_ABI::cuda::detail

#endif
