// SPDX-License-Identifier: MIT
// The OpenCL port's user events, which the host completes.
#ifndef YOKE_DRIVER_OPENCL_EVENT_USER_EVENT_HPP
#define YOKE_DRIVER_OPENCL_EVENT_USER_EVENT_HPP

#include <yoke/driver/opencl/facet.hpp>

#include <cstdint>

namespace yoke::inline v0_1::opencl {

/// A part of `port`.
class user_event_functions : public facet<user_event_functions> {
 public:
  YOKE_API abi::event create_user_event(abi::context context, const source_location& where) const;
  YOKE_API void set_user_event(abi::event event, std::int32_t status, const source_location& where) const;
  /// Watches a user event of other code, so that commands behind it cannot end the process (see `held_events`).
  YOKE_API void watch_user_event(abi::context context, abi::event event, const source_location& where) const;
  /// Leaves the user event to other code, which sets it. Requires: the caller holds a reference.
  YOKE_API void disown_user_event(abi::event event) const noexcept;
};

}  // namespace yoke::inline v0_1::opencl

#if defined(YOKE_IMPLEMENTATION)
#include <yoke/driver/opencl/event/user_event.ipp>
#endif

#endif
