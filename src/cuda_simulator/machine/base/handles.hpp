// SPDX-License-Identifier: MIT
// Handles: numbers that look like pointers, point nowhere and are never reused, so that a stale one is always detected.
#ifndef YOKE_SIMULATOR_MACHINE_BASE_HANDLES_HPP
#define YOKE_SIMULATOR_MACHINE_BASE_HANDLES_HPP

#include <cstdint>
#include <memory>
#include <unordered_map>
#include <unordered_set>
#include <utility>

namespace yoke::simulator {

/// The kind of a handle's object; part of the handle's value, so that kinds cannot be confused.
enum class handle_kind : std::uintptr_t {
  context = 1,
  stream,
  event,
  library,
  kernel,
  function,
  module,
  link,
  pool,
  program,
  jit_link,
  array,
  mipmap,
  physical,
  graph,
  graph_node,
  executable
};

constexpr unsigned handle_kind_shift = 40;

inline handle_kind kind_of(const void* handle) {
  return static_cast<handle_kind>(reinterpret_cast<std::uintptr_t>(handle) >> handle_kind_shift);
}

/// The live objects of one kind. Thread safety: the driver's lock.
template <class Object, class Handle, handle_kind Kind>
class handle_table {
 public:
  Handle add(std::shared_ptr<Object> object) {
    const std::uintptr_t number = (static_cast<std::uintptr_t>(Kind) << handle_kind_shift) + 16 * ++issued_;
    const auto handle = reinterpret_cast<Handle>(number);
    live_.emplace(handle, std::move(object));
    return handle;
  }
  /// Returns: the object, or null.
  std::shared_ptr<Object> find(Handle handle) const {
    const auto found = live_.find(handle);
    return found == live_.end() ? nullptr : found->second;
  }
  void remove(Handle handle) { live_.erase(handle); }
  template <class Visit>
  void for_each(Visit&& visit) const {
    for (const auto& [handle, object] : live_) visit(*object);
  }
  /// Effects: removes the object, and remembers that it ended with its context.
  void orphan(Handle handle) {
    if (live_.erase(handle) != 0) orphans_.insert(handle);
  }
  bool is_orphan(Handle handle) const { return orphans_.count(handle) != 0; }
  /// Effects: orphans the objects for which `matches` is true.
  template <class Predicate>
  void orphan_if(Predicate&& matches) {
    orphan_if(matches, [](Handle) {});
  }
  /// Effects: as above, and calls `told(handle)` for each.
  template <class Predicate, class Told>
  void orphan_if(Predicate&& matches, Told&& told) {
    std::erase_if(live_, [&](const auto& each) {
      if (!matches(*each.second)) return false;
      told(each.first);
      orphans_.insert(each.first);
      return true;
    });
  }

 private:
  std::unordered_map<Handle, std::shared_ptr<Object>> live_;
  std::unordered_set<Handle> orphans_;
  std::uintptr_t issued_ = 0;
};

}  // namespace yoke::simulator

#endif
