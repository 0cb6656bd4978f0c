// SPDX-License-Identifier: MIT
// Keeps events alive for PoCL while a user event may still fail.
#ifndef YOKE_DRIVER_OPENCL_EVENT_HELD_EVENTS_HPP
#define YOKE_DRIVER_OPENCL_EVENT_HELD_EVENTS_HPP

#include <yoke/core/shared.hpp>
#include <yoke/driver/opencl/invoke.hpp>

#include <algorithm>
#include <atomic>
#include <mutex>
#include <utility>
#include <vector>

namespace yoke::inline v0_1::opencl::detail {

// PoCL 3.1 aborts when a user event fails and a later command has no event that anybody holds. So while a user event of
// a PoCL context is unset, every command gets an event, and none is released before the user event is set. The status
// of a user event that other code sets is queried at every use of this object.
class held_events {
 public:
  /// Returns: whether commands need events now. One atomic load if no user event is unset.
  [[nodiscard]] static bool needed(const abi::functions* table) noexcept {
    if (!table->notes->events_are_held.load(yoke::detail::order::acquire)) [[likely]]
      return false;
    return needed_after_all(*table->notes);
  }
  /// Returns: the held events of a driver, from its notes. Never destroyed: user events may end while the program does.
  [[nodiscard]] static held_events& of(driver_notes& notes) {
    held_events* there = notes.held.load(yoke::detail::order::acquire);
    if (there == nullptr) {
      auto made = yoke::detail::make_owner<held_events>(notes);
      if (notes.held.compare_exchange_strong(there, made.get())) there = made.release();
    }
    return *there;
  }
  explicit held_events(driver_notes& notes) noexcept : notes_(notes) {}

  void watch(const abi::functions* table, abi::event user_event) {
    const std::lock_guard lock(mutex_);
    unset_.push_back({{table, user_event}});
    recount();
  }
  /// Effects: notes that the user event was set or never will be. After the last one, releases everything held.
  void settled(abi::event user_event) noexcept {
    {
      const std::lock_guard lock(mutex_);
      for (watched& each : unset_) each.ended = each.ended || each.event == user_event;
    }
    let_go();
  }
  /// Effects: notes that other code sets the user event from now on. Keeps it until its status is final, or until this
  /// holds the last reference: commands that wait for it then fail.
  void disowned(abi::event user_event) noexcept {
    {
      const std::lock_guard lock(mutex_);
      const auto found = std::find_if(unset_.begin(), unset_.end(), [&](const watched& each) {
        return each.event == user_event && !each.retained && !each.ended;
      });
      if (found == unset_.end()) return;
      found->retained = found->table->retain_event(user_event) == 0;
      found->ended = !found->retained;  // it may end at any time, and cannot be watched
    }
    let_go();
  }
  /// Returns: true if this now holds the event; else the caller keeps it.
  bool take(const abi::functions* table, abi::event event) noexcept {
    try {
      const std::lock_guard lock(mutex_);
      if (unset_.empty() && !draining_) return false;
      held_.push_back({table, event});
      return true;
    } catch (...) {
      return false;
    }
  }
  /// Locked while a user event fails, and from the check for failed events until the command that waits for them is
  /// enqueued: PoCL 3.1 never ends a command that was enqueued after a failed event. Recursive, because the driver
  /// calls back while it is locked.
  [[nodiscard]] std::recursive_mutex& failing() noexcept { return failing_; }

 private:
  struct entry {
    const abi::functions* table;
    abi::event event;
  };
  struct watched : entry {
    bool retained = false;  // disowned, with a reference of the library
    bool ended = false;
  };

  template <class Value>
  static bool ask(const entry& of, abi::uint what, Value& value) noexcept {
    return of.table->get_event_info(of.event, what, sizeof value, &value, nullptr) == 0;
  }

