// SPDX-License-Identifier: MIT
// An operation of MPI in flight, which owns its memory until it is done.
#ifndef YOKE_MPI_REQUEST_HPP
#define YOKE_MPI_REQUEST_HPP

#include <yoke/driver/any/port.hpp>
#include <yoke/mpi/operation.hpp>

#include <exception>
#include <memory>
#include <utility>

namespace yoke::inline v0_1::mpi::inline YOKE_MPI_FLAVOUR {

/// An operation that a verb with `_async` started. It owns the blocks that MPI and the device use. MPI moves messages
/// while the host is in one of its calls: `wait`, `finish`, `is_done`, and every verb of the communicator, drive it on.
/// The destructor waits; while an exception passes, the operation moves to the communicator instead, which sends what is
/// in blocks and ends it later: memory in flight is never freed. An operation that needs more of the program's memory, one
/// of more than four parts, ends the communicator then: its other half would meet later messages. Move-only.
/// Requires: device memory of the operation lives until it is done.
/// Thread safety: one thread at a time, also with the communicator.
template <class Port = any_port>
class [[nodiscard]] request {
 public:
  request() noexcept = default;
  // For communicators. An operation that it cannot take stays with the caller.
  request(std::shared_ptr<detail::communicator_state> in, std::unique_ptr<detail::operation>&& of,
          const stream<Port>& order, const source_location& where)
      : in_(std::move(in)), stream_(order.another(where)) {
    in_->in_flight.push_back(of.get());
    of_ = std::move(of);
    of_->begun_at = where;
  }
  request(request&& other) noexcept
      : in_(std::move(other.in_)),
        of_(std::move(other.of_)),
        stream_(std::move(other.stream_)),
        exceptions_(other.exceptions_) {}
  request& operator=(request&& other) noexcept {
    if (this != &other) {
      end();
      in_ = std::move(other.in_);
      of_ = std::move(other.of_);
      stream_ = std::move(other.stream_);
      exceptions_ = other.exceptions_;
    }
    return *this;
  }
  ~request() { end(); }

  /// Drives the operation to its end: later commands of the stream with which it began see the result.
  /// Throws: `communication_error` when a rank fails or is late; `logic_error` when empty; `error`. Waiting again does
  /// nothing.
  void wait(const source_location& where = source_location::current()) {
    check(where);
    if (of_ != nullptr) finish_now(where);
  }
  /// The same for another stream: its later commands see the result, too.
  /// Throws: as `wait`; `logic_error` for a stream of another context.
  void finish(const stream<Port>& in, const source_location& where = source_location::current()) {
    wait(where);
    if (in.native_handle() == stream_.native_handle()) return;
    in.wait(stream_.record({}, where), where);
  }
  /// Drives the operation as far as it comes without waiting. Returns: whether it is done. Throws: as `wait`.
  [[nodiscard]] bool is_done(const source_location& where = source_location::current()) {
    check(where);
    if (of_ == nullptr) return true;
    const detail::request_errors come_back(in_->calls);
    try {
      (void)in_->drive_beside(of_.get());
      if (of_->drive(*in_, where) != detail::progress::done) return false;
    } catch (...) {
      in_->fail(std::move(of_));
      throw;
    }
    std::erase(in_->in_flight, of_.get());
    of_.reset();
    return true;
  }

 private:
  void check(const source_location& where) const {
    if (in_ == nullptr) [[unlikely]]
      yoke::detail::throw_empty_handle("request", where);
  }
  void finish_now(const source_location& where) {
    const detail::operation* const ended = of_.get();
    in_->finish(of_, where);
    std::erase(in_->in_flight, ended);
  }
  void end() noexcept {
    if (of_ == nullptr) return;
    if (std::uncaught_exceptions() > exceptions_) return in_->leave(std::move(of_));
    try {
      finish_now(of_->begun_at);
    } catch (const error& failure) {
      yoke::detail::report_cleanup_failure(failure.code(), failure.call(), failure.what());
    } catch (...) {
      yoke::detail::report_cleanup_exception("mpi::request");
    }
  }

  std::shared_ptr<detail::communicator_state> in_;
  std::unique_ptr<detail::operation> of_;
  stream<Port> stream_;
  int exceptions_ = std::uncaught_exceptions();
};

}  // namespace yoke::inline v0_1::mpi::inline YOKE_MPI_FLAVOUR

#endif
