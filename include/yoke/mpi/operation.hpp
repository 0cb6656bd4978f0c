// SPDX-License-Identifier: MIT
// The state of a communicator, and operations, which the host drives until they are done.
#ifndef YOKE_MPI_OPERATION_HPP
#define YOKE_MPI_OPERATION_HPP

#include <yoke/core/cleanup.hpp>
#include <yoke/distributed/deadline.hpp>
#include <yoke/mpi/block.hpp>
#include <yoke/mpi/error.hpp>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <memory>
#include <string>
#include <thread>
#include <utility>
#include <vector>

namespace yoke::inline v0_1::mpi::inline YOKE_MPI_FLAVOUR {

/// How device memory reaches MPI: at its own address, or through page-locked blocks of the host.
enum class transport {
  automatic,  ///< direct where the library, the device and the memory can, else staged
  direct,     ///< MPI reads and writes device memory, which is CUDA's; Requires: the library can
  staged,     ///< through blocks
};

/// The options of a communicator. All ranks give the same.
struct communicator_options {
  /// How long a verb waits for other ranks without any progress, before it throws `communication_error`
  /// (`errc::timed_out`). Not below 0. The default waits for ever, as MPI does.
  std::chrono::nanoseconds deadline = std::chrono::nanoseconds::max();
  /// The largest part in which a message is staged. The ranks agree on the smallest that one of them gives.
  std::size_t chunk_bytes = std::size_t{1} << 20;
  /// How device memory reaches MPI; `$YOKE_MPI_TRANSPORT` ("direct", "staged", "automatic") comes before `automatic`.
  /// With `direct`, verbs that move memory of OpenCL throw.
  mpi::transport transport = mpi::transport::automatic;
  /// Compares each collective call with those of the other ranks first, so that calls that do not match throw on all
  /// ranks, and the types of messages on the receiver. Also by `YOKE_DEBUG=ranks`.
  bool check = false;
};

namespace detail {

class communicator_state;

/// What an operation did when it was driven.
enum class progress { idle, moved, done };

/// Messages in flight, with the memory that MPI and the device use until they are done.
class operation {
 public:
  operation() noexcept = default;
  operation(const operation&) = delete;
  operation& operator=(const operation&) = delete;
  virtual ~operation() = default;

  /// Effects: begins what can begin, and completes what is done. Throws: `communication_error`, `error`; the operation is
  /// then to be stopped.
  [[nodiscard]] virtual progress advance(communicator_state& in, const source_location& where) = 0;
  /// Returns: whether MPI has all that it moves for other ranks.
  [[nodiscard]] virtual bool has_started() const noexcept = 0;
  /// Effects: begins nothing more that reads or writes the program's memory. With `goes_on`, `is_settled` gives MPI the
  /// blocks that wait for it. Returns: whether MPI gets all that it moves for other ranks; else they wait in vain.
  [[nodiscard]] virtual bool stop(communicator_state& in, bool goes_on) noexcept = 0;
  /// Effects: cancels the receives of a stopped operation, which may never come.
  virtual void cancel(communicator_state&) noexcept {}
  /// Returns: whether MPI has given back all memory of a stopped operation.
  [[nodiscard]] virtual bool is_settled(communicator_state& in) noexcept = 0;
  /// Returns: what it is, for messages: "send of 4096 bytes to rank 3".
  [[nodiscard]] virtual std::string words() const = 0;

  /// Effects: as `advance`, unless it has ended. Throws: as `advance`, also what `drive_beside` met;
  /// `communication_error` when the communicator has ended before all of it started.
  [[nodiscard]] progress drive(communicator_state& in, const source_location& where) {
    if (!has_ended_) {
      has_ended_ = true;  // if a line below throws
      check_started(in, where);
      const progress now = advance(in, where);
      has_ended_ = now == progress::done;
      return now;
    }
    if (failure_) std::rethrow_exception(std::exchange(failure_, nullptr));
    return progress::done;
  }
  /// Effects: drives it while the host waits for another operation. Returns: whether anything has moved.
  bool drive_beside(communicator_state& in) noexcept {
    if (has_ended_) return false;
    try {
      return drive(in, begun_at) != progress::idle;
    } catch (...) {
      failure_ = std::current_exception();
      return true;
    }
  }

  /// Returns: whether `drive_beside` met a failure that nobody has been told.
  [[nodiscard]] bool has_failed() const noexcept { return failure_ != nullptr; }
  /// Throws: what `drive_beside` met, if anything.
  void rethrow_failure() const {
    if (failure_) std::rethrow_exception(failure_);
  }
  /// Returns: what `drive_beside` met; "" for nothing.
  [[nodiscard]] std::string failure_words() const { return failure_ ? words_of(failure_) : std::string(); }
  [[nodiscard]] static std::string words_of(const std::exception_ptr& of) {
    try {
      std::rethrow_exception(of);
    } catch (const std::exception& failure) {
      return failure.what();
    } catch (...) {
      return "an operation in flight failed";
    }
  }

