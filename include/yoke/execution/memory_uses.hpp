// SPDX-License-Identifier: MIT
// The work of other streams that memory knows of, besides that of the stream it belongs to.
#ifndef YOKE_EXECUTION_MEMORY_USES_HPP
#define YOKE_EXECUTION_MEMORY_USES_HPP

#include <yoke/execution/stream.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <span>
#include <thread>
#include <vector>

namespace yoke::inline v0_1::detail {

/// What work does with memory.
enum class memory_use : bool { reads, writes };

/// Returns: the number of this thread; no other one of the process has it, not even later.
[[nodiscard]] YOKE_API std::uint64_t this_thread_number() noexcept;
/// Throws: `logic_error`: nothing can wait for the per-thread default stream of another thread.
[[noreturn, gnu::cold]] YOKE_API void throw_stream_of_other_thread(const source_location& where);
/// Throws: `logic_error`: what is captured cannot wait for work from before the capture.
[[noreturn, gnu::cold]] YOKE_API void throw_work_before_capture(const source_location& where);

/// A stream among those that use memory, also after its end. Those without a name are equal to none.
struct stream_name {
  const void* notes = nullptr;
  std::uint64_t number = 0;
  [[nodiscard]] friend bool operator==(const stream_name& left, const stream_name& right) noexcept {
    return left.notes != nullptr && left.notes == right.notes && left.number == right.number;
  }
};
/// Whether a stream is CUDA's per-thread default stream, which is another stream in each thread.
template <class Port>
[[nodiscard]] bool is_per_thread(const stream<Port>& stream) noexcept {
  // CUDA's number for it; no driver has an object at that address.
  constexpr std::uint64_t per_thread_stream = 2;
  return native_value(stream.native_handle()) == per_thread_stream;
}
/// Returns: the name of a stream of this context; none of CUDA's per-thread default stream. Throws: `std::bad_alloc`.
template <class Port>
[[nodiscard]] stream_name name_of(const stream<Port>& of) {
  if (is_per_thread(of)) return {};
  stream_notes& notes = of.slot().notes();
  return {&notes, notes.number(of.context_of().state().streams)};
}

/// The uses of memory that belongs to a stream. Work in that stream is in its order; work of other streams is noted here, by an
/// event behind it, until work that waits for it takes its place.
/// Thread safety: safe.
template <class Port>
class memory_uses {
 public:
  using point = shared<const event<Port>>;

  memory_uses(const memory_uses&) = delete;
  memory_uses& operator=(const memory_uses&) = delete;

  /// Whether work in a stream has nothing to wait for, and nothing to note.
  [[nodiscard, gnu::always_inline]] bool is_usual(typename Port::stream_handle stream) const noexcept {
    return stream == home_ && !unusual_.load(order::acquire);
  }
  /// The stream that the memory belongs to.
  [[nodiscard]] const stream<Port>& home() const noexcept { return stream_; }
  /// Whether it is that stream that the caller works in. Throws: `logic_error` for the per-thread default stream of another thread.
  [[nodiscard]] bool is_home(typename Port::stream_handle of, const source_location& where) const {
    if (!is_here()) throw_stream_of_other_thread(where);
    return of == home_;
  }
  /// Work that has to be waited for.
  struct earlier {
    point behind;
    std::uint64_t capture;  // that it belongs to; 0: none
  };
  /// Returns: what work of a stream has to wait for besides the home. Ask before the home is waited for: what the home has waited
  /// for is forgotten. Throws: `std::bad_alloc`.
  [[nodiscard]] std::vector<earlier> before(memory_use kind, const stream_name& by) {
    std::vector<earlier> found;
    const std::lock_guard lock(mutex_);
    for (const noted& each : noted_) {
      if (each.for_end || each.by == by || (kind == memory_use::reads && each.kind == memory_use::reads)) continue;
      found.push_back({each.behind, each.capture});
    }
    return found;
  }
  /// Effects: notes work; `for_end`: for the end of the memory alone. Work that `covers` names is not waited for any more: this
  /// comes behind it.
  /// Throws: `std::bad_alloc`; nothing is noted then.
  void note(const point& behind, memory_use kind, const stream_name& by, bool for_end, std::uint64_t capture,
            std::span<const point> covers) {
    drop_finished();
    std::vector<noted> gone;  // ends outside of the lock
    const std::lock_guard lock(mutex_);
    noted_.reserve(noted_.size() + 1);
    take_if(gone, [&](const noted& each) {
      if (each.capture != 0 && each.capture != capture && capture == 0) return true;  // of a capture that has ended
      const bool is_own = !each.for_end && each.by == by && each.capture == capture;
      return kind == memory_use::writes ? is_own || is_among(each.behind, covers)
                                        : is_own && each.kind == memory_use::reads;
    });
    noted_.push_back({behind, by, kind, for_end, capture});
    unusual_.store(true, order::release);
  }
  /// Effects: forgets work that the home has waited for. Throws: `std::bad_alloc`.
  void forget(std::span<const point> waited) {
    std::vector<noted> gone;
    const std::lock_guard lock(mutex_);
    take_if(gone, [&](const noted& each) { return is_among(each.behind, waited); });
  }
  /// Effects: declares a stream, behind whose work the memory ends. Throws: `error`, `std::bad_alloc`.
  void record_use(const stream<Port>& of, const source_location& where) {
    const std::lock_guard lock(mutex_);
    record_(*this, of, where);
  }
  /// Effects: notes work in a stream whose order is the program's own, so that the memory ends behind it.
  /// Throws: `error`, `std::bad_alloc`.
  void note_for_end(const stream<Port>& of, const source_location& where) {
    if (of.native_handle() == home_ && is_here()) return;
    if (!is_per_thread(of)) return record_use(of, where);
    note(make_shared<const event<Port>>(of.record({}, where)), memory_use::reads, {}, true, 0, {});
  }
  /// Effects: the home waits for all work that is noted; if it cannot, this thread does.
  void settle() noexcept {
    if (!unusual_.load(order::acquire)) return;
    settle_twin();
    settle_own();
  }

