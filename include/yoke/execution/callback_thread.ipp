// SPDX-License-Identifier: MIT
// Bodies of execution/callback_thread.hpp.
#ifndef YOKE_EXECUTION_CALLBACK_THREAD_IPP
#define YOKE_EXECUTION_CALLBACK_THREAD_IPP

#include <yoke/core/cleanup.hpp>
#include <yoke/core/system.hpp>
#include <yoke/execution/callback_thread.hpp>

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <list>
#include <mutex>
#include <system_error>
#include <thread>
#include <utility>

namespace yoke::inline v0_1::detail {

/// Counts the busy callback threads of the process. A callback may own the last handle of its context; no handle then
/// waits for the callback, so the end of the process does, for a limited time.
class busy_workers {
 public:
  void enter() noexcept { count_.fetch_add(1, std::memory_order_relaxed); }
  void leave() noexcept {
    const std::lock_guard lock(mutex_);
    count_.fetch_sub(1, std::memory_order_relaxed);
    left_.notify_all();
  }
  /// Effects: waits until no other thread is busy. Returns: the number of threads still busy when the time is over.
  int wait_for(std::chrono::seconds time, int own) {
    std::unique_lock lock(mutex_);
    left_.wait_for(lock, time, [&] { return count_.load(std::memory_order_relaxed) <= own; });
    return count_.load(std::memory_order_relaxed) - own;
  }
  const std::int64_t process = process_number();

 private:
  std::mutex mutex_;
  std::condition_variable left_;
  std::atomic<int> count_{0};
};

// Never destroyed: callback threads may still run while the process destroys its objects.
busy_workers& the_busy_workers() {
  static busy_workers* const once = new busy_workers;
  return *once;
}
bool& on_callback_thread() noexcept {
  thread_local bool here = false;
  return here;
}

/// Waits for callbacks when the process ends. It is made with the first callback thread, so that older objects, such as
/// the driver and the user's contexts, are destroyed later.
struct exit_wait {
  exit_wait() { the_busy_workers(); }
  exit_wait(const exit_wait&) = delete;
  exit_wait& operator=(const exit_wait&) = delete;
  ~exit_wait() {
    busy_workers& busy = the_busy_workers();
    if (busy.process != process_number()) return;  // a forked child does not have its parent's threads
    constexpr std::chrono::seconds most{5};
    if (busy.wait_for(most, on_callback_thread() ? 1 : 0) > 0) {
      report_cleanup_failure(std::make_error_code(std::errc::timed_out), "event callback",
                             "the program ends while callbacks wait for commands that do not end");
    }
  }
};

class callback_thread::worker {
 public:
  /// Returns: whether the callback was accepted. After `close`, accepts callbacks only if `also_closing`.
  bool add(owner<pending_callback> callback, bool also_closing) {
    const std::lock_guard lock(mutex_);
    if (closing_ && !also_closing) return false;
    incoming_.push_back(std::move(callback));
    set_busy();
    changed_.notify_one();
    return true;
  }
  void close(owner<pending_callback> last) {
    const std::lock_guard lock(mutex_);
    last_ = std::move(last);
    closing_ = true;
    set_busy();
    changed_.notify_one();
  }
  void run() {
    using namespace std::chrono_literals;
    constexpr auto shortest = 20us;
    std::chrono::microseconds pause = shortest;
    std::list<owner<pending_callback>> pending;
    on_callback_thread() = true;
    std::unique_lock lock(mutex_);
    for (;;) {
      while (incoming_.empty() && pending.empty() && !closing_) {
        if (std::exchange(busy_, false)) the_busy_workers().leave();
        changed_.wait(lock);
      }
      if (incoming_.empty() && pending.empty()) break;
      if (!incoming_.empty()) pause = shortest;
      pending.splice(pending.end(), incoming_);  // splice does not allocate: a failure could not be reported here
      lock.unlock();
      const std::size_t before = pending.size();
      // In reverse order, so that of two commands that end meanwhile, the earlier registered one is seen first.
      for (auto each = pending.rbegin(); each != pending.rend(); ++each) (*each)->ask();
      // Runs and destroys them in the order of registration, outside the lock because they may own handles.
      std::erase_if(pending, [](const owner<pending_callback>& callback) { return callback->run(); });
      pause = pending.size() < before ? shortest : std::min<std::chrono::microseconds>(pause * 2, 1000us);
      lock.lock();
      if (!pending.empty() && incoming_.empty()) changed_.wait_for(lock, pause);
    }
    owner<pending_callback> last = std::move(last_);
    lock.unlock();
    if (last) last->run();
    last.reset();
    the_busy_workers().leave();  // `close` marked this thread busy
  }

  std::thread thread;
  const std::int64_t process = process_number();

 private:
  void set_busy() noexcept {
    if (!std::exchange(busy_, true)) the_busy_workers().enter();
  }

  std::mutex mutex_;
  bool busy_ = false;
  std::condition_variable changed_;
  std::list<owner<pending_callback>> incoming_;
  owner<pending_callback> last_;
  bool closing_ = false;
};

void callback_thread::add(owner<pending_callback> callback) { start()->add(std::move(callback), true); }
bool callback_thread::hand_over(worker& to, owner<pending_callback> callback) {
  return to.add(std::move(callback), false);
}

const shared<callback_thread::worker>& callback_thread::start() {
  shared<worker>* current = worker_.load(order::acquire);
  if (current == nullptr) {
    static const exit_wait waits_at_exit;
    auto fresh = make_owner<shared<worker>>(make_shared<worker>());
    const shared<worker>& made = *fresh;
    made->thread = std::thread([shared = made] { shared->run(); });
    if (worker_.compare_exchange_strong(current, fresh.get())) {
      current = fresh.release();
    } else {
      made->close(nullptr);  // another thread started a worker first
      made->thread.join();
    }
  }
  return *current;
}

void callback_thread::finish(owner<pending_callback> last) noexcept {
  owner<shared<worker>> current{worker_.exchange(nullptr, order::acq_rel)};
  if (current == nullptr) {
    if (last) last->run();
    return;
  }
  if ((*current)->process != process_number()) {  // a forked child does not have its parent's threads
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

callback_thread::~callback_thread() { finish(nullptr); }

}  // namespace yoke::inline v0_1::detail

#endif
