// SPDX-License-Identifier: MIT
// Orders one operation with the work of other streams on the same memory.
#ifndef YOKE_EXECUTION_OTHER_STREAMS_HPP
#define YOKE_EXECUTION_OTHER_STREAMS_HPP

#include <yoke/execution/memory_uses.hpp>

namespace yoke::inline v0_1::detail {

/// The memory of other streams that one operation uses. Before the operation is enqueued, `use` makes its stream wait
/// for their work. After it is enqueued, the destructor notes it, so that later work waits for it. Does nothing if all
/// memory belongs to the operation's own stream.
template <class Port>
class other_streams {
 public:
  using point = typename memory_uses<Port>::point;

  explicit other_streams(const stream<Port>& in) noexcept
      : in_(&in), origin_(&in.origin()), native_(in.native_handle()) {}
  /// For an out-of-order stream: the operation waits for the events of `with_others`, and `note_behind` notes it.
  other_streams(const context_reference<Port>& origin, typename Port::stream_handle native) noexcept
      : origin_(&origin), native_(native) {}
  other_streams(const other_streams&) = delete;
  other_streams& operator=(const other_streams&) = delete;
  ~other_streams() {
    if (!used_.empty()) [[unlikely]]
      note();
  }

  /// Effects: makes the stream wait for earlier work with the memory. Requires: a stream that is not empty.
  /// Throws: `logic_error` for memory of the per-thread default stream of another thread, and in a capture for work
  /// from before it; `error`, `std::bad_alloc`.
  void use(const uses_of_memory<Port>& of, shared_count* owner, memory_use kind, const source_location& where) {
    if (of.is_usual(native_)) [[likely]]
      return;
    use_unusual(of, owner, kind, where);
  }
  /// The same for memory of another context. Does not compare handles: default streams of two contexts have the same
  /// one.
  void use_elsewhere(const uses_of_memory<Port>& of, shared_count* owner, memory_use kind,
                     const source_location& where) {
    if (of.uses != nullptr) use_unusual(of, owner, kind, where);
  }
  /// Returns: for an out-of-order stream, the events to wait for: `given` and those of `use`; empty if `use` added
  /// none.
  [[nodiscard]] std::span<const typename Port::event_handle> with_others(
      std::span<const typename Port::event_handle> given) {
    if (after_.empty()) return {};
    for (const point& each : after_) natives_.push_back(each->native_handle());
    natives_.insert(natives_.end(), given.begin(), given.end());
    return natives_;
  }
  /// Effects: notes an operation of an out-of-order stream by its own event, which the caller keeps.
  void note_behind(typename Port::event_handle done) noexcept {
    if (in_ != nullptr || used_.empty()) return;
    try {
      origin_->get().shared()->port.retain_event(done, {});
      note(make_shared<const event<Port>>(event<Port>::own(*origin_, done)), 0);
    } catch (...) {
      wait_here();
    }
    used_.clear();
  }

 private:
  struct used {
    memory_uses<Port>* uses;
    shared<const void> kept;
    memory_use kind;
    bool for_end;
    std::vector<point> before;
  };

  [[gnu::noinline, gnu::cold]] void use_unusual(const uses_of_memory<Port>& of, shared_count* owner, memory_use kind,
                                                const source_location& where) {
    memory_uses<Port>& uses = *of.uses;
    if (of.is_bound) {
      if (in_ != nullptr) return uses.note_for_end(*in_, where);
      if (owner != nullptr) owner->add();
      used_.push_back({&uses, shared<const void>(owner, owner), kind, true, {}});
      return;
    }
    uses.settle_twin();
    const auto known =
        std::find_if(used_.begin(), used_.end(), [&](const used& each) { return each.uses == &uses && !each.for_end; });
    if (known != used_.end() && (known->kind == memory_use::writes || kind == memory_use::reads)) return;
    const bool is_home = uses.is_home(native_, where) && uses.home().context_of() == origin_->get();
    const auto earlier = uses.before(kind, name_for(uses));
    if (!is_home) join(uses.home(), where);
    const std::uint64_t capture = earlier.empty() ? 0 : capture_of(native_, where);
    std::vector<point> before;
    std::vector<point> over;
    for (const auto& each : earlier) {
      if (each.capture != 0 && each.capture != capture) {  // belongs to another capture, so nothing runs yet
        over.push_back(each.behind);
        continue;
      }
      if (each.capture != capture) {
        if (port_traits<Port>::is_over(origin_->get().shared()->port, each.behind->native_handle())) continue;
        throw_work_before_capture(where);
      }
      before.push_back(each.behind);
    }
    for (const point& each : before) wait(each, where);
    if (is_home) {
      uses.forget(over);
      return uses.forget(before);
    }
    if (known != used_.end()) {
      known->kind = kind;
      known->before = std::move(before);
      return;
    }
    if (owner != nullptr) owner->add();
    used_.push_back({&uses, shared<const void>(owner, owner), kind, false, std::move(before)});
  }
  /// Effects: makes the operation wait for everything in another stream; once for each stream.
  void join(const stream<Port>& home, const source_location& where) {
    for (const used& each : used_) {
      if (each.for_end) continue;
      const stream<Port>& joined = each.uses->home();
      if (joined.native_handle() == home.native_handle() && joined.context_of() == home.context_of()) return;
    }
    const std::uint64_t capture = capture_of(native_, where);
    if (capture != 0 && capture != capture_of(home.native_handle(), where)) throw_work_before_capture(where);
    if (in_ != nullptr) return in_->wait(home.record({}, where), where);
    after_.push_back(make_shared<const event<Port>>(home.record({}, where)));
  }
  void wait(const point& earlier, const source_location& where) {
    if (in_ != nullptr) return in_->wait(*earlier, where);
    after_.push_back(earlier);
  }
  /// Returns: the name of the operation's stream; an empty one if the memory is of another context.
  [[nodiscard]] stream_name name_for(const memory_uses<Port>& uses) const {
    return in_ != nullptr && uses.home().context_of() == in_->context_of() ? name_of(*in_) : stream_name();
  }
  /// Returns: the number of the capture that a stream is in, also if it joined by a wait; 0 for none.
  [[nodiscard]] std::uint64_t capture_of(typename Port::stream_handle stream, const source_location& where) const {
    return port_traits<Port>::capture_of(origin_->get().port(where), stream);
  }
  [[gnu::noinline, gnu::cold]] void note() noexcept {
    try {
      if (in_ == nullptr) return wait_here();  // `note_behind` was not called: an exception left the operation
      note(make_shared<const event<Port>>(in_->record()), capture_of(native_, {}));
    } catch (...) {
      wait_here();
    }
  }
  void note(const point& behind, std::uint64_t capture) {
    for (const used& each : used_) {
      each.uses->note(behind, each.kind, name_for(*each.uses), each.for_end, capture, each.before);
    }
  }
  /// Effects: this thread waits for the stream, because the operation could not be noted.
  void wait_here() noexcept {
    try {
      origin_->get().shared()->port.synchronize(native_, {});
    } catch (...) {  // the stream's next use reports the failure
    }
  }

  const stream<Port>* in_ = nullptr;  // null for an out-of-order stream
  const context_reference<Port>* origin_;
  typename Port::stream_handle native_;
  std::vector<used> used_{};
  std::vector<point> after_{};                          // work that an out-of-order operation waits for
  std::vector<typename Port::event_handle> natives_{};  // the result of `with_others`
};

}  // namespace yoke::inline v0_1::detail

#endif
