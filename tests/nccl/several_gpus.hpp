// SPDX-License-Identifier: MIT
// The GPUs that tests of NCCL run on: those of the machine, or four simulated ones in a child.
#ifndef YOKE_TESTS_NCCL_SEVERAL_GPUS_HPP
#define YOKE_TESTS_NCCL_SEVERAL_GPUS_HPP

#include <cuda/cuda_rig.hpp>
#include <support/process/in_child.hpp>
#include <support/rig.hpp>

#include <yoke/nccl.hpp>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <functional>
#include <mutex>
#include <numeric>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>
#include <vector>

namespace yoke_test {

namespace nccl = yoke::nccl;
using namespace std::chrono_literals;

/// A context and a stream of each GPU.
struct several_gpus {
  explicit several_gpus(const std::vector<cu::device>& devices) {
    for (const cu::device& each : devices) {
      contexts.emplace_back(each);
      streams.emplace_back(contexts.back());
    }
  }
  [[nodiscard]] std::size_t size() const { return contexts.size(); }
  [[nodiscard]] int count() const { return static_cast<int>(contexts.size()); }

  /// Returns: an allocation on each GPU; `value(rank, i)` is element `i`.
  template <class T, class Value>
  [[nodiscard]] std::vector<cu::device_allocation<T>> allocate(std::size_t count, const Value& value) const {
    std::vector<cu::device_allocation<T>> made;
    for (std::size_t rank = 0; rank < size(); ++rank) {
      std::vector<T> host;
      for (std::size_t i = 0; i < count; ++i) host.push_back(static_cast<T>(value(static_cast<int>(rank), i)));
      made.emplace_back(contexts[rank], count);
      if (count != 0) yoke::copy(host, made.back(), streams[rank]);
    }
    return made;
  }
  template <class Memory>
  [[nodiscard]] auto read(const Memory& memory, std::size_t rank) const {
    return yoke::to_host(memory, streams[rank]);
  }

