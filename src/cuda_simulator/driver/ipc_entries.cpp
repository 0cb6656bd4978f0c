// SPDX-License-Identifier: MIT
// Entries that share memory and events with other processes: a simulated device has one process.
#include "entries.hpp"
#include "state.hpp"

namespace yoke::simulator::entries {

namespace {
abi::status not_shared() {
  return entry([] { require(false, abi::error_not_supported); });
}
}  // namespace

abi::status ipc_get_memory_handle(abi::ipc_memory_handle*, abi::device_pointer) { return not_shared(); }
abi::status ipc_open_memory_handle(abi::device_pointer*, abi::ipc_memory_handle, unsigned) { return not_shared(); }
abi::status ipc_close_memory_handle(abi::device_pointer) { return not_shared(); }
abi::status ipc_get_event_handle(abi::ipc_event_handle*, abi::event) { return not_shared(); }
abi::status ipc_open_event_handle(abi::event*, abi::ipc_event_handle) { return not_shared(); }

}  // namespace yoke::simulator::entries
