// SPDX-License-Identifier: MIT
// Measures how long enqueued work takes on the device.
#ifndef YOKE_EXECUTION_TIMED_WORK_HPP
#define YOKE_EXECUTION_TIMED_WORK_HPP

#include <yoke/execution/stream.hpp>

#include <chrono>
#include <concepts>
#include <utility>

namespace yoke::inline v0_1 {

/// The work between two events, and its time; `timed` makes it. Move-only. The destructor does not wait.
/// Thread safety: safe for const functions.
template <class Port = any_port>
class timed_work {
 public:
  timed_work() noexcept = default;
  /// Requires: `stop` was recorded behind `start`.
  timed_work(timed_event<Port> start, timed_event<Port> stop) noexcept
      : start_(std::move(start)), stop_(std::move(stop)) {}

  /// Waits until the work is done. Throws: `runtime_error` when it failed; `logic_error` when this is empty.
  void wait(const source_location& where = source_location::current()) const { stop_.wait(where); }
  /// Whether the work has completed or failed. Throws: `error`.
  [[nodiscard]] bool is_done(const source_location& where = source_location::current()) const {
    return stop_.is_done(where);
  }
  /// Effects: waits. Returns: the time on the device. Throws: as `wait`. Wraps `cuEventElapsedTime`,
  /// `clGetEventProfilingInfo`.
  [[nodiscard]] std::chrono::nanoseconds get(const source_location& where = source_location::current()) const {
    stop_.wait(where);
    return stop_.time_since(start_, where);
  }

  [[nodiscard]] const timed_event<Port>& start() const noexcept { return start_; }
  [[nodiscard]] const timed_event<Port>& stop() const noexcept { return stop_; }

 private:
  timed_event<Port> start_;
  timed_event<Port> stop_;
};

/// Enqueues work between two timed events.
///
/// Effects: calls `work`, which enqueues launches, copies and fills in the stream.
/// Requires: a stream that `has_timing()`.
/// Returns: the work, which knows its time once it is done.
/// Throws: `logic_error` on a stream without timing, before anything is enqueued; what `work` throws; `error`.
/// Thread safety: safe; commands that other threads enqueue in the stream meanwhile count, too.
/// Example: `auto took = yoke::timed(stream, [&] { kernel(stream, shape, x); }); fmt::print("{}", took.get());`
template <class Port, std::invocable Work>
[[nodiscard]] timed_work<Port> timed(const stream<Port>& stream, Work&& work,
                                     const source_location& where = source_location::current()) {
  timed_event<Port> start = stream.record_timed(where);
  std::forward<Work>(work)();
  return {std::move(start), stream.record_timed(where)};
}

}  // namespace yoke::inline v0_1

#endif