  std::vector<cu::context> contexts{};
  std::vector<cu::stream> streams{};
};

/// Effects: prints why a rank fails, since what it leaves then may wait for a GPU. Throws: `std::runtime_error`.
[[noreturn]] inline void fail_rank(const std::string& why) {
  std::printf("%s\n", why.c_str());
  std::fflush(stdout);
  throw std::runtime_error(why);
}
// Catch2's macros are for one thread: checks of ranks throw, and the test's thread reports them.
#define YOKE_RANK_CHECK(...)                                                                                           \
  do {                                                                                                                 \
    if (!(__VA_ARGS__)) {                                                                                              \
      yoke_test::fail_rank(yoke::detail::text(__FILE__, ":", __LINE__, ": not so: ", #__VA_ARGS__));                   \
    }                                                                                                                  \
  } while (false)

/// Effects: runs `act`, which must throw `Error` with this condition, and with words that contain each of `words`.
template <class Error, class Act>
void rank_refusal(yoke::errc condition, const std::vector<std::string>& words, const Act& act) {
  std::string what;
  try {
    act();
    fail_rank("threw nothing");
  } catch (const Error& e) {
    what = e.what();
    YOKE_RANK_CHECK(e.code() == condition);
  }
  for (const std::string& each : words) {
    if (what.find(each) == std::string::npos) fail_rank("\"" + what + "\" does not contain " + each);
  }
}

/// What each rank of `on_ranks` does now, for the report of those that do not end.
inline std::atomic<const char*>*& step_of_thread() {
  thread_local std::atomic<const char*>* own = nullptr;
  return own;
}
/// Effects: notes what this rank does from here on. `what` lives as long as the program.
inline void note_step(const char* what) {
  if (step_of_thread() != nullptr) *step_of_thread() = what;
}

/// How long ranks may take in all. A GPU that waits for a rank waits for ever, and with it whatever frees its memory.
inline constexpr std::chrono::seconds most_of_ranks = 150s;

/// Effects: runs `act(rank)` on a thread for each rank. Ends the process, with the ranks' last steps, when they take too
/// long. Throws: the first exception.
inline void on_ranks(std::size_t count, const std::function<void(std::size_t)>& act,
                     std::chrono::nanoseconds within = most_of_ranks) {
  const std::string test = current_test_name();
  std::vector<std::exception_ptr> thrown(count);
  std::vector<std::atomic<const char*>> steps(count);
  std::mutex mutex;
  std::condition_variable changed;
  std::size_t left = count;
  std::vector<std::thread> threads;
  for (std::size_t rank = 0; rank < count; ++rank) {
    steps[rank] = "begins";
    threads.emplace_back([&, rank] {
      step_of_thread() = &steps[rank];
      try {
        act(rank);
      } catch (...) {
        thrown[rank] = std::current_exception();
      }
      step_of_thread() = nullptr;
      const std::lock_guard lock(mutex);
      steps[rank] = nullptr;
      --left;
      changed.notify_all();
    });
  }
  {
    std::unique_lock lock(mutex);
    if (!changed.wait_for(lock, within, [&] { return left == 0; })) {
      std::printf("%s: ranks have not ended\n", test.c_str());
      for (std::size_t rank = 0; rank < count; ++rank) {
        const char* const last = steps[rank];
        std::printf("rank %zu: %s\n", rank, last == nullptr ? "has ended" : last);
      }
      std::fflush(nullptr);
      std::_Exit(1);  // nothing ends a thread that waits for a GPU
    }
  }
  for (std::thread& each : threads) each.join();
  for (const std::exception_ptr& each : thrown) {
    if (each != nullptr) std::rethrow_exception(each);
  }
}

/// Effects: waits until the other rank says that it is over, or so long that it never will.
inline void wait_for_other(const std::atomic<bool>& over) {
  note_step("waits for the other rank");
  for (int turn = 0; !over && turn < 60000; ++turn) std::this_thread::sleep_for(1ms);
}
/// Effects: waits for a stream, but not for ever. Throws: `std::runtime_error`.
inline void synchronize_soon(const cu::stream& stream) {
  note_step("waits for a stream that is to be free");
  const auto until = std::chrono::steady_clock::now() + 30s;
  while (!stream.is_done()) {
    if (std::chrono::steady_clock::now() > until) fail_rank("the stream is not free after 30 s");
    std::this_thread::sleep_for(1ms);
  }
}

/// Effects: once a process, makes and drops communicators of all GPUs: the first ones of a real NCCL take up to 40 s
/// under compute-sanitizer, which the tests' own deadlines do not grant.
inline void start_nccl(const several_gpus& gpus) {
  static const bool is_started = [&] {
    const nccl::clique all{gpus.contexts, {.deadline = 120s, .end_within = 120s}};
    auto x = gpus.allocate<int>(1, [](int, std::size_t) { return 1; });
    all.all_reduce(x, yoke::summed, gpus.streams);
    all.wait(gpus.streams);
    all.close();
    return true;
  }();
  (void)is_started;
}

/// Effects: calls `act` with the GPUs, once, if there are `least`; else skips. The simulator has four, or what `variables`
/// say, in a child that sees these. `apart`: real ones are used in a child, too, since the test may have to end it.
template <class Act>
void with_gpus(const cu::device& device, const Act& act,
               std::vector<std::pair<std::string, std::string>> variables = {}, std::size_t least = 2,
               bool apart = false) {
  if (is_simulated(device)) {
    const auto is_count = [](const auto& each) { return each.first == "YOKE_SIMULATOR_DEVICES"; };
    if (std::none_of(variables.begin(), variables.end(), is_count)) {
      variables.emplace_back("YOKE_SIMULATOR_DEVICES", "4");
    }
    if (!in_child(std::move(variables))) return;
  }
  const std::vector<cu::device> all = cu::devices(device.port());
  if (!(all.front() == device)) return;
  const yoke::availability found = nccl::available();
  if (!found.available) YOKE_SKIP("no NCCL: " + found.reason.substr(0, found.reason.find('\n')));
  if (all.size() < least) YOKE_SKIP("there is one CUDA device");
  if (apart && !is_simulated(device) && !in_child({})) return;
  const several_gpus gpus(all);
  CHECK(gpus.size() >= least);
  if (!is_simulated(device)) start_nccl(gpus);
  act(gpus);
}

}  // namespace yoke_test

#endif
