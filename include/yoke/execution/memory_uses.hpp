// SPDX-License-Identifier: MIT
// Notes which streams work with memory that belongs to another stream, so that later work can wait for theirs.
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

/// Whether work reads memory or writes it.
enum class memory_use : bool { reads, writes };

/// Returns: a number for this thread, which the process never uses again.
[[nodiscard]] YOKE_API std::uint64_t this_thread_number() noexcept;
/// Throws: `logic_error`, because no stream can wait for the per-thread default stream of another thread.
[[noreturn, gnu::cold]] YOKE_API void throw_stream_of_other_thread(const source_location& where);
/// Throws: `logic_error`, because captured work cannot wait for work from before the capture.
[[noreturn, gnu::cold]] YOKE_API void throw_work_before_capture(const source_location& where);

/// Identifies a stream that uses memory, even after its end. An unnamed stream equals no stream, itself included.
struct stream_name {
  const void* notes = nullptr;
  std::uint64_t number = 0;
  [[nodiscard]] friend bool operator==(const stream_name& left, const stream_name& right) noexcept {
    return left.notes != nullptr && left.notes == right.notes && left.number == right.number;
  }
};
/// Whether a stream is CUDA's per-thread default stream, one handle for a different stream in each thread.
template <class Port>
[[nodiscard]] bool is_per_thread(const stream<Port>& stream) noexcept {
  // CU_STREAM_PER_THREAD; no driver has an object at that address.
  constexpr std::uint64_t per_thread_stream = 2;
  return native_value(stream.native_handle()) == per_thread_stream;
}
/// Returns: the stream's name within its context; an empty one for CUDA's per-thread default stream. Throws:
/// `std::bad_alloc`.
template <class Port>
[[nodiscard]] stream_name name_of(const stream<Port>& of) {
  if (is_per_thread(of)) return {};
  stream_notes& notes = of.slot().notes();
  return {&notes, notes.number(of.context_of().state().streams)};
}

/// The uses of memory that belongs to a stream, its home. Work in the home is ordered by the stream itself. Work of
/// other streams is noted here, by an event behind it, until later work that waits for it replaces it.
/// Thread safety: safe.
template <class Port>
class memory_uses {
 public:
  using point = shared<const event<Port>>;

  memory_uses(const memory_uses&) = delete;
  memory_uses& operator=(const memory_uses&) = delete;

  /// Whether work in a stream needs neither a wait nor a note.
  [[nodiscard, gnu::always_inline]] bool is_usual(typename Port::stream_handle stream) const noexcept {
    return stream == home_ && !unusual_.load(order::acquire);
  }
  /// The stream that the memory belongs to.
  [[nodiscard]] const stream<Port>& home() const noexcept { return stream_; }
  /// Whether `of` is the home. Throws: `logic_error` if the home is the per-thread default stream of another thread.
  [[nodiscard]] bool is_home(typename Port::stream_handle of, const source_location& where) const {
    if (!is_here()) throw_stream_of_other_thread(where);
    return of == home_;
  }
  /// Earlier work that new work has to wait for.
  struct earlier {
    point behind;
    std::uint64_t capture;  // the capture that holds it; 0 outside of captures
  };
  /// Returns: the noted work that new work of the stream `by` has to wait for, besides the home's own. Call this before
  /// waiting for the home, because work that the home has waited for is forgotten. Throws: `std::bad_alloc`.
  [[nodiscard]] std::vector<earlier> before(memory_use kind, const stream_name& by) {
    std::vector<earlier> found;
    const std::lock_guard lock(mutex_);
    for (const noted& each : noted_) {
      if (each.for_end || each.by == by || (kind == memory_use::reads && each.kind == memory_use::reads)) continue;
      found.push_back({each.behind, each.capture});
    }
    return found;
  }
  /// Effects: notes work that ends at `behind`. With `for_end`, only the end of the memory waits for it. A write
  /// replaces the notes in `covers`, for which it has waited.
  /// Throws: `std::bad_alloc`; then notes nothing.
  void note(const point& behind, memory_use kind, const stream_name& by, bool for_end, std::uint64_t capture,
            std::span<const point> covers) {
    drop_finished();
    std::vector<noted> gone;  // destroyed after the lock is released
    const std::lock_guard lock(mutex_);
    noted_.reserve(noted_.size() + 1);
    take_if(gone, [&](const noted& each) {
      if (each.capture != 0 && each.capture != capture && capture == 0) return true;  // its capture has ended
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
  /// Effects: declares that a stream uses the memory, which then ends behind that stream's work. Throws: `error`,
  /// `std::bad_alloc`.
  void record_use(const stream<Port>& of, const source_location& where) {
    const std::lock_guard lock(mutex_);
    record_(*this, of, where);
  }
  /// Effects: notes work in a stream that the program itself orders; only the end of the memory waits for it.
  /// Throws: `error`, `std::bad_alloc`.
  void note_for_end(const stream<Port>& of, const source_location& where) {
    if (of.native_handle() == home_ && is_here()) return;
    if (!is_per_thread(of)) return record_use(of, where);
    note(make_shared<const event<Port>>(of.record({}, where)), memory_use::reads, {}, true, 0, {});
  }
  /// Effects: makes the home wait for all noted work; if that fails, this thread waits.
  void settle() noexcept {
    if (!unusual_.load(order::acquire)) return;
    settle_twin();
    settle_own();
  }

  // Memory that is used through handles of two ports (one backend's own and `any_port`) has two of these, which are
  // twins. Each notes its own uses; operations wait for the twin's through the home stream.
  /// Effects: makes the home wait for the work that the twin has noted; if that fails, this thread waits.
  void settle_twin() noexcept {
    if (!has_twin_.load(order::acquire)) return;
    const std::lock_guard lock(twin_mutex_);
    if (twin_.settle != nullptr) twin_.settle(twin_.of);
  }
  /// Returns: the twin; `make()` makes it if there is none, and must then call `become_twin_of(*this)`. Throws: as
  /// `make`.
  template <class Twin, class Make>
  [[nodiscard]] shared<Twin> twin(const Make& make) {
    const std::lock_guard lock(twin_mutex_);
    if (twin_.count != nullptr && twin_.count->add_if_any()) return {static_cast<Twin*>(twin_.of), twin_.count};
    if (twin_.settle != nullptr) twin_.settle(twin_.of);  // the old twin is about to end
    shared<Twin> made = make();
    set_twin({made.get(), &settle_noted<Twin>, made.count()});
    return made;
  }
  /// Effects: makes this the twin of `other`. Requires: `other` lives longer.
  template <class Other>
  void become_twin_of(memory_uses<Other>& other) noexcept {
    set_twin({&other, &settle_noted<memory_uses<Other>>, nullptr});
  }
  /// Effects: forgets the twin if it is `of`.
  void forget_twin(const void* of) noexcept {
    const std::lock_guard lock(twin_mutex_);
    if (twin_.of == of) set_twin({});
  }
  /// Effects: as `settle`, for the work noted here only.
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
    } catch (const std::bad_alloc&) {  // then later work waits once more
    }
  }

 protected:
  /// Effects: the same when the memory ends: also forgets all notes. Thread safety: only while nobody else uses this.
  void wait_for_all() noexcept {
    if (noted_.empty()) return;
    wait_for(noted_);
    noted_.clear();
  }
  using recorder = void (*)(memory_uses&, const stream<Port>&, const source_location&);
  /// `record` does the work of `record_use` for the kind of memory.
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
    bool for_end;           // only the memory's end waits for it
    std::uint64_t capture;  // the capture that holds it; 0 outside of captures
  };
  static constexpr std::size_t most = 8;

