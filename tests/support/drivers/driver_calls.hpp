// SPDX-License-Identifier: MIT
// The common half of the interposers: a log of a driver's calls, failures to inject, and a ledger of what is alive.
#ifndef YOKE_TESTS_SUPPORT_DRIVER_CALLS_HPP
#define YOKE_TESTS_SUPPORT_DRIVER_CALLS_HPP

#include <support/drivers/entry_facts.hpp>
#include <support/drivers/object_ledger.hpp>

#include <yoke/core/error.hpp>

#include <cstddef>
#include <functional>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

namespace yoke_test {

enum class fault_mode { once, for_ever };

/// Whose calls a fault counts and strikes.
enum class fault_scope { every_thread, this_thread };

/// The classes of the library's exceptions.
enum class error_class { plain, memory, logic, launch, runtime, unsupported, context_lost, compile };

/// A driver's code, what it means, and what the library makes of it.
struct fault_code {
  int value;
  const char* word;
  yoke::errc condition;
  error_class thrown;
};

/// How an injected failure of an entry looks to the library.
struct failure_kind {
  bool releases = false;  ///< the real call is made, and an object given back
  bool cleanup = false;   ///< one of those, or one that unmaps or frees in a queue
  bool reports = true;    ///< false where the function cannot carry a code
};

/// One failure that an interposer made up.
struct injection : failure_kind {
  std::string name;    ///< the library's own name, "create_buffer"
  std::string symbol;  ///< the driver's, "clCreateBuffer"
  int code = 0;
};

/// What is called, what is to fail, and what is alive, whichever backend it is of.
///
/// Entries go by the library's own names; an unknown one throws `std::invalid_argument`. Thread safety: safe.
class driver_calls {
 public:
  driver_calls(const driver_calls&) = delete;
  driver_calls& operator=(const driver_calls&) = delete;

  // The log.

  /// A place in the log, for the functions below.
  [[nodiscard]] std::size_t mark() const;
  /// Returns: own names in the order the calls began.
  [[nodiscard]] std::vector<std::string> calls(std::size_t since = 0) const;
  [[nodiscard]] std::size_t count(std::string_view name, std::size_t since = 0) const;
  [[nodiscard]] std::size_t count_all(std::size_t since = 0) const;
  void clear_log();

  // Faults. Several may be armed at once; calls count from the moment of arming.

  /// Effects: the n-th call (from 1) fails with `code`; with `for_ever`, each later one too.
  void fail_call(std::size_t n, fault_mode mode, int code, fault_scope scope = fault_scope::every_thread);
  /// Effects: the same for the calls of one function, even an excluded one.
  void fail_function(std::string_view name, std::size_t nth, fault_mode mode, int code,
                     fault_scope scope = fault_scope::every_thread);
  /// Effects: `fail_call` neither counts nor strikes this function.
  void exclude(std::string_view name);
  /// Effects: no fault strikes any more; what was injected is remembered.
  void disarm();
  /// Returns: the first failure that was injected.
  [[nodiscard]] std::optional<injection> injected() const;
  [[nodiscard]] std::vector<injection> injections() const;
  /// Effects: runs `hook` at the start of each such call, before a fault strikes. Null ends it.
  void on_call(std::string_view name, std::function<void()> hook);

  // The ledger. Handles that queries return are not owned; root devices are not counted.

  [[nodiscard]] std::vector<std::string> live() const { return ledger_.live(); }
  [[nodiscard]] std::vector<std::string> bad_releases() const { return ledger_.bad_releases(); }

 protected:
  /// `entries` must outlive this.
  explicit driver_calls(std::span<const entry_facts> entries);
  ~driver_calls() = default;

  /// Effects: logs the call of an entry and runs its hook. Returns: the code with which it is to fail, if it is.
  std::optional<int> begin(std::size_t index, const failure_kind& kind);
  [[nodiscard]] std::size_t index_of(std::string_view name) const { return entry_index(entries_, name); }

  object_ledger ledger_;

 private:
  struct fault {
    std::optional<std::size_t> only;
    std::size_t nth;
    fault_mode mode;
    int code;
    std::optional<std::thread::id> thread;
    std::size_t seen = 0;
  };

  void arm(std::optional<std::size_t> only, std::size_t nth, fault_mode mode, int code, fault_scope scope);
  /// Returns: the code of the fault that strikes this call, if one does; the call counts for each that it is of.
  std::optional<int> strike(std::size_t index);

  std::span<const entry_facts> entries_;
  mutable std::mutex mutex_;
  std::vector<std::size_t> log_;
  std::vector<fault> faults_;
  std::vector<injection> injections_;
  std::vector<bool> excluded_;
  std::vector<std::function<void()>> hooks_;
};

}  // namespace yoke_test

#endif