  std::unique_ptr<operation> next{};  // in the list of those that nobody waits for
  source_location begun_at{};

 private:
  void check_started(const communicator_state& in, const source_location& where) const;

  bool has_ended_ = false;
  std::exception_ptr failure_{};
};

/// While it lives, errors of requests come back. MPICH tells those of a request that has ended to the handler of
/// `MPI_COMM_WORLD`, which ends the process, and not to that of the request's communicator.
class request_errors {
 public:
#if defined(MPICH_VERSION)
  explicit request_errors(const functions& calls) noexcept : calls_(calls) {
    if (calls.comm_get_errhandler(MPI_COMM_WORLD, &before_) != MPI_SUCCESS) before_ = MPI_ERRHANDLER_NULL;
    if (before_ != MPI_ERRHANDLER_NULL) (void)calls.comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  }
  ~request_errors() {
    if (before_ == MPI_ERRHANDLER_NULL) return;
    (void)calls_.comm_set_errhandler(MPI_COMM_WORLD, before_);
    (void)calls_.errhandler_free(&before_);
  }
#else
  explicit request_errors(const functions&) noexcept {}
  ~request_errors() {}  // NOLINT: so that a variable of it counts as used
#endif
  request_errors(const request_errors&) = delete;
  request_errors& operator=(const request_errors&) = delete;

#if defined(MPICH_VERSION)
 private:
  const functions& calls_;
  MPI_Errhandler before_ = MPI_ERRHANDLER_NULL;
#endif
};

/// Communicators that have ended before their operations, the newest first: MPI may still write into these.
inline std::atomic<communicator_state*>& left_behind() noexcept {
  static std::atomic<communicator_state*> newest{nullptr};
  return newest;
}

/// A communicator's state, which its handles, requests and operations share. `retire` ends it.
class communicator_state {
 public:
  /// With `is_ours` the communicator ends with this, and its errors are exceptions.
  communicator_state(const functions& mpi, const char* (*refuses)() noexcept, MPI_Comm native, bool is_ours,
                     const communicator_options& given, const source_location& where)
      : calls(mpi), comm(native), library_refuses(refuses), options(given), is_ours_(is_ours) {
    check(mpi.comm_rank(comm, &rank), "MPI_Comm_rank", where);
    check(mpi.comm_size(comm, &size), "MPI_Comm_size", where);
    if (is_ours_) check(mpi.comm_set_errhandler(comm, MPI_ERRORS_RETURN), "MPI_Comm_set_errhandler", where);
    sent.resize(static_cast<std::size_t>(size));
    received.resize(static_cast<std::size_t>(size));
    frame = std::min<std::size_t>(std::max<std::size_t>(options.chunk_bytes, 1), std::size_t{1} << 30);
  }
  communicator_state(const communicator_state&) = delete;
  communicator_state& operator=(const communicator_state&) = delete;
  ~communicator_state() = default;
  /// Effects: ends a communicator; what MPI still has is left to `end_left_behind`.
  static void retire(communicator_state* of) noexcept {
    if (of->end()) {
      delete of;
      return;
    }
    of->older_ = left_behind().load();
    while (!left_behind().compare_exchange_weak(of->older_, of)) {
    }
  }
  /// Effects: tests what communicators have left behind, until it has ended or the time is over. Returns: whether all of
  /// it has ended; what has not is never freed. Requires: no other thread uses MPI.
  [[nodiscard]] static bool end_left_behind(std::chrono::nanoseconds within) noexcept {
    const yoke::detail::deadline limit(within);
    while (communicator_state* const of = left_behind().load()) {
      const request_errors come_back(of->calls);
      if (!limit.wait_until([&] { return of->has_settled(); })) return false;
      left_behind().store(of->older_);
      delete of;
    }
    return true;
  }

  /// Throws: `communication_error` if the code is an error.
  void check(int code, const char* call, const source_location& where) const {
    check_mpi(
        calls, code, call, [&] { return "a call of MPI failed on " + me(); }, where);
  }
  /// Returns: this rank, for messages.
  [[nodiscard]] std::string me() const { return yoke::detail::text("rank ", rank, " of ", size); }
  /// Throws: `communication_error` when an earlier operation did not end.
  void check_alive(const source_location& where) const {
    if (!failure.empty()) [[unlikely]] {
      yoke::detail::throw_error(errc::communicator_ended, where, "the communicator of ", size,
                                " ranks has ended, because an earlier operation failed: ", failure);
    }
  }
  /// Throws: `logic_error` for a rank that does not exist.
  void check_rank(int of, const char* what, const source_location& where) const {
    if (of >= 0 && of < size) [[likely]]
      return;
    yoke::detail::throw_error(errc::out_of_range, where, what, " ", of, " is outside 0 .. ", size - 1, ": there are ",
                              size, " ranks");
  }
  /// Returns: the tag of the next message to or from a rank. Both sides count, so that the parts of several messages in
  /// flight do not mix.
  [[nodiscard]] int next_tag(bool sends, int peer) noexcept {
    std::uint32_t& counted = (sends ? sent : received)[static_cast<std::size_t>(peer)];
    return static_cast<int>(counted++ & 0x7fffU);  // MPI has 32768 tags at least
  }

