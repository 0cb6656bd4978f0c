// SPDX-License-Identifier: MIT
// Bodies of execution/callback_thread.hpp.
#ifndef YOKE_EXECUTION_IMPL_CALLBACK_THREAD_IPP
#define YOKE_EXECUTION_IMPL_CALLBACK_THREAD_IPP

#include <yoke/execution/callback_thread.hpp>

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <list>
#include <mutex>
#include <thread>

#include <unistd.h>

namespace yoke::inline YOKE_ABI::detail {

class callback_thread::worker {
 public:
  /// Returns: whether it was taken: not once the end was asked for, unless the owner asks.
  bool add(std::unique_ptr<pending_callback> callback, bool also_closing) {
    const std::lock_guard lock(mutex_);
    if (closing_ && !also_closing) return false;
    incoming_.push_back(std::move(callback));
    changed_.notify_one();
    return true;
  }
  void close(std::unique_ptr<pending_callback> last) {
    const std::lock_guard lock(mutex_);
    last_ = std::move(last);
    closing_ = true;
    changed_.notify_one();
  }
  void run() {
    using namespace std::chrono_literals;
    constexpr auto shortest = 20us;
    std::chrono::microseconds pause = shortest;
    std::list<std::unique_ptr<pending_callback>> pending;
    std::unique_lock lock(mutex_);
    for (;;) {
      while (incoming_.empty() && pending.empty() && !closing_) changed_.wait(lock);
      if (incoming_.empty() && pending.empty()) break;
      if (!incoming_.empty()) pause = shortest;
      pending.splice(pending.end(), incoming_);  // nothing here may need memory: nobody could be told
      lock.unlock();
      const std::size_t before = pending.size();
      // The last one first: of commands that end meanwhile, none is seen done before one that was registered earlier.
      for (auto each = pending.rbegin(); each != pending.rend(); ++each) (*each)->ask();
      // In the order of registration; each is destroyed here, outside the lock, since it may own handles.
      std::erase_if(pending, [](const std::unique_ptr<pending_callback>& callback) { return callback->run(); });
      pause = pending.size() < before ? shortest : std::min<std::chrono::microseconds>(pause * 2, 1000us);
      lock.lock();
      if (!pending.empty() && incoming_.empty()) changed_.wait_for(lock, pause);
    }
    const std::unique_ptr<pending_callback> last = std::move(last_);
    lock.unlock();
    if (last) last->run();
  }

  std::thread thread;
  const ::pid_t process = ::getpid();

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  std::list<std::unique_ptr<pending_callback>> incoming_;
  std::unique_ptr<pending_callback> last_;
  bool closing_ = false;
};

YOKE_INLINE void callback_thread::add(std::unique_ptr<pending_callback> callback) {
  start()->add(std::move(callback), true);
}
YOKE_INLINE bool callback_thread::hand_over(worker& to, std::unique_ptr<pending_callback> callback) {
  return to.add(std::move(callback), false);
}

YOKE_INLINE const std::shared_ptr<callback_thread::worker>& callback_thread::start() {
  std::shared_ptr<worker>* current = worker_.load(std::memory_order_acquire);
  if (current == nullptr) {
    auto fresh = std::make_unique<std::shared_ptr<worker>>(std::make_shared<worker>());
    const std::shared_ptr<worker>& made = *fresh;
    made->thread = std::thread([shared = made] { shared->run(); });
    if (worker_.compare_exchange_strong(current, fresh.get(), std::memory_order_acq_rel)) {
      current = fresh.release();
    } else {
      made->close(nullptr);  // another thread was first
      made->thread.join();
    }
  }
  return *current;
}

YOKE_INLINE void callback_thread::finish(std::unique_ptr<pending_callback> last) noexcept {
  std::unique_ptr<std::shared_ptr<worker>> current{worker_.exchange(nullptr, std::memory_order_acq_rel)};
  if (current == nullptr) {
    if (last) last->run();
    return;
  }
  if ((*current)->process != ::getpid()) {  // the thread stayed with the process that this one was forked from
    static_cast<void>(current.release());
    if (last) last->run();
    return;
  }
  std::thread& thread = (*current)->thread;
  (*current)->close(std::move(last));
  if (thread.get_id() == std::this_thread::get_id()) {
    thread.detach();
  } else {
    thread.join();
  }
}

YOKE_INLINE callback_thread::~callback_thread() { finish(nullptr); }

}  // namespace yoke::inline YOKE_ABI::detail

#endif
