// SPDX-License-Identifier: MIT
// Bodies of execution/host_call.hpp; drivers get numbers of calls, not pointers, so that a late callback finds nothing.
#ifndef YOKE_EXECUTION_HOST_CALL_IPP
#define YOKE_EXECUTION_HOST_CALL_IPP

#include <yoke/execution/host_call.hpp>

#include <condition_variable>
#include <mutex>
#include <thread>
#include <unordered_map>
#include <utility>

namespace yoke::inline v0_1::detail {

/// The waiting calls of all streams, by number.
class waiting_host_calls {
 public:
  void* add(owner<host_call> call) {
    const std::lock_guard lock(mutex_);
    const std::uintptr_t number = ++given_;
    call->number = number;
    calls_.emplace(number, std::move(call));
    return reinterpret_cast<void*>(number);
  }
  /// Returns: the call; null if it is gone.
  owner<host_call> take(void* data) noexcept {
    const std::lock_guard lock(mutex_);
    const auto found = calls_.find(reinterpret_cast<std::uintptr_t>(data));
    if (found == calls_.end()) return nullptr;
    owner<host_call> call = std::move(found->second);
    calls_.erase(found);
    return call;
  }
  /// Returns: all calls of a list, linked.
  owner<host_call> take_all(const host_call_list* of) noexcept {
    owner<host_call> all;
    const std::lock_guard lock(mutex_);
    for (auto each = calls_.begin(); each != calls_.end();) {
      if (each->second->list.get() != of) {
        ++each;
        continue;
      }
      each->second->next = std::move(all);
      all = std::move(each->second);
      each = calls_.erase(each);
    }
    return all;
  }

 private:
  std::mutex mutex_;
  std::unordered_map<std::uintptr_t, owner<host_call>> calls_;
  std::uintptr_t given_ = 0;
};

// Never destroyed: drivers' threads may run calls while the program ends.
waiting_host_calls& the_host_calls() {
  static waiting_host_calls* const once = new waiting_host_calls;
  return *once;
}

// In a loop: destroying the list recursively would use stack for each call.
std::size_t destroy_calls(owner<host_call> first) noexcept {
  std::size_t count = 0;
  while (first != nullptr) {
    first = std::move(first->next);
    ++count;
  }
  return count;
}

void report_host_call_failure(const std::exception_ptr& thrown) noexcept {
  try {
    std::rethrow_exception(thrown);
  } catch (...) {
    report_cleanup_exception("stream.call");
  }
}

/// Destroys finished calls on the callback thread.
struct host_calls_sweep final : pending_callback {
  explicit host_calls_sweep(shared<host_call_list> calls) : list(std::move(calls)) {}
  void ask() noexcept override {}
  bool run() noexcept override {
    list->sweep_aside();
    return true;
  }
  shared<host_call_list> list;
};

struct host_call_list::state final : host_call_list {
  std::mutex mutex;
  owner<host_call> finished;
  std::exception_ptr first;
  std::size_t waiting = 0;
  bool abandoned = false;
  shared<callback_thread::worker> worker;
  bool sweep_asked = false;
  std::thread::id sweeper{};  // the callback thread, while it destroys calls
  std::condition_variable swept;
};

shared<host_call_list> host_call_list::make(callback_thread& thread) {
  auto made = make_shared<state>();
  made->worker = thread.start();
  return made;
}
host_call_list::state& host_call_list::own() noexcept { return static_cast<state&>(*this); }

void* host_call_list::enter(const shared<host_call_list>& list, owner<host_call> call) {
  call->list = list;
  void* const data = the_host_calls().add(std::move(call));
  state& own = list->own();
  const std::lock_guard lock(own.mutex);
  ++own.waiting;
  return data;
}
void host_call_list::withdraw(void* data) noexcept {
  const owner<host_call> call = the_host_calls().take(data);
  if (call == nullptr) return;
  state& own = call->list->own();
  const std::lock_guard lock(own.mutex);
  --own.waiting;
}
void host_call_list::sweep() noexcept {
  owner<host_call> done;
  {
    const std::lock_guard lock(own().mutex);
    done = std::move(own().finished);
  }
  destroy_calls(std::move(done));
}
void host_call_list::sweep_aside() noexcept {
  owner<host_call> done;
  {
    const std::lock_guard lock(own().mutex);
    done = std::move(own().finished);
    own().sweep_asked = false;
    own().sweeper = std::this_thread::get_id();
  }
  destroy_calls(std::move(done));
  const std::lock_guard lock(own().mutex);
  own().sweeper = std::thread::id{};
  own().swept.notify_all();
}
void host_call_list::discard() noexcept {
  const std::size_t count = destroy_calls(the_host_calls().take_all(this));
  {
    const std::lock_guard lock(own().mutex);
    own().waiting -= count;
  }
  sweep();
}
void host_call_list::rethrow() {
  sweep();
  std::exception_ptr thrown;
  {
    std::unique_lock lock(own().mutex);
    // A callable whose destructor synchronizes must not wait for its own destruction.
    own().swept.wait(lock,
                     [&] { return own().sweeper == std::thread::id{} || own().sweeper == std::this_thread::get_id(); });
    thrown = std::exchange(own().first, nullptr);
  }
  if (thrown != nullptr) std::rethrow_exception(thrown);
}
bool host_call_list::abandon() noexcept {
  std::exception_ptr thrown;
  bool wait = false;
  {
    const std::lock_guard lock(own().mutex);
    own().abandoned = true;
    thrown = std::exchange(own().first, nullptr);
    wait = own().waiting != 0;
  }
  if (thrown != nullptr) report_host_call_failure(thrown);
  sweep();
  return wait;
}
void host_call_list::ran(owner<host_call> call, const std::exception_ptr& thrown) noexcept {
  const shared<host_call_list> self = std::move(call->list);  // the call must not keep its own list alive
  bool is_handled = false;
  {
    const std::lock_guard lock(own().mutex);
    call->next = std::move(own().finished);
    own().finished = std::move(call);
    --own().waiting;
    is_handled = thrown == nullptr || (!own().abandoned && own().first == nullptr);
    if (is_handled && thrown != nullptr) own().first = thrown;
    if (!own().sweep_asked) {
      try {
        own().sweep_asked = callback_thread::hand_over(*own().worker, make_owner<host_calls_sweep>(self));
      } catch (...) {  // out of memory: the next call or wait destroys it
      }
    }
  }
  if (!is_handled) report_host_call_failure(thrown);
}

void run_host_call(void* data) noexcept {
  owner<host_call> call = the_host_calls().take(data);
  if (call == nullptr) return;
  std::exception_ptr thrown;
  try {
    call->run();
  } catch (...) {
    thrown = std::current_exception();
  }
  host_call_list& list = *call->list;
  list.ran(std::move(call), thrown);
}

}  // namespace yoke::inline v0_1::detail

#endif
