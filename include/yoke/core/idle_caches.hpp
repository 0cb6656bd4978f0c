// SPDX-License-Identifier: MIT
// What a context keeps to be quicker later, and can make again: it goes when memory is trimmed.
#ifndef YOKE_CORE_IDLE_CACHES_HPP
#define YOKE_CORE_IDLE_CACHES_HPP

#include <yoke/core/config.hpp>

#include <algorithm>
#include <mutex>
#include <vector>

namespace yoke::inline v0_1::detail {

class idle_cache;
/// The caches of a context. Thread safety: safe.
class idle_caches {
 public:
  /// Throws: `std::bad_alloc`.
  void add(idle_cache& each) {
    const std::lock_guard lock(mutex_);
    all_.push_back(&each);
  }
  void remove(const idle_cache& each) noexcept {
    const std::lock_guard lock(mutex_);
    all_.erase(std::find(all_.begin(), all_.end(), &each));
  }
  /// Effects: each cache ends what nobody uses.
  inline void drop() noexcept;

 private:
  std::mutex mutex_;
  std::vector<idle_cache*> all_{};
};

/// A cache of a context.
class idle_cache {
 public:
  idle_cache() noexcept = default;
  idle_cache(const idle_cache&) = delete;
  idle_cache& operator=(const idle_cache&) = delete;
  virtual void drop_idle() noexcept = 0;

 protected:
  ~idle_cache() = default;
};
/// The last member of a cache, so that the list has it only while all of it lives. It ends before the list.
class idle_entry {
 public:
  idle_entry(idle_caches& in, idle_cache& of) : in_(in), of_(of) { in_.add(of); }
  ~idle_entry() { in_.remove(of_); }
  idle_entry(const idle_entry&) = delete;
  idle_entry& operator=(const idle_entry&) = delete;

 private:
  idle_caches& in_;
  idle_cache& of_;
};
void idle_caches::drop() noexcept {
  const std::lock_guard lock(mutex_);
  for (idle_cache* const each : all_) each->drop_idle();
}

}  // namespace yoke::inline v0_1::detail

#endif
