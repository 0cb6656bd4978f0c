// SPDX-License-Identifier: MIT
// Notes about a driver's use: reference counts that its objects lack, and facts about contexts.
#ifndef YOKE_DRIVER_CUDA_REFERENCES_HPP
#define YOKE_DRIVER_CUDA_REFERENCES_HPP

#include <yoke/core/shared.hpp>
#include <yoke/driver/cuda/invoke.hpp>

#include <algorithm>
#include <atomic>
#include <mutex>
#include <vector>

namespace yoke::inline v0_1::cuda::detail {

/// Returns: a part of a driver's notes, which the first call creates.
template <class Part>
Part& made_part(yoke::detail::atomic<Part*>& place) {
  Part* there = place.load(yoke::detail::order::acquire);
  if (there == nullptr) {
    auto made = yoke::detail::make_owner<Part>();
    if (place.compare_exchange_strong(there, made.get())) there = made.release();
  }
  return *there;
}

/// Extra references that handles hold to streams, events and libraries, which the driver does not count. Most objects
/// never have one; then no lock is taken.
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
  /// Returns: whether an extra reference was dropped; if not, the caller releases the object itself.
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
  // Searches from the end: the newest object is most often the first to go.
  std::vector<entry>::iterator find(const void* object) noexcept {
    for (auto at = objects_.end(); at != objects_.begin();) {
      if ((--at)->object == object) return at;
    }
    return objects_.end();
  }

  std::mutex mutex_;
  std::vector<entry> objects_;
  std::atomic<std::size_t> count_{0};  // objects in the list
};

/// Effects: adds a reference to an object of the driver.
inline void add_reference(const abi::functions* table, const void* object) {
  made_part(table->notes->references).add(object);
}
/// As `extra_references::drop`, in the table's notes.
inline bool drop_reference(const abi::functions* table, const void* object) noexcept {
  extra_references* const all = table->notes->references.load(yoke::detail::order::acquire);
  return all != nullptr && all->drop(object);
}

/// The facts about a context. Its number tells it from a later one at the same address; 0 if the driver does not tell.
struct context_facts {
  const abi::functions* table;
  abi::context context;
  abi::ulong id;
  abi::device device;
  bool primary;
};

/// Returns: a context's number; 0 if the driver does not tell.
inline abi::ulong number_of(const abi::functions* table, abi::context context) noexcept {
  abi::ulong id = 0;
  return call<&abi::functions::context_get_id>(table, context, &id) == abi::success ? id : 0;
}

/// The contexts seen so far: the driver knows their device and kind, but the query is slow.
class context_list {
 public:
  /// Returns: the facts, queried from the driver at the first use.
  context_facts find(const abi::functions* table, abi::context context, const source_location& where) {
    const abi::ulong id = number_of(table, context);
    if (const context_facts noted = find_noted(table, context);
        noted.context != nullptr && (id == 0 || noted.id == id)) {
      return noted;
    }
    context_facts facts{table, context, id, 0, false};
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
  /// Returns: the last noted facts about a context at this address, which may have ended since; no context if there are
  /// none.
  context_facts find_noted(const abi::functions* table, abi::context context) {
    const std::lock_guard lock(mutex_);
    for (const context_facts& each : list_) {
      if (each.context == context && each.table == table) return each;
    }
    return {};
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
  /// Effects: forgets a created context that has ended; its address may be another's next.
  void forget(const abi::functions* table, abi::context context) noexcept {
    const std::lock_guard lock(mutex_);
    std::erase_if(list_, [&](const context_facts& each) { return each.context == context && each.table == table; });
  }

 private:
  std::mutex mutex_;
  std::vector<context_facts> list_;
};

inline context_list& contexts_of(const abi::functions* table) { return made_part(table->notes->contexts); }

/// Returns: the device of a context.
inline abi::device device_of(const abi::functions* table, abi::context context, const source_location& where) {
  return contexts_of(table).find(table, context, where).device;
}

}  // namespace yoke::inline v0_1::cuda::detail

#endif
