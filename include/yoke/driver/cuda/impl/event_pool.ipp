// SPDX-License-Identifier: MIT
// Events that are used again: recording one is a driver call, making one for it eight.
#ifndef YOKE_DRIVER_CUDA_IMPL_EVENT_POOL_IPP
#define YOKE_DRIVER_CUDA_IMPL_EVENT_POOL_IPP

#include <yoke/driver/cuda/impl/invoke.ipp>

#include <mutex>
#include <unordered_map>
#include <vector>

namespace yoke::inline YOKE_ABI::cuda::detail {

/// The idle events of the streams that this copy of the library has made. What waits for an event's earlier record
/// does not mind that it is recorded anew.
class event_pool {
 public:
  /// Effects: a stream was made. Throws: `std::bad_alloc`.
  void begin(abi::stream stream) {
    const std::lock_guard lock(mutex_);
    streams_[stream] = {};
  }
  /// Effects: a stream ends, and its idle events with it. Returns: the first failure.
  release_result end(const abi::functions* table, abi::stream stream) noexcept {
    std::vector<abi::event> idle;
    {
      const std::lock_guard lock(mutex_);
      const auto found = streams_.find(stream);
      if (found == streams_.end()) return {};
      idle = std::move(found->second.idle);
      streams_.erase(found);
      std::erase_if(owners_, [&](const auto& each) { return each.second == stream; });
    }
    release_result outcome{};
    for (const abi::event event : idle) add_outcome(outcome, release<&abi::functions::event_destroy>(table, event));
    return outcome;
  }
  /// Returns: an idle event of the stream; null when there is none.
  abi::event take(abi::stream stream) noexcept {
    const std::lock_guard lock(mutex_);
    const auto found = streams_.find(stream);
    if (found == streams_.end() || found->second.idle.empty()) return nullptr;
    const abi::event event = found->second.idle.back();
    found->second.idle.pop_back();
    return event;
  }
  /// Effects: an event was made for a stream; giving it back will need no memory. Throws: `std::bad_alloc`.
  void add(abi::event event, abi::stream stream) {
    const std::lock_guard lock(mutex_);
    const auto found = streams_.find(stream);
    if (found == streams_.end() || found->second.made == most) return;
    found->second.idle.reserve(found->second.made + 1);
    owners_.insert_or_assign(event, stream);
    ++found->second.made;
  }
  /// Effects: an event that is none of any stream's has this handle now.
  void forget(abi::event event) noexcept {
    const std::lock_guard lock(mutex_);
    const auto owner = owners_.find(event);
    if (owner == owners_.end()) return;
    if (const auto found = streams_.find(owner->second); found != streams_.end()) --found->second.made;
    owners_.erase(owner);
  }
  /// Returns: whether the event is idle now; else it is to be destroyed.
  bool give_back(abi::event event) noexcept {
    const std::lock_guard lock(mutex_);
    const auto owner = owners_.find(event);
    if (owner == owners_.end()) return false;
    const auto found = streams_.find(owner->second);
    if (found == streams_.end()) return false;
    found->second.idle.push_back(event);
    return true;
  }

 private:
  static constexpr std::size_t most = 64;  // of a stream; further ones are destroyed after use
  struct events {
    std::vector<abi::event> idle;
    std::size_t made = 0;
  };
  std::mutex mutex_;
  std::unordered_map<abi::stream, events> streams_;
  std::unordered_map<abi::event, abi::stream> owners_;
};

// Never destroyed: handles may end while the program does.
YOKE_INLINE event_pool& the_event_pool() {
  static event_pool* const once = new event_pool;
  return *once;
}

}  // namespace yoke::inline YOKE_ABI::cuda::detail

#endif
