// SPDX-License-Identifier: MIT
// Events: points in a stream that a program waits for, queries, times, or has a callback run at.
#ifndef YOKE_EXECUTION_EVENT_HPP
#define YOKE_EXECUTION_EVENT_HPP

#include <yoke/core/handle.hpp>
#include <yoke/execution/context_reference.hpp>

#include <chrono>

namespace yoke::inline v0_1 {

template <class Port>
class timed_event;

namespace detail {

/// The facts of an event. Several threads may change them at once, by waits and callbacks.
struct event_facts {
  mutable std::uint32_t point = 0;  // the stream's flush count at the record; 0 once flushed
  mutable bool called_back = false;
  bool reusable = false;  // made by the library: the context may record it again
};

/// The base of every kind of event.
template <class Derived, class Port>
class event_base : public handle<Derived, context_reference<Port>, typename Port::event_handle, event_facts> {
  using base = handle<Derived, context_reference<Port>, typename Port::event_handle, event_facts>;

 public:
  using port_type = Port;
  using native_type = typename Port::event_handle;

  event_base() noexcept = default;

  /// Takes ownership of one reference to a native event.
  /// Throws: `logic_error` when it is null or of another context; the caller then keeps the reference.
  [[nodiscard]] static Derived adopt(const context<Port>& context, native_type native,
                                     const source_location& where = source_location::current()) {
    return Derived(context, checked(context, native, where), true);
  }
  /// Uses a native event without owning it. Requires: the native event outlives this. Throws: as `adopt`.
  [[nodiscard]] static Derived borrow(const context<Port>& context, native_type native,
                                      const source_location& where = source_location::current()) {
    return Derived(context, checked(context, native, where), false);
  }
  /// Shares a native event with the caller, by a reference of this handle's own. Throws: as `adopt`; `error`.
  /// Wraps `clRetainEvent`.
  [[nodiscard]] static Derived retain(const context<Port>& context, native_type native,
                                      const source_location& where = source_location::current())
    requires counting_port<Port>
  {
    Derived shared = borrow(context, native, where);
    context.port(where).retain_event(native, where);
    static_cast<event_base&>(shared).take_ownership();
    return shared;
  }
  // For commands that the library has just enqueued.
  /// Effects: marks a new point: `record` records the present native event again, or returns another one. Requires:
  /// this is not empty.
  template <class Record>
  void own_again(const context_reference<Port>& of, Record&& record, const source_location& where) {
    if (context_of().shared() != of.get().shared()) [[unlikely]]
      check_again(of.get(), where);
    const native_type had = this->native_handle();
    const native_type now = record(had);
    if (!(now == had)) this->replace(now);  // releases the old one, unless it was borrowed
    this->parent().follow(of);
    this->facts().point = of.now();
  }
  /// Effects: calls `wait(first)`, which makes `stream`, the stream of `waiting`, wait for this event. It has to flush
  /// `first` before: `stream` itself means no flush, null an unknown stream. Returns: its code.
  template <class Wait>
  [[nodiscard, gnu::always_inline]] std::int32_t wait_directly(const context_reference<Port>& waiting,
                                                               typename Port::stream_handle stream,
                                                               Wait&& wait) const noexcept {
    if constexpr (!flushed_before_waits<Port>) return wait(typename Port::stream_handle{});
    const auto first =
        this->parent().to_flush(waiting, stream, __atomic_load_n(&this->facts().point, __ATOMIC_ACQUIRE));
    const std::int32_t code = wait(first);
    if (code == 0 && !(first == stream)) __atomic_store_n(&this->facts().point, std::uint32_t{0}, __ATOMIC_RELEASE);
    return code;
  }
  using base::native_place;
  // Whether a callback waits for this point; the native event must then not be recorded again.
  [[nodiscard]] bool is_called_back() const noexcept {
    return __atomic_load_n(&this->facts().called_back, __ATOMIC_RELAXED);
  }
  [[nodiscard]] static Derived own(const context_reference<Port>& of, native_type native) noexcept {
    Derived made(of, native, true);
    static_cast<event_base&>(made).facts().point = of.now();
    return made;
  }
  /// The same for an event that `record_reused` recorded in this stream.
  [[nodiscard]] static Derived own_recorded(const context_reference<Port>& of, typename Port::stream_handle stream,
                                            native_type native) noexcept {
    Derived made = own(of, native);
    if constexpr (event_reusing_port<Port>) {
      static_cast<event_base&>(made).facts().reusable = of.get().shared()->port.reuses_events(stream);
    }
    return made;
  }

