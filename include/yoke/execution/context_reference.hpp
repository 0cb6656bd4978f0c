// SPDX-License-Identifier: MIT
// The reference through which handles keep their context and native stream alive.
#ifndef YOKE_EXECUTION_CONTEXT_REFERENCE_HPP
#define YOKE_EXECUTION_CONTEXT_REFERENCE_HPP

#include <yoke/core/shared.hpp>
#include <yoke/execution/context.hpp>

#include <cstdint>
#include <new>
#include <utility>

namespace yoke::inline v0_1::detail {

/// Ports whose streams must be flushed before another stream waits for their events. `any_port` answers for the backend
/// that it currently stands for.
template <class Port>
concept flushed_before_waits = requires(const Port& port) {
  { port.waits_want_flushes() } noexcept -> std::same_as<bool>;
};

/// A native stream, shared by its handle and its events, with a count of its flushes: a wait needs to know whether the
/// event's stream was flushed since the event. The last share releases an owned native stream.
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
  /// Whether this keeps the native stream alive.
  [[nodiscard]] bool is_kept() const noexcept { return kept_.load(order::relaxed); }

  /// Returns: a point for `is_flushed_since`, never 0; it covers the commands enqueued before this call.
  [[nodiscard]] std::uint32_t now() const noexcept { return begun_.load(order::relaxed); }
  /// Whether a flush that began after `now()` returned `point` has ended. True for the point 0.
  [[nodiscard]] bool is_flushed_since(std::uint32_t point) const noexcept {
    return flushed_.load(order::acquire) > point;
  }
  /// Effects: flushes by calling `function`; counts the flush unless it throws.
  template <class Function>
  void flush(Function&& function) {
    if (begun_.load(order::relaxed) >= last) return function();  // the count is used up: later flushes are not counted
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
  /// Effects: called when the stream's handle ends. If events keep the native stream alive, flushes it, as releasing it
  /// would have done.
  void leave() noexcept {
    if (references_.load(order::acquire) == 1) return;
    try {
      flush([&] { port_traits<Port>::flush(context_.shared()->port, native_, {}); });
    } catch (...) {
      report_cleanup_exception("flush of a stream that ends");
    }
  }
  /// Effects: hands one reference to the native stream to the caller. Thread safety: unsafe while others use the
  /// handle.
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
  static constexpr std::uint32_t last = 1u << 31;  // 32 bits, because every event stores a point

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

/// A handle's share of its native stream's origin; empty for ports that need no flushes.
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

  /// Effects: switches to the stream of `other`.
  void follow(const shared_origin& other) noexcept {
    if (origin_ == other.origin_) return;
    drop();
    origin_ = other.origin_;
    if (origin_ != nullptr) origin_->retain();
  }
  [[nodiscard]] std::uint32_t now() const noexcept { return origin_ != nullptr ? origin_->now() : 0; }
  /// Returns: the stream to flush before `stream`, the stream of `waiting`, waits for `point`; `stream` itself if no
  /// flush is needed, null if unknown.
  [[nodiscard, gnu::always_inline]] native_type to_flush(const shared_origin& waiting, native_type stream,
                                                         std::uint32_t point) const noexcept {
    if (origin_ == nullptr) return {};
    if (origin_ == waiting.origin_ || origin_->is_flushed_since(point)) return stream;
    if (origin_->is_kept()) return origin_->native();
    // A borrowed handle may have got another native stream; releasing the first one flushed it.
    return origin_->native() == stream ? stream : native_type{};
  }
  /// Whether this keeps the native stream alive.
  [[nodiscard]] bool keeps_stream() const noexcept { return origin_ != nullptr && origin_->is_kept(); }
  template <class Flush>
  void flush(Flush&& flush) const {
    if (origin_ == nullptr) return flush();
    origin_->flush(flush);
  }
  /// Effects: called when the stream's handle ends. Returns: whether the last share releases the native stream later.
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

/// The parent of handles made in a context: keeps the context alive, and for streams and their events also the native
/// stream. Copyable, empty by default. Handles that never need a stream may hold a plain `context`; kernels hold their
/// module; objects that must not keep the context alive hold a `context_view`.
template <class Port>
class context_reference : public shared_origin<Port> {
 public:
  context_reference() noexcept : context_(context<Port>::none()) {}
  context_reference(const context<Port>& context) noexcept : context_(context) {}  // NOLINT: the same thing

  [[nodiscard]] const context<Port>& get() const noexcept { return context_; }
  [[nodiscard]] context_state<Port>& state() const { return context_.state(); }
  /// Effects: reports a failed release.
  void report(const release_result& result) const noexcept { context_.shared()->report(result); }
  /// Effects: from now on refers to this native stream. If memory runs out, the stream stays unknown.
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
