// SPDX-License-Identifier: MIT
// A trace: a record of the calls to the drivers and of the times at which devices ran the commands.
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

/// Options of a trace.
struct trace_options {
  std::string path{};             ///< the file, overwritten; "": the file of `$YOKE_TRACE`, or no trace
  std::size_t calls = 1'000'000;  ///< how many calls it keeps; further ones are only counted
  bool times_work = true;         ///< whether it takes the devices' times of each command
};

/// The sums of all calls of one entry point, all launches of one kernel, or all scopes of one name.
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

/// Records every call that the library makes to the drivers, and the times at which devices ran the commands, in a file
/// that Perfetto and chrome://tracing show.
///
/// It must begin before the first use of a driver, so make it first in `main`. One trace lives at a time; another may
/// follow it. It does not see calls that other code makes to the drivers. `docs/trace.md` states its cost.
/// Thread safety: records calls of all threads; call the functions of one trace from one thread at a time.
/// Example: `const yoke::trace trace{{.path = "frame.json"}};`
class trace {
 public:
  /// Effects: begins the trace; does nothing if neither `.path` nor `YOKE_TRACE` names a file.
  /// Throws: `logic_error` if a driver is already in use or another trace lives; `runtime_error` if the file cannot be
  /// written; `std::bad_alloc`.
  YOKE_API explicit trace(const trace_options& options = {}, const source_location& where = source_location::current());
  trace(const trace&) = delete;
  trace& operator=(const trace&) = delete;
  /// Effects: as `finish`. Failures go to the cleanup handler.
  YOKE_API ~trace();

  /// Returns: whether it is tracing.
  [[nodiscard]] explicit operator bool() const noexcept { return is_open_; }
  /// Effects: ends the trace: waits up to two seconds for pending commands and writes the file. A second call does
  /// nothing.
  /// Throws: `runtime_error` if the file cannot be written; `std::bad_alloc`.
  YOKE_API void finish(const source_location& where = source_location::current());

  /// Returns: the sums so far, longest first. They include device work whose times have been read; after `finish`, all
  /// of it. Throws: `std::bad_alloc`.
  [[nodiscard]] YOKE_API std::vector<trace_total> totals() const;
  /// Returns: the sums as a table to print. Throws: `std::bad_alloc`.
  [[nodiscard]] YOKE_API std::string table() const;
  /// Returns: how many calls exceeded `trace_options::calls`.
  [[nodiscard]] YOKE_API std::uint64_t left_out() const;
  /// Returns: how many commands lack times, because the device did not end them or the driver did not report them.
  [[nodiscard]] YOKE_API std::uint64_t untimed() const;

 private:
  [[nodiscard]] std::shared_ptr<const detail::trace_content> content() const;
  void write();

  std::string path_;
  std::FILE* file_ = nullptr;
  std::shared_ptr<const detail::trace_content> content_;  // set when it has ended
  std::int64_t begin_ = 0;
  std::int64_t process_ = 0;  // the process that began it; a forked child does not write
  bool is_open_ = false;
};

/// A named part of the program, which a trace shows above the calls made within it. Without a trace it costs one load.
/// Scopes of one thread nest. Thread safety: a scope belongs to its thread.
/// Example: `const yoke::trace_scope scope{"step"};`
class trace_scope {
 public:
  /// Throws: `std::bad_alloc`, only while there is a trace.
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
