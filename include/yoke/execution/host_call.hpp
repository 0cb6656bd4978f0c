// SPDX-License-Identifier: MIT
// Host functions that run in a stream's order: their owner, their exceptions, their end.
#ifndef YOKE_EXECUTION_HOST_CALL_HPP
#define YOKE_EXECUTION_HOST_CALL_HPP

#include <yoke/execution/stream_origin.hpp>
#include <yoke/execution/stream_slot.hpp>

#include <cstdint>
#include <exception>
#include <utility>

namespace yoke::inline YOKE_ABI::detail {

class host_call_list;

/// A callable that waits for its turn in a stream.
class host_call {
 public:
  host_call() = default;
  host_call(const host_call&) = delete;
  host_call& operator=(const host_call&) = delete;
  virtual ~host_call() = default;
  virtual void run() = 0;

  std::uintptr_t number = 0;
  shared<host_call_list> list;  // the list that it is in
  owner<host_call> next;
};

/// The calls made through one stream handle. A driver's thread runs them and must not use the driver. So the context's
/// callback thread destroys the callables, or a thread that calls a function of this.
/// Thread safety: safe.
class host_call_list {
 public:
  /// Effects: starts the thread that destroys calls after they have run. Throws: `std::bad_alloc`, `std::system_error`.
  YOKE_API static shared<host_call_list> make(callback_thread& thread);
  /// Effects: enters a call. Returns: the data that the driver passes to `run_host_call`. Throws: `std::bad_alloc`.
  YOKE_API static void* enter(const shared<host_call_list>& list, owner<host_call> call);
  /// Effects: destroys a call that the driver never got.
  YOKE_API static void withdraw(void* data) noexcept;

  /// Effects: destroys the calls that have run.
  YOKE_API void sweep() noexcept;
  /// Effects: destroys all calls, also those that wait. If the driver still makes one of them, nothing happens.
  YOKE_API void discard() noexcept;
  /// Effects: sweeps, and waits while another thread destroys calls.
  /// Throws: the first exception of a call since the last time.
  YOKE_API void rethrow();
  /// Effects: from now on exceptions go to the cleanup handler. Returns: whether calls wait.
  YOKE_API bool abandon() noexcept;

  // For the callback thread.
  void sweep_aside() noexcept;
  // For the driver's thread.
  void ran(owner<host_call> call, const std::exception_ptr& thrown) noexcept;

  host_call_list(const host_call_list&) = delete;
  host_call_list& operator=(const host_call_list&) = delete;

 protected:
  host_call_list() = default;
  ~host_call_list() = default;

 private:
  struct state;
  state& own() noexcept;
};

/// A stream and its handle's calls.
template <class Stream>
struct stream_host_calls {
  shared<host_call_list> list;
  Stream native;
  /// The parent's part of `abandon_calls`. A pointer, so that programs without host calls do not contain it.
  void (*abandon)(const void* parent, const stream_host_calls& calls) noexcept;
};

/// Effects: runs the call that `data` numbers, unless it was discarded. Drivers get this function.
YOKE_API void run_host_call(void* data) noexcept;

template <class Function>
struct host_call_of final : host_call {
  explicit host_call_of(Function&& function) : function_(std::move(function)) {}
  void run() override { function_(); }
  Function function_;
};

/// Waits for the point behind the last call of a stream whose handle is gone, then destroys the remaining calls.
template <class Port>
struct host_calls_end final : pending_callback {
  host_calls_end(const Port& with, shared<host_call_list> calls) : port(with), list(std::move(calls)) {}
  ~host_calls_end() override {
    if (event != typename Port::event_handle{}) report_release(port, port.release_event(event));
  }
  void ask() noexcept override {
    try {
      const event_status now = port.status(event, {});
      over = now == event_status::complete || now == event_status::failed;
    } catch (...) {  // a lost context runs nothing any more
      over = true;
    }
  }
  bool run() noexcept override {
    if (over) list->discard();
    return over;
  }
  Port port;
  shared<host_call_list> list;
  typename Port::event_handle event{};
  bool over = false;
};

/// The parent of a stream handle: its context, and the host calls made through it.
template <class Port>
class stream_parent : public origin_reference<Port> {
 public:
  stream_parent() noexcept = default;
  stream_parent(const context<Port>& context) noexcept : origin_reference<Port>(context) {}  // NOLINT: as its base

