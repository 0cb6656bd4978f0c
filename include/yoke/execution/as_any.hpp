// SPDX-License-Identifier: MIT
// Converts devices, contexts and streams of one backend to handles of any backend, for functions over `yoke::stream<>`.
#ifndef YOKE_EXECUTION_AS_ANY_HPP
#define YOKE_EXECUTION_AS_ANY_HPP

#include <yoke/driver/any/port.hpp>
#include <yoke/execution/stream.hpp>

#include <mutex>

namespace yoke::inline v0_1 {

namespace detail {

/// Where a backend's context finds its counterpart of any backend while that one lives.
struct any_context_slot {
  std::mutex mutex;
  shared<context_state<any_port>> state;  // does not keep it alive
  shared_count* count = nullptr;          // of the counterpart's owners
};
/// Attached to the state of a backend's context.
struct known_any_context {
  shared<any_context_slot> slot = make_shared<any_context_slot>();
};

/// Attached to the state of the counterpart: empties the slot when that state ends.
class end_of_any_context {
 public:
  end_of_any_context(const shared<any_context_slot>& slot, const shared_count* mine) noexcept
      : slot_(slot), mine_(mine) {}
  end_of_any_context(const end_of_any_context&) = delete;
  end_of_any_context& operator=(const end_of_any_context&) = delete;
  ~end_of_any_context() {
    const std::lock_guard lock(slot_->mutex);
    if (slot_->count != mine_) return;
    slot_->state = {};
    slot_->count = nullptr;
  }

 private:
  shared<any_context_slot> slot_;
  const shared_count* mine_;
};
struct kept_end_of_any_context {
  shared<end_of_any_context> end;
};

}  // namespace detail

/// Converts a device of one backend to a device of any backend. A sub-device lives until both handles are gone.
/// Throws: `logic_error` for an empty device. Thread safety: safe.
template <class Port>
[[nodiscard]] device<any_port> as_any(const device<Port>& of,
                                      const source_location& where = source_location::current()) {
  if constexpr (std::same_as<Port, any_port>) {
    return of;
  } else {
    return device<any_port>::sharing(of.port(), detail::wrapped<any_port::device_handle>(of.native_handle()),
                                     of.keep_alive(), where);
  }
}

/// Converts a context of one backend to a context of any backend. Both use the same native context, which lives until
/// both are gone.
/// Returns: while the result lives, the same one at each call, with the kernels that it has compiled.
/// Throws: `logic_error` for an empty context; `error`. Thread safety: safe.
/// Wraps `clRetainContext`, `cuDevicePrimaryCtxRetain`.
template <class Port>
[[nodiscard]] context<any_port> as_any(const context<Port>& of,
                                       const source_location& where = source_location::current()) {
  if constexpr (std::same_as<Port, any_port>) {
    return of;
  } else {
    using namespace detail;
    const shared<any_context_slot> slot = of.state(where).attached.template get<known_any_context>().slot;
    const std::lock_guard lock(slot->mutex);
    if (slot->count != nullptr && slot->count->add_if_any()) {
      return context<any_port>::of(shared<context_state<any_port>>(slot->state.get(), slot->count));
    }
    const auto native = of.retain_native(where);
    shared<context_state<any_port>> state;
    try {
      state = native_context_state(any_port(of.port(where)), wrapped<any_port::context_handle>(native), true, where);
    } catch (...) {
      report_release(of.port(where), of.port(where).release_context(native));
      throw;
    }
    for (std::size_t i = 0; i < state->devices.size(); ++i) state->devices[i] = as_any(of.devices(where)[i], where);
    (void)state->attached.get<kept_end_of_any_context>(
        [&] { return kept_end_of_any_context{make_shared<end_of_any_context>(slot, state.count())}; });
    slot->state = shared<context_state<any_port>>(state.get(), nullptr);
    slot->count = state.count();
    return context<any_port>::of(std::move(state));
  }
}

/// Converts a stream of one backend to a stream of any backend. Both use the same native stream, which lives until both
/// are gone. Keep the result instead of converting often: memory pools keep a separate cache for each handle.
/// Throws: `logic_error` for an empty stream; `error`, `std::bad_alloc`. Thread safety: safe.
/// Wraps `clRetainCommandQueue`.
/// Example: `library_function(yoke::as_any(cuda_stream));` of `void library_function(const yoke::stream<>&)`.
template <class Port>
[[nodiscard]] stream<any_port> as_any(const stream<Port>& of,
                                      const source_location& where = source_location::current()) {
  if constexpr (std::same_as<Port, any_port>) {
    return of.another(where);
  } else {
    const std::size_t device = of.context_of().index_of(of.device_of(where).native_handle(), where);
    const context<any_port> in = as_any(of.context_of(), where);
    const auto native = of.native_handle();
    of.context_of().state().port.retain_stream(native, where);
    return stream<any_port>::sharing(in, detail::wrapped<any_port::stream_handle>(native), device, of.has_timing());
  }
}

}  // namespace yoke::inline v0_1

#endif
