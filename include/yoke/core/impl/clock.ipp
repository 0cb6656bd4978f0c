// SPDX-License-Identifier: MIT
// Bodies of core/clock.hpp.
#ifndef YOKE_CORE_IMPL_CLOCK_IPP
#define YOKE_CORE_IMPL_CLOCK_IPP

#include <yoke/core/clock.hpp>

#include <chrono>

namespace yoke::inline YOKE_ABI::detail {

YOKE_INLINE std::int64_t steady_nanoseconds() noexcept {
  return std::chrono::duration_cast<std::chrono::nanoseconds>(std::chrono::steady_clock::now().time_since_epoch())
      .count();
}

}  // namespace yoke::inline YOKE_ABI::detail

#endif
