// SPDX-License-Identifier: MIT
// Returns the bytes of physical memory to the device's count.
#include "machine/memory/virtual_memory.hpp"

#include "machine/device/device.hpp"

namespace yoke::simulator {

physical_block::~physical_block() {
  if (is_counted) device_of(device).used_bytes -= bytes;
}

}  // namespace yoke::simulator
