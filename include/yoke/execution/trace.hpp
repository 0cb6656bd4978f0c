// SPDX-License-Identifier: MIT
// A trace: what a program asks of the drivers, and when the devices do it.
#ifndef YOKE_EXECUTION_TRACE_HPP
#define YOKE_EXECUTION_TRACE_HPP

#include <yoke/core/config.hpp>
#include <yoke/core/source_location.hpp>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace yoke::inline v0_1 {

namespace detail {
struct trace_content;
}

/// What a trace writes, and where.
struct trace_options {
  std::string path{};             ///< of the file, written anew; "": `$YOKE_TRACE`, and no trace where that is unset
  std::size_t calls = 1'000'000;  ///< the calls it has room for; it counts those beyond
  bool times_work = true;         ///< whether devices note when they begin and end each command
};

/// All calls of one entry point, all launches of one kernel, or all scopes of one name.
struct trace_total {
  enum class kind : std::uint8_t { call, work, scope };

  kind of = kind::call;
  std::string name;  ///< "cuLaunchKernel", "saxpy", "step"
  std::uint64_t count = 0;
  std::uint64_t failures = 0;  ///< calls that the driver refused
  std::uint64_t bytes = 0;     ///< of copies, fills and allocations
  std::chrono::nanoseconds sum{};
  std::chrono::nanoseconds least{};
  std::chrono::nanoseconds most{};
};

/// A record of every call that the library makes to the drivers, and of the times at which devices ran what was enqueued, in
/// a file that Perfetto and chrome://tracing show.
///
/// It begins before the first use of a driver, so make it first in `main`. One lives at a time; another may follow it.
/// Calls that other code makes to the drivers are not seen. `docs/trace.md` says what a trace costs.
/// Thread safety: calls of all threads are written down; the functions of one trace from one thread at a time.
/// Example: `const yoke::trace trace{{.path = "frame.json"}};`
class trace {
 public:
  /// Effects: begins the trace; does nothing where neither `.path` nor `YOKE_TRACE` names a file.
  /// Throws: `logic_error` if a driver is in use already, or a trace lives; `runtime_error` that names a file that cannot be
  /// written; `std::bad_alloc`.
  YOKE_API explicit trace(const trace_options& options = {}, const source_location& where = source_location::current());
  trace(const trace&) = delete;
  trace& operator=(const trace&) = delete;
  /// Effects: as `finish`. Failures go to the cleanup handler.
  YOKE_API ~trace();

  /// Returns: whether it is tracing.
  [[nodiscard]] explicit operator bool() const noexcept { return is_open_; }
  /// Effects: ends the trace: waits up to two seconds for what the devices have to do, and writes the file. Does nothing the
  /// second time. Throws: `runtime_error` that names a file that cannot be written; `std::bad_alloc`.
  YOKE_API void finish(const source_location& where = source_location::current());

  /// Returns: the sums of what has been written down so far, longest first; of devices' work what has ended and been
  /// read, which is all after `finish`. Throws: `std::bad_alloc`.
  [[nodiscard]] YOKE_API std::vector<trace_total> totals() const;
  /// Returns: these sums as a table to print. Throws: `std::bad_alloc`.
  [[nodiscard]] YOKE_API std::string table() const;
  /// Returns: how many calls there was no room for.
  [[nodiscard]] YOKE_API std::uint64_t left_out() const;
  /// Returns: how many commands have no times: the device did not end them, or the driver does not tell.
  [[nodiscard]] YOKE_API std::uint64_t untimed() const;

 private:
  [[nodiscard]] std::shared_ptr<const detail::trace_content> content() const;
  void write();

  std::string path_;
  std::FILE* file_ = nullptr;
  std::shared_ptr<const detail::trace_content> content_;  // once it has ended
  std::int64_t begin_ = 0;
  std::int64_t process_ = 0;  // that it began in: a forked one does not write
  bool is_open_ = false;
};

/// A part of the program, which a trace shows above the calls that are made within it. Without a trace it costs a load.
/// Scopes of one thread are nested. Thread safety: a scope belongs to its thread.
/// Example: `const yoke::trace_scope scope{"step"};`
class trace_scope {
 public:
  /// Throws: `std::bad_alloc` while there is a trace.
  YOKE_API explicit trace_scope(std::string_view name, const source_location& where = source_location::current());
  trace_scope(const trace_scope&) = delete;
  trace_scope& operator=(const trace_scope&) = delete;
  YOKE_API ~trace_scope();

 private:
  const char* name_ = nullptr;
  const char* file_ = nullptr;
  std::uint32_t line_ = 0;
  std::uint64_t trace_ = 0;
  std::int64_t begin_ = 0;
};

}  // namespace yoke::inline v0_1

#if defined(YOKE_IMPLEMENTATION)
#include <yoke/execution/trace.ipp>
#endif

#endif
