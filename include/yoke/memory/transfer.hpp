// SPDX-License-Identifier: MIT
// An asynchronous copy in flight, which keeps its memory alive until it is done.
#ifndef YOKE_MEMORY_TRANSFER_HPP
#define YOKE_MEMORY_TRANSFER_HPP

#include <yoke/core/shared.hpp>
#include <yoke/execution/stream.hpp>

namespace yoke::inline v0_1 {

/// The options of copies and fills, which begin behind events of any stream: `{.after = {first, second}}`.
template <class Port = any_port>
struct copy_options {
  wait_list<Port> after{};
};

/// A copy that `copy_async` started. Its destructor waits, unless detached. Move-only.
/// Thread safety: one thread at a time.
template <class Port = any_port>
class [[nodiscard]] transfer {
 public:
  transfer() noexcept = default;
  transfer(event<Port> done, detail::shared<const void> source, detail::shared<const void> destination) noexcept
      : done_(std::move(done)), source_(std::move(source)), destination_(std::move(destination)) {}
  transfer(transfer&& other) noexcept
      : done_(std::move(other.done_)),
        source_(std::move(other.source_)),
        destination_(std::move(other.destination_)),
        gone_(std::exchange(other.gone_, true)) {}
  transfer& operator=(transfer&& other) noexcept {
    if (this != &other) {
      finish();
      gone_ = std::exchange(other.gone_, true);
      done_ = std::move(other.done_);
      source_ = std::move(other.source_);
      destination_ = std::move(other.destination_);
    }
    return *this;
  }
  ~transfer() { finish(); }

  /// Waits for the copy and releases the memory that it kept alive. Waiting again does nothing.
  /// Throws: `runtime_error` when the copy failed; `logic_error` when moved from.
  void wait(const source_location& where = source_location::current()) {
    check(where);
    if (!done_) return;
    const event<Port> done = std::move(done_);
    const auto source = std::move(source_);
    const auto destination = std::move(destination_);
    done.wait(where);
  }
  /// Whether the copy has ended. Throws: `logic_error` when moved from; `error`.
  [[nodiscard]] bool is_done(const source_location& where = source_location::current()) const {
    check(where);
    return !done_ || done_.is_done(where);
  }
  /// The copy's event, for which other streams can wait; empty for an empty copy and when moved from.
  [[nodiscard]] const event<Port>& done() const noexcept { return done_; }
  /// Lets the copy run on by itself and keeps its memory alive until it is done. A failure is not reported.
  /// Throws: `logic_error` when moved from; `error`, `std::bad_alloc`; this object then keeps the copy.
  void detach(const source_location& where = source_location::current()) {
    check(where);
    if (!done_) return;
    if (source_ || destination_) {
      done_.on_complete([source = source_, destination = destination_](event_status) {}, where);
    }
    source_.reset();
    destination_.reset();
    done_.reset();
  }

 private:
  void check(const source_location& where) const {
    if (gone_) [[unlikely]]
      detail::throw_empty_handle("transfer", where);
  }
  void finish() noexcept {
    if (!done_) return;
    if (done_.context_of().state().left_us()) return;  // the copy ended with its context
    try {
      done_.wait();
    } catch (const error& failure) {
      if (failure.code() == errc::context_ended) return;  // the copy ended with its context
      detail::report_cleanup_failure(failure.code(), failure.call(), failure.what());
    } catch (...) {
      detail::report_cleanup_exception("transfer");
    }
  }

  event<Port> done_;
  detail::shared<const void> source_;
  detail::shared<const void> destination_;
  bool gone_ = false;  // moved from; false for an empty copy
};

}  // namespace yoke::inline v0_1

#endif
