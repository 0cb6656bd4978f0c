// SPDX-License-Identifier: MIT
// Waits for what another thread promises, but not for ever.
#ifndef YOKE_TESTS_SUPPORT_SOON_HPP
#define YOKE_TESTS_SUPPORT_SOON_HPP

#include <chrono>
#include <concepts>
#include <future>
#include <stdexcept>
#include <thread>

namespace yoke_test {

/// Returns: what a promise gets, or fails the test after a while instead of hanging.
template <class T>
T soon(std::future<T>& future) {
  if (future.wait_for(std::chrono::seconds(20)) != std::future_status::ready)
    throw std::runtime_error("nothing came within 20 seconds");
  return future.get();
}

/// Returns: whether a condition comes to hold within a while.
template <std::predicate Condition>
bool soon(Condition condition) {
  const auto until = std::chrono::steady_clock::now() + std::chrono::seconds(20);
  while (!condition()) {
    if (std::chrono::steady_clock::now() > until) return false;
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  return true;
}

}  // namespace yoke_test

#endif
