// SPDX-License-Identifier: MIT
// Waits until a condition holds or a deadline passes.
#ifndef YOKE_DISTRIBUTED_DEADLINE_HPP
#define YOKE_DISTRIBUTED_DEADLINE_HPP

#include <yoke/core/config.hpp>

#include <chrono>
#include <string>
#include <thread>

namespace yoke::inline v0_1::detail {

/// A time at which waiting ends. Thread safety: a value.
class deadline {
 public:
  using clock = std::chrono::steady_clock;

  /// A deadline from now on; a time that no clock reaches stands for "never".
  explicit deadline(std::chrono::nanoseconds within) noexcept {
    const clock::time_point now = clock::now();
    const auto left = std::chrono::duration_cast<std::chrono::nanoseconds>((clock::time_point::max)() - now);
    at_ = within >= left ? (clock::time_point::max)() : now + std::chrono::duration_cast<clock::duration>(within);
  }

  [[nodiscard]] clock::time_point at() const noexcept { return at_; }
  [[nodiscard]] bool has_passed() const { return clock::now() >= at_; }
  /// Effects: asks `is_true()` until it says true or the deadline has passed: at first without a pause, then by turns
  /// with other threads, after two milliseconds with pauses of 50 microseconds.
  /// Returns: the last answer; at least one is asked for. Throws: as `is_true`.
  template <class Condition>
  [[nodiscard]] bool wait_until(Condition&& is_true) const {
    const clock::time_point begin = clock::now();
    for (int turn = 0;; ++turn) {
      if (is_true()) return true;
      if (turn < 16) continue;
      const clock::time_point now = clock::now();
      if (now >= at_) return is_true();
      if (now - begin < std::chrono::milliseconds(2)) {
        std::this_thread::yield();
      } else {
        std::this_thread::sleep_for(std::chrono::microseconds(50));
      }
    }
  }

 private:
  clock::time_point at_;
};

/// Returns: a duration for messages: "30 s", "250 ms".
[[nodiscard]] inline std::string duration_text(std::chrono::nanoseconds of) {
  const auto milliseconds = std::chrono::duration_cast<std::chrono::milliseconds>(of).count();
  if (milliseconds % 1000 == 0) return std::to_string(milliseconds / 1000) + " s";
  return std::to_string(milliseconds) + " ms";
}

}  // namespace yoke::inline v0_1::detail

#endif
