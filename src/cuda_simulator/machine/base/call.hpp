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

/// The driver's one lock: it guards every table and every queue, and nobody runs user code under it.
using driver_lock = std::unique_lock<std::mutex>;

/// Thrown by a body; the entry returns the code.
struct refusal {
  abi::status code;
};
[[noreturn]] inline void refuse(abi::status code) { throw refusal{code}; }
inline void require(bool holds, abi::status otherwise = abi::error_invalid_value) {
  if (!holds) refuse(otherwise);
}

/// Returns: the object of the handle. Throws: refusal, with its own code if the object's context took it along: handles
/// are never given twice, so the driver's crash need not be played.
template <class Table, class Handle>
auto find_object(const Table& table, Handle handle) {
  auto found = table.find(handle);
  require(found != nullptr || !table.is_orphan(handle), abi::error_context_is_destroyed);
  require(found != nullptr, abi::error_invalid_handle);
  return found;
}

/// Returns: why no call is served now, or success.
abi::status refusal_of_calls(bool needs_initialisation) noexcept;
/// Whether cuInit was called in the process that this one was forked from: the driver did not come along.
bool is_child_of_fork() noexcept;
std::mutex& driver_mutex() noexcept;

/// Whether the driver serves this process. Thread safety: safe.
struct process_state {
  std::atomic<bool> initialised{false};
  std::atomic<bool> closed{false};  ///< the process is over: every call gives DEINITIALIZED
  std::atomic<::pid_t> process{0};  ///< a child of fork() has no driver
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

/// Effects: runs the body under the lock, which it may take as an argument. Returns: its status, success if it gives
/// none; in a child of fork() that of the driver.
template <class Body>
abi::status entry(Body&& body, abi::status in_child = abi::error_not_initialized) noexcept {
  return detail::call(true, in_child, body);
}
/// The same, also before cuInit.
template <class Body>
abi::status early_entry(Body&& body) noexcept {
  return detail::call(false, abi::error_not_initialized, body);
}
/// Whether a handle is of a stream that was made: no default one, which is the current context's.
inline bool is_made(abi::stream handle) noexcept {
  return reinterpret_cast<std::uintptr_t>(handle) > abi::per_thread_stream;
}
/// The same of a stream. A child of fork() is told that all is well with one that was made (measured on 580.159).
template <class Body>
abi::status stream_entry(abi::stream on, Body&& body) noexcept {
  return entry(body, is_made(on) ? abi::success : abi::error_not_initialized);
}

}  // namespace yoke::simulator

#endif
