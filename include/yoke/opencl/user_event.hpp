// SPDX-License-Identifier: MIT
// An event that the host completes.
#ifndef YOKE_OPENCL_USER_EVENT_HPP
#define YOKE_OPENCL_USER_EVENT_HPP

#include <yoke/opencl/names.hpp>

namespace yoke::inline YOKE_ABI::opencl {

/// An event that commands can wait for until the host says so. Move-only.
/// Destroying it unset makes the commands that wait for it fail, instead of hanging for ever.
/// Thread safety: `complete` and `fail` are safe from any thread; one of them takes effect.
class user_event {
 public:
  user_event() noexcept = default;
  /// Throws: `error`. Wraps `clCreateUserEvent`.
  explicit user_event(const context& in, const source_location& where = source_location::current()) {
    event_ = event::adopt(in, in.port(where).create_user_event(in.native_handle(), where));
    set_ = false;
  }
  user_event(user_event&& other) noexcept : event_(std::move(other.event_)), set_(other.set_.exchange(true)) {}
  user_event& operator=(user_event&& other) noexcept {
    if (this != &other) {
      reset();
      event_ = std::move(other.event_);
      set_ = other.set_.exchange(true);
    }
    return *this;
  }
  ~user_event() { fail_unset(); }

  /// Lets the commands that wait go on. Throws: `logic_error` when empty or set before. Wraps `clSetUserEventStatus`.
  void complete(const source_location& where = source_location::current()) { set(0, where); }
  /// Makes the commands that wait fail. Requires: a negative code. Throws: `logic_error`; as above.
  void fail(std::int32_t code = -1, const source_location& where = source_location::current()) {
    if (code >= 0) {
      yoke::detail::throw_error(errc::invalid_argument, yoke::detail::text("failure code ", code, " is not negative"), where);
    }
    set(code, where);
  }

  /// What commands wait for: `{.after = ready.as_event()}`.
  [[nodiscard]] const event& as_event() const noexcept { return event_; }
  [[nodiscard]] abi::event native_handle() const noexcept { return event_.native_handle(); }
  [[nodiscard]] explicit operator bool() const noexcept { return static_cast<bool>(event_); }
  void reset() noexcept {
    fail_unset();
    event_.reset();
  }

 private:
  void set(std::int32_t status, const source_location& where) {
    if (!event_) yoke::detail::throw_error(errc::empty_handle, "this user event is empty (moved from or never made)", where);
    if (set_.exchange(true)) {
      yoke::detail::throw_error(errc::invalid_argument, "this user event was set before", where);
    }
    try {
      event_.context_of().port(where).set_user_event(event_.native_handle(), status, where);
    } catch (...) {
      set_ = false;
      throw;
    }
  }
  void fail_unset() noexcept {
    if (!event_ || set_.exchange(true)) return;
    const abi::functions* table = event_.context_of().state().port.table();
    const abi::status status = table->set_user_event_status(event_.native_handle(), -1);
    if (status != 0) yoke::detail::report_cleanup_failure({status, error_category()}, "clSetUserEventStatus");
  }

  event event_;
  std::atomic<bool> set_{true};
};

}  // namespace yoke::inline YOKE_ABI::opencl

#endif
