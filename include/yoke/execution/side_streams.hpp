// SPDX-License-Identifier: MIT
// The in-order streams in which the copies and fills of an out-of-order stream run.
#ifndef YOKE_EXECUTION_SIDE_STREAMS_HPP
#define YOKE_EXECUTION_SIDE_STREAMS_HPP

#include <yoke/execution/event.hpp>
#include <yoke/execution/stream_slot.hpp>

#include <mutex>
#include <thread>
#include <utility>
#include <vector>

namespace yoke::inline v0_1 {

template <class Port>
class stream;
template <out_of_order_port Port>
class out_of_order_stream;

namespace detail {

/// The streams beside an out-of-order stream. A copy may take several commands, which rely on an order: each copy runs
/// in an in-order stream in which nothing else waits, and a marker in the out-of-order stream waits for it. The
/// stream's last barrier is kept, for which each copy waits by itself.
template <out_of_order_port Port>
class side_streams final : public stream_note {
 public:
  explicit side_streams(const void* object) noexcept : stream_note(object) {}

  /// Returns: the streams beside `of`, made at the first call. Throws: `logic_error` for an empty stream;
  /// `std::bad_alloc`.
  [[nodiscard]] static side_streams& of(const out_of_order_stream<Port>& of, const source_location& where) {
    static const char mark = 0;
    if (!of) throw_empty_handle(out_of_order_stream<Port>::noun, where);
    if (stream_note* const found = of.slot().find(&mark)) return static_cast<side_streams&>(*found);
    auto fresh = make_owner<side_streams>(&mark);
    stream_notes& notes = of.slot().notes();
    while (!notes.try_lock()) std::this_thread::yield();
    stream_note* const faster = notes.find(&mark);
    if (faster == nullptr) notes.add(fresh.get());
    notes.unlock();
    return faster == nullptr ? *fresh.release() : static_cast<side_streams&>(*faster);
  }

  /// Effects: calls `work(side)` with a stream that waits for the last barrier alone. Returns: an event behind the
  /// work. Throws: as `work`; `error`.
  template <class Work>
  [[nodiscard]] event<Port> run(const out_of_order_stream<Port>& of, const Work& work, const source_location& where) {
    stream<Port> side = take(of, where);
    work(std::as_const(side));
    event<Port> end = side.record({}, where);
    (void)of.record(end, where);  // for barriers, markers and the end of the stream
    of.context_of().port(where).retain_event(end.native_handle(), where);
    event<Port> last = event<Port>::own(side.origin(), end.native_handle());
    const std::lock_guard lock(mutex_);
    idle_.emplace_back(std::move(side), std::move(last));
    return end;
  }

  /// Effects: lets later work wait for a barrier of `of`.
  void keep_barrier(const event<Port>& barrier, const source_location& where) {
    const context<Port>& in = barrier.context_of();
    in.port(where).retain_event(barrier.native_handle(), where);
    // Without the stream's origin, which would outlive the stream by it.
    event<Port> kept = event<Port>::own(context_reference<Port>(in), barrier.native_handle());
    const std::lock_guard lock(mutex_);
    barrier_ = std::move(kept);
  }

 private:
  stream<Port> take(const out_of_order_stream<Port>& of, const source_location& where) {
    const std::lock_guard lock(mutex_);
    stream<Port> found = take_idle(where);
    if (!found) found = stream<Port>(of.context_of(), of.device_of(where), {}, where);
    if (barrier_ && barrier_.is_done(where)) barrier_.reset();
    if (barrier_) found.wait(barrier_, where);
    return found;
  }
  /// Returns: a stream whose work is done; an empty one if there is none.
  stream<Port> take_idle(const source_location& where) {
    for (auto& each : idle_) {
      if (!each.second.is_done(where)) continue;
      std::swap(each, idle_.back());
      stream<Port> found = std::move(idle_.back().first);
      idle_.pop_back();
      return found;
    }
    return {};
  }

  std::mutex mutex_;
  std::vector<std::pair<stream<Port>, event<Port>>> idle_{};  // each with the end of its last work
  event<Port> barrier_{};
};

}  // namespace detail

}  // namespace yoke::inline v0_1

#endif
