// SPDX-License-Identifier: MIT
// A stream: the commands that one device runs, in order or out of order.
#ifndef YOKE_EXECUTION_STREAM_HPP
#define YOKE_EXECUTION_STREAM_HPP

#include <yoke/execution/event.hpp>
#include <yoke/execution/host_call.hpp>
#include <yoke/execution/side_streams.hpp>

namespace yoke::inline v0_1 {

namespace detail {

/// Ports whose record takes the stream's context, which spares a question to the driver.
template <class Port>
concept recorded_in_context = requires(const Port& port, typename Port::context_handle context,
                                       typename Port::stream_handle stream, const source_location& where) {
  { port.record_in(context, stream, where) } -> std::same_as<typename Port::event_handle>;
};

/// Throws: `logic_error` unless the stream has timing.
inline void check_timing(bool has_timing, const source_location& where) {
  if (has_timing) [[likely]]
    return;
  throw_error(errc::invalid_argument,
              "this stream was made without .timing: timed events need one made as stream{ctx, {.timing = true}}",
              where);
}

/// The base of in-order and out-of-order streams.
template <class Derived, class Port>
class stream_base : public handle<Derived, context_reference<Port>, typename Port::stream_handle, stream_facts<Port>> {
  using base = handle<Derived, context_reference<Port>, typename Port::stream_handle, stream_facts<Port>>;

 public:
  using port_type = Port;
  using native_type = typename Port::stream_handle;

  stream_base() noexcept = default;

  /// Takes ownership of one reference to a native stream. Throws: `error`; the caller then keeps the reference.
  [[nodiscard]] static Derived adopt(const context<Port>& context, native_type native,
                                     const source_location& where = source_location::current()) {
    return Derived(context, native, true, where);
  }
  /// Uses a native stream without owning it. Requires: the native stream outlives this.
  [[nodiscard]] static Derived borrow(const context<Port>& context, native_type native,
                                      const source_location& where = source_location::current()) {
    return Derived(context, native, false, where);
  }
  /// Shares a native stream with the caller, by a reference of this handle's own. Throws: `error`.
  /// Wraps `clRetainCommandQueue`.
  [[nodiscard]] static Derived retain(const context<Port>& context, native_type native,
                                      const source_location& where = source_location::current())
    requires counting_port<Port>
  {
    return Derived(context, native, false, where).another(where);
  }

  [[nodiscard]] const yoke::context<Port>& context_of() const noexcept { return this->parent().get(); }
  // The context, as events of the library's own commands keep it.
  [[nodiscard]] const context_reference<Port>& origin() const noexcept { return this->parent(); }
  // The notes that other objects keep about this stream.
  [[nodiscard]] stream_slot& slot() const noexcept { return this->facts().slot; }
  /// The device that runs the commands. Throws: `logic_error` when empty.
  [[nodiscard]] const yoke::device<Port>& device_of(const source_location& where = source_location::current()) const {
    (void)this->use(where);
    return this->parent().state().devices[this->facts().device_index];
  }
  /// The device's limits, read when the context was made. Throws: `logic_error` when empty.
  [[nodiscard]] const device_limits& limits(const source_location& where = source_location::current()) const {
    (void)this->use(where);
    return this->parent().state().limits[this->facts().device_index];
  }
  /// Whether this stream records timed events. True for streams made with `.timing`, for all streams of `cuda::port`,
  /// and for adopted and borrowed ones if the native stream supports it.
  [[nodiscard]] bool has_timing() const noexcept { return this->facts().timing; }
  /// Gives up the native stream as `handle::release` does. Events recorded through this keep their own reference.
  [[nodiscard]] native_type release() noexcept {
    this->parent().give_up();
    return base::release();
  }

  // Where arrays in this handle of the stream get their memory; null: from their context's own pool.
  [[nodiscard]] memory_source<Port>* memory() const noexcept {
    return static_cast<memory_source<Port>*>(this->facts().memory.get());
  }

  // For objects that keep a stream: a second handle of the same native stream, which lives until both are gone. Both
  // share the notes of other objects, and have the same source of memory.
  [[nodiscard]] Derived another(const source_location& where) const {
    const native_type native = this->use(where);
    stream_notes& notes = slot().notes();
    port().retain_stream(native, where);
    Derived made(*this, native);
    made.slot().share(notes);
    return made;
  }

  // The same, for arrays that get their memory from a source.
  [[nodiscard]] Derived another(memory_source<Port>* from, const source_location& where) const {
    Derived made = another(where);
    made.facts().memory = counted_share(from);
    return made;
  }

  // A stream over the native stream of another port's handle; takes over one reference.
  [[nodiscard]] static Derived sharing(const context<Port>& context, native_type retained, std::size_t device_index,
                                       bool timing) {
    return Derived(context, retained, true, device_index, timing);
  }

