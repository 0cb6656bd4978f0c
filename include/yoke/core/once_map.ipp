// SPDX-License-Identifier: MIT
// Bodies of core/once_map.hpp.
#ifndef YOKE_CORE_ONCE_MAP_IPP
#define YOKE_CORE_ONCE_MAP_IPP

#include <yoke/core/once_map.hpp>

#include <condition_variable>
#include <mutex>

namespace yoke::inline v0_1::detail {

/// One lock for all turns, which are rare and take much longer than it. Never destroyed: a thread may still wait at
/// exit.
struct once_turn_lock {
  std::mutex mutex;
  std::condition_variable ended;
};
once_turn_lock& lock_of_turns() {
  static once_turn_lock& lock = *new once_turn_lock;
  return lock;
}

bool once_turn::begin() {
  once_turn_lock& all = lock_of_turns();
  std::unique_lock lock(all.mutex);
  if (step_ == step::making) {
    const std::uint32_t turn = turns_;
    all.ended.wait(lock, [&] { return turns_ != turn; });
    // Also when another turn is running by now: it began because the turn that this thread waited for failed.
    if (step_ != step::made) std::rethrow_exception(failure_);
  }
  if (step_ == step::made) return false;
  step_ = step::making;
  return true;
}
void once_turn::end(std::exception_ptr failure) noexcept {
  once_turn_lock& all = lock_of_turns();
  const std::lock_guard lock(all.mutex);
  step_ = failure == nullptr ? step::made : step::nothing;
  failure_ = std::move(failure);
  ++turns_;
  all.ended.notify_all();
}

}  // namespace yoke::inline v0_1::detail

#endif
