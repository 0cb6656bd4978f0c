// SPDX-License-Identifier: MIT
// Devices, contexts and streams of a backend as those of any backend, for functions over `yoke::stream<>`.
#ifndef YOKE_EXECUTION_AS_ANY_HPP
#define YOKE_EXECUTION_AS_ANY_HPP

#include <yoke/driver/any/port.hpp>
#include <yoke/execution/stream.hpp>

#include <mutex>

namespace yoke::inline v0_1 {

namespace detail {

/// Where a context's state finds that of any backend, while there is one.
struct any_context_place {
  std::mutex mutex;
  shared<context_state<any_port>> state;  // without a share
  shared_count* count = nullptr;
};
/// The state of a backend's context has this.
struct known_any_context {
  shared<any_context_place> place = make_shared<any_context_place>();
};
/// The state of any backend's context has this: its end leaves the place.
class end_of_any_context {
 public:
  end_of_any_context(const shared<any_context_place>& place, const shared_count* mine) noexcept
      : place_(place), mine_(mine) {}
  end_of_any_context(const end_of_any_context&) = delete;
  end_of_any_context& operator=(const end_of_any_context&) = delete;
  ~end_of_any_context() {
    const std::lock_guard lock(place_->mutex);
    if (place_->count != mine_) return;
    place_->state = {};
    place_->count = nullptr;
  }

 private:
  shared<any_context_place> place_;
  const shared_count* mine_;
};
struct kept_end_of_any_context {
  shared<end_of_any_context> end;
};

}  // namespace detail

/// A device of a backend as one of any backend. A sub-device lives as long as either.
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

/// A context of a backend as one of any backend: the same native context, which lives as long as either.
/// Returns: the same context each time while it lives, with the kernels that it has compiled.
/// Throws: `logic_error` for an empty context; `error`. Thread safety: safe.
/// Wraps `clRetainContext`, `cuDevicePrimaryCtxRetain`.
template <class Port>
[[nodiscard]] context<any_port> as_any(const context<Port>& of,
                                       const source_location& where = source_location::current()) {
  if constexpr (std::same_as<Port, any_port>) {
    return of;
  } else {
    using namespace detail;
    const shared<any_context_place> place = of.state(where).attached.template get<known_any_context>().place;
    const std::lock_guard lock(place->mutex);
    if (place->count != nullptr && place->count->add_if_any()) {
      return context<any_port>::of(shared<context_state<any_port>>(place->state.get(), place->count));
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
        [&] { return kept_end_of_any_context{make_shared<end_of_any_context>(place, state.count())}; });
    place->state = shared<context_state<any_port>>(state.get(), nullptr);
    place->count = state.count();
    return context<any_port>::of(std::move(state));
  }
}

/// A stream of a backend as one of any backend: the same native stream, which lives as long as either. Keep it where it is used
/// often: what pools have for a stream, they have for each.
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
