// SPDX-License-Identifier: MIT
// Two devices of one context, for tests that need more than one: the halves of a device.
#ifndef YOKE_TESTS_SUPPORT_PARTS_HPP
#define YOKE_TESTS_SUPPORT_PARTS_HPP

#include <support/devices/devices.hpp>

#include <support/drivers/raw_opencl.hpp>

#include <yoke/opencl/device/device.hpp>

namespace yoke_test {

/// Returns: two sub-devices, or none where the device cannot be divided.
inline std::vector<opencl_device> two_parts(const opencl_device& device) {
  const unsigned units = yoke::opencl::get(device, yoke::opencl::info::max_compute_units);
  if (units < 2) return {};
  try {
    const unsigned halves[] = {units / 2, units / 2};
    auto parts = yoke::opencl::partition_by_counts(device, halves);
    // PoCL 3.1 still touches a sub-device a moment after its last command has ended, and dies when the last reference
    // is gone by then (plain C calls show it too): one reference stays with the driver.
    for (const auto& each : parts) raw_opencl().retain_device(each.native_handle());
    return parts;
  } catch (const yoke::unsupported_error&) {
    return {};
  }
}

}  // namespace yoke_test

#endif