  // The same memory as that of another port's handle of the home stream notes its uses by itself, its twin's. An operation waits for
  // those by way of the home.
  /// Effects: the home waits for the work that the twin has noted; if it cannot, this thread does.
  void settle_twin() noexcept {
    if (!has_twin_.load(order::acquire)) return;
    const std::lock_guard lock(twin_mutex_);
    if (twin_.settle != nullptr) twin_.settle(twin_.of);
  }
  /// Returns: the twin, or what `make()` makes, which has then to become a twin of this. Throws: as `make`.
  template <class Twin, class Make>
  [[nodiscard]] shared<Twin> twin(const Make& make) {
    const std::lock_guard lock(twin_mutex_);
    if (twin_.count != nullptr && twin_.count->add_if_any()) return {static_cast<Twin*>(twin_.of), twin_.count};
    if (twin_.settle != nullptr) twin_.settle(twin_.of);  // it is about to end
    shared<Twin> made = make();
    set_twin({made.get(), &settle_noted<Twin>, made.count()});
    return made;
  }
  /// Effects: this is the twin of another one, which lives longer.
  template <class Other>
  void become_twin_of(memory_uses<Other>& other) noexcept {
    set_twin({&other, &settle_noted<memory_uses<Other>>, nullptr});
  }
  /// Effects: forgets the twin, if it is this one.
  void forget_twin(const void* of) noexcept {
    const std::lock_guard lock(twin_mutex_);
    if (twin_.of == of) set_twin({});
  }
  /// Effects: as `settle`, for the work that is noted here.
  void settle_own() noexcept {
    try {
      std::vector<noted> all;
      {
        const std::lock_guard lock(mutex_);
        all = noted_;
      }
      wait_for(all);
      std::vector<noted> gone;
      const std::lock_guard lock(mutex_);
      take_if(gone, [&](const noted& each) {
        return std::any_of(all.begin(), all.end(), [&](const noted& other) { return other.behind == each.behind; });
      });
    } catch (const std::bad_alloc&) {  // what is not forgotten is waited for again
    }
  }

 protected:
  /// The same, for the end of the memory.
  void wait_for_all() noexcept {
    if (noted_.empty()) return;
    wait_for(noted_);
    noted_.clear();
  }
  using recorder = void (*)(memory_uses&, const stream<Port>&, const source_location&);
  /// `record` declares a stream, behind whose work the memory ends.
  memory_uses(const stream<Port>& home, recorder record, const source_location& where)
      : home_(home.native_handle()), stream_(home.another(where)), record_(record) {
    if (!is_per_thread(stream_)) return;
    thread_ = this_thread_number();
    unusual_.store(true, order::relaxed);
  }
  ~memory_uses() = default;

 private:
  struct noted {
    point behind;
    stream_name by;
    memory_use kind;
    bool for_end;           // nothing else waits for it
    std::uint64_t capture;  // that it belongs to; 0: none
  };
  static constexpr std::size_t most = 8;