  /// Waits until every command enqueued so far is done.
  /// Throws: `error`; the first exception of a function given to `call`. The event or copy of a failed command reports
  /// it.
  /// Thread safety: safe. Wraps `clFinish`, `cuStreamSynchronize`.
  void synchronize(const source_location& where = source_location::current()) const {
    const native_type native = this->use(where);
    this->facts().calls.wait([&] { this->parent().flush([&] { port().synchronize(native, where); }); });
  }
  /// Calls `function()` when everything enqueued so far is done. Later commands wait for its return.
  ///
  /// Effects: moves the function into the library and runs it once, on a thread of the driver, where it must neither
  /// call the driver nor wait for the device. Soon after, the context's callback thread destroys it, or the next `call`
  /// or `synchronize` of this handle does before it returns. If the stream fails first, the function is destroyed
  /// without having run. The next `synchronize` of this handle throws the first exception; all others go to the cleanup
  /// handler.
  /// Throws: `error`, `std::bad_alloc`, `std::system_error`; the function is then destroyed. Thread safety: safe.
  /// Wraps `cuLaunchHostFunc`.
  template <std::invocable Function>
  void call(Function function, const source_location& where = source_location::current()) const
    requires host_function_port<Port>
  {
    const native_type native = this->use(where);
    this->facts().calls.call(this->parent().state(), native, std::move(function), where);
  }
  /// Hands enqueued commands to the device without waiting. Throws: `error`. Thread safety: safe. Wraps `clFlush`.
  void flush(const source_location& where = source_location::current()) const {
    const native_type native = this->use(where);
    this->parent().flush([&] { port_traits<Port>::flush(port(), native, where); });
  }
  /// Returns: an event behind every command enqueued so far and behind the events of `after`.
  /// Throws: `error`. Thread safety: safe. Wraps `clEnqueueMarkerWithWaitList`.
  [[nodiscard]] event<Port> record(const wait_list<Port>& after = {},
                                   const source_location& where = source_location::current()) const {
    const native_type native = this->use(where);
    const context_state<Port>& in = *context_of().shared();
    if constexpr (event_reusing_port<Port>) {
      if (in.port.reuses_events(native)) {
        if (!after.empty()) in.port.wait_in_stream(native, after.view(context_of(), where), where);
        return event<Port>::own_recorded(origin(), native, record_reused<false, Port>(in, native, where));
      }
    }
    if constexpr (recorded_in_context<Port>) {
      if (after.empty()) return event<Port>::own(origin(), in.port.record_in(in.native, native, where));
    }
    return event<Port>::own(origin(), in.port.record(native, after.view(context_of(), where), where));
  }
  /// The same for a timed event. Requires: `has_timing()`.
  /// Throws: `logic_error` on a stream without timing, before anything is enqueued; `error`. Thread safety: safe.
  [[nodiscard]] timed_event<Port> record_timed(const source_location& where = source_location::current()) const {
    const native_type native = this->use(where);
    check_timing(has_timing(), where);
    if constexpr (event_reusing_port<Port>) {
      const context_state<Port>& in = *context_of().shared();
      if (in.port.reuses_events(native)) {
        return timed_event<Port>::own_recorded(origin(), native, record_reused<true, Port>(in, native, where));
      }
    }
    return timed_event<Port>::own(origin(), port().record_timed(native, {}, where));
  }
  /// Records an event again, behind every command enqueued so far; an empty event gets a native one first. Streams that
  /// already wait for the earlier point still wait for that one.
  ///
  /// Effects: one driver call on CUDA. On OpenCL, where an event belongs to one command, a new native event replaces
  /// the old one; also on CUDA while a callback of `on_complete` waits for the old one. A borrowed native event is
  /// recorded again on CUDA, and left alone on OpenCL.
  /// Throws: `logic_error` for an event of another context; `error`; the event then keeps its earlier point.
  /// Thread safety: safe while nobody else uses the event. Wraps `cuEventRecord`, `clEnqueueMarkerWithWaitList`.
  void record_into(event<Port>& existing, const source_location& where = source_location::current()) const {
    record_again(existing, where);
  }
  /// The same for a timed event. Requires: `has_timing()`.
  /// Throws: `logic_error` on a stream without timing; as above.
  void record_into(timed_event<Port>& existing, const source_location& where = source_location::current()) const {
    record_again(existing, where);
  }
  /// Makes later commands wait for the events on the device; the host goes on.
  /// Effects: flushes the streams of the events.
  /// Throws: `runtime_error` when an event's command has failed; on OpenCL `logic_error` for events of another context.
  /// Thread safety: safe. Wraps `clEnqueueBarrierWithWaitList`.
  void wait(const wait_list<Port>& events, const source_location& where = source_location::current()) const {
    const native_type native = this->use(where);
    port().wait_in_stream(native, events.view(context_of(), where), where);
  }
  /// The same for one event.
  /// Effects: one driver call. On OpenCL, flushes the event's stream first, unless that is this stream or was flushed
  /// since the record. On OpenCL, later commands report the event's failure, unless the program has user events. For
  /// events that are adopted, borrowed or recorded through a borrowed stream, asks the driver which stream to flush.
  template <class Event>
    requires std::derived_from<Event, event_base<Event, Port>>
  [[gnu::always_inline]] void wait(const Event& event,
                                   const source_location& where = source_location::current()) const {
    std::int32_t code = direct_unusual;
    if constexpr (direct_enqueue_port<Port>) {
      const native_type native = this->native_handle();
      const auto* const in = context_of().shared();
      // An event that has this stream's context is not empty.
      if (native != native_type{} && event.context_of().shared() == in) [[likely]]
        code = event.wait_directly(origin(), native, [&](native_type first) {
          return in->port.wait_directly(native, event.native_place(), first);
        });
    }
    // Copies `where` only on failure, so that it otherwise stays in registers.
    if (code != 0) [[unlikely]]
      wait_otherwise(event, code, source_location(where));
  }
  /// Whether every command enqueued so far is done.
  /// Effects: asks the driver; on backends that cannot answer, records an event and polls it for at most a millisecond.
  /// Throws: `error`. Thread safety: safe. Wraps `cuStreamQuery`.
  [[nodiscard]] bool is_done(const source_location& where = source_location::current()) const {
    const native_type native = this->use(where);
    if constexpr (stream_query_port<Port>) return port().stream_is_done(native, where);
    const event<Port> point = record({}, where);
    flush(where);
    // Even an idle stream takes a moment to reach the event: a single query would always return false.
    const auto until = std::chrono::steady_clock::now() + std::chrono::milliseconds(1);
    while (!point.is_done(where)) {
      if (std::chrono::steady_clock::now() > until) return false;
    }
    return true;
  }