  /// Waits until the command and everything before it in its stream is done.
  /// Throws: `runtime_error` (`errc::command_failed` or the command's own code) when it failed; `logic_error` when
  /// empty.
  /// Thread safety: safe. Wraps `clWaitForEvents`.
  void wait(const source_location& where = source_location::current()) const {
    const native_type native = this->use(where);
    port().wait(native, where);
  }
  /// The command's progress. Throws: `error`. Thread safety: safe. Wraps `clGetEventInfo`.
  [[nodiscard]] event_status status(const source_location& where = source_location::current()) const {
    const native_type native = this->use(where);
    return port().status(native, where);
  }
  /// Whether the command has completed or failed. Throws: `error`. Thread safety: safe.
  [[nodiscard]] bool is_done(const source_location& where = source_location::current()) const {
    const event_status now = status(where);
    return now == event_status::complete || now == event_status::failed;
  }
  /// Calls `callback(event_status)` with `complete` or `failed` once the command has ended.
  /// Effects: runs the callback on a thread of the library, never on the driver's. Callbacks of commands that end
  /// together run in the order of registration. The event may be destroyed earlier. An exception goes to the cleanup
  /// handler.
  /// Throws: `error`, `std::bad_alloc`, `std::system_error`. Thread safety: safe.
  template <std::invocable<event_status> Callback>
  void on_complete(Callback callback, const source_location& where = source_location::current()) const {
    const native_type native = this->use(where);
    auto pending = make_owner<pending_on_event<Callback>>(std::move(callback), port());
    port().retain_event(native, where);
    pending->event = native;
    __atomic_store_n(&this->facts().called_back, true, __ATOMIC_RELAXED);
    port_traits<Port>::submit(port(), native, where);
    context_of().state().callbacks.add(std::move(pending));
  }

  [[nodiscard]] const context<Port>& context_of() const noexcept { return this->parent().get(); }

 protected:
  friend base;
  static void destroy(context_reference<Port>& parent, native_type native, event_facts& facts) noexcept {
    const context_state<Port>& in = *parent.get().shared();  // an owner has a context
    if (in.left_us()) return;                                // its event is gone, too: drivers crash when given it
    if constexpr (event_reusing_port<Port>) {
      if (facts.reusable && keep(in, native)) return;
    }
    in.report(in.port.release_event(native));
  }
  event_base(const context_reference<Port>& of, native_type native, bool owned) noexcept : base(of, native, owned) {}
  [[nodiscard]] const Port& port() const { return this->parent().state().port; }

 private:
  /// Effects: gives the native event to the context for a later record. Returns: false if the caller must release it.
  static bool keep(const context_state<Port>& in, native_type native) noexcept {
    if (in.port.forget_event(native)) return true;  // a callback still uses it
    constexpr bool is_timed = std::same_as<Derived, timed_event<Port>>;
    return (is_timed ? in.idle.timed : in.idle.untimed).give(native);
  }
  static native_type checked(const context<Port>& context, native_type native, const source_location& where) {
    if (native == native_type{}) throw_null_native("event", where);
    const auto of = ask_native("event", native, where,
                               [&] { return port_traits<Port>::event_context(context.port(where), native, where); });
    if (!(of == typename Port::context_handle{}) && !(of == context.native_handle())) {
      throw_foreign_native("event", native_value(native), "context", where);
    }
    return native;
  }
  [[gnu::noinline, gnu::cold]] void check_again(const context<Port>& context, const source_location& where) const {
    if (context_of() == context) return;
    throw_error(errc::wrong_context, "the event is of another context than the stream", where);
  }
  template <class Callback>
  struct pending_on_event final : pending_callback {
    pending_on_event(Callback&& function, const Port& with) : callback(std::move(function)), port(with) {}
    ~pending_on_event() override {
      if (event == native_type{}) return;
      report_release(port, port.release_event(event));
    }
    void ask() noexcept override {
      try {
        now = port.status(event, {});
      } catch (...) {  // the driver fails to answer: count the command as failed
        now = event_status::failed;
      }
    }
    bool run() noexcept override {
      if (now != event_status::complete && now != event_status::failed) return false;
      try {
        callback(now);
      } catch (...) {
        report_cleanup_exception("event callback");
      }
      return true;
    }
    Callback callback;
    Port port;
    native_type event{};
    event_status now = event_status::queued;
  };
};

}  // namespace detail

/// A point in a stream, without times; `timed_event` has them. Move-only.
template <class Port = any_port>
class event : public detail::event_base<event<Port>, Port> {
  using base = detail::event_base<event<Port>, Port>;

 public:
  static constexpr const char* noun = "event";
  event() noexcept = default;

 private:
  friend base;
  friend typename base::handle;
  event(const detail::context_reference<Port>& of, typename Port::event_handle native, bool owned) noexcept
      : base(of, native, owned) {}
};

/// A point in a stream that has timing, with the device's times. Move-only.
template <class Port = any_port>
class timed_event : public detail::event_base<timed_event<Port>, Port> {
  using base = detail::event_base<timed_event<Port>, Port>;

 public:
  static constexpr const char* noun = "timed event";
  timed_event() noexcept = default;

