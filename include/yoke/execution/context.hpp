// SPDX-License-Identifier: MIT
// A context over one or several devices: a shared handle that every object made in it keeps alive.
#ifndef YOKE_EXECUTION_CONTEXT_HPP
#define YOKE_EXECUTION_CONTEXT_HPP

#include <yoke/core/once_map.hpp>
#include <yoke/core/shared.hpp>
#include <yoke/execution/active_context.hpp>
#include <yoke/execution/callback_thread.hpp>
#include <yoke/execution/device.hpp>
#include <yoke/execution/idle_events.hpp>
#include <yoke/execution/staging_options.hpp>

#include <cstring>
#include <span>
#include <vector>

namespace yoke::inline v0_1 {

namespace detail {

/// Releases the native context. Allocated together with the context, so that its end needs no memory.
template <class Port>
struct context_end final : pending_callback {
  explicit context_end(const Port& with) : port(with) {}
  void ask() noexcept override {}
  bool run() noexcept override {
    if (native != typename Port::context_handle{}) report_release(port, port.release_context(native));
    return true;
  }
  Port port;
  typename Port::context_handle native{};  // null when borrowed
};

/// A native context and its identity.
template <class Port>
struct known_context {
  Port port;
  typename Port::context_handle native{};
  std::uint64_t id = 0;  // another context may get the same address later
  bool borrowed = false;

  /// Whether other code has ended the context, and with it every object made in it. Drivers must not be given those any
  /// more.
  [[nodiscard]] bool gone() const noexcept { return port_traits<Port>::context_is_gone(port, native, id); }
  /// Returns: the native context, to make an object in it. Throws: `context_lost_error` when other code has ended it,
  /// because another context may have its address now.
  [[nodiscard]] typename Port::context_handle living(const source_location& where) const {
    if (gone()) [[unlikely]]
      throw_error(errc::context_ended, "others have ended this context", where);
    return native;
  }
  [[gnu::noinline, gnu::cold]] void report_failed(const release_result& result) const noexcept {
    if (!gone()) report_release(port, result);
  }
  /// Whether the context is borrowed and its owner has ended it.
  [[nodiscard]] bool left_us() const noexcept { return borrowed && gone(); }
  /// Effects: drops a reference to a native stream that `retain_stream` added.
  [[gnu::noinline]] void release_stream(typename Port::stream_handle stream) const noexcept {
    if (!port_traits<Port>::forget_stream(port, stream) && !gone()) report(port.release_stream(stream));
  }
  /// Effects: reports a failed release, unless other code has ended the context.
  void report(const release_result& result) const noexcept {
    if (result.code != 0) [[unlikely]]
      report_failed(result);
  }
};

/// Idle memory that a context keeps for reuse and can return to the driver.
class kept_memory {
 public:
  kept_memory() = default;
  kept_memory(const kept_memory&) = delete;
  kept_memory& operator=(const kept_memory&) = delete;
  /// Effects: returns the idle memory to the driver. Returns: whether there was any. Thread safety: safe.
  virtual bool give_up() noexcept = 0;

 protected:
  ~kept_memory() = default;
};

/// The state that the copies of a context share.
template <class Port>
struct context_state : known_context<Port> {
  std::vector<device<Port>> devices;
  std::vector<device_limits> limits;
  owner<pending_callback> end;
  typename Port::context_handle& owned;  // the handle that `end` releases
  callback_thread callbacks;
  attachments attached;                // objects of higher floors, such as compiled kernels
  atomic<kept_memory*> kept{nullptr};  // one of `attached`; null without a pool
  atomic<std::uint64_t> streams{0};    // how many streams have a number
  [[no_unique_address]] mutable idle_events<Port> idle;
  staging_setting staging;

  explicit context_state(const Port& with) : context_state(with, new context_end<Port>(with)) {}
  context_state(const context_state&) = delete;
  context_state& operator=(const context_state&) = delete;
  ~context_state() {
    attached.clear();
    idle.end(*this);
    callbacks.finish(std::move(end));
  }

  void take(typename Port::context_handle handle, bool is_owned) noexcept {
    this->native = handle;
    this->id = port_traits<Port>::context_identity(this->port, handle);
    this->borrowed = !is_owned;
    if (is_owned) owned = handle;
  }

