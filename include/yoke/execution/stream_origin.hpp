// SPDX-License-Identifier: MIT
// What a stream and the events recorded in it share, where a wait has to flush the stream that an event is of.
#ifndef YOKE_EXECUTION_STREAM_ORIGIN_HPP
#define YOKE_EXECUTION_STREAM_ORIGIN_HPP

#include <yoke/core/atomic.hpp>
#include <yoke/execution/context.hpp>

#include <cstdint>
#include <new>
#include <utility>

namespace yoke::inline YOKE_ABI::detail {

/// Ports whose streams make progress behind a wait of another stream only once they have been flushed; one that stands for
/// several backends says which of them it is just now.
template <class Port>
concept flushed_before_waits = requires(const Port& port) {
  { port.waits_want_flushes() } noexcept -> std::same_as<bool>;
};

/// A native stream, and how far it has been flushed. The native stream of a handle that owned it ends with the last one
/// that shares this.
/// Thread safety: safe, but for what says otherwise.
template <class Port>
class stream_origin {
 public:
  using native_type = typename Port::stream_handle;

  stream_origin(const context_reference<Port>& context, native_type native, bool owned) noexcept
      : context_(context), native_(native), kept_(owned) {}
  stream_origin(const stream_origin&) = delete;
  stream_origin& operator=(const stream_origin&) = delete;

  [[nodiscard]] native_type native() const noexcept { return native_; }
  /// Whether the native stream lives as long as this.
  [[nodiscard]] bool is_kept() const noexcept { return kept_.load(order::relaxed); }

  /// Returns: for `is_flushed_since`, where the stream is; not 0. Call after what is to be flushed has been enqueued.
  [[nodiscard]] std::uint32_t now() const noexcept { return begun_.load(order::relaxed); }
  /// Whether a flush that began after `now()` gave the point has ended. 0 is a point that was flushed.
  [[nodiscard]] bool is_flushed_since(std::uint32_t point) const noexcept {
    return flushed_.load(order::acquire) > point;
  }
  /// Effects: flushes by `function`, and notes it unless that throws.
  template <class Function>
  void flush(Function&& function) {
    if (begun_.load(order::relaxed) >= last) return function();  // from here on nothing is noted
    const std::uint32_t this_one = begun_.fetch_add(1, order::relaxed) + 1;
    function();
    std::uint32_t before = flushed_.load(order::relaxed);
    while (before < this_one && !flushed_.compare_exchange_weak(before, this_one, order::release)) {
    }
  }

  void retain() noexcept { references_.fetch_add(1, order::relaxed); }
  void release() noexcept {
    if (references_.fetch_sub(1, order::acq_rel) == 1) end();
  }
  /// Effects: the handle of the stream goes. What only it would have flushed by its end is flushed.
  void leave() noexcept {
    if (references_.load(order::acquire) == 1) return;
    try {
      flush([&] { context_.state().port.flush(native_, {}); });
    } catch (...) {
      report_cleanup_exception("flush of a stream that ends");
    }
  }
  /// Effects: the native stream's reference becomes the caller's. Not safe beside uses of the handle.
  void give_up() noexcept {
    if (!is_kept()) return;
    try {
      if (references_.load(order::acquire) != 1) return context_.state().port.retain_stream(native_, {});
    } catch (...) {
      report_cleanup_exception("release of a stream");
    }
    kept_.store(false, order::relaxed);
  }

 private:
  static constexpr std::uint32_t last = 1u << 31;  // events keep a point in few bytes

  // Out of line: events and allocations drop their shares in few instructions.
  [[gnu::noinline]] void end() noexcept { delete this; }
  ~stream_origin() {
    if (is_kept()) context_.report(context_.state().port.release_stream(native_));
  }

  const context_reference<Port> context_;
  const native_type native_;
  atomic<bool> kept_;
  atomic<std::uint32_t> references_{1};
  atomic<std::uint32_t> begun_{1};
  atomic<std::uint32_t> flushed_{1};
};

/// A context, and of a stream or an event which stream it is of, as far as that is known: nothing where nobody asks.
template <class Port>
class origin_reference : public context_reference<Port> {
 public:
  using native_type = typename Port::stream_handle;

