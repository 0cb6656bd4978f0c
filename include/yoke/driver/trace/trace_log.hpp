// SPDX-License-Identifier: MIT
// The log of a trace: driver calls, work of devices, and scopes of the program.
#ifndef YOKE_DRIVER_TRACE_TRACE_LOG_HPP
#define YOKE_DRIVER_TRACE_TRACE_LOG_HPP

#include <yoke/core/config.hpp>

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <map>
#include <mutex>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

namespace yoke::inline v0_1::detail {

/// Facts about a driver call, as far as its arguments tell.
struct trace_facts {
  const char* kernel = nullptr;            ///< the name of a launched kernel
  std::array<std::uint64_t, 3> threads{};  ///< launched threads; 0: the call is not a launch
  std::array<std::uint64_t, 3> block{};
  std::uint64_t bytes = 0;
  const void* stream = nullptr;
};

/// A call of the driver, or a scope of the program. Times are nanoseconds of the steady clock.
struct traced_call {
  const char* name = "";
  std::int64_t begin = 0;
  std::int64_t end = 0;
  std::uint32_t thread = 0;
  const char* failure = nullptr;  ///< the code's name; null: none
  trace_facts facts{};
  const char* file = nullptr;  ///< the scope's source file
  std::uint32_t line = 0;
};

/// A command as the device ran it.
struct traced_work {
  const char* name = "";
  std::uint64_t trace = 0;      ///< the trace's number
  std::size_t call = 0;         ///< the number of the call that enqueued it
  std::int64_t call_begin = 0;  ///< when that call began
  const void* device = nullptr;
  trace_facts facts{};
  std::int64_t begin = 0;
  std::int64_t end = 0;
};

/// The recorded content of a trace.
struct trace_content {
  std::vector<traced_call> calls{};
  std::vector<traced_work> work{};
  std::map<const void*, std::string> devices{};
  std::uint64_t left_out = 0;  ///< calls beyond the limit
  std::uint64_t untimed = 0;   ///< commands whose times are not known
};

/// The log of the process. While it is closed, calls pass it by.
/// Thread safety: safe.
class trace_log {
 public:
  static constexpr std::size_t none = ~std::size_t{0};

  /// Returns: the log of the process, which is never destroyed. Throws: `std::bad_alloc` at the first call.
  YOKE_API static trace_log& instance();
  /// Returns: the log if it is open; else null.
  [[nodiscard]] YOKE_API static trace_log* if_open() noexcept;
  /// Returns: the present time of the steady clock.
  [[nodiscard]] YOKE_API static std::int64_t now() noexcept;

  /// Effects: drops the content and opens the log for at most `limit` entries. Returns: false if it was open already.
  bool open(std::size_t limit, bool times_work);
  void close() noexcept;
  [[nodiscard]] bool times_work() const noexcept { return times_work_.load(std::memory_order_relaxed); }

  /// Returns: the number of the open trace.
  [[nodiscard]] std::uint64_t trace() const noexcept { return trace_.load(std::memory_order_acquire); }

  /// Effects: adds a call of this thread to a trace. Returns: the call's number; `none` if that trace has ended, the
  /// limit is reached or memory has run out.
  YOKE_API std::size_t add(traced_call call, std::uint64_t trace) noexcept;
  /// Effects: adds a command, unless its trace has been taken.
  void add(const traced_work& work) noexcept;
  /// Effects: counts commands whose times are not known.
  void add_untimed(std::uint64_t count) noexcept;
  /// Returns: a copy of the text that lives as long as the process. Throws: `std::bad_alloc`.
  YOKE_API const char* keep(std::string_view text);
  void name_device(const void* device, std::string name);

  /// Returns: a copy of the content.
  [[nodiscard]] trace_content copy() const;
  /// Returns: the content, which is moved out.
  [[nodiscard]] trace_content take() noexcept;

 private:
  trace_log() = default;

  std::atomic<bool> open_{false};
  std::atomic<std::uint64_t> trace_{0};
  std::atomic<bool> times_work_{true};
  mutable std::mutex mutex_;
  std::size_t limit_ = 0;
  trace_content content_;
  std::unordered_set<std::string> texts_;
};

}  // namespace yoke::inline v0_1::detail

#if defined(YOKE_IMPLEMENTATION)
#include <yoke/driver/trace/trace_log.ipp>
#endif

#endif
