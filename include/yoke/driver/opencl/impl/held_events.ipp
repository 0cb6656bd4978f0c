// SPDX-License-Identifier: MIT
// Keeps events alive for PoCL while a user event may still fail.
#ifndef YOKE_DRIVER_OPENCL_IMPL_HELD_EVENTS_IPP
#define YOKE_DRIVER_OPENCL_IMPL_HELD_EVENTS_IPP

#include <yoke/driver/opencl/impl/invoke.ipp>

#include <algorithm>
#include <atomic>
#include <mutex>
#include <utility>
#include <vector>

namespace yoke::inline YOKE_ABI::opencl::detail {

// PoCL 3.1 aborts when a user event fails while a command behind it has no event that somebody holds. So while a user
// event of a PoCL context is unset, every command gets an event, and none is released before the user event is set.
class held_events {
 public:
  struct entry {
    const abi::functions* table;
    abi::event event;
  };

  [[nodiscard]] bool needed() const noexcept { return unset_count_.load(std::memory_order_acquire) != 0; }

  void watch(abi::event user_event) {
    const std::lock_guard lock(mutex_);
    unset_.push_back(user_event);
    unset_count_.store(unset_.size(), std::memory_order_release);
  }
  /// Effects: the user event was set or is about to go; with the last one, everything held is let go.
  /// Returns: whether it was one that was watched.
  bool settled(abi::event user_event) noexcept {
    std::vector<entry> done;
    {
      const std::lock_guard lock(mutex_);
      const auto found = std::find(unset_.begin(), unset_.end(), user_event);
      if (found == unset_.end()) return false;
      unset_.erase(found);
      unset_count_.store(unset_.size(), std::memory_order_release);
      if (unset_.empty()) done.swap(held_);
    }
    for (const entry& each : done) report(release<&abi::functions::release_event>(each.table, each.event));
    return true;
  }
  /// Returns: whether the event is now held here; else it is still the caller's.
  bool take(const abi::functions* table, abi::event event) noexcept {
    try {
      const std::lock_guard lock(mutex_);
      if (unset_.empty()) return false;
      held_.push_back({table, event});
      return true;
    } catch (...) {
      return false;
    }
  }

 private:
  std::mutex mutex_;
  std::vector<abi::event> unset_;
  std::vector<entry> held_;
  std::atomic<std::size_t> unset_count_{0};
};

// Never destroyed: user events may end while the program does.
YOKE_INLINE held_events& the_held_events() {
  static held_events* const once = new held_events;
  return *once;
}

/// Where a command that nobody wants an event of puts one if PoCL needs it.
class kept_event {
 public:
  explicit kept_event(const abi::functions* table) noexcept : table_(table), wanted_(the_held_events().needed()) {}
  kept_event(const kept_event&) = delete;
  kept_event& operator=(const kept_event&) = delete;
  ~kept_event() {
    if (event_ != nullptr && !the_held_events().take(table_, event_)) {
      report(release<&abi::functions::release_event>(table_, event_));
    }
  }
  [[nodiscard]] abi::event* slot() noexcept { return wanted_ ? &event_ : nullptr; }

 private:
  const abi::functions* table_;
  bool wanted_;
  abi::event event_ = nullptr;
};

}  // namespace yoke::inline YOKE_ABI::opencl::detail

#endif