 protected:
  friend base;
  static void destroy(context_reference<Port>& parent, native_type native, stream_facts<Port>& facts) noexcept {
    facts.calls.abandon();
    if (!parent.leave()) parent.state().release_stream(native);  // else the last event recorded in it releases it
  }
  stream_base(const yoke::context<Port>& context, native_type native, bool owned, std::size_t device_index, bool timing)
      : base(context, native, owned, {static_cast<std::uint32_t>(device_index), timing}) {
    this->parent().found(native, owned);
  }

  /// Takes over a reference to the native stream of another handle.
  stream_base(const stream_base& other, native_type retained) noexcept
      : base(other.context_of(), retained, true,
             {.device_index = other.facts().device_index,
              .timing = other.facts().timing,
              .memory = other.facts().memory}) {
    this->parent().found(retained, true);
  }

  /// Returns: a native stream to adopt or borrow. Throws: `logic_error` if it is null, unknown or of another context.
  static native_type checked(const yoke::context<Port>& context, native_type native, const source_location& where) {
    if (native == native_type{}) throw_null_native("stream", where);
    const auto of =
        ask_native("stream", native, where, [&] { return context.port(where).stream_context(native, where); });
    if (!(of == context.state(where).living(where)))
      throw_foreign_native("stream", native_value(native), "context", where);
    return native;
  }
  /// Requires: this is not empty.
  [[nodiscard]] const Port& port() const noexcept { return context_of().shared()->port; }

 private:
  template <class Event>
  static constexpr bool is_timed = std::same_as<Event, timed_event<Port>>;
  template <class Event>
  void record_again(Event& existing, const source_location& where) const {
    const native_type native = this->use(where);
    if constexpr (is_timed<Event>) check_timing(has_timing(), where);
    if (!existing || existing.is_called_back()) return record_anew(existing, where);
    existing.own_again(
        origin(), [&](typename Port::event_handle now) { return port().record_into(native, now, where); }, where);
  }
  template <class Event>
  [[gnu::noinline, gnu::cold]] void wait_otherwise(const Event& event, std::int32_t code,
                                                   const source_location& where) const {
    if constexpr (direct_enqueue_port<Port>) {
      if (code != direct_unusual) port().refused(direct_command::wait, code, {}, where);
    }
    wait(wait_list<Port>(event), where);
  }
  template <class Event>
  void record_anew(Event& existing, const source_location& where) const {
    if constexpr (is_timed<Event>) {
      existing = record_timed(where);
    } else {
      existing = record({}, where);
    }
  }
};

}  // namespace detail

/// A stream whose commands run in the order in which they were enqueued. Move-only.
/// On OpenCL the native queue lives until the last event recorded through it is gone; the handle's end then flushes it.
/// Thread safety: enqueueing from several threads is safe; moving, resetting and destroying are not.
template <class Port = any_port>
class stream : public detail::stream_base<stream<Port>, Port> {
  using base = detail::stream_base<stream<Port>, Port>;

