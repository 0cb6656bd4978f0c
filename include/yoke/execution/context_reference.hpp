// SPDX-License-Identifier: MIT
// What keeps a context alive, and with it the stream of a handle.
#ifndef YOKE_EXECUTION_CONTEXT_REFERENCE_HPP
#define YOKE_EXECUTION_CONTEXT_REFERENCE_HPP

#include <yoke/core/shared.hpp>
#include <yoke/execution/context.hpp>

#include <cstdint>
#include <new>
#include <utility>

namespace yoke::inline v0_1::detail {

/// Ports whose streams must be flushed before another stream waits for their events. A port that stands for several
/// backends says whether its present one needs that.
template <class Port>
concept flushed_before_waits = requires(const Port& port) {
  { port.waits_want_flushes() } noexcept -> std::same_as<bool>;
};

/// A native stream, and how far it has been flushed: a wait flushes the stream of its event. A native stream that is owned
/// ends with the last share of this.
/// Thread safety: safe, unless a function says otherwise.
template <class Port>
class stream_origin {
 public:
  using native_type = typename Port::stream_handle;

  stream_origin(const context<Port>& context, native_type native, bool owned) noexcept
      : context_(context), native_(native), kept_(owned) {}
  stream_origin(const stream_origin&) = delete;
  stream_origin& operator=(const stream_origin&) = delete;

  [[nodiscard]] native_type native() const noexcept { return native_; }
  /// Whether the native stream lives as long as this.
  [[nodiscard]] bool is_kept() const noexcept { return kept_.load(order::relaxed); }

  /// Returns: the stream's point for `is_flushed_since`; not 0. Requires: the commands to flush were enqueued before.
  [[nodiscard]] std::uint32_t now() const noexcept { return begun_.load(order::relaxed); }
  /// Whether a flush that began after `now()` returned the point has ended. The point 0 is always flushed.
  [[nodiscard]] bool is_flushed_since(std::uint32_t point) const noexcept {
    return flushed_.load(order::acquire) > point;
  }
  /// Effects: flushes with `function`, and notes the flush unless that throws.
  template <class Function>
  void flush(Function&& function) {
    if (begun_.load(order::relaxed) >= last) return function();  // the count is used up: flushes are no longer noted
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
  /// Effects: lets the stream's handle end. Flushes what the end of the native stream would have flushed.
  void leave() noexcept {
    if (references_.load(order::acquire) == 1) return;
    try {
      flush([&] { port_traits<Port>::flush(context_.shared()->port, native_, {}); });
    } catch (...) {
      report_cleanup_exception("flush of a stream that ends");
    }
  }
  /// Effects: gives the native stream's reference to the caller. Thread safety: not safe while others use the handle.
  void give_up() noexcept {
    if (!is_kept()) return;
    try {
      if (references_.load(order::acquire) != 1) return context_.shared()->port.retain_stream(native_, {});
    } catch (...) {
      report_cleanup_exception("release of a stream");
    }
    kept_.store(false, order::relaxed);
  }

 private:
  static constexpr std::uint32_t last = 1u << 31;  // a point takes few bytes in an event

  [[gnu::noinline]] void end() noexcept { delete this; }
  ~stream_origin() {
    if (is_kept()) context_.shared()->report(context_.shared()->port.release_stream(native_));
  }

  const context<Port> context_;
  const native_type native_;
  atomic<bool> kept_;
  atomic<std::uint32_t> references_{1};
  atomic<std::uint32_t> begun_{1};
  atomic<std::uint32_t> flushed_{1};
};

/// The native stream of a stream or event, if that is known and the port needs it.
template <class Port>
class shared_origin {
 public:
  using native_type = typename Port::stream_handle;

  void follow(const shared_origin&) noexcept {}
  [[nodiscard]] std::uint32_t now() const noexcept { return 0; }
  [[nodiscard]] native_type to_flush(const shared_origin&, native_type, std::uint32_t) const noexcept { return {}; }
  [[nodiscard]] bool keeps_stream() const noexcept { return false; }
  template <class Flush>
  void flush(Flush&& flush) const {
    flush();
  }
  [[nodiscard]] bool leave() const noexcept { return false; }
  void give_up() const noexcept {}

