// SPDX-License-Identifier: MIT
// Bodies of opencl/device/user_event.hpp.
#ifndef YOKE_OPENCL_DEVICE_USER_EVENT_IPP
#define YOKE_OPENCL_DEVICE_USER_EVENT_IPP

#include <yoke/driver/opencl/event/held_events.hpp>
#include <yoke/driver/opencl/invoke.hpp>
#include <yoke/opencl/device/user_event.hpp>

namespace yoke::inline v0_1::opencl {

user_event::user_event(const context& in, const source_location& where)
    : event_(event::own(in, in.port(where).create_user_event(in.native_handle(), where))), set_(false), owned_(true) {}
user_event::user_event(user_event&& other) noexcept
    : event_(std::move(other.event_)), set_(other.set_.exchange(true)), owned_(std::exchange(other.owned_, false)) {}
user_event& user_event::operator=(user_event&& other) noexcept {
  if (this != &other) {
    reset();
    event_ = std::move(other.event_);
    set_.store(other.set_.exchange(true));
    owned_ = std::exchange(other.owned_, false);
  }
  return *this;
}
user_event::~user_event() { fail_unset(); }

user_event user_event::adopt(const context& in, abi::event native, const source_location& where) {
  return take(in, native, true, where);
}
user_event user_event::borrow(const context& in, abi::event native, const source_location& where) {
  return take(in, native, false, where);
}
user_event user_event::take(const context& in, abi::event native, bool owned, const source_location& where) {
  user_event result;
  result.event_ = event::borrow(in, native, where);  // checks handle and context
  const port& with = in.port(where);
  constexpr abi::uint user_command = 0x1204;
  if (detail::query<abi::uint, &abi::functions::get_event_info>(with.table(), where, native, abi::event_command_type) !=
      user_command) {
    yoke::detail::throw_error(errc::invalid_argument, "the native event is not a user event", where);
  }
  const event_status now = with.status(native, where);
  const bool set = now == event_status::complete || now == event_status::failed;
  if (!set) with.watch_user_event(in.native_handle(), native, where);
  if (owned) result.event_ = event::own(in, native);
  result.set_.store(set);
  result.owned_ = owned;
  return result;
}
abi::event user_event::release() noexcept {
  if (event_) event_.context_of().state().port.disown_user_event(event_.native_handle());
  set_.store(true);
  owned_ = false;
  return event_.release();
}
void user_event::swap(user_event& other) noexcept {
  event_.swap(other.event_);
  set_.store(other.set_.exchange(set_.load()));
  std::swap(owned_, other.owned_);
}

void user_event::complete(const source_location& where) { set(0, where); }
void user_event::fail(std::int32_t code, const source_location& where) {
  if (code >= 0) {
    yoke::detail::throw_error(errc::invalid_argument, where, "failure code ", code, " is not negative");
  }
  set(code, where);
}
abi::event user_event::native_handle() const noexcept { return event_.native_handle(); }
user_event::operator bool() const noexcept { return static_cast<bool>(event_); }
void user_event::reset() noexcept {
  fail_unset();
  event_.reset();
}

void user_event::set(std::int32_t status, const source_location& where) {
  if (!event_) {
    yoke::detail::throw_error(errc::empty_handle, "this user event is empty (moved from or never made)", where);
  }
  if (set_.exchange(true)) {
    yoke::detail::throw_error(errc::invalid_argument, "this user event was set before", where);
  }
  try {
    event_.context_of().port(where).set_user_event(event_.native_handle(), status, where);
  } catch (...) {
    set_.store(false);
    throw;
  }
}
void user_event::fail_unset() noexcept {
  if (!event_ || set_.exchange(true)) return;
  if (!owned_) return event_.context_of().state().port.disown_user_event(event_.native_handle());
  try {
    event_.context_of().state().port.set_user_event(event_.native_handle(), abi::event_wait_failed, {});
  } catch (const error& failure) {
    yoke::detail::report_cleanup_failure(failure.code(), failure.call());
  } catch (...) {
    yoke::detail::report_cleanup_failure(make_error_code(errc::out_of_memory), "clSetUserEventStatus");
  }
  // Even if the call failed: nobody can set the event any more.
  const abi::functions* const table = event_.context_of().state().port.table();
  if (detail::held_events::needed(table)) detail::held_events_of(table).settled(event_.native_handle());
}

}  // namespace yoke::inline v0_1::opencl

#endif
