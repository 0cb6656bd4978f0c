// SPDX-License-Identifier: MIT
// The events that a context keeps for the next record, on backends that record an event again.
#ifndef YOKE_EXECUTION_IDLE_EVENTS_HPP
#define YOKE_EXECUTION_IDLE_EVENTS_HPP

#include <yoke/core/shared.hpp>
#include <yoke/driver/concepts.hpp>

#include <array>

namespace yoke::inline v0_1::detail {

/// Ports whose events can be recorded again, in any stream of the context for which `reuses_events` says so. An event that
/// is not done may be recorded again, too: who waits for its earlier point still waits for that one.
template <class Port>
concept event_reusing_port =
    direct_enqueue_port<Port> &&
    requires(const Port& port, typename Port::stream_handle stream, typename Port::event_handle event) {
      { port.reuses_events(stream) } noexcept -> std::same_as<bool>;
      { port.forget_event(event) } noexcept -> std::same_as<bool>;
    };

/// Native events of one kind that nobody uses. Each is in one place: whoever takes it out owns it.
/// Thread safety: safe. No lock is held, so that a process may fork at any time.
template <class Native>
class idle_event_list {
 public:
  static constexpr std::size_t most = 64;

  /// Returns: an event that the caller now owns; none if all are in use.
  [[nodiscard]] Native take() noexcept {
    // The last one first: with one thread the first `count_` places are taken. Threads may leave gaps, and events behind them.
    const std::size_t now = bounded();
    for (std::size_t n = 1; now != 0 && n <= most; ++n) {
      if (const Native found = take_at((now + most - n) % most); !(found == Native{})) return found;
    }
    return {};
  }
  /// Effects: takes the event over if there is a place. Returns: whether there was.
  [[nodiscard]] bool give(Native event) noexcept {
    const std::size_t now = bounded();
    if (now == most) return false;  // whoever has many in flight does not look at each place for each of them
    for (std::size_t n = 0; n < most; ++n) {
      if (give_at((now + n) % most, event)) return true;
    }
    return false;
  }
  /// Whether there is none. Thread safety: while nobody else uses the list.
  [[nodiscard]] bool empty() const noexcept { return count_.load(order::relaxed) == 0; }
  /// Effects: puts an event into a place, which is free, as threads may do that take and give at once. For tests.
  void misplace(Native event, std::size_t place) noexcept { (void)give_at(place, event); }
  /// Effects: calls `end` for each event. Thread safety: while nobody else uses the list.
  template <class End>
  void clear(End&& end) noexcept {
    for (std::size_t i = 0; i < most; ++i) {
      if (const Native found = exchange(i, {}); !(found == Native{})) end(found);
    }
    count_.store(0, order::relaxed);
  }

 private:
  // The count is a hint: threads change it a moment after the places.
  [[nodiscard]] std::size_t bounded() const noexcept {
    const std::size_t now = count_.load(order::relaxed);
    return now < most ? now : most;
  }
  [[nodiscard]] Native take_at(std::size_t place) noexcept {
    const Native found = exchange(place, {});
    if (!(found == Native{})) count_.fetch_sub(1, order::relaxed);
    return found;
  }
  [[nodiscard]] bool give_at(std::size_t place, Native& event) noexcept {
    Native none{};
    if (!__atomic_compare_exchange(&places_[place], &none, &event, false, __ATOMIC_ACQ_REL, __ATOMIC_RELAXED))
      return false;
    count_.fetch_add(1, order::relaxed);
    return true;
  }
  [[nodiscard]] Native exchange(std::size_t place, Native next) noexcept {
    Native had{};
    __atomic_exchange(&places_[place], &next, &had, __ATOMIC_ACQ_REL);
    return had;
  }

  std::array<Native, most> places_{};
  atomic<std::size_t> count_{0};
};

/// The idle events of a context, which end with it.
template <class Port>
struct idle_events {
  template <class In>
  void end(const In&) noexcept {}
};

template <event_reusing_port Port>
struct idle_events<Port> {
  using native_type = typename Port::event_handle;

  /// Effects: destroys them, unless others have ended the context and its events with it.
  template <class In>
  void end(const In& in) noexcept {
    if (untimed.empty() && timed.empty()) return;
    const bool gone = in.gone();
    const auto each = [&](native_type native) {
      if (!gone) in.report(in.port.release_event(native));
    };
    untimed.clear(each);
    timed.clear(each);
  }

  idle_event_list<native_type> untimed;
  idle_event_list<native_type> timed;
};

/// Returns: an event that marks this point of a stream of the context: an idle one, or a new one. Throws: `error`.
template <bool Timed, event_reusing_port Port, class In>
typename Port::event_handle record_reused(const In& in, typename Port::stream_handle stream,
                                          const source_location& where) {
  auto& idle = Timed ? in.idle.timed : in.idle.untimed;
  if (typename Port::event_handle event = idle.take(); !(event == typename Port::event_handle{})) [[likely]] {
    const std::int32_t code = in.port.record_directly(stream, event);
    if (code == 0) [[likely]]
      return event;
    // What the failure means for the event is not known.
    if (!in.gone()) in.report(in.port.release_event(event));
    if (code != direct_unusual) in.port.refused(direct_command::record, code, {}, where);
  }
  if constexpr (Timed) return in.port.record_timed(stream, {}, where);
  return in.port.record_in(in.native, stream, where);
}

}  // namespace yoke::inline v0_1::detail

#endif
