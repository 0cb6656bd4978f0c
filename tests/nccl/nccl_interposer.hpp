// SPDX-License-Identifier: MIT
// Counts NCCL's calls in a process, and makes them fail.
#ifndef YOKE_TESTS_NCCL_INTERPOSER_HPP
#define YOKE_TESTS_NCCL_INTERPOSER_HPP

#include <support/faults/allocation_pause.hpp>

#include <yoke/driver/nccl/error.hpp>
#include <yoke/driver/nccl/loader.hpp>

#include <map>
#include <mutex>
#include <string>
#include <string_view>
#include <type_traits>

namespace yoke_test {

/// The calls since the last `reset`, and the one that fails. Thread safety: safe.
class nccl_calls {
 public:
  static nccl_calls& of_process() {
    static nccl_calls once;
    return once;
  }
  void reset() {
    const std::lock_guard lock(mutex_);
    counts_.clear();
    failing_.clear();
  }
  /// Effects: the call number `at`, from 1, returns `code`; `always`: later ones, too.
  void fail(const std::string& symbol, int at, bool always, int code) {
    const std::lock_guard lock(mutex_);
    counts_.clear();
    failing_ = symbol;
    at_ = at;
    always_ = always;
    code_ = code;
  }
  /// Effects: all calls from now on return `code`; the counts go on.
  void fail_from_now(const std::string& symbol, int code) {
    const std::lock_guard lock(mutex_);
    failing_ = symbol;
    at_ = counts_[symbol] + 1;
    always_ = true;
    code_ = code;
  }
  std::map<std::string, int> counts() {
    const std::lock_guard lock(mutex_);
    return counts_;
  }
  /// Returns: the code of a call that fails; else 0.
  int enter(const char* symbol) {
    const std::lock_guard lock(mutex_);
    const int number = ++counts_[symbol];
    if (failing_ != symbol) return 0;
    return number == at_ || (always_ && number > at_) ? code_ : 0;
  }

 private:
  std::mutex mutex_{};
  std::map<std::string, int> counts_{};
  std::string failing_{};
  int at_ = 0;
  bool always_ = false;
  int code_ = 0;
};

template <auto Member, class Function>
struct counted_entry;
template <auto Member, class Result, class... Arguments>
struct counted_entry<Member, Result (*)(Arguments...)> {
  static inline Result (*real)(Arguments...) = nullptr;
  template <class Argument>
  static Argument refused(Argument argument) noexcept {
    if constexpr (std::is_same_v<Argument, yoke::nccl::abi::communicator> ||
                  std::is_same_v<Argument, yoke::nccl::abi::communicator*>) {
      return nullptr;
    } else {
      return argument;
    }
  }
  static Result call(Arguments... arguments) {
    const allocation_pause pause;  // NCCL is not under test
    if constexpr (std::is_same_v<Result, int>) {
      const std::string_view symbol = yoke::nccl::detail::symbol<Member>();
      if (const int code = nccl_calls::of_process().enter(symbol.data())) {
        // What ends something has ended it, whatever it returns. A call that fails in a group makes the group fail, which
        // NCCL has to know: it refuses the call, too.
        if (symbol == "ncclGroupEnd" || symbol == "ncclCommDestroy" || symbol == "ncclCommAbort") {
          (void)real(arguments...);
        } else if (symbol != "ncclGroupStart" && symbol != "ncclGetUniqueId") {
          (void)real(refused(arguments)...);
        }
        return code;
      }
    }
    return real(arguments...);
  }
};

/// Effects: NCCL's table, which is not loaded yet, goes through `nccl_calls` from now on.
inline bool interpose_nccl() {
  return yoke::nccl::detail::set_table_filter([](yoke::nccl::abi::functions& table) {
    using functions = yoke::nccl::abi::functions;
#define YOKE_TEST_WRAP(own, symbol, since, ...)                                                                        \
  if (table.own != nullptr) {                                                                                          \
    using wrapped = counted_entry<&functions::own, decltype(functions::own)>;                                          \
    wrapped::real = table.own;                                                                                         \
    table.own = &wrapped::call;                                                                                        \
  }
    YOKE_NCCL_FUNCTIONS(YOKE_TEST_WRAP)
#undef YOKE_TEST_WRAP
  });
}

}  // namespace yoke_test

#endif