  /// Effects: drives the operation to its end. Throws: as `operation::advance`; `communication_error` when nothing has
  /// moved until the deadline. The memory of an operation that fails stays until MPI has given it back.
  void finish(std::unique_ptr<operation>& of, const source_location& where) {
    const request_errors come_back(calls);
    try {
      using clock = std::chrono::steady_clock;
      clock::time_point moved = clock::now();
      yoke::detail::deadline limit(options.deadline);
      for (int idle = 0;; ++idle) {
        const bool moved_beside = drive_beside(of.get());
        check_line(*of);
        const progress now = of->drive(*this, where);
        if (now == progress::done) break;
        if (now == progress::moved || moved_beside) {
          idle = 0;
          continue;
        }
        if (idle < 32) continue;
        const clock::time_point at = clock::now();
        if (idle == 32) {
          moved = at;
          limit = yoke::detail::deadline(options.deadline);
        }
        if (at >= limit.at()) throw_late(*of, where);
        if (at - moved < std::chrono::milliseconds(2)) {
          std::this_thread::yield();
        } else {
          std::this_thread::sleep_for(std::chrono::microseconds(50));
        }
      }
    } catch (...) {
      fail(std::move(of));
      throw;
    }
    of.reset();
  }
  /// Effects: drives the operations in flight but for one, for which the host waits. Returns: whether any has moved.
  bool drive_beside(const operation* but) noexcept {
    settle_left();
    bool moved = false;
    for (operation* const each : in_flight) {
      if (each != but) moved |= each->drive_beside(*this);
    }
    return moved;
  }
  /// Effects: lets MPI move messages while the host waits for something else: of the requests of this communicator, and
  /// what other ranks need of this process. Does nothing once MPI or the communicator has ended.
  void make_progress() noexcept {
    int is_over = 0, is_there = 0;
    if (!failure.empty() || calls.finalized(&is_over) != MPI_SUCCESS || is_over != 0) return;
    const request_errors come_back(calls);
    (void)drive_beside(nullptr);
    (void)calls.iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, comm, &is_there, MPI_STATUS_IGNORE);
  }
  /// Throws: the failure of a collective operation in flight before which this one cannot start.
  void check_line(const operation& of) const {
    if (starting.empty() || starting.front() == &of) [[likely]]
      return;
    if (std::find(starting.begin(), starting.end(), &of) != starting.end()) starting.front()->rethrow_failure();
  }
  /// Effects: keeps an operation that nobody waits for any more until MPI has given back its memory.
  void leave(std::unique_ptr<operation> of) noexcept {
    if (of == nullptr) return;
    const bool goes_on = failure.empty() && !of->has_failed();
    put_aside(std::move(of), goes_on, nullptr);
  }
  /// The same for one that has failed by the exception that is handled now: what other ranks send no more is cancelled.
  void fail(std::unique_ptr<operation> of) noexcept {
    if (of == nullptr) return;
    of->cancel(*this);
    put_aside(std::move(of), false, std::current_exception());
  }
  /// Effects: ends the communicator, because the other ranks have started more of an operation than this one: MPI would
  /// match what is left of it with later ones. A rank alone is out of step with nobody.
  void end_by(const operation& of, const std::exception_ptr& why) noexcept {
    if (size == 1 || !failure.empty()) return;
    try {
      std::string words = of.failure_words();
      if (words.empty() && why) words = operation::words_of(why);
      if (words.empty()) words = "an exception ended its request";
      failure = yoke::detail::text(of.words(), " was given up half-way on ", me(), ": ", words);
    } catch (...) {
      failure = "no memory";  // short enough to need none
    }
  }
  /// Effects: frees the operations that have settled.
  void settle_left() noexcept {
    std::unique_ptr<operation>* at = &left_;
    while (*at != nullptr) {
      if ((*at)->is_settled(*this)) {
        std::unique_ptr<operation> gone = std::move(*at);
        *at = std::move(gone->next);
      } else {
        at = &(*at)->next;
      }
    }
  }
  [[noreturn, gnu::cold]] void throw_late(const operation& of, const source_location& where) {
    std::string cause = "another rank is late or has ended";
    for (const operation* const each : in_flight) {
      if (std::string words = each->failure_words(); !words.empty()) cause = std::move(words);
    }
    failure = yoke::detail::text(of.words(), " has not ended within ", yoke::detail::duration_text(options.deadline),
                                 " on ", me(), ": ", cause);
    yoke::detail::throw_error(errc::timed_out, failure, where);
  }

