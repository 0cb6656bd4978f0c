// SPDX-License-Identifier: MIT
// Starts ranks as processes of this machine, for tests of programs that a launcher starts elsewhere.
#ifndef YOKE_LOCAL_RUN_RANKS_HPP
#define YOKE_LOCAL_RUN_RANKS_HPP

#include <yoke/core/source_location.hpp>

#include <chrono>
#include <string>
#include <type_traits>
#include <vector>

namespace yoke::inline v0_1 {

/// A process that `run_ranks` has started.
struct rank_process {
  int rank = 0;
  int size = 1;
  std::string folder{};  ///< a folder of these ranks alone, where they may meet; it ends with them
};
/// How a process of `run_ranks` has ended.
struct rank_result {
  /// Its exit code; 128 and the signal's number for a process that a signal has ended. A process that had to be ended
  /// has 143 where it says 0.
  int code = 0;
  std::string last_line{};  ///< of what it has printed
  std::string output{};     ///< the end of what it has printed, up to 64 KiB
};
/// Options of `run_ranks`.
struct run_ranks_options {
  std::chrono::nanoseconds deadline = std::chrono::seconds(60);  ///< after which all ranks are ended
};

namespace detail {
/// A function of ranks, without its type.
struct rank_function {
  const void* of;
  int (*call)(const void* of, const rank_process& as);
};
[[nodiscard]] YOKE_API std::vector<rank_result> run_rank_processes(int ranks, const rank_function& function,
                                                                   const run_ranks_options& options,
                                                                   const source_location& where);
}  // namespace detail

/// Calls `function(rank)` in a process of its own for each rank, forked from this one; what it returns, or 0, is the
/// process's exit code. A process that throws, or returns a number outside 0 to 255, prints that and ends with 1.
///
/// Effects: waits for all ranks. When one ends with another code than 0, the others get SIGTERM, and a second later
/// SIGKILL; at the deadline, too. The processes print into files of the folder, not to the terminal.
/// Requires: nothing of this process has used a driver, which a fork cannot share, and no other thread runs.
/// Returns: how each rank has ended.
/// Throws: `logic_error` for less than one rank, and for a deadline below 0; `unsupported_error` on Windows;
/// `runtime_error` when a process cannot be started.
/// Example: `for (auto& each : yoke::run_ranks(4, [](auto& me) { return solve(me.rank, me.size); })) check(each.code);`
template <class Function>
std::vector<rank_result> run_ranks(int ranks, const Function& function, const run_ranks_options& options = {},
                                   const source_location& where = source_location::current()) {
  return detail::run_rank_processes(ranks,
                                    {&function,
                                     [](const void* of, const rank_process& as) {
                                       const auto& given = *static_cast<const Function*>(of);
                                       if constexpr (std::is_void_v<decltype(given(as))>) {
                                         given(as);
                                         return 0;
                                       } else {
                                         return static_cast<int>(given(as));
                                       }
                                     }},
                                    options, where);
}

}  // namespace yoke::inline v0_1

#if defined(YOKE_IMPLEMENTATION)
#include <yoke/local/run_ranks.ipp>
#endif

#endif