  void abandon_calls() noexcept {}
  template <class Wait>
  void wait_with_calls(Wait&& wait) const {
    wait();
  }
  [[nodiscard]] stream_slot& slot() const noexcept { return slot_; }

 private:
  mutable stream_slot slot_;
};

template <host_function_port Port>
class stream_parent<Port> : public origin_reference<Port> {
 public:
  stream_parent() noexcept = default;
  stream_parent(const context<Port>& context) noexcept : origin_reference<Port>(context) {}  // NOLINT: as its base
  stream_parent(stream_parent&& other) noexcept
      : origin_reference<Port>(std::move(other)),
        calls_(other.calls_.exchange(nullptr)),
        slot_(std::move(other.slot_)) {}
  stream_parent& operator=(stream_parent&& other) noexcept {
    if (this != &other) {
      abandon_calls();
      slot_ = std::move(other.slot_);
      origin_reference<Port>::operator=(std::move(other));
      calls_.store(other.calls_.exchange(nullptr));
    }
    return *this;
  }
  ~stream_parent() { abandon_calls(); }

  template <class Function>
  void call(typename Port::stream_handle native, Function&& function, const source_location& where) const {
    const shared<host_call_list>& list = calls_of(native).list;
    list->sweep();
    void* const data =
        host_call_list::enter(list, make_owner<host_call_of<Function>>(std::forward<Function>(function)));
    try {
      this->state().port.launch_host_function(native, &run_host_call, data, where);
    } catch (...) {
      host_call_list::withdraw(data);
      throw;
    }
  }
  /// Effects: waits; with a lost context, destroys the calls that will not run. Throws: the first exception of a call.
  template <class Wait>
  void wait_with_calls(Wait&& wait) const {
    const stream_calls* const calls = calls_.load(order::acquire);
    if (calls == nullptr) return wait();
    try {
      wait();
    } catch (const context_lost_error&) {
      calls->list->discard();
      throw;
    }
    calls->list->rethrow();
  }
  [[nodiscard]] stream_slot& slot() const noexcept { return slot_; }
  /// Effects: lets the handle end. Calls that wait still run; the context's callback thread then destroys them.
  void abandon_calls() noexcept {
    const owner<const stream_calls> calls{calls_.exchange(nullptr)};
    if (calls != nullptr) calls->abandon(this, *calls);
  }

 private:
  using stream_calls = stream_host_calls<typename Port::stream_handle>;

  static void abandon(const void* parent, const stream_calls& calls) noexcept {
    if (!calls.list->abandon()) return;
    context_state<Port>& context = static_cast<const stream_parent*>(parent)->state();
    try {
      auto end = make_owner<host_calls_end<Port>>(context.port, calls.list);
      end->event = context.port.record(calls.native, {}, {});
      context.callbacks.add(std::move(end));
    } catch (...) {
      // The stream takes no point to wait for, so wait here. Calls that have not run then never will.
      try {
        context.port.synchronize(calls.native, {});
      } catch (...) {
      }
      calls.list->discard();
    }
  }

  const stream_calls& calls_of(typename Port::stream_handle native) const {
    const stream_calls* there = calls_.load(order::acquire);
    if (there != nullptr) return *there;
    owner<const stream_calls> fresh{
        new stream_calls{host_call_list::make(this->state().callbacks), native, &stream_parent::abandon}};
    // Several threads may make their first calls at once: one wins.
    if (!calls_.compare_exchange_strong(there, fresh.get())) return *there;
    return *fresh.release();
  }

  mutable atomic<const stream_calls*> calls_{nullptr};
  mutable stream_slot slot_;  // ends first: what it keeps may need the context
};

}  // namespace yoke::inline YOKE_ABI::detail

#if defined(YOKE_BODIES)
#include <yoke/execution/impl/host_call.ipp>
#endif

#endif
