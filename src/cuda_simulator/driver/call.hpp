// SPDX-License-Identifier: MIT
// What surrounds the body of every entry: initialised or not, the driver's lock, refusals as status codes.
#ifndef YOKE_SIMULATOR_DRIVER_CALL_HPP
#define YOKE_SIMULATOR_DRIVER_CALL_HPP

#include <mutex>
#include <new>
#include <type_traits>

#include "abi.hpp"

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
std::mutex& driver_mutex() noexcept;

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
abi::status call(bool needs_initialisation, Body& body) noexcept {
  if (const abi::status no = refusal_of_calls(needs_initialisation)) return no;
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

/// Effects: runs the body under the lock, which it may take as an argument. Returns: its status, success if it gives none.
template <class Body>
abi::status entry(Body&& body) noexcept {
  return detail::call(true, body);
}
/// The same, also before cuInit.
template <class Body>
abi::status early_entry(Body&& body) noexcept {
  return detail::call(false, body);
}

}  // namespace yoke::simulator

#endif