  /// When the command was enqueued, submitted, started and ended. Only with `opencl::port`: CUDA keeps one time.
  /// Effects: waits for it. Returns: `event_times`.
  /// Throws: `runtime_error` when the command failed. Thread safety: safe. Wraps `clGetEventProfilingInfo`.
  [[nodiscard]] auto times(const source_location& where = source_location::current()) const
    requires profiling_port<Port>
  {
    this->wait(where);
    return this->port().times(this->native_handle(), where);
  }
  /// The time between the ends of two commands. Effects: waits for both.
  /// Throws: `runtime_error` when one failed; `logic_error` when they are of different contexts. Thread safety: safe.
  /// Wraps `clGetEventProfilingInfo`.
  [[nodiscard]] std::chrono::nanoseconds time_since(const timed_event& start,
                                                    const source_location& where = source_location::current()) const {
    (void)start.use(where);
    (void)this->use(where);
    if (!(start.context_of() == this->context_of())) {
      detail::throw_error(errc::wrong_context, "the time between events of different contexts is not known", where);
    }
    start.wait(where);
    this->wait(where);
    return std::chrono::nanoseconds{this->port().elapsed(start.native_handle(), this->native_handle(), where)};
  }

 private:
  friend base;
  friend typename base::handle;
  timed_event(const detail::context_reference<Port>& of, typename Port::event_handle native, bool owned) noexcept
      : base(of, native, owned) {}
};

namespace detail {
/// Whether a stream may wait for an event of another context.
template <class Port>
inline constexpr bool waits_across_contexts =
    requires { requires std::bool_constant<Port::waits_across_contexts>::value; };
/// The same, asked at run time of a port that stands for several backends.
template <class Port>
concept may_wait_across_contexts = requires(const Port& port) {
  { port.waits_across_contexts() } noexcept -> std::same_as<bool>;
};
}  // namespace detail

/// Events to wait for: `{}`, one event, a range of events, or several: `{.after = {first, second}}`.
/// The events need to live only until the call that takes the list returns.
template <class Port = any_port>
class wait_list {
 public:
  wait_list() noexcept = default;
  template <class... Events>
    requires(sizeof...(Events) > 0 && (std::derived_from<Events, detail::event_base<Events, Port>> && ...))
  wait_list(const Events&... events) {  // NOLINT: events are a wait list
    (add(events), ...);
  }
  template <class Event>
    requires std::derived_from<Event, detail::event_base<Event, Port>>
  wait_list(std::span<const Event> events) {  // NOLINT
    for (const Event& each : events) add(each);
  }
  template <class Event>
    requires std::derived_from<Event, detail::event_base<Event, Port>>
  wait_list(const std::vector<Event>& events) : wait_list(std::span<const Event>{events}) {}  // NOLINT

  [[nodiscard]] bool empty() const noexcept { return size_ == 0 && !empty_; }
  /// Returns: the native events. Throws: `logic_error` when one is empty, or is of another context and the backend
  /// cannot wait across contexts.
  [[nodiscard]] std::span<const typename Port::event_handle> view(const context<Port>& context,
                                                                  const source_location& where) const {
    if (empty_) [[unlikely]] {
      detail::throw_error(errc::empty_handle, "an event to wait for is empty (moved from, released or never set)",
                          where);
    }
    if constexpr (!detail::waits_across_contexts<Port>) {
      if (size_ != 0 && (mixed_ || !(context_ == context.native_handle())) && !across(context.port(where))) {
        detail::throw_error(errc::wrong_context, "an event to wait for is of another context", where);
      }
    }
    return more_.empty() ? std::span{few_.data(), size_} : std::span{more_};
  }

 private:
  template <class Event>
  void add(const Event& event) {
    if (!event) {
      empty_ = true;  // `view` reports it with the caller's location
      return;
    }
    const auto of = event.context_of().native_handle();
    if (size_ != 0 && !(of == context_)) mixed_ = true;
    context_ = of;
    if constexpr (detail::may_wait_across_contexts<Port>) {
      const Port& driver = event.context_of().port();
      if (size_ != 0 && !(driver == *driver_)) mixed_drivers_ = true;
      driver_ = &driver;
    }
    if (size_ < few_.size()) {
      few_[size_] = event.native_handle();
    } else {
      if (more_.empty()) more_.assign(few_.begin(), few_.end());
      more_.push_back(event.native_handle());
    }
    ++size_;
  }

  /// Returns: whether the driver's streams may wait for all these events, although their contexts differ.
  [[nodiscard]] bool across(const Port& driver) const noexcept {
    if constexpr (detail::may_wait_across_contexts<Port>) {
      return driver.waits_across_contexts() && !mixed_drivers_ && *driver_ == driver;
    } else {
      return false;
    }
  }

  std::array<typename Port::event_handle, 6> few_{};
  std::vector<typename Port::event_handle> more_;
  std::size_t size_ = 0;
  typename Port::context_handle context_{};
  const Port* driver_ = nullptr;  // the events' driver, for a port that stands for several
  bool mixed_ = false;
  bool mixed_drivers_ = false;
  bool empty_ = false;
};

}  // namespace yoke::inline v0_1

#endif