  origin_reference() noexcept = default;
  origin_reference(const context<Port>& context) noexcept : context_reference<Port>(context) {}  // NOLINT: as its base

  void found(native_type, bool) noexcept {}
  void follow(const origin_reference&) noexcept {}
  /// Whether it is of the same context, and of the same stream as far as that is known.
  [[nodiscard]] bool is_of(const origin_reference& other) const noexcept {
    return this->get().shared() == other.get().shared();
  }
  [[nodiscard]] std::uint32_t now() const noexcept { return 0; }
  [[nodiscard]] native_type to_flush(const origin_reference&, native_type, std::uint32_t) const noexcept { return {}; }
  [[nodiscard]] bool keeps_stream() const noexcept { return false; }
  template <class Flush>
  void flush(Flush&& flush) const {
    flush();
  }
  [[nodiscard]] bool leave() const noexcept { return false; }
  void give_up() const noexcept {}
};

template <flushed_before_waits Port>
class origin_reference<Port> : public context_reference<Port> {
 public:
  using native_type = typename Port::stream_handle;

  origin_reference() noexcept = default;
  origin_reference(const context<Port>& context) noexcept : context_reference<Port>(context) {}  // NOLINT: as its base
  origin_reference(const origin_reference& other) noexcept : context_reference<Port>(other), origin_(other.origin_) {
    if (origin_ != nullptr) origin_->retain();
  }
  origin_reference(origin_reference&& other) noexcept
      : context_reference<Port>(std::move(other)), origin_(std::exchange(other.origin_, nullptr)) {}
  origin_reference& operator=(origin_reference other) noexcept {
    std::swap(origin_, other.origin_);
    std::swap(static_cast<context_reference<Port>&>(*this), static_cast<context_reference<Port>&>(other));
    return *this;
  }
  ~origin_reference() { drop(); }

  /// Effects: this is the handle of that native stream. Without memory nothing is known of it.
  void found(native_type native, bool owned) noexcept {
    if (native == native_type{} || !this->state().port.waits_want_flushes()) return;
    origin_ = new (std::nothrow) stream_origin<Port>(*this, native, owned);
  }
  /// Effects: this is of the stream that the other one is of.
  void follow(const origin_reference& other) noexcept {
    if (origin_ == other.origin_) return;
    drop();
    origin_ = other.origin_;
    if (origin_ != nullptr) origin_->retain();
  }
  [[nodiscard]] bool is_of(const origin_reference& other) const noexcept {
    if (origin_ != other.origin_) return false;
    return origin_ != nullptr || this->get().shared() == other.get().shared();  // a stream is of one context
  }
  [[nodiscard]] std::uint32_t now() const noexcept { return origin_ != nullptr ? origin_->now() : 0; }
  /// Returns: the stream to flush before `stream`, which is `waiting`'s, waits for what was at `point`: `stream` itself where
  /// none has to be, none where that is not known.
  [[nodiscard, gnu::always_inline]] native_type to_flush(const origin_reference& waiting, native_type stream,
                                                         std::uint32_t point) const noexcept {
    if (origin_ == nullptr) return {};
    if (origin_ == waiting.origin_ || origin_->is_flushed_since(point)) return stream;
    if (origin_->is_kept()) return origin_->native();
    // The native stream of a borrowed handle may be another one by now: then the first one was flushed by its release.
    return origin_->native() == stream ? stream : native_type{};
  }
  /// Whether the native stream lives as long as this.
  [[nodiscard]] bool keeps_stream() const noexcept { return origin_ != nullptr && origin_->is_kept(); }
  template <class Flush>
  void flush(Flush&& flush) const {
    if (origin_ == nullptr) return flush();
    origin_->flush(flush);
  }
  /// Effects: the stream's handle goes. Returns: whether the native stream ends with what shares it.
  [[nodiscard]] bool leave() const noexcept {
    if (origin_ != nullptr) origin_->leave();
    return origin_ != nullptr;
  }
  void give_up() const noexcept {
    if (origin_ != nullptr) origin_->give_up();
  }

 private:
  void drop() noexcept {
    if (origin_ != nullptr) std::exchange(origin_, nullptr)->release();
  }

  stream_origin<Port>* origin_ = nullptr;
};

}  // namespace yoke::inline YOKE_ABI::detail

#endif
