// SPDX-License-Identifier: MIT
// The steady clock, for headers that do without <chrono>.
#ifndef YOKE_CORE_CLOCK_HPP
#define YOKE_CORE_CLOCK_HPP

#include <yoke/core/config.hpp>

#include <cstdint>

namespace yoke::inline YOKE_ABI::detail {

/// Returns: `std::chrono::steady_clock::now()`, in nanoseconds.
YOKE_API std::int64_t steady_nanoseconds() noexcept;

}  // namespace yoke::inline YOKE_ABI::detail

#if defined(YOKE_HEADER_ONLY)
#include <yoke/core/impl/clock.ipp>
#endif

#endif