  /// Returns: MPI's operator for a function of the library. Throws: `communication_error`, `std::bad_alloc`.
  [[nodiscard]] MPI_Op operator_of(MPI_User_function* function, const source_location& where) {
    for (const auto& [known, op] : operators) {
      if (known == function) return op;
    }
    operators.reserve(operators.size() + 1);
    MPI_Op made = MPI_OP_NULL;
    check(calls.op_create(function, 1, &made), "MPI_Op_create", where);
    operators.emplace_back(function, made);
    return made;
  }
  /// Returns: the blocks of a context. Throws: `error`, `std::bad_alloc`.
  template <class Port>
  [[nodiscard]] std::shared_ptr<stage<Port>> stage_of(const context<Port>& in, const source_location& where) {
    for (const auto& each : stages) {
      if (auto known = std::dynamic_pointer_cast<stage<Port>>(each); known && known->context_of() == in) return known;
    }
    auto made = std::make_shared<stage<Port>>(in, where);
    stages.push_back(made);
    return made;
  }

  const functions& calls;
  const MPI_Comm comm;
  const char* (*library_refuses)() noexcept;   // why the library takes no memory of CUDA; it returns null if it does
  bool has_other_engine = false;               // a communicator of NCCL was made of this one
  std::shared_ptr<communicator_state> host{};  // of the ranks of this host
  int rank = 0;
  int size = 1;
  communicator_options options;
  std::size_t frame = 0;                // the bytes of a part of a message, the same on all ranks
  std::string failure{};                // of an operation that did not end
  std::vector<std::uint32_t> sent;      // messages to each rank
  std::vector<std::uint32_t> received;  // messages from each rank
  std::vector<std::pair<MPI_User_function*, MPI_Op>> operators;
  std::vector<std::shared_ptr<stage_base>> stages;
  std::vector<operation*> in_flight;       // of requests
  std::vector<const operation*> starting;  // collective operations that have parts to start, in their order

 private:
  void put_aside(std::unique_ptr<operation> of, bool goes_on, const std::exception_ptr& why) noexcept {
    const request_errors come_back(calls);
    std::erase(in_flight, of.get());
    if (!of->stop(*this, goes_on)) end_by(*of, why);
    of->next = std::move(left_);
    left_ = std::move(of);
    settle_left();
  }
  [[nodiscard]] bool has_settled() noexcept {
    settle_left();
    return left_ == nullptr;
  }
  /// Returns: whether MPI has given back all memory.
  [[nodiscard]] bool end() noexcept {
    host.reset();
    int is_over = 0;
    if (calls.finalized(&is_over) != MPI_SUCCESS) is_over = 1;
    if (is_over == 0 && left_ != nullptr) {
      const request_errors come_back(calls);
      const auto most = std::min<std::chrono::nanoseconds>(options.deadline, std::chrono::seconds(5));
      for (const auto within : {failure.empty() ? most : std::chrono::nanoseconds(0), std::chrono::nanoseconds(0)}) {
        const yoke::detail::deadline limit(within);
        (void)limit.wait_until([&] { return has_settled(); });
        for (operation* each = left_.get(); each != nullptr; each = each->next.get()) each->cancel(*this);
      }
    }
    const bool goes_on = failure.empty();
    if (left_ != nullptr && goes_on) {
      yoke::detail::report_cleanup_failure(make_error_code(errc::timed_out), "mpi::communicator",
                                           "an operation that an exception ended is still in flight");
      failure = "its end";  // what has not begun never does
    }
    if (is_over == 0 && goes_on && is_ours_) {
      for (auto& [function, op] : operators) report(calls.op_free(&op), "MPI_Op_free");
      MPI_Comm gone = comm;
      report(calls.comm_free(&gone), "MPI_Comm_free");
    }
    return left_ == nullptr;
  }
  void report(int code, const char* call) const noexcept {
    if (code == MPI_SUCCESS) return;
    int kind = MPI_ERR_OTHER;
    if (calls.error_class(code, &kind) != MPI_SUCCESS) kind = MPI_ERR_OTHER;
    yoke::detail::report_cleanup_failure(std::error_code(kind, error_category()), call);
  }

  const bool is_ours_;
  communicator_state* older_ = nullptr;  // in the list of those left behind
  std::unique_ptr<operation> left_;
};

inline void operation::check_started(const communicator_state& in, const source_location& where) const {
  if (!in.failure.empty() && !has_started()) [[unlikely]]
    in.check_alive(where);
}

}  // namespace detail
}  // namespace yoke::inline v0_1::mpi::inline YOKE_MPI_FLAVOUR

#endif
