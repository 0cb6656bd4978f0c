// SPDX-License-Identifier: MIT
// Bodies of driver/opencl/context.hpp.
#ifndef YOKE_DRIVER_OPENCL_CONTEXT_IPP
#define YOKE_DRIVER_OPENCL_CONTEXT_IPP

#include <yoke/driver/opencl/context.hpp>

#include <yoke/driver/opencl/port.hpp>

#include <yoke/driver/opencl/device_info.hpp>
#include <yoke/driver/opencl/event/held_events.hpp>
#include <yoke/driver/opencl/invoke.hpp>

namespace yoke::inline v0_1::opencl {

abi::context context_functions::create_context(std::span<const abi::device> devices,
                                               const source_location& where) const {
  detail::note_used_process();
  const auto platform = detail::query<abi::platform, &abi::functions::get_device_info>(table(), where, devices.front(),
                                                                                       info::platform.code);
  const std::intptr_t properties[] = {abi::context_platform, reinterpret_cast<std::intptr_t>(platform), 0};
  return detail::create<&abi::functions::create_context>(table(), where, static_cast<const std::intptr_t*>(properties),
                                                         static_cast<abi::uint>(devices.size()), devices.data(),
                                                         abi::context_callback{nullptr}, static_cast<void*>(nullptr));
}
void context_functions::retain_context(abi::context context, const source_location& where) const {
  detail::invoke<&abi::functions::retain_context>(table(), where, context);
}
release_result context_functions::release_context(abi::context context) const noexcept {
  (void)detail::held_events::needed(table());  // releases held events, which would keep the context
  return detail::release<&abi::functions::release_context>(table(), context);
}
std::vector<abi::device> context_functions::context_devices(abi::context context, const source_location& where) const {
  detail::note_used_process();  // a context made by other code
  return detail::query_list<abi::device, &abi::functions::get_context_info>(table(), where, context,
                                                                            abi::context_devices);
}

}  // namespace yoke::inline v0_1::opencl

#endif
