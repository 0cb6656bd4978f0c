// SPDX-License-Identifier: MIT
// What the fault loops share: outcomes, the recorder of cleanup failures, the wait for quiet, the watchdog.
#ifndef YOKE_TESTS_SUPPORT_FAULT_RUN_HPP
#define YOKE_TESTS_SUPPORT_FAULT_RUN_HPP

#include <support/drivers/opencl_interposer.hpp>
#include <support/faults/allocation_pause.hpp>
#include <support/faults/block_count.hpp>

#include <yoke/core/cleanup.hpp>
#include <yoke/core/error.hpp>

#include <chrono>
#include <condition_variable>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <mutex>
#include <new>
#include <string>
#include <thread>
#include <utility>
#include <vector>

namespace yoke_test {

/// What a loop found; `problems` is empty when the library keeps its promises.
struct fault_report {
  std::size_t runs = 0;
  std::size_t injected = 0;  ///< runs in which at least one fault struck
  std::vector<std::string> problems;
};

/// Returns: 1 where `YOKE_TEST_FAULTS` is `all`, else 7.
inline std::size_t default_fault_step() {
  const char* const wanted = std::getenv("YOKE_TEST_FAULTS");
  return wanted != nullptr && std::strcmp(wanted, "all") == 0 ? 1 : 7;
}

/// Returns: the same for loops whose runs compile kernels, or read the texts of many: 1 or 61.
inline std::size_t rare_fault_step() { return default_fault_step() == 1 ? 1 : 61; }

/// Makes the first, the last and every `step`-th call fail; `run(n)` returns whether there is an n-th call.
///
/// `turn` shifts where the steps begin, so that `step` walks in turn meet every call. Walks of one scenario mostly end at the same
/// call: `guess`, the end of an earlier one, spares the search for it. Returns: the last call; 0 where there is none.
template <class Run>
std::size_t walk_faults(std::size_t step, std::size_t turn, Run&& run, std::size_t guess = 0) {
  if (!run(std::size_t{1})) return 0;
  std::size_t last = 1;
  std::size_t beyond = 2 + turn % step;
  while (run(beyond)) {
    last = beyond;
    beyond += step;
  }
  const auto try_call = [&](std::size_t n) { (run(n) ? last : beyond) = n; };
  if (guess > last && guess < beyond) try_call(guess);
  if (guess == last && guess + 1 < beyond) try_call(guess + 1);
  while (beyond - last > 1) try_call(last + (beyond - last) / 2);
  return last;
}

/// How a scenario ended.
struct outcome {
  enum class kind { returned, library_error, bad_alloc, foreign } how = kind::returned;
  int code = 0;
  bool own_code = false;  ///< the code is a `yoke::errc`, not the driver's
  error_class thrown = error_class::plain;
  std::string call;
  std::string what;
};

/// Returns: which class of the tree an exception is of.
inline error_class class_of(const yoke::error& e) {
  if (dynamic_cast<const yoke::memory_error*>(&e) != nullptr) return error_class::memory;
  if (dynamic_cast<const yoke::logic_error*>(&e) != nullptr) return error_class::logic;
  if (dynamic_cast<const yoke::launch_error*>(&e) != nullptr) return error_class::launch;
  if (dynamic_cast<const yoke::runtime_error*>(&e) != nullptr) return error_class::runtime;
  if (dynamic_cast<const yoke::unsupported_error*>(&e) != nullptr) return error_class::unsupported;
  if (dynamic_cast<const yoke::context_lost_error*>(&e) != nullptr) return error_class::context_lost;
  if (dynamic_cast<const yoke::compile_error*>(&e) != nullptr) return error_class::compile;
  return error_class::plain;
}
/// Returns: its name.
inline const char* name_of(error_class which) {
  switch (which) {
    case error_class::memory: return "memory_error";
    case error_class::logic: return "logic_error";
    case error_class::launch: return "launch_error";
    case error_class::runtime: return "runtime_error";
    case error_class::unsupported: return "unsupported_error";
    case error_class::context_lost: return "context_lost_error";
    case error_class::compile: return "compile_error";
    case error_class::plain: break;
  }
  return "error";
}

/// Effects: runs `act`; `finish` runs right after it, before a handler allocates anything.
/// Returns: how it ended. Only what Catch2 throws passes through.
template <class Act, class Finish>
outcome attempt(Act&& act, Finish&& finish) {
  struct guard {
    Finish& finish;
    ~guard() { finish(); }
  };
  outcome result;
  try {
    const guard last{finish};
    act();
  } catch (const yoke::error& e) {
    result.how = outcome::kind::library_error;
    result.code = e.code().value();
    result.own_code = std::strcmp(e.code().category().name(), yoke::error_category().name()) == 0;
    result.thrown = class_of(e);
    result.call = e.call();
    result.what = e.what();
  } catch (const std::bad_alloc& e) {
    result.how = outcome::kind::bad_alloc;
    result.what = e.what();
  } catch (const std::exception& e) {
    result.how = outcome::kind::foreign;
    result.what = e.what();
  }
  return result;
}

/// Takes the place of the cleanup handler and writes down what it gets. One lives at a time.
class cleanup_recorder {
 public:
  struct record {
    std::string call;
    int code;
    std::string message;
  };

