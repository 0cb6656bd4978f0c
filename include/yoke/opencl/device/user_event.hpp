// SPDX-License-Identifier: MIT
// An event that the host completes.
#ifndef YOKE_OPENCL_DEVICE_USER_EVENT_HPP
#define YOKE_OPENCL_DEVICE_USER_EVENT_HPP

#include <yoke/opencl/names.hpp>

namespace yoke::inline v0_1::opencl {

/// An event that the host completes and that commands can wait for. Move-only. If it is destroyed unset, the commands
/// that wait for it fail instead of hanging. For PoCL 3.1, which needs the events of waiting commands, the library
/// keeps them and a reference to this event until it is set. It queries the status of a released or formerly borrowed
/// event whenever it enqueues or releases something; when the last other reference has gone, the waiting commands fail.
/// Thread safety: `complete` and `fail` are safe from any thread; one of them takes effect.
class user_event {
 public:
  user_event() noexcept = default;
  /// Throws: `error`. Wraps `clCreateUserEvent`.
  YOKE_API explicit user_event(const context& in, const source_location& where = source_location::current());
  /// Takes ownership of one reference to a native user event, set or not.
  /// Throws: `logic_error` for null, another context's, or another kind of event; `error`; the reference then stays
  /// the caller's. Wraps `clGetEventInfo`.
  [[nodiscard]] YOKE_API static user_event adopt(const context& in, abi::event native,
                                                 const source_location& where = source_location::current());
  /// Uses a native user event without owning it; it has to outlive this. Its owner sets it, but not
  /// while another thread enqueues commands that wait for it. Throws: as above.
  [[nodiscard]] YOKE_API static user_event borrow(const context& in, abi::event native,
                                                  const source_location& where = source_location::current());
  YOKE_API user_event(user_event&& other) noexcept;
  YOKE_API user_event& operator=(user_event&& other) noexcept;
  YOKE_API ~user_event();

  /// Lets the waiting commands continue. Throws: `logic_error` when empty or already set. Wraps `clSetUserEventStatus`.
  YOKE_API void complete(const source_location& where = source_location::current());
  /// Makes the waiting commands fail. Waiting for this event throws the code, by default
  /// `CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST`, which is `errc::command_failed`.
  /// Requires: a negative code. Throws: `logic_error`; as above.
  YOKE_API void fail(std::int32_t code = abi::event_wait_failed,
                     const source_location& where = source_location::current());

  /// The event that commands wait for: `{.after = ready.as_event()}`.
  [[nodiscard]] const event& as_event() const noexcept { return event_; }
  [[nodiscard]] YOKE_API abi::event native_handle() const noexcept;
  [[nodiscard]] YOKE_API explicit operator bool() const noexcept;
  /// Gives up the driver's event unchanged: the caller has to set and release it.
  [[nodiscard]] YOKE_API abi::event release() noexcept;
  YOKE_API void reset() noexcept;
  YOKE_API void swap(user_event& other) noexcept;
  friend void swap(user_event& left, user_event& right) noexcept { left.swap(right); }

 private:
  static user_event take(const context& in, abi::event native, bool owned, const source_location& where);
  void set(std::int32_t status, const source_location& where);
  void fail_unset() noexcept;

  event event_;
  yoke::detail::atomic<bool> set_{true};
  bool owned_ = false;
};

}  // namespace yoke::inline v0_1::opencl

#if defined(YOKE_IMPLEMENTATION)
#include <yoke/opencl/device/user_event.ipp>
#endif

#endif
