// SPDX-License-Identifier: MIT
// The events that a context keeps for reuse, on backends that can record an event again.
#ifndef YOKE_EXECUTION_IDLE_EVENTS_HPP
#define YOKE_EXECUTION_IDLE_EVENTS_HPP

#include <yoke/core/shared.hpp>
#include <yoke/driver/concepts.hpp>

#include <array>

namespace yoke::inline v0_1::detail {

/// Ports whose events can be recorded again, in every stream of the context for which `reuses_events` is true. An event
/// that has not completed may be recorded again, too: waits enqueued before still wait for its earlier point.
template <class Port>
concept event_reusing_port =
    direct_enqueue_port<Port> &&
    requires(const Port& port, typename Port::stream_handle stream, typename Port::event_handle event) {
      { port.reuses_events(stream) } noexcept -> std::same_as<bool>;
      { port.forget_event(event) } noexcept -> std::same_as<bool>;
    };

/// Native events of one kind that nobody uses, each in a slot; who takes one out owns it.
/// Thread safety: safe, without locks, so that a process may fork at any time.
template <class Native>
class idle_event_list {
 public:
  static constexpr std::size_t most = 64;

  /// Returns: an event that the caller now owns; null if there is none.
  [[nodiscard]] Native take() noexcept {
    // Backwards from `count_`: with one thread the first `count_` slots are full; several threads may leave gaps.
    const std::size_t now = bounded();
    for (std::size_t n = 1; now != 0 && n <= most; ++n) {
      if (const Native found = take_at((now + most - n) % most); !(found == Native{})) return found;
    }
    return {};
  }
  /// Effects: takes the event over if a slot is free. Returns: whether one was.
  [[nodiscard]] bool give(Native event) noexcept {
    const std::size_t now = bounded();
    if (now == most) return false;  // full: do not search all slots for each event
    for (std::size_t n = 0; n < most; ++n) {
      if (give_at((now + n) % most, event)) return true;
    }
    return false;
  }
  /// Whether the list is empty. Thread safety: only while nobody else uses the list.
  [[nodiscard]] bool empty() const noexcept { return count_.load(order::relaxed) == 0; }
  /// Effects: puts an event into a given free slot, as threads may do that take and give at once. For tests.
  void misplace(Native event, std::size_t slot) noexcept { (void)give_at(slot, event); }

  /// Effects: empties the list and calls `end` for each event. Thread safety: only while nobody else uses the list.
  template <class End>
  void clear(End&& end) noexcept {
    for (std::size_t i = 0; i < most; ++i) {
      if (const Native found = exchange(i, {}); !(found == Native{})) end(found);
    }
    count_.store(0, order::relaxed);
  }

 private:
  // The count is a hint: threads change it a moment after the slots.
  [[nodiscard]] std::size_t bounded() const noexcept {
    const std::size_t now = count_.load(order::relaxed);
    return now < most ? now : most;
  }
  [[nodiscard]] Native take_at(std::size_t slot) noexcept {
    const Native found = exchange(slot, {});
    if (!(found == Native{})) count_.fetch_sub(1, order::relaxed);
    return found;
  }
  [[nodiscard]] bool give_at(std::size_t slot, Native& event) noexcept {
    Native none{};
    if (!__atomic_compare_exchange(&slots_[slot], &none, &event, false, __ATOMIC_ACQ_REL, __ATOMIC_RELAXED))
      return false;
    count_.fetch_add(1, order::relaxed);
    return true;
  }
  [[nodiscard]] Native exchange(std::size_t slot, Native next) noexcept {
    Native had{};
    __atomic_exchange(&slots_[slot], &next, &had, __ATOMIC_ACQ_REL);
    return had;
  }

  std::array<Native, most> slots_{};
  atomic<std::size_t> count_{0};
};

/// The idle events of a context; its end destroys them.
template <class Port>
struct idle_events {
  template <class In>
  void end(const In&) noexcept {}
};

template <event_reusing_port Port>
struct idle_events<Port> {
  using native_type = typename Port::event_handle;

  /// Effects: destroys them, unless other code has ended the context, and with it the events.
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

/// Effects: records an idle event, or a new one, in a stream of the context. Returns: the event. Throws: `error`.
template <bool Timed, event_reusing_port Port, class In>
typename Port::event_handle record_reused(const In& in, typename Port::stream_handle stream,
                                          const source_location& where) {
  auto& idle = Timed ? in.idle.timed : in.idle.untimed;
  if (typename Port::event_handle event = idle.take(); !(event == typename Port::event_handle{})) [[likely]] {
    try {
      return in.port.record_into(stream, event, where);
    } catch (...) {  // the event's state is unknown
      if (!in.gone()) in.report(in.port.release_event(event));
      throw;
    }
  }
  if constexpr (Timed) return in.port.record_timed(stream, {}, where);
  return in.port.record_in(in.native, stream, where);
}

}  // namespace yoke::inline v0_1::detail

#endif