  cleanup_recorder() : before_(yoke::set_cleanup_handler(&handle)) {}
  ~cleanup_recorder() {
    yoke::set_cleanup_handler(before_);
    take();
  }
  cleanup_recorder(const cleanup_recorder&) = delete;
  cleanup_recorder& operator=(const cleanup_recorder&) = delete;

  /// Returns: the failures since the last call.
  static std::vector<record> take() {
    const std::lock_guard lock(store().mutex);
    return std::exchange(store().records, {});
  }

 private:
  struct storage {
    std::mutex mutex;
    std::vector<record> records;
  };
  static storage& store() {
    static storage all;
    return all;
  }
  static void handle(const yoke::cleanup_failure& failure) noexcept {
    const allocation_pause no_allocation_faults;
    const std::lock_guard lock(store().mutex);
    store().records.push_back({failure.call, failure.code.value(), failure.message});
  }
  yoke::cleanup_handler before_;
};

/// Returns: what is still alive once threads of the driver and the library had time to let go.
template <class Driver>
std::vector<std::string> live_when_quiet(const Driver& driver) {
  const auto until = std::chrono::steady_clock::now() + std::chrono::milliseconds(10'000) / haste;
  std::vector<std::string> live = driver.live();
  while (!live.empty() && std::chrono::steady_clock::now() < until) {
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
    live = driver.live();
  }
  return live;
}

/// Ends the process, saying which run it was, when a run takes longer than two minutes: drivers can hang on faults.
class watchdog {
 public:
  explicit watchdog(std::string name) : name_(std::move(name)), thread_([this] { watch(); }) {}
  ~watchdog() {
    {
      const std::lock_guard lock(mutex_);
      over_ = true;
    }
    changed_.notify_all();
    thread_.join();
  }
  watchdog(const watchdog&) = delete;
  watchdog& operator=(const watchdog&) = delete;

  void begins(const std::string& run) {
    const std::lock_guard lock(mutex_);
    run_ = run;
    ++beats_;
    changed_.notify_all();
  }

 private:
  void watch() {
    std::unique_lock lock(mutex_);
    while (!over_) {
      const std::size_t seen = beats_;
      if (changed_.wait_for(lock, std::chrono::minutes(2), [&] { return over_ || beats_ != seen; })) continue;
      std::fprintf(stderr, "fault loop '%s' hangs in the run %s\n", name_.c_str(), run_.c_str());
      std::fflush(nullptr);
      std::abort();
    }
  }

  std::string name_;
  std::string run_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::size_t beats_ = 0;
  bool over_ = false;
  std::thread thread_;
};

}  // namespace yoke_test

#endif
