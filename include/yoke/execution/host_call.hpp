// SPDX-License-Identifier: MIT
// Host functions that run in a stream's order: who owns them, reports their exceptions and destroys them.
#ifndef YOKE_EXECUTION_HOST_CALL_HPP
#define YOKE_EXECUTION_HOST_CALL_HPP

#include <yoke/execution/context_reference.hpp>
#include <yoke/execution/stream_slot.hpp>

#include <cstdint>
#include <exception>
#include <utility>

namespace yoke::inline v0_1::detail {

class host_call_list;

/// A host function that waits for its turn in a stream.
class host_call {
 public:
  host_call() = default;
  host_call(const host_call&) = delete;
  host_call& operator=(const host_call&) = delete;
  virtual ~host_call() = default;
  virtual void run() = 0;

  std::uintptr_t number = 0;
  shared<host_call_list> list;  // the list that it belongs to
  owner<host_call> next;
};

/// The host calls of one stream handle. A driver's thread runs them; it must not call the driver, as destructors of
/// callables may. So the context's callback thread destroys them, or a thread that calls a function of this class.
/// Thread safety: safe.
class host_call_list {
 public:
  /// Effects: starts the callback thread, which destroys finished calls. Throws: `std::bad_alloc`, `std::system_error`.
  YOKE_API static shared<host_call_list> make(callback_thread& thread);
  /// Effects: adds a call. Returns: the data that the driver passes to `run_host_call`. Throws: `std::bad_alloc`.
  YOKE_API static void* enter(const shared<host_call_list>& list, owner<host_call> call);
  /// Effects: destroys a call that the driver did not accept.
  YOKE_API static void withdraw(void* data) noexcept;

  /// Effects: destroys the calls that have run.
  YOKE_API void sweep() noexcept;
  /// Effects: destroys all calls, also waiting ones. If the driver runs one of them later, nothing happens.
  YOKE_API void discard() noexcept;
  /// Effects: sweeps, and waits while another thread destroys calls.
  /// Throws: the first exception of a call since the last `rethrow`.
  YOKE_API void rethrow();
  /// Effects: sends later exceptions to the cleanup handler. Returns: whether calls still wait.
  YOKE_API bool abandon() noexcept;

  // The callback thread calls this.
  void sweep_aside() noexcept;
  // The driver's thread calls this after a call has run.
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

/// Effects: runs the call whose number `data` is, unless it was discarded. Drivers get this function.
YOKE_API void run_host_call(void* data) noexcept;

template <class Function>
struct host_call_of final : host_call {
  explicit host_call_of(Function&& function) : function_(std::move(function)) {}
  void run() override { function_(); }
  Function function_;
};

/// Waits for an event behind the last call of a stream whose handle is gone, then destroys the remaining calls.
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
    } catch (...) {  // a lost context runs no further calls
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

/// The host calls of a stream handle; empty for ports without host functions.
template <class Port>
class stream_calls {
 public:
  void abandon() noexcept {}
  template <class Wait>
  void wait(Wait&& wait) const {
    wait();
  }
};

/// Moves with the handle, and needs its context until the calls have ended.
/// Thread safety: `call` and `wait` are safe; moving and destroying are not.
template <host_function_port Port>
class stream_calls<Port> {
 public:
  using native_stream = typename Port::stream_handle;

  stream_calls() noexcept = default;
  stream_calls(stream_calls&& other) noexcept : made_(other.made_.exchange(nullptr)) {}
  stream_calls& operator=(stream_calls&& other) noexcept {
    if (this != &other) {
      abandon();
      made_.store(other.made_.exchange(nullptr));
    }
    return *this;
  }
  ~stream_calls() { abandon(); }

  template <class Function>
  void call(context_state<Port>& in, native_stream native, Function&& function, const source_location& where) {
    const shared<host_call_list>& list = made_in(in, native).list;
    list->sweep();
    void* const data =
        host_call_list::enter(list, make_owner<host_call_of<Function>>(std::forward<Function>(function)));
    try {
      in.port.launch_host_function(native, &run_host_call, data, where);
    } catch (...) {
      host_call_list::withdraw(data);
      throw;
    }
  }
  /// Effects: calls `wait`; on a lost context, destroys the calls that will never run. Throws: the first exception of a
  /// call.
  template <class Wait>
  void wait(Wait&& wait) const {
    const calls* const made = made_.load(order::acquire);
    if (made == nullptr) return wait();
    try {
      wait();
    } catch (const context_lost_error&) {
      made->list->discard();
      throw;
    }
    made->list->rethrow();
  }
  /// Effects: called when the handle ends. Waiting calls still run; the context's callback thread then destroys them.
  void abandon() noexcept {
    const owner<const calls> made{made_.exchange(nullptr)};
    if (made != nullptr) end(*made);
  }

 private:
  struct calls {
    shared<host_call_list> list;
    context_state<Port>& in;
    native_stream native;
  };

  static void end(const calls& made) noexcept {
    if (!made.list->abandon()) return;
    context_state<Port>& context = made.in;
    try {
      auto end = make_owner<host_calls_end<Port>>(context.port, made.list);
      end->event = context.port.record(made.native, {}, {});
      context.callbacks.add(std::move(end));
    } catch (...) {
      // No event could be recorded, so wait here. Calls that have not run by then never will.
      try {
        context.port.synchronize(made.native, {});
      } catch (...) {
      }
      made.list->discard();
    }
  }

  const calls& made_in(context_state<Port>& in, native_stream native) {
    const calls* there = made_.load(order::acquire);
    if (there != nullptr) return *there;
    owner<const calls> fresh{new calls{host_call_list::make(in.callbacks), in, native}};
    // Several threads may get here at once: one wins.
    if (!made_.compare_exchange_strong(there, fresh.get())) return *there;
    return *fresh.release();
  }

  atomic<const calls*> made_{nullptr};
};

// Where arrays get their memory (<yoke/memory/memory_source.hpp>).
template <class Port>
class memory_source;

/// The facts of a stream handle.
template <class Port>
struct stream_facts {
  std::uint32_t device_index = 0;  // in the context's devices
  bool timing = false;
  [[no_unique_address]] mutable stream_calls<Port> calls{};
  counted_share memory{};      // a `memory_source` for arrays; none: their context's own pool
  mutable stream_slot slot{};  // destroyed first: its notes may need the context
};

}  // namespace yoke::inline v0_1::detail

#if defined(YOKE_IMPLEMENTATION)
#include <yoke/execution/host_call.ipp>
#endif

#endif