 private:
  context_state(const Port& with, context_end<Port>* last) noexcept
      : known_context<Port>{with}, end(last), owned(last->native) {}
};

/// Returns: the result of `allocate()`. If memory runs out, returns the context's idle memory to the driver and tries
/// once more.
/// Throws: as `allocate`.
template <class Port, class Allocate>
[[nodiscard]] auto allocate_in(const context_state<Port>& in, const Allocate& allocate) {
  try {
    return allocate();
  } catch (const memory_error&) {
    kept_memory* const kept = in.kept.load(order::acquire);
    if (kept == nullptr || !kept->give_up()) throw;
  }
  return allocate();
}

/// A context that this view does not keep alive; `context_reference` does. Memory blocks use it: the owner of a block
/// keeps the context alive, or the context's end waits for the callback that holds the block.
template <class Port>
struct context_view : known_context<Port> {
  explicit context_view(const context_state<Port>& state) : known_context<Port>(state) {}
};

template <class Port>
void learn_limits(context_state<Port>& state, const source_location& where) {
  for (const device<Port>& each : state.devices) state.limits.push_back(each.limits(where));
}

/// Effects: makes a native context. Throws: `logic_error` for a list that is empty, repeats a device or mixes backends;
/// `error`.
template <class Port>
[[gnu::cold]] shared<context_state<Port>> new_context_state(const std::span<const device<Port>>& devices,
                                                            const source_location& where) {
  if (devices.empty()) throw_error(errc::invalid_argument, "a context needs at least one device", where);
  std::vector<typename Port::device_handle> natives;
  for (const device<Port>& each : devices) {
    if (!(each.port() == devices.front().port())) {
      throw_error(errc::wrong_context, "devices of several backends in one context", where);
    }
    for (std::size_t i = 0; i < natives.size(); ++i) {
      if (!(natives[i] == each.native_handle())) continue;
      throw_error(errc::invalid_argument, text("devices ", i, " and ", natives.size(), " of the context are the same"),
                  where);
    }
    natives.push_back(each.native_handle());
  }
  auto state = make_shared<context_state<Port>>(devices.front().port());
  state->devices.reserve(devices.size());
  for (const device<Port>& each : devices) state->devices.push_back(each);
  learn_limits(*state, where);
  state->take(state->port.create_context(natives, where), true);
  return state;
}

/// Returns: the state of an adopted or borrowed native context. Throws: `error`; the caller then keeps the native
/// context.
template <class Port>
[[gnu::cold]] shared<context_state<Port>> native_context_state(const Port& port, typename Port::context_handle native,
                                                               bool owned, const source_location& where) {
  if (native == typename Port::context_handle{}) throw_null_native("context", where);
  auto state = make_shared<context_state<Port>>(port);
  const auto devices = ask_native("context", native, where, [&] { return port.context_devices(native, where); });
  for (const auto each : devices) state->devices.push_back(device<Port>::borrow(port, each));
  learn_limits(*state, where);
  state->take(native, owned);
  return state;
}

/// The device of a default-constructed context; `execution/select.hpp` defines it.
template <class Port>
struct automatic_choice;

}  // namespace detail

/// A context. Copies share it. It ends when the last copy and the last handle made in it are gone; its end waits for
/// pending callbacks of `event::on_complete`.
/// Thread safety: safe.
template <class Port = any_port>
class context {
  static_assert(detail::known_port<Port>, "handles of any backend are in <yoke/yoke.hpp>: include that");

 public:
  using port_type = Port;
  using native_type = typename Port::context_handle;

  /// A context over the device that `$YOKE_DEVICE` names, else over the best of any backend (see `choose_device`).
  /// Throws: `unsupported_error` that says which device was asked for.
  explicit context(const source_location& where = source_location::current())
    requires std::same_as<Port, any_port>
      : context(detail::automatic_choice<Port>::device(where), where) {}

  /// A context over one device.
  /// Throws: `error`. Wraps `clCreateContext`.
  explicit context(const device<Port>& device, const source_location& where = source_location::current())
      : context(std::span{&device, 1}, where) {}

  /// A context over several devices of one platform; streams then name their device: `stream{ctx, device}`.
  /// Throws: `logic_error` for an empty list, a device given twice or devices of several drivers; `error`.
  /// Wraps `clCreateContext`.
  explicit context(std::span<const device<Port>> devices, const source_location& where = source_location::current())
      : state_(detail::new_context_state(devices, where)) {}
  explicit context(const std::vector<device<Port>>& devices, const source_location& where = source_location::current())
      : context(std::span<const device<Port>>{devices}, where) {}

  /// Takes ownership of one reference to a native context. Throws: `error`; the caller then keeps the reference.
  [[nodiscard]] static context adopt(const Port& port, native_type native,
                                     const source_location& where = source_location::current()) {
    return context(detail::native_context_state(port, native, true, where));
  }
  /// Uses a native context without owning it. Requires: the native context outlives this.
  [[nodiscard]] static context borrow(const Port& port, native_type native,
                                      const source_location& where = source_location::current()) {
    return context(detail::native_context_state(port, native, false, where));
  }
  /// Shares a native context with the caller, by a reference of this handle's own. Throws: as `adopt`. Wraps
  /// `clRetainContext`.
  [[nodiscard]] static context retain(const Port& port, native_type native,
                                      const source_location& where = source_location::current())
    requires counting_port<Port>
  {
    auto state = detail::native_context_state(port, native, false, where);
    port.retain_context(native, where);
    state->take(native, true);
    return context(std::move(state));
  }

