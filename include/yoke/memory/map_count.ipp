// SPDX-License-Identifier: MIT
// Bodies of memory/map_count.hpp: the list of counters that wait for reuse.
#ifndef YOKE_MEMORY_MAP_COUNT_IPP
#define YOKE_MEMORY_MAP_COUNT_IPP

#include <yoke/core/text.hpp>
#include <yoke/memory/map_count.hpp>

#include <mutex>
#include <utility>

namespace yoke::inline v0_1::detail {

/// The idle counters. One of them, the spare, can be taken without a lock.
class idle_map_counters {
 public:
  /// Returns: a counter whose only share the caller holds.
  map_counter* take(shared_count::ending end, atomic<int>& all) {
    map_counter* counter = spare_.exchange(nullptr, order::acquire);
    if (counter == nullptr) [[unlikely]]
      counter = take_listed();
    const bool is_new = counter == nullptr;
    if (is_new) counter = new map_counter(end);
    counter->all = &all;
    if (is_new) return counter;
    counter->owners.store(1, order::release);  // after the new generation, as `share` expects
    return counter;
  }
  void put(map_counter* counter) noexcept {
    // The last share is gone, so nobody else writes the generation.
    counter->generation.store(counter->generation.load(order::relaxed) + 1, order::relaxed);
    map_counter* const before = spare_.exchange(counter, order::acq_rel);
    if (before != nullptr) [[unlikely]]
      put_listed(before);
  }
  /// Returns: a share; null if the allocation of `generation` is gone.
  static map_count share(map_counter* counter, std::uint32_t generation) noexcept {
    if (counter->generation.load(order::relaxed) != generation || !counter->add_if_any()) return nullptr;
    map_count made{counter, counter};
    // Check again: before `add_if_any`, another allocation may have reused the counter.
    return counter->generation.load(order::relaxed) == generation ? std::move(made) : nullptr;
  }

 private:
  [[gnu::noinline]] map_counter* take_listed() {
    const std::lock_guard lock(mutex_);
    return first_ == nullptr ? nullptr : std::exchange(first_, first_->next_idle);
  }
  [[gnu::noinline]] void put_listed(map_counter* counter) noexcept {
    const std::lock_guard lock(mutex_);
    counter->next_idle = std::exchange(first_, counter);
  }

  atomic<map_counter*> spare_{nullptr};
  std::mutex mutex_;
  map_counter* first_ = nullptr;
};

// Never destroyed: spans may read counters while the program ends.
idle_map_counters& the_idle_map_counters() {
  static idle_map_counters* const once = new idle_map_counters;
  return *once;
}

void end_map_count(shared_count* count) noexcept { the_idle_map_counters().put(static_cast<map_counter*>(count)); }

map_count make_map_count(atomic<int>& all) {
  map_counter* const counter = the_idle_map_counters().take(&end_map_count, all);
  return {counter, counter};
}

map_count map_watch::share() const {
  return counter_ == nullptr ? nullptr : idle_map_counters::share(counter_, generation_);
}

void throw_mapped(const char* name, const source_location& where) {
  throw_error(errc::mapped, where, "the ", name, " is mapped for the host: let the mapped view end first");
}

}  // namespace yoke::inline v0_1::detail

#endif