 public:
  static constexpr const char* noun = "stream";

  stream() noexcept = default;
  /// A stream on the context's only device.
  /// Throws: `logic_error` when the context has several devices; `error`. Wraps `clCreateCommandQueue`.
  [[gnu::cold]] explicit stream(const context<Port>& context, const stream_options_for<Port>& options = {},
                                const source_location& where = source_location::current())
      : stream(context, context.only_device(where), options, where) {}
  /// A stream on one of the context's devices.
  /// Throws: `logic_error` when the device is not one of them; `error`. Wraps `clCreateCommandQueue`.
  stream(const context<Port>& context, const device<Port>& device, const stream_options_for<Port>& options = {},
         const source_location& where = source_location::current())
      : stream(context, context.index_of(device.native_handle(), where), options, where) {}

 private:
  friend base;
  friend typename base::handle;
  using base::base;
  [[gnu::cold]] stream(const context<Port>& context, std::size_t index, const stream_options_for<Port>& options,
                       const source_location& where)
      : base(context,
             context.port(where).create_stream(context.state(where).living(where),
                                               context.devices(where)[index].native_handle(), options, where),
             true, index, options.timing || port_traits<Port>::times_every_stream) {}
  stream(const context<Port>& context, typename Port::stream_handle native, bool owned, const source_location& where)
      // Braces evaluate in order, so the checks come first.
      : base{context, check_order(context, base::checked(context, native, where), where), owned,
             context.index_of(context.port(where).stream_device(native, where), where),
             port_traits<Port>::stream_has_timing(context.port(where), native, where)} {}

  static typename Port::stream_handle check_order(const context<Port>& context, typename Port::stream_handle native,
                                                  const source_location& where) {
    if constexpr (out_of_order_port<Port>) {
      if (context.port(where).stream_is_out_of_order(native, where)) {
        detail::throw_error(errc::invalid_argument, "the native queue is out of order: take it as out_of_order_stream",
                            where);
      }
    }
    return native;
  }
};

/// A stream whose commands run as soon as the events that they wait for are done. Move-only.
/// Enqueue with `kernel.enqueue`, `copy_async` and `fill`, and with `.after`; `operator()` of kernels needs an in-order
/// stream.
template <out_of_order_port Port>
class out_of_order_stream : public detail::stream_base<out_of_order_stream<Port>, Port> {
  using base = detail::stream_base<out_of_order_stream<Port>, Port>;

 public:
  static constexpr const char* noun = "out-of-order stream";

  out_of_order_stream() noexcept = default;
  /// Throws: `unsupported_error` if the device lacks out-of-order streams; `error`. Wraps `clCreateCommandQueue`.
  explicit out_of_order_stream(const context<Port>& context, const stream_options_for<Port>& options = {},
                               const source_location& where = source_location::current())
      : out_of_order_stream(context, context.only_device(where), options, where) {}
  out_of_order_stream(const context<Port>& context, const device<Port>& device,
                      const stream_options_for<Port>& options = {},
                      const source_location& where = source_location::current())
      : out_of_order_stream(context, context.index_of(device.native_handle(), where), options, where) {}

  /// Returns: an event that waits for everything enqueued so far, or only for `after`. Later commands start behind it.
  /// Throws: `error`. Thread safety: safe. Wraps `clEnqueueBarrierWithWaitList`.
  [[nodiscard]] event<Port> barrier(const wait_list<Port>& after = {},
                                    const source_location& where = source_location::current()) const {
    const auto native = this->use(where);
    auto& sides = detail::side_streams<Port>::of(*this, where);
    auto made =
        event<Port>::own(this->origin(), this->port().barrier(native, after.view(this->context_of(), where), where));
    sides.keep_barrier(made, where);
    return made;
  }

 private:
  friend base;
  friend typename base::handle;
  out_of_order_stream(const context<Port>& context, std::size_t index, const stream_options_for<Port>& options,
                      const source_location& where)
      : base(context,
             context.port(where).create_out_of_order_stream(
                 context.state(where).living(where), context.devices(where)[index].native_handle(), options, where),
             true, index, options.timing) {}
  out_of_order_stream(const base& other, typename Port::stream_handle retained) noexcept : base(other, retained) {}
  out_of_order_stream(const context<Port>& context, typename Port::stream_handle native, bool owned,
                      const source_location& where)
      : base{context, base::checked(context, native, where), owned,
             context.index_of(context.port(where).stream_device(native, where), where),
             port_traits<Port>::stream_has_timing(context.port(where), native, where)} {}
};

}  // namespace yoke::inline v0_1

#endif
