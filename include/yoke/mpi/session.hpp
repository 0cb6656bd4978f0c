// SPDX-License-Identifier: MIT
// The time between the beginning and the end of MPI in a process.
#ifndef YOKE_MPI_SESSION_HPP
#define YOKE_MPI_SESSION_HPP

#include <yoke/mpi/communicator.hpp>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <thread>

namespace yoke::inline v0_1::mpi::inline YOKE_MPI_FLAVOUR {

/// What threads may do with MPI.
enum class threads {
  single,      ///< the process has one thread
  funneled,    ///< only the thread that made the session calls MPI
  serialized,  ///< any thread, one at a time
  multiple,    ///< any thread, at once
};

/// The options of a session.
struct session_options {
  mpi::threads threads = mpi::threads::serialized;
  /// Ends the whole job when an exception ends this rank: else the other ranks wait for ever.
  bool abort_on_exception = true;
};

namespace detail {

[[nodiscard]] inline int level_of(threads of) noexcept {
  switch (of) {
    case threads::single: return MPI_THREAD_SINGLE;
    case threads::funneled: return MPI_THREAD_FUNNELED;
    case threads::serialized: return MPI_THREAD_SERIALIZED;
    case threads::multiple: return MPI_THREAD_MULTIPLE;
  }
  return MPI_THREAD_SERIALIZED;
}
[[nodiscard]] inline threads threads_of(int level) noexcept {
  if (level == MPI_THREAD_MULTIPLE) return threads::multiple;
  if (level == MPI_THREAD_SERIALIZED) return threads::serialized;
  return level == MPI_THREAD_FUNNELED ? threads::funneled : threads::single;
}
[[nodiscard]] constexpr const char* name_of(threads of) noexcept {
  constexpr const char* names[] = {"single", "funneled", "serialized", "multiple"};
  return names[static_cast<int>(of)];
}

/// What the handler of uncaught exceptions needs, of the session that runs.
struct running_session {
  const functions* calls = nullptr;
  int rank = 0;
  int size = 1;
  std::terminate_handler before = nullptr;
};
inline running_session& running() noexcept {
  static running_session session;
  return session;
}
/// Effects: ends all processes of the job.
inline void end_job(const char* reason) noexcept {
  const running_session& session = running();
  (void)std::fprintf(stderr, "yoke: rank %d of %d ends the job: %s\n", session.rank, session.size, reason);
  (void)std::fflush(stderr);
  // MPICH's launcher loses what it has not read of a job when it ends.
  std::this_thread::sleep_for(std::chrono::milliseconds{100});
  if (session.calls != nullptr) (void)session.calls->abort(MPI_COMM_WORLD, 1);
}
/// The handler of exceptions that nobody catches: it says the rank and the message, and ends the job.
[[noreturn]] inline void terminate_job() {
  if (const std::exception_ptr passing = std::current_exception()) {
    try {
      std::rethrow_exception(passing);
    } catch (const std::exception& failure) {
      end_job(failure.what());
    } catch (...) {
      end_job("an exception that nobody catches");
    }
  } else {
    end_job("std::terminate was called");
  }
  const std::terminate_handler before = running().before;
  if (before != nullptr) before();
  std::abort();
}

}  // namespace detail

/// MPI's life in this process: it begins MPI unless the program has begun it, and then also ends it. When an exception
/// ends the session, or nobody catches one, the whole job ends, because the other ranks would wait for ever: the rank's
/// message goes to stderr. An exception that is caught inside of the session's block changes nothing. One that is caught
/// outside of it ends the job before its message is seen: catch inside, or do not catch. An operation that a communicator
/// has left at its deadline is tested again at the session's end, for a second; the job ends if it still goes on.
/// Requires: it outlives the communicators. Thread safety: one thread at a time.
/// Example: `int main(int argc, char** argv) { yoke::mpi::session mpi{argc, argv}; auto world = mpi.world(); ... }`
class session {
 public:
  /// Throws: `logic_error` if MPI has been finalised; `unsupported_error` if the library has a lower level of threads than
  /// the options ask for; `communication_error`. Wraps `MPI_Init_thread`.
  session(int& argc, char**& argv, const session_options& options = {},
          const source_location& where = source_location::current())
      : session(linked_functions, &detail::linked_library_refuses, &argc, &argv, options, where) {}
  explicit session(const session_options& options = {}, const source_location& where = source_location::current())
      : session(linked_functions, &detail::linked_library_refuses, nullptr, nullptr, options, where) {}
  /// The same by another table of functions; `library_refuses` says why the library takes no memory of CUDA, or returns
  /// null.
  session(const functions& calls, const char* (*library_refuses)() noexcept, int* argc, char*** argv,
          const session_options& options, const source_location& where = source_location::current())
      : calls_(calls), library_refuses_(library_refuses), options_(options) {
    int is_over = 0, has_begun = 0, level = 0;
    check(calls.finalized(&is_over), "MPI_Finalized", where);
    if (is_over != 0) {
      yoke::detail::throw_error(errc::invalid_argument, "MPI has been finalised, and cannot begin again", where);
    }
    check(calls.initialized(&has_begun), "MPI_Initialized", where);
    if (has_begun != 0) {
      check(calls.query_thread(&level), "MPI_Query_thread", where);
    } else {
      check(calls.init_thread(argc, argv, detail::level_of(options.threads), &level), "MPI_Init_thread", where);
      owns_ = true;
    }
    try {
      threads_ = detail::threads_of(level);
      if (threads_ < options.threads) {
        yoke::detail::throw_error(errc::unsupported, where, "this MPI offers threads::", detail::name_of(threads_),
                                  ", and the session asks for threads::", detail::name_of(options.threads));
      }
      detail::running_session& running = detail::running();
      check(calls.comm_rank(MPI_COMM_WORLD, &running.rank), "MPI_Comm_rank", where);
      check(calls.comm_size(MPI_COMM_WORLD, &running.size), "MPI_Comm_size", where);
      if (options.abort_on_exception) {
        running.calls = &calls;
        running.before = std::set_terminate(&detail::terminate_job);
      }
    } catch (...) {
      if (owns_) (void)calls.finalize();
      throw;
    }
  }
  session(const session&) = delete;
  session& operator=(const session&) = delete;
  ~session() {
    detail::running_session& running = detail::running();
    if (options_.abort_on_exception) {
      if (std::uncaught_exceptions() > exceptions_) detail::end_job("an exception ended its MPI session");
      (void)std::set_terminate(running.before);
    }
    if (!owns_) return;
    // Another rank may have been late only.
    if (!detail::communicator_state::end_left_behind(std::chrono::seconds(1))) {
      running.calls = &calls_;
      detail::end_job("an operation with other ranks never ended, so that MPI cannot end in order");
    }
    if (calls_.finalize() != MPI_SUCCESS) {
      yoke::detail::report_cleanup_failure(std::error_code(MPI_ERR_OTHER, error_category()), "MPI_Finalize");
    }
  }

  /// What threads may do. Throws: nothing.
  [[nodiscard]] mpi::threads threads() const noexcept { return threads_; }
  /// All ranks of the job, as a duplicate of `MPI_COMM_WORLD`. All ranks call this. Throws: `communication_error`. Wraps
  /// `MPI_Comm_dup`.
  template <class Port = any_port>
  [[nodiscard]] communicator<Port> world(const communicator_options& options = {},
                                         const source_location& where = source_location::current()) const {
    return communicator<Port>(calls_, library_refuses_, MPI_COMM_WORLD, options, where);
  }

 private:
  void check(int code, const char* call, const source_location& where) const {
    detail::check_mpi(
        calls_, code, call, [] { return std::string("MPI could not begin"); }, where);
  }

  const functions& calls_;
  const char* (*library_refuses_)() noexcept;
  session_options options_;
  mpi::threads threads_ = mpi::threads::single;
  bool owns_ = false;
  int exceptions_ = std::uncaught_exceptions();
};

}  // namespace yoke::inline v0_1::mpi::inline YOKE_MPI_FLAVOUR

#endif