 protected:
  void find(const context<Port>&, native_type, bool) noexcept {}
  [[nodiscard]] bool is_known() const noexcept { return false; }
  [[nodiscard]] bool is_same(const shared_origin&) const noexcept { return true; }
};

template <flushed_before_waits Port>
class shared_origin<Port> {
 public:
  using native_type = typename Port::stream_handle;

  shared_origin() noexcept = default;
  shared_origin(const shared_origin& other) noexcept : origin_(other.origin_) {
    if (origin_ != nullptr) origin_->retain();
  }
  shared_origin(shared_origin&& other) noexcept : origin_(std::exchange(other.origin_, nullptr)) {}
  shared_origin& operator=(shared_origin other) noexcept {
    std::swap(origin_, other.origin_);
    return *this;
  }
  ~shared_origin() { drop(); }

  /// Effects: takes the other one's stream.
  void follow(const shared_origin& other) noexcept {
    if (origin_ == other.origin_) return;
    drop();
    origin_ = other.origin_;
    if (origin_ != nullptr) origin_->retain();
  }
  [[nodiscard]] std::uint32_t now() const noexcept { return origin_ != nullptr ? origin_->now() : 0; }
  /// Returns: the stream to flush before `stream`, the stream of `waiting`, waits for `point`: `stream` itself if none has
  /// to be, null if that is not known.
  [[nodiscard, gnu::always_inline]] native_type to_flush(const shared_origin& waiting, native_type stream,
                                                         std::uint32_t point) const noexcept {
    if (origin_ == nullptr) return {};
    if (origin_ == waiting.origin_ || origin_->is_flushed_since(point)) return stream;
    if (origin_->is_kept()) return origin_->native();
    // A borrowed handle may have another native stream by now: its release then has flushed the first one.
    return origin_->native() == stream ? stream : native_type{};
  }
  /// Whether the native stream lives as long as this.
  [[nodiscard]] bool keeps_stream() const noexcept { return origin_ != nullptr && origin_->is_kept(); }
  template <class Flush>
  void flush(Flush&& flush) const {
    if (origin_ == nullptr) return flush();
    origin_->flush(flush);
  }
  /// Effects: lets the stream's handle end. Returns: whether the native stream ends later, with its last share.
  [[nodiscard]] bool leave() const noexcept {
    if (origin_ != nullptr) origin_->leave();
    return origin_ != nullptr;
  }
  void give_up() const noexcept {
    if (origin_ != nullptr) origin_->give_up();
  }

 protected:
  void find(const context<Port>& in, native_type native, bool owned) noexcept {
    if (native == native_type{} || !in.shared()->port.waits_want_flushes()) return;
    origin_ = new (std::nothrow) stream_origin<Port>(in, native, owned);
  }
  [[nodiscard]] bool is_known() const noexcept { return origin_ != nullptr; }
  [[nodiscard]] bool is_same(const shared_origin& other) const noexcept { return origin_ == other.origin_; }

 private:
  void drop() noexcept {
    if (origin_ != nullptr) std::exchange(origin_, nullptr)->release();
  }

  stream_origin<Port>* origin_ = nullptr;
};

/// Keeps a context alive, and for a stream and what is recorded in it also the native stream: the parent of handles that are made
/// in a context. A kernel's parent is its module. What never needs a stream may hold a plain `context`. Copyable, empty by default.
/// An object that must not keep its context alive has a `context_view`.
template <class Port>
class context_reference : public shared_origin<Port> {
 public:
  context_reference() noexcept : context_(context<Port>::none()) {}
  context_reference(const context<Port>& context) noexcept : context_(context) {}  // NOLINT: the same thing

  [[nodiscard]] const context<Port>& get() const noexcept { return context_; }
  [[nodiscard]] context_state<Port>& state() const { return context_.state(); }
  /// Effects: reports a release that failed.
  void report(const release_result& result) const noexcept { context_.shared()->report(result); }
  /// Effects: becomes the reference of that native stream. When memory runs out, the stream stays unknown.
  void found(typename Port::stream_handle native, bool owned) noexcept { this->find(context_, native, owned); }
  /// Whether both have the same context and, as far as known, the same stream.
  [[nodiscard]] bool is_of(const context_reference& other) const noexcept {
    if (!this->is_same(other)) return false;
    return this->is_known() || context_.shared() == other.context_.shared();  // a stream has one context
  }

 private:
  context<Port> context_;
};

}  // namespace yoke::inline v0_1::detail

#endif
