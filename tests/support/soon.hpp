// SPDX-License-Identifier: MIT
// Waits for what another thread promises, but not for ever.
#ifndef YOKE_TESTS_SUPPORT_SOON_HPP
#define YOKE_TESTS_SUPPORT_SOON_HPP

#include <chrono>
#include <future>
#include <stdexcept>

namespace yoke_test {

/// Returns: what a promise gets, or fails the test after a while instead of hanging.
template <class T>
T soon(std::future<T>& future) {
  if (future.wait_for(std::chrono::seconds(20)) != std::future_status::ready)
    throw std::runtime_error("nothing came within 20 seconds");
  return future.get();
}

}  // namespace yoke_test

#endif