  void wait_for(const std::vector<noted>& all) noexcept {
    const context_state<Port>& in = stream_.context_of().state();
    if (in.gone()) return;
    try {
      port_traits<Port>::check_process(in.port, {});
    } catch (...) {  // a forked process has no work to wait for
      return;
    }
    const bool here = is_here();
    const std::uint64_t capture = port_traits<Port>::capture_of(in.port, home_);
    for (const noted& each : all) {
      if (each.capture != 0 && each.capture != capture) continue;
      if (each.capture != capture) {
        // The captured home cannot wait for it, and a wait of the driver would break the capture.
        while (!port_traits<Port>::is_over(in.port, each.behind->native_handle())) std::this_thread::yield();
        continue;
      }
      try {
        if (here) {
          stream_.wait(*each.behind);
          continue;
        }
      } catch (...) {  // the host waits instead
      }
      try {
        each.behind->wait();
      } catch (...) {  // failed work has ended
      }
    }
  }
  [[nodiscard]] bool is_here() const noexcept { return thread_ == 0 || thread_ == this_thread_number(); }
  [[nodiscard]] static bool is_among(const point& one, std::span<const point> points) noexcept {
    return std::find(points.begin(), points.end(), one) != points.end();
  }
  /// Effects: moves the notes for which `is_over` is true to `gone`.
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
    shared_count* count = nullptr;  // of a twin that may end before this
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
  /// Effects: once many notes have gathered, drops those whose work is done.
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
  atomic<bool> unusual_{false};  // whether even work in the home must look at the notes
  std::uint64_t thread_ = 0;     // the thread whose per-thread default stream is the home; else 0
  const stream<Port> stream_;
  recorder record_;
  std::mutex mutex_;
  std::vector<noted> noted_;
  std::size_t look_at_ = most;
  std::mutex twin_mutex_;  // locked before `mutex_` of the twin
  twin_uses twin_;
  atomic<bool> has_twin_{false};
};

/// A view's link to the uses of its memory.
template <class Port>
struct uses_of_memory {
  memory_uses<Port>* uses = nullptr;     // null: the program orders its streams
  bool is_bound = false;                 // the program orders its streams; the library orders the memory's end only
  typename Port::stream_handle bound{};  // the stream whose work that end already waits for; may be null

  /// Whether work in a stream needs neither a wait nor a note.
  [[nodiscard, gnu::always_inline]] bool is_usual(typename Port::stream_handle stream) const noexcept {
    return uses == nullptr || (is_bound ? stream == bound : uses->is_usual(stream));
  }
  /// Effects: from now on the program orders work with this view, which it does in the stream `to`. Throws: `error`,
  /// `std::bad_alloc`.
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
