// SPDX-License-Identifier: MIT
// Bodies of driver/opencl/event/user_event.hpp.
#ifndef YOKE_DRIVER_OPENCL_EVENT_USER_EVENT_IPP
#define YOKE_DRIVER_OPENCL_EVENT_USER_EVENT_IPP

#include <yoke/driver/opencl/event/user_event.hpp>

#include <yoke/driver/opencl/port.hpp>

#include <yoke/driver/opencl/event/held_events.hpp>
#include <yoke/driver/opencl/invoke.hpp>
#include <yoke/driver/opencl/pocl.hpp>

namespace yoke::inline v0_1::opencl {

abi::event user_event_functions::create_user_event(abi::context context, const source_location& where) const {
  const abi::event event = detail::create<&abi::functions::create_user_event>(table(), where, context);
  try {
    watch_user_event(context, event, where);
  } catch (...) {
    detail::report(detail::release<&abi::functions::release_event>(table(), event));
    throw;
  }
  return event;
}
void user_event_functions::watch_user_event(abi::context context, abi::event event,
                                            const source_location& where) const {
  notes().user_events_take_part.store(true, yoke::detail::order::relaxed);
  const auto device = port(table()).context_devices(context, where).front();
  if (detail::is_pocl(table(), device, where)) detail::held_events_of(table()).watch(table(), event);
}
void user_event_functions::disown_user_event(abi::event event) const noexcept {
  if (detail::held_events::needed(table())) detail::held_events_of(table()).disowned(event);
}
void user_event_functions::set_user_event(abi::event event, std::int32_t status, const source_location& where) const {
  {
    const detail::no_failure_meanwhile alone(table(), status < 0);
    detail::invoke<&abi::functions::set_user_event_status>(table(), where, event, status);
  }
  if (detail::held_events::needed(table())) detail::held_events_of(table()).settled(event);
}

}  // namespace yoke::inline v0_1::opencl

#endif
