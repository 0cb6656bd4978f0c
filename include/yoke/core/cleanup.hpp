// SPDX-License-Identifier: MIT
// The handler of failures that a destructor must not throw.
#ifndef YOKE_CORE_CLEANUP_HPP
#define YOKE_CORE_CLEANUP_HPP

#include <yoke/core/config.hpp>

#include <system_error>

namespace yoke::inline v0_1 {

/// A release call that failed inside a destructor, `reset()` or a move assignment, or an exception that left a callback
/// of the program.
struct cleanup_failure {
  std::error_code code;  ///< the driver's code; for an exception its own, or `errc::command_failed`
  const char* call;      ///< the driver's call, for example "clReleaseMemObject", or the callback's name: "stream.call"
  const char* message = "";  ///< what the exception says, else ""; valid until the handler returns
};

/// Handles a cleanup failure. It must not throw and may run on any thread.
using cleanup_handler = void (*)(const cleanup_failure&) noexcept;

/// Replaces the handler.
/// Effects: later failures go to `handler`. Null restores the default, which prints one line on stderr; after a context
/// is lost, it prints only the first failure.
/// Returns: the handler in force until now, never null.
/// Throws: nothing. Thread safety: safe.
YOKE_API cleanup_handler set_cleanup_handler(cleanup_handler handler) noexcept;

/// Returns: the handler in force, never null. Thread safety: safe.
YOKE_API cleanup_handler get_cleanup_handler() noexcept;

namespace detail {
/// Effects: calls the handler in force, once, without retry.
YOKE_API void report_cleanup_failure(const std::error_code& code, const char* call, const char* message = "") noexcept;
/// Effects: reports the exception that is being handled, which left the callback `call`, to the handler in force.
YOKE_API void report_cleanup_exception(const char* call) noexcept;
}  // namespace detail

}  // namespace yoke::inline v0_1

#if defined(YOKE_IMPLEMENTATION)
#include <yoke/core/cleanup.ipp>
#endif

#endif
