// SPDX-License-Identifier: MIT
// The frame around every entry's body: it takes the driver's lock, and turns refusals into status codes.
#ifndef YOKE_SIMULATOR_MACHINE_BASE_CALL_HPP
#define YOKE_SIMULATOR_MACHINE_BASE_CALL_HPP

#include <sys/types.h>

#include <atomic>
#include <cstdint>
#include <mutex>
#include <new>
#include <type_traits>

#include "machine/base/abi.hpp"

namespace yoke::simulator {

/// The driver's only lock: it guards every table and every queue, and is never held while user code runs.
using driver_lock = std::unique_lock<std::mutex>;

/// Thrown by a body; the entry returns the code.
struct refusal {
  abi::status code;
};
[[noreturn]] inline void refuse(abi::status code) { throw refusal{code}; }
inline void require(bool holds, abi::status otherwise = abi::error_invalid_value) {
  if (!holds) refuse(otherwise);
}

/// Returns: the object of the handle. Throws: refusal, with a separate code if the object ended with its context:
/// handles are never reused, so the driver's crash need not be simulated.
template <class Table, class Handle>
auto find_object(const Table& table, Handle handle) {
  auto found = table.find(handle);
  require(found != nullptr || !table.is_orphan(handle), abi::error_context_is_destroyed);
  require(found != nullptr, abi::error_invalid_handle);
  return found;
}

/// Returns: the reason why calls are refused now, or success.
abi::status refusal_of_calls(bool needs_initialisation) noexcept;
/// Whether the process that forked this one had called cuInit: a child has no working driver.
bool is_child_of_fork() noexcept;
std::mutex& driver_mutex() noexcept;

/// Whether the driver serves this process. Thread safety: safe.
struct process_state {
  std::atomic<bool> initialised{false};
  std::atomic<bool> closed{false};  ///< the process is ending: every call returns DEINITIALIZED
  std::atomic<::pid_t> process{0};  ///< process that called cuInit; a child of fork() has no driver
};

namespace detail {
template <class Body>
abi::status locked_call(Body& body) {
  driver_lock lock(driver_mutex());
  const auto run = [&] {
    if constexpr (std::is_invocable_v<Body&, driver_lock&>) {
      return body(lock);
    } else {
      return body();
    }
  };
  if constexpr (std::is_void_v<decltype(run())>) {
    run();
    return abi::success;
  } else {
    return run();
  }
}

template <class Body>
abi::status call(bool needs_initialisation, abi::status in_child, Body& body) noexcept {
  if (const abi::status no = refusal_of_calls(needs_initialisation)) return no;
  if (needs_initialisation && is_child_of_fork()) return in_child;
  try {
    return locked_call(body);
  } catch (const refusal& refused) {
    return refused.code;
  } catch (const std::bad_alloc&) {
    return abi::error_out_of_memory;
  } catch (...) {
    return abi::error_operating_system;
  }
}
}  // namespace detail

/// Effects: runs the body under the lock, which it may take as an argument. Returns: its status, or success if it
/// returns none; in a child of fork() the driver's status there.
template <class Body>
abi::status entry(Body&& body, abi::status in_child = abi::error_not_initialized) noexcept {
  return detail::call(true, in_child, body);
}
/// As above, also before cuInit.
template <class Body>
abi::status early_entry(Body&& body) noexcept {
  return detail::call(false, abi::error_not_initialized, body);
}
/// Whether a handle belongs to a created stream, not to a default one of the current context.
inline bool is_made(abi::stream handle) noexcept {
  return reinterpret_cast<std::uintptr_t>(handle) > abi::per_thread_stream;
}
/// As above, for a stream. In a child of fork() calls for a created stream succeed (measured on 580.159).
template <class Body>
abi::status stream_entry(abi::stream on, Body&& body) noexcept {
  return entry(body, is_made(on) ? abi::success : abi::error_not_initialized);
}

}  // namespace yoke::simulator

#endif
