// SPDX-License-Identifier: MIT
// A rig's device with the backend chosen at run time.
#ifndef YOKE_TESTS_SUPPORT_ANY_CONTEXT_HPP
#define YOKE_TESTS_SUPPORT_ANY_CONTEXT_HPP

#include <yoke/yoke.hpp>

#include <cstring>

namespace yoke_test {

/// Returns: a backend's device, of `any_port`.
template <class Port>
yoke::device<yoke::any_port> any_device_of(const yoke::device<Port>& on) {
  yoke::any_port::device_handle native{};
  const auto handle = on.native_handle();
  std::memcpy(&native.value, &handle, sizeof handle);
  return yoke::device<yoke::any_port>::borrow(on.port(), native);
}

/// Returns: a context of `any_port` over a rig's device, through the rig's driver.
template <class Rig>
yoke::context<yoke::any_port> any_context(const Rig& on) {
  return yoke::context<yoke::any_port>(any_device_of(on.device));
}

}  // namespace yoke_test

#endif
