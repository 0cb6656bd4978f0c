// SPDX-License-Identifier: MIT
// Where failures go that a destructor must not throw.
#ifndef YOKE_CORE_CLEANUP_HPP
#define YOKE_CORE_CLEANUP_HPP

#include <yoke/core/config.hpp>

#include <system_error>

namespace yoke::inline YOKE_ABI {

/// A release call that failed inside a destructor, `reset()` or a move assignment.
struct cleanup_failure {
  std::error_code code;  ///< the driver's code
  const char* call;      ///< the driver's call, for example "clReleaseMemObject"
};

/// What handles such a failure. It must not throw and may run on any thread.
using cleanup_handler = void (*)(const cleanup_failure&) noexcept;

/// Replaces the handler.
/// Effects: later failures go to `handler`; null restores the default, which prints one line on stderr, and of a lost
/// context's failures only the first.
/// Returns: the handler in force until now, never null.
/// Throws: nothing. Thread safety: safe.
YOKE_API cleanup_handler set_cleanup_handler(cleanup_handler handler) noexcept;

/// Returns: the handler in force, never null. Thread safety: safe.
YOKE_API cleanup_handler get_cleanup_handler() noexcept;

namespace detail {
/// Effects: calls the handler in force, once, without retry.
YOKE_API void report_cleanup_failure(const std::error_code& code, const char* call) noexcept;
}  // namespace detail

}  // namespace yoke::inline YOKE_ABI

#if defined(YOKE_HEADER_ONLY)
#include <yoke/core/impl/cleanup.ipp>
#endif

#endif
