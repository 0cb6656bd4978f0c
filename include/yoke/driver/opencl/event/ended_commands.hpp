// SPDX-License-Identifier: MIT
// How commands ended: waiting for events, and their outcomes.
#ifndef YOKE_DRIVER_OPENCL_EVENT_ENDED_COMMANDS_HPP
#define YOKE_DRIVER_OPENCL_EVENT_ENDED_COMMANDS_HPP

#include <yoke/driver/opencl/event/event.hpp>
#include <yoke/driver/opencl/invoke.hpp>
#include <yoke/driver/opencl/pocl.hpp>
#include <yoke/driver/opencl/port.hpp>

namespace yoke::inline v0_1::opencl::detail {

/// Releases an event when its scope ends.
struct event_guard {
  const abi::functions* table;
  abi::event event;
  ~event_guard() { report(port(table).release_event(event)); }
};

inline abi::status execution_status(const abi::functions* table, abi::event event, const source_location& where) {
  return query<abi::status, &abi::functions::get_event_info>(table, where, event, abi::event_execution_status);
}
inline abi::queue queue_of(const abi::functions* table, abi::event event, const source_location& where) {
  return query<abi::queue, &abi::functions::get_event_info>(table, where, event, abi::event_command_queue);
}
/// Returns: the code for the message about a failed command. PoCL 3.1 gives -1 to commands after a failed one;
/// elsewhere -1 means that no device was found.
[[gnu::cold]] inline abi::status failure_of(abi::status status) noexcept {
  return status == -1 ? abi::event_wait_failed : status;
}
[[noreturn, gnu::cold]] inline void throw_failed_command(abi::status status, const source_location& where) {
  throw runtime_error({failure_of(status), error_category()}, "clWaitForEvents", "a command ended with an error",
                      where);
}
/// Throws: always: why a wait for an event was refused.
[[noreturn, gnu::cold]] inline void throw_failed_wait(const abi::functions* table, abi::event event, abi::status code,
                                                      const source_location& where) {
  if (code != abi::event_wait_failed) throw_failure(code, "clWaitForEvents", "", where);
  // Intel's CPU runtime reports the failure only here; the event itself says complete.
  const abi::status result = execution_status(table, event, where);
  throw_failed_command(result < 0 ? result : code, where);
}
/// Effects: queries a command's outcome after a wait, because some drivers report success for a wait on a failed
/// command.
inline void check_ended_well(const abi::functions* table, abi::event event, const source_location& where) {
  const abi::status result = execution_status(table, event, where);
  if (result < 0) throw_failed_command(result, where);
}

}  // namespace yoke::inline v0_1::opencl::detail

#endif
