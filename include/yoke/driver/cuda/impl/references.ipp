// SPDX-License-Identifier: MIT
// What CUDA's objects lack: reference counts, and facts about contexts.
#ifndef YOKE_DRIVER_CUDA_IMPL_REFERENCES_IPP
#define YOKE_DRIVER_CUDA_IMPL_REFERENCES_IPP

#include <yoke/driver/cuda/impl/invoke.ipp>

#include <algorithm>
#include <atomic>
#include <mutex>
#include <vector>

namespace yoke::inline YOKE_ABI::cuda::detail {

/// References beyond the first that this copy of the library holds to streams, events and libraries, which the driver
/// does not count. Most objects never have one: then no lock is taken.
class extra_references {
 public:
  void add(const void* object) {
    const std::lock_guard lock(mutex_);
    const auto found = find(object);
    if (found != objects_.end()) {
      ++found->references;
    } else {
      objects_.push_back({object, 1});
    }
    count_.store(objects_.size(), std::memory_order_release);
  }
  /// Returns: whether there was one to drop; else the object itself is to be released.
  bool drop(const void* object) noexcept {
    if (count_.load(std::memory_order_acquire) == 0) return false;
    const std::lock_guard lock(mutex_);
    const auto found = find(object);
    if (found == objects_.end()) return false;
    if (--found->references != 0) return true;
    *found = objects_.back();
    objects_.pop_back();
    count_.store(objects_.size(), std::memory_order_release);
    return true;
  }

 private:
  struct entry {
    const void* object;
    std::size_t references;
  };
  // From the end: what came last goes first, most often.
  std::vector<entry>::iterator find(const void* object) noexcept {
    for (auto at = objects_.end(); at != objects_.begin();) {
      if ((--at)->object == object) return at;
    }
    return objects_.end();
  }

  std::mutex mutex_;
  std::vector<entry> objects_;
  std::atomic<std::size_t> count_{0};  // of the list: objects with such references
};

// Never destroyed: handles may end while the program does.
YOKE_INLINE extra_references& the_extra_references() {
  static extra_references* const once = new extra_references;
  return *once;
}

/// What is known of a context that this copy of the library has met.
struct context_facts {
  const abi::functions* table;
  abi::context context;
  abi::device device;
  bool primary;
};

/// The contexts met so far: their device and kind can be asked of the driver, but not cheaply.
class context_list {
 public:
  /// Returns: the facts, asked of the driver at the first meeting.
  context_facts find(const abi::functions* table, abi::context context, const source_location& where) {
    {
      const std::lock_guard lock(mutex_);
      for (const context_facts& each : list_) {
        if (each.context == context && each.table == table) return each;
      }
    }
    context_facts facts{table, context, 0, false};
    {
      const current_context scope(table, context, where);
      invoke<&abi::functions::context_get_device>(table, where, &facts.device);
    }
    unsigned flags = 0;
    int active = 0;
    invoke<&abi::functions::primary_context_get_state>(table, where, facts.device, &flags, &active);
    if (active != 0) {
      abi::context primary = nullptr;
      invoke<&abi::functions::primary_context_retain>(table, where, &primary, facts.device);
      facts.primary = primary == context;
      report(release<&abi::functions::primary_context_release>(table, facts.device));
    }
    add(facts);
    return facts;
  }
  void add(const context_facts& facts) {
    const std::lock_guard lock(mutex_);
    for (context_facts& each : list_) {
      if (each.context == facts.context && each.table == facts.table) {
        each = facts;
        return;
      }
    }
    list_.push_back(facts);
  }
  /// Effects: a context that was created is gone; its address may be another's next.
  void forget(const abi::functions* table, abi::context context) noexcept {
    const std::lock_guard lock(mutex_);
    std::erase_if(list_, [&](const context_facts& each) { return each.context == context && each.table == table; });
  }

 private:
  std::mutex mutex_;
  std::vector<context_facts> list_;
};

YOKE_INLINE context_list& the_contexts() {
  static context_list* const once = new context_list;
  return *once;
}

}  // namespace yoke::inline YOKE_ABI::cuda::detail

#endif