  void wait_for(const std::vector<noted>& all) noexcept {
    const context_state<Port>& in = stream_.context_of().state();
    if (in.gone()) return;
    try {
      port_traits<Port>::check_process(in.port, {});
    } catch (...) {  // in a forked process nothing is to wait for
      return;
    }
    const bool here = is_here();
    const std::uint64_t capture = port_traits<Port>::capture_of(in.port, home_);
    for (const noted& each : all) {
      if (each.capture != 0 && each.capture != capture) continue;
      if (each.capture != capture) {  // what is captured cannot wait for it, nor may the thread
        while (!port_traits<Port>::is_over(in.port, each.behind->native_handle())) std::this_thread::yield();
        continue;
      }
      try {
        if (here) {
          stream_.wait(*each.behind);
          continue;
        }
      } catch (...) {  // the host waits
      }
      try {
        each.behind->wait();
      } catch (...) {  // work that failed is over
      }
    }
  }
  [[nodiscard]] bool is_here() const noexcept { return thread_ == 0 || thread_ == this_thread_number(); }
  [[nodiscard]] static bool is_among(const point& one, std::span<const point> points) noexcept {
    return std::find(points.begin(), points.end(), one) != points.end();
  }
  /// Effects: moves those to `gone` that are over.
  template <class Predicate>
  void take_if(std::vector<noted>& gone, const Predicate& is_over) {
    gone.reserve(noted_.size());
    std::size_t kept = 0;
    for (noted& each : noted_) {
      if (is_over(each)) {
        gone.push_back(std::move(each));
      } else {
        noted& to = noted_[kept++];
        if (&to != &each) to = std::move(each);
      }
    }
    noted_.erase(noted_.begin() + static_cast<std::ptrdiff_t>(kept), noted_.end());
    if (noted_.empty()) unusual_.store(is_always_unusual(), order::release);
  }
  [[nodiscard]] bool is_always_unusual() const noexcept { return thread_ != 0 || has_twin_.load(order::relaxed); }
  struct twin_uses {
    void* of = nullptr;
    void (*settle)(void*) noexcept = nullptr;
    shared_count* count = nullptr;  // of one that may end before this
  };
  template <class Uses>
  static void settle_noted(void* of) noexcept {
    static_cast<Uses*>(of)->settle_own();
  }
  void set_twin(const twin_uses& to) noexcept {
    twin_ = to;
    const std::lock_guard lock(mutex_);
    has_twin_.store(to.of != nullptr, order::release);
    unusual_.store(is_always_unusual() || !noted_.empty(), order::release);
  }
  /// Effects: drops what is done, where that may be much.
  void drop_finished() {
    std::vector<point> all;
    {
      const std::lock_guard lock(mutex_);
      if (noted_.size() < look_at_) return;
      for (const noted& each : noted_) {
        if (each.capture == 0) all.push_back(each.behind);
      }
    }
    const Port& port = stream_.context_of().state().port;
    std::erase_if(all, [&](const point& each) { return !port_traits<Port>::is_over(port, each->native_handle()); });
    std::vector<noted> gone;
    const std::lock_guard lock(mutex_);
    take_if(gone, [&](const noted& each) { return is_among(each.behind, all); });
    look_at_ = noted_.size() * 2 < most ? most : noted_.size() * 2;
  }

  const typename Port::stream_handle home_;
  atomic<bool> unusual_{false};  // whether work in the home's own order has to look
  std::uint64_t thread_ = 0;     // whose per-thread default stream the home is
  const stream<Port> stream_;
  recorder record_;
  std::mutex mutex_;
  std::vector<noted> noted_;
  std::size_t look_at_ = most;
  std::mutex twin_mutex_;  // before `mutex_` of the twin
  twin_uses twin_;
  atomic<bool> has_twin_{false};
};

/// What a view of memory knows of its uses.
template <class Port>
struct uses_of_memory {
  memory_uses<Port>* uses = nullptr;     // none: the program orders its streams
  bool is_bound = false;                 // the program orders its streams; the memory's end is ordered all the same
  typename Port::stream_handle bound{};  // whose work that end is behind already; may be null

  /// Whether work in a stream has nothing to wait for, and nothing to note.
  [[nodiscard, gnu::always_inline]] bool is_usual(typename Port::stream_handle stream) const noexcept {
    return uses == nullptr || (is_bound ? stream == bound : uses->is_usual(stream));
  }
  /// Effects: from now on the program orders work with the memory, which is in that stream. Throws: `error`, `std::bad_alloc`.
  void bind(const stream<Port>& to, const source_location& where) {
    is_bound = true;
    bound = {};
    if (uses == nullptr || is_per_thread(to)) return;
    uses->note_for_end(to, where);
    bound = to.native_handle();
  }
};
template <>
struct uses_of_memory<void> {};

}  // namespace yoke::inline v0_1::detail

#if defined(YOKE_IMPLEMENTATION)
#include <yoke/execution/memory_uses.ipp>
#endif

#endif