  [[gnu::cold]] static bool needed_after_all(driver_notes& notes) noexcept {
    held_events& held = of(notes);
    if (held.untidy_.load(std::memory_order_relaxed)) held.look_after_disowned();
    return notes.events_are_held.load(yoke::detail::order::acquire);
  }
  void look_after_disowned() noexcept {
    {
      const std::lock_guard no_failure_meanwhile(failing_);
      const std::lock_guard lock(mutex_);
      for (watched& each : unset_) {
        if (!each.retained || each.ended) continue;
        abi::status status = 1;
        abi::uint references = 0;
        if (!ask(each, abi::event_execution_status, status)) continue;
        each.ended = status <= abi::event_complete;
        const auto same = [&](const entry& other) { return other.event == each.event; };
        const auto ours = std::count_if(unset_.begin(), unset_.end(),
                                        [&](const watched& other) { return other.retained && same(other); }) +
                          std::count_if(held_.begin(), held_.end(), same);
        if (!each.ended && ask(each, abi::event_reference_count, references) && std::cmp_less_equal(references, ours)) {
          status = abi::event_wait_failed;
          each.ended = each.table->set_user_event_status(each.event, status) == 0;
        }
        // The code that set it may not have reached later commands yet.
        draining_ = draining_ || (each.ended && status < 0);
      }
    }
    let_go();
  }
  /// Effects: releases what is no longer needed.
  void let_go() noexcept {
    std::vector<entry> done;
    {
      const std::lock_guard lock(mutex_);
      const bool all_ended = std::all_of(unset_.begin(), unset_.end(), [](const watched& each) { return each.ended; });
      if (all_ended && !draining_) done.swap(held_);
      try {
        const auto ended = [&](const watched& each) {
          if (each.ended && each.retained) done.push_back(each);
          return each.ended;
        };
        const auto final = [&](const entry& each) {
          abi::status status = 1;
          if (!ask(each, abi::event_execution_status, status) || status > abi::event_complete) return false;
          done.push_back(each);
          return true;
        };
        done.reserve(done.size() + unset_.size() + (draining_ ? held_.size() : 0));
        unset_.erase(std::remove_if(unset_.begin(), unset_.end(), ended), unset_.end());
        if (all_ended) held_.erase(std::remove_if(held_.begin(), held_.end(), final), held_.end());
      } catch (...) {  // out of memory: retried at the next use
      }
      draining_ = draining_ && !held_.empty();
      recount();
    }
    for (const entry& each : done) report(release<&abi::functions::release_event>(each.table, each.event));
  }
  void recount() noexcept {
    const bool disowned = std::any_of(unset_.begin(), unset_.end(), [](const watched& each) { return each.retained; });
    untidy_.store(disowned || draining_, std::memory_order_relaxed);
    notes_.events_are_held.store(!unset_.empty() || draining_, yoke::detail::order::release);
  }

  driver_notes& notes_;
  std::recursive_mutex failing_;
  std::mutex mutex_;
  std::vector<watched> unset_;
  std::vector<entry> held_;
  bool draining_ = false;  // a disowned one failed: each held event is released when its own status is final
  std::atomic<bool> untidy_{false};
};

/// Returns: whether a blocking read, map or wait has ended when it returns, and reports failures by its own code. PoCL
/// 3.1 reports success for commands that fail because of a user event: once one has existed, events are queried.
[[nodiscard]] inline bool reads_tell_all(const abi::functions* table) noexcept {
  return !table->notes->user_events_take_part.load(yoke::detail::order::relaxed) &&
         !table->notes->reads_are_asked.load(yoke::detail::order::relaxed);
}
/// As `reads_tell_all`, for a blocking write: the device has the data, and every queue sees it.
[[nodiscard]] inline bool writes_tell_all(const abi::functions* table) noexcept {
  return !table->notes->user_events_take_part.load(yoke::detail::order::relaxed) &&
         !table->notes->writes_are_asked.load(yoke::detail::order::relaxed);
}

[[nodiscard]] inline held_events& held_events_of(const abi::functions* table) { return held_events::of(*table->notes); }

/// Keeps the events of a wait list from failing until the command is enqueued; see `failing`.
class no_failure_meanwhile {
 public:
  no_failure_meanwhile(const abi::functions* table, bool waits) {
    if (waits && held_events::needed(table)) lock_ = std::unique_lock(held_events_of(table).failing());
  }

 private:
  std::unique_lock<std::recursive_mutex> lock_;
};

/// Receives a command's event that only PoCL needs.
class kept_event {
 public:
  explicit kept_event(const abi::functions* table) noexcept : table_(table) {}
  kept_event(const kept_event&) = delete;
  kept_event& operator=(const kept_event&) = delete;
  ~kept_event() {
    if (event_ != nullptr) [[unlikely]]
      let_go();
  }
  [[nodiscard]] abi::event* slot() noexcept { return held_events::needed(table_) ? &event_ : nullptr; }

 private:
  void let_go() noexcept;
  const abi::functions* table_;
  abi::event event_ = nullptr;
};

inline void kept_event::let_go() noexcept {
  if (!held_events_of(table_).take(table_, event_)) report(release<&abi::functions::release_event>(table_, event_));
}

}  // namespace yoke::inline v0_1::opencl::detail

#endif
