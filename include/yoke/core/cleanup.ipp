// SPDX-License-Identifier: MIT
// Bodies of core/cleanup.hpp: the handler and its default.
#ifndef YOKE_CORE_CLEANUP_IPP
#define YOKE_CORE_CLEANUP_IPP

#include <yoke/core/cleanup.hpp>
#include <yoke/core/error.hpp>

#include <atomic>
#include <cstdio>
#include <string>

namespace yoke::inline v0_1 {

namespace detail {

void print_cleanup_failure(const cleanup_failure& failure) noexcept {
  static std::atomic<bool> reported_lost_context{false};
  if (failure.code == errc::context_lost && reported_lost_context.exchange(true)) return;
  std::string name;
  try {
    name = failure.code.message();
  } catch (...) {  // message() may allocate; report the code without it
  }
  std::fprintf(stderr, "yoke: %s failed with code %d (%s%s%s) where nothing could be thrown%s%s\n", failure.call,
               failure.code.value(), failure.code.category().name(), name.empty() ? "" : ": ", name.c_str(),
               *failure.message == '\0' ? "" : ": ", failure.message);
}

inline constinit std::atomic<cleanup_handler> cleanup_handler_in_force{nullptr};

}  // namespace detail

cleanup_handler set_cleanup_handler(cleanup_handler handler) noexcept {
  const cleanup_handler before = detail::cleanup_handler_in_force.exchange(handler);
  return before == nullptr ? &detail::print_cleanup_failure : before;
}

cleanup_handler get_cleanup_handler() noexcept {
  const cleanup_handler now = detail::cleanup_handler_in_force.load();
  return now == nullptr ? &detail::print_cleanup_failure : now;
}

void detail::report_cleanup_failure(const std::error_code& code, const char* call, const char* message) noexcept {
  get_cleanup_handler()(cleanup_failure{code, call, message});
}
void detail::report_cleanup_exception(const char* call) noexcept {
  try {
    throw;
  } catch (const error& failure) {
    if (failure.code() == errc::context_ended) return;  // the objects to release ended with the context
    report_cleanup_failure(failure.code(), call, failure.what());
  } catch (const std::exception& failure) {
    report_cleanup_failure(make_error_code(errc::command_failed), call, failure.what());
  } catch (...) {
    report_cleanup_failure(make_error_code(errc::command_failed), call);
  }
}

}  // namespace yoke::inline v0_1

#endif