  /// The driver's context; null when empty (moved from).
  [[nodiscard]] native_type native_handle() const noexcept { return state_ ? state_->native : native_type{}; }
  /// Adds a reference to the driver's context for the caller, who has to release it. Replaces `release()`, because a
  /// shared handle cannot give up its own reference.
  /// Returns: the driver's context. Throws: `error`. Thread safety: safe.
  /// Wraps `clRetainContext`, `cuDevicePrimaryCtxRetain`.
  [[nodiscard]] native_type retain_native(const source_location& where = source_location::current()) const {
    state(where).port.retain_context(state_->native, where);
    return state_->native;
  }
  void reset() noexcept { state_.reset(); }
  void swap(context& other) noexcept { state_.swap(other.state_); }
  friend void swap(context& left, context& right) noexcept { left.swap(right); }
  [[nodiscard]] explicit operator bool() const noexcept { return state_ != nullptr; }
  [[nodiscard]] friend bool operator==(const context& left, const context& right) noexcept {
    return left.native_handle() == right.native_handle();
  }

  [[nodiscard]] const Port& port(const source_location& where = source_location::current()) const {
    return state(where).port;
  }
  /// The devices of this context. Each stream runs on one of them: `stream.device_of()`.
  [[nodiscard]] const std::vector<device<Port>>& devices(
      const source_location& where = source_location::current()) const {
    return state(where).devices;
  }
  /// The only device. Throws: `logic_error` when there are several.
  [[nodiscard]] const device<Port>& only_device(const source_location& where = source_location::current()) const {
    const auto& all = devices(where);
    if (all.size() != 1) {
      detail::throw_error(
          errc::invalid_argument,
          detail::text("this context has ", all.size(), " devices: say which, as in stream{ctx, device}"), where);
    }
    return all.front();
  }

  /// Makes this context current on the calling thread until the guard ends, for other libraries' code that needs a
  /// current context; yoke itself does not need one. Throws: `error`; then nothing has changed. Wraps
  /// `cuCtxPushCurrent`.
  [[nodiscard]] active_context<Port> activate(const source_location& where = source_location::current()) const
    requires current_context_port<Port>;

  // For the handles made in this context.
  /// Returns: the index of a device in `devices()`. Throws: `logic_error` when the context does not have it.
  std::size_t index_of(typename Port::device_handle native, const source_location& where) const {
    const auto& all = devices(where);
    for (std::size_t i = 0; i < all.size(); ++i) {
      if (all[i].native_handle() == native) return i;
    }
    detail::throw_error(errc::wrong_context, "the device is not one of this context's", where);
  }
  [[nodiscard]] detail::context_state<Port>& state(const source_location& where = source_location::current()) const {
    if (!state_) [[unlikely]]
      detail::throw_error(errc::empty_handle, "this context is empty (moved from)", where);
    return *state_;
  }
  // Whether this keeps its state alive.
  [[nodiscard]] bool is_owner() const noexcept { return state_.use_count() != 0; }
  // The state that the copies share, without a check; null when empty.
  [[nodiscard]] const detail::context_state<Port>* shared() const noexcept { return state_.get(); }
  /// A context that does not keep its state alive, for objects that the state itself owns.
  [[nodiscard]] static context unowned(detail::context_state<Port>& state) noexcept {
    return context(detail::shared<detail::context_state<Port>>(&state, nullptr));
  }
  /// The context of a state.
  [[nodiscard]] static context of(detail::shared<detail::context_state<Port>> state) noexcept {
    return context(std::move(state));
  }
  /// An empty context, as empty handles have it.
  [[nodiscard]] static context none() noexcept { return context(detail::shared<detail::context_state<Port>>{}); }

 private:
  explicit context(detail::shared<detail::context_state<Port>> state) noexcept : state_(std::move(state)) {}

  detail::shared<detail::context_state<Port>> state_;
};

context() -> context<any_port>;

template <class Port>
active_context<Port> context<Port>::activate(const source_location& where) const
  requires current_context_port<Port>
{
  return active_context<Port>(*this, where);
}

}  // namespace yoke::inline v0_1

/// Hashes the native handle, which the driver may reuse once the context has ended.
template <class Port>
  requires std::has_unique_object_representations_v<typename Port::context_handle>
struct std::hash<yoke::context<Port>> {
  std::size_t operator()(const yoke::context<Port>& of) const noexcept {
    const typename Port::context_handle native = of.native_handle();
    std::uintptr_t number = 0;
    std::memcpy(&number, &native, sizeof native);
    return std::hash<std::uintptr_t>{}(number);
  }
};

namespace yoke::inline v0_1::detail {
// Compiled once, in the library, to spare programs the compile time.
extern template YOKE_API shared<context_state<any_port>> new_context_state(const std::span<const device<any_port>>&,
                                                                           const source_location&);
}  // namespace yoke::inline v0_1::detail

#if defined(YOKE_IMPLEMENTATION)
#include <yoke/execution/context.ipp>
#endif

#endif
