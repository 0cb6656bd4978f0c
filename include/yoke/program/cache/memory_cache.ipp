// SPDX-License-Identifier: MIT
// Bodies of program/cache/memory_cache.hpp.
#ifndef YOKE_PROGRAM_CACHE_MEMORY_CACHE_IPP
#define YOKE_PROGRAM_CACHE_MEMORY_CACHE_IPP

#include <yoke/core/error.hpp>
#include <yoke/program/cache/memory_cache.hpp>

#include <condition_variable>
#include <exception>
#include <map>
#include <memory>
#include <mutex>
#include <thread>

namespace yoke::inline v0_1::detail {

class flight_table::table {
 public:
  /// One value, from the start of its making.
  struct flight {
    std::thread::id maker = std::this_thread::get_id();
    bool done = false;
    std::shared_ptr<const void> value{};
    std::exception_ptr failure{};
    std::condition_variable landed{};
  };

  std::shared_ptr<const void> find(const cache_digest& id) {
    const std::lock_guard lock(mutex_);
    const auto found = flights_.find(id);
    return found == flights_.end() ? nullptr : found->second->value;
  }

  std::shared_ptr<const void> find_or_make(const cache_digest& id, maker make, void* state) {
    std::shared_ptr<flight> mine;
    {
      std::unique_lock lock(mutex_);
      const auto found = flights_.find(id);
      if (found != flights_.end()) return wait(lock, found->second);
      mine = std::make_shared<flight>();
      flights_.emplace(id, mine);
    }
    std::shared_ptr<const void> value;
    std::exception_ptr failure;
    try {
      value = make(state);
    } catch (...) {
      failure = std::current_exception();
    }
    const std::lock_guard lock(mutex_);
    if (failure) {
      const auto found = flights_.find(id);
      if (found != flights_.end() && found->second == mine) flights_.erase(found);
    }
    mine->value = value;
    mine->failure = failure;
    mine->done = true;
    mine->landed.notify_all();
    if (failure) std::rethrow_exception(failure);
    return value;
  }

  bool erase(const cache_digest& id) {
    std::shared_ptr<flight> last;  // destroyed after the lock: the value may use the driver
    const std::lock_guard lock(mutex_);
    const auto found = flights_.find(id);
    if (found == flights_.end()) return false;
    last = std::move(found->second);
    flights_.erase(found);
    return last->done;
  }

  void clear() {
    std::map<cache_digest, std::shared_ptr<flight>> last;
    const std::lock_guard lock(mutex_);
    last.swap(flights_);
  }

  std::size_t size() {
    const std::lock_guard lock(mutex_);
    std::size_t count = 0;
    for (const auto& each : flights_) count += each.second->done ? 1u : 0u;
    return count;
  }

 private:
  static std::shared_ptr<const void> wait(std::unique_lock<std::mutex>& lock, std::shared_ptr<flight> other) {
    if (!other->done && other->maker == std::this_thread::get_id()) {
      throw_error(errc::invalid_argument, "a program that is being compiled asks the cache for itself",
                  source_location::current());
    }
    while (!other->done) other->landed.wait(lock);
    if (other->failure) std::rethrow_exception(other->failure);
    return other->value;
  }

  std::mutex mutex_;  // never held while a value is made or destroyed
  std::map<cache_digest, std::shared_ptr<flight>> flights_;
};

flight_table::flight_table() : table_(std::make_unique<table>()) {}
flight_table::~flight_table() = default;
std::shared_ptr<const void> flight_table::find(const cache_digest& id) const { return table_->find(id); }
std::shared_ptr<const void> flight_table::find_or_make(const cache_digest& id, maker make, void* state) {
  return table_->find_or_make(id, make, state);
}
bool flight_table::erase(const cache_digest& id) { return table_->erase(id); }
void flight_table::clear() { table_->clear(); }
std::size_t flight_table::size() const { return table_->size(); }

}  // namespace yoke::inline v0_1::detail

#endif
